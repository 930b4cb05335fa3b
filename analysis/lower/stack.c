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

/* Bytes of a variable.  OpenCL C has no arrays of variable length. */
static uint64_t variable(LLVMValueRef i)
{
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));

    return !LLVMIsAAllocaInst(i)
               ? 0
               : LLVMABISizeOfType(LLVMGetModuleDataLayout(LLVMGetGlobalParent(f)), LLVMGetAllocatedType(i));
}

/* Of a function's own variables, or what was noted of them before it was simplified. */
static const struct calls variables = {.of = variable, .noted = ATTRIBUTE};

void stack_note(LLVMModuleRef m, bool all)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && (all || ir_attribute(f, IR_FUNCTION, "optnone")))
            ir_note(f, ATTRIBUTE, calls_own(&variables, f));
}

/* All sums come first: a sum takes the place of what was noted of the function alone. */
void stack_sum(LLVMModuleRef m)
{
    struct calls calls = variables;

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        calls_total(&calls, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            ir_note(f, ATTRIBUTE, calls_total(&calls, f));
    table_free(&calls.total);
}
