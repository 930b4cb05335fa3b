/* taint.c - see taint.h.
 *
 * A forward data-flow analysis over SSA to the least fixed point.  A value's set is the union over the
 * symbols of its polynomial (exact reading, affine.h), so what cancels there does not count.  A value that is
 * its own symbol has the union over its operands.  Private memory has one cell per object: a load yields all
 * that was ever stored there.
 *
 * Control flow: a source in TAINT_SIZE that decides a branch refuses the fact at once, so values need no
 * control dependence for those.  Positions may decide branches: the phis where the paths from such a branch
 * meet (its immediate post-dominator) take the condition's set, and so does private memory. */
#include "analysis/prove/taint.h"

struct work {
    const struct kernel_summary *k;
    const struct cfg *cfg;
    const struct roots *roots;
    const struct aff *exact;
    const struct taint_memory *mem;
    struct taint *t;
    taint_set *cell;        /* private objects: leaf value id of an alloca, nleaf + index of an argument */
    taint_set cell_all;     /* union of all cells */
    taint_set cell_unknown; /* stored through a private pointer of unknown root */
    taint_set cell_control; /* positions that may decide whether something is stored */
    taint_set *control;     /* block -> what decides how its phis choose */
    uint8_t *edge_of;       /* operand -> its bit in a taint set if it is undefined, else 0 */
    bool changed;
};

static void grow(struct work *w, taint_set *s, taint_set by)
{
    if (by & ~*s) {
        *s |= by;
        w->changed = true;
    }
}

static uint32_t cell_of(const struct kernel_summary *k, uint32_t obj)
{
    return ROOT_KIND(obj) == ROOT_ALLOCA ? ROOT_INDEX(obj) : k->nleaf + ROOT_INDEX(obj);
}

/* ---- memory ---------------------------------------------------------------------------------------- */

static bool all_private(const struct work *w, const struct root *r)
{
    for (uint8_t i = 0; i < r->n; i++)
        if (!roots_is_private(w->k, r->obj[i]))
            return false;
    return r->n > 0;
}

/* The address as a number.  An access that certainly stays in private memory does
 * not show where that lies. */
static taint_set address_taint(const struct work *w, uint32_t v, const struct root *r)
{
    taint_set a = w->t->of[sum_opnd(w->k, v, 0)];
    return all_private(w, r) ? a & ~TAINT_STACK : a;
}

/* What the result of a load from object `obj` depends on, besides its address. */
static taint_set load_object(const struct work *w, uint32_t v, uint32_t obj, taint_set address)
{
    const struct kernel_summary *k = w->k;
    bool fixed = !(address & (TAINT_POSITION | TAINT_MEMORY | TAINT_VARIES | TAINT_SIZE)) &&
                 !(k->insns[v].flags & SUM_F_VOLATILE);
    bool anybody = w->mem->unknown_write || w->mem->call, written = anybody;
    if (roots_is_private(k, obj)) {
        taint_set cell = w->cell[cell_of(k, obj)] | w->cell_unknown;
        bool stored = cell || ROOT_KIND(obj) == ROOT_ALLOCA; /* else a by-value argument as it was passed */
        return stored ? cell | w->cell_control | TAINT_VARIES : 0;
    }
    if (ROOT_KIND(obj) == ROOT_VAR) {
        if (k->vars[ROOT_INDEX(obj)].space == SUM_CONSTANT)
            return 0; /* part of the program */
        written = anybody = written || w->mem->variable_write_at != CFG_NONE;
    } else {
        written = written || k->args[ROOT_INDEX(obj)].may_write;
    }
    return (anybody ? TAINT_SHARED : 0) | (fixed && !written ? TAINT_SETTINGS : TAINT_MEMORY);
}

static taint_set load_taint(const struct work *w, uint32_t v)
{
    struct root r = roots_touched(w->k, w->roots, v);
    unsigned space = w->k->insns[v].space;
    taint_set address = address_taint(w, v, &r), s = address;
    for (uint8_t i = 0; i < r.n; i++)
        s |= load_object(w, v, r.obj[i], address);
    if (r.unknown && (space == SUM_PRIVATE || space == SUM_GENERIC))
        s |= w->cell_all | w->cell_unknown | w->cell_control | TAINT_VARIES;
    if (r.unknown)
        s |= TAINT_MEMORY | TAINT_SHARED;
    if (w->k->insns[v].flags & SUM_F_VOLATILE)
        s |= TAINT_MEMORY | TAINT_SHARED;
    return s;
}

