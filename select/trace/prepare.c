/* prepare.c - what trace_run() needs and the launch does not change: the slice, costs per segment, the loops'
 * comparisons, virtual addresses, assumed trip counts. */
#include "select/trace/trace.h"
#include <errno.h>
#include <string.h>

#define MAX_SLOTS     16384u           /* 8 MiB of lanes */
#define STEP_BUDGET   UINT64_C(500000) /* instructions executed for one sel_estimate() */
#define ASSUMED_TRIPS 16.0             /* a loop about which nothing is known */
#define MAX_TRIPS     4096.0

/* ---- the slice ------------------------------------------------------------------------------------- */

/* Private memory stays in registers or on the stack: arithmetic ([W] 5.1.2). */
static bool is_memory(const struct sum_insn *in)
{
    return in->op == SUM_LOAD || in->op == SUM_STORE || in->op == SUM_ATOMIC;
}

static bool is_image(const struct sum_insn *in)
{
    return in->op == SUM_IMAGE_READ || in->op == SUM_IMAGE_WRITE;
}

static bool is_traffic(const struct sum_insn *in)
{
    return is_image(in) || (is_memory(in) && in->space != SUM_PRIVATE);
}

/* Instructions to look at, each once. */
struct worklist {
    uint32_t *number; /* instruction -> when it was found, CFG_NONE */
    uint32_t *todo, n, found;
};

static bool start_list(struct trace_prog *p, struct worklist *l)
{
    const size_t n = (size_t)p->k->ninsn + 1;
    *l = (struct worklist){.number = arena_get(p->arena, n * sizeof *l->number),
                           .todo = arena_get(p->arena, n * sizeof *l->todo)};
    if (l->number)
        memset(l->number, 0xff, n * sizeof *l->number);
    return l->number && l->todo;
}

static void want(const struct kernel_summary *k, uint32_t v, struct worklist *l)
{
    if (v < k->ninsn && l->number[v] == CFG_NONE) {
        l->number[v] = l->found++;
        l->todo[l->n++] = v;
    }
}

/* Add what instruction `v` is computed from, as far as that is evaluated. */
static void want_operands(const struct kernel_summary *k, uint32_t v, struct worklist *l)
{
    const struct sum_insn *in = &k->insns[v];
    bool opaque = in->op == SUM_PURE || in->op == SUM_ATOMIC || in->op == SUM_IMAGE_READ ||
                  in->op == SUM_CALL || in->lanes > 1 || in->flags & SUM_F_FLOAT ||
                  (in->op == SUM_LOAD && in->space != SUM_PRIVATE);
    if (opaque || in->op < SUM_ADD)
        return;
    for (uint32_t i = 0; i < in->nopnd; i++)
        if (!sum_operand_is_block(in, i))
            want(k, k->opnds[in->opnd + i], l);
}

/* Everything that an address or a branch condition is computed from. */
static int find_slice(struct trace_prog *p)
{
    const struct kernel_summary *k = p->k;
    struct worklist l;
    if (!start_list(p, &l))
        return -ENOMEM;
    for (uint32_t v = 0; v < k->ninsn; v++) {
        const struct sum_insn *in = &k->insns[v];
        bool root = in->op == SUM_CONDBR || in->op == SUM_SWITCH || is_traffic(in);
        if (root && in->nopnd)
            want(k, k->opnds[in->opnd], &l);
        for (uint32_t i = in->op == SUM_IMAGE_READ ? 1 : 2; is_image(in) && i < in->nopnd; i++)
            want(k, k->opnds[in->opnd + i], &l);
        for (uint32_t i = 2; in->op == SUM_SWITCH && i < in->nopnd; i += 2)
            want(k, k->opnds[in->opnd + i], &l);
    }
    while (l.n > 0)
        want_operands(k, l.todo[--l.n], &l);
    p->slot = l.number;
    p->nslot = l.found;
    return p->nslot > MAX_SLOTS ? -E2BIG : 0;
}

