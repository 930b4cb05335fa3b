/* lower_call.c - calls of LLVM intrinsics and OpenCL built-ins.  A call that is not understood becomes
 * SUM_CALL, so the kernel is refused. */
#include "analysis/lower/prepare.h"
#include "analysis/lower/lower_impl.h"
#include "analysis/summary/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LLVMTypeRef void_type(const struct lower *l)
{
    return LLVMVoidTypeInContext(LLVMGetModuleContext(l->module));
}

static uint32_t arg_id(struct lower *l, LLVMValueRef call, unsigned i)
{
    return lower_value(l, LLVMGetOperand(call, i));
}

static bool has_double(LLVMValueRef call)
{
    LLVMTypeRef t = LLVMTypeOf(call);

    if (LLVMGetNumArgOperands(call))
        t = LLVMTypeOf(LLVMGetOperand(call, 0));
    return LLVMGetTypeKind(ir_element(t)) == LLVMDoubleTypeKind;
}

/* A function of its arguments. */
static uint32_t pure(struct lower *l, LLVMValueRef call, enum sum_class cls, uint8_t flags)
{
    if (has_double(call))
        cls = bi_double_class(cls);
    flags |= lower_shows_nan(l, call) ? SUM_F_NAN_BITS : 0;
    return lower_pure(l, call, cls, flags, LLVMGetNumArgOperands(call));
}

/* ---- intrinsics ------------------------------------------------------------------------------------ */

enum treatment { DROP, ASSUME, PURE, ZEROS, MIN_MAX, ABS, FORWARD, COPY, SET };

static const struct {
    const char *prefixes; /* behind "llvm.", up to the type suffix */
    uint8_t treatment, cls, op;
} intrinsics[] = {
    {"dbg. lifetime. experimental.noalias.scope.decl donothing", DROP, 0, 0},
    {"assume", ASSUME, 0, 0},
    {"smin.", MIN_MAX, SUM_C_IADD, SUM_SMIN},
    {"smax.", MIN_MAX, SUM_C_IADD, SUM_SMAX},
    {"umin.", MIN_MAX, SUM_C_IADD, SUM_UMIN},
    {"umax.", MIN_MAX, SUM_C_IADD, SUM_UMAX},
    {"abs.", ABS, SUM_C_IADD, 0},
    {"expect.", FORWARD, 0, 0},
    {"memcpy. memmove.", COPY, 0, 0},
    {"memset.", SET, 0, 0},
    {"fmuladd. fma.", PURE, SUM_C_FMA, 0},
    {"sqrt.", PURE, SUM_C_SQRT, 0},
    {"fabs. copysign. minnum. maxnum. minimum. maximum. floor. ceil. trunc. rint. round nearbyint. "
     "canonicalize.",
     PURE, SUM_C_FADD, 0},
    {"pow. powi. exp. exp2. exp10. log. log2. log10. sin. cos. ldexp.", PURE, SUM_C_SPECIAL, 0},
    {"ctlz. cttz.", ZEROS, SUM_C_IADD, 0},
    {"is.fpclass. fshl. fshr. ctpop. bswap. bitreverse. scmp. ucmp. sadd. uadd. ssub. usub. vector.reduce.",
     PURE, SUM_C_IADD, 0},
    {"smul. umul.", PURE, SUM_C_IMUL, 0},
    {"fptosi.sat. fptoui.sat.", PURE, SUM_C_CONV, 0},
};

static uint32_t min_max(struct lower *l, LLVMValueRef call, enum sum_op op)
{
    if (!lower_is_exact_int(LLVMTypeOf(call)))
        return pure(l, call, SUM_C_IADD, 0);
    return lower_binary(l, op, LLVMTypeOf(call), arg_id(l, call, 0), arg_id(l, call, 1));
}

/* How many zeros there are at an end.  Of 0, where __builtin_ctz() and the like are meant, code for vectors
 * and for single work-items count differently. */
