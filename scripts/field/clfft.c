/* clfft.c - a client of clFFT: forward and back in several sizes, repeated; prints checksums.
 * Build: -lclFFT -lOpenCL -lm */
#define CL_TARGET_OPENCL_VERSION 120
#include <clFFT.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 20

static int transform(cl_context ctx, cl_command_queue queue, clfftDim dim, const size_t *lengths)
{
    const size_t n = lengths[0] * (dim > 1 ? lengths[1] : 1) * (dim > 2 ? lengths[2] : 1);
    float *data = malloc(2 * n * sizeof *data);
    unsigned h = 2166136261u;
    clfftPlanHandle plan;
    cl_mem m;
    int bad;

    for (size_t i = 0; i < 2 * n; i++)
        data[i] = (float)((i * 2654435761u >> 8) & 0xffff) / 65536;
    m = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, 2 * n * sizeof *data, data, NULL);
    bad = clfftCreateDefaultPlan(&plan, ctx, dim, lengths) | clfftSetPlanPrecision(plan, CLFFT_SINGLE) |
          clfftSetLayout(plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED) |
          clfftSetResultLocation(plan, CLFFT_INPLACE) | clfftBakePlan(plan, 1, &queue, NULL, NULL);
    for (int r = 0; r < ROUNDS && !bad; r++)
        bad = clfftEnqueueTransform(plan, r % 2 ? CLFFT_BACKWARD : CLFFT_FORWARD, 1, &queue, 0, NULL, NULL,
                                    &m, NULL, NULL);
    clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 2 * n * sizeof *data, data, 0, NULL, NULL);
    for (size_t i = 0; i < 2 * n; i++)
        h = (h ^ ((unsigned *)data)[i]) * 16777619u;
    printf("%zu points: %d %08x\n", n, bad, h);
    clfftDestroyPlan(&plan);
    clReleaseMemObject(m);
    free(data);
    return bad;
}

int main(void)
{
    static const size_t lengths[][3] = {{1024}, {65536}, {1000}, {256, 256}, {120, 90}, {32, 32, 32}};
    static const clfftDim dims[] = {1, 1, 1, 2, 2, 3};
    cl_platform_id platform;
    cl_device_id device;
    cl_command_queue queue;
    cl_context ctx;
    clfftSetupData setup;
    int bad = 0;

    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 1;
    ctx = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(ctx, device, 0, NULL);
    clfftInitSetupData(&setup);
    clfftSetup(&setup);
    for (unsigned i = 0; i < sizeof dims / sizeof *dims; i++)
        bad |= transform(ctx, queue, dims[i], lengths[i]);
    clfftTeardown();
    return bad != 0;
}
