/* wisdom.c - decisions remembered between runs: which record answers a question, and when what is stored gets
 * written.  The files are described in wisdom_file.c. */
#include "shim/ledger/wisdom.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/guest/util.h"
#include "shim/ledger/wisdom_file.h"

/* A file of more bytes takes milliseconds to write: that is done once for so many records. */
#define LARGE ((off_t)1 << 20)
#define BATCH 16

struct place {
    char *path;             /* owned; a directory's ends with a slash; NULL: none */
    uid_t owner;            /* who may own files there, besides the user */
    struct wis_file *pages; /* owned */
};

enum { OWN, SITE, PLACES }; /* the user's own comes first */

struct wisdom {
    pthread_mutex_t lock; /* of `place` */
    struct place place[PLACES];
    char *problem;    /* owned; what wis_open() found */
    char *executable; /* owned; this process's program; NULL: not known */
};

/* What the place knows of the program, as it is now; NULL when out of memory. */
static struct wis_file *file_of(struct place *p, const char *program)
{
    struct wis_file *g = wis_file_for(&p->pages, p->path ? p->path : "", program);

    if (g && *g->path)
        wis_refresh(g, p->owner);
    return g;
}

static void close_place(struct place *p)
{
    wis_file_free(p->pages);
    free(p->path);
    *p = (struct place){.owner = p->owner};
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* Use the place of this path, which it takes over; a single file is read.  0 or negative errno: then there is
 * no place, and *line is what that is about, or 0. */
static int open_place(struct place *p, char *path, bool may_be_absent, unsigned *line)
{
    int err = !path || (!may_be_absent && access(path, F_OK)) ? -ENOENT : 0;

    *line = 0;

    p->path = path;
    if (!err && !wis_is_directory(path)) {
        const struct wis_file *g = file_of(p, "");
        err = g ? g->err : -ENOMEM;
        *line = g ? g->line : 0;
    }
    if (err)
        close_place(p);
    return err;
}

struct wisdom *wis_open(const char *path, const char *site, const char **problem)
{
    struct wisdom *w = calloc(1, sizeof *w);
    unsigned line;
    int err;

    *problem = w ? NULL : "out of memory";
    if (!w)
        return NULL;
    pthread_mutex_init(&w->lock, NULL);
    site = wis_site(site);
    w->executable = util_program();
    w->place[OWN].owner = geteuid();
    err = *site ? open_place(&w->place[SITE], wis_place(site), false, &line) : 0;
    if (err)
        w->problem = wis_problem(site, line, err);
    err = 0;
    if (strcmp(path, "none") != 0)
        err = open_place(&w->place[OWN], wis_place(path), true, &line);
    if (err) {
        free(w->problem);
        w->problem = wis_problem(*path ? path : WIS_DEFAULT, line, err);
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
static const char *nearest(const struct wis_file *g, const struct wis_entry *key, const char *best,
                           double *least)
{
    for (size_t i = g->n; i-- > 0;) {
        const struct wis_entry *r = g->entry[i];
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
    struct wis_entry *key = w ? wis_entry_new(wis_line(k, &(struct wis_record){0})) : NULL;
    const char *best = NULL;
    struct wis_file *page[PLACES];
    double least = 0;
    bool stale, found;

    if (!key)
        return false;
    pthread_mutex_lock(&w->lock);
    for (unsigned i = 0; i < PLACES; i++) {
        page[i] = file_of(&w->place[i], k->program);
        const ssize_t at = page[i] && !best ? wis_find(page[i], key) : -1;
        if (at >= 0)
            best = page[i]->entry[at]->text;
    }
    stale = !best;
    for (unsigned i = 0; stale && i < PLACES; i++)
        if (page[i])
            best = nearest(page[i], key, best, &least);
    found = best && wis_parse(best, out);
    if (found)
        out->stale |= stale;
    pthread_mutex_unlock(&w->lock);
    wis_entry_free(key);
    return found;
}

/* Lines begin with their program.  Nothing else is read of them: there may be thousands. */
static unsigned decided_in(const struct wis_file *g, const char *program)
{
    char *begin = wis_joined(WIS_START "\"program\":\"", program, "\"");
    unsigned n = 0;

    for (size_t i = 0; begin && i < g->n; i++)
        n += g->entry[i]->at.key && strncmp(g->entry[i]->text, begin, strlen(begin)) == 0 &&
             !strstr(g->entry[i]->text, ",\"outcome\":\"open\"");
    free(begin);
    return n;
}

unsigned wis_decided(struct wisdom *w, const char *program)
{
    unsigned n = 0;

    if (!w)
        return 0;
    pthread_mutex_lock(&w->lock);
    for (unsigned i = 0; i < PLACES; i++) {
        const struct wis_file *g = file_of(&w->place[i], program);
        n += g ? decided_in(g, program) : 0;
    }
    pthread_mutex_unlock(&w->lock);
    return n;
}

/* ---- storing -------------------------------------------------------------------------------------- */

/* Write the page's file, if the place has one.  0 or negative errno. */
static int save(const struct place *p, struct wis_file *g)
{
    const int lock = p->path ? wis_lock(p->path, p->owner) : 0;
    int err = lock < 0 ? lock : 0;

    if (err || !p->path)
        return err;
    wis_refresh(g, p->owner);
    if (wis_is_directory(p->path))
        wis_forget_oldest(g);
    err = g->err ? g->err : wis_replace(g);
    wis_unlock(lock);
    return err;
}

static struct wis_entry *entry_of(const struct wisdom *w, const struct wis_key *k, const struct wis_record *r)
{
    struct wis_record signed_by = *r;

    signed_by.executable = w->executable;
    return wis_entry_new(wis_line(k, &signed_by));
}

int wis_store(struct wisdom *w, const struct wis_key *k, const struct wis_record *r, bool later)
{
    struct wis_entry *mine = w ? entry_of(w, k, r) : NULL;
    struct wis_file *g;
    int err;

    if (!mine)
        return -ENOMEM;
    mine->unsaved = true;
    pthread_mutex_lock(&w->lock);
    g = file_of(&w->place[OWN], k->program);
    if (!g)
        wis_entry_free(mine);
    err = g ? wis_put(g, mine) : -ENOMEM;
    if (!err && ++g->stored && !later && (g->seen.st_size < LARGE || g->stored >= BATCH))
        err = save(&w->place[OWN], g);
    pthread_mutex_unlock(&w->lock);
    return err;
}

/* ---- the end -------------------------------------------------------------------------------------- */

static void finish_page(const struct place *p, struct wis_file *g, wis_tell *tell, void *context)
{
    unsigned damaged = 0;
    char *detail = NULL;
    const int err = g->stored ? save(p, g) : g->err; /* what was wrong before may have passed */

    for (size_t i = 0; i < g->n; i++)
        damaged += !g->entry[i]->at.key;
    if (err)
        detail = wis_problem(g->path, err == g->err ? g->line : 0, err);
    else if (damaged && asprintf(&detail, "%s: %u lines could not be verified", g->path, damaged) < 0)
        detail = NULL;
    if (detail)
        tell(err, detail, context);
    free(detail);
}

void wis_finish(struct wisdom *w, wis_tell *tell, void *context)
{
    if (!w || pthread_mutex_trylock(&w->lock))
        return;
    for (unsigned i = 0; i < PLACES; i++)
        for (struct wis_file *g = w->place[i].pages; g; g = g->next)
            finish_page(&w->place[i], g, tell, context);
    pthread_mutex_unlock(&w->lock);
}

const char *wis_own_place(const struct wisdom *w)
{
    return w ? w->place[OWN].path : NULL;
}

void wis_close(struct wisdom *w)
{
    if (!w)
        return;
    for (unsigned i = 0; i < PLACES; i++)
        close_place(&w->place[i]);
    free(w->problem);
    free(w->executable);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