static uint32_t count_zeros(struct lower *l, LLVMValueRef call)
{
    const bool not_of_zero = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)) != 0;

    return pure(l, call, SUM_C_IADD, not_of_zero ? SUM_F_NONZERO : 0);
}

/* |x| = smax(x, 0 - x), also for the smallest integer, which OpenCL's and LLVM's abs map to itself. */
static uint32_t absolute(struct lower *l, LLVMValueRef call)
{
    LLVMTypeRef t = LLVMTypeOf(call);

    if (!lower_is_exact_int(t))
        return pure(l, call, SUM_C_IADD, 0);
    uint32_t x = arg_id(l, call, 0), zero = lower_const_int(l, LLVMGetIntTypeWidth(t), 0);
    return lower_binary(l, SUM_SMAX, t, x, lower_binary(l, SUM_SUB, t, zero, x));
}

static uint32_t access(struct lower *l, enum sum_op op, LLVMValueRef pointer, uint64_t bytes, uint32_t value,
                       uint8_t flags)
{
    struct sum_insn p = {.op = (uint8_t)op,
                         .cls = SUM_C_MEM,
                         .bits = op == SUM_LOAD ? 64 : 0,
                         .lanes = 1,
                         .space = (uint8_t)lower_pointer_space(pointer),
                         .flags = flags,
                         .bytes = (uint32_t)bytes,
                         .line = l->line};
    uint32_t opnds[] = {lower_value(l, pointer), value};

    return lower_body_insn(l, p, opnds, op == SUM_LOAD ? 1 : 2);
}

/* memcpy and memset of constant size: one load and one store of that many bytes. */
static uint32_t block_copy(struct lower *l, LLVMValueRef call, bool copy)
{
    LLVMValueRef size = LLVMGetOperand(call, 2), is_volatile = LLVMGetOperand(call, 3);
    uint8_t flags = LLVMConstIntGetZExtValue(is_volatile) ? SUM_F_VOLATILE : 0;
    uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : UINT64_MAX;
    uint32_t value;

    if (bytes == 0)
        return EMIT_NONE;
    if (bytes > SUM_MAX_ACCESS)
        return lower_refuse(l, bytes == UINT64_MAX ? "copy of unknown size" : "copy too large",
                            LLVMTypeOf(call));
    value = copy ? access(l, SUM_LOAD, LLVMGetOperand(call, 1), bytes, EMIT_NONE, flags) : arg_id(l, call, 1);
    return access(l, SUM_STORE, LLVMGetOperand(call, 0), bytes, value, flags);
}

/* __builtin_assume(), and what LLVM makes of __builtin_unreachable() behind a branch: what it says must hold
 * whatever the local size is.  With one for which it does not, drivers make code that crashes. */
static uint32_t assumption(struct lower *l, LLVMValueRef call)
{
    LLVMValueRef condition = LLVMGetOperand(call, 0);

    if (LLVMIsAConstantInt(condition))
        return EMIT_NONE;
    struct sum_insn p = lower_proto(l, SUM_FENCE, SUM_C_NONE, void_type(l));
    uint32_t id = lower_value(l, condition);
    return lower_body_insn(l, p, &id, 1);
}

static uint32_t lower_intrinsic(struct lower *l, LLVMValueRef call, const char *name)
{
    size_t i, n = sizeof intrinsics / sizeof *intrinsics;

    for (i = 0; i < n && !words_start(intrinsics[i].prefixes, name + strlen("llvm.")); i++)
        ;
    if (i == n)
        return lower_refuse(l, name, LLVMTypeOf(call));
    switch ((enum treatment)intrinsics[i].treatment) {
    case ASSUME:
        return assumption(l, call);
    case PURE:
        return pure(l, call, intrinsics[i].cls, 0);
    case ZEROS:
        return count_zeros(l, call);
    case MIN_MAX:
        return min_max(l, call, intrinsics[i].op);
    case ABS:
        return absolute(l, call);
    case FORWARD:
        return arg_id(l, call, 0);
    case COPY:
    case SET:
        return block_copy(l, call, intrinsics[i].treatment == COPY);
    default: /* DROP */
        return EMIT_NONE;
    }
}

