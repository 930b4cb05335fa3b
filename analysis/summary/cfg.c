/* cfg.c - see cfg.h. */
#include "analysis/summary/cfg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Steps that the dominator computation may take: real control flow needs a few per block; input that is made
 * to be slow is refused after a fraction of a second. */
#define WORK_LIMIT (64u << 20)

/* All arrays, those of one step, too, go with the graph. */
struct cfg_array {
    _Alignas(max_align_t) struct cfg_array *next;
};

void *cfg_array(struct cfg *c, size_t n, size_t size)
{
    struct cfg_array *a = calloc(1, sizeof *a + n * size);
    if (!a) {
        c->failed = true;
        return NULL;
    }
    a->next = c->arrays;
    c->arrays = a;
    return a + 1;
}

static uint32_t *array(struct cfg *c, size_t n)
{
    return cfg_array(c, n, sizeof(uint32_t));
}

static uint32_t *array_none(struct cfg *c, size_t n)
{
    uint32_t *a = array(c, n);
    if (a)
        memset(a, 0xff, n * sizeof(*a));
    return a;
}

void cfg_free(struct cfg *c)
{
    for (struct cfg_array *next; c->arrays; c->arrays = next) {
        next = c->arrays->next;
        free(c->arrays);
    }
    memset(c, 0, sizeof(*c));
}

/* ---- edges ----------------------------------------------------------------------------------------- */

/* Target number i of block b's terminator, CFG_NONE behind the last. */
static uint32_t target(const struct kernel_summary *k, uint32_t b, uint32_t i)
{
    uint32_t t = k->blocks[b].end - 1;
    switch (k->insns[t].op) {
    case SUM_BR:
        return i < 1 ? sum_opnd(k, t, 0) : CFG_NONE;
    case SUM_CONDBR:
        return i < 2 ? sum_opnd(k, t, 1 + i) : CFG_NONE;
    case SUM_SWITCH:
        return 1 + 2 * i < k->insns[t].nopnd ? sum_opnd(k, t, 1 + 2 * i) : CFG_NONE;
    default:
        return CFG_NONE;
    }
}

static int build_edges(const struct kernel_summary *k, struct cfg *c)
{
    uint32_t n = c->nblock, total = 0;
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = 0; target(k, b, i) != CFG_NONE; i++)
            total++;
    uint32_t *seen = array_none(c, n);
    c->block_of = array_none(c, k->ninsn);
    c->succ_first = array(c, (size_t)n + 1);
    c->pred_first = array(c, (size_t)n + 2);
    c->succ = array(c, total);
    c->pred = array(c, total);
    if (c->failed)
        return -ENOMEM;
    uint32_t e = 0, s;
    for (uint32_t b = 0; b < n; b++) {
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++)
            c->block_of[v] = b;
        c->succ_first[b] = e;
        for (uint32_t i = 0; (s = target(k, b, i)) != CFG_NONE; i++) {
            if (seen[s] == b)
                continue;
            seen[s] = b;
            c->succ[e++] = s;
            c->pred_first[s + 2]++;
        }
    }
    c->succ_first[n] = e;
    /* Counting sort: pred_first is shifted by one so that filling advances it into place. */
    for (uint32_t b = 2; b <= n + 1; b++)
        c->pred_first[b] += c->pred_first[b - 1];
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = c->succ_first[b]; i < c->succ_first[b + 1]; i++)
            c->pred[c->pred_first[c->succ[i] + 1]++] = b;
    return 0;
}

/* ---- dominance ------------------------------------------------------------------------------------- */

/* Nodes, of which `root` leads to all that count: the control flow, or its reverse. */
struct graph {
    uint32_t n, root;
    const uint32_t *out_first, *out, *in_first, *in; /* edges, as in struct cfg */
    uint32_t *order, *pos;                           /* reverse post order from the root, and its inverse */
    uint32_t reach;                                  /* nodes in it */
};

