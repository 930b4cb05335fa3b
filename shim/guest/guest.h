/* guest.h - computing on a thread that belongs to the application.
 *
 * Meanwhile the thread cannot be cancelled and no floating-point exception traps; afterwards its flags and
 * traps are what they were, and so is errno.  The rounding mode and the treatment of denormal numbers stay
 * the application's throughout, because drivers may execute kernels on this very thread. */
#pragma once

#include <stdbool.h>

/* The state to restore. */
struct guest {
    int cancel, error;            /* pthread_setcancelstate(), errno */
    unsigned long control, flags; /* of floating point, in the processor's own format */
};

/* Around everything that is computed or enqueued on the application's thread; pairs nest. */
void guest_begin(struct guest *g);
void guest_end(const struct guest *g);

/* Is the calling thread between guest_begin() and guest_end()?  Then we are called from a signal handler that
 * interrupted us, or from a callback of the driver: locks of ours may be held, perhaps forever. */
bool guest_inside(void);

/* Does the calling thread run on its own stack, with enough of it left for proofs and the model?  A coroutine
 * runs on another stack, whose size nobody knows. */
bool guest_has_stack(void);
