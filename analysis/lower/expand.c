/* expand.c - built-ins as plain LLVM IR: see prepare.h.  Each expand_* returns the value that replaces the
 * call, or NULL if the call stays. */
#include "analysis/lower/prepare.h"
#include "analysis/lower/builtins.h"
#include "analysis/lower/ir.h"

#include <stdio.h>
#include <string.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct site {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder; /* stands before the call */
    LLVMValueRef call;
    LLVMTypeRef type; /* of the result */
    const struct bi *bi;
};

static LLVMValueRef arg(const struct site *s, unsigned i)
{
    return LLVMGetOperand(s->call, i);
}

static bool is_integer(LLVMTypeRef t)
{
    return LLVMGetTypeKind(ir_element(t)) == LLVMIntegerTypeKind;
}

/* `v` repeated to the vector type `t`; `v` itself when the shapes agree already. */
static LLVMValueRef splat(const struct site *s, LLVMValueRef v, LLVMTypeRef t)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(s->context);

    if (!ir_is_vector(t) || ir_is_vector(LLVMTypeOf(v)))
        return v;
    LLVMValueRef one = LLVMBuildInsertElement(s->builder, LLVMGetUndef(t), v, LLVMConstInt(i32, 0, 0), "");
    LLVMValueRef mask = LLVMConstNull(LLVMVectorType(i32, LLVMGetVectorSize(t)));
    return LLVMBuildShuffleVector(s->builder, one, LLVMGetUndef(t), mask, "");
}

static LLVMValueRef intrinsic(const struct site *s, const char *name, LLVMTypeRef t, LLVMValueRef *args,
                              unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(s->module, id, &t, 1);

    return LLVMBuildCall2(s->builder, LLVMIntrinsicGetType(s->context, id, &t, 1), f, args, n, "");
}

static LLVMValueRef min_max(const struct site *s, LLVMValueRef a, LLVMValueRef b, bool max)
{
    LLVMValueRef args[] = {a, splat(s, b, s->type)};
    const char *name = s->bi->is_signed ? (max ? "llvm.smax" : "llvm.smin") : max ? "llvm.umax" : "llvm.umin";

    return intrinsic(s, name, s->type, args, 2);
}

static LLVMValueRef expand_integer(const struct site *s)
{
    if (!is_integer(s->type))
        return NULL;
    switch (s->bi->kind) {
    case BI_MIN:
        return min_max(s, arg(s, 0), arg(s, 1), false);
    case BI_MAX:
        return min_max(s, arg(s, 0), arg(s, 1), true);
    case BI_CLAMP:
        return min_max(s, min_max(s, arg(s, 0), arg(s, 1), true), arg(s, 2), false);
    default: {
        LLVMValueRef args[] = {arg(s, 0), LLVMConstInt(LLVMInt1TypeInContext(s->context), 0, 0)};
        return s->bi->is_signed ? intrinsic(s, "llvm.abs", s->type, args, 2) : arg(s, 0);
    }
    }
}

/* OpenCL's select(a, b, c): scalars test c != 0, vectors the sign of each c. */
static LLVMValueRef expand_select(const struct site *s)
{
    LLVMValueRef c = arg(s, 2), zero = LLVMConstNull(LLVMTypeOf(c));
    LLVMIntPredicate p = ir_is_vector(s->type) ? LLVMIntSLT : LLVMIntNE;

    return LLVMBuildSelect(s->builder, LLVMBuildICmp(s->builder, p, c, zero, ""), arg(s, 1), arg(s, 0), "");
}

static LLVMValueRef expand_convert(const struct site *s)
{
    if (s->bi->saturate || !is_integer(s->type) || !is_integer(LLVMTypeOf(arg(s, 0))))
        return NULL;
    return LLVMBuildIntCast2(s->builder, arg(s, 0), s->type, s->bi->is_signed, "");
}

