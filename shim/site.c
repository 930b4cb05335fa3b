/* site.c - finding the site of a launch, describing the launch, and harvesting its times. */
#include "shim/site.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/hash.h"
#include "shim/ahead.h"
#include "shim/guest.h"
#include "shim/intercept.h"
#include "shim/launch.h"
#include "shim/runtime.h"

#define MAX_SITES 256 /* per kernel: a program that never repeats a shape is not worth remembering */
#define MAX_OPEN  500 /* told of at the end: enough to see a pattern */

#define MAX_REOPENED 3   /* a shape whose times keep moving is not worth more */
#define LEAST_NS     100 /* no launch takes less: the driver does not measure */

#define MEMORY_SLOTS 4096 /* a power of two */

/* How often handles that fall into a slot were released: the next object may have the handle of the last. */
static atomic_uint memory_released[MEMORY_SLOTS];
static _Atomic(struct shim_site *) all_sites;
static atomic_uint
    pending; /* events that all sites hold together: where there are none, nothing is looked for */

/* ---- finding --------------------------------------------------------------------------------------- */

static uint64_t local_args_hash(const struct shim_kernel *k)
{
    uint64_t h = HASH64_START;

    for (unsigned i = 0; i < k->nargs; i++)
        if (k->args[i].set && k->args[i].local) {
            h = hash64(h, &i, sizeof i);
            h = hash64(h, &k->args[i].size, sizeof k->args[i].size);
        }
    return h;
}

static void make_key(const struct shim_kernel *k, const struct launch *l, struct site_key *key)
{
    memset(key, 0, sizeof *key);
    key->dim = l->dim;
    key->zero_offset = true;
    for (unsigned d = 0; d < 3; d++) {
        key->global[d] = l->global[d];
        key->own[d] = l->local[d];
        key->zero_offset &= l->offset[d] == 0;
    }
    key->local_args = local_args_hash(k);
}

/* build->lock held */
static struct shim_entry *find_entry(struct shim_build *b, const char *name)
{
    struct runtime *rt = rt_get();
    struct shim_entry *e;

    for (e = b->entries; e; e = e->next)
        if (strcmp(e->name, name) == 0)
            return e;
    e = calloc(1, sizeof *e);
    if (!e || !(e->name = strdup(name))) {
        free(e);
        return NULL;
    }
    e->build = b;
    atomic_init(&e->relevant, UINT64_MAX);
    e->excluded = rt && !opt_glob_list(rt->opt.kernels, name);
    atomic_init(&e->skip, e->excluded);
    e->next = b->entries;
    b->entries = e;
    if (rt && !e->excluded)
        atomic_fetch_add(&rt->total.kernels, 1);
    return e;
}

static struct shim_entry *entry_of(struct shim_kernel *k, struct shim_queue *q)
{
    struct shim_entry *e = atomic_load_explicit(&k->entry, memory_order_acquire);
    struct shim_build *b;

    if (e && e->build->device == q->device)
        return e;
    b = ana_build(k->source, q->device);
    if (!b)
        return NULL;
    pthread_mutex_lock(&b->lock);
    e = find_entry(b, k->name);
    pthread_mutex_unlock(&b->lock);
    atomic_store_explicit(&k->entry, e, memory_order_release);
    return e;
}

/* A word at a time, for kernels with hundreds of shapes. */
static unsigned bucket_of(const struct site_key *key)
{
    uint64_t h = key->dim * 2 + key->zero_offset + key->local_args;

    for (unsigned d = 0; d < 3; d++)
        h = (h ^ key->global[d] ^ (uint64_t)key->own[d] << 40) * 0x9e3779b97f4a7c15u;
    return (unsigned)(h >> 32) % SITE_BUCKETS;
}

/* build->lock held */
static struct shim_site *add_site(struct shim_entry *e, const struct site_key *key)
{
    const unsigned bucket = bucket_of(key);
    struct shim_site *s = e->nsite < MAX_SITES ? calloc(1, sizeof *s) : NULL;

    if (!s)
        return NULL;
    memcpy(&s->key, key, sizeof s->key); /* padding and all: keys are compared as bytes */
    s->entry = e;
    s->account.compile_ns = -1;
    pthread_mutex_init(&s->lock, NULL);
    s->next = e->sites[bucket];
    e->sites[bucket] = s;
    e->nsite++;
    s->older = atomic_load(&all_sites);
    while (!atomic_compare_exchange_weak(&all_sites, &s->older, s))
        continue;
    return s;
}