/* Enter a store into the cells that it may change.  The address counts like the value, because it decides
 * what a load from another address finds. */
static void store_taint(struct work *w, uint32_t v)
{
    struct root r = roots_touched(w->k, w->roots, v);
    taint_set value = w->t->of[sum_opnd(w->k, v, 1)] | address_taint(w, v, &r) | TAINT_VARIES;
    for (uint8_t i = 0; i < r.n; i++)
        if (roots_is_private(w->k, r.obj[i])) {
            grow(w, &w->cell[cell_of(w->k, r.obj[i])], value);
            grow(w, &w->cell_all, value);
        }
    if (r.unknown && (w->k->insns[v].space == SUM_PRIVATE || w->k->insns[v].space == SUM_GENERIC))
        grow(w, &w->cell_unknown, value);
}

/* ---- values ---------------------------------------------------------------------------------------- */

static taint_set operands(const struct work *w, uint32_t v)
{
    const struct sum_insn *in = &w->k->insns[v];
    taint_set s = 0;
    for (uint32_t i = in->op == SUM_PHI ? 1 : 0; i < in->nopnd; i += in->op == SUM_PHI ? 2 : 1) {
        const uint8_t bit = w->edge_of[in->opnd + i];
        s |= bit ? (taint_set)1 << bit : w->t->of[sum_opnd(w->k, v, i)];
    }
    return s;
}

static bool image_shared(const struct work *w, uint32_t v)
{
    struct root r = roots_touched(w->k, w->roots, v);
    bool shared = r.unknown || w->mem->unknown_write || w->mem->call;
    for (uint8_t i = 0; i < r.n; i++)
        shared |= ROOT_KIND(r.obj[i]) != ROOT_ARG;
    return shared;
}

/* What a value depends on whose polynomial is its own symbol. */
static taint_set own_taint(const struct work *w, uint32_t v, uint32_t block)
{
    switch (w->k->insns[v].op) {
    case SUM_OPAQUE:
        return taint_is_undef(w->k, v) ? TAINT_UNDEF : 0;
    case SUM_CONST:
    case SUM_ARG:
    case SUM_VAR:
    case SUM_ALLOCA:
        return 0;
    case SUM_WI: /* polynomials of ids and sizes, but for work_dim and the local linear id */
        return w->k->insns[v].sub == SUM_WI_WORK_DIM ? 0 : TAINT_LINEAR;
    case SUM_LOAD:
        return load_taint(w, v);
    case SUM_ATOMIC:
    case SUM_CALL:
        return operands(w, v) | TAINT_MEMORY | TAINT_SHARED | TAINT_VARIES;
    case SUM_IMAGE_READ:
        return operands(w, v) | TAINT_MEMORY | (image_shared(w, v) ? TAINT_SHARED : 0);
    case SUM_PHI:
        return operands(w, v) | w->control[block] | TAINT_VARIES;
    default:
        return operands(w, v) | (w->k->insns[v].nopnd == 0 ? TAINT_VARIES : 0);
    }
}

static taint_set sym_taint(const struct taint *t, const struct aff *exact, aff_sym s)
{
    static const taint_set of_dimension[] = {
        [AFF_GID] = TAINT_GID,        [AFF_OFFSET] = TAINT_OFFSET, [AFF_GSIZE] = TAINT_GSIZE,
        [AFF_LID] = TAINT_LID,        [AFF_LSIZE] = TAINT_LSIZE,   [AFF_GROUP] = TAINT_GROUP,
        [AFF_NGROUPS] = TAINT_NGROUPS};
    const uint32_t i = AFF_INDEX(s);
    switch (AFF_KIND(s)) {
    case AFF_VALUE:
        return t->of[i];
    case AFF_QUOTIENT:
        return t->of[exact->quotient[i].x] |
               (exact->quotient[i].w == CFG_NONE ? 0 : t->of[exact->quotient[i].w]);
    case AFF_LOOP:
    case AFF_COUNT:
        return TAINT_VARIES;
    case AFF_ARG:
    case AFF_ARGZ:
        return 0;
    default:
        return of_dimension[AFF_KIND(s)] << i;
    }
}

taint_set taint_poly(const struct taint *t, const struct aff *exact, const struct aff_poly *p)
{
    taint_set s = 0;
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = 0; j < p->term[i].n; j++)
            s |= sym_taint(t, exact, p->term[i].sym[j]);
    return s;
}

