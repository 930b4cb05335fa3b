/* sel_judge: which facts survive the launch's real arguments. */
#include "run_suite.h"

#include "select/select.h"

#include <string.h>

/* out[gid] = f(in[gid], n): a kernel about which everything is proved. */
static struct sum_arg args[4];
static struct launch_arg values[4];
static struct sum_access access;
static struct sum_term term;
static struct kernel_summary k;
static struct launch l;
static struct sel_proof p;

static void setup(void)
{
    args[0] = (struct sum_arg){.name = (char *)"out", .kind = SUM_ARG_BUFFER, .size = 8, .may_write = true};
    args[1] = (struct sum_arg){.name = (char *)"in", .kind = SUM_ARG_BUFFER, .size = 8, .may_read = true};
    args[2] = (struct sum_arg){.name = (char *)"n", .kind = SUM_ARG_SCALAR, .size = 4};
    args[3] = (struct sum_arg){.name = (char *)"table", .kind = SUM_ARG_BUFFER, .size = 8, .may_read = true};
    values[0] = (struct launch_arg){.set = true, .size = 8, .memory = 10, .bytes = 4096};
    values[1] = (struct launch_arg){.set = true, .size = 8, .memory = 11, .bytes = 4096};
    values[2] = (struct launch_arg){.set = true, .size = 4};
    values[3] = (struct launch_arg){.set = true, .size = 8, .memory = 11, .bytes = 4096};
    term = (struct sum_term){.coef = 4, .nsym = 1, .sym = {{SUM_SYM_GID, 0, 0}}};
    access = (struct sum_access){.kind = SUM_ACC_WRITE,
                                 .bytes = 4,
                                 .affine = true,
                                 .wrap_bits = 64,
                                 .ncoord = 1,
                                 .coord = {{1, &term}}};
    k = (struct kernel_summary){
        .name = (char *)"k", .nargs = 4, .args = args, .naccess = 1, .access = &access};
    l = (struct launch){.dim = 1, .global = {1024, 1, 1}, .local = {64, 1, 1}, .nargs = 4, .args = values};
}

static enum sel_reason size_reason(void)
{
    sel_judge(&k, &l, &p);
    ck_assert_int_eq(p.size.proven, p.size.reason == SEL_R_OK);
    /* the gate: nothing may be sliced that may not change */
    for (int d = 0; d < 3; d++)
        ck_assert(p.size.proven || !p.slice[d].proven);
    return p.size.reason;
}

TEST(everything_proved)
{
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    ck_assert(p.slice[0].proven && p.slice[1].proven && p.slice[2].proven);
    ck_assert(p.idempotent.proven && p.order_free.proven && p.uniform.proven);
    memset(l.local, 0, sizeof l.local); /* the driver's choice */
    ck_assert_int_eq(size_reason(), SEL_R_OK);
}

TEST(facts)
{
    k.fact[SUM_FACT_S] = (struct sum_verdict){.reason = SUM_R_BARRIER, .line = 12};
    ck_assert_int_eq(size_reason(), SEL_R_SUMMARY);
    ck_assert_int_eq(p.size.fact, SUM_FACT_S);
    ck_assert_ptr_nonnull(strstr(p.size.detail, "barrier, line 12"));
    ck_assert_int_eq(p.slice[1].reason, SEL_R_SUMMARY);
    k.fact[SUM_FACT_S].reason = SUM_R_NONE;
    k.fact[SUM_FACT_O1] =
        (struct sum_verdict){.reason = SUM_R_GLOBAL_SIZE_OBSERVED, .detail = (char *)"get_global_size(1)"};
    k.fact[SUM_FACT_U].reason = SUM_R_DATA_DEPENDENT;
    k.fact[SUM_FACT_I].reason = SUM_R_READ_WRITTEN;
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    ck_assert(p.slice[0].proven && !p.slice[1].proven && p.slice[2].proven);
    ck_assert_int_eq(p.slice[1].fact, SUM_FACT_O1);
    ck_assert_str_eq(p.slice[1].detail, "global-size-observed: get_global_size(1)");
    ck_assert(!p.uniform.proven && !p.idempotent.proven);
}

TEST(atomics)
{
    k.fact[SUM_FACT_A].reason = SUM_R_ORDERED_ATOMIC;
    ck_assert_int_eq(size_reason(), SEL_R_OK); /* there are none */
    ck_assert(p.order_free.proven);
    k.has_atomics = true;
    ck_assert_int_eq(size_reason(), SEL_R_SUMMARY);
    ck_assert_int_eq(p.size.fact, SUM_FACT_A);
    ck_assert(!p.order_free.proven);
}

TEST(arguments)
{
    values[2].set = false;
    ck_assert_int_eq(size_reason(), SEL_R_ARG_UNKNOWN);
    ck_assert_str_eq(p.size.detail, "argument 2 'n' was never seen being set");
    ck_assert(!p.idempotent.proven);
    setup();
    values[1].opaque = true;
    ck_assert_int_eq(size_reason(), SEL_R_OPAQUE_POINTER);
    values[1].released = true;
    ck_assert_int_eq(size_reason(), SEL_R_RELEASED);
    setup();
    args[3].kind = SUM_ARG_OTHER;
    ck_assert_int_eq(size_reason(), SEL_R_ARG_UNKNOWN);
    setup();
    l.nargs = 3;
    ck_assert_int_eq(size_reason(), SEL_R_ARG_UNKNOWN);
    setup();
    l.args = NULL;
    ck_assert_int_eq(size_reason(), SEL_R_ARG_UNKNOWN);
}

