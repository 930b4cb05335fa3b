/* prepare.h - brings a module into the shape that lower.c reads: everything inlined, lightly optimised. */
#ifndef CLSIZER_ANALYSIS_PREPARE_H
#define CLSIZER_ANALYSIS_PREPARE_H

#include <stdbool.h>
#include <llvm-c/Types.h>

struct prepare_result {
    char **too_large; /* names of kernels whose inlined size is over SUM_MAX_INSN: removed from the module */
    unsigned ntoo_large;
    char *error; /* LLVM's words when a pass pipeline was not accepted, else NULL */
};

/* Never unrolls nor vectorises.  `unoptimised`: the driver does not either, nor anything else.  The result's
 * strings are owned by the caller. */
void prepare_module(LLVMModuleRef m, bool unoptimised, struct prepare_result *out);

/* Is the function a kernel, by its calling convention? */
bool prepare_is_kernel(LLVMValueRef f);

#endif