struct shim_site *site_find(struct shim_kernel *k, struct shim_queue *q, const struct launch *l)
{
    struct shim_site *s = atomic_load_explicit(&k->recent, memory_order_acquire);
    struct shim_entry *e = entry_of(k, q);
    struct site_key key;

    if (!e || atomic_load_explicit(&e->skip, memory_order_relaxed))
        return NULL;
    make_key(k, l, &key);
    if (s && s->entry == e && !atomic_load_explicit(&s->retired, memory_order_relaxed) &&
        memcmp(&s->key, &key, sizeof key) == 0)
        return s;
    pthread_mutex_lock(&e->build->lock);
    for (s = e->sites[bucket_of(&key)];
         s && (atomic_load(&s->retired) || memcmp(&s->key, &key, sizeof key) != 0); s = s->next)
        continue;
    if (!s)
        s = add_site(e, &key);
    pthread_mutex_unlock(&e->build->lock);
    if (s)
        atomic_store_explicit(&k->recent, s, memory_order_release);
    return s;
}

bool site_reopen(struct shim_site *s)
{
    struct shim_entry *e = s->entry;
    struct shim_site *again;

    if (s->reopened >= MAX_REOPENED)
        return false;
    pthread_mutex_lock(&e->build->lock);
    again = add_site(e, &s->key);
    if (again) {
        again->account = s->account;
        again->stored_ns = s->account.observed_ns;
        again->stored_spent_ns = s->account.spent_ns;
        again->told_spent_ns = s->account.spent_ns;
        again->reopened = s->reopened + 1;
        again->verify = true;
        if (!s->keep)
            memcpy(again->guess, s->choice, sizeof again->guess);
        atomic_store(&s->retired, true);
    }
    pthread_mutex_unlock(&e->build->lock);
    return again != NULL;
}

/* ---- arguments ------------------------------------------------------------------------------------- */

/* The memory object that `m` is a part or a view of, NULL if none; *offset grows by where it begins there. */
static cl_mem parent_of(cl_mem m, size_t *offset)
{
    cl_mem parent = NULL;
    size_t begin = 0;

    next()->clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL);
    if (parent && next()->clGetMemObjectInfo(m, CL_MEM_OFFSET, sizeof begin, &begin, NULL) == CL_SUCCESS)
        *offset += begin;
    return parent;
}

/* Extensions make memory objects of memory that others have handles for, too. */
static bool has_properties(cl_mem m)
{
    cl_mem_properties p[16];
    size_t size = 0;
    const cl_int error = next()->clGetMemObjectInfo(m, CL_MEM_PROPERTIES, sizeof p, p, &size);

    return error ? size > sizeof p : size && p[0]; /* OpenCL before 3.0 does not know the question */
}

/* Identity, offset and size of what a memory argument reaches.  Images may be views of
 * sub-buffers, and buffers over host memory are ranges of one space, the host's: two of them may
 * overlap with no common parent. */
static void describe_memory(cl_mem m, struct launch_arg *a)
{
    cl_mem parent;
    cl_mem_flags flags = 0;
    size_t size = 0, offset = 0;
    void *host = NULL;

    if (next()->clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, NULL) != CL_SUCCESS) {
        a->opaque = true;
        return;
    }
    while ((parent = parent_of(m, &offset)))
        m = parent;
    if (has_properties(m)) {
        a->opaque = true;
        return;
    }
    next()->clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    next()->clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof host, &host, NULL);
    a->memory = (uintptr_t)m;
    a->offset = offset;
    a->bytes = size;
    if ((flags & CL_MEM_USE_HOST_PTR) && host) {
        a->memory = UINTPTR_MAX;
        a->offset += (uintptr_t)host;
    }
}

void site_arguments(const struct shim_site *s, const struct shim_kernel *k, struct launch_arg *args)
{
    const struct kernel_summary *sum = s->entry->summary;

    for (unsigned i = 0; i < k->nargs; i++) {
        const struct shim_arg *from = &k->args[i];
        enum sum_arg_kind kind = i < sum->nargs ? sum->args[i].kind : SUM_ARG_OTHER;
        cl_mem memory = NULL;

        args[i] =
            (struct launch_arg){.set = from->set, .size = from->size, .opaque = from->opaque || k->indirect};
        memcpy(args[i].value, from->value, sizeof args[i].value);
        if (from->opaque || !from->set || (kind != SUM_ARG_BUFFER && kind != SUM_ARG_IMAGE))
            continue;
        memcpy(&memory, from->value, sizeof memory);
        if (from->size != sizeof memory)
            args[i].set = from->local && kind == SUM_ARG_BUFFER; /* NULL value: a NULL buffer */
        else if (memory)
            describe_memory(memory, &args[i]);
    }
}

