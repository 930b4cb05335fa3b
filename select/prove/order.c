/* order.c - see select/prove/order.h.
 *
 * Seen with a driver that runs the work-items of a group in a loop which it declares free of dependences, and
 * makes vectors of its rounds: of loads a few numbers apart in neighbouring rounds (`a[2 * i]`, `a[2 * i +
 * 1]`) it makes one, where the first stood, and of stores one, where the last stood, whatever the same
 * work-item did to these places in between.  LLVM's vectoriser, to which a loop without dependences has none
 * inside of a round either, combines up to eight. */
#include "select/prove/order.h"

#include "analysis/summary/cfg.h"
#include "select/prove/form.h"
#include "select/prove/refuse.h"

#include <limits.h>
#include <stdlib.h>

#define MOST_COMBINED  8    /* numbers between those of neighbouring work-items */
#define MOST_PLACES    1200 /* that are compared */
#define MOST_IN_ARRAYS 200  /* ... of them in private arrays */
#define MOST_BLOCKS    500

struct place {
    uint32_t insn, block;
    bool write;
    bool known; /* `form` is where; else it is anywhere in its array */
    int64_t bytes;
    struct sel_form form; /* from the begin of what `root` stands for */
    uint32_t root;        /* the first of the arguments that share memory; nargs and above: private arrays */
};

struct places {
    const struct kernel_summary *k;
    const struct launch *l;
    struct cfg cfg;
    bool *reached; /* by block and block: from the one to the other */
    struct place *place;
    unsigned n, narg; /* narg: those in arguments, which come first */
};

/* ---- arguments ------------------------------------------------------------------------------------ */

static uint32_t first_shared(const struct places *p, uint32_t arg)
{
    uint32_t i = 0;

    while (i < arg && !sel_shared(p->k, p->l, i, arg))
        i++;
    return i;
}

/* False if there are too many. */
static bool add(struct places *p, const struct place *place)
{
    if (p->n == MOST_PLACES)
        return false;
    p->place[p->n] = *place;
    p->place[p->n++].block = p->cfg.block_of[place->insn];
    return true;
}

static bool add_accesses(struct places *p)
{
    bool room = true;

    for (uint32_t i = 0; i < p->k->naccess && room; i++) {
        const struct sum_access *a = &p->k->access[i];
        if (p->k->args[a->arg].kind != SUM_ARG_BUFFER || a->kind == SUM_ACC_ATOMIC || a->insn >= p->k->ninsn)
            continue;
        struct place place = {.insn = a->insn,
                              .write = a->kind == SUM_ACC_WRITE,
                              .bytes = a->bytes,
                              .root = first_shared(p, a->arg)};
        const uint64_t shift = p->l->args[a->arg].offset - p->l->args[place.root].offset;
        struct sel_range box[3];
        sel_form_box(p->k, p->l, a, box);
        place.known = a->affine && sel_form_make(p->k, p->l, &a->coord[0], &place.form) == SEL_R_OK &&
                      sel_form_loops(p->k, p->l, box, &place.form) &&
                      !__builtin_add_overflow(place.form.constant, (int64_t)shift, &place.form.constant);
        room = add(p, &place);
    }
    return room;
}

/* ---- private arrays ------------------------------------------------------------------------------- */

/* The array that an address lies in, or another address; *at: how far from its begin; *known: is that a
 * constant? */
static uint32_t array_of(const struct kernel_summary *k, uint32_t address, int64_t *at, bool *known)
{
    *at = 0;
    *known = true;
    for (; k->insns[address].op == SUM_PTRADD; address = sum_opnd(k, address, 0)) {
        const struct sum_insn *by = &k->insns[sum_opnd(k, address, 1)];
        *known = *known && by->op == SUM_CONST && !__builtin_add_overflow(*at, by->imm, at);
    }
    return address;
}

