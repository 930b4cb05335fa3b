/* lifetime.c - starts the library, turns it off for good, and prints the line at exit (lifetime.h). */
#include "shim/calls/lifetime.h"
#include "shim/calls/left_alone.h"
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "shim/guest/clock.h"
#include "shim/guest/guest.h"
#include "shim/guest/util.h"
#include "shim/helper/analysis_client.h"
#include "shim/ledger/cache_place.h"
#include "shim/object/event_shadow.h"
#include "shim/site/compile_ahead.h"
#include "shim/site/site.h"
#include "shim/site/site_report.h"
#include "shim/site/untimed_runs.h"
#include "shim/tune/settle.h"

#define say(...) rep_say(runtime.report, 0, __VA_ARGS__) /* although nobody asked */

static struct runtime runtime;
static atomic_bool tracks; /* from the start to the end, but not in fork children */
static pthread_once_t started = PTHREAD_ONCE_INIT;
static atomic_bool start_done;

static int is_valgrinds(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    return strstr(library->dlpi_name, "/vgpreload_core") != NULL;
}

/* Times under Valgrind say nothing of others, its tools take the helper's start for the application's doing,
 * and it ends a process that starts one in the keeper's way (spawn.c).  Its core preloads a library; to look
 * for a symbol instead might leave an error for the application's dlerror(). */
static bool under_valgrind(void)
{
    return dl_iterate_phdr(is_valgrinds, NULL);
}

/* A child has none of the driver's threads; whatever state was copied is stale, and locks may be held for
 * good.  Calls are bare there. */
static void go_inert(void)
{
    atomic_store(&rt_usable, NULL);
    atomic_store(&tracks, false);
    site_go_inert();
    shadow_go_inert();
}

static void warn_option(const char *words)
{
    say("%.480s", words);
}

static void warn_unknown(const char *variable)
{
    say("%.*s is no variable of clsizer's; `clsizer --options` lists them", (int)strcspn(variable, "="),
        variable);
}

/* A glob that no kernel has met is likely to be a mistake. */
static void warn_globs(const char *option, const char *globs, uint64_t met)
{
    for (unsigned i = 0; *globs && i < 64; i++) {
        const size_t size = strcspn(globs, ",");
        if (size && !(met >> i & 1))
            say("--%s %.*s: no kernel of that name was launched", option, (int)size, globs);
        globs += size;
        globs += *globs == ',';
    }
}

static void warn(const char *reason, const char *detail, void *unused)
{
    (void)unused;
    rep_emit(runtime.report, &(struct rep_event){.event = "warning", .reason = reason, .detail = detail});
}

/* A wis_tell.  What a newer version wrote is left as it is, and that is told although nobody asked. */
static void warn_wisdom(int error, const char *detail, void *unused)
{
    warn(error ? "wisdom-unusable" : "wisdom-skipped", detail, unused);
    if (runtime.opt.verbose < 1 && error == -EPROTO)
        say("%.400s; it is left as it is", detail);
}

static void read_device_file(void)
{
    char message[512];
    struct device *d;

    if (!*runtime.opt.device_file || !(d = malloc(sizeof *d)))
        return;
    if (dev_load(runtime.opt.device_file, d, message, sizeof message) == 0) {
        runtime.device_override = d;
        return;
    }
    free(d);
    warn("bad-device-file", message, NULL);
}

/* What is wrong with the user's own file is told although nobody asked. */
static void read_pool(void)
{
    char problem[512];

    if (!*runtime.opt.pool)
        return;
    runtime.pool = pool_read(runtime.opt.pool, problem);
    if (!*problem)
        return;
    say("%s", problem);
    warn("bad-pool", problem, NULL);
}

/* For kernels that were not launched: likely to be a mistake. */
static void warn_pool(const struct runtime *rt)
{
    for (const struct pool_variant *v = rt->pool; v; v = v->next)
        if (!atomic_load(&v->met))
            say("--pool %.300s: no kernel %.100s was launched", rt->opt.pool, v->kernel);
}

