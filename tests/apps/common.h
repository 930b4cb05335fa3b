/* common.h - what every sample program needs around its one interesting call.
 *
 * A sample program is an ordinary OpenCL 1.2 host program that knows nothing of clsizer.  It
 *   1. makes deterministic inputs,
 *   2. launches its kernel with the local size that such codes ship with, usually several times,
 *   3. compares the result with the same computation on the host.
 *
 * stdout carries only what must be the same in every run on a driver: names, checksums, OK.  Timings go to
 * stderr, one line per kernel: kernel=NAME local=16x16 launches=10 kernel_ms=81.250 min_ms=7.900
 * median_ms=8.100 wall_ms=240.500 kernel_ms is the sum, min_ms the least and median_ms the median over the
 * launches, host clock from the enqueue to the end of clFinish (the profiling-queue program: event times);
 * wall_ms is the time since the program started.
 *
 * Exit status: 0 right, 1 wrong result or OpenCL error, 2 usage, 77 the device cannot
 * do it (a skipped test). */
#pragma once

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- life cycle ------------------------------------------------------------------------------------ */

/* Problem size and repetitions; the second pair is for --small (simulators, quick tests). */
struct app_defaults {
    size_t n;
    unsigned launches;
    size_t small_n;
    unsigned small_launches;
};

struct app {
    const char *name;
    size_t n;          /* -n SIZE; its meaning is each program's own */
    unsigned launches; /* -l LAUNCHES */
    bool small;        /* --small */
    bool local_given;  /* --local: replaces the program's local size, to try others by hand */
    size_t local[3];   /* all 0: NULL */
    unsigned wrong;    /* results that differ from the host's */
    double start_ms;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, no properties */
};

/* Read the command line (-n SIZE, -l LAUNCHES, --local AxBxC|null, --small).  Exits with 2 on bad usage. */
void app_args(struct app *app, const char *name, int argc, char **argv, struct app_defaults defaults);
/* Find the device (the first of the first platform, or those that the variables APP_PLATFORM and APP_DEVICE
 * number from 0), create context and queue.  Exits with 1 on errors. */
void app_open(struct app *app);
/* Both. */
void app_begin(struct app *app, const char *name, int argc, char **argv, struct app_defaults defaults);
/* Print OK or FAILED; returns the exit status. */
int app_verdict(const struct app *app);
/* Release queue and context, and give the verdict. */
int app_end(struct app *app);

/* ---- OpenCL objects; all exit with 1 and a message on stderr on errors ----------------------------- */

#define CL_CHECK(call) app_check((call), #call, __FILE__, __LINE__)
void app_check(cl_int status, const char *call, const char *file, int line);

/* Create and build; on failure the build log goes to stderr.  options may be NULL. */
cl_program app_build(struct app *app, const char *source, const char *options);
cl_kernel app_kernel(cl_program program, const char *name);
/* A read-write buffer, initialised from `data` unless that is NULL. */
cl_mem app_buffer(struct app *app, size_t bytes, const void *data);
/* Blocking read of a whole buffer. */
void app_read(struct app *app, cl_mem buffer, size_t bytes, void *out);

/* ---- launches and their times ---------------------------------------------------------------------- */

struct app_times {
    unsigned count;
    double ms[1024]; /* one per launch; further ones only add to sum_ms */
    double sum_ms;
};
void app_times_add(struct app_times *t, double ms);
/* Print the timing line.  local may be NULL. */
void app_times_print(const struct app *app, const struct app_times *t, const char *kernel, unsigned dim,
                     const size_t *local);

/* The local size to pass: the program's own, or the one given with --local. */
const size_t *app_local(const struct app *app, const size_t *own);

/* Launch `kernel` app->launches times, waiting for each, and print the timing line.  offset and local may be
 * NULL as in clEnqueueNDRangeKernel. */
void app_run(struct app *app, cl_kernel kernel, unsigned dim, const size_t *offset, const size_t *global,
             const size_t *local);

/* Monotonic, milliseconds. */
static inline double app_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- data ------------------------------------------------------------------------------------------ */

void *app_alloc(size_t bytes); /* malloc that exits when out of memory; the caller frees */
/* A text file as a string, which the caller frees.  Exits with 1 if it cannot be read. */
char *app_read_text(const char *path);

/* Numerical Recipes' linear congruential generator: the same inputs everywhere. */
static inline uint32_t app_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
/* `count` floats in [0, 1). */
float *app_random_floats(size_t count, uint32_t seed);

/* FNV-1a, 64 bits. */
static inline uint64_t app_fnv1a(const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

/* Print "NAME what CHECKSUM" on stdout. */
void app_checksum(const struct app *app, const char *what, const void *data, size_t bytes);

/* Count a wrong result, and say so on stderr for the first few.  `near` allows a relative error of 1e-4, for
 * floating-point sums that host and device may round differently. */
void app_expect_near(struct app *app, size_t index, float got, float want);
void app_expect_int(struct app *app, size_t index, int64_t got, int64_t want);
