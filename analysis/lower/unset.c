/* unset.c - variables without a value: see prepare.h. */
#include "analysis/lower/prepare.h"
#include "analysis/lower/ir.h"
#include "analysis/summary/words.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#define MOST_CALLS 4   /* in each other, to find what fills a structure */
#define MOST_STEPS 64  /* of the filling of a vector in a loop */
#define MOST_BYTES 256 /* of a structure whose members, or gaps, may be unset */

/* Of the functions that are called, one for each variable: LLVM would take two calls of one as equal. */
#define PREFIX     "clsizer.unset."
#define GAP_PREFIX "clsizer.gap."

/* May a step from a variable of type `t`, by these indices, lead out of one of its arrays? */
static bool may_leave(LLVMValueRef step)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(step);

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(step); i++) {
        LLVMValueRef index = LLVMGetOperand(step, i);
        const LLVMTypeKind kind = LLVMGetTypeKind(t);
        const uint64_t n = i == 1 ? 1 : kind == LLVMArrayTypeKind ? LLVMGetArrayLength(t) : UINT64_MAX;
        if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) >= n)
            return true;
        if (i > 1)
            t = kind == LLVMStructTypeKind
                    ? LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(index))
                    : LLVMGetElementType(t);
    }
    return false;
}

/* Is it a place of private memory, by an index that may lead out of an array? */
static bool may_be_outside(LLVMValueRef pointer)
{
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)))
        return false;
    while (LLVMIsABitCastInst(pointer) || (LLVMIsAGetElementPtrInst(pointer) && !may_leave(pointer)))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAGetElementPtrInst(pointer);
}

/* A place that may lie outside of its array is touched by a driver that must not optimise, even where nothing
 * is made of it: LLVM is to leave that to select/prove/outside.c. */
static void keep_place(LLVMValueRef i)
{
    if ((LLVMIsALoadInst(i) && may_be_outside(LLVMGetOperand(i, 0))) ||
        (LLVMIsAStoreInst(i) && may_be_outside(LLVMGetOperand(i, 1))))
        LLVMSetVolatile(i, true);
    else if (word_starts(ir_callee(i), "llvm.memcpy.") && may_be_outside(LLVMGetOperand(i, 0)))
        LLVMSetOperand(i, 3, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(i, 3)), 1, false));
}

/* What a variable of type `t` holds before it is written: bytes where it is a structure, whose gaps show,
 * too, and which may be a union.  NULL where it is left out. */
static LLVMTypeRef content_type(LLVMModuleRef m, LLVMTypeRef t)
{
    const unsigned long long bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(m), t);

    if (LLVMGetTypeKind(t) != LLVMStructTypeKind)
        return LLVMGetTypeKind(t) == LLVMArrayTypeKind ? NULL : t;
    return bytes <= MOST_BYTES
               ? LLVMArrayType(LLVMInt8TypeInContext(LLVMGetModuleContext(m)), (unsigned)bytes)
               : NULL;
}

/* Build such a call. */
static LLVMValueRef build_unset(LLVMModuleRef m, LLVMBuilderRef builder, const char *prefix, LLVMTypeRef t)
{
    LLVMTypeRef ft = LLVMFunctionType(t, NULL, 0, 0);
    LLVMValueRef f = LLVMAddFunction(m, prefix, ft); /* LLVM makes the name unique */

    expand_mark_pure(m, f);
    return LLVMBuildCall2(builder, ft, f, NULL, 0, "");
}

/* Store such a call's result, of type `t`, in `variable` from byte `at` on. */
static void store_unset(LLVMModuleRef m, LLVMBuilderRef builder, const char *prefix, LLVMTypeRef t,
                        LLVMValueRef variable, uint64_t at)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef byte = LLVMInt8TypeInContext(c);
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(c), at, false), store, p;

    p = LLVMBuildBitCast(builder, variable, LLVMPointerType(byte, space), "");
    p = LLVMBuildGEP2(builder, byte, p, &offset, 1, "");
    p = LLVMBuildBitCast(builder, p, LLVMPointerType(t, space), "");
    store = LLVMBuildStore(builder, build_unset(m, builder, prefix, t), p);
    LLVMSetAlignment(store, 1);
}

/* ---- what a structure holds where it has no value ------------------------------------------------------ */

struct gaps {
    LLVMModuleRef module;
    LLVMTargetDataRef data;
    LLVMBuilderRef builder;
    LLVMValueRef variable;
};

static void bytes_unset(const struct gaps *g, uint64_t at, uint64_t end)
{
    for (unsigned n; at < end; at += n) {
        n = end - at < 8 ? (unsigned)(end - at) : 8;
        store_unset(g->module, g->builder, GAP_PREFIX,
                    LLVMIntTypeInContext(LLVMGetModuleContext(g->module), 8 * n), g->variable, at);
    }
}

