/* predict_explain.c - in words what limits a kernel ([C] 4.4), and the trace of one warp. */
#include "select/predict/predict.h"
#include "select/advise/advice.h"
#include "select/time/mwp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define BUSY_PART    0.7  /* a part that is held for more of the time limits the kernel */
#define BUSY_WARP    0.7  /* so does a warp's own row of operations */
#define FEW_WARPS    0.75 /* of what a unit can hold: fewer are mentioned */
#define WASTED_LINES 1.5  /* transactions per needed one: more are mentioned */

static const char *const part_names[PARTS] = {"arithmetic",
                                              "the special-function unit",
                                              "local memory",
                                              "constant memory",
                                              "the constant cache",
                                              "the first-level cache",
                                              "the second-level cache",
                                              "the third-level cache",
                                              "DRAM"};

const struct candidate *predict_subject(const struct prediction *p)
{
    const struct predict_options *o = p->options;
    const struct candidate *c =
        o->nlocal > o->subject ? sel_of_size(p->candidate, p->n, o->local[o->subject]) : NULL;

    return c ? c : &p->candidate[0];
}

/* ---- accesses -------------------------------------------------------------------------------------- */

static const char *verb(const struct kernel_summary *k, uint32_t insn)
{
    enum sum_op op = (enum sum_op)k->insns[insn].op;
    return op == SUM_LOAD || op == SUM_IMAGE_READ ? "load from" : op == SUM_ATOMIC ? "atomic on" : "store to";
}

static void describe_access(const struct prediction *p, const struct trace_entry *e, const char *what,
                            double n, const char *remedy)
{
    uint32_t line = p->kernel->insns[e->insn].line;
    printf("  %s %s '%s'", what, verb(p->kernel, e->insn), advice_target(p->kernel, e->insn));
    if (line)
        printf(" in line %u", line);
    printf(": %u %s for %u work-items, %.6g times per warp%s\n", e->lines,
           e->mem == TRACE_LOCAL ? "turns" : "transactions", e->lanes, n, remedy);
}

/* Are both instructions of one place in the source, as those of an unrolled loop? */
static bool same_place(const struct prediction *p, uint32_t a, uint32_t b)
{
    const struct sum_insn *in = p->kernel->insns;

    return a == b ||
           (in[a].line && in[a].line == in[b].line && strcmp(verb(p->kernel, a), verb(p->kernel, b)) == 0 &&
            strcmp(advice_target(p->kernel, a), advice_target(p->kernel, b)) == 0);
}

/* How often the place of entry `i` makes accesses as costly as that one; 0: an earlier entry stands for it.
 */
static double times_of_place(const struct prediction *p, const struct trace *t, uint32_t i)
{
    double n = 0;

    for (uint32_t j = 0; j < t->nentry; j++) {
        const struct trace_entry *e = &t->entry[j];
        if (e->mem != t->entry[i].mem || e->lines != t->entry[i].lines ||
            !same_place(p, e->insn, t->entry[i].insn))
            continue;
        if (j < i)
            return 0;
        n += trace_times(t, j);
    }
    return n;
}

/* Every access that costs more than it has to. */
static unsigned describe_accesses(const struct prediction *p, const struct subject *s, const struct trace *t)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < t->nentry; i++) {
        const struct trace_entry *e = &t->entry[i];
        const double n = e->mem < TRACE_MEMS ? times_of_place(p, t, i) : 0;
        if (n <= 0)
            continue;
        if (e->mem == TRACE_LOCAL && e->lines > 1)
            describe_access(p, e, "bank conflicts:", n, "; 1 would do");
        else if (e->mem == TRACE_CONSTANT && e->lines > 1)
            describe_access(p, e, "serialised constant", n, "; 1 if all read the same element");
        else if (e->mem == TRACE_GLOBAL && e->unknown)
            describe_access(p, e, "unknown address, counted as uncoalesced:", n, "");
        else if ((e->mem == TRACE_GLOBAL || e->mem == TRACE_IMAGE) &&
                 e->lines > WASTED_LINES * est_needed(s->w, e->insn))
            describe_access(p, e, "uncoalesced", n, "; neighbours should touch neighbouring elements");
        else
            continue;
        found++;
    }
    return found;
}

