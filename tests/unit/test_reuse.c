/* Which cache level serves the accesses of hand-built traces. */
#include <stdlib.h>
#include "model_kernels.h"
#include "run_suite.h"
#include "select/time/reuse.h"

#define SAMPLE 4096
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

/* A GPU of one unit with a cache of so many lines. */
static void begin(size_t gx, size_t gy, size_t gz, unsigned lines)
{
    kb_start(&kb);
    launch = (struct launch){.dim = 3, .global = {gx, gy, gz}, .args = args};
    dev = (struct device){.units = 1, .warp = 32, .line_bytes = 64};
    dev.cache[0] = (struct dev_cache){.bytes = (uint64_t)lines * 64, .line_bytes = 64};
    trace = (struct trace){.entry = entries, .loop = loops};
    memset(stride, 0, sizeof stride);
}

/* An access of one line to a buffer of its own. */
static struct trace_entry *load(void)
{
    const uint32_t buffer = kb_buffer(&kb, SUM_GLOBAL);
    struct trace_entry *e = &entries[trace.nentry++];
    *e = (struct trace_entry){.mem = TRACE_GLOBAL, .lines = 1, .lanes = 32};
    e->addr = (uint64_t)trace.nentry << 32;
    e->insn = buffer;
    return e;
}

static void estimate(size_t lx, size_t ly, size_t lz)
{
    struct trace_prog p = {.k = &kb.k, .l = &launch, .d = &dev};
    const struct reuse_shape shape = {{lx, ly, lz}, dev.warp, 0, 1, false};
    void *scratch = malloc(reuse_scratch(SAMPLE));
    /* loads behind the leaves */
    kb_block(&kb);
    for (uint32_t e = 0; e < trace.nentry; e++) {
        const uint32_t v = kb_load(&kb, SUM_GLOBAL, entries[e].insn, 32, true);
        stride[v] = stride[entries[e].insn];
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
START_TEST(planes_smaller_than_a_warp)
{
    begin(4, 4, 8, 16);
    load();
    estimate(4, 4, 8);
    ck_assert_double_eq_tol(missed(), 1.0 / 4, 1e-6);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reuse");
    TCase *t = tcase_create("reuse");
    tcase_add_test(t, planes_smaller_than_a_warp);
    suite_add_tcase(s, t);
    return run_suite(s);
}
