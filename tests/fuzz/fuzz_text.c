/* fuzz_text - damaged input for everything in the library that reads text written by others: an answer, no
 * crash, no hang.
 *
 *   fuzz_text summary|request|wisdom|options|job|answer|binary|points SECONDS SEED-FILE...
 *
 * Deterministic for a number of rounds; run it in a build with sanitizers.  Texts with checksums get right
 * ones, or the damage would hardly ever be looked at.  With -DCLSIZER_LIBFUZZER=<target function> it is a
 * libFuzzer program. */
#include "analysis/summary/request.h"
#include "analysis/summary/summary.h"
#include "select/select.h"
#include "analysis/summary/hash.h"
#include "shim/helper/ahead_job.h"
#include "shim/object/binary.h"
#include "shim/guest/options.h"
#include "shim/ledger/points.h"
#include "shim/ledger/wisdom.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROOM (1u << 20)

static uint64_t state = 1;

static uint32_t below(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n ? (uint32_t)((state >> 33) % n) : 0;
}

/* ---- targets: 1 when the text was accepted --------------------------------------------------------- */

/* What is accepted is used: by the proofs, the model, and the printer. */
static void use_kernel(const struct kernel_summary *k)
{
    struct launch_arg args[64] = {{0}};
    struct launch l = {.dim = 2, .global = {96, 5, 1}, .local = {8, 1, 1}, .args = args, .nargs = k->nargs};
    struct candidate list[256];
    const struct sel_options o = {.max_items = 256};
    struct sel_work *work = sel_work_new();
    struct sel_estimate estimate;
    struct sel_proof proof;
    struct device d;
    int n;

    if (!work || k->nargs > 64) {
        sel_work_free(work);
        return;
    }
    for (unsigned i = 0; i < k->nargs; i++) {
        args[i] = (struct launch_arg){.set = true, .size = 8, .memory = i + 1, .bytes = 4096};
        args[i].value[0] = (unsigned char)(i + 3);
    }
    dev_from_traits(&(struct dev_traits){.units = 4, .max_group_items = 256, .name = "fuzz"}, &d);
    sel_judge(k, &l, &proof);
    n = sel_candidates(k, &l, &o, list, sizeof list / sizeof *list);
    if (n > 0)
        sel_estimate(k, &l, &d, list, (unsigned)n, work, &estimate);
    sel_work_free(work);
}

static int on_summary(const char *text, size_t size)
{
    struct program_summary p;
    unsigned line;
    FILE *null;

    if (sum_parse(text, size, &p, &line))
        return 0;
    for (uint32_t i = 0; i < p.nkernel; i++)
        use_kernel(&p.kernel[i]);
    null = fopen("/dev/null", "w");
    if (null) {
        sum_print(&p, null);
        for (uint32_t i = 0; i < p.nkernel; i++)
            sum_describe(&p.kernel[i], null, true);
        fclose(null);
    }
    sum_free(&p);
    return 1;
}

static int on_request(const char *text, size_t size)
{
    struct req r;
    struct req_unit u;
    const char *at;

    if (req_read(text, size, &r))
        return 0;
    if (r.source_bytes != 0 && strlen(r.source) > r.source_bytes)
        abort();
    at = r.source;
    while (r.form == REQ_UNITS && req_take_unit(&at, r.source + r.source_bytes, &u) == 0)
        req_free_unit(&u);
    req_free(&r);
    return 1;
}

/* Of the records in wisdom.jsonl. */
#define PROGRAM "71be4f2480d16ace09e95b1f3eb67cf4"
static char directory[] = "/tmp/clsizer-fuzz-XXXXXX", path[sizeof directory + sizeof "/" PROGRAM ".jsonl"],
            lock[sizeof directory + sizeof "/.lock"];

static void remove_files(void)
{
    unlink(path);
    unlink(lock);
    rmdir(directory);
}

