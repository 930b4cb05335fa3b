/* facts.h - proves the facts of analysis/summary.h from a kernel's body alone (no LLVM). */
#ifndef CLSIZER_ANALYSIS_FACTS_H
#define CLSIZER_ANALYSIS_FACTS_H

#include "analysis/summary.h"

/* Fill k->fact[], k->args[].may_read / may_write, k->has_*, k->needs_uniform, k->loops, k->access and k->open
 * from the body.  Requires: sum_check(k) == 0, signature filled.  Returns 0 or -ENOMEM.
 * Everything that cannot be proved gets a reason; the absence of a reason is the proof. */
int sum_derive_facts(struct kernel_summary *k);

#endif
