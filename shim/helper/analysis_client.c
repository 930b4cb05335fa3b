/* analysis_client.c - requests to clsizer-analyze and their results. */
#include "shim/helper/analysis_client.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/summary/files.h"
#include "analysis/summary/low_priority.h"
#include "analysis/summary/request.h"
#include "analysis/summary/words.h"
#include "shim/guest/clock.h"
#include "shim/guest/util.h"
#include "shim/helper/spawn.h"

/* A program that makes programs without end must not be remembered without end: builds, and the bytes of
 * their sources.  There are no more sites than that either (site.c). */
#define MOST_BUILDS 4096
#define MOST_TEXT   ((size_t)64 << 20)

/* All builds, and what they hold; guarded by builds_lock. */
static pthread_mutex_t builds_lock = PTHREAD_MUTEX_INITIALIZER;
static struct shim_build *builds;
static size_t nbuild, ntext;

/* The helper at work; guarded by helper_lock. */
static pthread_mutex_t helper_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    struct shim_build *build; /* NULL: idle */
    struct spawned process;
    int64_t deadline, next_look;
} helper;

#define UUID_DIGITS      32
#define MOST_AT_EXIT     4       /* helpers that are started when the process ends */
#define LOOK_INTERVAL_NS 2000000 /* between two looks at the file system */

static void tell(const struct shim_build *b, const char *reason, const char *detail, const char *source)
{
    const struct runtime *rt = rt_current();

    if (rt)
        rep_emit(rt->report, &(struct rep_event){.event = "program",
                                                 .program = b->hash,
                                                 .device = b->device->key,
                                                 .reason = reason,
                                                 .detail = detail,
                                                 .source = source});
}

static void fail(struct shim_build *b, const char *reason, const char *detail)
{
    snprintf(b->reason, sizeof b->reason, "%s", reason);
    b->detail = strdup(detail);
    atomic_store_explicit(&b->state, ANA_FAILED, memory_order_release);
    tell(b, b->reason, b->detail, NULL);
}

static hash128_t hash_text(hash128_t h, const char *text)
{
    return hash128(h, text, strlen(text) + 1);
}

static hash128_t hash_rest(hash128_t h, const struct shim_source *s)
{
    h = hash_text(h, s->options);
    return s->form == REQ_C ? h : hash128(h, &s->form, sizeof s->form);
}

#define LINE_BEGIN "\n\n__constant int pyopencl_defeat_cache_"
#define LINE_END   " = 0;"

/* The source without the line that PyOpenCL puts behind it, but not with PYOPENCL_NO_CACHE. */
static size_t size_of_program(const struct shim_source *s)
{
    const size_t begin = sizeof LINE_BEGIN - 1, end = sizeof LINE_END - 1, line = begin + UUID_DIGITS + end;
    const char *at = s->text + (s->size < line ? 0 : s->size - line);

    if (s->size < line || memcmp(at, LINE_BEGIN, begin) != 0 ||
        memcmp(at + begin + UUID_DIGITS, LINE_END, end) != 0)
        return s->size;
    for (unsigned i = 0; i < UUID_DIGITS; i++)
        if (!isxdigit((unsigned char)at[begin + i]))
            return s->size;
    return s->size - line;
}

/* By which decisions are remembered.  Programs put a UUID into their source to keep it from the driver's
 * cache: whatever number of 32 hexadecimal digits there is does not count. */
void ana_program_hash(const struct shim_source *s, char text[HASH128_TEXT])
{
    hash128_t h = HASH128_START;
    const size_t size = size_of_program(s);
    size_t begin = 0, digits = 0;

    for (size_t i = 0; i <= size; i++) {
        if (isxdigit((unsigned char)s->text[i])) {
            digits++;
            continue;
        }
        if (digits == UUID_DIGITS) {
            h = hash128(h, s->text + begin, i - digits - begin);
            begin = i;
        }
        digits = 0;
    }
    h = hash128(h, s->text + begin, size - begin);
    hash128_text(hash_rest(hash_text(h, ""), s), text);
}

static void name_build(struct shim_build *b)
{
    hash128_t h = hash_rest(hash128(HASH128_START, b->source->text, b->source->size + 1), b->source);
    unsigned version = SUM_VERSION;
    const uint64_t salt = b->source->times ^ (uint64_t)getpid() << 32;

    ana_program_hash(b->source, b->hash);
    h = hash_text(h, b->device->key);
    h = hash_text(h, b->device->version);
    h = hash_text(h, b->device->compiler);
    h = hash_text(h, b->device->extensions);
    h = hash_text(h, b->device->features);
    h = hash_text(h, CLSIZER_VERSION);
    h = hash128(h, &version, sizeof version);
    if (b->lanes)
        h = hash128(h, &b->lanes, sizeof b->lanes);
    if (b->source->reads_files) {
        h = hash_text(h, b->source->cwd ? b->source->cwd : "");
        hash128_text(h, b->shared_name);
        h = hash128(h, &salt, sizeof salt);
    }
    hash128_text(h, b->cache_name);
}