static void write_file(const char *text, size_t size)
{
    int file;

    if (!*path) {
        if (!mkdtemp(directory) || atexit(remove_files))
            abort();
        snprintf(path, sizeof path, "%s/" PROGRAM ".jsonl", directory);
        snprintf(lock, sizeof lock, "%s/.lock", directory);
    }
    unlink(path);
    file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0 || write(file, text, size) != (ssize_t)size || close(file))
        abort();
}

static void count(int error, const char *detail, void *told)
{
    (void)error;
    (void)detail;
    ++*(unsigned *)told;
}

/* The record that is stored is found again, or the file is as it was. */
static int on_wisdom(const char *text, size_t size)
{
    const struct wis_key key = {.program = PROGRAM,
                                .kernel = "twice",
                                .device = "Stub device|nobody|1",
                                .shape = {.dim = 1,
                                          .global = {65536 + below(2), 1, 1},
                                          .zero_offset = true,
                                          .own = {64, 1, 1},
                                          .local_args = 0xcbf29ce484222325}};
    const struct wis_record mine = {.outcome = PROF_NO_GAIN, .local = {7, 1, 1}, .gain = 1};
    struct wis_record r;
    const char *problem;
    unsigned told = 0;
    struct wisdom *w;
    struct stat st;
    int stored;

    write_file(text, size);
    w = wis_open(directory, path, &problem);
    wis_lookup(w, &key, &r);
    wis_finish(w, count, &told);
    stored = wis_store(w, &key, &mine, false) == 0;
    wis_close(w);
    w = wis_open(directory, "", &problem);
    if (stored ? !wis_lookup(w, &key, &r) || r.stale || r.local[0] != 7
               : stat(path, &st) || st.st_size != (off_t)size)
        abort();
    wis_close(w);
    return !told;
}

/* What is accepted is learned from; a race that is added is there afterwards, if anything is written. */
static int on_points(const char *text, size_t size)
{
    static const char line[] =
        "{\"kernel\":\"mine\",\"program\":\"0\",\"shape\":\"0\",\"sizes\":[[1,1,1,1,1000"
        ",1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]],\"own\":true}";
    struct points *mine;
    struct learn_points p;
    struct learned l;
    struct learn_sum sum;
    struct pts_head head;
    char *file, *points_lock, place[sizeof directory + 1];
    unsigned at;

    write_file(text, size);
    const int accepted = pts_read(path, (uid_t)-1, &head, &p, &at) == 0;
    if (accepted && learned_make(&l, &p) == 0) {
        learn_sum_up(&l, &sum);
        learned_free(&l);
    }
    learn_points_free(&p);
    snprintf(place, sizeof place, "%s/", directory);
    mine = pts_open(place);
    file = pts_path(place, "D");
    if (!mine || !file || asprintf(&points_lock, "%s.lock", file) < 0 || rename(path, file))
        abort();
    pts_learned(mine, "D", true);
    pts_add(mine, "D", true, strdup(line));
    if (pts_finish(mine, true, NULL) == 0 &&
        (pts_read(file, geteuid(), &head, &p, &at) || p.n == 0 || p.point[p.n - 1].x[0] != 1))
        abort();
    learn_points_free(&p);
    pts_close(mine);
    unlink(file);
    unlink(points_lock);
    free(points_lock);
    free(file);
    return accepted;
}

static int on_options(const char *text, size_t size)
{
    char *copy = strndup(text, size);
    const char *expected;
    const struct opt_row *row;
    struct options o;
    int accepted = 0;

    if (!copy)
        abort();
    for (unsigned i = 0; (row = opt_row(i)); i++) {
        accepted |= opt_check(row->cli, copy, &expected) == 0 && strcmp(row->cli, "deadline") == 0;
        setenv(row->env, copy, 1);
    }
    if (below(64) == 0) /* keeps its strings */
        opt_from_environment(&o, NULL);
    opt_glob_list(copy, "kernel");
    free(copy);
    return accepted;
}

static int on_job(const char *text, size_t size)
{
    struct ahead_job j;
    size_t range[3];

    if (ahead_read(text, size, &j))
        return 0;
    for (unsigned i = 0; i < j.nsize; i++)
        if (j.size[i][0] && j.size[i][1] && j.size[i][2])
            ahead_range(&j, j.size[i], range);
    ahead_free(&j);
    return 1;
}

