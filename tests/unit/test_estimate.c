/* sel_estimate on hand-built kernels: what it promises for any candidates, and the
 * shapes it must tell apart. */
#include <errno.h>
#include <stdlib.h>
#include "model_kernels.h"
#include "run_suite.h"
#include "select/predict/simulation.h"
#include "select/time/mwp.h"

#define MAX 512

static struct kb kb;
static struct launch_arg args[8];
static struct launch launch;
static struct candidate cand[MAX];
static struct sel_work *work;
static struct sel_estimate summary;

static uint64_t state;
static unsigned rnd(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

static void setup(void)
{
    work = sel_work_new();
    ck_assert_ptr_nonnull(work);
}
static void teardown(void)
{
    sel_work_free(work);
}

static void size(unsigned i, size_t x, size_t y)
{
    cand[i] = (struct candidate){.local = {x, y, 1}, .divides = true};
}

static const struct candidate *find(unsigned n, size_t x, size_t y)
{
    for (unsigned i = 0; i < n; i++)
        if (cand[i].local[0] == x && cand[i].local[1] == y)
            return &cand[i];
    ck_abort_msg("lost");
    return NULL;
}

static const struct device *device(const char *name)
{
    const struct device *d = dev_builtin(name);
    ck_assert_ptr_nonnull(d);
    return d;
}

/* `close`: relative; the simulation adds up in another order than the bounds.  `tie`: a ratio; the first may
 * be so much slower than the fastest. */
static void check_promises_within(unsigned n, double close, double tie)
{
    unsigned kept = 0, fastest = n;
    for (unsigned i = 0; i < n; i++) {
        const struct candidate *c = &cand[i];
        ck_assert(c->best_ns <= c->time_ns * (1 + close) && c->time_ns <= c->worst_ns * (1 + close));
        kept += c->state == SEL_KEPT;
        if (c->time_ns > 0 && (fastest == n || c->time_ns < cand[fastest].time_ns))
            fastest = i;
        if (c->state == SEL_DUPLICATE || c->state == SEL_INFERIOR)
            ck_assert(c->other < n && c->other != i);
        if (c->state == SEL_DUPLICATE)
            ck_assert(cand[c->other].state != SEL_DUPLICATE &&
                      cand[c->other].time_ns <= c->time_ns * (1 + close));
        if (c->state == SEL_INFERIOR)
            ck_assert(c->best_ns > cand[c->other].worst_ns);
        if (c->state == SEL_INFEASIBLE)
            ck_assert(c->time_ns == 0);
        if (i && c->state == SEL_KEPT) {
            ck_assert_int_eq(cand[i - 1].state, SEL_KEPT);
            ck_assert(c->time_ns == 0 || cand[i - 1].time_ns <= c->time_ns * (i == 1 ? tie : 1));
        }
    }
    ck_assert_uint_eq(kept, summary.kept);
    if (fastest < n) { /* pruning never removes the fastest */
        ck_assert_double_le(cand[0].time_ns, cand[fastest].time_ns * (tie + close));
        ck_assert_int_eq(cand[0].state, SEL_KEPT);
    }
}

static void check_promises(unsigned n, bool cpu)
{
    check_promises_within(n, 0, cpu ? SEL_NEAR_TIE : SEL_NEAR_TIE_GPU);
}

static void any_kernel(unsigned which, size_t *gx, size_t *gy, int64_t *n)
{
    static const size_t extents[] = {64, 100, 256, 1000, 1024, 2048, 4096};
    *gx = extents[rnd(7)];
    *gy = which < 4 || which == 7 ? extents[rnd(7)] : 1;
    *n = rnd(2) ? (int64_t)*gx : 1 + (int64_t)rnd(5000);
    if (which < 4)
        kb_copy(&kb, which & 1, which >> 1);
    else if (which == 4)
        kb_saxpy(&kb);
    else if (which == 7)
        kb_guarded_copy(&kb, rnd(2));
    else
        kb_matvec(&kb, which == 6);
}

static void check_alone(const struct device *d, unsigned among, const struct candidate *c)
{
    struct candidate alone = *c;
    struct sel_estimate rest;
    struct est_case e;
    ck_assert_int_eq(est_one(work, &kb.k, &launch, d, among, &alone, &e, &rest), 0);
    if (c->state != SEL_INFEASIBLE)
        ck_assert(est_time(&e, est_simulate(work, &e)) == c->time_ns);
    trace_done(&work->prog);
}

LOOPED_TEST(promises_hold, 200)
{
    state = (uint64_t)_i * 977 + 5;
    size_t gx, gy;
    int64_t n;
    any_kernel(rnd(8), &gx, &gy, &n);
    launch_fill(&launch, args, &kb, gx, gy, 1u << (10 + rnd(20)), n);
    struct device d = *device(rnd(2) ? "generic-gpu" : "generic-cpu");
    if (rnd(4) == 0)
        d.cache[0].bytes = 0;
    if (rnd(4) == 0)
        d.warp = 1u << rnd(8);
    if (rnd(4) == 0)
        d.regs_item = 8;
    unsigned count = 1 + rnd(rnd(4) ? 30 : MAX - 1);
    for (unsigned i = 0; i < count; i++)
        size(i, 1 + rnd((unsigned)(gx < 2048 ? gx : 2048)), gy > 1 ? 1 + rnd(64) : 1);
    size(0, rnd(3) ? 16 : 0, rnd(2) ? 1 : 0);
    if (cand[0].local[1] == 0)
        memset(cand[0].local, 0, sizeof cand[0].local);
    cand[0].own = true;
    struct candidate again[MAX];
    memcpy(again, cand, sizeof again);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, cand, count, work, &summary), 0);
    check_promises(count, d.is_cpu);
    unsigned own = 0;
    for (unsigned i = 0; i < count; i++)
        own += cand[i].own;
    ck_assert_uint_eq(own, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, again, count, work, &summary), 0);
    ck_assert_mem_eq(again, cand, count * sizeof *cand); /* scratch leaves no trace */
    /* the same with all of them simulated: between the bounds, the fastest is kept */
    d.oldest_first = rnd(2);
    ck_assert_int_eq(sel_estimate_by(SEL_MODEL_SIM_ALL, &kb.k, &launch, &d, cand, count, work, &summary), 0);
    check_promises_within(count, 1e-9, d.is_cpu ? SEL_NEAR_TIE : SEL_NEAR_TIE_GPU);
    for (unsigned i = 0; i < count && count <= 30; i++) /* each as if nothing had been simulated before */
        check_alone(&d, count, &cand[i]);
}

