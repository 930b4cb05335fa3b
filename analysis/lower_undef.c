/* lower_undef.c - components of vectors that are undefined: they were given no value.
 *
 * Programs fill vectors component by component, and compute with all of them at once even if some have no
 * value.  So such lanes are followed through instructions that work on each lane separately. */
#include "analysis/lower_impl.h"
#include "analysis/words.h"

#define MOST_STEPS 200 /* values looked at for one lane */

static bool is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static unsigned operands_of(LLVMValueRef v)
{
    return LLVMIsACallInst(v) ? LLVMGetNumArgOperands(v) : (unsigned)LLVMGetNumOperands(v);
}

static bool call_is_elementwise(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    struct bi bi;
    size_t n;

    if (!LLVMIsAFunction(f) || !LLVMIsDeclaration(f))
        return false;
    bi_decode(LLVMGetValueName2(f, &n), &bi);
    return bi.kind != BI_IMAGE_READ &&
           !words_have("cross normalize fast_normalize shuffle shuffle2", bi.name);
}

/* Is each lane of `v` made of its vector operands' same lane alone? */
static bool is_elementwise(LLVMValueRef v)
{
    const unsigned n = is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : 1;

    if (LLVMIsACallInst(v) ? !call_is_elementwise(v)
                           : !LLVMIsABinaryOperator(v) && !LLVMIsAUnaryOperator(v) && !LLVMIsACmpInst(v) &&
                                 (!LLVMIsACastInst(v) || LLVMIsABitCastInst(v)))
        return false;
    for (unsigned i = 0; i < operands_of(v); i++) {
        LLVMValueRef o = LLVMGetOperand(v, i);
        if (is_vector(o) && LLVMGetVectorSize(LLVMTypeOf(o)) != n)
            return false;
    }
    return true;
}

/* Lane `lane` of `v`, or `v` itself if it is a scalar. */
static bool is_undef(LLVMValueRef v, unsigned lane, unsigned *steps)
{
    LLVMValueRef scalar = is_vector(v) ? lower_find_lane(&v, &lane) : v;

    if (++*steps > MOST_STEPS)
        return false;
    if (scalar && scalar != v)
        return is_undef(scalar, 0, steps);
    if (LLVMIsUndef(v))
        return true;
    if (LLVMIsAInsertElementInst(v)) /* at an index that is not known: perhaps elsewhere */
        return is_undef(LLVMGetOperand(v, 0), lane, steps);
    if (LLVMIsAExtractElementInst(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return is_undef(LLVMGetOperand(v, 0), (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)),
                        steps);
    if (!LLVMIsAInstruction(v) || !is_elementwise(v))
        return false;
    for (unsigned i = 0; i < operands_of(v); i++)
        if (is_undef(LLVMGetOperand(v, i), lane, steps))
            return true;
    return false;
}

bool lower_is_undef(LLVMValueRef v, unsigned lane)
{
    unsigned steps = 0;

    return is_undef(v, lane, &steps);
}

bool lower_has_undef_lane(LLVMValueRef v)
{
    const unsigned n = is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : 0;

    for (unsigned lane = 0; lane < n; lane++)
        if (lower_is_undef(v, lane))
            return true;
    return false;
}

/* Do all uses of the integer `v` leave its bits `undef` out? */
static bool is_masked(LLVMValueRef v, uint64_t undef)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), by = LLVMGetOperand(user, LLVMGetNumOperands(user) > 1);
        const bool constant = LLVMIsABinaryOperator(user) && LLVMIsAConstantInt(by);
        const uint64_t c = constant ? LLVMConstIntGetZExtValue(by) : 0;
        const LLVMOpcode op = LLVMGetInstructionOpcode(user);

        if (!(op == LLVMTrunc && undef >> LLVMGetIntTypeWidth(LLVMTypeOf(user)) == 0) &&
            !(op == LLVMAnd && constant && (undef & c) == 0) &&
            !(op == LLVMOr && constant && (undef & ~c) == 0) &&
            !(op == LLVMLShr && constant && c < 64 && undef >> c == 0))
            return false;
    }
    return true;
}

/* as_uint(v) of a uchar4, say, with a component that has no value, unless those bits are masked out.  Vectors
 * of other widths may be cut apart again. */
static bool joins_undef_lane(LLVMValueRef cast)
{
    LLVMValueRef v = LLVMGetOperand(cast, 0);
    const LLVMTypeRef t = LLVMTypeOf(cast);
    uint64_t undef = 0;

    if (!is_vector(v) || LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) > 64)
        return false;
    const unsigned n = LLVMGetVectorSize(LLVMTypeOf(v)), width = LLVMGetIntTypeWidth(t) / n;
    for (unsigned lane = 0; lane < n && n > 1; lane++)
        if (lower_is_undef(v, lane))
            undef |= (((uint64_t)1 << width) - 1) << lane * width;
    return undef && !is_masked(cast, undef);
}

/* A choice takes what it takes lane by lane. */
bool lower_uses_undef_lane(LLVMValueRef i)
{
    if (LLVMIsABitCastInst(i))
        return joins_undef_lane(i);
    if (LLVMIsASelectInst(i) || is_elementwise(i))
        return false;
    for (unsigned j = 0; j < operands_of(i); j++)
        if (lower_has_undef_lane(LLVMGetOperand(i, j)))
            return true;
    return false;
}
