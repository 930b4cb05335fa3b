/* from_c.c - see from_c.h.  Works on words: no line moves, so that messages name the user's. */
#include "analysis/source/from_c.h"
#include "analysis/prove/must.h"
#include "analysis/source/c_words.h"
#include "analysis/source/region.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDED 4 /* kernels: of no loop, one, two, three */

/* ---- other functions ------------------------------------------------------------------------------- */

/* A function's definition, or a line of the preprocessor: what may mention functions. */
struct piece {
    const char *begin, *end;
    const char *name; /* NULL: a line */
    bool used;        /* by the function that is asked for */
};

struct pieces {
    struct piece *v;
    unsigned n;
};

static void add_piece(struct pieces *p, const char *begin, const char *end, const char *name)
{
    p->v = must_grow(p->v, p->n, sizeof *p->v);
    p->v[p->n++] = (struct piece){begin, end, name, false};
}

/* Functions that are defined in the text, and the preprocessor's lines beside them. */
static struct pieces find_pieces(const char *text)
{
    struct pieces all = {0};
    const char *begin = text, *name = NULL, *closed = NULL, *t;
    for (const char *s = text; s && *s; s = t) {
        if ((t = skip_text(s)) != s)
            continue;
        t = s + 1;
        if (*s == '#') {
            t = skip_line(s);
            add_piece(&all, s, t, NULL);
        } else if (*s == '(') {
            const char *end, *word = last_word(begin, s, &end);
            name = name || strncmp(word, "__attribute__", 13) == 0 ? name : word;
            t = closed = skip_brackets(s);
        } else if (*s == '{') {
            t = skip_brackets(s);
            if (name && t && skip_blanks(closed) == s)
                add_piece(&all, begin, t, name);
        }
        if (*s == '#' || *s == ';' || (*s == '{' && all.n && all.v[all.n - 1].end == t)) {
            begin = t;
            name = NULL;
        }
    }
    return all;
}

static bool mentions(const struct piece *p, const char *name)
{
    for (const char *s = p->begin; s < p->end; s = skip_word(s))
        if (same_word(s, name))
            return true;
    return false;
}

static void use(struct pieces *all, struct piece *p)
{
    p->used = true;
    for (unsigned i = 0; i < all->n; i++)
        if (!all->v[i].used && all->v[i].name && mentions(p, all->v[i].name))
            use(all, &all->v[i]);
}

/* Leave out functions that `function` does not need, but for their lines: they need be no OpenCL C. */
static char *without_others(const char *text, const char *function)
{
    struct pieces all = find_pieces(text);
    char *out = must(strdup(text));
    for (unsigned i = 0; i < all.n; i++)
        if (!all.v[i].name || same_word(all.v[i].name, function))
            use(&all, &all.v[i]);
    for (unsigned i = 0; i < all.n; i++)
        for (const char *s = all.v[i].begin; s < all.v[i].end && !all.v[i].used; s++)
            out[s - text] = *s == '\n' ? '\n' : ' ';
    free(all.v);
    return out;
}

/* ---- parameters ------------------------------------------------------------------------------------ */

struct parameter {
    char *type, *name, *dims; /* owned; dims: NULL no pointer, else what follows `type *name` */
    bool grouped;             /* `type (*name)dims` */
    bool varies;              /* dims: lengths of rows that the compiler does not know */
};

static char *copy(const char *from, const char *to)
{
    char *s = must(strndup(from, (size_t)(to - from)));
    for (char *c = s; *c; c++)
        *c = *c == '\n' ? ' ' : *c; /* lines are counted where the text stands */
    return s;
}

/* `type name`, `type *name`, `type name[A][B]`, `type (*name)[B]`. */
static bool read_parameter(const char *from, const char *to, struct parameter *p)
{
    const char *end, *bracket = memchr(from, '[', (size_t)(to - from)), *before = bracket ? bracket : to;
    const char *group = memchr(from, '(', (size_t)(before - from)), *name = last_word(from, before, &end);
    const char *star = memchr(from, '*', (size_t)(name - from)), *rest = to;
    const bool nested = star && (memchr(star + 1, '*', (size_t)(name - star - 1)) || (bracket && !group));
    if (bracket && !group) {
        const char *close = memchr(bracket, ']', (size_t)(to - bracket));
        rest = close ? skip_blanks(close + 1) : to;
    } else if (bracket) {
        rest = bracket;
    }
    if (name == end || name == from || nested || (group && !bracket))
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
        fprintf(f, p->grouped && !p->varies ? "%s%s(*restrict %s)%s" : "%s%s*restrict %s", space, p->type,
                p->name, p->dims);
}

struct parameters {
    struct parameter *v;
    unsigned n;
};

/* The parameter that is named at s; NULL: none. */
static const struct parameter *find_parameter(const struct parameters *p, const char *s)
{
    for (unsigned i = 0; i < p->n; i++)
        if (same_word(p->v[i].name, s))
            return &p->v[i];
    return NULL;
}

