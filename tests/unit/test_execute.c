/* test_execute.c - the proofs against execution: random kernels with branches, loops and private memory are
 * run item by item, and whatever was proved about them must be seen to hold.
 *
 *   S      the same work-item does the same under another local size
 *   O(d)   ... and as part of a sub-range with a global offset
 *   U      branches do not change with memory contents; a loop runs equally often for all who enter it
 *   access offsets are congruent to their polynomials, loop bounds and guards are kept, launch-wide
 *          values are
 *   control goes where the launch's intervals let it go, and they know which values may be open */
#include "random_kernel.h"
#include "run_suite.h"

#include "select/prove/eval.h"
#include "select/prove/form.h"
#include "select/prove/intervals.h"

#define MAX_EVENT 4000
#define MAX_STEPS 3000
#define MAX_ENTRY 2000

__extension__ typedef __int128 wide;

struct event {
    uint32_t insn;
    uint64_t a, b; /* address and value; branch: target */
};

struct run {
    const struct kernel_summary *k;
    const struct cfg *cfg;
    const struct sel_intervals *may; /* where control may go; NULL: it is another launch, or not known */
    uint64_t gid[2], gsize[2], offset[2], lsize[2], arg[2], contents; /* contents: what memory holds */
    uint64_t value[MAX_INSN], array[8], trips[MAX_BLOCK]; /* trips: completed iterations, per loop */
    bool made[MAX_INSN];                                  /* value -> it was computed */
    uint32_t predecessor[MAX_BLOCK];                      /* block -> where control last came from */
    uint64_t guess[MAX_ENTRY];                            /* what is tried for an entry of loops */
    uint64_t told[MAX_ENTRY];                             /* what the launch says of it, + 1; 0: not asked */
    struct event event[MAX_EVENT];
    unsigned nevent, steps;
    bool too_long, first;            /* first: of the launch itself, not of a variation */
    bool overflowed;                 /* stopped there: nothing is said of what follows */
    uint64_t loop_log[MAX_EVENT][3]; /* loop, hash of the iterations around it, iterations */
    unsigned nloop_log;
};

static uint64_t hash(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
}

static uint64_t leaf_value(const struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    unsigned d = (unsigned)in->imm & 1;
    uint64_t rel = r->gid[d] - r->offset[d];
    if (in->op == SUM_CONST)
        return cut((uint64_t)in->imm, in->bits);
    if (in->op == SUM_ARG)
        return in->imm < 2 ? 0 : cut(r->arg[in->imm - 2], in->bits); /* buffers: the offset into them */
    if (in->op != SUM_WI)
        return 0;
    switch (in->sub) {
    case SUM_WI_GLOBAL_ID:
        return r->gid[d];
    case SUM_WI_GLOBAL_SIZE:
        return r->gsize[d];
    case SUM_WI_GLOBAL_OFFSET:
        return r->offset[d];
    case SUM_WI_LOCAL_ID:
        return rel % r->lsize[d];
    case SUM_WI_LOCAL_SIZE:
        return r->lsize[d];
    case SUM_WI_GROUP_ID:
        return rel / r->lsize[d];
    default:
        return r->gsize[d] / r->lsize[d];
    }
}

static bool compare(unsigned pred, uint64_t a, uint64_t b, unsigned w)
{
    int64_t x = sign(a, w), y = sign(b, w);
    const bool result[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, x<y, x <= y, x> y, x >= y};
    return result[pred];
}

/* mul24(): outside its range anything, here always the same. */
static uint64_t multiply24(const struct sum_insn *in, uint64_t a, uint64_t b)
{
    int64_t x = sign(a, 32), y = sign(b, 32), top = 1 << 23;
    bool fits = in->flags & SUM_F_UNSIGNED ? a >> 24 == 0 && b >> 24 == 0
                                           : x >= -top && x < top && y >= -top && y < top;
    return cut(fits ? a * b : hash(a * 3 + b), 32);
}

/* A quotient or a remainder; where it is not defined, anything that depends on the operands alone. */
static uint64_t divide(unsigned op, uint64_t a, uint64_t b, unsigned w)
{
    int64_t x = sign(a, w), y = sign(b, w);
    if (b == 0 || ((op == SUM_SDIV || op == SUM_SREM) && y == -1 && a == 1ull << (w - 1)))
        return cut(hash(a), w);
    return op == SUM_UDIV   ? a / b
           : op == SUM_UREM ? a % b
                            : cut((uint64_t)(op == SUM_SDIV ? x / y : x % y), w);
}

