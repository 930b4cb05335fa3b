/* sys_impossible() against all assignments of small systems. */
#include "run_suite.h"

#include "select/prove/system.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { VARS = 4, CONDITIONS = 5 };

static uint64_t seed = 0x2545f4914f6cdd1d;

static int64_t draw(int64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int64_t)((seed >> 11) % (uint64_t)n);
}

struct condition {
    struct sys_row row;
    bool equal;
};

static struct sys s; /* too large for the stack of a test */

static unsigned variable(int64_t lo, int64_t hi)
{
    unsigned v = sys_variable(&s, lo, hi);
    ck_assert_uint_lt(v, SYS_VARS);
    return v;
}

static struct sys_row row(int64_t k, int64_t a, int64_t b, int64_t c)
{
    return (struct sys_row){.k = k, .c = {a, b, c}};
}

static void require(int64_t k, int64_t a, int64_t b, int64_t c)
{
    struct sys_row r = row(k, a, b, c);
    sys_at_least_zero(&s, &r);
}

static void require_equal(int64_t k, int64_t a, int64_t b, int64_t c)
{
    struct sys_row r = row(k, a, b, c);
    sys_equal_zero(&s, &r);
}

static void begin(int64_t lo, int64_t hi)
{
    memset(&s, 0, sizeof s);
    s.work = 1000000;
    for (unsigned i = 0; i < 3; i++)
        variable(lo, hi);
}

TEST(by_hand)
{
    begin(0, 1000000);
    require(-1, 1, -1, 0); /* x > y > z > x */
    require(-1, 0, 1, -1);
    require(-1, -1, 0, 1);
    ck_assert(sys_impossible(&s));
    begin(0, 1000000);
    require(-1, 1, -1, 0); /* x > y > z >= x - 2: x = 2, y = 1, z = 0 */
    require(-1, 0, 1, -1);
    require(2, -1, 0, 1);
    ck_assert(!sys_impossible(&s));
    begin(0, 1000000);
    require_equal(1, 2, -4, 6); /* an even number is not 1 */
    ck_assert(sys_impossible(&s));
    begin(0, 1000000);
    require(-4, 3, 3, 0); /* 4 <= 3 * (x + y) <= 5 */
    require(5, -3, -3, 0);
    ck_assert(sys_impossible(&s));
    begin(5, 4);
    ck_assert(sys_impossible(&s));
    begin(0, 1000000);
    require(-1, 1, -1, 0);
    require(-1, 0, 1, -1);
    require(-1, -1, 0, 1);
    s.work = 10; /* not enough */
    ck_assert(!sys_impossible(&s));
}

/* Numbers beyond the limits are left out: nothing is said about what they forbid. */
TEST(too_large)
{
    memset(&s, 0, sizeof s);
    ck_assert_uint_eq(sys_variable(&s, -2 * SYS_LIMIT, 0), SYS_VARS);
    begin(0, 10);
    struct sys_row r = {.k = -4 * SYS_LIMIT};
    sys_at_least_zero(&s, &r);
    sys_equal_zero(&s, &r);
    ck_assert(!sys_impossible(&s));
    struct sys_row x = row(0, INT64_C(1) << 59, 0, 0);
    ck_assert(!sys_row_add(&x, 4, &x));
    begin(0, 10);
    for (unsigned i = 0; i < SYS_ROWS + 10; i++)
        require(10 + i, -1, 0, 0);
    require(-20, 1, 0, 0); /* no room: forgotten */
    ck_assert(!sys_impossible(&s));
}

static bool satisfied(const struct condition *c, unsigned n, const int64_t *value)
{
    for (unsigned i = 0; i < n; i++) {
        sel_wide sum = c[i].row.k;
        for (unsigned v = 0; v < VARS; v++)
            sum += c[i].row.c[v] * value[v];
        if (c[i].equal ? sum != 0 : sum < 0)
            return false;
    }
    return true;
}

static bool has_solution(const struct condition *c, unsigned n, const int64_t *lo, const int64_t *hi)
{
    int64_t x[VARS];
    for (x[0] = lo[0]; x[0] <= hi[0]; x[0]++)
        for (x[1] = lo[1]; x[1] <= hi[1]; x[1]++)
            for (x[2] = lo[2]; x[2] <= hi[2]; x[2]++)
                for (x[3] = lo[3]; x[3] <= hi[3]; x[3]++)
                    if (satisfied(c, n, x))
                        return true;
    return false;
}

LOOPED_TEST(never_wrong, 4)
{
    unsigned impossible = 0, without = 0;
    seed += (uint64_t)_i * 0x9e3779b97f4a7c15u;
    for (unsigned round = 0; round < 4000; round++) {
        struct condition c[CONDITIONS];
        int64_t lo[VARS], hi[VARS];
        unsigned n = 1 + (unsigned)draw(CONDITIONS);
        memset(&s, 0, sizeof s);
        s.work = 1000000;
        memset(c, 0, sizeof c);
        for (unsigned v = 0; v < VARS; v++) {
            lo[v] = draw(7) - 3;
            hi[v] = lo[v] + draw(6);
            variable(lo[v], hi[v]);
        }
        for (unsigned i = 0; i < n; i++) {
            c[i].row.k = draw(21) - 10;
            for (unsigned v = 0; v < VARS; v++)
                c[i].row.c[v] = draw(3) ? draw(9) - 4 : 0;
            c[i].equal = draw(4) == 0;
            if (c[i].equal)
                sys_equal_zero(&s, &c[i].row);
            else
                sys_at_least_zero(&s, &c[i].row);
        }
        if (draw(2))
            sys_find_equalities(&s);
        bool none = !has_solution(c, n, lo, hi), claimed = sys_impossible(&s);
        ck_assert_msg(!claimed || none, "a system with a solution was called impossible: round %u", round);
        impossible += claimed;
        without += none;
    }
    ck_assert_uint_gt(impossible * 10, without * 9); /* and most that have none are found out */
}

/* Rows that are equalities together: an odd number is not even, and so says the system in either order. */
TEST(opposite_rows)
{
    for (int64_t odd = 0; odd < 2; odd++) {
        begin(0, 1000000);
        require(0, 1, -2, 0); /* x = 2 * y = 2 * z + odd */
        require(0, -1, 2, 0);
        require(-odd, 1, 0, -2);
        require(odd, -1, 0, 2);
        sys_find_equalities(&s);
        ck_assert_uint_eq(s.nequal, 2);
        sys_find_equalities(&s);
        ck_assert_uint_eq(s.nequal, 2);
        ck_assert_int_eq(sys_impossible(&s), odd);
    }
    begin(0, 1000000);
    require(0, 1, -2, 0);
    require(1, -1, 2, 0); /* x may be 2 * y + 1, too */
    sys_find_equalities(&s);
    ck_assert_uint_eq(s.nequal, 0);
}

int main(void)
{
    return run_tests("system", NULL, NULL);
}
