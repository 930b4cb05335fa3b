/* introspect - a program that looks at everything it can see.
 *
 * Reference counts, event and kernel information, callbacks, and the errors of bad launches: all of it goes
 * to stdout, so whoever stands between program and driver is found out by the smallest difference.
 *
 * >>> twice: tuned, refused argument-unknown|non-uniform-groups
 */
#include "common.h"

#include <stdatomic.h>

static const char *source = "__kernel void twice(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * 2;\n"
                            "}\n";

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *counter)
{
    (void)event;
    (void)status;
    atomic_fetch_add((atomic_int *)counter, 1);
}

static void show_event(struct app *app, cl_event event)
{
    cl_command_type type;
    cl_command_queue queue;
    cl_context context;
    cl_uint references;
    cl_int status;
    CL_CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CL_CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    CL_CHECK(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL));
    CL_CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CL_CHECK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    printf("event: type %x, own queue %d, own context %d, status %d, references %u\n", type,
           queue == app->queue, context == app->context, status, references);
}

static void show_objects(struct app *app, cl_program program, cl_kernel kernel, cl_mem memory)
{
    char text[4096];
    cl_uint args, kernel_refs, program_refs, memory_refs, queue_refs, context_refs;
    size_t group, source_size;
    CL_CHECK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL));
    CL_CHECK(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof kernel_refs, &kernel_refs, NULL));
    CL_CHECK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
    CL_CHECK(
        clGetKernelWorkGroupInfo(kernel, app->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL));
    CL_CHECK(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof program_refs, &program_refs, NULL));
    CL_CHECK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &source_size));
    CL_CHECK(clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof memory_refs, &memory_refs, NULL));
    CL_CHECK(
        clGetCommandQueueInfo(app->queue, CL_QUEUE_REFERENCE_COUNT, sizeof queue_refs, &queue_refs, NULL));
    CL_CHECK(
        clGetContextInfo(app->context, CL_CONTEXT_REFERENCE_COUNT, sizeof context_refs, &context_refs, NULL));
    printf("kernel %s: %u arguments, work-group limit %zu, source %zu bytes\n", text, args, group,
           source_size);
    printf("references: kernel %u, program %u, memory %u, queue %u, context %u\n", kernel_refs, program_refs,
           memory_refs, queue_refs, context_refs);
    CL_CHECK(clGetProgramBuildInfo(program, app->device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
    printf("build options: '%s'\n", text);
}

/* Every launch here is wrong; each must be refused with the driver's code, and nothing may run.  (Two
 * mistakes are left out because drivers crash on them: a local size of 0 in Oclgrind 21.10, one event
 * announced in a NULL wait list in PoCL 3.1.) */
static void show_errors(struct app *app, cl_program program, cl_kernel kernel)
{
    const size_t n = app->n, huge[3] = {(size_t)1 << 20, 1, 1}, indivisible[3] = {7, 1, 1};
    cl_kernel unset = app_kernel(program, "twice");
    cl_event event = NULL;
    printf("no dimensions: %d\n",
           clEnqueueNDRangeKernel(app->queue, kernel, 0, NULL, &n, NULL, 0, NULL, &event));
    printf("four dimensions: %d\n",
           clEnqueueNDRangeKernel(app->queue, kernel, 4, NULL, &n, NULL, 0, NULL, &event));
    printf("local size too large: %d\n",
           clEnqueueNDRangeKernel(app->queue, kernel, 1, NULL, huge, huge, 0, NULL, &event));
    printf("local size does not divide: %d\n",
           clEnqueueNDRangeKernel(app->queue, kernel, 1, NULL, &n, indivisible, 0, NULL, &event));
    printf("arguments not set: %d\n",
           clEnqueueNDRangeKernel(app->queue, unset, 1, NULL, &n, NULL, 0, NULL, &event));
    printf("event untouched by errors: %d\n", event == NULL);
    printf("no such argument: %d\n", clSetKernelArg(kernel, 9, sizeof(cl_mem), NULL));
    CL_CHECK(clReleaseKernel(unset));
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "introspect", argc, argv, (struct app_defaults){1 << 20, 20, 1024, 4});
    size_t n = app.n, bytes = n * sizeof(cl_int);
    cl_int *in = app_alloc(bytes), *out = app_alloc(bytes);
    for (size_t i = 0; i < n; i++)
        in[i] = (cl_int)i;

    cl_program program = app_build(&app, source, "-DUNUSED=1 -cl-mad-enable");
    cl_kernel kernel = app_kernel(program, "twice");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    show_errors(&app, program, kernel);

    struct app_times times = {0};
    const size_t *local = app_local(&app, (size_t[]){8, 1, 1});
    atomic_int callbacks = 0;
    for (unsigned i = 0; i < app.launches; i++) {
        cl_event event;
        double begin = app_now_ms();
        CL_CHECK(clEnqueueNDRangeKernel(app.queue, kernel, 1, NULL, &n, local, 0, NULL, &event));
        CL_CHECK(clSetEventCallback(event, CL_COMPLETE, count_call, &callbacks));
        CL_CHECK(clFinish(app.queue));
        app_times_add(&times, app_now_ms() - begin);
        for (int ms = 0; ms < 2000 && atomic_load(&callbacks) <= (int)i; ms++) /* may come a little later */
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        if (i == app.launches - 1) {
            nanosleep(&(struct timespec){0, 100000000},
                      NULL); /* drivers' own threads let go of their references */
            show_event(&app, event);
        }
        CL_CHECK(clReleaseEvent(event));
    }
    printf("callbacks: %d of %u\n", atomic_load(&callbacks), app.launches);
    show_objects(&app, program, kernel, dout);
    app_times_print(&app, &times, "twice", 1, local);

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, out[i], in[i] * 2);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
