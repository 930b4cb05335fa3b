/* source.c - see source.h. */
#include "shim/object/source.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/clock.h"
#include "shim/guest/util.h"

/* With the text of `of`; if that is NULL, with room for a text of its own, of which only the NUL is written.
 * One piece of memory: some programs build the same text again and again. */
static struct shim_source *new_source(enum req_form form, size_t size, const char *options,
                                      struct shim_source *of)
{
    const size_t length = options ? strlen(options) : 0;
    struct shim_source *s = malloc(sizeof *s + length + 1 + (of ? 0 : size + 1));

    if (!s)
        return NULL;
    *s = (struct shim_source){
        .refs = 1, .form = form, .size = size, .options = s->bytes, .text_of = obj_source_ref(of)};
    s->text = of ? of->text : s->bytes + length + 1;
    memcpy(s->options, options ? options : "", length + 1);
    if (!of)
        s->text[size] = '\0';
    return s;
}

struct shim_source *obj_source_new(enum req_form form, const char *text, size_t size, const char *options)
{
    struct shim_source *s = new_source(form, size, options, NULL);

    if (s)
        memcpy(s->text, text, size);
    return s;
}

struct shim_source *obj_source_ref(struct shim_source *s)
{
    if (s)
        atomic_fetch_add(&s->refs, 1);
    return s;
}

void obj_source_drop(struct shim_source *s)
{
    if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
        return;
    obj_source_drop(s->text_of);
    free(s->cwd);
    free(s);
}

bool obj_source_same(const struct shim_source *a, const struct shim_source *b)
{
    return a->form == b->form && a->size == b->size && memcmp(a->text, b->text, a->size) == 0 &&
           strcmp(a->options, b->options) == 0;
}

/* A length of 0, or no lengths, means terminated. */
static size_t length_of(const char *string, const size_t *length)
{
    return length && *length ? *length : strlen(string);
}

struct shim_source *obj_source_join(unsigned count, const char **strings, const size_t *lengths)
{
    struct shim_source *s;
    size_t size = 0, at = 0;

    for (unsigned i = 0; i < count; i++)
        size += length_of(strings[i], lengths ? &lengths[i] : NULL);
    s = new_source(REQ_C, size, NULL, NULL);
    for (unsigned i = 0; s && i < count; i++) {
        const size_t n = length_of(strings[i], lengths ? &lengths[i] : NULL);
        memcpy(s->text + at, strings[i], n);
        at += n;
    }
    return s;
}

/* ---- includes -------------------------------------------------------------------------------------- */

/* Behind any line continuations; the compiler joins lines before it sees words. */
static const char *skip_continuations(const char *p)
{
    for (;;) {
        const char *end = p;
        if (*p == '\\')
            end = p + 1;
        else if (strncmp(p, "?\?/", 3) == 0)
            end = p + 3;
        if (end == p)
            return p;
        end += strspn(end, " \t\v\f\r");
        if (*end != '\n')
            return p;
        p = end + 1;
    }
}

/* Is this, behind the word `include`, the name of a header of the unit's? */
static bool names_header(const char *p, const struct req_unit *u)
{
    p += strspn(p, " \t");
    if (*p != '"' && *p != '<')
        return false;
    for (unsigned i = 0; i < u->nheader; i++) {
        const size_t n = strlen(u->header[i].name);
        if (strncmp(p + 1, u->header[i].name, n) == 0 && p[1 + n] == (*p == '"' ? '"' : '>'))
            return true;
    }
    return false;
}

/* May there be a directive in the text?  It begins with #, %: or ??=. */
static bool has_directives(const char *text, size_t size)
{
    return memchr(text, '#', size) || memchr(text, '%', size) || memchr(text, '?', size);
}

/* May the text include files that are not the unit's own headers?  Also true if the word is only part of a
 * comment or a name, which does no harm.  The text ends with a NUL. */
static bool text_reads_files(const char *text, size_t size, const struct req_unit *u)
{
    if (!has_directives(text, size))
        return false;
    for (const char *at = text; (at = memchr(at, 'i', (size_t)(text + size - at))); at++) {
        const char *p = at, *word = "include";
        if (at[1] != 'n' && at[1] != 'm' && at[1] != '\\' && at[1] != '?')
            continue;
        while (*word && *p == *word) {
            p = skip_continuations(p + 1);
            word++;
        }
        if ((!*word && !names_header(p, u)) || strncmp(at, "import", 6) == 0)
            return true;
    }
    return false;
}

/* May the compiler read files for this unit?  If there are directories to search, one may hold a file with
 * the name of a header that was passed, which only the helper can tell. */
