/* parting.c - where neighbours part, and what that makes of values.
 *
 * A branch on which they may not agree is written in one of two ways.  Where nothing has been stored yet and
 * they hardly ever disagree (bounds), they then start again in NAME_each().  Else each goes its way under a
 * mask, until the ways meet; a loop goes on until the last one has left it. */
#include "analysis/rewrite/impl.h"

#include <stdlib.h>

/* ---- which branches ---------------------------------------------------------------------------------- */

static bool leaves(const struct rewrite *r, uint32_t l, uint32_t b)
{
    for (unsigned s = 0; s < successors(r, b); s++)
        if (!r->loop[l].has[successor(r, b, s)])
            return true;
    return false;
}

static bool must_part(const struct rewrite *r, uint32_t b)
{
    const struct block *block = &r->block[b];
    LLVMValueRef t = terminator(r, b);

    if (!LLVMIsABranchInst(t) || !LLVMIsConditional(t) || !varies(r, LLVMGetCondition(t)))
        return false;
    if (block->region || block->stored || r->groups)
        return true;
    return !r->one_by_one &&
           (!is_bound(r, LLVMGetCondition(t)) || (block->loop != NOTHING && leaves(r, block->loop, b)));
}

/* ---- what follows from one --------------------------------------------------------------------------- */

/* Blocks on ways from `b` to `stop`, in the body of the loop that `b` is in; but for the ways back. */
static void reach(const struct rewrite *r, uint32_t b, uint32_t stop, uint32_t within, bool *seen)
{
    const struct loop *l = loop_at(r, within);

    if (b == stop || (l && !l->has[b]) || seen[b])
        return;
    seen[b] = true;
    for (unsigned s = 0; s < successors(r, b); s++)
        if (!l || successor(r, b, s) != l->header)
            reach(r, successor(r, b, s), stop, within, seen);
}

/* Blocks on the way out of the loop are written in it, for those who go there. */
static void part_loop(struct rewrite *r, uint32_t l)
{
    struct loop *loop = &r->loop[l];

    loop->parts = true;
    loop->out = must_calloc(r->nblock + 1, sizeof(bool));
    for (uint32_t b = 0; b < r->nblock; b++)
        for (unsigned s = 0; loop->has[b] && s < successors(r, b); s++)
            if (!loop->has[successor(r, b, s)]) {
                r->block[successor(r, b, s)].joins = true;
                reach(r, successor(r, b, s), loop->exit, loop->outer, loop->out);
            }
    for (uint32_t b = 0; b < r->nblock; b++)
        r->block[b].region |= loop->has[b] || loop->out[b];
    r->block[loop->exit].joins = true;
}

/* Loops around `b` that are left there, or from `to` in it. */
static void part_loops(struct rewrite *r, uint32_t b, uint32_t to)
{
    for (uint32_t l = r->block[b].loop; l != NOTHING; l = r->loop[l].outer)
        if (!r->loop[l].parts && r->loop[l].has[to] && leaves(r, l, to))
            part_loop(r, l);
}

static void part(struct rewrite *r, uint32_t b)
{
    const uint32_t within = r->block[b].loop, to[] = {successor(r, b, 0), successor(r, b, 1)};
    const uint32_t at = meeting(r, within, to, 2);
    bool *seen[2];

    r->masked = r->block[b].parts = true;
    for (int i = 0; i < 2; i++) {
        seen[i] = must_calloc(r->nblock + 1, sizeof(bool));
        reach(r, to[i], at, within, seen[i]);
    }
    part_loops(r, b, b);
    for (uint32_t i = 0; i < r->nblock; i++) {
        if (!seen[0][i] && !seen[1][i])
            continue;
        r->block[i].region = true;
        r->block[i].joins |= seen[0][i] && seen[1][i];
        part_loops(r, b, i);
    }
    if (at < r->nblock)
        r->block[at].joins = true;
    free(seen[0]);
    free(seen[1]);
}

/* ---- values that outlive a loop ---------------------------------------------------------------------- */

/* The phi takes it where a neighbour leaves the loop. */
static bool takes_on_the_way(const struct rewrite *r, LLVMValueRef phi, LLVMValueRef v, const struct loop *l)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const uint32_t from = block_index(r, LLVMGetIncomingBlock(phi, i));
        if (LLVMGetIncomingValue(phi, i) == v && from != NOTHING && !is_within(r, l, from))
            return false;
    }
    return !r->arrays;
}

static bool is_used_outside(const struct rewrite *r, LLVMValueRef v, const struct loop *l)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        const uint32_t b = block_index(r, LLVMGetInstructionParent(user));
        if (b == NOTHING)
            continue;
        if (!is_within(r, l, b) && !(LLVMIsAPHINode(user) && takes_on_the_way(r, user, v, l)))
            return true;
        if ((is_element(user) || LLVMIsACastInst(user)) && is_used_outside(r, user, l))
            return true;
    }
    return false;
}

/* A conversion of what was there before the loop is the same in all its rounds. */
static bool is_from_outside(const struct rewrite *r, LLVMValueRef v, const struct loop *l)
{
    LLVMValueRef of = LLVMIsACastInst(v) ? LLVMGetOperand(v, 0) : v;

    return of != v &&
           (!LLVMIsAInstruction(of) || !is_within(r, l, block_index(r, LLVMGetInstructionParent(of))));
}

static bool keep(struct rewrite *r, const struct loop *l)
{
    bool changed = false;

    for (uint32_t b = 0; b < r->nblock; b++)
        for (LLVMValueRef v = is_within(r, l, b) ? LLVMGetFirstInstruction(r->block[b].b) : NULL; v;
             v = LLVMGetNextInstruction(v)) {
            struct value *value = value_of(r, v);
            if (value->kept || LLVMIsATerminatorInst(v) || is_element(v) || is_work_item(v) ||
                is_from_outside(r, v, l) || !is_used_outside(r, v, l))
                continue;
            changed = value->kept = true;
        }
    return changed;
}

/* What is computed for one neighbour alone is not that of the first one plus a step. */
static void keep_apart(struct rewrite *r)
{
    for (uint32_t b = 0; b < r->nblock; b++)
        for (LLVMValueRef v = r->block[b].region ? LLVMGetFirstInstruction(r->block[b].b) : NULL; v;
             v = LLVMGetNextInstruction(v))
            if (shape_of(r, v).kind == SHAPE_STEP)
                value_of(r, v)->shape.kind = SHAPE_ANY;
}

void find_parting(struct rewrite *r)
{
    r->masked = r->some;
    for (uint32_t b = 0; b < r->nblock; b++)
        r->block[b].region = r->some;
    for (bool changed = true; changed && !r->why;) {
        changed = false;
        find_shapes(r);
        for (uint32_t b = 0; b < r->nblock && r->lanes > 1; b++)
            if (!r->block[b].parts && must_part(r, b)) {
                part(r, b);
                changed = true;
            }
        for (uint32_t l = 0; l < r->nloop; l++)
            changed |= r->loop[l].parts && keep(r, &r->loop[l]);
    }
    if (r->arrays)
        keep_apart(r);
}
