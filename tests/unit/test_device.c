/* Device descriptions: the parser's messages, the built-in ones, and what drivers tell. */
#include "run_suite.h"

#include "devices/device.h"
#include "devices/embedded.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 16], msg[256];

/* The text of generic-cpu with the line of `key` replaced (NULL: dropped). */
static size_t with(const char *key, const char *line)
{
    size_t n = 0;
    const struct dev_text *t = dev_texts;
    while (strcmp(t->file, "generic-cpu") != 0)
        t++;
    for (const char *s = t->text, *end = s + t->size; s < end;) {
        const char *nl = memchr(s, '\n', (size_t)(end - s));
        size_t len = (size_t)(nl - s) + 1, k = strlen(key);
        if (strncmp(s, key, k) == 0 && s[k] == ' ') {
            n += (size_t)sprintf(text + n, "%s%s", line ? line : "", line ? "\n" : "");
        } else {
            memcpy(text + n, s, len);
            n += len;
        }
        s += len;
    }
    text[n] = 0;
    return n;
}

static int parse(const char *key, const char *line, struct device *d)
{
    return dev_parse("x.dev", text, with(key, line), d, msg, sizeof msg);
}

static void rejected(const char *key, const char *line, const char *expected)
{
    struct device d = {.units = 77};
    ck_assert_int_eq(parse(key, line, &d), -EINVAL);
    ck_assert_uint_eq(d.units, 77);
    ck_assert_msg(strncmp(msg, "x.dev:", 6) == 0 && strstr(msg, expected), "message: %s", msg);
}

TEST(builtins)
{
    const char *name;
    unsigned n = 0;
    struct device d;
    for (unsigned i = 0; i < dev_text_count; i++) {
        int r = dev_parse(dev_texts[i].file, dev_texts[i].text, dev_texts[i].size, &d, msg, sizeof msg);
        ck_assert_msg(r == 0, "%s", msg);
    }
    while (dev_builtin_at(n, &name))
        ck_assert_ptr_eq(dev_builtin(name), dev_builtin_at(n++, NULL));
    ck_assert_uint_eq(n, dev_text_count);
    ck_assert_ptr_null(dev_builtin("no-such-device"));
    ck_assert(dev_builtin("generic-cpu")->is_cpu);
    ck_assert(!dev_builtin("generic-gpu")->is_cpu);
    ck_assert_uint_eq(dev_builtin("generic-gpu")->warp, 32);
}

TEST(messages)
{
    struct device d;
    ck_assert_int_eq(parse("warp", "warp = 16 lanes # assumed: x", &d), 0);
    ck_assert_uint_eq(d.warp, 16);
    rejected("warp", NULL, "'warp' is missing");
    rejected("warp", "warp = 16 # assumed: x", "needs the unit lanes");
    rejected("warp", "warp = 16 bytes # assumed", "measured in lanes, not in 'bytes'");
    rejected("warp", "warp = 16 lanes", "needs '# datasheet'");
    rejected("warp", "warp = 16 lanes # guess", "needs '# datasheet'");
    rejected("warp", "warp = 16 lanes # assumedly", "needs '# datasheet'");
    rejected("warp", "warp = # assumed", "no value");
    rejected("warp", "warp = x lanes # assumed", "not a number");
    rejected("warp", "warp = -1 lanes # assumed", "not a number");
    rejected("warp", "warp = 1. lanes # assumed", "not a number");
    rejected("warp", "warp = 1.5 lanes # assumed", "whole number");
    rejected("warp", "warp = 0 lanes # assumed", "between");
    rejected("warp", "warp = 1234567890123456 lanes # assumed", "not a number");
    rejected("warp", "warps = 16 lanes # assumed", "unknown key 'warps'");
    rejected("warp", "warp = 16 lanes # assumed\nwarp = 16 lanes # assumed", "given twice");
    rejected("warp", "warp 16 lanes # assumed = x", "expected 'key");
    rejected("line_bytes", "line_bytes = 48 bytes # assumed", "power of two");
    rejected("cache1.bytes", "cache1.bytes = 1000 bytes # assumed", "multiple of");
    rejected("cache3.delay", NULL, "'cache3.delay' is missing");
    rejected("latency.fadd", NULL, "'latency.fadd' is missing");
    rejected("warp",
             "driver_name = 0123456789012345678901234567890123456789012345678901234567890123 # assumed",
             "'driver_name' is too long");
    ck_assert_int_eq(parse("is_cpu", "is_cpu = 1 bool # assumed\ndriver_name = x y # assumed", &d), 0);
    ck_assert_str_eq(d.driver_name, "x y");
    ck_assert_int_eq(dev_parse("e.dev", "", 0, &d, msg, sizeof msg), -EINVAL);
    ck_assert_int_eq(dev_parse("e.dev", "a\0b = 1", 7, &d, msg, sizeof msg), -EINVAL);
    ck_assert_str_eq(msg, "e.dev:1: the line is too long or not text");
    ck_assert_int_eq(dev_parse("e.dev", "\xff\033x = 1", 7, &d, msg, sizeof msg), -EINVAL);
    ck_assert_str_eq(msg, "e.dev:1: unknown key '??x'");
    ck_assert_int_eq(dev_parse("e.dev", "\n\nx = 1 ns # assumed", 20, &d, msg, 12), -EINVAL);
    ck_assert_str_eq(msg, "e.dev:3: un");
}

