/* prepare.h - brings a module into the form that lower.c reads: everything inlined, and lightly optimised;
 * and what is done to a module besides, before, between and after LLVM's passes. */
#pragma once

#include "analysis/lower/lower.h"

#include <stdbool.h>
#include <stdint.h>
#include <llvm-c/Types.h>

struct prepare_result {
    char **too_large; /* names of kernels that have more than SUM_MAX_INSN instructions once inlined; they
                         were removed from the module */
    unsigned ntoo_large;
    char *error; /* a reason and LLVM's message if it did not accept a pass pipeline, else NULL */
};

/* Prepare the module.  No loop is unrolled, and nothing is vectorised.  Where the driver will not
 * optimise, all variables count as private memory (stack_note()), and what has no
 * value keeps none (unset_variables()).  The caller owns the strings in *out. */
void prepare_module(LLVMModuleRef m, const struct lower_options *options, struct prepare_result *out);

/* Then: unroll loops.  NULL or an error, the caller's. */
char *prepare_loops(LLVMModuleRef m);

/* Run LLVM's passes.  NULL or an error, the caller's. */
char *prepare_run(LLVMModuleRef m, const char *passes);

/* Every defined function is to be inlined wherever it is called, and kept only where it is a kernel. */
void prepare_for_inlining(LLVMModuleRef m);

/* Inlining can grow a program exponentially: what would have more than SUM_MAX_INSN instructions goes before
 * it costs anything.  Callers of a function that is too large are too large, too, but for those that it calls
 * itself: they call something unknown then.  Kernels that go are noted in *out, unless that is NULL. */
void prepare_remove_too_large(LLVMModuleRef m, struct prepare_result *out);

/* Is the function a kernel, by its calling convention? */
bool prepare_is_kernel(LLVMValueRef f);

/* Has a store to memory that others see gone, perhaps into a later one?  What is left does not say then what
 * another work-item may find there for a while. */
bool prepare_lost_store(LLVMValueRef kernel);

/* ---- stack.c: how much private memory a work-item may need in a driver's code -------------------------- */

/* Analysis looks at kernels after inlining, when most private arrays have become values.  A driver's compiler
 * may not get as far: it may keep the arrays of functions that it does not inline, and in code that it must
 * not optimise, all variables. */

/* Before any pass: note the private memory of functions that must not be optimised, or of all functions
 * (`all`). */
void stack_note(LLVMModuleRef m, bool all);

/* When every function has been simplified and none inlined: add up the private memory of each kernel and of
 * the functions that it calls. */
void stack_sum(LLVMModuleRef m);

/* The private memory of a kernel in bytes; after stack_sum(). */
uint64_t stack_bytes(LLVMValueRef kernel);

/* ---- unset.c: variables without a value ---------------------------------------------------------------- */

/* LLVM's passes turn `if (c) x = 7;` into 7 in any case, in the analysis as in drivers' compilers.  A driver
 * that must not optimise leaves in x what the previous work-item of the group left in its place.  So in such
 * functions every variable begins as the result of a call that LLVM cannot see through, and that call is
 * lowered as an undefined value.
 *
 * In other functions a variable whose scope is the body of a loop is given an undefined value at each round,
 * or LLVM would keep that of the round before. */

/* Structures have gaps between their members, and of a union one member may be written and another one read.
 * These bytes get such calls, too (`gap`), in all functions: which drivers show them is for
 * driver_compiler.c to say. */

/* Before any pass: give variables their calls in all functions (`all`) or in those that say themselves that
 * they must not be optimised, and an undefined value where their scopes begin in the others.  Arrays and
 * large structures are left out, and in the latter functions all structures.  In the former ones, what may
 * touch private memory outside of its array becomes volatile. */
void unset_variables(LLVMModuleRef m, bool all);

/* With variables in registers: what is made of one that never has a value there is made of such a call, too,
 * and a vector that is filled in parts begins as one.  LLVM would make a constant of it, a NaN of a sum, say,
 * or leave out what is stored; not all drivers do.  Once before functions are `inlined`, and once after: of
 * what they were given places to fill. */
void unset_uses(LLVMModuleRef m, bool inlined);

/* Is `v` an undefined value: the result of such a call, a member of it, or one of LLVM's own? */
bool unset_is(LLVMValueRef v);

/* The same of a gap's. */
bool unset_is_gap(LLVMValueRef v);

/* ---- expand.c: built-ins as plain LLVM IR -------------------------------------------------------------- */

/* Prefix of functions that expand.c makes up, "<prefix><enum sum_class>.<SUM_F_...>.<n>": they have a cost
 * and no effect. */
#define PURE_PREFIX "clsizer.pure."

enum expand_phase {
    EXPAND_EARLY, /* everything */
    EXPAND_PLACES /* plain vloadN, vstoreN and select() alone */
};

/* Give the declaration `f` LLVM's attributes of a function of its arguments alone, for whatever LLVM version
 * this is. */
void expand_mark_pure(LLVMModuleRef m, LLVMValueRef f);

/* Replace calls of built-ins by plain LLVM IR where possible, so that LLVM's passes can simplify it: what
 * belongs to the phase. */
void expand_builtins(LLVMModuleRef m, enum expand_phase phase);

/* ---- fold.c: loops of single-threaded code as dimensions of a range ([C] 3.2) -------------------------- */

/* In each kernel F__N of a prepared module, N = 1 to 3, N perfectly nested loops, the outermost first, become
 * ids: what counts them becomes start + step * get_global_id(), dimension 0 for the innermost, and they run
 * once. Kernels in which that is not possible are deleted.  Whether iterations may run side by side is not
 * looked at. */
void fold_loops(LLVMModuleRef m);