static int order_nodes(struct cfg *c, struct graph *g)
{
    uint32_t *stack = array(c, g->n), *iter = array_none(c, g->n); /* CFG_NONE: not visited, else next edge */
    uint32_t depth = 0, left = g->n;
    g->order = array(c, g->n);
    g->pos = array_none(c, g->n);
    if (c->failed)
        return -ENOMEM;
    stack[depth++] = g->root;
    iter[g->root] = g->out_first[g->root];
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (iter[b] == g->out_first[b + 1]) {
            g->order[--left] = b;
            depth--;
            continue;
        }
        uint32_t s = g->out[iter[b]++];
        if (iter[s] == CFG_NONE) {
            iter[s] = g->out_first[s];
            stack[depth++] = s;
        }
    }
    g->order += left;
    g->reach = g->n - left;
    for (uint32_t i = 0; i < g->reach; i++)
        g->pos[g->order[i]] = i;
    return 0;
}

/* Cooper, Harvey, Kennedy, figure 3.  Sets idom[] of all nodes that are reached but the root. */
static int dominators(struct cfg *c, const struct graph *g, uint32_t *idom)
{
    uint32_t *dom = array_none(c, g->reach); /* by position */
    uint64_t work = 0;
    bool changed = true;
    if (c->failed)
        return -ENOMEM;
    dom[0] = 0;
    while (changed) {
        changed = false;
        for (uint32_t v = 1; v < g->reach; v++) {
            uint32_t d = CFG_NONE;
            for (uint32_t e = g->in_first[g->order[v]]; e < g->in_first[g->order[v] + 1]; e++) {
                uint32_t p = g->pos[g->in[e]];
                work++;
                if (p == CFG_NONE || dom[p] == CFG_NONE)
                    continue;
                if (d == CFG_NONE)
                    d = p;
                while (p != d) {
                    uint32_t *later = p > d ? &p : &d;
                    *later = dom[*later];
                    work++;
                }
                if (work > WORK_LIMIT)
                    return -E2BIG;
            }
            changed |= dom[v] != d;
            dom[v] = d;
        }
    }
    for (uint32_t v = 1; v < g->reach; v++)
        idom[g->order[v]] = g->order[dom[v]];
    return 0;
}

static int build_idom(struct cfg *c)
{
    struct graph g = {c->nblock, 0, c->succ_first, c->succ, c->pred_first, c->pred, NULL, NULL, 0};
    int err = order_nodes(c, &g);
    c->rpo = g.order;
    c->rpo_pos = g.pos;
    c->nreach = g.reach;
    c->idom = array_none(c, c->nblock);
    return err ? err : dominators(c, &g, c->idom);
}

/* The reverse has one exit node (number n) behind every block without successors. */
static int build_ipdom(struct cfg *c)
{
    const uint32_t n = c->nblock, room = c->pred_first[n] + n;
    uint32_t *out_first = array(c, (size_t)n + 2), *out = array(c, room), nout = 0;
    uint32_t *in_first = array(c, (size_t)n + 2), *in = array(c, room), nin = 0;
    struct graph g = {n + 1, n, out_first, out, in_first, in, NULL, NULL, 0};
    c->ipdom = array_none(c, (size_t)n + 1);
    if (c->failed)
        return -ENOMEM;
    for (uint32_t b = 0; b < n; b++) {
        out_first[b] = nout;
        in_first[b] = nin;
        for (uint32_t i = c->pred_first[b]; i < c->pred_first[b + 1]; i++)
            out[nout++] = c->pred[i];
        for (uint32_t i = c->succ_first[b]; i < c->succ_first[b + 1]; i++)
            in[nin++] = c->succ[i];
        if (cfg_nsucc(c, b) == 0)
            in[nin++] = n;
    }
    out_first[n] = nout;
    for (uint32_t b = 0; b < n; b++)
        if (cfg_nsucc(c, b) == 0)
            out[nout++] = b;
    out_first[n + 1] = nout;
    in_first[n] = in_first[n + 1] = nin;
    int err = order_nodes(c, &g);
    return err ? err : dominators(c, &g, c->ipdom);
}

