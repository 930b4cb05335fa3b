/* stack.c - how much private memory a work-item may need in a driver's code: see prepare.h.  The result for a
 * function is noted in an attribute of the function. */
#include "analysis/lower/prepare.h"
#include "analysis/lower/ir.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#define ATTRIBUTE "clsizer-stack"

uint64_t stack_bytes(LLVMValueRef kernel)
{
    return ir_noted(kernel, ATTRIBUTE, 0);
}

/* Bytes of a function's own variables.  OpenCL C has no arrays of variable length. */
static uint64_t variables(LLVMValueRef f)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
    uint64_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && n < CALLS_MOST)
                n += LLVMABISizeOfType(data, LLVMGetAllocatedType(i));
    return n;
}

/* The same, or what was noted before the function was simplified. */
static uint64_t kept(LLVMValueRef f)
{
    return ir_noted(f, ATTRIBUTE, variables(f));
}

void stack_note(LLVMModuleRef m, bool all)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && (all || ir_attribute(f, IR_FUNCTION, "optnone")))
            ir_note(f, ATTRIBUTE, variables(f));
}

/* All sums come first: a sum takes the place of what was noted of the function alone. */
void stack_sum(LLVMModuleRef m)
{
    struct calls calls = {.own = kept};

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        calls_total(&calls, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            ir_note(f, ATTRIBUTE, calls_total(&calls, f));
    table_free(&calls.total);
}
