/* Traces of hand-built kernels: counts, masks, transactions, loops. */
#include <errno.h>
#include <stdlib.h>
#include "model_kernels.h"
#include "run_suite.h"
#include "select/trace/trace.h"

static struct kb kb;
static struct launch_arg args[8];
static struct launch launch;
static struct device dev;
static struct arena arena;
static struct trace_prog prog;
static struct trace_entry entries[TRACE_ENTRIES];
static struct trace_loop loops[TRACE_LOOPS];
static struct trace trace;

static uint64_t state;
static unsigned rnd(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

static void begin(size_t gx, size_t gy, int64_t n)
{
    const char *why = "";
    ck_assert_msg(sum_check(&kb.k, &why) == 0, "%s", why);
    launch_fill(&launch, args, &kb, gx, gy, 16 << 20, n);
    dev = (struct device){.warp = 32, .line_bytes = 64, .local_banks = 32, .local_bank_bytes = 4};
    ck_assert_int_eq(trace_prepare(&prog, &kb.k, &launch, &dev, &arena), 0);
}

static int warp(size_t lx, size_t ly, size_t group_x, size_t group_y, size_t first, uint32_t lanes)
{
    struct trace_place at = {{lx, ly, 1}, {group_x, group_y, 0}, first, lanes};
    trace.entry = entries;
    trace.loop = loops;
    return trace_run(&prog, &at, &trace);
}

static void end(void)
{
    trace_done(&prog);
    arena_free(&arena);
}

TEST(coalesced_and_not)
{
    kb_copy(&kb, false, true);
    begin(1024, 1024, 1024);
    ck_assert_int_eq(warp(32, 1, 3, 5, 0, 32), 0);
    ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][0], 2);  /* 32 floats: two lines */
    ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][1], 32); /* a column */
    ck_assert_uint_eq(trace.nentry, 2);
    ck_assert_int_eq(entries[1].step, 4096);
    ck_assert_uint_eq(entries[0].addr - (UINT64_C(1) << 32), (5 * 1024 + 96) * 4);
    ck_assert_int_eq(warp(8, 4, 0, 0, 0, 32), 0); /* four rows of eight */
    ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][0], 4);
    ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][1], 8);
    end();
}

TEST(cpu_gathers)
{
    kb_copy(&kb, false, true);
    begin(1024, 1024, 2); /* pitch of two: the column's lanes are 8 bytes apart */
    dev.is_cpu = true;
    ck_assert_int_eq(warp(16, 1, 0, 0, 0, 16), 0);
    ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][0], 1);
    ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][1], 16);
    end();
}

TEST(guard_masks_lanes)
{
    kb_saxpy(&kb);
    begin(128, 1, 40);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
    ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], 1);
    ck_assert_int_eq(warp(32, 1, 1, 0, 0, 32), 0); /* items 32..63, eight of them inside */
    ck_assert_uint_eq(entries[0].lanes, 8);
    ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][0], 2);
    ck_assert_int_eq(warp(32, 1, 2, 0, 0, 32), 0);
    ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], 0);
    ck_assert_double_eq(trace.sum.ops[SUM_C_BRANCH], 1);
    ck_assert(!trace.pessimistic && !trace.estimated);
    ck_assert_int_eq(warp(100, 1, 1, 0, 0, 32), 0); /* group 1 of 100: 28 items are left in the range */
    ck_assert_uint_eq(trace.lanes, 28);
    end();
}

/* if (gid < q.count) fma;  q is passed by value, `count` lies `at` bytes in. */
static void by_value(uint32_t size, int64_t at)
{
    kb_start(&kb);
    uint32_t q = kb_scalar(&kb, 64), x = kb_wi(&kb, SUM_WI_LOCAL_ID, 0), by = kb_const(&kb, 64, at);
    kb.arg[0].size = size; /* a pointer to the private copy */
    kb_block(&kb);
    uint32_t count = kb_load(&kb, SUM_PRIVATE, kb_int(&kb, SUM_PTRADD, 64, q, by), 32, false);
    count = kb_insn(&kb, (struct sum_insn){.op = SUM_SEXT, .bits = 64}, 1, count);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, x, count), 1, 2);
    kb_block(&kb);
    kb_pure(&kb, SUM_C_FMA, x, x);
    kb_br(&kb, 2);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
}

TEST(structs_by_value_are_known)
{
    static const uint32_t sizes[] = {4, 8, 12, 64};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int64_t at = 0; at <= 8; at += 4) {
            const bool inside = at + 4 <= sizes[i], taken = at == 4;
            by_value(sizes[i], at);
            begin(64, 1, INT64_C(40) << 32); /* {0, 40, 0} */
            ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
            ck_assert_int_eq(trace.pessimistic, !inside);
            ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], !inside || taken);
            end();
        }
}

