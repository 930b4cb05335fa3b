/* guest.h - the application's thread is lent to us.
 *
 * While we compute on it, it cannot be cancelled and no floating-point exception traps; afterwards its flags
 * and traps are what they were.  Rounding and the treatment of denormal numbers stay the application's
 * throughout: drivers may execute kernels on this very thread. */
#ifndef CLSIZER_SHIM_GUEST_H
#define CLSIZER_SHIM_GUEST_H

#include <stdbool.h>

struct guest {
    int cancel;
    unsigned long control, flags; /* of floating point, as the processor has them */
};

/* Between these two, calls nest. */
void guest_begin(struct guest *g);
void guest_end(const struct guest *g);

/* Is the calling thread in between?  Then a signal handler has interrupted us, or the driver called back:
 * locks of ours may be held for good. */
bool guest_inside(void);

#endif
