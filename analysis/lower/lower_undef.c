/* lower_undef.c - components of vectors that are undefined: they were given no value.
 *
 * Programs fill vectors component by component, and compute with all of them at once even if some have no
 * value.  So such lanes are followed through instructions that work on each lane separately. */
#include "analysis/lower/lower_impl.h"
#include "analysis/lower/prepare.h"
#include "analysis/summary/words.h"

#define MASK_LANES 32 /* of the vectors that are followed lane by lane; OpenCL's have 16 at most */

static bool is_vector(LLVMValueRef v)
{
    return ir_is_vector(LLVMTypeOf(v));
}

static unsigned lanes_of(LLVMValueRef v)
{
    return ir_length(LLVMTypeOf(v));
}

static unsigned operands_of(LLVMValueRef v)
{
    return LLVMIsACallInst(v) ? LLVMGetNumArgOperands(v) : (unsigned)LLVMGetNumOperands(v);
}

static bool call_is_elementwise(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    struct bi bi;

    if (!LLVMIsAFunction(f) || !LLVMIsDeclaration(f))
        return false;
    bi_decode(ir_name(f), &bi);
    return bi.kind != BI_IMAGE_READ &&
           !words_have("cross normalize fast_normalize shuffle shuffle2", bi.name);
}

/* Is each lane of `v` made of its vector operands' same lane alone? */
static bool is_elementwise(LLVMValueRef v)
{
    const unsigned n = lanes_of(v);

    if (LLVMIsACallInst(v) ? !call_is_elementwise(v)
                           : !LLVMIsABinaryOperator(v) && !LLVMIsAUnaryOperator(v) && !LLVMIsACmpInst(v) &&
                                 !LLVMIsASelectInst(v) && !LLVMIsAFreezeInst(v) &&
                                 (!LLVMIsACastInst(v) || LLVMIsABitCastInst(v)))
        return false;
    for (unsigned i = 0; i < operands_of(v); i++) {
        LLVMValueRef o = LLVMGetOperand(v, i);
        if (is_vector(o) && lanes_of(o) != n)
            return false;
    }
    return true;
}

/* The bit for a lane, or for a scalar.  Longer vectors have one bit for all lanes. */
static uint32_t bit_of(LLVMValueRef v, unsigned lane)
{
    return lanes_of(v) <= MASK_LANES ? 1u << lane : 1;
}

static uint32_t all_of(LLVMValueRef v)
{
    const unsigned n = lanes_of(v);

    return n <= MASK_LANES ? UINT32_MAX >> (MASK_LANES - n) : 1;
}

/* Which lanes of `v` have no value, or are made of what has none, as far as that is known. */
static uint32_t undef_of(const struct lower *l, LLVMValueRef v)
{
    uint32_t lanes = 0;

    if (unset_is(v))
        return all_of(v);
    if (!is_vector(v) || !LLVMIsAConstant(v) || LLVMIsAConstantExpr(v))
        return ~table_get(l->defined, v);
    for (unsigned lane = 0; lane < lanes_of(v); lane++)
        if (unset_is(LLVMGetAggregateElement(v, lane)))
            lanes |= bit_of(v, lane);
    return lanes;
}

static uint32_t undef_of_insert(const struct lower *l, LLVMValueRef i)
{
    LLVMValueRef index = LLVMGetOperand(i, 2);
    uint32_t lanes = undef_of(l, LLVMGetOperand(i, 0)), at;

    if (!LLVMIsAConstantInt(index)) /* perhaps elsewhere */
        return lanes | (undef_of(l, LLVMGetOperand(i, 1)) ? all_of(i) : 0);
    at = bit_of(i, (unsigned)LLVMConstIntGetZExtValue(index));
    if (undef_of(l, LLVMGetOperand(i, 1)))
        return lanes | at;
    return lanes_of(i) <= MASK_LANES ? lanes & ~at : lanes;
}

static uint32_t undef_of_shuffle(const struct lower *l, LLVMValueRef i)
{
    LLVMValueRef from[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
    const unsigned n = lanes_of(from[0]);
    uint32_t lanes = 0;

    for (unsigned lane = 0; lane < LLVMGetNumMaskElements(i); lane++) {
        const int m = LLVMGetMaskValue(i, lane);
        LLVMValueRef v = from[m >= (int)n];
        if (m < 0 || undef_of(l, v) & bit_of(v, (unsigned)m % n))
            lanes |= bit_of(i, lane);
    }
    return lanes;
}

static uint32_t undef_of_extract(const struct lower *l, LLVMValueRef i)
{
    LLVMValueRef v = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);

    return LLVMIsAConstantInt(index) && undef_of(l, v) & bit_of(v, (unsigned)LLVMConstIntGetZExtValue(index));
}

