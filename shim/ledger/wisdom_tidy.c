/* wisdom_tidy.c - puts a shorter file in the place of a long one.
 *
 * The file is read without its lock, and the lines to be kept are written to a second file, FILE.tidy.  Then,
 * under the lock, lines that were appended meanwhile are copied as well, and the second file is renamed to
 * the first.  FILE.tidy is locked while it is written, so that of several processes only one does the work;
 * what a killed process has left there is overwritten. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "shim/guest/table.h"
#include "shim/guest/util.h"
#include "shim/ledger/wisdom_file.h"

#define BUFFER ((size_t)256 << 10)

/* Bytes that are kept of a file that is too long: less than it may have, so that it need not be tidied again
 * soon. */
#define KEPT (WIS_WINDOW / 4 * 3)

/* A line that begins like a record. */
struct place {
    off_t at;
    uint32_t size; /* without newline */
    bool kept;
    uint64_t key;
};

/* A key of which a line is kept. */
struct seen {
    uint64_t key;
    UT_hash_handle hh;
};

struct tidying {
    int from, to; /* the file, and FILE.tidy */
    struct place *lines;
    size_t n, room;
    off_t begin, end; /* the part of the file that was read */
    bool skipping;    /* as in wis_scan() */
    off_t kept;       /* bytes of lines that are kept */
    char *buffer;     /* what is still to be written, `used` of BUFFER bytes */
    size_t used;
    int err; /* of the first write that failed, negative errno */
};

static bool note(void *context, const char *line, size_t size, off_t at)
{
    struct tidying *t = context;
    struct wis_identity id;

    if (size > WIS_LINE || !wis_identify(line, size, &id))
        return true;
    if (t->n == t->room) {
        size_t room = t->room ? 2 * t->room : 1024;
        struct place *larger = reallocarray(t->lines, room, sizeof *larger);
        if (!larger)
            return false;
        t->lines = larger;
        t->room = room;
    }
    t->lines[t->n++] = (struct place){.at = at, .size = (uint32_t)size, .key = id.key};
    return true;
}

/* Choose the lines to be kept, `limit` bytes at most: of each key the newest one, or, if `sound`, the newest
 * one that can be verified.  False when out of memory. */
static bool mark(struct tidying *t, off_t limit, bool sound)
{
    struct seen *table = NULL, *places = calloc(t->n ? t->n : 1, sizeof *places), *s;
    char *line = malloc(WIS_LINE);
    bool ok = places && line;

    t->kept = 0;
    for (size_t i = t->n; ok && i-- > 0;) {
        struct place *p = &t->lines[i];
        const ssize_t size = (ssize_t)p->size;
        HASH_FIND(hh, table, &p->key, sizeof p->key, s);
        p->kept = !s && t->kept + size + 1 <= limit &&
                  (!sound || (pread(t->from, line, p->size, p->at) == size && wis_verify(line, p->size)));
        if (!p->kept)
            continue;
        places[i].key = p->key;
        s = &places[i];
        HASH_ADD(hh, table, key, sizeof s->key, s);
        ok = s->hh.tbl;
        t->kept += size + 1;
    }
    HASH_CLEAR(hh, table);
    free(places);
    free(line);
    return ok;
}

/* Write the buffer.  0 or negative errno. */
static int flush(struct tidying *t)
{
    if (!t->err && t->used)
        t->err = util_write(t->to, t->buffer, t->used);
    t->used = 0;
    return t->err;
}

/* Append a part of the file to what is written, through the buffer.  0 or negative errno. */
static int copy(struct tidying *t, off_t at, size_t size)
{
    while (size && !t->err) {
        const size_t part = size < BUFFER - t->used ? size : BUFFER - t->used;
        const ssize_t n = pread(t->from, t->buffer + t->used, part, at);
        if (n <= 0) {
            t->err = n < 0 ? -errno : -EIO;
            break;
        }
        t->used += (size_t)n;
        at += n;
        size -= (size_t)n;
        if (t->used == BUFFER)
            flush(t);
    }
    return t->err;
}

static int write_kept(struct tidying *t)
{
    if (ftruncate(t->to, 0))
        return -errno;
    for (size_t i = 0; i < t->n && !t->err; i++)
        if (t->lines[i].kept)
            copy(t, t->lines[i].at, t->lines[i].size + 1);
    return t->err;
}

/* Copy what was appended meanwhile and rename.  Pre: the file's lock is held, so nobody else changes it.  0,
 * also if another process has replaced it before, or negative errno. */
static int replace(struct tidying *t, const char *path, const char *tidy)
{
    struct stat st;

    if (!util_is_at(t->from, path) || !util_is_at(t->to, tidy) || fstat(t->from, &st) || st.st_size < t->end)
        return 0; /* somebody else was faster */
    if (copy(t, t->end, (size_t)(st.st_size - t->end)) || flush(t))
        return t->err;
    if (fchmod(t->to, st.st_mode & 0755) || rename(tidy, path))
        return -errno;
    return 0;
}

/* Read the file and choose the lines to be kept.  False if there is too little to gain, or on any error. */
static bool worth_it(struct tidying *t)
{
    struct stat st;

    if (fstat(t->from, &st))
        return false;
    if (st.st_size > WIS_WINDOW) {
        t->begin = t->end = st.st_size - WIS_WINDOW;
        t->skipping = true;
    }
    if (!wis_scan(t->from, &t->end, &t->skipping, st.st_size, note, t))
        return false;
    if (st.st_size > WIS_WINDOW)
        return mark(t, KEPT, true);
    return mark(t, WIS_WINDOW, false) && t->kept < (t->end - t->begin) / 2 && mark(t, WIS_WINDOW, true);
}

/* Pre: FILE.tidy is open.  It is ours once we have its lock, unless another process has just renamed it to
 * the file. 0, -EAGAIN if another process is at work, or negative errno. */
static int write_and_replace(struct tidying *t, const char *path, const char *tidy)
{
    int err = util_lock(t->to, 0);

    if (!err && !util_is_at(t->to, tidy))
        err = -EAGAIN;
    if (err)
        return err;
    err = write_kept(t);
    if (!err)
        err = util_lock(t->from, 100);
    if (!err)
        err = replace(t, path, tidy);
    if (util_is_at(t->to, tidy))
        unlink(tidy);
    return err;
}

int wis_tidy_file(const char *path)
{
    struct tidying t = {.from = util_open_private(path, O_RDWR, geteuid()), .to = -1};
    char *tidy = NULL;
    int err = t.from < 0 ? t.from : 0;

    t.buffer = malloc(BUFFER);
    if (!err && (!t.buffer || asprintf(&tidy, "%s.tidy", path) < 0)) {
        tidy = NULL;
        err = -ENOMEM;
    }
    if (!err && worth_it(&t)) {
        t.to = util_open_private(tidy, O_RDWR | O_APPEND | O_CREAT, geteuid());
        err = t.to < 0 ? t.to : write_and_replace(&t, path, tidy);
    }
    if (t.from >= 0)
        close(t.from);
    if (t.to >= 0)
        close(t.to);
    free(t.lines);
    free(t.buffer);
    free(tidy);
    return err == -EAGAIN ? 0 : err;
}