TEST(a_round_is_simulated_once)
{
    static const char *const names[] = {"jetson-tk1", "h100", "generic-cpu"};
    double cycles[3];
    kb_copy(&kb, true, false);
    launch_fill(&launch, args, &kb, 2048, 2048, 16 << 20, 2048);
    for (unsigned i = 0; i < 3; i++) {
        struct est_case e;
        size(0, 32, 8);
        ck_assert_int_eq(est_one(work, &kb.k, &launch, device(names[i]), 1, cand, &e, &summary), 0);
        cycles[i] = est_simulate(work, &e);
        ck_assert_uint_ge(summary.rounds, 1); /* not those of the device before */
        const unsigned rounds = summary.rounds;
        ck_assert(est_simulate(work, &e) == cycles[i]);
        ck_assert_uint_eq(summary.rounds, rounds);
        e.group = e.warps; /* another round: its warps wait for each other */
        est_simulate(work, &e);
        ck_assert_uint_gt(summary.rounds, rounds);
        trace_done(&work->prog);
        for (unsigned j = 0; j < i; j++)
            ck_assert(cycles[i] != cycles[j]);
    }
}

TEST(rows_beat_columns_on_a_cpu)
{
    kb_copy(&kb, false, false);
    launch_fill(&launch, args, &kb, 2048, 2048, 16 << 20, 2048);
    size(0, 64, 4);
    size(1, 256, 1);
    size(2, 1, 64);
    size(3, 1, 256);
    size(4, 1, 1);
    size(5, 2, 2);
    size(6, 16, 64);
    size(7, 128, 8);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 8, work, &summary), 0);
    double good = find(8, 64, 4)->time_ns;
    ck_assert_double_le(find(8, 256, 1)->time_ns, 1.2 * good);
    ck_assert_double_le(find(8, 128, 8)->time_ns, 1.2 * good);
    ck_assert_double_ge(find(8, 1, 64)->time_ns, 2 * good);
    ck_assert_double_ge(find(8, 1, 256)->time_ns, 2 * good);
    ck_assert_double_ge(find(8, 1, 1)->time_ns, 2 * good);
    ck_assert_double_ge(find(8, 2, 2)->time_ns, 2 * good);
    ck_assert_double_ge(find(8, 16, 64)->time_ns, 1.5 * good);
}

