/* variant_launch.h - makes one launch with a variant of its kernel. */
#pragma once

#include "shim/site/variant.h"

/* Have the variant's private kernel built for the launch's kernel, if there is none yet.  The caller waits
 * for the driver's compiler.  VARIANT_WORKS: there is one; VARIANT_NEVER: a reason's name is in *reason. */
enum variant_result variant_build(const struct launching *l, struct variant *v, const char **reason);

struct private_kernel;

/* The variant's private kernel for the launch's program and device; NULL: it has not been built. */
struct private_kernel *variant_private(const struct launching *l, const struct variant *v);

/* That with the launch's arguments, for private_give_back(); NULL as private_take(). */
cl_kernel variant_take(const struct launching *l, const struct variant *v, struct private_kernel *p);

/* Enqueue the launch with the variant and this local size, which counts the variant's work-items (all 0: the
 * driver's choice), as a whole.  The application gets its event.  `watch` (may be NULL) as in launch_with().
 * Unless VARIANT_WORKS, nothing was enqueued: VARIANT_LATER: it does not do this launch's work, or is in use;
 * VARIANT_NEVER: it does not build, or the driver refused it, *reason.  Pre: what launch_may_vary() says no
 * to is not tried. */
enum variant_result variant_launch(const struct launching *l, struct variant *v, const size_t local[3],
                                   struct site_pending *watch, const char **reason);
