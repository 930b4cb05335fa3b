/* lower_insn.c - lowers one LLVM instruction to instructions of the summary. */
#include "analysis/lower/lower_impl.h"
#include "analysis/lower/prepare.h"

#include <stdlib.h>
#include <string.h>
#include <llvm/Config/llvm-config.h>

#define MOST_ZEROS 8 /* or, one in another, whose parts are compared with 0 */

uint32_t lower_body_insn(struct lower *l, struct sum_insn proto, const uint32_t *opnds, uint32_t n)
{
    return emit_insn(&l->em, EMIT_BODY, &proto, opnds, n);
}

static uint32_t callee_index(struct kernel_summary *k, const char *name)
{
    uint32_t i;

    for (i = 0; i < k->ncallees; i++)
        if (!strcmp(k->callees[i], name))
            return i;
    k->callees = must_grow(k->callees, i, sizeof *k->callees);
    k->callees[k->ncallees++] = strdup(name);
    return i;
}

uint32_t lower_refuse(struct lower *l, const char *what, LLVMTypeRef type)
{
    struct sum_insn p = lower_proto(l, SUM_CALL, SUM_C_NONE, type);

    p.imm = callee_index(l->k, what);
    return lower_body_insn(l, p, NULL, 0);
}

/* SUM_PURE with the first `nopnd` operands of `i`, and with what has no value where that may show. */
uint32_t lower_pure(struct lower *l, LLVMValueRef i, enum sum_class cls, uint8_t flags, unsigned nopnd)
{
    struct sum_insn p = lower_proto(l, SUM_PURE, cls, LLVMTypeOf(i));
    uint32_t small[9], *opnds = nopnd <= 8 ? small : must(malloc((nopnd + 1) * sizeof *opnds));

    for (unsigned j = 0; j < nopnd; j++)
        opnds[j] = lower_value(l, LLVMGetOperand(i, j));
    if (lower_uses_undef_lane(l, i))
        opnds[nopnd++] = lower_value(l, LLVMGetUndef(LLVMTypeOf(i)));
    p.flags |= flags;
    uint32_t id = lower_body_insn(l, p, opnds, nopnd);
    if (opnds != small)
        free(opnds);
    return id;
}

uint32_t lower_with_operands(struct lower *l, LLVMValueRef i, struct sum_insn proto, unsigned n)
{
    uint32_t opnds[3];

    for (unsigned j = 0; j < n; j++)
        opnds[j] = lower_value(l, LLVMGetOperand(i, j));
    return lower_body_insn(l, proto, opnds, n);
}

uint32_t lower_binary(struct lower *l, enum sum_op op, LLVMTypeRef type, uint32_t a, uint32_t b)
{
    uint32_t opnds[] = {a, b};

    return lower_body_insn(l, lower_proto(l, op, SUM_C_IADD, type), opnds, 2);
}

/* ---- comparison, selection, casts ------------------------------------------------------------------ */

static const uint8_t preds[] = {[LLVMIntEQ - LLVMIntEQ] = SUM_EQ,   [LLVMIntNE - LLVMIntEQ] = SUM_NE,
                                [LLVMIntUGT - LLVMIntEQ] = SUM_UGT, [LLVMIntUGE - LLVMIntEQ] = SUM_UGE,
                                [LLVMIntULT - LLVMIntEQ] = SUM_ULT, [LLVMIntULE - LLVMIntEQ] = SUM_ULE,
                                [LLVMIntSGT - LLVMIntEQ] = SUM_SGT, [LLVMIntSGE - LLVMIntEQ] = SUM_SGE,
                                [LLVMIntSLT - LLVMIntEQ] = SUM_SLT, [LLVMIntSLE - LLVMIntEQ] = SUM_SLE};

/* ((x | y) & mask) == 0, or != 0, by its parts: what instcombine makes of !(x & mask) && !(y & mask).  Parts
 * that are used elsewhere are taken as a whole, so that each is gone over once. */