/* Does the place of a group in the range decide a branch, other than through memory? */
static int find_position(struct trace_prog *p)
{
    const struct kernel_summary *k = p->k;
    struct worklist l;
    p->positional = false;
    if (!start_list(p, &l))
        return -ENOMEM;
    for (uint32_t v = 0; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_CONDBR || k->insns[v].op == SUM_SWITCH)
            want(k, k->opnds[k->insns[v].opnd], &l);
    while (l.n > 0) {
        const struct sum_insn *in = &k->insns[l.todo[--l.n]];
        bool place = in->op == SUM_WI && (in->sub == SUM_WI_GLOBAL_ID || in->sub == SUM_WI_GROUP_ID ||
                                          in->sub == SUM_WI_GLOBAL_LINEAR_ID);
        p->positional |= place;
        want_operands(k, l.todo[l.n], &l);
    }
    return 0;
}

/* ---- per block ------------------------------------------------------------------------------------- */

static enum sum_class cost_class(const struct sum_insn *in)
{
    if (is_memory(in) && in->space == SUM_PRIVATE)
        return SUM_C_IADD;
    if (is_traffic(in) && in->op != SUM_ATOMIC && !is_image(in))
        return SUM_C_NONE; /* counted as transactions */
    return in->cls < SUM_C_COUNT && in->cls != SUM_C_MEM ? (enum sum_class)in->cls : SUM_C_NONE;
}

/* Compilers divide by a constant with a multiplication and shifts. */
enum { EASY_DIVISION = SUM_C_COUNT, CLASSES };

static unsigned cost_index(const struct kernel_summary *k, const struct sum_insn *in)
{
    const unsigned cls = cost_class(in);

    if (cls == SUM_C_IDIV && in->nopnd == 2 && k->insns[k->opnds[in->opnd + 1]].op == SUM_CONST)
        return EASY_DIVISION;
    return cls;
}

static bool ends_segment(const struct sum_insn *in)
{
    return is_traffic(in) || in->op == SUM_BARRIER;
}

/* How many of which `cost` and `work` entries there are so far. */
struct totals {
    uint32_t work, cost, segment, phi;
};

static void close_segment(struct trace_prog *p, uint32_t block, const uint32_t *count, struct totals *n)
{
    struct trace_segment *s = &p->segment[n->segment++];
    for (unsigned c = SUM_C_NONE + 1; c < CLASSES; c++) {
        if (!count[c])
            continue;
        const unsigned cls = c == EASY_DIVISION ? SUM_C_IDIV : c, as = c == EASY_DIVISION ? SUM_C_IMUL : c;
        enum trace_unit u = trace_unit_of((enum sum_class)as);
        p->cost[n->cost++] = (struct block_cost){.cls = (uint8_t)cls, .as = (uint8_t)as, .count = count[c]};
        s->count[u] += count[c];
        const float all = (float)(count[c] * p->d->latency[as]), ilp = u == UNIT_MEMORY ? 1 : p->ilp[block];
        s->latency[u] += all / ilp;
        s->hidden[u] += all - all / ilp;
        s->delay[u] += (float)(count[c] * p->d->delay[as]);
        s->any |= s->latency[u] > 0 || s->delay[u] > 0;
    }
    s->block = block;
    s->cost_end = n->cost;
    s->work_end = n->work;
}

static void find_segments(struct trace_prog *p, uint32_t block, struct totals *n)
{
    const struct sum_block *b = &p->k->blocks[block];
    uint32_t count[CLASSES] = {0};
    for (uint32_t v = b->first; v < b->end; v++) {
        const struct sum_insn *in = &p->k->insns[v];
        if (in->op == SUM_PHI) {
            if (p->slot[v] != CFG_NONE)
                p->phi[n->phi++] = v;
            continue;
        }
        count[cost_index(p->k, in)] += in->lanes > 1 && !is_image(in) ? in->lanes : 1;
        if (p->slot[v] != CFG_NONE || ends_segment(in))
            p->work[n->work++] = v;
        if (ends_segment(in)) {
            close_segment(p, block, count, n);
            memset(count, 0, sizeof count);
        }
    }
    close_segment(p, block, count, n);
}

