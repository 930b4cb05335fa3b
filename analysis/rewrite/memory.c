/* memory.c - loads and stores: as vectors where the neighbours' places lie side by side, else one by one.  No
 * load that the kernel would not have made. */
#include "analysis/rewrite/impl.h"

#include <string.h>

static const char *space_name(struct rewrite *r, LLVMValueRef pointer)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

    if (space != 1 && space != 2)
        refuse(r, space == 3 ? "local-memory" : "private-memory",
               "an access that is neither global nor constant");
    return space == 2 ? "constant" : "global";
}

/* The pointer of the first neighbour, to elements of type `t`. */
static struct expr pointer_text(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t)
{
    const char *wanted = type_name(r, t, points_to_unsigned(r, pointer), 1);
    const unsigned i = argument_index(r, pointer = plain(pointer));

    if (i != TABLE_NONE) {
        const char *name = r->argument[i];
        if (!strcmp(argument_type(r, i), wanted))
            return (struct expr){name, R_ATOM};
        return (struct expr){spell(r, "(%s %s *)%s", space_name(r, pointer), wanted, name), R_UNARY};
    }
    if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2 ||
        LLVMGetGEPSourceElementType(pointer) != t) {
        refuse(r, "pointer", "one that is not an argument and an index");
        return (struct expr){"0", R_ATOM};
    }
    const struct expr base = pointer_text(r, LLVMGetOperand(pointer, 0), t);
    const struct expr at = index_value(r, LLVMGetOperand(pointer, 1), false);
    return (struct expr){spell(r, "%s + %s", operand(r, base, R_ADD), operand(r, at, R_MUL)), R_ADD};
}

/* Of the first neighbour. */
static const char *place(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t)
{
    LLVMValueRef gep = plain(pointer);

    if (LLVMIsAGetElementPtrInst(gep) && LLVMGetNumOperands(gep) == 2 &&
        LLVMGetGEPSourceElementType(gep) == t)
        return spell(r, "%s[%s]", operand(r, pointer_text(r, LLVMGetOperand(gep, 0), t), R_POSTFIX),
                     index_value(r, LLVMGetOperand(gep, 1), false).text);
    return spell(r, "*%s", operand(r, pointer_text(r, pointer, t), R_UNARY));
}

LLVMValueRef repeated_index(struct rewrite *r, LLVMValueRef pointer)
{
    const struct shape s = shape_of(r, pointer);
    LLVMValueRef gep = plain(pointer);

    if (s.kind != SHAPE_ANY || !LLVMIsAGetElementPtrInst(gep) || LLVMGetNumOperands(gep) != 2)
        return NULL;
    return LLVMGetOperand(gep, 1);
}

/* The place of one neighbour, where they are anywhere. */
static const char *lane_place(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, unsigned lane)
{
    LLVMValueRef gep = plain(pointer), index = repeated_index(r, pointer);

    if (!index || LLVMGetGEPSourceElementType(gep) != t ||
        shape_of(r, LLVMGetOperand(gep, 0)).kind != SHAPE_SAME) {
        refuse(r, "pointer", "one that differs between neighbours in two ways");
        return "0";
    }
    return spell(r, "%s[%s]", operand(r, pointer_text(r, LLVMGetOperand(gep, 0), t), R_POSTFIX),
                 lane_value(r, index, is_unsigned(r, index), lane).text);
}

bool lies_side_by_side(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t)
{
    const struct shape s = shape_of(r, pointer);

    return s.kind == SHAPE_STEP && s.step == (int64_t)LLVMABISizeOfType(r->data, t);
}

static int64_t elements(struct rewrite *r, struct shape s, LLVMTypeRef t)
{
    const int64_t size = (int64_t)LLVMABISizeOfType(r->data, t);

    if (s.step % size)
        refuse(r, "pointer", "neighbours lie at parts of an element");
    return s.step / size;
}

/* The place of one neighbour. */
static const char *any_place(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, unsigned lane)
{
    const struct shape s = shape_of(r, pointer);

    if (s.kind == SHAPE_ANY)
        return lane_place(r, pointer, t, lane);
    const int64_t at = elements(r, s, t) * lane;
    return at ? spell(r, "(%s)[%lld]", pointer_text(r, pointer, t).text, (long long)at)
              : place(r, pointer, t);
}

struct expr load_value(struct rewrite *r, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    LLVMTypeRef t = LLVMTypeOf(load);
    const struct shape s = shape_of(r, pointer);

    if (!is_number(t) || LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic)
        refuse(r, "load", "of what is no plain number");
    space_name(r, pointer);
    if (s.kind == SHAPE_SAME || r->lanes == 1) {
        const char *text = place(r, pointer, t);
        return (struct expr){text, *text == '*' ? R_UNARY : R_POSTFIX};
    }
    if (lies_side_by_side(r, pointer, t))
        return (struct expr){spell(r, "vload%u(0, %s)", r->lanes, pointer_text(r, pointer, t).text),
                             R_POSTFIX};
    const char *text = spell(r, "(%s)(", type_name(r, t, is_unsigned(r, load), r->lanes));
    for (unsigned lane = 0; lane < r->lanes; lane++)
        text = spell(r, "%s%s%s", text, lane ? ", " : "", any_place(r, pointer, t, lane));
    return (struct expr){spell(r, "%s)", text), R_ATOM};
}

void write_store(struct rewrite *r, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
    LLVMTypeRef t = LLVMTypeOf(value);
    const struct shape s = shape_of(r, pointer);
    const bool unsign = points_to_unsigned(r, pointer);

    if (!is_number(t) || LLVMGetVolatile(store) || LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic)
        refuse(r, "store", "of what is no plain number");
    space_name(r, pointer);
    if (r->lanes == 1) {
        line(r, "%s = %s;", place(r, pointer, t), value_as(r, value, unsign, false).text);
    } else if (s.kind == SHAPE_SAME) {
        refuse(r, "store", "to one place by all neighbours");
    } else if (lies_side_by_side(r, pointer, t)) {
        const char *vector = value_as(r, value, unsign, true).text;
        if (shape_of(r, value).kind == SHAPE_SAME)
            vector = spell(r, "(%s)(%s)", type_name(r, t, unsign, r->lanes), vector);
        line(r, "vstore%u(%s, 0, %s);", r->lanes, vector, pointer_text(r, pointer, t).text);
    } else {
        for (unsigned lane = 0; lane < r->lanes; lane++)
            line(r, "%s = %s;", any_place(r, pointer, t, lane), lane_value(r, value, unsign, lane).text);
    }
}
