/* wisdom.c - decisions remembered between runs.
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
 * reads what others have written since it last looked, merges its own records, writes all to FILE.new, and
 * renames that.  So readers need no lock, and what a killed process leaves is whole.
 *
 * Merging: of two records with one key the later one counts, but an open race does not replace a decision
 * that another process has made meanwhile.  So of two runs at the same time one may lose what it added to an
 * open race, and no decision is lost.  In a directory's file, beyond WIS_MOST records the oldest go, except
 * those about whole kernels (WIS_ALL_SHAPES).
 *
 * Files of other users or that others may write to, and symbolic links, are not believed; nor are lines whose
 * checksum is wrong, which stay where they are.  A file that does not begin like wisdom of this version is
 * neither read nor written. */
#include "shim/ledger/wisdom.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/util.h"
#include "shim/ledger/wisdom_text.h"

#define HEAD      "{\"clsizer-wisdom\":"
#define MOST_SIZE ((off_t)128 << 20) /* of a file, bytes */

/* A file of more bytes takes milliseconds to write: that is done once for so many records. */
#define LARGE ((off_t)1 << 20)
#define BATCH 16

struct record {
    char *text;           /* owned; its line */
    struct wis_extent at; /* of its key; all 0: the line is damaged */
    bool unsaved;         /* this process's, and not in the file yet */
    uint64_t replaces;    /* unsaved: hash of the line that it is to replace; 0: none */
};

/* What is known of a file. */
struct page {
    struct page *next;
    char *path;             /* owned; "": none */
    struct record **record; /* owned, as what it holds; the oldest first */
    size_t n;
    struct stat seen; /* the file when it was read or written; all 0: there was none */
    int err;          /* why it is not used, negative errno; then it is not written */
    unsigned stored;  /* records since it was written */
};

struct place {
    char *path;         /* owned; a directory's ends with a slash; NULL: none */
    uid_t owner;        /* who may own files there, besides the user */
    struct page *pages; /* owned */
};

enum { OWN, SITE, PLACES }; /* the user's own comes first */

struct wisdom {
    pthread_mutex_t lock; /* of `place` */
    struct place place[PLACES];
    char *problem; /* owned; what wis_open() found */
};

/* ---- files ---------------------------------------------------------------------------------------- */

static const char *words(int err)
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

static char *joined(const char *a, const char *b, const char *c)
{
    char *text = NULL;

    return asprintf(&text, "%s%s%s", a, b, c) < 0 ? NULL : text;
}

static bool is_directory(const char *path)
{
    return path[strlen(path) - 1] == '/';
}

