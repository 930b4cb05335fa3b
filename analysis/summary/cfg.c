/* cfg.c - see cfg.h. */
#include "analysis/summary/cfg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Steps that the dominator computation may take: real control flow needs a few per block; input that is made
 * to be slow is refused after a fraction of a second. */
#define WORK_LIMIT (64u << 20)

static uint32_t *array(size_t n)
{
    return calloc(n ? n : 1, sizeof(uint32_t));
}

static uint32_t *array_none(size_t n)
{
    uint32_t *a = array(n);
    if (a)
        memset(a, 0xff, n * sizeof(*a));
    return a;
}

void cfg_free(struct cfg *c)
{
    free(c->succ_first);
    free(c->succ);
    free(c->pred_first);
    free(c->pred);
    free(c->rpo);
    free(c->rpo_pos);
    free(c->idom);
    free(c->ipdom);
    free(c->loop);
    free(c->loop_of);
    free(c->loop_block);
    free(c->loop_pos);
    free(c->dom_in);
    free(c->dom_out);
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
    uint32_t *seen = array_none(n);
    c->succ_first = array((size_t)n + 1);
    c->pred_first = array((size_t)n + 2);
    c->succ = array(total);
    c->pred = array(total);
    if (!seen || !c->succ_first || !c->pred_first || !c->succ || !c->pred) {
        free(seen);
        return -ENOMEM;
    }
    uint32_t e = 0, s;
    for (uint32_t b = 0; b < n; b++) {
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
    free(seen);
    /* Counting sort: pred_first is shifted by one so that filling advances it into place. */
    for (uint32_t b = 2; b <= n + 1; b++)
        c->pred_first[b] += c->pred_first[b - 1];
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = c->succ_first[b]; i < c->succ_first[b + 1]; i++)
            c->pred[c->pred_first[c->succ[i] + 1]++] = b;
    return 0;
}

/* Reverse post order over `next` edges from `root`; returns how many nodes were reached. */
static uint32_t post_order(uint32_t root, const uint32_t *first, const uint32_t *next, uint32_t *stack,
                           uint32_t *iter, uint32_t *out)
{
    uint32_t depth = 0, n = 0; /* iter: CFG_NONE = not visited, else next edge to follow */
    stack[depth++] = root;
    iter[root] = first[root];
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (iter[b] == first[b + 1]) {
            out[n++] = b;
            depth--;
            continue;
        }
        uint32_t s = next[iter[b]++];
        if (iter[s] == CFG_NONE) {
            iter[s] = first[s];
            stack[depth++] = s;
        }
    }
    return n;
}

static int build_order(struct cfg *c)
{
    uint32_t n = c->nblock;
    uint32_t *stack = array(n), *iter = array_none(n);
    c->rpo = array(n);
    c->rpo_pos = array_none(n);
    int err = stack && iter && c->rpo && c->rpo_pos ? 0 : -ENOMEM;
    if (!err) {
        c->nreach = post_order(0, c->succ_first, c->succ, stack, iter, c->rpo);
        for (uint32_t i = 0; i < c->nreach / 2; i++) {
            uint32_t t = c->rpo[i];
            c->rpo[i] = c->rpo[c->nreach - 1 - i];
            c->rpo[c->nreach - 1 - i] = t;
        }
        for (uint32_t i = 0; i < c->nreach; i++)
            c->rpo_pos[c->rpo[i]] = i;
    }
    free(stack);
    free(iter);
    return err;
}

/* ---- dominance ------------------------------------------------------------------------------------- */

/* Cooper, Harvey, Kennedy, figure 3.  Nodes are numbered in reverse post order, node 0 is the root and its
 * own dominator; `from` lists the incoming edges of each node.  idom[] must be CFG_NONE throughout. */
static int dominators(uint32_t n, const uint32_t *first, const uint32_t *from, uint32_t *idom)
{
    uint64_t work = 0;
    bool changed = true;
    idom[0] = 0;
    while (changed) {
        changed = false;
        for (uint32_t v = 1; v < n; v++) {
            uint32_t d = CFG_NONE;
            for (uint32_t e = first[v]; e < first[v + 1]; e++) {
                uint32_t p = from[e];
                work++;
                if (idom[p] == CFG_NONE)
                    continue;
                if (d == CFG_NONE)
                    d = p;
                while (p != d) {
                    uint32_t *later = p > d ? &p : &d;
                    *later = idom[*later];
                    work++;
                }
                if (work > WORK_LIMIT)
                    return -E2BIG;
            }
            changed |= idom[v] != d;
            idom[v] = d;
        }
    }
    return 0;
}

