/* included.c - see included.h.
 *
 * What a directive names is a suffix of the path at which the file was found.  So all suffixes of all paths
 * are looked at in all folders that clang searches: more than it does, and nothing that it does is left out.
 */
#include "analysis/included.h"
#include "analysis/files.h"
#include "analysis/headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name in `# 1 "name"`; malloc'ed, NULL if the line is no such marker. */
static char *marked_file(const char *line, const char *end)
{
    const char *name, *quote;

    if (end - line < 3 || line[0] != '#' || line[1] != ' ')
        return NULL;
    name = memchr(line, '"', (size_t)(end - line));
    if (!name || name[1] == '<')
        return NULL;
    quote = memchr(name + 1, '"', (size_t)(end - name - 1));
    return quote ? strndup(name + 1, (size_t)(quote - name - 1)) : NULL;
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
        if (in->n == in->room) {
            in->room = 2 * in->room + 16;
            in->file = realloc(in->file, in->room * sizeof *in->file);
            if (!in->file)
                abort();
        }
        in->known = in->n < SUM_MAX_FILE && files_look(path, &in->file[in->n]);
        in->n += in->known;
    }
    free(path);
}

static char *join(const char *folder, size_t nfolder, const char *name)
{
    char *path;

    if (asprintf(&path, "%.*s%s%s", (int)nfolder, folder, nfolder ? "/" : "", name) < 0)
        abort();
    return path;
}

/* `name` in a folder, which may be relative to where the program was built; "": that one. */
static void add_name(struct included *in, const char *folder, size_t nfolder, const char *name)
{
    char *path = join(folder, nfolder, name);

    add_path(in, *path == '/' ? strdup(path) : join(in->folder, strlen(in->folder), path));
    free(path);
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) : 0;
}

/* `name` everywhere that clang may look for it: here, in the options' folders, beside the file that includes
 * it. */
static void add_everywhere(struct included *in, const char *name, const struct args *files,
                           const struct args *options)
{
    add_name(in, "", 0, name);
    for (unsigned i = 0; i < options->n; i++)
        if (!strncmp(options->v[i], "-I", 2))
            add_name(in, options->v[i] + 2, strlen(options->v[i] + 2), name);
    for (unsigned i = 0; i < files->n; i++)
        if (folder_length(files->v[i]))
            add_name(in, files->v[i], folder_length(files->v[i]), name);
}

static bool contains(const struct args *list, const char *word)
{
    for (unsigned i = 0; i < list->n; i++)
        if (!strcmp(list->v[i], word))
            return true;
    return false;
}

/* Files that were entered, each once, but for the program's text. */
static struct args entered_files(const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    struct args files = {0};
    char *name;

    while ((name = included_next(&at, end))) {
        if (!contains(&files, name))
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

/* Does the text ask for files that it need not include? */
static bool asks_for_files(const char *text, size_t size)
{
    static const char *const words[] = {"__has_include", "__has_embed", "embed"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(text, size, words[i], strlen(words[i])))
            return true;
    return false;
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
    args_free(&files);
}

void included_free(struct included *in)
{
    for (uint32_t i = 0; i < in->n; i++)
        free(in->file[i].path);
    free(in->file);
    *in = (struct included){0};
}