static atomic_uint *released(const void *memory)
{
    return &memory_released[hash64(HASH64_START, &memory, sizeof memory) % MEMORY_SLOTS];
}

void site_memory_released(const void *memory)
{
    atomic_fetch_add_explicit(released(memory), 1, memory_order_relaxed);
}

static bool is_relevant(const struct shim_site *s, unsigned argument)
{
    return atomic_load_explicit(&s->entry->relevant, memory_order_relaxed) >>
               (argument < 63 ? argument : 63) &
           1;
}

uint64_t site_fingerprint(const struct shim_site *s, const struct shim_kernel *k, const struct launch *l)
{
    uint64_t h = hash64(HASH64_START, l->offset, sizeof l->offset);

    h = hash64(h, &k->indirect, sizeof k->indirect);
    for (unsigned i = 0; i < k->nargs; i++) {
        const struct shim_arg *a = &k->args[i];
        void *memory;
        unsigned generation;

        if (!is_relevant(s, i))
            continue;
        h = hash64(h, &a->hash, sizeof a->hash);
        if (a->local || a->size != sizeof memory)
            continue;
        memcpy(&memory, a->value, sizeof memory); /* if it is a scalar, no harm is done */
        generation = atomic_load_explicit(released(memory), memory_order_relaxed);
        h = hash64(h, &generation, sizeof generation);
    }
    return h ? h : 1;
}

/* The first argument that is the same memory object. */
static unsigned same_memory(const struct launch_arg *args, unsigned i)
{
    unsigned first = 0;

    while (args[first].memory != args[i].memory)
        first++;
    return first;
}

uint64_t site_layout(const struct shim_site *s, const struct shim_kernel *k, const struct launch *l)
{
    uint64_t h = hash64(HASH64_START, l->offset, sizeof l->offset);

    h = hash64(h, &k->indirect, sizeof k->indirect);
    for (unsigned i = 0; i < k->nargs; i++) {
        const struct launch_arg *a = &l->args[i];
        const uint64_t place[] = {a->set, a->opaque, a->size, same_memory(l->args, i), a->offset, a->bytes};

        if (!is_relevant(s, i))
            continue;
        if (a->memory)
            h = hash64(h, place, sizeof place);
        else
            h = hash64(hash64(h, &a->set, sizeof a->set), &k->args[i].hash, sizeof k->args[i].hash);
    }
    return h ? h : 1;
}

bool site_is_proved(const struct site_proofs *p, uint64_t hash)
{
    for (unsigned i = 0; i < SITE_PROOFS; i++)
        if (atomic_load_explicit(&p->of[i], memory_order_relaxed) == hash)
            return true;
    return false;
}

void site_set_proved(struct site_proofs *p, uint64_t hash)
{
    if (!site_is_proved(p, hash))
        atomic_store_explicit(
            &p->of[atomic_fetch_add_explicit(&p->made, 1, memory_order_relaxed) % SITE_PROOFS], hash,
            memory_order_relaxed);
}

/* ---- events ---------------------------------------------------------------------------------------- */

/* Events that the application holds as well.  A reference of ours would show in its reference counts, so we
 * take none: we count the application's, and when it gives up the last one, that one becomes ours.  The lock
 * guards the table alone; drivers may call back from whatever they are asked. */
struct watched {
    void *handle;
    unsigned refs; /* the application's; 0: the reference that is left is ours */
    UT_hash_handle hh;
};
static pthread_mutex_t watched_lock = PTHREAD_MUTEX_INITIALIZER;
static struct watched *watched;
static atomic_uint nwatched;
static atomic_bool events_left; /* site_leave_events() */

/* watched_lock held */
static struct watched *find_watched(const void *event)
{
    struct watched *w;

    HASH_FIND_PTR(watched, &event, w);
    return w;
}

