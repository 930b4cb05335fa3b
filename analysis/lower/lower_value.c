/* lower_value.c - operands: constants, constant expressions, address arithmetic and vector lanes. */
#include "analysis/lower/lower_impl.h"
#include "analysis/lower/prepare.h"

#include <string.h>

/* OpenCL's vector lengths; what LLVM makes in between counts as the next longer one. */
unsigned lower_lanes(LLVMTypeRef t)
{
    const unsigned n = ir_length(t);

    return n <= 4 ? n : n <= 8 ? 8 : 16;
}

bool lower_is_exact_int(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64;
}

static unsigned element_bits(const struct lower *l, LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t) < 64 ? LLVMGetIntTypeWidth(t) : 64;
    case LLVMHalfTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMVoidTypeKind:
        return 0;
    case LLVMPointerTypeKind:
        return l->pointer_bits;
    default:
        return 64;
    }
}

static bool is_float(LLVMTypeRef t)
{
    LLVMTypeKind k = LLVMGetTypeKind(t);

    return k == LLVMHalfTypeKind || k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind;
}

struct sum_insn lower_proto(const struct lower *l, enum sum_op op, enum sum_class cls, LLVMTypeRef type)
{
    LLVMTypeRef e = ir_element(type);

    return (struct sum_insn){.op = (uint8_t)op,
                             .cls = (uint8_t)cls,
                             .bits = (uint8_t)element_bits(l, e),
                             .lanes = (uint8_t)lower_lanes(type),
                             .space = ir_is_pointer(e) ? (uint8_t)lower_space(e) : SUM_PRIVATE,
                             .flags = is_float(e) ? SUM_F_FLOAT : 0,
                             .line = l->line};
}

enum sum_space lower_space(LLVMTypeRef pointer)
{
    switch (LLVMGetPointerAddressSpace(pointer)) {
    case 0:
        return SUM_PRIVATE;
    case 1:
        return SUM_GLOBAL;
    case 2:
        return SUM_CONSTANT;
    case 3:
        return SUM_LOCAL;
    default:
        return SUM_GENERIC;
    }
}

static bool is_opcode(LLVMValueRef v, LLVMOpcode op)
{
    return ir_is(v, op) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == op);
}

enum sum_space lower_pointer_space(LLVMValueRef p)
{
    enum sum_space s = lower_space(LLVMTypeOf(p));

    while (s == SUM_GENERIC && (is_opcode(p, LLVMAddrSpaceCast) || is_opcode(p, LLVMBitCast) ||
                                is_opcode(p, LLVMGetElementPtr))) {
        p = LLVMGetOperand(p, 0);
        s = lower_space(LLVMTypeOf(p));
    }
    return s;
}

uint32_t lower_const_int(struct lower *l, unsigned bits, int64_t value)
{
    struct sum_insn c = {.op = SUM_CONST, .bits = (uint8_t)bits, .lanes = 1, .imm = value};

    return emit_leaf(&l->em, &c);
}

/* ---- lanes ----------------------------------------------------------------------------------------- */

static LLVMValueRef lane_of_shuffle(LLVMValueRef v, unsigned *lane)
{
    int m = LLVMGetMaskValue(v, *lane);
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0)));

    if (m < 0)
        return LLVMGetUndef(LLVMTypeOf(v));
    *lane = (unsigned)m < n ? (unsigned)m : (unsigned)m - n;
    return LLVMGetOperand(v, (unsigned)m < n ? 0 : 1);
}

LLVMValueRef lower_lane(LLVMValueRef v, unsigned lane)
{
    for (;;) {
        if (LLVMIsAInsertElementInst(v)) {
            LLVMValueRef index = LLVMGetOperand(v, 2);
            if (!LLVMIsAConstantInt(index))
                return NULL;
            if (LLVMConstIntGetZExtValue(index) == lane)
                return LLVMGetOperand(v, 1);
            v = LLVMGetOperand(v, 0);
        } else if (LLVMIsAShuffleVectorInst(v)) {
            v = lane_of_shuffle(v, &lane);
        } else if (unset_is(v)) {
            return LLVMGetUndef(ir_element(LLVMTypeOf(v)));
        } else if (LLVMIsAConstant(v) && !LLVMIsAConstantExpr(v)) {
            return LLVMGetAggregateElement(v, lane);
        } else {
            return NULL;
        }
    }
}

