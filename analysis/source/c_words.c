/* c_words.c - see c_words.h. */
#include "analysis/source/c_words.h"

#include <ctype.h>
#include <string.h>

const char *skip_text(const char *s)
{
    const char *end = NULL;
    if (strncmp(s, "//", 2) == 0)
        return s + strcspn(s, "\n");
    if (strncmp(s, "/*", 2) == 0)
        return (end = strstr(s + 2, "*/")) ? end + 2 : s + strlen(s);
    if (*s != '"' && *s != '\'')
        return s;
    for (end = s + 1; *end && *end != *s && *end != '\n'; end++)
        end += *end == '\\' && end[1];
    return end + (*end == *s);
}

bool is_word(const char *s)
{
    return isalnum((unsigned char)*s) || *s == '_';
}

const char *skip_blanks(const char *s)
{
    for (;;) {
        const char *t = isspace((unsigned char)*s) ? s + 1 : *s == '/' ? skip_text(s) : s;
        if (t == s)
            return s;
        s = t;
    }
}

const char *skip_brackets(const char *s)
{
    const char open = *s, close = open == '(' ? ')' : open == '[' ? ']' : '}';
    unsigned depth = 0;
    for (const char *t; *s; s = t != s ? t : s + 1) {
        t = skip_text(s);
        depth += t == s && *s == open;
        if (t == s && *s == close && --depth == 0)
            return s + 1;
    }
    return NULL;
}

const char *last_word(const char *from, const char *to, const char **end)
{
    while (to > from && !is_word(to - 1))
        to--;
    *end = to;
    while (to > from && is_word(to - 1))
        to--;
    return to;
}

const char *skip_word(const char *s)
{
    const char *t = skip_text(s);
    if (t == s)
        for (t = s + 1; is_word(s) && is_word(t);)
            t++;
    return t;
}

bool same_word(const char *a, const char *b)
{
    const size_t n = (size_t)(skip_word(a) - a);
    return n == (size_t)(skip_word(b) - b) && memcmp(a, b, n) == 0;
}

const char *skip_line(const char *s)
{
    while (*s && *s != '\n')
        s += s[0] == '\\' && s[1] ? 2 : 1;
    return s;
}

const char *find_function(const char *text, const char *function)
{
    for (const char *s = text; *s; s = skip_word(s)) {
        const char *open = skip_blanks(skip_word(s)), *close = *open == '(' ? skip_brackets(open) : NULL;
        if (same_word(s, function) && close && *skip_blanks(close) == '{')
            return open;
    }
    return NULL;
}

unsigned line_of(const char *text, const char *place)
{
    unsigned line = 1;
    for (; text < place; text++)
        line += *text == '\n';
    return line;
}
