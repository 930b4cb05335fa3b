/* undef_paths.c - where undefined values show, on paths that may be taken.
 *
 * A walk over the control flow from each edge on which a variable has no value, with what is known on the
 * way: which phis hold what has no value, and which values are known numbers, because a branch was taken or a
 * phi was entered from a known side.  So `if (root(x, &d)) use(d)` is followed only where root() gave d a
 * value. A select, one side of which has no value, counts as a branch.
 *
 * In SSA form a number that is known of a value holds until control enters the value's block again, and
 * nothing can use the value once control is where its block does not dominate.  A value that is computed from
 * others agrees with them as they are now; so the walk remembers phis, and what branches said, and computes
 * the rest.
 *
 * Beyond a few states per block, their union goes on; beyond a budget, everything counts as reached. */
#include "analysis/prove/proof.h"
#include "analysis/summary/integer.h"

#include <stdlib.h>

#define MOST_FACTS  24 /* of a state; further ones are forgotten */
#define MOST_PHIS   48 /* without a value, of a state; with more the walk gives up */
#define MOST_STATES 12 /* of a block, before they are joined */
#define MOST_CLIMB  256
#define DEPTH       64      /* of expressions that may have no value */
#define LOGIC_DEPTH 8       /* of expressions that may be known */
#define BUDGET      2000000 /* looks at an instruction or sixteen states, for a kernel */

struct fact {
    uint32_t value;
    int64_t is; /* sign-extended from the value's width, as in SUM_CONST */
};

/* At the beginning of a block, behind its phis. */
struct state {
    uint32_t block, nfact, nundef;
    bool first; /* the header of the edge's loop, in its first round */
    struct fact fact[MOST_FACTS];
    uint32_t undef[MOST_PHIS]; /* phis that hold what has no value */
};

struct states {
    struct state *v; /* owned */
    uint32_t n;
};

struct walk {
    const struct proof *p;
    const struct kernel_summary *k;
    const struct cfg *cfg;
    struct states todo, seen;
    int64_t budget;
    /* for one edge */
    const struct taint_edge *edge;
    struct taint_sink *sink;
    uint32_t loop; /* which is not left in its first round; CFG_NONE */
    /* for one state: what was computed of a value, if its stamp is `now` */
    uint32_t now, *stamp;
    bool *undefined;
};

/* ---- states ---------------------------------------------------------------------------------------- */

static void push(struct states *to, const struct state *s)
{
    to->v = must_grow(to->v, to->n, sizeof *to->v);
    to->v[to->n++] = *s;
}

static const struct fact *fact_of(const struct state *s, uint32_t v)
{
    for (uint32_t i = 0; i < s->nfact; i++)
        if (s->fact[i].value == v)
            return &s->fact[i];
    return NULL;
}

static bool holds_undef(const struct state *s, uint32_t phi)
{
    for (uint32_t i = 0; i < s->nundef; i++)
        if (s->undef[i] == phi)
            return true;
    return false;
}

static void note_fact(struct state *s, uint32_t v, int64_t is)
{
    if (s->nfact < MOST_FACTS)
        s->fact[s->nfact++] = (struct fact){v, is};
}

static void note_undef(struct walk *w, struct state *s, uint32_t phi)
{
    if (holds_undef(s, phi))
        return;
    if (s->nundef == MOST_PHIS)
        w->budget = 0;
    else
        s->undef[s->nundef++] = phi;
}

/* Does whatever `s` allows happen in `wide`, too? */
static bool covers(const struct state *wide, const struct state *s)
{
    if (wide->first && !s->first)
        return false;
    for (uint32_t i = 0; i < s->nundef; i++)
        if (!holds_undef(wide, s->undef[i]))
            return false;
    for (uint32_t i = 0; i < wide->nfact; i++) {
        const struct fact *f = fact_of(s, wide->fact[i].value);
        if (!f || f->is != wide->fact[i].is)
            return false;
    }
    return true;
}

static void join(struct walk *w, struct state *s, const struct state *with)
{
    uint32_t n = 0;
    s->first &= with->first;
    for (uint32_t i = 0; i < s->nfact; i++) {
        const struct fact *f = fact_of(with, s->fact[i].value);
        if (f && f->is == s->fact[i].is)
            s->fact[n++] = s->fact[i];
    }
    s->nfact = n;
    for (uint32_t i = 0; i < with->nundef; i++)
        note_undef(w, s, with->undef[i]);
}

