/* test_interval.c - arithmetic of intervals: whatever is computed of numbers in two intervals is in the
 * third. */
#include "run_suite.h"

#include "select/prove/interval.h"

#include <stdlib.h>

#define ROUNDS 20000

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 32 ^ *state << 7;
}

/* A number of `bits` bits, read as signed: near an end of the type, small, or any. */
static int64_t random_number(uint64_t *state, unsigned bits)
{
    const struct sel_interval all = interval_all(bits);
    const uint64_t r = random_bits(state), small = random_bits(state) % 5;

    switch (r % 4) {
    case 0:
        return all.lo + (int64_t)small;
    case 1:
        return all.hi - (int64_t)small;
    case 2:
        return (int64_t)small - 2;
    default:
        return (int64_t)(random_bits(state) << (64 - bits)) >> (64 - bits);
    }
}

static struct sel_interval random_interval(uint64_t *state, unsigned bits)
{
    const int64_t a = random_number(state, bits), b = random_number(state, bits);

    return interval_span(a < b ? a : b, a < b ? b : a);
}

static int64_t random_within(uint64_t *state, struct sel_interval x)
{
    const uint64_t n = (uint64_t)x.hi - (uint64_t)x.lo + 1, r = random_bits(state);

    return (int64_t)((uint64_t)x.lo + (r % 4 == 0 ? 0 : r % 4 == 1 ? n - 1 : n ? random_bits(state) % n : r));
}

static uint64_t unsigned_of(int64_t x, unsigned bits)
{
    return bits == 64 ? (uint64_t)x : (uint64_t)x & (((uint64_t)1 << bits) - 1);
}

