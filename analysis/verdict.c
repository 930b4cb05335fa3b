/* verdict.c - see verdict.h. */
#include "analysis/verdict.h"

#include "analysis/prove/must.h"
#include "analysis/summary/driver_compiler.h"
#include "select/select.h"

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
    const char *detail;        /* static, owned by the kernel, or launch.detail; may be NULL */
    bool some;                 /* there may be launches of which that is not true */
    struct sel_verdict launch; /* if it is found there */
};

/* Where the kernel writes what may be any place, or without an end in sight. */
static void find_lost(const struct kernel_summary *k, struct verdict *v)
{
    for (uint32_t i = 0; i < k->naccess && !v->reason; i++) {
        const struct sum_access *a = &k->access[i];
        bool lost = !a->affine;
        if (!k->args[a->arg].may_write || (!lost && !unbounded(k, a)) || sum_order_is_free(k, a->arg))
            continue;
        v->reason = lost ? "scattered-writes" : "unbounded-loop";
        v->line = k->insns[a->insn].line;
        v->detail = k->args[a->arg].name;
    }
}

/* What launches of a kernel with S meet, wherever they write. */
static void find_open(const struct kernel_summary *k, const struct driver *driver, struct verdict *v)
{
    const enum sel_chance chance = sel_judge_any(k, driver, &v->launch);

    if (chance == SEL_CHANCE_GOOD)
        return;
    v->reason = sel_reason_name(v->launch.reason);
    v->detail = v->launch.detail;
    v->some = chance == SEL_CHANCE_FEW;
}

static void find_verdict(const struct kernel_summary *k, const struct driver *driver, struct verdict *v)
{
    const struct sum_verdict *s = &k->fact[SUM_FACT_S];

    *v = (struct verdict){0};
    if (s->reason != SUM_R_NONE) {
        v->reason = sum_reason_name(s->reason);
        v->line = s->line;
        v->detail = s->detail;
        return;
    }
    v->reason = driver ? drv_compiler_problem(k, driver, false, false, &v->detail) : NULL;
    find_lost(k, v);
    if (!v->reason)
        find_open(k, driver, v);
}

void verdict_print(const struct kernel_summary *k, const struct driver *driver, FILE *f)
{
    static const char letters[SUM_FACTS + 1] = "S012IAU";
    struct verdict v;

    find_verdict(k, driver, &v);
    fprintf(f, "%s\t", k->name);
    for (unsigned i = 0; i < SUM_FACTS; i++)
        fputc(sum_proved(k, (enum sum_fact)i) ? letters[i] : '-', f);
    fprintf(f, "\t%s\t%" PRIu32 "\t", v.some ? "tunable-if" : v.reason ? v.reason : "tunable", v.line);
    if (v.some)
        fprintf(f, "not %s: ", v.reason);
    fprintf(f, "%s\n", v.detail ? v.detail : "-");
}

/* malloc'ed */
static char *words_of(const struct verdict *v)
{
    return v->reason ? must_print("%s%s: %s", v->some ? "tunable, if the launch rules out " : "", v->reason,
                                  v->detail)
                     : NULL;
}

char *verdict_of_launches(const struct kernel_summary *k)
{
    struct verdict v = {0};

    if (sum_proved(k, SUM_FACT_S))
        find_open(k, NULL, &v);
    return words_of(&v);
}

char *verdict_of_driver(const struct kernel_summary *k, const struct driver *driver, bool launches)
{
    struct verdict v = {0};

    if (!sum_proved(k, SUM_FACT_S))
        return NULL;
    v.reason = drv_compiler_problem(k, driver, false, false, &v.detail);
    if (!v.reason && launches && sel_driver_matters(k, driver))
        find_open(k, driver, &v);
    return words_of(&v);
}
