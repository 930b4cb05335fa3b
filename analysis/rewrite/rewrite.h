/* rewrite.h - a kernel as other OpenCL C that does the same work in another shape.  Helper only. */
#ifndef CLSIZER_ANALYSIS_REWRITE_H
#define CLSIZER_ANALYSIS_REWRITE_H

#include <stddef.h>

struct rewrite_request {
    const char *bitcode; /* of the program, from front_compile() */
    size_t size;
    const char *kernel; /* its name */
    unsigned lanes;     /* 4, 8 or 16: neighbours whose work one work-item does at once */
    unsigned dimension; /* along which they are neighbours */
};

struct rewrite_result {
    char *text;       /* owned: a program with one kernel; NULL: not offered */
    char *name;       /* owned: the kernel's, KERNEL_wideN */
    char *why;        /* owned: "reason: detail" where there is no text, else NULL */
    unsigned id_bits; /* the text does the same work where offset + global size is at most 2^id_bits in the
                         dimension */
};

/* The kernel with the work of `lanes` neighbours in each work-item.  The result's kernel has the arguments of
 * the original one and another: `ulong end`, the offset plus the global size of the launch that it stands for
 * in `dimension`, whose offset must be a multiple of `lanes`.  It is launched with the offset divided by
 * `lanes`, and with the size divided and rounded up.
 *
 * The neighbours advance in step, so it must be proved that no work-item touches what another one writes
 * (sel_disjoint()).  Nobody but the caller can know that.  The caller frees the strings in *out. */
void rewrite_wide(const struct rewrite_request *r, struct rewrite_result *out);

#endif