/* ---- built-ins ------------------------------------------------------------------------------------- */

static uint32_t unknown_call(struct lower *l, LLVMValueRef call, const char *name)
{
    return lower_refuse(l, *name ? name : "call through a pointer", LLVMTypeOf(call));
}

/* Dimensions past the third: ids are 0, sizes 1 (OpenCL C 3.0, 6.15.1). */
static uint32_t beyond_dimensions(struct lower *l, LLVMTypeRef t, enum sum_wi wi)
{
    bool is_size = wi == SUM_WI_GLOBAL_SIZE || wi == SUM_WI_LOCAL_SIZE || wi == SUM_WI_ENQUEUED_LOCAL_SIZE ||
                   wi == SUM_WI_NUM_GROUPS;

    return lower_const_int(l, LLVMGetIntTypeWidth(t), is_size);
}

/* Of an unknown dimension it is no leaf: two of them need not be equal. */
static uint32_t work_item(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    struct sum_insn leaf = lower_proto(l, SUM_WI, SUM_C_NONE, LLVMTypeOf(call));
    bool has_dim = LLVMGetNumArgOperands(call) > 0;
    LLVMValueRef dim = has_dim ? LLVMGetOperand(call, 0) : NULL;
    char name[sizeof bi->name + 32];

    leaf.sub = bi->sub;
    leaf.line = 0;
    if (has_dim && !LLVMIsAConstantInt(dim)) {
        snprintf(name, sizeof name, "%s() of an unknown dimension", bi->name);
        return lower_refuse(l, name, LLVMTypeOf(call));
    }
    if (has_dim) {
        uint64_t d = LLVMConstIntGetZExtValue(dim);
        if (d > 2)
            return beyond_dimensions(l, LLVMTypeOf(call), bi->sub);
        leaf.imm = (int64_t)d;
    }
    return emit_leaf(&l->em, &leaf);
}

static struct sum_insn atomic_proto(struct lower *l, LLVMValueRef call, const struct bi *bi,
                                    LLVMTypeRef value)
{
    struct sum_insn p = lower_proto(l, SUM_ATOMIC, SUM_C_ATOMIC, LLVMTypeOf(call));
    bool moves = bi->sub == SUM_AT_XCHG || bi->sub == SUM_AT_CMPXCHG || bi->sub == SUM_AT_LOAD ||
                 bi->sub == SUM_AT_STORE;

    p.sub = bi->sub;
    if (LLVMGetTypeKind(value) != LLVMIntegerTypeKind && !moves)
        p.sub = SUM_AT_OTHER; /* floating-point sums depend on the order */
    p.space = (uint8_t)lower_pointer_space(LLVMGetOperand(call, 0));
    p.bytes = LLVMGetTypeKind(value) == LLVMVoidTypeKind ? 4 : (uint32_t)LLVMStoreSizeOfType(l->data, value);
    if (!LLVMGetFirstUse(call))
        p.flags |= SUM_F_UNUSED;
    if ((p.sub == SUM_AT_MIN || p.sub == SUM_AT_MAX) && !bi->is_signed)
        p.flags |= SUM_F_UNSIGNED;
    return p;
}

/* Values that an atomic takes besides its pointer; memory orders and scopes follow them. */
static unsigned atomic_values(const struct bi *bi)
{
    switch (bi->sub) {
    case SUM_AT_INC:
    case SUM_AT_DEC:
    case SUM_AT_LOAD:
        return 0;
    case SUM_AT_CMPXCHG:
        return 2;
    default:
        return strstr(bi->name, "flag") ? 0 : 1;
    }
}

/* Is the atomic (of `n` values) one for part of the launch only?  Its own group, say: what another group does
 * there at the same time may be lost (OpenCL C 3.0, 6.15.12.4). */
