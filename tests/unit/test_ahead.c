/* test_ahead.c - jobs of clsizer-ahead and their answers: what is written is read back, and nothing malformed
 * is believed; processes that are to be humble are. */
#include "run_suite.h"

#include "analysis/summary/low_priority.h"
#include "shim/helper/ahead_job.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *written(size_t *size)
{
    static char file[] = "a folder\nof two lines/k.bin", answer[] = "/cache/k.ahead";
    static char source[] = "kernel void k(global int *p, local int *q, int n, global int *none) {}";
    struct ahead_arg arg[] = {
        {.kind = AHEAD_BUFFER, .bytes = 1ull << 33},
        {.kind = AHEAD_LOCAL, .bytes = 64},
        {.kind = AHEAD_VALUE, .bytes = 4, .value = {0xff, 0, 0x1a, 7}},
        {.kind = AHEAD_NULL},
        {.kind = AHEAD_IMAGE, .bytes = 4096, .number = {1, 0x10f1, 0x10b5, 0x10d2, 32, 31, 30, 29}},
        {.kind = AHEAD_SAMPLER, .number = {0, 0x1131, 0x1140}}};
    struct ahead_job j = {.answer = answer,
                          .kernel = "k",
                          .dim = 2,
                          .global = {1024, 768, 1},
                          .offset = {0, 3, 0},
                          .narg = 6,
                          .arg = arg,
                          .slices = true,
                          .trial = 2,
                          .binary = file,
                          .nsize = 2,
                          .size = {{64, 2, 1}, {256, 1, 1}},
                          .program = {.options = "-DA=\"b\nc\"",
                                      .device = "name|vendor|OpenCL 3.0",
                                      .bits = 64,
                                      .source = source,
                                      .source_bytes = sizeof source - 1}};
    char *text = NULL;
    FILE *f = open_memstream(&text, size);

    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(ahead_write(&j, f), 0);
    fclose(f);
    return text;
}

TEST(round_trip)
{
    struct ahead_job j;
    size_t size;
    char *text = written(&size);

    ck_assert_int_eq(ahead_read(text, size, &j), 0);
    ck_assert_str_eq(j.answer, "/cache/k.ahead");
    ck_assert_str_eq(j.kernel, "k");
    ck_assert_uint_eq(j.dim, 2);
    ck_assert_uint_eq(j.global[1], 768);
    ck_assert_uint_eq(j.offset[1], 3);
    ck_assert_uint_eq(j.narg, 6);
    ck_assert(j.arg[0].kind == AHEAD_BUFFER && j.arg[0].bytes == 1ull << 33);
    ck_assert(j.arg[1].kind == AHEAD_LOCAL && j.arg[1].bytes == 64);
    ck_assert(j.arg[2].kind == AHEAD_VALUE && j.arg[2].bytes == 4);
    ck_assert_mem_eq(j.arg[2].value, "\xff\0\x1a\7", 4);
    ck_assert(j.arg[3].kind == AHEAD_NULL);
    ck_assert(j.arg[4].kind == AHEAD_IMAGE && j.arg[4].bytes == 4096);
    ck_assert(j.arg[4].number[AHEAD_TYPE] == 0x10f1 && j.arg[4].number[AHEAD_LAYERS] == 29);
    ck_assert(j.arg[5].kind == AHEAD_SAMPLER && j.arg[5].number[AHEAD_FILTER] == 0x1140);
    ck_assert(j.slices);
    ck_assert_uint_eq(j.trial, 2);
    ck_assert_str_eq(j.binary, "a folder\nof two lines/k.bin");
    ck_assert_uint_eq(j.nsize, 2);
    ck_assert_uint_eq(j.size[1][0], 256);
    ck_assert_str_eq(j.program.options, "-DA=\"b\nc\"");
    ahead_free(&j);
    free(text);
}

TEST(truncated)
{
    struct ahead_job j;
    size_t size;
    char *text = written(&size);

    for (size_t n = 0; n < size; n++)
        ck_assert_int_ne(ahead_read(text, n, &j), 0);
    free(text);
}

/* Every byte in turn replaced by each of a few: no crash (sanitizers watch), no more than there is
 * room for. */
TEST(damaged)
{
    static const char replacements[] = {'0', '9', ' ', '\n', 'z', '\0', '-'};
    struct ahead_job j;
    size_t size;
    char *text = written(&size);

    for (size_t i = 0; i < size; i++)
        for (unsigned k = 0; k < sizeof replacements; k++) {
            const char was = text[i];
            text[i] = replacements[k];
            if (ahead_read(text, size, &j) == 0) {
                ck_assert(j.dim >= 1 && j.dim <= 3);
                ck_assert(j.narg <= AHEAD_MOST_ARGS && j.nsize <= AHEAD_MOST_SIZES);
                ahead_free(&j);
            }
            text[i] = was;
        }
    free(text);
}

