/* unset.c - see unset.h. */
#include "analysis/lower/unset.h"
#include "analysis/lower/expand.h"
#include "analysis/summary/words.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#define MOST_BYTES 256 /* of a structure whose members may be unset */

/* Of the functions that are called, one for each variable: LLVM would take two calls of one as equal. */
#define PREFIX "clsizer.unset."

/* What a variable of type `t` holds before it is written: bytes where it is a structure, whose gaps show,
 * too, and which may be a union.  NULL where it is left out. */
static LLVMTypeRef content_type(LLVMModuleRef m, LLVMTargetDataRef data, LLVMTypeRef t)
{
    const unsigned long long bytes = LLVMABISizeOfType(data, t);

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

void unset_variables(LLVMModuleRef m, bool all)
{
    const unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", strlen("optnone"));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    LLVMTargetDataRef data = LLVMCreateTargetData(LLVMGetDataLayoutStr(m));
    LLVMTypeRef t;

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        if (!all && !LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, optnone))
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsAAllocaInst(i) && (t = content_type(m, data, LLVMGetAllocatedType(i))))
                    begin_unset(m, builder, t, i);
    }
    LLVMDisposeTargetData(data);
    LLVMDisposeBuilder(builder);
}

bool unset_is(LLVMValueRef v)
{
    LLVMValueRef f;
    size_t n;

    while (LLVMIsAExtractValueInst(v))
        v = LLVMGetOperand(v, 0);
    f = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    return f && LLVMIsAFunction(f) && word_starts(LLVMGetValueName2(f, &n), PREFIX);
}
