/* wisdom_text.h - records of wisdom.h as lines of text (the form is described in wisdom_text.c).
 *
 * A line has no newline and ends with a NUL.  No function here keeps state: all may be called by several
 * threads. */
#pragma once

#include "shim/ledger/wisdom.h"

#define WIS_RECORD       "{\"v\":"                              /* of a record, of any version */
#define WIS_START        "{\"v\":1,\"key\":{"                   /* of every line */
#define WIS_WHOLE_KERNEL ",\"local_args\":\"ffffffffffffffff\"" /* in lines about WIS_ALL_SHAPES */

/* How far lines must be the same, bytes, to agree in parts of their keys; and the global size. */
struct wis_extent {
    size_t alike;  /* all but the driver's version and the global size */
    size_t driver; /* all but the global size */
    size_t key;    /* the whole key */
    size_t global[3];
};

/* The whole line with its checksum; malloc'ed, NULL when out of memory. */
char *wis_line(const struct wis_key *k, const struct wis_record *r);

/* Verify the line and measure its key.  False if it is damaged. */
bool wis_find_key(const char *line, struct wis_extent *out);

/* Verify and parse a line.  False if it is damaged, or the record makes no sense. */
bool wis_parse(const char *line, struct wis_record *out);
