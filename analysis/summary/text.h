/* text.h - a text form's fields, each described once for both directions.
 *
 * A format is a function that goes over its fields in order: where struct text has a file, each field's
 * function writes it, else it reads it.  What is written is not changed.  A line consists of tokens separated
 * by blanks: words, numbers, quoted strings.  Functions return nothing: the first error stays, after which
 * reading changes nothing any more.
 *
 * Readers run inside other people's processes and trust nothing: memory grows with what was actually read,
 * never with a number found in the text; every count has a limit; nothing recurses.  What was built before an
 * error is the caller's to release.  Uses libc alone. */
#pragma once

#include "analysis/summary/summary_names.h"

#define TEXT_MAX_LINE 4096 /* bytes of text_rest() */

struct text {
    int err; /* the first error, a negative errno; 0 while all is well */
    /* writing */
    FILE *out;     /* NULL: reading */
    uint64_t hash; /* of all that was written but text_bytes() */
    bool begun;    /* a line: what follows stands behind a blank */
    /* reading */
    const char *p, *eol, *end; /* where the cursor is; the end of its line, and of the text */
    unsigned line;             /* its number */
    const char *tok;           /* current token: tok[0..len); a string keeps its quotes */
    size_t len;
};

struct text text_writer(FILE *f);
struct text text_reader(const char *text, size_t size); /* not terminated; borrowed */
void text_cut(struct text *t, const char *end);         /* what is read ends there */

bool text_fail(struct text *t, int err); /* false */

/* ---- fields, written or read ----------------------------------------------------------------------- */

/* End the line and go to the next one. */
void text_end_line(struct text *t);

/* A word that may be missing.  Writing: is it `present`?  Reading: is it there? */
bool text_has(struct text *t, const char *word, bool present);
void text_must(struct text *t, const char *word);
/* A word that may be missing stands for true. */
void text_flag(struct text *t, const char *word, bool *set);
/* One of two words. */
void text_either(struct text *t, const char *yes, const char *no, bool *is_yes);

/* An unsigned integer of 1, 4 or 8 bytes, and a word for an enumerator of these sizes. */
void text_number(struct text *t, void *at, size_t size);
void text_name(struct text *t, const struct sum_names *names, void *at, size_t size);
#define TEXT_NUMBER(t, field)      text_number(t, &(field), sizeof(field))
#define TEXT_NAME(t, names, field) text_name(t, names, &(field), sizeof(field))

/* A line of a word and a number, which may be missing.  Writing: is it `present`?  Reading: is it there? */
bool text_number_line(struct text *t, const char *word, void *at, size_t size, bool present);
#define TEXT_NUMBER_LINE(t, word, field, present) text_number_line(t, word, &(field), sizeof(field), present)

/* "word=value", missing for the `usual` value.  The value is a signed number if it has 8 bytes; with `names`,
 * a word. */
void text_key(struct text *t, const char *word, const struct sum_names *names, void *at, size_t size,
              int64_t usual);
#define TEXT_KEY(t, word, field)             text_key(t, word, NULL, &(field), sizeof(field), 0)
#define TEXT_KEY_NAME(t, word, names, field) text_key(t, word, names, &(field), sizeof(field), 0)

/* Strings; reading, *s is owned by the caller.  Quoted; the rest of the line; n bytes as they are, with a NUL
 * behind them in memory (-EFBIG beyond `limit`). */
void text_string(struct text *t, char **s);
void text_rest(struct text *t, char **s);
void text_bytes(struct text *t, char **s, size_t n, size_t limit);

/* ---- lists ----------------------------------------------------------------------------------------- */

/* `array` with room for element number `n`; `cap` is its capacity.  On error the array as it was. */
void *text_grown(struct text *t, void *array, uint32_t n, uint32_t *cap, size_t size, uint32_t max);

/* Reading: grow the array lvalue `a` to n + 1 elements; false on error. */
#define TEXT_ADD(t, a, n, cap, max) ((a) = text_grown(t, a, n, cap, sizeof(*(a)), max), !(t)->err && ++(n))

/* Is there an element i of a list of which each begins with `word`?  Reading, room is made for it. */
#define TEXT_MORE(t, word, a, n, i, cap, max)                                                                \
    (text_has(t, word, (i) < (n)) && ((t)->out || TEXT_ADD(t, a, n, &(cap), max)))

/* ---- for tokens of another kind -------------------------------------------------------------------- */

void text_blank(struct text *t); /* unless the line begins */
void text_putf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3))); /* no blank */

bool text_at_eol(struct text *t);
/* Take the next token of the line; false (and an error) when there is none. */
bool text_token(struct text *t);
/* Does the rest of the line begin with `s`? */
bool text_begins(struct text *t, const char *s);
/* All of s[0..n) as a number; false if it is none. */
bool text_u64(const char *s, size_t n, uint64_t *out);
bool text_i64(const char *s, size_t n, int64_t *out);
