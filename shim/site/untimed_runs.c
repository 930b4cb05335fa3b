/* untimed_runs.c - see untimed_runs.h.
 *
 * The file `settled` in the cache is an array of ENTRIES struct entry, indexed by a hash; of two programs
 * with the same index the later one has the entry.  So the file may say something wrong about a program.
 * Then a run has event times without need, or has none although they are needed, and nothing worse
 * happens.  Decisions that somebody has removed since are missed where the entry names their programs. */
#include "shim/site/untimed_runs.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/guest.h"
#include "shim/guest/util.h"
#include "shim/site/site.h"

#define ENTRIES     1024
#define MOST_SEEN   8 /* devices of one process */
#define FILE_NAME   "settled"
#define MOST_LETTER 4096 /* of a command line */

#define PROGRAMS 8 /* that an entry can name */

struct entry {
    uint64_t hash;                        /* of command line, device and options */
    uint32_t runs;                        /* since the last one that was timed; QUIET_RUNS: the next one is */
    uint32_t hidden;                      /* timed runs in a row that had kernels from unknown binaries */
    uint32_t open;                        /* shapes that were not decided, for they take too little time */
    uint32_t decided;                     /* decisions about `program` that wisdom had */
    char program[PROGRAMS][HASH128_TEXT]; /* some of those that were decided; "": no more */
};

static pthread_mutex_t seen_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    struct shim_device *device;
    struct entry entry;
} seen[MOST_SEEN];
static unsigned nseen;

/* Of the options by which kernels are left alone that other runs would tune. */
static uint64_t hash_options(uint64_t h, const struct options *o)
{
    const int numbers[] = {o->strict,        o->relaxed,      (int)o->mode, (int)o->orchestration,
                           (int)o->variants, o->analyse_after};

    h = hash64(h, o->kernels, strlen(o->kernels) + 1);
    h = hash64(h, o->pool, strlen(o->pool) + 1);
    return hash64(h, numbers, sizeof numbers);
}

static uint64_t hash_of(const struct runtime *rt, const struct shim_device *d)
{
    char line[MOST_LETTER + 1];
    const size_t n = util_beginning("/proc/self/cmdline", line, sizeof line);
    const uint64_t h = hash64(hash64(HASH64_START, line, n), d->key, strlen(d->key));

    return n ? hash_options(h, &rt->opt) : 0;
}

static off_t place_of(uint64_t hash)
{
    return (off_t)(hash % ENTRIES * sizeof(struct entry));
}

static int open_file(const struct runtime *rt, int flags)
{
    char path[RT_FILE];

    snprintf(path, sizeof path, "%s/" FILE_NAME, rt->cache);
    return util_open_private(path, flags, geteuid());
}

/* The entry that earlier runs left; its `runs` is QUIET_RUNS if there is none. */
static struct entry read_entry(const struct runtime *rt, uint64_t hash)
{
    const int fd = open_file(rt, O_RDONLY);
    struct entry e = {0};
    const ssize_t n = fd < 0 ? -1 : pread(fd, &e, sizeof e, place_of(hash));

    if (fd >= 0)
        close(fd);
    if (n != sizeof e || e.hash != hash)
        e = (struct entry){.hash = hash, .runs = QUIET_RUNS};
    return e;
}

/* How many decisions wisdom has about the programs that the entry names. */
static uint32_t count_decided(const struct runtime *rt, const struct entry *e)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < PROGRAMS; i++)
        if (e->program[i][0] && !e->program[i][HASH128_TEXT - 1])
            n += wis_decided(rt->wisdom, e->program[i]);
    return n;
}

/* The programs of the device's decided shapes, as far as there is room, and what wisdom has about them. */
static void note_decided(const struct runtime *rt, const struct shim_device *d, struct entry *e)
{
    memset(e->program, 0, sizeof e->program);
    for (struct shim_site *s = site_newest(); s; s = s->older) {
        unsigned i = 0;
        if (s->entry->build->device != d || site_state(s) != SITE_DECIDED)
            continue;
        while (i < PROGRAMS && e->program[i][0] && strcmp(e->program[i], s->entry->build->hash) != 0)
            i++;
        if (i < PROGRAMS)
            strcpy(e->program[i], s->entry->build->hash);
    }
    e->decided = count_decided(rt, e);
}

