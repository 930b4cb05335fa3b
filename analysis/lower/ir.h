/* ir.h - small questions about LLVM's IR; reading a module and going over it.  Helper only. */
#pragma once

#include "analysis/prove/must.h"

#include <stdbool.h>
#include <stdint.h>
#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

static inline bool ir_is_pointer(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind;
}

static inline bool ir_is_vector(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind;
}

/* The type of a vector's components; any other type itself. */
static inline LLVMTypeRef ir_element(LLVMTypeRef t)
{
    return ir_is_vector(t) ? LLVMGetElementType(t) : t;
}

/* How many these are; else 1. */
static inline unsigned ir_length(LLVMTypeRef t)
{
    return ir_is_vector(t) ? LLVMGetVectorSize(t) : 1;
}

/* Is the value an instruction of this kind? */
static inline bool ir_is(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

/* Is it the constant `n`, read as unsigned? */
static inline bool ir_is_number(LLVMValueRef v, uint64_t n)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == n;
}

/* A value's name, "" if it has none. */
static inline const char *ir_name(LLVMValueRef v)
{
    return LLVMGetValueName2(v, &(size_t){0});
}

/* The name of the function that `v` calls; "" if it is no call of one. */
static inline const char *ir_callee(LLVMValueRef v)
{
    LLVMValueRef f = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;

    return f && LLVMIsAFunction(f) ? ir_name(f) : "";
}

/* Who uses the value, if that is one instruction, once; else NULL. */
LLVMValueRef ir_only_user(LLVMValueRef v);

/* The module; NULL if it is no bitcode of this LLVM version. */
LLVMModuleRef ir_parse(LLVMContextRef context, const char *bitcode, size_t size);

/* Operand `i` of the metadata that a function has under this name; NULL: there is none. */
LLVMValueRef ir_metadata(LLVMValueRef f, const char *name, unsigned i);

/* The same as text, "" if it is none.  The caller frees it. */
char *ir_metadata_text(LLVMValueRef f, const char *name, unsigned i);

/* The attribute `name` of a function or, by its number from 1 on, of a parameter; NULL: there is none. */
#define IR_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
LLVMAttributeRef ir_attribute(LLVMValueRef f, LLVMAttributeIndex of, const char *name);

/* The attribute, with the value 0, of functions that neither read nor write memory. */
#if LLVM_VERSION_MAJOR >= 16
#define IR_PURE "memory"
#else
#define IR_PURE "readnone"
#endif

/* Note a number in an attribute of the function, which passes preserve. */
void ir_note(LLVMValueRef f, const char *name, uint64_t n);

/* The number that was noted so, else this one. */
uint64_t ir_noted(LLVMValueRef f, const char *name, uint64_t otherwise);

/* The *n blocks that a function may come to, in reverse post order of a depth-first walk that takes
 * successors from the first to the last or, `backwards`, from the last to the first.  The caller's. */
LLVMBasicBlockRef *ir_order(LLVMValueRef f, bool backwards, uint32_t *n);

/* Visit each instruction of a module, which `visit` may replace; the builder stands before it. */
typedef void ir_visitor(LLVMModuleRef m, LLVMBuilderRef b, LLVMValueRef v, const void *context);
void ir_each(LLVMModuleRef m, ir_visitor *visit, const void *context);

/* Build a call of one of OpenCL's work-item functions, declared if need be, by its mangled name. */
LLVMValueRef ir_work_item(LLVMModuleRef m, LLVMBuilderRef b, const char *function, uint64_t dimension);

/* ---- table.c: look-up by LLVM's pointers --------------------------------------------------------------- */

#define TABLE_NONE UINT32_MAX /* what a key has that is absent */

struct table; /* begins as NULL */

uint32_t table_get(struct table *table, const void *key);
/* In place of what the key has.  Ends the process, which is the helper, when out of memory. */
void table_put(struct table **table, const void *key, uint32_t value);
void table_free(struct table **table); /* leaves NULL */

/* ---- calls.c: sums of a number over a function and all that it calls, such as instructions ------------- */

#define CALLS_MOST (1u << 31) /* larger sums count as this: numbers of calls multiply */

/* The number for one instruction. */
typedef uint64_t calls_of(LLVMValueRef instruction);

struct calls {
    calls_of *of;
    const char *noted; /* NULL, or under what name the number of a function alone may be noted (ir_note()) */
    struct table *total; /* the sums known so far; NULL at first.  Release with table_free() */
};

/* The function's own number: that of its instructions. */
uint64_t calls_own(const struct calls *c, LLVMValueRef f);

/* The function's sum: its own number, and for each call the callee's sum.  Recursive calls add nothing.  Ends
 * the process, which is the helper, when out of memory. */
uint32_t calls_total(struct calls *c, LLVMValueRef f);

/* ---- flags.c: what LLVM notes beside arithmetic -------------------------------------------------------- */

/* Enter SUM_F_NSW | SUM_F_NUW of each add, sub, mul and shl of the function into *wraps, and SUM_F_NSW |
 * SUM_F_APART of each `or` whose operands have no bits in common.  True where something in it relaxes
 * floating point. */
bool flags_read(LLVMValueRef f, struct table **wraps);