static LLVMValueRef expand_dot(const struct site *s)
{
    LLVMValueRef a = arg(s, 0), b = arg(s, 1), sum = NULL;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(s->context);

    if (!ir_is_vector(LLVMTypeOf(a)))
        return LLVMBuildFMul(s->builder, a, b, "");
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(a)); i++) {
        LLVMValueRef index = LLVMConstInt(i32, i, 0);
        LLVMValueRef args[] = {LLVMBuildExtractElement(s->builder, a, index, ""),
                               LLVMBuildExtractElement(s->builder, b, index, ""), NULL};
        if (i) {
            args[2] = sum;
            sum = intrinsic(s, "llvm.fmuladd", s->type, args, 3);
        } else {
            sum = LLVMBuildFMul(s->builder, args[0], args[1], "");
        }
    }
    return sum;
}

/* The address of vector number `offset` for vloadN(offset, p): p + offset * N elements (vloada: 4 for 3). */
static LLVMValueRef vector_address(const struct site *s, LLVMTypeRef vec, LLVMValueRef offset, LLVMValueRef p)
{
    unsigned stride = s->bi->sub == BI_HALF_ALIGNED && s->bi->lanes == 3 ? 4 : s->bi->lanes;
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
    LLVMTypeRef elem = ir_element(vec);
    LLVMValueRef n = LLVMConstInt(LLVMTypeOf(offset), stride, 0);
    LLVMValueRef index = LLVMBuildNSWMul(s->builder, offset, n, "");

    p = LLVMBuildBitCast(s->builder, p, LLVMPointerType(elem, space), "");
    p = LLVMBuildInBoundsGEP2(s->builder, elem, p, &index, 1, "");
    return LLVMBuildBitCast(s->builder, p, LLVMPointerType(vec, space), "");
}

/* The type that such values have in memory. */
static LLVMTypeRef memory_type(const struct site *s, LLVMTypeRef value)
{
    LLVMTypeRef elem = s->bi->sub == BI_PLAIN ? ir_element(value) : LLVMHalfTypeInContext(s->context);

    return s->bi->lanes == 1 ? elem : LLVMVectorType(elem, s->bi->lanes);
}

/* Element alignment is all that the specification asks of the plain forms. */
static void align_element(const struct site *s, LLVMValueRef access, LLVMTypeRef in_memory)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(s->module);

    LLVMSetAlignment(access, LLVMABIAlignmentOfType(data, ir_element(in_memory)));
}

static LLVMValueRef expand_vload(const struct site *s)
{
    LLVMTypeRef in_memory = memory_type(s, s->type);
    LLVMValueRef p = vector_address(s, in_memory, arg(s, 0), arg(s, 1));
    LLVMValueRef v = LLVMBuildLoad2(s->builder, in_memory, p, "");

    align_element(s, v, in_memory);
    return in_memory == s->type ? v : LLVMBuildFPExt(s->builder, v, s->type, "");
}

static LLVMValueRef expand_vstore(const struct site *s)
{
    LLVMValueRef v = arg(s, 0);
    LLVMTypeRef in_memory = memory_type(s, LLVMTypeOf(v));
    LLVMValueRef p = vector_address(s, in_memory, arg(s, 1), arg(s, 2));

    if (LLVMTypeOf(v) != in_memory)
        v = LLVMBuildFPTrunc(s->builder, v, in_memory, "");
    v = LLVMBuildStore(s->builder, v, p);
    align_element(s, v, in_memory);
    return v;
}

void expand_mark_pure(LLVMModuleRef m, LLVMValueRef f)
{
    static const char *const names[] = {IR_PURE, "nounwind", "willreturn"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        LLVMAttributeRef a = LLVMCreateEnumAttribute(LLVMGetModuleContext(m), kind, 0);
        LLVMAddAttributeAtIndex(f, IR_FUNCTION, a);
    }
}

/* A call to a fresh pure function of `nargs` of the call's arguments. */
static LLVMValueRef pure_call(const struct site *s, LLVMTypeRef type, unsigned nargs)
{
    LLVMValueRef args[4];
    LLVMTypeRef types[4];
    char name[64];

    for (unsigned i = 0; i < nargs; i++) {
        args[i] = arg(s, i);
        types[i] = LLVMTypeOf(args[i]);
    }
    const unsigned flags = SUM_F_INEXACT | (bi_goes_round(s->bi) ? SUM_F_ROUNDS : 0);
    snprintf(name, sizeof name, PURE_PREFIX "%u.%u.", s->bi->cls, flags);
    LLVMTypeRef ft = LLVMFunctionType(type, types, nargs, 0);
    LLVMValueRef f = LLVMAddFunction(s->module, name, ft);
    expand_mark_pure(s->module, f);
    return LLVMBuildCall2(s->builder, ft, f, args, nargs, "");
}