/* while (q.n > 0) { fma; q.n = 0; }  what the copy holds is no longer what was passed */
TEST(structs_by_value_may_change)
{
    kb_start(&kb);
    uint32_t q = kb_scalar(&kb, 64), x = kb_wi(&kb, SUM_WI_LOCAL_ID, 0), zero = kb_const(&kb, 32, 0);
    kb.arg[0].size = 16;
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb);
    uint32_t n = kb_load(&kb, SUM_PRIVATE, q, 32, false);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SGT, n, zero), 2, 3);
    kb_block(&kb);
    kb_pure(&kb, SUM_C_FMA, x, x);
    kb_store(&kb, SUM_PRIVATE, q, zero);
    kb_br(&kb, 1);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
    begin(64, 1, 1);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
    ck_assert(trace.estimated);
    end();
}

/* One access of each lane to `bytes` bytes, `apart` bytes from the next lane's. */
static void wide(uint32_t bytes, int64_t apart)
{
    kb_start(&kb);
    uint32_t in = kb_buffer(&kb, SUM_GLOBAL), x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0);
    uint32_t size = kb_const(&kb, 64, apart);
    kb_block(&kb);
    uint32_t v = kb_load(&kb, SUM_GLOBAL, kb_at(&kb, in, x, size), 64, false);
    kb.insn[v].bytes = bytes;
    kb_ret(&kb);
    kb_end(&kb);
}

/* Vectors of lanes side by side are loaded at once, in either order; all else is a gather. */
TEST(cpu_loads_backwards)
{
    static const struct {
        int64_t apart;
        unsigned transactions;
    } lanes[] = {{4, 1}, {-4, 2}, {0, 1}, {8, 16}, {-8, 16}};
    for (unsigned i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        wide(4, lanes[i].apart);
        begin(1024, 1, 0);
        dev.is_cpu = true;
        ck_assert_int_eq(warp(16, 1, 1, 0, 0, 16), 0);
        ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][0], lanes[i].transactions);
        end();
    }
}

/* Lines of the widest accesses are all counted; where they lie is told from those that are kept. */
TEST(more_lines_than_are_kept)
{
    for (uint32_t lines = 2; lines <= SUM_MAX_ACCESS / 64; lines *= 2)
        for (int gaps = 0; gaps < 2; gaps++) {
            const uint64_t all = 64 * (uint64_t)lines, kept = all < 256 ? all : 256;
            const uint64_t rows = gaps ? (kept - 1) / lines : 0; /* gaps before the last of those kept */
            wide(lines * 64, lines * 64 * (1 + gaps));
            begin(1024, 1, 0);
            ck_assert_int_eq(warp(64, 1, 0, 0, 0, 64), 0);
            ck_assert_uint_eq(entries[0].lines, all < UINT16_MAX ? all : UINT16_MAX);
            ck_assert_int_eq(entries[0].step, (kept - 1 + rows * lines) * 64 / (kept - 1));
            for (unsigned i = 0; i < TRACE_FEW; i++) {
                const uint64_t at = i * kept / TRACE_FEW;
                ck_assert_uint_eq(entries[0].at[i], (at + gaps * (at / lines * lines)) * 64);
            }
            end();
        }
}

/* A global offset moves the addresses, not the guard's masks: here out of step with the lines. */
TEST(offsets_shift_addresses)
{
    kb_saxpy(&kb);
    begin(128, 1, 1000);
    launch.offset[0] = 5;
    ck_assert_int_eq(warp(32, 1, 1, 0, 0, 32), 0);
    ck_assert_uint_eq(entries[0].addr - (UINT64_C(1) << 32), (32 + 5) * 4);
    ck_assert_double_eq(trace.sum.accesses[TRACE_GLOBAL][0], 2);
    ck_assert_double_eq(trace.sum.transactions[TRACE_GLOBAL][0],
                        6); /* two accesses of 128 bytes: three lines */
    ck_assert_double_eq(trace.sum.lane_bytes[TRACE_GLOBAL][0], 2 * 128);
    end();
}

