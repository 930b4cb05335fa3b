/* loop_limit.c - could a driver that gives loops a number of rounds, and ends them then, do so in a launch?
 *
 * A vector goes round a loop as long as one of its work-items does: the bounds of intervals.h, which hold for
 * all of them, hold for it.  Sums of what single work-items do would not. */
#include "select/prove/parts.h"

#include "select/prove/intervals.h"

/* The limit that was seen is 65,535 (analysis/summary/driver_quirks.def).  Half of it is left for loops that
 * the driver makes where the body has branches, and for those of a kernel that does the same (rewrite/). */
#define MOST_ROUNDS (65535 / 2)

/* Rounds of a function that works bit by bit (SUM_F_ROUNDS), for each number: as many as exponents differ.
 * Of floats 258 were counted. */
#define FLOAT_ROUNDS  280
#define DOUBLE_ROUNDS 2100

struct rounds {
    const struct kernel_summary *k;
    const struct sel_intervals *found;
    int64_t *of;   /* loop -> rounds in the whole kernel */
    int64_t total; /* at most MOST_ROUNDS, unless it is refused */
    struct sel_verdict *why;
};

static bool add(struct rounds *r, int64_t times, int64_t each, uint32_t line)
{
    if (each < 0)
        return sel_refuse(r->why, SEL_R_LOOPS, "line %u: how often this loop goes round is not known",
                          (unsigned)line);
    if (each > MOST_ROUNDS || times * each > MOST_ROUNDS - r->total)
        return sel_refuse(r->why, SEL_R_LOOPS, "line %u: loops may go round more than %d times",
                          (unsigned)line, MOST_ROUNDS);
    r->total += times * each;
    return true;
}

/* How often the kernel comes to block b, at most. */
static int64_t times(const struct rounds *r, uint32_t loop)
{
    return loop == CFG_NONE ? 1 : r->of[loop];
}

static uint32_t line_of(const struct kernel_summary *k, uint32_t block)
{
    uint32_t line = 0;

    for (uint32_t v = k->blocks[block].first; v < k->blocks[block].end && line == 0; v++)
        line = k->insns[v].line;
    return line;
}

static bool add_loops(struct rounds *r)
{
    for (uint32_t l = 0; l < r->found->cfg.nloop; l++) {
        const struct cfg_loop *loop = &r->found->cfg.loop[l];
        const int64_t back = r->found->back[loop->header];
        if (!r->found->reached[loop->header])
            continue;
        const int64_t each = back < 0 || back > MOST_ROUNDS ? back : back + 1;
        if (!add(r, times(r, loop->parent), each, line_of(r->k, loop->header)))
            return false;
        r->of[l] = times(r, loop->parent) * each;
    }
    return true;
}

static bool add_functions(struct rounds *r)
{
    for (uint32_t v = r->k->nleaf; v < r->k->ninsn; v++) {
        const struct sum_insn *in = &r->k->insns[v];
        const uint32_t b = r->found->cfg.block_of[v];
        if (in->op == SUM_PURE && in->flags & SUM_F_ROUNDS && r->found->reached[b] &&
            !add(r, times(r, r->found->cfg.loop_of[b]) * in->lanes,
                 in->bits > 32 ? DOUBLE_ROUNDS : FLOAT_ROUNDS, in->line))
            return false;
    }
    return true;
}

bool sel_within_loop_limit(struct sel_look *x, struct sel_verdict *why)
{
    struct sel_intervals *found = sel_look(x);
    struct rounds r = {.k = x->k, .found = found, .why = why};

    if (!found || found->cfg.irreducible || !(r.of = cfg_array(&found->cfg, found->cfg.nloop, sizeof *r.of)))
        return sel_refuse(why, SEL_R_LOOPS, "too much to look at, or no memory");
    return add_loops(&r) && add_functions(&r);
}
