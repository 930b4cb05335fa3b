/* calls.h - sums of a number over a function and all functions that it calls, such as instructions after
 * inlining. */
#pragma once

#include "analysis/lower/table.h"

#include <llvm-c/Types.h>

#define CALLS_MOST (1u << 31) /* larger sums count as this: numbers of calls multiply */

/* The number for the function alone. */
typedef uint64_t calls_own(LLVMValueRef f);

struct calls {
    calls_own *own;
    struct table *total; /* the sums known so far; NULL at first.  Release with table_free() */
};

/* The function's sum: its own number, and for each call the callee's sum.  Recursive calls add nothing.  Ends
 * the process, which is the helper, when out of memory. */
uint32_t calls_total(struct calls *c, LLVMValueRef f);