/* NULL, or why they are not understood; owned by the caller. */
static char *read_parameters(const char *text, const char *from, const char *to, struct parameters *out)
{
    const char *end, *last = last_word(from, to, &end);
    if (last == end || (last == skip_blanks(from) && same_word(last, "void")))
        return must(strdup("it has no parameters: pass to it what it works on"));
    while (from < to) {
        for (end = from; end < to && *end != ',';)
            end++;
        out->v = must_grow(out->v, out->n, sizeof *out->v);
        struct parameter *p = &out->v[out->n];
        if (!read_parameter(from, end, p))
            return must_print("line %u: '%.*s' is no number, and no array or pointer of numbers",
                              line_of(text, skip_blanks(from)), (int)(end - skip_blanks(from)),
                              skip_blanks(from));
        for (const char *s = p->grouped ? p->dims : ""; *s; s = skip_word(s))
            p->varies |= find_parameter(out, s) != NULL;
        out->n++;
        from = end + 1;
    }
    return NULL;
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

/* Behind a row's length in brackets. */
static const char *skip_length(const char *s)
{
    const char *end = skip_brackets(s);
    return end ? end : s + strlen(s);
}

static void print_body(FILE *f, const char *from, const char *to, const struct parameters *p);

/* A[i][j], which stands at s, of rows with a length that varies, as (A+(long)(i)*(m)+(long)(j))[0]; fewer
 * indices lead to a row.  Behind it. */
static const char *print_element(FILE *f, const char *s, const struct parameter *a,
                                 const struct parameters *p)
{
    const char *behind = skip_word(s), *next = skip_blanks(behind), *length = a->dims, *close;
    bool element = false;
    fprintf(f, "(%s", a->name);
    while (!element && *next == '[' && (close = skip_brackets(next))) {
        fprintf(f, "%.*s+(long)(", (int)(next - behind), behind);
        print_body(f, next + 1, close - 1, p);
        fputc(')', f);
        for (const char *l = length, *end; *l == '['; l = skip_blanks(end)) {
            end = skip_length(l);
            fprintf(f, "*(%.*s)", (int)(end - l - 2), l + 1);
        }
        element = *length != '[';
        length = element ? length : skip_blanks(skip_length(length));
        behind = close;
        next = skip_blanks(behind);
    }
    fputs(element ? ")[0]" : ")", f);
    return behind;
}

/* [from, to) of the function, without arrays whose type is not OpenCL C's. */
static void print_body(FILE *f, const char *from, const char *to, const struct parameters *p)
{
    for (const char *s = from, *t; s < to; s = t) {
        const struct parameter *a = find_parameter(p, s);
        if (a && a->varies) {
            t = print_element(f, s, a, p);
        } else {
            t = skip_word(s);
            fprintf(f, "%.*s", (int)(t - s), s);
        }
    }
}

static void print_kernels(FILE *f, const char *function, const struct parameters *p)
{
    fputs("\n#define size_t ulong\n#define ptrdiff_t long\n#define bool uchar\n",
          f); /* no kernel's parameters */
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

/* What the standard's headers declare, as far as OpenCL C has it by another name. */
#define ONE(f) "#define " #f "f(x) " #f "((float)(x))\n"
#define TWO(f) "#define " #f "f(x, y) " #f "((float)(x), (float)(y))\n"
static const char headers[] =
    "typedef char int8_t; typedef uchar uint8_t; typedef short int16_t; typedef ushort uint16_t; "
    "typedef int int32_t; typedef uint uint32_t; typedef long int64_t; typedef ulong uint64_t;\n" ONE(acos)
        ONE(asin) ONE(atan) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(exp) ONE(exp2) ONE(fabs) ONE(floor)
            ONE(log) ONE(log10) ONE(log2) ONE(round) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh)
                ONE(trunc) TWO(atan2) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(pow) "#line 1\n";

char *from_c_text(const char *all, const char *function, char **why)
{
    char *region = region_text(all, function, why), *out = NULL;
    if (*why)
        return NULL;
    all = region ? region : all;
    char *needed = without_others(all, function);
    const char *text = find_function(needed, function) ? needed : all; /* brackets that do not match */
    const char *open = find_function(text, function), *close = open ? skip_brackets(open) : NULL;
    const char *end = close ? skip_brackets(skip_blanks(close)) : NULL;
    struct parameters p = {0};
    size_t size;
    *why = end ? read_parameters(text, open + 1, close - 1, &p) : must(strdup("no function of that name"));
    if (!*why) {
        FILE *f = must(open_memstream(&out, &size));
        fputs(headers, f);
        print_text(f, text, open);
        print_parameters(f, &p, "");
        for (const char *s = open; s < close; s++)
            if (*s == '\n')
                fputc('\n', f);
        print_body(f, close, end, &p);
        print_text(f, end, end + strlen(end));
        print_kernels(f, function, &p);
        must_close(f);
    }
    free_parameters(&p);
    free(needed);
    free(region);
    return out;
}
