/* verify.c - see verify.h: what runs on copies, how much of a launch, and what that costs. */
#include "shim/tune/verify.h"
#include <string.h>
#include "analysis/summary/integer.h"
#include "shim/enqueue/variant_launch.h"
#include "shim/enqueue/widening.h"
#include "shim/guest/clock.h"
#include "shim/helper/ahead_job.h"
#include "shim/object/private_kernel.h"
#include "shim/site/hazard.h"
#include "shim/site/policy.h"
#include "shim/site/times.h"
#include "shim/tune/noise.h"
#include "shim/tune/sandbox.h"

#define WAIT_NS   10000000000 /* for a kernel */
#define AHEAD_NS  200000000   /* for what is enqueued before: twice what a program may be ahead (pace.c) */
#define LONG_NS   1000000000  /* ... or, of long launches, as long as two take, and at most this */
#define BYTE_NS   2.0         /* to copy, read and compare a byte */
#define TIMES_RUN 2           /* on the copies */
#define LOOKS     6           /* at most, at a part */
#define LOOKS_NS  10000000.0  /* of the variant, together */
#define PROBE_NS  250000.0    /* of a longer launch so much is run first, on copies alone */
#define SHORT_NS  1000000.0   /* of a launch that takes less, one look is noise */
#define SLOW      2.0         /* times the program's kernel: a variant that takes so long goes no further */
#define UNTOLD    4.0         /* times: what a variant may take beyond a part where the kernel did little */
#define PART_NS   2000000.0   /* of a longer launch so much, or a 64th, if the budget pays for no more */
#define PART      64
#define WHOLE_NS  4000000.0
#define CHEAP_NS  10000000.0 /* what looking at one more size may cost */

/* The program's own kernel as one of its variants. */
static struct variant itself = {.units = {1, 1, 1}};

/* The device's time if it tells, else that of the host. */
static void note_time(const struct launching *l, cl_event done, int64_t host, int64_t *took)
{
    const int64_t told = times_took(l->queue, done, done), ns = told ? told : host;

    if (ns < *took)
        *took = ns;
}

/* Fill the copies and wait until that and all that was enqueued before is done, which may depend on what the
 * program does next. */
static bool fill(const struct launching *l, const struct sandbox *b, const struct sandbox *from)
{
    cl_event filled = NULL;

    return sandbox_fill(b, from, l, &filled) && sandbox_finish(l, filled, rt_wait_ns(l->rt)) == CL_COMPLETE;
}

/* Before a kernel runs on the copies again: what it wrote may make it go where the launch never does. */
static bool renew(const struct launching *l, const struct variant *v, const struct sandbox *b,
                  const struct sandbox *from)
{
    return (!v->given && l->site->proof.idempotent.proven) || fill(l, b, from);
}

/* Make the program's launch and wait for it, in a queue without order for all before it, too. */
static bool launch_and_wait(const struct launching *l, verify_launch *launch, struct verification *out)
{
    const int64_t begin = clock_now();
    cl_event done = NULL;
    bool ok;

    out->made = true;
    out->error = launch(l);
    ok = !out->error && next()->clEnqueueMarkerWithWaitList(l->call->queue, 0, NULL, &done) == CL_SUCCESS &&
         sandbox_finish(l, done, l->queue->out_of_order ? rt_wait_ns(l->rt) : WAIT_NS) == CL_COMPLETE;
    out->own_ns = clock_now() - begin;
    return ok;
}

/* Launch a kernel, `ours` or the program's, and wait for it.  Its time becomes *took, unless that is less
 * already.  NULL, or what became of it instead. */
static const char *run(const struct launching *l, cl_kernel kernel, bool ours, const size_t global[3],
                       const size_t offset[3], const size_t local[3], int64_t *took)
{
    const struct call *c = l->call;
    const bool from_0 = !c->offset && !offset[0] && !offset[1] && !offset[2];
    const int64_t begin = clock_now();
    cl_event done = NULL;
    cl_int status;

    if (next()->clEnqueueNDRangeKernel(c->queue, kernel, c->dim, from_0 ? NULL : offset, global,
                                       local[0] ? local : NULL, 0, NULL, &done) != CL_SUCCESS)
        return "the driver refuses to launch it";
    status = sandbox_wait(l, done, WAIT_NS);
    if (status == CL_COMPLETE)
        note_time(l, done, clock_now() - begin, took);
    else if (status < 0)
        hazard_failed(l->site, status, ours);
    next()->clReleaseEvent(done);
    return status == CL_COMPLETE ? NULL : status < 0 ? "it fails when it runs" : "it does not end";
}

