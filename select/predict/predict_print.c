/* predict_print.c - the table and the JSON of `clsizer predict`. */
#include "select/predict/predict.h"
#include "select/advise/advice.h"
#include "select/time/features.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 64 /* all candidates are shown if there are no more, else only the kept ones */

static const char *size_text(const struct prediction *p, const size_t size[3], char text[PREDICT_SIZE])
{
    return size[0] == 0 ? "driver's" : predict_size_text(size, p->launch->dim, text);
}

#define STATE_LEN (PREDICT_SIZE + 16)

/* "kept", "duplicate-of 64x4", "inferior-to 64x4", "infeasible" */
static const char *state_text(const struct prediction *p, const struct candidate *c, char text[STATE_LEN])
{
    char other[PREDICT_SIZE];
    const char *what = c->state == SEL_DUPLICATE ? "duplicate-of" : "inferior-to";
    if (c->state == SEL_KEPT || c->state == SEL_INFEASIBLE)
        return sel_state_name(c->state);
    snprintf(text, STATE_LEN, "%s %s", what, size_text(p, p->candidate[c->other].local, other));
    return text;
}

int predict_by_size(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return memcmp(x->local, y->local, sizeof x->local);
}

/* What another estimator says of the size. */
static double other_us(const struct prediction *p, unsigned other, const struct candidate *c)
{
    const struct candidate *its = bsearch(c, p->other[other].candidate, p->n, sizeof *c, predict_by_size);
    return its ? its->time_ns / 1e3 : 0;
}

/* In a column of eight, without an exponent. */
static void print_transactions(double n)
{
    const bool tiny = n > 0 && n < 1e-4;
    printf(n >= 9999 ? " %8.0f" : tiny ? " %8.6f" : " %8.4g", n);
}

static void print_row(const struct prediction *p, const struct candidate *c)
{
    char size[PREDICT_SIZE], state[STATE_LEN];
    printf("%-14s%c%c %-21s", size_text(p, c->local, size), c->own ? '*' : ' ', c->divides ? ' ' : '~',
           state_text(p, c, state));
    if (c->state == SEL_INFEASIBLE || !p->traced)
        printf(" %11s %11s %11s %5s %-9s", "-", "-", "-", "-", sel_limiter_name(c->limiter));
    else
        printf(" %11.3f %11.3f %11.3f %5u %-9s", c->best_ns / 1e3, c->worst_ns / 1e3, c->time_ns / 1e3,
               c->active_warps, sel_limiter_name(c->limiter));
    for (unsigned t = 0; t < SEL_TRAFFIC; t++)
        print_transactions(c->transactions[t]);
    for (unsigned i = 0; i < p->nother; i++)
        printf(" %11.3f", other_us(p, i, c));
    putchar('\n');
}

static void print_verdict(const char *name, const struct sel_verdict *v)
{
    if (v->proven)
        printf("  %-12s proved\n", name);
    else if (v->reason == SEL_R_SUMMARY)
        printf("  %-12s no: fact %s, %s\n", name, sum_fact_name(v->fact), v->detail);
    else
        printf("  %-12s no: %s, %s\n", name, sel_reason_name(v->reason), v->detail);
}

static void print_facts(const struct prediction *p)
{
    static const char *const slice[] = {"slice 0", "slice 1", "slice 2"};
    printf("\nFacts about this launch\n");
    print_verdict("size", &p->proof->size);
    for (unsigned d = 0; d < p->launch->dim; d++)
        print_verdict(slice[d], &p->proof->slice[d]);
    print_verdict("idempotent", &p->proof->idempotent);
    print_verdict("order-free", &p->proof->order_free);
    print_verdict("uniform", &p->proof->uniform);
}

/* The model's choice: the kept candidate with the smallest predicted time, which stands first. */
static const struct candidate *chosen(const struct prediction *p)
{
    return p->traced && p->candidate[0].state == SEL_KEPT ? &p->candidate[0] : NULL;
}

/* What was not given and had to be assumed. */
static void print_assumed(const struct prediction *p)
{
    unsigned buffers = 0, first = 0;
    for (uint32_t a = 0; a < p->kernel->nargs; a++) {
        const struct sum_arg *arg = &p->kernel->args[a];
        if (arg->kind == SUM_ARG_SCALAR && !p->launch->args[a].set)
            printf("Argument %u '%s' has no value: what it decides is assumed, and addresses that it enters "
                   "count as uncoalesced; give --arg %u=VALUE.\n",
                   a, arg->name, a);
        else if (arg->kind == SUM_ARG_LOCAL && !p->launch->args[a].set)
            printf("Argument %u '%s' has no size: its local memory is not counted; give --arg %u=BYTES.\n", a,
                   arg->name, a);
        else if (arg->kind == SUM_ARG_BUFFER && !(a < PREDICT_MAX_ARGS && p->options->buffer[a]) &&
                 buffers++ == 0)
            first = a;
    }
    if (buffers)
        printf("%u buffer%s without a size: %d bytes per work-item assumed; give --buffer %u=BYTES%s.\n",
               buffers, buffers > 1 ? "s" : "", PREDICT_ELEMENT, first, buffers > 1 ? " and so on" : "");
}

