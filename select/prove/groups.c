/* groups.c - does no work-item touch, between two barriers, what another one of its group writes?
 *
 * One group is run in place of all of them, its work-items side by side, with the launch's arguments.  A
 * number is known as an integer plus multiples of the group's ids, or not at all, as is whatever was loaded.
 * What that is for one group it is for all, so a place, or the way that a branch takes, is known for all of
 * them or for none.  At a branch that is not known both ways are taken, as by work-items that might.
 *
 * Each byte of local memory notes who touched it since the last barrier, and each place of a buffer that the
 * kernel writes who ever did: whether a barrier orders buffers is not asked.  A place that is not known, a
 * barrier to which not certainly all come, and a loop of unknown length in which something is touched that
 * counts: all mean no. */
#include "select/select.h"

#include "analysis/summary/cfg.h"
#include "analysis/summary/integer.h"
#include "select/prove/eval.h"
#include "select/prove/form.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ITEMS  4096u
#define MOST_VALUES (1u << 20) /* of all work-items */
#define MOST_STEPS  (1u << 23) /* instructions of one work-item */
#define MOST_LOCAL  (1u << 20) /* bytes */
#define MOST_PLACES (1u << 18) /* in buffers; a power of two */
#define MOST_PHIS   64
#define MOST_DEPTH  1024
#define SEVERAL     UINT16_MAX /* work-items */
#define NO_OBJECT   0u         /* a number that is no pointer */
#define ANY_OBJECT  UINT32_MAX

/* k plus `group[d]` times the group's id in dimension d.  Pointers: bytes from where an object begins. */
struct num {
    int64_t k, group[3];
    uint32_t object; /* 1 + argument, or 1 + arguments + variable */
    bool known;      /* else only the object is */
};

/* Who touched a byte of local memory, or a place in a buffer: 1 + work-item, or SEVERAL. */
struct touched {
    uint32_t since; /* barriers before */
    uint16_t writer, reader;
    bool written; /* ever */
};

struct place {
    int64_t at;
    uint32_t object; /* NO_OBJECT: none */
    struct touched by;
};

struct buffer { /* how the places of an argument are compared */
    bool seen;
    uint32_t unit; /* bytes */
    int64_t group[3];
};

struct run {
    const struct kernel_summary *k;
    const struct launch *l;
    struct cfg cfg;
    uint32_t n; /* work-items */
    uint64_t groups[3];
    uint32_t *slot; /* instruction -> number of its values, or CFG_NONE */
    struct num *value;
    struct touched **local; /* object -> its bytes */
    uint64_t *bytes;
    struct buffer *buffer; /* object -> */
    struct place *place;
    uint32_t nplace;
    uint32_t barriers;
    uint64_t steps;
    unsigned depth;
    bool together; /* each loop is left by all at once */
    struct sel_verdict *why;
    bool failed;
};

