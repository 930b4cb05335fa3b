/* The report: lines of JSON, words, and files that cannot be written. */
#include "run_suite.h"

#include <fcntl.h>
#include <json-c/json.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shim/ledger/report.h"
#include "shim/guest/util.h"

static char dir[64], path[96], text[1 << 20];

static void setup(void)
{
    strcpy(dir, "/tmp/clsizer-report-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/r.jsonl", dir);
}

static void teardown(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
}

static size_t slurp(const char *name)
{
    int fd = open(name, O_RDONLY);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

static struct report *open_report(const char *file, int verbose)
{
    static struct report *kept[32]; /* a report is open for good; leaks are looked for */
    struct options o = {.report = file, .verbose = verbose};
    unsigned i = 0;

    while (kept[i])
        i++;
    return kept[i] = rep_open(&o);
}

/* A decision with everything that a report can hold. */
static struct candidate candidates[3];
static struct prof_race race;
static const struct launch launch = {
    .dim = 2, .global = {1024, 512, 1}, .offset = {1, 2, 0}, .local = {8, 8, 1}};
static const struct prof_decision decision = {.outcome = PROF_WON, .winner = 1, .gain = 1.42, .noise = 0.01};
static const struct prof_account account = {
    .observed_ns = 123456789, .spent_ns = 1500, .saved_ns = -2001, .compile_ns = -1};

static struct rep_event decided(void)
{
    candidates[0] = (struct candidate){.local = {8, 8, 1}, .own = true, .divides = true, .time_ns = 1e9 / 3};
    candidates[1] = (struct candidate){.local = {64, 1, 1}, .time_ns = 2e8};
    candidates[2] = (struct candidate){.local = {32, 1, 1}, .state = SEL_DUPLICATE, .other = 1};
    race = (struct prof_race){.n = 2, .noise = 0.01};
    race.lane[0] = (struct prof_lane){.local = {8, 8, 1}, .samples = 3, .best = 2, .mean = 2.5};
    race.lane[1] = (struct prof_lane){.local = {64, 1, 1}, .samples = 3, .best = 1.4, .mean = 1.5};
    return (struct rep_event){.event = "decision",
                              .program = "abc123",
                              .kernel = "mandel\"\n",
                              .device = "pthread|PoCL|3.1",
                              .launch = &launch,
                              .candidates = candidates,
                              .ncandidate = 3,
                              .race = &race,
                              .decision = &decision,
                              .chosen = race.lane[1].local,
                              .account = &account,
                              .mode = PROF_SLICES,
                              .reason = "faster",
                              .source = "measured",
                              .dry_run = true};
}

static struct json_object *at(struct json_object *o, const char *name)
{
    struct json_object *v = NULL;

    ck_assert_msg(json_object_object_get_ex(o, name, &v), "%s", name);
    return v;
}

TEST(one_line_of_json)
{
    struct report *r = open_report(path, 0);
    struct rep_event e = decided();
    struct stat st;

    rep_emit(r, &e);
    ck_assert_uint_gt(slurp(path), 0);
    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    struct json_object *o = json_tokener_parse(text);
    ck_assert_ptr_nonnull(o);
    ck_assert_int_eq(json_object_get_int(at(o, "schema")), 1);
    ck_assert_str_eq(json_object_get_string(at(o, "event")), "decision");
    ck_assert_str_eq(json_object_get_string(at(o, "kernel")), "mandel\"\n");
    ck_assert_str_eq(json_object_get_string(at(o, "mode")), "slices");
    ck_assert_int_eq(json_object_get_int(at(at(o, "launch"), "dim")), 2);
    ck_assert_int_eq(json_object_get_int(at(at(o, "counts"), "duplicate")), 1);
    ck_assert_int_eq(json_object_get_int(at(at(o, "counts"), "measured")), 2);
    ck_assert_str_eq(json_object_to_json_string(at(at(o, "decision"), "local")), "[ 64, 1, 1 ]");
    ck_assert_str_eq(json_object_get_string(at(at(o, "decision"), "outcome")), "won");
    ck_assert(json_object_get_boolean(at(o, "dry_run")));
    ck_assert_ptr_nonnull(strstr(text, "\"time_ns\":3.33333e+08"));
    ck_assert_ptr_nonnull(
        strstr(text, "\"all_runs\":{\"observed_us\":123456.789,\"spent_us\":3.501,\"saved_us\":0.000}"));
    ck_assert_ptr_null(strstr(text, "compile_us")); /* unknown */
    json_object_put(o);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0600);
}

