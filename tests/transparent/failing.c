/* failing - a client whose user events fail, before, between and behind launches that are worth tuning, of a
 * size that no local size divides.
 *
 * It holds the events of what fails until all is over: PoCL 3.1 aborts when one of several that failed
 * together had been released. */
#include "client.h"
#include <stdbool.h>
#include <time.h>

#define ITEMS 65537
#define CHAIN 4

static void launches(cl_command_queue q, cl_kernel k, unsigned n, bool slowly)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const size_t global = ITEMS;

    for (unsigned i = 0; i < n; i++) {
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK(clFinish(q));
        if (slowly)
            nanosleep(&pause, NULL);
    }
}

/* Launches behind a user event that fails, and one more behind what failed. */
static void fail(const struct client *c, cl_command_queue q, cl_kernel k)
{
    const size_t global = ITEMS;
    cl_event user = clCreateUserEvent(c->context, NULL), e[CHAIN];
    cl_int status;

    for (unsigned i = 0; i < CHAIN; i++)
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 1, i ? &e[i - 1] : &user, &e[i]));
    CHECK(clFlush(q));
    CHECK(clSetUserEventStatus(user, -5));
    printf("wait: %d\n", clWaitForEvents(CHAIN, e) != CL_SUCCESS);
    for (unsigned i = 0; i < CHAIN; i++) {
        CHECK(clGetEventInfo(e[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        printf("status %u: %s\n", i, status < 0 ? "failed" : "did not fail");
    }
    for (unsigned i = 0; i < CHAIN; i++)
        CHECK(clReleaseEvent(e[i]));
    CHECK(clReleaseEvent(user));
}

int main(void)
{
    struct client c;
    cl_command_queue q;
    cl_kernel k;
    cl_mem m[2];

    client_start(&c);
    k = clCreateKernel(c.program, "twice", NULL);
    for (cl_uint i = 0; i < 2; i++) {
        m[i] = client_buffer(&c, ITEMS * 4);
        CHECK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
    }
    for (unsigned round = 0; round < 3; round++) {
        /* A queue is not used again after a failure: what it is worth differs between drivers. */
        q = clCreateCommandQueue(c.context, c.device, round == 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0,
                                 NULL);
        launches(q, k, 150, round == 0);
        fail(&c, q, k);
        CHECK(clReleaseCommandQueue(q));
    }
    CHECK(clReleaseKernel(k));
    CHECK(clReleaseMemObject(m[0]));
    CHECK(clReleaseMemObject(m[1]));
    client_end(&c);
    return 0;
}
