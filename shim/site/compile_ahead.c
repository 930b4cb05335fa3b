/* compile_ahead.c - when another process is asked to compile, and how its answers are found and believed
 * (compile_ahead.h). */
#include "shim/site/compile_ahead.h"
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "shim/guest/clock.h"
#include "shim/guest/cores.h"
#include "shim/guest/util.h"
#include "shim/helper/ahead_queue.h"
#include "shim/ledger/runtime.h"
#include "shim/site/ahead_describe.h"
#include "shim/site/kept_binary.h"
#include "shim/site/policy.h"

#define LOOK_INTERVAL_NS 5000000     /* between two looks at the file system */
#define SHARE            20          /* processes may work for one part in this many of the cores' time */
#define FEWEST_SHARED    4           /* fewer sizes are not shared: each process takes a while to begin */
#define LONGEST_WAIT_NS  20000000000 /* for candidates or a variant, of efforts without a budget */
#define KEPT_NS          10000000    /* building a text takes at least so long where its binary is kept */
#define KEPT_KERNELS     16          /* of a text whose binary is kept */
#define KEPT_AGAIN       86400       /* seconds until a binary that did not come is asked for again */

/* The file for the answer, one per kernel, shape of launch and driver; `slices`: the one about code for
 * slices, too. */
static void answer_path(const struct runtime *rt, const struct shim_site *s, bool slices, char path[RT_FILE])
{
    hash128_t h = kept_hash_build(s->entry->build);

    h = hash128(h, s->entry->name, strlen(s->entry->name) + 1);
    h = hash128(h, s->entry->build->device->key, strlen(s->entry->build->device->key) + 1);
    h = hash128(h, &s->key.dim, sizeof s->key.dim);
    h = hash128(h, s->key.global, sizeof s->key.global);
    h = hash128(h, &s->key.zero_offset, sizeof s->key.zero_offset);
    h = hash128(h, &s->key.local_args, sizeof s->key.local_args);
    rt_file(rt, hash128(h, &slices, sizeof slices), "ahead", path);
}

/* The one for a variant of which this is the first size. */
static void trial_path(const struct runtime *rt, const struct shim_build *b, const struct variant *v,
                       const size_t local[3], char path[RT_FILE])
{
    rt_file(rt, hash128(kept_hash(b, v), local, 3 * sizeof *local), "ahead", path);
}

/* ---- answers --------------------------------------------------------------------------------------- */

/* Mark candidates of the race that the answer lists as compiled, unless they have run already, and lanes
 * whose code for slices is compiled. */
static void believe(struct shim_site *s, const struct ahead_answer *a)
{
    for (unsigned i = 0; i < s->race.n; i++) {
        struct prof_lane *lane = &s->race.lane[i];
        if (lane->variant || !answer_lists(a, lane->local))
            continue;
        if (i && !lane->known && !lane->tried)
            lane->known = lane->ahead = true;
        lane->sliced |= s->in_slices;
    }
}

/* Does the answer, which is about slices, list enough of the sizes that are left in the race? */
static bool is_enough(const struct ahead_answer *a, const struct prof_race *r)
{
    unsigned compiled = 0;

    for (unsigned i = 1; i < r->n; i++)
        compiled += !r->lane[i].dropped && answer_lists(a, r->lane[i].local);
    return answer_lists(a, r->lane[0].local) && compiled >= AHEAD_FEWEST_IN_SLICES;
}

/* No more code for slices will come: race with the sizes for which there is some.  If those are too few,
 * nothing is dropped, and the race goes on with whole launches (slices_are_possible()). */
static void drop_others(struct shim_site *s, const struct ahead_answer *a)
{
    if (!is_enough(a, &s->race))
        return;
    for (unsigned i = 1; i < s->race.n; i++)
        if (!s->race.lane[i].sliced)
            prof_race_drop(&s->race, i, false);
}

