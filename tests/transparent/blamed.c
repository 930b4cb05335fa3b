/* blamed - a user event fails, and in the callback of a launch that fails with it the program makes a call;
 * afterwards it goes on launching, in another queue. */
#include "client.h"

#define ITEMS  65536
#define BEHIND 130 /* launches that wait for the user event: some of them are timed */

static void CL_CALLBACK failed(cl_event event, cl_int status, void *queue)
{
    cl_uint references;

    (void)event;
    printf("failed: %d\n", status < 0);
    CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, NULL));
}

static void launch_behind(cl_command_queue q, cl_kernel k, cl_event user)
{
    const size_t global = ITEMS, local = 64;
    cl_event e[BEHIND];

    for (unsigned i = 0; i < BEHIND; i++)
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 1, &user, &e[i]));
    CHECK(clFlush(q));
    CHECK(clSetEventCallback(e[BEHIND - 1], CL_COMPLETE, failed, q));
    CHECK(clSetUserEventStatus(user, -5));
    for (unsigned i = 0; i < BEHIND; i++)
        CHECK(clReleaseEvent(e[i]));
}

int main(void)
{
    struct client c;
    cl_command_queue q[2];
    cl_kernel k;
    cl_mem m[2];
    cl_event user;
    cl_int error;

    client_start(&c);
    k = clCreateKernel(c.program, "twice", &error);
    CHECK(error);
    for (cl_uint i = 0; i < 2; i++) {
        m[i] = client_buffer(&c, ITEMS * 4);
        CHECK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
        q[i] = clCreateCommandQueue(c.context, c.device, 0, &error);
        CHECK(error);
    }
    client_launch(c.program, "twice", q[0], m[0], m[1], ITEMS, 20);
    user = clCreateUserEvent(c.context, &error);
    CHECK(error);
    launch_behind(q[0], k, user);
    client_launch(c.program, "twice", q[1], m[0], m[1], ITEMS, 20);
    for (unsigned i = 0; i < 2; i++) {
        CHECK(clReleaseCommandQueue(q[i]));
        CHECK(clReleaseMemObject(m[i]));
    }
    CHECK(clReleaseEvent(user));
    CHECK(clReleaseKernel(k));
    client_end(&c);
    return 0;
}
