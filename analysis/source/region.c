/* region.c - see region.h.  Works on words, as from_c.c does: types are the compiler's business. */
#include "analysis/source/region.h"
#include "analysis/prove/must.h"
#include "analysis/source/c_words.h"

#include <string.h>

/* ---- what is declared ------------------------------------------------------------------------------- */

/* `type declarator`; the type ends before the first declarator of its declaration. */
struct variable {
    const char *type, *type_end, *declarator, *end, *name;
    const char *rows; /* up to `end`: lengths that matter, which are all but an array's first */
    unsigned depth;   /* of the block that it is declared in; 0: outside of functions */
    enum role { UNUSED, PASSED, OWN } role;
};

/* What can be seen from a place. */
struct scope {
    struct variable *v; /* owned */
    unsigned n, depth;
    const char *function, *name, *body; /* NULL: outside of functions; else its begin, name and '{' */
};

static bool is_one_of(const char *s, const char *const *words)
{
    while (*words && !same_word(s, *words))
        words++;
    return *words;
}

/* Not followed by a variable that they declare. */
static const char *const no_types[] = {"return", "goto",   "else",    "case",   "do", "if",
                                       "while",  "switch", "typedef", "sizeof", NULL};
static const char *const storage[] = {"static", "extern", "register", "auto", NULL};

/* The declarator at d; behind it, NULL: of no variable. */
static const char *read_declarator(const char *d, const char *to, struct variable *v)
{
    const char *bracket = NULL, *end, *t;
    bool function = false;
    for (const char *s = d; s < to && *s != ',' && *s != '='; s = skip_blanks(t)) {
        t = *s == '[' || *s == '(' ? skip_brackets(s) : skip_word(s);
        if (!t)
            return NULL;
        bracket = bracket || *s != '[' ? bracket : s;
        function |= *s == '(' && s != d;
        v->end = t;
    }
    v->declarator = d;
    v->name = last_word(d, *d == '(' ? skip_brackets(d) : bracket ? bracket : v->end, &end);
    v->rows = !bracket ? v->end : *d == '(' ? bracket : skip_brackets(bracket);
    return function || v->name == end ? NULL : v->end;
}

/* If [from, to) declares variables, they can be seen in the block of that depth. */
static void declare(struct scope *c, const char *from, const char *to, unsigned depth)
{
    const char *type = skip_blanks(from), *s, *first = NULL;
    while (is_one_of(type, storage))
        type = skip_blanks(skip_word(type));
    for (s = type; s < to && is_word(s) && !is_one_of(s, no_types); s = skip_blanks(skip_word(s)))
        first = s;
    const char *group = s < to && *s == '(' ? skip_brackets(s) : NULL;
    if (s < to && (*s == '*' || (group && *skip_blanks(s + 1) == '*' && *skip_blanks(group) == '[')))
        first = first ? s : NULL;
    else if (first == type || (s < to && is_word(s)))
        return;
    for (const char *d = first; d && d < to; d = s < to ? skip_blanks(s + 1) : to) {
        struct variable v = {.type = type, .depth = depth};
        last_word(type, first, &v.type_end);
        if (!(s = read_declarator(d, to, &v)))
            return;
        c->v = must_grow(c->v, c->n, sizeof *c->v);
        c->v[c->n++] = v;
        while (s < to && *s != ',') /* what it is set to */
            if (!(s = strchr("([{", *s) ? skip_brackets(s) : skip_word(s)))
                return;
    }
}

static void leave(struct scope *c, unsigned depth)
{
    while (c->n && c->v[c->n - 1].depth > depth)
        c->n--;
}

/* The statement at `begin` outside of functions goes on with a block: is it a function's definition? */
static void enter(struct scope *c, const char *begin, const char *brace)
{
    const char *open = NULL, *close = NULL, *end;
    c->function = NULL;
    for (const char *s = begin; s && s < brace; s = *s == '(' ? close : skip_word(s))
        if (*s == '(')
            close = skip_brackets(open = s);
    if (!close || skip_blanks(close) != brace)
        return;
    c->function = begin;
    c->body = brace;
    c->name = last_word(begin, open, &end);
    for (const char *s = open + 1, *t; s < close; s = t + 1) {
        for (t = s; t < close - 1 && *t != ',';)
            t++;
        declare(c, s, t, 1);
    }
}

