/* farewell - a client whose objects are released when the process ends, as a C++ program's are that keeps
 * them in static variables, and which asks for the references to its context on the way. */
#include "client.h"
#include <time.h>

#define ITEMS    65536
#define LAUNCHES 400

static struct client c;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem in, out;

static void show(const char *when)
{
    cl_uint references;

    CHECK(clGetContextInfo(c.context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL));
    printf("%s: %u references\n", when, references);
}

static void say_farewell(void)
{
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clRetainKernel(kernel));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(c.program));
    show("at the end");
    CHECK(clReleaseContext(c.context));
}

int main(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const size_t global = ITEMS, local = 64;
    cl_int error;

    atexit(say_farewell); /* before clsizer's own handler, so that it runs after that */
    client_start(&c);
    queue = clCreateCommandQueue(c.context, c.device, 0, &error);
    CHECK(error);
    in = client_buffer(&c, ITEMS * sizeof(cl_int));
    out = client_buffer(&c, ITEMS * sizeof(cl_int));
    kernel = clCreateKernel(c.program, "twice", &error);
    CHECK(error);
    CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
    CHECK(clSetKernelArg(kernel, 1, sizeof out, &out));
    for (int i = 0; i < LAUNCHES; i++) {
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        CHECK(clFinish(queue));
        if (i < 50)
            nanosleep(&pause, NULL);
    }
    return 0;
}