/* ---- what limits ----------------------------------------------------------------------------------- */

static void describe_occupancy(const struct prediction *p, const struct subject *s)
{
    static const char *const why[] = {
        [SEL_LIM_NONE] = "nothing",
        [SEL_LIM_GROUPS] = "the number of work-groups that a unit holds: larger groups would help",
        [SEL_LIM_WARPS] = "the number of warps that a unit holds: another group does not fit",
        [SEL_LIM_REGISTERS] = "registers",
        [SEL_LIM_LOCAL] = "local memory",
        [SEL_LIM_RANGE] = "the range: there are no more work-groups"};
    const struct device *d = p->device;
    if (d->is_cpu)
        return;
    printf("  occupancy: %u", s->c.active_warps);
    if (d->max_warps_unit)
        printf(" of %u", d->max_warps_unit);
    printf(" warps are resident, limited by %s", why[s->c.limiter]);
    if (s->c.limiter == SEL_LIM_REGISTERS)
        printf(" (about %u per work-item)", p->kernel->registers);
    if (d->max_warps_unit && s->c.active_warps < FEW_WARPS * d->max_warps_unit)
        fputs("; few to hide latencies behind", stdout);
    putchar('\n');
}

static void describe_lanes(const struct prediction *p, const struct trace *t)
{
    const double lanes = advice_lanes(t),
                 width = p->device->warp < TRACE_LANES ? p->device->warp : TRACE_LANES;
    if (!p->device->is_cpu && lanes < IDLE_LANES * width)
        printf("  divergence: %.1f of %.0f lanes are active on average\n", lanes, width);
}

static void describe_memory(const struct subject *s)
{
    static const char *const level[REUSE_LEVELS] = {"level 1", "level 2", "level 3", "DRAM"};
    for (unsigned wr = 0; wr < 2; wr++) {
        bool any = false;
        for (unsigned i = 0; i < REUSE_LEVELS; i++) {
            double share = (double)s->e.reuse->all[wr].share[i];
            if (share < 0.005)
                continue;
            printf("%s %.0f %% %s",
                   any  ? ","
                   : wr ? "  global stores with known address go to:"
                        : "  global loads with known address are served by:",
                   100 * share, level[i]);
            any = true;
        }
        if (any)
            putchar('\n');
    }
}

/* Of a kernel that takes no time nothing has a part. */
static double part_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Which parts are busy most of the time, or else that warps wait for themselves. */
static void describe_limit(const struct prediction *p, const struct subject *s, double cycles)
{
    struct demand part[PARTS];
    double chain = est_load(&s->e, part), fixed = part_of(est_time(&s->e, 0), s->c.time_ns);
    bool any = false;
    if (fixed > 0.5) {
        printf("  launching: %.0f %% of the time goes into the launch and the dispatch of its groups\n",
               100 * fixed);
        any = true;
    }
    for (unsigned c = 0; c < PARTS; c++) {
        double share = part_of(part[c].delay * s->e.active, cycles);
        if (share < BUSY_PART)
            continue;
        printf("  %s is busy %.0f %% of the time: the throughput of that part is the limit\n", part_names[c],
               100 * (share < 1 ? share : 1));
        any = true;
    }
    if (!p->device->is_cpu && chain > BUSY_WARP * cycles) {
        printf("  latency: a warp's own operations in a row take %.0f %% of the time", 100 * chain / cycles);
        fputs(s->c.limiter == SEL_LIM_RANGE ? "; the range is too small to overlap more\n"
                                            : "; more resident warps or shorter chains would help\n",
              stdout);
        any = true;
    }
    if (!any)
        puts("  no single part: arithmetic, memory and waiting overlap only in part");
}