TEST(answers)
{
    static const struct {
        const char *text;
        int n;
        bool ended;
    } cases[] = {{"", 0, false},
                 {"end\n", 0, true},
                 {"64 1 1\n", 1, false},
                 {"64 1 1\n128 2 1\nend\n", 2, true},
                 {"64 1 1\ntook 5000000000\nend\n", 1, true},
                 {"worked 5\n", 0, false},
                 {"worked -5\n", -EINVAL, false},
                 {"took -5\n", -EINVAL, false},
                 {"took 9223372036854775808\n", -EINVAL, false},
                 {"took\n", -EINVAL, false},
                 {"64 1 1\nend\n128 1 1\n", -EINVAL, true},
                 {"64 1\n", -EINVAL, false},
                 {"64 1 1", -EINVAL, false},
                 {"-4 1 1\n", -EINVAL, false},
                 {"99999999999999999999 1 1\n", -EINVAL, false}};
    struct ahead_answer a;

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int error = ahead_read_answer(cases[i].text, strlen(cases[i].text), &a);
        ck_assert_int_eq(error ? error : a.n, cases[i].n);
        ck_assert(error || a.ended == cases[i].ended);
    }
    ck_assert_int_eq(ahead_read_answer("64 2 1\n", 7, &a), 0);
    ck_assert(a.n == 1 && a.local[0][0] == 64 && a.local[0][1] == 2 && a.local[0][2] == 1);
    ck_assert(a.took_ns == 0 && a.worked_ns == 0 && !a.young);
    ck_assert_int_eq(ahead_read_answer("64 2 1\ntook 5000000000\nworked 7\nend\n", 36, &a), 0);
    ck_assert(a.took_ns == 5000000000 && a.worked_ns == 7 && a.ended);
}

TEST(answers_have_an_end)
{
    static const char line[] = "1 1 1\n";
    const size_t length = strlen(line);
    char text[sizeof line * (AHEAD_MOST_SIZES + 1)];
    struct ahead_answer a;

    for (unsigned i = 0; i <= AHEAD_MOST_SIZES; i++)
        memcpy(text + i * length, line, sizeof line);
    ck_assert_int_eq(ahead_read_answer(text, AHEAD_MOST_SIZES * length, &a), 0);
    ck_assert_int_eq(a.n, AHEAD_MOST_SIZES);
    ck_assert_int_eq(ahead_read_answer(text, (AHEAD_MOST_SIZES + 1) * length, &a), -EINVAL);
}

/* A slice begins one group into the range, along a dimension that has another. */
TEST(slices)
{
    struct ahead_job j = {.dim = 2, .global = {64, 64, 1}, .offset = {8, 0, 0}};
    size_t offset[3];

    ck_assert(ahead_slice_offset(&j, (size_t[3]){16, 64, 1}, offset));
    ck_assert_mem_eq(offset, ((size_t[3]){24, 0, 0}), sizeof offset);
    ck_assert(ahead_slice_offset(&j, (size_t[3]){64, 32, 1}, offset));
    ck_assert_mem_eq(offset, ((size_t[3]){8, 32, 0}), sizeof offset);
    ck_assert(!ahead_slice_offset(&j, (size_t[3]){64, 64, 1}, offset));
}

/* The extent from which on PoCL compiles other code is reached where the application's is, and only there. */
TEST(ranges)
{
    const struct {
        size_t global[3], local[3], range[3];
    } c[] = {{{1024, 768, 1}, {64, 2, 1}, {64, 2, 1}},
             {{1 << 20, 1, 1}, {64, 1, 1}, {65536, 1, 1}},
             {{128, 1 << 17, 4}, {16, 48, 2}, {16, 65568, 2}},
             {{65540, 1, 1},
              {48, 1, 1},
              {65520, 1, 1}}}; /* rounded up, it would be larger than the application's */

    for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
        struct ahead_job j = {.dim = 3};
        size_t range[3];
        memcpy(j.global, c[i].global, sizeof j.global);
        ahead_range(&j, c[i].local, range);
        for (unsigned d = 0; d < 3; d++)
            ck_assert_uint_eq(range[d], c[i].range[d]);
    }
}

TEST(humble)
{
    int status;
    const pid_t child = fork();

    if (child == 0) {
        char memory[16] = "1000";
        FILE *f;

        humble_begin(HUMBLE_NICE);
        f = fopen("/proc/self/oom_score_adj", "r");
        if (f && !fgets(memory, sizeof memory, f))
            _exit(2);
        _exit(getpriority(PRIO_PROCESS, 0) >= HUMBLE_NICE && sched_getscheduler(0) == SCHED_BATCH &&
                      atoi(memory) == 1000
                  ? 0
                  : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

/* A binary of any bytes is read back; no change of the file, and no part of it, is believed. */
TEST(binaries)
{
    static const unsigned char binary[] = {0, 0x7f, 'E', 'L', 'F', '\n', 0xff, 0};
    const unsigned char *at;
    size_t size, bytes = 0;
    char *text = NULL;
    FILE *f = open_memstream(&text, &size);

    ck_assert_int_eq(ahead_write_binary(f, binary, sizeof binary), 0);
    fclose(f);
    at = ahead_read_binary(text, size, &bytes);
    ck_assert_ptr_nonnull(at);
    ck_assert_uint_eq(bytes, sizeof binary);
    ck_assert_mem_eq(at, binary, sizeof binary);
    for (size_t n = 0; n < size; n++)
        ck_assert_ptr_null(ahead_read_binary(text, n, &bytes));
    for (size_t i = 0; i < size; i++) {
        text[i] ^= 2;
        ck_assert_ptr_null(ahead_read_binary(text, size, &bytes));
        text[i] ^= 2;
    }
    ck_assert_ptr_nonnull(ahead_read_binary(text, size, &bytes));
    free(text);
}

int main(void)
{
    return run_tests("ahead", NULL, NULL);
}