static bool has_narrow_scope(LLVMValueRef call, unsigned n)
{
    const unsigned nargs = LLVMGetNumArgOperands(call);
    LLVMValueRef scope =
        nargs > n + 2 ? LLVMGetOperand(call, n + 2) : NULL; /* behind pointer, values, order */
    const uint64_t device = 2, all_devices = 3;             /* enum memory_scope */

    if (!scope)
        return false;
    return !ir_is_number(scope, device) && !ir_is_number(scope, all_devices);
}

static uint32_t atomic(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    unsigned n = atomic_values(bi), nargs = LLVMGetNumArgOperands(call);
    LLVMTypeRef value = bi->sub == SUM_AT_STORE && n ? LLVMTypeOf(LLVMGetOperand(call, 1)) : LLVMTypeOf(call);

    if (nargs < n + 1 || !ir_is_pointer(LLVMTypeOf(LLVMGetOperand(call, 0))))
        return unknown_call(l, call, bi->name);
    if (strstr(bi->name, "flag"))
        value = LLVMInt32TypeInContext(LLVMGetModuleContext(l->module));
    struct sum_insn p = atomic_proto(l, call, bi, value);
    if (has_narrow_scope(call, n))
        p.sub = SUM_AT_OTHER;
    return lower_with_operands(l, call, p, n + 1);
}

/* bool atomic_compare_exchange(object, expected, desired, ...): *expected is read, and written on failure. */
static uint32_t compare_exchange(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    LLVMValueRef expected = LLVMGetOperand(call, 1), desired = LLVMGetOperand(call, 2);
    uint64_t bytes = LLVMStoreSizeOfType(l->data, LLVMTypeOf(desired));
    uint32_t opnds[3] = {arg_id(l, call, 0)};
    struct sum_insn p = atomic_proto(l, call, bi, LLVMTypeOf(desired));

    opnds[1] = access(l, SUM_LOAD, expected, bytes, EMIT_NONE, 0);
    opnds[2] = lower_value(l, desired);
    p.flags &= (uint8_t)~SUM_F_UNUSED; /* the old value is stored */
    uint32_t id = lower_body_insn(l, p, opnds, 3);
    struct sum_insn old = lower_proto(l, SUM_PURE, SUM_C_NONE, LLVMTypeOf(desired));
    access(l, SUM_STORE, expected, bytes, lower_body_insn(l, old, &id, 1), 0);
    return id;
}

static bool is_image_arg(const struct lower *l, uint32_t id)
{
    const struct sum_insn *leaf = emit_get(&l->em, id);

    return leaf->op == SUM_ARG && l->k->args[leaf->imm].kind == SUM_ARG_IMAGE;
}

/* Appends the coordinates that a scalar or vector argument holds. */
static uint32_t coordinates(struct lower *l, LLVMValueRef c, unsigned ncoord, uint32_t *opnds)
{
    const bool vector = ir_is_vector(LLVMTypeOf(c));
    const unsigned n = ir_length(LLVMTypeOf(c));

    for (unsigned i = 0; i < ncoord && i < n; i++)
        opnds[i] = vector ? lower_lane_id(l, c, i) : lower_value(l, c);
    return ncoord < n ? ncoord : n;
}

/* Is `v` the same for every work-item, and has it a value? */
static bool is_launch_wide(struct lower *l, LLVMValueRef v)
{
    const struct sum_insn *in = emit_get(&l->em, lower_value(l, v));

    return in->op == SUM_CONST || in->op == SUM_ARG || (in->op == SUM_OPAQUE && !(in->flags & SUM_F_UNDEF));
}

#define MOST_IMAGE_OPERANDS 7

/* The first coordinate `x`, made of what else decides which texel it is: sampler, level of detail, gradients,
 * sample.  `known` has a bit for each operand that is none of them. */
static uint32_t with_rest(struct lower *l, LLVMValueRef call, unsigned known, uint32_t x)
{
    uint32_t opnds[MOST_IMAGE_OPERANDS + 1] = {x}, used = 1;
    struct sum_insn p = {.op = SUM_PURE, .bits = emit_get(&l->em, x)->bits, .lanes = 1, .line = l->line};

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (!(known >> i & 1) && !is_launch_wide(l, LLVMGetOperand(call, i)))
            opnds[used++] = arg_id(l, call, i);
    return used == 1 ? x : lower_body_insn(l, p, opnds, used);
}

