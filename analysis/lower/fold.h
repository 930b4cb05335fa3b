/* fold.h - loops of single-threaded code as dimensions of a range ([C] 3.2). */
#pragma once

#include <llvm-c/Types.h>

/* In each kernel F__N of a prepared module, N = 1 to 3, N perfectly nested loops, the outermost first, become
 * ids: what counts them becomes start + step * get_global_id(), dimension 0 for the innermost, and they run
 * once. Kernels in which that is not possible are deleted.  Whether iterations may run side by side is not
 * looked at. */
void fold_loops(LLVMModuleRef m);
