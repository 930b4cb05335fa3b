/* flags.h - what LLVM notes beside arithmetic.  Helper only. */
#pragma once

#include "analysis/lower/table.h"

#include <stdbool.h>
#include <llvm-c/Types.h>

/* Enter SUM_F_NSW | SUM_F_NUW of each add, sub, mul and shl of the function into *wraps.  True where
 * something in it relaxes floating point. */
bool flags_read(LLVMValueRef f, struct table **wraps);
