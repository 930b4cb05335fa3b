/* copy_arg.h - giving a kernel of ours an argument that the application gave one of its own. */
#pragma once

#include "shim/object/kernels.h"

/* Are all bytes of the argument known, and how it was set? */
bool copy_arg_possible(const struct shim_arg *a);

/* Set argument `index` of `to` as the application set `a`.  False: that is not possible, or the driver
 * refuses.  Pre: the object that `a` names, if any, has not been released since. */
bool copy_arg(cl_kernel to, cl_uint index, const struct shim_arg *a);
