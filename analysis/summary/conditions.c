/* conditions.c - see conditions.h. */
#include "analysis/summary/conditions.h"

#define LEADING_MAX 64 /* blocks between a switch and what it leads to */

static const uint8_t negated[] = {
    [SUM_EQ] = SUM_NE,   [SUM_NE] = SUM_EQ,   [SUM_ULT] = SUM_UGE, [SUM_ULE] = SUM_UGT, [SUM_UGT] = SUM_ULE,
    [SUM_UGE] = SUM_ULT, [SUM_SLT] = SUM_SGE, [SUM_SLE] = SUM_SGT, [SUM_SGT] = SUM_SLE, [SUM_SGE] = SUM_SLT,
};

struct pending {
    uint32_t value;
    bool truth;
};

static bool is_bit(const struct kernel_summary *k, uint32_t v, bool bit)
{
    return k->insns[v].op == SUM_CONST && (k->insns[v].imm != 0) == bit;
}

/* Replace a connective by its parts, of which `n` (0..2) are certain. */
static unsigned parts(const struct kernel_summary *k, struct pending p, struct pending out[2])
{
    const struct sum_insn *in = &k->insns[p.value];
    uint32_t a = in->nopnd > 0 ? sum_opnd(k, p.value, 0) : 0, b = in->nopnd > 1 ? sum_opnd(k, p.value, 1) : 0;
    bool both = false;
    if (in->bits != 1 || in->lanes != 1)
        return 0;
    switch (in->op) {
    case SUM_AND:
        both = p.truth;
        break;
    case SUM_OR:
        both = !p.truth;
        break;
    case SUM_XOR:
        out[0] = (struct pending){a, !p.truth};
        return is_bit(k, b, true);
    case SUM_SELECT: /* c ? b : false is c && b; c ? true : b is c || b */
        both = p.truth ? is_bit(k, sum_opnd(k, p.value, 2), false) : is_bit(k, b, true);
        b = p.truth ? b : sum_opnd(k, p.value, 2);
        break;
    default:
        break;
    }
    out[0] = (struct pending){a, p.truth};
    out[1] = (struct pending){b, p.truth};
    return both ? 2 : 0;
}

/* x < min(a, b) says x < a and x < b; so do <=, and max(a, b) on the smaller side.  The comparison must be
 * signed as min and max are. */
static unsigned split_extreme(const struct kernel_summary *k, const struct condition *c,
                              struct condition out[2])
{
    struct ordering o;
    if (!condition_ordering(c, &o))
        return 0;
    unsigned small = k->insns[o.x].op, large = k->insns[o.y].op;
    bool split_y = large == (o.is_signed ? SUM_SMIN : SUM_UMIN);
    if (!split_y && small != (o.is_signed ? SUM_SMAX : SUM_UMAX))
        return 0;
    uint8_t pred = o.is_signed ? (o.strict ? SUM_SLT : SUM_SLE) : o.strict ? SUM_ULT : SUM_ULE;
    for (unsigned i = 0; i < 2; i++)
        out[i] = (struct condition){pred, split_y ? o.x : sum_opnd(k, o.x, i),
                                    split_y ? sum_opnd(k, o.y, i) : o.y};
    return 2;
}

/* Append what a comparison says, and what follows from it. */
static unsigned add_comparison(const struct kernel_summary *k, const struct condition *c,
                               struct condition out[CONDITIONS_MAX], unsigned n)
{
    unsigned done = n;
    out[n++] = *c;
    for (; done < n; done++) {
        struct condition both[2];
        unsigned m = split_extreme(k, &out[done], both);
        for (unsigned i = 0; i < m && n < CONDITIONS_MAX; i++)
            out[n++] = both[i];
    }
    return n;
}

unsigned conditions_of(const struct kernel_summary *k, uint32_t cond, bool truth,
                       struct condition out[CONDITIONS_MAX])
{
    struct pending stack[CONDITIONS_MAX] = {{cond, truth}};
    unsigned depth = 1, n = 0, visits = 0;
    while (depth && n < CONDITIONS_MAX && visits++ < 4 * CONDITIONS_MAX) {
        struct pending p = stack[--depth], part[2];
        const struct sum_insn *in = &k->insns[p.value];
        if (in->op == SUM_ICMP) {
            struct condition c = {p.truth ? in->sub : negated[in->sub], sum_opnd(k, p.value, 0),
                                  sum_opnd(k, p.value, 1)};
            n = add_comparison(k, &c, out, n);
            continue;
        }
        unsigned m = parts(k, p, part);
        for (unsigned i = 0; i < m && depth < CONDITIONS_MAX; i++)
            stack[depth++] = part[i];
    }
    return n;
}

/* Is block `b` in the set? */
static bool holds(const uint32_t *set, unsigned n, uint32_t b)
{
    while (n > 0)
        if (set[--n] == b)
            return true;
    return false;
}

/* The blocks from which control comes to b without coming by d, b included, or 0 if there are too many. */
static unsigned leading_to(const struct cfg *c, uint32_t d, uint32_t b, uint32_t set[LEADING_MAX])
{
    unsigned n = 1;
    set[0] = b;
    for (unsigned i = 0; i < n; i++)
        for (uint32_t p = c->pred_first[set[i]]; p < c->pred_first[set[i] + 1]; p++) {
            if (c->pred[p] == d || holds(set, n, c->pred[p]))
                continue;
            if (n == LEADING_MAX)
                return 0;
            set[n++] = c->pred[p];
        }
    return n;
}

/* Its value is one of the cases by which control has come, and so lies between the least and the greatest. */
unsigned conditions_of_switch(const struct kernel_summary *k, const struct cfg *c, uint32_t d, uint32_t b,
                              struct condition out[2])
{
    const uint32_t t = k->blocks[d].end - 1, x = sum_opnd(k, t, 0);
    uint32_t set[LEADING_MAX], least = CFG_NONE, most = CFG_NONE;
    const unsigned n = leading_to(c, d, b, set);
    if (n == 0 || b == d || holds(set, n, sum_opnd(k, t, 1)))
        return 0;
    for (uint32_t i = 2; i < k->insns[t].nopnd; i += 2) {
        const uint32_t v = sum_opnd(k, t, i);
        if (!holds(set, n, sum_opnd(k, t, i + 1)))
            continue;
        if (least == CFG_NONE || k->insns[v].imm < k->insns[least].imm)
            least = v;
        if (most == CFG_NONE || k->insns[v].imm > k->insns[most].imm)
            most = v;
    }
    if (least == CFG_NONE)
        return 0;
    out[0] = (struct condition){least == most ? SUM_EQ : SUM_SGE, x, least};
    out[1] = (struct condition){SUM_SLE, x, most};
    return least == most ? 1 : 2;
}

bool condition_ordering(const struct condition *c, struct ordering *out)
{
    bool swap = c->pred == SUM_UGT || c->pred == SUM_UGE || c->pred == SUM_SGT || c->pred == SUM_SGE;
    out->x = swap ? c->y : c->x;
    out->y = swap ? c->x : c->y;
    out->strict = c->pred == SUM_ULT || c->pred == SUM_UGT || c->pred == SUM_SLT || c->pred == SUM_SGT;
    out->is_signed = c->pred >= SUM_SLT;
    return c->pred != SUM_EQ && c->pred != SUM_NE;
}
