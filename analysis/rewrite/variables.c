/* variables.c - which values get a variable, and which are written where they are used. */
#include "analysis/rewrite/impl.h"
#include "analysis/summary/words.h"

#include <string.h>

/* Parts of an expression beyond which it is hard to read. */
#define MAX_PARTS 9

/* Is it written at every use, as it costs nothing there? */
static bool is_transparent(const struct rewrite *r, LLVMValueRef v)
{
    if (LLVMIsAGetElementPtrInst(v) || LLVMIsAAddrSpaceCastInst(v) || LLVMIsAExtractElementInst(v) ||
        (LLVMIsABitCastInst(v) && ir_is_pointer(LLVMTypeOf(v))))
        return true;
    return (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) && !is_vector(r, v) &&
           !is_truth(LLVMTypeOf(LLVMGetOperand(v, 0)));
}

struct user {
    unsigned count;
    bool elsewhere; /* in another block */
    LLVMValueRef one;
};

/* Does the value come to the phi from that block only? */
static bool comes_from(LLVMValueRef phi, LLVMValueRef v, LLVMBasicBlockRef home)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingValue(phi, i) == v && LLVMGetIncomingBlock(phi, i) != home)
            return false;
    return true;
}

/* Who needs the value, also through what is written where it is used. */
static void count_users(const struct rewrite *r, LLVMValueRef v, LLVMBasicBlockRef home, struct user *u)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use && u->count < 2; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (table_get(r->index, user) == TABLE_NONE)
            continue; /* in a block that is never reached */
        if (is_transparent(r, user)) {
            count_users(r, user, home, u);
            continue;
        }
        u->count++;
        u->one = user;
        u->elsewhere |=
            LLVMIsAPHINode(user) ? !comes_from(user, v, home) : LLVMGetInstructionParent(user) != home;
    }
}

/* Would it be contracted with its user? */
static bool would_contract(LLVMValueRef v, LLVMValueRef user)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(user);

    if (LLVMGetInstructionOpcode(v) != LLVMFMul)
        return false;
    return op == LLVMFAdd || op == LLVMFSub || op == LLVMFNeg ||
           (op == LLVMCall && LLVMGetNumArgOperands(user) == 3 && LLVMGetOperand(user, 2) == v);
}

static bool is_needed_by_lane(struct rewrite *r, LLVMValueRef v, LLVMValueRef user)
{
    if (shape_of(r, v).kind == SHAPE_SAME || r->lanes == 1 || r->arrays)
        return false;
    if (LLVMIsAStoreInst(user) || LLVMIsALoadInst(user)) {
        LLVMValueRef pointer = LLVMGetOperand(user, LLVMIsAStoreInst(user) ? 1 : 0);
        return !lies_side_by_side(
            r, pointer, LLVMIsAStoreInst(user) ? LLVMTypeOf(LLVMGetOperand(user, 0)) : LLVMTypeOf(user));
    }
    if (!LLVMIsACallInst(user))
        return LLVMIsABranchInst(user);
    return !word_starts(called(user).name, "llvm.");
}

/* Is something stored between `v` and the use, so that a load may not be made later? */
static bool stores_between(struct rewrite *r, LLVMValueRef v, LLVMValueRef user)
{
    for (v = LLVMGetNextInstruction(v); v && v != user; v = LLVMGetNextInstruction(v))
        if (has_effect(r, v))
            return true;
    return false;
}

/* The statement in which an instruction is written. */
static LLVMValueRef statement(const struct rewrite *r, LLVMValueRef v)
{
    const struct value *value = value_of(r, v);
    struct user u = {0};

    if (LLVMIsAStoreInst(v) || LLVMIsATerminatorInst(v) || LLVMIsAPHINode(v) || value->variable)
        return v;
    count_users(r, v, LLVMGetInstructionParent(v), &u);
    return u.one ? statement(r, u.one) : v;
}