__attribute__((format(printf, 3, 4))) static void fail(struct run *r, uint32_t insn, const char *format, ...)
{
    char *words = r->why->detail;
    const size_t size = sizeof r->why->detail;
    va_list ap;

    if (r->failed)
        return;
    r->failed = true;
    va_start(ap, format);
    vsnprintf(words, size, format, ap);
    va_end(ap);
    const size_t n = strlen(words);
    if (insn != CFG_NONE && r->k->insns[insn].line)
        snprintf(words + n, size - n, ", line %u", (unsigned)r->k->insns[insn].line);
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static const struct num unknown = {.object = ANY_OBJECT};

static struct num constant(int64_t k)
{
    return (struct num){.k = k, .known = true};
}

static bool is_constant(const struct num *x)
{
    return x->known && x->object == NO_OBJECT && !x->group[0] && !x->group[1] && !x->group[2];
}

/* The least and the largest of all groups. */
static void range(const struct run *r, const struct num *x, sel_wide *min, sel_wide *max)
{
    *min = *max = x->k;
    for (unsigned d = 0; d < 3; d++) {
        const sel_wide by = (sel_wide)x->group[d] * (sel_wide)(r->groups[d] - 1);
        *(by < 0 ? min : max) += by;
    }
}

static bool fits(const struct run *r, const struct num *x, unsigned bits)
{
    const sel_wide half = (sel_wide)1 << ((bits ? bits : 64) - 1);
    sel_wide min, max;

    range(r, x, &min, &max);
    return min >= -half && max < half;
}

/* As a signed integer of so many bits. */
static struct num settle(const struct run *r, struct num x, unsigned bits)
{
    if (!x.known)
        return x;
    if (x.object == NO_OBJECT && is_constant(&x))
        return constant(sum_signed((uint64_t)x.k, bits));
    if (fits(r, &x, bits))
        return x;
    x.known = false;
    return x;
}

/* x + f * y; numbers that get large are not known. */
static struct num sum(const struct num *x, const struct num *y, int64_t f)
{
    struct num s = *x;

    s.object = x->object != NO_OBJECT ? x->object : y->object;
    s.known = x->known && y->known && (x->object == NO_OBJECT || y->object == NO_OBJECT);
    int64_t more;

    if (y->object != NO_OBJECT && (x->object != NO_OBJECT || f != 1))
        return unknown;
    s.known = s.known && !__builtin_mul_overflow(y->k, f, &more) && !__builtin_add_overflow(x->k, more, &s.k);
    for (unsigned d = 0; d < 3; d++)
        s.known = s.known && !__builtin_mul_overflow(y->group[d], f, &more) &&
                  !__builtin_add_overflow(x->group[d], more, &s.group[d]);
    return s;
}

static struct num product(const struct num *x, const struct num *y)
{
    const struct num zero = constant(0);

    if (is_constant(y) && x->object == NO_OBJECT)
        return sum(&zero, x, y->k);
    if (is_constant(x) && y->object == NO_OBJECT)
        return sum(&zero, y, x->k);
    return unknown;
}

/* x / m, rounded down, and x modulo m where x is not negative and groups are whole multiples of m apart. */
static struct num divided(const struct run *r, const struct num *x, int64_t m, bool rest)
{
    struct num q = *x;
    sel_wide min, max;

    range(r, x, &min, &max);
    if (!x->known || x->object != NO_OBJECT || m <= 0 || min < 0)
        return unknown;
    for (unsigned d = 0; d < 3; d++) {
        if (x->group[d] % m)
            return unknown;
        q.group[d] /= m;
    }
    const int64_t low = (x->k % m + m) % m;
    q.k = (x->k - low) / m;
    return rest ? constant(low) : q;
}

/* Is x below y, or equal?  -1: no, 0: it is not known, 1: yes. */
static int below(const struct run *r, const struct num *x, const struct num *y, bool or_equal)
{
    const struct num d = sum(x, y, -1);
    sel_wide min, max;

    if (!d.known || d.object != NO_OBJECT)
        return 0;
    range(r, &d, &min, &max);
    if (or_equal)
        return max <= 0 ? 1 : min > 0 ? -1 : 0;
    return max < 0 ? 1 : min >= 0 ? -1 : 0;
}

static int equal(const struct run *r, const struct num *x, const struct num *y)
{
    const int le = below(r, x, y, true), ge = below(r, y, x, true);

    return le > 0 && ge > 0 ? 1 : le < 0 || ge < 0 ? -1 : 0;
}

static bool is_positive(const struct run *r, const struct num *x)
{
    sel_wide min, max;

    range(r, x, &min, &max);
    return x->known && x->object == NO_OBJECT && min >= 0;
}

static struct num truth(int is)
{
    return is ? constant(is > 0 ? -1 : 0) : unknown;
}

static struct num compare(const struct run *r, unsigned pred, const struct num *x, const struct num *y)
{
    if (pred >= SUM_ULT && pred <= SUM_UGE && (!is_positive(r, x) || !is_positive(r, y)))
        return unknown;
    switch (pred) {
    case SUM_EQ:
        return truth(equal(r, x, y));
    case SUM_NE:
        return truth(-equal(r, x, y));
    case SUM_ULT:
    case SUM_SLT:
        return truth(below(r, x, y, false));
    case SUM_ULE:
    case SUM_SLE:
        return truth(below(r, x, y, true));
    case SUM_UGT:
    case SUM_SGT:
        return truth(below(r, y, x, false));
    default:
        return truth(below(r, y, x, true));
    }
}

static bool is_same(const struct num *x, const struct num *y)
{
    return x->known && y->known && x->object == y->object && x->k == y->k &&
           memcmp(x->group, y->group, sizeof x->group) == 0;
}

static struct num either(const struct num *x, const struct num *y)
{
    if (is_same(x, y))
        return *x;
    return x->object == y->object ? (struct num){.object = x->object ? x->object : ANY_OBJECT} : unknown;
}

/* ---- values ------------------------------------------------------------------------------------------ */

static uint64_t local_id(const struct run *r, uint32_t item, unsigned d)
{
    const size_t *n = r->l->local;

    return d == 0 ? item % n[0] : d == 1 ? item / n[0] % n[1] : item / n[0] / n[1];
}

static struct num work_item(const struct run *r, const struct sum_insn *in, uint32_t item)
{
    const unsigned d = in->imm >= 0 && in->imm < 3 ? (unsigned)in->imm : 3;
    struct num x = constant(0);

    if (in->sub == SUM_WI_WORK_DIM)
        return constant(r->l->dim);
    if (in->sub == SUM_WI_LOCAL_LINEAR_ID)
        return constant(item);
    if (d > 2)
        return unknown;
    switch ((enum sum_wi)in->sub) {
    case SUM_WI_GLOBAL_ID:
        x.k = (int64_t)(r->l->offset[d] + local_id(r, item, d));
        x.group[d] = r->groups[d] > 1 ? (int64_t)r->l->local[d] : 0;
        return x;
    case SUM_WI_GROUP_ID:
        x.group[d] = r->groups[d] > 1;
        return x;
    case SUM_WI_GLOBAL_SIZE:
        return constant((int64_t)r->l->global[d]);
    case SUM_WI_GLOBAL_OFFSET:
        return constant((int64_t)r->l->offset[d]);
    case SUM_WI_LOCAL_ID:
        return constant((int64_t)local_id(r, item, d));
    case SUM_WI_LOCAL_SIZE:
    case SUM_WI_ENQUEUED_LOCAL_SIZE:
        return constant((int64_t)r->l->local[d]);
    case SUM_WI_NUM_GROUPS:
        return constant((int64_t)r->groups[d]);
    default:
        return unknown;
    }
}

static struct num leaf(const struct run *r, uint32_t v, uint32_t item)
{
    const struct sum_insn *in = &r->k->insns[v];
    uint64_t raw;

    if (in->op == SUM_WI)
        return settle(r, work_item(r, in, item), in->bits);
    if (in->op == SUM_VAR)
        return (struct num){.object = 1 + r->k->nargs + (uint32_t)in->imm, .known = true};
    if (in->op == SUM_ARG && r->k->args[in->imm].kind != SUM_ARG_SCALAR)
        return (struct num){.object = 1 + (uint32_t)in->imm, .known = true};
    if (in->lanes != 1 || (in->flags & SUM_F_FLOAT) || !in->bits || !sel_eval_leaf(r->k, r->l, v, &raw))
        return unknown;
    return constant(sum_signed(raw, in->bits));
}

static struct num *value(const struct run *r, uint32_t v, uint32_t item)
{
    return &r->value[(size_t)r->slot[v] * r->n + item];
}

static bool is_zero(const struct num *x)
{
    return is_constant(x) && !x->k;
}

static bool is_truth(const struct num *x)
{
    return is_constant(x) && x->k;
}

static struct num binary(const struct run *r, const struct sum_insn *in, unsigned bits, const struct num *x,
                         const struct num *y)
{
    uint64_t out;

    switch (in->op) {
    case SUM_ADD:
    case SUM_PTRADD:
        return sum(x, y, 1);
    case SUM_SUB:
        return sum(x, y, -1);
    default:
        break;
    }
    if (in->op == SUM_MUL &&
        (!(in->flags & SUM_F_24) || (x->known && y->known && fits(r, x, 24) && fits(r, y, 24))))
        return product(x, y);
    if (in->op == SUM_MUL)
        return unknown;
    if (in->op == SUM_AND && (is_zero(x) || is_zero(y)))
        return constant(0);
    if (in->op == SUM_OR && bits == 1 && (is_truth(x) || is_truth(y)))
        return constant(-1);
    if (!is_constant(y))
        return unknown;
    if (is_constant(x))
        return sum_binary(in->op, bits, sum_low((uint64_t)x->k, bits), sum_low((uint64_t)y->k, bits), &out)
                   ? constant(sum_signed(out, bits))
                   : unknown;
    const bool shift = y->k >= 0 && y->k < 62 && y->k < (int64_t)bits;
    const struct num power = constant(shift ? INT64_C(1) << y->k : 0);
    switch (in->op) {
    case SUM_SHL:
        return shift ? product(x, &power) : unknown;
    case SUM_LSHR:
    case SUM_ASHR:
        return divided(r, x, power.k, false);
    case SUM_UDIV:
    case SUM_SDIV:
        return divided(r, x, y->k, false);
    case SUM_UREM:
    case SUM_SREM:
        return divided(r, x, y->k, true);
    case SUM_AND:
        return y->k >= 0 && y->k < INT64_MAX && !(y->k & (y->k + 1)) ? divided(r, x, y->k + 1, true)
                                                                     : unknown;
    default:
        return unknown;
    }
}

static struct num choose(const struct num *c, const struct num *yes, const struct num *no)
{
    if (is_constant(c))
        return c->k & 1 ? *yes : *no;
    return either(yes, no);
}

static struct num compute(const struct run *r, uint32_t v, uint32_t item)
{
    const struct sum_insn *in = &r->k->insns[v];
    const struct num *x = in->nopnd > 0 ? value(r, sum_opnd(r->k, v, 0), item) : NULL;
    const struct num *y = in->nopnd > 1 ? value(r, sum_opnd(r->k, v, 1), item) : NULL;
    const unsigned from = x ? r->k->insns[sum_opnd(r->k, v, 0)].bits : 0;
    struct num a, b;

    if (in->lanes != 1 || (in->flags & SUM_F_FLOAT))
        return unknown;
    switch (in->op) {
    case SUM_ICMP:
        if (!is_constant(x) || !is_constant(y))
            return compare(r, in->sub, x, y);
        return constant(
            sum_compare(in->sub, from, sum_low((uint64_t)x->k, from), sum_low((uint64_t)y->k, from)) ? -1
                                                                                                     : 0);
    case SUM_SELECT:
        return choose(x, y, value(r, sum_opnd(r->k, v, 2), item));
    case SUM_TRUNC:
    case SUM_SEXT:
        return settle(r, *x, in->bits);
    case SUM_ZEXT:
        if (is_constant(x))
            return settle(r, constant((int64_t)sum_low((uint64_t)x->k, from)), in->bits);
        return is_positive(r, x) ? *x : unknown;
    case SUM_SMIN:
    case SUM_SMAX:
        a = truth(below(r, x, y, true));
        return in->op == SUM_SMIN ? choose(&a, x, y) : choose(&a, y, x);
    default:
        if (in->op < SUM_ADD || in->op > SUM_PTRADD || !y)
            return unknown;
        a = *x, b = *y;
        return settle(r, binary(r, in, in->bits, &a, &b), in->bits);
    }
}

/* ---- what is touched --------------------------------------------------------------------------------- */

/* Does it touch what another one writes, or write what another one touches? */
static bool meets(struct touched *t, uint32_t item, bool write)
{
    const uint16_t i = (uint16_t)(item + 1);

    if ((t->writer && t->writer != i) || (write && t->reader && t->reader != i))
        return true;
    if (write)
        t->writer = i;
    else
        t->reader = t->reader && t->reader != i ? SEVERAL : i;
    t->written |= write;
    return false;
}

static const char *object_name(const struct run *r, uint32_t object)
{
    const char *name =
        object <= r->k->nargs ? r->k->args[object - 1].name : r->k->vars[object - 1 - r->k->nargs].name;

    return name ? name : "";
}

static void touch_local(struct run *r, uint32_t v, const struct num *at, uint32_t item, bool write)
{
    const uint32_t bytes = r->k->insns[v].bytes;
    const char *name = object_name(r, at->object);

    if (at->group[0] || at->group[1] || at->group[2] || at->k < 0 ||
        (uint64_t)at->k + bytes > r->bytes[at->object]) {
        fail(r, v, "a place outside of '%.24s'", name);
        return;
    }
    for (uint32_t i = 0; i < bytes; i++) {
        struct touched *t = &r->local[at->object][at->k + i];
        if (t->since != r->barriers)
            *t = (struct touched){.since = r->barriers, .written = t->written};
        if (!write && !t->written)
            fail(r, v, "'%.24s' is read where nobody has written", name);
        if (meets(t, item, write))
            fail(r, v, "two work-items touch one place of '%.24s' between barriers", name);
    }
}

static struct place *find_place(struct run *r, uint32_t object, int64_t at)
{
    uint64_t hash = ((uint64_t)at * 0x9e3779b97f4a7c15u) ^ ((uint64_t)object << 40);

    for (hash ^= hash >> 29;; hash++) {
        struct place *p = &r->place[hash & (2 * MOST_PLACES - 1)];
        if (p->object == object && p->at == at)
            return p;
        if (p->object != NO_OBJECT)
            continue;
        if (r->nplace++ == MOST_PLACES)
            return NULL;
        *p = (struct place){.at = at, .object = object};
        return p;
    }
}

static void touch_buffer(struct run *r, uint32_t v, const struct num *at, uint32_t item, bool write)
{
    const uint32_t bytes = r->k->insns[v].bytes;
    struct buffer *b = &r->buffer[at->object];

    if (!b->seen) {
        *b = (struct buffer){.seen = true, .unit = bytes % 4 ? 1 : 4};
        memcpy(b->group, at->group, sizeof b->group);
    }
    if (memcmp(b->group, at->group, sizeof b->group) != 0 || at->k % b->unit || bytes % b->unit) {
        fail(r, v, "places of '%.24s' that cannot be compared", object_name(r, at->object));
        return;
    }
    for (uint32_t i = 0; i < bytes; i += b->unit) {
        struct place *p = find_place(r, at->object, at->k + i);
        if (!p)
            fail(r, v, "too many places of '%.24s'", object_name(r, at->object));
        else if (meets(&p->by, item, write))
            fail(r, v, "two work-items touch one place of '%.24s'", object_name(r, at->object));
        if (r->failed)
            return;
    }
}

static bool is_written(const struct run *r, uint32_t object)
{
    if (object > r->k->nargs)
        return false;
    for (uint32_t a = 0; a < r->k->nargs; a++)
        if ((object == ANY_OBJECT || object == 1 + a) && r->k->args[a].may_write)
            return true;
    return false;
}

static bool any_is_written(const struct run *r)
{
    for (uint32_t a = 0; a < r->k->nargs; a++)
        if (r->k->args[a].may_write)
            return true;
    return false;
}

/* Is it an access to what nobody writes, or to private memory? */
static bool is_harmless(const struct run *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];
    uint32_t root = sum_opnd(r->k, v, 0);

    if (in->space == SUM_PRIVATE)
        return true;
    while (r->k->insns[root].op == SUM_PTRADD)
        root = sum_opnd(r->k, root, 0);
    return in->op == SUM_LOAD && in->space != SUM_LOCAL &&
           (in->space == SUM_CONSTANT ||
            (r->k->insns[root].op == SUM_ARG && !is_written(r, 1 + (uint32_t)r->k->insns[root].imm)));
}

