/* eval.c - see eval.h. */
#include "select/prove/eval.h"
#include "select/prove/form.h"
#include "analysis/summary/integer.h"

/* How many instructions are evaluated to learn one value, and how deep a chain may be. */
#define EVAL_STEPS 128
#define EVAL_DEPTH 32
/* How many steps an address in a struct is away from the struct. */
#define MEMBER_DEPTH 16

/* `bits` bits of an argument passed by value, `from` bytes from its start, zero-extended. */
static bool part_bits(const struct kernel_summary *k, const struct launch *l, uint64_t index, uint64_t from,
                      unsigned bits, uint64_t *out)
{
    uint64_t end = from + bits / 8;
    if (index >= k->nargs || index >= l->nargs || k->args[index].kind != SUM_ARG_SCALAR)
        return false;
    const struct launch_arg *a = &l->args[index];
    if (!a->set || a->bounded || a->size != k->args[index].size || bits % 8 != 0 || from > a->size ||
        end > a->size || end > sizeof a->value)
        return false;
    *out = 0;
    for (unsigned i = 0; i < bits / 8; i++)
        *out |= (uint64_t)a->value[from + i] << 8 * i;
    return true;
}

bool sel_eval_scalar(const struct kernel_summary *k, const struct launch *l, uint64_t index, uint64_t *out,
                     unsigned *bits)
{
    const uint32_t size = index < k->nargs ? k->args[index].size : 0;
    *bits = 8 * size;
    return (size == 1 || size == 2 || size == 4 || size == 8) && part_bits(k, l, index, 0, *bits, out);
}

bool sel_eval_member(const struct kernel_summary *k, const struct launch *l, uint32_t id, uint64_t *out)
{
    const struct sum_insn *v = &k->insns[id];
    uint32_t at = sum_opnd(k, id, 0);
    uint64_t from = 0;
    for (unsigned depth = 0; depth < MEMBER_DEPTH && k->insns[at].op == SUM_PTRADD; depth++) {
        const struct sum_insn *by = &k->insns[sum_opnd(k, at, 1)];
        if (by->op != SUM_CONST)
            return false;
        from += (uint64_t)by->imm;
        at = sum_opnd(k, at, 0);
    }
    const struct sum_insn *base = &k->insns[at];
    return base->op == SUM_ARG && !(base->flags & SUM_F_PART) && v->space == SUM_PRIVATE &&
           v->bytes * 8 == v->bits && base->imm >= 0 &&
           part_bits(k, l, (uint64_t)base->imm, from, v->bits, out);
}

static bool eval_wi(const struct launch *l, const struct sum_insn *v, uint64_t *out)
{
    if (v->sub == SUM_WI_WORK_DIM) {
        *out = l->dim;
        return true;
    }
    if (v->sub != SUM_WI_GLOBAL_SIZE && v->sub != SUM_WI_GLOBAL_OFFSET)
        return false;
    *out = v->sub == SUM_WI_GLOBAL_SIZE ? l->global[v->imm] : l->offset[v->imm];
    return true;
}

static bool bounds_of_argument(const struct launch *l, const struct sum_insn *v, int64_t *lo, int64_t *hi)
{
    const struct launch_arg *a = v->imm >= 0 && v->imm < l->nargs ? &l->args[v->imm] : NULL;
    if (!a || !a->bounded || (v->flags & (SUM_F_PART | SUM_F_FLOAT)) || v->lanes != 1 ||
        8 * a->size != v->bits)
        return false;
    *lo = a->least;
    *hi = a->most;
    return true;
}

bool sel_eval_bounds(const struct kernel_summary *k, const struct launch *l, uint32_t id, int64_t *lo,
                     int64_t *hi)
{
    const struct sum_insn *v = &k->insns[id];
    const struct launch *whole = l->whole;
    if (v->op == SUM_ARG)
        return bounds_of_argument(l, v, lo, hi);
    if (v->op != SUM_OPAQUE || v->imm == 0 || !whole)
        return false;
    const unsigned d = sum_launch_dimension(v->imm);
    int64_t least = 0, most;
    const size_t n = whole->local[d] ? whole->global[d] / whole->local[d] : 0;
    if (n == 0 || whole->global[d] > (size_t)SEL_FORM_MAX_ID || whole->offset[d] > (size_t)SEL_FORM_MAX_ID)
        return false;
    switch (sum_launch_function(v->imm)) {
    case SUM_WI_GROUP_ID:
        most = (int64_t)n - 1;
        break;
    case SUM_WI_NUM_GROUPS:
        least = most = (int64_t)n;
        break;
    case SUM_WI_GLOBAL_SIZE:
        least = most = (int64_t)whole->global[d];
        break;
    case SUM_WI_GLOBAL_OFFSET:
        least = most = (int64_t)whole->offset[d];
        break;
    default:
        return false;
    }
    if (most != sum_signed((uint64_t)most, v->bits))
        return false;
    *lo = least;
    *hi = most;
    return true;
}

