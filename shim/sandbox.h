/* sandbox.h - running a kernel without touching what the application sees: a private kernel object whose
 * written buffers are copies ([D] hybrid and swap-based profiling).
 *
 * Made for one launch and released with it; commands still under way keep what they need.  The site is
 * locked, and the launch's wait list is complete. */
#ifndef CLSIZER_SHIM_SANDBOX_H
#define CLSIZER_SHIM_SANDBOX_H

#include "shim/launch.h"

#define SANDBOX_COPIES 16

struct sandbox {
    cl_kernel kernel; /* NULL: not open */
    unsigned n;
    struct {
        cl_mem original, copy;
        size_t size; /* bytes */
    } buffer[SANDBOX_COPIES];
};

/* Why the launch cannot run on copies, NULL if it can: written images, written buffers that overlap other
 * arguments, more bytes than the option allows, arguments that were not seen.  Static string. */
const char *sandbox_problem(const struct launching *l);

/* Why the copies cannot take the originals' place, NULL if they can: other queues may write other parts of
 * the same buffers, and the application's event must be that of a kernel.  Static string. */
const char *sandbox_swap_problem(const struct launching *l);

/* Make kernel and copies; false, and nothing is left behind, when the driver refuses.
 * Pre: sandbox_problem() is NULL. */
bool sandbox_open(struct sandbox *b, const struct launching *l);

/* Enqueue copies of the originals as they are when the queue gets there.  *filled is the caller's and
 * completes last.  False when the driver refuses; what it took concerns the copies only. */
bool sandbox_fill(const struct sandbox *b, const struct launching *l, cl_event *filled);

/* Enqueue the way back.  False when the driver refuses; *partial: some buffers went back. */
bool sandbox_commit(const struct sandbox *b, const struct launching *l, bool *partial);

void sandbox_close(struct sandbox *b);

#endif
