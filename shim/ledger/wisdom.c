/* wisdom.c - decisions remembered between runs: looked up in what this process stored, then in files
 * (wisdom_file.h). */
#include "shim/ledger/wisdom.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/guest/util.h"
#include "shim/ledger/wisdom_file.h"

/* Nothing is added to a file of more bytes: tidying it must have failed. */
#define MAX_FILE ((off_t)1 << 30)

/* A record that this process has stored. */
struct record {
    struct wis_identity id;
    struct record *next;
    size_t size; /* without newline */
    char *line;  /* owned, terminated */
};

enum { OWN, SITE, FILES }; /* the user's file comes first */

struct wisdom {
    pthread_mutex_t lock; /* of everything below but file[OWN].path, which does not change, and `untidy` */
    struct record *records;
    struct wis_file file[FILES]; /* one that cannot be used has no path */
    atomic_bool untidy;          /* the user's file has grown enough to be tidied */
};

/* ---- opening -------------------------------------------------------------------------------------- */

static const char *problem_text(int err)
{
    switch (err) {
    case 0:
        return NULL;
    case -EPERM:
        return "wisdom file belongs to somebody else, or others may write it";
    case -ELOOP:
        return "wisdom file is a symbolic link";
    case -EMLINK:
        return "wisdom file is not a regular file";
    case -ENOENT:
    case -ENOTDIR:
        return "the directory of the wisdom file does not exist";
    case -EACCES:
    case -EROFS:
        return "wisdom file cannot be read or written";
    case -ENOMEM:
        return "out of memory";
    default:
        return "wisdom file is unusable";
    }
}

/* Can the file be created?  0 or negative errno. */
static int check_creatable(char *path)
{
    char *slash = strrchr(path, '/');
    int err;

    *slash = '\0';
    err = access(slash == path ? "/" : path, W_OK | X_OK) ? -errno : 0;
    *slash = '/';
    return err;
}

/* Can the user's file be read and written, or created?  0 or negative errno. */
static int check_own(char *path, bool default_place)
{
    int err = default_place ? util_make_parents(path) : 0, fd;

    if (err)
        return err;
    fd = util_open_private(path, O_RDONLY, geteuid());
    if (fd == -ENOENT)
        return check_creatable(path);
    if (fd < 0)
        return fd;
    close(fd);
    return access(path, W_OK) ? -errno : 0;
}

/* Can the system's file be read?  It may belong to root.  0 or negative errno. */
static int check_site(const char *path)
{
    int fd = util_open_private(path, O_RDONLY, 0);

    if (fd >= 0)
        close(fd);
    return fd < 0 ? fd : 0;
}

struct wisdom *wis_open(const char *path, const char *site, const char **problem)
{
    struct wisdom *w = calloc(1, sizeof *w);
    char *own;
    int err;

    *problem = NULL;
    if (!w) {
        *problem = problem_text(-ENOMEM);
        return NULL;
    }
    pthread_mutex_init(&w->lock, NULL);
    w->file[OWN].owner = geteuid();
    w->file[OWN].fd = w->file[SITE].fd = -1;
    if (*site && (check_site(site) || !(w->file[SITE].path = util_absolute(site))))
        *problem = "system wisdom file cannot be used";
    if (strcmp(path, "none") == 0)
        return w;
    own = *path ? util_absolute(path) : util_xdg_path("XDG_DATA_HOME", ".local/share", "wisdom.jsonl");
    if (!own) {
        *problem = *path ? problem_text(-ENOENT)
                         : "XDG_DATA_HOME is not set, and there is no home directory of this user";
        return w;
    }
    err = check_own(own, !*path);
    if (err) {
        *problem = problem_text(err);
        free(own);
    } else {
        w->file[OWN].path = own;
    }
    return w;
}