/* The bytes of a `t` that lies at `at` in which no member does; all of a union, of which one member may be
 * written and another one read.  A type of three components has no gap: lower_undef.c. */
static void find_gaps(const struct gaps *g, LLVMTypeRef t, uint64_t at)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(t);
    const uint64_t size = LLVMABISizeOfType(g->data, t);
    uint64_t end = 0; /* of the member before */

    if (kind == LLVMStructTypeKind && LLVMGetStructName(t) && word_starts(LLVMGetStructName(t), "union.")) {
        bytes_unset(g, at, at + size);
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
            LLVMTypeRef member = LLVMStructGetTypeAtIndex(t, i);
            const uint64_t from = LLVMOffsetOfElement(g->data, t, i);

            bytes_unset(g, at + end, at + from);
            find_gaps(g, member, at + from);
            end = from + LLVMABISizeOfType(g->data, member);
        }
        bytes_unset(g, at + end, at + size);
    } else if (kind == LLVMArrayTypeKind) {
        for (uint64_t step = LLVMABISizeOfType(g->data, LLVMGetElementType(t)); end < size; end += step)
            find_gaps(g, LLVMGetElementType(t), at + end);
    }
}

static LLVMValueRef without_casts(LLVMValueRef v)
{
    while (LLVMIsABitCastInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

/* The variable whose scope begins with instruction `i`; NULL: `i` is something else. */
static LLVMValueRef begun_scope(LLVMValueRef i)
{
    LLVMValueRef v;

    if (!word_starts(ir_callee(i), "llvm.lifetime.start"))
        return NULL;
    v = without_casts(LLVMGetOperand(i, LLVMGetNumArgOperands(i) - 1));
    return LLVMIsAAllocaInst(v) ? v : NULL;
}

/* Has variable `v`, or what `v` is cast to, a scope that begins somewhere? */
static bool has_scope(LLVMValueRef v)
{
    bool begins = false;

    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !begins; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        begins = LLVMIsABitCastInst(user) ? has_scope(user) : begun_scope(user) != NULL;
    }
    return begins;
}

/* Is all of it written, as by `struct s v = p[i];`, before anything else is done with it from `i` on?  Then
 * LLVM need know nothing of its gaps, for which it would copy it in parts. */
static bool is_filled(LLVMValueRef i, LLVMValueRef variable, unsigned depth)
{
    for (; i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;

        if (LLVMIsABitCastInst(i))
            continue;
        for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(i); o++)
            if (without_casts(LLVMGetOperand(i, o)) != variable)
                continue;
            else if (!callee || !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee) || depth == 0)
                return o == 0 && word_starts(ir_callee(i), "llvm.memcpy.");
            else
                return is_filled(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(callee)),
                                 LLVMGetParam(callee, o), depth - 1);
    }
    return false;
}

/* LLVM would keep what the variable, of type `t`, held in the last round of a loop.  Three components are
 * stored as four (lower_insn.c), and are no variable of their own if that is done in two ways. */
static void forget(LLVMBuilderRef builder, LLVMTypeRef t, LLVMValueRef variable)
{
    if (ir_length(t) == 3) {
        t = LLVMVectorType(ir_element(t), 4);
        variable = LLVMBuildBitCast(builder, variable,
                                    LLVMPointerType(t, LLVMGetPointerAddressSpace(LLVMTypeOf(variable))), "");
    }
    LLVMBuildStore(builder, LLVMGetUndef(t), variable);
}

static void unset(LLVMModuleRef m, LLVMBuilderRef builder, LLVMValueRef i, const void *all)
{
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    const bool unoptimised = *(const bool *)all || ir_attribute(f, IR_FUNCTION, "optnone");
    LLVMValueRef begun = unoptimised ? NULL : begun_scope(i), v = LLVMIsAAllocaInst(i) ? i : begun;
    LLVMTypeRef t = v ? content_type(m, LLVMGetAllocatedType(v)) : NULL;
    const bool is_structure = t && t != LLVMGetAllocatedType(v);
    LLVMValueRef next = LLVMGetNextInstruction(i);

    if (unoptimised)
        keep_place(i);
    if (!t)
        return;
    LLVMPositionBuilderBefore(builder, next);
    if (unoptimised)
        store_unset(m, builder, PREFIX, t, v, 0);
    else if (is_structure && (begun || !has_scope(v)) && !is_filled(next, v, MOST_CALLS))
        find_gaps(&(struct gaps){m, LLVMGetModuleDataLayout(m), builder, v}, LLVMGetAllocatedType(v), 0);
    else if (!is_structure && begun)
        forget(builder, t, v);
}

void unset_variables(LLVMModuleRef m, bool all)
{
    ir_each(m, unset, &all);
}

