/* reasons.h - what the named reasons of the report mean: those of the library (reasons.def), of kernels
 * (SUM_REASONS) and of launches (SEL_REASONS), in one table. */
#pragma once

#include <stdio.h>

struct rsn_row {
    const char *name;  /* "shared-queue"; NULL: a heading */
    const char *words; /* one line, no full stop; "" for "proved" and the like, which are no reasons */
};
const struct rsn_row *rsn_row(unsigned i); /* NULL past the end */

/* The words of a reason; NULL when there is none of that name.  Of two rows with one name, the first. */
const char *rsn_words(const char *name);

void rsn_print_table(FILE *f); /* `clsizer --reasons` */