/* [C] 4.4: what the warps of a unit wait for, in its words. */
static void describe_mwp(const struct subject *s)
{
    static const char *const class[] = {"all lanes read one element", "coalesced", "uncoalesced",
                                        "of constant memory", "of spilt values"};
    struct mwp_warp w;
    struct mwp_time t;
    unsigned most = 0;
    mwp_case(s->w, &s->e, &w, &t);
    if (t.mwp <= 0)
        return;
    printf("  memory: MWP %.3g of CWP %.3g with %u warps: ", t.mwp, t.cwp, s->c.active_warps);
    for (unsigned i = 1; i < MWP_CLASSES; i++)
        most = w.access[i].transactions > w.access[most].transactions ? i : most;
    if (t.cwp < t.mwp)
        puts("computation is the limit");
    else if (t.mwp < s->c.active_warps)
        printf("bandwidth of accesses, most of them %s (%.3g transactions)\n", class[most],
               w.access[most].transactions / w.access[most].n);
    else
        puts("latency of accesses");
}

/* [R] 5.3: what the units do, which accesses nothing computes meanwhile for, and its block size. */
static int describe_metrics(const struct prediction *p, const struct subject *s, const struct est_trace *t)
{
    struct predict_metrics m;
    char size[PREDICT_SIZE];
    const int r = predict_metrics(s, t, &m);
    if (r)
        return r;
    printf("  units: one computes %.0f %% of the time, one accesses memory %.0f %%; %.4g GFLOP/s (%.3g %% of "
           "the "
           "peak), %.4g GB/s of global accesses, %.3g FLOP a byte; DRAM at %.3g %% of its peak\n",
           100 * m.compute_busy, 100 * m.memory_busy, m.gflops, 100 * m.compute_of_peak, m.gbytes,
           m.intensity, 100 * m.dram_of_peak);
    for (unsigned i = 0; i < m.nspot; i++) {
        const uint32_t insn = m.spot[i].insn;
        printf("  hotspot: %s '%s' in line %u: %.0f %% of the time\n", verb(p->kernel, insn),
               advice_target(p->kernel, insn), p->kernel->insns[insn].line, 100 * m.spot[i].share);
    }
    printf("  suggested by parallelism: %s\n", predict_size_text(m.suggested, p->launch->dim, size));
    return 0;
}

static void describe_advice(const struct subject *s, const struct est_trace *t)
{
    struct advice a[ADVICE_MOST];
    const unsigned n = advise(s, t, a);
    for (unsigned i = 0; i < n; i++) {
        printf("  advice: %s", a[i].text);
        printf(a[i].line ? " (line %u)" : "", a[i].line);
        printf(": %.3f us instead of %.3f us, %.3g times as fast\n", a[i].then_ns / 1e3, a[i].now_ns / 1e3,
               a[i].gain);
    }
}

/* Why not even one group of an infeasible size fits. */
static void describe_refusal(const struct candidate *c)
{
    static const char *const why[] = {[SEL_LIM_NONE] = "nothing",
                                      [SEL_LIM_GROUPS] = "units that hold no work-group",
                                      [SEL_LIM_WARPS] = "it has more warps than a unit holds",
                                      [SEL_LIM_REGISTERS] = "it needs more registers than there are",
                                      [SEL_LIM_LOCAL] =
                                          "it needs more local memory than a work-group may have",
                                      [SEL_LIM_RANGE] = "it has more work-items than a work-group may have"};
    printf("  it cannot be launched: %s\n", why[c->limiter]);
}

