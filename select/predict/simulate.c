/* simulate.c - goes from event to event: a warp arrives at its next operation, or a part becomes free. */
#include "select/predict/simulate.h"
#include <string.h>

struct arrival {
    double when;
    uint32_t warp;
};

#define ARRIVALS (8 * SIM_WARPS)

struct unit {
    const struct sim_round *r;
    uint32_t warps;
    const struct sim_kind *kind[SIM_WARPS];
    uint32_t at[SIM_WARPS], left[SIM_WARPS]; /* next operation; how many are to come */
    uint64_t done;                           /* warps that have finished */
    uint64_t stopped;                        /* warps at a barrier */
    struct arrival coming[ARRIVALS];         /* from `first` to before `end`, earliest first */
    uint32_t first, end;
    double free_at[PARTS];
    uint64_t waiting[PARTS]; /* warps */
    uint32_t last[PARTS];    /* warp served last */
    uint32_t busy;           /* parts that warps wait for, as bits */
    double now;              /* of the last arrival */
    double finish;
};

/* ---- arrivals, earliest first; ties in warp order -------------------------------------------------- */

static bool earlier(const struct arrival *a, const struct arrival *b)
{
    return a->when < b->when || (a->when == b->when && a->warp < b->warp);
}

/* What comes last is mostly what arrives last, so that few are moved. */
static void push(struct unit *u, uint32_t warp, double when)
{
    struct arrival x = {when, warp};
    if (u->end == ARRIVALS) {
        u->end -= u->first;
        memmove(u->coming, u->coming + u->first, u->end * sizeof *u->coming);
        u->first = 0;
    }
    uint32_t i = u->end++;
    for (; i > u->first && earlier(&x, &u->coming[i - 1]); i--)
        u->coming[i] = u->coming[i - 1];
    u->coming[i] = x;
}

static struct arrival pop(struct unit *u)
{
    return u->coming[u->first++];
}

/* ---- events ---------------------------------------------------------------------------------------- */

static const struct sim_op *next_op(const struct unit *u, uint32_t warp)
{
    return &u->kind[warp]->op[u->at[warp]];
}

static void go_on(struct unit *u, uint32_t warp)
{
    u->at[warp] = (u->at[warp] + 1) % u->kind[warp]->nop;
    u->left[warp]--;
}

static void serve(struct unit *u, uint32_t warp, double now)
{
    const struct sim_op *op = next_op(u, warp);
    go_on(u, warp);
    double released = now + op->delay, complete = now + op->latency;
    u->free_at[op->part] = released;
    u->last[op->part] = warp;
    u->finish = released > u->finish ? released : u->finish;
    push(u, warp, complete);
}

static uint64_t group_of(const struct unit *u, uint32_t warp)
{
    uint32_t size = u->r->group ? u->r->group : 1, first = warp / size * size;
    uint32_t n = first + size < u->warps ? size : u->warps - first;
    return (n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1) << first;
}

/* Let the warps of `who` go on behind their barrier. */
static void release(struct unit *u, uint64_t who, double now)
{
    u->stopped &= ~who;
    for (; who; who &= who - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(who);
        go_on(u, w);
        push(u, w, now);
    }
}

/* Warps that have finished no longer hold up their group. */
static void check_barrier(struct unit *u, uint32_t warp, double now)
{
    uint64_t group = group_of(u, warp), here = u->stopped & group;
    if (here && (here | (u->done & group)) == group)
        release(u, here, now);
}

static void arrive(struct unit *u, uint32_t warp, double now)
{
    u->now = now;
    if (!u->left[warp]) {
        u->finish = now > u->finish ? now : u->finish;
        u->done |= UINT64_C(1) << warp;
        check_barrier(u, warp, now);
        return;
    }
    uint32_t part = next_op(u, warp)->part;
    if (part == SIM_BARRIER) {
        u->stopped |= UINT64_C(1) << warp;
        check_barrier(u, warp, now);
    } else if (!u->waiting[part] && u->free_at[part] <= now) {
        serve(u, warp, now);
    } else {
        u->waiting[part] |= UINT64_C(1) << warp;
        u->busy |= 1u << part;
    }
}

/* Greedy-then-oldest: the warp served last, else the lowest.  Round robin: the next one after it. */
static uint32_t choose(const struct unit *u, unsigned part)
{
    uint64_t waiting = u->waiting[part], self = UINT64_C(1) << u->last[part];
    if (u->r->oldest_first)
        return waiting & self ? u->last[part] : (uint32_t)__builtin_ctzll(waiting);
    uint64_t after = waiting & ~(self | (self - 1));
    return (uint32_t)__builtin_ctzll(after ? after : waiting);
}

/* The part with waiting warps that is free first. */
static unsigned next_part(const struct unit *u)
{
    unsigned best = PARTS;
    for (uint32_t left = u->busy; left; left &= left - 1) {
        unsigned part = (unsigned)__builtin_ctz(left);
        if (best == PARTS || u->free_at[part] < u->free_at[best])
            best = part;
    }
    return best;
}

/* Deal the kinds' warps out so that each is spread evenly over the groups. */
static void deal(struct unit *u)
{
    uint32_t given[SIM_WARPS] = {0}, all = 0;
    unsigned kinds = u->r->kinds < SIM_WARPS ? u->r->kinds : SIM_WARPS;
    for (unsigned k = 0; k < kinds; k++)
        all += u->r->kind[k].warps;
    all = all < SIM_WARPS ? all : SIM_WARPS;
    while (u->warps < all) {
        unsigned most = 0;
        double due = -1;
        for (unsigned k = 0; k < kinds; k++) {
            const struct sim_kind *x = &u->r->kind[k];
            double d = (double)x->warps * (u->warps + 1) / all - given[k];
            if (given[k] < x->warps && d > due) {
                due = d;
                most = k;
            }
        }
        given[most]++;
        u->kind[u->warps] = &u->r->kind[most];
        u->left[u->warps] = u->r->kind[most].nop;
        push(u, u->warps++, 0);
    }
    const uint32_t size = u->r->group ? u->r->group : 1, groups = (u->warps + size - 1) / size;
    for (uint32_t w = 0; u->r->amid && w < u->warps; w++)
        u->at[w] = (uint32_t)((uint64_t)u->left[w] * (w / size) / groups);
}

double sim_run(const struct sim_round *r)
{
    struct unit u;
    memset(&u, 0, sizeof u);
    u.r = r;
    deal(&u);
    for (;;) {
        unsigned part = next_part(&u);
        if (u.first < u.end && (part == PARTS || u.coming[u.first].when <= u.free_at[part])) {
            struct arrival a = pop(&u);
            arrive(&u, a.warp, a.when);
        } else if (part < PARTS) {
            uint32_t warp = choose(&u, part);
            u.waiting[part] &= ~(UINT64_C(1) << warp);
            if (!u.waiting[part])
                u.busy &= ~(1u << part);
            serve(&u, warp, u.free_at[part]);
        } else if (u.stopped) { /* groups whose warps disagree about their barriers */
            release(&u, u.stopped, u.now);
        } else {
            return u.finish;
        }
    }
}