/* Run the variant on the copies of `b`; what run() answers. */
static const char *run_variant(const struct launching *l, struct variant *v, const size_t local[3],
                               const struct sandbox *b, struct verification *out)
{
    struct private_kernel *p;
    size_t global[3], offset[3];
    cl_kernel kernel;
    const char *problem = "the driver refuses the program's arguments for it";

    if (!variant_range(v, &l->shape, local, global, offset))
        return "neither its units nor its sizes divide the range";
    if (v == &itself)
        return run(l, b->kernel, !launch_same_size(local, l->shape.local), global, offset, local,
                   &out->variant_ns);
    p = variant_private(l, v);
    if (!p || !(kernel = variant_take(l, v, p)))
        return problem;
    if (sandbox_redirect(b, l, kernel))
        problem = run(l, kernel, true, global, offset, local, &out->variant_ns);
    private_give_back(p, l->kernel);
    return problem;
}

static bool is_full(cl_int error)
{
    return error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_RESOURCES ||
           error == CL_OUT_OF_HOST_MEMORY;
}

static double part_of(const struct launching *l, const struct launching *part)
{
    return (double)launch_items(&part->shape) / (double)launch_items(&l->shape);
}

/* What a whole launch takes if a part of it takes this. */
static int64_t scaled(int64_t ns, double part)
{
    return ns == INT64_MAX ? ns : (int64_t)((double)ns / part);
}

/* Of the program's kernel, as far as it is known. */
static double launch_ns(const struct launching *l)
{
    return site_own_rate(l->site) * (double)launch_items(&l->shape);
}

/* Is the launch so short that both kernels make all of it on copies, several times?  Of the user's variants
 * nothing is proved, so they are compared with the launch itself, too. */
static bool is_short(const struct launching *l, const struct variant *v)
{
    const double ns = launch_ns(l);

    return ns > 0 && ns < SHORT_NS && !v->given && rt_variants_compete(l->rt);
}

/* Should both kernels run again after `n` times?  The first time shows what was compiled, too; and a variant
 * that seems slow may have had to wait for others, so it gets more looks while these take little time, as
 * both do where the launch is `brief`. */
static bool looks_again(const struct variant *v, const size_t local[3], const struct verification *out,
                        bool brief, unsigned n)
{
    const bool slow = (double)out->variant_ns > SLOW * (double)out->own_ns,
               late = (double)out->variant_ns * n > LOOKS_NS;

    return n < TIMES_RUN ? !(slow && late && variant_is_compiled(v, local)) : (slow || brief) && !late;
}

/* The launch beside which it is verified, as a whole.  `again`: the variant runs twice, since the first time
 * it may be compiled. */
static enum variant_result verify_whole(const struct launching *l, struct variant *v, const size_t local[3],
                                        bool again, verify_launch *launch, struct verification *out,
                                        char words[COMPARE_WORDS])
{
    enum variant_result result = VARIANT_NEVER;
    struct sandbox copies = {0};

    out->own_ns = (int64_t)launch_ns(l);
    out->variant_ns = INT64_MAX;
    if (sandbox_copies(&copies, l, v->given) && fill(l, &copies, NULL) &&
        !(out->detail = run_variant(l, v, local, &copies, out)) &&
        (!again || !looks_again(v, local, out, false, 1) ||
         (renew(l, v, &copies, NULL) && !(out->detail = run_variant(l, v, local, &copies, out)))) &&
        launch_and_wait(l, launch, out))
        result = compare_copies(l, &copies, NULL, v->tolerance, NULL, NULL, words);
    sandbox_close(&copies);
    if (is_full(out->error)) /* of the copies: nothing was enqueued */
        out->error = launch(l);
    return result;
}

/* The launch or a part of it by both kernels, each on copies, and `again`.  Times become those of the whole.
 * `noise` (may be NULL): on random numbers, and what became of these. */
