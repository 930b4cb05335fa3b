/* perdevice - builds one program several times: each argument is a device, 0 or 1, and the options for it;
 * after a +, options of another build, which is made in the callback of the first.  Then 40 launches on
 * device 0. */
#include "client.h"
#include <string.h>

#define ITEMS 65536

static cl_device_id devices[2];

static void CL_CALLBACK build_again(cl_program program, void *options)
{
    CHECK(clBuildProgram(program, 1, devices, options, NULL, NULL));
}

static void build(cl_program program, char *argument)
{
    cl_device_id *device = &devices[*argument == '1'];
    char *inner = strchr(argument, '+');

    if (inner)
        *inner++ = '\0';
    CHECK(clBuildProgram(program, 1, device, argument + 1, inner ? build_again : NULL, inner));
}

int main(int argc, char **argv)
{
    const char *source = client_source;
    struct client c;
    cl_command_queue queue;
    cl_program program;
    cl_mem in, out;
    cl_int error;

    client_start(&c);
    CHECK(clReleaseContext(c.context));
    CHECK(clGetDeviceIDs(c.platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL));
    c.context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
    CHECK(error);
    program = clCreateProgramWithSource(c.context, 1, &source, NULL, &error);
    CHECK(error);
    for (int i = 1; i < argc; i++)
        build(program, argv[i]);
    queue = clCreateCommandQueue(c.context, devices[0], 0, &error);
    CHECK(error);
    in = client_buffer(&c, ITEMS * sizeof(cl_int));
    out = client_buffer(&c, ITEMS * sizeof(cl_int));
    client_launch(program, "twice", queue, in, out, ITEMS, 40);
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseProgram(program));
    client_end(&c);
    puts("done");
    return 0;
}
