/* compare.h - is what two kernels wrote the same? */
#pragma once

#include "shim/site/variant.h"
#include "shim/tune/sandbox.h"

enum verified {
    VERIFIED_EQUAL,
    VERIFIED_DIFFERENT, /* *detail says where, in words */
    VERIFIED_NOT,       /* it cannot run on copies, or the driver refused something; *detail: why, a reason */
    VERIFIED_LATER      /* nothing may be waited for now */
};

/* Compare the copies in `b` with those in `with`, or with the originals if that has none: bit by bit, or,
 * where the kernel's arguments say that there is nothing but floating-point numbers, within a relative
 * `tolerance` above 0.  Waits for the launch's queue.  words: where they differ. */
enum verified compare_copies(const struct launching *l, const struct sandbox *b, const struct sandbox *with,
                             double tolerance, char words[96]);
