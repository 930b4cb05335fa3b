/* lower_alias.c - which accesses are of the same memory, as far as the language's types tell (C99 6.5p7).
 *
 * clang notes with each access which type it is of (type-based alias analysis), chars and members of unions
 * as any.  Compilers take accesses of two types for accesses of two places, and may exchange them: a float[4]
 * that is read as ((int *)a)[k] held something else in groups of one than in groups of 32 (tried). */
#include "analysis/lower/lower_impl.h"

#include <string.h>

/* The node of the type that is accessed; NULL: any. */
static LLVMValueRef type_of(LLVMValueRef access)
{
    static const char tbaa[] = "tbaa", any[] = "omnipotent char";
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(access));
    LLVMValueRef node = LLVMGetMetadata(access, LLVMGetMDKindIDInContext(c, tbaa, sizeof tbaa - 1)), of[8];
    unsigned length = 0;

    if (!node || LLVMGetMDNodeNumOperands(node) < 3 || LLVMGetMDNodeNumOperands(node) > 8)
        return NULL;
    LLVMGetMDNodeOperands(node, of); /* of which structure, the type, where in it */
    node = of[1];
    if (!LLVMIsAMDNode(node) || !LLVMGetMDNodeNumOperands(node) || LLVMGetMDNodeNumOperands(node) > 8)
        return NULL;
    LLVMGetMDNodeOperands(node, of);
    const char *name = of[0] ? LLVMGetMDString(of[0], &length) : NULL;
    return !name || (length == sizeof any - 1 && !memcmp(name, any, length)) ? NULL : node;
}

bool lower_may_alias(LLVMValueRef load, LLVMValueRef store)
{
    LLVMValueRef a = type_of(load), b = type_of(store);

    return !a || !b || a == b;
}

LLVMValueRef lower_variable(LLVMValueRef pointer)
{
    while (lower_is_part(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) || LLVMIsAArgument(pointer) ? pointer : NULL;
}

bool lower_is_part(LLVMValueRef pointer)
{
    return LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
           LLVMIsAAddrSpaceCastInst(pointer);
}

/* The types that loads and stores of a variable are of. */
struct types {
    LLVMValueRef one;
    bool several, loaded, stored;
};

static void find_types(LLVMValueRef pointer, struct types *t)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const bool loads = LLVMIsALoadInst(user), stores = LLVMIsAStoreInst(user);
        LLVMValueRef type = loads || stores ? type_of(user) : NULL;
        if (type) {
            t->several |= t->one && t->one != type;
            t->one = type;
            t->loaded |= loads;
            t->stored |= stores;
        } else if (lower_is_part(user)) {
            find_types(user, t);
        }
    }
}

static bool is_punned(LLVMValueRef variable)
{
    LLVMTypeRef t = LLVMGetAllocatedType(variable);
    struct types types = {NULL};

    while (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
        t = LLVMGetElementType(t);
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind) /* its members may be of several types */
        return false;
    find_types(variable, &types);
    return types.several && types.loaded && types.stored;
}

bool lower_is_punned(struct lower *l, LLVMValueRef load)
{
    LLVMValueRef variable = lower_variable(LLVMGetOperand(load, 0));

    if (!variable || !LLVMIsAAllocaInst(variable))
        return false;
    if (table_get(l->punned, variable) == TABLE_NONE)
        table_put(&l->punned, variable, is_punned(variable));
    return table_get(l->punned, variable);
}