/* out = in, texel by texel */
static void copy_image(void)
{
    kb_start(&kb);
    uint32_t image[2];
    for (unsigned i = 0; i < 2; i++) {
        image[i] = kb_buffer(&kb, SUM_GLOBAL);
        kb.arg[i].kind = SUM_ARG_IMAGE;
    }
    uint32_t x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0), y = kb_wi(&kb, SUM_WI_GLOBAL_ID, 1);
    kb_block(&kb);
    struct sum_insn read = {
        .op = SUM_IMAGE_READ, .cls = SUM_C_IMAGE, .bits = 32, .lanes = 4, .space = SUM_GLOBAL};
    struct sum_insn write = {.op = SUM_IMAGE_WRITE, .cls = SUM_C_IMAGE, .space = SUM_GLOBAL};
    read.flags = SUM_F_FLOAT;
    read.bytes = write.bytes = 16;
    uint32_t texel = kb_insn(&kb, read, 3, image[0], x, y);
    kb_insn(&kb, write, 4, image[1], texel, x, y);
    kb_ret(&kb);
    kb_end(&kb);
}

/* Lines of 64 bytes are tiles of 4 x 4 texels of 4 bytes on a GPU, rows on a CPU. */
TEST(images_are_tiled)
{
    static const struct {
        size_t x, y;
        unsigned gpu;
    } shape[] = {{32, 1, 8}, {8, 4, 2}, {4, 8, 2}, {1, 32, 8}, {16, 2, 4}};
    copy_image();
    begin(1024, 1024, 0);
    for (unsigned i = 0; i < sizeof shape / sizeof *shape; i++) {
        ck_assert_int_eq(warp(shape[i].x, shape[i].y, 2, 3, 0, 32), 0);
        ck_assert_double_eq(trace.sum.transactions[TRACE_IMAGE][0], shape[i].gpu);
        ck_assert_double_eq(trace.sum.transactions[TRACE_IMAGE][1], shape[i].gpu);
        ck_assert_double_eq(trace.sum.lane_bytes[TRACE_IMAGE][0], 128);
        ck_assert_double_eq(trace.sum.ops[SUM_C_IMAGE], 2); /* once per texel, not per component */
    }
    dev.is_cpu = true;
    ck_assert_int_eq(warp(16, 1, 2, 3, 0, 16), 0);
    ck_assert_double_eq(trace.sum.transactions[TRACE_IMAGE][0], 1);
    ck_assert_int_eq(warp(1, 16, 2, 3, 0, 16), 0);
    ck_assert_double_eq(trace.sum.transactions[TRACE_IMAGE][0], 16);
    end();
}

/* More work-items than a number holds: the size of a texel cannot be told. */
TEST(images_of_huge_ranges)
{
    copy_image();
    begin(1024, 1024, 0);
    launch.global[0] = launch.global[1] = (size_t)1 << 32;
    ck_assert_int_eq(warp(32, 1, 2, 3, 0, 32), 0);
    ck_assert_double_eq(trace.sum.lane_bytes[TRACE_IMAGE][0], 128);
    end();
}

/* Multiplied loops count what walking them would. */
TEST(loop_is_multiplied)
{
    static const int64_t trips[] = {0, 1, 2, 3, 4, 5, 6, 7, 100, 4096, 1000003};
    for (unsigned i = 0; i < sizeof trips / sizeof *trips; i++) {
        kb_matvec(&kb, true);
        begin(2048, 1, trips[i]);
        ck_assert_int_eq(warp(32, 1, 1, 0, 0, 32), 0);
        ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], (double)trips[i]);
        ck_assert_double_eq(trace.sum.accesses[TRACE_GLOBAL][0], 2.0 * (double)trips[i]);
        ck_assert_double_eq(trace.sum.ops[SUM_C_BRANCH], 2.0 * (double)trips[i] + 2);
        ck_assert_double_eq(trace.sum.accesses[TRACE_GLOBAL][1], 1);
        ck_assert(!trace.estimated && !trace.pessimistic);
        if (trips[i] >= 100) {
            ck_assert_uint_eq(trace.nloop, 1);
            ck_assert_double_eq_tol(loops[0].trip, (double)trips[i], 1.5);
            ck_assert_uint_eq(trace.nentry, 3);
            ck_assert_int_eq(entries[0].stride[0], trips[i] * 4);
            ck_assert_int_eq(entries[1].stride[0], 4);
            ck_assert_uint_lt(prog.steps, 200);
        }
        end();
    }
}

