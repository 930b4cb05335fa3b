/* stack.c - see stack.h.  The result for a function is kept in an attribute of the function, which passes
 * preserve. */
#include "analysis/lower/stack.h"
#include "analysis/lower/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#define ATTRIBUTE "clsizer-stack"

static void put(LLVMValueRef f, uint64_t bytes)
{
    char text[24];
    const int n = snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);

    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(f)), ATTRIBUTE,
                                                      strlen(ATTRIBUTE), text, (unsigned)n));
}

static bool get(LLVMValueRef f, uint64_t *bytes)
{
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                       ATTRIBUTE, strlen(ATTRIBUTE));
    unsigned n;

    *bytes = a ? strtoull(LLVMGetStringAttributeValue(a, &n), NULL, 10) : 0;
    return a;
}

uint64_t stack_bytes(LLVMValueRef kernel)
{
    uint64_t bytes;

    get(kernel, &bytes);
    return bytes;
}

/* Bytes of a function's own variables; `data`: the module's LLVMTargetDataRef.  OpenCL C has no arrays of
 * variable length. */
static uint64_t variables(LLVMValueRef f, const void *data)
{
    uint64_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && n < CALLS_MOST)
                n += LLVMABISizeOfType((LLVMTargetDataRef)data, LLVMGetAllocatedType(i));
    return n;
}

/* The same, or what was noted before the function was simplified. */
static uint64_t kept(LLVMValueRef f, const void *data)
{
    uint64_t n;

    return get(f, &n) ? n : variables(f, data);
}

void stack_note(LLVMModuleRef m, bool all)
{
    const unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", strlen("optnone"));
    LLVMTargetDataRef data = LLVMCreateTargetData(LLVMGetDataLayoutStr(m));

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) &&
            (all || LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, optnone)))
            put(f, variables(f, data));
    LLVMDisposeTargetData(data);
}

/* All sums come first: a sum takes the place of what was noted of the function alone. */
void stack_sum(LLVMModuleRef m)
{
    LLVMTargetDataRef data = LLVMCreateTargetData(LLVMGetDataLayoutStr(m));
    struct calls calls = {.own = kept, .context = data};

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        calls_total(&calls, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            put(f, calls_total(&calls, f));
    table_free(&calls.total);
    LLVMDisposeTargetData(data);
}