/* Where neighbours may part, vectors have masks, and a core that reads one long row from memory, or too many,
 * waits for more of it.  Other code need not have them: they are no part of what memory takes. */
TEST(masked_rows_wait)
{
    double took[2][4], memory[2][4];
    for (unsigned dim = 0; dim < 2; dim++) {
        kb_guarded_copy(&kb, dim);
        launch_fill(&launch, args, &kb, 4096, 4096, 64 << 20, 4096);
        size(0, 1024, 1);
        size(1, 64, 8);
        size(2, 64, 32);
        size(3, 512, 8);
        ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 4, work, &summary), 0);
        for (unsigned i = 0; i < 4; i++) {
            const struct candidate *c = i == 0  ? find(4, 1024, 1)
                                        : i < 3 ? find(4, 64, i == 1 ? 8 : 32)
                                                : find(4, 512, 8);
            took[dim][i] = c->time_ns;
            memory[dim][i] = c->memory_ns;
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_double_le(took[0][i], (i == 1 ? 1.02 : 2) * took[1][i]);
        ck_assert_double_ge(took[0][i], (i == 1 ? 0.8 : 1.2) * took[1][i]);
        ck_assert_double_eq_tol(memory[0][i] / memory[1][i], 1, 1e-6);
    }
}

TEST(columns_beat_rows_where_the_kernel_is_turned)
{
    kb_copy(&kb, true, true);
    launch_fill(&launch, args, &kb, 2048, 2048, 16 << 20, 2048);
    size(0, 64, 1);
    size(1, 1, 64);
    size(2, 4, 64);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 3, work, &summary), 0);
    ck_assert_double_ge(find(3, 64, 1)->time_ns, 2 * find(3, 1, 64)->time_ns);
    ck_assert_double_ge(find(3, 64, 1)->time_ns, 1.5 * find(3, 4, 64)->time_ns);
}

/* Each row of a group is a loop of its own, and short ones are no vectors. */
TEST(short_rows_cost_on_a_cpu)
{
    struct device d = *device("generic-cpu");
    const double row_ns = d.row_ns;

    kb_copy(&kb, false, false);
    launch_fill(&launch, args, &kb, 2048, 2048, 16 << 20, 2048);
    ck_assert_uint_eq(d.row_min, 16);
    for (int charged = 0; charged < 2; charged++) {
        double short_rows, long_rows;
        d.row_ns = charged ? row_ns : 0;
        size(0, 16, 16);
        size(1, 256, 1);
        size(2, 8, 32);
        size(3, 15, 16);
        ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, cand, 4, work, &summary), 0);
        short_rows = find(4, 16, 16)->time_ns;
        long_rows = find(4, 256, 1)->time_ns;
        /* 2048 x 2048 / 16 rows on two units, less one that comes with each group */
        if (charged)
            ck_assert_double_gt(short_rows - long_rows, 0.5 * row_ns * 131072 * 15 / 16);
        ck_assert_double_gt(find(4, 8, 32)->time_ns, 1.1 * short_rows);
        ck_assert_double_gt(find(4, 15, 16)->time_ns, 1.1 * short_rows);
    }
}

