/* pointee.c - what a pointer leads to, and how far an index moves it. */
#include "analysis/rewrite/impl.h"

#define MAX_DEPTH 6 /* of uses that are looked at */

static bool is_constant(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == op;
}

bool is_element(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) || is_constant(v, LLVMGetElementPtr);
}

LLVMValueRef plain(LLVMValueRef pointer)
{
    while (LLVMIsABitCastInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
           is_constant(pointer, LLVMBitCast) || is_constant(pointer, LLVMAddrSpaceCast))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static LLVMTypeRef join(LLVMTypeRef a, LLVMTypeRef b, LLVMTypeRef bytes)
{
    if (!a || !b)
        return a ? a : b;
    return a == b ? a : bytes;
}

/* The type of the one who uses it; NULL: it is not said here. */
static LLVMTypeRef used_as(struct rewrite *r, LLVMValueRef user, LLVMValueRef pointer, unsigned depth);

static LLVMTypeRef used_by_all(struct rewrite *r, LLVMValueRef pointer, unsigned depth)
{
    LLVMTypeRef t = NULL;

    for (LLVMUseRef u = depth ? LLVMGetFirstUse(pointer) : NULL; u; u = LLVMGetNextUse(u))
        t = join(t, used_as(r, LLVMGetUser(u), pointer, depth), LLVMInt8TypeInContext(r->context));
    return t;
}

static LLVMTypeRef used_as(struct rewrite *r, LLVMValueRef user, LLVMValueRef pointer, unsigned depth)
{
    if (LLVMIsALoadInst(user))
        return LLVMTypeOf(user);
    if (LLVMIsAStoreInst(user))
        return LLVMGetOperand(user, 1) == pointer ? LLVMTypeOf(LLVMGetOperand(user, 0)) : NULL;
    if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAAddrSpaceCastInst(user) ||
        LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
        return used_by_all(r, user, depth - 1);
    return NULL;
}

LLVMTypeRef pointee(struct rewrite *r, LLVMValueRef pointer)
{
    LLVMTypeRef t = used_by_all(r, pointer, MAX_DEPTH);

    return t && is_number(t) ? t : LLVMInt8TypeInContext(r->context);
}

LLVMValueRef root(LLVMValueRef pointer)
{
    for (pointer = plain(pointer); is_element(pointer); pointer = plain(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static LLVMValueRef begun(LLVMValueRef pointer, unsigned depth)
{
    pointer = root(pointer);
    if (depth && LLVMIsAPHINode(pointer))
        return begun(LLVMGetIncomingValue(pointer, 0), depth - 1);
    if (depth && LLVMIsASelectInst(pointer))
        return begun(LLVMGetOperand(pointer, 1), depth - 1);
    return pointer;
}

LLVMValueRef origin(LLVMValueRef pointer)
{
    return begun(pointer, MAX_DEPTH);
}

unsigned space_of(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(root(pointer)));
}

LLVMValueRef private_array(LLVMValueRef pointer)
{
    return LLVMIsAAllocaInst(root(pointer));
}

const char *space_name(struct rewrite *r, LLVMValueRef pointer)
{
    const unsigned space = space_of(pointer);

    if (private_array(pointer))
        return "private";
    if (space == 3 && r->groups)
        return "local";
    if (space != 1 && space != 2)
        refuse(r, space == 3 ? "local-memory" : "private-memory",
               "an access that is neither global nor constant");
    return space == 2 ? "constant" : "global";
}

bool next_offset(const struct rewrite *r, LLVMValueRef gep, unsigned i, LLVMTypeRef *type, int64_t *bytes,
                 int64_t *constant)
{
    LLVMValueRef index = LLVMGetOperand(gep, i);
    const LLVMTypeKind kind = i > 1 ? LLVMGetTypeKind(*type) : LLVMArrayTypeKind;

    *bytes = *constant = 0;
    if (kind == LLVMStructTypeKind) {
        const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        *constant = (int64_t)LLVMOffsetOfElement(r->data, *type, field);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return true;
    }
    if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind)
        return false;
    if (i > 1)
        *type = LLVMGetElementType(*type);
    *bytes = (int64_t)LLVMABISizeOfType(r->data, *type);
    if (LLVMIsAConstantInt(index)) {
        *constant = (int64_t)((uint64_t)*bytes * (uint64_t)LLVMConstIntGetSExtValue(index));
        *bytes = 0;
    }
    return true;
}