/* One buffer under two names: who touches the same places as if it were one may stay. */
TEST(same_places)
{
    struct sum_access two[2] = {access, access};
    two[1].kind = SUM_ACC_READ;
    two[1].arg = 1;
    k.access = two;
    k.naccess = 2;
    values[1].memory = 10;
    values[3].memory = 12;
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    ck_assert_int_eq(p.idempotent.reason, SEL_R_ALIASED); /* a second run would read its own results */
    values[1].offset = 4;                                 /* the neighbour's element */
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
    ck_assert_str_eq(p.size.detail, "argument 0 'out' overlaps argument 1 'in'");
    values[1].offset = 4096 - 4; /* the last one's */
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
    values[1].offset = 0;
    two[1].affine = false; /* anybody's */
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
    two[1].affine = true;
    two[1].arg = 3; /* what is read through argument 1 is not listed */
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
    two[1].arg = 1;
    values[1].bytes = 0; /* of unknown size */
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
}

TEST(aliases)
{
    values[1].memory = 10;
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
    ck_assert_str_eq(p.size.detail, "argument 0 'out' overlaps argument 1 'in'");
    ck_assert_int_eq(p.idempotent.reason, SEL_R_ALIASED);
    values[1].offset = 4096; /* side by side */
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    values[1].offset = 4095;
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
    values[1].offset = 0;
    values[0].offset = 4096;
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    values[0].bytes = 0; /* unknown size */
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
    args[1].may_read = false; /* passed, not touched */
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    setup();
    values[0].memory = values[1].memory = 0; /* NULL overlaps nothing */
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    setup();
    args[3].kind = SUM_ARG_IMAGE; /* an image covers all of its memory */
    values[3] = (struct launch_arg){.set = true, .size = 8, .memory = 10, .offset = 8192, .bytes = 16};
    ck_assert_int_eq(size_reason(), SEL_R_ALIASED);
    setup();
    values[0].offset = UINT64_MAX - 10;
    values[1].memory = 10;
    ck_assert_int_eq(size_reason(), SEL_R_OK);
}

TEST(groups)
{
    l.local[0] = 96;
    ck_assert_int_eq(size_reason(), SEL_R_NON_UNIFORM);
    k.needs_uniform = true;
    ck_assert_int_eq(size_reason(), SEL_R_NON_UNIFORM);
    l.local[0] = 128;
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    l.local[1] = 2;
    ck_assert_int_eq(size_reason(), SEL_R_NON_UNIFORM);
    l.local[0] = l.local[1] = l.local[2] = 0; /* the driver's choice */
    ck_assert_int_eq(size_reason(), SEL_R_OK);
    k.uneven = true;
    ck_assert_int_eq(size_reason(), SEL_R_NON_UNIFORM);
    k.needs_uniform = false;
    ck_assert_int_eq(size_reason(), SEL_R_OK);
}

static enum sel_reason range_reason(size_t global, size_t offset)
{
    l.global[0] = global;
    l.offset[0] = offset;
    return size_reason();
}

TEST(ids)
{
    const size_t int_range = (size_t)1 << 31;
    memset(l.local, 0, sizeof l.local);
    ck_assert_int_eq(range_reason(int_range, int_range), SEL_R_OK);
    k.id_bits = 31;
    ck_assert_int_eq(range_reason(int_range - 1, 0), SEL_R_OK);
    ck_assert_int_eq(range_reason(int_range - 64, 63), SEL_R_OK);
    ck_assert_int_eq(range_reason(int_range, 0), SEL_R_LARGE_RANGE);
    ck_assert_str_eq(sel_reason_name(p.size.reason), "large-range");
    ck_assert_str_eq(p.size.detail, "dimension 0: offset + global size must be below 2^31");
    ck_assert_int_eq(range_reason(1, int_range - 1), SEL_R_LARGE_RANGE);
    ck_assert_int_eq(range_reason(int_range - 64, 64), SEL_R_LARGE_RANGE);
    ck_assert_int_eq(range_reason(2, SIZE_MAX), SEL_R_LARGE_RANGE); /* their sum wraps */
    ck_assert_int_eq(range_reason(SIZE_MAX, 2), SEL_R_LARGE_RANGE);
    ck_assert_int_eq(range_reason(1024, 0), SEL_R_OK);
    l.offset[2] = int_range; /* in any dimension */
    ck_assert_int_eq(size_reason(), SEL_R_LARGE_RANGE);
    l.offset[2] = 0;
    k.id_bits = 24;
    ck_assert_int_eq(range_reason(((size_t)1 << 24) - 1, 0), SEL_R_OK);
    ck_assert_int_eq(range_reason((size_t)1 << 24, 0), SEL_R_LARGE_RANGE);
    k.id_bits = 23;
    ck_assert_int_eq(range_reason(((size_t)1 << 23) - 1, 0), SEL_R_OK);
    ck_assert_int_eq(range_reason((size_t)1 << 23, 0), SEL_R_LARGE_RANGE);
    k.fact[SUM_FACT_S].reason = SUM_R_BARRIER; /* what no launch changes comes first */
    ck_assert_int_eq(size_reason(), SEL_R_SUMMARY);
}

TEST(races)
{
    term.coef = 2;
    ck_assert_int_eq(size_reason(), SEL_R_OVERLAP);
    access.affine = false;
    ck_assert_int_eq(size_reason(), SEL_R_SCATTERED);
    ck_assert_ptr_nonnull(strstr(p.size.detail, "argument 0 'out'"));
    ck_assert(p.idempotent.proven);
}

TEST(names)
{
    for (int r = 0; r < SEL_R_COUNT; r++)
        ck_assert_uint_gt(strlen(sel_reason_name((enum sel_reason)r)), 0);
    ck_assert_str_eq(sel_reason_name(SEL_R_ALIASED), "aliased-arguments");
    ck_assert_str_eq(sel_reason_name((enum sel_reason)99), "?");
}

int main(void)
{
    return run_tests("judge", setup, NULL);
}
