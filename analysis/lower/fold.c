/* fold.c - loops of single-threaded code as dimensions of a range: see prepare.h.  Loops have the form that
 * prepare.c leaves: a header with a phi and the test, one latch. */
#include "analysis/lower/prepare.h"
#include "analysis/lower/ir.h"
#include "analysis/prove/must.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/Core.h>

#define MOST_LOOPS 3
#define GLOBAL_ID  "_Z13get_global_idj"

struct loop {
    LLVMBasicBlockRef header, latch, *block; /* block[0..n): all of it; owned */
    unsigned n;
    LLVMValueRef phi, start, step;
};

static bool holds(const struct loop *l, LLVMBasicBlockRef b)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->block[i] == b)
            return true;
    return false;
}

#define MOST_DEPTH 16 /* of an expression */

/* Is `v` the same in all iterations: made outside, or computed from what is? */
static bool outside(const struct loop *l, LLVMValueRef v, unsigned depth)
{
    if (!LLVMIsAInstruction(v) || !holds(l, LLVMGetInstructionParent(v)))
        return true;
    bool same = depth < MOST_DEPTH && (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v));
    for (int i = 0; same && i < LLVMGetNumOperands(v); i++)
        same = outside(l, LLVMGetOperand(v, (unsigned)i), depth + 1);
    return same;
}

/* Is the phi start, start + step, ... with a constant step > 0? */
static bool counts(LLVMValueRef phi, struct loop *l)
{
    for (unsigned i = 0; LLVMCountIncoming(phi) == 2 && i < 2; i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        if (ir_is(next, LLVMAdd) && LLVMGetOperand(next, 0) == phi &&
            LLVMIsAConstantInt(LLVMGetOperand(next, 1)) &&
            LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1)) > 0) {
            *l = (struct loop){.header = LLVMGetInstructionParent(phi),
                               .latch = LLVMGetIncomingBlock(phi, i),
                               .phi = phi,
                               .start = LLVMGetIncomingValue(phi, 1 - i),
                               .step = LLVMGetOperand(next, 1)};
            return true;
        }
    }
    return false;
}

/* Its blocks: from where the latch is reached without passing the header. */
static void find_blocks(LLVMValueRef f, struct loop *l)
{
    l->block = must_calloc(LLVMCountBasicBlocks(f) + 2, sizeof *l->block);
    l->block[l->n++] = l->header;
    if (l->latch != l->header)
        l->block[l->n++] = l->latch;
    for (unsigned i = 1; i < l->n; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(l->block[i])); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (LLVMIsATerminatorInst(user) && !holds(l, LLVMGetInstructionParent(user)))
                l->block[l->n++] = LLVMGetInstructionParent(user);
        }
}

static bool find_loop(LLVMValueRef f, struct loop *l)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef phi = LLVMGetFirstInstruction(b);
        if (LLVMIsAPHINode(phi) && counts(phi, l)) {
            find_blocks(f, l);
            return true;
        }
    }
    return false;
}

/* LLVM's own functions are notes or arithmetic, but for those that copy and fill memory. */
static bool is_harmless(const char *called)
{
    return strcmp(called, GLOBAL_ID) == 0 ||
           (strncmp(called, "llvm.", 5) == 0 && strncmp(called, "llvm.mem", 8) != 0);
}

static bool has_effect(LLVMValueRef v)
{
    if (LLVMIsACallInst(v))
        return !is_harmless(ir_callee(v));
    return LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v) ||
           LLVMIsAFenceInst(v);
}

/* Do all effects of the function lie in the loop, and does it end by its header's test alone? */
static bool is_perfect(LLVMValueRef f, const struct loop *l)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v && !holds(l, b); v = LLVMGetNextInstruction(v))
            if (has_effect(v))
                return false;
        for (unsigned i = 0; holds(l, b) && i < LLVMGetNumSuccessors(end); i++)
            if (b != l->header && !holds(l, LLVMGetSuccessor(end, i)))
                return false;
    }
    return true;
}

/* Is the count all that one iteration leaves to the next, and is it compared with what all share? */
static bool is_counted(const struct loop *l)
{
    LLVMValueRef next = LLVMGetNextInstruction(l->phi), end = LLVMGetBasicBlockTerminator(l->header);
    LLVMValueRef test =
        LLVMGetNumSuccessors(end) == 2 && LLVMIsABranchInst(end) ? LLVMGetCondition(end) : NULL;
    return !LLVMIsAPHINode(next) && test && LLVMIsAICmpInst(test) && outside(l, l->start, 0) &&
           (outside(l, LLVMGetOperand(test, 0), 0) || outside(l, LLVMGetOperand(test, 1), 0));
}

static void fold(LLVMModuleRef m, LLVMValueRef f, const struct loop *l, unsigned dimension)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    char name[64];
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(LLVMGetModuleContext(m), f, "");
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(l->latch);

    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(l->phi));
    LLVMValueRef i =
        LLVMBuildIntCast2(b, ir_work_item(m, b, GLOBAL_ID, dimension), LLVMTypeOf(l->phi), false, "");
    if (LLVMConstIntGetSExtValue(l->step) != 1)
        i = LLVMBuildMul(b, i, l->step, "");
    if (!LLVMIsNull(l->start))
        i = LLVMBuildAdd(b, i, l->start, "");
    snprintf(name, sizeof name, "%s", ir_name(l->phi));
    LLVMReplaceAllUsesWith(l->phi, i);
    LLVMInstructionEraseFromParent(l->phi);
    LLVMSetValueName2(i, name, strlen(name)); /* it is the loop's variable to people */
    for (unsigned s = 0; s < LLVMGetNumSuccessors(branch); s++)
        if (LLVMGetSuccessor(branch, s) == l->header)
            LLVMSetSuccessor(branch, s, end);
    LLVMDisposeBuilder(b);
}

static bool fold_kernel(LLVMModuleRef m, LLVMValueRef f, unsigned loops)
{
    for (unsigned i = 0; i < loops; i++) {
        struct loop l;
        if (!find_loop(f, &l))
            return false;
        const bool can = is_perfect(f, &l) && is_counted(&l);
        if (can)
            fold(m, f, &l, loops - 1 - i);
        free(l.block);
        if (!can)
            return false;
    }
    return true;
}

void fold_loops(LLVMModuleRef m)
{
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = next) {
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        const int loops = n > 3 && memcmp(name + n - 3, "__", 2) == 0 ? name[n - 1] - '0' : 0;
        next = LLVMGetNextFunction(f);
        if (prepare_is_kernel(f) && loops >= 1 && loops <= MOST_LOOPS && !fold_kernel(m, f, (unsigned)loops))
            LLVMDeleteFunction(f);
    }
}
