/* columns.c - see columns.h. */
#include "shim/command/columns.h"
#include <string.h>

void columns_widen(int *width, char *const *cells, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if ((int)strlen(cells[i]) > width[i])
            width[i] = (int)strlen(cells[i]);
}

void columns_print(FILE *f, const int *width, char *const *cells, unsigned n, unsigned right)
{
    while (n && !*cells[n - 1])
        n--; /* no blanks at the end of lines */
    for (unsigned i = 0; i < n; i++)
        fprintf(f, "  %*s", right >> i & 1 ? width[i] : i + 1 < n ? -width[i] : 0, cells[i]);
    fputc('\n', f);
}