/* False when there is no readable answer. */
static bool read_answer(const struct runtime *rt, const struct shim_site *s, bool slices,
                        struct ahead_answer *a)
{
    char path[RT_FILE];

    answer_path(rt, s, slices, path);
    return answer_read(path, a);
}

/* Read the answer and mark what it lists.  True if no process need be asked: the answer has ended (s->ahead
 * is SITE_AHEAD_DONE then), or somebody's process may still be adding to it. */
static bool take_answer(const struct runtime *rt, struct shim_site *s)
{
    struct ahead_answer a;

    if (!read_answer(rt, s, s->in_slices, &a))
        return false;
    believe(s, &a);
    if (a.ended)
        s->ahead = SITE_AHEAD_DONE;
    if (a.ended && s->in_slices)
        drop_others(s, &a);
    return a.ended || a.young;
}

void ahead_check(struct shim_site *s, unsigned lane, int64_t overhead_ns)
{
    struct shim_device *d = s->entry->build->device;
    const struct runtime *rt = rt_current();
    char path[RT_FILE];

    if (!s->race.lane[lane].ahead || overhead_ns < (int64_t)(d->model.compile_ns / 2) || !rt)
        return;
    atomic_store(&d->keeps_nothing, true);
    if (!util_confined()) {
        answer_path(rt, s, s->in_slices, path);
        unlink(path);
    }
    for (unsigned i = 1; i < s->race.n; i++)
        if (s->race.lane[i].ahead && !s->race.lane[i].tried)
            s->race.lane[i].known = s->race.lane[i].ahead = false;
}

/* ---- questions ------------------------------------------------------------------------------------- */

/* Does the driver compile for each local size?  Told by what first launches have cost at the site, because
 * drivers of one device differ.  The driver's own cache may make one of them cheap; the next
 * size that it does not have corrects that.
 *
 * Only drivers of CPUs count: on a GPU a second process takes memory that the application may want, or, where
 * only one process may use the device (nvidia-smi -c EXCLUSIVE_PROCESS), the device itself. */
static bool compiles_per_size(const struct shim_site *s)
{
    const struct shim_device *d = s->entry->build->device;
    const double learned = (double)s->account.compile_ns;

    return d->is_cpu && (learned < 0 ? d->model.compile_ns : learned) > POLICY_COMPILES_NS &&
           !atomic_load(&d->keeps_nothing);
}

/* Leave an answer without sizes for the runs to come, in which they see if nobody has answered, or if nobody
 * can be asked. */
static void mark_asked(const char *output, bool possible)
{
    const char *text = possible ? "" : "end\n";

    unlink(output);
    util_make_file(output, 0600, text, strlen(text));
}

/* Will the job with this answer still be done?  Queue locked. */
static bool is_open(const char *output)
{
    return queue_waits(output) || queue_does(output);
}

/* Queue a job for this site, unless another one with the same range has asked.  False if there is nothing to
 * compile, or if another process cannot do it (ahead_make_job()).  Queue locked. */
static bool ask(const struct launching *l)
{
    char output[RT_FILE];
    struct queued_job *job;
    int sizes;

    answer_path(l->rt, l->site, l->site->in_slices, output);
    if (is_open(output))
        return true;
    job = queue_new_job(output);
    sizes = job ? ahead_make_job(l, output, job->path) : 0;
    if (job && l->site->in_slices)
        mark_asked(output, sizes > 0);
    if (!queue_add(job, sizes > 0, false))
        return false;
    rep_say(l->rt->report, 3, "%s: %d sizes are to be compiled ahead", l->site->entry->name, sizes);
    return true;
}

/* May a process be started now?  It slows kernels down that use all cores, so it gets what these have to
 * spare, or a share of what they could do in a long program's time; a short program's jobs are done after it
 * has ended (ahead_at_exit()).  Queue locked. */
static bool may_start(const struct launching *l)
{
    return policy_has_time(l, queue_price_ns(), SHARE);
}

