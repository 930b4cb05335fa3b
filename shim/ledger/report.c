/* report.c - tells what was decided and why, in JSON lines and in words.
 *
 * Schema 1.  Every line is one object.  Members that do not apply are absent; further members may be added
 * without a new schema number.
 *
 *   schema       1
 *   time         ISO 8601 UTC
 *   pid          the process
 *   event        "decision": which local size is used from now on
 *                "refusal": a launch, a kernel or a shape of launches is left alone
 *                "observed": a decision no longer stands (reason "drift"); launches are not made in
 *                parts (launch_problem()), or not with another size ("hampered"); shapes beyond those that
 *                are looked at ("many-shapes"); at the end, what stayed undecided
 *                "program": a program was analysed, or could not be
 *                "warning"
 *                "advice": once the kernel of a shape is known, what would make it faster
 *                "arguments": ... what it was launched with then, as far as the model asks; of a kernel that
 *                is left alone with one of its shapes
 *                "run": the first line of a process that has something to tell
 *                "samples": launches of a shape that were timed, once it is decided and at the end
 *                "launches": at the end, what became of the launches of a shape; if its kernel was left
 *                alone, with those of later shapes; without `launch` if nothing is known of the kernel
 *   at_us        microseconds since the report was opened, of all events but "run"
 *   program      hash of source and build options
 *   kernel       its name
 *   device       "name|vendor|driver version"
 *   launch       {dim, global [3], offset [3], local [3] or null}: as the application asked for it
 *   facts        {S, O0, O1, O2, I, A, U}: what is proved of the kernel (docs/proofs.md); each {reason
 *                ("proved" or why not), line (in the source), detail}
 *   proof        {size, slice0, slice1, slice2, idempotent, order_free, uniform, groups}: the same of this
 *                launch, with its arguments (struct sel_proof); each {proven, reason, fact, detail}
 *   counts       {candidates, kept, duplicate, inferior, infeasible, measured}: how many local sizes
 *   estimate     {pessimistic, estimated, traces, kept, pruned, order, by}: struct sel_estimate; pruned is a
 *                fraction; order: "model", or "both": it and what was learned say in which order sizes are
 *                measured (select/learn/judge.h); by {of, bounds, mwp, param, learned}: struct rep_ranks
 *   candidates   [{local, own, divides, state, other, best_ns, worst_ns, time_ns, active_warps, limiter}]:
 *                bounds and prediction for the whole launch; other: index in this list of what made it a
 *                duplicate or inferior, if that is in it.  The best CANDIDATES_TOLD by prediction, and those
 *                that were measured
 *   race         {noise, lanes [{local, variant, own, samples, best_ns, mean_ns, pairs {won, lost, all,
 *                ratio}, overhead_us, dropped, failed}]}: per work-item; pairs: of the samples with those of
 *                the own size before and after them (profiler/pairs.c)
 *   decision     {outcome, local, gain, margin, noise}; local is null for the driver's choice
 *   variant      {name, local, gain}: the kernel that is launched instead where its guards hold, with which
 *                size, and how much faster than the program's launch it was; `decision` says what is
 *                launched elsewhere
 *   all_runs     {observed_us, spent_us, saved_us, compile_us}: of this run and the earlier ones, until the
 *                decision; spent_us and saved_us as in "launches"; observed_us: the kernel time seen, absent
 *                if none was; compile_us: what compiling for a size takes, absent while unknown
 *   mode         how it was measured: "none", "slices", "rerun", "launches", "sandbox", "swap"
 *   reason       why, by name: `clsizer --reasons` says what each means
 *   fact         refusals: the fact that was not proved
 *   detail       why, in words
 *   source       of a decision: "wisdom", "model", "measured", "asked" (by --sizes); of a program's
 *                analysis: "cache", "helper"
 *   held_us      how long launches of the shape were held up before they were enqueued, so that an earlier
 *                one's time could be seen first (pace.h); the device had work meanwhile
 *   dry_run      true: nothing was changed
 *   local        of "advice": the local size that it is about; null is the driver's choice
 *   advice       [{what, argument, line, text, gain, now_us, then_us}]: struct advice; predicted times of a
 * launch
 *   arguments    of "arguments", by index: the bytes of a buffer, an image or local memory; the bytes of a
 *                value, in hexadecimal, as they lie in memory, the first LAUNCH_ARG_BYTES; null: unknown
 *   summary      of "arguments": the file that the helper made of the program
 *   traits       of "arguments": what the driver tells of the device (struct dev_traits), absent with
 *                --device-file
 *
 * Of "run":
 *   unix_us      when the report was opened, microseconds since 1970
 *   clsizer      its version
 *   executable   the program; the script where python3 or the like runs one
 *   directory, command [...]: its working directory, its command line; what exceeds COMMAND_TOLD bytes is
 *                left out
 *   options      {NAME: VALUE} that were given
 * Of "launches", about this process alone:
 *   state        of the shape: "new", "racing", "decided", "refused"; "retired": a decision that was given up
 *                for another line's
 *   driver       the device's version, as the driver says
 *   launches     how many the program made; of these
 *   changed      made otherwise than the program asked for, after the decision
 *   timed        timed
 *   kernel_us    all of them together, estimated from those that were timed; absent if unknown
 *   own_us       one with the program's size; absent if unknown
 *   now_us       one as they are made now, while a race goes on if not as its sample; absent if unknown
 *   now          {local, variant}: how that is, if not as the program asked
 *   saved_us     what new sizes gained over the program's own, estimated from the times measured
 *   spent_us     what finding them cost: compilation, waiting, repeated work, slower samples, less what
 *                faster samples gained; if these gained more, that is in saved_us
 * Of "samples", lists of equal length, an entry for each:
 *   size         "64x4", with the variant's name before it ("wide8 64x4"); "": the driver's choice
 *   at           when it was enqueued, as at_us
 *   start        when it began, microseconds of the device's clock since an unknown time; 0: unknown
 *   us, overhead how long it ran, how long compilation or waiting took
 *   items        work-items
 *   queue        a number for each queue
 */