/* Is one that takes a little less time not chosen? */
#define NEAR_TIE " (nearly equal times count as equal: the safest of these sizes)"
static bool is_near_tie(const struct prediction *p, const struct candidate *best)
{
    bool is = false;
    for (unsigned i = 0; i < p->n; i++)
        is |= p->candidate[i].state == SEL_KEPT && p->candidate[i].time_ns < best->time_ns;
    return is;
}

static void print_choice(const struct prediction *p)
{
    char size[PREDICT_SIZE];
    const struct candidate *best = chosen(p);
    if (!best)
        printf("\nNo choice: %s\n", p->traced ? "no size can be launched" : "the kernel could not be traced");
    else
        printf("\nChosen: %s%s\n", size_text(p, best->local, size), is_near_tie(p, best) ? NEAR_TIE : "");
    if (!p->proof->size.proven)
        printf("clsizer would leave this launch as it is: the size is not proved to be free.\n");
    printf("%u candidates, %u kept, %.1f %% pruned", p->n, p->estimate->kept,
           100 * p->estimate->pruned_fraction);
    printf("; %u traces, %u simulated%s%s\n", p->estimate->traces, p->estimate->simulated,
           p->estimate->pessimistic ? ", pessimistic (a branch is not known)" : "",
           p->estimate->estimated ? ", estimated (a trip count was assumed)" : "");
    print_assumed(p);
    if (p->timed)
        printf(
            "Analysis took %.3f ms, the estimator %.3f ms more, in which it simulated %u rounds of warps.\n",
            p->analysis_ms, p->estimator_ms, p->estimate->rounds);
}

static void print_features(const struct prediction *p)
{
    char size[PREDICT_SIZE];
    const struct candidate *c = predict_subject(p);
    if (p->n == 0 || !*c->x)
        return;
    printf("\nFeatures of %s\n", size_text(p, c->local, size));
    for (unsigned i = 0; i < SEL_FEATURES; i++)
        printf("  %-28s %9.3f\n", est_feature_names[i], c->x[i] / 1e3);
}