/* As another type: lanes of which a part has no value have none.  Whole integers see joins_undef_lane(). */
static uint32_t undef_of_bitcast(const struct lower *l, LLVMValueRef i)
{
    LLVMValueRef v = LLVMGetOperand(i, 0);
    const unsigned from = lanes_of(v), to = lanes_of(i);
    uint32_t lanes = 0;

    if (!is_vector(i) || from > MASK_LANES || to > MASK_LANES)
        return is_vector(i) && undef_of(l, v) ? all_of(i) : 0;
    for (unsigned part = 0; part < from * to; part++)
        if (undef_of(l, v) & bit_of(v, part / to))
            lanes |= bit_of(i, part / from);
    return lanes;
}

/* A scalar operand counts for all lanes. */
static uint32_t undef_of_operands(const struct lower *l, LLVMValueRef i)
{
    uint32_t lanes = 0, of;

    for (unsigned j = 0; j < operands_of(i); j++)
        if ((of = undef_of(l, LLVMGetOperand(i, j))))
            lanes |= is_vector(LLVMGetOperand(i, j)) ? of : all_of(i);
    return lanes;
}

/* The passes leave no phi of vectors; if there is one, what comes to it around a loop is not known yet.  A
 * component that has no value on one way has none; where none of the vector has one, undef.c knows more. */
static uint32_t undef_of_phi(const struct lower *l, LLVMValueRef i)
{
    if (is_vector(i))
        return all_of(i);
    for (unsigned way = 0; way < LLVMCountIncoming(i); way++) {
        LLVMValueRef v = LLVMGetIncomingValue(i, way);
        if (LLVMIsAExtractElementInst(v) && undef_of(l, v) && !unset_is(LLVMGetOperand(v, 0)))
            return 1;
    }
    return 0;
}

static uint32_t undef_of_insn(const struct lower *l, LLVMValueRef i)
{
    if (LLVMIsAPHINode(i))
        return undef_of_phi(l, i);
    if (LLVMIsAInsertElementInst(i))
        return undef_of_insert(l, i);
    if (LLVMIsAShuffleVectorInst(i))
        return undef_of_shuffle(l, i);
    if (LLVMIsAExtractElementInst(i))
        return undef_of_extract(l, i);
    if (LLVMIsABitCastInst(i))
        return undef_of_bitcast(l, i);
    return is_elementwise(i) ? undef_of_operands(l, i) : 0;
}

/* Operands come before their uses, but for those of phis.  A scalar that one of these takes from what has no
 * value is undef.c's affair, which knows when that way is taken. */
void lower_note_undef(struct lower *l, const LLVMBasicBlockRef *order, uint32_t n)
{
    uint32_t lanes;

    for (uint32_t b = 0; b < n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(order[b]); i; i = LLVMGetNextInstruction(i))
            if ((lanes = undef_of_insn(l, i)))
                table_put(&l->defined, i, ~lanes);
}

bool lower_is_undef(const struct lower *l, LLVMValueRef v, unsigned lane)
{
    return undef_of(l, v) & bit_of(v, lane);
}

uint32_t lower_undef_lanes(const struct lower *l, LLVMValueRef v)
{
    return is_vector(v) ? undef_of(l, v) & all_of(v) : 0;
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
static bool joins_undef_lane(const struct lower *l, LLVMValueRef cast)
{
    LLVMValueRef v = LLVMGetOperand(cast, 0);
    const LLVMTypeRef t = LLVMTypeOf(cast);
    uint64_t undef = 0;

    if (is_vector(cast) || !lower_undef_lanes(l, v))
        return false;
    if (!lower_is_exact_int(t))
        return true; /* as_float(v) */
    const unsigned n = lanes_of(v), width = LLVMGetIntTypeWidth(t) / n;
    if (n == 1)
        return true;
    for (unsigned lane = 0; lane < n; lane++)
        if (lower_is_undef(l, v, lane))
            undef |= (((uint64_t)1 << width) - 1) << lane * width;
    return !is_masked(cast, undef);
}

bool lower_uses_undef_lane(const struct lower *l, LLVMValueRef i)
{
    if (LLVMIsABitCastInst(i))
        return joins_undef_lane(l, i);
    if (is_elementwise(i))
        return false;
    for (unsigned j = 0; j < operands_of(i); j++)
        if (lower_undef_lanes(l, LLVMGetOperand(i, j)))
            return true;
    return false;
}