/* Have what waits done, as far as there is time for it.  Queue locked. */
static void give_jobs(const struct launching *l)
{
    while (may_start(l) && queue_go_on(l->rt, NULL))
        continue;
}

/* Can another process make the program as this one did? */
static bool is_reproducible(const struct shim_build *b)
{
    return b->source->form == REQ_C && (!b->source->reads_files || b->summary.files_known);
}

bool ahead_is_possible(const struct launching *l)
{
    return !l->rt->opt.no_ahead && *l->rt->ahead && *l->rt->cache && is_reproducible(l->site->entry->build) &&
           policy_may_compile(l);
}

/* May candidates of the site be compiled ahead at all? */
static bool worth_it(const struct launching *l)
{
    return l->rt->opt.effort != PROF_ESTIMATE && compiles_per_size(l->site) && ahead_is_possible(l);
}

/* One look at how far the site's candidates are; s->ahead says what is still to come. */
static void advance(const struct launching *l)
{
    struct shim_site *s = l->site;
    char output[RT_FILE];

    if (!worth_it(l) || policy_effort(l) != PROF_MEASURE) {
        s->ahead = SITE_AHEAD_DONE;
        return;
    }
    const bool answered = take_answer(l->rt, s);
    if (s->ahead == SITE_AHEAD_DONE || !queue_try_lock())
        return;
    queue_is_busy();
    answer_path(l->rt, s, s->in_slices, output);
    if (s->ahead == SITE_AHEAD_ASKED && !is_open(output)) { /* done, or the process that was asked is gone */
        take_answer(l->rt, s);
        s->ahead = SITE_AHEAD_DONE;
    } else if (s->ahead == SITE_AHEAD_NEW && !answered && site_own_rate(s) > 0) {
        s->ahead = ask(l) ? SITE_AHEAD_ASKED : SITE_AHEAD_DONE;
    }
    give_jobs(l);
    queue_unlock();
}

void ahead_advance(const struct launching *l)
{
    struct shim_site *s = l->site;
    const int64_t now = clock_now();

    if (s->ahead != SITE_AHEAD_DONE && now >= s->ahead_look) {
        s->ahead_look = now + LOOK_INTERVAL_NS;
        advance(l);
    }
    s->race.awaited = s->ahead != SITE_AHEAD_DONE;
}

/* How many processes should share the compilations that the race still needs, each of them two sizes at
 * least; 0: one core, or so few sizes that it is not worth while. */
static unsigned workers_for(const struct launching *l)
{
    const struct prof_race *r = &l->site->race;
    const unsigned n = (unsigned)cores_allowed();
    unsigned sizes = 0;

    for (unsigned i = 1; i < r->n; i++)
        sizes += !r->lane[i].known && !r->lane[i].dropped;
    return n < 2 || sizes < FEWEST_SHARED ? 0 : sizes / 2 < n ? sizes / 2 : n;
}

/* Does clsizer-ahead compile the code that slices need?  If the whole range is large, the driver may compile
 * other code for slices of it (ahead_range()). */
static bool serves_slices(const struct launching *l)
{
    return !ahead_is_large(l->shape.global);
}

/* Start a process for this site alone, and remove an earlier answer so that what appears is its own.  None if
 * that was not possible. */
static struct spawned start_together(const struct launching *l, unsigned workers)
{
    struct spawned process = {0};
    char path[RT_FILE];

    if (!queue_try_lock())
        return process;
    if (!queue_is_busy() && ask(l)) {
        answer_path(l->rt, l->site, false, path);
        unlink(path);
        process = queue_together(l->rt, path, workers);
    }
    queue_unlock();
    return process;
}

/* Wait until everything is compiled, or for LONGEST_WAIT_NS; then the process is killed, because nobody else
 * needs it.  The wait is charged to the account. */
