/* proof.c - see proof.h. */
#include "analysis/prove/proof.h"
#include <stdarg.h>
#include <stdio.h>

/* Is it about what a group is?  Who leaves the groups as they are need not mind. */
static bool is_of_groups(enum sum_reason r)
{
    switch (r) {
    case SUM_R_BARRIER:
    case SUM_R_LOCAL_MEMORY:
    case SUM_R_REQD_SIZE:
    case SUM_R_SIZE_OBSERVED:
    case SUM_R_LOCAL_ID_OBSERVED:
    case SUM_R_GROUP_ID_OBSERVED:
    case SUM_R_NUM_GROUPS_OBSERVED:
        return true;
    default:
        return false;
    }
}

void proof_refuse(struct kernel_summary *k, enum sum_fact f, enum sum_reason r, uint32_t insn,
                  const char *fmt, ...)
{
    struct sum_verdict *v = &k->fact[f];
    va_list ap;
    if (f == SUM_FACT_S && !is_of_groups(r))
        k->only_groups = false;
    if (v->reason != SUM_R_NONE)
        return;
    v->reason = r;
    v->line = insn == CFG_NONE ? 0 : k->insns[insn].line;
    va_start(ap, fmt);
    if (vasprintf(&v->detail, fmt, ap) < 0)
        v->detail = NULL;
    va_end(ap);
}