static struct shim_build *new_build(struct shim_source *source, struct shim_device *device)
{
    struct shim_build *b = calloc(1, sizeof *b);

    if (!b)
        return NULL;
    b->source = source;
    b->device = device;
    b->lanes = rt_current() && (rt_current()->opt.variants == OPT_WIDE ||
                                rt_current()->opt.variants == OPT_VARIANTS_AUTO)
                   ? obj_wide_lanes(device)
                   : 0;
    name_build(b);
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

/* The build that is in the table already, or else `b`; NULL, and nothing added, when there is no room.
 * builds_lock held. */
static struct shim_build *add_build(struct shim_build *b)
{
    struct shim_build *first, *known;

    HASH_FIND_STR(builds, b->cache_name, first);
    for (known = first; known && known->device != b->device; known = known->twin)
        continue;
    if (known)
        return known;
    if (nbuild == MOST_BUILDS || b->source->size > MOST_TEXT - ntext)
        return NULL;
    if (first) {
        b->twin = first->twin;
        first->twin = b;
    } else {
        HASH_ADD_STR(builds, cache_name, b);
        if (!b->hh.tbl)
            return NULL;
    }
    obj_source_ref(b->source);
    nbuild++;
    ntext += b->source->size;
    return b;
}

struct shim_build *ana_build(struct shim_source *source, struct shim_device *device)
{
    struct shim_build *b, *kept;
    unsigned place = 0;

    for (; place < SOURCE_BUILDS; place++) {
        b = atomic_load_explicit(&source->build[place], memory_order_acquire);
        if (b && b->device == device)
            return b;
        if (!b)
            break;
    }
    if (atomic_load_explicit(&source->left_out, memory_order_relaxed) || !(b = new_build(source, device)))
        return NULL;
    pthread_mutex_lock(&builds_lock);
    kept = add_build(b);
    pthread_mutex_unlock(&builds_lock);
    if (kept != b)
        free(b);
    if (kept)
        atomic_store_explicit(&source->build[place % SOURCE_BUILDS], kept, memory_order_release);
    else
        atomic_store(&source->left_out, true);
    return kept;
}

static void cache_path(const struct runtime *rt, const struct shim_build *b, const char *ending,
                       char path[RT_FILE])
{
    snprintf(path, RT_FILE, "%s/%s.%s", rt->cache, b->cache_name, ending);
}

/* Processes share the directory, and results: but each helper reads the request of its own application. */
static void request_path(const struct runtime *rt, const struct shim_build *b, char path[RT_FILE])
{
    char ending[32];

    snprintf(ending, sizeof ending, "%ld.req", (long)getpid());
    cache_path(rt, b, ending, path);
}

/* Where a helper of this process writes the summary.  One that only this process reads has a name by which it
 * is removed some day if the process is killed (tidy_directory_of()). */
static void summary_path(const struct runtime *rt, const struct shim_build *b, char path[RT_FILE])
{
    cache_path(rt, b, b->source->reads_files ? "sum.own" : "sum", path);
}

/* Where the next run looks for the summary. */
static void lasting_path(const struct runtime *rt, const struct shim_build *b, char path[RT_FILE])
{
    if (b->source->reads_files)
        snprintf(path, RT_FILE, "%s/%s.sum", rt->cache, b->shared_name);
    else
        summary_path(rt, b, path);
}

void ana_summary_file(const struct shim_build *b, char path[RT_FILE])
{
    const struct runtime *rt = rt_current();

    *path = '\0';
    if (rt && *rt->cache)
        lasting_path(rt, b, path);
}

/* Failures that the program itself causes will be the same tomorrow; all others are not worth remembering. */
static bool lasting(const char *reason)
{
    return words_have(
        "does-not-compile does-not-link does-not-translate driver-macro too-large unsupported-option",
        reason);
}

/* The summary in a file; false if there is no usable one. */
static bool read_summary(const char *path, struct program_summary *out)
{
    size_t size = 0;
    char *text = util_read_private(path, SUM_MAX_TEXT, &size);
    bool good;

    if (!text)
        return false;
    good = sum_parse(text, size, out, NULL) == 0;
    free(text);
    if (!good)
        unlink(path);
    return good;
}

static void set_ready(struct shim_build *b)
{
    tell(b, "analysed", NULL, b->from_cache ? "cache" : "helper");
    atomic_store_explicit(&b->state, ANA_READY, memory_order_release);
}

/* Take the summary that another process left of a program that reads files, if its files are still the
 * same. */
static bool take_shared(struct runtime *rt, struct shim_build *b)
{
    char path[RT_FILE];

    lasting_path(rt, b, path);
    if (!read_summary(path, &b->summary))
        return false;
    if (b->summary.error || !files_same(&b->summary, b->source->built_ns)) {
        sum_free(&b->summary);
        return false;
    }
    set_ready(b);
    return true;
}

/* Leave the summary of a program that reads files to later builds, if it says which files those are. */
static void share_summary(const struct runtime *rt, const struct shim_build *b, const char *path)
{
    char shared[RT_FILE];

    lasting_path(rt, b, shared);
    if (!b->summary.files_known || b->summary.error || rename(path, shared))
        unlink(path);
}

/* The helper's word on this build; true if taken (state READY or FAILED), false if
 * there is no usable file. */
static bool take_result(struct runtime *rt, struct shim_build *b)
{
    char path[RT_FILE], *colon;

    summary_path(rt, b, path);
    if (!read_summary(path, &b->summary))
        return false;
    if (b->source->reads_files)
        share_summary(rt, b, path);
    if (b->summary.error) {
        colon = strstr(b->summary.error, ": ");
        if (colon)
            *colon = '\0';
        if (!lasting(b->summary.error))
            unlink(path);
        fail(b, b->summary.error, colon ? colon + 2 : "");
        return true;
    }
    set_ready(b);
    return true;
}

/* ---- requests -------------------------------------------------------------------------------------- */

static int write_request(struct runtime *rt, struct shim_build *b)
{
    const struct shim_device *d = b->device;
    const struct req r = {.options = b->source->options,
                          .extensions = d->extensions,
                          .features = d->features,
                          .device = (char *)d->compiler,
                          .clversion = (char *)d->version,
                          .profile = d->profile,
                          .bits = d->address_bits,
                          .big_endian = !d->little_endian,
                          .images = d->images,
                          .built_ns = b->source->built_ns,
                          .cwd = b->source->cwd,
                          .wide = b->lanes,
                          .form = b->source->form,
                          .source = b->source->text,
                          .source_bytes = b->source->size};
    char path[RT_FILE], *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    int error;

    if (!f)
        return -ENOMEM;
    error = req_write(&r, f);
    if (fclose(f) && !error)
        error = -ENOMEM;
    request_path(rt, b, path);
    unlink(path);
    if (!error)
        error = util_make_file(path, 0600, text, size);
    free(text);
    return error;
}

/* `niceness`: 0, as the application; HUMBLE_NICE, for what nobody waits for. */
static int start_helper(struct runtime *rt, struct shim_build *b, int niceness, char output[RT_FILE],
                        struct spawned *process)
{
    char request[RT_FILE], deadline[24], nice[16];
    char *argv[] = {rt->helper,   "--request", request,  "--output", output,
                    "--deadline", deadline,    "--nice", nice,       NULL};

