/* arguments.h - the arguments of a launch, as proofs need them. */
#ifndef CLSIZER_SHIM_ARGUMENTS_H
#define CLSIZER_SHIM_ARGUMENTS_H

#include "shim/site/site.h"

/* Kernels with more arguments are left alone: what describes those of a launch is kept on the stack. */
#define ARGS_MOST 256

/* The launch's arguments as select/ wants them; `args` has room for k->nargs. */
void args_describe(const struct shim_site *s, const struct shim_kernel *k, struct launch_arg *args);

/* Hash of everything that a proof depends on beside the site's key: the offset, which memory objects are
 * passed, and the scalars that decide where memory is touched.  Cheap, for every launch needs it; never 0. */
uint64_t args_fingerprint(const struct shim_site *s, const struct shim_kernel *k, const struct launch *l);

/* The same, but of memory objects only what proofs see of them: their sizes and how they overlap.  So a
 * program that makes new buffers for every launch needs no new proofs.  `l->args` must be described; asks the
 * driver nothing; never 0. */
uint64_t args_layout(const struct shim_site *s, const struct shim_kernel *k, const struct launch *l);

/* The application takes another reference to a memory object or sampler, or lets go of one.  Counted per slot
 * of a table, by a hash of the handle: other handles may share the slot, and once one of them was retained
 * each of their releases counts as that of a last reference, which costs a proof at worst. */
void args_retained(const void *handle);
void args_released(const void *handle);

/* How often a last reference in the handle's slot was, or may have been, given up.  When that differs from
 * what it was when an argument was set, its object may be gone. */
unsigned args_gone(const void *handle);

#endif