#include "shim/ledger/report.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <time.h>
#include "shim/guest/clock.h"
#include "shim/guest/util.h"
#include "shim/ledger/json.h"
#include "shim/ledger/run_info.h"

#define SCHEMA          1
#define SAY_SIZE        1024
#define CANDIDATES_TOLD 40 /* some 6 kB */

#define BEGINNING "{\"schema\":" /* of a report */

struct report {
    char *path; /* absolute, or as is_stderr() takes it; NULL: no file */
    atomic_flag complained;
    int verbose;
    int64_t opened_ns;     /* clock_now() */
    _Atomic(char *) first; /* the line about the process, with its newline, until it is written; owned */
};

/* ---- values ---------------------------------------------------------------------------------------- */

static void add_text(struct json_object *o, const char *name, const char *text)
{
    if (text && *text)
        js_add(o, name, json_object_new_string(text));
}

static void add_int(struct json_object *o, const char *name, int64_t v)
{
    js_add(o, name, json_object_new_int64(v));
}

static void add_bool(struct json_object *o, const char *name, bool v)
{
    js_add(o, name, json_object_new_boolean(v));
}

/* Six significant digits; null for infinity and not-a-number. */
static void add_number(struct json_object *o, const char *name, double x)
{
    if (isfinite(x))
        js_add(o, name, js_number(x, 6));
    else if (o)
        json_object_object_add(o, name, NULL);
}

/* Nanoseconds as microseconds with three decimal places, so nothing is rounded. */
static void add_us(struct json_object *o, const char *name, int64_t ns)
{
    unsigned long long n = ns < 0 ? 0 - (unsigned long long)ns : (unsigned long long)ns;
    char text[40];

    snprintf(text, sizeof text, "%s%llu.%03llu", ns < 0 ? "-" : "", n / 1000, n % 1000);
    js_add(o, name, json_object_new_double_s((double)ns / 1000, text));
}

/* A time that is absent if it is not known. */
static void add_known_us(struct json_object *o, const char *name, int64_t ns)
{
    if (ns > 0)
        add_us(o, name, ns);
}

/* A local size; null stands for the driver's choice. */
static void add_local(struct json_object *o, const char *name, const size_t v[3])
{
    if (v[0])
        js_add(o, name, js_triple(v));
    else if (o)
        json_object_object_add(o, name, NULL);
}

