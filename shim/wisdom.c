/* wisdom.c - decisions remembered between runs.
 *
 * One record is one line (the order of members is fixed, there are no spaces):
 *
 *   {"v":1,"key":{"program":"..","kernel":"..","dim":2,"zero_offset":true,"own":[8,8,1],"local_args":"0f..",
 *   "device":"name|vendor","driver":"version","global":[1024,1024,1]},"model":1,"outcome":"won","mode":"slices",
 *   "local":[64,1,1],"gain":1.5,"margin":0.3,"noise":0.01,"item_ns":0.8,"observed_ns":1,"spent_ns":1,
 *   "saved_ns":1,"compile_ns":-1,"granted_ns":1,"race":[[64,1,1,3,0.5,0.7,0]],"date":"2026-01-31T12:00:00Z","check":"0123456789abcdef"}
 *
 * `check` is FNV-1a (64 bits, hash.h) over the line up to and with the last byte before `,"check"`.
 * `race` has the candidates of an unfinished race: local size, samples, best and worst relative to the own
 * size, and 0 racing, 1 dropped, 2 failed. `local_args` is hexadecimal.  `driver` is what follows the last |
 * of wis_key.device.
 *
 * Because keys are always printed alike, loading compares text: a line is verified, its key is entered into a
 * table, and the rest is parsed only when it is looked up.  Keys that differ in driver and global size only
 * form a group, through which the nearest size is found. */
#include "shim/wisdom.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <json-c/json.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "shim/hash.h"
#include "shim/table.h"
#include "shim/util.h"

#define LINE_START  "{\"v\":1,\"key\":"
#define DRIVER_MARK ",\"driver\":\""
#define GLOBAL_MARK ",\"global\":["
#define CHECK_MARK  ",\"check\":\""
#define CHECK_SIZE  (sizeof CHECK_MARK - 1 + 16 + sizeof "\"}" - 1)
#define MAX_FILE    ((off_t)1 << 30)
#define MAX_TIME    ((int64_t)1 << 53) /* ns: 104 days */

_Static_assert(WIS_VERSION == 1, "LINE_START names the version");

/* One key; the text belongs to a block of the store. */
struct entry {
    const char *line; /* whole record, not terminated */
    size_t size;
    struct entry *next; /* same group */
    UT_hash_handle hh;  /* by the key's text */
};

struct group {
    struct entry *entries;
    UT_hash_handle hh; /* by the key's text up to DRIVER_MARK */
};

/* Text that entries point into: a file as loaded, or one line. */
struct block {
    struct block *next;
    char text[];
};

struct wisdom {
    pthread_mutex_t lock; /* everything below but path */
    char *path;           /* file to append to, NULL: memory only */
    struct entry *entries;
    struct group *groups;
    struct block *blocks;
};

/* ---- records as text ------------------------------------------------------------------------------- */

static const char *const outcome_names[] = {"open", "won", "no-gain", "model"};
static const char *const mode_names[] = {"none", "slices", "rerun", "launches", "sandbox", "swap"};

static struct json_object *triple(const size_t v[3])
{
    struct json_object *a = json_object_new_array();

    for (int i = 0; i < 3 && a; i++)
        json_object_array_add(a, json_object_new_uint64(v[i]));
    return a;
}

/* Seven digits are enough for what is compared against noise; not-a-number becomes 0. */
static struct json_object *number(double x)
{
    char text[40], *comma;

    if (!isfinite(x))
        x = 0;
    snprintf(text, sizeof text, "%.7g", x);
    if ((comma = strchr(text, ',')))
        *comma = '.';
    return json_object_new_double_s(x, text);
}

