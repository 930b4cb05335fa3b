/* facts.h - proves the facts of analysis/summary/summary.h from the body of a kernel (without LLVM). */
#pragma once

#include "analysis/summary/summary.h"

/* Fill k->fact[], k->args[].may_read / may_write, k->has_*, k->needs_uniform, k->id_bits, k->loops, k->access
 * and k->undef from the body.  Requires sum_check(k) == 0 and the signature.  A fact that cannot be proved
 * gets a reason; one without a reason is proved. */
void sum_derive_facts(struct kernel_summary *k);

/* k->parts_at_loops of a body in which no loop has been unrolled.  Requires sum_check(k) == 0. */
bool sum_parts_at_loops(struct kernel_summary *k);

/* A kernel as one of its groups sees it (group_view.c): the kernel whose launches are the groups of k's, with
 * its facts; NULL: it cannot be said so.  Of S it says that all of a group meet at its barriers.  Requires
 * sum_check(k) == 0.  To be released with sum_free_kernel() and free(). */
struct kernel_summary *group_view(const struct kernel_summary *k);
