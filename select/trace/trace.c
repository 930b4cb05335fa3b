/* trace.c - walks the body with a stack of divergent paths that meet at the immediate post-dominator. */
#include "analysis/summary/conditions.h"
#include "select/trace/trace.h"
#include <errno.h>
#include <string.h>

#define MAX_PATHS   192
#define MAX_TARGETS 32 /* of one switch; further cases count as the default */

/* Lanes `mask` go on at `block`, having come from `from`, until they reach `stop`. */
struct path {
    uint32_t from; /* predecessor whose edge is still to be taken; CFG_NONE: phis are evaluated */
    uint32_t via;  /* where they come from, for telling loop entries from back edges */
    uint32_t block, stop;
    uint64_t mask;
    uint64_t join; /* lanes that reach `stop` on another path as well */
};

struct walk {
    struct trace_prog *p;
    unsigned depth;
    struct path path[MAX_PATHS];
};

struct target {
    uint32_t block;
    uint64_t mask;
};

static int push(struct walk *w, const struct path *path)
{
    if (w->depth == MAX_PATHS)
        return -E2BIG;
    w->path[w->depth++] = *path;
    return 0;
}

static void go(struct path *at, uint32_t from, uint32_t to)
{
    at->from = at->via = from;
    at->block = to;
}

/* Send lanes to several targets.  `both` are lanes that take more than one of them. */
static int split(struct walk *w, uint32_t block, struct target *t, unsigned n, uint64_t both)
{
    struct trace_prog *p = w->p;
    struct path *at = &w->path[w->depth - 1];
    if (n == 1) {
        go(at, block, t[0].block);
        return 0;
    }
    uint32_t meet = p->cfg.ipdom[block] == CFG_NONE ? p->k->nblock : p->cfg.ipdom[block];
    uint64_t join = meet == at->stop ? at->join : 0;
    if (meet == at->stop) {
        w->depth--;
    } else {
        at->from = CFG_NONE;
        at->via = block;
        at->block = meet;
    }
    /* the last pushed goes first; an edge straight to the meeting point goes last */
    for (unsigned i = 1; i < n; i++)
        if (t[i].block == meet) {
            struct target x = t[0];
            t[0] = t[i];
            t[i] = x;
        }
    for (unsigned i = 0; i < n; i++) {
        struct path child = {
            .from = block, .via = block, .block = t[i].block, .stop = meet, .mask = t[i].mask};
        child.join = join | (i + 1 < n ? both : 0);
        int e = push(w, &child);
        if (e)
            return e;
    }
    return 0;
}

/* The innermost loop that exactly one of the two targets leaves. */
static uint32_t loop_left(const struct trace_prog *p, uint32_t block, uint32_t a, uint32_t b)
{
    uint32_t loop = p->cfg.loop_of[block];
    for (; loop != CFG_NONE; loop = p->cfg.loop[loop].parent)
        if (cfg_in_loop(&p->cfg, loop, a) != cfg_in_loop(&p->cfg, loop, b))
            break;
    return loop;
}

/* Does a known comparison alone end the loop some day, whatever the unknown rest of its
 * condition says?  So it is in `while (unknown && i < n)` and in `if (unknown || i >= n) break`.
 * `inside`: the value that stays. */
static bool bounded_in_part(const struct trace_prog *p, uint32_t v, bool inside, uint64_t mask)
{
    struct condition all[CONDITIONS_MAX];
    const unsigned n = conditions_of(p->k, v, inside, all);
    bool known = false;
    for (unsigned i = 0; i < n && !known; i++)
        known = (p->value[p->slot[all[i].x]].known & p->value[p->slot[all[i].y]].known & mask) == mask;
    return known;
}

/* An unknown exit is not taken while a known one may still come; with none, after the assumed iterations. */
static bool stay(struct trace_prog *p, uint32_t loop, uint32_t condition, bool inside, uint64_t mask)
{
    struct loop_state *s = &p->state[loop];
    if (bounded_in_part(p, condition, inside, mask))
        s->decided = s->iterations + 1;
    if (loops_decided(s)) {
        p->out->pessimistic = true;
        return true;
    }
    p->out->estimated = true;
    return s->iterations + 1 < p->assumed[loop];
}

