/* contract.c - where compilers disagree on which products they put into a sum. */
#include "analysis/lower/ir.h"
#include "analysis/rewrite/impl.h"
#include "analysis/summary/words.h"

#define ATTRIBUTE "clsizer-negated-products"

static bool is_negated_product(LLVMValueRef v)
{
    LLVMValueRef product = ir_is(v, LLVMFNeg) ? LLVMGetOperand(v, 0) : NULL;

    return product && ir_is(product, LLVMFMul) && ir_only_user(v) && ir_only_user(product);
}

/* What is added to a product comes last where the source has it there, as in `a * b - c * d`: then that
 * product is the one that all contract. */
static bool comes_first(LLVMValueRef negated, LLVMValueRef sum)
{
    return LLVMGetNextInstruction(negated) != sum;
}

static uint64_t adds_negated_product(LLVMValueRef v)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);

    if (op == LLVMFAdd || op == LLVMFSub)
        return is_negated_product(LLVMGetOperand(v, 0)) || is_negated_product(LLVMGetOperand(v, 1));
    return op == LLVMCall && word_starts(called(v).name, "llvm.fmuladd.") &&
           is_negated_product(LLVMGetOperand(v, 2)) && comes_first(LLVMGetOperand(v, 2), v);
}

void contract_note(LLVMModuleRef m)
{
    struct calls calls = {.of = adds_negated_product};

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && calls_total(&calls, f))
            ir_note(f, ATTRIBUTE, 1);
    table_free(&calls.total);
}

bool contract_is_open(LLVMValueRef kernel)
{
    return ir_noted(kernel, ATTRIBUTE, 0);
}
