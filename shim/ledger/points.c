/* points.c - points on disk.
 *
 * A directory of wisdom has a file for each device, HASH.points; HASH is that of the device's name, vendor
 * and driver version.  The first line is a head, every other one a race (select/learn/points.h), the oldest
 * first:
 *
 *   {"clsizer-points":1,"kind":"cpu","device":"name|vendor|driver","points":250,"races":38,"kernels":12,
 *    "of":9,"model":412,"both":455}
 *
 * What follows the device is what came out when `clsizer learn` judged last whether learning pays (judge.h):
 * processes for which it does not read one line.
 *
 * Reading, locking and writing are wisdom's (wisdom_file.c): a file is written once, at the end of a process
 * that has decided a race.  A race about the same launch takes the place of the older one. */
#include "shim/ledger/points.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/util.h"
#include "shim/ledger/wisdom_file.h"

struct device_points {
    struct device_points *next;
    struct wis_file *file; /* owned; what is unsaved in it is pending */
    bool is_cpu, asked;    /* asked: `learned` and `points` are as they will be */
    char *device;          /* owned */
    struct learn_points points;
    struct learned learned;
};

struct points {
    pthread_mutex_t lock; /* of all that follows */
    char *place;          /* owned */
    struct device_points *devices;
};

/* ---- the head -------------------------------------------------------------------------------------- */