static uint32_t image(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    bool write = bi->kind == BI_IMAGE_WRITE;
    unsigned last = LLVMGetNumArgOperands(call) - 1, at = bi->sampler ? 2 : 1;
    LLVMTypeRef texel = write ? LLVMTypeOf(LLVMGetOperand(call, last)) : LLVMTypeOf(call);
    struct sum_insn p =
        lower_proto(l, write ? SUM_IMAGE_WRITE : SUM_IMAGE_READ, SUM_C_IMAGE, write ? void_type(l) : texel);
    uint32_t opnds[5] = {arg_id(l, call, 0)}, n = 1;

    if (!is_image_arg(l, opnds[0]) || last < at || last >= MOST_IMAGE_OPERANDS)
        return unknown_call(l, call, bi->name);
    p.space = SUM_GLOBAL;
    p.bytes = (uint32_t)LLVMStoreSizeOfType(l->data, texel);
    p.lanes = (uint8_t)lower_lanes(texel);
    if (write) {
        opnds[n++] = arg_id(l, call, last);
        p.imm = lower_undef_lanes(l, LLVMGetOperand(call, last));
    }
    const uint32_t first = n;
    n += coordinates(l, LLVMGetOperand(call, at), bi->ncoord, opnds + n);
    opnds[first] = with_rest(l, call, 1u | 1u << at | (write ? 1u << last : 0), opnds[first]);
    return lower_body_insn(l, p, opnds, n);
}

static uint32_t effect(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    const enum sum_op op = bi->kind == BI_FENCE ? SUM_FENCE : SUM_BARRIER;
    struct sum_insn p = lower_proto(l, op, bi->cls, LLVMTypeOf(call));

    p.flags |= op == SUM_BARRIER && word_starts(bi->name, "sub_group") ? SUM_F_SUBGROUP : 0;
    return lower_body_insn(l, p, NULL, 0);
}

/* The printed values are operands, so that what they are read from counts as read. */
static uint32_t print(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    unsigned n = LLVMGetNumArgOperands(call);
    uint32_t *opnds = must_calloc(n + 1, sizeof *opnds), used = 0;

    for (unsigned i = 1; i < n; i++)
        opnds[used++] = arg_id(l, call, i);
    const uint32_t id =
        lower_body_insn(l, lower_proto(l, SUM_PRINTF, bi->cls, LLVMTypeOf(call)), opnds, used);
    free(opnds);
    return id;
}

static uint32_t sampler(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    struct sum_insn leaf = lower_proto(l, SUM_OPAQUE, bi->cls, LLVMTypeOf(call));

    return emit_leaf(&l->em, &leaf);
}

/* mul24(x, y), mad24(x, y, z) = mul24(x, y) + z.  Drivers write them in C: who computes with signed integers
 * may take for granted that neither wraps around. */
static uint32_t multiply24(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    LLVMTypeRef t = LLVMTypeOf(call);
    uint32_t opnds[2];

    if (!lower_is_exact_int(t))
        return pure(l, call, bi->cls, 0);
    struct sum_insn p = lower_proto(l, SUM_MUL, bi->cls, t), sum = lower_proto(l, SUM_ADD, SUM_C_NONE, t);
    p.flags |= bi->is_signed ? SUM_F_24 | SUM_F_NSW : SUM_F_24 | SUM_F_UNSIGNED;
    sum.flags |= p.flags & SUM_F_NSW;
    opnds[0] = lower_with_operands(l, call, p, 2);
    if (bi->kind != BI_MAD24)
        return opnds[0];
    opnds[1] = arg_id(l, call, 2); /* one instruction where it is one at all: the sum costs nothing more */
    return lower_body_insn(l, sum, opnds, 2);
}