static void wait_together(const struct launching *l, const struct spawned *process)
{
    struct shim_site *s = l->site;
    const int64_t begin = clock_now();
    bool alive = true;

    while (alive && s->ahead != SITE_AHEAD_DONE && clock_now() - begin < LONGEST_WAIT_NS) {
        clock_sleep(LOOK_INTERVAL_NS / 2);
        alive = spawn_alive(process);
        take_answer(l->rt, s);
    }
    if (s->ahead != SITE_AHEAD_DONE)
        spawn_kill(process);
    s->account.spent_ns += clock_now() - begin;
}

void ahead_together(const struct launching *l)
{
    struct spawned process = {0};
    unsigned workers;

    if (policy_effort(l) < PROF_PATIENT)
        return;
    workers = worth_it(l) && (serves_slices(l) || !policy_at_once(l)) ? workers_for(l) : 0;
    if (workers)
        process = start_together(l, workers);
    if (process.pid)
        wait_together(l, &process);
    l->site->ahead = SITE_AHEAD_DONE;
}

bool ahead_offers_slices(const struct launching *l)
{
    struct ahead_answer a;

    if (!worth_it(l) || !serves_slices(l))
        return false;
    if (!read_answer(l->rt, l->site, true, &a))
        return true;
    if (!a.ended)
        return a.young; /* else whoever was asked has died */
    return is_enough(&a, &l->site->race);
}

bool ahead_has_slices(const struct shim_site *s)
{
    for (unsigned i = 0; i < s->race.n; i++)
        if (!s->race.lane[i].dropped && !s->race.lane[i].sliced)
            return false;
    return true;
}

void ahead_mark_known(const struct launching *l, struct candidate *c, unsigned n)
{
    struct ahead_answer a;

    if (!worth_it(l))
        return;
    for (int slices = 0; slices < 2; slices++) {
        const bool answered = read_answer(l->rt, l->site, slices, &a);
        for (unsigned i = 0; answered && i < n; i++)
            c[i].known |= answer_lists(&a, c[i].local);
    }
}

/* ---- variants --------------------------------------------------------------------------------------- */

/* For a binary the driver may compile all kernels of a text, and a text with constants has all of the
 * program's. */
static bool keeps_binary(const struct shim_build *b, const struct variant *v)
{
    return is_reproducible(b) && !(v->nvalue && b->summary.nkernel > KEPT_KERNELS);
}

/* False if another process cannot try it.  Queue locked. */
static bool ask_trial(const struct launching *l, const struct variant *v, const struct ahead_question *q,
                      const char *output)
{
    struct queued_job *job = queue_new_job(output);
    char binary[RT_FILE] = "";

    if (keeps_binary(l->site->entry->build, v))
        kept_path(l->rt, l->site->entry->build, v, binary);
    if (!queue_add(job, job && ahead_make_trial(l, v, q, *binary ? binary : NULL, output, job->path) > 0,
                   true))
        return false;
    mark_asked(output, true);
    rep_say(l->rt->report, 3, "%s: another process tries %s", l->site->entry->name, v->label);
    return true;
}

/* Would the variant have saved so far what a process costs that tries it, and what others took in this run?
 * Then one more run as long as this one pays for it, and all that follow are gain; the price is that a
 * program which ends now took longer.  Queue locked. */
static bool pays_for_trial(const struct launching *l, const struct ahead_question *q)
{
    return q->hoped_ns * policy_cores(l) >= (double)queue_price_ns();
}

/* Read how far the trial is, and enter what is compiled. */
static bool read_trial(const struct launching *l, struct variant *v, const char *output,
                       struct ahead_answer *a)
{
    char binary[RT_FILE];
    struct stat st;

