/* gone - launches with arguments of which some were let go of before the launch.
 *
 * OpenCL forbids it, and drivers bear it: they look at what they keep behind the handle, not at the handle.
 */
#include "client.h"

#define ITEMS 4096

int main(void)
{
    const size_t global = ITEMS, local = 64;
    struct client c;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem out, in;

    client_start(&c);
    queue = clCreateCommandQueue(c.context, c.device, 0, NULL);
    kernel = clCreateKernel(c.program, "twice", NULL);
    out = client_buffer(&c, ITEMS * sizeof(cl_int));
    CHECK(clSetKernelArg(kernel, 1, sizeof out, &out));
    for (unsigned i = 0; i < 12; i++) {
        in = client_buffer(&c, ITEMS * sizeof(cl_int));
        CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
        CHECK(clRetainMemObject(in));
        CHECK(clReleaseMemObject(in));
        if (i % 3 == 2)
            CHECK(clReleaseMemObject(in));
        printf("launch: %d\n",
               clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        CHECK(clFinish(queue));
        if (i % 3 != 2)
            CHECK(clReleaseMemObject(in));
    }
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseCommandQueue(queue));
    client_end(&c);
    return 0;
}