/* Intervals of a depth-first walk over the dominator tree: a dominates b iff b's interval lies in a's.
 * Children come after their parent in reverse post order, so subtree sizes need no recursion. */
static int build_dom_tree(struct cfg *c)
{
    uint32_t n = c->nblock;
    uint32_t *size = array(c, n), *next = array(c, n);
    c->dom_in = array(c, n);
    c->dom_out = array(c, n);
    if (c->failed)
        return -ENOMEM;
    for (uint32_t i = c->nreach; i-- > 0;) {
        uint32_t b = c->rpo[i];
        size[b]++;
        if (i > 0)
            size[c->idom[b]] += size[b];
    }
    for (uint32_t i = 0; i < c->nreach; i++) {
        uint32_t b = c->rpo[i], d = c->idom[b];
        c->dom_in[b] = i == 0 ? 0 : next[d];
        if (i > 0)
            next[d] += size[b];
        next[b] = c->dom_in[b] + 1;
        c->dom_out[b] = c->dom_in[b] + size[b] - 1;
    }
    return 0;
}

bool cfg_edge_dominates(const struct cfg *c, uint32_t from, uint32_t to, uint32_t b)
{
    if (!cfg_dominates(c, to, b))
        return false;
    for (uint32_t i = c->pred_first[to]; i < c->pred_first[to + 1]; i++)
        if (c->pred[i] != from && !cfg_dominates(c, to, c->pred[i]))
            return false;
    return true;
}

void cfg_reach(const struct cfg *c, uint32_t from, uint32_t but, const bool *ends, bool *seen,
               uint32_t *stack)
{
    uint32_t depth = 0;
    for (stack[depth++] = from; depth;) {
        const uint32_t b = stack[--depth];
        for (uint32_t i = c->succ_first[b]; i < c->succ_first[b + 1]; i++) {
            const uint32_t next = c->succ[i];
            if (next == but || seen[next])
                continue;
            seen[next] = true;
            if (!ends || !ends[next])
                stack[depth++] = next;
        }
    }
}

bool cfg_each_round(const struct cfg *c, uint32_t l, uint32_t b)
{
    const uint32_t h = c->loop[l].header;
    for (uint32_t i = c->pred_first[h]; i < c->pred_first[h + 1]; i++)
        if (cfg_in_loop(c, l, c->pred[i]) && !cfg_dominates(c, b, c->pred[i]))
            return false;
    return true;
}

bool cfg_leaves(const struct cfg *c, uint32_t l, uint32_t b)
{
    for (uint32_t i = c->succ_first[b]; i < c->succ_first[b + 1]; i++)
        if (!cfg_in_loop(c, l, c->succ[i]))
            return true;
    return false;
}

/* ---- loops ----------------------------------------------------------------------------------------- */

/* Follow the chain of enclosing loops from block b to the outermost one found so far,
 * shortening it on the way. */
static uint32_t outermost(const struct cfg *c, uint32_t *top, uint32_t b)
{
    uint32_t l = c->loop_of[b];
    if (l == CFG_NONE)
        return CFG_NONE;
    uint32_t root = l;
    while (top[root] != root)
        root = top[root];
    while (top[l] != root) {
        uint32_t up = top[l];
        top[l] = root;
        l = up;
    }
    return root;
}

/* Collect loop `l` backwards from its latches.  Inner loops are complete already and are stepped over as a
 * whole: the walk goes on at their headers. */