/* By as many bits as the operand has, or more: anything. */
static uint64_t shift(unsigned op, uint64_t a, uint64_t by, unsigned w)
{
    if (by >= w)
        return cut(hash(a + by), w);
    return op == SUM_SHL ? cut(a << by, w) : op == SUM_LSHR ? a >> by : cut((uint64_t)(sign(a, w) >> by), w);
}

static uint64_t compute(const struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    uint64_t a = r->value[sum_opnd(r->k, v, 0)], b = in->nopnd > 1 ? r->value[sum_opnd(r->k, v, 1)] : 0;
    unsigned w = in->bits, from = r->k->insns[sum_opnd(r->k, v, 0)].bits;
    switch (in->op) {
    case SUM_ADD:
    case SUM_PTRADD:
        return cut(a + b, w);
    case SUM_SUB:
        return cut(a - b, w);
    case SUM_MUL:
        return in->flags & SUM_F_24 ? multiply24(in, a, b) : cut(a * b, w);
    case SUM_UDIV:
    case SUM_SDIV:
    case SUM_UREM:
    case SUM_SREM:
        return divide(in->op, a, b, w);
    case SUM_SHL:
    case SUM_LSHR:
    case SUM_ASHR:
        return shift(in->op, a, b, w);
    case SUM_AND:
        return a & b;
    case SUM_OR:
        return a | b;
    case SUM_XOR:
        return a ^ b;
    case SUM_UMIN:
        return a < b ? a : b;
    case SUM_SMAX:
        return sign(a, w) > sign(b, w) ? a : b;
    case SUM_ICMP:
        return compare(in->sub, a, b, from);
    case SUM_SELECT:
        return a ? b : r->value[sum_opnd(r->k, v, 2)];
    case SUM_SEXT:
        return cut((uint64_t)sign(a, from), w);
    case SUM_TRUNC:
        return cut(a, w);
    default:
        return a;
    }
}

/* Has an integer wrapped around that must not? */
static bool overflows(const struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    if (!(in->flags & SUM_F_NSW) || (in->op != SUM_ADD && in->op != SUM_SUB && in->op != SUM_MUL))
        return false;
    wide a = sign(r->value[sum_opnd(r->k, v, 0)], in->bits),
         b = sign(r->value[sum_opnd(r->k, v, 1)], in->bits);
    return (in->op == SUM_ADD ? a + b : in->op == SUM_SUB ? a - b : a * b) != sign(r->value[v], in->bits);
}

/* Has v no result that the language says: a division by zero, or a shift too far? */
static bool is_open(const struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    uint64_t a = r->value[sum_opnd(r->k, v, 0)], b = r->value[sum_opnd(r->k, v, in->nopnd - 1)];
    if (in->op == SUM_SDIV || in->op == SUM_SREM)
        return b == 0 || (a == 1ull << (in->bits - 1) && sign(b, in->bits) == -1);
    return (in->op == SUM_UDIV || in->op == SUM_UREM)
               ? b == 0
               : in->op >= SUM_SHL && in->op <= SUM_ASHR && b >= in->bits;
}

static void check_access(struct run *r, uint32_t v, uint64_t address);

static unsigned seen_outside, seen_inside; /* of a private array; inside, and known to be */

static void memory(struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    uint64_t address = r->value[sum_opnd(r->k, v, 0)];
    bool load = in->op == SUM_LOAD;
    if (in->space == SUM_PRIVATE) {
        const bool outside = address > 56; /* of eight times eight bytes */
        ck_assert_msg(!r->may || r->may->outside[v] || !outside, "value %u", v);
        seen_outside += outside;
        seen_inside += r->may && !r->may->outside[v];
        uint64_t *cell = &r->array[address / 8 % 8];
        if (load)
            r->value[v] = *cell;
        else
            *cell = r->value[sum_opnd(r->k, v, 1)];
        return;
    }
    if (load)
        r->value[v] = cut(hash(address ^ r->contents) >> (hash(address) & 1 ? 60 : 0), in->bits);
    if (r->nevent < MAX_EVENT)
        r->event[r->nevent++] = (struct event){v, address, load ? 0 : r->value[sum_opnd(r->k, v, 1)]};
    check_access(r, v, address);
}