    request_path(rt, b, request);
    snprintf(deadline, sizeof deadline, "%d", rt->opt.deadline);
    snprintf(nice, sizeof nice, "%d", niceness);
    return spawn_detached(argv, false, process);
}

static void forget_request(struct runtime *rt, struct shim_build *b)
{
    char path[RT_FILE];

    request_path(rt, b, path);
    unlink(path);
}

static void forget_helper(struct runtime *rt, struct shim_build *b)
{
    char path[RT_FILE];

    forget_request(rt, b);
    if (b->source->reads_files) {
        summary_path(rt, b, path);
        unlink(path);
    }
    helper.build = NULL;
    helper.process.pid = 0;
}

/* helper_lock held, helper.build == b */
static void watch_helper(struct runtime *rt, struct shim_build *b)
{
    int64_t now = clock_now();
    bool alive;

    if (now < helper.next_look)
        return;
    helper.next_look = now + LOOK_INTERVAL_NS;
    alive = spawn_alive(&helper.process); /* before the look: it may end in between */
    if (take_result(rt, b)) {
        forget_helper(rt, b);
    } else if (!alive) {
        forget_helper(rt, b);
        fail(b, "helper-crashed", "the analysis helper ended without a result");
    } else if (now >= helper.deadline) {
        spawn_kill(&helper.process); /* with the compiler that it started */
        forget_helper(rt, b);
        fail(b, "analysis-timeout", "the analysis helper missed its deadline");
    }
}

/* helper_lock held, no helper at work */
static void ask_helper(struct runtime *rt, struct shim_build *b)
{
    char output[RT_FILE];
    int error;

    if (!*rt->cache) {
        fail(b, rt->cache_problem, "no private directory for requests and summaries");
    } else if (!*rt->helper) {
        fail(b, "helper-missing", "clsizer-analyze was not found");
    } else if (b->source->reads_files && !b->source->cwd) {
        fail(b, "ambiguous-include", "built in several directories, or in one that is not known");
    } else if ((error = write_request(rt, b))) {
        fail(b, "cache-unwritable", strerror(-error));
    } else {
        helper.build = b;
        helper.deadline = clock_now() + (int64_t)rt->opt.deadline * 1000000;
        helper.next_look = 0;
        summary_path(rt, b, output);
        error = start_helper(rt, b, 0, output, &helper.process);
        if (error) {
            forget_helper(rt, b);
            fail(b, "helper-missing", strerror(-error));
        }
    }
}

enum ana_state ana_look(struct shim_build *b)
{
    struct runtime *rt = rt_current();
    enum ana_state state = atomic_load_explicit(&b->state, memory_order_acquire);

