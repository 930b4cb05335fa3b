/* interleaved.c - loads and stores of neighbours whose places lie in turn: `in[2 * i]` and `in[2 * i + 1]`,
 * the elements of an array of vectors or structures.  If the kernel has all of them in one block, they are
 * loaded and stored as whole vectors, of which each takes its elements; one by one they take as many accesses
 * as there are numbers. */
#include "analysis/rewrite/impl.h"

#include <stdlib.h>

/* ---- which ------------------------------------------------------------------------------------------- */

static LLVMValueRef pointer_of(LLVMValueRef v)
{
    return LLVMGetOperand(v, LLVMIsAStoreInst(v) ? 1 : 0);
}

static LLVMTypeRef type_of(LLVMValueRef v)
{
    return LLVMTypeOf(LLVMIsAStoreInst(v) ? LLVMGetOperand(v, 0) : v);
}

/* How many of them lie between a neighbour's place and the next one's; 0: it is none of these. */
static unsigned stride(struct rewrite *r, LLVMValueRef v)
{
    if ((!LLVMIsALoadInst(v) && !LLVMIsAStoreInst(v)) || LLVMGetVolatile(v) ||
        LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic || LLVMIsUndef(LLVMGetOperand(v, 0)))
        return 0; /* which memory.c has to refuse, if it is an access */
    const struct shape s = shape_of(r, pointer_of(v));
    LLVMTypeRef t = type_of(v);
    const int64_t size = is_number(t) ? (int64_t)LLVMABISizeOfType(r->data, t) : 0;

    if (!size || s.kind != SHAPE_STEP || s.step % size || private_array(pointer_of(v)))
        return 0;
    return s.step / size > 1 && s.step / size <= MOST_INTERLEAVED ? (unsigned)(s.step / size) : 0;
}

/* May accesses not be put off or made before it?  Loads only come before others. */
static bool is_between(struct rewrite *r, LLVMValueRef v, bool stores)
{
    if ((LLVMIsALoadInst(v) || LLVMIsAStoreInst(v)) && private_array(pointer_of(v)))
        return false;
    return has_effect(r, v) || (stores && LLVMIsALoadInst(v));
}

/* Which places around that of `first` have accesses like it, up to the next one that must not be passed?  [n
 * + i]: that i places behind it, of n either way. */
static void find_like(struct rewrite *r, LLVMValueRef first, unsigned n, LLVMValueRef *found)
{
    LLVMTypeRef t = type_of(first);
    const int64_t size = (int64_t)LLVMABISizeOfType(r->data, t);
    const bool stores = LLVMIsAStoreInst(first);
    int64_t bytes;

    found[n] = first;
    for (LLVMValueRef v = first; (v = LLVMGetNextInstruction(v));) {
        const bool like = LLVMGetInstructionOpcode(v) == LLVMGetInstructionOpcode(first) && type_of(v) == t &&
                          stride(r, v) == n && !interleaved_with(r, v) &&
                          pointer_distance(r, pointer_of(first), pointer_of(v), &bytes) &&
                          bytes % size == 0 && bytes / size > -(int64_t)n && bytes / size < (int64_t)n;
        if (like && !found[(int64_t)n + bytes / size])
            found[(int64_t)n + bytes / size] = v;
        else if (is_between(r, v, stores))
            return;
    }
}

/* Note those that begin with `first`, if there are all. */
static void find_from(struct rewrite *r, LLVMValueRef first)
{
    const unsigned n = stride(r, first);
    LLVMValueRef found[2 * MOST_INTERLEAVED] = {NULL};
    unsigned at = 0, run = 0;

    if (!n || interleaved_with(r, first))
        return;
    find_like(r, first, n, found);
    for (unsigned i = 1; i < 2 * n && run < n; i++) {
        run = found[i] ? run + 1 : 0;
        at = i + 1 - run;
    }
    if (run < n)
        return;
    r->interleaved = must(realloc(r->interleaved, (r->ninterleaved + 1) * sizeof *r->interleaved));
    struct interleaved *g = &r->interleaved[r->ninterleaved++];
    *g = (struct interleaved){.n = n, .at = first};
    for (unsigned i = 0; i < n; i++)
        g->member[i] = found[at + i];
    for (LLVMValueRef v = first; LLVMIsAStoreInst(first) && v; v = LLVMGetNextInstruction(v))
        if (interleaved_with(r, v) == g)
            g->at = v;
}

void find_interleaved(struct rewrite *r)
{
    for (uint32_t b = 0; b < r->nblock && r->lanes > 1 && !r->arrays; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v; v = LLVMGetNextInstruction(v))
            find_from(r, v);
}

/* ---- their text -------------------------------------------------------------------------------------- */

/* The vector that lies `i` vectors behind the first one of all. */
static const char *vector_text(struct rewrite *r, const struct interleaved *g, unsigned i,
                               const char *qualifier)
{
    LLVMValueRef pointer = pointer_of(g->at);
    LLVMTypeRef t = type_of(g->at);
    const int64_t size = (int64_t)LLVMABISizeOfType(r->data, t);
    unsigned own = 0;

    while (g->member[own] != g->at)
        own++;
    return spell(r, "%s(%s)",
                 vector_at(r, pointer, t, *qualifier ? is_unsigned(r, g->at) : points_to_unsigned(r, pointer),
                           qualifier),
                 neighbour_pointer(r, pointer, t, 0, ((int64_t)i * r->lanes - own) * size).text);
}

void write_interleaved_loads(struct rewrite *r, struct interleaved *g)
{
    const char *type = type_name(r, type_of(g->at), is_unsigned(r, g->at), r->lanes);

    for (unsigned i = 0; i < g->n; i++) {
        g->name[i] = r->mask ? NULL : new_name(r, "mixed");
        if (!r->mask)
            line(r, "%s %s = %s;", type, g->name[i], vector_text(r, g, i, "const "));
    }
}

void write_interleaved_stores(struct rewrite *r, const struct interleaved *g)
{
    LLVMTypeRef t = type_of(g->at);
    const bool unsign = points_to_unsigned(r, pointer_of(g->at));

    for (unsigned i = 0; i < g->n; i++) {
        const char *text = "";
        for (unsigned k = i * r->lanes; k < (i + 1) * r->lanes; k++)
            text = spell(r, "%s%s%s", text, *text ? ", " : "",
                         lane_value(r, LLVMGetOperand(g->member[k % g->n], 0), unsign, k / g->n).text);
        line(r, "%s = (%s)(%s);", vector_text(r, g, i, ""), type_name(r, t, unsign, r->lanes), text);
    }
}