/* Follow an edge: phis all at once, and the loops' counters. */
static void enter(struct run *r, uint32_t from, uint32_t to)
{
    const struct kernel_summary *k = r->k;
    uint64_t next[MAX_INSN];
    uint32_t v = k->blocks[to].first;
    for (; k->insns[v].op == SUM_PHI; v++)
        for (uint32_t i = 0; i < k->insns[v].nopnd; i += 2)
            if (sum_opnd(k, v, i) == from)
                next[v] = r->value[sum_opnd(k, v, i + 1)];
    for (uint32_t p = k->blocks[to].first; p < v; p++)
        r->value[p] = next[p];
    for (uint32_t l = 0; l < r->cfg->nloop; l++) {
        bool was = cfg_in_loop(r->cfg, l, from), is = cfg_in_loop(r->cfg, l, to);
        if (was && !is && r->nloop_log < MAX_EVENT) {
            uint64_t around = 0;
            for (uint32_t o = 0; o < r->cfg->nloop; o++)
                if (o != l && cfg_in_loop(r->cfg, o, r->cfg->loop[l].header))
                    around = hash(around ^ (o << 20) ^ r->trips[o]);
            uint64_t *log = r->loop_log[r->nloop_log++];
            log[0] = l;
            log[1] = around;
            log[2] = r->trips[l];
        }
        if (r->cfg->loop[l].header == to)
            r->trips[l] = was ? r->trips[l] + 1 : 0;
    }
    r->predecessor[to] = from;
}

static bool may_go(const struct run *r, uint32_t from, uint32_t to)
{
    for (uint32_t i = r->may->cfg.succ_first[from]; i < r->may->cfg.succ_first[from + 1]; i++)
        if (r->may->cfg.succ[i] == to && r->may->taken[i])
            return true;
    return false;
}

static unsigned seen_open;

static void execute(struct run *r)
{
    const struct kernel_summary *k = r->k;
    uint32_t b = 0;
    r->nevent = r->steps = r->nloop_log = 0;
    r->too_long = r->overflowed = false;
    memset(r->array, 0, sizeof(r->array));
    memset(r->trips, 0, sizeof(r->trips));
    memset(r->predecessor, 0xff, sizeof(r->predecessor));
    memset(r->made, 0, sizeof(r->made));
    for (uint32_t v = 0; v < k->nleaf; v++)
        r->value[v] = leaf_value(r, v);
    for (;;) {
        uint32_t t = k->blocks[b].end - 1, to = CFG_NONE;
        for (uint32_t v = k->blocks[b].first; v < t; v++) {
            r->made[v] = true;
            if (k->insns[v].op == SUM_LOAD || k->insns[v].op == SUM_STORE)
                memory(r, v);
            else if (k->insns[v].op != SUM_PHI)
                r->value[v] = compute(r, v);
            r->overflowed = overflows(r, v);
            ck_assert_msg(!r->may || r->may->open[v] || !(r->overflowed || is_open(r, v)), "value %u", v);
            seen_open += r->overflowed || is_open(r, v);
            if (r->overflowed)
                return;
        }
        r->steps += t - k->blocks[b].first + 1;
        r->too_long = r->steps > MAX_STEPS || r->nevent == MAX_EVENT;
        if (k->insns[t].op == SUM_RET || r->too_long)
            return;
        if (k->insns[t].op == SUM_BR) {
            to = sum_opnd(k, t, 0);
        } else {
            uint64_t x = r->value[sum_opnd(k, t, 0)];
            to = sum_opnd(k, t, k->insns[t].op == SUM_SWITCH || x ? 1 : 2);
            for (uint32_t i = 2; k->insns[t].op == SUM_SWITCH && i < k->insns[t].nopnd; i += 2)
                if (r->value[sum_opnd(k, t, i)] == x)
                    to = sum_opnd(k, t, i + 1);
            r->event[r->nevent++] = (struct event){t, to, 0};
        }
        ck_assert_msg(!r->may || may_go(r, b, to), "from block %u to block %u", b, to);
        enter(r, b, to);
        b = to;
    }
}

/* ---- what the accesses claim ----------------------------------------------------------------------- */

static unsigned seen_affine, seen_bound, seen_conditional, seen_told, seen_guard, seen_uniform, seen_choice,
    seen_counter, seen_refuted, seen_quotient;
static uint64_t uniform_value[MAX_INSN];
static bool uniform_known[MAX_INSN];

/* Set when a quotient was asked for whose conditions the launch refuses, or a value that nobody knows because
 * this work-item went another way. */
static bool undefined;

static bool evaluate(const struct run *r, const struct sum_poly *p, wide *out, uint64_t *modular);
static bool in_range(const struct run *r, const struct sum_range *g);