static int conditional(struct walk *w, uint32_t block, const struct sum_insn *in, uint64_t mask)
{
    struct trace_prog *p = w->p;
    const uint32_t *o = &p->k->opnds[in->opnd];
    const struct value *c = &p->value[p->slot[o[0]]];
    uint64_t unknown = mask & ~c->known, yes = 0;
    if (c->uniform)
        yes = c->all & 1 ? mask : 0;
    else
        for (unsigned i = 0; i < p->lanes; i++)
            yes |= (uint64_t)(exec_lanes(p, p->slot[o[0]])[i] & 1) << i;
    yes &= mask & ~unknown;
    uint64_t no = mask & ~unknown & ~yes;
    uint32_t loop = p->cfg.nloop ? loop_left(p, block, o[1], o[2]) : CFG_NONE;
    if (loop != CFG_NONE) {
        if (unknown != mask)
            p->state[loop].decided = p->state[loop].iterations + 1;
        bool inside = cfg_in_loop(&p->cfg, loop, o[1]);
        if (unknown && inside == stay(p, loop, o[0], inside, mask))
            yes |= unknown;
        else
            no |= unknown;
        unknown = 0;
    }
    if (o[1] == o[2])
        no = 0, yes = mask;
    p->out->pessimistic |= unknown != 0;
    struct target t[2];
    unsigned n = 0;
    if (yes | unknown)
        t[n++] = (struct target){o[1], yes | unknown};
    if ((no | unknown) && o[1] != o[2])
        t[n++] = (struct target){o[2], no | unknown};
    return split(w, block, t, n, unknown);
}

static void add_target(struct target *t, unsigned *n, uint32_t block, uint64_t mask)
{
    for (unsigned i = 0; i < *n; i++)
        if (t[i].block == block) {
            t[i].mask |= mask;
            return;
        }
    if (mask)
        t[(*n)++] = (struct target){block, mask};
}

static int multiway(struct walk *w, uint32_t block, const struct sum_insn *in, uint64_t mask)
{
    struct trace_prog *p = w->p;
    const uint32_t *o = &p->k->opnds[in->opnd];
    uint64_t unknown = mask & ~p->value[p->slot[o[0]]].known, rest = mask & ~unknown;
    struct target t[MAX_TARGETS];
    unsigned n = 0;
    for (uint32_t i = 2; i + 1 < in->nopnd && n < MAX_TARGETS - 1; i += 2) {
        uint64_t hit = 0;
        int64_t label = p->slot[o[i]] == CFG_NONE ? 0 : exec_get(p, o[i], 0);
        for (unsigned j = 0; j < p->lanes; j++)
            if (rest >> j & 1 && exec_get(p, o[0], j) == label)
                hit |= UINT64_C(1) << j;
        rest &= ~hit;
        add_target(t, &n, o[i + 1], hit | unknown);
    }
    add_target(t, &n, o[1], rest | unknown);
    p->out->pessimistic |= unknown != 0;
    return split(w, block, t, n, unknown);
}

static void run_access(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    if (p->kept[p->access[v]].outermost == CFG_NONE) {
        memory_access(p, v, mask);
        return;
    }
    if (kept_is_made(p, v))
        return;
    const struct trace_counts before = p->out->sum;
    const uint32_t entries = p->out->nentry;
    memory_access(p, v, mask);
    kept_lift(p, v, &before, entries);
}

static void run_insn(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    const struct sum_insn *in = &p->k->insns[v];
    if (p->slot[v] != CFG_NONE) {
        exec_insn(p, v, mask);
        if (in->op == SUM_ICMP)
            loops_compare(p, v, mask);
    }
    if (in->op >= SUM_LOAD && in->op <= SUM_ATOMIC && in->space != SUM_PRIVATE)
        run_access(p, v, mask);
    else if (in->op == SUM_IMAGE_READ || in->op == SUM_IMAGE_WRITE)
        memory_image(p, v, mask);
    else if (in->op == SUM_BARRIER)
        memory_append(p, &(struct trace_entry){.insn = v, .mem = TRACE_BARRIER});
}

