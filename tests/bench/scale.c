/* scale.c - what launches cost with many kernels and threads, and wisdom files of any length.
 *
 *   scale launches KERNELS THREADS ROUNDS    every thread, with a queue of its own, launches every
 *                                            kernel ROUNDS times
 *   scale wisdom RECORDS <LINE >FILE         RECORDS valid records: copies of LINE for other programs
 *
 * `launches` prints on stderr: kernels=1 threads=1 launches=10000 build_ms=... enqueue_ns=... wall_ms=...;
 * enqueue_ns is the mean time in clEnqueueNDRangeKernel, wall_ms the launching until all is finished. */
#include "apps/common.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#define MAX_THREADS 64
#define ITEMS       256
#define BATCH       64 /* launches between two clFinish */

struct worker {
    struct app *app;
    cl_program program;
    unsigned kernels, rounds;
    double enqueue_ms;
    pthread_t thread;
};

static void *work(void *data)
{
    struct worker *w = data;
    size_t global = ITEMS, local = 64;
    cl_int status;
    cl_command_queue queue = clCreateCommandQueue(w->app->context, w->app->device, 0, &status);
    CL_CHECK(status);
    cl_kernel *kernel = app_alloc(w->kernels * sizeof(cl_kernel));
    cl_mem out = app_buffer(w->app, ITEMS * sizeof(cl_float), NULL);
    for (unsigned k = 0; k < w->kernels; k++) {
        char name[32];
        snprintf(name, sizeof name, "k%u", k);
        kernel[k] = app_kernel(w->program, name);
        CL_CHECK(clSetKernelArg(kernel[k], 0, sizeof out, &out));
    }
    for (unsigned n = 0; n < w->rounds * w->kernels; n++) {
        double begin = app_now_ms();
        CL_CHECK(
            clEnqueueNDRangeKernel(queue, kernel[n % w->kernels], 1, NULL, &global, &local, 0, NULL, NULL));
        w->enqueue_ms += app_now_ms() - begin;
        if (n % BATCH == BATCH - 1)
            CL_CHECK(clFinish(queue));
    }
    CL_CHECK(clFinish(queue));
    for (unsigned k = 0; k < w->kernels; k++)
        CL_CHECK(clReleaseKernel(kernel[k]));
    free(kernel);
    CL_CHECK(clReleaseMemObject(out));
    CL_CHECK(clReleaseCommandQueue(queue));
    return NULL;
}

static char *make_source(unsigned kernels)
{
    size_t room = 128 * (size_t)kernels + 1, used = 0;
    char *source = app_alloc(room);
    for (unsigned k = 0; k < kernels; k++)
        used += (size_t)snprintf(
            source + used, room - used,
            "__kernel void k%u(__global float *out) { out[get_global_id(0)] = %u.0f; }\n", k, k);
    return source;
}

static void launches(unsigned kernels, unsigned threads, unsigned rounds)
{
    struct app app = {.name = "scale", .start_ms = app_now_ms()};
    struct worker worker[MAX_THREADS];
    double enqueue_ms = 0;
    app_open(&app);
    char *source = make_source(kernels);
    double begin = app_now_ms();
    cl_program program = app_build(&app, source, NULL);
    double built = app_now_ms();
    for (unsigned i = 0; i < threads; i++) {
        worker[i] = (struct worker){&app, program, kernels, rounds, 0, 0};
        if (pthread_create(&worker[i].thread, NULL, work, &worker[i]) != 0)
            exit(1);
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(worker[i].thread, NULL);
        enqueue_ms += worker[i].enqueue_ms;
    }
    double all = (double)kernels * threads * rounds;
    fprintf(stderr, "kernels=%u threads=%u launches=%.0f build_ms=%.3f enqueue_ns=%.1f wall_ms=%.3f\n",
            kernels, threads, all, built - begin, enqueue_ms * 1e6 / all, app_now_ms() - built);
    CL_CHECK(clReleaseProgram(program));
    free(source);
    app_end(&app);
}

/* The record's program is 32 hexadecimal digits, its checksum (shim/ledger/wisdom_text.c) 16 at the end. */
static int wisdom(unsigned long records)
{
    static const char program_mark[] = "\"program\":\"", check_mark[] = ",\"check\":\"";
    static char line[1 << 16];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    char *program = strstr(line, program_mark), *check = strstr(line, check_mark);
    if (!program || !check)
        return 1;
    program += sizeof program_mark - 1;
    for (unsigned long i = 0; i < records; i++) {
        char digits[33];
        snprintf(digits, sizeof digits, "%032lx", i);
        memcpy(program, digits, 32);
        size_t body = (size_t)(check - line);
        printf("%.*s%s%016" PRIx64 "\"}\n", (int)body, line, check_mark, app_fnv1a(line, body));
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "wisdom"))
        return wisdom(strtoul(argv[2], NULL, 10));
    unsigned long n[3] = {0};
    for (int i = 0; argc == 5 && !strcmp(argv[1], "launches") && i < 3; i++)
        n[i] = strtoul(argv[i + 2], NULL, 10);
    if (!n[0] || !n[1] || !n[2] || n[1] > MAX_THREADS) {
        fprintf(stderr, "usage: scale launches KERNELS THREADS ROUNDS | scale wisdom RECORDS\n");
        return 2;
    }
    launches((unsigned)n[0], (unsigned)n[1], (unsigned)n[2]);
    return 0;
}