static uint32_t lower_zeros(struct lower *l, LLVMValueRef v, LLVMValueRef mask, enum sum_pred pred,
                            unsigned depth)
{
    const LLVMTypeRef t = LLVMTypeOf(v), bit = LLVMInt1TypeInContext(LLVMGetTypeContext(t));
    struct sum_insn compare = lower_proto(l, SUM_ICMP, SUM_C_IADD, bit);
    uint32_t part[2];

    if (depth && ir_is(v, LLVMOr) && ir_only_user(v)) {
        for (unsigned i = 0; i < 2; i++)
            part[i] = lower_zeros(l, LLVMGetOperand(v, i), mask, pred, depth - 1);
        return lower_binary(l, pred == SUM_EQ ? SUM_AND : SUM_OR, bit, part[0], part[1]);
    }
    part[0] = lower_value(l, v);
    if (mask)
        part[0] = lower_binary(l, SUM_AND, t, part[0], lower_value(l, mask));
    part[1] = lower_const_int(l, LLVMGetIntTypeWidth(t), 0);
    compare.sub = pred;
    return lower_body_insn(l, compare, part, 2);
}

/* Is the value compared with 0, and made of several?  Then *mask is what of them counts; NULL: all. */
static bool compares_parts(LLVMValueRef i, LLVMValueRef *v, LLVMValueRef *mask)
{
    *v = LLVMGetOperand(i, 0);
    *mask = NULL;
    if (LLVMGetICmpPredicate(i) > LLVMIntNE || !ir_is_number(LLVMGetOperand(i, 1), 0))
        return false;
    if (ir_is(*v, LLVMAnd) && LLVMIsAConstantInt(LLVMGetOperand(*v, 1))) {
        *mask = LLVMGetOperand(*v, 1);
        *v = LLVMGetOperand(*v, 0);
    }
    return ir_is(*v, LLVMOr);
}

static uint32_t lower_icmp(struct lower *l, LLVMValueRef i)
{
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 0));
    LLVMValueRef v, mask;

    if (!lower_is_exact_int(t) && !ir_is_pointer(t))
        return lower_pure(l, i, SUM_C_IADD, 0, 2);
    if (lower_is_exact_int(t) && compares_parts(i, &v, &mask))
        return lower_zeros(l, v, mask, preds[LLVMGetICmpPredicate(i) - LLVMIntEQ], MOST_ZEROS);
    struct sum_insn p = lower_proto(l, SUM_ICMP, SUM_C_IADD, LLVMTypeOf(i));
    p.sub = preds[LLVMGetICmpPredicate(i) - LLVMIntEQ];
    return lower_with_operands(l, i, p, 2);
}

static uint32_t lower_select(struct lower *l, LLVMValueRef i)
{
    if (!lower_is_exact_int(LLVMTypeOf(LLVMGetOperand(i, 0))))
        return lower_pure(l, i, SUM_C_IADD, 0, 3);
    return lower_with_operands(l, i, lower_proto(l, SUM_SELECT, SUM_C_IADD, LLVMTypeOf(i)), 3);
}

static uint32_t lower_int_cast(struct lower *l, LLVMValueRef i, enum sum_op op)
{
    if (!lower_is_exact_int(LLVMTypeOf(i)) || !lower_is_exact_int(LLVMTypeOf(LLVMGetOperand(i, 0))))
        return lower_pure(l, i, SUM_C_NONE, 0, 1);
    return lower_with_operands(l, i, lower_proto(l, op, SUM_C_NONE, LLVMTypeOf(i)), 1);
}

/* inttoptr(ptrtoint p) keeps its root; any other integer as a pointer has none. */
static uint32_t lower_int_to_ptr(struct lower *l, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);

    if (LLVMIsAPtrToIntInst(from) && LLVMGetIntTypeWidth(LLVMTypeOf(from)) == l->pointer_bits)
        return lower_value(l, LLVMGetOperand(from, 0));
    return lower_pure(l, i, SUM_C_NONE, 0, 1);
}

