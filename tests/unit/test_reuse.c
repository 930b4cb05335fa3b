/* Which cache level serves the accesses of hand-built traces. */
#include <stdlib.h>
#include "model_kernels.h"
#include "run_suite.h"
#include "select/time/reuse.h"

#define SAMPLE 65536
#define MOST   4 /* accesses of a trace */

static struct kb kb;
static struct launch_arg args[MOST];
static struct launch launch;
static struct device dev;
static struct item_stride stride[KB_INSNS];
static struct trace_entry entries[MOST];
static struct trace_loop loops[TRACE_LOOPS];
static struct trace trace;
static struct reuse reuse;

/* A GPU of one unit with a cache of so many lines, too small for the launch. */
static void begin(size_t gx, size_t gy, size_t gz, unsigned lines)
{
    kb_start(&kb);
    launch = (struct launch){.dim = 3, .global = {gx, gy, gz}, .args = args};
    dev = (struct device){.units = 1, .warp = 32, .line_bytes = 64};
    dev.cache[0] = (struct dev_cache){.bytes = (uint64_t)lines * 64, .line_bytes = 64};
    for (unsigned i = 0; i < MOST; i++)
        args[i] = (struct launch_arg){.memory = 1 + i, .bytes = 1 << 20};
    trace = (struct trace){.lanes = 32, .entry = entries, .loop = loops};
    memset(stride, 0, sizeof stride);
}

/* An access of one line to a buffer of its own. */
static struct trace_entry *load(void)
{
    const uint32_t buffer = kb_buffer(&kb, SUM_GLOBAL);
    struct trace_entry *e = &entries[trace.nentry++];
    *e = (struct trace_entry){.mem = TRACE_GLOBAL, .lines = 1, .lanes = 32, .mask = UINT32_MAX};
    e->addr = (uint64_t)trace.nentry << 32;
    e->insn = buffer;
    return e;
}

/* Loops around all of that, the innermost first. */
static void loop(double trip)
{
    loops[trace.nloop++] = (struct trace_loop){0, trace.nentry, trip};
    for (uint32_t e = 0; e < trace.nentry; e++)
        entries[e].depth += entries[e].depth < TRACE_DEPTH;
}

static void estimate(size_t lx, size_t ly, size_t lz)
{
    struct trace_prog p = {.k = &kb.k, .l = &launch, .d = &dev};
    const struct trace_place at = {.local = {lx, ly, lz}, .lanes = dev.warp};
    const struct reuse_shape shape = {{lx, ly, lz}, dev.warp, 0, 1, false, &at, NULL};
    void *scratch = malloc(reuse_scratch(SAMPLE));
    /* loads behind the leaves */
    kb_block(&kb);
    for (uint32_t e = 0; e < trace.nentry; e++) {
        const uint32_t v = kb_load(&kb, SUM_GLOBAL, entries[e].insn, 32, true);
        stride[v] = stride[entries[e].insn];
        memcpy(stride[v].item, stride[v].by, sizeof stride[v].by);
        memcpy(stride[v].size, stride[v].by, sizeof stride[v].by);
        entries[e].insn = v;
    }
    kb_end(&kb);
    launch.nargs = kb.k.nargs;
    ck_assert_ptr_nonnull(scratch);
    reuse_estimate(&p, &trace, stride, &shape, SAMPLE, scratch, &reuse);
    free(scratch);
}

static double missed(void)
{
    return (double)reuse.all[0].share[DEV_LEVELS];
}

/* A warp of 32 covers two planes of 4 x 4: the first of four finds nothing. */
TEST(planes_smaller_than_a_warp)
{
    begin(4, 4, 8, 16);
    load();
    estimate(4, 4, 8);
    ck_assert_double_eq_tol(missed(), 1.0 / 4, 1e-6);
}

