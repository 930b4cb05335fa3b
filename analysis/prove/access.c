/* access.c - see access.h.  An access that cannot be followed is exported as not affine, so that launches are
 * refused and nothing is overlooked. */
#include "analysis/prove/access.h"

#include "analysis/summary/conditions.h"
#include "analysis/summary/summary_names.h"

#include <stdlib.h>
#include <string.h>

/* Guards kept per access, and how far up the dominator tree they are searched. */
#define MAX_GUARD 24
#define MAX_CLIMB 256
/* Accesses per kernel; race-freedom of more could not be decided in reasonable time anyway. */
#define MAX_ACCESS 20000u
/* A value that is not followed has a name where it is less. */
#define MOST_SMALL 0x10000u
#define MOST_DEPTH 8 /* of instructions between it and the ids that decide it */
/* Accesses to one argument that is only read; more could not be compared with writes one by one either. */
#define MAX_READS 32u

/* A symbol as an entry of k->loops: a choice; a quotient as seen from block `where`; a counter where its loop
 * stands as entry `where`. */
struct named {
    aff_sym sym;
    uint32_t where, entry; /* CFG_NONE if the launch could not know it */
};

struct collect {
    struct kernel_summary *k;
    struct cfg *cfg;
    const struct roots *roots;
    struct aff *aff;
    const bool *constant;
    struct steady *steady; /* of the view of a group; NULL */
    uint32_t *bounded;     /* loop of the cfg -> entry of k->loops with its bound, CFG_NONE */
    uint32_t *plain;       /* ... without */
    uint32_t *edge;        /* loop -> the edge behind which the bound holds: from, to */
    struct named *named;   /* those that polynomials mention */
    uint32_t nnamed;
    uint32_t *reads; /* argument -> accesses listed, if it is only read */
    bool too_many;   /* accesses */
};

/* ---- conversion ------------------------------------------------------------------------------------ */

/* `made`, if it is `good`, as an entry of k->loops, to which it goes; CFG_NONE. */
static uint32_t new_entry(struct collect *c, bool good, struct sum_loop *made)
{
    struct kernel_summary *k = c->k;
    if (!good || k->nloop == SUM_MAX_ITEM) {
        sum_free_loop(made);
        return CFG_NONE;
    }
    k->loops = must_grow(k->loops, k->nloop, sizeof(*k->loops));
    k->loops[k->nloop] = *made;
    return k->nloop++;
}

static bool is_named(const struct collect *c, aff_sym s, uint32_t where, uint32_t *entry)
{
    for (uint32_t i = 0; i < c->nnamed; i++)
        if (c->named[i].sym == s && c->named[i].where == where) {
            *entry = c->named[i].entry;
            return true;
        }
    return false;
}

static uint32_t name(struct collect *c, aff_sym s, uint32_t where, uint32_t entry)
{
    c->named = must_grow_array(c->cfg, c->named, c->nnamed, sizeof(*c->named));
    c->named[c->nnamed++] = (struct named){s, where, entry};
    return entry;
}

/* *to = x + y + plus; y may be NULL.  The launch sums terms in any order. */
static void copy_sum(const struct sum_poly *x, const struct sum_poly *y, int64_t plus, struct sum_poly *to)
{
    uint32_t own = plus != 0, more = y ? y->nterm : 0;
    *to = (struct sum_poly){.nterm = x->nterm + more + own,
                            .term = must_calloc((size_t)x->nterm + more + 1, sizeof(*to->term))};
    to->term[0].coef = plus;
    if (x->nterm)
        memcpy(to->term + own, x->term, x->nterm * sizeof(*to->term));
    if (more)
        memcpy(to->term + own + x->nterm, y->term, more * sizeof(*to->term));
}

/* Bound the completed iterations of loop l wherever they are asked for.  Every path back to the header ran
 * over the bound's edge, so they are one more, at most, than there, which limit + step says.  Launch-wide
 * bounds get their condition spelled out, for limit + step could hide that limit < 0. */