static uint32_t lower_bitcast(struct lower *l, LLVMValueRef i)
{
    if (ir_is_pointer(LLVMTypeOf(i)))
        return lower_value(l, LLVMGetOperand(i, 0));
    return lower_pure(l, i, SUM_C_NONE, lower_shows_nan(l, i) ? SUM_F_NAN_BITS : 0, 1);
}

/* ---- vectors --------------------------------------------------------------------------------------- */

static uint32_t lower_extract(struct lower *l, LLVMValueRef i)
{
    LLVMValueRef index = LLVMGetOperand(i, 1);

    if (LLVMIsAConstantInt(index))
        return lower_lane_id(l, LLVMGetOperand(i, 0), (unsigned)LLVMConstIntGetZExtValue(index));
    return lower_pure(l, i, SUM_C_IADD, 0, 2);
}

#define MOST_LANES 16

/* The vector into which lanes were inserted one by one to make v. */
static LLVMValueRef vector_base(LLVMValueRef v)
{
    while (LLVMIsAInsertElementInst(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 2)))
        v = LLVMGetOperand(v, 0);
    return v;
}

/* A vector built lane by lane is one SUM_PURE of its lanes: the steps in between vanish as unused.  Those of
 * more lanes than OpenCL's (clang's own vector types) are made step by step.  Lanes that have no value yet
 * are no operands: they show where they are taken out, stored, or used with the others (lower_undef.c). */
static uint32_t lower_vector(struct lower *l, LLVMValueRef i)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(i)), known = 0, used = 0;
    const bool insert = LLVMIsAInsertElementInst(i) != NULL;
    const bool somewhere = insert && !LLVMIsAConstantInt(LLVMGetOperand(i, 2));
    LLVMValueRef base = vector_base(i);
    uint32_t opnds[MOST_LANES + 3];

    for (unsigned lane = 0; lane < n && n <= MOST_LANES; lane++) {
        LLVMValueRef scalar = lower_lane(i, lane);
        known += scalar != NULL;
        if (scalar && !lower_is_undef(l, scalar, 0))
            opnds[used++] = lower_value(l, scalar);
    }
    if (known < n && base != i && n <= MOST_LANES)
        opnds[used++] = lower_value(l, base);
    else if (known < n)
        for (unsigned j = 0; j < (insert ? 3u : 2u); j++)
            if (somewhere || !unset_is(LLVMGetOperand(i, j)))
                opnds[used++] = lower_value(l, LLVMGetOperand(i, j));
    if (!used)
        return lower_value(l, LLVMGetUndef(LLVMTypeOf(i)));
    return lower_body_insn(l, lower_proto(l, SUM_PURE, SUM_C_NONE, LLVMTypeOf(i)), opnds, used);
}

/* ---- memory ---------------------------------------------------------------------------------------- */

static struct sum_insn memory_proto(const struct lower *l, enum sum_op op, LLVMTypeRef result,
                                    LLVMTypeRef value, LLVMValueRef pointer)
{
    struct sum_insn p = lower_proto(l, op, op == SUM_ATOMIC ? SUM_C_ATOMIC : SUM_C_MEM, result);

    p.space = (uint8_t)lower_pointer_space(pointer);
    p.bytes = (uint32_t)LLVMStoreSizeOfType(l->data, value);
    return p;
}

static uint8_t volatile_flag(LLVMValueRef i)
{
    return LLVMGetVolatile(i) ? SUM_F_VOLATILE : 0;
}

static uint32_t lower_load(struct lower *l, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    LLVMTypeRef t = LLVMTypeOf(i);
    bool atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    struct sum_insn p = memory_proto(l, atomic ? SUM_ATOMIC : SUM_LOAD, t, t, pointer);
    uint32_t id = lower_value(l, pointer);

    p.flags |= volatile_flag(i);
    if (atomic)
        p.sub = SUM_AT_LOAD;
    id = lower_body_insn(l, p, &id, 1);
    const uint8_t open = p.space != SUM_PRIVATE ? (lower_is_open_bool(i) ? SUM_F_UNDEF : 0)
                                                : (lower_shows_nan(l, i) ? SUM_F_NAN_BITS : 0) |
                                                      (lower_is_punned(l, i) ? SUM_F_PUNNED : 0);
    if (!open)
        return id;
    p = lower_proto(l, SUM_PURE, SUM_C_NONE, t);
    p.flags |= open;
    return lower_body_insn(l, p, &id, 1);
}