/* ---- parts of an event ----------------------------------------------------------------------------- */

static struct json_object *launch_object(const struct launch *l)
{
    struct json_object *o = json_object_new_object();

    add_int(o, "dim", l->dim);
    js_add(o, "global", js_triple(l->global));
    js_add(o, "offset", js_triple(l->offset));
    add_local(o, "local", l->local);
    return o;
}

static struct json_object *facts_object(const struct kernel_summary *k)
{
    struct json_object *o = json_object_new_object();

    for (unsigned i = 0; i < SUM_FACTS && o; i++) {
        struct json_object *fact = json_object_new_object();
        add_text(fact, "reason", sum_reason_name(k->fact[i].reason));
        if (k->fact[i].line)
            add_int(fact, "line", k->fact[i].line);
        add_text(fact, "detail", k->fact[i].detail);
        js_add(o, sum_fact_name((enum sum_fact)i), fact);
    }
    return o;
}

static struct json_object *verdict_object(const struct sel_verdict *v)
{
    struct json_object *o = json_object_new_object();

    add_bool(o, "proven", v->proven);
    if (!v->proven) {
        add_text(o, "reason", sel_reason_name(v->reason));
        if (v->reason == SEL_R_SUMMARY)
            add_text(o, "fact", sum_fact_name(v->fact));
        add_text(o, "detail", v->detail);
    }
    return o;
}

static struct json_object *proof_object(const struct sel_proof *p)
{
    struct json_object *o = json_object_new_object();

    js_add(o, "size", verdict_object(&p->size));
    js_add(o, "slice0", verdict_object(&p->slice[0]));
    js_add(o, "slice1", verdict_object(&p->slice[1]));
    js_add(o, "slice2", verdict_object(&p->slice[2]));
    js_add(o, "idempotent", verdict_object(&p->idempotent));
    js_add(o, "order_free", verdict_object(&p->order_free));
    js_add(o, "uniform", verdict_object(&p->uniform));
    js_add(o, "groups", verdict_object(&p->groups));
    return o;
}

static struct json_object *counts_object(const struct rep_event *e)
{
    struct json_object *o = json_object_new_object();
    unsigned states[SEL_INFEASIBLE + 1] = {0}, measured = 0;

    for (unsigned i = 0; i < e->ncandidate; i++)
        if (e->candidates[i].state <= SEL_INFEASIBLE)
            states[e->candidates[i].state]++;
    for (unsigned i = 0; e->race && i < e->race->n; i++)
        measured += e->race->lane[i].samples > 0;
    add_int(o, "candidates", e->ncandidate);
    add_int(o, "kept", states[SEL_KEPT]);
    add_int(o, "duplicate", states[SEL_DUPLICATE]);
    add_int(o, "inferior", states[SEL_INFERIOR]);
    add_int(o, "infeasible", states[SEL_INFEASIBLE]);
    add_int(o, "measured", measured);
    return o;
}

static struct json_object *ranks_object(const struct rep_ranks *r)
{
    static const char *const names[SEL_ESTIMATORS] = {
        [SEL_BOUNDS] = "bounds", [SEL_MWP] = "mwp", [SEL_PARAM] = "param"};
    struct json_object *o = json_object_new_object();

    add_int(o, "of", r->of);
    for (unsigned e = SEL_BOUNDS; e < SEL_ESTIMATORS; e++)
        if (r->by[e])
            add_int(o, names[e], r->by[e]);
    if (r->learned)
        add_int(o, "learned", r->learned);
    return o;
}

static struct json_object *estimate_object(const struct sel_estimate *e, const struct rep_ranks *r)
{
    struct json_object *o = json_object_new_object();

    add_bool(o, "pessimistic", e->pessimistic);
    add_bool(o, "estimated", e->estimated);
    add_int(o, "traces", e->traces);
    add_int(o, "kept", e->kept);
    add_number(o, "pruned", e->pruned_fraction);
    add_text(o, "order", e->by_both ? "both" : "model");
    if (r && r->of)
        js_add(o, "by", ranks_object(r));
    return o;
}

static struct json_object *candidate_object(const struct candidate *c)
{
    struct json_object *o = json_object_new_object();