static bool touches(const struct run *r, uint32_t v)
{
    const unsigned op = r->k->insns[v].op;

    return (op == SUM_LOAD || op == SUM_STORE) && !is_harmless(r, v);
}

static void touch(struct run *r, uint32_t v, uint32_t item)
{
    const struct sum_insn *in = &r->k->insns[v];
    const struct num *at = value(r, sum_opnd(r->k, v, 0), item);
    const bool write = in->op == SUM_STORE, any = at->object == ANY_OBJECT || at->object == NO_OBJECT;

    if (!any && r->local[at->object] && at->known)
        touch_local(r, v, at, item, write);
    else if (in->space == SUM_LOCAL || any || r->local[at->object])
        fail(r, v, "a place in memory that is not known");
    else if (at->object > r->k->nargs && write)
        fail(r, v, "a program-scope variable is written");
    else if (is_written(r, at->object) && !at->known)
        fail(r, v, "a place of '%.24s' that is not known", object_name(r, at->object));
    else if (is_written(r, at->object))
        touch_buffer(r, v, at, item, write);
}

/* ---- the way ----------------------------------------------------------------------------------------- */

static uint32_t incoming(const struct run *r, uint32_t phi, uint32_t from)
{
    const struct sum_insn *in = &r->k->insns[phi];

    for (uint32_t i = 0; i + 1 < in->nopnd; i += 2)
        if (sum_opnd(r->k, phi, i) == from)
            return sum_opnd(r->k, phi, i + 1);
    return CFG_NONE;
}

