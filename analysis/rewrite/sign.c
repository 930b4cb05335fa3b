/* sign.c - whether an integer is signed or unsigned in C: LLVM has one type for both. */
#include "analysis/rewrite/impl.h"
#include "analysis/summary/words.h"

#include <string.h>

enum { UNKNOWN, ASKED, SIGNED, UNSIGNED }; /* struct value.sign */

static bool signed_user(LLVMValueRef user)
{
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMSExt:
    case LLVMSIToFP:
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMAShr:
        return true;
    case LLVMICmp:
        return LLVMGetICmpPredicate(user) >= LLVMIntSGT;
    default:
        return false;
    }
}

/* A shortened number has no sign of its own: is it, or what is computed from it, used as signed? */
static bool used_as_signed(const struct rewrite *r, LLVMValueRef v, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        const uint32_t wraps = table_get(r->wraps, user);
        if (signed_user(user) || (wraps != TABLE_NONE && wraps & SUM_F_NSW))
            return true;
        if (depth && LLVMIsAPHINode(user) && used_as_signed(r, user, depth - 1))
            return true;
    }
    return false;
}

static bool unsigned_operand(struct rewrite *r, LLVMValueRef v)
{
    for (int i = LLVMIsASelectInst(v) ? 1 : 0; i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef o = LLVMGetOperand(v, (unsigned)i);
        if (!LLVMIsAConstant(o))
            return is_unsigned(r, o);
    }
    return false;
}

static bool unsigned_call(LLVMValueRef v)
{
    const struct bi bi = called(v);

    if (is_made_up(v))
        return false;
    if (bi.kind == BI_CONVERT)
        return word_starts(bi.name, "convert_u");
    return bi.kind == BI_WI || bi.kind == BI_ABS || (!bi.is_signed && !bi.is_float) ||
           !strcmp(bi.name, "abs_diff");
}

static bool find_sign(struct rewrite *r, LLVMValueRef v)
{
    const uint32_t wraps = table_get(r->wraps, v);

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return wraps == TABLE_NONE || !(wraps & SUM_F_NSW);
    case LLVMUDiv:
    case LLVMURem:
    case LLVMLShr:
    case LLVMZExt:
    case LLVMFPToUI:
        return true;
    case LLVMLoad:
        return points_to_unsigned(r, LLVMGetOperand(v, 0));
    case LLVMCall:
        return unsigned_call(v);
    case LLVMExtractElement:
        return argument_index(r, LLVMGetOperand(v, 0)) != TABLE_NONE &&
               argument_type(r, argument_index(r, LLVMGetOperand(v, 0)))[0] == 'u';
    case LLVMTrunc:
        return !used_as_signed(r, v, 1) && unsigned_operand(r, v);
    case LLVMPHI:
        return !used_as_signed(r, v, 0) && unsigned_operand(r, v);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect:
    case LLVMFreeze:
        return unsigned_operand(r, v);
    default:
        return false;
    }
}

bool is_unsigned(struct rewrite *r, LLVMValueRef v)
{
    struct value *value = value_of(r, v);
    const unsigned argument = value ? TABLE_NONE : argument_index(r, v);

    if (!value)
        return argument != TABLE_NONE && argument_type(r, argument)[0] == 'u';
    if (value->sign == UNKNOWN) {
        value->sign = ASKED;
        value->sign = find_sign(r, v) ? UNSIGNED : SIGNED;
    }
    return value->sign == UNSIGNED;
}