/* Three components lie in memory as four (6.1.5), and what stands in the fourth is the driver's affair: some
 * write something else there where they vectorise. */
static uint32_t lower_store(struct lower *l, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
    bool atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    LLVMTypeRef none = LLVMVoidTypeInContext(LLVMGetModuleContext(l->module));
    struct sum_insn p = memory_proto(l, atomic ? SUM_ATOMIC : SUM_STORE, none, LLVMTypeOf(value), pointer);
    uint32_t opnds[2];

    /* A variable that has stayed in memory is treated as arrays are: what is read there counts as written. */
    if (p.space == SUM_PRIVATE && (unset_is(value) || unset_is_gap(value)))
        return EMIT_NONE;
    opnds[0] = lower_value(l, pointer);
    opnds[1] = lower_value(l, value);
    p.flags |= volatile_flag(i) | (lower_undef_lanes(l, value) ? SUM_F_GAPS : 0) |
               (prepare_lost_store(l->function) ? SUM_F_LAST : 0);
    p.lanes = (uint8_t)lower_lanes(LLVMTypeOf(value));
    if (atomic) {
        p.sub = SUM_AT_STORE;
        p.flags |= SUM_F_UNUSED;
    }
    return lower_body_insn(l, p, opnds, 2);
}

static const uint8_t rmw_ops[] = {
    [LLVMAtomicRMWBinOpXchg] = SUM_AT_XCHG,  [LLVMAtomicRMWBinOpAdd] = SUM_AT_ADD,
    [LLVMAtomicRMWBinOpSub] = SUM_AT_SUB,    [LLVMAtomicRMWBinOpAnd] = SUM_AT_AND,
    [LLVMAtomicRMWBinOpNand] = SUM_AT_OTHER, [LLVMAtomicRMWBinOpOr] = SUM_AT_OR,
    [LLVMAtomicRMWBinOpXor] = SUM_AT_XOR,    [LLVMAtomicRMWBinOpMax] = SUM_AT_MAX,
    [LLVMAtomicRMWBinOpMin] = SUM_AT_MIN,    [LLVMAtomicRMWBinOpUMax] = SUM_AT_MAX,
    [LLVMAtomicRMWBinOpUMin] = SUM_AT_MIN};

static uint32_t lower_atomic(struct lower *l, LLVMValueRef i)
{
    bool rmw = LLVMIsAAtomicRMWInst(i) != NULL;
    unsigned n = rmw ? 2 : 3, op = rmw ? (unsigned)LLVMGetAtomicRMWBinOp(i) : 0;
    LLVMValueRef value = LLVMGetOperand(i, 1);
    struct sum_insn p = memory_proto(l, SUM_ATOMIC, LLVMTypeOf(i), LLVMTypeOf(value), LLVMGetOperand(i, 0));

    p.sub = !rmw ? SUM_AT_CMPXCHG : op < sizeof rmw_ops ? rmw_ops[op] : SUM_AT_OTHER;
    if (rmw && (op == LLVMAtomicRMWBinOpUMax || op == LLVMAtomicRMWBinOpUMin))
        p.flags |= SUM_F_UNSIGNED;
    p.flags |= volatile_flag(i) | (LLVMGetFirstUse(i) ? 0 : SUM_F_UNUSED);
    return lower_with_operands(l, i, p, n);
}

static uint32_t lower_alloca(struct lower *l, LLVMValueRef i)
{
    LLVMValueRef count = LLVMGetOperand(i, 0);
    struct sum_insn leaf = lower_proto(l, SUM_ALLOCA, SUM_C_NONE, LLVMTypeOf(i));
    uint64_t n = LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
    uint64_t bytes = n * LLVMABISizeOfType(l->data, LLVMGetAllocatedType(i));

    if (!n || bytes > INT32_MAX)
        return lower_refuse(l, "variable-length array", LLVMTypeOf(i));
    leaf.imm = (int64_t)bytes;
    return emit_leaf(&l->em, &leaf);
}