/* The phis of a block that count. */
static unsigned phis_of(const struct run *r, uint32_t b, uint32_t phi[MOST_PHIS])
{
    unsigned n = 0;

    for (uint32_t v = r->k->blocks[b].first; r->k->insns[v].op == SUM_PHI && n < MOST_PHIS; v++)
        if (r->slot[v] != CFG_NONE)
            phi[n++] = v;
    return n;
}

static void go(struct run *r, uint32_t from, uint32_t to, const bool *here)
{
    uint32_t phi[MOST_PHIS];
    struct num next[MOST_PHIS];
    const unsigned n = phis_of(r, to, phi);

    for (uint32_t i = 0; i < r->n && n; i++) {
        for (unsigned p = 0; p < n && here[i]; p++) {
            const uint32_t v = incoming(r, phi[p], from);
            next[p] = v == CFG_NONE ? unknown : *value(r, v, i);
        }
        for (unsigned p = 0; p < n && here[i]; p++)
            *value(r, phi[p], i) = next[p];
    }
    r->steps += (uint64_t)n * r->n;
}

static void pass_barrier(struct run *r, uint32_t v, const bool *here, bool sure)
{
    bool all = sure;

    for (uint32_t i = 0; i < r->n; i++)
        all = all && here[i];
    if (!all)
        fail(r, v, "a barrier to which perhaps not all come");
    r->barriers++;
}

