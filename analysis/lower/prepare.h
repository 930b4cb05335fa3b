/* prepare.h - brings a module into the form that lower.c reads: everything inlined, and lightly optimised. */
#pragma once

#include "analysis/lower/lower.h"

#include <stdbool.h>
#include <llvm-c/Types.h>

struct prepare_result {
    char **too_large; /* names of kernels that have more than SUM_MAX_INSN instructions once inlined; they
                         were removed from the module */
    unsigned ntoo_large;
    char *error; /* a reason and LLVM's message if it did not accept a pass pipeline, else NULL */
};

/* Prepare the module.  Loops are never unrolled, and nothing is vectorised.  Where the driver will not
 * optimise, all variables count as private memory (stack.h), and what has no value keeps none (unset.h).
 * The caller owns the strings in *out. */
void prepare_module(LLVMModuleRef m, const struct lower_options *options, struct prepare_result *out);

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
