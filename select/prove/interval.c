/* interval.c - see interval.h. */
#include "select/prove/interval.h"

#include "analysis/summary/integer.h"

struct sel_interval interval_span(sel_wide lo, sel_wide hi)
{
    return (struct sel_interval){(int64_t)lo, (int64_t)hi, lo > 0 || hi < 0};
}

struct sel_interval interval_all(unsigned bits)
{
    const sel_wide top = (sel_wide)1 << ((bits ? bits : 64) - 1);

    return interval_span(-top, top - 1);
}

bool interval_fits(sel_wide lo, sel_wide hi, unsigned bits)
{
    const struct sel_interval all = interval_all(bits);

    return lo >= all.lo && hi <= all.hi;
}

struct sel_interval interval_either(struct sel_interval a, struct sel_interval b)
{
    struct sel_interval r = interval_span(a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi);

    r.not_zero |= a.not_zero && b.not_zero;
    return r;
}

bool interval_same(struct sel_interval a, struct sel_interval b)
{
    return a.lo == b.lo && a.hi == b.hi && a.not_zero == b.not_zero;
}

struct interval_exact interval_corners(sel_wide a, sel_wide b, sel_wide c, sel_wide d)
{
    const sel_wide lo = a < b ? a : b, hi = a < b ? b : a, lo2 = c < d ? c : d, hi2 = c < d ? d : c;

    return (struct interval_exact){lo < lo2 ? lo : lo2, hi > hi2 ? hi : hi2};
}

struct interval_exact interval_product(struct sel_interval x, struct sel_interval y)
{
    return interval_corners((sel_wide)x.lo * y.lo, (sel_wide)x.lo * y.hi, (sel_wide)x.hi * y.lo,
                            (sel_wide)x.hi * y.hi);
}

struct sel_interval interval_product24(struct sel_interval x, struct sel_interval y, bool is_unsigned,
                                       unsigned bits)
{
    const struct interval_exact r = interval_product(x, y);
    const int64_t top = is_unsigned ? 1 << 24 : 1 << 23, least = is_unsigned ? 0 : -top;
    const bool small = x.lo >= least && y.lo >= least && x.hi < top && y.hi < top;

    return small && interval_fits(r.lo, r.hi, bits) ? interval_span(r.lo, r.hi) : interval_all(bits);
}

/* The lowest bits of x: where there are fewer numbers than `bits` bits have, and all of them lose the same,
 * an interval as well.  Compilers make 2^32 - 16 of -16 where no more than 32 bits of a sum are needed. */
static struct sel_interval low_bits(struct sel_interval x, unsigned bits)
{
    const struct sel_interval all = interval_all(bits);
    const sel_wide lo = sum_signed(sum_low((uint64_t)x.lo, bits), bits), hi = lo + ((sel_wide)x.hi - x.lo);

    return hi <= all.hi ? interval_span(lo, hi) : all;
}

struct sel_interval interval_cast(unsigned op, struct sel_interval x, unsigned from, unsigned bits)
{
    if (op == SUM_ZEXT && x.lo < 0) {
        struct sel_interval r = interval_span(0, ((sel_wide)1 << from) - 1);
        r.not_zero |= x.not_zero;
        return r;
    }
    if (interval_fits(x.lo, x.hi, bits))
        return x;
    return op == SUM_TRUNC ? low_bits(x, bits) : interval_all(bits);
}

static sel_wide greatest(struct sel_interval x)
{
    return -(sel_wide)x.lo > x.hi ? -(sel_wide)x.lo : x.hi;
}

bool interval_shifts(struct sel_interval by, unsigned bits)
{
    return by.lo >= 0 && by.hi < (int64_t)bits;
}

/* x * 2^by, by within the width. */
static struct interval_exact shifted_left(struct sel_interval x, struct sel_interval by)
{
    const sel_wide least = (sel_wide)1 << by.lo, most = (sel_wide)1 << by.hi;

    return interval_corners(x.lo * least, x.lo * most, x.hi * least, x.hi * most);
}

static struct interval_exact shifted_right(struct sel_interval x, struct sel_interval by, bool is_signed,
                                           unsigned bits)
{
    if (is_signed || x.lo >= 0)
        return interval_corners(x.lo >> by.lo, x.lo >> by.hi, x.hi >> by.lo, x.hi >> by.hi);
    if (by.lo == 0)
        return (struct interval_exact){interval_all(bits).lo, interval_all(bits).hi};
    return (struct interval_exact){0, (((sel_wide)1 << bits) - 1) >> by.lo};
}

static struct interval_exact signed_quotient(struct sel_interval x, struct sel_interval y)
{
    if (y.lo > 0 || y.hi < 0)
        return interval_corners((sel_wide)x.lo / y.lo, (sel_wide)x.lo / y.hi, (sel_wide)x.hi / y.lo,
                                (sel_wide)x.hi / y.hi);
    return (struct interval_exact){-greatest(x), greatest(x)};
}

static struct interval_exact signed_rest(struct sel_interval x, struct sel_interval y)
{
    const sel_wide most = greatest(y) - 1;

