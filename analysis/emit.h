/* emit.h - `clsizer analyze --emit`: kernels in another shape, as text.  Helper only. */
#pragma once

#include "analysis/rewrite/rewrite.h"
#include "analysis/summary/driver_quirks.h"

/* The shape that `how` says: "wide=N" or "wide=N:D", N neighbours along dimension D (0) as vectors, or
 * likewise "lanes=N", in loops; or as it is, "kernel".  False, and told, if it is none of these. */
bool emit_shape(const char *how, struct rewrite_shape *shape);

/* Print the kernel of that name, or all if `kernel` is NULL, of a program that was rewritten.  Kernels that
 * do not come in the shape, or not with `driver` (NULL: any), are told with the reason, on stderr.  The exit
 * status: 0; 1 when nothing was printed. */
int emit_program(struct program_summary *p, const struct driver *driver, const char *kernel);
