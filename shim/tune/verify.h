/* verify.h - does a variant write what the program's kernel writes?  The variant runs on copies of what the
 * program's launch is to write; then that is made as the program asked, and both are compared.
 * Of a launch that may be made in parts, both run a little on copies first; of a long one that the budget
 * does not pay for, no more than a larger part.  A short one both make on copies alone, several times.  Where
 * the driver may round them differently, both make it on random numbers, too (noise.h). */
#pragma once

#include "shim/tune/compare.h"

struct verification {
    bool made;                  /* the launch was; else it is still to be made */
    cl_int error;               /* the launch's, if it was made */
    int64_t own_ns, variant_ns; /* the shortest; own_ns of a whole launch is the host's; of a part both are as
                                   long as the whole would take */
    const char *detail;         /* VERIFIED_DIFFERENT and VERIFIED_NOT */
};

/* Makes the launch as the program asked. */
typedef cl_int verify_launch(const struct launching *l);

/* What the account will pay for verifying the variant, in ns, as far as it can be told before. */
double verify_cost_ns(const struct launching *l, struct variant *v);

/* Kernel time of the little with which verifying begins if the variant has this size, in ns; of the whole
 * launch if it cannot make less. */
double verify_least_ns(const struct launching *l, const struct variant *v, const size_t local[3]);

/* Make the launch with `launch`, unless a part of it is enough, run it with the variant (`local`: its size)
 * as well, and compare bit by bit, or floating-point numbers within the variant's tolerance.  Waits for both;
 * the account pays for what is not the launch itself.  Site locked; variant_build() has succeeded. */
enum verified verify_variant(const struct launching *l, struct variant *v, const size_t local[3],
                             verify_launch *launch, struct verification *out);

/* The time of the whole launch with a variant that is verified, and another size of its, as a part on copies
 * tells it; INT64_MAX: it does not.  On the account.  Site locked. */
int64_t verify_time(const struct launching *l, struct variant *v, const size_t local[3]);