/* for (i = 0; i < n; i++) s = special(s * s) + x, where only the product and the sum wait for the last s */
TEST(recurrence_of_a_loop)
{
    for (int64_t trips = 0; trips <= 5000; trips = trips * 7 + 1)
        for (int independent = 0; independent < 2; independent++) {
            kb_start(&kb);
            uint32_t n = kb_scalar(&kb, 64), x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0);
            uint32_t zero = kb_const(&kb, 64, 0), one = kb_const(&kb, 64, 1);
            kb_block(&kb);
            kb_br(&kb, 1);
            kb_block(&kb);
            uint32_t i = kb.k.ninsn;
            kb_phi(&kb, 64, 0, zero, 2, i + 7);
            kb_phi(&kb, 32, 0, zero, 2, i + 6);
            kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, i, n), 2, 3);
            kb_block(&kb);
            uint32_t aside = kb_pure(&kb, SUM_C_SPECIAL, x, x);
            uint32_t product = kb_pure(&kb, SUM_C_FMUL, independent ? aside : i + 1, aside);
            kb_pure(&kb, SUM_C_FADD, product, x);
            kb_int(&kb, SUM_ADD, 64, i, one);
            kb_br(&kb, 1);
            kb_block(&kb);
            kb_ret(&kb);
            kb_end(&kb);
            begin(2048, 1, trips);
            trace_done(&prog);
            dev.latency[SUM_C_FMUL] = 3.25;
            dev.latency[SUM_C_FADD] = 4.5;
            dev.latency[SUM_C_SPECIAL] = 60;
            dev.latency[SUM_C_IADD] = 1;
            ck_assert_int_eq(trace_prepare(&prog, &kb.k, &launch, &dev, &arena), 0);
            ck_assert_int_eq(warp(32, 1, 1, 0, 0, 32), 0);
            ck_assert_double_eq_tol(trace.sum.chain, (double)(trips + 1) * (independent ? 1 : 7.75), 0.01);
            end();
        }
}

/* for (i = 0; i < gid; i++) fma: lanes leave one after another. */
static void triangle(void)
{
    kb_start(&kb);
    uint32_t out = kb_buffer(&kb, SUM_GLOBAL), x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0);
    uint32_t zero = kb_const(&kb, 64, 0), one = kb_const(&kb, 64, 1);
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb);
    uint32_t i = kb.k.ninsn;
    kb_phi(&kb, 64, 0, zero, 2, i + 4);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, i, x), 2, 3);
    kb_block(&kb);
    kb_pure(&kb, SUM_C_FMA, i, i);
    kb_int(&kb, SUM_ADD, 64, i, one);
    kb_br(&kb, 1);
    kb_block(&kb);
    kb_store(&kb, SUM_GLOBAL, out, zero);
    kb_ret(&kb);
    kb_end(&kb);
}

TEST(lanes_leave_one_by_one)
{
    triangle();
    begin(4096, 1, 0);
    ck_assert_int_eq(warp(32, 1, 100, 0, 0, 32), 0);
    ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], 100 * 32 + 31); /* as long as the longest lane */
    ck_assert_double_eq(trace.sum.accesses[TRACE_GLOBAL][1], 1);  /* together again behind the loop */
    ck_assert_uint_eq(entries[trace.nentry - 1].lanes, 32);
    end();
}

/* for (i = 0; i < n; i++) for (j = 0; j < i; j++) fma: an arithmetic series. */
TEST(nest_grows_linearly)
{
    kb_start(&kb);
    uint32_t n = kb_scalar(&kb, 64), zero = kb_const(&kb, 64, 0), one = kb_const(&kb, 64, 1);
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb); /* 1: outer header */
    uint32_t i = kb.k.ninsn, j = i + 3, fma = j + 3;
    kb_phi(&kb, 64, 0, zero, 4, fma + 3);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, i, n), 2, 5);
    kb_block(&kb); /* 2: inner header */
    kb_phi(&kb, 64, 1, zero, 3, fma + 1);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, j, i), 3, 4);
    kb_block(&kb); /* 3 */
    kb_pure(&kb, SUM_C_FMA, j, j);
    kb_int(&kb, SUM_ADD, 64, j, one);
    kb_br(&kb, 2);
    kb_block(&kb); /* 4 */
    kb_int(&kb, SUM_ADD, 64, i, one);
    kb_br(&kb, 1);
    kb_block(&kb); /* 5 */
    kb_ret(&kb);
    kb_end(&kb);
    begin(64, 1, 1000);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
    ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], 1000.0 * 999 / 2);
    ck_assert_uint_lt(prog.steps, 20000);
    end();
}