    add_local(o, "local", c->local);
    if (c->own)
        add_bool(o, "own", true);
    add_bool(o, "divides", c->divides);
    add_text(o, "state", sel_state_name(c->state));
    if ((c->state == SEL_DUPLICATE || c->state == SEL_INFERIOR) && c->other < CANDIDATES_TOLD)
        add_int(o, "other", c->other);
    add_number(o, "best_ns", c->best_ns);
    add_number(o, "worst_ns", c->worst_ns);
    add_number(o, "time_ns", c->time_ns);
    add_int(o, "active_warps", c->active_warps);
    add_text(o, "limiter", sel_limiter_name(c->limiter));
    return o;
}

static bool was_measured(const struct prof_race *race, const struct candidate *c)
{
    const unsigned lane = race ? prof_lane_of(race, c->local) : 0;

    return race && (lane || c->own) && race->lane[lane].samples;
}

static struct json_object *candidates_array(const struct rep_event *e)
{
    struct json_object *a = json_object_new_array();

    for (unsigned i = 0; i < e->ncandidate && a; i++)
        if (i < CANDIDATES_TOLD || e->candidates[i].own || was_measured(e->race, &e->candidates[i]))
            json_object_array_add(a, candidate_object(&e->candidates[i]));
    return a;
}

static struct json_object *pairs_of(const struct prof_lane *lane)
{
    struct json_object *o = json_object_new_object();

    add_int(o, "won", lane->pairs_won);
    add_int(o, "lost", lane->pairs_lost);
    add_int(o, "all", lane->pairs);
    add_number(o, "ratio", prof_pair_ratio(lane));
    return o;
}

static struct json_object *race_object(const struct prof_race *r)
{
    struct json_object *o = json_object_new_object(), *lanes = json_object_new_array();

    for (unsigned i = 0; i < r->n && lanes; i++) {
        const struct prof_lane *lane = &r->lane[i];
        struct json_object *l = json_object_new_object();
        add_local(l, "local", lane->local);
        add_text(l, "variant", lane->variant);
        if (i == 0)
            add_bool(l, "own", true);
        add_int(l, "samples", lane->samples);
        if (lane->samples) {
            add_number(l, "best_ns", lane->best);
            add_number(l, "mean_ns", lane->mean);
        }
        if (lane->pairs)
            js_add(l, "pairs", pairs_of(lane));
        add_us(l, "overhead_us", lane->overhead_ns);
        add_bool(l, "dropped", lane->dropped);
        add_bool(l, "failed", lane->failed);
        json_object_array_add(lanes, l);
    }
    add_number(o, "noise", r->noise);
    js_add(o, "lanes", lanes);
    return o;
}

static struct json_object *decision_object(const struct rep_event *e)
{
    struct json_object *o = json_object_new_object();

    add_text(o, "outcome", prof_outcome_name(e->decision->outcome));
    if (e->chosen)
        add_local(o, "local", e->chosen);
    add_number(o, "gain", e->decision->gain);
    add_number(o, "margin", 1 - 1 / e->decision->gain);
    add_number(o, "noise", e->decision->noise);
    return o;
}

static struct json_object *variant_object(const struct rep_event *e)
{
    struct json_object *o = json_object_new_object();

    add_text(o, "name", e->variant);
    add_local(o, "local", e->variant_local);
    if (e->variant_gain > 0)
        add_number(o, "gain", e->variant_gain);
    return o;
}

static struct json_object *account_object(const struct prof_account *a)
{
    struct json_object *o = json_object_new_object();
    int64_t spent, saved;

    prof_balance(a, &(struct prof_account){0}, &spent, &saved);
    add_known_us(o, "observed_us", a->observed_ns);
    add_us(o, "spent_us", spent);
    add_us(o, "saved_us", saved);
    if (a->compile_ns >= 0)
        add_us(o, "compile_us", a->compile_ns);
    return o;
}

static struct json_object *now_object(const struct rep_launches *l)
{
    struct json_object *o = json_object_new_object();

    add_local(o, "local", l->local);
    add_text(o, "variant", l->variant);
    return o;
}

