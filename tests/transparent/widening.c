/* widening - threads, each with its own queue, launch a kernel over one range again and again; then it is
 * launched once over a wider range, with another local size.
 *
 *   widening LOCAL [KERNELS]
 *
 * The wider launch has the local size LOCAL.  So has, meanwhile, every other launch, if clsizer is asked for
 * it; bare, PoCL 3.1 has no two launches of one kernel and local size, and different widths, under way. */
#include "client.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define THREADS   6
#define MOST      32
#define NARROW    16384
#define WIDE      65536
#define IN_FLIGHT 4
#define WARM      150 /* launches before the wider one: by then the size is decided */

struct widening {
    struct client c;
    unsigned kernels;
    size_t local;
    atomic_uint kernel, launches;
};

static void build(struct widening *w)
{
    static char text[MOST * 256];
    const char *source = text;
    cl_int error;

    for (unsigned i = 0; i < w->kernels; i++)
        sprintf(text + strlen(text),
                "__kernel void k%u(__global uint *out, uint n)\n"
                "{\n"
                "    size_t i = get_global_id(0);\n"
                "    uint v = i;\n"
                "    for (uint k = 0; k < n; k++)\n"
                "        v = v * 2654435761u + (v >> 7) + %uu;\n"
                "    out[i] = v;\n"
                "}\n",
                i, i);
    CHECK(clReleaseProgram(w->c.program));
    w->c.program = clCreateProgramWithSource(w->c.context, 1, &source, NULL, &error);
    CHECK(error);
    CHECK(clBuildProgram(w->c.program, 1, &w->c.device, "", NULL, NULL));
}

static cl_kernel kernel(struct widening *w, unsigned number, cl_mem out)
{
    const cl_uint n = 20;
    char name[16];
    cl_int error;
    cl_kernel k;

    snprintf(name, sizeof name, "k%u", number);
    k = clCreateKernel(w->c.program, name, &error);
    CHECK(error);
    CHECK(clSetKernelArg(k, 0, sizeof out, &out));
    CHECK(clSetKernelArg(k, 1, sizeof n, &n));
    return k;
}

static cl_command_queue queue(struct widening *w)
{
    cl_int error;
    cl_command_queue q = clCreateCommandQueue(w->c.context, w->c.device, 0, &error);

    CHECK(error);
    return q;
}

static void *launch_narrow(void *data)
{
    const size_t global = NARROW, local = 16;
    struct widening *w = data;
    cl_command_queue q = queue(w);
    cl_mem out = client_buffer(&w->c, NARROW * 4);
    unsigned number;

    while ((number = atomic_load(&w->kernel)) < w->kernels) {
        cl_kernel k = kernel(w, number, out);
        while (atomic_load(&w->kernel) == number) {
            for (int i = 0; i < IN_FLIGHT; i++)
                CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL));
            CHECK(clFinish(q));
            atomic_fetch_add(&w->launches, IN_FLIGHT);
        }
        CHECK(clReleaseKernel(k));
    }
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(q));
    return NULL;
}

static void launch_wide(struct widening *w, cl_command_queue q, unsigned number, cl_mem out)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    const size_t global = WIDE;
    cl_kernel k = kernel(w, number, out);

    while (atomic_load(&w->launches) < WARM)
        nanosleep(&moment, NULL);
    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &w->local, 0, NULL, NULL));
    CHECK(clFinish(q));
    CHECK(clReleaseKernel(k));
    atomic_store(&w->launches, 0);
    atomic_store(&w->kernel, number + 1);
}

int main(int argc, char **argv)
{
    static struct widening w;
    pthread_t threads[THREADS];
    cl_command_queue q;
    cl_mem out;

    if (argc < 2)
        return 2;
    w.local = strtoul(argv[1], NULL, 10);
    w.kernels = argc > 2 ? (unsigned)atoi(argv[2]) : 8;
    if (w.kernels > MOST)
        return 2;
    client_start(&w.c);
    build(&w);
    q = queue(&w);
    out = client_buffer(&w.c, WIDE * 4);
    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, launch_narrow, &w))
            return 1;
    for (unsigned i = 0; i < w.kernels; i++)
        launch_wide(&w, q, i, out);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(q));
    client_end(&w.c);
    printf("%u kernels\n", w.kernels);
    return 0;
}