/* Rows that are unrolled whole do without the loop and what it costs. */
TEST(long_rows_have_a_loop)
{
    struct device d = *device("generic-cpu");
    const double vectors = 2048.0 * 2048 / 8 / 2; /* of a unit */

    kb_copy(&kb, false, false);
    launch_fill(&launch, args, &kb, 2048, 2048, 16 << 20, 2048);
    d.row_ns = d.group_ns = 0;
    d.delay[SUM_C_IADD] = 50; /* so that nothing else decides */
    for (uint32_t v = kb.k.nleaf; v < kb.k.ninsn; v++)
        d.row_ops += 64 * (kb.k.insns[v].cls != SUM_C_NONE);
    for (int loop = 0; loop < 2; loop++) {
        d.row_loop = loop * 20;
        size(0, 64, 4);
        size(1, 128, 4);
        ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, cand, 2, work, &summary), 0);
        const double more = find(2, 128, 4)->time_ns - find(2, 64, 4)->time_ns;
        ck_assert_double_eq_tol(more * d.clock_mhz / 1000 / vectors, d.row_loop, 0.5);
    }
}

TEST(small_groups_waste_vectors)
{
    kb_saxpy(&kb);
    launch_fill(&launch, args, &kb, 1 << 22, 1, 16 << 20, 1 << 22);
    size(0, 1, 1);
    size(1, 4, 1);
    size(2, 256, 1);
    size(3, 1024, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 4, work, &summary), 0);
    double good = find(4, 1024, 1)->time_ns;
    ck_assert_double_le(find(4, 256, 1)->time_ns, 1.2 * good);
    ck_assert_double_ge(find(4, 4, 1)->time_ns, 1.5 * good);
    ck_assert_double_ge(find(4, 1, 1)->time_ns, 1.5 * find(4, 4, 1)->time_ns);
}

/* What other code for the same work-items could gain: nothing of what memory takes, and less where the driver
 * makes vectors. */
TEST(what_other_code_cannot_save)
{
    const double line_ns = 13 * 0.5; /* of generic-cpu.dev: dram_delay, clock_mhz */
    const double lines = 2 * (16 << 20) / 64;

    kb_saxpy(&kb);
    launch_fill(&launch, args, &kb, 1 << 22, 1, 16 << 20, 1 << 22);
    size(0, 4, 1);
    size(1, 256, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 2, work, &summary), 0);
    ck_assert(find(2, 256, 1)->vectors);
    ck_assert(!find(2, 4, 1)->vectors);
    ck_assert_double_ge(find(2, 256, 1)->memory_ns, 0.95 * lines * line_ns / 2);
    ck_assert_double_le(find(2, 256, 1)->memory_ns, 1.55 * lines * line_ns / 2); /* y comes and goes */
    kb_matvec(&kb, false);
    launch_fill(&launch, args, &kb, 4096, 1, 64 << 20, 4096);
    size(0, 256, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 1, work, &summary), 0);
    ck_assert(!cand[0].vectors);
}

/* A gather of rows against a coalesced walk of columns: 32 lines per access or one. */
TEST(matrix_vector_both_ways)
{
    double time[2];
    for (int transposed = 0; transposed < 2; transposed++) {
        kb_matvec(&kb, transposed);
        launch_fill(&launch, args, &kb, 4096, 1, 64 << 20, 4096);
        size(0, 256, 1);
        ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-gpu"), cand, 1, work, &summary), 0);
        time[transposed] = cand[0].time_ns;
    }
    ck_assert_double_ge(time[0], 1.5 * time[1]);
}

/* The matrix comes from DRAM, the vector from the cache: a warp waits for the one, not for both. */
TEST(each_access_has_its_own_level)
{
    struct demand part[PARTS];
    struct est_case e;
    kb_matvec(&kb, false);
    launch_fill(&launch, args, &kb, 4096, 1, 64 << 20, 4096);
    size(0, 256, 1);
    ck_assert_int_eq(est_one(work, &kb.k, &launch, device("jetson-tk1"), 1, cand, &e, &summary), 0);
    est_load(&e, part);
    ck_assert_double_gt(part[PART_GM].count, 0.8 * 4096);
    ck_assert_double_lt(part[PART_GM].count, 1.2 * 4096);
    trace_done(&work->prog);
}