/* By the time that is printed; what has none last. */
static int by_time(const void *a, const void *b)
{
    const struct candidate *x = *(const struct candidate *const *)a, *y = *(const struct candidate *const *)b;
    const int hopeless = (x->state == SEL_INFEASIBLE) - (y->state == SEL_INFEASIBLE);
    const int later = (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
    return hopeless ? hopeless : later ? later : (x > y) - (x < y);
}

/* The rows, and how many candidates have none. */
static unsigned print_rows(const struct prediction *p)
{
    const struct candidate **row = malloc(p->n * sizeof *row + 1);
    unsigned n = 0;
    bool odd = false;
    for (unsigned i = 0; row && i < p->n; i++) {
        const struct candidate *c = &p->candidate[i];
        if (p->n <= MAX_ROWS || c->own || (c->state == SEL_KEPT && i < MAX_ROWS))
            row[n++] = c;
    }
    if (n)
        qsort(row, n, sizeof *row, by_time);
    for (unsigned i = 0; i < n; i++) {
        print_row(p, row[i]);
        odd |= !row[i]->divides;
    }
    free(row);
    if (odd)
        puts("~ does not divide the range: for drivers with OpenCL 2's non-uniform groups, or in parts where "
             "slices are proved");
    return p->n - n;
}

/* On a CPU with --estimator all: why there are no columns of these. */
static const char *left_out(const struct prediction *p)
{
    return p->options->all_estimators && p->device->is_cpu ? "; mwp and param are for GPUs" : "";
}

static void print_learned(const struct prediction *p)
{
    if (p->learned)
        printf(
            "learned: from %u sizes of %u launches that were measured; new programs are ranked no better by "
            "it than by the model\n",
            p->learned->points.n, p->learned->points.races);
    else if (p->options->all_estimators)
        puts("learned: nothing was measured on the device");
}

void predict_print_table(const struct prediction *p)
{
    printf("%s on %s\n\n", p->kernel->name, p->device->name);
    printf("%-14s   %-21s %11s %11s %11s %5s %-9s %8s %8s %8s %8s", "local size", "state", "best us",
           "worst us", "time us", "warps", "limiter", "local", "constant", "global", "cache");
    for (unsigned i = 0; i < p->nother; i++)
        printf(" %8s us", predict_model_name(p->other[i].model));
    putchar('\n');
    const unsigned hidden = print_rows(p);
    if (hidden)
        printf("(%u more; --json prints all)\n", hidden);
    printf("* the application's own; time: by %s%s; traffic: memory transactions per work-item%s\n",
           predict_model_name(p->options->model), left_out(p),
           p->estimate->simulated && p->estimate->simulated < p->n
               ? "; times of inferior sizes are not simulated"
               : "");
    print_learned(p);
    print_facts(p);
    print_choice(p);
    if (p->options->features)
        print_features(p);
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_object *size_array(const struct prediction *p, const size_t size[3])
{
    json_object *a = json_object_new_array();
    for (unsigned d = 0; d < p->launch->dim; d++)
        json_object_array_add(a, json_object_new_int64((int64_t)size[d]));
    return a;
}

static json_object *features_object(const struct candidate *c)
{
    if (!*c->x)
        return NULL;
    json_object *o = json_object_new_object();
    for (unsigned i = 0; i < SEL_FEATURES; i++) {
        char text[16];
        snprintf(text, sizeof text, "%.3f", c->x[i] / 1e3);
        json_object_object_add(o, est_feature_names[i], json_object_new_double_s(c->x[i] / 1e3, text));
    }
    return o;
}

static json_object *candidate_object(const struct prediction *p, const struct candidate *c)
{
    static const char *const traffic[] = {"local", "constant", "global", "cache"};
    json_object *o = json_object_new_object(), *t = json_object_new_object(), *e = json_object_new_object();
    char state[STATE_LEN];
    json_object_object_add(o, "local", size_array(p, c->local));
    json_object_object_add(o, "own", json_object_new_boolean(c->own));
    json_object_object_add(o, "divides", json_object_new_boolean(c->divides));
    json_object_object_add(o, "state", json_object_new_string(state_text(p, c, state)));
    json_object_object_add(o, "best_us", json_object_new_double(c->best_ns / 1e3));
    json_object_object_add(o, "worst_us", json_object_new_double(c->worst_ns / 1e3));
    json_object_object_add(o, "time_us", json_object_new_double(c->time_ns / 1e3));
    json_object_object_add(o, "active_warps", json_object_new_int64(c->active_warps));
    json_object_object_add(o, "limiter", json_object_new_string(sel_limiter_name(c->limiter)));
    for (unsigned i = 0; i < SEL_TRAFFIC; i++)
        json_object_object_add(t, traffic[i], json_object_new_double(c->transactions[i]));
    json_object_object_add(o, "transactions", t);
    json_object_object_add(e, predict_model_name(p->options->model),
                           json_object_new_double(c->time_ns / 1e3));
    for (unsigned i = 0; i < p->nother; i++)
        json_object_object_add(e, predict_model_name(p->other[i].model),
                               json_object_new_double(other_us(p, i, c)));
    json_object_object_add(o, "estimates", e);
    if (p->options->features)
        json_object_object_add(o, "features", features_object(c));
    return o;
}

static json_object *verdict_object(const struct sel_verdict *v)
{
    json_object *o = json_object_new_object();
    json_object_object_add(o, "proven", json_object_new_boolean(v->proven));
    if (!v->proven) {
        json_object_object_add(o, "reason", json_object_new_string(sel_reason_name(v->reason)));
        json_object_object_add(o, "detail", json_object_new_string(v->detail));
    }
    return o;
}

static json_object *facts_object(const struct prediction *p)
{
    json_object *o = json_object_new_object(), *slices = json_object_new_array();
    for (unsigned d = 0; d < p->launch->dim; d++)
        json_object_array_add(slices, verdict_object(&p->proof->slice[d]));
    json_object_object_add(o, "size", verdict_object(&p->proof->size));
    json_object_object_add(o, "slice", slices);
    json_object_object_add(o, "idempotent", verdict_object(&p->proof->idempotent));
    json_object_object_add(o, "order_free", verdict_object(&p->proof->order_free));
    json_object_object_add(o, "uniform", verdict_object(&p->proof->uniform));
    return o;
}

static json_object *advice_array(const struct prediction *p)
{
    struct advice a[ADVICE_MOST];
    const unsigned n =
        p->n && p->traced ? sel_advise(p->kernel, p->launch, p->device, predict_subject(p), a) : 0;
    json_object *all = json_object_new_array();
    for (unsigned i = 0; i < n; i++) {
        json_object *o = json_object_new_object();
        json_object_object_add(o, "what", json_object_new_string(a[i].what));
        json_object_object_add(o, "argument", a[i].argument ? json_object_new_string(a[i].argument) : NULL);
        json_object_object_add(o, "line", json_object_new_int64(a[i].line));
        json_object_object_add(o, "text", json_object_new_string(a[i].text));
        json_object_object_add(o, "gain", json_object_new_double(a[i].gain));
        json_object_object_add(o, "now_us", json_object_new_double(a[i].now_ns / 1e3));
        json_object_object_add(o, "then_us", json_object_new_double(a[i].then_ns / 1e3));
        json_object_array_add(all, o);
    }
    return all;
}

static json_object *metrics_object(const struct prediction *p, const struct predict_metrics *m)
{
    json_object *o = json_object_new_object(), *spots = json_object_new_array();
    const struct {
        const char *name;
        double value;
    } number[] = {{"compute_busy", m->compute_busy},
                  {"memory_busy", m->memory_busy},
                  {"gflops", m->gflops},
                  {"gbytes_s", m->gbytes},
                  {"flop_byte", m->intensity},
                  {"compute_of_peak", m->compute_of_peak},
                  {"dram_of_peak", m->dram_of_peak}};
    for (unsigned i = 0; i < sizeof number / sizeof *number; i++)
        json_object_object_add(o, number[i].name, json_object_new_double(number[i].value));
    for (unsigned i = 0; i < m->nspot; i++) {
        const uint32_t insn = m->spot[i].insn;
        json_object *spot = json_object_new_object();
        json_object_object_add(spot, "argument", json_object_new_string(advice_target(p->kernel, insn)));
        json_object_object_add(spot, "line", json_object_new_int64(p->kernel->insns[insn].line));
        json_object_object_add(spot, "share", json_object_new_double(m->spot[i].share));
        json_object_array_add(spots, spot);
    }
    json_object_object_add(o, "hotspots", spots);
    json_object_object_add(o, "suggested", size_array(p, m->suggested));
    return o;
}

/* With --estimator param.  0 and *out, NULL if there are none, or -ENOMEM. */
static int get_metrics(const struct prediction *p, json_object **out)
{
    struct subject s;
    struct predict_metrics m;
    *out = NULL;
    if (p->options->model != SEL_MODEL_PARAM || !p->n || !p->traced)
        return 0;
    int r = subject_open(p->kernel, p->launch, p->device, predict_subject(p), &s);
    const struct est_trace *t = r == 0 && s.c.state != SEL_INFEASIBLE ? subject_usual(&s) : NULL;
    r = t ? predict_metrics(&s, t, &m) : r;
    if (r == 0 && t)
        *out = metrics_object(p, &m);
    subject_close(&s);
    return r;
}

int predict_put_json(json_object *o)
{
    const char *text = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);
    const int r = text ? 0 : -ENOMEM;
    if (text)
        puts(text);
    json_object_put(o);
    return r;
}

int predict_print_json(const struct prediction *p)
{
    json_object *metrics;
    const int r = get_metrics(p, &metrics);
    if (r)
        return r;
    json_object *o = json_object_new_object(), *all = json_object_new_array();
    const struct candidate *best = chosen(p);
    for (unsigned i = 0; i < p->n; i++)
        json_object_array_add(all, candidate_object(p, &p->candidate[i]));
    json_object_object_add(o, "schema", json_object_new_int(1));
    json_object_object_add(o, "kernel", json_object_new_string(p->kernel->name));
    json_object_object_add(o, "device", json_object_new_string(p->device->name));
    json_object_object_add(o, "global", size_array(p, p->launch->global));
    json_object_object_add(o, "candidates", all);
    json_object_object_add(o, "chosen", best ? size_array(p, best->local) : NULL);
    json_object_object_add(o, "pruned_fraction", json_object_new_double(p->estimate->pruned_fraction));
    json_object_object_add(o, "traced", json_object_new_boolean(p->traced));
    json_object_object_add(o, "pessimistic", json_object_new_boolean(p->estimate->pessimistic));
    json_object_object_add(o, "estimated", json_object_new_boolean(p->estimate->estimated));
    json_object_object_add(o, "simulated", json_object_new_int64(p->estimate->simulated));
    if (p->timed) {
        json_object_object_add(o, "analysis_ms", json_object_new_double(p->analysis_ms));
        json_object_object_add(o, "estimator_ms", json_object_new_double(p->estimator_ms));
        json_object_object_add(o, "rounds", json_object_new_int64(p->estimate->rounds));
    }
    json_object_object_add(o, "facts", facts_object(p));
    json_object_object_add(o, "advice", advice_array(p));
    if (metrics)
        json_object_object_add(o, "metrics", metrics);
    return predict_put_json(o);
}