/* An address in private memory, used as a number, shows where the driver put it. */
static taint_set stack_taint(const struct work *w, uint32_t v)
{
    const struct root *r = &w->roots->of[v];
    bool stack = r->unknown && w->k->insns[v].op != SUM_PTRADD;
    if (!w->roots->pointer[v])
        return 0;
    for (uint8_t i = 0; i < r->n; i++)
        stack |= roots_is_private(w->k, r->obj[i]);
    return stack ? TAINT_STACK : 0;
}

static void visit(struct work *w, uint32_t v, uint32_t block)
{
    const struct aff_value *val = &w->exact->value[v];
    taint_set s = stack_taint(w, v);
    if (val->first == AFF_SELF)
        s |= own_taint(w, v, block);
    else
        for (uint32_t i = 0; i < val->n; i++)
            for (uint32_t j = 0; j < w->exact->pool[val->first + i].n; j++)
                s |= sym_taint(w->t, w->exact, w->exact->pool[val->first + i].sym[j]);
    grow(w, &w->t->of[v], s);
    if (w->k->insns[v].op == SUM_STORE)
        store_taint(w, v);
}

/* A branch that the position decides: its paths meet again at the immediate post-dominator. */
static void visit_branch(struct work *w, uint32_t block)
{
    uint32_t t = w->k->blocks[block].end - 1, meet = w->cfg->ipdom[block];
    unsigned op = w->k->insns[t].op;
    if ((op != SUM_CONDBR && op != SUM_SWITCH) || meet == CFG_NONE || meet == w->cfg->nblock)
        return;
    taint_set s = w->t->of[sum_opnd(w->k, t, 0)] & TAINT_POSITION;
    grow(w, &w->control[meet], s);
    grow(w, &w->cell_control, s);
}

/* ---- edges with an undefined value ----------------------------------------------------------------- */

/* The edge from `from` to `to`, added when it is new; those of one block come together.  Where there are too
 * many the leaf's own source stands for them. */
static void add_edge(struct taint *t, uint32_t from, uint32_t to, uint8_t *bit)
{
    for (uint32_t i = 0; i < t->nedge; i++)
        if (t->edge[i].from == from && t->edge[i].to == to) {
            *bit = t->edge[i].bit;
            return;
        }
    if (t->nedge == TAINT_MOST_EDGES)
        return;
    *bit = (uint8_t)(TAINT_FIRST_EDGE + t->nedge < TAINT_BITS ? TAINT_FIRST_EDGE + t->nedge : TAINT_BITS - 1);
    t->edge[t->nedge++] = (struct taint_edge){from, to, *bit};
}

static void find_undef_edges(struct work *w)
{
    const struct kernel_summary *k = w->k;
    for (uint32_t b = 0; b < k->nblock; b++)
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++) {
            const struct sum_insn *in = &k->insns[v];
            const bool phi = in->op == SUM_PHI, branch = in->op >= SUM_BR;
            for (uint32_t i = phi ? 1 : 0; i < in->nopnd && !branch; i += phi ? 2 : 1)
                if (taint_is_undef(k, sum_opnd(k, v, i)))
                    add_edge(w->t, phi ? sum_opnd(k, v, i - 1) : b, phi ? b : SUM_ANYWHERE,
                             &w->edge_of[in->opnd + i]);
        }
}

/* ---- sinks ----------------------------------------------------------------------------------------- */

static void observe(struct work *w, taint_set s, uint32_t v, const char *what)
{
    for (unsigned i = 0; i < TAINT_BITS; i++)
        if ((s >> i & 1) && w->t->sink[i].insn == CFG_NONE)
            w->t->sink[i] = (struct taint_sink){v, what};
}

static void observe_operands(struct work *w, uint32_t v, uint32_t from, const char *what)
{
    for (uint32_t i = from; i < w->k->insns[v].nopnd; i++)
        observe(w, w->t->of[sum_opnd(w->k, v, i)], v, what);
}

static void find_sinks(struct work *w, uint32_t v)
{
    const struct sum_insn *in = &w->k->insns[v];
    struct root r;
    switch (in->op) {
    case SUM_LOAD:
    case SUM_STORE:
        r = roots_touched(w->k, w->roots, v);
        observe(w, address_taint(w, v, &r), v, "an address");
        if (in->op == SUM_STORE && !all_private(w, &r))
            observe(w, w->t->of[sum_opnd(w->k, v, 1)], v, "a stored value");
        break;
    case SUM_ATOMIC:
        observe_operands(w, v, 0, "an atomic");
        break;
    case SUM_IMAGE_READ:
        observe_operands(w, v, 1, "an image coordinate");
        break;
    case SUM_IMAGE_WRITE:
        observe_operands(w, v, 1, "an image");
        break;
    case SUM_FENCE:
    case SUM_BARRIER:
    case SUM_PRINTF:
    case SUM_CALL:
        observe_operands(w, v, 0, "a call");
        break;
    case SUM_CONDBR:
    case SUM_SWITCH:
        observe(w, w->t->of[sum_opnd(w->k, v, 0)], v, "a branch");
        break;
    default:
        break;
    }
}