/* y[i] = table[index[i]]: all units look into one table, and find it in the cache that they share. */
TEST(a_table_is_shared_as_its_cache_is)
{
    struct demand part[PARTS];
    struct est_case e;
    kb_start(&kb);
    uint32_t index = kb_buffer(&kb, SUM_GLOBAL), table = kb_buffer(&kb, SUM_GLOBAL);
    uint32_t y = kb_buffer(&kb, SUM_GLOBAL), i = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0), four = kb_const(&kb, 64, 4);
    kb_block(&kb);
    uint32_t at = kb_load(&kb, SUM_GLOBAL, kb_at(&kb, index, i, four), 64, false);
    uint32_t v = kb_load(&kb, SUM_GLOBAL, kb_at(&kb, table, at, four), 32, true);
    kb_store(&kb, SUM_GLOBAL, kb_at(&kb, y, i, four), v);
    kb_ret(&kb);
    kb_end(&kb);
    launch_fill(&launch, args, &kb, 1 << 22, 1, 16 << 20, 0);
    size(0, 256, 1);
    ck_assert_int_eq(est_one(work, &kb.k, &launch, device("h100"), 1, cand, &e, &summary), 0);
    est_load(&e, part);
    ck_assert_double_lt(part[PART_GM].count, 2.2); /* the index and the result */
    trace_done(&work->prog);
}

/* y[r] = 1 after r (`triangle`) or n iterations of one multiply-add. */
static double loop_time(enum sel_model model, bool triangle, size_t n)
{
    kb_start(&kb);
    uint32_t y = kb_buffer(&kb, SUM_GLOBAL), trips = kb_scalar(&kb, 64), r = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0);
    uint32_t zero = kb_const(&kb, 64, 0), one = kb_const(&kb, 64, 1), four = kb_const(&kb, 64, 4);
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb);
    uint32_t k = kb.k.ninsn;
    kb_phi(&kb, 64, 0, zero, 2, k + 4);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, k, triangle ? r : trips), 2, 3);
    kb_block(&kb);
    kb_pure(&kb, SUM_C_FMA, k, k);
    kb_int(&kb, SUM_ADD, 64, k, one);
    kb_br(&kb, 1);
    kb_block(&kb);
    kb_store(&kb, SUM_GLOBAL, kb_at(&kb, y, r, four), one);
    kb_ret(&kb);
    kb_end(&kb);
    kb.k.fact[SUM_FACT_U].reason = SUM_R_POSITION_DEPENDENT;
    launch_fill(&launch, args, &kb, n, 1, 4 * n, (int64_t)n);
    struct device d = *device("jetson-tk1");
    d.launch_ns = d.group_ns = 0;
    size(0, 256, 1);
    ck_assert_int_eq(sel_estimate_by(model, &kb.k, &launch, &d, cand, 1, work, &summary), 0);
    if (model <= SEL_MODEL_SIM)
        ck_assert(cand[0].best_ns <= cand[0].time_ns && cand[0].time_ns <= cand[0].worst_ns);
    return cand[0].time_ns;
}

/* All groups at once take as long as the longest; of many the average counts. */
LOOPED_TEST(a_gpu_waits_for_its_longest_group, 4)
{
    static const enum sel_model models[] = {SEL_MODEL_BOUNDS, SEL_MODEL_SIM, SEL_MODEL_MWP, SEL_MODEL_PARAM};
    const enum sel_model model = models[_i];
    ck_assert_double_gt(loop_time(model, true, 2048), 0.9 * loop_time(model, false, 2048));
    ck_assert_double_lt(loop_time(model, true, 65536), 0.6 * loop_time(model, false, 65536));
}

