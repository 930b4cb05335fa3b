/* included.h - which files clang read for a program, and where it may have looked for them. */
#ifndef CLSIZER_ANALYSIS_INCLUDED_H
#define CLSIZER_ANALYSIS_INCLUDED_H

#include "analysis/buildopts.h"
#include "analysis/summary.h"

struct included {
    const char *cwd;       /* where the program was built, absolute; not owned */
    bool known;            /* `file` is all that the result depends on, beside the request */
    struct sum_file *file; /* owned; no path twice */
    uint32_t n, room;
};

/* The next file that a line marker, `# 1 "name" 1`, enters in the preprocessor's output between *at and
 * `end`; *at moves behind it.  malloc'ed, as clang spells it: the directory where it was found, `/`, and the
 * name in the directive, or that alone.  NULL when there is no more. */
char *included_next(const char **at, const char *end);

/* Add the files of a unit compiled with `options`, whose text after -frewrite-includes this is: those that
 * were entered, and those that would be entered instead or as well if they came into being, or were no
 * longer the same file under two names. */
void included_add(struct included *in, const char *text, size_t size, const struct args *options);

void included_free(struct included *in); /* leaves it empty and not known */

#endif
