/* arguments.h - the arguments of a launch, as proofs need them. */
#pragma once

#include "shim/site/launching.h"

/* Kernels with more arguments are left alone: what describes those of a launch is kept on the stack. */
#define ARGS_MOST 256

/* The launch as select/ wants it, with its arguments, which are written to `args`: that has room for as many
 * as its kernel has.  The kernel has a summary. */
struct launch args_describe(const struct launching *l, struct launch_arg *args);

/* The same by a summary that its kernel has, or would have if it were not left alone. */
struct launch args_describe_as(const struct launching *l, const struct kernel_summary *k,
                               struct launch_arg *args);

/* Hash of everything that a proof depends on beside the site's key: the offset, which memory objects are
 * passed, and the scalars that decide where memory is touched.  The arguments whose bits are set in `without`
 * are left out: of the first 63.  Cheap, for every launch needs it; never 0. */
uint64_t args_fingerprint(const struct launching *l, uint64_t without);

/* As args_fingerprint(), but of memory objects only what proofs see of them: their sizes and how they
 * overlap.  So a program that makes new buffers for every launch needs no new proofs.  The arguments whose
 * bits are set in `without` are left out: of the first 63.  `args` are described; asks the driver nothing;
 * never 0. */
uint64_t args_layout(const struct launching *l, const struct launch_arg *args, uint64_t without);

/* Does a proof depend on the argument? */
bool args_matter(const struct shim_site *s, unsigned argument);