TEST(scales)
{
    struct device d;
    setlocale(LC_ALL, "de_DE.UTF-8"); /* a decimal comma, where installed, must not matter */
    ck_assert_int_eq(parse("launch_ns", "launch_ns = 5.25 us # measured: x", &d), 0);
    ck_assert_double_eq(d.launch_ns, 5250);
    ck_assert_int_eq(parse("clock_mhz", "\tclock_mhz=1.5 GHz# datasheet\r", &d), 0);
    ck_assert_double_eq(d.clock_mhz, 1500);
    ck_assert_int_eq(parse("cache2.bytes", "cache2.bytes = 0.5 MiB # assumed", &d), 0);
    ck_assert_uint_eq(d.cache[1].bytes, 512 << 10);
}

TEST(files)
{
    char path[] = "/tmp/clsizer-test-device-XXXXXX";
    struct device d;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "w");
    fwrite(text, 1, with("name", "name = A device # assumed"), f);
    fclose(f);
    ck_assert_int_eq(dev_load(path, &d, msg, sizeof msg), 0);
    ck_assert_str_eq(d.name, "A device");
    remove(path);
    ck_assert_int_eq(dev_load(path, &d, msg, sizeof msg), -ENOENT);
    ck_assert_ptr_nonnull(strstr(msg, path));
    ck_assert_int_eq(dev_load("/tmp", &d, msg, sizeof msg), -EISDIR);
}

/* A description that changes another one. */
TEST(alike)
{
    static const char changed[] =
        "like = h200 # assumed\nname = my card # assumed\nunits = 3 units # measured\n";
    struct device d, h = *dev_builtin("h200");
    ck_assert_int_eq(dev_parse("x.dev", changed, sizeof changed - 1, &d, msg, sizeof msg), 0);
    ck_assert_str_eq(d.name, "my card");
    ck_assert_uint_eq(d.units, 3);
    memcpy(d.name, h.name, sizeof d.name);
    d.units = h.units;
    ck_assert_int_eq(memcmp(&d, &h, sizeof d), 0);
    rejected("warp", "like = h200 # assumed: x", "'like' stands first");
    static const char *const wrong[] = {
        "like = h2000 # assumed\n", "like =  # assumed\n", "like = h200 # assumed\nlike = a100 # assumed\n",
        "like = h200 # assumed\nunits = 3 units # assumed\nunits = 4 units # assumed\n"};
    for (unsigned i = 0; i < 4; i++)
        ck_assert_msg(dev_parse("x.dev", wrong[i], strlen(wrong[i]), &d, msg, sizeof msg) == -EINVAL, "%s",
                      wrong[i]);
}

/* A CPU with a description of its own: the driver tells the rest, but for the width of vectors. */
TEST(named_cpu)
{
    struct device d;
    struct dev_traits t = {.is_cpu = true,
                           .units = 12,
                           .warp = 16,
                           .line_bytes = 64,
                           .cache_bytes = 110100480,
                           .name = "pthread-skylake-avx512-Intel(R) Xeon(R) Processor"};
    dev_from_traits(&t, &d);
    ck_assert_double_eq(d.row_loop, 8);
    ck_assert_uint_eq(d.warp, 8);
    ck_assert_uint_eq(d.units, 12);
    ck_assert_uint_eq(d.cache[2].bytes, 110100480);
    ck_assert_double_eq(d.dram_delay, dev_builtin("generic-cpu")->dram_delay);
    ck_assert_double_eq(d.masked_wait, 0);
    t.name = "pthread-skylake-avx512-AMD EPYC";
    t.masks = true;
    dev_from_traits(&t, &d);
    ck_assert_double_eq(d.row_loop, 0);
    ck_assert_uint_eq(d.warp, 16);
    ck_assert_double_eq(d.masked_wait, dev_builtin("generic-cpu")->masked_wait);
}