static void run_block(struct run *r, uint32_t b, const bool *here, bool sure)
{
    for (uint32_t v = r->k->blocks[b].first; v < r->k->blocks[b].end && !r->failed; v++) {
        const struct sum_insn *in = &r->k->insns[v];
        const bool counts = touches(r, v), computes = r->slot[v] != CFG_NONE && in->op != SUM_PHI;
        if (in->op == SUM_BARRIER)
            pass_barrier(r, v, here, sure);
        if (in->op == SUM_ATOMIC || in->op == SUM_CALL || in->op == SUM_IMAGE_READ ||
            in->op == SUM_IMAGE_WRITE)
            fail(r, v, "an atomic, an image or a function");
        if (!counts && !computes)
            continue;
        r->steps += r->n;
        for (uint32_t i = 0; i < r->n; i++) {
            if (here[i] && counts)
                touch(r, v, i);
            if (here[i] && computes)
                *value(r, v, i) = in->op == SUM_LOAD ? unknown : compute(r, v, i);
        }
    }
    if (r->steps > MOST_STEPS)
        fail(r, CFG_NONE, "a group with too much work to be looked at");
}

/* The loop is left after nobody knows how many rounds: nothing in it may count.  Where it goes on. */
static uint32_t skip_loop(struct run *r, uint32_t loop, const bool *here)
{
    const struct cfg *c = &r->cfg;
    uint32_t to = CFG_NONE, phi[MOST_PHIS];

    for (uint32_t i = c->loop[loop].first; i < c->loop[loop].end; i++) {
        const uint32_t b = c->loop_block[i];
        for (uint32_t v = r->k->blocks[b].first; v < r->k->blocks[b].end; v++) {
            if (touches(r, v) || r->k->insns[v].op == SUM_BARRIER)
                fail(r, v, "a loop of a length that is not known");
            for (uint32_t w = 0; w < r->n && r->slot[v] != CFG_NONE; w++)
                if (here[w])
                    *value(r, v, w) = unknown;
        }
        for (uint32_t s = c->succ_first[b]; s < c->succ_first[b + 1]; s++)
            if (!cfg_in_loop(c, loop, c->succ[s])) {
                if (to != CFG_NONE && to != c->succ[s])
                    fail(r, r->k->blocks[b].end - 1,
                         "a loop of a length that is not known with several ends");
                to = c->succ[s];
            }
    }
    if (to == CFG_NONE) {
        fail(r, CFG_NONE, "a loop without an end");
        return 0;
    }
    const unsigned n = phis_of(r, to, phi);
    for (unsigned p = 0; p < n; p++)
        for (uint32_t w = 0; w < r->n; w++)
            if (here[w])
                *value(r, phi[p], w) = unknown;
    return to;
}

