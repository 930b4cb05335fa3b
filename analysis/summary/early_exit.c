/* early_exit.c - see early_exit.h.
 *
 * Only who has done nothing that others see can be sent home without the kernel being run for him.  So what
 * counts are the ways from the begin on which nothing is stored, and on these a variable is what it becomes
 * on them: at a loop that stores in each round, what it was before the first one.  A loop that need not store
 * may be gone round idly: then its counter must advance by the same for all, so that in each round it grows
 * with the ids as it does in the first one; behind the loop it does not, for some have gone round more often
 * than others. */
#include "analysis/summary/early_exit.h"
#include "analysis/summary/cfg.h"
#include "analysis/summary/conditions.h"

#define MANY 1000 /* comparisons */
#define FACTOR                                                                                               \
    6 /* of CONDITIONS_MAX: what a factor counts as in depth, so that no third one is looked through */

struct exits {
    const struct kernel_summary *k;
    struct cfg c;
    bool *dep;  /* of each value: does it depend on ids, memory aside? */
    bool *idle; /* of each block: may who comes to its end have done nothing that others see? */
};

/* Which values depend on ids, memory aside; NULL when out of memory. */
static bool *depending(const struct kernel_summary *k, struct cfg *c)
{
    bool *dep = cfg_array(c, k->ninsn, sizeof *dep), changed = dep != NULL;

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

/* May it be what was loaded, or one of several such values? */
static bool is_loaded(const struct kernel_summary *k, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &k->insns[v];
    bool may = in->op == SUM_LOAD;

    if (in->op == SUM_SELECT || in->op == SUM_PHI)
        for (uint32_t i = 1; !may && i < in->nopnd; i += in->op == SUM_PHI ? 2 : 1)
            may = !depth || is_loaded(k, sum_opnd(k, v, i), depth - 1);
    return may;
}

/* What is stored in global memory is seen by others, so no compiler sends home who has come by there.  Unless
 * what is stored was loaded, perhaps from the same place. */
static bool acts(const struct kernel_summary *k, uint32_t block)
{
    for (uint32_t v = k->blocks[block].first; v < k->blocks[block].end; v++)
        if (k->insns[v].op == SUM_STORE && k->insns[v].space == SUM_GLOBAL &&
            !is_loaded(k, sum_opnd(k, v, 1), 2))
            return true;
    return false;
}

/* Which blocks does one come to the end of, without having done anything?  All, as far as is known, of a
 * kernel with barriers, which may be compiled in parts.  NULL when out of memory. */
static bool *idling(const struct kernel_summary *k, struct cfg *c)
{
    bool *idle = cfg_array(c, k->nblock, sizeof *idle), *acting = cfg_array(c, k->nblock, sizeof *acting);
    uint32_t *stack = cfg_array(c, k->nblock, sizeof *stack);

    if (c->failed)
        return NULL;
    for (uint32_t b = 0; b < k->nblock; b++)
        acting[b] = !k->has_barrier && acts(k, b);
    idle[0] = true;
    if (!acting[0])
        cfg_reach(c, 0, CFG_NONE, acting, idle, stack);
    for (uint32_t b = 0; b < k->nblock; b++)
        idle[b] &= !acting[b];
    return idle;
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

/* Up to where factors and what is added keep what is not negative from wrapping around: in 64 bits, where ids
 * are multiplied twice at most (FACTOR), or where wrapping is undefined; and in 32 bits, where it takes more
 * than 2^27 work-items.  Those who stay would then be no single run of ids, and no compiler can count through
 * them. */
static int64_t moderate(const struct sum_insn *in)
{
    if (in->bits == 64 || (in->flags & (SUM_F_NUW | SUM_F_NSW)))
        return 1 << 15;
    return in->bits == 32 ? 16 : -1;
}

/* Is `in` = other operand * v, or shifted by v, over the integers, and v a constant? */
static bool is_factor(const struct kernel_summary *k, const struct sum_insn *in, uint32_t v)
{
    const uint64_t c = (uint64_t)k->insns[v].imm, most = (uint64_t)moderate(in);

    return k->insns[v].op == SUM_CONST && moderate(in) >= 0 &&
           (in->op == SUM_SHL ? c < 16 && 1u << c <= most : c <= most);
}

/* Is it the same for all work-items, in all rounds of loops? */
static bool is_given(const struct kernel_summary *k, const bool *dep, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &k->insns[v];
    bool given = depth && !dep[v] && (in->op <= SUM_WI || (in->op >= SUM_ADD && in->op <= SUM_SEXT));

    for (uint32_t i = 0; given && i < in->nopnd; i++)
        given = is_given(k, dep, sum_opnd(k, v, i), depth - 1);
    return given;
}

/* May `b` be added to a number that grows?  `sums`: what is added does not matter, as where it may be
 * negative. */
static bool may_add(const struct exits *e, uint32_t v, uint32_t b, bool sums)
{
    const struct sum_insn *in = &e->k->insns[v], *added = &e->k->insns[b];

    return sums || (added->op == SUM_CONST && added->imm >= 0 && added->imm <= moderate(in)) ||
           (added->op == SUM_WI && in->bits == 64);
}

/* Does it come from v by adding what is given? */
static bool steps(const struct exits *e, uint32_t next, uint32_t v, bool sums)
{
    const struct kernel_summary *k = e->k;

    for (unsigned depth = CONDITIONS_MAX; next != v; depth--) {
        const bool swap = k->insns[next].nopnd == 2 && !e->dep[sum_opnd(k, next, 0)];
        if (!depth || k->insns[next].op != SUM_ADD || !is_given(k, e->dep, sum_opnd(k, next, !swap), depth) ||
            !may_add(e, next, sum_opnd(k, next, !swap), sums))
            return false;
        next = sum_opnd(k, next, swap);
    }
    return true;
}

#define NO_VALUE UINT32_MAX

/* What a phi is for who has done nothing: in *first what it is when one comes from further up, in *next what
 * it is in later rounds.  False: it may be several things. */
static bool idle_values(const struct exits *e, uint32_t v, uint32_t *first, uint32_t *next)
{
    const struct kernel_summary *k = e->k;

    *first = *next = NO_VALUE;
    for (uint32_t i = 0; i < k->insns[v].nopnd; i += 2) {
        const uint32_t value = sum_opnd(k, v, i + 1),
                       back = cfg_dominates(&e->c, e->c.block_of[v], sum_opnd(k, v, i));
        uint32_t *to = back ? next : first;
        if (!e->idle[sum_opnd(k, v, i)])
            continue;
        if (*to != NO_VALUE && *to != value)
            return false;
        *to = value;
    }
    return *first != NO_VALUE;
}

/* Is block `b` in the loop whose header holds the phi? */
static bool is_counter_of(const struct exits *e, uint32_t phi, uint32_t b)
{
    const uint32_t header = e->c.block_of[phi], l = e->c.loop_of[header];

    return l != CFG_NONE && e->c.loop[l].header == header && cfg_in_loop(&e->c, l, b);
}

/* Does it grow with the ids, for all who come to block `b` in the same rounds of the loops around it and have
 * done nothing before? */
static bool grows(const struct exits *e, uint32_t v, uint32_t at, bool sums, unsigned depth)
{
    const struct kernel_summary *k = e->k;
    const struct sum_insn *in = &k->insns[v];
    const bool *dep = e->dep;
    uint32_t a = in->nopnd > 0 ? sum_opnd(k, v, 0) : 0, b = in->nopnd > 1 ? sum_opnd(k, v, 1) : 0;

    if (!depth-- || !dep[v])
        return false;
    switch (in->op) {
    case SUM_WI:
        return in->sub < SUM_WI_GLOBAL_LINEAR_ID;
    case SUM_ZEXT:
    case SUM_SEXT:
    case SUM_TRUNC:
        return grows(e, a, at, sums, depth);
    case SUM_PHI:
        return idle_values(e, v, &a, &b) && grows(e, a, at, sums, depth) &&
               (b == NO_VALUE || (is_counter_of(e, v, at) && steps(e, b, v, sums)));
    case SUM_ADD:
        return (dep[a] ? grows(e, a, at, sums, depth) : may_add(e, v, a, sums)) &&
               (dep[b] ? grows(e, b, at, sums, depth) : may_add(e, v, b, sums));
    case SUM_SUB:
        return sums && !dep[b] && grows(e, a, at, sums, depth);
    case SUM_OR: /* all of the lowest bits */
        return k->insns[b].op == SUM_CONST && (k->insns[b].imm & (k->insns[b].imm + 1)) == 0 &&
               grows(e, a, at, sums, depth);
    case SUM_SHL:
    case SUM_MUL:
        if (in->op == SUM_MUL && (is_local_size(k, a) || is_factor(k, in, a)))
            a = b;
        else if (!is_factor(k, in, b) && !(in->op == SUM_MUL && is_local_size(k, b)))
            return false;
        return depth > FACTOR && grows(e, a, at, false, depth - FACTOR);
    default:
        return false;
    }
}

/* Is y = x + what is the same for all? */
static bool are_apart(const struct exits *e, uint32_t x, uint32_t y, bool is_signed)
{
    const struct kernel_summary *k = e->k;
    uint32_t first, next;

    for (unsigned depth = CONDITIONS_MAX; k->insns[x].op == SUM_PHI; x = first)
        if (!depth-- || !idle_values(e, x, &first, &next) || next != NO_VALUE)
            return false;
    return k->insns[y].op == SUM_ADD && (k->insns[y].flags & (is_signed ? SUM_F_NSW : SUM_F_NUW)) &&
           ((sum_opnd(k, y, 0) == x && is_given(k, e->dep, sum_opnd(k, y, 1), CONDITIONS_MAX)) ||
            (sum_opnd(k, y, 1) == x && is_given(k, e->dep, sum_opnd(k, y, 0), CONDITIONS_MAX)));
}

/* If x < y holds for some, does it for all with smaller ids? */
static bool holds_for_first(const struct exits *e, uint32_t x, uint32_t y, bool is_signed, uint32_t at)
{
    const struct kernel_summary *k = e->k;

    if (k->insns[y].op == (is_signed ? SUM_SMIN : SUM_UMIN))
        return holds_for_first(e, x, sum_opnd(k, y, 0), is_signed, at) &&
               holds_for_first(e, x, sum_opnd(k, y, 1), is_signed, at);
    if (k->insns[x].op == (is_signed ? SUM_SMAX : SUM_UMAX))
        return holds_for_first(e, sum_opnd(k, x, 0), y, is_signed, at) &&
               holds_for_first(e, sum_opnd(k, x, 1), y, is_signed, at);
    if (!e->dep[x] && !e->dep[y])
        return true;
    return e->dep[y] ? are_apart(e, x, y, is_signed) : grows(e, x, at, is_signed, CONDITIONS_MAX);
}

/* Do only those leave at this branch that come from some id on? */
static bool last_leave(const struct exits *e, const struct early_branch *branch, uint32_t at)
{
    struct condition c[CONDITIONS_MAX];
    const unsigned n = conditions_of(e->k, branch->cond, branch->stays, c);
    unsigned found = 0;

    for (unsigned i = 0; i < n; i++) {
        struct ordering o;
        if (!e->dep[c[i].x] && !e->dep[c[i].y])
            continue;
        found++;
        if (!condition_ordering(&c[i], &o) || !holds_for_first(e, o.x, o.y, o.is_signed, at))
            return false;
    }
    return found >= comparisons(e->k, e->dep, branch->cond, CONDITIONS_MAX);
}

/* Does anyone leave at the end of a block, by an id? */
static bool is_exit(const struct kernel_summary *k, const bool *dep, uint32_t v, struct early_branch *out)
{
    if (k->insns[v].op != SUM_CONDBR || !dep[sum_opnd(k, v, 0)])
        return false;
    *out = (struct early_branch){sum_opnd(k, v, 0), leads_out(k, sum_opnd(k, v, 2))};
    return leads_out(k, sum_opnd(k, v, 1)) != out->stays;
}

/* May anyone leave by a switch?  Who does is not looked at. */
static bool switches(const struct kernel_summary *k, const bool *dep, uint32_t v)
{
    bool leaves = false;

    if (k->insns[v].op != SUM_SWITCH || !dep[sum_opnd(k, v, 0)])
        return false;
    for (uint32_t i = 1; i < k->insns[v].nopnd; i += 2)
        leaves |= leads_out(k, sum_opnd(k, v, i));
    return leaves;
}

static bool find_exits(const struct exits *e, struct early_exits *out)
{
    for (uint32_t b = 0; b < e->k->nblock; b++) {
        const uint32_t v = e->k->blocks[b].end - 1;
        struct early_branch branch;
        if (!e->idle[b])
            continue;
        if (switches(e->k, e->dep, v))
            return false;
        if (!is_exit(e->k, e->dep, v, &branch))
            continue;
        if (out->n == EARLY_MOST || !last_leave(e, &branch, b))
            return false;
        out->branch[out->n++] = branch;
    }
    return true;
}

bool early_exits(const struct kernel_summary *k, struct early_exits *out)
{
    struct exits e = {.k = k};
    bool ok = cfg_build(k, &e.c) == 0;

    out->n = 0;
    ok = ok && (e.dep = depending(k, &e.c)) && (e.idle = idling(k, &e.c)) && find_exits(&e, out);
    cfg_free(&e.c);
    return ok;
}