static void add_launches(struct json_object *o, const struct rep_launches *l)
{
    add_text(o, "state", l->state);
    add_text(o, "driver", l->driver);
    add_int(o, "launches", (int64_t)l->n);
    add_int(o, "changed", (int64_t)l->changed);
    add_int(o, "timed", (int64_t)l->timed);
    add_known_us(o, "kernel_us", l->kernel_ns);
    add_known_us(o, "own_us", l->own_ns);
    add_known_us(o, "now_us", l->now_ns);
    if (l->local)
        js_add(o, "now", now_object(l));
    add_us(o, "saved_us", l->saved_ns);
    add_us(o, "spent_us", l->spent_ns);
}

/* "wide8 64x4" */
static struct json_object *size_text(const struct rep_sample *s, unsigned dim)
{
    char text[REP_SIZE + 96], size[REP_SIZE] = "";

    if (s->local[0])
        rep_print_size(size, s->local, dim);
    snprintf(text, sizeof text, "%.95s%s%s", s->variant ? s->variant : "", s->variant ? " " : "", size);
    return json_object_new_string(text);
}

static struct json_object *us(int64_t ns)
{
    return js_number((double)ns / 1000, 16);
}

static void add_samples(struct json_object *o, const struct report *r, const struct rep_event *e)
{
    enum { SIZE, AT, START, US, OVERHEAD, ITEMS, QUEUE, COLUMNS };
    static const char *const names[] = {"size", "at", "start", "us", "overhead", "items", "queue"};
    struct json_object *column[COLUMNS];

    for (unsigned c = 0; c < COLUMNS; c++)
        js_add(o, names[c], column[c] = json_object_new_array());
    for (unsigned i = 0; i < e->nsample; i++) {
        const struct rep_sample *s = &e->samples[i];
        json_object_array_add(column[SIZE], size_text(s, e->launch ? e->launch->dim : 3));
        json_object_array_add(column[AT], us(s->at_ns - r->opened_ns));
        json_object_array_add(column[START], us((int64_t)s->start_ns));
        json_object_array_add(column[US], us(s->ns));
        json_object_array_add(column[OVERHEAD], us(s->overhead_ns));
        json_object_array_add(column[ITEMS], json_object_new_int64((int64_t)s->items));
        json_object_array_add(column[QUEUE], json_object_new_int64(s->queue));
    }
}

/* A new object with what every line has. */
static struct json_object *line_object(const char *event)
{
    struct json_object *o = json_object_new_object();
    char date[24];

    util_date(date);
    add_int(o, "schema", SCHEMA);
    add_text(o, "time", date);
    add_int(o, "pid", getpid());
    add_text(o, "event", event);
    return o;
}

static struct json_object *advice_array(const struct rep_event *e)
{
    struct json_object *array = json_object_new_array();

    for (unsigned i = 0; i < e->nadvice; i++) {
        const struct advice *a = &e->advice[i];
        struct json_object *o = json_object_new_object();
        add_text(o, "what", a->what);
        add_text(o, "argument", a->argument);
        if (a->line)
            add_int(o, "line", a->line);
        add_text(o, "text", a->text);
        add_number(o, "gain", a->gain);
        add_us(o, "now_us", (int64_t)a->now_ns);
        add_us(o, "then_us", (int64_t)a->then_ns);
        json_object_array_add(array, o);
    }
    return array;
}

static struct json_object *value_bytes(const struct launch_arg *a)
{
    char text[2 * LAUNCH_ARG_BYTES + 1] = "";

    for (unsigned i = 0; i < a->size && i < LAUNCH_ARG_BYTES; i++)
        sprintf(text + 2 * (size_t)i, "%02x", a->value[i]);
    return json_object_new_string(text);
}

static struct json_object *arguments_array(const struct launch *l, const struct kernel_summary *k)
{
    struct json_object *array = json_object_new_array();

    for (unsigned i = 0; i < l->nargs && array; i++) {
        const struct launch_arg *a = &l->args[i];
        const enum sum_arg_kind kind = i < k->nargs ? k->args[i].kind : SUM_ARG_OTHER;
        const uint64_t bytes = kind == SUM_ARG_LOCAL ? a->size : a->bytes;
        json_object_array_add(array, !a->set                  ? NULL
                                     : kind == SUM_ARG_SCALAR ? value_bytes(a)
                                     : bytes                  ? json_object_new_uint64(bytes)
                                                              : NULL);
    }
    return array;
}

