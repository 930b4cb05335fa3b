/* arguments.h - the arguments of a launch, as proofs need them. */
#ifndef CLSIZER_SHIM_ARGUMENTS_H
#define CLSIZER_SHIM_ARGUMENTS_H

#include "shim/site.h"

/* The launch's arguments as select/ wants them; `args` has room for k->nargs. */
void args_describe(const struct shim_site *s, const struct shim_kernel *k, struct launch_arg *args);

/* Hash of everything that a proof depends on and that the site's key does not hold. */
uint64_t args_fingerprint(const struct shim_site *s, const struct shim_kernel *k, const struct launch *l);

/* The same of what matters about the arguments, whatever the memory objects are: how large they are and how
 * they overlap.  Programs make new buffers for every launch.  `l` with the arguments described. */
uint64_t args_layout(const struct shim_site *s, const struct shim_kernel *k, const struct launch *l);

/* The application takes another reference to a memory object or sampler, or lets go of one: another object
 * may get the handle. */
void args_retained(const void *handle);
void args_released(const void *handle);

/* How often the application gave up its last reference to what may be this handle, or others. */
unsigned args_gone(const void *handle);

#endif