static void run_block(struct trace_prog *p, uint32_t b, uint64_t mask)
{
    uint32_t first = p->segment_first[b], cost = first ? p->segment[first - 1].cost_end : 0;
    uint32_t work = first ? p->segment[first - 1].work_end : 0;
    double lanes = __builtin_popcountll(mask);
    p->steps += 1;
    p->out->sum.chain += p->chain[b];
    for (uint32_t i = first; i < p->segment_first[b + 1]; i++) {
        const struct trace_segment *s = &p->segment[i];
        if (s->any)
            memory_append(p, &(struct trace_entry){.insn = i, .mem = TRACE_WORK, .lanes = (uint16_t)lanes});
        for (; cost < s->cost_end; cost++) {
            p->out->sum.ops[p->cost[cost].as] += p->cost[cost].count;
            p->out->sum.lane_ops[p->cost[cost].cls] += p->cost[cost].count * lanes;
        }
        for (unsigned u = 0; u < TRACE_UNITS; u++)
            p->out->sum.hidden[u] += (double)s->hidden[u];
        p->steps += s->work_end - work;
        for (; work < s->work_end; work++)
            run_insn(p, p->work[work], mask);
    }
}

/* Take the pending edge of a path, if any. */
static void take_edge(struct trace_prog *p, struct path *at)
{
    if (at->from == CFG_NONE)
        return;
    uint32_t loop = p->cfg.loop_of[at->from];
    for (; loop != CFG_NONE && !cfg_in_loop(&p->cfg, loop, at->block); loop = p->cfg.loop[loop].parent)
        loops_leave(p, loop);
    exec_phis(p, at->from, at->block, at->mask, at->block == at->stop ? at->join : 0);
    at->from = CFG_NONE;
}

static int step(struct walk *w)
{
    struct trace_prog *p = w->p;
    struct path *at = &w->path[w->depth - 1];
    if (at->block < p->k->nblock)
        take_edge(p, at);
    if (at->block == at->stop || at->block >= p->k->nblock) {
        w->depth--;
        return 0;
    }
    uint32_t b = at->block, loop = p->cfg.loop_of[b];
    if (loop != CFG_NONE && p->cfg.loop[loop].header == b)
        loops_arrive(p, loop, at->via == CFG_NONE || !cfg_in_loop(&p->cfg, loop, at->via), at->mask);
    run_block(p, b, at->mask);
    if (p->steps > p->budget)
        return -E2BIG;
    const struct sum_insn *last = &p->k->insns[p->k->blocks[b].end - 1];
    switch (last->op) {
    case SUM_BR:
        go(at, b, p->k->opnds[last->opnd]);
        return 0;
    case SUM_CONDBR:
        return conditional(w, b, last, at->mask);
    case SUM_SWITCH:
        return multiway(w, b, last, at->mask);
    default:
        w->depth--;
        return 0;
    }
}

static void place_lanes(struct trace_prog *p, const struct trace_place *at)
{
    p->at = at;
    p->lanes = at->lanes < TRACE_LANES ? at->lanes : TRACE_LANES;
    p->live = 0;
    size_t lx = at->local[0], ly = at->local[1], items = lx * ly * at->local[2];
    size_t x = at->first % lx, y = at->first / lx % ly, z = at->first / lx / ly;
    for (unsigned i = 0; i < p->lanes; i++) {
        p->lid[0][i] = (int64_t)x;
        p->lid[1][i] = (int64_t)y;
        p->lid[2][i] = (int64_t)z;
        bool in = at->first + i < items;
        in = in && at->group[0] * lx + x < p->l->global[0] && at->group[1] * ly + y < p->l->global[1];
        in = in && at->group[2] * at->local[2] + z < p->l->global[2];
        p->live |= (uint64_t)in << i;
        if (++x == lx) {
            x = 0;
            if (++y == ly) {
                y = 0;
                z++;
            }
        }
    }
}

int trace_run(struct trace_prog *p, const struct trace_place *at, struct trace *out)
{
    struct walk w; /* most of the stack stays unused: not worth clearing */
    w.p = p;
    w.depth = 1;
    out->sum = (struct trace_counts){0};
    out->pessimistic = out->estimated = false;
    out->nentry = out->nloop = 0;
    place_lanes(p, at);
    out->lanes = (uint32_t)__builtin_popcountll(p->live);
    if (p->live == 0)
        return 0;
    p->out = out;
    p->muted = 0;
    memset(p->value, 0, p->nslot * sizeof *p->value);
    memset(p->state, 0, p->cfg.nloop * sizeof *p->state);
    exec_leaves(p);
    w.path[0] =
        (struct path){.from = CFG_NONE, .via = CFG_NONE, .block = 0, .stop = p->k->nblock, .mask = p->live};
    while (w.depth > 0) {
        int e = step(&w);
        if (e)
            return e;
    }
    return 0;
}
