/* stack.c - see stack.h.  What is known of a function stands in an attribute of its own. */
#include "analysis/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#define ATTRIBUTE "clsizer-stack"
#define CAP       (1ull << 40)

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

/* OpenCL C has no arrays of variable length. */
static uint64_t variables(LLVMTargetDataRef data, LLVMValueRef f)
{
    uint64_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && n < CAP)
                n += LLVMABISizeOfType(data, LLVMGetAllocatedType(i));
    return n < CAP ? n : CAP;
}

void stack_note(LLVMModuleRef m, bool all)
{
    const unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", strlen("optnone"));
    LLVMTargetDataRef data = LLVMCreateTargetData(LLVMGetDataLayoutStr(m));

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) &&
            (all || LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, optnone)))
            put(f, variables(data, f));
    LLVMDisposeTargetData(data);
}

/* Bytes of a function with all that it calls, once for each call. */
struct frame {
    LLVMValueRef f;
    uint64_t bytes; /* 0 while being computed: recursion is not tuned */
    UT_hash_handle hh;
};

static uint64_t with_callees(struct frame **table, LLVMTargetDataRef data, LLVMValueRef f)
{
    struct frame *s;
    uint64_t n;

    HASH_FIND_PTR(*table, &f, s);
    if (s)
        return s->bytes;
    s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->f = f;
    HASH_ADD_PTR(*table, f, s);
    if (!get(f, &n))
        n = variables(data, f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) && n < CAP)
                n += with_callees(table, data, LLVMGetCalledValue(i));
    s->bytes = n < CAP ? n : CAP;
    return s->bytes;
}

void stack_sum(LLVMModuleRef m)
{
    LLVMTargetDataRef data = LLVMCreateTargetData(LLVMGetDataLayoutStr(m));
    struct frame *table = NULL, *s, *next;

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            put(f, with_callees(&table, data, f));
    HASH_ITER(hh, table, s, next)
    {
        HASH_DEL(table, s);
        free(s);
    }
    LLVMDisposeTargetData(data);
}