void wis_close(struct wisdom *w)
{
    if (!w)
        return;
    for (struct record *r = w->records, *next; r; r = next) {
        next = r->next;
        free(r->line);
        free(r);
    }
    for (int i = 0; i < FILES; i++)
        wis_file_free(&w->file[i]);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

unsigned wis_skipped(struct wisdom *w)
{
    unsigned n = 0;

    if (!w || pthread_mutex_trylock(&w->lock)) /* the process may end in a signal handler */
        return 0;
    for (int i = 0; i < FILES; i++)
        n += w->file[i].skipped;
    pthread_mutex_unlock(&w->lock);
    return n;
}

void wis_tidy(struct wisdom *w)
{
    if (w && atomic_load(&w->untidy) && w->file[OWN].path)
        (void)wis_tidy_file(w->file[OWN].path); /* on errors the file stays as it is */
}

/* ---- looking up ----------------------------------------------------------------------------------- */

/* |log2(a/b)| to within a tenth: enough to order sizes, without libm.  Pre: a, b > 0. */
static double log2_distance(size_t a, size_t b)
{
    double ratio = a > b ? (double)a / (double)b : (double)b / (double)a, log = 0;

    while (ratio >= 2) {
        ratio /= 2;
        log++;
    }
    return log + (ratio - 1); /* the chord of log2 over [1, 2] */
}

/* How far two global sizes are from each other, as a sum of logarithms; negative if an extent is 0. */
static double distance(const size_t a[3], const size_t b[3])
{
    double sum = 0;

    for (unsigned i = 0; i < 3; i++) {
        if (a[i] == 0 || b[i] == 0)
            return -1;
        sum += log2_distance(a[i], b[i]);
    }
    return sum;
}

/* What is looked for, and the best line found so far. */
struct search {
    const char *prefix;
    struct wis_identity id;
    bool whole;         /* only this key; else any of its group */
    double least;       /* distance of what was found */
    char *line, *spare; /* `line` is what was found; WIS_LINE + 1 bytes each, owned */
    size_t size;        /* 0: nothing yet */
};

/* Is this a match, and better than what was found?  Unless the whole key is wanted, it must have the same
 * driver and then the nearest size wins, or the same size and another driver.  *d receives its distance. */
static bool better(const struct search *s, const struct wis_identity *id, double *d)
{
    if (s->whole) {
        *d = 0;
        return !s->size && id->key == s->id.key;
    }
    if (id->group != s->id.group)
        return false;
    *d = distance(id->global, s->id.global);
    return *d >= 0 && (*d == 0 || id->driver == s->id.driver) && (!s->size || *d < s->least);
}

/* Records are in the order of their age, the newest first, so of equally good ones the newest wins. */
static void search_records(struct search *s, const struct record *records)
{
    double d;

    for (const struct record *r = records; r; r = r->next)
        if (better(s, &r->id, &d) && r->size <= WIS_LINE) {
            memcpy(s->line, r->line, r->size + 1);
            s->size = r->size;
            s->least = d;
        }
}

static void search_file(struct search *s, struct wis_file *f)
{
    double d;

    for (size_t i = f->nknown; i-- > 0;) {
        struct wis_known *k = &f->known[i];
        char *text = s->spare;
        if (!better(s, &k->id, &d) || !wis_file_read(f, k, text) ||
            !wis_alike(text, k->size, s->prefix, s->whole))
            continue;
        s->spare = s->line;
        s->line = text;
        s->size = k->size;
        s->least = d;
    }
}

/* Look for the key itself, else for the next best.  Pre: the lock is held, and the thread cannot be
 * cancelled: reading files is a cancellation point. */
static void search(struct wisdom *w, struct search *s)
{
    uint64_t program;
    bool usable[FILES];

    if (!wis_program(s->prefix, strlen(s->prefix), &program))
        return;
    for (int i = 0; i < FILES; i++)
        usable[i] = wis_file_begin(&w->file[i], program);
    for (int whole = 1; whole >= 0 && !s->size; whole--) {
        s->whole = whole;
        search_records(s, w->records);
        for (int i = 0; i < FILES; i++)
            if (usable[i])
                search_file(s, &w->file[i]);
    }
    for (int i = 0; i < FILES; i++)
        wis_file_end(&w->file[i]);
}

bool wis_lookup(struct wisdom *w, const struct wis_key *k, struct wis_record *out)
{
    char *prefix = w ? wis_prefix(k) : NULL;
    struct search s = {.prefix = prefix, .line = malloc(WIS_LINE + 1), .spare = malloc(WIS_LINE + 1)};
    bool found = false;
    int cancel;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (prefix && s.line && s.spare && wis_identify(prefix, strlen(prefix), &s.id)) {
        pthread_mutex_lock(&w->lock);
        search(w, &s);
        pthread_mutex_unlock(&w->lock);
        found = s.size && wis_parse(s.line, s.size, out);
        if (found && !s.whole)
            out->stale = true;
    }
    free(s.line);
    free(s.spare);
    free(prefix);
    pthread_setcancelstate(cancel, NULL);
    return found;
}

/* ---- storing -------------------------------------------------------------------------------------- */

/* Keep the record in memory, in place of an older one with its key.  0, and the line is owned by `w`, or
 * negative errno. */
static int remember(struct wisdom *w, char *line, size_t size)
{
    struct record *r = calloc(1, sizeof *r);

    if (!r)
        return -ENOMEM;
    line[size] = '\0';
    r->line = line;
    r->size = size;
    if (!wis_identify(line, size, &r->id)) {
        free(r);
        return -EINVAL;
    }
    pthread_mutex_lock(&w->lock);
    for (struct record **p = &w->records, *old; (old = *p); p = &old->next)
        if (old->id.key == r->id.key) {
            *p = old->next;
            free(old->line);
            free(old);
            break;
        }
    r->next = w->records;
    w->records = r;
    pthread_mutex_unlock(&w->lock);
    return 0;
}

/* Has an append made the file pass one of the lengths at which it is tidied? */
static bool passes_step(off_t from, off_t to)
{
    for (off_t step = WIS_STEP; step < WIS_WINDOW; step *= 2)
        if (from < step && to >= step)
            return true;
    return to > WIS_WINDOW;
}

static int append(struct wisdom *w, const char *line, size_t size)
{
    struct stat st;
    off_t end = 0;
    int err;

    if (stat(w->file[OWN].path, &st) == 0 && st.st_size > MAX_FILE)
        return -EFBIG;
    err = util_append_line(w->file[OWN].path, line, size, &end);
    if (!err && passes_step(end - (off_t)size, end))
        atomic_store(&w->untidy, true);
    return err;
}

int wis_store(struct wisdom *w, const struct wis_key *k, const struct wis_record *r)
{
    size_t size = 0;
    char *line = w ? wis_line(k, r, &size) : NULL;
    int err, file = 0;

    if (!line)
        return -ENOMEM;
    if (w->file[OWN].path)
        file = append(w, line, size);
    err = remember(w, line, size - 1);
    if (err)
        free(line);
    return err ? err : file;
}