/* Does a file of this first line hold wisdom of this version?  0, -EPROTO or -EBADMSG. */
static int check_head(const char *line)
{
    if (strncmp(line, HEAD, sizeof HEAD - 1) != 0)
        return strncmp(line, WIS_START, sizeof WIS_START - 1) == 0 ? 0 : -EBADMSG;
    return strtol(line + sizeof HEAD - 1, NULL, 10) == WIS_VERSION ? 0 : -EPROTO;
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

static uint64_t hash_of(const struct record *r)
{
    return hash64(HASH64_START, r->text, strlen(r->text));
}

/* A record of a line, which it takes over.  NULL when out of memory. */
static struct record *new_record(char *text)
{
    struct record *r = text ? calloc(1, sizeof *r) : NULL;

    if (!r) {
        free(text);
        return NULL;
    }
    r->text = text;
    if (!wis_find_key(text, &r->at))
        r->at = (struct wis_extent){0};
    return r;
}

static void free_record(struct record *r)
{
    if (r)
        free(r->text);
    free(r);
}

/* The newest record with the key of `r`, as an index; -1: none. */
static ssize_t find(const struct page *g, const struct record *r)
{
    for (size_t i = g->n; i-- > 0;)
        if (r->at.key && g->record[i]->at.key == r->at.key &&
            memcmp(g->record[i]->text, r->text, r->at.key) == 0)
            return (ssize_t)i;
    return -1;
}

static void drop(struct page *g, size_t i)
{
    free_record(g->record[i]);
    g->n--;
    memmove(g->record + i, g->record + i + 1, (g->n - i) * sizeof *g->record);
}

/* Takes the record over.  0 or -ENOMEM. */
static int append(struct page *g, struct record *r)
{
    struct record **larger =
        r && g->n % 64 == 0 ? reallocarray(g->record, g->n + 64, sizeof *larger) : g->record;

    if (!r || !larger) {
        free_record(r);
        return -ENOMEM;
    }
    g->record = larger;
    g->record[g->n++] = r;
    return 0;
}

/* Append a record in place of older ones with its key. */
static int put(struct page *g, struct record *r)
{
    for (ssize_t i; (i = find(g, r)) >= 0; drop(g, (size_t)i))
        r->replaces = g->record[i]->unsaved ? g->record[i]->replaces : hash_of(g->record[i]);
    return append(g, r);
}

static void forget_oldest(struct page *g)
{
    for (size_t i = 0; i < g->n && g->n > WIS_MOST;)
        if (strstr(g->record[i]->text, WIS_WHOLE_KERNEL))
            i++;
        else
            drop(g, i);
}

/* ---- reading -------------------------------------------------------------------------------------- */

/* Append the records of a file.  0 or negative errno. */
static int read_lines(struct page *g, FILE *f)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int err = 0;

    for (bool first = true; !err && (n = getline(&line, &room, f)) > 0; first = false) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        if (first)
            err = check_head(line);
        if (!err && *line && (!first || strncmp(line, HEAD, sizeof HEAD - 1) != 0))
            err = append(g, new_record(strdup(line)));
    }
    free(line);
    return err;
}

/* Has another process decided what `mine` has open? */
static bool is_decided(const struct page *g, const struct record *mine)
{
    const ssize_t i = find(g, mine);
    struct wis_record theirs, open;

    return i >= 0 && hash_of(g->record[i]) != mine->replaces && wis_parse(g->record[i]->text, &theirs) &&
           (theirs.outcome == PROF_WON || theirs.outcome == PROF_NO_GAIN) && wis_parse(mine->text, &open) &&
           open.outcome == PROF_OPEN;
}

/* Read the file anew, and put what is not saved on top. */
static void reread(struct page *g, FILE *f)
{
    struct record **before = g->record;
    const size_t n = g->n;

    g->record = NULL;
    g->n = 0;
    g->err = f ? read_lines(g, f) : 0;
    for (size_t i = 0; i < n; i++)
        if (before[i]->unsaved && !is_decided(g, before[i]))
            (void)put(g, before[i]);
        else
            free_record(before[i]);
    free(before);
}

/* Is it the same file, as it was? */
static bool unchanged(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           memcmp(&a->st_mtim, &b->st_mtim, sizeof a->st_mtim) == 0;
}

static void refresh(struct page *g, uid_t owner)
{
    struct stat now = {0};
    FILE *f;
    const int err = open_file(g->path, owner, &f, &now);

    if (err && err != -ENOENT) {
        g->err = err;
    } else {
        if (g->err || !unchanged(&now, &g->seen))
            reread(g, f);
        g->seen = now;
    }
    if (f)
        fclose(f);
}

/* What the place knows of the program, as it is now; NULL when out of memory. */
static struct page *page_of(struct place *p, const char *program)
{
    char *path = !p->path                ? strdup("")
                 : is_directory(p->path) ? joined(p->path, program, ".jsonl")
                                         : strdup(p->path);
    struct page *g = p->pages;

    while (g && path && strcmp(g->path, path) != 0)
        g = g->next;
    if (!g && path && (g = calloc(1, sizeof *g))) {
        g->path = path;
        g->next = p->pages;
        p->pages = g;
        path = NULL;
    }
    free(path);
    if (g && *g->path)
        refresh(g, p->owner);
    return g;
}

