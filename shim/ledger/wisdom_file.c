/* wisdom_file.c - scanning a wisdom file, and the index of its lines (wisdom_file.h). */
#include "shim/ledger/wisdom_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/guest/util.h"

#define CHUNK ((size_t)256 << 10) /* bytes read at a time: little enough to stay in a core's cache */

/* ---- scanning ------------------------------------------------------------------------------------- */

static ssize_t read_at(int fd, char *buffer, size_t size, off_t at)
{
    ssize_t n;

    do
        n = pread(fd, buffer, size, at);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Call `each` for the whole lines of a chunk.  Returns how many bytes they take, or -1 if `each` returned
 * false. */
static ssize_t split_chunk(const char *text, size_t size, bool *skipping, off_t at,
                           bool (*each)(void *context, const char *line, size_t size, off_t at),
                           void *context)
{
    const char *p = text, *newline;

    while ((newline = memchr(p, '\n', size - (size_t)(p - text)))) {
        if (!*skipping && newline > p && !each(context, p, (size_t)(newline - p), at + (p - text)))
            return -1;
        *skipping = false;
        p = newline + 1;
    }
    return p - text;
}

bool wis_scan(int fd, off_t *at, bool *skipping, off_t size,
              bool (*each)(void *context, const char *line, size_t size, off_t at), void *context)
{
    char *buffer = malloc(CHUNK);
    ssize_t n, used = 0;

    while (buffer && *at < size &&
           (n = read_at(fd, buffer, size - *at < (off_t)CHUNK ? (size_t)(size - *at) : CHUNK, *at)) > 0) {
        used = split_chunk(buffer, (size_t)n, skipping, *at, each, context);
        if (used < 0)
            break;
        if (used == 0 && (size_t)n < CHUNK)
            break;       /* a line that is still being written */
        if (used == 0) { /* far too long */
            *skipping = true;
            used = n;
        }
        *at += used;
    }
    free(buffer);
    return buffer && used >= 0;
}

/* ---- index ---------------------------------------------------------------------------------------- */

/* The array, moved if necessary, with room for one more element.  NULL when out of memory; it is then
 * unchanged. */
static void *grown(void *array, size_t n, size_t *room, size_t size)
{
    const size_t wanted = n ? 2 * n : 64;
    void *larger;

    if (n < *room)
        return array;
    larger = reallocarray(array, wanted, size);
    if (larger)
        *room = wanted;
    return larger;
}

static uint32_t folded(uint64_t program)
{
    return (uint32_t)(program ^ program >> 32);
}

static bool add_line(void *context, const char *line, size_t size, off_t at)
{
    struct wis_file *f = context;
    struct wis_line_at *lines;
    uint64_t program;

    if (size > WIS_LINE || !wis_program(line, size, &program)) {
        f->skipped++;
        return true;
    }
    lines = grown(f->lines, f->nlines, &f->room, sizeof *lines);
    if (!lines)
        return false;
    f->lines = lines;
    f->lines[f->nlines++] =
        (struct wis_line_at){.at = (uint64_t)at, .size = (uint32_t)size, .program = folded(program)};
    return true;
}

static void forget(struct wis_file *f)
{
    f->nlines = f->nknown = f->nasked = 0;
    f->end = 0;
    f->skipping = false;
}

/* Scan the lines that were appended since the last time, or all of them if there is another file now. */
static bool see_what_is_new(struct wis_file *f)
{
    struct stat st;

    if (fstat(f->fd, &st))
        return false;
    if (st.st_dev != f->device || st.st_ino != f->inode || st.st_size < f->end) {
        forget(f);
        f->device = st.st_dev;
        f->inode = st.st_ino;
        if (st.st_size > WIS_WINDOW) {
            f->end = st.st_size - WIS_WINDOW;
            f->skipping = true;
        }
    }
    return wis_scan(f->fd, &f->end, &f->skipping, st.st_size, add_line, f);
}

/* ---- what lines are about ------------------------------------------------------------------------- */

static struct wis_asked *find_asked(struct wis_file *f, uint64_t program)
{
    struct wis_asked *larger;

    for (size_t i = 0; i < f->nasked; i++)
        if (f->asked[i].program == program)
            return &f->asked[i];
    larger = reallocarray(f->asked, f->nasked + 1, sizeof *larger);
    if (!larger)
        return NULL;
    f->asked = larger;
    f->asked[f->nasked] = (struct wis_asked){.program = program};
    return &f->asked[f->nasked++];
}

static bool read_line(const struct wis_file *f, uint64_t at, uint32_t size, char *buffer)
{
    if (read_at(f->fd, buffer, size, (off_t)at) != (ssize_t)size)
        return false;
    buffer[size] = '\0';
    return true;
}

/* Add those lines of the program to f->known that are not there yet.  False when out of memory. */
static bool know(struct wis_file *f, uint64_t program)
{
    struct wis_asked *a = find_asked(f, program);
    char *buffer = a ? malloc(WIS_LINE + 1) : NULL;
    struct wis_known *known;

    for (; buffer && a->upto < f->nlines; a->upto++) {
        const struct wis_line_at *l = &f->lines[a->upto];
        struct wis_known k = {.at = l->at, .size = l->size};
        if (l->program != folded(program))
            continue;
        if (!read_line(f, l->at, l->size, buffer) || !wis_identify(buffer, l->size, &k.id)) {
            f->skipped++;
            continue;
        }
        known = grown(f->known, f->nknown, &f->known_room, sizeof *known);
        if (!known)
            break;
        f->known = known;
        f->known[f->nknown++] = k;
    }
    free(buffer);
    return buffer;
}

bool wis_file_begin(struct wis_file *f, uint64_t program)
{
    f->fd = f->path ? util_open_private(f->path, O_RDONLY, f->owner) : -1;
    return f->fd >= 0 && see_what_is_new(f) && know(f, program);
}

void wis_file_end(struct wis_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

bool wis_file_read(struct wis_file *f, struct wis_known *k, char *buffer)
{
    if (!k->size)
        return false;
    if (read_line(f, k->at, k->size, buffer) && wis_verify(buffer, k->size))
        return true;
    k->size = 0;
    f->skipped++;
    return false;
}

void wis_file_free(struct wis_file *f)
{
    free(f->path);
    free(f->lines);
    free(f->known);
    free(f->asked);
}
