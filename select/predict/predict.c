/* predict.c - `clsizer predict`: ranks the local sizes of a kernel without running it. */
#include "select/predict/predict.h"
#include "select/predict/simulation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROOM          (1u << 17)
#define DEFAULT_ITEMS 1024 /* largest group where the device has no limit */

enum { EXIT_ERROR = 1, EXIT_USAGE = 2 };

static int find_kernel(const struct predict_options *o, const struct program_summary *p,
                       const struct kernel_summary **out)
{
    const char *file = o->file ? o->file : o->told.summary;
    if (p->error) {
        fprintf(stderr, "clsizer predict: %s: %s\n", file, p->error);
        return -ENOENT;
    }
    *out = sum_find(p, o->kernel);
    if (*out)
        return 0;
    fprintf(stderr, "clsizer predict: %s has no kernel '%s'; it has%s", file, o->kernel,
            p->nkernel ? ":" : " none");
    for (uint32_t i = 0; i < p->nkernel; i++)
        fprintf(stderr, " %s", p->kernel[i].name);
    fputc('\n', stderr);
    return -ENOENT;
}

static void make_launch(const struct predict_options *o, struct launch *l)
{
    *l = (struct launch){.dim = o->dim};
    memcpy(l->global, o->global, sizeof l->global);
    for (unsigned d = 0; d < 3; d++) {
        l->global[d] = d < o->dim ? l->global[d] : 1;
        l->offset[d] = d < o->dim ? o->offset[d] : 0;
        l->local[d] = o->nlocal ? o->local[0][d] : 0;
    }
}

/* Add the sizes of --local that are not among the first n. */
static unsigned add_locals(const struct predict_options *o, const struct launch *l, struct candidate *c,
                           unsigned n)
{
    for (unsigned i = 1; i < o->nlocal; i++) {
        if (n == ROOM || sel_of_size(c, n, o->local[i]))
            continue;
        c[n] = (struct candidate){.divides = true};
        for (unsigned d = 0; d < 3; d++) {
            c[n].local[d] = o->local[i][d];
            c[n].divides = c[n].divides && l->global[d] % c[n].local[d] == 0;
        }
        n++;
    }
    return n;
}