static void close_place(struct place *p)
{
    for (struct page *g = p->pages, *next; g; g = next) {
        next = g->next;
        while (g->n)
            free_record(g->record[--g->n]);
        free(g->record);
        free(g->path);
        free(g);
    }
    free(p->path);
    *p = (struct place){.owner = p->owner};
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* The place of this name, in the form of struct place; malloc'ed, NULL on errors. */
static char *named_place(const char *name)
{
    char *path = util_absolute(name), *directory;
    struct stat st;

    if (!path || stat(path, &st) || !S_ISDIR(st.st_mode))
        return path;
    directory = joined(path, "/", "");
    free(path);
    return directory;
}

/* The same of the default place, whose directories are made; NULL also if there is none. */
static char *default_place(void)
{
    char *path = util_xdg_path("XDG_DATA_HOME", ".local/share", "wisdom.jsonl");

    if (path && access(path, F_OK)) {
        free(path);
        path = util_xdg_path("XDG_DATA_HOME", ".local/share", "wisdom/");
        if (path)
            (void)util_make_parents(path); /* if not, nothing can be written, which is told at the end */
    }
    return path;
}

/* Use the place of this path, which it takes over; a single file is read.  0 or negative errno: then there is
 * no place. */
static int open_place(struct place *p, char *path, bool may_be_absent)
{
    int err = !path || (!may_be_absent && access(path, F_OK)) ? -ENOENT : 0;

    p->path = path;
    if (!err && !is_directory(path)) {
        const struct page *g = page_of(p, "");
        err = g ? g->err : -ENOMEM;
    }
    if (err)
        close_place(p);
    return err;
}

struct wisdom *wis_open(const char *path, const char *site, const char **problem)
{
    struct wisdom *w = calloc(1, sizeof *w);
    int err;

    *problem = w ? NULL : "out of memory";
    if (!w)
        return NULL;
    pthread_mutex_init(&w->lock, NULL);
    w->place[OWN].owner = geteuid();
    err = *site ? open_place(&w->place[SITE], named_place(site), false) : 0;
    if (err)
        w->problem = joined(site, ": ", words(err));
    err = 0;
    if (strcmp(path, "none") != 0)
        err = open_place(&w->place[OWN], *path ? named_place(path) : default_place(), true);
    if (err) {
        free(w->problem);
        w->problem = joined(*path ? path : "default place (XDG_DATA_HOME, HOME)", ": ", words(err));
    }
    *problem = w->problem;
    return w;
}

/* ---- looking up ----------------------------------------------------------------------------------- */

/* How far two global sizes are from each other: the product of their ratios, 1 or more; 0 if an extent is
 * 0. */
static double distance(const size_t a[3], const size_t b[3])
{
    double product = 1;

    for (unsigned i = 0; i < 3; i++) {
        if (a[i] == 0 || b[i] == 0)
            return 0;
        product *= a[i] > b[i] ? (double)a[i] / (double)b[i] : (double)b[i] / (double)a[i];
    }
    return product;
}

/* The record of the nearest global size with the same driver, or of the same size with another driver, if it
 * is nearer than *least; else `best`.  Of equally good ones the newest wins. */
static const char *nearest(const struct page *g, const struct record *key, const char *best, double *least)
{
    for (size_t i = g->n; i-- > 0;) {
        const struct record *r = g->record[i];
        const double d = distance(r->at.global, key->at.global);
        if (d == 0 || (best && d >= *least) ||
            strncmp(r->text, key->text, d > 1 ? key->at.driver : key->at.alike) != 0)
            continue;
        best = r->text;
        *least = d;
    }
    return best;
}

bool wis_lookup(struct wisdom *w, const struct wis_key *k, struct wis_record *out)
{
    struct record *key = w ? new_record(wis_line(k, &(struct wis_record){0})) : NULL;
    const char *best = NULL;
    struct page *page[PLACES];
    double least = 0;
    bool stale, found;

    if (!key)
        return false;
    pthread_mutex_lock(&w->lock);
    for (unsigned i = 0; i < PLACES; i++) {
        page[i] = page_of(&w->place[i], k->program);
        const ssize_t at = page[i] && !best ? find(page[i], key) : -1;
        if (at >= 0)
            best = page[i]->record[at]->text;
    }
    stale = !best;
    for (unsigned i = 0; stale && i < PLACES; i++)
        if (page[i])
            best = nearest(page[i], key, best, &least);
    found = best && wis_parse(best, out);
    if (found)
        out->stale |= stale;
    pthread_mutex_unlock(&w->lock);
    free_record(key);
    return found;
}

/* ---- storing -------------------------------------------------------------------------------------- */

/* The file's text; malloc'ed, NULL when out of memory. */
static char *text_of(const struct page *g)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return NULL;
    fprintf(f, HEAD "%d}\n", WIS_VERSION);
    for (size_t i = 0; i < g->n; i++)
        fprintf(f, "%s\n", g->record[i]->text);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

/* Put a new file in the place of the page's.  0 or negative errno. */
static int replace(struct page *g)
{
    char *fresh = joined(g->path, ".new", ""), *text = text_of(g);
    int err = fresh && text ? 0 : -ENOMEM;

    if (!err) {
        unlink(fresh); /* left by a process that was killed */
        err = util_make_file(fresh, text, strlen(text));
    }
    if (!err && ((g->seen.st_ino && chmod(fresh, g->seen.st_mode & 0755)) || rename(fresh, g->path) ||
                 stat(g->path, &g->seen)))
        err = -errno;
    for (size_t i = 0; i < g->n && !err; i++)
        g->record[i]->unsaved = false;
    if (!err)
        g->stored = 0;
    free(fresh);
    free(text);
    return err;
}

/* Write the page's file, if the place has one.  0 or negative errno. */
static int save(const struct place *p, struct page *g)
{
    char *name = p->path ? joined(p->path, ".lock", "") : NULL;
    const int fd = name ? util_open_private(name, O_RDWR | O_APPEND | O_CREAT, p->owner) : -ENOMEM;
    int err = fd < 0 ? fd : util_lock(fd, 100);

    free(name);
    if (!p->path)
        return 0;
    if (!err) {
        refresh(g, p->owner);
        if (is_directory(p->path))
            forget_oldest(g);
        err = g->err ? g->err : replace(g);
    }
    if (fd >= 0)
        close(fd); /* which unlocks it */
    return err;
}

int wis_store(struct wisdom *w, const struct wis_key *k, const struct wis_record *r, bool later)
{
    struct record *mine = w ? new_record(wis_line(k, r)) : NULL;
    struct page *g;
    int err;

    if (!mine)
        return -ENOMEM;
    mine->unsaved = true;
    pthread_mutex_lock(&w->lock);
    g = page_of(&w->place[OWN], k->program);
    if (!g)
        free_record(mine);
    err = g ? put(g, mine) : -ENOMEM;
    if (!err && ++g->stored && !later && (g->seen.st_size < LARGE || g->stored >= BATCH))
        err = save(&w->place[OWN], g);
    pthread_mutex_unlock(&w->lock);
    return err;
}

/* ---- the end -------------------------------------------------------------------------------------- */

static void finish_page(const struct place *p, struct page *g, wis_tell *tell, void *context)
{
    unsigned damaged = 0;
    char *detail = NULL;
    int err = g->err;

    for (size_t i = 0; i < g->n; i++)
        damaged += !g->record[i]->at.key;
    if (g->stored && !err)
        err = save(p, g);
    if (err)
        detail = joined(g->path, ": ", words(err));
    else if (damaged && asprintf(&detail, "%s: %u lines could not be verified", g->path, damaged) < 0)
        detail = NULL;
    if (detail)
        tell(err ? "wisdom-unusable" : "wisdom-skipped", detail, context);
    free(detail);
}

void wis_finish(struct wisdom *w, wis_tell *tell, void *context)
{
    if (!w || pthread_mutex_trylock(&w->lock))
        return;
    for (unsigned i = 0; i < PLACES; i++)
        for (struct page *g = w->place[i].pages; g; g = g->next)
            finish_page(&w->place[i], g, tell, context);
    pthread_mutex_unlock(&w->lock);
}

void wis_close(struct wisdom *w)
{
    if (!w)
        return;
    for (unsigned i = 0; i < PLACES; i++)
        close_place(&w->place[i]);
    free(w->problem);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