TEST(traits)
{
    struct device d;
    struct dev_traits t = {.is_cpu = true,
                           .units = 12,
                           .clock_mhz = 3300,
                           .max_group_items = 8192,
                           .warp = 16,
                           .line_bytes = 64,
                           .cache_bytes = 110100480,
                           .local_bytes = 2 << 20,
                           .name = "pthread-skylake"};
    dev_from_traits(&t, &d);
    ck_assert(d.is_cpu);
    ck_assert_uint_eq(d.units, 12);
    ck_assert_double_eq(d.clock_mhz, 3300);
    ck_assert_uint_eq(d.warp, 16);
    ck_assert_uint_eq(d.max_group_items, 8192);
    ck_assert_uint_eq(d.cache[2].bytes, 110100480);
    ck_assert_uint_eq(d.local_group_bytes, 2 << 20);
    ck_assert_str_eq(d.name, "pthread-skylake");
    t = (struct dev_traits){0};
    dev_from_traits(&t, &d);
    ck_assert_int_eq(memcmp(&d, dev_builtin("generic-gpu"), sizeof d), 0);
    t.line_bytes = 100;
    t.cache_bytes = 1000;
    dev_from_traits(&t, &d);
    ck_assert_int_eq(memcmp(&d, dev_builtin("generic-gpu"), sizeof d), 0);
}

/* The numbers that the papers print.  [W] Table 2, [C] Tables 1 and 3, [R] Table 3.1. */
TEST(papers)
{
    static const struct {
        const char *file;
        unsigned units;
        double clock;
    } wang[] = {{"quadro-k600", 1, 876},
                {"geforce-gtx-645", 3, 824},
                {"quadro-k620", 3, 1058},
                {"geforce-940m", 3, 1072}};
    for (unsigned i = 0; i < sizeof wang / sizeof wang[0]; i++) {
        const struct device *d = dev_builtin(wang[i].file);
        ck_assert_ptr_nonnull(d);
        ck_assert_uint_eq(d->units, wang[i].units);
        ck_assert_double_eq(d->clock_mhz, wang[i].clock);
        ck_assert_uint_eq(d->warp, 32);
    }
    const struct device *tk1 = dev_builtin("jetson-tk1"), *fermi = dev_builtin("geforce-gtx-460");
    ck_assert_double_eq(tk1->clock_mhz, 852);
    ck_assert_double_eq(tk1->cache[0].latency, 164);
    ck_assert_double_eq(tk1->cache[0].delay, 2);
    ck_assert_uint_eq(tk1->cache[0].bytes, 128 << 10);
    ck_assert_uint_eq(tk1->cache[0].line_bytes, 64);
    ck_assert_double_eq(tk1->dram_latency, 332);
    ck_assert_double_eq(tk1->dram_delay, 10);
    ck_assert_double_eq(tk1->local_latency, 67);
    ck_assert_double_eq(fermi->latency[SUM_C_IDIV], 317);
    ck_assert_double_eq_tol(fermi->delay[SUM_C_IDIV], 32 / 1.8, 0.01);
    ck_assert_double_eq(fermi->latency[SUM_C_FDIV], 711);
    ck_assert_double_eq_tol(fermi->delay[SUM_C_FDIV], 32 / 0.75, 0.01);
    ck_assert_double_eq(fermi->latency[SUM_C_SQRT], 269);
    ck_assert_double_eq(fermi->latency[SUM_C_FMA], 18);
    ck_assert_double_eq(fermi->launch_ns, 4000);
}

static void is_found(const char *what, const char *file)
{
    const struct device *d = NULL;
    ck_assert_msg(dev_find(what, &d) == 0, "%s was not found", what);
    ck_assert_msg(d == dev_builtin(file), "%s is %s", what, d->name);
}

TEST(lookup)
{
    const struct device *d;
    is_found("quadro-k620", "quadro-k620");
    is_found("Quadro-K620", "quadro-k620");
    is_found("QUADRO k620", "quadro-k620");
    is_found("k620", "quadro-k620");
    is_found("tk1", "jetson-tk1");
    is_found("gk20a", "jetson-tk1");
    is_found("hawaii", "radeon-r9-295x2");
    is_found("295X2", "radeon-r9-295x2");
    is_found("titan", "geforce-gtx-titan-black");
    is_found("NVIDIA H200", "h200");
    is_found("generic-cpu", "generic-cpu");
    is_found("h100", "h100");
    ck_assert_int_eq(dev_find("quadro", &d), -ENOTUNIQ);
    ck_assert_int_eq(dev_find("gtx", &d), -ENOTUNIQ);
    ck_assert_int_eq(dev_find("", &d), -ENOENT);
    ck_assert_int_eq(dev_find("voodoo", &d), -ENOENT);
    ck_assert_ptr_null(d);
}

