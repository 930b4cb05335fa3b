/* Options: defaults, environment, what is accepted, and the patterns of --kernels. */
#include "run_suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "shim/guest/options.h"

static unsigned warnings;
static char last[256];

static void count_warning(const char *words)
{
    warnings++;
    snprintf(last, sizeof last, "%s", words);
}

static void clear_environment(void)
{
    const struct opt_row *row;

    warnings = 0;
    for (unsigned i = 0; (row = opt_row(i)); i++)
        unsetenv(row->env);
}

TEST(defaults)
{
    struct options o;

    opt_from_environment(&o, count_warning);
    ck_assert(!o.off && !o.dry_run && !o.strict && !o.quiet);
    ck_assert_int_eq(o.effort, PROF_MEASURE);
    ck_assert_int_eq(o.mode, PROF_NONE);
    ck_assert_str_eq(o.kernels, "*");
    ck_assert_str_eq(o.report, "");
    ck_assert_double_eq_tol(o.budget, 0.05, 1e-12);
    ck_assert_double_eq_tol(o.margin, 0.03, 1e-12);
    ck_assert_int_eq(o.deadline, 30000);
    ck_assert_uint_eq(warnings, 0);
}

TEST(values_are_taken)
{
    struct options o;

    setenv("CLSIZER_EFFORT", "exhaustive", 1);
    setenv("CLSIZER_MODE", "launches", 1);
    setenv("CLSIZER_DRY_RUN", "on", 1);
    setenv("CLSIZER_BUDGET", "2.5%", 1);
    setenv("CLSIZER_VERBOSE", "3", 1);
    setenv("CLSIZER_REPORT", "/tmp/r", 1);
    setenv("CLSIZER_WAIT", "", 1);
    opt_from_environment(&o, count_warning);
    setenv("CLSIZER_REPORT", "/other", 1);
    ck_assert_int_eq(o.effort, PROF_EXHAUSTIVE);
    ck_assert_int_eq(o.mode, PROF_LAUNCHES);
    ck_assert(o.dry_run);
    ck_assert_double_eq_tol(o.budget, 0.025, 1e-12);
    ck_assert_int_eq(o.verbose, 3);
    ck_assert_str_eq(o.report, "/tmp/r");
    ck_assert_int_eq(o.wait, 2000);
    ck_assert_uint_eq(warnings, 0);
}

/* Their numbers follow from what is said of them. */
TEST(words_are_what_they_say)
{
    static const struct {
        const char *variable, *value;
        size_t member;
        int number;
    } words[] = {{"CLSIZER_EFFORT", "estimate", offsetof(struct options, effort), PROF_ESTIMATE},
                 {"CLSIZER_EFFORT", "measure", offsetof(struct options, effort), PROF_MEASURE},
                 {"CLSIZER_EFFORT", "patient", offsetof(struct options, effort), PROF_PATIENT},
                 {"CLSIZER_VARIANTS", "sizes", offsetof(struct options, variants), OPT_SIZES},
                 {"CLSIZER_VARIANTS", "auto", offsetof(struct options, variants), OPT_VARIANTS_AUTO},
                 {"CLSIZER_VARIANTS", "fixed", offsetof(struct options, variants), OPT_FIXED},
                 {"CLSIZER_VARIANTS", "wide", offsetof(struct options, variants), OPT_WIDE},
                 {"CLSIZER_ORCHESTRATION", "auto", offsetof(struct options, orchestration), OPT_AUTO},
                 {"CLSIZER_ORCHESTRATION", "sync", offsetof(struct options, orchestration), OPT_SYNC},
                 {"CLSIZER_ORCHESTRATION", "async", offsetof(struct options, orchestration), OPT_ASYNC},
                 {"CLSIZER_ESTIMATOR", "auto", offsetof(struct options, estimator), SEL_AUTO},
                 {"CLSIZER_ESTIMATOR", "bounds", offsetof(struct options, estimator), SEL_BOUNDS},
                 {"CLSIZER_ESTIMATOR", "mwp", offsetof(struct options, estimator), SEL_MWP},
                 {"CLSIZER_ESTIMATOR", "param", offsetof(struct options, estimator), SEL_PARAM},
                 {"CLSIZER_USE_ONLY", "no", offsetof(struct options, use_only), OPT_USE_AND_MEASURE},
                 {"CLSIZER_USE_ONLY", "yes", offsetof(struct options, use_only), OPT_USE_ONLY},
                 {"CLSIZER_USE_ONLY", "strict", offsetof(struct options, use_only), OPT_USE_ONLY_STRICT}};
    struct options o;

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        setenv(words[i].variable, words[i].value, 1);
        opt_from_environment(&o, count_warning);
        ck_assert_int_eq(*(const int *)(const void *)((const char *)&o + words[i].member), words[i].number);
    }
    for (int mode = PROF_NONE + 1; mode < PROF_MODES; mode++) {
        setenv("CLSIZER_MODE", prof_mode_name((enum prof_mode)mode), 1);
        opt_from_environment(&o, count_warning);
        ck_assert_int_eq(o.mode, mode);
    }
    ck_assert_uint_eq(warnings, 0);
    setenv("CLSIZER_ORCHESTRATION", "or", 1);
    opt_from_environment(&o, count_warning);
    ck_assert_uint_eq(warnings, 1);
}