static enum variant_result run_both(const struct launching *l, const struct launching *part,
                                    struct variant *v, const size_t local[3], bool again,
                                    struct noise_seen *noise, struct verification *out,
                                    char words[COMPARE_WORDS])
{
    const struct launch *p = &part->shape;
    enum variant_result result = VARIANT_NEVER;
    struct sandbox own = {0}, copies = {0};
    const bool brief = is_short(l, v), all = v->given || noise;
    int64_t begin;
    bool ran;

    out->own_ns = out->variant_ns = INT64_MAX;
    /* No kernel but the program's is made with copies for a variant; what is proved can do without blanks. */
    ran = sandbox_open(&own, part, all) &&
          (v == &itself ? sandbox_open(&copies, part, all) : sandbox_copies(&copies, part, all)) &&
          fill(part, &own, NULL) &&
          (noise ? noise_fill(&own, part) : sandbox_blank(&own, part) || !v->given) &&
          fill(part, &copies, &own) && (!noise || noise_fill(&copies, part)) &&
          !run(part, own.kernel, false, p->global, p->offset, p->local, &out->own_ns);
    begin = clock_now();
    if (ran && !(out->detail = run_variant(part, v, local, &copies, out))) {
        out->build_ns = clock_now() - begin - out->variant_ns;
        result = compare_copies(part, &copies, &own, noise ? 0 : v->tolerance, noise ? noise_look : NULL,
                                noise, words);
    }
    for (unsigned n = 1;
         result == VARIANT_WORKS && again && n < LOOKS && looks_again(v, local, out, brief, n); n++)
        again = renew(part, v, &own, NULL) && renew(part, v, &copies, &own) &&
                !run(part, own.kernel, false, p->global, p->offset, p->local, &out->own_ns) &&
                !run_variant(part, v, local, &copies, out);
    sandbox_close(&own);
    sandbox_close(&copies);
    out->own_ns = scaled(out->own_ns, part_of(l, part));
    out->variant_ns = scaled(out->variant_ns, part_of(l, part));
    return result;
}

/* The same where launches that it must not meet are kept away (widening.h), or VARIANT_LATER. */
static enum variant_result verify_part(const struct launching *l, const struct launching *part,
                                       struct variant *v, const size_t local[3], bool again,
                                       struct verification *out, char words[COMPARE_WORDS])
{
    static const size_t several[3];
    const bool is_part = part_of(l, part) < 1;
    const enum site_change change = is_part ? SITE_PARTS : SITE_SIZE;
    enum variant_result result;

    if (!widening_begin(l, change, is_part ? several : local))
        return VARIANT_LATER;
    result = run_both(l, part, v, local, again, NULL, out, words);
    widening_end(l, change);
    return result;
}

/* May a driver compile other code of the program's kernel for the part than for the launch?  Where it chooses
 * the size, it may choose another one. */
static bool own_is_other_code(const struct launching *l, const struct launching *part)
{
    return !launch_has_local(&l->shape) ||
           ahead_is_large(l->shape.global) != ahead_is_large(part->shape.global);
}

/* The same of the variant, which would have to be compiled in the program then. */
static bool is_other_code(const struct launching *l, const struct launching *part, const struct variant *v,
                          const size_t local[3])
{
    size_t whole[3], some[3], offset[3];

    return !variant_range(v, &l->shape, local, whole, offset) ||
           !variant_range(v, &part->shape, local, some, offset) ||
           ahead_is_large(whole) != ahead_is_large(some);
}

/* Does a launch take so much longer than compiling that the program's kernel may be compiled anew for a part?
 * Nobody else has done that, so not where it may end the process. */
static bool pays_for_other_code(const struct launching *l)
{
    return !obj_has(l->queue->device, DRV_MAY_ABORT) && launch_ns(l) > TIMES_RUN * policy_compile_ns(l);
}

/* The first part of a launch, a `share` of it, or more where less would be other code, if the program's
 * kernel, which `anew` may be compiled for it, and the variant can make it with these sizes.  It begins where
 * the launch begins: for other offsets a driver may compile once more.  False: there is none that is less
 * than half, or the variant is the user's, of which nothing is proved, or the driver may confuse the part
 * with a launch. */