TEST(driver_names)
{
    ck_assert_ptr_eq(dev_named("NVIDIA H200"), dev_builtin("h200"));
    ck_assert_ptr_eq(dev_named("NVIDIA H100 80GB HBM3"), dev_builtin("h100"));
    ck_assert_ptr_eq(dev_named("Quadro K600"), dev_builtin("quadro-k600"));
    ck_assert_ptr_eq(dev_named("NVIDIA GeForce 940M"), dev_builtin("geforce-940m"));
    ck_assert_ptr_eq(dev_named("GeForce GTX TITAN Black"), dev_builtin("geforce-gtx-titan-black"));
    ck_assert_ptr_eq(dev_named("Hawaii"), dev_builtin("radeon-r9-295x2"));
    ck_assert_ptr_eq(dev_named("NVIDIA A100-SXM4-40GB"), dev_builtin("a100"));
    ck_assert_ptr_eq(dev_named("NVIDIA GeForce RTX 4090 Laptop GPU"), dev_builtin("geforce-rtx-4090"));
    ck_assert_ptr_eq(dev_named("NVIDIA H100 80GB HBM3 MIG 1g.10gb"), dev_builtin("h100"));
    /* other devices whose names begin or end alike */
    ck_assert_ptr_null(dev_named("Quadro K6000"));
    ck_assert_ptr_null(dev_named("NVIDIA GH200 480GB"));
    ck_assert_ptr_null(dev_named("GeForce 940MX"));
    ck_assert_ptr_null(dev_named("GeForce GTX 460M"));
    ck_assert_ptr_null(dev_named("Tesla K20m"));
    ck_assert_ptr_null(dev_named("generic GPU"));
    ck_assert_ptr_null(dev_named(""));
    ck_assert_ptr_null(dev_named("pthread-Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz"));
}

/* A description of the device stays, but for what its driver says of this very part; DRAM keeps its
 * nanoseconds and the board its bandwidth. */
TEST(traits_of_named)
{
    const struct device *h = dev_builtin("h200");
    struct device d;
    struct dev_traits t = {.name = "NVIDIA H200",
                           .units = 66,
                           .clock_mhz = 990,
                           .max_group_items = 512,
                           .warp = 64,
                           .line_bytes = 64,
                           .cache_bytes = 1 << 20,
                           .local_bytes = 100 << 10};
    dev_from_traits(&t, &d);
    ck_assert_str_eq(d.name, "NVIDIA H200");
    ck_assert_uint_eq(d.units, 66);
    ck_assert_double_eq(d.clock_mhz, 990);
    ck_assert_uint_eq(d.max_group_items, 512);
    ck_assert_uint_eq(d.local_group_bytes, 100 << 10);
    ck_assert_uint_eq(d.warp, h->warp);
    ck_assert_uint_eq(d.cache[1].bytes, h->cache[1].bytes);
    ck_assert_double_eq_tol(d.dram_latency, h->dram_latency / 2, 1e-9);
    ck_assert_double_eq_tol(d.dram_delay, h->dram_delay / 4, 1e-9);
    t = (struct dev_traits){.name = "NVIDIA H200"};
    dev_from_traits(&t, &d);
    memcpy(d.name, h->name, sizeof d.name);
    ck_assert_int_eq(memcmp(&d, h, sizeof d), 0);
}

/* Devices of NVIDIA's with other names have the numbers of their architecture, and their own units. */
TEST(capabilities)
{
    struct device d;
    struct dev_traits t = {.name = "NVIDIA GeForce RTX 4070", .units = 46, .warp = 32, .capability = 89};

    dev_from_traits(&t, &d);
    ck_assert_str_eq(d.name, "NVIDIA GeForce RTX 4070");
    ck_assert_uint_eq(d.units, 46);
    ck_assert_uint_eq(d.max_warps_unit, 48);
    ck_assert_uint_eq(d.cache[1].bytes, 72 << 20);
    t.name = "NVIDIA H100 80GB HBM3";
    ck_assert_ptr_eq(dev_described(&t), dev_builtin("h100")); /* the name says more */
    ck_assert_ptr_eq(dev_of_capability(80), dev_builtin("a100"));
    ck_assert_ptr_eq(dev_of_capability(90), dev_builtin("h100"));
    ck_assert_ptr_eq(dev_of_capability(120), dev_builtin("geforce-rtx-4090"));
    ck_assert_ptr_null(dev_of_capability(0));
    ck_assert_ptr_null(dev_of_capability(75)); /* Turing is the generic one */
    ck_assert_ptr_null(dev_of_capability(86));
    t = (struct dev_traits){.name = "gfx90a", .warp = 64};
    dev_from_traits(&t, &d);
    ck_assert_uint_eq(d.warp, 64);
}

/* Whatever bytes come: an answer, no crash. */
TEST(noise)
{
    struct device d;
    srand(3);
    for (int i = 0; i < 20000; i++) {
        size_t n = with("", NULL);
        for (int j = rand() % 4; j >= 0; j--)
            text[(size_t)rand() % n] = (char)rand();
        dev_parse("n.dev", text, n - (size_t)rand() % 3, &d, msg, sizeof msg);
    }
}

int main(void)
{
    return run_tests("device", NULL, NULL);
}