TEST(bad_values_keep_the_default)
{
    static const struct {
        const char *variable, *value;
    } bad[] = {{"CLSIZER_EFFORT", "Measure"}, {"CLSIZER_BUDGET", "lots"},  {"CLSIZER_BUDGET", "101"},
               {"CLSIZER_BUDGET", "-1"},      {"CLSIZER_VERBOSE", "4"},    {"CLSIZER_VERBOSE", "1.5"},
               {"CLSIZER_WAIT", "2s"},        {"CLSIZER_OFF", "maybe"},    {"CLSIZER_WAIT", "99999999999"},
               {"CLSIZER_MODE", "sandboxes"}, {"CLSIZER_BUDGET", "5 %"},   {"CLSIZER_BUDGET", "."},
               {"CLSIZER_BUDGET", "nan"},     {"CLSIZER_DEADLINE", "0x10"}};
    struct options o, reference;

    opt_from_environment(&reference, NULL);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        clear_environment();
        setenv(bad[i].variable, bad[i].value, 1);
        opt_from_environment(&o, count_warning);
        ck_assert_msg(warnings == 1, "%s=%s", bad[i].variable, bad[i].value);
        ck_assert_msg(strncmp(last, bad[i].variable, strlen(bad[i].variable)) == 0, "%s", last);
        ck_assert(strstr(last, " is not valid (") && !strstr(last, "()"));
        ck_assert(o.effort == reference.effort && o.wait == reference.wait && o.off == reference.off);
        ck_assert(o.verbose == reference.verbose && o.budget == reference.budget && o.mode == reference.mode);
    }
}

TEST(check_names_what_is_accepted)
{
    const char *expected;

    ck_assert_int_eq(opt_check("effort", "patient", &expected), 0);
    ck_assert_int_eq(opt_check("effort", "hard", &expected), -EINVAL);
    ck_assert_ptr_nonnull(strstr(expected, "patient"));
    ck_assert_int_eq(opt_check("verbose", "9", &expected), -EINVAL);
    ck_assert_str_eq(expected, "0..3");
    ck_assert_int_eq(opt_check("no-such", "1", &expected), -EINVAL);
    ck_assert_int_eq(opt_check("report", "", &expected), 0);
}

TEST(every_default_is_valid)
{
    const struct opt_row *row;
    const char *expected;
    unsigned i;

    for (i = 0; (row = opt_row(i)); i++) {
        ck_assert_msg(opt_check(row->cli, row->def, &expected) == 0, "%s", row->cli);
        ck_assert_msg(strncmp(row->env, "CLSIZER_", 8) == 0, "%s", row->env);
        ck_assert(*row->doc);
    }
    ck_assert_uint_gt(i, 15);
}

TEST(printing_shows_every_option)
{
    const struct opt_row *row;
    char *help, *table;
    size_t size;

    FILE *f = open_memstream(&help, &size);
    opt_print_help(f);
    fclose(f);
    f = open_memstream(&table, &size);
    opt_print_table(f);
    fclose(f);
    for (unsigned i = 0; (row = opt_row(i)); i++) {
        ck_assert_msg(strstr(help, row->cli) != NULL, "%s", row->cli);
        ck_assert_msg(strstr(table, row->env) != NULL, "%s", row->env);
    }
    free(help);
    free(table);
}