static bool watch_visible(cl_event e)
{
    struct watched *w = calloc(1, sizeof *w);
    bool added;

    if (!w)
        return false;
    *w = (struct watched){.handle = e, .refs = 1};
    pthread_mutex_lock(&watched_lock);
    HASH_ADD_PTR(watched, handle, w);
    added = w->hh.tbl != NULL;
    if (added)
        atomic_fetch_add(&nwatched, 1);
    pthread_mutex_unlock(&watched_lock);
    if (!added)
        free(w);
    return added;
}

static void unwatch_visible(cl_event e)
{
    struct watched *w;

    pthread_mutex_lock(&watched_lock);
    w = find_watched(e);
    if (w) {
        HASH_DEL(watched, w);
        atomic_fetch_sub(&nwatched, 1);
    }
    pthread_mutex_unlock(&watched_lock);
    if (w && !w->refs)
        next()->clReleaseEvent(e);
    free(w);
}

cl_int site_retain_event(cl_event e)
{
    struct watched *w;
    bool counted = false;
    cl_int error;

    if (!atomic_load_explicit(&nwatched, memory_order_relaxed))
        return next()->clRetainEvent(e);
    pthread_mutex_lock(&watched_lock);
    w = find_watched(e);
    if (w && w->refs) { /* first: another thread may be about to release what it holds */
        w->refs++;
        counted = true;
    }
    pthread_mutex_unlock(&watched_lock);
    error = next()->clRetainEvent(e);
    if (error && counted) {
        pthread_mutex_lock(&watched_lock);
        w = find_watched(e);
        if (w)
            w->refs--;
        pthread_mutex_unlock(&watched_lock);
    }
    return error;
}

cl_int site_release_event(cl_event e)
{
    struct watched *w;
    bool last = false, none = false;

    if (!atomic_load_explicit(&nwatched, memory_order_relaxed))
        return next()->clReleaseEvent(e);
    pthread_mutex_lock(&watched_lock);
    w = find_watched(e);
    if (w) {
        none = w->refs == 0;
        last = !none && --w->refs == 0;
    }
    pthread_mutex_unlock(&watched_lock);
    if (none)
        return CL_INVALID_EVENT;
    return last ? CL_SUCCESS : next()->clReleaseEvent(e);
}

static void let_go(const struct site_pending *p)
{
    atomic_fetch_sub(&pending, 1);
    if (atomic_load(&events_left))
        return;
    if (p->first)
        next()->clReleaseEvent(p->first);
    if (p->visible)
        unwatch_visible(p->event);
    else
        next()->clReleaseEvent(p->event);
}

void site_watch(struct shim_site *s, const struct site_pending *p)
{
    if (s->npending < SITE_PENDING && (!p->visible || watch_visible(p->event))) {
        s->pending[s->npending] = *p;
        s->pending[s->npending++].launch = s->launches;
        atomic_fetch_add(&pending, 1);
        return;
    }
    if (p->first)
        next()->clReleaseEvent(p->first);
    if (!p->visible)
        next()->clReleaseEvent(p->event);
}

void site_share(struct shim_site *s, cl_event e)
{
    for (unsigned i = 0; i < s->npending; i++) {
        struct site_pending *p = &s->pending[i];
        if (p->event != e || p->visible)
            continue;
        p->visible = watch_visible(e);
        if (!p->visible) { /* out of memory: the sample is lost */
            if (p->first)
                next()->clReleaseEvent(p->first);
            *p = s->pending[--s->npending];
            atomic_fetch_sub(&pending, 1);
        }
        next()->clReleaseEvent(e);
        return;
    }
}

/* SUBMIT and START of the first part, END of the last. */
static bool event_times(const struct site_pending *p, cl_ulong *submit, cl_ulong *start, cl_ulong *end)
{
    cl_event first = p->first ? p->first : p->event;

    return next()->clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_SUBMIT, sizeof *submit, submit,
                                           NULL) == CL_SUCCESS &&
           next()->clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof *start, start, NULL) ==
               CL_SUCCESS &&
           next()->clGetEventProfilingInfo(p->event, CL_PROFILING_COMMAND_END, sizeof *end, end, NULL) ==
               CL_SUCCESS;
}

void site_own_time(struct shim_site *s, int64_t ns, unsigned weight)
{
    const double item_ns = (double)ns / (double)site_items(s);

    s->account.observed_ns += ns * weight;
    if (s->nearly < SITE_EARLY)
        s->early_ns[s->nearly++] = ns;
    if (s->own_item_ns <= 0 || item_ns < s->own_item_ns)
        s->own_item_ns = item_ns;
}