static void bound_plain(struct collect *c, uint32_t l)
{
    struct sum_loop *from = &c->k->loops[c->bounded[l]], *to = &c->k->loops[c->plain[l]];
    if (to->range || sum_mentions(&from->limit, SUM_SYM_LOOP))
        return; /* other loops may have gone on since */
    to->range = must_calloc((size_t)from->nrange + 1, sizeof(*to->range));
    for (uint32_t i = 0; i < from->nrange; i++) {
        struct sum_range *r = &to->range[to->nrange++];
        *r = (struct sum_range){.bits = from->range[i].bits, .is_signed = from->range[i].is_signed};
        copy_sum(&from->range[i].poly, NULL, 0, &r->poly);
    }
    if (from->bounded) {
        struct sum_range *r = &to->range[to->nrange++];
        *r = (struct sum_range){.bits = 31};
        copy_sum(&from->limit, NULL, 0, &r->poly);
    }
    if (from->step_poly.nterm > 0)
        copy_sum(&from->step_poly, NULL, 0, &to->step_poly);
    copy_sum(&from->limit, &from->step_poly, from->step, &to->limit);
    to->step = from->step;
}

/* The entry of k->loops that stands for a choice: a loop that has run 0 or 1 times. */
static uint32_t choice_entry(struct collect *c, aff_sym s)
{
    uint32_t block = AFF_INDEX(s) - c->cfg->nloop, e;
    struct sum_loop made = {.header = block < c->cfg->nblock ? block : 0, .bounded = true, .step = 1};
    if (is_named(c, s, 0, &e))
        return e;
    made.limit = (struct sum_poly){1, must_calloc(1, sizeof(*made.limit.term))};
    made.limit.term->coef = 2;
    return name(c, s, 0, new_entry(c, true, &made));
}

/* The dimensions whose global ids alone decide value v, as in struct sum_loop. */
static uint8_t deciding_ids(const struct kernel_summary *k, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &k->insns[v];
    uint8_t ids = SUM_BY_IDS;
    switch (in->op) {
    case SUM_CONST:
        return ids;
    case SUM_ARG:
        return k->args[in->imm].kind == SUM_ARG_SCALAR ? ids : 0;
    case SUM_WI:
        if (in->sub == SUM_WI_GLOBAL_ID && in->imm < 3)
            return ids | (uint8_t)(1u << in->imm);
        return in->sub == SUM_WI_GLOBAL_SIZE || in->sub == SUM_WI_GLOBAL_OFFSET ? ids : 0;
    default:
        if (in->op < SUM_ADD || in->op > SUM_SEXT || in->lanes != 1 || depth == 0)
            return 0;
    }
    for (uint32_t i = 0; i < in->nopnd; i++) {
        const uint8_t of = deciding_ids(k, sum_opnd(k, v, i), depth - 1);
        if (!of)
            return 0;
        ids |= of;
    }
    return ids;
}

/* The entry of k->loops that stands for a value of which only few bits may be set, wherever it comes from. */
static uint32_t small_entry(struct collect *c, uint32_t v)
{
    const aff_sym s = AFF_SYM(AFF_VALUE, v);
    const struct sum_insn *in = &c->k->insns[v];
    struct sum_loop made = {.bounded = true, .step = 1};
    uint64_t bits = MOST_SMALL;
    uint32_t e;
    if (is_named(c, s, 0, &e))
        return e;
    if (sum_is_integer(in) && !c->steady)
        bits = aff_possible_bits(c->k, v);
    if (bits >= MOST_SMALL || bits >> (in->bits - 1)) /* symbols are read as signed numbers */
        return CFG_NONE;
    made.limit = (struct sum_poly){1, must_calloc(1, sizeof(*made.limit.term))};
    made.limit.term->coef = (int64_t)bits + 1;
    made.ids = deciding_ids(c->k, v, MOST_DEPTH);
    return name(c, s, 0, new_entry(c, true, &made));
}

/* The entry of k->loops that stands for loop l in block b. */
static uint32_t loop_entry(struct collect *c, uint32_t l, uint32_t b)
{
    if (c->bounded[l] != CFG_NONE && cfg_in_loop(c->cfg, l, b) &&
        cfg_edge_dominates(c->cfg, c->edge[2 * l], c->edge[2 * l + 1], b))
        return c->bounded[l];
    if (c->plain[l] == CFG_NONE) {
        c->plain[l] = new_entry(c, true, &(struct sum_loop){.header = c->cfg->loop[l].header});
        if (c->plain[l] != CFG_NONE && c->bounded[l] != CFG_NONE)
            bound_plain(c, l);
    }
    return c->plain[l];
}

static uint32_t quotient_entry(struct collect *c, aff_sym s, uint32_t b);
static uint32_t count_entry(struct collect *c, aff_sym s, uint32_t b);