static void run_from(struct run *r, uint32_t b, uint32_t stop, const bool *here, bool sure);

/* A branch: its ways, and who may take each. */
struct ways {
    uint32_t n;         /* blocks that it leads to */
    const uint32_t *to; /* of the graph */
    bool *side;         /* owned: of each, by work-item */
    uint32_t only;      /* all take this way; CFG_NONE: not all take the same */
    bool known;
};

static uint32_t way_to(const struct ways *w, uint32_t block)
{
    uint32_t i = 0;

    while (w->to[i] != block)
        i++;
    return i;
}

/* The block to which a known condition leads. */
static uint32_t target(const struct run *r, uint32_t t, int64_t c)
{
    const struct sum_insn *in = &r->k->insns[t];

    if (in->op == SUM_CONDBR)
        return sum_opnd(r->k, t, c & 1 ? 1 : 2);
    for (uint32_t i = 2; i + 1 < in->nopnd; i += 2)
        if (r->k->insns[sum_opnd(r->k, t, i)].imm == c)
            return sum_opnd(r->k, t, i + 1);
    return sum_opnd(r->k, t, 1);
}

/* False: out of memory. */
static bool find_ways(const struct run *r, uint32_t b, const bool *here, struct ways *w)
{
    const uint32_t t = r->k->blocks[b].end - 1;

    *w = (struct ways){.n = cfg_nsucc(&r->cfg, b), .to = &r->cfg.succ[r->cfg.succ_first[b]], .known = true};
    w->side = calloc((size_t)w->n * r->n + 1, sizeof *w->side);
    w->only = CFG_NONE;
    for (uint32_t i = 0; i < r->n && w->side; i++) {
        const struct num *c = value(r, sum_opnd(r->k, t, 0), i);
        const bool known = is_constant(c);
        const uint32_t way = known ? way_to(w, target(r, t, c->k)) : 0;
        for (uint32_t s = 0; s < w->n; s++)
            w->side[s * r->n + i] = here[i] && (!known || s == way);
        w->known &= !here[i] || known;
    }
    for (uint32_t s = 0; s < w->n && w->side; s++)
        if (memcmp(here, &w->side[s * r->n], r->n * sizeof *here) == 0)
            w->only = w->known || w->n == 1 ? s : w->only;
    return w->side;
}

