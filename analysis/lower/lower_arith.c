/* lower_arith.c - lowers arithmetic; what instcombine has rewritten becomes again what the source said, which
 * the polynomials of affine.h can follow. */
#include "analysis/lower/lower_impl.h"

#include <stdlib.h>

static const struct arith {
    LLVMOpcode opcode;
    uint8_t op; /* for scalar integers; SUM_PURE: never exact */
    uint8_t cls;
} ariths[] = {
    {LLVMAdd, SUM_ADD, SUM_C_IADD},   {LLVMSub, SUM_SUB, SUM_C_IADD},   {LLVMMul, SUM_MUL, SUM_C_IMUL},
    {LLVMUDiv, SUM_UDIV, SUM_C_IDIV}, {LLVMSDiv, SUM_SDIV, SUM_C_IDIV}, {LLVMURem, SUM_UREM, SUM_C_IDIV},
    {LLVMSRem, SUM_SREM, SUM_C_IDIV}, {LLVMShl, SUM_SHL, SUM_C_IADD},   {LLVMLShr, SUM_LSHR, SUM_C_IADD},
    {LLVMAShr, SUM_ASHR, SUM_C_IADD}, {LLVMAnd, SUM_AND, SUM_C_IADD},   {LLVMOr, SUM_OR, SUM_C_IADD},
    {LLVMXor, SUM_XOR, SUM_C_IADD},   {LLVMFAdd, SUM_PURE, SUM_C_FADD}, {LLVMFSub, SUM_PURE, SUM_C_FADD},
    {LLVMFMul, SUM_PURE, SUM_C_FMUL}, {LLVMFDiv, SUM_PURE, SUM_C_FDIV}, {LLVMFRem, SUM_PURE, SUM_C_SPECIAL},
    {LLVMFNeg, SUM_PURE, SUM_C_FADD},
};

static const struct arith *find_arith(LLVMOpcode opcode)
{
    for (size_t i = 0; i < sizeof ariths / sizeof *ariths; i++)
        if (ariths[i].opcode == opcode)
            return &ariths[i];
    return NULL;
}

enum sum_class lower_class(enum sum_class cls, LLVMTypeRef t)
{
    return LLVMGetTypeKind(ir_element(t)) == LLVMDoubleTypeKind ? bi_double_class(cls) : cls;
}

/* The low `width` bits of `from`, extended and shifted: to the left by `left`, to the right where that is
 * negative. */
struct field {
    LLVMValueRef from;
    unsigned width;
    int left;
};

/* The amount of a shift by a constant; the width of its type for all else. */
static unsigned shifted_by(LLVMValueRef v, LLVMOpcode shift)
{
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(v));

    if (!ir_is(v, shift) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return width;
    const uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    return n < width ? (unsigned)n : width;
}

/* instcombine spells sext(trunc x) << n as ashr(shl x, c), c - n and zext(trunc x) << n as and (shl x, n),
 * mask: what becomes of vload4(i, p) where i is an int.  False: `i` is neither. */
static bool is_field(LLVMValueRef i, struct field *f)
{
    const LLVMValueRef x = LLVMGetOperand(i, 0), c = LLVMGetOperand(i, 1);
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(i));
    unsigned up = shifted_by(x, LLVMShl), down = shifted_by(i, LLVMAShr);

    if (ir_is(i, LLVMAShr) && up < width && down < width) {
        *f = (struct field){LLVMGetOperand(x, 0), width - up, (int)up - (int)down};
    } else if (ir_is(i, LLVMAnd) && LLVMIsAConstantInt(c)) {
        up = up < width ? up : 0;
        const uint64_t mask = LLVMConstIntGetZExtValue(c) >> up;
        *f = (struct field){up ? LLVMGetOperand(x, 0) : x,
                            mask == UINT8_MAX    ? 8
                            : mask == UINT16_MAX ? 16
                            : mask == UINT32_MAX ? 32
                                                 : 0,
                            (int)up};
    } else {
        return false;
    }
    return (f->width == 8 || f->width == 16 || f->width == 32) && f->width < width;
}

