/* included.c - see included.h.
 *
 * The name in a directive is a suffix of the path at which the file was found.  So every suffix of every path
 * is looked for in every directory that clang searches.  That is more than clang does, but includes all that
 * it does. */
#include "analysis/source/included.h"
#include "analysis/summary/files.h"
#include "analysis/source/headers.h"

#include <stdlib.h>
#include <string.h>

/* A string as LLVM's write_escaped() leaves it, which ends before `"` or at `end`; malloc'ed, NULL where the
 * quote is missing. */
static char *unescape(const char *p, const char *end)
{
    char *text = must(malloc((size_t)(end - p) + 1));
    size_t n = 0;

    while (p < end && *p != '"') {
        if (*p != '\\' || end - p < 2) {
            text[n++] = *p++;
        } else if (end - p >= 4 && p[1] >= '0' && p[1] <= '3') {
            text[n++] = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
            p += 4;
        } else {
            text[n++] = p[1] == 'n' ? '\n' : p[1] == 't' ? '\t' : p[1];
            p += 2;
        }
    }
    text[n] = '\0';
    if (p < end)
        return text;
    free(text);
    return NULL;
}

/* The name in `# 1 "name"`; malloc'ed, NULL if the line is no such marker. */
static char *marked_file(const char *line, const char *end)
{
    const char *name;

    if (end - line < 3 || line[0] != '#' || line[1] != ' ')
        return NULL;
    name = memchr(line, '"', (size_t)(end - line));
    if (!name || name[1] == '<')
        return NULL;
    return unescape(name + 1, end);
}

char *included_next(const char **at, const char *end)
{
    char *name = NULL;

    while (!name && *at < end) {
        const char *next = memchr(*at, '\n', (size_t)(end - *at));
        name = marked_file(*at, next ? next : end);
        *at = next ? next + 1 : end;
    }
    return name;
}

/* ---- what is looked at ------------------------------------------------------------------------------ */

static bool has_path(const struct included *in, const char *path)
{
    for (uint32_t i = 0; i < in->n; i++)
        if (!strcmp(in->file[i].path, path))
            return true;
    return false;
}

/* Takes ownership of `path`. */
static void add_path(struct included *in, char *path)
{
    if (in->known && !has_path(in, path)) {
        in->file = must_grow(in->file, in->n, sizeof *in->file);
        in->known = in->n < SUM_MAX_FILE && files_look(path, &in->file[in->n]);
        in->n += in->known;
    }
    free(path);
}

static char *join(const char *directory, size_t ndirectory, const char *name)
{
    return must_print("%.*s%s%s", (int)ndirectory, directory, ndirectory ? "/" : "", name);
}

/* `name` in a directory, which may be relative to where the program was built; "": that one. */
static void add_name(struct included *in, const char *directory, size_t ndirectory, const char *name)
{
    char *path = join(directory, ndirectory, name);

    add_path(in, *path == '/' ? strdup(path) : join(in->cwd, strlen(in->cwd), path));
    free(path);
}

static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) : 0;
}

/* `name` everywhere that clang may look for it: here, in the options' directories, beside the file that
 * includes it. */
static void add_everywhere(struct included *in, const char *name, const struct args *files,
                           const struct args *options)
{
    add_name(in, "", 0, name);
    for (unsigned i = 0; i < options->n; i++)
        if (!strncmp(options->v[i], "-I", 2))
            add_name(in, options->v[i] + 2, strlen(options->v[i] + 2), name);
    for (unsigned i = 0; i < files->n; i++)
        if (directory_length(files->v[i]))
            add_name(in, files->v[i], directory_length(files->v[i]), name);
}

/* Files that were entered, each once, but for the program's text. */
static struct args entered_files(const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    struct args files = {0};
    char *name;

    while ((name = included_next(&at, end))) {
        if (!args_have(&files, name))
            args_add(&files, name);
        free(name);
    }
    return files;
}

/* A file that was entered; one among the headers that came with the program cannot change, but a file may
 * come into being that has its name. */
static void add_file(struct included *in, const char *path, const struct args *files,
                     const struct args *options)
{
    const char *header = headers_name(path);
    struct sum_file st;

    if (!header) {
        add_name(in, "", 0, path);
        in->known &= files_look(path, &st) && !st.absent;
        free(st.path);
    }
    for (const char *name = header ? header : path; name; name = strchr(name, '/')) {
        name += *name == '/';
        add_everywhere(in, name, files, options);
    }
}

/* Is a file entered behind the directive that ends before `p`, and the line that tells where that was? */
static bool enters(const char *p, const char *end)
{
    const char *line = memchr(p, '\n', (size_t)(end - p)), *last;

    last = line ? memchr(line + 1, '\n', (size_t)(end - line - 1)) : NULL;
    return last && last - line > 6 && !strncmp(line + 1, "# 1 \"", 5) && !strncmp(last - 3, "\" 1", 3);
}

/* The name that a directive includes; malloc'ed, NULL: it is a macro's, or hard to read. */
static char *directive_name(const char *p, const char *end)
{
    static const char *const words[] = {"include_next", "include", "import"};
    const char *close;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)(end - p) > strlen(words[i]) && !strncmp(p, words[i], strlen(words[i]))) {
            p += strlen(words[i]);
            p += strspn(p, " \t");
            close =
                *p == '"' || *p == '<' ? memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1)) : NULL;
            return close ? strndup(p + 1, (size_t)(close - p - 1)) : NULL;
        }
    return NULL;
}

/* What a directive asks for that clang did not enter: the file stands under another name as well (a link),
 * and is guarded, or `#pragma once`.  It is another file as soon as the link is exchanged. */
static void add_passed_over(struct included *in, const char *text, size_t size, const struct args *files,
                            const struct args *options)
{
    static const char begin[] = "#if 0 /* expanded by -frewrite-includes */\n",
                      behind[] = "\n#endif /* expanded by -frewrite-includes */\n";
    const char *end = text + size, *p = text;

    while (in->known && (p = memmem(p, (size_t)(end - p), begin, sizeof begin - 1))) {
        const char *stop;
        char *name;
        p += sizeof begin - 1;
        stop = memmem(p, (size_t)(end - p), behind, sizeof behind - 1);
        if (!stop) {
            in->known = false;
            return;
        }
        if (!strncmp(p, "#pragma", 7))
            continue;
        name = directive_name(p + strspn(p, "# \t"), stop);
        if (name)
            add_everywhere(in, name, files, options);
        else
            in->known = enters(stop + sizeof behind - 1, end);
        free(name);
    }
}

/* Does the text ask for files that it need not include? */
static bool asks_for_files(const char *text, size_t size)
{
    static const char include[] = "__has_include", embed[] = "embed";

    return memmem(text, size, include, sizeof include - 1) || memmem(text, size, embed, sizeof embed - 1);
}

void included_add(struct included *in, const char *text, size_t size, const struct args *options)
{
    struct args files;

    in->known &= !asks_for_files(text, size);
    if (!in->known)
        return;
    files = entered_files(text, size);
    for (unsigned i = 0; i < files.n; i++)
        add_file(in, files.v[i], &files, options);
    add_passed_over(in, text, size, &files, options);
    args_free(&files);
}

void included_free(struct included *in)
{
    for (uint32_t i = 0; i < in->n; i++)
        free(in->file[i].path);
    free(in->file);
    *in = (struct included){0};
}