/* Do both fit 24 bits, read as the product reads them?  Otherwise mul24() may be anything. */
static bool fits24(const struct sum_insn *v, uint64_t x, uint64_t y)
{
    int64_t sx = sum_signed(x, v->bits), sy = sum_signed(y, v->bits);
    if (v->flags & SUM_F_UNSIGNED)
        return x >> 24 == 0 && y >> 24 == 0;
    return sx >= -(1 << 23) && sx < 1 << 23 && sy >= -(1 << 23) && sy < 1 << 23;
}

/* x op y over the integers, op one of those that may wrap; false: too large for sel_wide. */
static bool exact(unsigned op, sel_wide x, sel_wide y, sel_wide *r)
{
    switch (op) {
    case SUM_ADD:
        return !__builtin_add_overflow(x, y, r);
    case SUM_SUB:
        return !__builtin_sub_overflow(x, y, r);
    default: /* SUM_MUL, SUM_SHL */
        return !__builtin_mul_overflow(x, op == SUM_SHL ? (sel_wide)1 << y : y, r);
    }
}

/* Does a result that may not wrap do so?  Then it may be anything. */
static bool overflows(const struct sum_insn *v, uint64_t x, uint64_t y)
{
    sel_wide s, u;
    if (v->op > SUM_MUL && v->op != SUM_SHL)
        return false;
    if (v->op == SUM_SHL && y >= v->bits)
        return true;
    const bool has_s =
        exact(v->op, sum_signed(x, v->bits), v->op == SUM_SHL ? (sel_wide)y : sum_signed(y, v->bits), &s);
    const bool has_u = exact(v->op, x, y, &u);
    return ((v->flags & SUM_F_NSW) && (!has_s || s != sum_signed((uint64_t)s, v->bits))) ||
           ((v->flags & SUM_F_NUW) && (!has_u || u != (sel_wide)sum_low((uint64_t)u, v->bits)));
}

bool sel_eval_leaf(const struct kernel_summary *k, const struct launch *l, uint32_t id, uint64_t *out)
{
    const struct sum_insn *v = &k->insns[id];
    unsigned bits;
    int64_t least, most;
    switch (v->op) {
    case SUM_CONST:
        *out = sum_low((uint64_t)v->imm, v->bits);
        return true;
    case SUM_ARG:
        if (v->flags & SUM_F_PART)
            return v->imm >= 0 && part_bits(k, l, (uint64_t)v->imm, v->bytes, v->bits, out);
        return v->imm >= 0 && sel_eval_scalar(k, l, (uint64_t)v->imm, out, &bits) && bits == v->bits;
    case SUM_WI:
        return eval_wi(l, v, out) && sum_low(*out, v->bits) == *out;
    case SUM_OPAQUE:
        if (!sel_eval_bounds(k, l, id, &least, &most) || least != most)
            return false;
        *out = (uint64_t)most;
        return true;
    default:
        return false;
    }
}

bool sel_eval_operation(const struct kernel_summary *k, uint32_t id, uint64_t x, uint64_t y, uint64_t *out)
{
    const struct sum_insn *v = &k->insns[id];
    return (!(v->flags & SUM_F_24) || v->op != SUM_MUL || fits24(v, x, y)) && !overflows(v, x, y) &&
           sum_evaluate(k, id, x, y, out);
}

bool sel_eval_value(struct sel_eval *e, uint32_t id, unsigned depth, uint64_t *out)
{
    const struct kernel_summary *k = e->k;
    const struct sum_insn *v = &k->insns[id];
    uint64_t x, y = 0;
    if (depth > EVAL_DEPTH || e->steps++ > EVAL_STEPS || !sum_is_integer(v) ||
        (e->id && v->op == SUM_TRUNC && v->bits < 32))
        return false;
    switch (v->op) {
    case SUM_CONST:
    case SUM_ARG:
    case SUM_WI:
    case SUM_OPAQUE:
        return (e->id && v->op == SUM_WI && e->id(e->l, v, out)) || sel_eval_leaf(k, e->l, id, out);
    case SUM_LOAD: /* launch-wide, so nobody has stored there */
        return !e->id && sel_eval_member(k, e->l, id, out);
    case SUM_SELECT:
        return sel_eval_value(e, sum_opnd(k, id, 0), depth + 1, &x) &&
               sel_eval_value(e, sum_opnd(k, id, x & 1 ? 1 : 2), depth + 1, out);
    default:
        return v->op >= SUM_ADD && v->op <= SUM_SEXT &&
               sel_eval_value(e, sum_opnd(k, id, 0), depth + 1, &x) &&
               (v->nopnd < 2 || sel_eval_value(e, sum_opnd(k, id, 1), depth + 1, &y)) &&
               sel_eval_operation(k, id, x, y, out);
    }
}
