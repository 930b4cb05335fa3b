/* wisdom_files.c - see wisdom_files.h. */
#include "shim/command/wisdom_files.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "shim/command/own_files.h"

#define PROGRAM_MARK "\"program\":\""

void wisdom_complain(const char *path, unsigned line, const char *words)
{
    if (line)
        fprintf(stderr, "clsizer: %s:%u: %s\n", path, line, words);
    else
        fprintf(stderr, "clsizer: %s: %s\n", path, words);
}

bool wisdom_program(const struct wis_entry *e, char *out, size_t room)
{
    const char *begin = strstr(e->text, PROGRAM_MARK);
    const size_t size = begin ? strspn(begin + sizeof PROGRAM_MARK - 1, "0123456789abcdef") : 0;

    if (!size || size >= room || begin[sizeof PROGRAM_MARK - 1 + size] != '"')
        return false;
    memcpy(out, begin + sizeof PROGRAM_MARK - 1, size);
    out[size] = '\0';
    return true;
}

const char *wisdom_fault(const struct wis_entry *e)
{
    struct wis_record record;
    char program[64];

    if (!e->at.key)
        return "is damaged: it does not match its checksum";
    if (!wis_parse(e->text, &record) || !wisdom_program(e, program, sizeof program))
        return "makes no sense";
    return NULL;
}

static void tell_faults(const struct wis_file *f, unsigned *damaged)
{
    if (f->err)
        wisdom_complain(f->path, f->line, wis_words(f->err));
    for (size_t i = 0; !f->err && i < f->n; i++) {
        const char *words = wisdom_fault(f->entry[i]);
        if (words)
            wisdom_complain(f->path, f->entry[i]->line, words);
        *damaged += words != NULL;
    }
}

/* Takes the path over. */
static struct wis_file *read_file(char *path, uid_t owner, unsigned *unusable, unsigned *damaged)
{
    struct wis_file *f = path ? calloc(1, sizeof *f) : NULL;

    if (!f) {
        wisdom_complain(path ? path : "wisdom", 0, wis_words(-ENOMEM));
        ++*unusable;
        free(path);
        return NULL;
    }
    f->path = path;
    if (owner == WISDOM_ANYBODY)
        wis_read_as_it_is(f);
    else
        wis_refresh(f, owner);
    tell_faults(f, damaged);
    *unusable += f->err != 0;
    return f;
}

static struct wis_file *read_directory(const char *place, uid_t owner, unsigned *unusable, unsigned *damaged)
{
    struct wis_file *list = NULL, **end = &list;
    glob_t found;
    const size_t n = own_glob(place, "*.jsonl", &found);

    for (size_t i = 0; i < n; i++)
        if ((*end = read_file(strdup(found.gl_pathv[i]), owner, unusable, damaged)))
            end = &(*end)->next;
    globfree(&found);
    return list;
}

struct wis_file *wisdom_read(const char *name, uid_t owner, unsigned *unusable, unsigned *damaged)
{
    char *place = owner == WISDOM_ANYBODY && strcmp(name, "-") == 0 ? strdup(name) : wis_place(name);
    struct wis_file *list;

    if (!place || !wis_is_directory(place))
        return read_file(place, owner, unusable, damaged);
    list = read_directory(place, owner, unusable, damaged);
    free(place);
    return list;
}