/* ---- control flow ---------------------------------------------------------------------------------- */

static uint32_t block_of(const struct lower *l, LLVMBasicBlockRef b)
{
    return table_get(l->blocks, b);
}

/* Operands: (predecessor, value) pairs, one per distinct reachable predecessor; values are filled in by
 * lower.c when all blocks are done. */
static uint32_t lower_phi(struct lower *l, LLVMValueRef i)
{
    unsigned n = LLVMCountIncoming(i), used = 0;
    uint32_t *opnds = must_calloc(2 * n, sizeof *opnds);

    for (unsigned j = 0; j < n; j++) {
        uint32_t b = block_of(l, LLVMGetIncomingBlock(i, j));
        bool seen = b == EMIT_NONE;
        for (unsigned m = 0; m < used && !seen; m++)
            seen = opnds[2 * m] == b;
        if (!seen)
            opnds[2 * used++] = b;
    }
    const uint32_t id =
        lower_body_insn(l, lower_proto(l, SUM_PHI, SUM_C_NONE, LLVMTypeOf(i)), opnds, 2 * used);
    free(opnds);
    return id;
}

static uint32_t lower_br(struct lower *l, LLVMValueRef i)
{
    struct sum_insn p = {.op = SUM_BR, .lanes = 1, .line = l->line};
    uint32_t opnds[3] = {block_of(l, LLVMGetSuccessor(i, 0))};

    if (!LLVMIsConditional(i) || LLVMGetSuccessor(i, 0) == LLVMGetSuccessor(i, 1))
        return lower_body_insn(l, p, opnds, 1);
    p.op = SUM_CONDBR;
    p.cls = SUM_C_BRANCH;
    opnds[0] = lower_value(l, LLVMGetCondition(i));
    opnds[1] = block_of(l, LLVMGetSuccessor(i, 0));
    opnds[2] = block_of(l, LLVMGetSuccessor(i, 1));
    return lower_body_insn(l, p, opnds, 3);
}

/* The value that leads to successor `j`, which is not the default. */
static LLVMValueRef case_value(LLVMValueRef i, unsigned j)
{
#if LLVM_VERSION_MAJOR >= 22
    return LLVMGetSwitchCaseValue(i, j);
#else
    return LLVMGetOperand(i, 2 * j);
#endif
}

static uint32_t lower_switch(struct lower *l, LLVMValueRef i)
{
    struct sum_insn p = {.op = SUM_SWITCH, .cls = SUM_C_BRANCH, .lanes = 1, .line = l->line};
    unsigned n = LLVMGetNumSuccessors(i);
    uint32_t *opnds = must_calloc(2 * n, sizeof *opnds);

    opnds[0] = lower_value(l, LLVMGetOperand(i, 0));
    for (unsigned j = 0; j < n; j++) {
        if (j)
            opnds[2 * j] = lower_value(l, case_value(i, j));
        opnds[2 * j + 1] = block_of(l, LLVMGetSuccessor(i, j));
    }
    const uint32_t id = lower_body_insn(l, p, opnds, 2 * n);
    free(opnds);
    return id;
}

static uint32_t lower_fence(struct lower *l, LLVMValueRef i)
{
    (void)i;
    return lower_body_insn(l, (struct sum_insn){.op = SUM_FENCE, .lanes = 1, .line = l->line}, NULL, 0);
}

static uint32_t lower_place(struct lower *l, LLVMValueRef i)
{
    return ir_is_pointer(LLVMTypeOf(i)) ? lower_gep(l, i, EMIT_BODY)
                                        : lower_refuse(l, "vector of pointers", LLVMTypeOf(i));
}

static uint32_t lower_to_integer(struct lower *l, LLVMValueRef i)
{
    return lower_convert(l, i, 0, LLVMIsAFPToSIInst(i), "");
}

