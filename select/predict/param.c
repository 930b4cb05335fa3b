/* param.c - see param.h. */
#include "select/predict/param.h"
#include "select/integer.h"

/* The operations of a segment, each for itself. */
static double work(const struct trace_prog *p, uint32_t segment, double tlp)
{
    const struct trace_segment *s = &p->segment[segment];
    const double overlap = (double)p->ilp[s->block] * tlp;
    double sum = 0;
    for (uint32_t i = segment ? s[-1].cost_end : 0; i < s->cost_end; i++) {
        const struct block_cost *c = &p->cost[i];
        sum += c->count * sel_larger(p->d->latency[c->as] / overlap, p->d->delay[c->as]);
    }
    return sum;
}

static double access(const struct demand *part, double ilp, double tlp)
{
    double latency = 0, serial = 0;
    for (unsigned p = 0; p < PARTS; p++) {
        latency += part[p].latency;
        serial = sel_larger(serial, part[p].delay);
    }
    return sel_larger(latency / (ilp * tlp), serial);
}

struct param_warp param_entry(const struct sel_work *w, const struct est_case *c, const struct est_trace *t,
                              uint32_t i)
{
    const struct trace_entry *e = &t->t.entry[i];
    const double times = trace_times(&t->t, i);
    struct demand part[PARTS] = {{0}};
    if (e->mem == TRACE_WORK)
        return (struct param_warp){.compute = times * work(&w->prog, e->insn, c->active)};
    if (e->mem >= TRACE_MEMS)
        return (struct param_warp){0, 0};
    est_access(w, e, c->reuse, part);
    const double ilp = e->write ? 1 : (double)w->prog.mlp[w->prog.access[e->insn]];
    return (struct param_warp){.memory = times * access(part, ilp, c->active)};
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

/* What is spilt fits in where memory is idle, as far as there is room. */
double param_cycles(const struct sel_work *w, const struct est_case *c, struct param_warp *one)
{
    double sum = 0;
    *one = (struct param_warp){0, 0};
    for (unsigned s = 0; s < c->n; s++) {
        struct demand part[PARTS] = {{0}};
        struct param_warp x;
        double cycles = 0, room = 0;
        est_spill(w, &c->trace[s]->spill, part);
        const double spilt = access(part, 1, c->active);
        for (uint32_t i = 0; i < c->trace[s]->t.nentry;) {
            i = param_stretch(w, c, c->trace[s], i, &x);
            const double busier = sel_larger(x.compute, x.memory);
            cycles += busier * c->active + x.compute + x.memory - busier;
            room += busier - x.memory;
            one->compute += c->weight[s] * x.compute;
            one->memory += c->weight[s] * x.memory;
        }
        one->memory += c->weight[s] * spilt;
        sum += c->weight[s] * (cycles + sel_larger(spilt - room, 0) * c->active);
    }
    return sum;
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
