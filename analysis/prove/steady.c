/* steady.c - see steady.h. */
#include "analysis/prove/steady.h"

#include "analysis/prove/must.h"

#include <string.h>

struct steady {
    const struct kernel_summary *k;
    struct cfg *cfg;
    const bool *same;
    bool *barrier; /* block: there is one in it */
    bool **
        reached; /* block -> those reached without coming by it, from behind a barrier; NULL: not asked yet */
    uint32_t *stack; /* blocks */
};

struct steady *steady_new(const struct kernel_summary *k, struct cfg *c, const bool *same)
{
    struct steady *s = must_array(c, 1, sizeof *s);
    *s = (struct steady){.k = k, .cfg = c, .same = same};
    s->barrier = must_array(c, k->nblock, sizeof *s->barrier);
    s->reached = must_array(c, k->nblock, sizeof *s->reached);
    s->stack = must_array(c, k->nblock, sizeof *s->stack);
    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_BARRIER)
            s->barrier[c->block_of[v]] = true;
    return s;
}

/* Does a way lead from block b to itself without a barrier? */
static bool returns(struct steady *s, uint32_t b)
{
    bool *reached = must_array(s->cfg, s->k->nblock, sizeof *reached);
    if (!s->barrier[b])
        cfg_reach(s->cfg, b, CFG_NONE, s->barrier, reached, s->stack);
    return reached[b];
}

/* The blocks in which values of block b may be those of before a barrier. */
static const bool *reached_without(struct steady *s, uint32_t b)
{
    bool *reached = s->reached[b];
    if (reached)
        return reached;
    reached = s->reached[b] = must_array(s->cfg, s->k->nblock, sizeof *reached);
    if (returns(s, b))
        memset(reached, true, s->k->nblock * sizeof *reached);
    for (uint32_t from = 0; from < s->k->nblock; from++)
        if (s->barrier[from])
            cfg_reach(s->cfg, from, b, s->barrier, reached, s->stack);
    return reached;
}

bool steady_at(struct steady *s, uint32_t v, uint32_t b)
{
    const uint32_t at = s->cfg->block_of[v];
    return at != CFG_NONE && s->same[v] && !s->barrier[at] && !s->barrier[b] &&
           cfg_dominates(s->cfg, at, b) && !reached_without(s, at)[b];
}
