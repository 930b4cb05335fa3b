/* memory.c - loads and stores: as vectors where the neighbours' places lie side by side, else one by one.  No
 * load that the kernel would not have made. */
#include "analysis/rewrite/impl.h"
#include "analysis/summary/words.h"

#include <string.h>

bool lies_side_by_side(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t)
{
    const struct shape s = shape_of(r, pointer);

    return s.kind == SHAPE_STEP && s.step == (int64_t)LLVMABISizeOfType(r->data, t) &&
           !private_array(pointer);
}

/* What stands before a load or store that a neighbour only makes if it is here. */
static const char *if_here(struct rewrite *r, unsigned lane, const char *format)
{
    return r->mask ? spell(r, format, r->mask, lane) : "";
}

const char *row_text(struct rewrite *r, LLVMValueRef load)
{
    for (unsigned i = 0; r->blocked && i < r->blocked->nrow; i++)
        if (r->blocked->row[i].load == load)
            return spell(r, "%s[%s]", r->blocked->row[i].name, r->round);
    return NULL;
}

/* Its element of each neighbour, of vectors in which they lie in turn. */
static struct expr elements_text(struct rewrite *r, const struct interleaved *g, LLVMValueRef load)
{
    const char *text = spell(r, "(%s)(", type_name(r, LLVMTypeOf(load), is_unsigned(r, load), r->lanes));
    unsigned place = 0;

    while (g->member[place] != load)
        place++;
    for (unsigned lane = 0; lane < r->lanes; lane++, place += g->n)
        text = spell(r, "%s%s%s.s%x", text, lane ? ", " : "", g->name[place / r->lanes], place % r->lanes);
    return EXPR(r, R_ATOM, "%s)", text);
}

struct expr load_value(struct rewrite *r, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    LLVMTypeRef t = LLVMTypeOf(load);
    const struct shape s = shape_of(r, pointer);
    const struct interleaved *g = interleaved_with(r, load);
    const char *column = row_text(r, load);

    if (!is_number(t) || LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic)
        refuse(r, "load", "of what is no plain number");
    space_name(r, pointer);
    if (column)
        return (struct expr){column, R_POSTFIX};
    if (g && g->name[0])
        return elements_text(r, g, load);
    if (s.kind == SHAPE_SAME || r->lanes == 1 || r->arrays) {
        const char *text = place(r, pointer, t, 0);
        return (struct expr){text, *text == '*' ? R_UNARY : R_POSTFIX};
    }
    if (lies_side_by_side(r, pointer, t) && r->mask)
        return EXPR(r, R_POSTFIX, "%s(%s, %s)", load_helper(r, pointer, t, is_unsigned(r, load)),
                    pointer_text(r, pointer, t).text, r->mask);
    if (lies_side_by_side(r, pointer, t))
        return EXPR(r, R_UNARY, "%s(%s)", vector_at(r, pointer, t, is_unsigned(r, load), "const "),
                    pointer_text(r, pointer, t).text);
    const char *text = spell(r, "(%s)(", type_name(r, t, is_unsigned(r, load), r->lanes));
    for (unsigned lane = 0; lane < r->lanes; lane++)
        text = spell(r, "%s%s%s%s%s", text, lane ? ", " : "", if_here(r, lane, "%s.s%x ? "),
                     place(r, pointer, t, lane), r->mask ? " : 0" : "");
    return EXPR(r, R_ATOM, "%s)", text);
}

/* Into a private array. */
static void store_vector(struct rewrite *r, const char *to, const char *value, LLVMTypeRef t)
{
    line(r, "%s = %s;", to, r->mask ? masked(r, t, to, value, r->mask).text : value);
}

