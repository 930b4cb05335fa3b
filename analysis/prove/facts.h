/* facts.h - proves the facts of analysis/summary/summary.h from the body of a kernel (without LLVM). */
#pragma once

#include "analysis/summary/summary.h"

/* Fill k->fact[], k->args[].may_read / may_write, k->has_*, k->needs_uniform, k->id_bits, k->loops, k->access
 * and k->undef from the body.  Requires sum_check(k) == 0 and the signature.  A fact that cannot be proved
 * gets a reason; one without a reason is proved. */
void sum_derive_facts(struct kernel_summary *k);