static int on_answer(const char *text, size_t size)
{
    struct ahead_answer a;

    if (ahead_read_answer(text, size, &a))
        return 0;
    if (a.n > AHEAD_MOST_SIZES || a.took_ns < 0 || a.worked_ns < 0)
        abort();
    return 1;
}

static const char binary[] = "a binary";
static char sources[] = "/tmp/clsizer-fuzz-XXXXXX", source[sizeof sources + HASH128_TEXT + sizeof ".src"];

static void remove_sources(void)
{
    unlink(source);
    rmdir(sources);
}

static int on_binary(const char *text, size_t size)
{
    static struct runtime rt;
    struct shim_source *s;
    char name[HASH128_TEXT];
    int file;

    if (!*source) {
        if (!mkdtemp(sources) || atexit(remove_sources))
            abort();
        hash128_text(hash128(HASH128_START, binary, sizeof binary), name);
        snprintf(source, sizeof source, "%s/%s.src", sources, name);
        strcpy(rt.cache, sources);
    }
    file = open(source, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, text, size) != (ssize_t)size || close(file))
        abort();
    s = bin_recall(&rt, binary, sizeof binary);
    if (s && (strlen(s->options) > size || s->text[s->size]))
        abort();
    obj_source_drop(s);
    return s != NULL;
}

/* ---- checksums ------------------------------------------------------------------------------------- */

static void seal_summary(char *text, size_t size)
{
    const size_t tail = sizeof "end 0123456789abcdef\n" - 1;
    char end[sizeof "end 0123456789abcdef\n"];

    if (size < tail)
        return;
    snprintf(end, sizeof end, "end %016" PRIx64 "\n", hash64(HASH64_START, text, size - tail));
    memcpy(text + size - tail, end, tail);
    if (size > tail)
        text[size - tail - 1] = '\n';
    snprintf(end, sizeof end, "end %016" PRIx64 "\n", hash64(HASH64_START, text, size - tail));
    memcpy(text + size - tail, end, tail);
}

/* Of every line that still ends like a record. */
static void seal_wisdom(char *text, size_t size)
{
    static const char mark[] = ",\"check\":\"";
    const size_t tail = sizeof mark - 1 + 16 + 2;
    char digits[17];

    for (char *line = text, *end; line < text + size; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end)
            break;
        if ((size_t)(end - line) < tail || memcmp(end - tail, mark, sizeof mark - 1) != 0)
            continue;
        snprintf(digits, sizeof digits, "%016" PRIx64,
                 hash64(HASH64_START, line, (size_t)(end - tail - line)));
        memcpy(end - tail + sizeof mark - 1, digits, 16);
    }
}

/* As far as the parts are there. */
static void seal_binary(char *text, size_t size)
{
    const char *end = memchr(text, '\n', size);
    unsigned long long built;
    size_t part[3];
    unsigned form;
    char head[256], digits[17];
    uint64_t hash;

    if (!end || end - text < 16 || (size_t)(end - text) >= sizeof head)
        return;
    memcpy(head, text, (size_t)(end - text));
    head[end - text] = '\0';
    if (sscanf(head, "clsizer-source 3 %u %llu %zu %zu %zu", &form, &built, &part[0], &part[1], &part[2]) !=
        5)
        return;
    hash = hash64(HASH64_START, &built, sizeof built);
    for (unsigned i = 0, at = (unsigned)(end + 1 - text); i < 3; at += (unsigned)part[i++]) {
        if (part[i] > size - at)
            return;
        hash = hash64(hash, text + at, part[i]);
    }
    snprintf(digits, sizeof digits, "%16" PRIx64, hash);
    memcpy(text + (end - text) - 16, digits, 16);
}

static void seal_nothing(char *text, size_t size)
{
    (void)text;
    (void)size;
}

