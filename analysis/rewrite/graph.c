/* graph.c - blocks, loops, and where branches meet again. */
#include "analysis/rewrite/impl.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BLOCK 200

uint32_t block_index(const struct rewrite *r, LLVMBasicBlockRef b)
{
    return table_get(r->index, b);
}

LLVMValueRef terminator(const struct rewrite *r, uint32_t b)
{
    return LLVMGetBasicBlockTerminator(r->block[b].b);
}

unsigned successors(const struct rewrite *r, uint32_t b)
{
    return LLVMGetNumSuccessors(terminator(r, b));
}

uint32_t successor(const struct rewrite *r, uint32_t b, unsigned i)
{
    return block_index(r, LLVMGetSuccessor(terminator(r, b), i));
}

/* ---- blocks, loops ----------------------------------------------------------------------------------- */

static void find_blocks(struct rewrite *r)
{
    if (LLVMCountBasicBlocks(r->function) > MAX_BLOCK) {
        refuse(r, "too-large", "more branches than a reader would follow");
        return;
    }
    LLVMBasicBlockRef *order = ir_order(r->function, true, &r->nblock);
    r->block = must_calloc(r->nblock, sizeof *r->block);
    for (uint32_t i = 0; i < r->nblock; i++) {
        r->block[i] = (struct block){.b = order[i], .loop = NOTHING};
        table_put(&r->index, order[i], i);
    }
    free(order);
}

/* By leaving `a` out. */
bool dominates(const struct rewrite *r, uint32_t a, uint32_t b)
{
    bool reached[MAX_BLOCK] = {a != 0};

    if (a == b || a == 0)
        return true;
    for (uint32_t i = 0; i < r->nblock; i++) /* twice would be needed only with ways backwards around `a` */
        for (uint32_t k = 0; k < r->nblock; k++)
            for (unsigned s = 0; k != a && reached[k] && s < successors(r, k); s++)
                reached[successor(r, k, s)] |= successor(r, k, s) != a;
    return !reached[b];
}

static void fill_loop(const struct rewrite *r, struct loop *l)
{
    l->has[l->header] = l->has[l->latch] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = r->nblock; b-- > 0;)
            for (unsigned s = 0; !l->has[b] && s < successors(r, b); s++)
                if (successor(r, b, s) != l->header && l->has[successor(r, b, s)])
                    changed = l->has[b] = true;
    }
}

static void add_loop(struct rewrite *r, uint32_t header, uint32_t latch)
{
    for (uint32_t l = 0; l < r->nloop; l++)
        if (r->loop[l].header == header)
            refuse(r, "control-flow", "a loop that begins anew in several places");
    if (!dominates(r, header, latch))
        refuse(r, "control-flow", "a loop that is entered in several places");
    if (r->why)
        return;
    r->loop = must(realloc(r->loop, (r->nloop + 1) * sizeof *r->loop));
    bool *has = must_calloc(r->nblock, sizeof *has);
    r->loop[r->nloop] =
        (struct loop){.header = header, .latch = latch, .outer = NOTHING, .exit = NOTHING, .has = has};
    fill_loop(r, &r->loop[r->nloop++]);
}

/* Headers come in reverse post order, so outer loops before inner ones. */
static void find_loops(struct rewrite *r)
{
    for (uint32_t h = 0; h < r->nblock; h++)
        for (uint32_t b = h; b < r->nblock; b++)
            for (unsigned s = 0; s < successors(r, b); s++)
                if (successor(r, b, s) == h)
                    add_loop(r, h, b);
    for (uint32_t l = 0; l < r->nloop; l++)
        for (uint32_t b = 0; b < r->nblock; b++)
            if (r->loop[l].has[b]) {
                if (b == r->loop[l].header)
                    r->loop[l].outer = r->block[b].loop;
                r->block[b].loop = l;
            }
}

bool stores_before(LLVMValueRef v)
{
    while ((v = LLVMGetPreviousInstruction(v)))
        if (LLVMIsAStoreInst(v) && !private_array(LLVMGetOperand(v, 1)))
            return true;
    return false;
}

static void find_stores(struct rewrite *r)
{
    for (uint32_t i = 0; i < r->nblock; i++)
        r->block[i].stored = stores_before(terminator(r, i));
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < r->nblock; b++)
            for (unsigned s = 0; r->block[b].stored && s < successors(r, b); s++) {
                struct block *to = &r->block[successor(r, b, s)];
                changed |= !to->stored_before;
                to->stored_before = to->stored = true;
            }
    }
}

/* ---- where branches meet ----------------------------------------------------------------------------- */

/* Blocks on all ways from each block of a loop's body (or of the function outside of loops) to the body's
 * end, whose number is nblock.  Inner loops count as one block.  A way that leaves the loop counts for
 * nothing: from a block with such ways only, all are on them. */