static struct launch launch_of(const struct run *r, struct launch_arg args[4])
{
    static const struct launch_arg empty[4] = {{.set = true, .size = 8, .memory = 1, .bytes = 1 << 20},
                                               {.set = true, .size = 8, .memory = 2, .bytes = 1 << 20},
                                               {.set = true, .size = 4},
                                               {.set = true, .size = 8}};
    struct launch l = {.dim = 2, .global = {1, 1, 1}, .nargs = 4, .args = args};
    memcpy(args, empty, sizeof(empty));
    for (unsigned d = 0; d < 2; d++) {
        l.global[d] = r->gsize[d];
        l.offset[d] = r->offset[d];
        memcpy(args[2 + d].value, &r->arg[d], args[2 + d].size);
    }
    return l;
}

/* What the launch says of an entry of loops: it is below this; 0: it says nothing. */
static uint64_t told(struct run *r, uint32_t entry)
{
    struct launch_arg args[4];
    struct launch l = launch_of(r, args);
    struct sel_range box[3] = {{0, 0}, {0, 0}, {0, 0}};
    struct sel_form f = {.nloop = 1, .loop = {{.loop = entry, .coef = 1}}};
    if (r->told[entry])
        return r->told[entry] - 1;
    for (unsigned d = 0; d < 2; d++)
        box[d] = (struct sel_range){(int64_t)r->offset[d], (int64_t)(r->offset[d] + r->gsize[d] - 1)};
    r->told[entry] = 1 + (sel_form_loops(r->k, &l, box, &f) ? (uint64_t)f.loop[0].trips : 0);
    return r->told[entry] - 1;
}

static bool mentions(const struct sum_poly *p, enum sum_sym_kind kind)
{
    for (uint32_t i = 0; i < p->nterm; i++)
        for (uint32_t j = 0; j < p->term[i].nsym; j++)
            if (p->term[i].sym[j].kind == kind)
                return true;
    return false;
}

static bool mentions_loops(const struct sum_loop *l)
{
    bool found = mentions(&l->limit, SUM_SYM_LOOP) || mentions(&l->step_poly, SUM_SYM_LOOP);
    for (uint32_t i = 0; i < l->nrange; i++)
        found = found || mentions(&l->range[i].poly, SUM_SYM_LOOP);
    return found;
}

/* A counter's limit is 1 + what an iteration of its loop adds, times the iterations. */
static bool is_counter(const struct kernel_summary *k, uint32_t entry)
{
    const struct sum_loop *l = &k->loops[entry];
    for (uint32_t i = 0; i < l->limit.nterm && !l->quotient; i++)
        for (uint32_t j = 0; j < l->limit.term[i].nsym; j++) {
            const struct sum_sym *s = &l->limit.term[i].sym[j];
            const struct sum_loop *of = &k->loops[s->kind == SUM_SYM_LOOP ? s->index : 0];
            if (s->kind == SUM_SYM_LOOP && of->header == l->header && !of->quotient &&
                !is_counter(k, s->index))
                return true;
        }
    return false;
}

static uint64_t quotient_of(const struct run *r, const struct sum_loop *l)
{
    wide number, divisor = l->step;
    uint64_t m;
    bool good = evaluate(r, &l->limit, &number, &m) &&
                (l->step_poly.nterm == 0 || evaluate(r, &l->step_poly, &divisor, &m));
    good = good && !mentions(&l->step_poly, SUM_SYM_LOOP) && !mentions(&l->step_poly, SUM_SYM_GID);
    for (uint32_t i = 0; i < l->nrange; i++)
        good = good && in_range(r, &l->range[i]);
    if (good && l->quotient == SUM_Q_SHIFT)
        divisor = divisor >= 0 && divisor < 31 ? (wide)1 << divisor : 0;
    good = good && divisor > 0 && divisor < (wide)1 << 31 &&
           (l->quotient != SUM_Q_POWER || (divisor & (divisor - 1)) == 0);
    undefined = undefined || !good;
    seen_quotient += good;
    return good ? (uint64_t)((number - 1) / divisor) : 0;
}

/* Is the entry a choice by a select, or a counter?  The summary does not say which one. */
static bool is_hidden(const struct kernel_summary *k, uint32_t entry)
{
    return !k->loops[entry].quotient && (k->loops[entry].header == 0 || is_counter(k, entry));
}

