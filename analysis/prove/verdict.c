/* verdict.c - see verdict.h. */
#include "analysis/prove/verdict.h"

#include <inttypes.h>

/* Limits that mention loops which mention loops: how far is looked. */
#define MAX_DEPTH 6

static bool bounded_poly(const struct kernel_summary *k, const struct sum_poly *p, unsigned depth);

static bool has_bound(const struct kernel_summary *k, const struct sum_loop *l, unsigned depth)
{
    return (l->bounded || l->step > 0 || l->step_poly.nterm > 0) &&
           (depth == MAX_DEPTH || bounded_poly(k, &l->limit, depth + 1));
}

static bool bounded_poly(const struct kernel_summary *k, const struct sum_poly *p, unsigned depth)
{
    for (uint32_t t = 0; t < p->nterm; t++)
        for (uint32_t i = 0; i < p->term[t].nsym; i++) {
            const struct sum_sym *s = &p->term[t].sym[i];
            if (s->kind == SUM_SYM_LOOP && !has_bound(k, &k->loops[s->index], depth))
                return false;
        }
    return true;
}

/* Does a place depend on a loop whose end is not known? */
static bool unbounded(const struct kernel_summary *k, const struct sum_access *a)
{
    for (uint32_t c = 0; c < a->ncoord; c++)
        if (!bounded_poly(k, &a->coord[c], 0))
            return true;
    return false;
}

struct verdict {
    const char *reason; /* static */
    uint32_t line;
    const char *detail; /* static, or owned by the kernel; may be NULL */
};

static struct verdict verdict_of(const struct kernel_summary *k, const struct driver *driver)
{
    struct verdict v = {.reason = "tunable"};
    const struct sum_verdict *s = &k->fact[SUM_FACT_S];
    if (s->reason != SUM_R_NONE)
        return (struct verdict){sum_reason_name(s->reason), s->line, s->detail};
    const char *problem = driver ? drv_compiler_problem(k, driver, false, false, &v.detail) : NULL;
    if (problem)
        return (struct verdict){.reason = problem, .detail = v.detail};
    for (uint32_t i = 0; i < k->naccess; i++) {
        const struct sum_access *a = &k->access[i];
        bool lost = !a->affine;
        if (!k->args[a->arg].may_write || (!lost && !unbounded(k, a)) || sum_order_is_free(k, a->arg))
            continue;
        return (struct verdict){lost ? "scattered-writes" : "unbounded-loop", k->insns[a->insn].line,
                                k->args[a->arg].name};
    }
    return v;
}

void verdict_print(const struct kernel_summary *k, const struct driver *driver, FILE *f)
{
    static const char letters[SUM_FACTS + 1] = "S012IAU";
    struct verdict v = verdict_of(k, driver);
    fprintf(f, "%s\t", k->name);
    for (unsigned i = 0; i < SUM_FACTS; i++)
        fputc(sum_proved(k, (enum sum_fact)i) ? letters[i] : '-', f);
    fprintf(f, "\t%s\t%" PRIu32 "\t%s\n", v.reason, v.line, v.detail ? v.detail : "-");
}