/* However many sizes there are, and however long the numbers: a line that people and tools can handle. */
TEST(lines_are_bounded)
{
    static struct candidate many[2048];
    struct report *r = open_report(path, 0);
    struct rep_event e = decided();

    for (unsigned i = 0; i < 2048; i++)
        many[i] = (struct candidate){.local = {1024 - i % 1000, 1024, 1024},
                                     .state = SEL_DUPLICATE,
                                     .other = 2047,
                                     .best_ns = 1.23456e300,
                                     .worst_ns = 1.23456e300,
                                     .time_ns = 1.23456e300};
    many[1500].own = true;
    memcpy(many[1700].local, (size_t[3]){7, 7, 7}, sizeof many[0].local);
    race.n = PROF_MAX_CANDIDATES;
    for (unsigned i = 0; i < race.n; i++)
        race.lane[i] = (struct prof_lane){
            .local = {7, 7, 7}, .samples = 4000, .best = 1.23456e300, .mean = 1.23456e300, .pairs = 200};
    e.candidates = many;
    e.ncandidate = 2048;
    rep_emit(r, &e);
    ck_assert_uint_lt(slurp(path), 24 << 10);
    struct json_object *o = json_tokener_parse(text), *c = at(o, "candidates"), *last;
    const size_t n = json_object_array_length(c);
    ck_assert_uint_lt(n, 50);
    ck_assert_int_eq(json_object_get_int(at(at(o, "counts"), "candidates")), 2048);
    last = json_object_array_get_idx(c, n - 1);
    ck_assert_str_eq(json_object_to_json_string(at(last, "local")), "[ 7, 7, 7 ]"); /* measured */
    ck_assert(json_object_get_boolean(at(json_object_array_get_idx(c, n - 2), "own")));
    ck_assert(!json_object_object_get_ex(last, "other", NULL)); /* it is not listed */
    json_object_put(o);
}

/* The line about the process comes first, once, whatever is reported. */
TEST(the_process_comes_first)
{
    struct report *r = open_report(path, 0);
    struct rep_event e = decided();

    ck_assert_int_eq(setenv("CLSIZER_BUDGET", "7", 1), 0);
    rep_begin(r, "1.2.3");
    ck_assert_uint_eq(slurp(path), 0); /* nothing to tell, no file */
    rep_emit(r, &e);
    rep_emit(r, &e);
    slurp(path);
    struct json_object *o = json_tokener_parse(text);
    ck_assert_str_eq(json_object_get_string(at(o, "event")), "run");
    ck_assert_str_eq(json_object_get_string(at(o, "clsizer")), "1.2.3");
    ck_assert_ptr_nonnull(strstr(json_object_get_string(at(o, "executable")), "test_report"));
    ck_assert_ptr_nonnull(
        strstr(json_object_get_string(json_object_array_get_idx(at(o, "command"), 0)), "test_report"));
    ck_assert_str_eq(json_object_get_string(at(at(o, "options"), "budget")), "7");
    ck_assert_ptr_null(strstr(strchr(text, '\n'), "\"run\""));
    json_object_put(o);
}

