/* verify.h - does a variant write what the program's kernel writes?  Both run on copies, and are compared. */
#ifndef CLSIZER_SHIM_VERIFY_H
#define CLSIZER_SHIM_VERIFY_H

#include "shim/site/variant.h"

enum verified {
    VERIFIED_EQUAL,
    VERIFIED_DIFFERENT, /* *detail says where, in words */
    VERIFIED_NOT,       /* it cannot run on copies, or the driver refused something; *detail: why, a reason */
    VERIFIED_LATER      /* nothing may be waited for now */
};

/* Run the launch with the program's kernel and with the variant (`local`: its size), each on copies of its
 * own of what the kernel writes, and compare these bit by bit.  *took: times in ns, the program's kernel's
 * first; by events or from the host.  Waits for both; the account pays.  The launch itself is not made.  Site
 * locked; variant_build() has succeeded. */
enum verified verify_variant(const struct launching *l, struct variant *v, const size_t local[3],
                             int64_t took[2], const char **detail);

#endif