/* if (in[gid] == 0) special; else fma; then a store: both sides, together again. */
TEST(unknown_branch_takes_both)
{
    kb_start(&kb);
    uint32_t in = kb_buffer(&kb, SUM_GLOBAL), x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0);
    uint32_t zero = kb_const(&kb, 32, 0), one = kb_const(&kb, 64, 1), two = kb_const(&kb, 64, 2);
    uint32_t four = kb_const(&kb, 64, 4);
    kb_block(&kb);
    uint32_t v = kb_load(&kb, SUM_GLOBAL, kb_at(&kb, in, x, four), 32, false);
    kb_condbr(&kb, kb_cmp(&kb, SUM_EQ, v, zero), 1, 2);
    kb_block(&kb);
    kb_pure(&kb, SUM_C_SPECIAL, v, v);
    kb_br(&kb, 3);
    kb_block(&kb);
    kb_pure(&kb, SUM_C_FMA, v, v);
    kb_br(&kb, 3);
    kb_block(&kb);
    uint32_t differ = kb_phi(&kb, 64, 1, one, 2, two), same = kb_phi(&kb, 64, 1, two, 2, two);
    kb_store(&kb, SUM_GLOBAL, kb_at(&kb, in, differ, four), v);
    kb_store(&kb, SUM_GLOBAL, kb_at(&kb, in, same, four), v);
    kb_ret(&kb);
    kb_end(&kb);
    begin(64, 1, 0);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
    ck_assert(trace.pessimistic);
    ck_assert_double_eq(trace.sum.ops[SUM_C_SPECIAL], 1);
    ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], 1);
    ck_assert_uint_eq(trace.nentry, 3);
    ck_assert(entries[1].unknown); /* one or two: not known; worst case */
    ck_assert_uint_eq(entries[1].lines, 32);
    ck_assert_uint_eq(entries[1].extent, 16 << 20);
    ck_assert(!entries[2].unknown); /* two on both paths */
    ck_assert_uint_eq(entries[2].lines, 1);
    end();
}

/* for (i = 0; i < limit; i++) fma, where limit is loaded: 16 iterations, or elements per work-item. */
static void unknown_loop(bool known_limit)
{
    kb_start(&kb);
    uint32_t in = kb_buffer(&kb, SUM_GLOBAL), n = kb_scalar(&kb, 64), x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0);
    uint32_t zero = kb_const(&kb, 64, 0), one = kb_const(&kb, 64, 1), eight = kb_const(&kb, 64, 8);
    kb_block(&kb);
    uint32_t limit = kb_load(&kb, SUM_GLOBAL, kb_at(&kb, in, x, eight), 64, false);
    kb_br(&kb, 1);
    kb_block(&kb);
    uint32_t i = kb.k.ninsn;
    kb_phi(&kb, 64, 0, zero, 3, i + 6);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, i, limit), 2, 4);
    kb_block(&kb);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, i, known_limit ? n : limit), 3, 4);
    kb_block(&kb);
    kb_pure(&kb, SUM_C_FMA, i, i);
    kb_int(&kb, SUM_ADD, 64, i, one);
    kb_br(&kb, 1);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
}

TEST(unknown_trip_count)
{
    unknown_loop(false);
    begin(64, 1, 0);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
    ck_assert(trace.estimated);
    ck_assert_double_eq_tol(trace.sum.ops[SUM_C_FMA], 16, 1);
    end();
    unknown_loop(true); /* a known exit decides: while (x[i] && i < n) */
    begin(64, 1, 500);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
    ck_assert(trace.pessimistic);
    ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], 500);
    end();
}

/* v = gid; while (v != 0) v = in[v]: the first decision is known and lane 0 leaves, the others are not known.
 * The first iteration's address is known, so the second stands for the rest. */
TEST(known_at_first_only)
{
    kb_start(&kb);
    uint32_t in = kb_buffer(&kb, SUM_GLOBAL), x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0);
    uint32_t zero = kb_const(&kb, 64, 0), eight = kb_const(&kb, 64, 8);
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb);
    uint32_t v = kb.k.ninsn;
    kb_phi(&kb, 64, 0, x, 2, v + 5);
    kb_condbr(&kb, kb_cmp(&kb, SUM_NE, v, zero), 2, 3);
    kb_block(&kb);
    uint32_t loaded = kb_load(&kb, SUM_GLOBAL, kb_at(&kb, in, v, eight), 64, false);
    ck_assert_uint_eq(loaded, v + 5);
    kb_br(&kb, 1);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
    begin(64, 1, 0);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
    ck_assert(trace.estimated);
    const double trips = 4096; /* as many elements per work-item as are thought possible */
    ck_assert_double_eq(trace.sum.accesses[TRACE_GLOBAL][0], trips);
    ck_assert_double_eq(trace.sum.lane_accesses[TRACE_GLOBAL][0], trips * 31);
    ck_assert_uint_eq(trace.nloop, 1);
    ck_assert_double_eq(trace.loop[0].trip, trips - 1);
    ck_assert(!entries[trace.loop[0].begin - 1].unknown);
    end();
}

