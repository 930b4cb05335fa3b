/* calls.h - sums of a number over a function and all functions that it calls, such as instructions after
 * inlining. */
#ifndef CLSIZER_ANALYSIS_CALLS_H
#define CLSIZER_ANALYSIS_CALLS_H

#include <stdint.h>
#include <llvm-c/Types.h>

#define CALLS_MOST (1ull << 40) /* larger sums count as this: numbers of calls multiply */

/* The number for the function alone. */
typedef uint64_t calls_own(LLVMValueRef f, const void *context);

struct calls {
    calls_own *own;
    const void *context;       /* for `own` */
    struct calls_total *total; /* owned: the sums known so far; NULL at first */
};

/* The function's sum: its own number, and for each call the callee's sum.  Recursive calls add nothing.  Ends
 * the process, which is the helper, when out of memory. */
uint64_t calls_total(struct calls *c, LLVMValueRef f);

void calls_free(struct calls *c); /* what it holds, not *c itself */

#endif
