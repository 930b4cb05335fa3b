/* from_c.h - single-threaded C as OpenCL C. */
#pragma once

/* `text` and behind it kernels FUNCTION__0 to FUNCTION__3 that call the function, or the region (region.h),
 * all alike: in __0 its loops stay, in __N fold_loops() makes N of them dimensions.  The function's arrays
 * become pointers, each to memory of its own; the standard's headers go, and functions that it does not need.
 * Owned by the caller; NULL: *why says why not, owned, too.  What is no OpenCL C is left for the compiler. */
char *from_c_text(const char *text, const char *function, char **why);
