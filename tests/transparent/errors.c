/* errors - a client that does everything wrong that the specification names, for every call that clsizer
 * intercepts, and prints what it is told: the code, errcode_ret, and which bytes of its output parameters
 * were written.
 *
 *   errors [--bold]     also what not every driver survives, handles of another kind above all
 *
 * It does so twice, the second time after launches enough for a decision, with good calls last. */
#define CL_ENABLE_BETA_EXTENSIONS /* command buffers, in headers since 2024 */
#include "client.h"
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <CL/cl_gl.h>
#pragma GCC diagnostic pop

#define ITEMS     65536
#define BYTES     (ITEMS * sizeof(cl_int))
#define UNTOUCHED 0x5a

/* Where calls write their results. */
static struct {
    cl_int error;
    size_t size;
    unsigned char value[64];
} out;
static bool bold;

static void clean(void)
{
    memset(&out, UNTOUCHED, sizeof out);
    errno = UNTOUCHED;
}

/* One letter per four bytes: any one of them may have been written with what was there before. */
static void touched(const char *name, const void *bytes, size_t n)
{
    static const unsigned char untouched[4] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
    const unsigned char *b = bytes;

    printf(" %s=", name);
    for (size_t i = 0; i < n; i += 4)
        putchar(memcmp(b + i, untouched, 4) == 0 ? '.' : 'x');
}

static void tell(const char *call, const char *what, cl_int code)
{
    const int number = errno;
    cl_int untouched;

    memset(&untouched, UNTOUCHED, sizeof untouched);
    printf("%s: %s: %d", call, what, code);
    if (number != UNTOUCHED && bold) /* what other drivers do to it may depend on time */
        printf(" errno=%d", number);
    if (out.error != untouched)
        printf(" errcode=%d", out.error);
    touched("size", &out.size, sizeof out.size);
    touched("value", out.value, sizeof out.value);
    putchar('\n');
    fflush(stdout);
    clean();
}

