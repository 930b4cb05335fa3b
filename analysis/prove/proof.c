/* proof.c - see proof.h. */
#include "analysis/prove/proof.h"
#include <stdarg.h>
#include <stdio.h>

void proof_refuse(struct kernel_summary *k, enum sum_fact f, enum sum_reason r, uint32_t insn,
                  const char *fmt, ...)
{
    struct sum_verdict *v = &k->fact[f];
    va_list ap;
    if (v->reason != SUM_R_NONE)
        return;
    v->reason = r;
    v->line = insn == CFG_NONE ? 0 : k->insns[insn].line;
    va_start(ap, fmt);
    if (vasprintf(&v->detail, fmt, ap) < 0)
        v->detail = NULL;
    va_end(ap);
}