static uint32_t symbol_entry(struct collect *c, aff_sym s, uint32_t b)
{
    if (AFF_KIND(s) == AFF_QUOTIENT)
        return quotient_entry(c, s, b);
    if (AFF_KIND(s) == AFF_COUNT)
        return count_entry(c, s, b);
    return AFF_INDEX(s) < c->cfg->nloop ? loop_entry(c, AFF_INDEX(s), b) : choice_entry(c, s);
}

/* Is value v, as block b sees it, the same for all whose accesses are compared? */
static bool is_uniform(const struct collect *c, uint32_t v, uint32_t b)
{
    const struct sum_insn *in = &c->k->insns[v];
    return (c->constant[v] || (c->steady && steady_at(c->steady, v, b))) && in->lanes == 1 &&
           !(in->flags & SUM_F_FLOAT);
}

/* A symbol as seen from block b; false if the launch has no name for it. */
static bool convert_sym(struct collect *c, aff_sym s, uint32_t b, struct sum_sym *out)
{
    uint32_t v = CFG_NONE;
    _Static_assert((int)AFF_ARG == SUM_SYM_ARG, "the first kinds are the same");
    *out = (struct sum_sym){.kind = (uint8_t)AFF_KIND(s), .index = AFF_INDEX(s)};
    switch (AFF_KIND(s)) {
    case AFF_GID:
    case AFF_OFFSET:
    case AFF_GSIZE:
    case AFF_ARG:
        return true;
    case AFF_ARGZ:
        out->kind = SUM_SYM_ARG;
        out->zext = true;
        return true;
    case AFF_QUOTIENT:
        v = c->aff->quotient[AFF_INDEX(s)].value;
        if (c->steady && v != CFG_NONE && is_uniform(c, v, b)) {
            *out = (struct sum_sym){.kind = SUM_SYM_UNIFORM, .index = v};
            return true;
        }
        /* fall through */
    case AFF_LOOP:
    case AFF_COUNT:
        out->kind = SUM_SYM_LOOP;
        out->index = symbol_entry(c, s, b);
        if (out->index == CFG_NONE && AFF_KIND(s) == AFF_QUOTIENT && v != CFG_NONE)
            out->index = small_entry(c, v);
        return out->index != CFG_NONE;
    case AFF_VALUE:
        out->kind = SUM_SYM_UNIFORM;
        if (is_uniform(c, out->index, b))
            return true;
        out->kind = SUM_SYM_LOOP;
        out->index = small_entry(c, out->index);
        return out->index != CFG_NONE;
    default:
        return false;
    }
}

static bool convert(struct collect *c, const struct aff_poly *p, uint32_t b, struct sum_poly *out)
{
    *out = (struct sum_poly){0};
    if (p->n == 0)
        return true;
    out->term = must_calloc(p->n, sizeof(*out->term));
    for (uint32_t i = 0; i < p->n; i++) {
        struct sum_term *t = &out->term[i];
        t->coef = (int64_t)p->term[i].coef;
        for (uint32_t j = 0; j < p->term[i].n; j++)
            if (!convert_sym(c, p->term[i].sym[j], b, &t->sym[t->nsym++])) {
                free(out->term);
                *out = (struct sum_poly){0};
                return false;
            }
    }
    out->nterm = p->n;
    return true;
}

/* ---- counters -------------------------------------------------------------------------------------- */

/* *limit = 1 + gain * the iterations of entry l, gain as seen from block b.  False if a term gets too many
 * symbols. */
static bool count_limit(struct collect *c, const struct aff_poly *gain, uint32_t b, uint32_t l,
                        struct sum_poly *limit)
{
    struct sum_poly per;
    bool good = convert(c, gain, b, &per);
    for (uint32_t i = 0; good && i < per.nterm; i++) {
        struct sum_term *t = &per.term[i];
        good = t->nsym < SUM_TERM_SYMS;
        if (good)
            t->sym[t->nsym++] = (struct sum_sym){.kind = SUM_SYM_LOOP, .index = l};
    }
    if (good)
        copy_sum(&per, NULL, 1, limit);
    free(per.term);
    return good;
}