/* ---- values ---------------------------------------------------------------------------------------- */

static bool known(struct walk *w, const struct state *s, uint32_t v, unsigned depth, int64_t *is);

/* Of x and y, one may do: false & y, true | y. */
static bool known_operation(struct walk *w, const struct state *s, uint32_t v, unsigned depth, int64_t *is)
{
    const struct sum_insn *in = &w->k->insns[v];
    const uint32_t a = sum_opnd(w->k, v, 0), b = in->nopnd > 1 ? sum_opnd(w->k, v, 1) : a;
    const unsigned from = w->k->insns[a].bits;
    const int64_t decides = in->op == SUM_AND ? 0 : -1;
    int64_t x, y;
    uint64_t result;
    const bool has_x = known(w, s, a, depth, &x), has_y = known(w, s, b, depth, &y);
    *is = decides;
    if ((in->op == SUM_AND || in->op == SUM_OR) && ((has_x && x == decides) || (has_y && y == decides)))
        return true;
    if (!has_x || !has_y ||
        !sum_evaluate(w->k, v, sum_low((uint64_t)x, from), sum_low((uint64_t)y, from), &result))
        return false;
    *is = sum_signed(result, in->bits);
    return true;
}

static bool known_select(struct walk *w, const struct state *s, uint32_t v, unsigned depth, int64_t *is)
{
    int64_t condition, other;
    if (known(w, s, sum_opnd(w->k, v, 0), depth, &condition))
        return known(w, s, sum_opnd(w->k, v, condition ? 1 : 2), depth, is);
    return known(w, s, sum_opnd(w->k, v, 1), depth, is) && known(w, s, sum_opnd(w->k, v, 2), depth, &other) &&
           *is == other;
}

/* Is the number that v is known, as far as this is worth finding out? */
static bool known(struct walk *w, const struct state *s, uint32_t v, unsigned depth, int64_t *is)
{
    const struct kernel_summary *k = w->k;
    const struct sum_insn *in = &k->insns[v];
    const struct fact *f;
    w->budget--;
    if (in->op == SUM_CONST)
        *is = in->imm;
    if (in->op == SUM_CONST || !sum_is_integer(in) || depth == LOGIC_DEPTH)
        return in->op == SUM_CONST;
    if ((f = fact_of(s, v))) {
        *is = f->is;
        return true;
    }
    switch (in->op) {
    case SUM_AND:
    case SUM_OR:
    case SUM_XOR:
    case SUM_ICMP:
    case SUM_TRUNC:
    case SUM_SEXT:
    case SUM_ZEXT:
        return known_operation(w, s, v, depth + 1, is);
    case SUM_SELECT:
        return known_select(w, s, v, depth + 1, is);
    default:
        return false;
    }
}

/* Note that v is a certain number, and what follows from it.  False: it cannot be, so that nobody comes here.
 */
static bool learn(struct walk *w, struct state *s, uint32_t v, int64_t is, unsigned depth)
{
    const struct kernel_summary *k = w->k;
    const struct sum_insn *in = &k->insns[v];
    const uint32_t a = in->nopnd > 0 ? sum_opnd(k, v, 0) : v, b = in->nopnd > 1 ? sum_opnd(k, v, 1) : v;
    int64_t x;
    if (known(w, s, v, 0, &x))
        return x == is;
    if (!sum_is_integer(in) || depth == LOGIC_DEPTH)
        return true;
    note_fact(s, v, is);
    depth++;
    switch (in->op) {
    case SUM_AND: /* of bits; one that is known leaves the other */
    case SUM_OR:
        if (in->bits != 1)
            return true;
        if (is == (in->op == SUM_AND ? -1 : 0))
            return learn(w, s, a, is, depth) && learn(w, s, b, is, depth);
        if (known(w, s, a, 0, &x))
            return learn(w, s, b, is, depth);
        return !known(w, s, b, 0, &x) || learn(w, s, a, is, depth);
    case SUM_XOR:
        return !known(w, s, b, 0, &x) || learn(w, s, a, is ^ x, depth);
    case SUM_SELECT: /* c ? b : false is c && b; c ? true : b is c || b */
        if (known(w, s, sum_opnd(k, v, 2), 0, &x) && x != is)
            return learn(w, s, a, -1, depth) && learn(w, s, b, is, depth);
        if (known(w, s, b, 0, &x) && x != is)
            return learn(w, s, a, 0, depth) && learn(w, s, sum_opnd(k, v, 2), is, depth);
        return true;
    case SUM_ICMP:
        if (in->sub == (is ? SUM_EQ : SUM_NE) && known(w, s, b, 0, &x))
            return learn(w, s, a, x, depth);
        return true;
    case SUM_ZEXT:
    case SUM_SEXT:
        return !sum_is_integer(&k->insns[a]) ||
               learn(w, s, a, sum_signed((uint64_t)is, k->insns[a].bits), depth);
    default:
        return true;
    }
}

