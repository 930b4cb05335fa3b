/* stack.h - how much private memory a work-item may keep in a driver's code.
 *
 * Analysis looks at kernels with everything inlined and private arrays made values where that can be.  A
 * driver's compiler may not get as far: it keeps functions that it does not inline before it does so, and in
 * code that it is not to optimise all variables. */
#ifndef CLSIZER_ANALYSIS_STACK_H
#define CLSIZER_ANALYSIS_STACK_H

#include <stdbool.h>
#include <stdint.h>
#include <llvm-c/Types.h>

/* Before any pass: what the functions that are not to be optimised, or all of them, have. */
void stack_note(LLVMModuleRef m, bool all);

/* When every function was simplified and none inlined: what kernels have with all that they call. */
void stack_sum(LLVMModuleRef m);

/* Bytes of a kernel that stack_sum() has seen. */
uint64_t stack_bytes(LLVMValueRef kernel);

#endif
