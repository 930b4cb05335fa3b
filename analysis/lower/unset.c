/* unset.c - variables without a value: see prepare.h. */
#include "analysis/lower/prepare.h"
#include "analysis/lower/ir.h"
#include "analysis/summary/words.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#define MOST_BYTES 256 /* of a structure whose members may be unset */

/* Of the functions that are called, one for each variable: LLVM would take two calls of one as equal. */
#define PREFIX "clsizer.unset."

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

static void begin_unset(LLVMModuleRef m, LLVMBuilderRef builder, LLVMTypeRef t, LLVMValueRef variable)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
    LLVMTypeRef ft = LLVMFunctionType(t, NULL, 0, 0);
    LLVMValueRef f = LLVMAddFunction(m, PREFIX, ft), p; /* LLVM makes the name unique */

    expand_mark_pure(m, f);
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(variable));
    p = LLVMBuildBitCast(builder, variable, LLVMPointerType(t, space), "");
    LLVMBuildStore(builder, LLVMBuildCall2(builder, ft, f, NULL, 0, ""), p);
}

/* The variable whose scope begins with instruction `i`; NULL: `i` is something else. */
static LLVMValueRef begun_scope(LLVMValueRef i)
{
    LLVMValueRef v;

    if (!word_starts(ir_callee(i), "llvm.lifetime.start"))
        return NULL;
    v = LLVMGetOperand(i, LLVMGetNumArgOperands(i) - 1);
    while (LLVMIsABitCastInst(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAAllocaInst(v) ? v : NULL;
}

/* In each round of a loop: LLVM would keep what the variable held in the last one.  Not structures: they
 * would be taken apart, and are copied as a whole. */
static void begin_scope(LLVMBuilderRef builder, LLVMValueRef variable, LLVMValueRef begin)
{
    LLVMTypeRef t = LLVMGetAllocatedType(variable);

    if (LLVMGetTypeKind(t) == LLVMStructTypeKind)
        return;
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(begin));
    LLVMBuildStore(builder, LLVMGetUndef(t), variable);
}

static void unset(LLVMModuleRef m, LLVMBuilderRef builder, LLVMValueRef i, const void *all)
{
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    const bool unoptimised = *(const bool *)all || ir_attribute(f, IR_FUNCTION, "optnone");
    LLVMValueRef v = !unoptimised ? begun_scope(i) : LLVMIsAAllocaInst(i) ? i : NULL;
    LLVMTypeRef t = v ? content_type(m, LLVMGetAllocatedType(v)) : NULL;

    if (t && unoptimised)
        begin_unset(m, builder, t, v);
    else if (t)
        begin_scope(builder, v, i);
}

void unset_variables(LLVMModuleRef m, bool all)
{
    ir_each(m, unset, &all);
}

bool unset_is(LLVMValueRef v)
{
    while (LLVMIsAExtractValueInst(v))
        v = LLVMGetOperand(v, 0);
    return word_starts(ir_callee(v), PREFIX);
}