void write_store(struct rewrite *r, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
    LLVMTypeRef t = LLVMTypeOf(value);
    const struct shape s = shape_of(r, pointer);
    const bool unsign = points_to_unsigned(r, pointer);

    if (!is_number(t) || LLVMGetVolatile(store) || LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic)
        refuse(r, "store", "of what is no plain number");
    if (LLVMIsUndef(value))
        refuse(r, "store", "of what has no value");
    space_name(r, pointer);
    if (r->lanes > 1 && !r->arrays && s.kind == SHAPE_SAME && private_array(pointer)) {
        store_vector(r, place(r, pointer, t, 0), whole(r, value, unsign).text, t);
    } else if (r->lanes == 1 || r->arrays ||
               (s.kind == SHAPE_SAME && shape_of(r, value).kind == SHAPE_SAME)) {
        line(r, "%s = %s;", place(r, pointer, t, 0), value_as(r, value, unsign, false).text);
    } else if (s.kind == SHAPE_SAME && !r->mask) {
        refuse(r, "store", "of different values to one place");
    } else if (lies_side_by_side(r, pointer, t)) {
        const char *vector = value_as(r, value, unsign, true).text;
        if (shape_of(r, value).kind == SHAPE_SAME)
            vector = spell(r, "(%s)(%s)", type_name(r, t, unsign, r->lanes), vector);
        if (r->mask)
            line(r, "%s(%s, %s, %s);", store_helper(r, pointer, t, unsign), vector,
                 pointer_text(r, pointer, t).text, r->mask);
        else
            line(r, "%s(%s) = %s;", vector_at(r, pointer, t, unsign, ""), pointer_text(r, pointer, t).text,
                 vector);
    } else {
        for (unsigned lane = 0; lane < r->lanes; lane++)
            line(r, "%s%s = %s;", if_here(r, lane, "if (%s.s%x) "), place(r, pointer, t, lane),
                 lane_value(r, value, unsign, lane).text);
    }
}

/* ---- whole arrays ------------------------------------------------------------------------------------ */

static uint64_t array_size(const struct rewrite *r, LLVMValueRef array)
{
    return LLVMIsAConstantInt(LLVMGetOperand(array, 0))
               ? LLVMABISizeOfType(r->data, LLVMGetAllocatedType(array)) *
                     LLVMConstIntGetZExtValue(LLVMGetOperand(array, 0))
               : 0;
}

unsigned array_length(struct rewrite *r, LLVMValueRef array)
{
    const uint64_t size = LLVMABISizeOfType(r->data, pointee(r, array));

    return (unsigned)(array_size(r, array) / size);
}

bool is_fill(const struct rewrite *r, LLVMValueRef v)
{
    const struct bi bi = called(v);
    const bool set = word_starts(bi.name, "llvm.memset."), copy = word_starts(bi.name, "llvm.memcpy.");
    LLVMValueRef array = set || copy ? plain(LLVMGetOperand(v, 0)) : NULL;

    if (!array || !LLVMIsAAllocaInst(array) || !LLVMIsAConstantInt(LLVMGetOperand(v, 2)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2)) != array_size(r, array))
        return false;
    return set ? ir_is_number(LLVMGetOperand(v, 1), 0)
               : LLVMIsAGlobalVariable(plain(LLVMGetOperand(v, 1))) != NULL;
}

bool has_effect(const struct rewrite *r, LLVMValueRef v)
{
    return LLVMIsAStoreInst(v) || is_fill(r, v) || is_barrier(v);
}

void write_fill(struct rewrite *r, LLVMValueRef v)
{
    LLVMValueRef array = plain(LLVMGetOperand(v, 0)), from = plain(LLVMGetOperand(v, 1));
    LLVMTypeRef t = pointee(r, array);
    const char *i = new_name(r, "i"), *lane = r->lane ? spell(r, "[%s]", r->lane) : "",
               *to = spell(r, "%s[%s]%s", value_of(r, array)->name, i, lane), *value = "0";

    if (!LLVMIsAConstantInt(from)) {
        if (strcmp(table_type(r, from), type_name(r, t, false, 1)))
            refuse(r, "private-memory", "an array that is read as several types");
        value = spell(r, "%s[%s]", table_name(r, from), i);
    }
    if (r->mask)
        value = masked(r, t, to, spell(r, "(%s)(%s)", type_name(r, t, false, r->lanes), value), r->mask).text;
    line(r, "for (int %s = 0; %s < %u; %s++)", i, i, array_length(r, array), i);
    line(r, "    %s = %s;", to, value);
}