static void solve(struct work *w)
{
    do {
        w->changed = false;
        for (uint32_t v = 0; v < w->k->nleaf; v++)
            visit(w, v, CFG_NONE);
        for (uint32_t i = 0; i < w->cfg->nreach; i++) {
            uint32_t b = w->cfg->rpo[i];
            for (uint32_t v = w->k->blocks[b].first; v < w->k->blocks[b].end; v++)
                visit(w, v, b);
            visit_branch(w, b);
        }
    } while (w->changed);
}

void taint_build(const struct kernel_summary *k, struct cfg *c, const struct roots *r,
                 const struct aff *exact, const struct taint_memory *m, struct taint *t)
{
    struct work w = {.k = k, .cfg = c, .roots = r, .exact = exact, .mem = m, .t = t};
    t->of = must_array(c, k->ninsn, sizeof(*t->of));
    t->constant = must_array(c, k->ninsn, sizeof(*t->constant));
    t->edge = must_array(c, TAINT_MOST_EDGES, sizeof(*t->edge));
    t->nedge = 0;
    w.cell = must_array(c, (size_t)k->nleaf + k->nargs, sizeof(*w.cell));
    w.control = must_array(c, k->nblock, sizeof(*w.control));
    w.edge_of = must_array(c, k->nopnd, sizeof(*w.edge_of));
    for (unsigned i = 0; i < TAINT_BITS; i++)
        t->sink[i].insn = CFG_NONE;
    find_undef_edges(&w);
    solve(&w);
    for (uint32_t v = 0; v < k->ninsn; v++)
        t->constant[v] =
            !(t->of[v] & (TAINT_POSITION | TAINT_SIZE | TAINT_MEMORY | TAINT_VARIES | TAINT_SHARED)) &&
            k->insns[v].bits != 0;
    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        find_sinks(&w, v);
}

/* ---- choices ---------------------------------------------------------------------------------------- */

/* Blocks between a phi and the branch by which its ways parted. */
#define MOST_WAYS 16

/* Is it decided by values that are `known`, and in the same round of the same loops, which way leads from
 * block b's immediate dominator to b? */
static bool way_is_known(const struct kernel_summary *k, const struct cfg *c, const bool *known, uint32_t b)
{
    uint32_t block[MOST_WAYS] = {b}, n = 1;

    if (c->irreducible || c->idom[b] == CFG_NONE ||
        (c->loop_of[b] != CFG_NONE && c->loop[c->loop_of[b]].header == b))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = c->pred_first[block[i]], end = c->pred_first[block[i] + 1];
        for (uint32_t p = from; p < end && block[i] != c->idom[b]; p++) {
            const uint32_t x = c->pred[p], last = k->blocks[x].end - 1;
            uint32_t j = 0;
            while (j < n && block[j] != x)
                j++;
            if (c->loop_of[x] != c->loop_of[b] || j == MOST_WAYS ||
                (k->insns[last].op != SUM_BR && !known[sum_opnd(k, last, 0)]))
                return false;
            block[j] = x;
            n += j == n;
        }
    }
    return true;
}

static bool operands_known(const struct kernel_summary *k, const bool *known, uint32_t phi)
{
    bool good = true;

    for (uint32_t i = 1; i < k->insns[phi].nopnd; i += 2)
        good = good && known[sum_opnd(k, phi, i)];
    return good;
}

void taint_choices(const struct kernel_summary *k, struct cfg *c, const struct roots *r, struct taint *t)
{
    t->agreed = must_array(c, k->ninsn, sizeof(*t->agreed));
    memcpy(t->agreed, t->constant, k->ninsn * sizeof(*t->agreed));
    for (uint32_t i = 0; i < c->nreach; i++) {
        const struct sum_block *b = &k->blocks[c->rpo[i]];
        for (uint32_t v = b->first; v < b->end && k->insns[v].op == SUM_PHI; v++)
            if (!t->agreed[v] && !r->pointer[v] && operands_known(k, t->agreed, v))
                t->agreed[v] = way_is_known(k, c, t->constant, c->rpo[i]);
    }
}