/* Two loops: the inner one walks 64 lines slowly, the outer one finds them where there is room for them. */
TEST(lines_of_a_slow_walk)
{
    static const struct {
        double trip;
        int64_t stride;
        unsigned lines;
    } walk[] = {{1024, 4, 64}, {1024, -4, 64}, {8, 16, 2}, {8, 32, 4}, {8, 64, 8}, {512, 64, 512}};
    for (unsigned i = 0; i < sizeof walk / sizeof *walk; i++)
        for (int fits = 0; fits < 2; fits++) {
            const double cold = walk[i].lines / walk[i].trip;
            begin(32, 1, 1, fits ? walk[i].lines + 1 : walk[i].lines / 2);
            struct trace_entry *e = load();
            e->addr += walk[i].stride < 0 ? 60 : 0;
            e->stride[0] = walk[i].stride;
            loop(walk[i].trip);
            loop(2);
            estimate(32, 1, 1);
            ck_assert_double_eq_tol(missed(), fits ? cold / 2 : cold, 0.01);
        }
}

/* 64 warps take turns, a line each, in nested loops: a cache of 16 lines has lost them by the next iteration
 * of any. */
TEST(every_level_of_loops_counts)
{
    for (unsigned depth = 1; depth <= 4; depth++) {
        begin(2048, 1, 1, 16);
        load();
        stride[0].by[0] = 4;
        for (unsigned i = 0; i < depth; i++)
            loop(2);
        estimate(2048, 1, 1);
        ck_assert_double_eq_tol(missed(), 1, 1e-6);
    }
}

/* Loops over local memory are not gone through: 8^40 iterations. */
TEST(loops_without_located_accesses)
{
    begin(32, 1, 1, 16);
    load()->mem = TRACE_LOCAL;
    for (unsigned i = 0; i < 40; i++)
        loop(8);
    load();
    estimate(32, 1, 1);
    ck_assert_double_eq_tol(missed(), 1, 1e-6);
}

/* The first access of all is to a page not touched before, like any other's first. */
TEST(first_page_is_new)
{
    for (int write = 0; write < 2; write++) {
        begin(1, 1, 1, 16);
        dev.is_cpu = true;
        load()->write = write;
        load()->write = write;
        estimate(1, 1, 1);
        ck_assert_double_eq((double)reuse.all[write].share[DEV_LEVELS], 1);
        ck_assert_double_eq_tol((double)reuse.all[write].exposed[DEV_LEVELS], write ? 0 : 0.4, 1e-6);
    }
}

/* A launch that leaves a quarter of the last level free finds it warm; a buffer passed twice needs its room
 * once. */
TEST(one_buffer_passed_twice)
{
    for (int apart = 0; apart < 4; apart++) {
        begin(1, 1, 1, 16);
        dev.is_cpu = true;
        load();
        load();
        for (unsigned i = 0; i < 2; i++)
            args[i] =
                (struct launch_arg){.memory = 1 + (apart == 1) * i, .bytes = (apart == 3 ? 13 : 12) * 64};
        args[1].offset = apart == 2 ? 4096 : 0;
        estimate(1, 1, 1);
        ck_assert_double_eq_tol(missed(), apart ? 1 : 0, 1e-6);
    }
}

/* Strides that leave the range of numbers are far apart.  With UBSan. */
TEST(strides_without_bounds)
{
    static const double trips[] = {8, 1000};
    for (unsigned bit = 56; bit < 64; bit++)
        for (unsigned i = 0; i < 16; i++) {
            begin(64 * 64, 1, 1, 16);
            dev.is_cpu = i & 1;
            struct trace_entry *e = load();
            e->lines = 32;
            e->step = e->stride[0] = (int64_t)(UINT64_C(1) << bit);
            load()->addr = e->addr + ((uint64_t)(i / 4) << 61) - 1;
            entries[1].insn = e->insn;
            stride[e->insn].by[0] = e->step;
            loop(trips[i / 2 % 2]);
            estimate(64, 1, 1);
            ck_assert_double_ge(missed(), 0);
        }
}

int main(void)
{
    return run_tests("reuse", NULL, NULL);
}
