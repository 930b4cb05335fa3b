/* mistakes.c - what no driver may do. */
#include "calls.h"

/* What mistakes are made with: a kernel whose arguments are set, one that has none, a buffer. */
struct stage {
    cl_command_queue q;
    cl_kernel k, fresh;
    const struct object *o;
    size_t align;
};

static const size_t some = 64;

static cl_int enqueue(const struct stage *s, cl_kernel k, cl_uint dim, size_t global, const size_t *local)
{
    return clEnqueueNDRangeKernel(s->q, k, dim, NULL, &global, local, 0, NULL, NULL);
}

static cl_int without_arguments(const struct stage *s)
{
    return enqueue(s, s->fresh, 1, some, NULL);
}

static cl_int no_dimension(const struct stage *s)
{
    return enqueue(s, s->k, 0, some, NULL);
}

static cl_int four_dimensions(const struct stage *s)
{
    return enqueue(s, s->k, 4, some, NULL);
}

static cl_int list_without_length(const struct stage *s)
{
    const cl_event none = NULL;

    return clEnqueueMarkerWithWaitList(s->q, 0, &none, NULL);
}

static cl_int length_without_list(const struct stage *s)
{
    return clEnqueueBarrierWithWaitList(s->q, 1, NULL, NULL);
}

static cl_int huge_group(const struct stage *s)
{
    const size_t huge = 1u << 20;

    return enqueue(s, s->k, 1, huge, &huge);
}

static cl_int odd_group(const struct stage *s) /* not a mistake on all drivers */
{
    const size_t odd = 7;

    return enqueue(s, s->k, 1, some, &odd);
}

static cl_int odd_argument(const struct stage *s)
{
    return clSetKernelArg(s->k, 0, 3, &s->o->mem);
}

static cl_int argument_too_many(const struct stage *s)
{
    const int value = 1;

    return clSetKernelArg(s->k, 5, sizeof value, &value);
}

static cl_int half_a_number(const struct stage *s)
{
    const int value = 1;

    return clSetKernelArg(s->k, 1, 2, &value);
}

static cl_int read_behind(const struct stage *s)
{
    int value;

    return clEnqueueReadBuffer(s->q, s->o->mem, CL_TRUE, s->o->bytes, 4, &value, 0, NULL, NULL);
}

static cl_int map_behind(const struct stage *s)
{
    cl_int error;

    clEnqueueMapBuffer(s->q, s->o->mem, CL_TRUE, CL_MAP_READ, s->o->bytes - 4, 8, 0, NULL, NULL, &error);
    return error;
}

static cl_int copy_over_itself(const struct stage *s)
{
    return clEnqueueCopyBuffer(s->q, s->o->mem, s->o->mem, 0, 4, 8, 0, NULL, NULL);
}

static cl_int part(const struct stage *s, size_t from, size_t bytes)
{
    const cl_buffer_region region = {from, bytes};
    cl_int error;
    const cl_mem made = clCreateSubBuffer(s->o->mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);

    if (made)
        CL_CHECK(clReleaseMemObject(made));
    return error;
}

static cl_int part_beyond(const struct stage *s)
{
    return part(s, s->align, s->o->bytes);
}

static cl_int part_askew(const struct stage *s)
{
    return part(s, 4, 64);
}

void mistake(struct player *p)
{
    static const struct {
        const char *name;
        cl_int (*make)(const struct stage *);
    } mistakes[] = {{"without arguments", without_arguments},
                    {"no dimension", no_dimension},
                    {"four dimensions", four_dimensions},
                    {"list without length", list_without_length},
                    {"length without list", length_without_list},
                    {"huge group", huge_group},
                    {"odd group", odd_group},
                    {"odd argument", odd_argument},
                    {"argument too many", argument_too_many},
                    {"half a number", half_a_number},
                    {"read behind", read_behind},
                    {"map behind", map_behind},
                    {"copy over itself", copy_over_itself},
                    {"part beyond", part_beyond},
                    {"part askew", part_askew}};
    const unsigned which = upto(p, sizeof mistakes / sizeof *mistakes);
    const struct stage s = {.q = p->queue[0].handle,
                            .k = p->kernel[PLACES],
                            .fresh = app_kernel(p->program, kernel_names[MAP]),
                            .o = &p->object[0],
                            .align = p->align};
    cl_int error;

    settle(p);
    CL_CHECK(clSetKernelArg(s.k, 0, sizeof(cl_mem), &s.o->mem));
    set_int(s.k, 1, 1);
    error = mistakes[which].make(&s);
    CL_CHECK(clReleaseKernel(s.fresh));
    CL_CHECK(clFinish(s.q));
    say(p, "mistake, %s: %d", mistakes[which].name, error);
}