static uint64_t trips_of(const struct run *r, uint32_t entry)
{
    if (r->k->loops[entry].quotient)
        return quotient_of(r, &r->k->loops[entry]);
    if (is_hidden(r->k, entry)) {
        seen_choice += r->k->loops[entry].header == 0;
        seen_counter += r->k->loops[entry].header != 0;
        return r->guess[entry];
    }
    for (uint32_t l = 0; l < r->cfg->nloop; l++)
        if (r->cfg->loop[l].header == r->k->loops[entry].header)
            return r->trips[l];
    uint32_t b = r->k->loops[entry].header, i = r->cfg->pred_first[b];
    seen_choice++;
    ck_assert_uint_eq(r->cfg->pred_first[b + 1] - i, 2);
    uint32_t first = r->cfg->pred[i] < r->cfg->pred[i + 1] ? r->cfg->pred[i] : r->cfg->pred[i + 1];
    return r->predecessor[b] != first;
}

/* A launch-wide value, as this work-item has computed it or, if it went another way, as the launch does. */
static uint64_t uniform(const struct run *r, uint32_t v)
{
    struct launch_arg args[4];
    struct launch l = launch_of(r, args);
    struct sel_eval e = {.k = r->k, .l = &l};
    uint64_t x = 0;
    if (v >= r->k->nleaf && !r->made[v]) {
        undefined = undefined || !sel_eval_value(&e, v, 0, &x);
        return x;
    }
    if (!r->first)
        return r->value[v];
    if (!uniform_known[v])
        uniform_value[v] = r->value[v];
    uniform_known[v] = true;
    ck_assert_uint_eq(uniform_value[v], r->value[v]);
    ck_assert(!sel_eval_value(&e, v, 0, &x) || x == r->value[v]);
    seen_uniform++;
    return r->value[v];
}

static int64_t symbol(const struct run *r, const struct sum_sym *s)
{
    switch (s->kind) {
    case SUM_SYM_GID:
        return (int64_t)r->gid[s->index];
    case SUM_SYM_OFFSET:
        return (int64_t)r->offset[s->index];
    case SUM_SYM_GSIZE:
        return (int64_t)r->gsize[s->index];
    case SUM_SYM_ARG:
        return s->zext ? (int64_t)cut(r->arg[s->index - 2], 8 * r->k->args[s->index].size)
                       : sign(r->arg[s->index - 2], 8 * r->k->args[s->index].size);
    case SUM_SYM_LOOP:
        return (int64_t)trips_of(r, s->index);
    default:
        return sign(uniform(r, s->index), r->k->insns[s->index].bits);
    }
}

/* Over the integers; false if it exceeds 126 bits. */
static bool evaluate(const struct run *r, const struct sum_poly *p, wide *out, uint64_t *modular)
{
    bool fits = true;
    *out = 0;
    *modular = 0;
    for (uint32_t i = 0; i < p->nterm; i++) {
        wide t = p->term[i].coef;
        uint64_t m = (uint64_t)p->term[i].coef;
        for (uint32_t j = 0; j < p->term[i].nsym; j++) {
            int64_t s = symbol(r, &p->term[i].sym[j]);
            fits &= !__builtin_mul_overflow(t, (wide)s, &t);
            m *= (uint64_t)s;
        }
        fits &= !__builtin_add_overflow(*out, t, out);
        *modular += m;
    }
    return fits;
}

static bool in_range(const struct run *r, const struct sum_range *g)
{
    wide x, one = 1;
    uint64_t m;
    if (!evaluate(r, &g->poly, &x, &m))
        return false;
    return g->is_signed ? x >= -(one << (g->bits - 1)) && x < one << (g->bits - 1)
                        : x >= 0 && x < one << g->bits;
}

/* The bound of a loop.  Where it depends on other iterations, or on conditions that must hold in all of them,
 * what the launch makes of it is looked at instead. */
static void check_bound(struct run *r, uint32_t entry)
{
    const struct sum_loop *l = &r->k->loops[entry];
    wide limit, step = l->step;
    uint64_t m, trips = trips_of(r, entry), most = told(r, entry);
    ck_assert_msg(most == 0 || trips < most, "loop %u, entry %u", l->header, entry);
    seen_told += most != 0;
    undefined = false;
    if ((!l->bounded && l->step == 0 && l->step_poly.nterm == 0) || mentions_loops(l) ||
        !evaluate(r, &l->limit, &limit, &m))
        return;
    if (l->step_poly.nterm && !evaluate(r, &l->step_poly, &step, &m))
        return;
    if (step <= 0)
        return;
    for (uint32_t i = 0; i < l->nrange; i++)
        if (!in_range(r, &l->range[i]))
            return;
    if (undefined || (l->bounded && (limit < 0 || limit >= ((wide)1 << 31) - step)))
        return;
    ck_assert(trips == 0 || (wide)trips * step < limit); /* behind a loop that did not run limit may be < 0 */
    seen_bound += l->bounded;
    seen_conditional += !l->bounded;
}