static uint32_t lower_resized(struct lower *l, LLVMValueRef i)
{
    return lower_int_cast(l, i, LLVMIsATruncInst(i) ? SUM_TRUNC : LLVMIsAZExtInst(i) ? SUM_ZEXT : SUM_SEXT);
}

static uint32_t lower_conversion(struct lower *l, LLVMValueRef i)
{
    return lower_pure(l, i, SUM_C_CONV, 0, 1);
}

static uint32_t lower_free(struct lower *l, LLVMValueRef i)
{
    return lower_pure(l, i, SUM_C_NONE, 0, (unsigned)LLVMGetNumOperands(i));
}

static uint32_t lower_fcmp(struct lower *l, LLVMValueRef i)
{
    return lower_pure(l, i, lower_class(SUM_C_FADD, LLVMTypeOf(LLVMGetOperand(i, 0))), 0, 2);
}

static uint32_t lower_freeze(struct lower *l, LLVMValueRef i)
{
    return lower_value(l, LLVMGetOperand(i, 0));
}

/* What lower_arith() does not do. */
static uint32_t (*const lowerers[])(struct lower *l, LLVMValueRef i) = {
    [LLVMLoad] = lower_load,
    [LLVMStore] = lower_store,
    [LLVMAtomicRMW] = lower_atomic,
    [LLVMAtomicCmpXchg] = lower_atomic,
    [LLVMFence] = lower_fence,
    [LLVMAlloca] = lower_alloca,
    [LLVMGetElementPtr] = lower_place,
    [LLVMTrunc] = lower_resized,
    [LLVMZExt] = lower_resized,
    [LLVMSExt] = lower_resized,
    [LLVMPtrToInt] = lower_free,
    [LLVMIntToPtr] = lower_int_to_ptr,
    [LLVMBitCast] = lower_bitcast,
    [LLVMAddrSpaceCast] = lower_bitcast,
    [LLVMFPToUI] = lower_to_integer,
    [LLVMFPToSI] = lower_to_integer,
    [LLVMUIToFP] = lower_conversion,
    [LLVMSIToFP] = lower_conversion,
    [LLVMFPTrunc] = lower_conversion,
    [LLVMFPExt] = lower_conversion,
    [LLVMICmp] = lower_icmp,
    [LLVMFCmp] = lower_fcmp,
    [LLVMSelect] = lower_select,
    [LLVMFreeze] = lower_freeze,
    [LLVMExtractElement] = lower_extract,
    [LLVMInsertElement] = lower_vector,
    [LLVMShuffleVector] = lower_vector,
    [LLVMExtractValue] = lower_free,
    [LLVMInsertValue] = lower_free,
    [LLVMPHI] = lower_phi,
    [LLVMBr] = lower_br,
    [LLVMSwitch] = lower_switch,
    [LLVMCall] = lower_call,
};

/* Terminators without a counterpart (indirectbr, callbr, ...) cannot come from OpenCL C. */
static uint32_t lower_other(struct lower *l, LLVMValueRef i, LLVMOpcode op)
{
    struct sum_insn ret = {.op = SUM_RET, .lanes = 1, .line = l->line};

    if (!LLVMIsATerminatorInst(i))
        return lower_refuse(l, "instruction", LLVMTypeOf(i));
    if (op != LLVMRet && op != LLVMUnreachable)
        lower_refuse(l, "terminator", LLVMVoidTypeInContext(LLVMGetModuleContext(l->module)));
    return lower_body_insn(l, ret, NULL, 0);
}

void lower_insn(struct lower *l, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    unsigned line = LLVMGetDebugLocLine(i);

    if (line)
        l->line = line;
    uint32_t id = lower_arith(l, i, op);
    if (id == EMIT_NONE && op < sizeof lowerers / sizeof *lowerers && lowerers[op])
        id = lowerers[op](l, i);
    else if (id == EMIT_NONE)
        id = lower_other(l, i, op);
    if (id != EMIT_NONE)
        table_put(&l->values, i, id);
}