int predict_explain(const struct prediction *p, const struct candidate *c)
{
    struct subject s;
    char size[PREDICT_SIZE];
    int r = subject_open(p->kernel, p->launch, p->device, c, &s);
    printf("\nWhat limits %s\n", predict_size_text(c->local, p->launch->dim, size));
    if (r == -E2BIG) {
        puts("  it cannot be told: the kernel executes more than is traced");
    } else if (r == 0 && s.c.state == SEL_INFEASIBLE) {
        describe_refusal(&s.c);
    } else if (r == 0) {
        const struct est_trace *u = subject_usual(&s);
        const struct trace *t = u ? &u->t : NULL;
        describe_limit(p, &s, est_simulate(s.w, &s.e));
        if (p->options->model == SEL_MODEL_MWP)
            describe_mwp(&s);
        describe_occupancy(p, &s);
        describe_memory(&s);
        if (t) {
            if (p->options->model == SEL_MODEL_PARAM)
                r = describe_metrics(p, &s, u);
            describe_lanes(p, t);
            if (describe_accesses(p, &s, t) == 0 && !p->device->is_cpu)
                puts("  all accesses are coalesced and free of bank conflicts");
            describe_advice(&s, u);
        }
    }
    subject_close(&s);
    return r == -E2BIG ? 0 : r;
}

/* ---- the trace ------------------------------------------------------------------------------------- */

static void indent(unsigned depth)
{
    printf("%*s", (int)(2 * depth + 2), "");
}

static void print_work(const struct trace_prog *p, uint32_t segment)
{
    const struct trace_segment *s = &p->segment[segment];
    fputs("compute", stdout);
    for (uint32_t i = segment ? s[-1].cost_end : 0; i < s->cost_end; i++)
        printf(" %u %s", p->cost[i].count, sum_class_name((enum sum_class)p->cost[i].cls));
    putchar('\n');
}

static void print_access(const struct trace_prog *p, const struct trace_entry *e)
{
    static const char *const space[TRACE_MEMS] = {"global", "constant", "local", "image"};
    const struct sum_insn *in = &p->k->insns[e->insn];
    printf("%s %s '%s' %u bytes", space[e->mem], verb(p->k, e->insn), advice_target(p->k, e->insn),
           in->bytes);
    printf(", %u lanes, %u %s", e->lanes, e->lines, e->mem == TRACE_LOCAL ? "turns" : "transactions");
    if (e->unknown)
        fputs(", address unknown", stdout);
    for (unsigned i = 0; i < e->depth && !e->unknown; i++)
        printf("%s%lld", i ? "," : ", bytes per iteration ", (long long)e->stride[i]);
    if (in->line)
        printf("  (line %u)", in->line);
    putchar('\n');
}

/* Entries [begin, end); only loops [0, loops) are still to be entered. */
static void print_entries(const struct trace_prog *p, const struct trace *t, uint32_t begin, uint32_t end,
                          uint32_t loops, unsigned depth)
{
    for (uint32_t e = begin; e < end;) {
        uint32_t l = trace_loop_at(t, e, end, loops);
        indent(depth);
        if (l < loops) {
            printf("%.6g times\n", t->loop[l].trip);
            print_entries(p, t, e, t->loop[l].end, l, depth + 1);
            e = t->loop[l].end;
            continue;
        }
        if (t->entry[e].mem == TRACE_WORK)
            print_work(p, t->entry[e].insn);
        else if (t->entry[e].mem == TRACE_BARRIER)
            puts("barrier");
        else
            print_access(p, &t->entry[e]);
        e++;
    }
}

int predict_trace(const struct prediction *p, const struct candidate *c)
{
    struct subject s;
    char size[PREDICT_SIZE];
    if (c->state == SEL_INFEASIBLE)
        return 0;
    int r = subject_open(p->kernel, p->launch, p->device, c, &s);
    const struct est_trace *u = r == 0 && s.c.state != SEL_INFEASIBLE ? subject_usual(&s) : NULL;
    if (u) {
        const struct trace *t = &u->t;
        printf("\nOne warp of %s: %u lanes%s%s\n", predict_size_text(c->local, p->launch->dim, size),
               t->lanes, t->pessimistic ? ", both sides of unknown branches" : "",
               t->estimated ? ", assumed trip counts" : "");
        print_entries(&s.w->prog, t, 0, t->nentry, t->nloop, 0);
        if (t->nentry == TRACE_ENTRIES)
            puts("  (longer traces are counted, not listed)");
    }
    subject_close(&s);
    return r == -E2BIG ? 0 : r;
}