static void collect_loop(struct cfg *c, uint32_t l, uint32_t *top, uint32_t *stack)
{
    uint32_t h = c->loop[l].header, depth = 0;
    for (uint32_t i = c->pred_first[h]; i < c->pred_first[h + 1]; i++)
        if (cfg_dominates(c, h, c->pred[i]))
            stack[depth++] = c->pred[i];
    c->loop_of[h] = l;
    while (depth) {
        uint32_t b = stack[--depth];
        uint32_t inner = outermost(c, top, b);
        if (inner == l)
            continue;
        if (inner != CFG_NONE) {
            c->loop[inner].parent = l;
            top[inner] = l;
            b = c->loop[inner].header;
        } else {
            c->loop_of[b] = l;
        }
        for (uint32_t i = c->pred_first[b]; i < c->pred_first[b + 1]; i++) {
            uint32_t p = c->pred[i];
            if (c->rpo_pos[p] != CFG_NONE && outermost(c, top, p) != l)
                stack[depth++] = p;
        }
    }
}

/* Group the blocks by loop: sizes first, then each loop takes its place inside its parent's. */
static int place_blocks(struct cfg *c)
{
    uint32_t *size = array(c, c->nloop), *next = array(c, c->nloop);
    uint32_t top = 0;
    if (c->failed)
        return -ENOMEM;
    for (uint32_t b = 0; b < c->nblock; b++)
        if (c->loop_of[b] != CFG_NONE)
            size[c->loop_of[b]]++;
    for (uint32_t l = c->nloop; l-- > 0;)
        if (c->loop[l].parent != CFG_NONE)
            size[c->loop[l].parent] += size[l];
    for (uint32_t l = 0; l < c->nloop; l++) {
        uint32_t p = c->loop[l].parent;
        uint32_t *at = p == CFG_NONE ? &top : &next[p];
        c->loop[l].depth = p == CFG_NONE ? 1 : c->loop[p].depth + 1;
        c->loop[l].first = next[l] = *at;
        c->loop[l].end = *at += size[l];
    }
    for (uint32_t b = 0; b < c->nblock; b++)
        if (c->loop_of[b] != CFG_NONE) {
            c->loop_pos[b] = next[c->loop_of[b]]++;
            c->loop_block[c->loop_pos[b]] = b;
        }
    return 0;
}

/* Loops are numbered by their headers in reverse post order, so outer ones come first; they are collected
 * from the last to the first, so inner ones are complete when an outer one is walked. */
static int build_loops(struct cfg *c)
{
    uint32_t n = c->nblock, edges = c->pred_first[n];
    uint32_t *top = array(c, n), *stack = array(c, (size_t)edges * 2 + n);
    c->loop = cfg_array(c, n, sizeof(*c->loop));
    c->loop_of = array_none(c, n);
    c->loop_block = array(c, n);
    c->loop_pos = array_none(c, n);
    if (c->failed)
        return -ENOMEM;
    for (uint32_t i = 0; i < c->nreach; i++) {
        uint32_t h = c->rpo[i];
        bool header = false;
        for (uint32_t e = c->pred_first[h]; e < c->pred_first[h + 1]; e++) {
            uint32_t p = c->pred[e];
            if (c->rpo_pos[p] == CFG_NONE || c->rpo_pos[p] < i)
                continue;
            if (cfg_dominates(c, h, p))
                header = true;
            else
                c->irreducible = true;
        }
        if (header) {
            c->loop[c->nloop].header = h;
            c->loop[c->nloop].parent = CFG_NONE;
            top[c->nloop] = c->nloop;
            c->nloop++;
        }
    }
    for (uint32_t l = c->nloop; l-- > 0;)
        collect_loop(c, l, top, stack);
    return place_blocks(c);
}

int cfg_build(const struct kernel_summary *k, struct cfg *c)
{
    memset(c, 0, sizeof(*c));
    c->nblock = k->nblock;
    int (*const steps[])(struct cfg * c) = {build_idom, build_ipdom, build_dom_tree, build_loops};
    int err = k->nblock ? build_edges(k, c) : -EINVAL;
    for (unsigned i = 0; !err && i < sizeof steps / sizeof *steps; i++)
        err = steps[i](c);
    return err;
}
