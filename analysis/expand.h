/* expand.h - rewrites built-ins that plain LLVM IR can express, so that LLVM's passes see through them. */
#ifndef CLSIZER_ANALYSIS_EXPAND_H
#define CLSIZER_ANALYSIS_EXPAND_H

#include <stdbool.h>
#include <llvm-c/Types.h>

/* Functions that expand.c invents are called PURE_PREFIX "<enum sum_class>.<n>": no effect but a cost. */
#define PURE_PREFIX "clsizer.pure."

enum expand_phase {
    EXPAND_EARLY, /* everything but mul24 and mad24 */
    EXPAND_LATE   /* mul24 and mad24, whose operands' ranges are known after inlining */
};

/* Returns whether anything changed. */
bool expand_builtins(LLVMModuleRef m, enum expand_phase phase);

#endif