/* ---- what has no value ----------------------------------------------------------------------------- */

static bool is_undef(struct walk *w, const struct state *s, uint32_t v, unsigned depth);

/* Operand i of v, which is no phi. */
static bool operand_undef(struct walk *w, const struct state *s, uint32_t v, uint32_t i, unsigned depth)
{
    const uint32_t o = sum_opnd(w->k, v, i);
    if (taint_is_undef(w->k, o))
        return w->edge->to == SUM_ANYWHERE && w->cfg->block_of[v] == w->edge->from;
    return is_undef(w, s, o, depth);
}

static bool any_undef(struct walk *w, const struct state *s, uint32_t v, unsigned depth)
{
    for (uint32_t i = 0; i < w->k->insns[v].nopnd; i++)
        if (operand_undef(w, s, v, i, depth))
            return true;
    return false;
}

static bool select_undef(struct walk *w, const struct state *s, uint32_t v, unsigned depth)
{
    int64_t condition;
    if (operand_undef(w, s, v, 0, depth))
        return true;
    if (known(w, s, sum_opnd(w->k, v, 0), 0, &condition))
        return operand_undef(w, s, v, condition ? 1 : 2, depth);
    return operand_undef(w, s, v, 1, depth) || operand_undef(w, s, v, 2, depth);
}

/* May v be made of what has no value?  Not what is read from memory: writing it there, or reading from such a
 * place, ends the walk. */
static bool is_undef(struct walk *w, const struct state *s, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &w->k->insns[v];
    int64_t is;
    if (!(w->p->taint.of[v] >> w->edge->bit & 1) || v < w->k->nleaf || in->op >= SUM_LOAD)
        return false;
    if (in->op == SUM_PHI)
        return holds_undef(s, v);
    if (w->stamp[v] == w->now)
        return w->undefined[v];
    const bool undefined =
        depth == DEPTH || (!known(w, s, v, 0, &is) && (in->op == SUM_SELECT ? select_undef(w, s, v, depth + 1)
                                                                            : any_undef(w, s, v, depth + 1)));
    w->stamp[v] = w->now;
    w->undefined[v] = undefined;
    return undefined;
}

/* ---- the walk -------------------------------------------------------------------------------------- */

static bool reached(const struct walk *w)
{
    return w->sink->insn != CFG_NONE;
}

/* What has no value shows here, and how is said as in taint.c. */
static void note_sink(struct walk *w, uint32_t v, uint32_t operand)
{
    const struct sum_insn *in = &w->k->insns[v];
    const bool memory = in->op == SUM_LOAD || in->op == SUM_STORE;
    *w->sink = (struct taint_sink){v, in->op >= SUM_BR           ? "a branch"
                                      : memory                   ? (operand ? "a stored value" : "an address")
                                      : in->op == SUM_ATOMIC     ? "an atomic"
                                      : in->op == SUM_IMAGE_READ ? "an image coordinate"
                                      : in->op == SUM_IMAGE_WRITE ? "an image"
                                                                  : "a call"};
    if (in->op == SUM_STORE && in->space == SUM_PRIVATE) /* where it goes from there is not followed */
        *w->sink = w->p->taint.sink[w->edge->bit];
}

static void look_for_sink(struct walk *w, const struct state *s, uint32_t v)
{
    const struct sum_insn *in = &w->k->insns[v];
    const bool shows = in->op >= SUM_LOAD && in->op <= SUM_CALL,
               branches = in->op == SUM_CONDBR || in->op == SUM_SWITCH;
    for (uint32_t i = 0; i < (branches ? 1 : shows ? in->nopnd : 0) && !reached(w); i++)
        if (operand_undef(w, s, v, i, 0))
            note_sink(w, v, i);
}

