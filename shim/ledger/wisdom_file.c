/* wisdom_file.c - the form of wisdom on disk, and how several processes write it.
 *
 * A wisdom directory has a file PROGRAM.jsonl for each program (wis_key.program).  Its first line is a head,
 * every other one a record (wisdom_text.c), the oldest first:
 *
 *   {"clsizer-wisdom":1}
 *
 * A single file has the same form and holds the records of all programs; versions before had no other, and
 * wrote no head.
 *
 * Files are not changed in place.  To store, a process takes the flock() of the empty file .lock (FILE.lock),
 * reads what others have written since it last looked, merges its own records, writes all to a new file
 * beside the old one (WIS_FRESH), and renames that.  So readers need no lock, and what a killed process
 * leaves is whole.
 *
 * Merging: of two records with one key the later one counts, but an open race does not replace a decision
 * that another process has made meanwhile.  So of two runs at the same time one may lose what it added to an
 * open race, and no decision is lost.  In a directory's file, beyond WIS_MOST records the oldest go, except
 * those about whole kernels (WIS_ALL_SHAPES).
 *
 * Files of other users or that others may write to, and symbolic links, are not believed; nor are lines whose
 * checksum is wrong, which stay where they are.  A file that does not begin like wisdom of this version, or
 * that has a record of a newer one, is neither read nor written. */
#include "shim/ledger/wisdom_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "select/learn/points.h"
#include "shim/guest/util.h"

#define MOST_SIZE ((off_t)128 << 20) /* of a file, bytes */

/* ---- places --------------------------------------------------------------------------------------- */

static char *named_place(const char *name)
{
    char *path = util_absolute(name), *directory;
    struct stat st;

    if (!path || stat(path, &st) || !S_ISDIR(st.st_mode) || wis_is_directory(path))
        return path;
    directory = wis_joined(path, "/", "");
    free(path);
    return directory;
}

static char *default_place(void)
{
    char *path = util_xdg_file("XDG_DATA_HOME", ".local/share", "clsizer/wisdom/");

    if (path)
        (void)util_make_parents(path); /* if not, nothing can be written, which is told at the end */
    return path;
}

char *wis_place(const char *name)
{
    return *name ? named_place(name) : default_place();
}

const char *wis_site(const char *option)
{
    if (*option)
        return strcmp(option, "none") == 0 ? "" : option;
    return access(WIS_SITE, F_OK) ? "" : WIS_SITE;
}

/* ---- files ---------------------------------------------------------------------------------------- */

const char *wis_words(int err)
{
    switch (-err) {
    case EPERM:
        return "belongs to somebody else, or others may write to it";
    case ELOOP:
        return "is a symbolic link";
    case EMLINK:
        return "is neither a file nor a directory";
    case EBADMSG:
        return "is not wisdom";
    case EPROTO:
        return "is of a newer version of clsizer";
    default:
        return strerror(-err);
    }
}

char *wis_problem(const char *name, unsigned line, int err)
{
    char *text = NULL;

    if (!line)
        return wis_joined(name, ": ", wis_words(err));
    return asprintf(&text, "%s:%u: %s", name, line, wis_words(err)) < 0 ? NULL : text;
}

char *wis_joined(const char *a, const char *b, const char *c)
{
    char *text = NULL;

    return asprintf(&text, "%s%s%s", a, b, c) < 0 ? NULL : text;
}

bool wis_is_directory(const char *path)
{
    return *path && path[strlen(path) - 1] == '/';
}

static const char *form_of(const struct wis_file *g)
{
    return g->form ? g->form : WIS_HEAD;
}

static bool is_head(const struct wis_file *g, const char *line)
{
    return strncmp(line, form_of(g), strlen(form_of(g))) == 0;
}

/* Does the file whose first line this is have the right form, of this version?  0, -EPROTO or -EBADMSG. */
static int check_head(const struct wis_file *g, const char *line)
{
    if (!is_head(g, line))
        return !g->form && strncmp(line, WIS_START, sizeof WIS_START - 1) == 0 ? 0 : -EBADMSG;
    return strtol(line + strlen(form_of(g)), NULL, 10) == WIS_VERSION ? 0 : -EPROTO;
}

/* Keep the head of a file of another form than wisdom's.  0 or -ENOMEM. */
static int keep_head(struct wis_file *g, const char *line)
{
    free(g->head);
    g->head = g->form ? strdup(line) : NULL;
    return g->form && !g->head ? -ENOMEM : 0;
}