/* Three components lie in memory as four, of which the last has no value. */
static LLVMValueRef as_in_memory(const struct site *s, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v), i32 = LLVMInt32TypeInContext(s->context);
    LLVMValueRef lanes[4];

    if (!ir_is_vector(t) || LLVMGetVectorSize(t) != 3)
        return v;
    for (unsigned i = 0; i < 4; i++)
        lanes[i] = i < 3 ? LLVMConstInt(i32, i, 0) : LLVMGetUndef(i32);
    return LLVMBuildShuffleVector(s->builder, v, LLVMGetUndef(t), LLVMConstVector(lanes, 4), "");
}

/* sincos(x, &c) and the like.  The second result has the type of the first, or as many ints for frexp(),
 * remquo() and lgamma_r(). */
static LLVMValueRef expand_out(const struct site *s)
{
    unsigned n = (unsigned)LLVMGetNumArgOperands(s->call) - 1;
    bool to_int =
        !strcmp(s->bi->name, "frexp") || !strcmp(s->bi->name, "remquo") || !strcmp(s->bi->name, "lgamma_r");
    LLVMTypeRef t = s->type;
    LLVMValueRef p;

    if (n < 1 || n > 2)
        return NULL;
    if (to_int) {
        t = LLVMInt32TypeInContext(s->context);
        if (ir_is_vector(s->type))
            t = LLVMVectorType(t, LLVMGetVectorSize(s->type));
    }
    const LLVMValueRef second = as_in_memory(s, pure_call(s, t, n));
    p = arg(s, n);
    t = LLVMPointerType(LLVMTypeOf(second), LLVMGetPointerAddressSpace(LLVMTypeOf(p)));
    LLVMBuildStore(s->builder, second, LLVMBuildBitCast(s->builder, p, t, ""));
    return pure_call(s, s->type, n);
}

static LLVMValueRef expand(const struct site *s)
{
    switch (s->bi->kind) {
    case BI_VLOAD:
        return expand_vload(s);
    case BI_VSTORE:
        return expand_vstore(s);
    case BI_OUT:
        return expand_out(s);
    case BI_INIT:
        return LLVMBuildStore(s->builder, arg(s, 1), arg(s, 0));
    case BI_CONVERT:
        return expand_convert(s);
    case BI_MIN:
    case BI_MAX:
    case BI_CLAMP:
    case BI_ABS:
        return expand_integer(s);
    case BI_SELECT:
        return expand_select(s);
    case BI_DOT:
        return expand_dot(s);
    case BI_PURE:
    case BI_WI:
    case BI_MUL24:
    case BI_MAD24:
        expand_mark_pure(s->module, LLVMGetCalledValue(s->call));
        return NULL;
    default:
        return NULL;
    }
}

static void expand_call(LLVMModuleRef m, LLVMBuilderRef builder, LLVMValueRef call, const void *context)
{
    const enum expand_phase phase = *(const enum expand_phase *)context;
    LLVMValueRef f = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL, value;
    struct bi bi;

    if (!f || !LLVMIsAFunction(f) || !LLVMIsDeclaration(f))
        return;
    bi_decode(ir_name(f), &bi);
    struct site s = {m, LLVMGetModuleContext(m), builder, call, LLVMTypeOf(call), &bi};
    if (phase == EXPAND_PLACES && bi.kind != BI_SELECT &&
        ((bi.kind != BI_VLOAD && bi.kind != BI_VSTORE) || bi.sub != BI_PLAIN))
        value = NULL;
    else
        value = expand(&s);
    if (!value)
        return;
    if (LLVMGetTypeKind(s.type) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

void expand_builtins(LLVMModuleRef m, enum expand_phase phase)
{
    ir_each(m, expand_call, &phase);
}
