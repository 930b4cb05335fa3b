/* launch.h - one kernel launch as the application asked for it, free of OpenCL types. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes kept of a scalar, vector or struct that is passed by value. */
#define LAUNCH_ARG_BYTES 64

/* An argument value as it stands at the launch.  Kind as in the kernel summary. */
struct launch_arg {
    bool set;      /* false: never set, or set in a way that was not seen: nothing is known */
    uint32_t size; /* bytes given to clSetKernelArg; __local arguments: bytes of local memory */
    uint8_t
        value[LAUNCH_ARG_BYTES]; /* what is passed by value, little endian; its first bytes if it is larger */
    uint64_t memory; /* buffers and images: identity of the underlying memory object (the parent of a
                        sub-buffer) or allocation, 0 for NULL */
    uint64_t offset; /* buffers: bytes from the start of `memory` */
    uint64_t bytes;  /* buffers: size; pointers into an allocation: all of its; images: total size if known,
                        else 0 */
    uint8_t components; /* images: those of a colour that it keeps (bit 0: x); 0: not known */
    bool opaque;        /* what it reaches is unknown: SVM or device pointers, for example */
    bool bounded; /* an integer: proofs hold for all values from `least` to `most`, not for `value` alone;
                     0 <= least, and most fits the signed type of this size */
    int64_t least, most;
    bool released; /* ... because the object may be gone: nobody may ask about it */
};

/* Where it may depend on the local size what becomes of integers of which the language leaves it open,
 * because the driver has other code for other sizes (overflow.c). */
enum launch_open {
    LAUNCH_OPEN_NOWHERE,
    LAUNCH_OPEN_EXTENDED,  /* where a result that overflowed is extended, and where it traps */
    LAUNCH_OPEN_EVERYWHERE /* where more than its lowest bits matter, and where it traps */
};

struct launch {
    unsigned dim;     /* 1..3 */
    size_t global[3]; /* unused dimensions are 1 */
    size_t offset[3]; /* unused dimensions are 0 */
    size_t local[3];  /* the application's local size; all 0 when it passed NULL */
    enum launch_open open;
    bool reorders;   /* the driver may change the order in which a work-item touches an array (order.h) */
    bool reloads;    /* the driver may load a value again where it is used (reload.c) */
    bool ends_loops; /* the driver may end loops before the kernel does (loop_limit.c) */
    bool own_groups; /* no other local size than the application's is asked about (intervals.c) */
    unsigned nargs;
    const struct launch_arg *args;
    const struct launch *whole; /* the launch of which this one is a group (sel_judge()); NULL */
};

static inline bool launch_has_local(const struct launch *l)
{
    return l->local[0] != 0;
}

/* Does it stand for launches with other arguments, too? */
static inline bool launch_is_several(const struct launch *l)
{
    for (unsigned i = 0; i < l->nargs; i++)
        if (l->args[i].bounded)
            return true;
    return false;
}

static inline size_t launch_items(const struct launch *l)
{
    return l->global[0] * l->global[1] * l->global[2];
}

static inline bool launch_same_size(const size_t a[3], const size_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Is the size one of the n that stand in `list`, one after another? */
static inline bool launch_among(const size_t *list, size_t n, const size_t size[3])
{
    while (n--)
        if (launch_same_size(list + 3 * n, size))
            return true;
    return false;
}
