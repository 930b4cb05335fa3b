/* columns.h - tables of text. */
#pragma once

#include <stdio.h>

/* Make the n columns as wide as these cells need, where they are not yet. */
void columns_widen(int *width, char *const *cells, unsigned n);

/* Print a row of n cells.  Bit i of `right`: column i is aligned to the right. */
void columns_print(FILE *f, const int *width, char *const *cells, unsigned n, unsigned right);