/* All ways, as far as `meet`: who may have taken several brings there what is the same on all of them. */
static void take_all(struct run *r, uint32_t b, const struct ways *w, uint32_t meet, bool sure)
{
    uint32_t phi[MOST_PHIS];
    const unsigned n = meet < r->k->nblock ? phis_of(r, meet, phi) : 0;
    struct num *kept = malloc(((size_t)n * r->n + 1) * sizeof *kept);
    bool *came = calloc(r->n, sizeof *came);

    if (!kept || !came)
        fail(r, CFG_NONE, "out of memory");
    for (uint32_t s = 0; s < w->n && !r->failed; s++) {
        const bool *side = &w->side[s * r->n];
        go(r, b, w->to[s], side);
        run_from(r, w->to[s], meet, side, sure);
        for (uint32_t i = 0; i < r->n; i++) {
            for (unsigned p = 0; p < n && side[i]; p++) {
                struct num *v = value(r, phi[p], i);
                *v = kept[p * r->n + i] = came[i] ? either(&kept[p * r->n + i], v) : *v;
            }
            came[i] |= side[i];
        }
    }
    free(kept);
    free(came);
}

static bool leaves_loop(const struct run *r, const struct ways *w, uint32_t loop)
{
    for (uint32_t s = 0; s < w->n && loop != CFG_NONE; s++)
        if (!cfg_in_loop(&r->cfg, loop, w->to[s]))
            return true;
    return false;
}

/* Returns where all who are here go on. */
static uint32_t run_branch(struct run *r, uint32_t b, const bool *here, bool sure)
{
    const uint32_t t = r->k->blocks[b].end - 1, meet = r->cfg.ipdom[b], loop = r->cfg.loop_of[b];
    struct ways w;
    uint32_t at = meet;

    if (!find_ways(r, b, here, &w)) {
        fail(r, t, "out of memory");
        return meet;
    }
    const bool leaves = leaves_loop(r, &w, loop);
    if (w.only != CFG_NONE) {
        at = w.to[w.only];
        go(r, b, at, here);
    } else if (leaves && !w.known) {
        r->together = false;
        at = skip_loop(r, loop, here);
    } else if (meet == CFG_NONE || (loop != CFG_NONE && meet == r->cfg.loop[loop].header)) {
        fail(r, t, "ways that do not meet");
    } else {
        r->together &= !leaves;
        take_all(r, b, &w, meet, sure && w.known);
    }
    free(w.side);
    return at;
}

static void run_from(struct run *r, uint32_t b, uint32_t stop, const bool *here, bool sure)
{
    if (++r->depth > MOST_DEPTH)
        fail(r, CFG_NONE, "too many ways");
    while (b != stop && b < r->k->nblock && !r->failed) {
        const uint32_t t = r->k->blocks[b].end - 1;
        run_block(r, b, here, sure);
        switch (r->k->insns[t].op) {
        case SUM_BR:
            go(r, b, sum_opnd(r->k, t, 0), here);
            b = sum_opnd(r->k, t, 0);
            break;
        case SUM_CONDBR:
        case SUM_SWITCH:
            b = run_branch(r, b, here, sure);
            break;
        default:
            b = r->k->nblock;
        }
        r->steps += r->n;
    }
    r->depth--;
}

/* ---- all together ------------------------------------------------------------------------------------ */

