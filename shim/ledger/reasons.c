/* reasons.c - the table of reasons. */
#include "shim/ledger/reasons.h"
#include <string.h>
#include "analysis/summary/summary.h"
#include "select/select.h"

#define HEADING(text)       {NULL, text},
#define REASON(name, words) {name, words},
#define ROW(e, name, words) {name, words},

static const struct rsn_row rows[] = {
#include "shim/ledger/reasons.def"
    HEADING("kernels: why one of their facts (`clsizer analyze --help`) is not proved") SUM_REASONS(ROW)
        HEADING("launches: what was not proved with their arguments") SEL_REASONS(ROW)};
#define NROW (sizeof rows / sizeof *rows)

const struct rsn_row *rsn_row(unsigned i)
{
    return i < NROW ? &rows[i] : NULL;
}

const char *rsn_words(const char *name)
{
    for (size_t i = 0; i < NROW; i++)
        if (rows[i].name && strcmp(rows[i].name, name) == 0)
            return rows[i].words;
    return NULL;
}

void rsn_print_table(FILE *f)
{
    for (size_t i = 0; i < NROW; i++) {
        if (!rows[i].name)
            fprintf(f, "%s%s:\n", i ? "\n" : "", rows[i].words);
        else if (*rows[i].words)
            fprintf(f, "  %-25s %s\n", rows[i].name, rows[i].words);
    }
}
