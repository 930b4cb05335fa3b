/* param.c - see param.h. */
#include "select/time/param.h"
#include "select/integer.h"

/* What a warp waits for: `latency` cycles, of which the warps that a unit holds share the rest, but no less
 * than it serialises. */
struct step {
    double latency, serial;
    bool memory; /* or computed */
    bool last;   /* of its stretch */
};

struct param_steps {
    uint32_t n;
    struct step step[];
};

#define MOST_STEPS (2 * SUM_C_COUNT) /* of an entry: the costs of a segment */

static void to_warp(struct param_warp *sum, const struct step *s, double tlp)
{
    *(s->memory ? &sum->memory : &sum->compute) += sel_larger(s->latency / tlp, s->serial);
}

static struct step access(const struct demand *part, double ilp, double times)
{
    struct step s = {.memory = true};
    for (unsigned p = 0; p < PARTS; p++) {
        s.latency += part[p].latency;
        s.serial = sel_larger(s.serial, part[p].delay);
    }
    s.latency *= times / ilp;
    s.serial *= times;
    return s;
}

static uint32_t first_cost(const struct trace_prog *p, uint32_t segment)
{
    return segment ? p->segment[segment - 1].cost_end : 0;
}

static uint32_t most_steps(const struct trace_prog *p, const struct trace_entry *e)
{
    return e->mem == TRACE_WORK ? p->segment[e->insn].cost_end - first_cost(p, e->insn) : 1;
}

/* The steps of entry i, where it is served as `r` says.  Returns how many. */
static uint32_t steps_of(const struct sel_work *w, const struct reuse *r, const struct est_trace *t,
                         uint32_t i, struct step s[MOST_STEPS])
{
    const struct trace_prog *p = &w->prog;
    const struct trace_entry *e = &t->t.entry[i];
    const double times = trace_times(&t->t, i);
    uint32_t n = 0;
    if (e->mem == TRACE_WORK) { /* the operations of a segment, each for itself */
        const struct trace_segment *segment = &p->segment[e->insn];
        for (uint32_t j = first_cost(p, e->insn); j < segment->cost_end; j++) {
            const struct block_cost *c = &p->cost[j];
            s[n++] = (struct step){.latency = times * c->count * p->d->latency[c->as] /
                                              (double)p->ilp[segment->block],
                                   .serial = times * c->count * p->d->delay[c->as]};
        }
    } else if (e->mem < TRACE_MEMS) {
        struct demand part[PARTS] = {{0}};
        est_access(w, e, r, part);
        s[n++] = access(part, e->write ? 1 : (double)p->mlp[p->access[e->insn]], times);
    }
    return n;
}

struct param_warp param_entry(const struct sel_work *w, const struct est_case *c, const struct est_trace *t,
                              uint32_t i)
{
    struct step s[MOST_STEPS];
    const uint32_t n = steps_of(w, c->reuse, t, i, s);
    struct param_warp sum = {0, 0};
    for (uint32_t j = 0; j < n; j++)
        to_warp(&sum, &s[j], c->active);
    return sum;
}

/* The innermost loop around an entry. */
static uint32_t loop_of(const struct trace *t, uint32_t entry)
{
    uint32_t l = 0;
    while (l < t->nloop && (entry < t->loop[l].begin || entry >= t->loop[l].end))
        l++;
    return l;
}

uint32_t param_stretch(const struct sel_work *w, const struct est_case *c, const struct est_trace *t,
                       uint32_t i, struct param_warp *out)
{
    const uint32_t loop = loop_of(&t->t, i);
    *out = (struct param_warp){0, 0};
    for (; i < t->t.nentry && loop_of(&t->t, i) == loop; i++) {
        const struct param_warp one = param_entry(w, c, t, i);
        out->compute += one.compute;
        out->memory += one.memory;
    }
    return i;
}