/* while (unknown && i < n), the form that one branch for both conditions takes */
TEST(partly_unknown_condition)
{
    kb_start(&kb);
    uint32_t n = kb_scalar(&kb, 64), zero = kb_const(&kb, 64, 0), one = kb_const(&kb, 64, 1);
    uint32_t no = kb_const(&kb, 1, 0), secret = kb_leaf(&kb, SUM_OPAQUE, 0, 64, 0);
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb);
    uint32_t i = kb.k.ninsn;
    kb_phi(&kb, 64, 0, zero, 2, i + 6);
    uint32_t a = kb_cmp(&kb, SUM_SLT, i, secret), b = kb_cmp(&kb, SUM_SLT, i, n);
    uint32_t c = kb_insn(&kb, (struct sum_insn){.op = SUM_SELECT, .cls = SUM_C_IADD, .bits = 1}, 3, a, b, no);
    kb_condbr(&kb, c, 2, 3);
    kb_block(&kb);
    kb_pure(&kb, SUM_C_FMA, i, i);
    kb_int(&kb, SUM_ADD, 64, i, one);
    kb_br(&kb, 1);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
    begin(64, 1, 777);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
    ck_assert(trace.pessimistic && !trace.estimated);
    ck_assert_double_eq(trace.sum.ops[SUM_C_FMA], 777);
    end();
}

TEST(endless_loop_is_refused)
{
    kb_start(&kb);
    uint32_t zero = kb_const(&kb, 64, 0), one = kb_const(&kb, 64, 1);
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb);
    uint32_t i = kb.k.ninsn;
    kb_phi(&kb, 64, 0, zero, 1, i + 1);
    kb_int(&kb, SUM_XOR, 64, i, one);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SGE, i, zero), 1, 2);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
    begin(64, 1, 0);
    ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), -E2BIG);
    end();
}

/* Two blocks that jump into each other's cycle: no natural loop, still walked, or refused by the budget. */
TEST(irreducible_is_walked)
{
    kb_start(&kb);
    uint32_t x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0), zero = kb_const(&kb, 64, 0), one = kb_const(&kb, 64, 1);
    uint32_t n = kb_const(&kb, 64, 40), sixteen = kb_const(&kb, 64, 16);
    kb_block(&kb);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, x, sixteen), 1, 2);
    kb_block(&kb); /* 1 */
    uint32_t a = kb.k.ninsn;
    kb_phi(&kb, 64, 0, zero, 2, a + 4);
    uint32_t a1 = kb_int(&kb, SUM_ADD, 64, a, one);
    kb_br(&kb, 2);
    kb_block(&kb); /* 2 */
    uint32_t b = kb_phi(&kb, 64, 0, one, 1, a1);
    kb_int(&kb, SUM_ADD, 64, b, one);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, b, n), 1, 3);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
    begin(64, 1, 0);
    int e = warp(32, 1, 0, 0, 0, 32);
    ck_assert(e == 0 || e == -E2BIG);
    end();
}

/* Any graph of up to a dozen blocks, conditions known, divergent and unknown: walked
 * or refused, never worse. */
static void random_graph(void)
{
    kb_start(&kb);
    uint32_t in = kb_buffer(&kb, SUM_GLOBAL),
             leaf[5] = {kb_wi(&kb, SUM_WI_GLOBAL_ID, 0), kb_const(&kb, 64, 7)};
    leaf[2] = kb_wi(&kb, SUM_WI_LOCAL_ID, 0);
    leaf[3] = kb_const(&kb, 64, 40);
    leaf[4] = kb_leaf(&kb, SUM_OPAQUE, 0, 64, 0);
    unsigned blocks = 2 + rnd(11);
    for (unsigned b = 0; b < blocks; b++) {
        kb_block(&kb);
        uint32_t v = kb_int(&kb, (enum sum_op)(SUM_ADD + rnd(17)), 64, leaf[rnd(5)], leaf[rnd(5)]);
        if (rnd(3) == 0)
            v = kb_load(&kb, SUM_GLOBAL, kb_int(&kb, SUM_PTRADD, 64, in, v), 64, false);
        uint32_t c = kb_cmp(&kb, (enum sum_pred)(rnd(10)), v, leaf[rnd(5)]);
        uint32_t next = b + 1, any = 1 + rnd(blocks - 1); /* every block is reached */
        bool turned = rnd(2);
        if (b == blocks - 1)
            kb_ret(&kb);
        else if (rnd(6) == 0)
            kb_br(&kb, next);
        else
            kb_condbr(&kb, c, turned ? any : next, turned ? next : any);
    }
    kb_end(&kb);
    begin(256, 1, 0);
    prog.budget = 20000;
    int e = warp(24, 1, 1, 0, 0, 32);
    ck_assert(e == 0 || e == -E2BIG);
    end();
}