static bool needs_variable(struct rewrite *r, LLVMValueRef v)
{
    struct user u = {0};

    if (LLVMIsAPHINode(v))
        return LLVMGetFirstUse(v) != NULL;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVoidTypeKind || is_transparent(r, v) || LLVMIsAAllocaInst(v))
        return false;
    if (ir_is_pointer(LLVMTypeOf(v)))
        return LLVMGetFirstUse(v) != NULL;
    count_users(r, v, LLVMGetInstructionParent(v), &u);
    if (u.count != 1 || u.elsewhere)
        return u.count > 0;
    return would_contract(v, u.one) || is_needed_by_lane(r, v, u.one) ||
           (LLVMIsALoadInst(v) && stores_between(r, v, statement(r, u.one)));
}

static unsigned parts(const struct rewrite *r, LLVMValueRef v)
{
    const struct value *value = value_of(r, v);
    unsigned n = is_transparent(r, v) ? 0 : 1;

    if (!value || value->variable)
        return n;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        n += parts(r, LLVMGetOperand(v, (unsigned)i));
    return n;
}

static const char *wish(struct rewrite *r, LLVMValueRef v)
{
    size_t n;
    const char *name = LLVMGetValueName2(v, &n);

    if (is_truth(LLVMTypeOf(v)) && is_vector(r, v))
        return "mask";
    const char *element = n > 3 ? name + n - 3 : ""; /* as LLVM names it */
    if (word_starts(element, ".i") && element[2] >= '0' && element[2] <= '3')
        return spell(r, "%.*s_%c", (int)strcspn(name, "."), name, "xyzw"[element[2] - '0']);
    return n ? name : "t";
}

/* Is a value too long to be written within another statement? */
static bool is_too_long(const struct rewrite *r, LLVMValueRef v)
{
    struct user u = {0};

    if (!is_number(LLVMTypeOf(v)) || !LLVMGetFirstUse(v) || is_transparent(r, v) || is_work_item(v))
        return false;
    count_users(r, v, LLVMGetInstructionParent(v), &u);
    return u.one && !LLVMIsAPHINode(u.one) && !LLVMIsAStoreInst(u.one) && parts(r, v) > MAX_PARTS;
}

/* Atomics, barriers and the like must not vanish where nobody uses their result. */
static void check_effect(struct rewrite *r, LLVMValueRef v)
{
    const struct bi bi = called(v);

    if (LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v) || LLVMIsAFenceInst(v))
        refuse(r, "atomic", "an operation whose order shows");
    if (!LLVMIsACallInst(v))
        return;
    if (words_start("llvm.lifetime. llvm.dbg. llvm.assume llvm.experimental.noalias", bi.name) ||
        is_fill(r, v) || (r->groups && is_barrier(v)) || (bi.kind == BI_SAMPLER && !LLVMGetFirstUse(v)))
        return;
    if (bi.kind == BI_BARRIER)
        refuse(r, "barrier", bi.name);
    else if (bi.kind == BI_ATOMIC || bi.kind == BI_COMPARE)
        refuse(r, "atomic", bi.name);
    else if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVoidTypeKind || bi.kind == BI_PRINTF)
        refuse(r, "function", bi.name);
    else if (!LLVMGetFirstUse(v) && bi.kind == BI_UNKNOWN && !word_starts(bi.name, "llvm."))
        refuse(r, "function", bi.name);
}

void find_variables(struct rewrite *r)
{
    for (uint32_t b = r->nblock; b-- > 0;)
        for (LLVMValueRef v = LLVMGetLastInstruction(r->block[b].b); v; v = LLVMGetPreviousInstruction(v)) {
            check_effect(r, v);
            value_of(r, v)->variable = needs_variable(r, v) && !is_work_item(v);
        }
    for (uint32_t b = 0; b < r->nblock; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v; v = LLVMGetNextInstruction(v)) {
            struct value *value = value_of(r, v);
            value->variable |= !value->variable && is_too_long(r, v);
            if (value->variable || LLVMIsAAllocaInst(v))
                value->name = new_name(r, wish(r, v));
        }
}