static void check_loops(struct run *r, const struct sum_poly *p)
{
    for (uint32_t i = 0; i < p->nterm; i++)
        for (uint32_t j = 0; j < p->term[i].nsym; j++) {
            const struct sum_sym *s = &p->term[i].sym[j];
            if (s->kind == SUM_SYM_LOOP && !r->k->loops[s->index].quotient && !is_hidden(r->k, s->index))
                check_bound(r, s->index);
        }
}

/* Entries of loops of which nothing is known but that they are below a number.  What is claimed must hold for
 * one of their values. */
#define MAX_HIDDEN  8
#define MAX_GUESSES 5000
struct hidden {
    unsigned n;
    uint32_t entry[MAX_HIDDEN];
    uint64_t below[MAX_HIDDEN], guesses;
};

/* Enter those that p mentions; false if they are too many, or if the launch does not bound them. */
static bool find_hidden(struct run *r, const struct sum_poly *p, struct hidden *h)
{
    for (uint32_t i = 0; i < p->nterm; i++)
        for (uint32_t j = 0; j < p->term[i].nsym; j++) {
            const struct sum_sym *s = &p->term[i].sym[j];
            const struct sum_loop *l = &r->k->loops[s->kind == SUM_SYM_LOOP ? s->index : 0];
            unsigned at = 0;
            if (s->kind != SUM_SYM_LOOP)
                continue;
            if (l->quotient) {
                bool good = find_hidden(r, &l->limit, h);
                for (uint32_t g = 0; g < l->nrange; g++)
                    good = good && find_hidden(r, &l->range[g].poly, h);
                if (!good)
                    return false;
            }
            while (at < h->n && h->entry[at] != s->index)
                at++;
            if (at < h->n || !is_hidden(r->k, s->index))
                continue;
            uint64_t below = told(r, s->index);
            if (at == MAX_HIDDEN || below == 0 || h->guesses * below > MAX_GUESSES)
                return false;
            h->entry[at] = s->index;
            h->below[at] = below;
            h->guesses *= below;
            h->n++;
        }
    return true;
}

static bool all_hidden(struct run *r, const struct sum_access *a, struct hidden *h)
{
    bool good = find_hidden(r, &a->coord[0], h);
    for (uint32_t i = 0; i < a->nrange; i++)
        good = good && find_hidden(r, &a->range[i].poly, h);
    for (uint32_t i = 0; i < a->nguard; i++)
        good = good && find_hidden(r, &a->guard[i].lhs, h) && find_hidden(r, &a->guard[i].rhs, h);
    return good;
}

static bool guard_holds(const struct run *r, const struct sum_guard *g)
{
    wide x, y;
    uint64_t m, n;
    undefined = false;
    if (!evaluate(r, &g->lhs, &x, &m) || !evaluate(r, &g->rhs, &y, &n) || undefined || x < 0 || y < 0 ||
        x >= (wide)1 << 31 || y >= (wide)1 << 31)
        return true; /* nothing is claimed */
    seen_guard++;
    return g->equal ? x == y : x < y;
}

/* The access is where its polynomial says, and its guards hold.  False if nothing is claimed, because the
 * conditions of the access do not hold whatever is hidden, as the launch demands. */
static bool claims_hold(struct run *r, const struct sum_access *a, uint64_t address)
{
    struct hidden h = {.guesses = 1};
    bool found = false;
    if (!all_hidden(r, a, &h))
        return false;
    for (uint64_t guess = 0; guess < h.guesses; guess++) {
        wide x;
        uint64_t m, rest = guess;
        bool held = true;
        for (unsigned i = 0; i < h.n; rest /= h.below[i++])
            r->guess[h.entry[i]] = rest % h.below[i];
        undefined = false;
        for (uint32_t i = 0; i < a->nrange; i++)
            held = held && in_range(r, &a->range[i]);
        evaluate(r, &a->coord[0], &x, &m);
        if (!held || undefined)
            return false;
        bool good = cut(m, a->wrap_bits) == cut(address, a->wrap_bits);
        for (uint32_t g = 0; g < a->nguard && good; g++)
            good = guard_holds(r, &a->guard[g]);
        found = found || good;
    }
    ck_assert(found);
    return true;
}