    if (!answer_read(output, a))
        return false;
    if (a->took_ns > l->site->account.variant_ns) /* so its other sizes will cost that, too */
        l->site->account.variant_ns = a->took_ns;
    v->trial.ncompiled = a->n < VARIANT_SIZES ? (unsigned)a->n : VARIANT_SIZES;
    memcpy(v->trial.compiled, a->local, v->trial.ncompiled * sizeof *v->trial.compiled);
    kept_path(l->rt, l->site->entry->build, v, binary);
    v->trial.has_binary = !stat(binary, &st) && st.st_size; /* an empty one was only asked for */
    return true;
}

/* Read how far the trial is.  VARIANT_LATER, unless it is over, or nobody is left who could answer. */
static enum variant_result look_at(const struct launching *l, struct variant *v,
                                   const struct ahead_question *q, const char *output, bool nobody,
                                   struct ahead_answer *a)
{
    if (!read_trial(l, v, output, a))
        return nobody ? VARIANT_NEVER : VARIANT_LATER;
    const bool tried = answer_lists(a, q->local[0]);
    if (!nobody && !a->ended && !(tried && a->n >= (int)q->needed))
        return VARIANT_LATER;
    memcpy(v->trial.first, q->local[0], sizeof v->trial.first);
    v->trial.at_work = false;
    v->trial.more = !nobody && !a->ended;
    return tried ? VARIANT_WORKS : VARIANT_NEVER;
}

/* What was asked for is another size than the one that is wanted now, since another one leads: once that is
 * done, or nobody is left to do it, the trial is asked for anew.  False: it is still at work.  Queue locked.
 */
static bool ask_again(const struct launching *l, struct variant *v, const struct ahead_question *q)
{
    char output[RT_FILE];

    if (!v->trial.asked || launch_same_size(v->trial.asked_for, q->local[0]))
        return true;
    trial_path(l->rt, l->site->entry->build, v, v->trial.asked_for, output);
    v->trial.asked = is_open(output);
    return !v->trial.asked;
}

/* Does the program wait?  For one that does not compete since it is asked for by name, too. */
static bool waits_for_trial(const struct launching *l)
{
    return policy_effort(l) >= PROF_PATIENT || !rt_variants_compete(l->rt) || *l->site->wanted;
}

/* There is no final answer: ask, and see to it that somebody works.  Queue locked. */
static enum variant_result go_on(const struct launching *l, struct variant *v, const struct ahead_question *q,
                                 const char *output)
{
    const bool waits = waits_for_trial(l);
    struct variant_trial *t = &v->trial;
    struct ahead_answer a;

    queue_is_busy();
    if (!ask_again(l, v, q))
        return VARIANT_LATER;
    if (t->asked && !is_open(output)) /* it was answered this very moment, or who was asked is gone */
        return look_at(l, v, q, output, true, &a);
    const bool pays = waits || may_start(l) || pays_for_trial(l, q);
    t->at_work = false;
    if (!t->asked && l->site->variants && !pays) /* another one competes: it can wait */
        return VARIANT_LATER;
    if (!t->asked && !ask_trial(l, v, q, output))
        return obj_has(l->queue->device, DRV_MAY_ABORT) ? VARIANT_NEVER : VARIANT_WORKS;
    t->asked = true;
    memcpy(t->asked_for, q->local[0], sizeof t->asked_for);
    give_jobs(l);
    if (queue_waits(output) && pays && queue_go_on(l->rt, output) && !waits)
        rep_say(l->rt->report, 3, "%s: %s would have saved %.2f s by now: a process tries it",
                l->site->entry->name, v->label, q->hoped_ns / 1e9);
    t->at_work = queue_does(output);
    return VARIANT_LATER;
}

/* One look at how far the trial is. */
static enum variant_result look(const struct launching *l, struct variant *v, const struct ahead_question *q)
{
    struct ahead_answer a = {0};
    enum variant_result result;
    char output[RT_FILE];

    trial_path(l->rt, l->site->entry->build, v, q->local[0], output);
    result = look_at(l, v, q, output, false, &a);
    if (result != VARIANT_LATER || (a.young && !v->trial.asked) || !queue_try_lock())
        return result;
    result = go_on(l, v, q, output);
    queue_unlock();
    return result;
}

