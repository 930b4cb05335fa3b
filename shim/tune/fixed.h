/* fixed.h - the variant `fixed`: the program's own kernel, called with what never changes as constants.
 *
 * A kernel appended to the program's text calls it: scalar arguments have their present values, pointers are
 * `restrict` where buffers do not overlap, and the local size is required.  Values and pointers are guards
 * (variant.h).  With constants a compiler might round otherwise (sel_constants_are_safe()): then there are
 * none. */
#pragma once

#include "shim/site/variant.h"

/* The variant for this launch and later ones with the same values.  `steady`: bit i is set if scalar argument
 * i has not changed, bit 63 stands for all from there on.  `local`: the required size; NULL: any.
 *
 * NULL, and a reason's name in *reason (*detail is left alone), if there is none:
 *   variant-source     the program is not OpenCL C alone: a binary, SPIR-V, linked, or including files
 *   variant-kernel     it has local memory, attributes, a name or a variable with which it cannot be called
 *   variant-argument   an argument's type cannot be written down again
 *   variant-nothing    nothing can be constant, and buffers overlap
 *   driver-classes     this driver may run other code, in which it adds loops in another order
 * Site locked; its kernel has a summary. */
struct variant *fixed_variant(const struct launching *l, uint64_t steady, const size_t local[3],
                              const char **reason, const char **detail);
