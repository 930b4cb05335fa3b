/* rows.c - loads of rows: where each neighbour goes along a row of its own, a place further in each round of
 * a loop, several rounds' places are loaded at once, as one vector of each row, and the vectors transposed to
 * one for each round.  One by one, the neighbours' places lie far apart, and a vector takes as many loads as
 * it has numbers.
 *
 * The loop is written twice: for as many rounds at once as long as there are so many, and for the rest.  Each
 * round computes what it did, in the same order; a place is loaded earlier, so nothing may store to it in the
 * loop, and only if its round will come. */
#include "analysis/rewrite/impl.h"

#include <stdlib.h>

/* Of a loop: a longer round does not wait for its loads, and takes long to compile eight times. */
#define MOST_INSNS 100

/* ---- which loads ------------------------------------------------------------------------------------- */

/* Does the loop end at its header alone, with no other one in it, and is a round short? */
static bool is_plain_loop(const struct rewrite *r, uint32_t l)
{
    const struct loop *loop = &r->loop[l];
    unsigned insns = 0;

    for (uint32_t i = 0; i < r->nloop; i++)
        if (r->loop[i].outer == l)
            return false;
    for (uint32_t b = 0; b < r->nblock; b++)
        for (unsigned s = 0; loop->has[b] && b != loop->header && s < successors(r, b); s++)
            if (!loop->has[successor(r, b, s)])
                return false;
    for (uint32_t b = 0; b < r->nblock; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v && loop->has[b];
             v = LLVMGetNextInstruction(v))
            insns++;
    return !loop->parts && insns <= MOST_INSNS;
}

/* Note how the counter is compared with a bound, by which the loop goes on.  False: it is not known how. */
static bool find_bound(struct rewrite *r, struct loop *l)
{
    LLVMValueRef c = LLVMGetCondition(terminator(r, l->header));
    LLVMIntPredicate p;

    l->count = counter(r, l);
    if (!l->count || shape_of(r, l->count).kind != SHAPE_SAME || int_bits(LLVMTypeOf(l->count)) < 32 ||
        !LLVMIsAICmpInst(c) || LLVMGetOperand(c, 0) != l->count ||
        LLVMConstIntGetSExtValue(LLVMGetOperand(counter_next(r, l), 1)) != 1)
        return false;
    p = LLVMGetICmpPredicate(c);
    if (!l->has[successor(r, l->header, 0)]) /* by which it ends */
        p = p == LLVMIntSGE   ? LLVMIntSLT
            : p == LLVMIntUGE ? LLVMIntULT
            : p == LLVMIntSGT ? LLVMIntSLE
            : p == LLVMIntUGT ? LLVMIntULE
                              : LLVMIntEQ;
    l->bound = LLVMGetOperand(c, 1);
    l->bound_unsigned = p == LLVMIntULT || p == LLVMIntULE;
    l->bound_included = p == LLVMIntSLE || p == LLVMIntULE;
    return shape_of(r, l->bound).kind == SHAPE_SAME &&
           (p == LLVMIntSLT || p == LLVMIntSLE || l->bound_unsigned);
}

/* May the places be loaded before all that the loop stores?  *ahead: if other arguments lead elsewhere. */
static bool comes_before_stores(struct rewrite *r, const struct loop *l, LLVMValueRef load, bool *ahead)
{
    const unsigned from = argument_index(r, root(LLVMGetOperand(load, 0)));

    for (uint32_t b = 0; b < r->nblock; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v && l->has[b];
             v = LLVMGetNextInstruction(v)) {
            if (is_barrier(v))
                return false;
            if (!LLVMIsAStoreInst(v) || private_array(LLVMGetOperand(v, 1)))
                continue;
            const unsigned to = argument_index(r, root(LLVMGetOperand(v, 1)));
            if (from == TABLE_NONE || to == TABLE_NONE || from == to)
                return false;
            *ahead = true;
        }
    return true;
}

/* Does nothing of which the value is made in the loop hold only if the neighbours agree?  They are asked
 * later. */
static bool is_certain(const struct rewrite *r, const struct loop *l, LLVMValueRef v)
{
    const struct value *value = value_of(r, v);

    if (!value || LLVMIsAPHINode(v) || !l->has[block_index(r, LLVMGetInstructionParent(v))])
        return true;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (!is_certain(r, l, LLVMGetOperand(v, (unsigned)i)))
            return false;
    return !value->agreed;
}

static struct shape by_round(const struct rewrite *r, const struct shape *by_rounds, LLVMValueRef v)
{
    const struct value *value = value_of(r, v);

    return value ? by_rounds[value - r->value] : (struct shape){.kind = SHAPE_SAME};
}

/* The unsigned number that is the last index of the pointer and goes up by 1, so that a place is a number of
 * `size` bytes further in each round unless it wraps; NULL: there is none. */
