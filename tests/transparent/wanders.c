/* wanders - changes its working directory once it has begun to use OpenCL; then 40 launches. */
#include <unistd.h>
#include "client.h"

#define ITEMS 65536

int main(void)
{
    struct client c;
    cl_command_queue queue;
    cl_mem in, out;
    cl_int error;

    client_start(&c);
    CHECK(chdir("/"));
    queue = clCreateCommandQueue(c.context, c.device, 0, &error);
    CHECK(error);
    in = client_buffer(&c, ITEMS * sizeof(cl_int));
    out = client_buffer(&c, ITEMS * sizeof(cl_int));
    client_launch(c.program, "twice", queue, in, out, ITEMS, 40);
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(queue));
    client_end(&c);
    puts("done");
    return 0;
}