/* Dominators of the forward graph, unreachable blocks left out. */
static int build_idom(struct cfg *c)
{
    uint32_t n = c->nreach, e = 0;
    uint32_t *first = array((size_t)n + 1), *from = array(c->pred_first[c->nblock]), *dom = array_none(n);
    c->idom = array_none(c->nblock);
    int err = first && from && dom && c->idom ? 0 : -ENOMEM;
    for (uint32_t v = 0; !err && v < n; v++) {
        uint32_t b = c->rpo[v];
        first[v] = e;
        for (uint32_t i = c->pred_first[b]; i < c->pred_first[b + 1]; i++)
            if (c->rpo_pos[c->pred[i]] != CFG_NONE)
                from[e++] = c->rpo_pos[c->pred[i]];
        first[v + 1] = e;
    }
    if (!err)
        err = dominators(n, first, from, dom);
    for (uint32_t v = 1; !err && v < n; v++)
        c->idom[c->rpo[v]] = c->rpo[dom[v]];
    free(first);
    free(from);
    free(dom);
    return err;
}

/* The reversed graph with one exit node (number n) behind every block without successors. */
struct reversed {
    uint32_t *next_first, *next; /* exit -> returning blocks, block -> predecessors */
    uint32_t *order, *pos;       /* reverse post order from the exit, and its inverse */
    uint32_t reach;
    uint32_t *first, *from, *dom;
    uint32_t *stack, *iter;
};

static int reverse_edges(const struct cfg *c, struct reversed *r)
{
    uint32_t n = c->nblock, e = 0;
    uint32_t edges = c->pred_first[n];
    r->next_first = array((size_t)n + 2);
    r->next = array((size_t)edges + n);
    r->order = array((size_t)n + 1);
    r->pos = array_none((size_t)n + 1);
    r->first = array((size_t)n + 2);
    r->from = array((size_t)edges + n);
    r->dom = array_none((size_t)n + 1);
    r->stack = array((size_t)n + 1);
    r->iter = array_none((size_t)n + 1);
    if (!r->next_first || !r->next || !r->order || !r->pos || !r->first || !r->from || !r->dom || !r->stack ||
        !r->iter)
        return -ENOMEM;
    for (uint32_t b = 0; b < n; b++) {
        r->next_first[b] = e;
        for (uint32_t i = c->pred_first[b]; i < c->pred_first[b + 1]; i++)
            r->next[e++] = c->pred[i];
    }
    r->next_first[n] = e;
    for (uint32_t b = 0; b < n; b++)
        if (cfg_nsucc(c, b) == 0)
            r->next[e++] = b;
    r->next_first[n + 1] = e;
    return 0;
}

static int post_dominators(struct cfg *c, struct reversed *r)
{
    uint32_t n = c->nblock, e = 0;
    r->reach = post_order(n, r->next_first, r->next, r->stack, r->iter, r->order);
    for (uint32_t i = 0; i < r->reach; i++)
        r->pos[r->order[i]] = r->reach - 1 - i;
    for (uint32_t v = 0; v < r->reach; v++) {
        uint32_t b = r->order[r->reach - 1 - v];
        r->first[v] = e;
        if (b < n && cfg_nsucc(c, b) == 0)
            r->from[e++] = 0;
        for (uint32_t i = b < n ? c->succ_first[b] : 0; b < n && i < c->succ_first[b + 1]; i++)
            if (r->pos[c->succ[i]] != CFG_NONE)
                r->from[e++] = r->pos[c->succ[i]];
        r->first[v + 1] = e;
    }
    int err = dominators(r->reach, r->first, r->from, r->dom);
    for (uint32_t v = 1; !err && v < r->reach; v++)
        c->ipdom[r->order[r->reach - 1 - v]] = r->order[r->reach - 1 - r->dom[v]];
    return err;
}