static bool first_part(const struct launching *l, const struct variant *v, const size_t local[3],
                       double share, bool anew, struct launching *part)
{
    const struct shim_site *s = l->site;

    *part = *l;
    for (unsigned d = l->shape.dim; d-- > 0 && share < 0.5 && !v->given && !widening_possible(l);) {
        const size_t own = l->shape.local[d] ? l->shape.local[d] : 1,
                     other = v->units[d] * (local[d] ? local[d] : 1),
                     step = own / sum_gcd(own, other) * other, all = l->shape.global[d],
                     wanted[] = {(size_t)((double)all * share) + 1, AHEAD_LARGE_EXTENT,
                                 AHEAD_LARGE_EXTENT * v->units[d]};

        for (unsigned i = 0; i < 3 && s->proof.slice[d].proven; i++) {
            part->shape.global[d] = (wanted[i] + step - 1) / step * step;
            if (part->shape.global[d] <= all / 2 && (anew || !own_is_other_code(l, part)) &&
                !is_other_code(l, part, v, local))
                return true;
        }
        part->shape.global[d] = all;
    }
    return false;
}

static size_t items_of(const size_t local[3])
{
    return local[0] * local[1] * local[2];
}

/* first_part() for its time: with fewer groups than the device has units a part takes as long as the whole,
 * or with the program's kernel on some units and the variant on all it is no comparison. */
static bool timed_part(const struct launching *l, const struct variant *v, const size_t local[3],
                       double share, struct launching *part)
{
    const double least = (double)l->queue->device->model.units * (double)items_of(l->shape.local) /
                         (double)launch_items(&l->shape);

    return first_part(l, v, local, share > least ? share : least, pays_for_other_code(l), part);
}

double verify_least_ns(const struct launching *l, const struct variant *v, const size_t local[3])
{
    struct launching part;

    return is_short(l, v) || !timed_part(l, v, local, PROBE_NS / launch_ns(l), &part)
               ? launch_ns(l)
               : launch_ns(l) * part_of(l, &part);
}

/* The part that is run first, with the smallest of the sizes that are compiled: a part is whole groups. */
static bool probe_of(const struct launching *l, const struct variant *v, const size_t *local,
                     const size_t **with, struct launching *part)
{
    *with = local;
    for (unsigned i = 0; i < v->trial.ncompiled; i++)
        if (items_of(v->trial.compiled[i]) < items_of(*with))
            *with = v->trial.compiled[i];
    return timed_part(l, v, *with, PROBE_NS / launch_ns(l), part);
}

/* The part of a long launch that is verified if the budget does not pay for the whole. */
static bool long_part(const struct launching *l, const struct variant *v, const size_t local[3],
                      struct launching *part)
{
    const double ns = launch_ns(l), share = PART_NS / ns;

    return ns > WHOLE_NS && timed_part(l, v, local, share > 1.0 / PART ? share : 1.0 / PART, part);
}

/* What it costs to run a kernel so often on copies of what the launch writes, in ns.  Of the user's variants
 * nobody knows what else they write. */
static double cost_ns(const struct launching *l, const struct variant *v, unsigned runs)
{
    return runs * launch_ns(l) + BYTE_NS * (double)sandbox_bytes(l, v->given);
}

/* Does the budget pay for the whole, if the variant takes `slower` times as long as the program's kernel?  A
 * part shows less: it has not all of the range's ends. */
static bool pays_for_whole(const struct launching *l, const struct variant *v, double slower)
{
    const struct prof_policy policy = policy_of(l);
    const double more = slower > 1 ? (slower - 1) * launch_ns(l) : 0;

    return prof_may_spend(&l->site->account, &policy, (int64_t)(v->whole_ns + more), 0);
}

/* What compiling the program's kernel for a part takes. */
static double other_code_ns(const struct launching *l, const struct launching *part)
{
    return own_is_other_code(l, part) ? policy_compile_ns(l) : 0;
}

