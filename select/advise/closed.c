/* closed.c - see closed.h. */
#include "select/advise/closed.h"

double closed_occupied(const struct subject *s, const struct est_case *e, double times)
{
    struct bounds b;
    double cycles;
    est_bounds(s->w, e, &b, &cycles);
    return est_time(&s->e, s->e.same->closed) * times / est_time(e, cycles);
}

/* How many rows a buffer of `bytes` has; where that is not known, as many as there are work-items along the
 * longest dimension. */
static uint64_t rows_of(const struct launch *l, uint64_t bytes, uint64_t row)
{
    uint64_t most = 1;
    for (unsigned d = 0; d < 3; d++)
        most = l->global[d] > most ? l->global[d] : most;
    return bytes >= row ? bytes / row : most;
}

double closed_transposed(const struct subject *s, uint32_t insn)
{
    const struct kernel_summary *k = s->w->k;
    const struct sum_insn *in = &k->insns[insn];
    const uint32_t root = memory_root(k, k->opnds[in->opnd]);
    const uint64_t row = sel_magnitude(s->w->stride[insn].by[0]);
    if (root == CFG_NONE || k->insns[root].op != SUM_ARG || !in->bytes || row % in->bytes)
        return 0;
    const struct launch *l = s->w->l;
    const uint32_t arg = (uint32_t)k->insns[root].imm;
    const uint64_t bytes = arg < l->nargs ? l->args[arg].bytes : 0;
    const struct trace_layout y = {arg, in->bytes, row, rows_of(l, bytes, row)};
    struct subject moved;
    const int r = subject_transposed(s, &y, &moved);
    const double then = r == 0 && moved.c.state != SEL_INFEASIBLE ? moved.c.time_ns : 0;
    subject_close(&moved);
    return then > 0 ? est_time(&s->e, s->e.same->closed) / then : 0;
}
