/* clblast.c - a client of CLBlast: some routines on matrices of one size, repeated; prints checksums.
 *     clblast [ROUNDS [short]]       short: vectors only, which compile in a moment
 * Build: -lclblast -lOpenCL -lm */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <clblast_c.h>
#include <stdio.h>
#include <stdlib.h>

#define N 384

static cl_context ctx;
static cl_command_queue queue;
static unsigned long long seed = 12345;

static cl_mem random_buffer(size_t n)
{
    float *p = malloc(n * sizeof *p);
    cl_mem m;

    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        p[i] = (float)(seed >> 40) / (1 << 24) - 0.5f;
    }
    m = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, n * sizeof *p, p, NULL);
    free(p);
    return m;
}

static void show(const char *name, cl_mem m, size_t n)
{
    unsigned *p = malloc(n * sizeof *p), h = 2166136261u;

    clEnqueueReadBuffer(queue, m, CL_TRUE, 0, n * sizeof *p, p, 0, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 16777619u;
    printf("%s %08x\n", name, h);
    free(p);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 30, vectors = argc > 2;
    cl_platform_id platform;
    cl_device_id device;

    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 1;
    ctx = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(ctx, device, 0, NULL);
    cl_mem a = random_buffer(N * N), b = random_buffer(N * N), c = random_buffer(N * N),
           x = random_buffer(N * N), y = random_buffer(N * N);

    for (int r = 0; r < rounds; r++) {
        int bad = CLBlastSaxpy(N * N, 0.5f, x, 0, 1, y, 0, 1, &queue, NULL);
        bad |= CLBlastSscal(N * N, 0.99f, y, 0, 1, &queue, NULL);
        if (!vectors) {
            bad |= CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, N, N, 1.0f, a, 0, N, x, 0, 1, 0.5f,
                                y, 0, 1, &queue, NULL);
            bad |= CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeYes, N, N, N,
                                0.01f, a, 0, N, b, 0, N, 0.5f, c, 0, N, &queue, NULL);
            bad |= CLBlastSger(CLBlastLayoutRowMajor, N, N, 0.001f, x, 0, 1, y, 0, 1, c, 0, N, &queue, NULL);
            bad |= CLBlastSomatcopy(CLBlastLayoutRowMajor, CLBlastTransposeYes, N, N, 1.0f, c, 0, N, b, 0, N,
                                    &queue, NULL);
            bad |= CLBlastShad(N * N, 1.0f, b, 0, 1, c, 0, 1, 0.0f, a, 0, 1, &queue, NULL);
            bad |= CLBlastSsyrk(CLBlastLayoutRowMajor, CLBlastTriangleUpper, CLBlastTransposeNo, N, N, 0.01f,
                                a, 0, N, 0.5f, c, 0, N, &queue, NULL);
        }
        if (bad) {
            printf("round %d: error %d\n", r, bad);
            return 1;
        }
    }
    clFinish(queue);
    show("a", a, N * N);
    show("b", b, N * N);
    show("c", c, N * N);
    show("y", y, N * N);
    return 0;
}
