/* Occupancy against cases worked by hand on the limits of compute capabilities 3.0
 * (Kepler) and 5.0 (Maxwell). */
#include "run_suite.h"

#include <stdlib.h>
#include "select/time/occupancy.h"

static struct device kepler(void)
{
    return (struct device){.units = 1,
                           .warp = 32,
                           .max_group_items = 1024,
                           .max_groups_unit = 16,
                           .max_warps_unit = 64,
                           .regs_unit = 65536,
                           .regs_group = 65536,
                           .regs_item = 63,
                           .reg_grain = 256,
                           .warp_grain = 4,
                           .local_unit_bytes = 49152,
                           .local_group_bytes = 49152,
                           .local_grain_bytes = 256};
}

static struct device maxwell(void)
{
    struct device d = kepler();
    d.units = 3;
    d.max_groups_unit = 32;
    d.regs_item = 255;
    d.local_unit_bytes = 65536;
    return d;
}

struct row {
    unsigned items, registers, local;
    unsigned groups; /* of the launch, 0 = plenty */
    unsigned want;
    enum sel_limiter limiter;
};

/* Comments: the smaller of the limits, as warps or bytes per group demand. */
static const struct row on_kepler[] = {
    {256, 32, 0, 0, 8, SEL_LIM_WARPS},      /* 64 / 8 = 8; registers 65536 / 1024 = 64 warps = 8 groups */
    {64, 32, 0, 0, 16, SEL_LIM_GROUPS},     /* min(16, 64 / 2 = 32) */
    {32, 16, 0, 0, 16, SEL_LIM_GROUPS},     /* min(16, 64) */
    {192, 32, 0, 0, 10, SEL_LIM_WARPS},     /* 64 / 6 = 10; registers: 64 / 6 = 10 */
    {256, 40, 0, 0, 6, SEL_LIM_REGISTERS},  /* 65536 / 1280 = 51 -> 48 warps; 48 / 8 */
    {256, 33, 0, 0, 6, SEL_LIM_REGISTERS},  /* 1056 -> 1280 like 40 registers */
    {256, 63, 0, 0, 4, SEL_LIM_REGISTERS},  /* 2016 -> 2048: 32 warps; 32 / 8 */
    {256, 64, 0, 0, 0, SEL_LIM_REGISTERS},  /* more than a work-item may have */
    {1024, 63, 0, 0, 1, SEL_LIM_REGISTERS}, /* 32 warps / 32; warps alone would allow 2 */
    {128, 16, 6000, 0, 8, SEL_LIM_LOCAL},   /* 6000 -> 6144; 49152 / 6144 */
    {128, 16, 49152, 0, 1, SEL_LIM_LOCAL},  /* exactly all of it */
    {128, 16, 49153, 0, 0, SEL_LIM_LOCAL},  /* rounds to 49408: more than a group may have */
    {128, 0, 0, 0, 16, SEL_LIM_GROUPS},     /* unknown registers never limit; min(16, 64 / 4) */
    {33, 16, 0, 0, 16, SEL_LIM_GROUPS},     /* two warps, the second nearly empty */
    {1025, 16, 0, 0, 0, SEL_LIM_RANGE},     /* larger than a group may be */
    {0, 16, 0, 0, 0, SEL_LIM_RANGE},        /* nothing */
    {64, 32, 0, 5, 5, SEL_LIM_RANGE},       /* only five groups exist */
    {512, 32, 0, 0, 4, SEL_LIM_WARPS},      /* 64 / 16; registers: 64 / 16 */
    {384, 20, 0, 0, 5, SEL_LIM_WARPS},      /* 64 / 12 */
    {128, 48, 0, 0, 10, SEL_LIM_REGISTERS}, /* 1536: 42 -> 40 warps; 40 / 4 */
    {768, 36, 0, 0, 2, SEL_LIM_WARPS},      /* 64 / 24 = 2; registers: 1280: 51 -> 48 / 24 = 2 */
    {1024, 40, 0, 0, 1, SEL_LIM_REGISTERS}, /* 48 / 32 */
    {96, 63, 0, 0, 10, SEL_LIM_REGISTERS},  /* 32 / 3 */
    {256, 24, 16384, 0, 3, SEL_LIM_LOCAL},  /* 49152 / 16384 */
};