/* What a fresh size spent between being ready to run and running is compilation.  It was not ready before
 * what the site had launched earlier was done. */
static int64_t compilation_ns(const struct shim_site *s, const struct site_pending *p, cl_ulong submit,
                              cl_ulong start)
{
    const cl_ulong ready = submit < s->last_end ? s->last_end : submit;

    return p->fresh && start > ready ? (int64_t)(start - ready) : 0;
}

/* One completed launch or slice: to the race when one is open, to the own size's record before that. */
static void book(struct shim_site *s, const struct site_pending *p, cl_ulong submit, cl_ulong start,
                 cl_ulong end)
{
    const int64_t ns = (int64_t)(end - start), overhead = compilation_ns(s, p, submit, start);
    const unsigned weight = p->weight ? p->weight : 1;
    const size_t items = p->items ? p->items : site_items(s);

    s->last_end = end;
    if (atomic_load(&s->state) == SITE_DECIDED) {
        s->moved |= prof_drift_add(&s->drift, (double)ns / (double)items);
        return;
    }
    if (!p->lane && !p->items && (!s->whole_ns || ns < s->whole_ns))
        s->whole_ns = ns;
    if (!p->repeated)
        atomic_fetch_add(&s->entry->build->observed_ns, ns * weight);
    if (atomic_load(&s->state) != SITE_RACING) {
        if (!p->items)
            site_own_time(s, ns, weight);
        return;
    }
    s->account.observed_ns += ns * (weight - 1);
    /* Between the parts of a fresh launch the driver may have compiled for the tail: that is
     * no time of the size's. */
    prof_charge(&s->account, &s->race, p->lane, items, p->fresh && p->first ? 0 : ns, overhead, p->repeated);
    if (p->fresh && !p->first)
        ahead_check(s, p->lane, overhead);
    if (p->fresh && !p->first && !s->race.lane[p->lane].known)
        atomic_store(&s->entry->build->device->compile_ns, overhead);
    if ((p->fresh && p->first) || p->silent)
        return;
    /* An own launch that nothing asked for is no sample: there would be no end of them. */
    if (p->lane || p->items || prof_race_wants_own(&s->race))
        prof_race_add(&s->race, p->lane, items, ns, overhead);
}

/* Launches that found no room in `pending` took at least as long as the shortest that did. */
static void book_untimed(struct shim_site *s)
{
    const int64_t ns = s->whole_ns * s->untimed;

    atomic_fetch_add(&s->entry->build->observed_ns, ns);
    s->account.observed_ns += ns;
    s->untimed = 0;
}

static void harvest_one(struct shim_site *s, const struct site_pending *p, cl_int status)
{
    cl_ulong submit, start, end;

    if (status < 0) {
        launch_failure();
        if (atomic_load(&s->state) == SITE_RACING && p->lane)
            prof_race_drop(&s->race, p->lane, true);
    } else if (event_times(p, &submit, &start, &end)) {
        if (end > start + LEAST_NS)
            book(s, p, submit, start, end);
        else /* rusticl on llvmpipe: 0 or 1 */
            atomic_store(&s->entry->build->device->no_event_times, true);
    }
    let_go(p);
}

void site_leave_events(void)
{
    atomic_store(&events_left, true);
}

void site_harvest(struct shim_site *s)
{
    unsigned kept = 0;

    if (atomic_load(&events_left))
        s->npending = 0;
    for (unsigned i = 0; i < s->npending; i++) {
        cl_int status = CL_QUEUED;
        if (next()->clGetEventInfo(s->pending[i].event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                   &status, NULL) != CL_SUCCESS)
            status = -1;
        if (status > CL_COMPLETE)
            s->pending[kept++] = s->pending[i];
        else
            harvest_one(s, &s->pending[i], status);
    }
    s->npending = kept;
    if (s->whole_ns && atomic_load(&s->state) != SITE_DECIDED)
        book_untimed(s);
}

void site_abandon(struct shim_site *s)
{
    while (s->npending)
        let_go(&s->pending[--s->npending]);
}