/* The values that decide where something is touched, and which way a branch takes. */
static uint32_t find_values(struct run *r)
{
    const struct kernel_summary *k = r->k;
    uint32_t n = 0;

    for (uint32_t v = 0; v < k->ninsn; v++)
        r->slot[v] = CFG_NONE;
    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_CONDBR || k->insns[v].op == SUM_SWITCH || touches(r, v))
            r->slot[sum_opnd(k, v, 0)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = k->ninsn; v-- > k->nleaf;) {
            const struct sum_insn *in = &k->insns[v];
            if (r->slot[v] == CFG_NONE || in->op == SUM_LOAD || in->lanes != 1 || (in->flags & SUM_F_FLOAT))
                continue;
            for (uint32_t i = 0; i < in->nopnd; i++)
                if (!sum_operand_is_block(in, i) && r->slot[sum_opnd(k, v, i)] == CFG_NONE) {
                    r->slot[sum_opnd(k, v, i)] = 0;
                    changed = true;
                }
        }
    }
    for (uint32_t v = 0; v < k->ninsn; v++)
        r->slot[v] = r->slot[v] == CFG_NONE ? CFG_NONE : n++;
    return n;
}

/* Bytes of local memory that an object is; 0: it is none. */
static uint64_t local_bytes(const struct run *r, uint32_t object)
{
    const struct kernel_summary *k = r->k;

    if (object > k->nargs)
        return k->vars[object - 1 - k->nargs].space == SUM_LOCAL ? k->vars[object - 1 - k->nargs].bytes : 0;
    return k->args[object - 1].kind == SUM_ARG_LOCAL ? r->l->args[object - 1].size : 0;
}

static bool prepare_memory(struct run *r)
{
    const uint32_t objects = 1 + r->k->nargs + r->k->nvars;

    r->local = calloc(objects, sizeof *r->local);
    r->bytes = calloc(objects, sizeof *r->bytes);
    r->buffer = calloc(objects, sizeof *r->buffer);
    r->place = any_is_written(r) ? calloc(2 * MOST_PLACES, sizeof *r->place) : NULL;
    if (!r->local || !r->bytes || !r->buffer || (any_is_written(r) && !r->place))
        return false;
    for (uint32_t o = 1; o < objects; o++) {
        r->bytes[o] = local_bytes(r, o);
        if (!r->bytes[o])
            continue;
        if (r->bytes[o] > MOST_LOCAL || !(r->local[o] = calloc(r->bytes[o], sizeof **r->local)))
            return false;
    }
    return true;
}

static bool prepare(struct run *r)
{
    uint32_t n, phi[MOST_PHIS];

    r->slot = malloc(((size_t)r->k->ninsn + 1) * sizeof *r->slot);
    if (!r->slot || cfg_build(r->k, &r->cfg) || r->cfg.irreducible || !prepare_memory(r))
        return false;
    n = find_values(r);
    if ((uint64_t)n * r->n > MOST_VALUES || !(r->value = malloc(((size_t)n * r->n + 1) * sizeof *r->value)))
        return false;
    for (uint32_t b = 0; b < r->k->nblock; b++)
        if (phis_of(r, b, phi) == MOST_PHIS)
            return false;
    for (uint32_t v = 0; v < r->k->ninsn; v++)
        for (uint32_t i = 0; r->slot[v] != CFG_NONE && i < r->n; i++)
            *value(r, v, i) = v < r->k->nleaf ? leaf(r, v, i) : unknown;
    return true;
}

static void release(struct run *r)
{
    for (uint32_t o = 0; r->local && o < 1 + r->k->nargs + r->k->nvars; o++)
        free(r->local[o]);
    free(r->local);
    free(r->bytes);
    free(r->buffer);
    free(r->place);
    free(r->slot);
    free(r->value);
    cfg_free(&r->cfg);
}

bool sel_apart_in_groups(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why,
                         bool *together)
{
    struct run r = {.k = k, .l = l, .together = true, .why = why, .barriers = 1};
    const uint64_t items = (uint64_t)l->local[0] * l->local[1] * l->local[2];
    bool *here;

    *why = (struct sel_verdict){.reason = SEL_R_IN_STEP};
    *together = false;
    for (unsigned d = 0; d < 3; d++)
        r.groups[d] = l->local[d] ? l->global[d] / l->local[d] : 0;
    if (!items || items > MOST_ITEMS) {
        fail(&r, CFG_NONE, "groups that are too large to be looked at");
        return false;
    }
    r.n = (uint32_t)items;
    here = malloc(r.n * sizeof *here);
    if (!here || !prepare(&r)) {
        fail(&r, CFG_NONE, "a kernel that is too large to be looked at");
    } else {
        memset(here, true, r.n * sizeof *here);
        run_from(&r, 0, k->nblock, here, true);
    }
    free(here);
    release(&r);
    why->proven = !r.failed;
    *together = !r.failed && r.together;
    if (why->proven)
        why->reason = SEL_R_OK;
    return why->proven;
}
