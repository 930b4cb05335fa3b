/* rewrite.h - kernels as other OpenCL C that does the same work in another shape.  Helper only. */
#pragma once

#include "analysis/summary/summary.h"

struct rewrite_shape {
    unsigned lanes;     /* 4, 8 or 16: so many neighbours in each work-item; 1: the kernel as it is */
    unsigned dimension; /* along which they are neighbours */
    const char *undefs; /* lines that come first in the text; NULL: none */
    bool arrays;   /* what differs between them is in private arrays, with loops over them; else in vectors */
    bool fold;     /* loops of kernels of single-threaded C become ids (fold.c) */
    bool groups;   /* also kernels whose groups must stay as they are: impl.h */
    bool single;   /* the text is for -cl-single-precision-constant */
    bool in_order; /* tell the driver that the rounds of a loop stay in order (DRV_ADDS_IN_PARTS) */
};

/* Fill in `wide` of each kernel whose fact S is proved.  `bitcode` is the program's, as front_compile() makes
 * it.
 *
 * The neighbours advance in step, so it must be proved that no work-item touches what another one writes
 * (sel_disjoint()), which only a launch can tell.  Buffers are `restrict`: of launches for which that is not
 * known (sel_buffers_are_apart()), `#define restrict` comes before the text.  The kernel is to be launched
 * with the offset divided by `lanes`, which must be a multiple, and with the size divided and rounded up. */
void rewrite_program(const char *bitcode, size_t size, const struct rewrite_shape *shape,
                     struct program_summary *p);