/* Names are put into JSON as they are. */
static void clean(char *text)
{
    for (; *text; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
            *text = '?';
}

static char *head_text(const struct pts_head *h)
{
    char *text = NULL, device[PTS_LINE];
    const struct learn_sum *s = &h->sum;

    snprintf(device, sizeof device, "%s", h->device);
    clean(device);
    return asprintf(&text,
                    PTS_HEAD "%d,\"kind\":\"%s\",\"device\":\"%s\",\"points\":%u,"
                             "\"races\":%u,\"kernels\":%u,\"of\":%u,\"model\":%d,\"both\":%d}",
                    WIS_VERSION, h->is_cpu ? "cpu" : "gpu", device, s->points, s->races, s->kernels,
                    s->judged, s->model, s->both) < 0
               ? NULL
               : text;
}

bool pts_parse_head(const char *line, struct pts_head *out)
{
    struct learn_sum *s = &out->sum;
    int version, end = 0;
    char kind[4];

    *out = (struct pts_head){0};
    if (sscanf(line,
               PTS_HEAD "%d,\"kind\":\"%3[a-z]\",\"device\":\"%639[^\"]\",\"points\":%u,"
                        "\"races\":%u,\"kernels\":%u,\"of\":%u,\"model\":%d,\"both\":%d}%n",
               &version, kind, out->device, &s->points, &s->races, &s->kernels, &s->judged, &s->model,
               &s->both, &end) != 9)
        return false;
    out->is_cpu = strcmp(kind, "cpu") == 0;
    return end > 0 && strspn(line + end, "\n") == strlen(line + end);
}

/* ---- files ----------------------------------------------------------------------------------------- */

char *pts_path(const char *place, const char *device)
{
    char leaf[17], name[PTS_LINE];

    snprintf(name, sizeof name, "%s", device);
    clean(name); /* as other machines read it */
    snprintf(leaf, sizeof leaf, "%016" PRIx64, hash64(HASH64_START, name, strlen(name)));
    return wis_joined(place, leaf, PTS_ENDING);
}

struct points *pts_open(const char *place)
{
    struct points *p = place && wis_is_directory(place) ? calloc(1, sizeof *p) : NULL;

    if (p && !(p->place = strdup(place))) {
        free(p);
        p = NULL;
    }
    if (p)
        pthread_mutex_init(&p->lock, NULL);
    return p;
}

static void free_device(struct device_points *d)
{
    wis_file_free(d->file);
    learned_free(&d->learned);
    learn_points_free(&d->points);
    free(d->device);
    free(d);
}

void pts_close(struct points *p)
{
    if (!p)
        return;
    for (struct device_points *d = p->devices, *next; d; d = next) {
        next = d->next;
        free_device(d);
    }
    pthread_mutex_destroy(&p->lock);
    free(p->place);
    free(p);
}

/* NULL when out of memory. */
static struct device_points *device_of(struct points *p, const char *device, bool is_cpu)
{
    struct device_points *d = p->devices;

    while (d && strcmp(d->device, device) != 0)
        d = d->next;
    if (d || !(d = calloc(1, sizeof *d)))
        return d;
    d->is_cpu = is_cpu;
    d->device = strdup(device);
    d->file = calloc(1, sizeof *d->file);
    if (d->file) {
        d->file->form = PTS_HEAD;
        d->file->path = pts_path(p->place, device);
    }
    if (!d->device || !d->file || !d->file->path) {
        free_device(d);
        return NULL;
    }
    d->next = p->devices;
    return p->devices = d;
}

void pts_add(struct points *p, const char *device, bool is_cpu, char *line)
{
    struct wis_entry *e = p && line ? wis_entry_new(line) : NULL;
    struct device_points *d = NULL;

    if (!p || !line)
        free(line);
    if (!e)
        return;
    e->unsaved = true;
    pthread_mutex_lock(&p->lock);
    d = device_of(p, device, is_cpu);
    if (d) { /* there are no more of them than sites */
        d->file->stored++;
        (void)wis_put(d->file, e);
    } else {
        wis_entry_free(e);
    }
    pthread_mutex_unlock(&p->lock);
}

/* ---- reading --------------------------------------------------------------------------------------- */

/* The points of all lines.  0, -ENOMEM or -EBADMSG, with the line. */
static int points_of(const struct wis_file *g, struct learn_points *out, unsigned *line)
{
    int err = 0;

    for (size_t i = 0; i < g->n && !err; i++) {
        err = learn_add(out, g->entry[i]->text);
        *line = g->entry[i]->line;
    }
    if (err)
        learn_points_free(out);
    return err;
}

/* The file as it is on disk, its head read, or NULL with why and where. */
static struct wis_file *open_file(const char *path, uid_t owner, struct pts_head *head, int *err,
                                  unsigned *line)
{
    struct wis_file *g = calloc(1, sizeof *g);

    *line = 0;
    *err = -ENOMEM;
    if (!g || !(g->path = strdup(path))) {
        free(g);
        return NULL;
    }
    g->form = PTS_HEAD;
    if (owner == (uid_t)-1)
        wis_read_as_it_is(g);
    else
        wis_refresh(g, owner);
    *err = g->err ? g->err : !g->head ? -ENOENT : pts_parse_head(g->head, head) ? 0 : -EBADMSG;
    *line = g->err || !g->head ? g->line : 1;
    if (!*err)
        return g;
    wis_file_free(g);
    return NULL;
}

int pts_read(const char *path, uid_t owner, struct pts_head *head, struct learn_points *out, unsigned *line)
{
    int err;
    struct wis_file *g = open_file(path, owner, head, &err, line);

    *out = (struct learn_points){0};
    if (g)
        err = points_of(g, out, line);
    wis_file_free(g);
    return err;
}

int pts_import(struct points *p, const char *path, unsigned *line)
{
    struct pts_head head;
    int err, n = 0;
    struct wis_file *g = open_file(path, (uid_t)-1, &head, &err, line);

    for (size_t i = 0; g && i < g->n && !err; i++) {
        err = learn_count(g->entry[i]->text) ? 0 : -EBADMSG;
        *line = g->entry[i]->line;
    }
    for (size_t i = 0; g && i < g->n && !err; i++, n++)
        pts_add(p, head.device, head.is_cpu, strdup(g->entry[i]->text));
    wis_file_free(g);
    return err ? err : n;
}

/* Does the first line of the file say that learning pays? */
static bool says_that_it_pays(const char *path)
{
    const int fd = util_open_private(path, O_RDONLY, geteuid());
    FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
    char line[2 * PTS_LINE];
    struct pts_head head;
    const bool pays =
        f && fgets(line, sizeof line, f) && pts_parse_head(line, &head) && learn_pays(&head.sum);

    if (f)
        fclose(f);
    else if (fd >= 0)
        close(fd);
    return pays;
}

static void learn(struct device_points *d)
{
    struct pts_head head;
    unsigned line;

    d->asked = true;
    if (says_that_it_pays(d->file->path) && pts_read(d->file->path, geteuid(), &head, &d->points, &line) == 0)
        (void)learned_make(&d->learned, &d->points);
}

const struct learned *pts_learned(struct points *p, const char *device, bool is_cpu)
{
    struct device_points *d;

    if (!p)
        return NULL;
    pthread_mutex_lock(&p->lock);
    d = device_of(p, device, is_cpu);
    if (d && !d->asked)
        learn(d);
    pthread_mutex_unlock(&p->lock);
    return d && d->learned.at ? &d->learned : NULL;
}

/* ---- writing --------------------------------------------------------------------------------------- */

/* The newest lines stay, as many as fit, and of these none that is damaged. */
static void trim(struct wis_file *g)
{
    unsigned points = 0;

    for (size_t i = g->n; i-- > 0;) {
        const unsigned n = learn_count(g->entry[i]->text);
        points += n;
        if (!n || points > PTS_MOST)
            wis_drop(g, i);
    }
}

static void judge(const struct wis_file *g, struct pts_head *h)
{
    struct learn_points points = {0};
    struct learned l = {0};
    unsigned line;

    if (points_of(g, &points, &line) == 0 && learned_make(&l, &points) == 0)
        learn_sum_up(&l, &h->sum);
    learned_free(&l);
    learn_points_free(&points);
}

static int make_head(const struct device_points *d, bool judges)
{
    struct wis_file *g = d->file;
    struct pts_head h;

    if (!g->head || !pts_parse_head(g->head, &h)) {
        h = (struct pts_head){.is_cpu = d->is_cpu};
        snprintf(h.device, sizeof h.device, "%s", d->device);
    }
    if (judges)
        judge(g, &h);
    free(g->head);
    return (g->head = head_text(&h)) ? 0 : -ENOMEM;
}

/* 0 or negative errno. */
static int save(struct device_points *d, bool judges)
{
    struct wis_file *g = d->file;
    const int lock = g->stored ? wis_lock(g->path, geteuid()) : 0;
    int err = lock < 0 ? lock : 0;

    if (err || !g->stored)
        return err;
    wis_refresh(g, geteuid());
    err = g->err;
    if (!err) {
        trim(g);
        err = make_head(d, judges);
    }
    if (!err)
        err = wis_replace(g);
    wis_unlock(lock);
    return err;
}

int pts_finish(struct points *p, bool judges, const char **path)
{
    int first = 0;

    if (!p || pthread_mutex_trylock(&p->lock)) /* the process may end in a signal handler */
        return 0;
    for (struct device_points *d = p->devices; d; d = d->next) {
        const int err = save(d, judges);
        if (err && !first && path)
            *path = d->file->path;
        first = first ? first : err;
    }
    pthread_mutex_unlock(&p->lock);
    return first;
}
