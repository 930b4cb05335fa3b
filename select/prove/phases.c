/* phases.c - see phases.h.
 *
 * Barriers part the blocks.  From each beginning all parts are visited to which a way without a barrier
 * leads. */
#include "select/prove/phases.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BEGINNINGS 64

struct phases {
    const struct kernel_summary *k;
    uint64_t *of; /* block, or the part of it behind its n-th barrier: part -> phases */
    uint32_t *block_part, *part_block,
        *part_first; /* block -> its first part; part -> its block, first instruction */
    uint32_t npart;
    uint64_t memory[];
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

/* Visit what is reached from the begin of a part.  `stack` has room for all parts. */
static void visit(struct phases *p, uint32_t from, uint64_t bit, uint32_t *stack)
{
    uint32_t depth = 0;
    p->of[from] |= bit;
    stack[depth++] = from;
    while (depth) {
        const uint32_t part = stack[--depth], t = p->k->blocks[p->part_block[part]].end - 1;
        for (uint32_t i = 0; goes_on(p, part) && i < p->k->insns[t].nopnd; i++) {
            if (!sum_operand_is_block(&p->k->insns[t], i))
                continue;
            const uint32_t next = p->block_part[sum_opnd(p->k, t, i)];
            if (!is_open(p, next) || (p->of[next] & bit))
                continue;
            p->of[next] |= bit;
            stack[depth++] = next;
        }
    }
}

struct phases *phases_of(const struct kernel_summary *k)
{
    const size_t nbarrier = count_barriers(k), most = k->nblock + nbarrier;
    struct phases *p = calloc(1, sizeof *p + (most * 3 + k->nblock) * sizeof *p->memory);
    uint32_t *stack, beginning = 0;

    if (!p)
        return NULL;
    p->k = k;
    p->of = p->memory;
    p->block_part = (uint32_t *)(p->of + most);
    p->part_block = p->block_part + k->nblock;
    p->part_first = p->part_block + most;
    stack = p->part_first + most;
    find_parts(p);
    if (nbarrier >= MOST_BEGINNINGS) {
        memset(p->of, 0xff, most * sizeof *p->of);
        return p;
    }
    if (is_open(p, 0))
        visit(p, 0, 1, stack);
    for (uint32_t i = 0; i < p->npart; i++)
        if (is_barrier(k, p->part_first[i]))
            visit(p, i, (uint64_t)1 << ++beginning, stack);
    return p;
}

uint64_t phases_at(const struct phases *p, uint32_t v)
{
    uint32_t lo = 0, hi = p->npart;
    while (hi - lo > 1) { /* parts ascend */
        const uint32_t middle = lo + (hi - lo) / 2;
        if (p->part_first[middle] <= v)
            lo = middle;
        else
            hi = middle;
    }
    return p->of[lo];
}
