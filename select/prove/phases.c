/* phases.c - see phases.h.
 *
 * Barriers part the blocks.  From each beginning all parts are visited to which a way without a barrier
 * leads.
 *
 * Rounds: if no way without a barrier comes twice to a loop's header, who is there in a phase is in the round
 * in which the phase began (SAME), in the one after it (NEXT), or in the loop's first, having entered it
 * since (FRESH).  If all ways from one barrier to another agree in that, all who meet there have made as many
 * rounds, and what they do until they meet again is in rounds that differ by as much as these say. */
#include "select/prove/phases.h"
#include "analysis/summary/cfg.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BEGINNINGS 64
#define MOST_ROUNDS     ((size_t)1 << 18) /* of all loops' parts together */

enum round { SAME, NEXT, FRESH, ROUNDS, OUTSIDE = ROUNDS };

/* Of a part and a loop: for each round, the phases that come to the part in that round; and, outside, without
 * being in the loop. */
struct rounds {
    uint64_t in[ROUNDS + 1];
};

struct phases {
    const struct kernel_summary *k;
    struct cfg cfg;
    struct rounds *rounds; /* loop, part: no bits where a loop's are not known; NULL */
    struct phase_set *of;  /* block, or the part of it behind its n-th barrier: part -> phases */
    uint32_t *block_part, *part_block,
        *part_first; /* block -> its first part; part -> its block, first instruction */
    uint32_t npart;
};

static bool is_barrier(const struct kernel_summary *k, uint32_t v)
{
    return k->insns[v].op == SUM_BARRIER && !(k->insns[v].flags & SUM_F_SUBGROUP);
}

static uint32_t count_barriers(const struct kernel_summary *k)
{
    uint32_t n = 0;
    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        n += is_barrier(k, v);
    return n;
}

static void find_parts(struct phases *p)
{
    const struct kernel_summary *k = p->k;
    for (uint32_t b = 0; b < k->nblock; b++) {
        p->block_part[b] = p->npart;
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++)
            if (v == k->blocks[b].first || is_barrier(k, v)) {
                p->part_block[p->npart] = b;
                p->part_first[p->npart++] = v;
            }
    }
}

/* Is it the last part of its block, from which others are reached without a barrier? */
static bool goes_on(const struct phases *p, uint32_t part)
{
    return part + 1 == p->npart || p->part_block[part + 1] != p->part_block[part];
}

/* A block that begins with a barrier has nothing before it. */
static bool is_open(const struct phases *p, uint32_t part)
{
    const uint32_t v = p->part_first[part];
    return !(is_barrier(p->k, v) && v == p->k->blocks[p->part_block[part]].first);
}

/* The barriers that may come next, by their numbers; 0: the kernel's end. */
static void find_ends(struct phases *p, uint32_t *number)
{
    const struct cfg *c = &p->cfg;
    for (uint32_t i = 0, n = 0; i < p->npart; i++)
        number[i] = is_barrier(p->k, p->part_first[i]) ? ++n : 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = p->npart; i-- > 0;) {
            const uint32_t block = p->part_block[i];
            uint64_t until = goes_on(p, i) ? cfg_nsucc(c, block) == 0 : (uint64_t)1 << number[i + 1];
            for (uint32_t o = c->succ_first[block]; goes_on(p, i) && o < c->succ_first[block + 1]; o++) {
                const uint32_t next = p->block_part[c->succ[o]];
                until |= is_open(p, next) ? p->of[next].until : (uint64_t)1 << number[next];
            }
            changed |= until != p->of[i].until;
            p->of[i].until = until;
        }
    }
    for (uint32_t i = 0; i < p->npart; i++)
        p->of[i].until |= p->of[i].until ? 0 : UINT64_MAX; /* no way on */
}

/* ---- rounds ---------------------------------------------------------------------------------------- */

/* A walk from one beginning, which counts the rounds of one loop; CFG_NONE: of none. */
struct walk {
    struct phases *p;
    uint32_t loop;
    struct rounds *at, *meet; /* part -> in which rounds it is come to, or the barrier that it begins with */
    uint64_t bit;
    struct step {
        uint32_t part;
        enum round round;
    } * stack;
    uint32_t depth;
    bool agreed; /* no header without a barrier, no barrier in different rounds */
};

/* Come to a part, or to the barrier that it begins with. */
static void come(struct walk *w, uint32_t part, enum round round, bool barrier)
{
    struct rounds *r = barrier ? &w->meet[part] : &w->at[part];
    for (unsigned other = 0; barrier && other < ROUNDS && round != OUTSIDE; other++)
        w->agreed &= other == round || !(r->in[other] & w->bit);
    if (!(r->in[round] & w->bit) && !barrier)
        w->stack[w->depth++] = (struct step){part, round};
    r->in[round] |= w->bit;
}

static bool is_inside(const struct walk *w, uint32_t block)
{
    return w->loop != CFG_NONE && cfg_in_loop(&w->p->cfg, w->loop, block);
}

/* The round of who goes from one block to another. */
static enum round go(struct walk *w, uint32_t from, uint32_t to, enum round round)
{
    const struct cfg *c = &w->p->cfg;
    if (!is_inside(w, to))
        return OUTSIDE;
    if (to != c->loop[w->loop].header)
        return round;
    if (!is_inside(w, from))
        return FRESH;
    w->agreed &= round == SAME;
    return NEXT;
}

