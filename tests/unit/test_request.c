/* test_request.c - the request file: what is written is read back, and nothing malformed is believed. */
#include "run_suite.h"

#include "analysis/summary/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *written(const struct req *r, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);

    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(req_write(r, f), 0);
    fclose(f);
    return text;
}

static struct req example(void)
{
    static char source[] = "kernel\nvoid k() {}\0tail";
    return (struct req){.options = "-DA=\"b c\"\n-w",
                        .extensions = "cl_khr_fp64 cl_khr_spir",
                        .device = "name|vendor|OpenCL 3.0 x",
                        .clversion = "OpenCL C 1.2 ",
                        .cwd = "/a b",
                        .bits = 32,
                        .images = true,
                        .source = source,
                        .source_bytes = sizeof source - 1};
}

TEST(round_trip)
{
    struct req in = example(), out;
    size_t size;
    char *text = written(&in, &size);

    ck_assert_int_eq(req_read(text, size, &out), 0);
    ck_assert_str_eq(out.options, in.options);
    ck_assert_str_eq(out.extensions, in.extensions);
    ck_assert_str_eq(out.features, "");
    ck_assert_str_eq(out.device, in.device);
    ck_assert_str_eq(out.clversion, in.clversion);
    ck_assert_str_eq(out.profile, "");
    ck_assert_str_eq(out.cwd, in.cwd);
    ck_assert_uint_eq(out.bits, 32);
    ck_assert(out.images && !out.big_endian);
    ck_assert_uint_eq(out.source_bytes, in.source_bytes);
    ck_assert_mem_eq(out.source, in.source, in.source_bytes);
    req_free(&out);
    free(text);
}

TEST(truncated)
{
    struct req in = example(), out;
    size_t size;
    char *text = written(&in, &size);

    for (size_t n = 0; n < size; n++) {
        char *part = malloc(n ? n : 1); /* exact, so that a read past the end is seen */
        memcpy(part, text, n);
        ck_assert_int_ne(req_read(part, n, &out), 0);
        free(part);
    }
    free(text);
}

TEST(mutated)
{
    static const char bytes[] = "\0\n 09az-";
    struct req in = example(), out;
    size_t size;
    char *text = written(&in, &size);

    srand(1);
    for (int i = 0; i < 20000; i++) {
        char *copy = malloc(size);
        memcpy(copy, text, size);
        for (int j = rand() % 4; j >= 0; j--)
            copy[(size_t)rand() % size] = bytes[(size_t)rand() % (sizeof bytes - 1)];
        if (req_read(copy, size, &out) == 0)
            req_free(&out);
        free(copy);
    }
    free(text);
}

TEST(limits)
{
    static const char huge[] = REQ_MAGIC "\nsource 99999999999\n";
    static const char negative[] = REQ_MAGIC "\nsource -1\n";
    static const char unknown[] = REQ_MAGIC "\ncolour red\nsource 0\n";
    struct req r = {.clversion = "two\nlines"}, out;
    FILE *f = fopen("/dev/null", "w");

    ck_assert_int_eq(req_read(huge, sizeof huge - 1, &out), -EFBIG);
    ck_assert_int_eq(req_read(negative, sizeof negative - 1, &out), -EINVAL);
    ck_assert_int_eq(req_read(unknown, sizeof unknown - 1, &out), -EINVAL);
    ck_assert_int_eq(req_write(&r, f), -EINVAL);
    fclose(f);
}

/* Two units with headers, contents with newlines and NUL bytes: as written, byte for byte. */
TEST(units)
{
    static char module[] = "\3\2#\7\0\0", text[] = "unit c 1 1 0\nkernel void k() {}", inner[] = "a\0b";
    struct req_header headers[] = {{"one.h", "", 0}, {"deep/two.h", inner, 3}};
    const struct req_unit in[] = {{REQ_C, "-DA=1", text, sizeof text - 1, 2, headers},
                                  {REQ_SPIRV, NULL, module, sizeof module - 1, 0, NULL}};
    char *whole = NULL;
    size_t size;
    FILE *f = open_memstream(&whole, &size);
    struct req_unit u;
    const char *at;

    ck_assert_int_eq(req_put_unit(&in[0], f), 0);
    ck_assert_int_eq(req_put_unit(&in[1], f), 0);
    fclose(f);
    at = whole;
    ck_assert_int_eq(req_take_unit(&at, whole + size, &u), 0);
    ck_assert_int_eq(u.form, REQ_C);
    ck_assert_str_eq(u.options, "-DA=1");
    ck_assert_str_eq(u.text, text);
    ck_assert_uint_eq(u.nheader, 2);
    ck_assert_str_eq(u.header[1].name, "deep/two.h");
    ck_assert_uint_eq(u.header[1].bytes, 3);
    ck_assert_mem_eq(u.header[1].text, inner, 4);
    req_free_unit(&u);
    ck_assert_int_eq(req_take_unit(&at, whole + size, &u), 0);
    ck_assert_int_eq(u.form, REQ_SPIRV);
    ck_assert_mem_eq(u.text, module, sizeof module - 1);
    req_free_unit(&u);
    ck_assert_int_eq(req_take_unit(&at, whole + size, &u), -ENOENT);
    for (size_t n = 1; n < size; n++) { /* cut anywhere: an error at the latest in the second unit */
        char *part = malloc(n);
        int taken = 0, e;
        memcpy(part, whole, n);
        for (at = part; (e = req_take_unit(&at, part + n, &u)) == 0; taken++)
            req_free_unit(&u);
        ck_assert(taken < 2 && (e == -ENOENT ? taken == 1 : e != 0));
        free(part);
    }
    free(whole);
}

TEST(bad_units)
{
    static const char *const bad[] = {"unit units 0 0 0\n",         "unit c -1 0 0\n",
                                      "unit c 0 0 0 0\n",           "unit c 0 99999999999 0\n",
                                      "unit c 0 0 257\n",           "unit c 0 0 1\nheader 1 1\n",
                                      "unit c 0 0 1\nheader x\n",   "unit c 0 0 4294967295\n",
                                      "unit c 99999999999 0 0\n\n", "unit c 0 0 1\nheader 2000 0\n"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *at = bad[i];
        struct req_unit u;
        ck_assert_int_lt(req_take_unit(&at, at + strlen(at), &u), 0);
        ck_assert_ptr_eq(at, bad[i]);
    }
}

int main(void)
{
    return run_tests("request", NULL, NULL);
}
