/* heads.c - what the head of a loop is in C: `while`, `for` with a counter, or neither. */
#include "analysis/rewrite/impl.h"

LLVMValueRef incoming(const struct rewrite *r, LLVMValueRef phi, uint32_t from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == r->block[from].b)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

bool edge_is_empty(const struct rewrite *r, uint32_t from, uint32_t to)
{
    for (LLVMValueRef p = first_phi(r, to); p; p = next_phi(p))
        if (value_of(r, p)->variable && incoming(r, p, from) != p && !LLVMIsUndef(incoming(r, p, from)))
            return false;
    return true;
}

bool is_while(const struct rewrite *r, const struct loop *l)
{
    LLVMValueRef t = terminator(r, l->header);

    if (!LLVMIsConditional(t) || (varies(r, LLVMGetCondition(t)) && !(r->arrays && (r->apart || l->parts))))
        return false;
    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[l->header].b); v; v = LLVMGetNextInstruction(v))
        if (has_effect(r, v) || value_of(r, v)->agreed || (!LLVMIsAPHINode(v) && value_of(r, v)->variable))
            return false;
    const uint32_t a = successor(r, l->header, 0), b = successor(r, l->header, 1);
    const uint32_t out = l->has[a] ? b : a;
    return l->has[a] != l->has[b] && out == l->exit && edge_is_empty(r, l->header, out) &&
           (l->has[a] ? a : b) != l->header;
}

LLVMValueRef counter(const struct rewrite *r, const struct loop *l)
{
    if (!l || !is_while(r, l))
        return NULL;
    for (LLVMValueRef p = first_phi(r, l->header); p; p = next_phi(p)) {
        LLVMValueRef next = incoming(r, p, l->latch);
        if ((is_separate(r) && !l->parts && varies(r, p)) || (is_vector(r, p) && value_of(r, p)->kept))
            continue; /* `for` counts once for all */
        if (value_of(r, p)->variable && ir_is(next, LLVMAdd) && !value_of(r, next)->variable &&
            LLVMGetOperand(next, 0) == p && LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
            return p;
    }
    return NULL;
}

LLVMValueRef counter_next(const struct rewrite *r, const struct loop *l)
{
    return incoming(r, counter(r, l), l->latch);
}