static void check_access(struct run *r, uint32_t v, uint64_t address)
{
    const struct kernel_summary *k = r->k;
    uint32_t arg = CFG_NONE, p = sum_opnd(k, v, 0);
    bool listed = false, load = k->insns[v].op == SUM_LOAD;
    while (k->insns[p].op == SUM_PTRADD)
        p = sum_opnd(k, p, 0);
    arg = (uint32_t)k->insns[p].imm;
    ck_assert(load ? k->args[arg].may_read : k->args[arg].may_write);
    for (uint32_t i = 0; i < k->naccess; i++) {
        const struct sum_access *a = &k->access[i];
        if (a->insn != v)
            continue;
        ck_assert_uint_eq(a->arg, arg);
        listed = true;
        if (!a->affine)
            continue;
        if (!claims_hold(r, a, address)) {
            seen_refuted++;
            continue;
        }
        seen_affine++;
        check_loops(r, &a->coord[0]);
        for (uint32_t g = 0; g < a->nguard; g++) {
            check_loops(r, &a->guard[g].lhs);
            check_loops(r, &a->guard[g].rhs);
        }
    }
    ck_assert(listed || !k->args[arg].may_write);
}

/* ---- what the facts claim -------------------------------------------------------------------------- */

static bool is_branch(const struct run *r, const struct event *e)
{
    return r->k->insns[e->insn].op == SUM_CONDBR || r->k->insns[e->insn].op == SUM_SWITCH;
}

/* Same places touched, same values stored, in the same order. */
static bool same_effects(const struct run *x, const struct run *y)
{
    unsigned i = 0, j = 0;
    for (;; i++, j++) {
        while (i < x->nevent && is_branch(x, &x->event[i]))
            i++;
        while (j < y->nevent && is_branch(y, &y->event[j]))
            j++;
        if (i == x->nevent || j == y->nevent)
            return i == x->nevent && j == y->nevent;
        if (x->event[i].insn != y->event[j].insn || x->event[i].a != y->event[j].a ||
            x->event[i].b != y->event[j].b)
            return false;
    }
}

static bool same_branches(const struct run *x, const struct run *y)
{
    unsigned i = 0, j = 0;
    for (;; i++, j++) {
        while (i < x->nevent && !is_branch(x, &x->event[i]))
            i++;
        while (j < y->nevent && !is_branch(y, &y->event[j]))
            j++;
        if (i == x->nevent || j == y->nevent)
            return i == x->nevent && j == y->nevent;
        if (x->event[i].insn != y->event[j].insn || x->event[i].a != y->event[j].a)
            return false;
    }
}

static bool same_trips(const struct run *x, const struct run *y)
{
    for (unsigned i = 0; i < x->nloop_log; i++)
        for (unsigned j = 0; j < y->nloop_log; j++)
            if (x->loop_log[i][0] == y->loop_log[j][0] && x->loop_log[i][1] == y->loop_log[j][1] &&
                x->loop_log[i][2] != y->loop_log[j][2])
                return false;
    return true;
}

static void random_launch(struct run *r, uint64_t *seed)
{
    static const uint64_t offsets[] = {0, 0, 24, 250, 0x1fff0, 0x7ffffff0, 0xfffffff0, (uint64_t)5 << 40};
    for (unsigned d = 0; d < 2; d++) {
        r->gsize[d] = 24 * (1 + rnd(seed) % 3);
        r->lsize[d] = 1u << rnd(seed) % 4;
        r->offset[d] = offsets[rnd(seed) % 8];
    }
    for (unsigned i = 0; i < 2; i++)
        r->arg[i] = rnd(seed) % 4 ? rnd(seed) % 20 : (uint64_t)rnd(seed) << (rnd(seed) % 30);
    r->contents = rnd(seed);
}

/* Nothing is said of launches with larger ids. */
static bool ids_fit(const struct run *r)
{
    for (unsigned d = 0; d < 2; d++)
        if (r->k->id_bits && (r->offset[d] + r->gsize[d]) >> r->k->id_bits)
            return false;
    return true;
}

static void random_item(struct run *r, uint64_t *seed)
{
    for (unsigned d = 0; d < 2; d++)
        r->gid[d] = r->offset[d] + rnd(seed) % r->gsize[d];
}

static unsigned proved[SUM_FACTS], programs, closed; /* edges that nobody takes */

static bool find_edges(const struct run *r, struct sel_intervals *may)
{
    struct launch_arg args[4];
    struct launch l = launch_of(r, args);
    return sel_intervals_find(r->k, &l, may) == 0;
}