TEST(small_events)
{
    struct report *r = open_report(path, 0);

    rep_emit(r, &(struct rep_event){.event = "warning", .reason = "bad-device-file", .detail = "x:1: no"});
    rep_emit(r,
             &(struct rep_event){.event = "refusal", .kernel = "k", .reason = "barrier", .unproved = true});
    slurp(path);
    struct json_object *o = json_tokener_parse(text);
    ck_assert_str_eq(json_object_get_string(at(o, "detail")), "x:1: no");
    ck_assert(!json_object_object_get_ex(o, "kernel", NULL));
    ck_assert(!json_object_object_get_ex(o, "mode", NULL));
    json_object_put(o);
    o = json_tokener_parse(strchr(text, '\n') + 1);
    ck_assert_str_eq(json_object_get_string(at(o, "fact")), "S");
    json_object_put(o);
}

TEST(numbers_that_are_none)
{
    struct report *r = open_report(path, 0);
    struct rep_event e = decided();

    candidates[0].best_ns = 1e308 * 10;
    candidates[0].worst_ns = 0 * candidates[0].best_ns;
    rep_emit(r, &e);
    slurp(path);
    struct json_object *o = json_tokener_parse(text);
    ck_assert_ptr_nonnull(o);
    ck_assert_ptr_null(at(json_object_array_get_idx(at(o, "candidates"), 0), "best_ns"));
    json_object_put(o);
}

/* The sign before decimal places may have several bytes; where locales can be made. */
TEST(numbers_in_other_locales)
{
    struct report *r = open_report(path, 0);
    struct rep_event e = decided();
    struct json_object *o;
    char command[256];

    snprintf(command, sizeof command, "localedef -f UTF-8 -i ps_AF '%s/ps_AF.UTF-8' >'%s/log' 2>&1", dir,
             dir);
    if (system(command) != 0 || setenv("LOCPATH", dir, 1) || !setlocale(LC_ALL, "ps_AF.UTF-8"))
        return;
    ck_assert_uint_gt(strlen(localeconv()->decimal_point), 1);
    rep_emit(r, &e);
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH"); /* with it, newlocale() leaks, which json-c calls */
    slurp(path);
    o = json_tokener_parse(text);
    ck_assert_ptr_nonnull(o);
    ck_assert_double_eq_tol(json_object_get_double(at(at(o, "decision"), "gain")), 1.42, 1e-6);
    json_object_put(o);
}

/* Command lines, paths and names are bytes, and what is too long is cut anywhere; JSON is UTF-8. */
TEST(text_is_utf_8)
{
    static const struct {
        const char *kernel, *written;
    } cases[] = {{"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
                 {"latin \xe9!", "latin ?!"},
                 {"cut \xe2\x82", "cut ??"},
                 {"cut \xc3", "cut ?"},
                 {"\xf0\x9f\x98", "???"},
                 {"overlong \xc0\xaf \xe0\x80\xaf", "overlong ?? ???"},
                 {"\xed\xa0\x80 surrogate", "??? surrogate"},
                 {"\xf4\x90\x80\x80 beyond \xff", "???? beyond ?"}};
    struct json_object *o;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unlink(path);
        rep_emit(open_report(path, 0), &(struct rep_event){.event = "refusal", .kernel = cases[i].kernel});
        slurp(path);
        o = json_tokener_parse(text);
        ck_assert_ptr_nonnull(o);
        ck_assert_str_eq(json_object_get_string(at(o, "kernel")), cases[i].written);
        json_object_put(o);
    }
}

TEST(chosen_counts_without_a_race)
{
    static const size_t none[3] = {0}, some[3] = {16, 2, 1};
    struct report *r = open_report(path, 0);
    struct rep_event e = {.event = "decision", .decision = &decision, .chosen = none};

    rep_emit(r, &e);
    e.chosen = some;
    rep_emit(r, &e);
    slurp(path);
    ck_assert_ptr_nonnull(strstr(text, "\"local\":null"));
    ck_assert_ptr_nonnull(strstr(text, "\"local\":[16,2,1]"));
}

