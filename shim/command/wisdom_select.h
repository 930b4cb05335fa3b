/* wisdom_select.h - which records `clsizer wisdom` is asked about. */
#pragma once

#include "shim/ledger/wisdom_file.h"

/* All that is given must match.  The strings are borrowed. */
struct selection {
    char **kernels; /* globs, one of which must match; `n` of them, 0: all kernels */
    int n;
    const char *program; /* a glob for its path or name, or the beginning of its hash; NULL: all */
    const char *device;  /* a glob for its name; NULL: all */
};

/* Is the record one of them?  Damaged ones are not. */
bool select_has(const struct selection *s, const struct wis_entry *e);

/* Is everything one of them? */
static inline bool select_all(const struct selection *s)
{
    return !s->n && !s->program && !s->device;
}

/* Print the records as a table, or as one JSON line each; with all members, as one JSON text each.  Returns
 * how many. */
enum select_form { SELECT_TABLE, SELECT_LINES, SELECT_WHOLE };
size_t select_print(const struct selection *s, const struct wis_file *list, enum select_form form);
