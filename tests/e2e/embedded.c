/* embedded - OpenCL launches as a library, for hosts that have a life of their own: libembedded.so.
 *
 * embedded_main() launches one kernel for EMBEDDED_MS milliseconds (300), checks what it computed, and
 * returns 0 when that is right. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define ITEMS 4096

static const char *source = "__kernel void embedded(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    int sum = 0;\n"
                            "    for (int k = 0; k < 200; k++)\n"
                            "        sum += in[i] ^ k;\n"
                            "    out[i] = sum;\n"
                            "}\n";

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int check(const cl_int *out)
{
    for (int i = 0; i < ITEMS; i++) {
        cl_int sum = 0;
        for (int k = 0; k < 200; k++)
            sum += i ^ k;
        if (out[i] != sum)
            return 3;
    }
    return 0;
}

__attribute__((visibility("default"))) int embedded_main(void)
{
    static cl_int in[ITEMS], out[ITEMS];
    const size_t global = ITEMS, local = 8;
    const char *duration = getenv("EMBEDDED_MS");
    const int64_t end = now_ms() + (duration ? atoi(duration) : 300);
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;

    for (int i = 0; i < ITEMS; i++)
        in[i] = i;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    if (clBuildProgram(program, 1, &device, NULL, NULL, NULL))
        return 2;
    cl_kernel kernel = clCreateKernel(program, "embedded", &status);
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &status);
    cl_mem b = clCreateBuffer(context, 0, sizeof out, NULL, &status);
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof b, &b);
    do
        status =
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) | clFinish(queue);
    while (!status && now_ms() < end);
    if (!status)
        status = clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return status ? 4 : check(out);
}