/* Neighbouring work-items' arrays lie one behind the other: an array is as a step of its size. */
static bool add_array_access(struct places *p, uint32_t v)
{
    const struct kernel_summary *k = p->k;
    struct place place = {.insn = v, .write = k->insns[v].op == SUM_STORE, .bytes = k->insns[v].bytes};
    const uint32_t base = array_of(k, sum_opnd(k, v, 0), &place.form.constant, &place.known);

    if (k->insns[base].op != SUM_ALLOCA)
        return true;
    place.root = k->nargs + base;
    for (unsigned d = 0; d < 3; d++)
        place.form.gid[d] = k->insns[base].imm;
    return add(p, &place);
}

static bool add_array_accesses(struct places *p)
{
    bool room = true;

    p->narg = p->n;
    for (uint32_t v = 0; v < p->k->ninsn && room; v++)
        if ((p->k->insns[v].op == SUM_LOAD || p->k->insns[v].op == SUM_STORE) &&
            p->k->insns[v].space == SUM_PRIVATE)
            room = add_array_access(p, v);
    return room && p->n - p->narg <= MOST_IN_ARRAYS;
}

/* ---- order ---------------------------------------------------------------------------------------- */

static bool in_loop(const struct places *p, const struct place *a)
{
    return p->cfg.loop_of[a->block] != CFG_NONE;
}

/* How many loops are both in? */
static unsigned common_loops(const struct places *p, const struct place *a, const struct place *b)
{
    unsigned n = 0;

    for (uint32_t l = p->cfg.loop_of[a->block]; l != CFG_NONE; l = p->cfg.loop[l].parent)
        n += cfg_in_loop(&p->cfg, l, b->block);
    return n;
}

/* Does `b` come behind `a` where neither is done again? */
static bool is_behind(const struct places *p, const struct place *a, const struct place *b)
{
    return a->block == b->block ? b->insn > a->insn : p->cfg.rpo_pos[b->block] > p->cfg.rpo_pos[a->block];
}

/* Mark the blocks that can be come to from `block`, which is so itself only around a loop. */
static void mark_reached(const struct places *p, uint32_t block, bool *reached)
{
    for (uint32_t i = p->cfg.succ_first[block]; i < p->cfg.succ_first[block + 1]; i++)
        if (!reached[p->cfg.succ[i]]) {
            reached[p->cfg.succ[i]] = true;
            mark_reached(p, p->cfg.succ[i], reached);
        }
}

static bool may_follow(const struct places *p, const struct place *a, const struct place *b)
{
    return (a->block == b->block && b->insn > a->insn) || p->reached[a->block * p->cfg.nblock + b->block];
}

static bool same_ids(const struct sel_form *a, const struct sel_form *b)
{
    return a->gid[0] == b->gid[0] && a->gid[1] == b->gid[1] && a->gid[2] == b->gid[2] &&
           sel_form_same_unknowns(a, b);
}

static uint64_t gcd_of_loops(const struct sel_form *f, uint64_t gcd)
{
    for (unsigned i = 0; i < f->nloop; i++)
        for (uint64_t b = f->loop[i].coef < 0 ? -(uint64_t)f->loop[i].coef : (uint64_t)f->loop[i].coef; b;) {
            const uint64_t rest = gcd % b;
            gcd = b;
            b = rest;
        }
    return gcd;
}

/* Is it another place in each round of all loops that both are in, which it is touched in once? */
static bool once_a_round(const struct places *p, const struct place *a, const struct place *b)
{
    const struct sel_form *f = &a->form;
    sel_wide span = a->bytes;
    unsigned within = 0;

    if (!sel_form_same(f, &b->form) || f->constant != b->form.constant || a->bytes != b->bytes ||
        is_behind(p, a, b) || common_loops(p, a, b) != f->nloop)
        return false;
    for (unsigned i = 0; i < f->nloop; i++) {
        const uint32_t header = p->k->loops[f->loop[i].loop].header;
        within += header && p->cfg.loop_of[header] != CFG_NONE &&
                  p->cfg.loop[p->cfg.loop_of[header]].header == header &&
                  cfg_in_loop(&p->cfg, p->cfg.loop_of[header], a->block) &&
                  cfg_in_loop(&p->cfg, p->cfg.loop_of[header], b->block);
    }
    for (unsigned used = 0; used != (1u << f->nloop) - 1 && within == f->nloop;) { /* by growing steps */
        unsigned next = f->nloop;
        for (unsigned i = 0; i < f->nloop; i++)
            if (!(used >> i & 1) && (next == f->nloop || llabs(f->loop[i].coef) < llabs(f->loop[next].coef)))
                next = i;
        if (llabs(f->loop[next].coef) < span)
            return false;
        used |= 1u << next;
        span += (sel_wide)llabs(f->loop[next].coef) * (f->loop[next].trips - 1);
    }
    return within == f->nloop;
}

