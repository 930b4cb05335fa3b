/* unset.h - variables without a value: in functions that the driver will not optimise, and in loops.
 *
 * LLVM's passes turn `if (c) x = 7;` into 7 in any case, in the analysis as in drivers' compilers.  A driver
 * that must not optimise leaves in x what the previous work-item of the group left in its place.  So in such
 * functions every variable begins as the result of a call that LLVM cannot see through, and that call is
 * lowered as an undefined value.
 *
 * In other functions a variable whose scope is the body of a loop is given an undefined value at each round,
 * or LLVM would keep that of the round before. */
#pragma once

#include <stdbool.h>
#include <llvm-c/Types.h>

/* Before any pass: give variables their calls in all functions (`all`) or in those that say themselves that
 * they must not be optimised, and an undefined value where their scopes begin in the others.  Arrays and
 * large structures are left out, and in the latter functions all structures. */
void unset_variables(LLVMModuleRef m, bool all);

/* Is `v` the result of such a call, or a member of it? */
bool unset_is(LLVMValueRef v);