/* For variants of --sizes that nobody has offered. */
static void warn_variants(const struct runtime *rt)
{
    const char *at = rt->opt.sizes;

    for (unsigned i = 0; *at && i < 64; i++) {
        char glob[256], name[OPT_VARIANT];
        if (atomic_load(&rt->met.sizes) >> i & 1 &&
            sscanf(at, "%255[^=,]=" OPT_GIVEN "%63[^:,]", glob, name) == 2 &&
            !pool_offers(rt->pool, glob, name))
            say("--sizes %s=" OPT_GIVEN "%s: no variant of that name was offered (--pool)", glob, name);
        at += strcspn(at, ",");
        at += *at == ',';
    }
}

/* The option, else beside the library (build tree), else where it is installed, seen from the library: a
 * prefix may be moved as a whole. */
static void find_program(const char *name, const char *option, char path[RT_PATH])
{
    static const char *const places[] = {"", CLSIZER_LIBEXEC_RELATIVE "/"};
    const char *library = util_library();
    char real[PATH_MAX], *slash;

    if (*option) {
        char *absolute = util_absolute(option); /* the program may go elsewhere */
        snprintf(path, RT_PATH, "%s", absolute ? absolute : "");
        free(absolute);
        return;
    }
    if (!library || !realpath(library, real) || !(slash = strrchr(real, '/')))
        return;
    *slash = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, RT_PATH, "%.3900s/%s%s", real, places[i], name);
        if (access(path, X_OK) == 0)
            return;
    }
    path[0] = '\0';
}

/* Without the helper that the user names nothing is tuned. */
static void check_helper(void)
{
    if (*runtime.opt.helper && access(runtime.helper, X_OK) && !runtime.opt.quiet)
        say("--helper %.300s: %s; no kernel is analysed", runtime.opt.helper, strerror(errno));
}

static void say_goodbye(void);

static void start(void)
{
    const char *problem;
    struct guest guest;

    guest_begin(&guest);
    /* A program with more rights than its caller: who set the environment must have no say in it. */
    if (getauxval(AT_SECURE) || util_confined())
        runtime.opt.off = true;
    else
        opt_from_environment(&runtime.opt, warn_option);
    runtime.started_ns = clock_now();
    if (!runtime.opt.off) {
        opt_unknown_variables(warn_unknown);
        runtime.report = rep_open(&runtime.opt);
        rep_begin(runtime.report, CLSIZER_VERSION);
        runtime.opt.off = under_valgrind();
        if (runtime.opt.off)
            warn("valgrind", NULL, NULL);
    }
    if (!runtime.opt.off) {
        runtime.wisdom = wis_open(runtime.opt.wisdom, runtime.opt.system_wisdom, &problem);
        if (problem)
            warn("wisdom-unusable", problem, NULL);
        if (problem && runtime.opt.verbose < 1 && strncmp(problem, WIS_DEFAULT, sizeof WIS_DEFAULT - 1) != 0)
            say("%.400s; it is left as it is", problem);
        runtime.points = pts_open(wis_own_place(runtime.wisdom));
        runtime.cache_problem = cache_find(runtime.opt.cache, runtime.cache);
        find_program("clsizer-analyze", runtime.opt.helper, runtime.helper);
        find_program("clsizer-ahead", "", runtime.ahead);
        check_helper();
        read_device_file();
        read_pool();
        pthread_atfork(NULL, NULL, go_inert);
        atexit(say_goodbye);
        atomic_store(&tracks, true);
        atomic_store(&rt_usable, &runtime);
    }
    atomic_store_explicit(&start_done, true, memory_order_release);
    guest_end(&guest);
}

struct runtime *rt_start(void)
{
    if (!atomic_load_explicit(&start_done, memory_order_acquire))
        pthread_once(&started, start);
    return atomic_load_explicit(&rt_usable, memory_order_acquire);
}

bool rt_tracks(void)
{
    (void)rt_start();
    return atomic_load_explicit(&tracks, memory_order_acquire);
}

/* ", 2 undecided": what is in force meanwhile, and what to do, unless lines above have told it. */
static void print_open(const struct runtime *rt, const struct report_totals *t, char *out, size_t room)
{
    const bool goes_on = opt_measures(&rt->opt) && !rt->opt.dry_run && strcmp(rt->opt.wisdom, "none") != 0;
    const double part = t->open ? t->settled / t->open : 0, more = part > 0 ? t->runs * (1 - part) / part : 0;
    char faster[224] = "", again[64] = "";

    *out = '\0';
    if (!t->open)
        return;
    if (t->faster == 1)
        snprintf(faster, sizeof faster, ", 1 of them faster already%s", t->in_use);
    else if (t->faster)
        snprintf(faster, sizeof faster, ", %u of them faster already", t->faster);
    if (goes_on && more >= 1.5)
        snprintf(again, sizeof again, "run it again, about %.0f times; ", more);
    else if (goes_on)
        snprintf(again, sizeof again, "run it again; ");
    snprintf(out, room, ", %u undecided%s", t->open, faster);
    if (rt->opt.verbose < 2)
        snprintf(out + strlen(out), room - strlen(out), " (%s--verbose 2 tells why)", again);
}

