/* calls.h - sums over the functions of a module: what each has by itself, and all that it calls. */
#ifndef CLSIZER_ANALYSIS_CALLS_H
#define CLSIZER_ANALYSIS_CALLS_H

#include <stdint.h>
#include <llvm-c/Types.h>

#define CALLS_MOST (1ull << 40) /* sums end there: calls multiply */

/* What a function has by itself. */
typedef uint64_t calls_own(LLVMValueRef f, const void *context);

struct calls {
    calls_own *own;
    const void *context;       /* for `own` */
    struct calls_total *total; /* owned: what is known already; NULL at first */
};

/* The function's sum, with that of a callee once for each call.  What a function has by calling itself does
 * not count.  Memory shortage ends the process, which is the helper. */
uint64_t calls_total(struct calls *c, LLVMValueRef f);

void calls_free(struct calls *c); /* what it holds, not *c itself */

#endif
