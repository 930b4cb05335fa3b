/* wisdom_text.h - records of wisdom.h as lines of text.  Lines are given without their newline, and need not
 * be terminated: at least one byte that is no digit follows them in memory. */
#ifndef CLSIZER_SHIM_WISDOM_TEXT_H
#define CLSIZER_SHIM_WISDOM_TEXT_H

#include "shim/wisdom.h"

/* What a line is about, as hashes of parts of its key. */
struct wis_identity {
    uint64_t key;
    uint64_t group;   /* all but driver and global size */
    uint64_t driver;  /* group and driver */
    size_t global[3]; /* as the line says: may be 0 */
};

/* What every line of this key begins with; malloc'ed, NULL when out of memory.  It can be identified like a
 * line. */
char *wis_prefix(const struct wis_key *k);

/* The whole line with checksum and newline; malloc'ed, NULL when out of memory. */
char *wis_line(const struct wis_key *k, const struct wis_record *r, size_t *size);

/* Hash of the program that the line is about; false if it does not begin like a record.  Cheap. */
bool wis_program(const char *line, size_t size, uint64_t *program);

/* False if there is no whole key. */
bool wis_identify(const char *line, size_t size, struct wis_identity *out);

/* Is the checksum right? */
bool wis_verify(const char *line, size_t size);

/* Has the line the key of wis_prefix(), or, unless `whole`, one of its group? */
bool wis_alike(const char *line, size_t size, const char *prefix, bool whole);

/* Pre: verified.  False if the record makes no sense. */
bool wis_parse(const char *line, size_t size, struct wis_record *out);

#endif
