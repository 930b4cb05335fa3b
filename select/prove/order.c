/* order.c - would it show if a driver did not keep the order in which one work-item touches places of an
 * array that lie a few numbers apart?
 *
 * Seen with a driver that runs the work-items of a group in a loop which it declares free of dependences, and
 * makes vectors of its rounds: of loads a few numbers apart in neighbouring rounds (`a[2 * i]`, `a[2 * i +
 * 1]`) it makes one, where the first stood, and of stores one, where the last stood, whatever the same
 * work-item did to these places in between.  LLVM's vectoriser, to which a loop without dependences has none
 * inside of a round either, combines up to eight. */
#include "select/prove/parts.h"

#include "analysis/summary/cfg.h"
#include "analysis/summary/integer.h"
#include "select/prove/form.h"

#define MOST_COMBINED  8    /* numbers between those of neighbouring work-items */
#define MOST_PLACES    1200 /* that are compared */
#define MOST_IN_ARRAYS 200  /* ... of them in private arrays */
#define MOST_BYTES     8    /* of a number */
#define MOST_DEPTH     12   /* of values that a condition is computed from */
#define MOST_BLOCKS    500
#define MOST_TAKEN     8          /* rounds of a loop that is taken apart though its end is not known */
#define ANY            UINT32_MAX /* a private array of which it is not known which one */

struct place {
    uint32_t insn, block;
    bool write;
    bool known;  /* `form` is where; else it is anywhere in its array */
    bool varies; /* where in it, between work-items: then it is no step from one to the next */
    uint32_t arg;
    int64_t bytes, element; /* element: of each number, of vectors whose components may be touched alone */
    struct sel_form form;   /* from the begin of what `root` stands for */
    uint32_t root; /* one of the arguments that share memory; nargs and above: private arrays, or ANY */
};

struct places {
    const struct kernel_summary *k;
    const struct launch *l;
    bool constants; /* the compiler knows arguments */
    struct cfg cfg;
    uint32_t *root; /* by argument */
    bool *reached;  /* by block and block: from the one to the other, to itself around a loop alone */
    struct place *place;
    unsigned n, narg; /* narg: those in arguments, which come first */
    bool few;         /* the driver may combine any */
    bool unmade;      /* how far apart some are, where there are stores, depends on bounded arguments */
};

/* ---- arguments ------------------------------------------------------------------------------------ */

/* Arguments that share memory, also by way of others, have one root. */
static void find_roots(const struct places *p)
{
    for (uint32_t i = 0; i < p->k->nargs; i++) {
        p->root[i] = i;
        for (uint32_t j = 0; j < i; j++)
            for (uint32_t n = 0, old = p->root[i]; sel_shared(p->k, p->l, j, i) && n <= i; n++)
                if (p->root[n] == old)
                    p->root[n] = p->root[j];
    }
}

/* Bytes of a number: components of vectors may be touched alone, and what is copied as a whole in parts. */
static int64_t element_of(const struct kernel_summary *k, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v],
                          *value = in->op == SUM_STORE ? &k->insns[sum_opnd(k, v, 1)] : in;

    if (value->lanes > 1 && in->bytes % value->lanes == 0)
        return in->bytes / value->lanes;
    return in->bytes > 8 && in->bytes % 4 == 0 ? 4 : in->bytes;
}

static sel_wide size_of(int64_t step)
{
    return step < 0 ? -(sel_wide)step : step;
}

/* Are neighbours' places along a dimension as far from each other as the driver combines? */
static bool is_a_few_apart(const struct places *p, const struct place *a, unsigned d)
{
    const sel_wide step = size_of(a->form.gid[d]);

    return p->l->global[d] > 1 && step > a->element && step <= MOST_COMBINED * a->element;
}

static void add(struct places *p, const struct place *place)
{
    struct place *a = &p->place[p->n++];

    *a = *place;
    a->element = element_of(p->k, a->insn);
    a->block = p->cfg.block_of[a->insn];
    for (unsigned d = 0; d < 3; d++)
        p->few |= is_a_few_apart(p, a, d);
}

static bool is_compared(const struct kernel_summary *k, const struct sum_access *a)
{
    return k->args[a->arg].kind == SUM_ARG_BUFFER && a->kind != SUM_ACC_ATOMIC && a->insn < k->ninsn;
}

static bool is_written(const struct places *p, uint32_t root)
{
    bool written = false;

    for (uint32_t i = 0; i < p->k->nargs; i++)
        written |= p->root[i] == root && p->k->args[i].may_write;
    return written;
}