/* Let go of the events of completed launches everywhere, and of all of queue `q` unless that is NULL. */
static void sweep(cl_command_queue q)
{
    struct guest guest;

    if (!atomic_load(&pending))
        return;
    guest_begin(&guest);
    for (struct shim_site *s = atomic_load(&all_sites); s; s = s->older) {
        unsigned kept = 0;
        if (!s->npending || pthread_mutex_trylock(&s->lock))
            continue; /* a launch is at work there and harvests by itself */
        site_harvest(s);
        for (unsigned i = 0; i < s->npending; i++)
            if (q && s->pending[i].queue == q)
                let_go(&s->pending[i]);
            else
                s->pending[kept++] = s->pending[i];
        s->npending = kept;
        pthread_mutex_unlock(&s->lock);
    }
    guest_end(&guest);
}

void site_each(void (*what)(struct shim_site *s, void *context), void *context)
{
    for (struct shim_site *s = atomic_load(&all_sites); s; s = s->older) {
        if (pthread_mutex_trylock(&s->lock))
            continue;
        what(s, context);
        pthread_mutex_unlock(&s->lock);
    }
}

void site_forget_queue(cl_command_queue q)
{
    sweep(q);
}

void site_settle(void)
{
    sweep(NULL);
}

void site_go_inert(void)
{
    atomic_store(&all_sites, NULL);
    atomic_store(&nwatched, 0);
}

/* ---- the end --------------------------------------------------------------------------------------- */

/* "; 13.1 of 25.0 ms were spent": what tuning the site has cost of what it may cost. */
static void print_spent(const struct shim_site *s, const struct options *o, char *out, size_t room)
{
    const double may = o->budget * (double)s->account.observed_ns + (double)s->account.granted_ns;

    if (o->effort == PROF_MEASURE)
        snprintf(out, room, "; %.1f of %.1f ms were spent", (double)s->account.spent_ns / 1e6, may / 1e6);
    else
        snprintf(out, room, "; %.1f ms were spent", (double)s->account.spent_ns / 1e6);
}

/* Why a site was not decided, as a reason and in words. */
static const char *why_open(const struct shim_site *s, const struct options *o, char *words, size_t room)
{
    const struct shim_build *b = s->entry->build;
    const double ms = (double)s->account.observed_ns / 1e6;
    char spent[64];
    unsigned measured = 0;

    if (atomic_load(&s->state) == SITE_RACING) {
        for (unsigned i = 0; i < s->race.n; i++)
            measured += s->race.lane[i].samples > 0;
        print_spent(s, o, spent, sizeof spent);
        snprintf(words, room, "%u of %u sizes were measured in %u launches%s; the next run goes on", measured,
                 s->race.n, s->launches, spent);
        return "race-unfinished";
    }
    if (atomic_load(&b->state) == ANA_PENDING) {
        snprintf(words, room, "the program ended before its kernels were analysed");
        return "analysis-unfinished";
    }
    if (ms >= o->analyse_after) {
        snprintf(words, room, "all %u launches (%.1f ms) were made before the kernel was known; run it again",
                 s->launches, ms);
        return "few-launches";
    }
    snprintf(words, room, "seen to run for %.1f ms in %u launches; kernels are looked at from %d ms on", ms,
             s->launches, o->analyse_after);
    return "little-time";
}

static void report_open(struct runtime *rt, const struct shim_site *s)
{
    const struct shim_entry *e = s->entry;
    const struct launch shape = site_shape(s);
    char words[192];

    rep_emit(rt->report, &(struct rep_event){.event = "observed",
                                             .program = e->build->hash,
                                             .kernel = e->name,
                                             .device = e->build->device->key,
                                             .launch = &shape,
                                             .summary = atomic_load(&e->summary),
                                             .race = s->race.n ? &s->race : NULL,
                                             .account = &s->account,
                                             .reason = why_open(s, &rt->opt, words, sizeof words),
                                             .detail = words});
}

unsigned site_report_open(struct runtime *rt)
{
    unsigned open = 0;

    for (struct shim_site *s = atomic_load(&all_sites); s; s = s->older) {
        const int state = atomic_load(&s->state);
        if (state == SITE_DECIDED || state == SITE_REFUSED || atomic_load(&s->retired) ||
            atomic_load(&s->entry->skip) || atomic_load(&s->failed_proofs) || pthread_mutex_trylock(&s->lock))
            continue;
        if (s->launches && !s->mode_refused && open++ < MAX_OPEN)
            report_open(rt, s);
        pthread_mutex_unlock(&s->lock);
    }
    return open;
}