static int build_ipdom(struct cfg *c)
{
    struct reversed r = {0};
    c->ipdom = array_none(c->nblock);
    int err = c->ipdom ? reverse_edges(c, &r) : -ENOMEM;
    if (!err)
        err = post_dominators(c, &r);
    free(r.next_first);
    free(r.next);
    free(r.order);
    free(r.pos);
    free(r.first);
    free(r.from);
    free(r.dom);
    free(r.stack);
    free(r.iter);
    return err;
}

/* Intervals of a depth-first walk over the dominator tree: a dominates b iff b's interval lies in a's.
 * Children come after their parent in reverse post order, so subtree sizes need no recursion. */
static int build_dom_tree(struct cfg *c)
{
    uint32_t n = c->nblock;
    uint32_t *size = array(n), *next = array(n);
    c->dom_in = array(n);
    c->dom_out = array(n);
    int err = size && next && c->dom_in && c->dom_out ? 0 : -ENOMEM;
    for (uint32_t i = c->nreach; !err && i-- > 0;) {
        uint32_t b = c->rpo[i];
        size[b]++;
        if (i > 0)
            size[c->idom[b]] += size[b];
    }
    for (uint32_t i = 0; !err && i < c->nreach; i++) {
        uint32_t b = c->rpo[i], d = c->idom[b];
        c->dom_in[b] = i == 0 ? 0 : next[d];
        if (i > 0)
            next[d] += size[b];
        next[b] = c->dom_in[b] + 1;
        c->dom_out[b] = c->dom_in[b] + size[b] - 1;
    }
    free(size);
    free(next);
    return err;
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
    uint32_t *size = array(c->nloop), *next = array(c->nloop);
    uint32_t top = 0;
    int err = size && next ? 0 : -ENOMEM;
    for (uint32_t b = 0; !err && b < c->nblock; b++)
        if (c->loop_of[b] != CFG_NONE)
            size[c->loop_of[b]]++;
    for (uint32_t l = c->nloop; !err && l-- > 0;)
        if (c->loop[l].parent != CFG_NONE)
            size[c->loop[l].parent] += size[l];
    for (uint32_t l = 0; !err && l < c->nloop; l++) {
        uint32_t p = c->loop[l].parent;
        uint32_t *at = p == CFG_NONE ? &top : &next[p];
        c->loop[l].depth = p == CFG_NONE ? 1 : c->loop[p].depth + 1;
        c->loop[l].first = next[l] = *at;
        c->loop[l].end = *at += size[l];
    }
    for (uint32_t b = 0; !err && b < c->nblock; b++)
        if (c->loop_of[b] != CFG_NONE) {
            c->loop_pos[b] = next[c->loop_of[b]]++;
            c->loop_block[c->loop_pos[b]] = b;
        }
    free(size);
    free(next);
    return err;
}

/* Loops are numbered by their headers in reverse post order, so outer ones come first; they are collected
 * from the last to the first, so inner ones are complete when an outer one is walked. */
static int build_loops(struct cfg *c)
{
    uint32_t n = c->nblock, edges = c->pred_first[n];
    uint32_t *top = array(n), *stack = array((size_t)edges * 2 + n);
    c->loop = calloc(n ? n : 1, sizeof(*c->loop));
    c->loop_of = array_none(n);
    c->loop_block = array(n);
    c->loop_pos = array_none(n);
    int err = top && stack && c->loop && c->loop_of && c->loop_block && c->loop_pos ? 0 : -ENOMEM;
    for (uint32_t i = 0; !err && i < c->nreach; i++) {
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
    for (uint32_t l = c->nloop; !err && l-- > 0;)
        collect_loop(c, l, top, stack);
    if (!err)
        err = place_blocks(c);
    free(top);
    free(stack);
    return err;
}

int cfg_build(const struct kernel_summary *k, struct cfg *c)
{
    memset(c, 0, sizeof(*c));
    c->nblock = k->nblock;
    int err = build_edges(k, c);
    if (!err)
        err = build_order(c);
    if (!err)
        err = build_idom(c);
    if (!err)
        err = build_ipdom(c);
    if (!err)
        err = build_dom_tree(c);
    if (!err)
        err = build_loops(c);
    return err;
}