static void say_summary(struct runtime *rt, const struct report_totals *t)
{
    const unsigned kernels = atomic_load(&rt->total.kernels), refused = atomic_load(&rt->total.refused),
                   shapes = t->retuned + t->kept + refused + t->open;
    const char *hidden = atomic_load(&rt->from_binary)
                             ? " (a store of compiled kernels hides their source: clsizer doctor names it)"
                             : "";
    char of[64], undecided[384];

    snprintf(of, sizeof of, "%u kernel%s", kernels, kernels == 1 ? "" : "s");
    if (shapes > kernels)
        snprintf(of + strlen(of), sizeof of - strlen(of), ", %u shapes", shapes);
    print_open(rt, t, undecided, sizeof undecided);
    if (rt->opt.dry_run)
        say("%s: %u would be retuned, %u kept, %u left alone%s%s; dry run, nothing was changed", of,
            t->retuned, t->kept, refused, hidden, undecided);
    else
        say("%s: %u retuned, %u kept, %u left alone%s%s; saved %.1f ms, spent %.1f ms", of, t->retuned,
            t->kept, refused, hidden, undecided, (double)t->saved_ns / 1e6, (double)t->spent_ns / 1e6);
}

/* The launcher tells which shapes, and fails; without it nobody else tells. */
static void warn_strict(const struct runtime *rt, unsigned undecided)
{
    if (undecided && rt->opt.use_only == OPT_USE_ONLY_STRICT && !rt->opt.quiet)
        say("--use-only=strict: no decision for %u shape%s; only the command `clsizer` fails then", undecided,
            undecided == 1 ? "" : "s");
}

/* The launcher asks for one line, on its own stderr: what a program's output is put into is none of its
 * business (1: whatever stderr is).  A process that launched no kernel has nothing to say.  Decisions are on
 * disk already, only what is not decided is written now. */
static void finish(struct runtime *rt)
{
    const char *asked = secure_getenv("CLSIZER_SUMMARY");
    char here[UTIL_FILE_TEXT];
    struct report_totals totals;

    util_stderr(here);
    settle_at_exit(rt);
    untimed_at_exit(rt);
    ana_at_exit(rt);
    ahead_at_exit(rt);
    wis_finish(rt->wisdom, warn_wisdom, NULL);
    (void)pts_finish(rt->points, false, NULL); /* nothing depends on them */
    report_open_sites(rt, &totals);
    report_all_sites(rt);
    left_alone_at_exit(rt);
    if (atomic_load(&rt->met.any)) {
        warn_globs("kernels", rt->opt.kernels, atomic_load(&rt->met.kernels));
        warn_globs("sizes", rt->opt.sizes, atomic_load(&rt->met.sizes));
        warn_globs("retune", rt->opt.retune, atomic_load(&rt->met.retune));
        warn_variants(rt);
        warn_pool(rt);
    }
    if (!asked)
        warn_strict(rt, totals.unmeasured);
    if (asked && (strcmp(asked, here) == 0 || strcmp(asked, "1") == 0) && !rt->opt.quiet &&
        atomic_load(&rt->total.kernels))
        say_summary(rt, &totals);
}

/* Applications may still call OpenCL from their own exit handlers.  One that ends in a signal handler which
 * came while we were at work takes locks with it that we would wait for.
 *
 * The driver was loaded before we start, so this comes before its own exit handlers and those of its
 * libraries.  A program may leave while its last launches are still being compiled: if we took our time
 * after LLVM has torn itself down, a driver's thread would use that, and crash. */
static void say_goodbye(void)
{
    struct runtime *rt = atomic_load(&rt_usable);
    struct guest guest;

    atomic_store(&rt_usable, NULL);
    if (!rt || guest_inside() || util_confined())
        return;
    guest_begin(&guest);
    finish(rt);
    guest_end(&guest);
}
