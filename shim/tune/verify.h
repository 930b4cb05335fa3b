/* verify.h - does a variant write what the program's kernel writes?  The variant runs on copies of what the
 * program's launch is to write; then that is made as the program asked, and both are compared.
 * Of a launch that may be made in parts, both run a little on copies first; of a long one that the budget
 * does not pay for, no more than a larger part.  A short one both make on copies alone, several times; any
 * launch before, for a variant of the user's.  Where the driver may round them differently, both make it on
 * random numbers, too (noise.h).  What was proved is looked at likewise: that another local size writes the
 * same, of the program's kernel or of the variant. */
#pragma once

#include "shim/tune/compare.h"

struct verification {
    bool made;                  /* the launch was; else it is still to be made */
    cl_int error;               /* the launch's, if it was made */
    int64_t own_ns, variant_ns; /* the shortest; own_ns of a whole launch is the host's; of a part both are as
                                   long as the whole would take */
    int64_t build_ns;           /* of a part: what the variant's first run took beyond its time */
    const char *detail;         /* VARIANT_DIFFERS and VARIANT_NEVER */
};

/* Makes the launch as the program asked. */
typedef cl_int verify_launch(const struct launching *l);

/* What the account will pay for verifying the variant, in ns, as far as it can be told before. */
double verify_cost_ns(const struct launching *l, struct variant *v);

/* Kernel time of the little with which verifying begins if the variant has this size, in ns; of the whole
 * launch if it cannot make less. */
double verify_least_ns(const struct launching *l, const struct variant *v, const size_t local[3]);

/* Why the variant could not be verified by this launch, whatever it does: in words, or NULL.  Asks the driver
 * for sizes.  Site locked. */
const char *verify_problem(const struct launching *l, const struct variant *v);

/* Make the launch with `launch`, unless a part of it is enough, run it with the variant (`local`: its size)
 * as well, and compare bit by bit, or floating-point numbers within the variant's tolerance.  Waits for both;
 * the account pays for what is not the launch itself.  Site locked; variant_build() has succeeded. */
enum variant_result verify_variant(const struct launching *l, struct variant *v, const size_t local[3],
                                   verify_launch *launch, struct verification *out);

/* Does a variant that is verified write the same with another size?  `v` NULL: does the program's kernel?
 * Both kernels run on copies of what a short part of the launch is to write: the slice `of` it; NULL: its
 * beginning.  VARIANT_NEVER: that is not possible, takes too long, or nothing is to be waited for.  The
 * account pays.  Site locked. */
enum variant_result verify_size(const struct launching *l, struct variant *v, const size_t local[3],
                                const struct prof_range *of, struct verification *out);

/* Likewise, on a part of a long launch that is long enough to show how long the whole would take:
 * out->variant_ns. */
enum variant_result verify_long(const struct launching *l, struct variant *v, const size_t local[3],
                                struct verification *out);
