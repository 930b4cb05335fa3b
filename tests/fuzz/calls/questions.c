/* questions.c - what the driver says of objects and events. */
#include <unistd.h>

#include "calls.h"

void references(struct player *p)
{
    struct object *o = any(p, INT);
    const enum kernel k = (enum kernel)upto(p, KERNELS);
    cl_uint now[2] = {0}, before[2] = {0}, args = 0, maps = 0;
    size_t most = 0;

    settle(p);
    for (unsigned same = 0; same < 20; same++, usleep(1000)) { /* drivers let go a little later */
        memcpy(before, now, sizeof now);
        CL_CHECK(clGetKernelInfo(p->kernel[k], CL_KERNEL_REFERENCE_COUNT, sizeof now[0], &now[0], NULL));
        CL_CHECK(clGetMemObjectInfo(o->mem, CL_MEM_REFERENCE_COUNT, sizeof now[1], &now[1], NULL));
        same = memcmp(before, now, sizeof now) ? 0 : same;
    }
    CL_CHECK(clGetKernelInfo(p->kernel[k], CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL));
    CL_CHECK(clGetMemObjectInfo(o->mem, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
    CL_CHECK(clGetKernelWorkGroupInfo(p->kernel[k], p->app->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                      &most, NULL));
    say(p, "%s: %u references, %u arguments, groups of %zu; memory: %u, %u maps", kernel_names[k], now[0],
        args, most, now[1], maps);
}

/* A launch that the event tells of. */
static struct command launch_with_event(struct player *p)
{
    const size_t n = 4096, local = 64;
    struct object *o = any(p, INT);
    const cl_kernel k = p->kernel[PLACES];
    struct command c = {.q = &p->queue[upto(p, p->nqueue)]};

    need(p, &c, o);
    CL_CHECK(clSetKernelArg(k, 0, sizeof(cl_mem), &o->mem));
    set_int(k, 1, 64);
    CL_CHECK(clEnqueueNDRangeKernel(c.q->handle, k, 1, NULL, &n, &local, c.nwait, waits(&c), &c.done));
    return c;
}

/* What an event says once its command is done. */
void times(struct player *p)
{
    const struct command c = launch_with_event(p);
    cl_ulong at[4] = {0};
    cl_int status = -1, type = 0, error = CL_SUCCESS;
    cl_command_queue of = NULL;
    cl_uint count = 0;

    may_wait(p);
    CL_CHECK(clWaitForEvents(1, &c.done));
    CL_CHECK(clGetEventInfo(c.done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CL_CHECK(clGetEventInfo(c.done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CL_CHECK(clGetEventInfo(c.done, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, NULL));
    for (unsigned i = 0; i < 4; i++)
        error |= clGetEventProfilingInfo(c.done, CL_PROFILING_COMMAND_QUEUED + i, sizeof at[i], &at[i], NULL);
    settle(p);
    for (unsigned i = 0; i < 2000 && count != 1; i++, usleep(1000)) /* drivers let go a little later */
        CL_CHECK(clGetEventInfo(c.done, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL));
    say(p, "event: %d %x %s %d %s, %u references", status, (unsigned)type,
        of == c.q->handle ? "its queue" : "another", error,
        at[0] <= at[1] && at[1] <= at[2] && at[2] <= at[3] ? "in order" : "not in order", count);
    CL_CHECK(clReleaseEvent(c.done));
}
