/* calibrate.h - clsizer-calibrate: measures the device at hand and writes its description.
 *
 * What goes on between its files: calibrate_cl.c talks to the driver, calibrate_memory.c, calibrate_ops.c and
 * calibrate_overhead.c measure, calibrate_curve.c makes sense of curves and knows no OpenCL, calibrate.c is
 * the program.  All of it runs one kernel at a time, each a few milliseconds long, and believes the fastest
 * of several runs: whatever else the machine does makes a run slower, never faster.
 *
 * The words (lanes, hop): docs/glossary.md, "The model". */
#ifndef CLSIZER_DEVICES_CALIBRATE_H
#define CLSIZER_DEVICES_CALIBRATE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include "devices/device.h"

#define CAL_NOTES 96

struct cal {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    struct device d; /* starts as what is known of the device; measured numbers replace what is there */
    char base[128];  /* the name of the description that it started as */
    char name[128];  /* CL_DEVICE_NAME */
    char vendor[128], driver[128];
    unsigned lanes;                     /* of a warp: 1, 2, 4, 8 or 16 on a CPU */
    bool fp64, images, local_is_memory; /* local memory is ordinary memory (CL_GLOBAL) */
    bool quick;                         /* fewer points, smaller buffers: a rough description in seconds */
    bool events;                        /* the driver's event times are of use; else the host's clock */
    bool cpu_time; /* kernels run in this process: its CPU time is theirs, whatever else the machine does */
    uint64_t cache_bytes; /* CL_DEVICE_GLOBAL_MEM_CACHE_SIZE */
    char curve[2048];     /* latency over footprint, "KiB:ns" each, for whoever reads the file */
    uint64_t most_bytes;  /* of one buffer */
    unsigned repeats;
    double least_ns;      /* shortest run that is believed */
    unsigned done, steps; /* progress */
    unsigned nnotes;
    struct {
        char key[32], text[160];
    } note[CAL_NOTES];
    unsigned nunknown;
    char unknown[CAL_NOTES][160];
};

/* ---- calibrate_cl.c */

/* Open device `device` of platform `platform` (counted from 0, as clinfo lists them; -1: the first that has
 * any). 0 and everything above filled in, or -ENODEV with a message on stderr. */
int cal_open(struct cal *c, int platform, unsigned device);
void cal_close(struct cal *c);

/* A kernel named `k` from source; LANES, and with fp64 its pragma, are defined.  NULL
 * when it does not build. */
cl_kernel cal_kernel(const struct cal *c, const char *source, const char *options);

/* A buffer of zeros, and one filled from host memory; NULL on failure. */
cl_mem cal_zeros(const struct cal *c, size_t bytes);
cl_mem cal_buffer(const struct cal *c, const void *from, size_t bytes);

/* Bytes from the start of a buffer to its first address that is a multiple of CAL_ALIGN; 0 on failure.  Some
 * first-level caches choose a way by a hash of the address (AMD: its bits 12 to 27), and two pages on either
 * side of a great power of two throw each other out: a small footprint must not lie across one. */
#define CAL_ALIGN ((size_t)1 << 20)
size_t cal_skip(const struct cal *c, cl_mem m);

/* The time of one launch of a one-dimensional range, nanoseconds, by event or host
 * clock; negative on failure. */
double cal_launch(const struct cal *c, cl_kernel k, size_t global, size_t local);

/* The host's time from enqueue to finish. */
double cal_host(const struct cal *c, cl_kernel k, size_t global, size_t local);

/* Time per iteration of a kernel whose argument 0 (uint) counts iterations: the count is doubled until a run
 * takes least_ns, then runs are repeated, at least `repeats` and at most ten times as many, until the two
 * fastest agree to 2 %.  The fastest counts: whatever else the machine does makes a run slower.  Nanoseconds;
 * negative on failure. */
double cal_rate(const struct cal *c, cl_kernel k, size_t global, size_t local);

/* ---- the stages ------------------------------------------------------------------------------------ */
/* Each sets numbers of c->d with cal_note(), or says with cal_unknown() what it could not find out. */

void cal_memory(struct cal *c);
void cal_operations(struct cal *c);
void cal_overheads(struct cal *c);

/* ---- calibrate.c */

/* Where the number of `key` comes from: "measured: " is put in front.  A second note on a key replaces
 * the first. */
void cal_note(struct cal *c, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What could not be found out, and why; a comment of the file. */
void cal_unknown(struct cal *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Another of c->steps begins: `doing` says what, on stderr if that is a terminal. */
void cal_progress(struct cal *c, const char *doing);

/* Nanoseconds in cycles of the clock that the description names. */
static inline double cal_cycles(const struct cal *c, double ns)
{
    return ns * c->d.clock_mhz / 1000;
}

/* ---- calibrate_curve.c */

#define CURVE_LEVELS 4 /* three caches and memory */

/* Split a curve of latencies over growing footprints into 1 to CURVE_LEVELS flat pieces: least squares of the
 * logarithms, a further piece only where it is worth it, neighbours at least 1.6 times apart.  plateau[i] is
 * the median of piece i, last[i] the index of the last footprint that still belongs to it: up to a fifth of
 * the way to the next plateau.  The number of pieces. */
unsigned curve_levels(const double *latency, unsigned n, double plateau[CURVE_LEVELS],
                      unsigned last[CURVE_LEVELS]);

/* Index of the first value that is nearer to the last one than to the first (geometric middle), n if the
 * curve does not rise by a quarter. */
unsigned curve_step(const double *v, unsigned n);

#endif