/* What the report of `e`, and a word at level 2, leave on stderr at this verbosity. */
static void capture(int verbose, const struct rep_event *e)
{
    char name[96];
    int saved = dup(STDERR_FILENO);

    snprintf(name, sizeof name, "%s/stderr", dir);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, STDERR_FILENO);
    util_begin_stderr();
    struct report *r = open_report("", verbose);
    rep_emit(r, e);
    rep_say(r, 2, "plan %d", 17);
    dup2(saved, STDERR_FILENO);
    close(fd);
    close(saved);
    slurp(name);
}

TEST(launches_and_samples)
{
    static const size_t size[3] = {64, 4, 1}, none[3] = {0};
    struct report *r = open_report(path, 0);
    const struct rep_launches l = {
        .state = "decided", .n = 12, .changed = 7, .kernel_ns = 5000, .local = size, .variant = "wide8"};
    const struct rep_sample s[] = {{.local = size, .variant = "wide8", .ns = 1500, .items = 99, .queue = 2},
                                   {.local = none, .start_ns = 1234567890123456}};

    rep_emit(r, &(struct rep_event){.event = "launches", .kernel = "k", .launches = &l});
    rep_emit(r, &(struct rep_event){.event = "samples", .launch = &launch, .samples = s, .nsample = 2});
    slurp(path);
    ck_assert_ptr_nonnull(strstr(text, "\"launches\":12,\"changed\":7,\"timed\":0,\"kernel_us\":5.000,"
                                       "\"now\":{\"local\":[64,4,1],\"variant\":\"wide8\"}"));
    ck_assert_ptr_null(strstr(text, "own_us")); /* unknown */
    ck_assert_ptr_nonnull(strstr(text, "\"size\":[\"wide8 64x4\",\"\"]"));
    ck_assert_ptr_nonnull(strstr(text, "\"start\":[0,1234567890123.456]"));
    ck_assert_ptr_nonnull(strstr(text, "\"us\":[1.5,0]"));
    ck_assert_ptr_nonnull(strstr(text, "\"queue\":[2,0]"));
    capture(3, &(struct rep_event){.event = "launches", .kernel = "k", .launches = &l});
    ck_assert_str_eq(text, "clsizer: plan 17\n"); /* no words about numbers */
}

TEST(words_by_verbosity)
{
    struct rep_event e = decided();
    struct prof_decision guessed = decision;

    e.kernel = "mandel";
    capture(0, &e);
    ck_assert_str_eq(text, "");
    capture(1, &e);
    ck_assert_str_eq(
        text,
        "clsizer: decision: mandel (1024x512) 8x8 -> 64x1, 1.42 times as fast (dry run); measured; faster\n");
    e.variant = "fixed";
    e.variant_local = (const size_t[3]){16, 4, 1};
    e.variant_gain = 1.5;
    capture(1, &e);
    ck_assert_ptr_nonnull(strstr(text, "mandel (1024x512) 8x8 -> fixed, 16x4, 1.50 times as fast"));
    e.variant = NULL;
    guessed.outcome = PROF_MODEL;
    e.decision = &guessed;
    e.source = "model";
    capture(1, &e);
    ck_assert_ptr_nonnull(strstr(text, "8x8 -> 64x1, predicted to be 1.42 times as fast (dry run); model; "));
    e.event = "refusal";
    capture(1, &e);
    ck_assert_str_eq(text, "");
    e.event = "program";
    capture(2, &e);
    ck_assert_str_eq(text, "clsizer: plan 17\n");
    capture(3, &(struct rep_event){
                   .event = "program", .program = "0123abcd", .source = "cache", .reason = "analysed"});
    ck_assert_str_eq(text, "clsizer: program: 0123abcd; cache; analysed\nclsizer: plan 17\n");
    e = (struct rep_event){.event = "observed",
                           .kernel = "mandel",
                           .launch = e.launch,
                           .reason = "little-time",
                           .detail = "why"};
    capture(1, &e);
    ck_assert_str_eq(text, "");
    capture(2, &e);
    ck_assert_str_eq(text, "clsizer: observed: mandel (1024x512) 8x8; little-time; why\nclsizer: plan 17\n");
    e = (struct rep_event){.event = "warning", .reason = "wisdom-unusable", .detail = "why"};
    capture(1, &e);
    ck_assert_str_eq(text, "clsizer: warning: wisdom-unusable; why\n");
}

