/* integer.c - what the integer operations of a kernel's body mean. */
#include "analysis/summary/integer.h"

#include "analysis/summary/summary.h"

static bool undefined(unsigned op, unsigned bits, uint64_t x, uint64_t y)
{
    switch (op) {
    case SUM_UDIV:
    case SUM_UREM:
        return y == 0;
    case SUM_SDIV:
    case SUM_SREM: /* the least number has no negative */
        return y == 0 || (sum_signed(y, bits) == -1 && x == (uint64_t)1 << (bits - 1));
    case SUM_SHL:
    case SUM_LSHR:
    case SUM_ASHR:
        return y >= bits;
    default:
        return (op < SUM_ADD || op > SUM_UMAX) && op != SUM_PTRADD;
    }
}

/* sx, sy: x and y read as signed. */
static uint64_t compute(unsigned op, uint64_t x, uint64_t y, int64_t sx, int64_t sy)
{
    switch (op) {
    case SUM_SUB:
        return x - y;
    case SUM_MUL:
        return x * y;
    case SUM_UDIV:
        return x / y;
    case SUM_SDIV:
        return (uint64_t)(sx / sy);
    case SUM_UREM:
        return x % y;
    case SUM_SREM:
        return (uint64_t)(sx % sy);
    case SUM_SHL:
        return x << y;
    case SUM_LSHR:
        return x >> y;
    case SUM_ASHR:
        return (uint64_t)(sx >> y);
    case SUM_AND:
        return x & y;
    case SUM_OR:
        return x | y;
    case SUM_XOR:
        return x ^ y;
    case SUM_SMIN:
        return sx < sy ? x : y;
    case SUM_SMAX:
        return sx > sy ? x : y;
    case SUM_UMIN:
        return x < y ? x : y;
    case SUM_UMAX:
        return x > y ? x : y;
    default: /* SUM_ADD, SUM_PTRADD */
        return x + y;
    }
}

bool sum_binary(unsigned op, unsigned bits, uint64_t x, uint64_t y, uint64_t *out)
{
    if (undefined(op, bits, x, y))
        return false;
    *out = sum_low(compute(op, x, y, sum_signed(x, bits), sum_signed(y, bits)), bits);
    return true;
}

bool sum_compare(unsigned pred, unsigned bits, uint64_t x, uint64_t y)
{
    const int64_t sx = sum_signed(x, bits), sy = sum_signed(y, bits);

    switch (pred) {
    case SUM_EQ:
        return x == y;
    case SUM_NE:
        return x != y;
    case SUM_ULT:
        return x < y;
    case SUM_ULE:
        return x <= y;
    case SUM_UGT:
        return x > y;
    case SUM_UGE:
        return x >= y;
    case SUM_SLT:
        return sx < sy;
    case SUM_SLE:
        return sx <= sy;
    case SUM_SGT:
        return sx > sy;
    default: /* SUM_SGE: sum_check() lets nothing else pass */
        return sx >= sy;
    }
}

bool sum_evaluate(const struct kernel_summary *k, uint32_t id, uint64_t x, uint64_t y, uint64_t *out)
{
    const struct sum_insn *in = &k->insns[id];
    const unsigned from = in->nopnd ? k->insns[sum_opnd(k, id, 0)].bits : 0;

    switch (in->op) {
    case SUM_TRUNC:
    case SUM_ZEXT:
        *out = sum_low(x, in->bits);
        return true;
    case SUM_SEXT:
        *out = sum_low((uint64_t)sum_signed(x, from), in->bits);
        return true;
    case SUM_ICMP:
        *out = sum_compare(in->sub, from, x, y);
        return true;
    default:
        return sum_binary(in->op, in->bits, x, y, out);
    }
}
