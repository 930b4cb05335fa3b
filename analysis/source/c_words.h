/* c_words.h - C as words: what stands behind them.  Text ends with NUL, and no result lies behind that. */
#pragma once

#include <stdbool.h>

/* Behind a comment, a string or a character at s, the latter two at the end of the line at the latest; s
 * itself: there is none. */
const char *skip_text(const char *s);

/* Behind white space and comments. */
const char *skip_blanks(const char *s);

/* Behind the bracket that closes the one at s; NULL: none does. */
const char *skip_brackets(const char *s);

/* Behind the word or text at s; a character that is in no word is one. */
const char *skip_word(const char *s);

/* At the end of the line, and of those that continue it. */
const char *skip_line(const char *s);

/* The last word of [from, to), and its end: where there is none, both are `from`. */
const char *last_word(const char *from, const char *to, const char **end);

/* Is a letter, a digit or '_' at s? */
bool is_word(const char *s);

bool same_word(const char *a, const char *b);

/* The '(' of the function's definition; NULL: there is none. */
const char *find_function(const char *text, const char *function);

/* Of the text; 1 is the first. */
unsigned line_of(const char *text, const char *place);