/* 64, 128 and 256 along one dimension fill a GPU's unit with the same warps: one of them stays. */
TEST(duplicates_are_found)
{
    kb_saxpy(&kb);
    launch_fill(&launch, args, &kb, 1 << 22, 1, 16 << 20, 1 << 22);
    size(0, 128, 1);
    size(1, 256, 1);
    size(2, 512, 1);
    cand[0].own = true;
    struct device d = *device("generic-gpu");
    d.group_ns = 0;
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, cand, 3, work, &summary), 0);
    ck_assert_uint_eq(summary.kept, 1);
    ck_assert_int_eq(find(3, 256, 1)->state, SEL_DUPLICATE);
    check_promises(3, false);
}

/* if (id == 0) *out = 0;  `local`: the local id, else the global one. */
static void only_first(bool local)
{
    kb_start(&kb);
    uint32_t out = kb_buffer(&kb, SUM_GLOBAL);
    uint32_t id = kb_wi(&kb, local ? SUM_WI_LOCAL_ID : SUM_WI_GLOBAL_ID, 0), zero = kb_const(&kb, 64, 0);
    kb_block(&kb);
    kb_condbr(&kb, kb_cmp(&kb, SUM_EQ, id, zero), 1, 2);
    kb_block(&kb);
    kb_store(&kb, SUM_GLOBAL, out, zero);
    kb_br(&kb, 2);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
    kb.k.fact[SUM_FACT_U].reason = SUM_R_POSITION_DEPENDENT;
    kb.k.fact[SUM_FACT_S].reason = local ? SUM_R_LOCAL_ID_OBSERVED : SUM_R_NONE;
    launch_fill(&launch, args, &kb, 1 << 20, 1, 16 << 20, 0);
}

/* What one work-item does for its group is done by the first warp of each; that alone is looked at, and no
 * other place in the range, unless the place decides. */
TEST(first_warp_of_a_group)
{
    only_first(true);
    size(0, 256, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("tesla-k20c"), cand, 1, work, &summary), 0);
    ck_assert_uint_eq(summary.traces, 2);
    double stores = cand[0].transactions[SEL_T_GLOBAL] + cand[0].transactions[SEL_T_CACHE];
    ck_assert_double_eq_tol(stores, 1.0 / 256, 1e-9);
    only_first(false);
    size(0, 256, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("tesla-k20c"), cand, 1, work, &summary), 0);
    ck_assert_uint_gt(summary.traces, 2);
}

/* A prime range leaves the driver nothing but groups of one. */
TEST(drivers_choice_is_guessed)
{
    kb_saxpy(&kb);
    launch_fill(&launch, args, &kb, 4099, 1, 16 << 20, 4099);
    size(0, 0, 0);
    cand[0].local[2] = 0;
    cand[0].own = true;
    size(1, 64, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 2, work, &summary), 0);
    ck_assert(cand[1].own && cand[1].local[0] == 0 && cand[1].local[2] == 0);
    ck_assert_double_gt(cand[1].time_ns, 1.5 * cand[0].time_ns);
}

TEST(untraceable_keeps_all)
{
    kb_start(&kb);
    uint32_t zero = kb_const(&kb, 64, 0);
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb);
    kb_condbr(&kb, kb_cmp(&kb, SUM_EQ, zero, zero), 1, 2);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
    launch_fill(&launch, args, &kb, 4096, 1, 0, 0);
    size(0, 64, 1);
    size(1, 32, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 2, work, &summary), -E2BIG);
    ck_assert(cand[0].local[0] == 64 && cand[0].state == SEL_KEPT && cand[0].time_ns == 0);
    launch.global[0] = 0;
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 2, work, &summary), -E2BIG);
}

TEST(three_dimensions_and_tails)
{
    kb_copy(&kb, false, false);
    launch_fill(&launch, args, &kb, 250, 130, 16 << 20, 256);
    launch.dim = 3;
    launch.global[2] = 17;
    for (unsigned i = 0; i < 64; i++)
        cand[i] = (struct candidate){.local = {1u << i % 4, 1u << i / 4 % 4, 1u << i / 16}};
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-gpu"), cand, 64, work, &summary), 0);
    check_promises(64, false);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, device("generic-cpu"), cand, 64, work, &summary), 0);
    check_promises(64, true);
}