static void walk(struct walk *w, uint32_t from)
{
    const struct phases *p = w->p;
    come(w, from, is_inside(w, p->part_block[from]) ? SAME : OUTSIDE, false);
    while (w->depth && w->agreed) {
        const struct step s = w->stack[--w->depth];
        const uint32_t block = p->part_block[s.part];
        if (!goes_on(p, s.part))
            come(w, s.part + 1, s.round, true);
        for (uint32_t i = p->cfg.succ_first[block]; goes_on(p, s.part) && i < p->cfg.succ_first[block + 1];
             i++) {
            const uint32_t to = p->cfg.succ[i], next = p->block_part[to];
            come(w, next, go(w, block, to, s.round), !is_open(p, next));
        }
    }
    w->depth = 0;
}

/* Walk from each beginning. */
static void walk_all(struct walk *w, uint32_t loop, struct rounds *at)
{
    const struct phases *p = w->p;
    uint32_t beginning = 0;
    w->loop = loop;
    w->at = at;
    w->agreed = true;
    for (uint32_t part = 0; part < p->npart && w->agreed; part++) {
        const bool barrier = is_barrier(p->k, p->part_first[part]);
        if (!barrier && part > 0)
            continue;
        memset(w->meet, 0, p->npart * sizeof *w->meet);
        w->bit = (uint64_t)1 << (barrier ? ++beginning : 0);
        walk(w, part);
    }
}

/* Where each loop's rounds are known. */
static void find_rounds(struct walk *w)
{
    struct phases *p = w->p;
    const struct kernel_summary *k = p->k;
    const size_t n = p->npart;
    const struct cfg *c = &p->cfg;
    if (c->irreducible || !k->nloop || n * k->nloop > MOST_ROUNDS ||
        !(p->rounds = cfg_array(&p->cfg, n * k->nloop, sizeof *p->rounds)))
        return;
    for (uint32_t l = 0; l < k->nloop; l++) {
        const uint32_t header = k->loops[l].header, loop = c->loop_of[header];
        if (k->loops[l].quotient != SUM_Q_NONE || loop == CFG_NONE || c->loop[loop].header != header)
            continue;
        walk_all(w, loop, p->rounds + l * n);
        if (!w->agreed)
            memset(w->at, 0, n * sizeof *w->at);
    }
}

struct phases *phases_of(const struct kernel_summary *k)
{
    const size_t nbarrier = count_barriers(k), most = k->nblock + nbarrier;
    struct phases *p = calloc(1, sizeof *p);
    struct walk w = {.p = p};
    uint32_t *number = NULL;

    if (p && cfg_build(k, &p->cfg) == 0) {
        p->of = cfg_array(&p->cfg, most, sizeof *p->of);
        p->block_part = cfg_array(&p->cfg, k->nblock, sizeof *p->block_part);
        p->part_block = cfg_array(&p->cfg, most, sizeof *p->part_block);
        p->part_first = cfg_array(&p->cfg, most, sizeof *p->part_first);
        number = cfg_array(&p->cfg, most, sizeof *number);
        w.meet = cfg_array(&p->cfg, most, 2 * sizeof *w.meet);
        w.stack = cfg_array(&p->cfg, most * (ROUNDS + 1), sizeof *w.stack);
    }
    if (!w.stack || p->cfg.failed) {
        phases_free(p);
        return NULL;
    }
    p->k = k;
    find_parts(p);
    if (nbarrier >= MOST_BEGINNINGS) {
        memset(p->of, 0xff, most * sizeof *p->of); /* sets of all */
    } else {
        walk_all(&w, CFG_NONE, w.meet + most);
        for (uint32_t i = 0; i < p->npart; i++)
            p->of[i].from = w.at[i].in[OUTSIDE];
        find_ends(p, number);
        find_rounds(&w);
    }
    return p;
}

void phases_free(struct phases *p)
{
    if (!p)
        return;
    cfg_free(&p->cfg);
    free(p);
}

uint32_t phases_part(const struct phases *p, uint32_t v)
{
    uint32_t lo = 0, hi = p->npart;
    while (hi - lo > 1) { /* parts ascend */
        const uint32_t middle = lo + (hi - lo) / 2;
        if (p->part_first[middle] <= v)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

struct phase_set phases_at(const struct phases *p, uint32_t part)
{
    return p->of[part];
}

bool phases_ahead(const struct phases *p, uint32_t loop, uint32_t a, uint32_t b, int *by)
{
    if (!p->rounds)
        return false;
    const uint64_t *r = p->rounds[loop * (size_t)p->npart + a].in,
                   *s = p->rounds[loop * (size_t)p->npart + b].in;
    const uint64_t even = (r[SAME] & s[SAME]) | (r[NEXT] & s[NEXT]) | (r[FRESH] & s[FRESH]);
    const uint64_t ahead = r[NEXT] & s[SAME], behind = r[SAME] & s[NEXT];
    const uint64_t unknown = ((r[SAME] | r[NEXT]) & s[FRESH]) | (r[FRESH] & (s[SAME] | s[NEXT])) |
                             r[OUTSIDE] | s[OUTSIDE] | ~(even | ahead | behind);
    *by = ahead ? 1 : behind ? -1 : 0;
    return !(unknown & p->of[a].from & p->of[b].from) && (even != 0) + (ahead != 0) + (behind != 0) == 1;
}