/* Asked at many launches until it can be paid. */
static void price(const struct launching *l, struct variant *v)
{
    static const size_t any[3];
    const size_t *with;
    struct launching part;
    double probe = 0, anew = 0, noise;
    unsigned runs;

    if (v->whole_ns > 0)
        return;
    noise = v->may_round ? 2 * (launch_ns(l) + BYTE_NS * (double)sandbox_bytes(l, true)) : 0;
    if (is_short(l, v)) {
        v->whole_ns = v->part_ns = 2 * cost_ns(l, v, LOOKS) + noise;
        return;
    }
    if (v->given) {
        probe = 2 * cost_ns(l, v, TIMES_RUN);
    } else if (probe_of(l, v, any, &with, &part)) {
        probe = 2 * cost_ns(&part, v, TIMES_RUN);
        anew = other_code_ns(l, &part);
    }
    runs = probe > 0 ? 1 : TIMES_RUN;
    v->whole_ns = v->part_ns = probe + anew + cost_ns(l, v, runs) + noise;
    if (long_part(l, v, any, &part))
        v->part_ns =
            probe + (anew > 0 ? anew : other_code_ns(l, &part)) + 2 * cost_ns(&part, v, runs) + noise;
}

double verify_cost_ns(const struct launching *l, struct variant *v)
{
    price(l, v);
    return pays_for_whole(l, v, 1) ? v->whole_ns : v->part_ns;
}

/* Was the variant so slow in a part that nothing can come of it?  Parts where little is done show nothing. */
static bool is_slow(const struct launching *l, const struct verification *out)
{
    const double own = (double)out->own_ns, usual = launch_ns(l);

    return rt_variants_compete(l->rt) && (double)out->variant_ns > SLOW * (own > usual ? own : usual);
}

/* How many times the program's kernel's time the variant may take, after a part of the launch. */
static double slower_by(const struct launching *l, const struct verification *out)
{
    const double own = (double)out->own_ns, there = own > 0 ? (double)out->variant_ns / own : 1;

    return there < UNTOLD && own * UNTOLD < launch_ns(l) ? UNTOLD : there;
}

/* First a little, where it shows what is wrong or slow, then as much as the budget pays for. */
static enum variant_result verify_in_steps(const struct launching *l, struct variant *v,
                                           const size_t local[3], verify_launch *launch,
                                           struct verification *out, char words[COMPARE_WORDS])
{
    enum variant_result probed = VARIANT_NEVER;
    const size_t *with;
    struct launching part;
    double slower = 1;

    if (is_short(l, v))
        return run_both(l, l, v, local, true, NULL, out, words);
    if (v->given) /* what it leaves out must not be there from an earlier launch */
        probed = run_both(l, l, v, local, true, NULL, out, words);
    else if (probe_of(l, v, local, &with, &part))
        probed = verify_part(l, &part, v, with, true, out, words);
    if (probed == VARIANT_DIFFERS || (v->given && probed != VARIANT_WORKS) ||
        (probed == VARIANT_WORKS && is_slow(l, out)) ||
        atomic_load(&l->queue->stalls)) /* once in vain is enough */
        return probed;
    if (probed == VARIANT_WORKS)
        slower = slower_by(l, out);
    if (!pays_for_whole(l, v, slower) && long_part(l, v, local, &part))
        return verify_part(l, &part, v, local, probed != VARIANT_WORKS, out, words);
    return verify_whole(l, v, local, probed != VARIANT_WORKS, launch, out, words);
}

/* The whole launch by both kernels on random numbers. */
static enum variant_result verify_on_noise(const struct launching *l, struct variant *v,
                                           const size_t local[3], struct verification *out,
                                           char words[COMPARE_WORDS])
{
    struct verification times = {0};
    struct noise_seen seen = {.l = l};
    enum variant_result result = run_both(l, l, v, local, false, &seen, &times, words);

    if (result == VARIANT_WORKS && seen.usual <= seen.changed / 2) {
        out->detail = "of random numbers the kernel makes so few others that its rounding does not show";
        result = VARIANT_NEVER;
    }
    return result;
}

const char *verify_problem(const struct launching *l, const struct variant *v)
{
    return l->queue->device->api < 120 ? "the driver is older than OpenCL 1.2" : sandbox_problem(l, v->given);
}

/* How long what was enqueued before is waited for: it takes its time anyway.  In a program that enqueues all
 * its launches at once there may be but one like this before it, never none. */
static int64_t patience_ns(const struct launching *l)
{
    const double two = 2 * launch_ns(l);

    return two < AHEAD_NS ? AHEAD_NS : two < LONG_NS ? (int64_t)two : LONG_NS;
}