static uint32_t lower_field(struct lower *l, LLVMValueRef i)
{
    const bool is_signed = ir_is(i, LLVMAShr);
    const LLVMTypeRef t = LLVMTypeOf(i);
    struct field f;

    if (!is_field(i, &f))
        return EMIT_NONE;
    uint32_t id = lower_value(l, f.from);
    struct sum_insn trunc = lower_proto(l, SUM_TRUNC, SUM_C_NONE, t);
    trunc.bits = (uint8_t)f.width;
    id = lower_body_insn(l, trunc, &id, 1);
    id = lower_body_insn(l, lower_proto(l, is_signed ? SUM_SEXT : SUM_ZEXT, SUM_C_NONE, t), &id, 1);
    if (f.left) {
        struct sum_insn shift = lower_proto(l, f.left > 0 ? SUM_SHL : SUM_ASHR, SUM_C_NONE, t);
        uint32_t opnds[] = {id, lower_const_int(l, LLVMGetIntTypeWidth(t), abs(f.left))};
        if (f.left > 0) /* the field and the zeros behind it are no wider than the whole */
            shift.flags |= is_signed ? SUM_F_NSW : SUM_F_NUW;
        id = lower_body_insn(l, shift, opnds, 2);
    }
    return id;
}

/* The lowest bit of x ^ y is that of x + y, of which more is known. */
static uint32_t lower_parity(struct lower *l, LLVMValueRef i)
{
    const LLVMValueRef x = LLVMGetOperand(i, 0);
    const LLVMTypeRef t = LLVMTypeOf(i);

    if (!ir_is(i, LLVMAnd) || !ir_is_number(LLVMGetOperand(i, 1), 1) || !ir_is(x, LLVMXor) ||
        LLVMIsAConstant(LLVMGetOperand(x, 1)))
        return EMIT_NONE;
    const uint32_t sum = lower_binary(l, SUM_ADD, t, lower_value(l, LLVMGetOperand(x, 0)),
                                      lower_value(l, LLVMGetOperand(x, 1)));
    return lower_binary(l, SUM_AND, t, sum, lower_const_int(l, LLVMGetIntTypeWidth(t), 1));
}

static bool is_fusable_product(LLVMValueRef v)
{
    return ir_is(v, LLVMFMul) && ir_only_user(v);
}

/* With -cl-mad-enable an fmul whose only use is an fadd costs nothing and the fadd
 * costs an fma ([C] Table 2). */
static enum sum_class fused_class(const struct lower *l, LLVMValueRef i, enum sum_class cls)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);

    if (!l->options->fuse_fma)
        return cls;
    if (op == LLVMFAdd || op == LLVMFSub)
        return is_fusable_product(LLVMGetOperand(i, 0)) || is_fusable_product(LLVMGetOperand(i, 1))
                   ? SUM_C_FMA
                   : cls;
    if (op == LLVMFMul && is_fusable_product(i)) {
        LLVMValueRef user = ir_only_user(i);
        bool sum = ir_is(user, LLVMFAdd) || ir_is(user, LLVMFSub);
        bool other = sum && LLVMGetOperand(user, 0) != i &&
                     is_fusable_product(LLVMGetOperand(user, 0)); /* one product per sum */
        return sum && !other ? SUM_C_NONE : cls;
    }
    return cls;
}

static uint32_t emit_arith(struct lower *l, LLVMValueRef i, const struct arith *a)
{
    LLVMTypeRef t = LLVMTypeOf(i);
    const enum sum_op op = a->op;
    const uint32_t flags = table_get(l->flags, i);

    if (op == SUM_PURE || !lower_is_exact_int(t)) {
        enum sum_class cls = lower_class(fused_class(l, i, a->cls), t);
        uint8_t more = a->opcode == LLVMFRem ? SUM_F_ROUNDS : 0;
        if (a->opcode == LLVMFDiv && lower_divides_by_zero(LLVMGetOperand(i, 1)))
            more = SUM_F_BY_ZERO;
        return lower_pure(l, i, cls, more, (unsigned)LLVMGetNumOperands(i));
    }
    uint32_t field = op == SUM_AND || op == SUM_ASHR ? lower_field(l, i) : EMIT_NONE;
    field = field == EMIT_NONE ? lower_parity(l, i) : field;
    if (field != EMIT_NONE)
        return field;
    const bool is_sum = flags != EMIT_NONE && flags & SUM_F_APART && LLVMGetIntTypeWidth(t) > 1;
    struct sum_insn p = lower_proto(l, is_sum ? SUM_ADD : op, a->cls, t);
    if (flags != EMIT_NONE && p.op != SUM_OR)
        p.flags |= (uint8_t)flags;
    return lower_with_operands(l, i, p, 2);
}

uint32_t lower_arith(struct lower *l, LLVMValueRef i, LLVMOpcode op)
{
    const struct arith *a = find_arith(op);

    return a ? emit_arith(l, i, a) : EMIT_NONE;
}