/* Where one side of the select v has no value, go on with the other one here and with this one later. */
static bool split_select(struct walk *w, struct state *s, uint32_t v)
{
    const uint32_t condition = sum_opnd(w->k, v, 0);
    int64_t is;
    if (known(w, s, v, 0, &is) || known(w, s, condition, 0, &is) || operand_undef(w, s, v, 0, 0) ||
        operand_undef(w, s, v, 1, 0) == operand_undef(w, s, v, 2, 0) || s->nfact == MOST_FACTS)
        return true;
    struct state other = *s;
    if (learn(w, &other, condition, 0, 0))
        push(&w->todo, &other);
    w->now++;
    return learn(w, s, condition, -1, 0);
}

/* May what was computed in a block still be used in block `to`, though control has just come there? */
static bool lasts(const struct walk *w, uint32_t v, uint32_t to)
{
    const uint32_t b = w->cfg->block_of[v];
    return b == CFG_NONE || (b != to && cfg_dominates(w->cfg, b, to));
}

static void enter_phi(struct walk *w, const struct state *s, uint32_t from, uint32_t phi, struct state *next)
{
    const struct kernel_summary *k = w->k;
    int64_t is;
    for (uint32_t i = 0; i < k->insns[phi].nopnd; i += 2) {
        const uint32_t v = sum_opnd(k, phi, i + 1);
        if (sum_opnd(k, phi, i) != from)
            continue;
        if (taint_is_undef(k, v) ? w->edge->from == from && w->edge->to == next->block : is_undef(w, s, v, 0))
            note_undef(w, next, phi);
        else if (known(w, s, v, 0, &is))
            note_fact(next, phi, is);
    }
}

/* Keep one more state of its block, or the union of all, to go on with, unless that has been done. */
static void enter(struct walk *w, struct state *s)
{
    uint32_t n = 0;
    w->budget -= w->seen.n / 16;
    for (uint32_t i = 0; i < w->seen.n; i++) {
        if (w->seen.v[i].block != s->block)
            continue;
        if (covers(&w->seen.v[i], s))
            return;
        n++;
    }
    for (uint32_t i = w->seen.n; n >= MOST_STATES && i-- > 0;)
        if (w->seen.v[i].block == s->block) {
            join(w, s, &w->seen.v[i]);
            w->seen.v[i] = w->seen.v[--w->seen.n];
        }
    push(&w->seen, s);
    push(&w->todo, s);
}

static void follow(struct walk *w, const struct state *s, uint32_t from, uint32_t to)
{
    const struct taint_edge *e = w->edge;
    struct state next = {.block = to};
    w->now++;
    next.first =
        w->loop != CFG_NONE && w->cfg->loop[w->loop].header == to && !cfg_in_loop(w->cfg, w->loop, from);
    for (uint32_t i = 0; i < s->nfact; i++)
        if (lasts(w, s->fact[i].value, to))
            note_fact(&next, s->fact[i].value, s->fact[i].is);
    for (uint32_t i = 0; i < s->nundef; i++)
        if (lasts(w, s->undef[i], to))
            note_undef(w, &next, s->undef[i]);
    for (uint32_t v = w->k->blocks[to].first; w->k->insns[v].op == SUM_PHI; v++)
        enter_phi(w, s, from, v, &next);
    if (next.nundef || (e->to == SUM_ANYWHERE && e->from != to && cfg_dominates(w->cfg, e->from, to)))
        enter(w, &next);
}