static void write_entry(const struct runtime *rt, const struct entry *e)
{
    struct rlimit most;
    int fd;

    if (getrlimit(RLIMIT_FSIZE, &most) || most.rlim_cur < ENTRIES * sizeof *e)
        return; /* there is a signal for who writes beyond */
    fd = open_file(rt, O_RDWR | O_CREAT);
    if (fd < 0)
        return;
    if (pwrite(fd, e, sizeof *e, place_of(e->hash)) != sizeof *e)
        (void)ftruncate(fd, 0);
    close(fd);
}

/* Only where event times cost something, decisions are remembered, and made within a budget: who spends
 * without one wants to know. */
static bool may_be_quiet(const struct runtime *rt, const struct shim_device *d)
{
    return !d->is_cpu && *rt->cache && rt->opt.effort == PROF_MEASURE && !rt->opt.dry_run &&
           !*rt->opt.sizes && !*rt->opt.retune && rt->opt.use_only != OPT_USE_ONLY_STRICT &&
           strcmp(rt->opt.wisdom, "none") != 0;
}

bool untimed_wanted(struct runtime *rt, struct shim_device *d)
{
    struct entry e;
    struct guest guest;
    int state = atomic_load(&d->quiet);

    if (state != OBJ_QUIET_UNKNOWN || !may_be_quiet(rt, d) || util_confined())
        return state == OBJ_QUIET;
    guest_begin(&guest);
    pthread_mutex_lock(&seen_lock);
    state = atomic_load(&d->quiet);
    if (state == OBJ_QUIET_UNKNOWN) {
        const uint64_t hash = hash_of(rt, d);
        state = OBJ_TIMED;
        if (hash && nseen < MOST_SEEN) {
            e = read_entry(rt, hash);
            if (count_decided(rt, &e) < e.decided)
                e.runs = QUIET_RUNS; /* somebody has removed some */
            state = e.runs < QUIET_RUNS - 1 ? OBJ_QUIET : OBJ_TIMED;
            seen[nseen].device = d;
            seen[nseen++].entry = e;
        }
        atomic_store(&d->quiet, state);
    }
    pthread_mutex_unlock(&seen_lock);
    guest_end(&guest);
    return state == OBJ_QUIET;
}

/* Shapes of the device that are not decided; *settled: none of them will ever be. */
static uint32_t count_open(const struct runtime *rt, const struct shim_device *d, bool *settled)
{
    const int64_t enough = rt_enough_ns(rt);
    uint32_t open = 0;

    *settled = true;
    for (struct shim_site *s = site_newest(); s; s = s->older) {
        const enum site_state state = site_state(s);
        if (s->entry->build->device != d || atomic_load(&s->entry->skip) || atomic_load(&s->retired))
            continue;
        if (pthread_mutex_trylock(&s->lock)) { /* a thread goes on launching */
            open++;
            *settled = false;
            continue;
        }
        *settled &= state != SITE_DECIDED || !s->doubtful;
        if (site_is_open(s) && !atomic_load(&s->failed_proofs)) {
            open++;
            *settled &= state == SITE_NEW && !s->verify && s->account.observed_ns < enough;
        }
        pthread_mutex_unlock(&s->lock);
    }
    return open;
}

/* What the next run should do after one that was timed.  The user is told to remove binaries whose source is
 * not known: for a while every run is prepared for that. */
static void end_timed(const struct runtime *rt, const struct shim_device *d, struct entry *e)
{
    bool settled;

    e->open = count_open(rt, d, &settled);
    e->hidden = atomic_load(&rt->from_binary) ? e->hidden + 1 : 0;
    e->runs = settled && (!e->hidden || e->hidden > QUIET_RUNS) ? 0 : QUIET_RUNS;
    note_decided(rt, d, e);
}

void untimed_at_exit(struct runtime *rt)
{
    bool settled;

    if (pthread_mutex_trylock(&seen_lock))
        return;
    for (unsigned i = 0; i < nseen; i++) {
        struct entry *e = &seen[i].entry;
        const struct shim_device *d = seen[i].device;

        if (atomic_load(&d->quiet) != OBJ_QUIET)
            end_timed(rt, d, e);
        else
            e->runs = count_open(rt, d, &settled) > e->open ? QUIET_RUNS : e->runs + 1;
        write_entry(rt, e);
    }
    pthread_mutex_unlock(&seen_lock);
}