/* One integer component of the vector argument that leaf `id` is, as a leaf of its own: the launch knows it.
 * Vectors lie in memory as arrays do (6.1.2; three components as four). */
static uint32_t argument_part(struct lower *l, LLVMTypeRef element, uint32_t id, unsigned lane)
{
    struct sum_insn leaf = lower_proto(l, SUM_ARG, SUM_C_NONE, element);

    leaf.imm = emit_get(&l->em, id)->imm;
    leaf.flags |= SUM_F_PART;
    leaf.bytes = lane * (leaf.bits / 8u);
    leaf.line = 0;
    return emit_leaf(&l->em, &leaf);
}

uint32_t lower_lane_id(struct lower *l, LLVMValueRef vector, unsigned lane)
{
    LLVMValueRef scalar = lower_lane(vector, lane);
    uint32_t id;

    if (scalar)
        return lower_value(l, scalar);
    id = lower_value(l, vector);
    LLVMTypeRef element = ir_element(LLVMTypeOf(vector));
    if (LLVMIsAArgument(vector) && emit_get(&l->em, id)->op == SUM_ARG && lower_is_exact_int(element) &&
        LLVMGetIntTypeWidth(element) % 8 == 0)
        return argument_part(l, element, id, lane);
    const bool undef = lower_is_undef(l, vector, lane);
    uint32_t opnds[] = {id, undef ? lower_value(l, LLVMGetUndef(element)) : EMIT_NONE};
    return lower_body_insn(l, lower_proto(l, SUM_PURE, SUM_C_NONE, element), opnds, undef ? 2 : 1);
}

/* ---- address arithmetic ---------------------------------------------------------------------------- */

struct address {
    struct lower *l;
    enum emit_stream stream;
    uint8_t flags;     /* SUM_F_NSW for inbounds */
    uint32_t variable; /* sum of the variable parts, EMIT_NONE when there is none */
    int64_t constant;
};

static uint32_t address_op(const struct address *a, enum sum_op op, uint32_t x, uint32_t y)
{
    uint32_t opnds[] = {x, y};
    struct sum_insn p = {.op = (uint8_t)op,
                         .bits = (uint8_t)a->l->pointer_bits,
                         .lanes = 1,
                         .flags = op == SUM_SEXT || op == SUM_TRUNC ? 0 : a->flags,
                         .line = a->l->line};

    return emit_insn(&a->l->em, a->stream, &p, opnds, y == EMIT_NONE ? 1 : 2);
}

static void address_index(struct address *a, LLVMValueRef index, int64_t stride)
{
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
    uint32_t id;

    if (LLVMIsAConstantInt(index)) {
        /* unsigned: wraps as the address does */
        a->constant =
            (int64_t)((uint64_t)a->constant + (uint64_t)LLVMConstIntGetSExtValue(index) * (uint64_t)stride);
        return;
    }
    id = lower_value(a->l, index);
    if (bits != a->l->pointer_bits)
        id = address_op(a, bits < a->l->pointer_bits ? SUM_SEXT : SUM_TRUNC, id, EMIT_NONE);
    if (stride != 1)
        id = address_op(a, SUM_MUL, id, lower_const_int(a->l, a->l->pointer_bits, stride));
    a->variable = a->variable == EMIT_NONE ? id : address_op(a, SUM_ADD, a->variable, id);
}

static void address_indices(struct address *a, LLVMValueRef gep)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    int n = LLVMGetNumOperands(gep);

    for (int i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            a->constant += (int64_t)LLVMOffsetOfElement(a->l->data, t, field);
            t = LLVMStructGetTypeAtIndex(t, field);
            continue;
        }
        if (i > 1)
            t = LLVMGetElementType(t);
        address_index(a, index, (int64_t)LLVMABISizeOfType(a->l->data, t));
    }
}

