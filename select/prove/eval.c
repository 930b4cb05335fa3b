/* eval.c - see eval.h. */
#include "select/prove/eval.h"
#include "select/prove/form.h"
#include "analysis/summary/integer.h"

/* How many steps an address in a struct is away from the struct. */
#define MEMBER_DEPTH 16

bool sel_eval_scalar(const struct kernel_summary *k, const struct launch *l, uint64_t index, uint64_t *out,
                     unsigned *bits)
{
    if (index >= k->nargs || index >= l->nargs || k->args[index].kind != SUM_ARG_SCALAR)
        return false;
    const struct launch_arg *a = &l->args[index];
    if (!a->set || a->size != k->args[index].size ||
        (a->size != 1 && a->size != 2 && a->size != 4 && a->size != 8))
        return false;
    *out = 0;
    for (unsigned i = 0; i < a->size; i++)
        *out |= (uint64_t)a->value[i] << 8 * i;
    *bits = 8 * a->size;
    return true;
}

/* `bits` bits of an argument passed by value, `from` bytes from its start, zero-extended. */
static bool part_bits(const struct kernel_summary *k, const struct launch *l, uint64_t index, uint64_t from,
                      unsigned bits, uint64_t *out)
{
    uint64_t end = from + bits / 8;
    if (index >= k->nargs || index >= l->nargs || k->args[index].kind != SUM_ARG_SCALAR)
        return false;
    const struct launch_arg *a = &l->args[index];
    if (!a->set || a->size != k->args[index].size || bits % 8 != 0 || from > a->size || end > a->size ||
        end > sizeof a->value)
        return false;
    *out = 0;
    for (unsigned i = 0; i < bits / 8; i++)
        *out |= (uint64_t)a->value[from + i] << 8 * i;
    return true;
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
    if (v->imm < 0 || v->imm > 2 || (v->sub != SUM_WI_GLOBAL_SIZE && v->sub != SUM_WI_GLOBAL_OFFSET))
        return false;
    *out = v->sub == SUM_WI_GLOBAL_SIZE ? l->global[v->imm] : l->offset[v->imm];
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

/* Does a result that may not wrap do so?  Then it may be anything. */
static bool overflows(const struct sum_insn *v, uint64_t x, uint64_t y)
{
    const sel_wide sx = sum_signed(x, v->bits), sy = sum_signed(y, v->bits);
    sel_wide s, u;
    switch (v->op) {
    case SUM_ADD:
        s = sx + sy;
        u = (sel_wide)x + y;
        break;
    case SUM_SUB:
        s = sx - sy;
        u = (sel_wide)x - y;
        break;
    case SUM_MUL:
        s = sx * sy;
        u = y && x > UINT64_MAX / y ? -1 : (sel_wide)(x * y);
        break;
    case SUM_SHL:
        if (y >= v->bits)
            return true;
        s = sx * ((sel_wide)1 << y);
        u = y && x >> (64 - y) ? -1 : (sel_wide)(x << y);
        break;
    default:
        return false;
    }
    return ((v->flags & SUM_F_NSW) && s != sum_signed((uint64_t)s, v->bits)) ||
           ((v->flags & SUM_F_NUW) && u != (sel_wide)sum_low((uint64_t)u, v->bits));
}

bool sel_eval_leaf(const struct kernel_summary *k, const struct launch *l, uint32_t id, uint64_t *out)
{
    const struct sum_insn *v = &k->insns[id];
    unsigned bits;
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
    default:
        return false;
    }
}

bool sel_eval_operation(const struct kernel_summary *k, uint32_t id, uint64_t x, uint64_t y, uint64_t *out)
{
    const struct sum_insn *v = &k->insns[id];
    const unsigned from = k->insns[sum_opnd(k, id, 0)].bits;
    switch (v->op) {
    case SUM_TRUNC:
    case SUM_ZEXT:
        *out = sum_low(x, v->bits);
        return true;
    case SUM_SEXT:
        *out = sum_low((uint64_t)sum_signed(x, from), v->bits);
        return true;
    case SUM_ICMP:
        *out = sum_compare(v->sub, from, x, y);
        return true;
    default:
        return v->op >= SUM_ADD && v->op <= SUM_UMAX && (!(v->flags & SUM_F_24) || fits24(v, x, y)) &&
               !overflows(v, x, y) && sum_binary(v->op, v->bits, x, y, out);
    }
}