/* The entry of k->loops that stands for a counter in block b. */
static uint32_t count_entry(struct collect *c, aff_sym s, uint32_t b)
{
    const struct aff_induction *ind = &c->aff->induction[AFF_INDEX(s)];
    struct sum_loop made = {.step = 1};
    uint32_t l = loop_entry(c, ind->loop, b), e;
    if (l == CFG_NONE || is_named(c, s, l, &e))
        return l == CFG_NONE ? l : e;
    bool good = count_limit(c, &ind->gain, c->cfg->loop[ind->loop].header, l, &made.limit);
    return name(c, s, l, new_entry(c, good, &made));
}

/* ---- loops ----------------------------------------------------------------------------------------- */

/* Append what `as` says, as seen from block b. */
static bool convert_range(struct collect *c, const struct aff_assumption *as, uint32_t b,
                          struct sum_range *range, uint32_t *n)
{
    range[*n] = (struct sum_range){.bits = as->bits, .is_signed = as->is_signed};
    return convert(c, &as->poly, b, &range[(*n)++].poly);
}

/* Append what the assumptions `set` say; false if the launch could not check it. *range has room for all of
 * them. */
static bool convert_assumptions(struct collect *c, uint64_t set, uint32_t b, struct sum_range *range,
                                uint32_t *n)
{
    bool good = !(set & AFF_NEVER);
    for (uint32_t i = 0; i < AFF_ASSUMPTIONS && good; i++)
        good = !(set >> i & 1) || convert_range(c, &c->aff->assumption[i], b, range, n);
    return good;
}

static bool convert_bound(struct collect *c, uint32_t header, const struct bound *b, struct sum_loop *out)
{
    bool symbolic = b->step.n != 1 || b->step.term[0].n != 0;
    if (!convert(c, &b->limit, header, &out->limit))
        return false;
    if (symbolic && !convert(c, &b->step, header, &out->step_poly))
        return false;
    if (!symbolic)
        out->step = (int64_t)b->step.term[0].coef;
    out->range = must_calloc(3 + AFF_ASSUMPTIONS, sizeof(*out->range));
    for (unsigned i = 0; i < b->nrange; i++)
        if (!convert_range(c, &b->range[i], header, out->range, &out->nrange))
            return false;
    out->bounded = !b->conditional;
    return convert_assumptions(c, b->assumed, header, out->range, &out->nrange);
}

/* ---- quotients ------------------------------------------------------------------------------------- */

/* The number that v is, plus `lift`, as its polynomial says where *need hold and that is in [0, 2^31). */
static bool number(const struct collect *c, uint32_t v, int64_t lift, struct aff_poly *p, uint64_t *need)
{
    struct aff_value info;
    if (c->k->insns[v].bits < 32 || c->k->insns[v].lanes != 1)
        return false;
    aff_integer(c->aff, v, p, &info);
    const bool trusted = info.trust == AFF_CONGRUENT || (info.trust == AFF_EXTENDED && lift == 0);
    *need |= info.need | (trusted ? 0 : info.exact);
    return (trusted || info.exact != 0) && aff_add_constant(c->aff, p, lift);
}

/* Fill the entry of quotient q: floor(x / w) as a loop of limit x + 1 and step w. */
static bool convert_quotient(struct collect *c, const struct aff_quotient *q, uint32_t b,
                             struct sum_loop *out)
{
    struct bound made = {.found = true, .conditional = true, .nrange = 1, .range = {{.bits = 31}}};
    if (!number(c, q->x, q->lift, &made.limit, &made.assumed))
        return false;
    made.range[0].poly = made.limit;
    aff_set_constant(&made.step, q->divisor);
    if ((q->w != CFG_NONE && !number(c, q->w, 0, &made.step, &made.assumed)) ||
        !aff_scale(c->aff, &made.step, q->times) || !aff_add_constant(c->aff, &made.step, q->plus) ||
        !aff_add_constant(c->aff, &made.limit, 1))
        return false;
    out->quotient = q->kind;
    return made.step.n > 0 && convert_bound(c, b, &made, out) &&
           (q->kind != SUM_Q_SHIFT || out->step_poly.nterm > 0);
}

static uint32_t quotient_entry(struct collect *c, aff_sym s, uint32_t b)
{
    struct sum_loop made = {.header = b};
    uint32_t e;
    if (is_named(c, s, b, &e))
        return e;
    bool good = convert_quotient(c, &c->aff->quotient[AFF_INDEX(s)], b, &made);
    return name(c, s, b, new_entry(c, good, &made));
}