struct ways {
    bool on[MAX_BLOCK][MAX_BLOCK + 1];
};

struct loop *loop_at(const struct rewrite *r, uint32_t l)
{
    return l == NOTHING ? NULL : &r->loop[l];
}

static void meet(const struct rewrite *r, const struct ways *w, uint32_t within, uint32_t to, bool *on)
{
    const struct loop *l = loop_at(r, within);

    if (l && !l->has[to])
        return;
    for (uint32_t i = 0; i <= r->nblock; i++)
        on[i] = on[i] && (l && to == l->header ? i == r->nblock : w->on[to][i]);
}

static void ways_from(const struct rewrite *r, uint32_t within, struct ways *w, uint32_t b)
{
    const uint32_t inner = r->block[b].loop;

    memset(w->on[b], true, sizeof w->on[b]);
    for (uint32_t k = b; k < r->nblock; k++) { /* `b` alone, or all blocks of the loop that it heads */
        if (k != b && (inner == within || !r->loop[inner].has[k]))
            continue;
        for (unsigned s = 0; s < successors(r, k); s++)
            if (inner == within || !r->loop[inner].has[successor(r, k, s)])
                meet(r, w, within, successor(r, k, s), w->on[b]);
    }
    if (inner == within && !successors(r, b))
        memset(w->on[b], false, sizeof w->on[b]);
    w->on[b][b] = true;
}

static struct ways *find_ways(const struct rewrite *r, uint32_t within)
{
    const struct loop *l = loop_at(r, within);
    struct ways *w = must_calloc(1, sizeof *w);

    for (uint32_t b = r->nblock; b-- > 0;) {
        const uint32_t inner = r->block[b].loop;
        if (l && !l->has[b])
            continue;
        if (inner == within || (r->loop[inner].outer == within && r->loop[inner].header == b))
            ways_from(r, within, w, b);
    }
    return w;
}

/* The first block on all ways from all of `from`; NOTHING: there is none. */
uint32_t meeting(const struct rewrite *r, uint32_t within, const uint32_t *from, unsigned n)
{
    struct ways *w = find_ways(r, within);
    bool on[MAX_BLOCK + 1];
    uint32_t first = NOTHING, count = 0;

    memset(on, true, sizeof on);
    for (unsigned i = 0; i < n; i++)
        meet(r, w, within, from[i], on);
    for (uint32_t i = r->nblock + 1; i-- > 0;)
        if (on[i]) {
            first = i;
            count++;
        }
    free(w);
    return count == r->nblock + 1 ? NOTHING : first;
}

static void find_exits(struct rewrite *r)
{
    for (uint32_t l = 0; l < r->nloop; l++) {
        uint32_t to[2 * MAX_BLOCK];
        unsigned n = 0;
        for (uint32_t b = 0; b < r->nblock; b++)
            for (unsigned s = 0; r->loop[l].has[b] && s < successors(r, b) && n < 2 * MAX_BLOCK; s++)
                if (!r->loop[l].has[successor(r, b, s)])
                    to[n++] = successor(r, b, s);
        r->loop[l].exit = n ? meeting(r, r->loop[l].outer, to, n) : NOTHING;
        if (r->loop[l].exit == NOTHING || r->loop[l].exit == r->nblock)
            refuse(r, "control-flow", "a loop that is left to several places");
    }
}

void find_graph(struct rewrite *r)
{
    find_blocks(r);
    for (uint32_t b = 0; b < r->nblock && !r->why; b++) {
        LLVMValueRef t = terminator(r, b);
        if (!LLVMIsABranchInst(t) && !LLVMIsAReturnInst(t))
            refuse(r, "control-flow", LLVMIsASwitchInst(t) ? "switch" : "no return");
    }
    if (r->why)
        return;
    find_loops(r);
    if (!r->why) {
        find_stores(r);
        find_exits(r);
    }
}

bool is_within(const struct rewrite *r, const struct loop *l, uint32_t b)
{
    return l->has[b] || (l->out[b] && !r->arrays);
}

bool is_taken_out(const struct rewrite *r, LLVMValueRef v, uint32_t from, uint32_t to)
{
    const uint32_t home = LLVMIsAInstruction(v) ? block_index(r, LLVMGetInstructionParent(v)) : NOTHING;

    for (uint32_t l = 0; l < r->nloop && home != NOTHING; l++)
        if (r->loop[l].parts && is_within(r, &r->loop[l], home) && is_within(r, &r->loop[l], from) &&
            !is_within(r, &r->loop[l], to))
            return true;
    return false;
}

void free_graph(struct rewrite *r)
{
    for (uint32_t l = 0; l < r->nloop; l++) {
        free(r->loop[l].has);
        free(r->loop[l].out);
    }
    free(r->loop);
    free(r->block);
}
