/* wisdom_files.h - the files of wisdom as `clsizer wisdom` reads them: with every fault named by file and
 * line.
 *
 * Lists of files are chained by wis_file.next. */
#pragma once

#include "shim/ledger/wisdom_file.h"

/* "clsizer: PATH:LINE: WORDS" on stderr; without a line if it is 0. */
void wisdom_complain(const char *path, unsigned line, const char *words);

/* What is wrong with a record, in words (a static string); NULL: nothing. */
const char *wisdom_fault(const struct wis_entry *e);

/* Read a file, or all of a directory in the order of their names.  `owner`: who may own files besides the
 * user, as for the library; WISDOM_ANYBODY: they are taken as they are, and "-" is stdin.  What is wrong is
 * complained of.  Damaged records stay in the list.  A list, NULL if there is nothing; *unusable counts files
 * that cannot be used (they are in it, with `err` set), *damaged records. */
#define WISDOM_ANYBODY ((uid_t)-1)
struct wis_file *wisdom_read(const char *name, uid_t owner, unsigned *unusable, unsigned *damaged);

/* A record's program, from its text: at most `room` - 1 digits.  False if it is no hash: then it names no
 * file, either. */
bool wisdom_program(const struct wis_entry *e, char *out, size_t room);
