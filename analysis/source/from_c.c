/* from_c.c - see from_c.h.  Works on words: no line moves, so that messages name the user's. */
#include "analysis/source/from_c.h"
#include "analysis/prove/must.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDED 4 /* kernels: of no loop, one, two, three */

/* Behind a comment, a string or a character at s; s itself: there is none. */
static const char *skip_text(const char *s)
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
    return *end ? end + 1 : end;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind white space and comments. */
static const char *skip_blanks(const char *s)
{
    for (;;) {
        const char *t = isspace((unsigned char)*s) ? s + 1 : *s == '/' ? skip_text(s) : s;
        if (t == s)
            return s;
        s = t;
    }
}

/* Behind the ')' that closes the '(' at s; NULL: none does. */
static const char *skip_parentheses(const char *s)
{
    unsigned depth = 0;
    for (const char *t; *s; s = t != s ? t : s + 1) {
        t = skip_text(s);
        depth += t == s && *s == '(';
        if (t == s && *s == ')' && --depth == 0)
            return s + 1;
    }
    return NULL;
}

/* The '(' of the function's definition. */
static const char *find_function(const char *text, const char *function)
{
    const size_t n = strlen(function);
    for (const char *s = text, *t; *s; s = t) {
        t = skip_text(s);
        if (t != s)
            continue;
        for (t = s + 1; in_word(*s) && in_word(*t);)
            t++;
        const char *open = skip_blanks(t), *close = *open == '(' ? skip_parentheses(open) : NULL;
        if ((size_t)(t - s) == n && memcmp(s, function, n) == 0 && close && *skip_blanks(close) == '{')
            return open;
    }
    return NULL;
}

struct parameter {
    char *type, *name, *dims; /* owned; dims: NULL no pointer, else what follows `type *name` */
    bool grouped;             /* `type (*name)dims` */
};

static char *copy(const char *from, const char *to)
{
    char *s = must(strndup(from, (size_t)(to - from)));
    for (char *c = s; *c; c++)
        *c = *c == '\n' ? ' ' : *c; /* lines are counted where the text stands */
    return s;
}

/* The last word of [from, to). */
static const char *last_word(const char *from, const char *to, const char **end)
{
    while (to > from && !in_word(to[-1]))
        to--;
    *end = to;
    while (to > from && in_word(to[-1]))
        to--;
    return to;
}

/* `type name`, `type *name`, `type name[A][B]`, `type (*name)[B]`. */
static bool read_parameter(const char *from, const char *to, struct parameter *p)
{
    const char *end, *bracket = memchr(from, '[', (size_t)(to - from)), *before = bracket ? bracket : to;
    const char *group = memchr(from, '(', (size_t)(before - from)), *name = last_word(from, before, &end);
    const char *star = memchr(from, '*', (size_t)(name - from)), *rest = to;
    if (bracket && !group) {
        const char *close = memchr(bracket, ']', (size_t)(to - bracket));
        rest = close ? skip_blanks(close + 1) : to;
    } else if (bracket) {
        rest = bracket;
    }
    if (name == end || name == from)
        return false;
    *p = (struct parameter){.type = copy(from, group ? group : star ? star : name), .name = copy(name, end)};
    if (bracket || star)
        p->dims = copy(rest, to);
    p->grouped = p->dims && *p->dims == '[';
    return true;
}

static void print_parameter(FILE *f, const struct parameter *p, const char *space)
{
    if (!p->dims)
        fprintf(f, "%s%s", p->type, p->name);
    else
        fprintf(f, "%s%s%s*restrict %s%s%s", space, p->type, p->grouped ? "(" : "", p->name,
                p->grouped ? ")" : "", p->dims);
}

struct parameters {
    struct parameter *v;
    unsigned n;
};

static bool read_parameters(const char *from, const char *to, struct parameters *out)
{
    while (from < to) {
        const char *end = from;
        while (end < to && *end != ',')
            end++;
        out->v = must_grow(out->v, out->n, sizeof *out->v);
        if (!read_parameter(from, end, &out->v[out->n]))
            return false;
        out->n++;
        from = end + 1;
    }
    return out->n > 0;
}

static void free_parameters(struct parameters *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        free(p->v[i].type);
        free(p->v[i].name);
        free(p->v[i].dims);
    }
    free(p->v);
}

static void print_parameters(FILE *f, const struct parameters *p, const char *space)
{
    for (unsigned i = 0; i < p->n; i++) {
        fputs(i ? ", " : "(", f);
        print_parameter(f, &p->v[i], space);
    }
    fputc(')', f);
}

/* The text up to `end`, without what includes a header of the standard. */
static void print_text(FILE *f, const char *text, const char *end)
{
    for (const char *line = text, *next; line < end; line = next) {
        const char *s = line + strspn(line, " \t");
        next = line + strcspn(line, "\n");
        next = next < end ? next + 1 : end;
        const bool header = *s == '#' && strncmp(s + 1 + strspn(s + 1, " \t"), "include", 7) == 0 &&
                            memchr(s, '<', (size_t)(next - s));
        fprintf(f, "%.*s", header ? 0 : (int)(next - line), line);
        if (header)
            fputc('\n', f);
    }
}

static void print_kernels(FILE *f, const char *function, const struct parameters *p)
{
    for (unsigned n = 0; n < FOLDED; n++) {
        fprintf(f, "\n__kernel void %s__%u", function, n);
        print_parameters(f, p, "__global ");
        fprintf(f, " { %s", function);
        for (unsigned i = 0; i < p->n; i++)
            fprintf(f, "%s%s", i ? ", " : "(", p->v[i].name);
        fputs("); }", f);
    }
    fputc('\n', f);
}

char *from_c_text(const char *text, const char *function)
{
    static const char types[] = "typedef char int8_t; typedef uchar uint8_t; typedef short int16_t; "
                                "typedef ushort uint16_t; typedef int int32_t; typedef uint uint32_t; "
                                "typedef long int64_t; typedef ulong uint64_t;\n#line 1\n";
    const char *open = find_function(text, function), *close = open ? skip_parentheses(open) : NULL;
    struct parameters p = {0};
    char *out = NULL;
    size_t size;
    if (close && read_parameters(open + 1, close - 1, &p)) {
        FILE *f = must(open_memstream(&out, &size));
        fputs(types, f);
        print_text(f, text, open);
        print_parameters(f, &p, "");
        for (const char *s = open; s < close; s++)
            if (*s == '\n')
                fputc('\n', f);
        print_text(f, close, close + strlen(close));
        print_kernels(f, function, &p);
        must_close(f);
    }
    free_parameters(&p);
    return out;
}