static struct json_object *traits_object(const struct dev_traits *t)
{
    struct json_object *o = json_object_new_object();

#define X(member)                                                                                            \
    if (t->member)                                                                                           \
        add_int(o, #member, (int64_t)t->member);
    DEV_TRAITS(X)
#undef X
    return o;
}

static struct json_object *event_object(const struct report *r, const struct rep_event *e)
{
    struct json_object *o = line_object(e->event);

    add_us(o, "at_us", clock_now() - r->opened_ns);
    add_text(o, "program", e->program);
    add_text(o, "kernel", e->kernel);
    add_text(o, "device", e->device);
    if (e->launch)
        js_add(o, "launch", launch_object(e->launch));
    if (e->summary)
        js_add(o, "facts", facts_object(e->summary));
    if (e->proof)
        js_add(o, "proof", proof_object(e->proof));
    if (e->candidates) {
        js_add(o, "counts", counts_object(e));
        js_add(o, "candidates", candidates_array(e));
    }
    if (e->estimate)
        js_add(o, "estimate", estimate_object(e->estimate, e->ranks));
    if (e->race)
        js_add(o, "race", race_object(e->race));
    if (e->variant)
        js_add(o, "variant", variant_object(e));
    if (e->decision) {
        js_add(o, "decision", decision_object(e));
        add_text(o, "mode", prof_mode_name(e->mode));
    }
    if (e->account)
        js_add(o, "all_runs", account_object(e->account));
    add_text(o, "reason", e->reason);
    add_text(o, "fact", e->unproved ? sum_fact_name(SUM_FACT_S) : NULL);
    add_text(o, "detail", e->detail);
    add_text(o, "source", e->source);
    add_known_us(o, "held_us", e->held_ns);
    if (e->dry_run)
        add_bool(o, "dry_run", true);
    if (e->launches)
        add_launches(o, e->launches);
    if (e->samples)
        add_samples(o, r, e);
    if (e->advice) {
        add_local(o, "local", e->chosen);
        js_add(o, "advice", advice_array(e));
    }
    if (e->arguments) {
        js_add(o, "arguments", arguments_array(e->launch, e->arguments));
        add_text(o, "summary", e->file);
        if (e->traits->max_group_items)
            js_add(o, "traits", traits_object(e->traits));
    }
    return o;
}

/* The line about the process. */
static struct json_object *run_object(const char *version)
{
    struct json_object *o = line_object("run");
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    add_int(o, "unix_us", (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000);
    add_text(o, "clsizer", version);
    run_describe(o);
    return o;
}

/* ---- the file -------------------------------------------------------------------------------------- */

static bool is_stderr(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stderr") == 0;
}

/* Why nothing may be appended to an open file, in words; NULL if it may.  A pipe could block, or raise
 * SIGPIPE in the application; what does not begin like a report is somebody else's. */
static const char *file_problem(int fd)
{
    char start[sizeof BEGINNING - 1];
    struct stat st;

    if (fstat(fd, &st))
        return strerror(errno);
    if (S_ISCHR(st.st_mode))
        return NULL;
    if (!S_ISREG(st.st_mode))
        return "not a regular file";
    if (st.st_size && (pread(fd, start, sizeof start, 0) != (ssize_t)sizeof start ||
                       memcmp(start, BEGINNING, sizeof start) != 0))
        return "not empty, and not a report";
    return NULL;
}

/* Open the file, which is made if there is none.  Symbolic links are followed unless another user made them.
 * The descriptor, or -1 and *problem. */
static int open_file(const char *path, const char **problem)
{
    const int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct stat st;
    int fd;

    *problem = "stdout is the program's; \"-\" stands for stderr";
    if (strcmp(path, "/dev/stdout") == 0)
        return -1;
    fd = open(path, flags | O_NOFOLLOW, 0600);
    if (fd < 0 && errno == ELOOP && lstat(path, &st) == 0 && (st.st_uid == 0 || st.st_uid == geteuid()))
        fd = open(path, flags, 0600);
    *problem = fd < 0 ? strerror(errno) : file_problem(fd);
    if (*problem && fd >= 0)
        close(fd);
    return *problem ? -1 : fd;
}

const char *rep_problem(const char *path)
{
    const char *problem;
    int fd;

    if (is_stderr(path))
        return NULL;
    fd = open_file(path, &problem);
    if (fd >= 0)
        close(fd);
    return problem;
}

/* NULL, or why the line was not appended. */
static const char *append(const char *path, const char *line, size_t size)
{
    const char *problem;
    int fd, error;

    if (is_stderr(path)) {
        util_say(line, size);
        return NULL;
    }
    fd = open_file(path, &problem);
    if (fd < 0)
        return problem;
    error = util_write(fd, line, size);
    close(fd);
    return error ? strerror(-error) : NULL;
}

/* The object as a line after `before` (NULL: nothing), malloc'ed; NULL when out of memory.  Takes over `o`.
 */
static char *line_text(const char *before, struct json_object *o)
{
    const char *text =
        o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE) : NULL;
    char *line = NULL;

