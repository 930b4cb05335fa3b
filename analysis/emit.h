/* emit.h - `clsizer analyze --emit`: kernels in another shape, as text.  Helper only. */
#ifndef CLSIZER_ANALYSIS_EMIT_H
#define CLSIZER_ANALYSIS_EMIT_H

#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/request.h"

/* Print the kernel of that name, or all if `kernel` is NULL, in the shape that `how` says: "wide=N" or
 * "wide=N:D", N neighbours along dimension D (0) as vectors, or likewise "lanes=N", in loops; or
 * as it is, "kernel".  `from_c`: it is made of single-threaded C (from_c.h).  Kernels that do not come in it,
 * or not with `driver` (NULL: any), are told with the reason, on stderr.  The exit status: 0; 1 when nothing
 * was printed; 2 when `how` is not understood. */
int emit_command(const struct req *r, const struct driver *driver, const char *how, const char *kernel,
                 bool from_c);

#endif