enum variant_result ahead_try(const struct launching *l, struct variant *v, const struct ahead_question *q)
{
    const int64_t begin = clock_now();
    enum variant_result result;

    if (begin < v->trial.look)
        return VARIANT_LATER;
    result = look(l, v, q);
    if (result == VARIANT_LATER && waits_for_trial(l)) {
        const int64_t until = begin + LONGEST_WAIT_NS - v->trial.waited_ns;
        while (result == VARIANT_LATER && clock_now() < until) {
            clock_sleep(LOOK_INTERVAL_NS / 2);
            result = look(l, v, q);
        }
        v->trial.waited_ns += clock_now() - begin;
        l->site->account.spent_ns += clock_now() - begin;
    }
    if (result == VARIANT_LATER)
        v->trial.look = clock_now() + LOOK_INTERVAL_NS;
    return result;
}

/* Is nobody left who could add to the trial's answer? */
static bool is_orphaned(const struct ahead_answer *a, const struct variant *v, const char *output)
{
    bool gone;

    if (!v->trial.asked)
        return !a->young;
    if (!queue_try_lock())
        return false;
    gone = !queue_is_busy() || !queue_does(output);
    queue_unlock();
    return gone;
}

bool ahead_goes_on(const struct launching *l, struct variant *v)
{
    const int64_t now = clock_now();
    struct variant_trial *t = &v->trial;
    char output[RT_FILE];
    struct ahead_answer a;

    if (!t->more || now < t->look)
        return t->more;
    t->look = now + LOOK_INTERVAL_NS;
    trial_path(l->rt, l->site->entry->build, v, t->first, output);
    t->more = read_trial(l, v, output, &a) && !a.ended;
    if (t->more && is_orphaned(&a, v, output)) {
        read_trial(l, v, output, &a); /* perhaps it was completed this very moment */
        t->more = false;
    }
    return t->more;
}

void ahead_recall(const struct launching *l, struct variant *v, const size_t local[3])
{
    memcpy(v->trial.first, local, sizeof v->trial.first);
    v->trial.more = true;
    (void)ahead_goes_on(l, v);
}

/* ---- the end ---------------------------------------------------------------------------------------- */

/* Was a binary asked for that did not come, perhaps because it is still being made? */
static bool is_missing(const char *path)
{
    struct stat st;

    return !stat(path, &st) && !st.st_size && time(NULL) < st.st_mtime + KEPT_AGAIN;
}

/* Have the binary of a variant kept that was built from its text, if that takes a while.  Queue locked. */
static void keep(const struct runtime *rt, const struct shim_build *b, struct variant *v)
{
    char output[RT_FILE];
    struct queued_job *job;

    if (atomic_exchange(&v->compile_ns, 0) < KEPT_NS || !keeps_binary(b, v))
        return;
    if (v->trial.more) /* it is coming */
        return;
    kept_path(rt, b, v, output);
    if (is_missing(output) || !(job = queue_new_job(output)))
        return;
    mark_asked(output, true);
    queue_add(job, !ahead_make_binary(b, v, output, job->path), false);
}

/* The variant that the site uses, or those that compete.  Queue locked. */
static void keep_used(struct shim_site *s, void *rt)
{
    if (!s->entry->build->device->is_cpu)
        return;
    if (s->variant)
        keep(rt, s->entry->build, s->variant);
    for (struct variant *v = site_is_open(s) ? s->variants : NULL; v; v = v->next)
        keep(rt, s->entry->build, v);
}

void ahead_at_exit(struct runtime *rt)
{
    if (!queue_try_lock())
        return;
    if (!rt->opt.no_ahead && *rt->ahead && *rt->cache)
        site_each(keep_used, rt);
    queue_leave(rt);
    queue_unlock();
}