static LLVMValueRef wrapping_index(const struct rewrite *r, const struct shape *by_rounds,
                                   LLVMValueRef pointer, int64_t size)
{
    LLVMValueRef p = plain(pointer), last;
    int64_t bytes = 0, constant;
    LLVMTypeRef type;

    if (!LLVMIsAGetElementPtrInst(p))
        return NULL;
    type = LLVMGetGEPSourceElementType(p);
    last = LLVMGetOperand(p, (unsigned)LLVMGetNumOperands(p) - 1);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(p); i++) {
        if (LLVMGetOperand(p, i) != last && by_round(r, by_rounds, LLVMGetOperand(p, i)).kind != SHAPE_SAME)
            return NULL;
        if (i && !next_offset(r, p, i, &type, &bytes, &constant))
            return NULL;
    }
    if (bytes != size || !LLVMIsAZExtInst(last) || int_bits(LLVMTypeOf(LLVMGetOperand(last, 0))) != 32)
        return NULL;
    last = LLVMGetOperand(last, 0);
    return by_round(r, by_rounds, last).kind == SHAPE_STEP && by_round(r, by_rounds, last).step == 1 ? last
                                                                                                     : NULL;
}

/* `by_rounds`: how values differ between rounds. */
static bool is_row(struct rewrite *r, const struct loop *l, const struct shape *by_rounds, LLVMValueRef load,
                   LLVMValueRef *may_wrap)
{
    LLVMTypeRef t = LLVMTypeOf(load);
    LLVMValueRef pointer = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
    const uint32_t b = block_index(r, LLVMGetInstructionParent(load));

    if (!pointer || b == l->header || r->block[b].region || !dominates(r, b, l->latch) || !is_number(t) ||
        (space_of(pointer) != 1 && space_of(pointer) != 2) || shape_of(r, pointer).kind == SHAPE_SAME ||
        lies_side_by_side(r, pointer, t) || !is_certain(r, l, pointer))
        return false;
    const int64_t size = (int64_t)LLVMABISizeOfType(r->data, t);
    const struct shape s = by_round(r, by_rounds, pointer);
    *may_wrap = s.kind == SHAPE_ANY ? wrapping_index(r, by_rounds, pointer, size) : NULL;
    return *may_wrap || (s.kind == SHAPE_STEP && s.step == size);
}

static void find_in_loop(struct rewrite *r, struct loop *l)
{
    struct shape *by_rounds = shapes_by_rounds(r, l, l->count, l->bound_unsigned);
    const bool steady = by_round(r, by_rounds, l->bound).kind == SHAPE_SAME;
    LLVMValueRef may_wrap;

    for (uint32_t b = 0; b < r->nblock && steady; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v && l->has[b];
             v = LLVMGetNextInstruction(v)) {
            bool ahead = l->ahead;
            if (l->nrow < MOST_ROWS && is_row(r, l, by_rounds, v, &may_wrap) &&
                comes_before_stores(r, l, v, &ahead)) {
                l->row[l->nrow++] = (struct row){.load = v, .may_wrap = may_wrap};
                l->ahead = ahead;
            }
        }
    free(by_rounds);
}

void find_rows(struct rewrite *r)
{
    for (uint32_t l = 0; l < r->nloop && r->lanes > 1 && !r->arrays; l++)
        if (is_plain_loop(r, l) && find_bound(r, &r->loop[l]))
            find_in_loop(r, &r->loop[l]);
}

/* ---- their text -------------------------------------------------------------------------------------- */

bool is_of_rows_alone(struct rewrite *r, LLVMValueRef v)
{
    if (!r->blocked || LLVMIsAPHINode(v) || !LLVMGetFirstUse(v) || row_text(r, v) || has_effect(r, v))
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (!row_text(r, LLVMGetUser(u)) && !is_of_rows_alone(r, LLVMGetUser(u)))
            return false;
    return true;
}

/* The variables of which the address is made in the loop. */
static void define_parts(struct rewrite *r, const struct loop *l, LLVMValueRef v)
{
    struct value *value = value_of(r, v);

    if (!value || LLVMIsAPHINode(v) || !l->has[block_index(r, LLVMGetInstructionParent(v))])
        return;
    if (value->variable && visible(r, value) && value->scope == r->scope)
        return;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        define_parts(r, l, LLVMGetOperand(v, (unsigned)i));
    if (value->variable)
        define(r, v, compute(r, v).text);
}

void write_rows(struct rewrite *r, struct loop *l)
{
    for (unsigned i = 0; i < l->nrow; i++) {
        LLVMValueRef load = l->row[i].load, pointer = LLVMGetOperand(load, 0);
        LLVMTypeRef t = LLVMTypeOf(load);
        const char *rows = new_name(r, "rows"), *type = type_name(r, t, is_unsigned(r, load), ROUNDS);
        const char *transpose = transpose_helper(r, t, is_unsigned(r, load)), *text = "";
        l->row[i].name = new_name(r, "columns");
        define_parts(r, l, pointer);
        if (l->row[i].may_wrap) {
            line(r, "if (any(%s > %#xu))", operand(r, whole(r, l->row[i].may_wrap, true), R_LESS),
                 UINT32_MAX - ROUNDS + 1);
            line(r, "    break;");
        }
        for (unsigned lane = 0; lane < r->lanes; lane++)
            text = spell(r, "%s%s*(%s const %s_row_%s *)(%s)", text, lane ? ", " : "", space_name(r, pointer),
                         kernel_name(r), type, neighbour_pointer(r, pointer, t, lane, 0).text);
        line(r, "%s %s[%u] = {%s};", type, rows, r->lanes, text);
        line(r, "%s %s[%u];", type_name(r, t, is_unsigned(r, load), r->lanes), l->row[i].name, ROUNDS);
        line(r, "%s(%s, %s);", transpose, rows, l->row[i].name);
    }
}