/* Does the shuffle take components of its operand `o`? */
static bool shuffles_in(LLVMValueRef shuffle, unsigned o)
{
    const int n = (int)ir_length(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));

    for (unsigned lane = 0; lane < LLVMGetNumMaskElements(shuffle); lane++) {
        const int from = LLVMGetMaskValue(shuffle, lane);
        if (from >= 0 && (from >= n) == (o == 1))
            return true;
    }
    return false;
}

/* Is all that is taken of the vector written by insert `i` and those that follow it, as of (float4)(...)? */
static bool is_complete(LLVMValueRef i)
{
    const unsigned n = ir_length(LLVMTypeOf(i));
    uint64_t written = 0;

    while (LLVMIsAInsertElementInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 2)) && n < 64) {
        LLVMValueRef user = ir_only_user(i);
        const uint64_t at = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
        written |= at < n ? (uint64_t)1 << at : 0;
        if (written + 1 == (uint64_t)1 << n)
            return true;
        if (!user || LLVMGetOperand(user, 0) != i)
            return false;
        i = user;
    }
    if (!LLVMIsAShuffleVectorInst(i))
        return false;
    for (unsigned lane = 0; lane < LLVMGetNumMaskElements(i); lane++)
        if (LLVMGetMaskValue(i, lane) >= 0 && LLVMGetMaskValue(i, lane) < (int)n &&
            !(written >> LLVMGetMaskValue(i, lane) & 1))
            return false;
    return true;
}

/* Is `v` made of `phi`, as by a loop that fills components of a vector?  It is `filled` between the two.
 * Looks at no more than *left values. */
static bool is_filled_of(LLVMValueRef v, LLVMValueRef phi, bool filled, unsigned *left)
{
    const bool shuffle = LLVMIsAShuffleVectorInst(v), insert = LLVMIsAInsertElementInst(v);

    if (*left == 0 || (v == phi && *left < MOST_STEPS))
        return v == phi && filled;
    --*left;
    filled |= insert || (shuffle && shuffles_in(v, 0) && shuffles_in(v, 1));
    if (shuffle || insert || LLVMIsAPHINode(v) || LLVMIsASelectInst(v))
        for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(v); o++)
            if (is_filled_of(LLVMGetOperand(v, o), phi, filled, left))
                return true;
    return false;
}

/* Does instruction `i` make something of its operand `o`, or hand it on?  A vector that is filled component
 * by component is made of what was there before.  A phi's ways are followed (undef.c), and so are those of
 * what is a selection only once functions are `inlined`: LLVM made that of a phi. */
static bool takes(LLVMValueRef i, unsigned o, bool inlined)
{
    if (LLVMIsAShuffleVectorInst(i))
        return shuffles_in(i, o);
    if (LLVMIsAPHINode(i))
        return ir_is_vector(LLVMTypeOf(i)) && is_filled_of(i, i, false, &(unsigned){MOST_STEPS});
    if (o == 0 && LLVMIsAInsertElementInst(i))
        return !is_complete(i);
    return LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i) || LLVMIsACastInst(i) || LLVMIsACmpInst(i) ||
           LLVMIsACallInst(i) || LLVMIsAGetElementPtrInst(i) || (LLVMIsASelectInst(i) && !inlined) ||
           LLVMIsAReturnInst(i) || LLVMIsAInsertElementInst(i) ||
           (o == 0 && (LLVMIsAStoreInst(i) || LLVMIsAExtractElementInst(i)));
}

/* The calls stand where the function begins, so that LLVM makes selections of blocks that use them.  A phi
 * may name one way twice, with the same value. */
static void unset_operands(LLVMModuleRef m, LLVMBuilderRef builder, LLVMValueRef i, const void *inlined)
{
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)), made = NULL;

    for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(i); o++) {
        LLVMValueRef v = LLVMGetOperand(i, o);
        if (!LLVMIsUndef(v) || ir_is_pointer(LLVMTypeOf(v)) || !takes(i, o, *(const bool *)inlined))
            continue;
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
        if (!made || !LLVMIsAPHINode(i))
            made = build_unset(m, builder, PREFIX, LLVMTypeOf(v));
        LLVMSetOperand(i, o, made);
    }
}

void unset_uses(LLVMModuleRef m, bool inlined)
{
    ir_each(m, unset_operands, &inlined);
}

static bool is_call(LLVMValueRef v, const char *prefix)
{
    while (LLVMIsAExtractValueInst(v))
        v = LLVMGetOperand(v, 0);
    return word_starts(ir_callee(v), prefix);
}

bool unset_is(LLVMValueRef v)
{
    return LLVMIsUndef(v) || is_call(v, PREFIX);
}

bool unset_is_gap(LLVMValueRef v)
{
    return is_call(v, GAP_PREFIX);
}
