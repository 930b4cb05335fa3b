/* device.h - a device as the static model sees it, and where its numbers come from.
 *
 * One description serves GPUs and CPUs; what a unit and a warp are: docs/glossary.md, "The model".
 *
 * Units: cycles of the core clock unless the name says otherwise.  [W] Table 1 and 3, [C] Tables 1 and 3.
 *
 * Description files (*.dev): one `key = value unit  # provenance` per line; provenance starts with one of
 * datasheet, measured, assumed.  Unknown keys, missing units and missing provenance are errors,
 * reported as `file:line: message`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "analysis/summary/summary.h"

#define DEV_LEVELS 3 /* cache levels described, nearest first; DRAM comes after the last */

struct dev_cache {
    uint64_t bytes; /* capacity, of least recently used lines anywhere; 0 = level absent */
    uint32_t line_bytes;
    bool shared;    /* one for the whole device (else one per unit) */
    double latency; /* cycles from issue to data on a hit */
    double delay;   /* cycles between two transactions leaving (departure delay) */
};

struct device {
    char name[128];
    char driver_name[64]; /* what its driver calls it where that is not `name`; empty = it does */
    bool is_cpu;          /* warps do not wrap from one row of the work-group to the next */
    double clock_mhz;
    uint32_t units; /* N_SM */
    uint32_t warp;  /* T_warp: lanes */
    /* residency limits; 0 = unlimited ([W] eq. 1-7) */
    uint32_t max_group_items;
    uint32_t max_groups_unit;   /* B_wg_SM */
    uint32_t max_warps_unit;    /* B_warp_SM */
    uint32_t regs_unit;         /* B_reg_SM, 32-bit registers */
    uint32_t regs_group;        /* B_reg_wg */
    uint32_t regs_item;         /* B_reg_wi */
    uint32_t reg_grain;         /* G_reg: registers, allocation granularity per warp */
    uint32_t warp_grain;        /* G_warp */
    uint64_t local_unit_bytes;  /* B_sm_SM */
    uint64_t local_group_bytes; /* B_sm_wg */
    uint32_t local_grain_bytes; /* G_sm */
    /* execution: latency of one warp instruction, and delay until the same unit takes the next */
    double latency[SUM_C_COUNT];
    double delay[SUM_C_COUNT];
    /* memory */
    struct dev_cache cache[DEV_LEVELS]; /* global memory path */
    double dram_latency, dram_delay;    /* per transaction of the last level's line */
    uint32_t line_bytes;                /* transaction size of the first level */
    double local_latency, local_delay;
    uint32_t local_banks, local_bank_bytes;
    double constant_latency, constant_delay; /* hit */
    /* overheads, nanoseconds */
    double launch_ns;  /* one empty launch, enqueue to finish */
    double group_ns;   /* dispatch of one more work-group, on one unit */
    double compile_ns; /* first launch of a local size never launched before */
    bool oldest_first; /* warp scheduling: greedy-then-oldest instead of round robin */
    /* optional, default 0 or no */
    uint32_t segment_bytes; /* GPU: what moves of a line that is touched at its rim; 0: all of it */
    double
        row_ns; /* CPU: each further row of a work-group, on one unit: the loop over its work-items starts */
    uint32_t row_min;   /* CPU: shorter rows of work-items are unrolled, not vectorised */
    uint32_t row_ops;   /* CPU: rows of at most so many operations, over all work-items, have no loop */
    double row_loop;    /* CPU: cycles that each vector of a longer row, not of a column, holds the arithmetic
                           besides */
    double masked_wait; /* CPU: what a load from DRAM may take longer whose vector has a mask, cycles */
    double inst_cycle;  /* GPU: of an average instruction; 0: the mean of delay.iadd and delay.fma */
    double local_fill; /* GPU: from the request of an element until it is in local memory; 0: the latencies of
                          the last cache level and of DRAM */
    /* between the host's memory and its own, none on devices that share it: size / min(peak, slope * size +
     * offset), MB and MB/s ([R] eq. 4.2); ns until it can be used at all */
    double link_peak, link_slope, link_offset, context_ns;
    bool scalar_loops; /* CPU: kernels in which a loop remains are not vectorised across work-items */
};

/* Parse a description.  `text` is `size` bytes, `file` is the name for messages.  0 and *out filled, or
 * -EINVAL with a message "file:line: what" in msg (always terminated). */
int dev_parse(const char *file, const char *text, size_t size, struct device *out, char *msg,
              size_t msg_size);

/* Read a description file.  0, negative errno if it cannot be read, or -EINVAL; msg as dev_parse(). */
int dev_load(const char *path, struct device *out, char *msg, size_t msg_size);

/* Built-in descriptions (compiled in from the .dev files here): by file name without ".dev" ("generic-cpu",
 * "generic-gpu"), NULL if unknown.  dev_builtin_at enumerates; NULL at the end. */
const struct device *dev_builtin(const char *name);
const struct device *dev_builtin_at(unsigned i, const char **name);

/* The built-in description that a user means with `what`: the file's or the device's name in any case, else
 * the one description whose file name or name `what` is a part of ("k620"), else the one that dev_named()
 * gives. 0 and *out, -ENOENT, or -ENOTUNIQ when it is a part of several. */
int dev_find(const char *what, const struct device **out);

/* The built-in description of the device that a driver calls `device_name` (CL_DEVICE_NAME: "NVIDIA H200"):
 * the one whose name is the longest that `device_name` holds as whole words, in any case.  NULL if none is;
 * the generic ones never are. */
const struct device *dev_named(const char *device_name);

/* The built-in description that is nearest to other devices of NVIDIA's with this compute capability (89 for
 * 8.9): one of the same architecture, or of what came of it.  NULL if none is. */
const struct device *dev_of_capability(uint32_t capability);

/* What an OpenCL driver tells about the device at hand.  0 = not told. */
struct dev_traits {
    bool is_cpu;
    uint32_t units; /* CL_DEVICE_MAX_COMPUTE_UNITS */
    uint32_t clock_mhz;
    uint32_t max_group_items;
    uint32_t warp;        /* preferred work-group size multiple, or native float vector width on a CPU */
    uint32_t line_bytes;  /* CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE */
    uint64_t cache_bytes; /* CL_DEVICE_GLOBAL_MEM_CACHE_SIZE */
    uint64_t local_bytes; /* CL_DEVICE_LOCAL_MEM_SIZE */
    const char *name;     /* CL_DEVICE_NAME */
    uint32_t capability;  /* NVIDIA's compute capability, 89 for 8.9 */
    bool masks;           /* vectors have masks where their work-items may part, and wait (masked_wait) */
};
/* X(member): all but the name. */
#define DEV_TRAITS(X)                                                                                        \
    X(is_cpu)                                                                                                \
    X(units)                                                                                                 \
    X(clock_mhz)                                                                                             \
    X(max_group_items)                                                                                       \
    X(warp)                                                                                                  \
    X(line_bytes)                                                                                            \
    X(cache_bytes)                                                                                           \
    X(local_bytes)                                                                                           \
    X(capability)                                                                                            \
    X(masks)

/* The description of the device at hand: the built-in one of its name, else that of its compute capability,
 * else the generic one.  What the driver tells replaces what is written there: units, largest group and local
 * memory; in one of its name also the clock (the board's bandwidth and the time of its DRAM stay), in a
 * generic one everything, and in one of a CPU all but the vectors' width.  Without `masks` nothing waits for
 * them. */
void dev_from_traits(const struct dev_traits *t, struct device *out);

/* The built-in description of these, by name or capability; NULL: the generic one. */
const struct device *dev_described(const struct dev_traits *t);