/* Outer loops come first, so that an inner bound finds the entries it mentions. */
static void find_bounds(struct collect *c)
{
    for (uint32_t l = 0; l < c->cfg->nloop; l++) {
        struct sum_loop made = {.header = c->cfg->loop[l].header};
        struct bound b;
        bound_loop(c->aff, l, &b);
        if (!b.found)
            continue;
        uint32_t e = new_entry(c, convert_bound(c, made.header, &b, &made), &made);
        if (e == CFG_NONE)
            continue;
        c->bounded[l] = e;
        c->edge[2 * l] = b.from;
        c->edge[2 * l + 1] = b.to;
        if (c->plain[l] != CFG_NONE)
            bound_plain(c, l);
    }
}

/* ---- guards ---------------------------------------------------------------------------------------- */

/* One side of a guard: its polynomial must be its value wherever that lies in [0, 2^31). */
static bool guard_side(const struct collect *c, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    if (c->roots->pointer[v] || c->k->insns[v].bits < 32)
        return false;
    aff_integer(c->aff, v, p, info);
    return info->trust != AFF_MIXED && info->need == 0;
}

/* Are all its terms of numbers that never are? */
static bool never_negative(const struct aff_poly *p)
{
    bool never = true;
    for (uint32_t i = 0; i < p->n; i++) {
        never = never && (int64_t)p->term[i].coef >= 0;
        for (uint32_t j = 0; j < p->term[i].n; j++)
            never =
                never && (AFF_KIND(p->term[i].sym[j]) == AFF_GID || AFF_KIND(p->term[i].sym[j]) == AFF_LOOP);
    }
    return never;
}

/* x <= y as lhs < rhs.  y + 1 may be 0 although y, unsigned, is the largest number: only a y that is never
 * negative, or signed and exact there, or a constant on either side, will do. */
static bool loosen(struct collect *c, const struct ordering *o, struct aff_poly *x, struct aff_poly *y,
                   const struct aff_value *iy)
{
    const struct sum_insn *cx = &c->k->insns[o->x], *cy = &c->k->insns[o->y];
    if (cx->op == SUM_CONST && cx->imm >= 1)
        return aff_add_constant(c->aff, x, -1);
    if ((cy->op == SUM_CONST && cy->imm >= 0 && cy->imm < INT32_MAX) ||
        (o->is_signed && iy->trust == AFF_CONGRUENT) || never_negative(y))
        return aff_add_constant(c->aff, y, 1);
    return false;
}

static bool store_guard(struct collect *c, const struct aff_poly *x, const struct aff_poly *y, bool equal,
                        uint32_t b, struct sum_guard *out)
{
    out->equal = equal;
    if (!convert(c, x, b, &out->lhs))
        return false;
    if (convert(c, y, b, &out->rhs))
        return true;
    free(out->lhs.term);
    return false;
}

static bool is_zero(const struct kernel_summary *k, uint32_t v)
{
    return k->insns[v].op == SUM_CONST && k->insns[v].imm == 0;
}

/* x != 0 as 0 < x, unsigned. */
static void order_unequal(const struct kernel_summary *k, struct condition *cond)
{
    if (cond->pred != SUM_NE || (!is_zero(k, cond->x) && !is_zero(k, cond->y)))
        return;
    uint32_t x = is_zero(k, cond->y) ? cond->x : cond->y;
    *cond = (struct condition){SUM_ULT, cond->x == x ? cond->y : cond->x, x};
}

static bool make_guard(struct collect *c, struct condition cond, uint32_t b, struct sum_guard *out)
{
    struct aff_poly x, y;
    struct aff_value ix, iy;
    order_unequal(c->k, &cond);
    struct ordering o = {.x = cond.x, .y = cond.y};
    bool ordered = condition_ordering(&cond, &o);
    if (cond.pred == SUM_NE || !guard_side(c, o.x, &x, &ix) || !guard_side(c, o.y, &y, &iy))
        return false;
    if (ordered && !o.strict && !loosen(c, &o, &x, &y, &iy))
        return false;
    return store_guard(c, &x, &y, !ordered, b, out);
}

/* What must be added to p so that it is hardly ever negative; 0 if it never is, as far as its signs tell. */
static int64_t lift(const struct aff_poly *p)
{
    bool negative = false;
    for (uint32_t i = 0; i < p->n; i++)
        negative = negative || (int64_t)p->term[i].coef < 0;
    bool constant = negative && p->term[0].n == 0 && (int64_t)p->term[0].coef < 0;
    return constant ? -(int64_t)p->term[0].coef : negative ? 1 << 30 : 0;
}