static unsigned make_candidates(const struct predict_options *o, const struct kernel_summary *k,
                                const struct launch *l, const struct device *d, const struct sel_proof *proof,
                                struct candidate *c)
{
    struct sel_options options = {.max_items = d->max_group_items ? d->max_group_items : DEFAULT_ITEMS,
                                  .all_sizes = o->all_sizes};
    for (unsigned i = 0; i < 3; i++)
        options.tails[i] = proof->slice[i].proven;
    int n = sel_candidates(k, l, &options, c, o->only ? 1 : ROOM);
    if (n > 1 && !launch_has_local(l)) /* nothing is known of the driver's choice */
        memmove(c, c + 1, (size_t)--n * sizeof *c);
    return add_locals(o, l, c, n < 0 ? 0 : (unsigned)n);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* other programs may be running */
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enum sel_model usual_model(const struct device *d)
{
    return d->is_cpu ? SEL_MODEL_SIM : SEL_MODEL_MEDIAN;
}

/* sel_estimate_by(), and what is learned on top of what is usual. */
static int estimate_by(const struct prediction *p, enum sel_model model, struct candidate *c,
                       struct sel_work *w, struct sel_estimate *out)
{
    const bool learned = model == SEL_MODEL_LEARNED;
    const int r = sel_estimate_by(learned ? usual_model(p->device) : model, p->kernel, p->launch, p->device,
                                  c, p->n, w, out);
    return r == 0 && learned ? predict_rank(p->learned, c, p->n) : r;
}

/* The model's run of `p`, and how long it took: the median of RUNS of the analysis alone; what the run by its
 * estimator takes longer. */
#define RUNS 5

static int estimate(const struct predict_options *o, struct prediction *p, struct candidate *c,
                    struct sel_work *w, struct sel_estimate *out)
{
    enum sel_model model = o->simulate_all ? SEL_MODEL_SIM_ALL : o->model;
    double took[RUNS] = {0};
    for (unsigned i = 0; o->timing && i < RUNS; i++) {
        double start = now_ms();
        int r = sel_estimate(p->kernel, p->launch, p->device, c, p->n, w, out);
        if (r)
            return r;
        took[i] = now_ms() - start;
    }
    qsort(took, RUNS, sizeof *took, by_value);
    double start = now_ms();
    int r = estimate_by(p, model, c, w, out);
    p->timed = o->timing && r == 0;
    p->analysis_ms = took[RUNS / 2];
    p->estimator_ms = now_ms() - start - p->analysis_ms;
    p->estimator_ms = model != SEL_MODEL_BOUNDS && p->estimator_ms > 0 ? p->estimator_ms : 0;
    return r;
}

/* The times of the other estimators, for --estimator all.  0 or a negative errno. */
static int estimate_others(struct prediction *p, struct sel_work *w)
{
    static const enum sel_model others[PREDICT_OTHERS] = {SEL_MODEL_SIM, SEL_MODEL_BOUNDS, SEL_MODEL_MWP,
                                                          SEL_MODEL_PARAM, SEL_MODEL_LEARNED};
    for (unsigned i = 0; i < PREDICT_OTHERS; i++) {
        if (others[i] == p->options->model || (p->device->is_cpu && predict_for_gpus(others[i])) ||
            (others[i] == SEL_MODEL_LEARNED && !p->learned))
            continue;
        struct sel_estimate summary;
        struct candidate *c = malloc(p->n * sizeof *c + 1);
        if (!c)
            return -ENOMEM;
        memcpy(c, p->candidate, p->n * sizeof *c);
        p->other[p->nother++] = (struct predict_other){others[i], c};
        int r = estimate_by(p, others[i], c, w, &summary);
        if (r)
            return r;
        qsort(c, p->n, sizeof *c, predict_by_size);
    }
    return 0;
}

static int print(const struct predict_options *o, const struct prediction *p)
{
    if (o->json)
        return predict_print_json(p);
    predict_print_table(p);
    int r = o->explain ? predict_explain(p, predict_subject(p)) : 0;
    return r == 0 && o->trace ? predict_trace(p, predict_subject(p)) : r;
}

/* The device's best size, and what it takes. */
static int take_best(const struct prediction *p, struct predict_place *out)
{
    const struct candidate *best = p->candidate;
    out->known = p->traced && p->n && best->state == SEL_KEPT;
    if (!out->known)
        return 0;
    memcpy(out->local, best->local, sizeof out->local);
    out->kernel = best->time_ns;
    out->transfer = predict_transfer(p->kernel, p->launch, p->device);
    out->context = p->device->context_ns;
    return 0;
}

/* `place`: what to fill in instead of printing it all; or NULL. */
static int predict_kernel(const struct predict_options *o, const struct kernel_summary *k,
                          const struct device *d, struct predict_place *place)
{
    struct launch l;
    struct sel_proof proof;
    struct sel_estimate summary = {0};
    struct launch_arg *args = calloc(k->nargs + 1, sizeof *args);
    struct candidate *c = calloc(ROOM, sizeof *c);
    struct sel_work *w = sel_work_new();
    struct predict_learned learned = {0};
    const bool wanted = o->model == SEL_MODEL_LEARNED || o->all_estimators;
    int r = args && c && w ? 0 : -ENOMEM, known = wanted ? predict_learn(o, d, &learned) : -ENOENT;
    if (r == 0 && known == -ENOENT && o->model == SEL_MODEL_LEARNED)
        fprintf(stderr,
                "clsizer predict: no sizes were measured on %s: see `clsizer learn`, or give --points\n",
                d->name);
    if (r == 0 && (o->model == SEL_MODEL_LEARNED || o->points))
        r = known;
    make_launch(o, &l);
    if (r == 0)
        r = predict_args(o, k, launch_items(&l), args);
    if (r == 0) {
        l.nargs = k->nargs;
        l.args = args;
        sel_judge(k, &l, &proof);
        struct prediction p = {.options = o,
                               .kernel = k,
                               .launch = &l,
                               .device = d,
                               .proof = &proof,
                               .estimate = &summary,
                               .candidate = c,
                               .learned = known == 0 ? &learned : NULL,
                               .n = make_candidates(o, k, &l, d, &proof, c)};
        r = estimate(o, &p, c, w, &summary);
        p.traced = r == 0;
        if (r == 0 && o->all_estimators)
            r = estimate_others(&p, w);
        if (r == 0 || r == -E2BIG)
            r = place ? take_best(&p, place) : print(o, &p);
        for (unsigned i = 0; i < p.nother; i++)
            free(p.other[i].candidate);
    }
    predict_forget(&learned);
    sel_work_free(w);
    free(c);
    free(args);
    return r;
}

/* A median needs what CPUs have no other estimates for; what is pruned is simulated if all is. */
static int predict_on(const struct predict_options *o, const struct kernel_summary *k, const struct device *d,
                      struct predict_place *place)
{
    struct predict_options own = *o;
    if (own.model == SEL_MODEL_MEDIAN && (d->is_cpu || own.simulate_all))
        own.model = SEL_MODEL_SIM;
    return predict_kernel(&own, k, d, place);
}

int sel_predict_main(int argc, char **argv, const char *helper, sel_load_points *load, sel_find_told *find)
{
    struct predict_options o;
    struct program_summary p = {0};
    struct device d;
    const int wrong = predict_parse(argc, argv, find, &o);
    if (wrong == -EINVAL)
        fputs("Try 'clsizer predict --help'.\n", stderr);
    if (wrong)
        return wrong == -EINVAL ? EXIT_USAGE : EXIT_ERROR;
    o.load = load;
    if (o.help)
        predict_usage(stdout);
    if (o.list)
        predict_list_devices(stdout);
    if (o.help || o.list)
        return 0;
    const bool several = predict_several(&o);
    if (!several && predict_is_given(o.device[0])) {
        fprintf(
            stderr,
            "clsizer predict: '%s' has only another tool's times: give another --device to compare with\n",
            o.device[0]);
        return EXIT_USAGE;
    }
    if (predict_on_told(&o) && !o.told.described) {
        fprintf(stderr, "clsizer predict: %s: does not describe the device: give --device\n", o.told.place);
        return EXIT_USAGE;
    }
    if (predict_on_told(&o))
        d = o.told.device;
    else if (!several && predict_device(o.device[0], &d) != 0)
        return EXIT_USAGE;
    if (!several && d.is_cpu && predict_for_gpus(o.model)) {
        fprintf(stderr, "clsizer predict: --estimator %s is for GPUs\n", predict_model_name(o.model));
        return EXIT_USAGE;
    }
    if (predict_analyse(&o, helper, &p) != 0)
        return EXIT_ERROR;
    const struct kernel_summary *k = NULL;
    int r = o.from_c ? predict_from_c(&o, &p, &k) : find_kernel(&o, &p, &k);
    if (r == 0 && !o.from_c)
        r = predict_find_args(&o, k);
    if (r == 0)
        r = o.emit_cl ? predict_emit(&o, helper)
            : several ? predict_devices(&o, k, predict_on)
                      : predict_on(&o, k, &d, NULL);
    if (r == -ENOMEM)
        fputs("clsizer predict: out of memory\n", stderr);
    sum_free(&p);
    if ((fflush(stdout) != 0 || ferror(stdout)) && r == 0) {
        r = -errno;
        fprintf(stderr, "clsizer predict: writing what was predicted: %s\n", strerror(errno));
    }
    return r == 0 ? 0 : r == -EINVAL ? EXIT_USAGE : EXIT_ERROR;
}
