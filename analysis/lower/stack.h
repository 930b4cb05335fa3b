/* stack.h - how much private memory a work-item may need in a driver's code.  Helper only.
 *
 * Analysis looks at kernels after inlining, when most private arrays have become values.  A driver's compiler
 * may not get as far: it may keep the arrays of functions that it does not inline, and in code that it must
 * not optimise, all variables. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <llvm-c/Types.h>

/* Before any pass: note the private memory of functions that must not be optimised, or of all functions
 * (`all`). */
void stack_note(LLVMModuleRef m, bool all);

/* When every function has been simplified and none inlined: add up the private memory of each kernel and of
 * the functions that it calls. */
void stack_sum(LLVMModuleRef m);

/* The private memory of a kernel in bytes; after stack_sum(). */
uint64_t stack_bytes(LLVMValueRef kernel);