/* LLVM's form of s <= x && x < s + n for constants: x - s < n, unsigned, where x - s wraps around if x < s.
 * That is s - 1 < x and x < s + n, for x in [0, 2^31): two guards, or false. */
static bool make_window(struct collect *c, const struct condition *cond, uint32_t b, struct sum_guard out[2])
{
    struct ordering o;
    struct aff_poly x, below, end;
    struct aff_value ix;
    if (!condition_ordering(cond, &o) || o.is_signed || c->k->insns[o.y].op != SUM_CONST ||
        !guard_side(c, o.x, &x, &ix) || ix.trust != AFF_CONGRUENT)
        return false;
    int64_t n = c->k->insns[o.y].imm, start = lift(&x);
    if (n < 0 || n >= INT32_MAX || start < 1 || start >= INT32_MAX)
        return false;
    aff_set_constant(&below, (uint64_t)start - 1);
    aff_set_constant(&end, (uint64_t)(start + n + !o.strict));
    if (!aff_add_constant(c->aff, &x, start) || !store_guard(c, &below, &x, false, b, &out[0]))
        return false;
    if (store_guard(c, &x, &end, false, b, &out[1]))
        return true;
    free(out[0].lhs.term);
    free(out[0].rhs.term);
    return false;
}

/* What the branch at the end of block d, which dominates b, says where control has come to b. */
static unsigned said_by(const struct collect *c, uint32_t d, uint32_t b,
                        struct condition cond[CONDITIONS_MAX])
{
    const struct kernel_summary *k = c->k;
    const uint32_t t = k->blocks[d].end - 1;
    if (k->insns[t].op == SUM_SWITCH)
        return conditions_of_switch(k, c->cfg, d, b, cond);
    if (k->insns[t].op != SUM_CONDBR || sum_opnd(k, t, 1) == sum_opnd(k, t, 2))
        return 0;
    bool yes = cfg_edge_dominates(c->cfg, d, sum_opnd(k, t, 1), b);
    if (!yes && !cfg_edge_dominates(c->cfg, d, sum_opnd(k, t, 2), b))
        return 0;
    return conditions_of(k, sum_opnd(k, t, 0), yes, cond);
}

/* What the edge from block d to block b says. */
static unsigned said_on_edge(const struct collect *c, uint32_t d, uint32_t b,
                             struct condition cond[CONDITIONS_MAX])
{
    const struct kernel_summary *k = c->k;
    const uint32_t t = k->blocks[d].end - 1;
    unsigned n = 0;
    if (k->insns[t].op == SUM_CONDBR && sum_opnd(k, t, 1) != sum_opnd(k, t, 2))
        return conditions_of(k, sum_opnd(k, t, 0), sum_opnd(k, t, 1) == b, cond);
    if (k->insns[t].op != SUM_SWITCH || sum_opnd(k, t, 1) == b)
        return 0;
    for (uint32_t i = 2; i < k->insns[t].nopnd; i += 2)
        if (sum_opnd(k, t, i + 1) == b && n++ == 0)
            cond[0] = (struct condition){SUM_EQ, sum_opnd(k, t, 0), sum_opnd(k, t, i)};
    return n == 1;
}

static bool is_among(const struct condition *a, const struct condition *in, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (in[i].pred == a->pred && in[i].x == a->x && in[i].y == a->y)
            return true;
    return false;
}

/* How a loop without block b was left at d says nothing about work-items that come to b. */
static bool left_loop(const struct cfg *g, uint32_t d, uint32_t b)
{
    return g->loop_of[d] != CFG_NONE && !cfg_in_loop(g, g->loop_of[d], b);
}

/* What all edges into block b say, if there are several: `if (x == 0) ...; if (x == 15) ...` is a switch and,
 * behind its first case, a branch. */
static unsigned said_on_all(const struct collect *c, uint32_t b, struct condition cond[CONDITIONS_MAX])
{
    const struct cfg *g = c->cfg;
    const uint32_t first = g->pred_first[b], end = g->pred_first[b + 1];
    struct condition other[CONDITIONS_MAX];
    unsigned n = end - first < 2 ? 0 : said_on_edge(c, g->pred[first], b, cond);
    for (uint32_t i = first; i < end && n; i++) {
        if (cfg_dominates(g, b, g->pred[i]) || left_loop(g, g->pred[i], b))
            return 0;
        const unsigned m = said_on_edge(c, g->pred[i], b, other);
        unsigned kept = 0;
        for (unsigned j = 0; j < n; j++)
            if (is_among(&cond[j], other, m))
                cond[kept++] = cond[j];
        n = kept;
    }
    return n;
}