/* Note what the edge says of the condition at the end of `from`.  False: it is not taken. */
static bool learn_edge(struct walk *w, struct state *s, uint32_t from, uint32_t to)
{
    const struct kernel_summary *k = w->k;
    const uint32_t t = k->blocks[from].end - 1, n = k->insns[t].nopnd;
    if (k->insns[t].op == SUM_CONDBR && sum_opnd(k, t, 1) != sum_opnd(k, t, 2))
        return learn(w, s, sum_opnd(k, t, 0), sum_opnd(k, t, 1) == to ? -1 : 0, 0);
    if (k->insns[t].op != SUM_SWITCH)
        return true;
    const uint32_t condition = sum_opnd(k, t, 0);
    uint32_t cases = 0, one = 0, taken = sum_opnd(k, t, 1);
    int64_t is;
    const bool has = known(w, s, condition, 0, &is);
    for (uint32_t i = 2; i < n; i += 2) {
        if (has && k->insns[sum_opnd(k, t, i)].imm == is)
            taken = sum_opnd(k, t, i + 1);
        if (sum_opnd(k, t, i + 1) == to && cases++ == 0)
            one = sum_opnd(k, t, i);
    }
    if (has)
        return taken == to;
    return cases != 1 || sum_opnd(k, t, 1) == to || learn(w, s, condition, k->insns[one].imm, 0);
}

/* From the beginning of a block to those behind it. */
static void pass_block(struct walk *w, struct state *s)
{
    const struct sum_block *b = &w->k->blocks[s->block];
    const uint32_t from = s->block;
    w->now++;
    for (uint32_t v = b->first; v < b->end && !reached(w); v++) {
        w->budget--;
        if (w->k->insns[v].op == SUM_SELECT && !split_select(w, s, v))
            return;
        look_for_sink(w, s, v);
    }
    for (uint32_t i = w->cfg->succ_first[from]; i < w->cfg->succ_first[from + 1] && !reached(w); i++) {
        struct state out = *s;
        w->now++;
        if (s->first && !cfg_in_loop(w->cfg, w->loop, w->cfg->succ[i]))
            continue;
        if (learn_edge(w, &out, from, w->cfg->succ[i]))
            follow(w, &out, from, w->cfg->succ[i]);
    }
}

/* What the branches before block b have said.  False: nobody comes there. */
static bool learn_dominating(struct walk *w, struct state *s, uint32_t b)
{
    unsigned climb = 0;
    for (uint32_t d = w->cfg->idom[b]; d != CFG_NONE && climb++ < MOST_CLIMB; d = w->cfg->idom[d])
        for (uint32_t i = w->cfg->succ_first[d]; i < w->cfg->succ_first[d + 1]; i++)
            if (cfg_edge_dominates(w->cfg, d, w->cfg->succ[i], b) && !learn_edge(w, s, d, w->cfg->succ[i]))
                return false;
    return true;
}

static void begin(struct walk *w)
{
    const struct taint_edge *e = w->edge;
    struct state s = {.block = e->from};
    if (w->cfg->rpo_pos[e->from] == CFG_NONE || !learn_dominating(w, &s, e->from))
        return;
    if (e->to == SUM_ANYWHERE)
        enter(w, &s);
    else if (learn_edge(w, &s, e->from, e->to))
        follow(w, &s, e->from, e->to);
}

static void walk_edge(struct walk *w)
{
    const struct taint_sink any = *w->sink;
    w->sink->insn = CFG_NONE;
    w->todo.n = w->seen.n = 0;
    begin(w);
    while (w->todo.n && !reached(w) && w->budget > 0) {
        struct state s = w->todo.v[--w->todo.n];
        pass_block(w, &s);
    }
    if (!reached(w) && w->budget <= 0)
        *w->sink = any;
}

uint32_t undef_entered(const struct cfg *c, const struct taint_edge *e)
{
    const uint32_t l = e->to == SUM_ANYWHERE ? CFG_NONE : c->loop_of[e->to];
    return l != CFG_NONE && c->loop[l].header == e->to && !cfg_in_loop(c, l, e->from) ? l : CFG_NONE;
}

void undef_paths(struct proof *p, bool stays, struct taint_sink *sink)
{
    const struct kernel_summary *k = p->k;
    struct walk w = {.p = p, .k = k, .cfg = &p->cfg, .budget = BUDGET};
    w.stamp = must_array(&p->cfg, k->ninsn, sizeof *w.stamp);
    w.undefined = must_array(&p->cfg, k->ninsn, sizeof *w.undefined);
    for (uint32_t i = 0; i < p->taint.nedge; i++) {
        w.edge = &p->taint.edge[i];
        w.sink = &sink[i];
        *w.sink = p->taint.sink[w.edge->bit];
        w.loop = stays ? undef_entered(&p->cfg, w.edge) : CFG_NONE;
        if (reached(&w))
            walk_edge(&w);
    }
    free(w.todo.v);
    free(w.seen.v);
}