static const struct row on_maxwell[] = {
    {64, 32, 0, 0, 32, SEL_LIM_GROUPS},     /* min(32, 64 / 2) */
    {96, 32, 0, 0, 21, SEL_LIM_WARPS},      /* 64 / 3 */
    {128, 32, 10000, 0, 6, SEL_LIM_LOCAL},  /* 10240; 65536 / 10240 */
    {1024, 32, 0, 0, 2, SEL_LIM_WARPS},     /* 64 / 32 */
    {1024, 65, 0, 0, 0, SEL_LIM_REGISTERS}, /* 2080 -> 2304: 28 warps, a group needs 32 */
    {512, 65, 0, 0, 1, SEL_LIM_REGISTERS},  /* 28 / 16 */
    {128, 255, 0, 0, 2, SEL_LIM_REGISTERS}, /* 8160 -> 8192: 8 warps; 8 / 4 */
    {64, 32, 0, 8, 3, SEL_LIM_RANGE},       /* ceil(8 groups / 3 units) */
    {256, 40, 0, 0, 6, SEL_LIM_REGISTERS},  /* 48 / 8 */
    {32, 32, 0, 0, 32, SEL_LIM_GROUPS},     /* min(32, 64) */
    {64, 168, 0, 0, 6, SEL_LIM_REGISTERS},  /* 5376: 12 warps; 12 / 2 */
    {192, 33, 0, 0, 8, SEL_LIM_REGISTERS},  /* 1056 -> 1280: 51 -> 48; 48 / 6 */
    {256, 32, 8192, 0, 8, SEL_LIM_WARPS},   /* 64 / 8; local memory: 65536 / 8192 = 8 too */
    {256, 32, 9000, 0, 7, SEL_LIM_LOCAL},   /* 9000 -> 9216; 65536 / 9216 = 7.1 */
    {1024, 64, 0, 0, 1, SEL_LIM_REGISTERS}, /* 2048: 32 warps; 32 / 32 */
    {640, 30, 0, 0, 3, SEL_LIM_WARPS},      /* 64 / 20 */
};

static void check_row(const struct device *d, const struct row *r, int i)
{
    size_t local[3] = {r->items, 1, 1};
    struct occ_need need = {.items = r->items,
                            .warps = occ_warps(d, local),
                            .registers = r->registers,
                            .local_bytes = r->local,
                            .groups = r->groups};
    struct occupancy o;
    occ_compute(d, &need, &o);
    ck_assert_msg(o.groups == r->want, "row %d: %u groups, not %u", i, (unsigned)o.groups, r->want);
    ck_assert_msg(o.limiter == r->limiter, "row %d: limiter %d, not %d", i, o.limiter, r->limiter);
    ck_assert_uint_eq(o.warps, o.groups * need.warps);
}

LOOPED_TEST(kepler_rows, sizeof on_kepler / sizeof *on_kepler)
{
    struct device d = kepler();
    check_row(&d, &on_kepler[_i], _i);
}

LOOPED_TEST(maxwell_rows, sizeof on_maxwell / sizeof *on_maxwell)
{
    struct device d = maxwell();
    check_row(&d, &on_maxwell[_i], _i);
}

/* [W] eq. 3: the file of a unit is B_reg_SM / B_reg_wg files of what one group may have. */
TEST(two_register_files)
{
    struct device d = kepler();
    d.regs_group = 32768;
    struct row r = {256, 40, 0, 0, 6, SEL_LIM_REGISTERS}; /* 25 -> 24 warps; 24 / 8 * 2 */
    check_row(&d, &r, 0);
    struct row s = {512, 40, 0, 0, 2, SEL_LIM_REGISTERS}; /* 24 / 16 * 2 */
    check_row(&d, &s, 1);
}

TEST(no_limits_at_all)
{
    struct device d = {.units = 2, .warp = 8, .is_cpu = true};
    struct occ_need need = {
        .items = 100000, .warps = 12500, .registers = 1000, .local_bytes = 1u << 30, .groups = 9};
    struct occupancy o;
    occ_compute(&d, &need, &o);
    ck_assert_uint_eq(o.groups, 5);
    ck_assert_int_eq(o.limiter, SEL_LIM_RANGE);
    need.groups = 0;
    occ_compute(&d, &need, &o);
    ck_assert_uint_eq(o.groups, 1);
    ck_assert_int_eq(o.limiter, SEL_LIM_NONE);
}

TEST(one_file_for_all)
{
    struct device d = kepler();
    d.regs_group = 0; /* the whole file is one group's */
    struct row r = {256, 40, 0, 0, 6, SEL_LIM_REGISTERS};
    check_row(&d, &r, 0);
    d.regs_unit = 0;
    struct row s = {256, 40, 0, 0, 8, SEL_LIM_WARPS};
    check_row(&d, &s, 1);
}

TEST(warps_of_a_group)
{
    struct device g = kepler(), c = {.is_cpu = true, .warp = 16};
    size_t a[3] = {24, 3, 2}, b[3] = {1, 256, 1}, row[3] = {256, 1, 1}, plain[3] = {32, 8, 1};
    ck_assert_uint_eq(occ_warps(&g, a), 5);  /* 144 / 32 */
    ck_assert_uint_eq(occ_warps(&c, a), 12); /* 2 per row */
    ck_assert_uint_eq(occ_warps(&g, b), 8);
    ck_assert_uint_eq(occ_warps(&c, b), 256);
    ck_assert_uint_eq(occ_warps(&c, row), 16);
    ck_assert_uint_eq(occ_warps(&g, plain), 8);
    g.warp = 0;
    ck_assert_uint_eq(occ_warps(&g, plain), 256);
}

int main(void)
{
    return run_tests("occupancy", NULL, NULL);
}