/* A call that returns a code; one that returns an object, with and without errcode_ret. */
#define CODE(call, what, ...) tell(#call, what, call(__VA_ARGS__))
#define MADE(call, what, ...)                                                                                \
    do {                                                                                                     \
        tell(#call, what, call(__VA_ARGS__, &out.error) != NULL);                                            \
        tell(#call, what " (no errcode_ret)", call(__VA_ARGS__, NULL) != NULL);                              \
    } while (0)

/* The questions that every clGet*Info is asked: unknown, too small, size alone, nothing at all, well. */
#define INFO(call, object, good, bytes)                                                                      \
    do {                                                                                                     \
        CODE(call, "unknown name", object, 0xdead, sizeof out.value, out.value, &out.size);                  \
        CODE(call, "too small", object, good, 1, out.value, &out.size);                                      \
        CODE(call, "no room", object, good, 0, out.value, &out.size);                                        \
        CODE(call, "size alone", object, good, 0, NULL, &out.size);                                          \
        CODE(call, "nothing", object, good, 0, NULL, NULL);                                                  \
        CODE(call, "well", object, good, bytes, out.value, &out.size);                                       \
    } while (0)

struct wrong {
    struct client c;
    cl_command_queue queue, timed;
    cl_kernel kernel, unset; /* of `twice`; the latter has no arguments */
    cl_kernel sum;
    cl_mem in, out, image;
    cl_program unbuilt;
    cl_event done;        /* complete */
    cl_context elsewhere; /* another context with objects of its own, the event complete */
    cl_command_queue queue_there;
    cl_mem memory_there;
    cl_event event_there;
};

static void queues(struct wrong *w)
{
    const cl_context context = w->c.context;
    const cl_device_id device = w->c.device;
    const cl_queue_properties unknown[] = {0xdead, 1, 0}, bits[] = {CL_QUEUE_PROPERTIES, 1ul << 40, 0};
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    const cl_queue_properties twice[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES,
                                         CL_QUEUE_PROFILING_ENABLE, 0};
    const cl_queue_properties sized[] = {CL_QUEUE_SIZE, 16, 0};
    static void *nothing[64]; /* drivers can look at it and see that it is no device */

    MADE(clCreateCommandQueue, "no context", NULL, device, 0);
    MADE(clCreateCommandQueue, "no device", context, NULL, 0);
    MADE(clCreateCommandQueue, "what is no device", context, (cl_device_id)nothing, 0);
    MADE(clCreateCommandQueue, "unknown bits", context, device, 1ul << 40);
    MADE(clCreateCommandQueueWithProperties, "no context", NULL, device, NULL);
    MADE(clCreateCommandQueueWithProperties, "no device", context, NULL, NULL);
    MADE(clCreateCommandQueueWithProperties, "unknown property", context, device, unknown);
    MADE(clCreateCommandQueueWithProperties, "unknown bits", context, device, bits);
    MADE(clCreateCommandQueueWithProperties, "the same twice", context, device, twice);
    MADE(clCreateCommandQueueWithProperties, "a size without the device", context, device, sized);
    if (bold)
        MADE(clCreateCommandQueueWithProperties, "on the device", context, device, on_device);
    CODE(clRetainCommandQueue, "none", NULL);
    CODE(clReleaseCommandQueue, "none", NULL);
    CODE(clGetCommandQueueInfo, "no queue", NULL, CL_QUEUE_CONTEXT, sizeof out.value, out.value, &out.size);
    INFO(clGetCommandQueueInfo, w->queue, CL_QUEUE_PROPERTIES, sizeof out.value);
    INFO(clGetCommandQueueInfo, w->queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof out.value);
    INFO(clGetCommandQueueInfo, w->timed, CL_QUEUE_PROPERTIES_ARRAY, sizeof out.value);
    INFO(clGetCommandQueueInfo, w->queue, CL_QUEUE_REFERENCE_COUNT, sizeof(cl_uint));
    CODE(clGetCommandQueueInfo, "of queues on the device", w->queue, CL_QUEUE_SIZE, 4, out.value, &out.size);
    CODE(clGetCommandQueueInfo, "of queues on the device", w->queue, CL_QUEUE_DEVICE_DEFAULT, 8, out.value,
         &out.size);
    CODE(clGetContextInfo, "no context", NULL, CL_CONTEXT_DEVICES, sizeof out.value, out.value, &out.size);
    INFO(clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT, sizeof(cl_uint));
    CODE(clSetCommandQueueProperty, "no queue", NULL, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, NULL);
    CODE(clRetainMemObject, "none", NULL);
    CODE(clReleaseMemObject, "none", NULL);
    CODE(clRetainSampler, "none", NULL);
    CODE(clReleaseSampler, "none", NULL);
    CODE(clReleaseDevice, "none", NULL);
    tell("clGetExtensionFunctionAddress", "unknown name",
         clGetExtensionFunctionAddress("clNoSuchCall") != NULL);
    tell("clGetExtensionFunctionAddressForPlatform", "unknown name",
         clGetExtensionFunctionAddressForPlatform(w->c.platform, "clNoSuchCall") != NULL);
    tell("clGetExtensionFunctionAddressForPlatform", "no platform",
         clGetExtensionFunctionAddressForPlatform(NULL, "clNoSuchCall") != NULL);
    if (bold) {
        cl_command_queue other = clCreateCommandQueue(context, device, 0, NULL);
        CODE(clSetCommandQueueProperty, "unknown bits", other, 1ul << 40, CL_TRUE, NULL);
        clReleaseCommandQueue(other);
        MADE(clCreateCommandQueue, "a queue as context", (cl_context)w->queue, device, 0);
        MADE(clCreateCommandQueue, "a queue as device", context, (cl_device_id)w->queue, 0);
        MADE(clCreateCommandQueueWithProperties, "a queue as context", (cl_context)w->queue, device, NULL);
        MADE(clCreateCommandQueueWithProperties, "a queue as device", context, (cl_device_id)w->queue, NULL);
        CODE(clRetainCommandQueue, "a context", (cl_command_queue)context);
        CODE(clReleaseCommandQueue, "a context", (cl_command_queue)context);
        CODE(clRetainMemObject, "a context", (cl_mem)context);
        CODE(clReleaseMemObject, "a context", (cl_mem)context);
        CODE(clRetainSampler, "a context", (cl_sampler)context);
        CODE(clReleaseSampler, "a context", (cl_sampler)context);
        CODE(clGetCommandQueueInfo, "a context", (cl_command_queue)context, CL_QUEUE_PROPERTIES, 8, out.value,
             NULL);
        CODE(clGetContextInfo, "a queue", (cl_context)w->queue, CL_CONTEXT_REFERENCE_COUNT, 4, out.value,
             NULL);
    }
}

static void builds(struct wrong *w)
{
    const cl_context context = w->c.context;
    const cl_device_id device = w->c.device, no_device = NULL;
    const cl_program program = w->c.program;
    const char *no_name = NULL, *name = "h.h";

    CODE(clBuildProgram, "no program", NULL, 0, NULL, NULL, NULL, NULL);
    CODE(clBuildProgram, "count without devices", w->unbuilt, 1, NULL, NULL, NULL, NULL);
    CODE(clBuildProgram, "devices without count", w->unbuilt, 0, &device, NULL, NULL, NULL);
    if (bold)
        CODE(clBuildProgram, "no device", w->unbuilt, 1, &no_device, NULL, NULL, NULL);
    CODE(clBuildProgram, "data without callback", w->unbuilt, 0, NULL, NULL, NULL, w);
    CODE(clBuildProgram, "unknown option", w->unbuilt, 0, NULL, "-no-such-option", NULL, NULL);
    CODE(clBuildProgram, "does not compile", w->unbuilt, 0, NULL, "-DBROKEN", NULL, NULL);
    CODE(clBuildProgram, "kernels attached", program, 0, NULL, "-no-such-option", NULL, NULL);
    CODE(clCompileProgram, "no program", NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
    CODE(clCompileProgram, "devices without count", w->unbuilt, 0, &device, NULL, 0, NULL, NULL, NULL, NULL);
    if (bold) {
        CODE(clCompileProgram, "headers without names", w->unbuilt, 0, NULL, NULL, 1, &program, NULL, NULL,
             NULL);
        CODE(clCompileProgram, "a header without a name", w->unbuilt, 0, NULL, NULL, 1, &program, &no_name,
             NULL, NULL);
    }
    CODE(clCompileProgram, "data without callback", w->unbuilt, 0, NULL, NULL, 0, NULL, NULL, NULL, w);
    if (bold)
        CODE(clCompileProgram, "nothing wrong", w->unbuilt, 0, NULL, NULL, 1, &program, &name, NULL, NULL);
    MADE(clLinkProgram, "no context", NULL, 0, NULL, NULL, 1, &program, NULL, NULL);
    MADE(clLinkProgram, "no inputs", context, 0, NULL, NULL, 0, NULL, NULL, NULL);
    MADE(clLinkProgram, "count without inputs", context, 0, NULL, NULL, 1, NULL, NULL, NULL);
}

/* Nothing wrong with it, but files are looked at. */
static void from_own_binary(struct wrong *w)
{
    const cl_device_id device = w->c.device;
    const unsigned char *binary;
    unsigned char *got;
    cl_program made;
    cl_int error, code;
    size_t length;

    CHECK(clGetProgramInfo(w->c.program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL));
    binary = got = malloc(length);
    clean();
    code = clGetProgramInfo(w->c.program, CL_PROGRAM_BINARIES, sizeof got, &got, NULL);
    tell("clGetProgramInfo", "binaries", code);
    for (int own = 0; own < 2; own++) { /* what is compiled twice, and something else */
        got[0] ^= !own;
        clean();
        made = clCreateProgramWithBinary(w->c.context, 1, &device, &length, &binary, NULL, &error);
        tell("clCreateProgramWithBinary", own ? "of a program" : "changed", made ? error : -1);
        got[0] ^= !own;
        if (made)
            clReleaseProgram(made);
    }
    free(got);
    clean();
}

static void programs(struct wrong *w)
{
    const char *source = client_source, *none = NULL;
    const unsigned char *binary = (const unsigned char *)"nonsense", *no_binary = NULL;
    const size_t length = 8, empty = 0;
    const cl_context context = w->c.context;
    const cl_device_id device = w->c.device;
    const cl_program program = w->c.program;

    MADE(clCreateProgramWithSource, "no context", NULL, 1, &source, NULL);
    if (bold)
        MADE(clCreateProgramWithSource, "no strings", context, 1, NULL, NULL);
    MADE(clCreateProgramWithSource, "count 0", context, 0, &source, NULL);
    MADE(clCreateProgramWithSource, "NULL string", context, 1, &none, NULL);
    MADE(clCreateProgramWithBinary, "no context", NULL, 1, &device, &length, &binary, (cl_int *)out.value);
    MADE(clCreateProgramWithBinary, "no devices", context, 0, NULL, &length, &binary, (cl_int *)out.value);
    MADE(clCreateProgramWithBinary, "no lengths", context, 1, &device, NULL, &binary, (cl_int *)out.value);
    MADE(clCreateProgramWithBinary, "length 0", context, 1, &device, &empty, &binary, (cl_int *)out.value);
    MADE(clCreateProgramWithBinary, "no binary", context, 1, &device, &length, &no_binary,
         (cl_int *)out.value);
    MADE(clCreateProgramWithBinary, "nonsense", context, 1, &device, &length, &binary, (cl_int *)out.value);
    from_own_binary(w);
    CODE(clRetainProgram, "none", NULL);
    CODE(clReleaseProgram, "none", NULL);
    CODE(clReleaseDevice, "none", NULL);
    printf("clGetExtensionFunctionAddress: unknown name: %d\n",
           clGetExtensionFunctionAddress("clFrobnicateKHR") != NULL);
    printf("clGetExtensionFunctionAddressForPlatform: unknown name: %d\n",
           clGetExtensionFunctionAddressForPlatform(NULL, "clFrobnicateKHR") != NULL);
    CODE(clGetProgramInfo, "no program", NULL, CL_PROGRAM_SOURCE, sizeof out.value, out.value, &out.size);
    INFO(clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT, sizeof(cl_uint));
    CODE(clGetProgramInfo, "too small", program, CL_PROGRAM_BINARIES, 1, out.value, &out.size);
    CODE(clGetProgramInfo, "size alone", program, CL_PROGRAM_BINARIES, 0, NULL, &out.size);
    MADE(clCreateProgramWithBuiltInKernels, "no context", NULL, 1, &device, "none");
    MADE(clCreateProgramWithBuiltInKernels, "no devices", context, 0, NULL, "none");
    MADE(clCreateProgramWithBuiltInKernels, "no names", context, 1, &device, NULL);
    MADE(clCreateProgramWithBuiltInKernels, "unknown name", context, 1, &device, "none");
    MADE(clCreateProgramWithIL, "no context", NULL, &length, sizeof length);
    MADE(clCreateProgramWithIL, "nothing", context, NULL, 0);
    MADE(clCreateProgramWithIL, "nonsense", context, &length, sizeof length);
    CODE(clSetProgramSpecializationConstant, "no program", NULL, 0, sizeof length, &length);
    CODE(clSetProgramSpecializationConstant, "from source", w->unbuilt, 0, sizeof length, &length);
    if (bold) {
        CODE(clRetainProgram, "a context", (cl_program)context);
        CODE(clReleaseProgram, "a context", (cl_program)context);
        CODE(clBuildProgram, "a context", (cl_program)context, 0, NULL, NULL, NULL, NULL);
    }
}

static void allocate(struct wrong *w, const char *what, cl_context context, cl_svm_mem_flags flags,
                     size_t size, cl_uint alignment)
{
    void *memory = clSVMAlloc(context, flags, size, alignment);

    tell("clSVMAlloc", what, memory != NULL);
    if (memory)
        clSVMFree(w->c.context, memory);
}

static void shared_memory(struct wrong *w)
{
    const cl_context context = w->c.context;

    allocate(w, "no context", NULL, CL_MEM_READ_WRITE, 64, 0);
    allocate(w, "no bytes", context, CL_MEM_READ_WRITE, 0, 0);
    allocate(w, "too many bytes", context, CL_MEM_READ_WRITE, SIZE_MAX, 0);
    allocate(w, "flags", context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0);
    allocate(w, "atomics of coarse grain", context, CL_MEM_SVM_ATOMICS, 64, 0);
    allocate(w, "alignment", context, CL_MEM_READ_WRITE, 64, 3);
    clSVMFree(context, NULL);
    tell("clSVMFree", "no memory", CL_SUCCESS);
}

static void kernels(struct wrong *w)
{
    const cl_program program = w->c.program;
    const cl_kernel k = w->kernel;
    const int number = 1;

    MADE(clCreateKernel, "no program", NULL, "twice");
    MADE(clCreateKernel, "no name", program, NULL);
    MADE(clCreateKernel, "unknown name", program, "no_such_kernel");
    MADE(clCreateKernel, "empty name", program, "");
    MADE(clCreateKernel, "not built", w->unbuilt, "twice");
    CODE(clCreateKernelsInProgram, "no program", NULL, 1, (cl_kernel *)out.value, (cl_uint *)&out.size);
    CODE(clCreateKernelsInProgram, "not built", w->unbuilt, 8, (cl_kernel *)out.value, (cl_uint *)&out.size);
    CODE(clCreateKernelsInProgram, "too small", program, 1, (cl_kernel *)out.value, (cl_uint *)&out.size);
    CODE(clCreateKernelsInProgram, "number alone", program, 0, NULL, (cl_uint *)&out.size);
    CODE(clCreateKernelsInProgram, "nothing", program, 0, NULL, NULL);
    CODE(clRetainKernel, "none", NULL);
    CODE(clReleaseKernel, "none", NULL);
    MADE(clCloneKernel, "none", NULL);
    CODE(clGetKernelInfo, "no kernel", NULL, CL_KERNEL_NUM_ARGS, sizeof out.value, out.value, &out.size);
    INFO(clGetKernelInfo, k, CL_KERNEL_REFERENCE_COUNT, sizeof(cl_uint));
    CODE(clSetKernelArg, "no kernel", NULL, 0, sizeof w->in, &w->in);
    CODE(clSetKernelArg, "index", k, 2, sizeof w->in, &w->in);
    CODE(clSetKernelArg, "index far out", k, UINT32_MAX, sizeof w->in, &w->in);
    CODE(clSetKernelArg, "size", k, 0, 3, &w->in);
    CODE(clSetKernelArg, "size 0", k, 0, 0, &w->in);
    CODE(clSetKernelArg, "size of a number", k, 0, sizeof number, &number);
    CODE(clSetKernelArg, "memory of another context", w->unset, 0, sizeof w->memory_there, &w->memory_there);
    CODE(clSetKernelArg, "number without value", w->sum, 3, sizeof number, NULL);
    CODE(clSetKernelArg, "number too large", w->sum, 3, sizeof w->in, &w->in);
    CODE(clSetKernelArg, "local of size 0", w->sum, 2, 0, NULL);
    CODE(clSetKernelArg, "local with a value", w->sum, 2, sizeof number, &number);
    CODE(clSetKernelArgSVMPointer, "no kernel", NULL, 0, NULL);
    CODE(clSetKernelArgSVMPointer, "index", k, 7, NULL);
    CODE(clSetKernelExecInfo, "no kernel", NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, &number);
    CODE(clSetKernelExecInfo, "unknown name", w->unset, 0xdead, sizeof number, &number);
    CODE(clSetKernelExecInfo, "no value", w->unset, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL);
    if (bold) {
        const cl_context context = w->c.context;
        CODE(clSetKernelArg, "a queue", k, 0, sizeof w->queue, &w->queue);
        CODE(clRetainKernel, "a context", (cl_kernel)context);
        CODE(clReleaseKernel, "a context", (cl_kernel)context);
        CODE(clSetKernelArg, "a context", (cl_kernel)context, 0, sizeof w->in, &w->in);
        MADE(clCloneKernel, "a context", (cl_kernel)context);
    }
}

#define LAUNCH(what, ...)                                                                                    \
    do {                                                                                                     \
        cl_event event_;                                                                                     \
        memset(&event_, UNTOUCHED, sizeof event_);                                                           \
        const cl_int code_ = clEnqueueNDRangeKernel(__VA_ARGS__, &event_);                                   \
        memcpy(out.value, &event_, sizeof event_);                                                           \
        tell("clEnqueueNDRangeKernel", what, code_);                                                         \
        if (!code_)                                                                                          \
            CHECK(clReleaseEvent(event_));                                                                   \
    } while (0)

static void launches(struct wrong *w)
{
    const size_t global[3] = {ITEMS, 1, 1}, local[3] = {64, 1, 1}, zero[3] = {0, 1, 1}, odd[3] = {63, 1, 1};
    const size_t large[3] = {ITEMS, 1, 1}, huge[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX},
                 far[3] = {SIZE_MAX - 7, 0, 0};
    const cl_command_queue q = w->queue;
    const cl_kernel k = w->kernel;
    const cl_event none = NULL;

    LAUNCH("no queue", NULL, k, 1, NULL, global, local, 0, NULL);
    if (bold)
        LAUNCH("no kernel", q, NULL, 1, NULL, global, local, 0, NULL);
    LAUNCH("arguments not set", q, w->unset, 1, NULL, global, local, 0, NULL);
    LAUNCH("no dimension", q, k, 0, NULL, global, local, 0, NULL);
    LAUNCH("four dimensions", q, k, 4, NULL, global, local, 0, NULL);
    LAUNCH("no global size", q, k, 1, NULL, NULL, local, 0, NULL);
    LAUNCH("global size 0", q, k, 1, NULL, zero, local, 0, NULL);
    if (bold)
        LAUNCH("local size 0", q, k, 1, NULL, global, zero, 0, NULL);
    LAUNCH("local size does not divide", q, k, 1, NULL, global, odd, 0, NULL);
    LAUNCH("local size too large", q, k, 1, NULL, global, large, 0, NULL);
    if (bold) /* PoCL runs them */
        LAUNCH("global size overflows", q, k, 3, NULL, huge, NULL, 0, NULL);
    if (bold)
        LAUNCH("offset overflows", q, k, 1, far, global, local, 0, NULL);
    if (bold)
        LAUNCH("count without list", q, k, 1, NULL, global, local, 1, NULL);
    LAUNCH("list without count", q, k, 1, NULL, global, local, 0, &w->done);
    LAUNCH("no event in list", q, k, 1, NULL, global, local, 1, &none);
    if (bold) {
        LAUNCH("a kernel as queue", (cl_command_queue)k, k, 1, NULL, global, local, 0, NULL);
        LAUNCH("a queue as kernel", q, (cl_kernel)q, 1, NULL, global, local, 0, NULL);
        LAUNCH("a queue in list", q, k, 1, NULL, global, local, 1, (cl_event *)&q);
    }
}

/* What belongs to another context, and wait lists that are none. */
static void strangers(struct wrong *w)
{
    const size_t global = ITEMS, local = 64;
    const cl_command_queue q = w->queue, there = w->queue_there;
    const cl_kernel k = w->kernel;
    const cl_event both[2] = {w->done, w->event_there};

    LAUNCH("a queue of another context", there, k, 1, NULL, &global, &local, 0, NULL);
    LAUNCH("an event of another context", q, k, 1, NULL, &global, &local, 1, &w->event_there);
    LAUNCH("events of two contexts", q, k, 1, NULL, &global, &local, 2, both);
    CODE(clEnqueueMarkerWithWaitList, "an event of another context", q, 1, &w->event_there, NULL);
    CODE(clEnqueueMarkerWithWaitList, "count without list", q, 1, NULL, NULL);
    CODE(clEnqueueMarkerWithWaitList, "list without count", q, 0, &w->done, NULL);
    CODE(clEnqueueBarrierWithWaitList, "an event of another context", q, 1, &w->event_there, NULL);
    CODE(clEnqueueBarrierWithWaitList, "count without list", q, 1, NULL, NULL);
    CODE(clEnqueueBarrierWithWaitList, "list without count", q, 0, &w->done, NULL);
    CODE(clEnqueueWriteBuffer, "memory of another context", q, w->memory_there, CL_TRUE, 0, 4, &global, 0,
         NULL, NULL);
    CODE(clEnqueueReadBuffer, "an event of another context", q, w->in, CL_TRUE, 0, 4, out.value, 1,
         &w->event_there, NULL);
    CODE(clWaitForEvents, "of two contexts", 2, both);
    if (bold)
        CODE(clFinish, "a context", (cl_command_queue)w->c.context);
    CHECK(clFinish(q));
}

static void CL_CALLBACK native(void *unused)
{
    (void)unused;
}

static void CL_CALLBACK unheard(cl_event event, cl_int status, void *unused)
{
    (void)event, (void)status, (void)unused;
}

/* Every other command: for no queue, and for no memory. */
static void commands(cl_command_queue q, const char *what)
{
    const size_t o[3] = {0}, r[3] = {1, 1, 1};
    const cl_mem m = NULL;
    unsigned char *b = out.value;
    void *pointer = NULL;

    CODE(clEnqueueReadBuffer, what, q, m, CL_TRUE, 0, 4, b, 0, NULL, NULL);
    CODE(clEnqueueWriteBuffer, what, q, m, CL_TRUE, 0, 4, b, 0, NULL, NULL);
    CODE(clEnqueueReadBufferRect, what, q, m, CL_TRUE, o, o, r, 0, 0, 0, 0, b, 0, NULL, NULL);
    CODE(clEnqueueWriteBufferRect, what, q, m, CL_TRUE, o, o, r, 0, 0, 0, 0, b, 0, NULL, NULL);
    CODE(clEnqueueFillBuffer, what, q, m, b, 4, 0, 4, 0, NULL, NULL);
    CODE(clEnqueueCopyBuffer, what, q, m, m, 0, 0, 4, 0, NULL, NULL);
    CODE(clEnqueueCopyBufferRect, what, q, m, m, o, o, r, 0, 0, 0, 0, 0, NULL, NULL);
    CODE(clEnqueueReadImage, what, q, m, CL_TRUE, o, r, 0, 0, b, 0, NULL, NULL);
    CODE(clEnqueueWriteImage, what, q, m, CL_TRUE, o, r, 0, 0, b, 0, NULL, NULL);
    CODE(clEnqueueFillImage, what, q, m, b, o, r, 0, NULL, NULL);
    CODE(clEnqueueCopyImage, what, q, m, m, o, o, r, 0, NULL, NULL);
    CODE(clEnqueueCopyImageToBuffer, what, q, m, m, o, r, 0, 0, NULL, NULL);
    CODE(clEnqueueCopyBufferToImage, what, q, m, m, 0, o, r, 0, NULL, NULL);
    tell("clEnqueueMapBuffer", what,
         clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &out.error) != NULL);
    tell("clEnqueueMapImage", what,
         clEnqueueMapImage(q, m, CL_TRUE, CL_MAP_READ, o, r, &out.size, NULL, 0, NULL, NULL, &out.error) !=
             NULL);
    CODE(clEnqueueUnmapMemObject, what, q, m, NULL, 0, NULL, NULL);
    CODE(clEnqueueMigrateMemObjects, what, q, 0, NULL, 0, 0, NULL, NULL);
    CODE(clEnqueueNativeKernel, what, q, native, NULL, 4, 0, NULL, NULL, 0, NULL, NULL);
    CODE(clEnqueueWaitForEvents, what, q, 0, NULL);
    CODE(clEnqueueSVMMemcpy, what, q, CL_TRUE, NULL, NULL, 4, 0, NULL, NULL);
    CODE(clEnqueueSVMMemFill, what, q, NULL, b, 4, 4, 0, NULL, NULL);
    CODE(clEnqueueSVMMap, what, q, CL_TRUE, CL_MAP_READ, NULL, 4, 0, NULL, NULL);
    CODE(clEnqueueSVMUnmap, what, q, NULL, 0, NULL, NULL);
    CODE(clEnqueueSVMFree, what, q, 0, &pointer, NULL, NULL, 0, NULL, NULL);
    CODE(clEnqueueSVMMigrateMem, what, q, 0, NULL, NULL, 0, 0, NULL, NULL);
    if (q)
        return;
    CODE(clEnqueueTask, what, q, NULL, 0, NULL, NULL);
    CODE(clEnqueueMarker, what, q, NULL);
    CODE(clEnqueueBarrier, what, q);
    CODE(clEnqueueMarkerWithWaitList, what, q, 0, NULL, NULL);
    CODE(clEnqueueBarrierWithWaitList, what, q, 0, NULL, NULL);
    CODE(clEnqueueAcquireGLObjects, what, q, 0, NULL, 0, NULL, NULL);
    CODE(clEnqueueReleaseGLObjects, what, q, 0, NULL, 0, NULL, NULL);
}

/* The wait lists that no command takes. */
#define WAITS(call, ...)                                                                                     \
    do {                                                                                                     \
        const cl_event none_ = NULL;                                                                         \
        CODE(call, "count without list", __VA_ARGS__, 1, NULL, NULL);                                        \
        CODE(call, "list without count", __VA_ARGS__, 0, &w->done, NULL);                                    \
        CODE(call, "no event in list", __VA_ARGS__, 1, &none_, NULL);                                        \
        CODE(call, "an event of another context", __VA_ARGS__, 1, &w->event_there, NULL);                    \
    } while (0)
#define NONE 0, NULL, NULL

/* Calls of one kind, whose parameters are alike. */
#define BUFFER(call)                                                                                         \
    do {                                                                                                     \
        WAITS(call, q, m, CL_TRUE, 0, 4, b);                                                                 \
        CODE(call, "memory of another context", q, w->memory_there, CL_TRUE, 0, 4, b, NONE);                 \
        CODE(call, "an image", q, image, CL_TRUE, 0, 4, b, NONE);                                            \
        CODE(call, "behind the end", q, m, CL_TRUE, BYTES, 4, b, NONE);                                      \
        CODE(call, "beyond the end", q, m, CL_TRUE, 0, BYTES + 4, b, NONE);                                  \
        CODE(call, "nothing", q, m, CL_TRUE, 0, 0, b, NONE);                                                 \
        CODE(call, "nowhere", q, m, CL_TRUE, 0, 4, NULL, NONE);                                              \
    } while (0)
#define BUFFER_RECT(call)                                                                                    \
    do {                                                                                                     \
        WAITS(call, q, m, CL_TRUE, o, o, r, 0, 0, 0, 0, b);                                                  \
        CODE(call, "memory of another context", q, w->memory_there, CL_TRUE, o, o, r, 0, 0, 0, 0, b, NONE);  \
        CODE(call, "an image", q, image, CL_TRUE, o, o, r, 0, 0, 0, 0, b, NONE);                             \
        CODE(call, "behind the end", q, m, CL_TRUE, far, o, r, 0, 0, 0, 0, b, NONE);                         \
        CODE(call, "nothing", q, m, CL_TRUE, o, o, empty, 0, 0, 0, 0, b, NONE);                              \
        CODE(call, "rows that overlap", q, m, CL_TRUE, o, o, r, 2, 0, 0, 0, b, NONE);                        \
        CODE(call, "nowhere", q, m, CL_TRUE, o, o, r, 0, 0, 0, 0, NULL, NONE);                               \
    } while (0)
#define IMAGE(call)                                                                                          \
    do {                                                                                                     \
        WAITS(call, q, image, CL_TRUE, o, r, 0, 0, b);                                                       \
        CODE(call, "a buffer", q, m, CL_TRUE, o, r, 0, 0, b, NONE);                                          \
        CODE(call, "behind the end", q, image, CL_TRUE, far, r, 0, 0, b, NONE);                              \
        CODE(call, "nothing", q, image, CL_TRUE, o, empty, 0, 0, b, NONE);                                   \
        CODE(call, "rows that overlap", q, image, CL_TRUE, o, r, 1, 0, b, NONE);                             \
        CODE(call, "nowhere", q, image, CL_TRUE, o, r, 0, 0, NULL, NONE);                                    \
    } while (0)

/* Transfers between memory and the host. */
static void transfers(struct wrong *w)
{
    const size_t o[3] = {0}, r[3] = {4, 1, 1}, empty[3] = {0, 1, 1}, far[3] = {BYTES, 0, 0};
    const cl_command_queue q = w->queue;
    const cl_mem m = w->in, image = w->image;
    unsigned char *b = out.value;

    BUFFER(clEnqueueReadBuffer);
    BUFFER(clEnqueueWriteBuffer);
    BUFFER_RECT(clEnqueueReadBufferRect);
    BUFFER_RECT(clEnqueueWriteBufferRect);
    IMAGE(clEnqueueReadImage);
    IMAGE(clEnqueueWriteImage);
    CHECK(clFinish(q));
}

/* Copies and fills. */
static void copies(struct wrong *w)
{
    const size_t o[3] = {0}, r[3] = {4, 1, 1}, empty[3] = {0, 1, 1}, far[3] = {BYTES, 0, 0};
    const cl_command_queue q = w->queue;
    const cl_mem m = w->in, to = w->out, there = w->memory_there, image = w->image;
    const unsigned char b[256] = {1};

    WAITS(clEnqueueCopyBuffer, q, m, to, 0, 0, 4);
    CODE(clEnqueueCopyBuffer, "from another context", q, there, to, 0, 0, 4, NONE);
    CODE(clEnqueueCopyBuffer, "to another context", q, m, there, 0, 0, 4, NONE);
    CODE(clEnqueueCopyBuffer, "onto itself", q, m, m, 0, 2, 4, NONE);
    CODE(clEnqueueCopyBuffer, "from behind the end", q, m, to, BYTES, 0, 4, NONE);
    CODE(clEnqueueCopyBuffer, "to behind the end", q, m, to, 0, BYTES, 4, NONE);
    CODE(clEnqueueCopyBuffer, "nothing", q, m, to, 0, 0, 0, NONE);
    WAITS(clEnqueueCopyBufferRect, q, m, to, o, o, r, 0, 0, 0, 0);
    CODE(clEnqueueCopyBufferRect, "from another context", q, there, to, o, o, r, 0, 0, 0, 0, NONE);
    CODE(clEnqueueCopyBufferRect, "onto itself", q, m, m, o, o, r, 0, 0, 0, 0, NONE);
    CODE(clEnqueueCopyBufferRect, "from behind the end", q, m, to, far, o, r, 0, 0, 0, 0, NONE);
    CODE(clEnqueueCopyBufferRect, "nothing", q, m, to, o, o, empty, 0, 0, 0, 0, NONE);
    WAITS(clEnqueueCopyImage, q, image, image, o, (size_t[]){8, 8, 0}, r);
    CODE(clEnqueueCopyImage, "onto itself", q, image, image, o, o, r, NONE);
    CODE(clEnqueueCopyImage, "a buffer", q, m, image, o, o, r, NONE);
    CODE(clEnqueueCopyImage, "from behind the end", q, image, image, far, o, r, NONE);
    CODE(clEnqueueCopyImage, "nothing", q, image, image, o, o, empty, NONE);
    WAITS(clEnqueueCopyImageToBuffer, q, image, m, o, r, 0);
    CODE(clEnqueueCopyImageToBuffer, "a buffer", q, m, to, o, r, 0, NONE);
    CODE(clEnqueueCopyImageToBuffer, "to behind the end", q, image, m, o, r, BYTES, NONE);
    WAITS(clEnqueueCopyBufferToImage, q, m, image, 0, o, r);
    CODE(clEnqueueCopyBufferToImage, "an image", q, image, image, 0, o, r, NONE);
    CODE(clEnqueueCopyBufferToImage, "from behind the end", q, m, image, BYTES, o, r, NONE);
    WAITS(clEnqueueFillBuffer, q, m, b, 4, 0, 16);
    CODE(clEnqueueFillBuffer, "no pattern", q, m, NULL, 4, 0, 16, NONE);
    CODE(clEnqueueFillBuffer, "a pattern of 0 bytes", q, m, b, 0, 0, 16, NONE);
    CODE(clEnqueueFillBuffer, "a pattern of 3 bytes", q, m, b, 3, 0, 18, NONE);
    CODE(clEnqueueFillBuffer, "a pattern of 256 bytes", q, m, b, 256, 0, 256, NONE);
    CODE(clEnqueueFillBuffer, "an odd offset", q, m, b, 4, 2, 16, NONE);
    CODE(clEnqueueFillBuffer, "an odd size", q, m, b, 4, 0, 6, NONE);
    CODE(clEnqueueFillBuffer, "behind the end", q, m, b, 4, BYTES, 4, NONE);
    WAITS(clEnqueueFillImage, q, image, b, o, r);
    CODE(clEnqueueFillImage, "no colour", q, image, NULL, o, r, NONE);
    CODE(clEnqueueFillImage, "a buffer", q, m, b, o, r, NONE);
    CODE(clEnqueueFillImage, "behind the end", q, image, b, far, r, NONE);
    CODE(clEnqueueFillImage, "nothing", q, image, b, o, empty, NONE);
    CHECK(clFinish(q));
}

/* Maps a buffer, or an image if `region` is given, in vain; what was mapped after all is given back. */
static void map(struct wrong *w, const char *what, cl_mem m, cl_map_flags flags, size_t offset, size_t size,
                const size_t *region, size_t *row, cl_uint n)
{
    const size_t origin[3] = {offset, 0, 0};
    void *p = region
                  ? clEnqueueMapImage(w->queue, m, CL_TRUE, flags, origin, region, row, NULL, n, NULL, NULL,
                                      &out.error)
                  : clEnqueueMapBuffer(w->queue, m, CL_TRUE, flags, offset, size, n, NULL, NULL, &out.error);

    tell(region ? "clEnqueueMapImage" : "clEnqueueMapBuffer", what, p != NULL);
    if (p)
        CHECK(clEnqueueUnmapMemObject(w->queue, m, p, 0, NULL, NULL));
}

/* Commands that neither transfer nor copy. */
static void others(struct wrong *w)
{
    const size_t r[3] = {4, 1, 1}, empty[3] = {0, 1, 1};
    const cl_command_queue q = w->queue;
    const cl_mem m = w->in, none = NULL;
    const cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION;
    const cl_event no_event = NULL;
    unsigned char *b = out.value;
    size_t row;

    map(w, "count without list", m, CL_MAP_READ, 0, 4, NULL, NULL, 1);
    map(w, "memory of another context", w->memory_there, CL_MAP_READ, 0, 4, NULL, NULL, 0);
    map(w, "unknown flags", m, 1ul << 40, 0, 4, NULL, NULL, 0);
    map(w, "contradicting flags", m, both, 0, 4, NULL, NULL, 0);
    map(w, "behind the end", m, CL_MAP_READ, BYTES, 4, NULL, NULL, 0);
    map(w, "nothing", m, CL_MAP_READ, 0, 0, NULL, NULL, 0);
    map(w, "count without list", w->image, CL_MAP_READ, 0, 0, r, &row, 1);
    map(w, "a buffer", m, CL_MAP_READ, 0, 0, r, &row, 0);
    map(w, "behind the end", w->image, CL_MAP_READ, BYTES, 0, r, &row, 0);
    map(w, "nothing", w->image, CL_MAP_READ, 0, 0, empty, &row, 0);
    map(w, "no row pitch", w->image, CL_MAP_READ, 0, 0, r, NULL, 0);
    WAITS(clEnqueueUnmapMemObject, q, m, b);
    CODE(clEnqueueUnmapMemObject, "never mapped", q, m, b, NONE);
    CODE(clEnqueueUnmapMemObject, "nowhere", q, m, NULL, NONE);
    WAITS(clEnqueueMigrateMemObjects, q, 1, &m, 0);
    CODE(clEnqueueMigrateMemObjects, "list without count", q, 0, &m, 0, NONE);
    CODE(clEnqueueMigrateMemObjects, "count without list", q, 1, NULL, 0, NONE);
    CODE(clEnqueueMigrateMemObjects, "no object", q, 1, &none, 0, NONE);
    CODE(clEnqueueMigrateMemObjects, "unknown flags", q, 1, &m, 1ul << 40, NONE);
    CODE(clEnqueueMigrateMemObjects, "memory of another context", q, 1, &w->memory_there, 0, NONE);
    WAITS(clEnqueueNativeKernel, q, native, NULL, 0, 0, NULL, NULL);
    CODE(clEnqueueNativeKernel, "no function", q, NULL, NULL, 0, 0, NULL, NULL, NONE);
    CODE(clEnqueueNativeKernel, "size without arguments", q, native, NULL, 4, 0, NULL, NULL, NONE);
    CODE(clEnqueueNativeKernel, "arguments without size", q, native, b, 0, 0, NULL, NULL, NONE);
    CODE(clEnqueueNativeKernel, "count without list", q, native, b, 8, 1, NULL, NULL, NONE);
    if (bold) {
        WAITS(clEnqueueTask, q, w->kernel);
        CODE(clEnqueueTask, "no kernel", q, NULL, NONE);
    }
    CODE(clEnqueueTask, "arguments not set", q, w->unset, NONE);
    CODE(clEnqueueMarker, "no event", q, NULL);
    CODE(clEnqueueWaitForEvents, "list without count", q, 0, &w->done);
    CODE(clEnqueueWaitForEvents, "count without list", q, 1, NULL);
    CODE(clEnqueueWaitForEvents, "no event in list", q, 1, &no_event);
    CODE(clEnqueueWaitForEvents, "an event of another context", q, 1, &w->event_there);
    CHECK(clFinish(q));
}

/* Functions of extensions, which the driver may not have. */
static void *address_of(const struct wrong *w, const char *name)
{
    void *address = clGetExtensionFunctionAddressForPlatform(w->c.platform, name);

    if (!address)
        tell(name, "not there", 0);
    return address;
}
#define IS_THERE(name) ((*(void **)&(name) = address_of(w, #name)) != NULL)

typedef cl_int CL_API_CALL set_pointer(cl_kernel kernel, cl_uint index, const void *value);
typedef void *CL_API_CALL alloc_anywhere(cl_context context, const cl_ulong *properties, size_t size,
                                         cl_uint alignment, cl_int *errcode_ret);
typedef void *CL_API_CALL alloc_for_device(cl_context context, cl_device_id device,
                                           const cl_ulong *properties, size_t size, cl_uint alignment,
                                           cl_int *errcode_ret);
typedef cl_int CL_API_CALL free_memory(cl_context context, void *memory);
typedef void *CL_API_CALL alloc_of_type(cl_context context, const cl_ulong *properties, cl_uint type,
                                        size_t size, cl_int *errcode_ret);
typedef cl_int CL_API_CALL free_of_type(cl_context context, const cl_ulong *properties, cl_ulong flags,
                                        void *memory);
typedef cl_int CL_API_CALL copy_memory(cl_command_queue queue, cl_bool blocking, void *to, const void *from,
                                       size_t size, cl_uint nwait, const cl_event *wait, cl_event *event);
typedef cl_int CL_API_CALL fill_memory(cl_command_queue queue, void *to, const void *pattern,
                                       size_t pattern_size, size_t size, cl_uint nwait, const cl_event *wait,
                                       cl_event *event);
typedef cl_int CL_API_CALL set_memory(cl_command_queue queue, void *to, cl_int value, size_t size,
                                      cl_uint nwait, const cl_event *wait, cl_event *event);
typedef cl_int CL_API_CALL migrate_memory(cl_command_queue queue, const void *memory, size_t size,
                                          cl_mem_migration_flags flags, cl_uint nwait, const cl_event *wait,
                                          cl_event *event);
typedef cl_int CL_API_CALL advise_memory(cl_command_queue queue, const void *memory, size_t size,
                                         cl_uint advice, cl_uint nwait, const cl_event *wait,
                                         cl_event *event);
typedef cl_int CL_API_CALL set_address(cl_kernel kernel, cl_uint index, cl_ulong value);
typedef cl_int CL_API_CALL set_exec_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                         const void *value);
typedef cl_mem CL_API_CALL import_memory(cl_context context, cl_mem_flags flags, const intptr_t *properties,
                                         void *memory, size_t size, cl_int *errcode_ret);
typedef cl_mem CL_API_CALL from_egl_image(cl_context context, void *display, void *image, cl_mem_flags flags,
                                          const intptr_t *properties, cl_int *errcode_ret);

static void pointers(struct wrong *w)
{
    set_pointer *clSetKernelArgMemPointerINTEL, *clSetKernelArgSVMPointerARM;
    set_address *clSetKernelArgDevicePointerEXT;
    set_exec_info *clSetKernelExecInfoARM;
    import_memory *clImportMemoryARM;
    from_egl_image *clCreateFromEGLImageKHR;

    if (IS_THERE(clSetKernelArgMemPointerINTEL)) {
        CODE(clSetKernelArgMemPointerINTEL, "no kernel", NULL, 0, NULL);
        CODE(clSetKernelArgMemPointerINTEL, "index", w->unset, 7, NULL);
        CODE(clSetKernelArgMemPointerINTEL, "a number", w->sum, 3, NULL);
    }
    if (IS_THERE(clSetKernelArgSVMPointerARM)) {
        CODE(clSetKernelArgSVMPointerARM, "no kernel", NULL, 0, NULL);
        CODE(clSetKernelArgSVMPointerARM, "index", w->unset, 7, NULL);
        CODE(clSetKernelArgSVMPointerARM, "a number", w->sum, 3, NULL);
    }
    if (IS_THERE(clSetKernelArgDevicePointerEXT)) {
        CODE(clSetKernelArgDevicePointerEXT, "no kernel", NULL, 0, 0);
        CODE(clSetKernelArgDevicePointerEXT, "index", w->unset, 7, 0);
        CODE(clSetKernelArgDevicePointerEXT, "a number", w->sum, 3, 0);
    }
    if (IS_THERE(clSetKernelExecInfoARM)) {
        CODE(clSetKernelExecInfoARM, "no kernel", NULL, 0xdead, 4, out.value);
        CODE(clSetKernelExecInfoARM, "unknown name", w->unset, 0xdead, 4, out.value);
        CODE(clSetKernelExecInfoARM, "no value", w->unset, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL);
    }
    if (IS_THERE(clImportMemoryARM)) {
        MADE(clImportMemoryARM, "no context", NULL, CL_MEM_READ_WRITE, NULL, out.value, 64);
        MADE(clImportMemoryARM, "nothing", w->c.context, CL_MEM_READ_WRITE, NULL, out.value, 0);
    }
    if (IS_THERE(clCreateFromEGLImageKHR))
        MADE(clCreateFromEGLImageKHR, "no context", NULL, NULL, NULL, CL_MEM_READ_WRITE, NULL);
}

static void unified_memory(struct wrong *w)
{
    alloc_anywhere *clHostMemAllocINTEL;
    alloc_for_device *clDeviceMemAllocINTEL, *clSharedMemAllocINTEL;
    alloc_of_type *clSVMAllocWithPropertiesKHR;
    free_of_type *clSVMFreeWithPropertiesKHR;
    free_memory *clMemFreeINTEL, *clMemBlockingFreeINTEL;
    copy_memory *clEnqueueMemcpyINTEL;
    fill_memory *clEnqueueMemFillINTEL;
    set_memory *clEnqueueMemsetINTEL;
    migrate_memory *clEnqueueMigrateMemINTEL;
    advise_memory *clEnqueueMemAdviseINTEL;

    if (IS_THERE(clHostMemAllocINTEL))
        MADE(clHostMemAllocINTEL, "no bytes", w->c.context, NULL, 0, 0);
    if (IS_THERE(clDeviceMemAllocINTEL)) {
        MADE(clDeviceMemAllocINTEL, "no device", w->c.context, NULL, NULL, 64, 0);
        MADE(clDeviceMemAllocINTEL, "no bytes", w->c.context, w->c.device, NULL, 0, 0);
    }
    if (IS_THERE(clSharedMemAllocINTEL))
        MADE(clSharedMemAllocINTEL, "no bytes", w->c.context, w->c.device, NULL, 0, 0);
    if (IS_THERE(clSVMAllocWithPropertiesKHR))
        MADE(clSVMAllocWithPropertiesKHR, "no such type", w->c.context, NULL, 1000, 64);
    if (IS_THERE(clSVMFreeWithPropertiesKHR))
        CODE(clSVMFreeWithPropertiesKHR, "nothing", w->c.context, NULL, 0, NULL);
    if (IS_THERE(clMemFreeINTEL))
        CODE(clMemFreeINTEL, "nothing", w->c.context, NULL);
    if (IS_THERE(clMemBlockingFreeINTEL))
        CODE(clMemBlockingFreeINTEL, "nothing", w->c.context, NULL);
    if (IS_THERE(clEnqueueMemcpyINTEL)) {
        CODE(clEnqueueMemcpyINTEL, "no queue", NULL, CL_TRUE, out.value, out.value, 8, 0, NULL, NULL);
        CODE(clEnqueueMemcpyINTEL, "nowhere", w->queue, CL_FALSE, NULL, NULL, 8, 0, NULL, NULL);
    }
    if (IS_THERE(clEnqueueMemFillINTEL))
        CODE(clEnqueueMemFillINTEL, "nowhere", w->queue, NULL, NULL, 1, 8, 0, NULL, NULL);
    if (IS_THERE(clEnqueueMemsetINTEL))
        CODE(clEnqueueMemsetINTEL, "nowhere", w->queue, NULL, 0, 8, 0, NULL, NULL);
    if (IS_THERE(clEnqueueMigrateMemINTEL))
        CODE(clEnqueueMigrateMemINTEL, "no queue", NULL, out.value, 8, 0, 0, NULL, NULL);
    if (IS_THERE(clEnqueueMemAdviseINTEL))
        CODE(clEnqueueMemAdviseINTEL, "no queue", NULL, out.value, 8, 0, 0, NULL, NULL);
}

static void makers(struct wrong *w)
{
    const cl_queue_properties unknown[] = {0xdead, 1, 0};
    const cl_context context = w->c.context;
    const cl_device_id device = w->c.device;
    clCreateCommandQueueWithPropertiesKHR_fn clCreateCommandQueueWithPropertiesKHR;
    clCreateProgramWithILKHR_fn clCreateProgramWithILKHR;

    if (IS_THERE(clCreateCommandQueueWithPropertiesKHR)) {
        MADE(clCreateCommandQueueWithPropertiesKHR, "no context", NULL, device, NULL);
        MADE(clCreateCommandQueueWithPropertiesKHR, "no device", context, NULL, NULL);
        MADE(clCreateCommandQueueWithPropertiesKHR, "unknown property", context, device, unknown);
    }
    if (IS_THERE(clCreateProgramWithILKHR)) {
        MADE(clCreateProgramWithILKHR, "no context", NULL, "nonsense", 8);
        MADE(clCreateProgramWithILKHR, "nothing", context, NULL, 0);
        MADE(clCreateProgramWithILKHR, "nonsense", context, "nonsense", 8);
    }
}

/* PoCL 3.1 crashes when it finds fault with a launch that is being recorded. */
static void recorded(struct wrong *w)
{
    const size_t global = ITEMS, local = 64;
    const cl_command_buffer_properties_khr unknown[] = {0xdead, 1, 0};
    clCreateCommandBufferKHR_fn clCreateCommandBufferKHR;
    clRetainCommandBufferKHR_fn clRetainCommandBufferKHR;
    clReleaseCommandBufferKHR_fn clReleaseCommandBufferKHR;
    clFinalizeCommandBufferKHR_fn clFinalizeCommandBufferKHR;
    clEnqueueCommandBufferKHR_fn clEnqueueCommandBufferKHR;
    clCommandNDRangeKernelKHR_fn clCommandNDRangeKernelKHR;
    cl_command_buffer_khr b;

    if (!IS_THERE(clCreateCommandBufferKHR) | !IS_THERE(clRetainCommandBufferKHR) |
        !IS_THERE(clReleaseCommandBufferKHR) | !IS_THERE(clFinalizeCommandBufferKHR) |
        !IS_THERE(clEnqueueCommandBufferKHR) | !IS_THERE(clCommandNDRangeKernelKHR))
        return;
    MADE(clCreateCommandBufferKHR, "no queues", 0, NULL, NULL);
    MADE(clCreateCommandBufferKHR, "count without list", 1, NULL, NULL);
    MADE(clCreateCommandBufferKHR, "unknown property", 1, &w->queue, unknown);
    CODE(clRetainCommandBufferKHR, "none", NULL);
    CODE(clReleaseCommandBufferKHR, "none", NULL);
    CODE(clEnqueueCommandBufferKHR, "none", 0, NULL, NULL, 0, NULL, NULL);
    CODE(clCommandNDRangeKernelKHR, "no command buffer", NULL, NULL, NULL, w->kernel, 1, NULL, &global,
         &local, 0, NULL, NULL, NULL);
    b = clCreateCommandBufferKHR(1, &w->queue, NULL, NULL);
    CODE(clCommandNDRangeKernelKHR, "a queue of another context", b, w->queue_there, NULL, w->kernel, 1, NULL,
         &global, &local, 0, NULL, NULL, NULL);
    CODE(clEnqueueCommandBufferKHR, "not finished", 0, NULL, b, 0, NULL, NULL);
    CHECK(clFinalizeCommandBufferKHR(b));
    CODE(clCommandNDRangeKernelKHR, "finished", b, NULL, NULL, w->kernel, 1, NULL, &global, &local, 0, NULL,
         NULL, NULL);
    CODE(clEnqueueCommandBufferKHR, "count without list", 0, NULL, b, 1, NULL, NULL);
    CODE(clEnqueueCommandBufferKHR, "list without count", 0, NULL, b, 0, &w->done, NULL);
    CODE(clEnqueueCommandBufferKHR, "a queue of another context", 1, &w->queue_there, b, 0, NULL, NULL);
    CHECK(clReleaseCommandBufferKHR(b));
    CHECK(clFinish(w->queue));
}

static void events(struct wrong *w)
{
    const size_t global = ITEMS, local = 64;
    cl_event pending = clCreateUserEvent(w->c.context, NULL), hidden, timed, user;

    CHECK(clEnqueueNDRangeKernel(w->queue, w->kernel, 1, NULL, &global, &local, 0, NULL, &hidden));
    CHECK(clEnqueueNDRangeKernel(w->timed, w->kernel, 1, NULL, &global, &local, 0, NULL, &timed));
    CHECK(clFinish(w->queue));
    CHECK(clFinish(w->timed));
    CODE(clFinish, "no queue", NULL);
    CODE(clWaitForEvents, "no events", 0, NULL);
    CODE(clWaitForEvents, "an empty event", 1, &(cl_event){NULL});
    CODE(clWaitForEvents, "hidden and timed", 2, (cl_event[]){hidden, timed});
    MADE(clCreateUserEvent, "no context", NULL);
    CODE(clSetUserEventStatus, "no event", NULL, CL_COMPLETE);
    CODE(clSetUserEventStatus, "no user event", hidden, CL_COMPLETE);
    user = clCreateUserEvent(w->c.context, NULL);
    CODE(clSetUserEventStatus, "no such status", user, CL_RUNNING);
    CODE(clSetUserEventStatus, "well", user, CL_COMPLETE);
    CODE(clSetUserEventStatus, "again", user, CL_COMPLETE);
    CHECK(clReleaseEvent(user));
    CODE(clRetainEvent, "none", NULL);
    CODE(clReleaseEvent, "none", NULL);
    CODE(clGetEventProfilingInfo, "no event", NULL, CL_PROFILING_COMMAND_END, sizeof out.value, out.value,
         &out.size);
    CODE(clGetEventProfilingInfo, "user event", pending, CL_PROFILING_COMMAND_END, 8, out.value, &out.size);
    INFO(clGetEventProfilingInfo, hidden, CL_PROFILING_COMMAND_START, sizeof out.value);
    INFO(clGetEventProfilingInfo, timed, CL_PROFILING_COMMAND_START, sizeof out.value);
    CODE(clSetEventCallback, "no event", NULL, CL_COMPLETE, NULL, NULL);
    CODE(clSetEventCallback, "no callback", pending, CL_COMPLETE, NULL, NULL);
    CODE(clSetEventCallback, "no such type", pending, CL_QUEUED, unheard, NULL);
    CODE(clSetEventCallback, "unknown type", pending, 77, unheard, NULL);
    if (bold) {
        CODE(clRetainEvent, "a queue", (cl_event)w->queue);
        CODE(clReleaseEvent, "a queue", (cl_event)w->queue);
        CODE(clGetEventProfilingInfo, "a queue", (cl_event)w->queue, CL_PROFILING_COMMAND_END, 8, out.value,
             NULL);
    }
    CHECK(clSetUserEventStatus(pending, CL_COMPLETE));
    CHECK(clReleaseEvent(pending));
    CHECK(clReleaseEvent(hidden));
    CHECK(clReleaseEvent(timed));
}

/* What all of that left behind: nothing.  Drivers let go of a command's kernel some time after its end. */
static void traces(struct wrong *w)
{
    cl_uint n = 0;

    for (unsigned ms = 0; n != 1 && ms < 500; ms++) {
        CHECK(clGetKernelInfo(w->kernel, CL_KERNEL_REFERENCE_COUNT, sizeof n, &n, NULL));
        if (n != 1)
            usleep(1000);
    }
    printf("references: kernel %u", n);
    CHECK(clGetProgramInfo(w->c.program, CL_PROGRAM_REFERENCE_COUNT, sizeof n, &n, NULL));
    printf(", program %u\n", n);
}

static void make(struct wrong *w)
{
    const char *source = "#ifdef BROKEN\n#error broken\n#endif\n__kernel void twice(__global int *p) {}\n";
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_int error;

    client_start(&w->c);
    w->queue = clCreateCommandQueue(w->c.context, w->c.device, 0, &error);
    CHECK(error);
    w->timed = clCreateCommandQueue(w->c.context, w->c.device, CL_QUEUE_PROFILING_ENABLE, &error);
    CHECK(error);
    w->in = client_buffer(&w->c, ITEMS * 4);
    w->out = client_buffer(&w->c, ITEMS * 4);
    w->image = clCreateImage(w->c.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
    CHECK(error);
    w->kernel = clCreateKernel(w->c.program, "twice", &error);
    CHECK(error);
    w->unset = clCreateKernel(w->c.program, "twice", &error);
    CHECK(error);
    CHECK(clSetKernelArg(w->kernel, 0, sizeof w->in, &w->in));
    CHECK(clSetKernelArg(w->kernel, 1, sizeof w->out, &w->out));
    w->unbuilt = clCreateProgramWithSource(w->c.context, 1, &source, NULL, &error);
    CHECK(error);
    w->done = clCreateUserEvent(w->c.context, &error);
    CHECK(error);
    CHECK(clSetUserEventStatus(w->done, CL_COMPLETE));
    w->sum = clCreateKernel(w->c.program, "sum", &error);
    CHECK(error);
}

static void make_elsewhere(struct wrong *w)
{
    cl_int error;

    w->elsewhere = clCreateContext(NULL, 1, &w->c.device, NULL, NULL, &error);
    CHECK(error);
    w->queue_there = clCreateCommandQueue(w->elsewhere, w->c.device, 0, &error);
    CHECK(error);
    w->memory_there = clCreateBuffer(w->elsewhere, CL_MEM_READ_WRITE, ITEMS * 4, NULL, &error);
    CHECK(error);
    w->event_there = clCreateUserEvent(w->elsewhere, &error);
    CHECK(error);
    CHECK(clSetUserEventStatus(w->event_there, CL_COMPLETE));
}

static void unmake(struct wrong *w)
{
    CHECK(clReleaseEvent(w->event_there));
    CHECK(clReleaseMemObject(w->memory_there));
    CHECK(clReleaseCommandQueue(w->queue_there));
    CHECK(clReleaseContext(w->elsewhere));
    CHECK(clReleaseKernel(w->sum));
    CHECK(clReleaseEvent(w->done));
    CHECK(clReleaseProgram(w->unbuilt));
    CHECK(clReleaseKernel(w->unset));
    CHECK(clReleaseKernel(w->kernel));
    CHECK(clReleaseMemObject(w->image));
    CHECK(clReleaseMemObject(w->in));
    CHECK(clReleaseMemObject(w->out));
    CHECK(clReleaseCommandQueue(w->timed));
    CHECK(clReleaseCommandQueue(w->queue));
    client_end(&w->c);
}

int main(int argc, char **argv)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const size_t global = ITEMS, local = 64;
    struct wrong w;

    bold = argc > 1 && strcmp(argv[1], "--bold") == 0;
    make(&w);
    make_elsewhere(&w);
    clean(); /* not before: a loader that looks for layers and drivers does as it likes with errno */
    for (int round = 0; round < 2; round++) {
        printf("round %d\n", round);
        queues(&w);
        builds(&w); /* first: PoCL 3.1 takes no constants for what was never built */
        programs(&w);
        shared_memory(&w);
        kernels(&w);
        launches(&w);
        strangers(&w);
        commands(NULL, "no queue");
        if (bold) /* PoCL crashes */
            commands(w.queue, "no memory");
        transfers(&w);
        copies(&w);
        others(&w);
        makers(&w);
        pointers(&w);
        unified_memory(&w);
        events(&w);
        traces(&w);
        if (round)
            recorded(&w);
        for (int i = 0; i < 300 && !round; i++) {
            CHECK(clEnqueueNDRangeKernel(w.queue, w.kernel, 1, NULL, &global, &local, 0, NULL, NULL));
            CHECK(clFinish(w.queue));
            if (i < 50)
                nanosleep(&pause, NULL);
        }
    }
    unmake(&w);
    return 0;
}