/* The id of a getelementptr (instruction or constant expression): PTRADD(base, offset). */
uint32_t lower_gep(struct lower *l, LLVMValueRef gep, enum emit_stream s)
{
    struct address a = {l, s, LLVMIsInBounds(gep) ? SUM_F_NSW : 0, EMIT_NONE, 0};
    uint32_t opnds[2] = {lower_value(l, LLVMGetOperand(gep, 0)), EMIT_NONE};
    struct sum_insn p = lower_proto(l, SUM_PTRADD, SUM_C_NONE, LLVMTypeOf(gep));

    address_indices(&a, gep);
    if (a.variable == EMIT_NONE && a.constant == 0)
        return opnds[0];
    if (a.variable == EMIT_NONE)
        opnds[1] = lower_const_int(l, l->pointer_bits, a.constant);
    else if (a.constant)
        opnds[1] = address_op(&a, SUM_ADD, a.variable, lower_const_int(l, l->pointer_bits, a.constant));
    else
        opnds[1] = a.variable;
    if (l->pointer_bits < 64) {
        struct sum_insn wide = {.op = SUM_SEXT, .bits = 64, .lanes = 1, .line = l->line};
        opnds[1] = emit_insn(&l->em, s, &wide, &opnds[1], 1);
    }
    return emit_insn(&l->em, s, &p, opnds, 2);
}

/* ---- constants ------------------------------------------------------------------------------------- */

static uint32_t lower_global(struct lower *l, LLVMValueRef g)
{
    struct kernel_summary *k = l->k;
    LLVMTypeRef type = LLVMGlobalGetValueType(g);
    struct sum_insn leaf = lower_proto(l, SUM_VAR, SUM_C_NONE, LLVMTypeOf(g));

    if (leaf.space == SUM_PRIVATE || leaf.space == SUM_GENERIC)
        leaf.space = LLVMIsGlobalConstant(g) ? SUM_CONSTANT : SUM_GLOBAL;
    k->vars = must_grow(k->vars, k->nvars, sizeof *k->vars);
    k->vars[k->nvars] = (struct sum_var){strdup(ir_name(g)), leaf.space, LLVMABISizeOfType(l->data, type)};
    if (leaf.space == SUM_LOCAL)
        k->local_bytes += k->vars[k->nvars].bytes;
    leaf.imm = k->nvars++;
    leaf.line = 0;
    return emit_leaf(&l->em, &leaf);
}

static uint32_t lower_const_expr(struct lower *l, LLVMValueRef v)
{
    const unsigned n = (unsigned)LLVMGetNumOperands(v);
    uint32_t opnds[3];

    switch (LLVMGetConstOpcode(v)) {
    case LLVMGetElementPtr:
        return lower_gep(l, v, EMIT_PRELUDE);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        if (ir_is_pointer(LLVMTypeOf(v)) && ir_is_pointer(LLVMTypeOf(LLVMGetOperand(v, 0))))
            return lower_value(l, LLVMGetOperand(v, 0));
        break;
    default:
        break;
    }
    if (n > sizeof opnds / sizeof *opnds)
        return lower_refuse(l, "constant expression", LLVMTypeOf(v));
    for (unsigned i = 0; i < n; i++)
        opnds[i] = lower_value(l, LLVMGetOperand(v, i));
    struct sum_insn p = lower_proto(l, SUM_PURE, SUM_C_NONE, LLVMTypeOf(v));
    return emit_insn(&l->em, EMIT_PRELUDE, &p, opnds, n);
}

static uint32_t lower_constant(struct lower *l, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);

    if (LLVMIsAConstantInt(v) && lower_is_exact_int(t))
        return lower_const_int(l, LLVMGetIntTypeWidth(t), LLVMConstIntGetSExtValue(v));
    if (LLVMIsAConstantPointerNull(v))
        return lower_const_int(l, l->pointer_bits, 0);
    if (LLVMIsAGlobalVariable(v))
        return lower_global(l, v);
    if (LLVMIsAConstantExpr(v))
        return lower_const_expr(l, v);
    struct sum_insn leaf = lower_proto(l, SUM_OPAQUE, SUM_C_NONE, t);
    leaf.flags |= LLVMIsUndef(v) ? SUM_F_UNDEF : 0;
    leaf.line = 0;
    return emit_leaf(&l->em, &leaf);
}

uint32_t lower_value(struct lower *l, LLVMValueRef v)
{
    uint32_t id = table_get(l->values, v);

    if (id != EMIT_NONE)
        return id;
    /* Blocks come in reverse post order, so an operand without an id is something odd: refuse the kernel. */
    if (!LLVMIsAConstant(v))
        return lower_refuse(l, "unknown operand", LLVMTypeOf(v));
    id = lower_constant(l, v);
    table_put(&l->values, v, id);
    return id;
}