/* Many to a process, because under a sanitizer a process takes longer to begin than a graph to be walked. */
#define GRAPHS_TOGETHER 50

LOOPED_TEST(random_graphs, 1500 / GRAPHS_TOGETHER)
{
    for (int i = 0; i < GRAPHS_TOGETHER; i++) {
        state = (uint64_t)(_i * GRAPHS_TOGETHER + i) * 2654435761u + 1;
        random_graph();
    }
}

/* [R] 6.1: three operations, two of them in a row.  Loads that do not wait for each other pass together. */
TEST(what_a_warp_overlaps)
{
    kb_start(&kb);
    uint32_t in = kb_buffer(&kb, SUM_GLOBAL), x = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0);
    uint32_t eight = kb_const(&kb, 64, 8), one = kb_const(&kb, 32, 1);
    kb_block(&kb);
    uint32_t e = kb_pure(&kb, SUM_C_FADD, one, one), f = kb_pure(&kb, SUM_C_FADD, one, one);
    kb_pure(&kb, SUM_C_FMUL, e, f);
    uint32_t a = kb_load(&kb, SUM_GLOBAL, kb_at(&kb, in, x, eight), 64, false);
    uint32_t b = kb_load(&kb, SUM_GLOBAL, in, 64, false);
    kb_load(&kb, SUM_GLOBAL, kb_at(&kb, in, a, eight), 64, false);
    kb_ret(&kb);
    kb_end(&kb);
    begin(1024, 1, 0);
    for (int gpu = 1; gpu >= 0; gpu--) {
        trace_done(&prog);
        dev.is_cpu = !gpu;
        dev.latency[SUM_C_FADD] = dev.latency[SUM_C_FMUL] = 10;
        ck_assert_int_eq(trace_prepare(&prog, &kb.k, &launch, &dev, &arena), 0);
        ck_assert_double_eq_tol((double)prog.ilp[0], gpu ? 1.5 : 1, 1e-6);
        ck_assert_double_eq_tol((double)prog.mlp[prog.access[b]], gpu ? 1.5 : 1, 1e-6);
        ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
        ck_assert_double_eq_tol(trace.sum.hidden[UNIT_ARITHMETIC], gpu ? 10 : 0, 1e-4);
        ck_assert_double_eq_tol(trace.sum.hidden_loads[TRACE_GLOBAL], gpu ? 1 : 0, 1e-6);
    }
    end();
}

TEST(lines_and_banks)
{
    uint64_t a[32], first[32];
    int64_t step;
    for (unsigned stride = 1; stride <= 33; stride++) {
        unsigned gcd = stride & -stride;
        for (unsigned i = 0; i < 32; i++)
            a[i] = (uint64_t)i * stride * 4;
        /* [R] 3.3: gcd(banks, stride) lanes meet in a bank */
        ck_assert_uint_eq(memory_conflicts(a, 32, 4, 32, 4), gcd < 32 ? gcd : 32);
        ck_assert_uint_eq(memory_lines(a, 32, 4, 128, first, 32, &step),
                          (31 * stride * 4 + 3) / 128 + 1 < 32 ? (31 * stride * 4 + 3) / 128 + 1 : 32);
    }
    for (unsigned i = 0; i < 32; i++)
        a[i] = 64;
    ck_assert_uint_eq(memory_conflicts(a, 32, 4, 32, 4), 1); /* broadcast */
    ck_assert_uint_eq(memory_collisions(a, 32, 32, 4), 32);
    ck_assert_uint_eq(memory_lines(a, 32, 4, 128, first, 32, &step), 1);
    for (unsigned i = 0; i < 32; i++)
        a[i] = (uint64_t)i * 8;
    ck_assert_uint_eq(memory_conflicts(a, 32, 8, 32, 8), 1); /* 8-byte banks ([C] 2.5) */
    ck_assert_uint_eq(memory_conflicts(a, 32, 8, 32, 4), 2);
    for (unsigned i = 0; i < 32; i++)
        a[i] = (uint64_t)(i % 8) * 4;
    ck_assert_uint_eq(memory_conflicts(a, 32, 4, 32, 4), 1);
    ck_assert_uint_eq(memory_collisions(a, 32, 32, 4), 4); /* a histogram of eight bins */
    a[0] = 60;                                             /* eight bytes across a line's end */
    ck_assert_uint_eq(memory_lines(a, 1, 8, 64, first, 32, &step), 2);
    ck_assert_int_eq(step, 4);
    a[0] = 0;
    a[1] = 4096;
    a[2] = 100;
    ck_assert_uint_eq(memory_lines(a, 3, 4, 64, first, 32, &step), 3); /* any order */
    ck_assert(first[0] == 0 && first[1] == 100 && first[2] == 4096);
}

