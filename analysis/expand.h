/* expand.h - replaces calls of built-ins by plain LLVM IR where possible, so that LLVM's passes can simplify
 * it. */
#ifndef CLSIZER_ANALYSIS_EXPAND_H
#define CLSIZER_ANALYSIS_EXPAND_H

#include <stdbool.h>
#include <llvm-c/Types.h>

/* Prefix of functions that expand.c makes up, "<prefix><enum sum_class>.<n>": they have a cost and no
 * effect. */
#define PURE_PREFIX "clsizer.pure."

/* Prefix of functions that expand.c makes up for what a variable holds that was given no value. */
#define UNSET_PREFIX "clsizer.unset."

enum expand_phase {
    EXPAND_EARLY, /* everything but mul24 and mad24 */
    EXPAND_LATE   /* mul24 and mad24, whose operands' ranges are known after inlining */
};

/* Before anything is simplified: in functions that the driver will not optimise, `all` or those that say so
 * themselves, every variable begins as what a function of UNSET_PREFIX returns.  LLVM would turn
 * `if (c) x = 7;` into 7 in any case, and the driver will not.  Arrays and large structures are left out. */
void expand_variables(LLVMModuleRef m, bool all);

/* Expand what belongs to the phase.  True if anything changed. */
bool expand_builtins(LLVMModuleRef m, enum expand_phase phase);

#endif