    if (state != ANA_IDLE || !rt || !*rt->cache || atomic_load(&b->looked) || util_confined())
        return state;
    pthread_mutex_lock(&helper_lock);
    if (!atomic_exchange(&b->looked, true)) {
        b->from_cache = true;
        b->from_cache = b->source->reads_files ? take_shared(rt, b) : take_result(rt, b);
    }
    pthread_mutex_unlock(&helper_lock);
    return atomic_load_explicit(&b->state, memory_order_acquire);
}

enum ana_state ana_advance(struct shim_build *b)
{
    struct runtime *rt = rt_current();
    enum ana_state state = atomic_load_explicit(&b->state, memory_order_acquire);

    if (state == ANA_READY || state == ANA_FAILED || !rt || pthread_mutex_trylock(&helper_lock))
        return state;
    state = atomic_load(&b->state);
    if ((state == ANA_IDLE || state == ANA_PENDING) && !util_confined()) {
        atomic_store(&b->state, ANA_PENDING);
        if (helper.build)
            watch_helper(rt, helper.build);
        if (!helper.build && atomic_load(&b->state) == ANA_PENDING &&
            (b->source->reads_files || !take_result(rt, b))) /* a twin's, perhaps */
            ask_helper(rt, b);
    }
    pthread_mutex_unlock(&helper_lock);
    return atomic_load_explicit(&b->state, memory_order_acquire);
}

enum ana_state ana_wait(struct shim_build *b)
{
    const struct runtime *rt = rt_current();
    const int64_t deadline = clock_now() + (rt ? (int64_t)rt->opt.deadline * 1000000 : 0);
    enum ana_state state;

    while ((state = ana_advance(b)) == ANA_PENDING && clock_now() < deadline && !util_confined())
        clock_sleep(LOOK_INTERVAL_NS);
    return state;
}

/* Start a helper for the build if it is worth it, and if none is `at_work` on it.  True if one was started.
 */
static bool analyse_at_exit(struct runtime *rt, struct shim_build *b, const struct shim_build *at_work)
{
    const enum ana_state state = (enum ana_state)atomic_load(&b->state);
    const int64_t enough = rt_enough_ns(rt);
    struct spawned process;
    char output[RT_FILE];

    if (state == ANA_READY || state == ANA_FAILED || b == at_work || atomic_load(&b->observed_ns) < enough ||
        (b->source->reads_files && !b->source->cwd) || write_request(rt, b))
        return false;
    lasting_path(rt, b, output);
    if (start_helper(rt, b, HUMBLE_NICE, output, &process))
        forget_request(rt, b);
    return true;
}

/* Stop a helper that works on a program which reads files: it would write its result for this process alone.
 * So that analyse_at_exit() asks again, with a result for the next run.  *at_work: the build whose helper
 * goes on; NULL: none does.  False if that cannot be told. */
static bool stop_helper(struct runtime *rt, const struct shim_build **at_work)
{
    if (pthread_mutex_trylock(&helper_lock))
        return false;
    if (helper.build && helper.build->source->reads_files) {
        spawn_kill(&helper.process);
        forget_helper(rt, helper.build);
    }
    *at_work = helper.build;
    pthread_mutex_unlock(&helper_lock);
    return true;
}

void ana_at_exit(struct runtime *rt)
{
    const struct shim_build *at_work;
    unsigned started = 0;

    if (!stop_helper(rt, &at_work) || !*rt->cache || !*rt->helper || pthread_mutex_trylock(&builds_lock))
        return;
    for (struct shim_build *b = builds; b && started < MOST_AT_EXIT; b = b->hh.next)
        for (struct shim_build *one = b; one; one = one->twin)
            if (analyse_at_exit(rt, one, at_work)) {
                started++;
                break; /* the summary is that of all twins */
            }
    pthread_mutex_unlock(&builds_lock);
}
