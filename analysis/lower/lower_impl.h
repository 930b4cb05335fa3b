/* lower_impl.h - what the files lower*.c share; no other file includes it.
 *
 * Functions that return an id (uint32_t) emit what is needed for it.  What cannot be expressed becomes
 * SUM_CALL, so the kernel is refused. */
#pragma once

#include "analysis/lower/builtins.h"
#include "analysis/lower/emit.h"
#include "analysis/lower/ir.h"
#include "analysis/lower/lower.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* The state of lowering one kernel. */
struct lower {
    LLVMModuleRef module;
    LLVMTargetDataRef data;
    LLVMValueRef function;
    const struct lower_options *options;
    bool before_loops; /* none is unrolled yet: all that is asked for is which round they are left in */
    struct kernel_summary *k;
    struct emit em;
    unsigned pointer_bits;
    struct table *values;  /* LLVM value -> id */
    struct table *blocks;  /* LLVM block -> block index */
    struct table *flags;   /* instruction -> SUM_F_NSW | SUM_F_NUW (flags.c) */
    struct table *defined; /* instruction -> its lanes that have a value; absent: all (lower_undef.c) */
    enum { NOT_ASKED, NO, YES } has_numbers; /* are floating-point numbers stored in private memory? */
    struct table *punned; /* private variable -> is it accessed as two types? (lower_alias.c) */
    uint32_t line;        /* source line of the instruction that is being lowered */
};

/* lower_value.c */
uint32_t lower_value(struct lower *l, LLVMValueRef v); /* id of an operand; constants become leaves */
uint32_t lower_const_int(struct lower *l, unsigned bits, int64_t value);
LLVMValueRef lower_lane(LLVMValueRef vector, unsigned lane); /* the scalar in a lane; NULL: not known */
uint32_t lower_lane_id(struct lower *l, LLVMValueRef vector, unsigned lane);
uint32_t lower_gep(struct lower *l, LLVMValueRef gep, enum emit_stream s);
enum sum_space lower_space(LLVMTypeRef pointer);
enum sum_space lower_pointer_space(LLVMValueRef pointer); /* looks through casts to generic */
struct sum_insn lower_proto(const struct lower *l, enum sum_op op, enum sum_class cls, LLVMTypeRef type);

/* Types */
bool lower_is_exact_int(LLVMTypeRef t); /* a scalar integer of at most 64 bits */
unsigned lower_lanes(LLVMTypeRef t);

/* lower_arith.c */
uint32_t lower_arith(struct lower *l, LLVMValueRef i, LLVMOpcode op); /* EMIT_NONE: `op` is no arithmetic */
/* `cls`, or what takes its place if the elements of `t` are doubles. */
enum sum_class lower_class(enum sum_class cls, LLVMTypeRef t);

/* lower_insn.c */
void lower_insn(struct lower *l, LLVMValueRef i);
uint32_t lower_body_insn(struct lower *l, struct sum_insn proto, const uint32_t *opnds, uint32_t n);
uint32_t lower_binary(struct lower *l, enum sum_op op, LLVMTypeRef type, uint32_t a, uint32_t b);
uint32_t lower_refuse(struct lower *l, const char *what, LLVMTypeRef type); /* SUM_CALL without operands */
uint32_t lower_pure(struct lower *l, LLVMValueRef i, enum sum_class cls, uint8_t flags, unsigned nopnd);
/* `proto` with the first `n` operands of `i`, three at most. */
uint32_t lower_with_operands(struct lower *l, LLVMValueRef i, struct sum_insn proto, unsigned n);

/* lower_call.c */
uint32_t lower_call(struct lower *l, LLVMValueRef call); /* EMIT_NONE: it is dropped */

/* lower_range.c: a conversion from floating point to integers, with what is known of the result, and whether
 * it is the same in vector code and in scalar code.  `rounding` is the suffix of convert_T(): "_rte", "_rtz",
 * "_rtp", "_rtn" or "". */
uint32_t lower_convert(struct lower *l, LLVMValueRef i, uint8_t flags, bool is_signed, const char *rounding);

/* "llvm.fmuladd.f32" -> "fmuladd"; a built-in's name as it is; "" of any other function. */
void lower_function_name(LLVMValueRef call, char *name, size_t room);

/* What a use makes of a value: what is asked for, the value again, or anything else. */
enum lower_use { AS_ASKED, AGAIN, OTHERWISE };
typedef enum lower_use lower_use_as(LLVMValueRef user);

/* Is v only ever used as asked, as it is or as part of a vector? */
bool lower_only_used(LLVMValueRef v, lower_use_as *as);

/* May a floating-point number be NaN, where the conditions hold under which instruction `where` runs (NULL:
 * anywhere)?  True, too, when *steps, which counts what is looked at, gets too large. */
bool lower_may_be_nan(LLVMValueRef v, LLVMValueRef where, unsigned *steps);

/* Does it load a bool that is then counted or stored?  Where its byte is neither 0 nor 1, that is not the
 * same in vector code and in scalar code. */
bool lower_is_open_bool(LLVMValueRef load);

/* lower_nan.c: does an instruction, a bitcast, call or load, take bits of what may be a NaN that is computed
 * here? */
bool lower_shows_nan(struct lower *l, LLVMValueRef i);

/* lower_alias.c: is a pointer made of another one to point to a part?  The variable or argument that it
 * points into; NULL: not known. */
bool lower_is_part(LLVMValueRef pointer);
LLVMValueRef lower_variable(LLVMValueRef pointer);

/* May a load read what a store wrote, for all that the language says of types?  Is a private
 * array that a load reads accessed as two types? */
bool lower_may_alias(LLVMValueRef load, LLVMValueRef store);
bool lower_is_punned(struct lower *l, LLVMValueRef load);

/* lower_quotient.c: may a compiler find out that what is divided by is the constant 0, or has one in it? */
bool lower_divides_by_zero(LLVMValueRef divisor);

/* lower_undef.c */
/* Before the others and before any instruction is lowered. */
void lower_note_undef(struct lower *l, const LLVMBasicBlockRef *order, uint32_t n);
/* May the lane, or scalar, come from what has no value? */
bool lower_is_undef(const struct lower *l, LLVMValueRef v, unsigned lane);
/* Which lanes of a vector may, bit 0 the first; of long vectors bit 0 for all. */
uint32_t lower_undef_lanes(const struct lower *l, LLVMValueRef v);
/* May such a lane affect all lanes of the result of `i`? */
bool lower_uses_undef_lane(const struct lower *l, LLVMValueRef i);

/* lower_signature.c */
void lower_signature(struct lower *l);
