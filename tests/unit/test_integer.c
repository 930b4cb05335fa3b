/* Integer operations of a kernel's body, against the same computed with 128 bits. */
#include "run_suite.h"

#include "analysis/summary/summary.h"
#include "analysis/summary/integer.h"

__extension__ typedef __int128 wide;

static uint64_t state = 7;
static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ z >> 27;
}

/* Often one of the values where things go wrong. */
static uint64_t value(unsigned bits)
{
    const uint64_t odd[] = {
        0, 1, 2, bits - 1, bits, UINT64_MAX, UINT64_C(1) << (bits - 1), (UINT64_C(1) << (bits - 1)) - 1};
    const uint64_t which = next() % 12;

    return sum_low(which < 8 ? odd[which] : next(), bits);
}

static wide as_signed(uint64_t v, unsigned bits)
{
    return v >> (bits - 1) ? (wide)v - ((wide)1 << bits) : (wide)v;
}

/* The result before it is cut to its width; false: undefined. */
static bool exact(unsigned op, unsigned bits, uint64_t x, uint64_t y, wide *out)
{
    const wide sx = as_signed(x, bits), sy = as_signed(y, bits), least = -((wide)1 << (bits - 1));
    const bool divides = op >= SUM_UDIV && op <= SUM_SREM, shifts = op >= SUM_SHL && op <= SUM_ASHR;
    const bool too_large = (op == SUM_SDIV || op == SUM_SREM) && sx == least && sy == -1;
    const wide results[] = {[SUM_AND - SUM_ADD] = x & y,
                            [SUM_OR - SUM_ADD] = x | y,
                            [SUM_XOR - SUM_ADD] = x ^ y,
                            [SUM_ADD - SUM_ADD] = (wide)x + y,
                            [SUM_SUB - SUM_ADD] = (wide)x - y,
                            [SUM_MUL - SUM_ADD] = (wide)(x * y),
                            [SUM_SMIN - SUM_ADD] = sx < sy ? sx : sy,
                            [SUM_SMAX - SUM_ADD] = sx > sy ? sx : sy,
                            [SUM_UMIN - SUM_ADD] = x < y ? x : y,
                            [SUM_UMAX - SUM_ADD] = x > y ? x : y};

    if ((divides && y == 0) || (shifts && y >= bits) || too_large)
        return false;
    if (op == SUM_UDIV || op == SUM_UREM)
        *out = op == SUM_UDIV ? x / y : x % y;
    else if (op == SUM_SDIV || op == SUM_SREM)
        *out = op == SUM_SDIV ? sx / sy : sx % sy;
    else if (op == SUM_SHL)
        *out = (wide)(x << y);
    else if (shifts)
        *out = (op == SUM_LSHR ? (wide)x : sx) >> y;
    else
        *out = results[op - SUM_ADD];
    return true;
}

TEST(arithmetic)
{
    for (unsigned i = 0; i < 400000; i++) {
        const unsigned op = SUM_ADD + (unsigned)(next() % (SUM_UMAX - SUM_ADD + 1));
        const unsigned bits = i % 3 ? 8u << i % 4 : 1 + (unsigned)(next() % 64);
        const uint64_t x = value(bits), y = value(bits);
        uint64_t got = 0;
        wide want = 0;
        const bool defined = exact(op, bits, x, y, &want);
        ck_assert_msg(sum_binary(op, bits, x, y, &got) == defined, "op %u, %u bits: %llx %llx", op, bits,
                      (unsigned long long)x, (unsigned long long)y);
        ck_assert_msg(!defined || got == sum_low((uint64_t)want, bits), "op %u, %u bits: %llx %llx is %llx",
                      op, bits, (unsigned long long)x, (unsigned long long)y, (unsigned long long)got);
    }
}

TEST(comparisons)
{
    for (unsigned i = 0; i < 100000; i++) {
        const unsigned bits = 1 + (unsigned)(next() % 64);
        const uint64_t x = value(bits), y = i % 8 ? value(bits) : x;
        const wide sx = as_signed(x, bits), sy = as_signed(y, bits);
        const bool want[] = {[SUM_EQ] = x == y,
                             [SUM_NE] = x != y,
                             [SUM_ULT] = x<y, [SUM_ULE] = x <= y, [SUM_UGT] = x> y,
                             [SUM_UGE] = x >= y,
                             [SUM_SLT] = sx<sy, [SUM_SLE] = sx <= sy, [SUM_SGT] = sx> sy,
                             [SUM_SGE] = sx >= sy};
        for (unsigned p = SUM_EQ; p <= SUM_SGE; p++)
            ck_assert_int_eq(sum_compare(p, bits, x, y), want[p]);
    }
}

TEST(what_is_no_arithmetic)
{
    uint64_t out;

    ck_assert(!sum_binary(SUM_CONST, 32, 1, 1, &out));
    ck_assert(!sum_binary(SUM_LOAD, 32, 1, 1, &out));
    ck_assert(sum_binary(SUM_PTRADD, 64, 5, (uint64_t)-3, &out) && out == 2);
}

TEST(widths)
{
    ck_assert_int_eq(sum_signed(0x80, 8), -128);
    ck_assert_int_eq(sum_signed(0x17f, 8), 127);
    ck_assert_int_eq(sum_signed(1, 1), -1);
    ck_assert_int_eq(sum_signed(UINT64_MAX, 64), -1);
    ck_assert_uint_eq(sum_low(0x1ff, 8), 0xff);
    ck_assert_uint_eq(sum_low(UINT64_MAX, 64), UINT64_MAX);
    ck_assert_uint_eq(sum_low(UINT64_MAX, 0), UINT64_MAX); /* no integer */
}

int main(void)
{
    return run_tests("integer", NULL, NULL);
}