static void add(struct json_object *o, const char *name, struct json_object *value)
{
    if (value)
        json_object_object_add_ex(o, name, value, JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

static struct json_object *text(const char *s, size_t size)
{
    return json_object_new_string_len(s, (int)size);
}

static struct json_object *key_object(const struct wis_key *k)
{
    struct json_object *o = json_object_new_object();
    const char *driver = strrchr(k->device, '|');
    size_t device = driver ? (size_t)(driver - k->device) : strlen(k->device);
    char hash[17];

    if (!o)
        return NULL;
    driver = driver ? driver + 1 : "";
    snprintf(hash, sizeof hash, "%016" PRIx64, k->local_args);
    add(o, "program", text(k->program, strlen(k->program)));
    add(o, "kernel", text(k->kernel, strlen(k->kernel)));
    add(o, "dim", json_object_new_int((int)k->dim));
    add(o, "zero_offset", json_object_new_boolean(k->zero_offset));
    add(o, "own", triple(k->own));
    add(o, "local_args", text(hash, 16));
    add(o, "device", text(k->device, device));
    add(o, "driver", text(driver, strlen(driver)));
    add(o, "global", triple(k->global));
    return o;
}

enum { RACING, DROPPED, FAILED }; /* how a candidate's state is written */

static struct json_object *evidence_object(const struct wis_record *r)
{
    struct json_object *all = json_object_new_array();

    for (unsigned i = 0; all && i < r->nevidence; i++) {
        const struct prof_evidence *e = &r->evidence[i];
        struct json_object *one = triple(e->local);
        if (!one)
            continue;
        json_object_array_add(one, json_object_new_int((int)e->samples));
        json_object_array_add(one, number(e->best));
        json_object_array_add(one, number(e->worst));
        json_object_array_add(one, json_object_new_int(e->failed ? FAILED : e->dropped ? DROPPED : RACING));
        json_object_array_add(all, one);
    }
    return all;
}

static struct json_object *record_object(const struct wis_key *k, const struct wis_record *r)
{
    struct json_object *o = json_object_new_object();
    char date[24];

    if (!o)
        return NULL;
    util_date(date);
    add(o, "v", json_object_new_int(WIS_VERSION));
    add(o, "key", key_object(k));
    add(o, "model", json_object_new_int(SUM_VERSION));
    add(o, "outcome", json_object_new_string(outcome_names[r->outcome]));
    add(o, "mode", json_object_new_string(mode_names[r->mode]));
    add(o, "local", triple(r->local));
    add(o, "gain", number(r->gain));
    add(o, "margin", number(r->margin));
    add(o, "noise", number(r->noise));
    add(o, "item_ns", number(r->item_ns));
    add(o, "observed_ns", json_object_new_int64(r->account.observed_ns));
    add(o, "spent_ns", json_object_new_int64(r->account.spent_ns));
    add(o, "saved_ns", json_object_new_int64(r->account.saved_ns));
    add(o, "compile_ns", json_object_new_int64(r->account.compile_ns));
    add(o, "granted_ns", json_object_new_int64(r->account.granted_ns));
    if (r->nevidence)
        add(o, "race", evidence_object(r));
    add(o, "date", json_object_new_string(date));
    return o;
}

#define PLAIN (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

/* The key as every line prints it; malloc'ed. */
static char *key_text(const struct wis_key *k)
{
    struct json_object *o = key_object(k);
    const char *s = o ? json_object_to_json_string_ext(o, PLAIN) : NULL;
    char *copy = s ? strdup(s) : NULL;

    json_object_put(o);
    return copy;
}

/* The whole line with checksum and newline, in a block of its own. */
static struct block *record_line(const struct wis_key *k, const struct wis_record *r, size_t *size)
{
    struct json_object *o = record_object(k, r);
    const char *s = o ? json_object_to_json_string_ext(o, PLAIN) : NULL;
    size_t body = s ? strlen(s) - 1 : 0; /* without the closing brace */
    struct block *b = s ? malloc(sizeof *b + body + CHECK_SIZE + 2) : NULL;

    if (b) {
        memcpy(b->text, s, body);
        *size = body + (size_t)snprintf(b->text + body, CHECK_SIZE + 2, CHECK_MARK "%016" PRIx64 "\"}\n",
                                        hash64(HASH64_START, s, body));
    }
    json_object_put(o);
    return b;
}

/* The key's text within a line; false if the line is not one of ours, or damaged. */
static bool verify(const char *line, size_t size, const char **key, size_t *key_size)
{
    char check[CHECK_SIZE + 1];
    const char *end;
    size_t body;

    if (size < sizeof LINE_START + CHECK_SIZE || memcmp(line, LINE_START, sizeof LINE_START - 1) != 0)
        return false;
    body = size - CHECK_SIZE;
    snprintf(check, sizeof check, CHECK_MARK "%016" PRIx64 "\"}", hash64(HASH64_START, line, body));
    if (memcmp(line + body, check, CHECK_SIZE) != 0)
        return false;
    *key = line + sizeof LINE_START - 1;
    end = memmem(*key, body - (sizeof LINE_START - 1), "]},\"model\":", 10);
    if (!end)
        return false;
    *key_size = (size_t)(end + 2 - *key);
    return true;
}

/* ---- text as records ------------------------------------------------------------------------------- */

static int64_t integer_of(struct json_object *o, const char *name)
{
    struct json_object *v;

    return json_object_object_get_ex(o, name, &v) ? json_object_get_int64(v) : 0;
}

/* Amounts of time, within what sums of them can hold. */
static int64_t time_of(struct json_object *o, const char *name)
{
    const int64_t v = integer_of(o, name);

    return v < -1 ? -1 : v > MAX_TIME ? MAX_TIME : v;
}

static double number_of(struct json_object *o, const char *name)
{
    struct json_object *v;
    double x = json_object_object_get_ex(o, name, &v) ? json_object_get_double(v) : 0;

    return isfinite(x) && x >= 0 ? x : 0;
}

static int name_of(struct json_object *o, const char *name, const char *const *names, int n)
{
    struct json_object *v;
    const char *s = json_object_object_get_ex(o, name, &v) ? json_object_get_string(v) : NULL;

    for (int i = 0; s && i < n; i++)
        if (strcmp(s, names[i]) == 0)
            return i;
    return -1;
}

static bool sizes_of(struct json_object *a, size_t out[3])
{
    for (size_t i = 0; i < 3; i++) {
        int64_t v = json_object_get_int64(json_object_array_get_idx(a, i));
        if (v < 0)
            return false;
        out[i] = (size_t)v;
    }
    return true;
}

static bool triple_of(struct json_object *o, const char *name, size_t out[3])
{
    struct json_object *a;

    return json_object_object_get_ex(o, name, &a) && json_object_is_type(a, json_type_array) &&
           json_object_array_length(a) == 3 && sizes_of(a, out);
}

/* A candidate that cannot be read is left out: it will be measured again. */
static void evidence_of(struct json_object *o, struct wis_record *out)
{
    struct json_object *all;

    if (!json_object_object_get_ex(o, "race", &all) || !json_object_is_type(all, json_type_array))
        return;
    for (size_t i = 0; i < json_object_array_length(all) && out->nevidence < PROF_MAX_EVIDENCE; i++) {
        struct json_object *one = json_object_array_get_idx(all, i);
        struct prof_evidence *e = &out->evidence[out->nevidence];
        int samples, state;
        if (!json_object_is_type(one, json_type_array) || json_object_array_length(one) != 7 ||
            !sizes_of(one, e->local))
            continue;
        samples = json_object_get_int(json_object_array_get_idx(one, 3));
        e->samples = samples > 0 ? (unsigned)samples : 0;
        e->best = json_object_get_double(json_object_array_get_idx(one, 4));
        e->worst = json_object_get_double(json_object_array_get_idx(one, 5));
        state = json_object_get_int(json_object_array_get_idx(one, 6));
        e->failed = state == FAILED;
        e->dropped = state != RACING;
        if (isfinite(e->best) && isfinite(e->worst))
            out->nevidence++;
    }
}

static bool fill(struct json_object *o, struct wis_record *out)
{
    int outcome = name_of(o, "outcome", outcome_names, 4), mode = name_of(o, "mode", mode_names, 6);
    struct json_object *date;
    bool zero;

    memset(out, 0, sizeof *out);
    if (outcome < 0 || mode < 0 || !triple_of(o, "local", out->local))
        return false;
    zero = out->local[0] == 0;
    if ((out->local[1] == 0) != zero || (out->local[2] == 0) != zero)
        return false;
    out->outcome = (enum prof_outcome)outcome;
    out->mode = (enum prof_mode)mode;
    out->gain = number_of(o, "gain");
    out->margin = number_of(o, "margin");
    out->noise = number_of(o, "noise");
    out->item_ns = number_of(o, "item_ns");
    out->account.observed_ns = time_of(o, "observed_ns");
    out->account.spent_ns = time_of(o, "spent_ns");
    out->account.saved_ns = time_of(o, "saved_ns");
    out->account.compile_ns = time_of(o, "compile_ns");
    out->account.granted_ns = time_of(o, "granted_ns");
    evidence_of(o, out);
    if (json_object_object_get_ex(o, "date", &date))
        snprintf(out->date, sizeof out->date, "%s", json_object_get_string(date));
    out->stale = integer_of(o, "model") != SUM_VERSION;
    return true;
}

static bool parse(const struct entry *e, struct wis_record *out)
{
    struct json_tokener *t = json_tokener_new();
    struct json_object *o = t ? json_tokener_parse_ex(t, e->line, (int)e->size) : NULL;
    bool ok = o && fill(o, out);

    json_object_put(o);
    if (t)
        json_tokener_free(t);
    return ok;
}

/* ---- the tables ------------------------------------------------------------------------------------ */

static size_t group_size(const char *key, size_t size)
{
    const char *mark = memmem(key, size, DRIVER_MARK, sizeof DRIVER_MARK - 1);

    return mark ? (size_t)(mark - key) : size;
}

static struct group *find_group(struct wisdom *w, const char *key, size_t size, bool create)
{
    struct group *g;

    HASH_FIND(hh, w->groups, key, size, g);
    if (g || !create || !(g = calloc(1, sizeof *g)))
        return g;
    HASH_ADD_KEYPTR(hh, w->groups, key, size, g);
    if (!g->hh.tbl) {
        free(g);
        return NULL;
    }
    return g;
}

/* Enter a line whose key is given; a later line replaces an earlier one.  The text must outlive the store. */
static int enter(struct wisdom *w, const char *line, size_t size, const char *key, size_t key_size)
{
    struct group *g;
    struct entry *e;
    unsigned hash;

    HASH_VALUE(key, key_size, hash);
    HASH_FIND_BYHASHVALUE(hh, w->entries, key, key_size, hash, e);
    if (e) {
        e->line = line;
        e->size = size;
        return 0;
    }
    g = find_group(w, key, group_size(key, key_size), true);
    e = g ? calloc(1, sizeof *e) : NULL;
    if (!e)
        return -ENOMEM;
    e->line = line;
    e->size = size;
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, w->entries, key, key_size, hash, e);
    if (!e->hh.tbl) {
        free(e);
        return -ENOMEM;
    }
    e->next = g->entries;
    g->entries = e;
    return 0;
}

static void enter_lines(struct wisdom *w, const char *text, size_t size, unsigned *skipped)
{
    const char *end = text + size, *key;
    size_t key_size;

    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t line = (size_t)((newline ? newline : end) - text);
        /* A line without newline may still be being written: it is not trusted. */
        if (line && (!newline || !verify(text, line, &key, &key_size) || enter(w, text, line, key, key_size)))
            (*skipped)++;
        text += line + 1;
    }
}