/* convert_T of floating-point numbers: a `u` stands first in the names of unsigned types, a rounding last. */
static uint32_t convert(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    const bool to_integer = LLVMGetTypeKind(ir_element(LLVMTypeOf(call))) == LLVMIntegerTypeKind;
    const char *rounding = strstr(bi->name, "_rt");
    const uint8_t flags = bi_is_exact(bi) ? 0 : SUM_F_INEXACT;

    if (to_integer && bi->is_float && !bi->saturate)
        return lower_convert(l, call, flags, !word_starts(bi->name, "convert_u"), rounding ? rounding : "");
    const uint32_t id = arg_id(l, call, 0);
    struct sum_insn p = lower_proto(l, SUM_PURE, bi->cls, LLVMTypeOf(call));
    p.flags |= flags;
    return lower_body_insn(l, p, &id, 1);
}

static uint32_t nothing(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    (void)l;
    (void)call;
    (void)bi;
    return EMIT_NONE;
}

static uint32_t unknown(struct lower *l, LLVMValueRef call, const struct bi *bi)
{
    return unknown_call(l, call, bi->name);
}

/* Others are what expand.c left alone: floating-point min, saturating conversions, ... */
static uint32_t (*const lowerers[])(struct lower *l, LLVMValueRef call, const struct bi *bi) = {
    [BI_WI] = work_item,     [BI_ATOMIC] = atomic,     [BI_COMPARE] = compare_exchange,
    [BI_FENCE] = effect,     [BI_BARRIER] = effect,    [BI_PRINTF] = print,
    [BI_IMAGE_READ] = image, [BI_IMAGE_WRITE] = image, [BI_SAMPLER] = sampler,
    [BI_MUL24] = multiply24, [BI_MAD24] = multiply24,  [BI_CONVERT] = convert,
    [BI_IGNORE] = nothing,   [BI_UNKNOWN] = unknown,   [BI_VLOAD] = unknown,
    [BI_VSTORE] = unknown,   [BI_OUT] = unknown,       [BI_INIT] = unknown,
};

/* Bytes without a value, which drivers fill as they like, if anybody may see them. */
static uint32_t gap(struct lower *l, LLVMValueRef call)
{
    struct sum_insn leaf = lower_proto(l, SUM_OPAQUE, SUM_C_NONE, LLVMTypeOf(call));
    bool shows = false;

    leaf.flags |= SUM_F_GAP;
    for (LLVMUseRef u = LLVMGetFirstUse(call); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        shows |= !LLVMIsAStoreInst(user) || lower_pointer_space(LLVMGetOperand(user, 1)) != SUM_PRIVATE;
    }
    return shows ? emit_leaf(&l->em, &leaf) : EMIT_NONE;
}

uint32_t lower_call(struct lower *l, LLVMValueRef call)
{
    const char *name = ir_callee(call);
    struct bi bi;

    if (word_starts(name, "llvm."))
        return lower_intrinsic(l, call, name);
    if (word_starts(name, PURE_PREFIX)) {
        char *flags;
        const unsigned long cls = strtoul(name + strlen(PURE_PREFIX), &flags, 10);
        return pure(l, call, (enum sum_class)cls, (uint8_t)strtoul(flags + 1, NULL, 10));
    }
    if (unset_is(call))
        return lower_value(l, LLVMGetUndef(LLVMTypeOf(call)));
    if (unset_is_gap(call))
        return gap(l, call);
    if (*name && !LLVMIsDeclaration(LLVMGetCalledValue(call)))
        return unknown_call(l, call, name); /* not inlined: recursion */
    bi_decode(name, &bi);
    if (bi.kind < sizeof lowerers / sizeof *lowerers && lowerers[bi.kind])
        return lowerers[bi.kind](l, call, &bi);
    const bool by_zero = words_have("native_divide half_divide atan2 atan2pi", bi.name) &&
                         lower_divides_by_zero(LLVMGetOperand(call, 1));
    return pure(l, call, bi.cls,
                (uint8_t)((bi_is_exact(&bi) ? 0 : SUM_F_INEXACT) | (bi_goes_round(&bi) ? SUM_F_ROUNDS : 0) |
                          (by_zero ? SUM_F_BY_ZERO : 0)));
}