static int find_blocks(struct trace_prog *p)
{
    const struct kernel_summary *k = p->k;
    size_t nb = (size_t)k->nblock + 1, ni = (size_t)k->ninsn + 1;
    p->segment_first = arena_get(p->arena, nb * sizeof *p->segment_first);
    p->phi_first = arena_get(p->arena, nb * sizeof *p->phi_first);
    p->segment = arena_get(p->arena, (nb + ni) * sizeof *p->segment);
    p->work = arena_get(p->arena, ni * sizeof *p->work);
    p->phi = arena_get(p->arena, ni * sizeof *p->phi);
    p->cost = arena_get(p->arena, ni * sizeof *p->cost);
    if (!p->segment_first || !p->phi_first || !p->segment || !p->work || !p->phi || !p->cost)
        return -ENOMEM;
    struct totals n = {0};
    for (uint32_t b = 0; b < k->nblock; b++) {
        p->segment_first[b] = n.segment;
        p->phi_first[b] = n.phi;
        find_segments(p, b, &n);
    }
    p->segment_first[k->nblock] = n.segment;
    p->phi_first[k->nblock] = n.phi;
    return 0;
}

static int number_accesses(struct trace_prog *p)
{
    p->access = arena_get(p->arena, ((size_t)p->k->ninsn + 1) * sizeof *p->access);
    if (!p->access)
        return -ENOMEM;
    for (uint32_t v = 0; v < p->k->ninsn; v++) {
        const struct sum_insn *in = &p->k->insns[v];
        p->access[v] = is_traffic(in) ? p->naccess++ : CFG_NONE;
        p->stores_args |= is_memory(in) && in->op != SUM_LOAD && in->space == SUM_PRIVATE &&
                          p->k->insns[sum_base(p->k, p->k->opnds[in->opnd])].op != SUM_ALLOCA;
    }
    return 0;
}

/* ---- loops ----------------------------------------------------------------------------------------- */

/* When nothing bounds a loop: the largest number of elements per work-item among the buffers it reads (the
 * rows of a sparse matrix, say), else ASSUMED_TRIPS. */
static double assumed_trips(const struct trace_prog *p, uint32_t loop)
{
    const struct kernel_summary *k = p->k;
    double most = 0, items = (double)launch_items(p->l);
    for (uint32_t b = 0; b < k->nblock; b++) {
        if (p->cfg.loop_of[b] != loop)
            continue;
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++) {
            const struct sum_insn *in = &k->insns[v];
            uint32_t at = in->op == SUM_LOAD && in->nopnd ? k->opnds[in->opnd] : CFG_NONE;
            for (unsigned i = 0; at != CFG_NONE && i < 16 && k->insns[at].op == SUM_PTRADD; i++)
                at = k->opnds[k->insns[at].opnd];
            if (at == CFG_NONE || k->insns[at].op != SUM_ARG || (uint64_t)k->insns[at].imm >= p->l->nargs)
                continue;
            double per = (double)p->l->args[k->insns[at].imm].bytes / (in->bytes ? in->bytes : 4) / items;
            most = per > most ? per : most;
        }
    }
    if (most < 2)
        return ASSUMED_TRIPS;
    return most < MAX_TRIPS ? most : MAX_TRIPS;
}

/* The phis of headers and the comparisons directly inside loops get a history. */
static int find_loops(struct trace_prog *p)
{
    const struct kernel_summary *k = p->k;
    uint32_t nl = p->cfg.nloop, n = 0, nh = 0;
    p->watch_first = arena_get(p->arena, ((size_t)nl + 1) * sizeof *p->watch_first);
    p->watch = arena_get(p->arena, ((size_t)p->nslot + 1) * sizeof *p->watch);
    p->hist_of = arena_get(p->arena, ((size_t)p->nslot + 1) * sizeof *p->hist_of);
    p->state = arena_get(p->arena, ((size_t)nl + 1) * sizeof *p->state);
    p->assumed = arena_get(p->arena, ((size_t)nl + 1) * sizeof *p->assumed);
    if (!p->watch_first || !p->watch || !p->hist_of || !p->state || !p->assumed)
        return -ENOMEM;
    memset(p->hist_of, 0xff, ((size_t)p->nslot + 1) * sizeof *p->hist_of);
    for (uint32_t i = 0; i < nl; i++) {
        p->watch_first[i] = n;
        p->assumed[i] = assumed_trips(p, i);
        for (uint32_t j = p->cfg.loop[i].first; j < p->cfg.loop[i].end; j++) {
            uint32_t b = p->cfg.loop_block[j];
            if (p->cfg.loop_of[b] != i)
                continue;
            for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++) {
                bool header_phi = k->insns[v].op == SUM_PHI && b == p->cfg.loop[i].header;
                if (p->slot[v] == CFG_NONE || (!header_phi && k->insns[v].op != SUM_ICMP))
                    continue;
                p->hist_of[p->slot[v]] = nh++;
                if (!header_phi)
                    p->watch[n++] = v;
            }
        }
    }
    p->watch_first[nl] = n;
    p->hist = arena_get(p->arena, ((size_t)nh + 1) * sizeof *p->hist);
    return p->hist ? 0 : -ENOMEM;
}