TEST(globs)
{
    ck_assert(opt_glob_list("*", "gemm"));
    ck_assert(opt_glob_list("", "gemm"));
    ck_assert(opt_glob_list("ge*,conv", "gemm"));
    ck_assert(opt_glob_list("ge*,conv", "conv"));
    ck_assert(!opt_glob_list("ge*,conv", "conv2"));
    ck_assert(!opt_glob_list("*,!ge*", "gemm"));
    ck_assert(!opt_glob_list("!ge*,*", "gemm"));
    ck_assert(opt_glob_list("!ge*", "conv"));
    ck_assert(!opt_glob_list("!ge*", "gemm"));
    ck_assert(opt_glob_list(",,ge[a-m]m,", "gemm"));
    ck_assert(!opt_glob_list("gem", "gemm"));
}

TEST(sizes)
{
    static const struct {
        const char *text, *kernel;
        int found;
        size_t local[3];
    } cases[] = {{"", "gemm", 0, {9, 9, 9}},
                 {"gemm=64x4", "gemm", 1, {64, 4, 1}},
                 {"gemm=64x4", "conv", 0, {9, 9, 9}},
                 {"g*=1x2x3,gemm=7", "gemm", 1, {1, 2, 3}},
                 {"conv=8,*=16", "gemm", 1, {16, 1, 1}},
                 {"gemm=null,*=4", "gemm", 1, {0, 0, 0}},
                 {"gemm=null,*=4", "conv", 1, {4, 1, 1}},
                 {"gemm=8,", "conv", 0, {9, 9, 9}},
                 {"gemm", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=", "gemm", -EINVAL, {9, 9, 9}},
                 {"=4", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=0", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=4x", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=4x0", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=1x2x3x4", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=-4", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=4 ", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=nullx4", "gemm", -EINVAL, {9, 9, 9}},
                 {"gemm=99999999999999999999", "gemm", -EINVAL, {9, 9, 9}},
                 {",gemm=4", "gemm", -EINVAL, {9, 9, 9}}};
    const char *expected;

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t local[3] = {9, 9, 9};
        char variant[OPT_VARIANT];
        ck_assert_msg(opt_size(cases[i].text, cases[i].kernel, variant, local) == cases[i].found, "%s",
                      cases[i].text);
        ck_assert(cases[i].found != 1 || !*variant);
        ck_assert_msg(memcmp(local, cases[i].local, sizeof local) == 0, "%s", cases[i].text);
        ck_assert_int_eq(opt_check("sizes", cases[i].text, &expected) == 0, cases[i].found >= 0);
    }
}

TEST(sizes_of_variants)
{
    static const char *const wrong[] = {
        "gemm=:8",       "gemm=wide:",
        "gemm=wide:8:8", "gemm=wdie:8",
        "gemm=wide8:8",  "*=4,gemm=lanes:8",
        "gemm=given:8",  "gemm=given :8",
        "gemm=auto:8",   "gemm=1234567890123456789012345678901234567890123456789012345678901234:8"};
    char variant[OPT_VARIANT];
    const char *expected;
    size_t local[3];

    ck_assert_int_eq(opt_size("conv=4,gemm=given k 8:16x2,*=4", "gemm", variant, local), 1);
    ck_assert_str_eq(variant, "given k 8");
    ck_assert_uint_eq(local[0], 16);
    ck_assert_uint_eq(local[1], 2);
    ck_assert_int_eq(opt_size("gemm=fixed:4", "gemm", variant, local), 1);
    ck_assert_str_eq(variant, "fixed");
    ck_assert_int_eq(opt_size("gemm=wide:null", "gemm", variant, local), 1);
    ck_assert_str_eq(variant, "wide");
    ck_assert_uint_eq(local[0], 0);
    ck_assert_int_eq(opt_size("gemm=wide:8,*=4", "conv", variant, local), 1);
    ck_assert_str_eq(variant, "");
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(opt_check("sizes", wrong[i], &expected) == -EINVAL, "%s", wrong[i]);
}

int main(void)
{
    return run_tests("options", clear_environment, NULL);
}