static void add_accesses(struct places *p)
{
    for (uint32_t i = 0; i < p->k->naccess; i++) {
        const struct sum_access *a = &p->k->access[i];
        if (!is_compared(p->k, a))
            continue;
        struct place place = {.insn = a->insn,
                              .write = a->kind == SUM_ACC_WRITE,
                              .arg = a->arg,
                              .bytes = a->bytes,
                              .root = p->root[a->arg]};
        const uint64_t shift = p->l->args[a->arg].offset - p->l->args[place.root].offset;
        struct sel_range box[3];
        sel_form_box(p->k, p->l, a, box);
        place.known = a->affine && sel_form_ranges(p->k, p->l, box, a) &&
                      sel_form_make(p->k, p->l, &a->coord[0], &place.form) == SEL_R_OK &&
                      sel_form_loops(p->k, p->l, box, &place.form) &&
                      !__builtin_add_overflow(place.form.constant, (int64_t)shift, &place.form.constant);
        p->unmade |= a->affine && !place.known && launch_is_several(p->l) && is_written(p, place.root);
        add(p, &place);
    }
    p->narg = p->n;
}

/* Does the value differ between work-items, as far as is known? */
static bool is_their_own(const struct kernel_summary *k, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &k->insns[v];
    bool own = in->op == SUM_WI && in->sub == SUM_WI_GLOBAL_ID;

    for (uint32_t i = 0; i < in->nopnd && depth && in->op != SUM_PHI && !own; i++)
        own = is_their_own(k, sum_opnd(k, v, i), depth - 1);
    return own;
}

/* ---- private arrays ------------------------------------------------------------------------------- */

/* The array that an address lies in, or another address; place: how far from its begin, and whether that is a
 * constant or differs between work-items. */
static uint32_t array_of(const struct kernel_summary *k, uint32_t address, struct place *place)
{
    place->known = true;
    for (; k->insns[address].op == SUM_PTRADD; address = sum_opnd(k, address, 0)) {
        const uint32_t by = sum_opnd(k, address, 1);
        place->known = place->known && k->insns[by].op == SUM_CONST &&
                       !__builtin_add_overflow(place->form.constant, k->insns[by].imm, &place->form.constant);
        place->varies |= is_their_own(k, by, MOST_DEPTH);
    }
    return address;
}

/* Neighbouring work-items' arrays lie one behind the other: an array is as a step of its size.  Of a large
 * one nothing is combined. */
static void add_array_access(struct places *p, uint32_t v)
{
    const struct kernel_summary *k = p->k;
    struct place place = {.insn = v, .write = k->insns[v].op == SUM_STORE, .bytes = k->insns[v].bytes};
    const uint32_t base = array_of(k, sum_opnd(k, v, 0), &place);
    const bool one = k->insns[base].op == SUM_ALLOCA;

    if (k->insns[base].op == SUM_ARG || k->insns[base].op == SUM_VAR ||
        (one && k->insns[base].imm > MOST_COMBINED * MOST_BYTES))
        return;
    place.root = one ? k->nargs + base : ANY;
    place.known = place.known && one;
    for (unsigned d = 0; d < 3; d++)
        place.form.gid[d] = one ? k->insns[base].imm : 0;
    add(p, &place);
}

static bool is_private(const struct sum_insn *in)
{
    return (in->op == SUM_LOAD || in->op == SUM_STORE) &&
           (in->space == SUM_PRIVATE || in->space == SUM_GENERIC);
}

static void add_array_accesses(struct places *p)
{
    for (uint32_t v = 0; v < p->k->ninsn; v++)
        if (is_private(&p->k->insns[v]))
            add_array_access(p, v);
}

/* ---- order ---------------------------------------------------------------------------------------- */

static bool in_loop(const struct places *p, const struct place *a)
{
    return p->cfg.loop_of[a->block] != CFG_NONE;
}

/* Does `b` come behind `a` where neither is done again? */
static bool is_behind(const struct places *p, const struct place *a, const struct place *b)
{
    return a->block == b->block ? b->insn > a->insn : p->cfg.rpo_pos[b->block] > p->cfg.rpo_pos[a->block];
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
        gcd = sum_gcd(gcd, (uint64_t)size_of(f->loop[i].coef));
    return gcd;
}