/* Is the line a record of a newer version? */
static bool is_newer(const char *line)
{
    return strncmp(line, WIS_RECORD, sizeof WIS_RECORD - 1) == 0 &&
           strtol(line + sizeof WIS_RECORD - 1, NULL, 10) > WIS_VERSION;
}

/* Open a file for reading, if it may be believed.  0 or negative errno. */
static int open_file(const char *path, uid_t owner, FILE **f, struct stat *st)
{
    const int fd = util_open_private(path, O_RDONLY, owner);
    int err = fd < 0 ? fd : fstat(fd, st) ? -errno : st->st_size > MOST_SIZE ? -EFBIG : 0;

    *f = err ? NULL : fdopen(fd, "r");
    if (!err && !*f)
        err = -errno;
    if (err && fd >= 0)
        close(fd);
    return err;
}

/* ---- records -------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct wis_entry *r)
{
    return hash64(HASH64_START, r->text, strlen(r->text));
}

struct wis_entry *wis_entry_new(char *text)
{
    struct wis_entry *r = text ? calloc(1, sizeof *r) : NULL;

    if (!r) {
        free(text);
        return NULL;
    }
    r->text = text;
    if (!wis_find_key(text, &r->at))
        r->at = (struct wis_extent){.key = learn_key(text)};
    return r;
}

void wis_entry_free(struct wis_entry *r)
{
    if (r)
        free(r->text);
    free(r);
}

ssize_t wis_find(const struct wis_file *g, const struct wis_entry *r)
{
    for (size_t i = g->n; i-- > 0;)
        if (r->at.key && g->entry[i]->at.key == r->at.key &&
            memcmp(g->entry[i]->text, r->text, r->at.key) == 0)
            return (ssize_t)i;
    return -1;
}

void wis_drop(struct wis_file *g, size_t i)
{
    wis_entry_free(g->entry[i]);
    g->n--;
    memmove(g->entry + i, g->entry + i + 1, (g->n - i) * sizeof *g->entry);
}

struct wis_file *wis_file_for(struct wis_file **list, const char *place, const char *program)
{
    char *path = wis_is_directory(place) ? wis_joined(place, program, ".jsonl") : strdup(place);
    struct wis_file *g = *list;

    while (g && path && strcmp(g->path, path) != 0)
        g = g->next;
    if (g || !path || !(g = calloc(1, sizeof *g))) {
        free(path);
        return g;
    }
    g->path = path;
    g->next = *list;
    return *list = g;
}

/* Takes the record over; `line`: where it was read, or 0.  0 or -ENOMEM. */
static int append(struct wis_file *g, struct wis_entry *r, unsigned line)
{
    struct wis_entry **larger =
        r && g->n % 64 == 0 ? reallocarray(g->entry, g->n + 64, sizeof *larger) : g->entry;

    if (!r || !larger) {
        wis_entry_free(r);
        return -ENOMEM;
    }
    r->line = line;
    g->entry = larger;
    g->entry[g->n++] = r;
    return 0;
}

int wis_put(struct wis_file *g, struct wis_entry *r)
{
    for (ssize_t i; (i = wis_find(g, r)) >= 0; wis_drop(g, (size_t)i))
        r->replaces = g->entry[i]->unsaved ? g->entry[i]->replaces : hash_of(g->entry[i]);
    return append(g, r, 0);
}

void wis_forget_oldest(struct wis_file *g)
{
    for (size_t i = 0; i < g->n && g->n > WIS_MOST;)
        if (strstr(g->entry[i]->text, WIS_WHOLE_KERNEL))
            i++;
        else
            wis_drop(g, i);
}

/* ---- reading -------------------------------------------------------------------------------------- */

int wis_read(struct wis_file *f, FILE *from)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int err = 0;

    for (unsigned at = 1; !err && (n = getline(&line, &room, from)) > 0; at++) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        f->line = at;
        if (is_newer(line))
            err = -EPROTO;
        else if (at == 1)
            err = check_head(f, line);
        if (!err && at == 1 && is_head(f, line))
            err = keep_head(f, line);
        else if (!err && *line)
            err = append(f, wis_entry_new(strdup(line)), at);
    }
    free(line);
    if (err)
        while (f->n)
            wis_drop(f, f->n - 1);
    else
        f->line = 0;
    return err;
}