/* May one work-item touch in `b` what it has touched in `a` before? */
static bool may_meet(const struct places *p, const struct place *a, const struct place *b)
{
    uint64_t gcd;
    sel_wide apart;

    if (!a->known || !b->known || !same_ids(&a->form, &b->form))
        return true;
    if (once_a_round(p, a, b))
        return false;
    apart = (sel_wide)b->form.constant - a->form.constant;
    gcd = gcd_of_loops(&b->form, gcd_of_loops(&a->form, 0));
    if (!gcd)
        return apart < a->bytes && -apart < b->bytes;
    apart -= sel_floor_div(apart, (sel_wide)gcd) * (sel_wide)gcd;
    return apart < a->bytes || (sel_wide)gcd - apart < b->bytes;
}

/* ---- what is combined -------------------------------------------------------------------------------- */

static bool is_a_few_apart(const struct places *p, const struct place *a, const struct place *b, unsigned d)
{
    const int64_t step = llabs(a->form.gid[d]);

    return p->l->global[d] > 1 && a->form.gid[d] == b->form.gid[d] && step > a->bytes &&
           step <= MOST_COMBINED * a->bytes;
}

/* May the driver make one access of both?  Of one alone if a loop that it takes apart makes several of it. */
static bool may_combine(const struct places *p, const struct place *a, const struct place *b)
{
    bool may = false;

    if (a->root != b->root || a->write != b->write || a->bytes != b->bytes || (a == b && !in_loop(p, a)))
        return false;
    for (unsigned d = 0; d < 3; d++)
        may |= is_a_few_apart(p, a, b, d);
    return may && ((a->known && b->known) || in_loop(p, a) || in_loop(p, b));
}

/* Arguments: is any place touched again once it was stored to?  Where an optimiser has moved what may be
 * moved, more stands between than in the source. */
static bool is_touched_again(const struct places *p, uint32_t root)
{
    for (unsigned i = 0; i < p->n; i++)
        for (unsigned j = 0; j < p->n && p->place[i].write && p->place[i].root == root; j++)
            if (p->place[j].root == root && may_follow(p, &p->place[i], &p->place[j]) &&
                may_meet(p, &p->place[i], &p->place[j]))
                return true;
    return false;
}

/* Private arrays, of which all places are: is one touched between two accesses that may become one? */
static bool is_touched_between(const struct places *p, const struct place *a, const struct place *b)
{
    const struct place *moved = a->write ? a : b;

    for (unsigned i = p->narg; i < p->n; i++) {
        const struct place *x = &p->place[i];
        if (x->root == a->root && x != a && x != b && (a->write || x->write) && may_follow(p, a, x) &&
            may_follow(p, x, b) && may_meet(p, moved, x))
            return true;
    }
    return false;
}

/* Of the places of one root, one that the driver may combine with another one; NULL: there is none. */
static const struct place *find_combined(const struct places *p, uint32_t root)
{
    for (unsigned i = 0; i < p->n; i++)
        for (unsigned j = 0; j < p->n && p->place[i].root == root; j++)
            if (may_combine(p, &p->place[i], &p->place[j]))
                return &p->place[i];
    return NULL;
}