static const struct sel_form_loop *counter_of(const struct places *p, const struct sel_form *f, uint32_t loop)
{
    for (unsigned i = 0; i < f->nloop; i++)
        if (p->k->loops[f->loop[i].loop].header == p->cfg.loop[loop].header)
            return &f->loop[i];
    return NULL;
}

/* Is it another place in each round of all loops that both are in, which it is touched in once?  So where
 * each loop's step is more than what the loops inside of it span. */
static bool once_a_round(const struct places *p, const struct place *a, const struct place *b)
{
    const uint32_t loop = p->cfg.loop_of[a->block];
    sel_wide span = a->bytes;

    if (!sel_form_same(&a->form, &b->form) || a->form.constant != b->form.constant || a->bytes != b->bytes ||
        loop == CFG_NONE || p->cfg.loop_of[b->block] != loop || p->cfg.loop[loop].depth != a->form.nloop ||
        p->cfg.irreducible || is_behind(p, a, b))
        return false;
    for (uint32_t l = loop; l != CFG_NONE; l = p->cfg.loop[l].parent) {
        const struct sel_form_loop *counter = counter_of(p, &a->form, l);
        if (!counter || size_of(counter->coef) < span)
            return false;
        span += size_of(counter->coef) * (counter->trips - 1);
    }
    return true;
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

/* May the driver make several accesses of one?  In a loop, or along a dimension, that it takes apart. */
static bool is_several(const struct places *p, const struct place *a)
{
    return in_loop(p, a) || (p->l->global[0] > 1) + (p->l->global[1] > 1) + (p->l->global[2] > 1) > 1;
}

/* Components of vectors are touched alone where a vector is touched several times. */
static bool same_if_vectors(const struct place *a, const struct place *b)
{
    return a->element == a->bytes || (a != b && a->known && b->known && sel_form_same(&a->form, &b->form) &&
                                      a->form.constant == b->form.constant);
}

/* May the driver make one access of both? */
static bool may_combine(const struct places *p, const struct place *a, const struct place *b)
{
    bool may = false;

    if (a->root != b->root || a->root == ANY || a->arg != b->arg || a->write != b->write ||
        a->element != b->element || (a == b && !is_several(p, a)) || !same_if_vectors(a, b))
        return false;
    for (unsigned d = 0; d < 3; d++)
        may |= a->form.gid[d] == b->form.gid[d] && is_a_few_apart(p, a, d);
    return may && ((!a->varies && !b->varies) || p->constants || in_loop(p, a) || in_loop(p, b));
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
    for (unsigned i = p->narg; i < p->n; i++) {
        const struct place *x = &p->place[i];
        if ((x->root == a->root || x->root == ANY) && x != a && x != b && (a->write || x->write) &&
            may_follow(p, a, x) && may_follow(p, x, b) && (a->write ? may_meet(p, a, x) : may_meet(p, x, b)))
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

/* Do its rounds touch places of their own?  Other loops may be computed at once. */
static bool walks_memory(const struct places *p, uint32_t loop)
{
    for (uint32_t i = 0; i < p->k->naccess; i++) {
        const struct sum_access *a = &p->k->access[i];
        for (uint32_t t = 0; a->affine && a->insn < p->k->ninsn && t < a->coord[0].nterm; t++)
            for (uint32_t y = 0; y < a->coord[0].term[t].nsym; y++) {
                const struct sum_sym *s = &a->coord[0].term[t].sym[y];
                if (s->kind == SUM_SYM_LOOP && p->k->loops[s->index].header == p->cfg.loop[loop].header &&
                    cfg_in_loop(&p->cfg, loop, p->cfg.block_of[a->insn]))
                    return true;
            }
    }
    return false;
}

/* How many rounds the loop has in this launch; 0: that is not known.  `told`: only if an argument says so. */
static int64_t rounds_of(const struct places *p, uint32_t header, bool told)
{
    int64_t rounds = 0;

    for (uint32_t i = 0; i < p->k->nloop; i++) {
        const struct sum_loop *s = &p->k->loops[i];
        struct sel_form limit;
        if (s->header == header && s->bounded && s->step > 0 &&
            (!told || sum_mentions(&s->limit, SUM_SYM_ARG)) &&
            sel_form_make(p->k, p->l, &s->limit, &limit) == SEL_R_OK && !limit.gid[0] && !limit.gid[1] &&
            !limit.gid[2] && !limit.nloop && !limit.nunknown && (limit.constant - 1) / s->step >= rounds)
            rounds = limit.constant > 0 ? (limit.constant - 1) / s->step + 1 : 0;
    }
    return rounds;
}

/* Is it for the work-item to say whether it comes to the loop?  Where the launch says so, the driver may have
 * code without it; but not with another loop around, which has rounds in this launch. */
static bool is_come_to(const struct places *p, uint32_t header)
{
    for (uint32_t b = 0; b < p->k->nblock; b++) {
        const uint32_t v = p->k->blocks[b].end - 1;
        bool parts = false;
        for (uint32_t i = p->cfg.succ_first[b]; i < p->cfg.succ_first[b + 1]; i++)
            parts |= p->cfg.succ[i] != header && !p->reached[p->cfg.succ[i] * p->cfg.nblock + header];
        if (parts && b != header && p->reached[b * p->cfg.nblock + header] && !rounds_of(p, b, false) &&
            !is_their_own(p->k, sum_opnd(p->k, v, 0), MOST_DEPTH))
            return false;
    }
    return true;
}

/* A loop that is left at one place alone, after as many rounds as an argument says.  One of which a compiler
 * knows the number of rounds, or that it is small, may be taken apart. */
static bool lasts(const struct places *p, uint32_t loop)
{
    const uint32_t header = p->cfg.loop[loop].header;
    unsigned left = 0;

    for (uint32_t i = p->cfg.loop[loop].first; i < p->cfg.loop[loop].end; i++)
        left += cfg_leaves(&p->cfg, loop, p->cfg.loop_block[i]);
    return left == 1 && rounds_of(p, header, true) > MOST_TAKEN && walks_memory(p, loop) &&
           is_come_to(p, header);
}

/* Where a loop is left in the kernel, no vectors of work-items are made. */
static bool has_lasting_loop(const struct places *p)
{
    for (uint32_t i = 0; i < p->cfg.nloop; i++)
        if (lasts(p, i))
            return true;
    return false;
}

/* ---- all ---------------------------------------------------------------------------------------------- */

/* Room for all places; 0: there are too many. */
static size_t count_places(const struct kernel_summary *k)
{
    size_t arguments = 0, arrays = 0;

    for (uint32_t i = 0; i < k->naccess; i++)
        arguments += is_compared(k, &k->access[i]);
    for (uint32_t v = 0; v < k->ninsn; v++)
        arrays += is_private(&k->insns[v]);
    return arguments <= MOST_PLACES && arrays <= MOST_PLACES ? arguments + arrays + 1 : 0;
}

/* False when out of memory, or if there is too much. */
static bool collect(struct places *p)
{
    const size_t room = count_places(p->k);

    if (!room || p->k->nblock > MOST_BLOCKS || cfg_build(p->k, &p->cfg))
        return false;
    p->place = cfg_array(&p->cfg, room, sizeof *p->place);
    p->root = cfg_array(&p->cfg, p->k->nargs, sizeof *p->root);
    if (p->cfg.failed)
        return false;
    find_roots(p);
    add_accesses(p);
    add_array_accesses(p);
    return !p->few || p->n - p->narg <= MOST_IN_ARRAYS;
}

/* False when out of memory. */
static bool find_reached(struct places *p)
{
    const uint32_t n = p->k->nblock;
    uint32_t *stack = cfg_array(&p->cfg, n, sizeof *stack);

    p->reached = cfg_array(&p->cfg, (size_t)n * n, sizeof *p->reached);
    for (uint32_t b = 0; b < n && !p->cfg.failed; b++)
        cfg_reach(&p->cfg, b, CFG_NONE, NULL, p->reached + (size_t)b * n, stack);
    return !p->cfg.failed;
}

bool sel_order_kept(const struct kernel_summary *k, const struct launch *l, bool constants,
                    struct sel_verdict *why)
{
    struct places p = {.k = k, .l = l, .constants = constants};
    const struct place *touched = NULL;
    bool good = collect(&p);

    if (!good || p.unmade || (p.few && !find_reached(&p)))
        good = sel_refuse(why, SEL_R_ORDER, "too much to compare");
    else if (p.few && (constants || !has_lasting_loop(&p)) &&
             ((touched = find_in_argument(&p)) || (touched = find_in_array(&p))))
        good = sel_refuse(why, SEL_R_ORDER, "%s%.24s, line %u",
                          touched->root < k->nargs ? "argument " : "a private array",
                          touched->root < k->nargs ? sel_arg_name(k, touched->arg) : "",
                          (unsigned)k->insns[touched->insn].line);
    cfg_free(&p.cfg);
    return good;
}