void wis_read_as_it_is(struct wis_file *f)
{
    FILE *from = strcmp(f->path, "-") == 0 ? stdin : fopen(f->path, "r");

    f->err = from ? wis_read(f, from) : -errno;
    if (from && !f->err && ferror(from))
        f->err = errno ? -errno : -EIO; /* a directory, for instance */
    if (from && from != stdin)
        fclose(from);
}

/* Has another process decided what `mine` has open? */
static bool is_decided(const struct wis_file *g, const struct wis_entry *mine)
{
    const ssize_t i = wis_find(g, mine);
    struct wis_record theirs, open;

    return i >= 0 && hash_of(g->entry[i]) != mine->replaces && wis_parse(g->entry[i]->text, &theirs) &&
           (theirs.outcome == PROF_WON || theirs.outcome == PROF_NO_GAIN) && wis_parse(mine->text, &open) &&
           open.outcome == PROF_OPEN;
}

/* Read the file anew, and put what is not saved on top. */
static void reread(struct wis_file *g, FILE *f)
{
    struct wis_entry **before = g->entry;
    const size_t n = g->n;

    g->entry = NULL;
    g->n = 0;
    g->err = f ? wis_read(g, f) : 0;
    for (size_t i = 0; i < n; i++)
        if (before[i]->unsaved && !is_decided(g, before[i]))
            (void)wis_put(g, before[i]);
        else
            wis_entry_free(before[i]);
    free(before);
}

/* Is it the same file, as it was? */
static bool unchanged(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           memcmp(&a->st_mtim, &b->st_mtim, sizeof a->st_mtim) == 0;
}

void wis_refresh(struct wis_file *g, uid_t owner)
{
    struct stat now = {0};
    FILE *f;
    const int err = open_file(g->path, owner, &f, &now);

    if (err && err != -ENOENT) {
        g->err = err;
        g->line = 0;
    } else {
        if (g->err || !unchanged(&now, &g->seen))
            reread(g, f);
        g->seen = now;
    }
    if (f)
        fclose(f);
}

/* ---- writing --------------------------------------------------------------------------------------- */

/* The file's text; malloc'ed, NULL when out of memory. */
static char *text_of(const struct wis_file *g)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return NULL;
    if (g->head)
        fprintf(f, "%s\n", g->head);
    else
        fprintf(f, WIS_HEAD "%d}\n", WIS_VERSION);
    for (size_t i = 0; i < g->n; i++)
        fprintf(f, "%s\n", g->entry[i]->text);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

/* Who may read the directory may read a new file in it: decisions for all users are made by one. */
static mode_t mode_of_new(const char *path)
{
    const char *end = strrchr(path, '/');
    char *directory = end ? strndup(path, (size_t)(end - path) + 1) : strdup(".");
    struct stat st = {0};

    if (directory)
        (void)stat(directory, &st);
    free(directory);
    return 0600 | (st.st_mode & 0444);
}

int wis_replace(struct wis_file *g)
{
    char *fresh = wis_joined(g->path, WIS_FRESH, ""), *text = text_of(g);
    int err = fresh && text ? 0 : -ENOMEM;

    if (!err) {
        unlink(fresh); /* left by a process that was killed */
        err = util_make_file(fresh, mode_of_new(g->path), text, strlen(text));
    }
    if (!err && ((g->seen.st_ino && chmod(fresh, g->seen.st_mode & 0755)) || rename(fresh, g->path) ||
                 stat(g->path, &g->seen)))
        err = -errno;
    for (size_t i = 0; i < g->n && !err; i++)
        g->entry[i]->unsaved = false;
    if (!err)
        g->stored = 0;
    free(fresh);
    free(text);
    return err;
}

int wis_lock(const char *place, uid_t owner)
{
    char *name = wis_joined(place, ".lock", "");
    const int fd = name ? util_open_private(name, O_RDWR | O_APPEND | O_CREAT, owner) : -ENOMEM;
    const int err = fd < 0 ? fd : util_lock(fd, 100);

    free(name);
    if (err && fd >= 0)
        close(fd);
    return err ? err : fd;
}

/* Closing does not do: a process that was forked meanwhile has the descriptor as well. */
void wis_unlock(int lock)
{
    flock(lock, LOCK_UN);
    close(lock);
}

void wis_file_free(struct wis_file *g)
{
    for (struct wis_file *next; g; g = next) {
        next = g->next;
        while (g->n)
            wis_entry_free(g->entry[--g->n]);
        free(g->entry);
        free(g->head);
        free(g->path);
        free(g);
    }
}