/* ---- files ----------------------------------------------------------------------------------------- */

static int load(struct wisdom *w, int fd, unsigned *skipped)
{
    struct stat st;
    struct block *b;
    size_t size = 0;

    if (fstat(fd, &st))
        return -errno;
    if (st.st_size > MAX_FILE)
        return -EFBIG;
    if (!(b = malloc(sizeof *b + (size_t)st.st_size + 1)))
        return -ENOMEM;
    while (size < (size_t)st.st_size) {
        ssize_t n = read(fd, b->text + size, (size_t)st.st_size - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        size += (size_t)n;
    }
    b->next = w->blocks;
    w->blocks = b;
    enter_lines(w, b->text, size, skipped);
    return 0;
}

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
    case -EFBIG:
        return "wisdom file is too large";
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

/* Can the file be made?  0 or negative errno. */
static int check_creatable(char *path)
{
    char *slash = strrchr(path, '/');
    int err;

    *slash = '\0';
    err = access(slash == path ? "/" : path, W_OK | X_OK) ? -errno : 0;
    *slash = '/';
    return err;
}

static int load_own(struct wisdom *w, bool default_place, unsigned *skipped)
{
    int err = default_place ? util_make_parents(w->path) : 0, fd;

    if (err)
        return err;
    fd = util_open_private(w->path, O_RDONLY, geteuid());
    if (fd == -ENOENT)
        return check_creatable(w->path);
    if (fd < 0)
        return fd;
    err = load(w, fd, skipped);
    close(fd);
    if (!err && access(w->path, W_OK))
        err = -errno;
    return err;
}

/* The site's file may belong to root. */
static int load_site(struct wisdom *w, const char *site, unsigned *skipped)
{
    int fd = util_open_private(site, O_RDONLY, 0), err;

    if (fd < 0)
        return fd;
    err = load(w, fd, skipped);
    close(fd);
    return err;
}

struct wisdom *wis_open(const char *path, const char *site, const char **problem, unsigned *skipped)
{
    struct wisdom *w = calloc(1, sizeof *w);
    int err;

    *problem = NULL;
    *skipped = 0;
    if (!w) {
        *problem = problem_text(-ENOMEM);
        return NULL;
    }
    pthread_mutex_init(&w->lock, NULL);
    if (*site && load_site(w, site, skipped))
        *problem = "system wisdom file cannot be used";
    if (strcmp(path, "none") == 0)
        return w;
    w->path = *path ? util_absolute(path) : util_xdg_path("XDG_DATA_HOME", ".local/share", "wisdom.jsonl");
    if (!w->path) {
        *problem = *path ? problem_text(-ENOENT) : "neither XDG_DATA_HOME nor HOME is set";
        return w;
    }
    err = load_own(w, !*path, skipped);
    if (err) {
        *problem = problem_text(err);
        free(w->path);
        w->path = NULL;
    }
    return w;
}

void wis_close(struct wisdom *w)
{
    struct entry *e, *next_e;
    struct group *g, *next_g;

    if (!w)
        return;
    HASH_ITER(hh, w->entries, e, next_e)
    {
        HASH_DEL(w->entries, e);
        free(e);
    }
    HASH_ITER(hh, w->groups, g, next_g)
    {
        HASH_DEL(w->groups, g);
        free(g);
    }
    for (struct block *b = w->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    pthread_mutex_destroy(&w->lock);
    free(w->path);
    free(w);
}

/* ---- lookup and store ------------------------------------------------------------------------------ */

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

/* How far the entry's global size is from the key's; negative if it cannot be read. */
static double distance(const struct entry *e, const struct wis_key *k)
{
    const char *p = memmem(e->hh.key, e->hh.keylen, GLOBAL_MARK, sizeof GLOBAL_MARK - 1);
    double sum = 0;

    if (!p)
        return -1;
    p += sizeof GLOBAL_MARK - 1;
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        unsigned long long v = strtoull(p, &end, 10); /* the line goes on after the key: "]}," ends it */
        if (end == p || v == 0 || k->global[i] == 0)
            return -1;
        sum += log2_distance((size_t)v, k->global[i]);
        p = end + 1;
    }
    return sum;
}

/* Does the entry's key name this driver, `driver` being DRIVER_MARK and what follows up to "global"? */
static bool same_driver(const struct entry *e, const char *driver, size_t size)
{
    size_t group = group_size(e->hh.key, e->hh.keylen);

    return e->hh.keylen >= group + size && memcmp((const char *)e->hh.key + group, driver, size) == 0;
}

/* Same driver and nearest size, or same size and another driver: the former only
 * when the latter is absent. */
static const struct entry *second_choice(const struct group *g, const struct wis_key *k, const char *key)
{
    size_t start = group_size(key, strlen(key));
    const char *driver = key + start, *global = strstr(driver, GLOBAL_MARK);
    const struct entry *nearest = NULL;
    double least = 0;

    for (const struct entry *e = g->entries; e && global; e = e->next) {
        double d = distance(e, k);
        if (d < 0)
            continue;
        if (d == 0)
            return e;
        if (same_driver(e, driver, (size_t)(global - driver)) && (!nearest || d < least)) {
            nearest = e;
            least = d;
        }
    }
    return nearest;
}

bool wis_lookup(struct wisdom *w, const struct wis_key *k, struct wis_record *out)
{
    char *key = w ? key_text(k) : NULL;
    const struct entry *e;
    bool found, exact;

    if (!key)
        return false;
    pthread_mutex_lock(&w->lock);
    HASH_FIND(hh, w->entries, key, strlen(key), e);
    exact = e;
    if (!e) {
        const struct group *g = find_group(w, key, group_size(key, strlen(key)), false);
        e = g ? second_choice(g, k, key) : NULL;
    }
    found = e && parse(e, out);
    if (found && !exact)
        out->stale = true;
    pthread_mutex_unlock(&w->lock);
    free(key);
    return found;
}

static int remember(struct wisdom *w, struct block *b, size_t size)
{
    const char *key;
    size_t key_size;
    int err = -EINVAL;

    pthread_mutex_lock(&w->lock);
    b->next = w->blocks;
    w->blocks = b;
    if (verify(b->text, size, &key, &key_size))
        err = enter(w, b->text, size, key, key_size);
    pthread_mutex_unlock(&w->lock);
    return err;
}

int wis_store(struct wisdom *w, const struct wis_key *k, const struct wis_record *r)
{
    size_t size;
    struct block *b;
    int err, file = 0;

    if (!w)
        return -ENOMEM;
    b = record_line(k, r, &size);
    if (!b)
        return -ENOMEM;
    if (w->path)
        file = util_append_line(w->path, b->text, size);
    err = remember(w, b, size - 1);
    return err ? err : file;
}