/* Of sizes that are as good as equal the largest, if it leaves groups enough for all cores. */
TEST(near_ties_go_to_the_sturdier)
{
    struct device d = *device("generic-cpu");

    d.group_ns = 0.01;
    kb_saxpy(&kb);
    launch_fill(&launch, args, &kb, 1 << 22, 1, 16 << 20, 1 << 22);
    for (int dear = 0; dear < 2; dear++) {
        size(0, 64, 1);
        size(1, 256, 1);
        size(2, 4096, 1);
        ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, cand, 3, work, &summary), 0);
        ck_assert_uint_eq(cand[0].local[0], 4096);
        ck_assert_uint_eq(cand[2].state == SEL_KEPT, !dear);
        d.group_ns = 200; /* no tie any more */
    }
    d.group_ns = 0.01;
    launch_fill(&launch, args, &kb, 8192, 1, 32 << 10, 8192);
    size(0, 1024, 1); /* 8 groups for two cores */
    size(1, 4096, 1);
    size(2, 2048, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, cand, 3, work, &summary), 0);
    ck_assert_uint_eq(cand[0].local[0], 2048);
    check_promises(3, true);
}

/* What a launch uses stays in the last level until the next one, if it fits. */
/* On a GPU those near 256 work-items, and of these the widest. */
TEST(near_ties_go_to_usual_sizes_on_a_gpu)
{
    static const struct {
        unsigned x, y;
        double ns;
    } sizes[] = {{1024, 1, 100}, {32, 8, 102}, {256, 1, 104}, {128, 1, 104.5}, {64, 4, 106}, {256, 2, 107}};

    work->d = device("h200");
    for (unsigned i = 0; i < 6; i++) {
        size(i, sizes[i].x, sizes[i].y);
        cand[i].time_ns = sizes[i].ns;
    }
    cand[5].state = SEL_INFERIOR;
    cand[5].other = 2;
    est_prefer(work, cand, 6);
    ck_assert_double_eq(cand[0].time_ns, 104);
    ck_assert_double_eq(cand[1].time_ns, 100);
    ck_assert_uint_eq(cand[5].other, 0);
}

/* What a launch of saxpy takes with groups of 256, of which a unit holds `held` at once, and each takes so
 * long to dispatch. */
static double dispatched(unsigned groups, unsigned held, double group_ns, bool uniform)
{
    struct device d = *device("h200");

    d.units = 1;
    d.max_groups_unit = held;
    d.group_ns = group_ns;
    d.launch_ns = 0;
    kb_saxpy(&kb);
    if (!uniform)
        kb.k.fact[SUM_FACT_U].reason = SUM_R_DATA_DEPENDENT;
    launch_fill(&launch, args, &kb, groups * 256, 1, 16 << 20, groups * 256);
    size(0, 256, 1);
    ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, cand, 1, work, &summary), 0);
    return cand[0].time_ns;
}

TEST(units_work_while_groups_are_dispatched)
{
    const double at_once = dispatched(400, 4, 0, true), one = at_once / 100;

    /* as much as the four that a unit holds, unless the others wait for it */
    ck_assert_double_eq_tol(dispatched(400, 4, one / 8, true), at_once + one / 2, 0.01 * at_once);
    ck_assert_double_eq_tol(dispatched(400, 4, one, true), 400 * one + one, 0.01 * at_once);
    /* nobody knows how long the others work */
    ck_assert_double_eq_tol(dispatched(400, 4, one / 8, false), at_once + 50 * one, 0.01 * at_once);
}

/* However few groups are left for it. */
TEST(a_last_round_takes_as_long_as_a_warp)
{
    const double one = dispatched(4, 4, 0, true), full = dispatched(8, 4, 0, true),
                 more = dispatched(9, 4, 0, true), unknown = dispatched(9, 4, 0, false);

    ck_assert_double_eq_tol(full, 2 * one, 0.05 * one);
    ck_assert_double_eq_tol(unknown, 2.25 * one, 0.1 * one);
    ck_assert_double_gt(more, 2.5 * one);
    ck_assert_double_le(more, 3 * one);
}