static unsigned make_guards(struct collect *c, const struct condition *cond, unsigned m, uint32_t b,
                            struct sum_guard *out, unsigned n)
{
    for (unsigned i = 0; i < m && n + 1 < MAX_GUARD; i++)
        if (make_window(c, &cond[i], b, &out[n]))
            n += 2;
        else if (make_guard(c, cond[i], b, &out[n]))
            n++;
    return n;
}

/* Conditions of dominating branches, found from the inside out; the outermost ones matter least when there
 * are too many. */
static unsigned find_guards(struct collect *c, uint32_t b, struct sum_guard *out)
{
    struct condition cond[CONDITIONS_MAX];
    unsigned climb = 0, n = make_guards(c, cond, said_on_all(c, b, cond), b, out, 0);
    for (uint32_t d = c->cfg->idom[b]; d != CFG_NONE && climb < MAX_CLIMB; d = c->cfg->idom[d], climb++) {
        if (left_loop(c->cfg, d, b))
            continue;
        n = make_guards(c, cond, said_by(c, d, b, cond), b, out, n);
        n = make_guards(c, cond, said_on_all(c, d, cond), b, out, n);
    }
    return n;
}

static void add_guards(struct collect *c, uint32_t b, struct sum_access *a)
{
    struct sum_guard found[MAX_GUARD];
    unsigned n = find_guards(c, b, found);
    if (n == 0)
        return;
    a->guard = must_calloc(n, sizeof(*a->guard));
    for (unsigned i = 0; i < n; i++)
        a->guard[n - 1 - i] = found[i];
    a->nguard = n;
}

/* ---- accesses -------------------------------------------------------------------------------------- */

static void note_wrap(struct sum_access *a, unsigned bits)
{
    if (bits < a->wrap_bits)
        a->wrap_bits = (uint8_t)bits;
}

/* The conditions on which the coordinates are what their polynomials say. */
static bool add_ranges(struct collect *c, uint64_t need, uint32_t b, struct sum_access *a)
{
    if (need == 0)
        return true;
    a->range = must_calloc(AFF_ASSUMPTIONS, sizeof(*a->range));
    return convert_assumptions(c, need, b, a->range, &a->nrange);
}

/* What a coordinate needs to be its polynomial.  Modulo less than 2^32 places are hardly ever told apart, so
 * where a narrower number was extended it has to fit. */
static uint64_t needed(const struct aff_value *info, struct sum_access *a)
{
    if (info->wrap < 32 && info->exact && !(info->exact & AFF_NEVER))
        return info->need | info->exact;
    note_wrap(a, info->wrap);
    return info->need;
}

static bool buffer_coord(struct collect *c, uint32_t v, uint32_t b, struct sum_access *a)
{
    struct aff_poly p;
    struct aff_value info;
    uint32_t address = sum_opnd(c->k, v, 0);
    aff_address(c->aff, address, &p, &info);
    if (!c->roots->pointer[address] || !convert(c, &p, b, &a->coord[0]))
        return false;
    a->ncoord = 1;
    note_wrap(a, c->k->insns[address].bits);
    return add_ranges(c, needed(&info, a), b, a);
}

static bool image_coords(struct collect *c, uint32_t v, uint32_t b, struct sum_access *a)
{
    uint32_t from = c->k->insns[v].op == SUM_IMAGE_WRITE ? 2 : 1, n = c->k->insns[v].nopnd - from;
    struct aff_poly p;
    struct aff_value info;
    uint64_t need = 0;
    if (n == 0 || n > 3)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t o = sum_opnd(c->k, v, from + i);
        const struct sum_insn *in = &c->k->insns[o];
        aff_integer(c->aff, o, &p, &info);
        if (in->lanes != 1 || (in->flags & SUM_F_FLOAT) || !convert(c, &p, b, &a->coord[i]))
            return false;
        a->ncoord = i + 1;
        note_wrap(a, in->bits);
        need |= needed(&info, a);
    }
    return add_ranges(c, need, b, a);
}

