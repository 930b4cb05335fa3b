/* early_exit.c - see early_exit.h. */
#include "analysis/summary/early_exit.h"
#include <stdlib.h>
#include "analysis/summary/conditions.h"

#define MANY 1000 /* comparisons */

/* Which values depend on ids, memory aside; malloc'ed, NULL when out of memory. */
static bool *depending(const struct kernel_summary *k)
{
    bool *dep = calloc(k->ninsn + 1, sizeof *dep), changed = dep != NULL;

    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < k->ninsn; v++) {
            const struct sum_insn *in = &k->insns[v];
            bool d = in->op == SUM_WI && (in->sub == SUM_WI_GLOBAL_ID || in->sub == SUM_WI_LOCAL_ID ||
                                          in->sub == SUM_WI_GROUP_ID || in->sub >= SUM_WI_GLOBAL_LINEAR_ID);
            if (in->bits && in->op != SUM_LOAD && in->op != SUM_ATOMIC && in->op != SUM_IMAGE_READ)
                for (uint32_t i = in->op == SUM_PHI ? 1 : 0; i < in->nopnd; i += in->op == SUM_PHI ? 2 : 1)
                    d |= dep[sum_opnd(k, v, i)];
            changed |= d && !dep[v];
            dep[v] |= d;
        }
    }
    return dep;
}

/* Does nothing come behind the begin of the block? */
static bool leads_out(const struct kernel_summary *k, uint32_t block)
{
    for (uint32_t n = 0; n < k->nblock; n++) {
        const uint32_t v = k->blocks[block].first;
        if (k->insns[v].op == SUM_RET)
            return true;
        if (k->insns[v].op != SUM_BR)
            return false;
        block = sum_opnd(k, v, 0);
    }
    return false;
}

/* How many comparisons with ids are in the condition; MANY: something else that depends on them. */
static unsigned comparisons(const struct kernel_summary *k, const bool *dep, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &k->insns[v];
    unsigned n = 0;

    if (!dep[v])
        return 0;
    if (in->op == SUM_ICMP)
        return 1;
    if (!depth || (in->op != SUM_AND && in->op != SUM_OR && in->op != SUM_XOR && in->op != SUM_SELECT))
        return MANY;
    for (uint32_t i = 0; i < in->nopnd; i++)
        n += comparisons(k, dep, sum_opnd(k, v, i), depth - 1);
    return n;
}

static bool is_local_size(const struct kernel_summary *k, uint32_t v)
{
    while (k->insns[v].op == SUM_ZEXT || k->insns[v].op == SUM_SEXT || k->insns[v].op == SUM_TRUNC)
        v = sum_opnd(k, v, 0);
    return k->insns[v].op == SUM_WI &&
           (k->insns[v].sub == SUM_WI_LOCAL_SIZE || k->insns[v].sub == SUM_WI_ENQUEUED_LOCAL_SIZE);
}

/* Does it grow with the ids?  `sums`: what is added does not matter, as where it may be negative. */
static bool grows(const struct kernel_summary *k, const bool *dep, uint32_t v, bool sums, unsigned depth)
{
    const struct sum_insn *in = &k->insns[v];
    const uint32_t a = in->nopnd > 0 ? sum_opnd(k, v, 0) : 0, b = in->nopnd > 1 ? sum_opnd(k, v, 1) : 0;

    if (!depth || !dep[v])
        return false;
    switch (in->op) {
    case SUM_WI:
        return in->sub < SUM_WI_GLOBAL_LINEAR_ID;
    case SUM_ZEXT:
    case SUM_SEXT:
    case SUM_TRUNC:
        return grows(k, dep, a, sums, depth - 1);
    case SUM_ADD:
        return (dep[a] ? grows(k, dep, a, sums, depth - 1) : sums) &&
               (dep[b] ? grows(k, dep, b, sums, depth - 1) : sums);
    case SUM_SUB:
        return sums && !dep[b] && grows(k, dep, a, sums, depth - 1);
    case SUM_MUL:
        return (is_local_size(k, a) && grows(k, dep, b, false, depth - 1)) ||
               (is_local_size(k, b) && grows(k, dep, a, false, depth - 1));
    default:
        return false;
    }
}

/* Do only those leave at this branch that come from some id on? */
static bool last_leave(const struct kernel_summary *k, const bool *dep, const struct early_branch *e)
{
    struct condition c[CONDITIONS_MAX];
    const unsigned n = conditions_of(k, e->cond, e->stays, c);
    unsigned found = 0;

    for (unsigned i = 0; i < n; i++) {
        struct ordering o;
        if (!dep[c[i].x] && !dep[c[i].y])
            continue;
        found++;
        if (!condition_ordering(&c[i], &o) || dep[o.y] || !grows(k, dep, o.x, o.is_signed, CONDITIONS_MAX))
            return false;
    }
    return found >= comparisons(k, dep, e->cond, CONDITIONS_MAX);
}

/* Does anyone leave at the end of a block, by an id? */
static bool is_exit(const struct kernel_summary *k, const bool *dep, uint32_t v, struct early_branch *out)
{
    if (k->insns[v].op != SUM_CONDBR || !dep[sum_opnd(k, v, 0)])
        return false;
    *out = (struct early_branch){sum_opnd(k, v, 0), leads_out(k, sum_opnd(k, v, 2))};
    return leads_out(k, sum_opnd(k, v, 1)) != out->stays;
}

/* A switch is taken for one that anyone may leave by. */
static bool switches(const struct kernel_summary *k, const bool *dep, uint32_t v)
{
    return k->insns[v].op == SUM_SWITCH && dep[sum_opnd(k, v, 0)];
}

static bool find_exits(const struct kernel_summary *k, const bool *dep, struct early_exits *out)
{
    for (uint32_t b = 0; b < k->nblock; b++) {
        const uint32_t v = k->blocks[b].end - 1;
        struct early_branch e;
        if (switches(k, dep, v))
            return false;
        if (!is_exit(k, dep, v, &e))
            continue;
        if (out->n == EARLY_MOST || !last_leave(k, dep, &e))
            return false;
        out->branch[out->n++] = e;
    }
    return true;
}

bool early_exits(const struct kernel_summary *k, struct early_exits *out)
{
    bool *dep = depending(k);
    bool ok;

    out->n = 0;
    ok = dep && find_exits(k, dep, out);
    free(dep);
    return ok;
}
