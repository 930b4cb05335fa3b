/* lower_quotient.c - whether a compiler may find out that a quotient's divisor is the constant 0.
 *
 * One driver makes anything at all of such a quotient, instead of infinity or NaN (driver_quirks.def).  It
 * folds more than LLVM does: x * 0.0f and x - x are 0 there, and so is what a function makes of constants. */
#include "analysis/lower/lower_impl.h"
#include "analysis/summary/words.h"

#define MOST_DEPTH 8 /* beyond, it may be */

static bool may_be_zero(LLVMValueRef v, unsigned depth);

/* Of a constant: is it 0, or has it one in it, or is that not known? */
static bool has_zero(LLVMValueRef c)
{
    LLVMBool lost;

    if (LLVMIsUndef(c))
        return false;
    if (LLVMIsAConstantFP(c))
        return LLVMConstRealGetDouble(c, &lost) == 0;
    if (!ir_is_vector(LLVMTypeOf(c)) || LLVMIsAConstantExpr(c))
        return true;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(c)); i++)
        if (has_zero(LLVMGetAggregateElement(c, i)))
            return true;
    return false;
}

/* May that many of the operands, or more, be 0? */
static bool zeros(LLVMValueRef v, unsigned operands, unsigned wanted, unsigned depth)
{
    unsigned n = 0;

    for (unsigned i = 0; i < operands && n < wanted; i++)
        n += may_be_zero(LLVMGetOperand(v, i), depth);
    return n == wanted;
}

/* Is it 0 only where its argument is? */
static bool keeps_zero(LLVMValueRef call)
{
    struct bi bi;

    bi_decode(ir_callee(call), &bi);
    return words_have("sqrt native_sqrt half_sqrt cbrt fabs degrees radians", bi.name);
}

/* What a function makes of constants is not looked at.  A product of zeros and what is added to it is one
 * with two of three. */
static bool call_may_be_zero(LLVMValueRef call, unsigned depth)
{
    const unsigned n = (unsigned)LLVMGetNumArgOperands(call);
    bool constant = !keeps_zero(call);

    for (unsigned i = 0; i < n; i++)
        constant &= LLVMIsConstant(LLVMGetOperand(call, i)) != 0;
    return constant || zeros(call, n, n > 2 ? n - 1 : n, depth);
}

static bool may_be_zero(LLVMValueRef v, unsigned depth)
{
    if (LLVMIsConstant(v))
        return has_zero(v);
    if (!LLVMIsAInstruction(v))
        return false;
    if (depth == 0)
        return true;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMFMul:
        return zeros(v, 2, 1, depth - 1);
    case LLVMFSub:
        return LLVMGetOperand(v, 0) == LLVMGetOperand(v, 1) || zeros(v, 2, 2, depth - 1);
    case LLVMFAdd:
        return zeros(v, 2, 2, depth - 1);
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFNeg:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMBitCast:
    case LLVMExtractElement:
        return zeros(v, 1, 1, depth - 1);
    case LLVMInsertElement:
    case LLVMShuffleVector:
        return zeros(v, 2, 1, depth - 1);
    case LLVMSelect:
        return may_be_zero(LLVMGetOperand(v, 1), depth - 1) || may_be_zero(LLVMGetOperand(v, 2), depth - 1);
    case LLVMPHI:
        return zeros(v, LLVMCountIncoming(v), LLVMCountIncoming(v), depth - 1);
    case LLVMCall:
        return call_may_be_zero(v, depth - 1);
    default:
        return false;
    }
}

bool lower_divides_by_zero(LLVMValueRef divisor)
{
    return may_be_zero(divisor, MOST_DEPTH);
}