/* What can be seen from `place`. */
static struct scope look(const char *text, const char *place)
{
    struct scope c = {.n = 0};
    const char *begin = text, *t, *end, *head = NULL; /* head: of a loop, which may declare its counter */
    for (const char *s = text; s && s < place; s = t) {
        if ((t = skip_text(s)) != s)
            continue;
        t = skip_word(s);
        if (*s == '#') {
            t = begin = skip_line(s);
        } else if (*s == '(') {
            if (same_word(last_word(begin, s, &end), "for"))
                head = begin = t;
            else
                t = skip_brackets(s);
        } else if (*s == ')') {
            head = NULL;
            begin = t;
        } else if (*s == ';') {
            declare(&c, begin, s, c.depth + (head != NULL));
            leave(&c, c.depth + (head != NULL));
            begin = t;
        } else if (*s == '=' && *skip_blanks(t) == '{') {
            t = skip_brackets(skip_blanks(t));
        } else if (*s == '{') {
            if (c.depth++ == 0)
                enter(&c, begin, s);
            begin = t;
        } else if (*s == '}') {
            c.depth -= c.depth > 0;
            leave(&c, c.depth);
            begin = t;
        }
    }
    if (c.depth == 0)
        c.function = NULL;
    return c;
}

/* ---- what the region does with it -------------------------------------------------------------------- */

/* A use of a variable, and the two words before it, the last one first. */
struct use {
    const char *at, *before[2];
};

/* The next one behind the word at `from`; false: none. */
static bool find_use(const char *from, const char *to, const char *name, struct use *u)
{
    *u = (struct use){.before = {from, from}};
    for (const char *s = from; s < to; s = skip_blanks(skip_word(s))) {
        const bool member = *u->before[0] == '.' || (*u->before[0] == '>' && *u->before[1] == '-');
        u->at = s;
        if (s != from && !member && same_word(s, name))
            return true;
        u->before[1] = u->before[0];
        u->before[0] = s;
    }
    return false;
}

/* Does the use belong to a declaration of another variable of that name? */
static bool declares(const struct use *u)
{
    return is_word(u->before[0]) && !is_one_of(u->before[0], no_types);
}

enum change { NONE, SET, CHANGED };

/* What becomes of the variable itself, not of what it points to. */
static enum change change_by(const struct use *u)
{
    static const char *const updates[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    const char *t = skip_blanks(skip_word(u->at)), a = *u->before[0], b = *u->before[1];
    const bool binary = is_word(u->before[1]) || strchr(")]&", b);
    while (*t == '.') /* of a structure: one member */
        t = skip_blanks(skip_word(skip_blanks(t + 1)));
    if (*t == '[' || strncmp(t, "->", 2) == 0)
        return NONE;
    if (strncmp(t, "++", 2) == 0 || strncmp(t, "--", 2) == 0 || ((a == '+' || a == '-') && a == b) ||
        (a == '&' && !binary))
        return CHANGED;
    for (unsigned i = 0; i < sizeof updates / sizeof *updates && a != '*'; i++)
        if (strncmp(t, updates[i], strlen(updates[i])) == 0)
            return CHANGED;
    return a != '*' && *t == '=' && t[1] != '=' ? SET : NONE;
}

/* Is the value that the region leaves used behind it, up to `to`? */
static bool lives_on(const struct variable *v, const char *from, const char *to)
{
    struct use u;
    return v->depth == 0 || (find_use(from, to, v->name, &u) && !declares(&u) && change_by(&u) != SET);
}

struct region {
    const char *mark, *from; /* the line that begins it; what is in it */
    const char *to, *behind; /* the line that ends it */
};

/* Outside of functions: is it for the compiler to know? */
static bool is_constant(const struct variable *v)
{
    bool constant = false;
    for (const char *s = v->type; s < v->type_end && v->depth == 0; s = skip_word(s))
        constant |= same_word(s, "const");
    return constant && is_word(v->declarator);
}

/* How the variable is used; a message if it cannot be. */
static char *find_out(const char *text, const struct region *r, const struct scope *c, struct variable *v)
{
    const char *end = skip_brackets(c->body);
    struct use u;
    if (is_constant(v) || !find_use(r->from, r->to, v->name, &u) || declares(&u))
        return NULL;
    const bool set_first = change_by(&u) == SET;
    v->role = PASSED;
    do {
        if (change_by(&u) == NONE)
            continue;
        if (!set_first || lives_on(v, r->behind, end ? end : r->behind))
            return must_print("line %u: the region changes '%.*s', which has a value before or behind it: "
                              "only arrays may be changed",
                              line_of(text, u.at), (int)(skip_word(v->name) - v->name), v->name);
        v->role = OWN;
    } while (find_use(u.at, r->to, v->name, &u));
    return NULL;
}

/* Variables of the same name that an inner block declares hide it. */
static bool is_hidden(const struct scope *c, unsigned i)
{
    for (unsigned j = i + 1; j < c->n; j++)
        if (same_word(c->v[i].name, c->v[j].name))
            return true;
    return false;
}

static char *find_uses(const char *text, const struct region *r, struct scope *c)
{
    for (unsigned i = c->n; i-- > 0;) {
        struct variable *v = &c->v[i];
        struct use u;
        if (is_hidden(c, i))
            continue;
        char *why = find_out(text, r, c, v);
        if (why)
            return why;
        for (unsigned j = i + 1; j < c->n && v->role == UNUSED; j++) /* as the length of a row */
            if (c->v[j].role == PASSED && find_use(c->v[j].rows, c->v[j].end, v->name, &u))
                v->role = PASSED;
    }
    return NULL;
}

/* ---- the function that it becomes -------------------------------------------------------------------- */

/* The rest of a line `#pragma clsizer WORD`; NULL: it is another. */
static const char *rest_of_mark(const char *line, const char *word)
{
    const char *const all[] = {"#", "pragma", "clsizer", word};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        if (!same_word(line, all[i]))
            return NULL;
        line = skip_word(line);
        line += strspn(line, " \t");
    }
    return line;
}