static sel_wide signed_of(uint64_t x, unsigned bits)
{
    return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

/* x op y over the integers; false where it is not defined. */
static bool exact(unsigned op, int64_t x, int64_t y, unsigned bits, sel_wide *out)
{
    const uint64_t ux = unsigned_of(x, bits), uy = unsigned_of(y, bits);

    switch (op) {
    case SUM_ADD:
        *out = (sel_wide)x + y;
        return true;
    case SUM_SUB:
        *out = (sel_wide)x - y;
        return true;
    case SUM_MUL:
        *out = (sel_wide)x * y;
        return true;
    case SUM_UDIV:
        *out = uy ? signed_of(ux / uy, bits) : 0;
        return uy != 0;
    case SUM_UREM:
        *out = uy ? signed_of(ux % uy, bits) : 0;
        return uy != 0;
    case SUM_SDIV:
        *out = y ? (sel_wide)x / y : 0;
        return y != 0;
    case SUM_SREM:
        *out = y ? (sel_wide)x % y : 0;
        return y != 0;
    case SUM_SHL:
        *out = uy < bits ? (sel_wide)x * ((sel_wide)1 << uy) : 0;
        return uy < bits;
    case SUM_LSHR:
        *out = uy < bits ? signed_of(ux >> uy, bits) : 0;
        return uy < bits;
    case SUM_ASHR:
        *out = uy < bits ? x >> uy : 0;
        return uy < bits;
    case SUM_AND:
        *out = x & y;
        return true;
    case SUM_OR:
        *out = x | y;
        return true;
    case SUM_XOR:
        *out = x ^ y;
        return true;
    case SUM_SMIN:
        *out = x < y ? x : y;
        return true;
    case SUM_SMAX:
        *out = x > y ? x : y;
        return true;
    case SUM_UMIN:
        *out = ux < uy ? x : y;
        return true;
    default:
        *out = ux > uy ? x : y;
        return true;
    }
}

LOOPED_TEST(operations, SUM_UMAX - SUM_ADD + 1)
{
    static const unsigned widths[] = {8, 16, 32, 64};
    const unsigned op = SUM_ADD + (unsigned)_i;
    uint64_t state = 1 + (uint64_t)_i;

    for (unsigned i = 0; i < ROUNDS; i++) {
        const unsigned bits = widths[i % 4];
        const struct sel_interval x = random_interval(&state, bits), y = random_interval(&state, bits);
        const int64_t a = random_within(&state, x), b = random_within(&state, y);
        const struct interval_exact r = interval_compute(op, x, y, bits);
        sel_wide is;
        ck_assert_msg(r.lo <= r.hi, "operation %u of %u bits: nothing of [%ld, %ld] and [%ld, %ld]", op, bits,
                      (long)x.lo, (long)x.hi, (long)y.lo, (long)y.hi);
        const bool open = op == SUM_SHL && !interval_shifts(y, bits); /* judged before anything is computed */
        if (!open && exact(op, a, b, bits, &is))
            ck_assert_msg(r.lo <= is && is <= r.hi,
                          "operation %u of %u bits: %ld and %ld of [%ld, %ld] and [%ld, %ld]", op, bits,
                          (long)a, (long)b, (long)x.lo, (long)x.hi, (long)y.lo, (long)y.hi);
    }
}

/* A number of 64 bits, and what narrower types hold of it. */
TEST(casts)
{
    static const unsigned ops[] = {SUM_TRUNC, SUM_ZEXT, SUM_SEXT};
    uint64_t state = 7;

    for (unsigned i = 0; i < ROUNDS; i++) {
        const unsigned op = ops[i % 3], narrow = i & 1 ? 32 : 16, from = op == SUM_TRUNC ? 64 : narrow,
                       to = op == SUM_TRUNC ? narrow : 64;
        struct sel_interval x = random_interval(&state, from);
        if (op == SUM_TRUNC && i & 2) /* few numbers, which may lose the same */
            x = interval_span(x.lo,
                              x.lo < INT64_MAX - 4000 ? x.lo + (int64_t)(random_bits(&state) % 4000) : x.lo);
        const int64_t a = random_within(&state, x);
        const sel_wide is = signed_of(op == SUM_SEXT ? (uint64_t)a : unsigned_of(a, from), to);
        const struct sel_interval r = interval_cast(op, x, from, to);
        ck_assert_msg(r.lo <= is && is <= r.hi && !(r.not_zero && is == 0),
                      "cast %u to %u bits: %ld of [%ld, %ld]", op, to, (long)a, (long)x.lo, (long)x.hi);
    }
}

TEST(bits_that_are_lost)
{
    const int64_t top = (int64_t)1 << 32;
    struct sel_interval r = interval_cast(SUM_TRUNC, interval_span(top - 16, top + 100), 64, 32);

    ck_assert(r.lo == -16 && r.hi == 100 && !r.not_zero);
    r = interval_cast(SUM_TRUNC, interval_span(top + 1, top + INT32_MAX), 64, 32);
    ck_assert(r.lo == 1 && r.hi == INT32_MAX);
    r = interval_cast(SUM_TRUNC, interval_span(top + 1, top + INT32_MAX + (int64_t)1), 64, 32);
    ck_assert(r.lo == INT32_MIN && r.hi == INT32_MAX);
    r = interval_cast(SUM_TRUNC, interval_span(INT64_MIN, INT64_MAX), 64, 32);
    ck_assert(r.lo == INT32_MIN && r.hi == INT32_MAX);
}

TEST(unions)
{
    const struct sel_interval a = interval_span(-5, -1), b = interval_span(2, 9),
                              both = interval_either(a, b);

    ck_assert(both.lo == -5 && both.hi == 9 && both.not_zero);
    ck_assert(!interval_either(a, interval_span(0, 1)).not_zero);
    ck_assert(interval_fits(-128, 127, 8) && !interval_fits(-129, 0, 8) && !interval_fits(0, 128, 8));
    ck_assert(interval_shifts(interval_span(0, 31), 32) && !interval_shifts(interval_span(0, 32), 32));
    ck_assert(!interval_shifts(interval_span(-1, 3), 32));
}

int main(void)
{
    return run_tests("interval", NULL, NULL);
}