struct accumulator {
    bool restricted, barrier, sometimes, other_store;
    double loads, stores; /* expected */
};

/* for (k = 0; k < n; k++) y[r] += a[k];  with a barrier, only while k < 5, or with z[k] = 0 besides */
static void accumulate(const struct accumulator *with)
{
    kb_start(&kb);
    uint32_t a = kb_buffer(&kb, SUM_GLOBAL), y = kb_buffer(&kb, SUM_GLOBAL), z = kb_buffer(&kb, SUM_GLOBAL);
    kb.arg[1].restricted = with->restricted;
    uint32_t n = kb_scalar(&kb, 64), r = kb_wi(&kb, SUM_WI_GLOBAL_ID, 0), zero = kb_const(&kb, 64, 0);
    uint32_t one = kb_const(&kb, 64, 1), four = kb_const(&kb, 64, 4), five = kb_const(&kb, 64, 5);
    kb_block(&kb);
    kb_br(&kb, 1);
    kb_block(&kb);
    uint32_t k = kb_phi(&kb, 64, 0, zero, 4, 0);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, k, n), 2, 5);
    kb_block(&kb);
    uint32_t x = kb_load(&kb, SUM_GLOBAL, kb_at(&kb, a, k, four), 32, true), at = kb_at(&kb, y, r, four);
    uint32_t sum = kb_pure(&kb, SUM_C_FMA, x, kb_load(&kb, SUM_GLOBAL, at, 32, true));
    if (with->barrier)
        kb_insn(&kb, (struct sum_insn){.op = SUM_BARRIER, .cls = SUM_C_BARRIER}, 0);
    if (with->other_store)
        kb_store(&kb, SUM_GLOBAL, kb_at(&kb, z, k, four), zero);
    kb_condbr(&kb, kb_cmp(&kb, SUM_SLT, with->sometimes ? k : zero, five), 3, with->sometimes ? 4 : 3);
    kb_block(&kb);
    kb_store(&kb, SUM_GLOBAL, at, sum);
    kb_br(&kb, 4);
    kb_block(&kb);
    kb.opnd[kb.insn[k].opnd + 3] = kb_int(&kb, SUM_ADD, 64, k, one);
    kb_br(&kb, 1);
    kb_block(&kb);
    kb_ret(&kb);
    kb_end(&kb);
}

/* What a compiler may keep in a register is loaded and stored once; what it may not, each time. */
TEST(accumulators_are_kept)
{
    static const struct accumulator cases[] = {
        {.restricted = true, .loads = 101, .stores = 1},
        {.loads = 101, .stores = 100}, /* a may be what is stored */
        {.restricted = true, .barrier = true, .loads = 200, .stores = 100},
        {.restricted = true, .sometimes = true, .loads = 200, .stores = 5},
        {.restricted = true, .other_store = true, .loads = 101, .stores = 101},
        {.other_store = true, .loads = 200, .stores = 200}, /* z may be y */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct accumulator *c = &cases[i];
        accumulate(c);
        begin(1024, 1, 100);
        dev.latency[SUM_C_FMA] = 4;
        ck_assert_int_eq(chain_find(&prog), 0);
        ck_assert_int_eq(warp(32, 1, 0, 0, 0, 32), 0);
        ck_assert_double_eq(trace.sum.accesses[TRACE_GLOBAL][0], c->loads);
        ck_assert_double_eq(trace.sum.accesses[TRACE_GLOBAL][1], c->stores);
        ck_assert_double_eq(trace.sum.lane_bytes[TRACE_GLOBAL][1], c->stores * 128);
        ck_assert_double_eq_tol(trace.sum.transactions[TRACE_GLOBAL][0], 100 + 2 * (c->loads - 100),
                                1e-9); /* a: one line, y: two */
        double times = 0;
        for (uint32_t e = 0; e < trace.nentry; e++)
            times += entries[e].mem == TRACE_GLOBAL && !entries[e].write ? trace_times(&trace, e) : 0;
        ck_assert(c->sometimes || times == c->loads);
        ck_assert_double_eq(prog.chain[1], c->loads < 200 ? 4 : 0);
        end();
    }
}

int main(void)
{
    return run_tests("trace", NULL, NULL);
}