TEST(small_launches_find_a_warm_cache)
{
    struct device d = *device("generic-cpu");
    double time[2];

    kb_saxpy(&kb);
    for (int fits = 0; fits < 2; fits++) {
        d.cache[2].bytes = fits ? 64u << 20 : 16u << 20;
        launch_fill(&launch, args, &kb, 1 << 22, 1, 16 << 20, 1 << 22);
        size(0, 1024, 1);
        ck_assert_int_eq(sel_estimate(&kb.k, &launch, &d, cand, 1, work, &summary), 0);
        time[fits] = cand[0].time_ns;
    }
    ck_assert_double_gt(time[0], 1.5 * time[1]);
}

/* Lanes per cycle of a unit while `warps` warps execute a row of dependent multiply-adds. */
static double throughput(enum sel_model model, unsigned warps)
{
    enum { LONG = 128 };
    struct device d = *device("geforce-gtx-460");
    kb_start(&kb);
    const uint32_t one = kb_const(&kb, 32, 1);
    kb_block(&kb);
    uint32_t v = one;
    for (unsigned i = 0; i < LONG; i++)
        v = kb_pure(&kb, SUM_C_FMA, v, one);
    kb_ret(&kb);
    kb_end(&kb);
    d.launch_ns = d.group_ns = 0;
    launch_fill(&launch, args, &kb, (size_t)d.units * warps * d.warp, 1, 0, 0);
    size(0, (size_t)warps * d.warp, 1);
    ck_assert_int_eq(sel_estimate_by(model, &kb.k, &launch, &d, cand, 1, work, &summary), 0);
    ck_assert_uint_eq(cand[0].active_warps, warps);
    return (double)(LONG * warps * d.warp) / (cand[0].time_ns * d.clock_mhz / 1000);
}

/* [R] eq. 4.5: a warp waits for its own operation, others go on meanwhile.  One and two groups, none or
 * almost all of the latency hidden. */
TEST(dependent_operations_take_turns)
{
    static const struct {
        unsigned warps;
        double lanes;
    } r[] = {{1, 1.78}, {8, 14.2}, {16, 28.4}, {32, 30.9}};
    const unsigned models[] = {SEL_MODEL_BOUNDS, SEL_MODEL_SIM};
    for (unsigned i = 0; i < sizeof r / sizeof *r; i++)
        for (unsigned m = 0; m < 2; m++)
            ck_assert_double_eq_tol(throughput((enum sel_model)models[m], r[i].warps), r[i].lanes,
                                    0.1 * r[i].lanes);
}

/* tmp[0] = in[0]; then five blocks, of which the last has the number of the load. */
TEST(blocks_are_no_uses_of_a_fill)
{
    struct est_case e;
    struct mwp_warp warp;
    struct mwp_time time;
    kb_start(&kb);
    uint32_t in = kb_buffer(&kb, SUM_GLOBAL), tmp = kb_buffer(&kb, SUM_LOCAL);
    uint32_t x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0), five = kb_const(&kb, 64, 5);
    kb.arg[1].kind = SUM_ARG_LOCAL;
    kb_block(&kb);
    uint32_t v = kb_load(&kb, SUM_GLOBAL, in, 32, true);
    ck_assert_uint_eq(v, 4);
    kb_store(&kb, SUM_LOCAL, tmp, v);
    kb_insn(&kb, (struct sum_insn){.op = SUM_SWITCH, .cls = SUM_C_BRANCH}, 4, x, 1, five, v);
    for (uint32_t next = 2; next <= v; next++) {
        kb_block(&kb);
        kb_br(&kb, next);
    }
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
    launch_fill(&launch, args, &kb, 1024, 1, 4096, 0);
    size(0, 64, 1);
    ck_assert_int_eq(est_one(work, &kb.k, &launch, device("jetson-tk1"), 1, cand, &e, &summary), 0);
    mwp_case(work, &e, &warp, &time);
    ck_assert_double_eq_tol(warp.fills, 1, 1e-9);
    trace_done(&work->prog);
}

int main(void)
{
    return run_tests("estimate", setup, teardown);
}
