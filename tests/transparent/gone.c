/* gone - launches with arguments of which some were let go of before the launch.
 *
 * OpenCL forbids it, and drivers bear it: they look at what they keep behind the handle, not at the handle.
 *
 *   gone          each of them three times: retained and released, and the last time released for good
 *   gone slots    while another object, that shares its place in the tables of shim/object/references.c, is
 * retained
 */
#include <stdint.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "client.h"

#define ITEMS  4096
#define SLOTS  65536 /* as in shim/object/references.c */
#define OTHERS 4096  /* two of so many share one */

static void launch(cl_command_queue queue, cl_kernel kernel)
{
    const size_t global = ITEMS, local = 64;

    printf("launch: %d\n", clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clFinish(queue));
}

/* A launch with an argument that was let go of, while another in its slot is retained. */
static void launch_with_shared_slot(const struct client *c, cl_command_queue queue, cl_kernel kernel)
{
    static cl_mem in_slot[SLOTS], made[OTHERS], other;
    unsigned n = 0;

    while (!other && n < OTHERS) {
        cl_mem *slot, m = client_buffer(c, ITEMS * sizeof(cl_int));
        slot = &in_slot[hash64_word(HASH64_START, (uintptr_t)m) % SLOTS];
        other = *slot;
        *slot = made[n++] = m;
    }
    if (!other)
        exit(1);
    CHECK(clRetainMemObject(other));
    CHECK(clSetKernelArg(kernel, 0, sizeof made[n - 1], &made[n - 1]));
    CHECK(clReleaseMemObject(made[n - 1]));
    launch(queue, kernel);
    CHECK(clReleaseMemObject(other));
    for (unsigned i = 0; i < n - 1; i++)
        CHECK(clReleaseMemObject(made[i]));
}

int main(int argc, char **argv)
{
    struct client c;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem out, in;

    client_start(&c);
    queue = clCreateCommandQueue(c.context, c.device, 0, NULL);
    kernel = clCreateKernel(c.program, "twice", NULL);
    out = client_buffer(&c, ITEMS * sizeof(cl_int));
    CHECK(clSetKernelArg(kernel, 1, sizeof out, &out));
    if (argc > 1 && !strcmp(argv[1], "slots")) {
        launch_with_shared_slot(&c, queue, kernel);
        CHECK(
            clSetKernelArg(kernel, 1, sizeof out, &out)); /* one of those others may have been in its slot */
    }
    for (unsigned i = 0; i < 12; i++) {
        in = client_buffer(&c, ITEMS * sizeof(cl_int));
        CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
        CHECK(clRetainMemObject(in));
        CHECK(clReleaseMemObject(in));
        if (i % 3 == 2)
            CHECK(clReleaseMemObject(in));
        launch(queue, kernel);
        if (i % 3 != 2)
            CHECK(clReleaseMemObject(in));
    }
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseCommandQueue(queue));
    client_end(&c);
    return 0;
}