    return (struct interval_exact){x.lo >= 0                ? 0
                                   : -(sel_wide)x.lo < most ? x.lo
                                                            : -most,
                                   x.hi <= 0     ? 0
                                   : x.hi < most ? x.hi
                                                 : most};
}

static struct interval_exact unsigned_quotient(struct sel_interval x, struct sel_interval y, unsigned bits)
{
    const sel_wide least = y.lo > 0 ? y.lo : 1, all = ((sel_wide)1 << bits) - 1;

    if (x.lo >= 0)
        return (struct interval_exact){y.lo > 0 ? x.lo / y.hi : 0, x.hi / least};
    if (y.lo > 1)
        return (struct interval_exact){0, all / least};
    return (struct interval_exact){interval_all(bits).lo, interval_all(bits).hi};
}

static struct interval_exact unsigned_rest(struct sel_interval x, struct sel_interval y, unsigned bits)
{
    struct interval_exact r = {0, (sel_wide)y.hi - 1};

    if (x.lo >= 0 && (y.lo <= 0 || x.hi < r.hi))
        r.hi = x.hi;
    return x.lo >= 0 || y.lo > 0 ? r : (struct interval_exact){interval_all(bits).lo, interval_all(bits).hi};
}

static int64_t ones_above(int64_t most)
{
    return most <= 0 ? 0 : (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)most));
}

static struct interval_exact bitwise(unsigned op, struct sel_interval x, struct sel_interval y, unsigned bits)
{
    const bool both = x.lo >= 0 && y.lo >= 0;
    const int64_t most = x.hi > y.hi ? x.hi : y.hi, least = x.lo > y.lo ? x.lo : y.lo;

    if (op == SUM_AND && (x.lo >= 0 || y.lo >= 0))
        return (struct interval_exact){0, x.lo < 0 ? y.hi : y.lo < 0 ? x.hi : x.hi < y.hi ? x.hi : y.hi};
    if (op == SUM_AND && y.lo == y.hi) { /* < 0: the sign stays, of the rest no more than the mask has */
        const sel_wide most = y.hi & interval_all(bits).hi, all = interval_all(bits).lo;
        return (struct interval_exact){all, x.hi < 0 ? -1 : x.hi < most ? x.hi : most};
    }
    if (op == SUM_XOR && y.lo == -1 && y.hi == -1)
        return (struct interval_exact){-1 - (sel_wide)x.hi, -1 - (sel_wide)x.lo};
    if (both && op != SUM_AND) { /* no more than the sum either */
        const sel_wide sum = (sel_wide)x.hi + y.hi, ones = ones_above(most);
        return (struct interval_exact){op == SUM_OR ? least : 0, sum < ones ? sum : ones};
    }
    return (struct interval_exact){interval_all(bits).lo, interval_all(bits).hi};
}

static struct interval_exact extreme(unsigned op, struct sel_interval x, struct sel_interval y, unsigned bits)
{
    const bool both = x.lo >= 0 && y.lo >= 0, least = op == SUM_SMIN || op == SUM_UMIN;

    if (op == SUM_UMIN && !both && (x.lo >= 0 || y.lo >= 0))
        return (struct interval_exact){0, x.lo >= 0 ? x.hi : y.hi};
    if ((op == SUM_UMIN || op == SUM_UMAX) && !both)
        return (struct interval_exact){interval_all(bits).lo, interval_all(bits).hi};
    return (struct interval_exact){(x.lo < y.lo) == least ? x.lo : y.lo,
                                   (x.hi < y.hi) == least ? x.hi : y.hi};
}

struct interval_exact interval_compute(unsigned op, struct sel_interval x, struct sel_interval y,
                                       unsigned bits)
{
    const bool is_shift = op == SUM_SHL || op == SUM_LSHR || op == SUM_ASHR;
    const bool by_zero = op >= SUM_UDIV && op <= SUM_SREM && y.lo == 0 && y.hi == 0;

    if (by_zero || (is_shift && !interval_shifts(y, bits)))
        return (struct interval_exact){interval_all(bits).lo, interval_all(bits).hi};
    switch (op) {
    case SUM_ADD:
        return (struct interval_exact){(sel_wide)x.lo + y.lo, (sel_wide)x.hi + y.hi};
    case SUM_SUB:
        return (struct interval_exact){(sel_wide)x.lo - y.hi, (sel_wide)x.hi - y.lo};
    case SUM_MUL:
        return interval_product(x, y);
    case SUM_SHL:
        return shifted_left(x, y);
    case SUM_LSHR:
    case SUM_ASHR:
        return shifted_right(x, y, op == SUM_ASHR, bits);
    case SUM_SDIV:
        return signed_quotient(x, y);
    case SUM_SREM:
        return signed_rest(x, y);
    case SUM_UDIV:
        return unsigned_quotient(x, y, bits);
    case SUM_UREM:
        return unsigned_rest(x, y, bits);
    case SUM_AND:
    case SUM_OR:
    case SUM_XOR:
        return bitwise(op, x, y, bits);
    default:
        return extreme(op, x, y, bits);
    }
}
