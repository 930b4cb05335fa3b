/* wisdom_text.h - records of wisdom.h as lines of text (the form is described in wisdom_text.c).
 *
 * A line is passed without its newline.  It need not end with a NUL, but the byte behind it must be readable
 * and not a digit, as a newline is.  No function here keeps state: all may be called by several threads. */
#ifndef CLSIZER_SHIM_WISDOM_TEXT_H
#define CLSIZER_SHIM_WISDOM_TEXT_H

#include "shim/ledger/wisdom.h"

/* What a line is about, as hashes of parts of its key. */
struct wis_identity {
    uint64_t key;
    uint64_t group;   /* of all but the driver and the global size */
    uint64_t driver;  /* of the same and the driver */
    size_t global[3]; /* the global size itself, as the line says: may be 0 */
};

/* The text that every line of this key begins with, for wis_identify() and wis_alike(); malloc'ed, NULL when
 * out of memory. */
char *wis_prefix(const struct wis_key *k);

/* The whole line with checksum and newline, *size bytes; malloc'ed, NULL when out of memory. */
char *wis_line(const struct wis_key *k, const struct wis_record *r, size_t *size);

/* Set *program to the hash of the program that the line is about.  False if it does not begin like a record.
 * Looks at no more than the beginning, because every line of a file is asked. */
bool wis_program(const char *line, size_t size, uint64_t *program);

/* Hash the parts of the line's key.  False if it has no complete key. */
bool wis_identify(const char *line, size_t size, struct wis_identity *out);

/* Is the checksum right? */
bool wis_verify(const char *line, size_t size);

/* Has the line the same key as this wis_prefix() text, or, unless `whole`, one of the same group?  Compares
 * the text, because hashes may collide. */
bool wis_alike(const char *line, size_t size, const char *prefix, bool whole);

/* Parse a line that wis_verify() accepts.  False if the record makes no sense. */
bool wis_parse(const char *line, size_t size, struct wis_record *out);

#endif