static const char *find_mark(const char *from, const char *word)
{
    for (const char *s = from; *s; s = *s == '#' ? skip_line(s) : skip_word(s))
        if (*s == '#' && rest_of_mark(s, word))
            return s;
    return NULL;
}

/* The region that begins with the line at `mark`; a message if it is none. */
static char *find_end(const char *text, const char *mark, const struct scope *c, struct region *r)
{
    const char *end = find_mark(skip_line(mark), "end"), *begin = find_mark(skip_line(mark), "begin");
    int depth = 0;
    if (!c->function)
        return must_print("line %u: the region is in no function", line_of(text, mark));
    if (!end || (begin && begin < end))
        return must_print("line %u: the region has no '#pragma clsizer end'", line_of(text, mark));
    *r = (struct region){mark, skip_line(mark), end, skip_line(end)};
    for (const char *s = r->from; s < end && depth >= 0; s = skip_word(s))
        depth += (*s == '{') - (*s == '}');
    return depth ? must_print("line %u: the region ends in another block than it begins in",
                              line_of(text, mark))
                 : NULL;
}

/* Lines of [from, to), with those of the preprocessor. */
static void print_lines(FILE *f, const char *from, const char *to)
{
    for (const char *s = from, *t; s < to; s = t) {
        t = *s == '#' ? skip_line(s) : skip_word(s);
        for (const char *c = s; c < t; c++)
            if (*s == '#' || *c == '\n')
                fputc(*c, f);
    }
}

static void print_words(FILE *f, const char *from, const char *to)
{
    for (; from < to; from++)
        fputc(*from == '\n' ? ' ' : *from, f);
}

static void print_variables(FILE *f, const struct scope *c, enum role role, const char *before,
                            const char *after)
{
    for (unsigned i = 0, n = 0; i < c->n; i++)
        if (c->v[i].role == role) {
            fputs(n++ ? before : "", f);
            print_words(f, c->v[i].type, c->v[i].type_end);
            fputc(' ', f);
            print_words(f, c->v[i].declarator, c->v[i].end);
            fputs(after, f);
        }
}

static char *print_function(const char *text, const char *function, const struct region *r,
                            const struct scope *c)
{
    const char *end = skip_brackets(c->body);
    char *out;
    size_t size;
    FILE *f = must(open_memstream(&out, &size));
    fprintf(f, "%.*s", (int)(c->function - text), text);
    print_lines(f, c->function, r->mark);
    fprintf(f, "void %s(", function);
    print_variables(f, c, PASSED, ", ", "");
    fputs(") { ", f);
    print_variables(f, c, OWN, "", "; ");
    fprintf(f, "%.*s}", (int)(r->to - r->from), r->from);
    print_lines(f, r->behind, end ? end : r->behind);
    fputs(end ? end : "", f);
    must_close(f);
    return out;
}

/* Is the region meant?  `named`: by the name of a region or of a function. */
static bool is_meant(const char *mark, const struct scope *c, const char *function, bool named)
{
    const char *name = rest_of_mark(mark, "begin");
    return is_word(name) ? same_word(name, function)
                         : !named || (c->function && same_word(c->name, function));
}

char *region_text(const char *text, const char *function, char **why)
{
    bool named = find_function(text, function);
    char *out = NULL;
    unsigned meant = 0;
    *why = NULL;
    for (const char *m = find_mark(text, "begin"); m; m = find_mark(skip_line(m), "begin"))
        named |= same_word(rest_of_mark(m, "begin"), function);
    for (const char *m = find_mark(text, "begin"); m && !*why; m = find_mark(skip_line(m), "begin")) {
        struct scope c = look(text, m);
        struct region r = {.mark = m};
        if (is_meant(m, &c, function, named)) {
            if (meant++)
                *why = must_print("line %u: another region; name them by '#pragma clsizer begin NAME'",
                                  line_of(text, m));
            else if (!(*why = find_end(text, m, &c, &r)) && !(*why = find_uses(text, &r, &c)))
                out = print_function(text, function, &r, &c);
        }
        free(c.v);
    }
    if (*why) {
        free(out);
        out = NULL;
    }
    return out;
}
