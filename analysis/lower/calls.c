/* calls.c - sums over a function and all that it calls: see ir.h. */
#include "analysis/lower/ir.h"

#include <llvm-c/Core.h>

uint64_t calls_own(const struct calls *c, LLVMValueRef f)
{
    uint64_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            n += n < CALLS_MOST ? c->of(i) : 0;
    return c->noted ? ir_noted(f, c->noted, n) : n;
}

static uint64_t total_of_callees(struct calls *c, LLVMValueRef f)
{
    uint64_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) && n < CALLS_MOST)
                n += calls_total(c, LLVMGetCalledValue(i));
    return n;
}

uint32_t calls_total(struct calls *c, LLVMValueRef f)
{
    const uint32_t known = table_get(c->total, f);
    uint64_t n;

    if (known != TABLE_NONE)
        return known;
    table_put(&c->total, f, 0); /* while it is computed */
    n = calls_own(c, f) + total_of_callees(c, f);
    table_put(&c->total, f, n < CALLS_MOST ? (uint32_t)n : CALLS_MOST);
    return table_get(c->total, f);
}