    if (text && asprintf(&line, "%s%s\n", before ? before : "", text) < 0)
        line = NULL;
    json_object_put(o);
    if (line)
        js_clean(line);
    return line;
}

static void write_event(struct report *r, const struct rep_event *e)
{
    char *first = atomic_exchange(&r->first, NULL), *line = line_text(first, event_object(r, e));

    const char *problem = line ? append(r->path, line, strlen(line)) : NULL;

    if (problem && !atomic_flag_test_and_set(&r->complained))
        rep_say(r, 0, "report %s: %s; not all is reported", r->path, problem);
    free(line);
    free(first);
}

/* ---- words ----------------------------------------------------------------------------------------- */

void rep_print_size(char out[REP_SIZE], const size_t v[3], unsigned dim)
{
    int n = snprintf(out, REP_SIZE, "%s", v && v[0] ? "" : "the driver's choice");

    for (unsigned d = 0; d < dim && v && v[0]; d++)
        n += snprintf(out + n, REP_SIZE - (size_t)n, "%s%zu", d ? "x" : "", v[d]);
}

/* From which verbosity on the event is explained on stderr.  What changes which kernel is launched counts as
 * a decision. */
static int event_level(const struct rep_event *e)
{
    if (e->variant || strcmp(e->event, "decision") == 0 || strcmp(e->event, "warning") == 0)
        return 1;
    return strcmp(e->event, "refusal") == 0 || strcmp(e->event, "observed") == 0 || e->advice ? 2 : 3;
}

/* Print " (1024x1024) 8x8 -> 64x1, 1.42 times as fast", or as much of it as the event says.  What the model
 * chose is "predicted to be" faster, for it was not measured. */
static void print_change(char *out, size_t room, const struct rep_event *e)
{
    const struct launch *l = e->launch;
    char global[REP_SIZE], own[REP_SIZE], winner[REP_SIZE], gain[48] = "";

    out[0] = '\0';
    if (!l)
        return;
    rep_print_size(global, l->global, l->dim);
    rep_print_size(own, l->local, l->dim);
    rep_print_size(winner, e->variant ? e->variant_local : e->chosen, l->dim);
    if (e->variant_gain > 0)
        snprintf(gain, sizeof gain, ", %.2f times as fast", e->variant_gain);
    if (e->variant)
        snprintf(out, room, " (%s) %s -> %s, %s%s", global, own, e->variant, winner, gain);
    else if (e->decision && (e->decision->outcome == PROF_WON || e->decision->outcome == PROF_MODEL))
        snprintf(out, room, " (%s) %s -> %s, %s%.2f times as fast%s", global, own, winner,
                 e->decision->outcome == PROF_MODEL ? "predicted to be " : "", e->decision->gain,
                 e->dry_run ? " (dry run)" : "");
    else if (e->decision && e->decision->outcome == PROF_ASKED)
        snprintf(out, room, " (%s) %s -> %s%s", global, own, winner, e->dry_run ? " (dry run)" : "");
    else /* "observed" does not say that the size stays: it may be another one for now */
        snprintf(out, room, " (%s) %s%s", global, strcmp(e->event, "observed") == 0 ? "" : "keeps ", own);
}

/* Why a kernel is refused: if fact S could not be proved, in words, with the line in its source: "the kernel
 * synchronises its work-group, line 12: barrier".  Else the event's detail. */
static void print_obstacle(char *out, size_t room, const struct rep_event *e)
{
    const struct sum_verdict *v = e->unproved && e->summary ? &e->summary->fact[SUM_FACT_S] : NULL;
    char line[24] = "";

    if (!v || v->reason == SUM_R_NONE) {
        snprintf(out, room, "%s", e->detail ? e->detail : "");
        return;
    }
    if (v->line)
        snprintf(line, sizeof line, ", line %u", v->line);
    snprintf(out, room, "%s%s%s%s", sum_reason_text(v->reason), line, v->detail && *v->detail ? ": " : "",
             v->detail ? v->detail : "");
}

/* Print "advice: syrk (1024x1024) 16x16, line 24: coalesce 'a': store it transposed; 11 times as fast by the
 * model". */
static void explain_advice(struct report *r, const struct rep_event *e)
{
    char global[REP_SIZE], size[REP_SIZE];

    rep_print_size(global, e->launch->global, e->launch->dim);
    rep_print_size(size, e->chosen, e->launch->dim);
    for (unsigned i = 0; i < e->nadvice; i++) {
        const struct advice *a = &e->advice[i];
        char line[24] = "";
        if (a->line)
            snprintf(line, sizeof line, ", line %u", a->line);
        rep_say(r, event_level(e), "advice: %s (%s) %s%s: %s; %.3g times as fast by the model", e->kernel,
                global, size, line, a->text, a->gain);
    }
}

/* Print "decision: mandel (1024x1024) 8x8 -> 64x1, 1.42 times as fast; measured; reason; detail". */
static void explain(struct report *r, const struct rep_event *e)
{
    char change[320], words[640], obstacle[256];
    const char *extra[] = {e->source, e->reason, obstacle};
    const char *what = e->kernel ? e->kernel : e->program ? e->program : "";
    size_t used = 0;

    if (r->verbose < event_level(e) || e->launches || e->samples || e->arguments) /* these are numbers */
        return;
    if (e->advice) {
        explain_advice(r, e);
        return;
    }
    print_change(change, sizeof change, e);
    print_obstacle(obstacle, sizeof obstacle, e);
    words[0] = '\0';
    for (unsigned i = 0; i < sizeof extra / sizeof *extra && used < sizeof words; i++)
        if (extra[i] && *extra[i])
            used += (size_t)snprintf(words + used, sizeof words - used, "; %s", extra[i]);
    rep_say(r, event_level(e), "%s: %s%s%s", e->event, what, change, *what || !used ? words : words + 2);
}

/* ---- interface ------------------------------------------------------------------------------------- */

struct report *rep_open(const struct options *o)
{
    struct report *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->verbose = o->verbose;
    r->opened_ns = clock_now();
    atomic_flag_clear(&r->complained);
    if (*o->report)
        r->path = is_stderr(o->report) ? strdup(o->report) : util_absolute(o->report);
    return r;
}

bool rep_has_file(const struct report *r)
{
    return r && r->path;
}

void rep_begin(struct report *r, const char *version)
{
    if (rep_has_file(r))
        atomic_store(&r->first, line_text(NULL, run_object(version)));
}

/* Opening and writing files are cancellation points: without the switch, a thread that the application
 * cancels could end in here. */
void rep_emit(struct report *r, const struct rep_event *e)
{
    int saved = errno, cancel;

    if (!r)
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (r->path && !util_confined())
        write_event(r, e);
    explain(r, e);
    pthread_setcancelstate(cancel, &cancel);
    errno = saved;
}

void rep_say(struct report *r, int level, const char *fmt, ...)
{
    char line[SAY_SIZE] = "clsizer: ";
    const size_t prefix = strlen(line), room = sizeof line - 1 - prefix;
    int saved = errno, cancel, n;
    va_list ap;

    if ((r ? r->verbose : 0) < level)
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    va_start(ap, fmt);
    n = vsnprintf(line + prefix, room, fmt, ap);
    va_end(ap);
    if (n >= 0) {
        size_t size = prefix + ((size_t)n < room ? (size_t)n : room - 1);
        line[size] = '\n';
        util_say(line, size + 1);
    }
    pthread_setcancelstate(cancel, &cancel);
    errno = saved;
}
