/* calls.c - see calls.h. */
#include "analysis/lower/calls.h"
#include "analysis/prove/must.h"

#include <stdlib.h>
#include <uthash.h>
#include <llvm-c/Core.h>

struct calls_total {
    LLVMValueRef f;
    uint64_t n; /* 0 while being computed */
    UT_hash_handle hh;
};

static uint64_t total_of_callees(struct calls *c, LLVMValueRef f)
{
    uint64_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) && n < CALLS_MOST)
                n += calls_total(c, LLVMGetCalledValue(i));
    return n;
}

uint64_t calls_total(struct calls *c, LLVMValueRef f)
{
    struct calls_total *t;
    uint64_t n;

    HASH_FIND_PTR(c->total, &f, t);
    if (t)
        return t->n;
    t = must_calloc(1, sizeof *t);
    t->f = f;
    HASH_ADD_PTR(c->total, f, t);
    n = c->own(f, c->context) + total_of_callees(c, f);
    t->n = n < CALLS_MOST ? n : CALLS_MOST;
    return t->n;
}

void calls_free(struct calls *c)
{
    struct calls_total *t, *next;

    HASH_ITER(hh, c->total, t, next)
    {
        HASH_DEL(c->total, t);
        free(t);
    }
}