static bool unit_reads_files(const struct req_unit *u)
{
    if (u->form != REQ_C)
        return false;
    if (u->nheader && strstr(u->options, "-I"))
        return true;
    for (unsigned i = 0; i < u->nheader; i++)
        if (text_reads_files(u->header[i].text, u->header[i].bytes, u))
            return true;
    return text_reads_files(u->text, u->bytes, u);
}

static bool reads_files(const struct shim_source *s)
{
    const struct req_unit alone = {.form = s->form, .options = s->options, .text = s->text, .bytes = s->size};
    const char *at = s->text, *end = s->text + s->size;
    struct req_unit u;
    bool reads = false;
    int error = 0;

    if (s->form != REQ_UNITS)
        return unit_reads_files(&alone);
    while (!reads && (error = req_take_unit(&at, end, &u)) == 0) {
        reads = unit_reads_files(&u);
        req_free_unit(&u);
    }
    return reads || error != -ENOENT;
}

/* Note that the source is being built now, and where, if the compiler may read files. */
static struct shim_source *built(struct shim_source *s)
{
    if (!s)
        return NULL;
    s->reads_files = reads_files(s);
    s->built_ns = s->reads_files ? clock_date() : SOURCE_LONG_AGO;
    s->times = hash64_word(HASH64_START, s->built_ns);
    if (s->reads_files && !util_confined())
        s->cwd = getcwd(NULL, 0);
    return s;
}

/* ---- made of others --------------------------------------------------------------------------------- */

struct shim_source *obj_source_built(struct shim_source *s, const char *options)
{
    if (!*options && !atomic_exchange(&s->built, true))
        return built(obj_source_ref(s));
    return built(new_source(s->form, s->size, options, s));
}

struct shim_source *obj_source_built_then(enum req_form form, const char *text, size_t size,
                                          const char *options, uint64_t built_ns, const char *cwd)
{
    struct shim_source *s = obj_source_new(form, text, size, options);

    if (s) {
        s->reads_files = reads_files(s);
        s->built_ns = s->reads_files ? built_ns : SOURCE_LONG_AGO;
        s->times = hash64_word(HASH64_START, s->built_ns);
        s->cwd = *cwd ? strdup(cwd) : NULL;
    }
    return s;
}

struct shim_source *obj_source_compiled(const struct shim_source *s, const char *options, unsigned nheader,
                                        struct shim_source *const *header, const char *const *name)
{
    struct req_header list[REQ_MAX_HEADER];
    const struct req_unit u = {.form = s->form,
                               .options = (char *)options,
                               .text = s->text,
                               .bytes = s->size,
                               .nheader = nheader,
                               .header = list};
    struct shim_source *unit = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *f = nheader > REQ_MAX_HEADER ? NULL : open_memstream(&text, &size);
    int error;

    if (!f)
        return NULL;
    for (unsigned i = 0; i < nheader; i++)
        list[i] = (struct req_header){(char *)name[i], header[i]->text, header[i]->size};
    error = req_put_unit(&u, f);
    if (!fclose(f) && !error)
        unit = built(obj_source_new(REQ_UNITS, text, size, NULL));
    free(text);
    return unit;
}

/* The working directory in which all inputs that read files were built; malloc'ed.  NULL if there is no such
 * one. */
static char *common_cwd(struct shim_source *const *input, unsigned n)
{
    const char *cwd = NULL;

    for (unsigned i = 0; i < n; i++) {
        if (!input[i]->reads_files)
            continue;
        if (!input[i]->cwd || (cwd && strcmp(cwd, input[i]->cwd) != 0))
            return NULL;
        cwd = input[i]->cwd;
    }
    return cwd ? strdup(cwd) : NULL;
}

struct shim_source *obj_source_linked(struct shim_source *const *input, unsigned n, const char *options)
{
    char *text = NULL, *all = NULL;
    size_t size = 0, all_size = 0;
    FILE *f = open_memstream(&text, &size), *g = open_memstream(&all, &all_size);
    struct shim_source *s = NULL;
    uint64_t earliest = UINT64_MAX, times = HASH64_START;
    bool failed = !f || !g;

    for (unsigned i = 0; !failed && i < n; i++) {
        fwrite(input[i]->text, 1, input[i]->size, f);
        fprintf(g, "%s%s", input[i]->options, *input[i]->options ? " " : "");
        times = hash64_word(times, input[i]->times);
        if (input[i]->reads_files && input[i]->built_ns < earliest)
            earliest = input[i]->built_ns;
    }
    if (!failed && options)
        fputs(options, g);
    failed |= f && fclose(f);
    failed |= g && fclose(g);
    if (!failed && (s = obj_source_new(REQ_UNITS, text, size, all))) {
        s->reads_files = reads_files(s);
        s->built_ns = earliest < UINT64_MAX ? earliest : SOURCE_LONG_AGO;
        s->times = times;
        s->cwd = common_cwd(input, n);
    }
    free(text);
    free(all);
    return s;
}
