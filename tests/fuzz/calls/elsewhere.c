/* elsewhere.c - other contexts with a queue each, on the same device, that come and go. */
#include "calls.h"

#define N (1u << 14)

static void arrive(struct player *p, struct elsewhere *e)
{
    struct app app = *p->app;
    cl_int error, *numbers = app_alloc(N * sizeof *numbers);
    char options[32];

    snprintf(options, sizeof options, "-DSALT=%u", upto(p, 4));
    app.context = e->context = clCreateContext(NULL, 1, &app.device, NULL, NULL, &error);
    CL_CHECK(error);
    e->queue =
        clCreateCommandQueue(e->context, app.device, one_in(p, 2) ? CL_QUEUE_PROFILING_ENABLE : 0, &error);
    CL_CHECK(error);
    e->program = app_build(&app, p->source, options);
    e->map = app_kernel(e->program, kernel_names[MAP]);
    for (unsigned i = 0; i < 2; i++) {
        fill_with_random(p, numbers, N * sizeof *numbers, INT);
        e->memory[i] = clCreateBuffer(e->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                      N * sizeof *numbers, numbers, &error);
        CL_CHECK(error);
    }
    free(numbers);
    say(p, "a context with %s", options);
}

/* To and fro. */
static cl_int launch_there(struct player *p, struct elsewhere *e)
{
    const size_t n = N, local = 64;
    const int turns = 1 + (int)upto(p, 500);
    cl_int error = CL_SUCCESS;

    for (unsigned i = 0; i < 20; i++) {
        CL_CHECK(clSetKernelArg(e->map, 0, sizeof(cl_mem), &e->memory[i % 2]));
        CL_CHECK(clSetKernelArg(e->map, 1, sizeof(cl_mem), &e->memory[(i + 1) % 2]));
        set_int(e->map, 2, N - 1);
        set_int(e->map, 3, turns);
        error |= clEnqueueNDRangeKernel(e->queue, e->map, 1, NULL, &n, &local, 0, NULL, NULL);
    }
    return error;
}

static void look_there(struct player *p, struct elsewhere *e)
{
    int *to = app_alloc(N * sizeof *to);

    CL_CHECK(clEnqueueReadBuffer(e->queue, e->memory[1], CL_TRUE, 0, N * sizeof *to, to, 0, NULL, NULL));
    say(p, "in the other context: %016llx", hash(to, N * sizeof *to));
    free(to);
}

static void leave(struct elsewhere *e)
{
    CL_CHECK(clReleaseMemObject(e->memory[0]));
    CL_CHECK(clReleaseMemObject(e->memory[1]));
    CL_CHECK(clReleaseKernel(e->map));
    CL_CHECK(clReleaseProgram(e->program));
    CL_CHECK(clReleaseContext(e->context));
    CL_CHECK(clReleaseCommandQueue(e->queue));
    *e = (struct elsewhere){0};
}

/* Launches may still be under way when all is released. */
void elsewhere(struct player *p)
{
    struct elsewhere *e = &p->elsewhere[upto(p, CONTEXTS)];

    if (!e->context)
        arrive(p, e);
    say(p, "launches in another context: %d", launch_there(p, e));
    if (!one_in(p, 3))
        look_there(p, e);
    if (one_in(p, 3))
        leave(e);
}

void leave_elsewhere(struct player *p)
{
    for (unsigned i = 0; i < CONTEXTS; i++)
        if (p->elsewhere[i].context) {
            look_there(p, &p->elsewhere[i]);
            leave(&p->elsewhere[i]);
        }
}