static const struct target {
    const char *name;
    int (*on)(const char *text, size_t size);
    void (*seal)(char *text, size_t size);
} targets[] = {{"summary", on_summary, seal_summary}, {"request", on_request, seal_nothing},
               {"wisdom", on_wisdom, seal_wisdom},    {"options", on_options, seal_nothing},
               {"job", on_job, seal_nothing},         {"answer", on_answer, seal_nothing},
               {"binary", on_binary, seal_binary},    {"points", on_points, seal_nothing}};

#ifdef CLSIZER_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct target *t = &targets[CLSIZER_LIBFUZZER];
    char *text = malloc(size ? size : 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    t->seal(text, size);
    t->on(text, size);
    free(text);
    return 0;
}
#else

/* ---- damage ---------------------------------------------------------------------------------------- */

static const char *const words[] = {" ",
                                    "\n",
                                    "0",
                                    "1",
                                    "-1",
                                    "4294967295",
                                    "18446744073709551615",
                                    "99999999999999999999",
                                    "1e999",
                                    "nan",
                                    "\"",
                                    "{",
                                    "}",
                                    "[",
                                    ",",
                                    ":",
                                    "\\",
                                    "!",
                                    "*",
                                    "\xff\xfe",
                                    "\0x",
                                    "true",
                                    "null",
                                    "@0",
                                    "b0",
                                    "end"};

static size_t replace(char *text, size_t size, size_t at, size_t drop, const char *with, size_t n)
{
    char piece[4096];

    drop = drop < size - at ? drop : size - at;
    n = n < sizeof piece ? n : sizeof piece;
    if (size - drop + n > ROOM)
        return size;
    memcpy(piece, with, n);
    memmove(text + at + n, text + at + drop, size - at - drop);
    memcpy(text + at, piece, n);
    return size - drop + n;
}

static size_t damage(char *text, size_t size)
{
    const size_t at = below(size + 1), from = below(size + 1), n = below(100);
    const char *word = words[below(sizeof words / sizeof *words)];
    const char byte = (char)below(256);

    switch (below(6)) {
    case 0:
        return replace(text, size, at, 1, &byte, 1);
    case 1:
        return replace(text, size, at, n, "", 0);
    case 2:
        return replace(text, size, at, below(4), word, strlen(word));
    case 3:
        return replace(text, size, at, 0, text + from, n < size - from ? n : size - from);
    case 4: /* another number where one stands */
        for (size_t i = at; i < size; i++)
            if (text[i] >= '0' && text[i] <= '9')
                return replace(text, size, i, 1, word, strlen(word));
        return size;
    default:
        return below(4) ? size : at;
    }
}

static size_t load(const char *path, char *text)
{
    const int file = open(path, O_RDONLY);
    const ssize_t n = file < 0 ? -1 : read(file, text, ROOM);

    if (n < 0) {
        perror(path);
        exit(2);
    }
    close(file);
    return (size_t)n;
}

int main(int argc, char **argv)
{
    const struct target *t = NULL;
    const time_t end = time(NULL) + (argc > 2 ? atoi(argv[2]) : 0);
    unsigned long rounds = 0, accepted = 0;
    char *text = malloc(ROOM), *exact;

    for (unsigned i = 0; argc > 3 && i < sizeof targets / sizeof *targets; i++)
        if (strcmp(argv[1], targets[i].name) == 0)
            t = &targets[i];
    if (!t || !text) {
        fputs(
            "usage: fuzz_text summary|request|wisdom|options|job|answer|binary|points SECONDS SEED-FILE...\n",
            stderr);
        return 2;
    }
    for (; time(NULL) < end; rounds++) {
        size_t size = load(argv[3 + below((size_t)argc - 3)], text);
        for (unsigned i = below(4); i > 0; i--)
            size = damage(text, size);
        t->seal(text, size);
        exact = malloc(size ? size : 1); /* so that a read past the end is seen */
        if (!exact)
            return 1;
        memcpy(exact, text, size);
        alarm(20);
        accepted += (unsigned long)t->on(exact, size);
        free(exact);
    }
    free(text);
    printf("%s: %lu texts, %lu accepted\n", t->name, rounds, accepted);
    return accepted == 0 || accepted == rounds; /* one of the two sides was not tried */
}
#endif
