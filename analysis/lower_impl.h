/* lower_impl.h - what the lower_*.c files share; nobody else includes it. */
#ifndef CLSIZER_ANALYSIS_LOWER_IMPL_H
#define CLSIZER_ANALYSIS_LOWER_IMPL_H

#include "analysis/builtins.h"
#include "analysis/emit.h"
#include "analysis/lower.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct lower_entry;

/* State while one kernel is lowered. */
struct lower {
    LLVMModuleRef module;
    LLVMTargetDataRef data;
    LLVMValueRef function;
    const struct lower_options *options;
    struct kernel_summary *k;
    struct emit em;
    unsigned pointer_bits;
    struct lower_entry *values; /* LLVM value -> id */
    struct lower_entry *blocks; /* LLVM block -> block index */
    struct lower_entry *flags;  /* instruction -> SUM_F_NSW | SUM_F_NUW (lower_flags.c) */
    uint32_t line;              /* of the instruction in hand */
};

/* Look-up tables keyed by LLVM's pointers; EMIT_NONE when absent. */
uint32_t table_get(struct lower_entry *table, const void *key);
void table_put(struct lower_entry **table, const void *key, uint32_t value);
void table_free(struct lower_entry **table);

/* lower_value.c */
uint32_t lower_value(struct lower *l, LLVMValueRef v); /* id of an operand, making leaves as needed */
uint32_t lower_const_int(struct lower *l, unsigned bits, int64_t value);
LLVMValueRef lower_lane(LLVMValueRef vector, unsigned lane); /* the scalar in a lane, NULL if not known */
/* The same; where it is not known *vector and *lane are where the search ended. */
LLVMValueRef lower_find_lane(LLVMValueRef *vector, unsigned *lane);
uint32_t lower_lane_id(struct lower *l, LLVMValueRef vector, unsigned lane);
uint32_t lower_gep(struct lower *l, LLVMValueRef gep, enum emit_stream s);
enum sum_space lower_space(LLVMTypeRef pointer);
enum sum_space lower_pointer_space(LLVMValueRef pointer); /* looks through casts to generic */
struct sum_insn lower_proto(const struct lower *l, enum sum_op op, enum sum_class cls, LLVMTypeRef type);
uint64_t lower_store_size(const struct lower *l, LLVMTypeRef t);

/* Types */
bool lower_is_exact_int(LLVMTypeRef t); /* a scalar integer of at most 64 bits */
bool lower_is_pointer(LLVMTypeRef t);
unsigned lower_lanes(LLVMTypeRef t);
LLVMTypeRef lower_element(LLVMTypeRef t);

/* lower_insn.c */
void lower_insn(struct lower *l, LLVMValueRef i);
uint32_t lower_body_insn(struct lower *l, struct sum_insn proto, const uint32_t *opnds, uint32_t n);
uint32_t lower_binary(struct lower *l, enum sum_op op, LLVMTypeRef type, uint32_t a, uint32_t b);
uint32_t lower_refuse(struct lower *l, const char *what, LLVMTypeRef type); /* SUM_CALL without operands */
void lower_unknown(struct lower *l, LLVMValueRef i, const char *what);      /* SUM_CALL in place of `i` */
uint32_t lower_pure(struct lower *l, LLVMValueRef i, enum sum_class cls, unsigned nopnd);

/* lower_call.c */
void lower_call(struct lower *l, LLVMValueRef call);

/* lower_range.c: is what `conversion`, from floating point to integers, makes of its operand the same in
 * vectors and in scalar code?  Else the operand may not fit.  `way` is how it rounds: "_rte", "_rtz", "_rtp",
 * "_rtn" or "". */
bool lower_conversion_fits(LLVMValueRef conversion, bool is_signed, const char *way);

/* lower_open.c */
bool lower_is_open(LLVMValueRef v, unsigned lane); /* that lane, or the scalar, comes of what has no value */
bool lower_has_gaps(LLVMValueRef v);               /* one of a vector's lanes does */
bool lower_uses_gaps(LLVMValueRef i);              /* such a lane may show in all of what `i` makes of it */

/* lower_signature.c */
void lower_signature(struct lower *l);

/* lower_flags.c: nsw and nuw, which LLVM-C tells only from LLVM 17 on, and k->relaxed_math */
void lower_read_flags(struct lower *l);

#endif