/* Of a trace, all that does not depend on how many warps there are.  NULL when out of memory. */
static struct param_steps *make_steps(struct sel_work *w, const struct reuse *r, const struct est_trace *t)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < t->t.nentry; i++)
        most += most_steps(&w->prog, &t->t.entry[i]);
    struct param_steps *s = arena_get(&w->arena, sizeof *s + most * sizeof *s->step);
    for (uint32_t i = 0; s && i < t->t.nentry; i++) {
        s->n += steps_of(w, r, t, i, s->step + s->n);
        if (s->n && (i + 1 == t->t.nentry || loop_of(&t->t, i + 1) != loop_of(&t->t, i)))
            s->step[s->n - 1].last = true;
    }
    return s;
}

/* All warps that a unit holds, if they were all of the case's sort `s`; *one: what such a warp takes.  What
 * is spilt fits in where memory is idle, as far as there is room. */
static double sort_cycles(struct sel_work *w, const struct est_case *c, unsigned s, struct param_warp *one)
{
    struct demand part[PARTS] = {{0}};
    struct param_warp x = {0, 0}, spilt = {0, 0};
    double cycles = 0, room = 0;
    *one = (struct param_warp){0, 0};
    if (!c->demand[s]->steps)
        c->demand[s]->steps = make_steps(w, c->reuse, c->trace[s]);
    const struct param_steps *steps = c->demand[s]->steps;
    if (!steps)
        return -1;
    est_spill(w, &c->trace[s]->spill, part);
    const struct step last = access(part, 1, 1);
    to_warp(&spilt, &last, c->active);
    for (uint32_t i = 0; i < steps->n; i++) {
        to_warp(&x, &steps->step[i], c->active);
        if (!steps->step[i].last)
            continue;
        const double busier = sel_larger(x.compute, x.memory);
        cycles += busier * c->active + x.compute + x.memory - busier;
        room += busier - x.memory;
        one->compute += x.compute;
        one->memory += x.memory;
        x = (struct param_warp){0, 0};
    }
    one->memory += spilt.memory;
    return cycles + sel_larger(spilt.memory - room, 0) * c->active;
}

static double time_of(struct sel_work *w, const struct est_case *c, const struct est_round *r)
{
    struct param_warp one;
    double sum = 0;
    for (unsigned k = 0; k < r->n; k++) {
        const double cycles = sort_cycles(w, c, r->sort[k], &one);
        if (cycles < 0)
            return cycles;
        sum += cycles * r->g[k].warps / r->at_once;
    }
    return sum;
}

double param_cycles(struct sel_work *w, const struct est_case *c, struct param_warp *one)
{
    double sum = 0;
    *one = (struct param_warp){0, 0};
    for (unsigned s = 0; s < c->n; s++) {
        struct param_warp x;
        const double cycles = sort_cycles(w, c, s, &x);
        if (cycles < 0)
            return cycles;
        one->compute += c->weight[s] * x.compute;
        one->memory += c->weight[s] * x.memory;
        sum += c->weight[s] * cycles;
    }
    return c->tail > 0 ? est_over_rounds(w, c, time_of) : sum;
}

double param_time(struct sel_work *w, const struct est_case *c)
{
    struct param_warp one;
    return param_cycles(w, c, &one);
}

/* n3 of [R] 5.2, the warps that hide a latency, is never the least: four times the shortest latency is more
 * warps than a group holds on all devices here. */
void param_size(const struct sel_work *w, size_t local[3])
{
    const struct device *d = w->d;
    const uint64_t lanes = d->warp ? d->warp : 1, items = launch_items(w->l);
    const uint64_t regs = est_needs(w).registers;
    uint64_t n = sel_ceil_div(items, lanes * (d->units ? d->units : 1));
    const uint64_t most[] = {d->max_warps_unit, regs ? d->regs_unit / (lanes * regs) : 0,
                             d->max_group_items / lanes};
    for (unsigned i = 0; i < sizeof most / sizeof *most; i++)
        n = most[i] && most[i] < n ? most[i] : n;
    local[0] = (size_t)(w->l->dim > 1 ? lanes : lanes * n);
    local[1] = (size_t)(w->l->dim > 1 ? n : 1);
    local[2] = 1;
}