/* ---- addresses ------------------------------------------------------------------------------------- */

#define PAGE UINT64_C(4096)

/* Each buffer gets its own page-aligned range, in argument order ([W] 4.2.3); arguments that share a memory
 * object share its range.  A guard page keeps neighbours apart. */
static int place_arguments(struct trace_prog *p)
{
    const struct kernel_summary *k = p->k;
    uint64_t next = UINT64_C(1) << 32, next_local = UINT64_C(1) << 24;
    p->arg_base = arena_get(p->arena, ((size_t)k->nargs + 1) * sizeof *p->arg_base);
    p->var_base = arena_get(p->arena, ((size_t)k->nvars + 1) * sizeof *p->var_base);
    if (!p->arg_base || !p->var_base)
        return -ENOMEM;
    for (uint32_t a = 0; a < k->nargs; a++) {
        const struct launch_arg *arg = a < p->l->nargs ? &p->l->args[a] : NULL;
        uint64_t *at = k->args[a].kind == SUM_ARG_LOCAL ? &next_local : &next;
        bool memory = k->args[a].kind == SUM_ARG_BUFFER || k->args[a].kind == SUM_ARG_IMAGE;
        uint64_t bytes = !arg ? 0 : memory ? arg->bytes : arg->size;
        uint32_t same = a;
        for (uint32_t b = 0; b < a && arg && arg->memory; b++)
            if (b < p->l->nargs && p->l->args[b].memory == arg->memory)
                same = b;
        if (same != a) {
            p->arg_base[a] = p->arg_base[same] - p->l->args[same].offset + arg->offset;
            continue;
        }
        p->arg_base[a] = *at + (arg ? arg->offset % PAGE : 0);
        *at += (bytes / PAGE + 2) * PAGE;
    }
    for (uint32_t v = 0; v < k->nvars; v++) {
        uint64_t *at = k->vars[v].space == SUM_LOCAL ? &next_local : &next;
        p->var_base[v] = *at;
        *at += (k->vars[v].bytes / PAGE + 1) * PAGE;
    }
    return 0;
}

int trace_prepare(struct trace_prog *p, const struct kernel_summary *k, const struct launch *l,
                  const struct device *d, struct arena *arena)
{
    *p = (struct trace_prog){.k = k, .l = l, .d = d, .arena = arena, .budget = STEP_BUDGET};
    if (k->nblock == 0 || k->ninsn == 0)
        return -E2BIG;
    int e = cfg_build(k, &p->cfg);
    if (e)
        return e;
    if ((e = find_slice(p)) || (e = find_position(p)) || (e = number_accesses(p)) || (e = kept_find(p)) ||
        (e = overlap_find(p)) || (e = find_blocks(p)) || (e = find_loops(p)) || (e = chain_find(p)) ||
        (e = masked_find(p)) || (e = place_arguments(p)))
        return e;
    p->value = arena_get(arena, ((size_t)p->nslot + 1) * sizeof *p->value);
    p->lane = arena_get(arena, ((size_t)p->nslot + 1) * TRACE_LANES * sizeof *p->lane);
    return p->value && p->lane ? 0 : -ENOMEM;
}

void trace_done(struct trace_prog *p)
{
    cfg_free(&p->cfg);
}
