/* cancelled - calls of threads whose cancellation is pending.  None of them is where a thread may end by
 * POSIX, and the stub driver has no such place, as long as it writes no log. */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include "client.h"

#define ITEMS 4096

static struct client c;
static cl_command_queue queue;
static cl_kernel unknown;
static cl_event event;
static unsigned char *binary;
static size_t size;
static cl_program made;
static bool came_back;

/* A program made from a binary that nobody has seen, and its kernel. */
static void make_unknown(void)
{
    char *other = calloc(1, size + 1);
    const unsigned char *text = (const unsigned char *)other;
    const size_t length = size - 1;
    cl_program program;

    memcpy(other, binary, length);
    other[length] = '\n';
    program = clCreateProgramWithBinary(c.context, 1, &c.device, &size, &text, NULL, NULL);
    CHECK(clBuildProgram(program, 1, &c.device, "", NULL, NULL));
    unknown = clCreateKernel(program, "twice", NULL);
    CHECK(clReleaseProgram(program));
    free(other);
}

static void launch(void)
{
    const size_t global = ITEMS, local = 64;

    CHECK(clEnqueueNDRangeKernel(queue, unknown, 1, NULL, &global, &local, 0, NULL, &event));
}

static void fetch_binary(void)
{
    CHECK(clGetProgramInfo(c.program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
}

static void make_from_binary(void)
{
    const unsigned char *text = binary;

    made = clCreateProgramWithBinary(c.context, 1, &c.device, &size, &text, NULL, NULL);
}

static void ask_for_time(void)
{
    cl_ulong ns = 0;
    const cl_int error = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof ns, &ns, NULL);

    if (error != CL_PROFILING_INFO_NOT_AVAILABLE)
        exit(1);
}

static void *thread(void *call)
{
    pthread_cancel(pthread_self());
    (*(void (**)(void))call)();
    came_back = true;
    return NULL;
}

static void try(const char *name, void (*call)(void))
{
    pthread_t t;

    came_back = false;
    if (pthread_create(&t, NULL, thread, &call) || pthread_join(t, NULL))
        exit(1);
    printf("%s: %s\n", name, came_back ? "came back" : "did not come back");
}

int main(void)
{
    cl_mem m[2];

    client_start(&c);
    queue = clCreateCommandQueue(c.context, c.device, 0, NULL);
    CHECK(clGetProgramInfo(c.program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    binary = calloc(1, size);
    try("fetch a binary", fetch_binary);
    make_unknown();
    for (cl_uint i = 0; i < 2; i++) {
        m[i] = client_buffer(&c, ITEMS * 4);
        CHECK(clSetKernelArg(unknown, i, sizeof m[i], &m[i]));
    }
    try("launch", launch);
    CHECK(clFinish(queue));
    try("make from a binary", make_from_binary);
    if (event)
        try("ask for a time", ask_for_time);
    if (event)
        CHECK(clReleaseEvent(event));
    if (made)
        CHECK(clReleaseProgram(made));
    for (cl_uint i = 0; i < 2; i++)
        CHECK(clReleaseMemObject(m[i]));
    CHECK(clReleaseKernel(unknown));
    CHECK(clReleaseCommandQueue(queue));
    client_end(&c);
    free(binary);
    return 0;
}