static void judge(const struct kernel_summary *k, struct run *x, struct run *y, uint64_t *seed)
{
    static const uint64_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 24};
    random_item(x, seed);
    x->first = true;
    execute(x);
    x->first = false;
    if (x->too_long || x->overflowed)
        return;
    *y = *x;
    y->lsize[0] = sizes[rnd(seed) % 8];
    y->lsize[1] = sizes[rnd(seed) % 8];
    execute(y);
    if (sum_proved(k, SUM_FACT_S))
        ck_assert(y->overflowed || same_effects(x, y));
    for (unsigned d = 0; d < 2; d++) {
        *y = *x;
        uint64_t part = (x->gid[d] - x->offset[d]) / x->lsize[d] * x->lsize[d];
        part -= rnd(seed) % (part / x->lsize[d] + 1) * x->lsize[d];
        y->offset[d] += part;
        y->gsize[d] -= part;
        y->may = NULL;
        memset(y->told, 0, sizeof(y->told));
        execute(y);
        if (sum_proved(k, SUM_FACT_O0 + d))
            ck_assert(y->overflowed || same_effects(x, y));
    }
    if (!sum_proved(k, SUM_FACT_U))
        return;
    *y = *x;
    y->contents = rnd(seed);
    execute(y);
    ck_assert(y->overflowed || same_branches(x, y));
    *y = *x;
    random_item(y, seed);
    execute(y);
    ck_assert(y->too_long || y->overflowed || same_trips(x, y));
}

LOOPED_TEST(test_execute, 6)
{
    static struct gen g;
    static struct run x, y;
    uint64_t seed = 1000 + (uint64_t)_i;
    const char *rounds = getenv("CLSIZER_TEST_ROUNDS");
    for (int round = 0; round < (rounds ? atoi(rounds) : 300); round++) {
        const char *why = "";
        struct cfg c;
        generate(&g, seed * 1000003 + (uint64_t)round);
        ck_assert_msg(sum_check(&g.k, &why) == 0, "%s", why);
        sum_derive_facts(&g.k);
        ck_assert_uint_lt(g.k.nloop, MAX_ENTRY);
        ck_assert_msg(sum_check(&g.k, &why) == 0, "%s", why);
        ck_assert_int_eq(cfg_build(&g.k, &c), 0);
        for (unsigned f = 0; f < SUM_FACTS; f++)
            proved[f] += sum_proved(&g.k, f);
        programs++;
        x.k = &g.k;
        x.cfg = &c;
        for (int launch = 0; launch < 6; launch++) {
            struct sel_intervals may;
            random_launch(&x, &seed);
            if (!ids_fit(&x))
                continue;
            memset(x.told, 0, sizeof(x.told));
            x.may = find_edges(&x, &may) ? &may : NULL;
            for (uint32_t e = 0; x.may && e < may.cfg.succ_first[g.k.nblock]; e++)
                closed += !may.taken[e];
            memset(uniform_known, 0, sizeof(uniform_known));
            for (int item = 0; item < 4; item++)
                judge(&g.k, &x, &y, &seed);
            cfg_free(&may.cfg);
        }
        cfg_free(&c);
        sum_free_kernel(&g.k);
    }
    /* the test must not pass for want of claims */
    ck_assert_uint_gt(proved[SUM_FACT_S], programs / 20);
    ck_assert_uint_gt(proved[SUM_FACT_O0], programs / 20);
    ck_assert_uint_gt(proved[SUM_FACT_U], programs / 20);
    ck_assert_uint_gt(seen_affine, 100);
    ck_assert_uint_gt(seen_bound + seen_conditional, 10);
    ck_assert_uint_gt(seen_guard, 10);
    ck_assert_uint_gt(seen_uniform, 10);
    ck_assert_uint_gt(seen_quotient, 10);
    ck_assert_uint_gt(seen_choice, 10);
    ck_assert_uint_gt(seen_told, 10);
    ck_assert_uint_gt(seen_refuted, 10);
    ck_assert_uint_gt(closed, 100);
    ck_assert_uint_gt(seen_open, 100);
    ck_assert_uint_gt(seen_outside, 100);
    ck_assert_uint_gt(seen_inside, 100);
    if (rounds)
        printf(
            "%u programs, %u places as claimed, %u not claimed, %u guards, %u bounds, %u told, %u counters\n",
            programs, seen_affine, seen_refuted, seen_guard, seen_bound + seen_conditional, seen_told,
            seen_counter);
}

int main(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "3600", 1);
    return run_tests("execute", NULL, NULL);
}