enum variant_result verify_variant(const struct launching *l, struct variant *v, const size_t local[3],
                                   verify_launch *launch, struct verification *out)
{
    static _Thread_local char words[COMPARE_WORDS];
    int64_t begin;
    enum variant_result result;

    *out = (struct verification){.detail = verify_problem(l, v)};
    if (out->detail)
        return VARIANT_NEVER;
    if (!hazard_may_wait(l) || !sandbox_drain(l, patience_ns(l)))
        return VARIANT_LATER;
    begin = clock_now(); /* until then the device did the program's work */
    price(l, v);
    result = verify_in_steps(l, v, local, launch, out, words);
    if (result == VARIANT_WORKS && v->may_round)
        result = verify_on_noise(l, v, local, out, words);
    l->site->account.spent_ns += clock_now() - begin - (out->made ? out->own_ns : 0);
    if (!out->detail)
        out->detail = result == VARIANT_DIFFERS ? words : "no copies could be made or compared";
    return out->error ? VARIANT_LATER : result;
}

/* Where one more size is looked at: in a part of the launch, or of the slice `of` it, that is short, or small
 * while nobody knows how long it takes; in all of it if that is short.  Where the driver chooses the size of
 * a launch whose time is known, it may choose another one for a part, and compile for that.  False: there is
 * no such. */
static bool glance_at(const struct launching *l, const struct variant *v, const size_t local[3],
                      const struct prof_range *of, struct launching *part)
{
    struct launching all = *l;
    double ns;

    if (of) {
        memcpy(all.shape.offset, of->offset, sizeof of->offset);
        memcpy(all.shape.global, of->size, sizeof of->size);
    }
    ns = launch_ns(&all);
    if (local[0] && (launch_has_local(&l->shape) || ns <= 0) &&
        first_part(&all, v, local, ns > 0 ? PROBE_NS / ns : 1.0 / PART, false, part))
        return true;
    *part = all;
    return ns > 0 ? ns < CHEAP_NS / 4 : of != NULL;
}

/* Once more, and not by itself: others may write to the launch's buffers at the same time, and a kernel may
 * do something else each time. */
static bool differs_for_sure(const struct launching *l, const struct launching *part, struct variant *v,
                             const size_t local[3], char words[COMPARE_WORDS])
{
    struct verification out;

    return verify_part(l, part, &itself, part->shape.local, false, &out, words) == VARIANT_WORKS &&
           verify_part(l, part, v, local, false, &out, words) == VARIANT_DIFFERS;
}

/* Does the variant write the same in this part of the launch?  Asked after what is enqueued before is done,
 * for which `patience_ns` may be waited; that is the program's work, so what comes then is on the account. */
static enum variant_result compare_part(const struct launching *l, const struct launching *part,
                                        struct variant *v, const size_t local[3], bool again,
                                        int64_t patience_ns, struct verification *out)
{
    static _Thread_local char words[COMPARE_WORDS];
    enum variant_result result;
    int64_t begin;

    *out = (struct verification){0};
    if (!hazard_may_wait(l) || !sandbox_drain(l, patience_ns))
        return VARIANT_LATER;
    begin = clock_now();
    result = verify_part(l, part, v, local, again, out, words);
    if (result == VARIANT_DIFFERS && !differs_for_sure(l, part, v, local, words))
        result = VARIANT_LATER;
    out->detail = words;
    l->site->account.spent_ns += clock_now() - begin;
    return result;
}

enum variant_result verify_size(const struct launching *l, struct variant *v, const size_t local[3],
                                const struct prof_range *of, struct verification *out)
{
    struct launching part;

    v = v ? v : &itself;
    if (l->rt->opt.orchestration == OPT_ASYNC || verify_problem(l, v) || !glance_at(l, v, local, of, &part) ||
        2 * cost_ns(&part, v, 1) > CHEAP_NS)
        return VARIANT_NEVER;
    return compare_part(l, &part, v, local, false, AHEAD_NS, out);
}

enum variant_result verify_long(const struct launching *l, struct variant *v, const size_t local[3],
                                struct verification *out)
{
    struct launching part;

    return long_part(l, v, local, &part) ? compare_part(l, &part, v, local, true, patience_ns(l), out)
                                         : VARIANT_NEVER;
}