static enum sum_access_kind kind_of(unsigned op)
{
    if (op == SUM_ATOMIC)
        return SUM_ACC_ATOMIC;
    return op == SUM_STORE || op == SUM_IMAGE_WRITE ? SUM_ACC_WRITE : SUM_ACC_READ;
}

static void add_access(struct collect *c, uint32_t v, uint32_t b, uint32_t arg, bool known)
{
    struct kernel_summary *k = c->k;
    const struct sum_insn *in = &k->insns[v];
    if (k->naccess == MAX_ACCESS) {
        c->too_many = true;
        return;
    }
    struct sum_access a = {.kind = kind_of(in->op), .insn = v, .arg = arg, .bytes = in->bytes}, unknown;
    const struct sum_insn *value = in->op == SUM_STORE ? &k->insns[sum_opnd(k, v, 1)] : NULL;
    if (value && value->op == SUM_CONST && !(in->flags & SUM_F_LAST) &&
        (uint64_t)value->bits * value->lanes == 8ull * in->bytes) {
        a.constant_value = true; /* a memset's byte is not the value that it stores */
        a.constant = value->imm;
    }
    unknown = a;
    bool image = in->op == SUM_IMAGE_READ || in->op == SUM_IMAGE_WRITE;
    a.wrap_bits = 64;
    a.affine = known && (image ? image_coords(c, v, b, &a) : buffer_coord(c, v, b, &a));
    if (a.affine) {
        add_guards(c, b, &a);
    } else {
        sum_free_access(&a);
        a = unknown;
    }
    k->access = must_grow(k->access, k->naccess, sizeof(*k->access));
    k->access[k->naccess++] = a;
}

/* Must the launch know where argument `arg` is touched?  What is written, always; a buffer that is only read,
 * because the program may pass one that is written under two names. */
static bool is_listed(const struct kernel_summary *k, uint32_t arg)
{
    return k->args[arg].may_write || k->args[arg].kind == SUM_ARG_BUFFER;
}

/* One access of v to `arg`.  Too many reads of what is only read become one of an unknown place. */
static void list_access(struct collect *c, uint32_t v, uint32_t b, uint32_t arg, bool known)
{
    uint32_t *n = &c->reads[arg];
    bool only_read = !c->k->args[arg].may_write;
    if (only_read && *n > MAX_READS)
        return;
    *n += only_read;
    add_access(c, v, b, arg, known && *n <= MAX_READS);
}

/* Every argument that v may touch, if the launch must know. */
static void visit(struct collect *c, uint32_t v, uint32_t b)
{
    const struct kernel_summary *k = c->k;
    const struct sum_insn *in = &k->insns[v];
    bool image = in->op == SUM_IMAGE_READ || in->op == SUM_IMAGE_WRITE;
    if (in->op != SUM_LOAD && in->op != SUM_STORE && in->op != SUM_ATOMIC && !image)
        return;
    struct root r = roots_touched(k, c->roots, v);
    for (uint8_t i = 0; i < r.n; i++) {
        uint32_t arg = ROOT_INDEX(r.obj[i]);
        if (ROOT_KIND(r.obj[i]) == ROOT_ARG && is_listed(k, arg))
            list_access(c, v, b, arg, true);
    }
    if (!r.unknown || (!image && in->space == SUM_LOCAL))
        return;
    for (uint32_t arg = 0; arg < k->nargs; arg++)
        if (is_listed(k, arg) && (k->args[arg].kind == SUM_ARG_IMAGE) == image)
            list_access(c, v, b, arg, false);
}

bool access_build(struct kernel_summary *k, const struct roots *r, struct aff *launch, const bool *constant,
                  struct steady *steady)
{
    struct collect c = {
        .k = k, .cfg = launch->cfg, .roots = r, .aff = launch, .constant = constant, .steady = steady};
    size_t n = c.cfg->nloop;
    c.bounded = must_array(c.cfg, n, sizeof(*c.bounded));
    c.plain = must_array(c.cfg, n, sizeof(*c.plain));
    c.edge = must_array(c.cfg, 2 * n, sizeof(*c.edge));
    c.reads = must_array(c.cfg, k->nargs, sizeof(*c.reads));
    for (size_t l = 0; l < n; l++)
        c.bounded[l] = c.plain[l] = CFG_NONE;
    find_bounds(&c);
    for (uint32_t b = 0; b < k->nblock && !c.too_many; b++)
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end && !c.too_many; v++)
            visit(&c, v, b);
    return !c.too_many;
}
