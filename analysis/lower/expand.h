/* expand.h - replaces calls of built-ins by plain LLVM IR where possible, so that LLVM's passes can simplify
 * it. */
#pragma once

#include <llvm-c/Types.h>

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

/* Expand what belongs to the phase. */
void expand_builtins(LLVMModuleRef m, enum expand_phase phase);