/* What stands in the way is told in words, with the line; a fact that is proved is not in the way. */
TEST(words_of_an_obstacle)
{
    static char call[] = "barrier";
    struct kernel_summary k = {.fact[SUM_FACT_S] = {SUM_R_BARRIER, 12, call}};
    struct rep_event e = decided();

    e = (struct rep_event){.event = "refusal",
                           .kernel = "sum",
                           .launch = e.launch,
                           .summary = &k,
                           .unproved = true,
                           .reason = "barrier",
                           .detail = call};
    capture(2, &e);
    ck_assert_str_eq(text, "clsizer: refusal: sum (1024x512) keeps 8x8; barrier; the kernel synchronises its "
                           "work-group, line 12: barrier\nclsizer: plan 17\n");
    k.fact[SUM_FACT_S] = (struct sum_verdict){SUM_R_NONE, 0, NULL};
    e.reason = "overlapping-writes";
    e.detail = "c, line 7";
    capture(2, &e);
    ck_assert_str_eq(text, "clsizer: refusal: sum (1024x512) keeps 8x8; overlapping-writes; c, line 7\n"
                           "clsizer: plan 17\n");
}

TEST(long_words_are_cut)
{
    static char detail[5000];
    struct rep_event e = {.event = "warning", .reason = detail};

    memset(detail, 'x', sizeof detail - 1);
    capture(3, &e);
    ck_assert_uint_lt(strlen(text), 1200);
    ck_assert_ptr_nonnull(strchr(text, '\n'));
}

TEST(a_closed_pipe_does_not_kill)
{
    int ends[2];
    struct report *r = open_report("", 3);

    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    util_begin_stderr();
    rep_say(r, 1, "nobody listens");
}

static void *cancelled_while_reporting(void *r)
{
    struct rep_event e = decided();
    int *came_back = malloc(sizeof *came_back);

    pthread_cancel(pthread_self());
    rep_emit(r, &e);
    rep_say(r, 1, "still here");
    *came_back = 1;
    return came_back;
}

TEST(a_cancelled_thread_finishes_its_line)
{
    struct report *r = open_report(path, 1);
    pthread_t t;
    void *came_back;

    ck_assert_int_eq(pthread_create(&t, NULL, cancelled_while_reporting, r), 0);
    ck_assert_int_eq(pthread_join(t, &came_back), 0);
    ck_assert(came_back != PTHREAD_CANCELED);
    free(came_back);
}

TEST(impossible_files)
{
    struct rep_event e = decided();
    struct report *r = open_report("/nonexistent/dir/file", 0);

    rep_emit(r, &e);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    r = open_report(path, 0);
    rep_emit(r, &e);
    r = open_report("/dev/full", 0);
    rep_emit(r, &e);
    rep_emit(NULL, &e);
    rep_say(NULL, 0, "nothing");
}

TEST(relative_path_survives_chdir)
{
    struct rep_event e = decided();

    ck_assert_int_eq(chdir(dir), 0);
    struct report *r = open_report("r.jsonl", 0);
    ck_assert_int_eq(chdir("/"), 0);
    rep_emit(r, &e);
    ck_assert_uint_gt(slurp(path), 0);
}

TEST(lines_of_many_processes_stay_whole)
{
    struct rep_event e = decided();
    unsigned lines = 0;

    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            struct report *r = open_report(path, 0);
            for (int j = 0; j < 50; j++)
                rep_emit(r, &e);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    slurp(path);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        struct json_object *o = json_tokener_parse(line);
        ck_assert_ptr_nonnull(o);
        json_object_put(o);
    }
    ck_assert_uint_eq(lines, 200);
}

int main(void)
{
    return run_tests("report", setup, teardown);
}