static const struct place *find_in_argument(const struct places *p)
{
    for (uint32_t root = 0; root < p->k->nargs; root++) {
        const struct place *found = find_combined(p, root);
        if (found && is_touched_again(p, root))
            return found;
    }
    return NULL;
}

static const struct place *find_in_array(const struct places *p)
{
    for (unsigned i = p->narg; i < p->n; i++)
        for (unsigned j = p->narg; j < p->n; j++)
            if (may_combine(p, &p->place[i], &p->place[j]) && may_follow(p, &p->place[i], &p->place[j]) &&
                is_touched_between(p, &p->place[i], &p->place[j]))
                return &p->place[i];
    return NULL;
}

/* ---- the loops of the kernel -------------------------------------------------------------------------- */

static bool touches_memory(const struct places *p, const struct cfg_loop *loop)
{
    for (uint32_t i = loop->first; i < loop->end; i++) {
        const struct sum_block *b = &p->k->blocks[p->cfg.loop_block[i]];
        for (uint32_t v = b->first; v < b->end; v++)
            if ((p->k->insns[v].op == SUM_LOAD || p->k->insns[v].op == SUM_STORE) &&
                p->k->insns[v].space != SUM_PRIVATE)
                return true;
    }
    return false;
}

/* Is it left at one place alone, after as many rounds as an argument says?  A loop of which a compiler knows
 * the number of rounds, or that it is small, may be taken apart. */
static bool is_as_long_as_told(const struct places *p, uint32_t loop)
{
    const uint32_t header = p->cfg.loop[loop].header;
    unsigned left = 0;
    bool told = false;

    for (uint32_t i = p->cfg.loop[loop].first; i < p->cfg.loop[loop].end; i++)
        left += cfg_leaves(&p->cfg, loop, p->cfg.loop_block[i]);
    for (uint32_t i = 0; i < p->k->nloop; i++) {
        const struct sum_loop *s = &p->k->loops[i];
        for (uint32_t t = 0; s->header == header && s->bounded && t < s->limit.nterm; t++)
            for (uint32_t y = 0; y < s->limit.term[t].nsym; y++)
                told |= s->limit.term[t].sym[y].kind == SUM_SYM_ARG;
    }
    return left == 1 && told;
}

/* Where a loop is left in the kernel, no vectors of work-items are made. */
static bool has_lasting_loop(const struct places *p)
{
    for (uint32_t i = 0; i < p->cfg.nloop; i++)
        if (is_as_long_as_told(p, i) && touches_memory(p, &p->cfg.loop[i]))
            return true;
    return false;
}

/* False when out of memory. */
static bool begin(struct places *p)
{
    const uint32_t n = p->k->nblock;

    if (cfg_build(p->k, &p->cfg))
        return false;
    p->place = malloc(MOST_PLACES * sizeof *p->place);
    p->reached = calloc((size_t)n * n + 1, sizeof *p->reached);
    for (uint32_t b = 0; b < n && p->reached; b++)
        mark_reached(p, b, p->reached + (size_t)b * n);
    return p->place && p->reached;
}

bool sel_order_kept(const struct kernel_summary *k, const struct launch *l, bool constants,
                    struct sel_verdict *why)
{
    struct places p = {.k = k, .l = l};
    const struct place *touched;
    bool good = k->nblock <= MOST_BLOCKS && begin(&p);

    if (good && !constants && has_lasting_loop(&p))
        good = true;
    else if (!good || !add_accesses(&p) || !add_array_accesses(&p))
        good = sel_refuse(why, SEL_R_ORDER, "too much to compare");
    else if ((touched = find_in_argument(&p)) || (touched = find_in_array(&p)))
        good = sel_refuse(why, SEL_R_ORDER, "%s%.24s, line %u",
                          touched->root < k->nargs ? "argument " : "a private array",
                          touched->root < k->nargs ? sel_arg_name(k, touched->root) : "",
                          (unsigned)k->insns[touched->insn].line);
    cfg_free(&p.cfg);
    free(p.reached);
    free(p.place);
    return good;
}
