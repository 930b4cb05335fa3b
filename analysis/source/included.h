/* included.h - which files clang read for a program, and where else it would have found them. */
#pragma once

#include "analysis/source/buildopts.h"
#include "analysis/summary/summary.h"

struct included {
    const char *cwd;       /* where the program was built, absolute; not owned */
    bool known;            /* the result depends on nothing but the request and `file` */
    struct sum_file *file; /* owned; each path once */
    uint32_t n;
};

/* Find the next line marker, such as `# 1 "name" 1`, by which a file is entered in the preprocessor's output
 * between *at and `end`, and move *at behind it.  Returns the file's name as clang spells it: the directory
 * where it was found, `/`, and the name in the directive, or that name alone; malloc'ed.  NULL when there is
 * no more. */
char *included_next(const char **at, const char *end);

/* Add the files of a unit that was compiled with `options`; `text` is its text after -frewrite-includes.
 * These are the files that were entered, and those that would be entered instead or as well if they existed,
 * or if what is now one file under two names became two. */
void included_add(struct included *in, const char *text, size_t size, const struct args *options);

void included_free(struct included *in); /* leaves it empty and not known */
