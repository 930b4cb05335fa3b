/* site.c - finds the site of a launch, and reports those that were never decided. */
#include "shim/site/site.h"
#include <stdlib.h>
#include <string.h>
#include "shim/ledger/runtime.h"

#define MAX_SITES     256  /* per kernel: a program that never repeats a shape is not worth remembering */
#define MAX_ALL_SITES 4096 /* of all kernels, 10 kB each: nor is one that makes kernels without end */
#define MAX_REOPENED  3    /* a shape whose times keep moving is not worth more */

static _Atomic(struct shim_site *) all_sites;
static atomic_uint nall; /* how many */

/* ---- finding --------------------------------------------------------------------------------------- */

static void make_key(const struct shim_kernel *k, const struct launch *l, struct wis_shape *key)
{
    key->dim = l->dim;
    key->zero_offset = true;
    for (unsigned d = 0; d < 3; d++) {
        key->global[d] = l->global[d];
        key->own[d] = l->local[d];
        key->zero_offset &= l->offset[d] == 0;
    }
    key->local_args = k->local_args;
}

static inline bool same_key(const struct wis_shape *a, const struct wis_shape *b)
{
    uint64_t differences =
        (a->dim ^ b->dim) | (a->zero_offset ^ b->zero_offset) | (a->local_args ^ b->local_args);

    for (unsigned d = 0; d < 3; d++)
        differences |= (a->global[d] ^ b->global[d]) | (a->own[d] ^ b->own[d]);
    return !differences;
}

/* For the complaint at the end about those that no kernel has met. */
static void note_globs(struct runtime *rt, const char *name)
{
    atomic_fetch_or(&rt->met.kernels, opt_globs_met(rt->opt.kernels, name));
    atomic_fetch_or(&rt->met.sizes, opt_globs_met(rt->opt.sizes, name));
    atomic_fetch_or(&rt->met.retune, opt_globs_met(rt->opt.retune, name));
    atomic_store(&rt->met.any, true);
    pool_met(rt->pool, name);
}

/* build->lock held */
static struct shim_entry *find_entry(struct shim_build *b, const char *name)
{
    struct runtime *rt = rt_current();
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
    e->device = b->device;
    atomic_init(&e->relevant, UINT64_MAX);
    e->excluded = rt && !opt_glob_list(rt->opt.kernels, name);
    e->asked = rt && opt_size(rt->opt.sizes, name, e->asked_variant, e->asked_local) == 1;
    if (rt)
        note_globs(rt, name);
    atomic_init(&e->skip, e->excluded);
    e->next = b->entries;
    b->entries = e;
    if (rt && !e->excluded)
        atomic_fetch_add(&rt->total.kernels, 1);
    return e;
}

/* The kernel is launched for the first time, or on another device than before. */
static struct shim_entry *find_entry_on(struct shim_kernel *k, struct shim_queue *q)
{
    struct shim_build *b = ana_build(k->source, q->device);
    struct shim_entry *e;

    if (!b)
        return NULL;
    pthread_mutex_lock(&b->lock);
    e = find_entry(b, k->name);
    pthread_mutex_unlock(&b->lock);
    atomic_store_explicit(&k->entry, e, memory_order_release);
    return e;
}

static struct shim_entry *entry_of(struct shim_kernel *k, struct shim_queue *q)
{
    struct shim_entry *e = atomic_load_explicit(&k->entry, memory_order_acquire);

    return e && e->device == q->device ? e : find_entry_on(k, q);
}

/* A word at a time, for kernels with hundreds of shapes. */
static unsigned bucket_of(const struct wis_shape *key)
{
    uint64_t h = key->dim * 2 + key->zero_offset + key->local_args;

    for (unsigned d = 0; d < 3; d++)
        h = (h ^ key->global[d] ^ (uint64_t)key->own[d] << 40) * 0x9e3779b97f4a7c15u;
    return (unsigned)(h >> 32) % SITE_BUCKETS;
}

/* The new site takes the place of another one with the same key, which keeps its decision. */
static void inherit(struct shim_site *s, const struct shim_site *from)
{
    s->account = s->earlier = from->account;
    s->stored_ns = from->account.observed_ns;
    s->stored_spent_ns = from->account.spent_ns;
    s->inherited = atomic_load(&from->launches) + atomic_load(&from->decided_launches);
    atomic_init(&s->launches, s->inherited);
    s->reopened = from->reopened + 1;
    s->verify = true;
    if (!from->keep)
        memcpy(s->guess, from->choice, sizeof s->guess);
}

/* `before`: the site whose place it takes, or NULL.  build->lock held; other threads find it from then on. */
static struct shim_site *add_site(struct shim_entry *e, const struct wis_shape *key,
                                  const struct shim_site *before)
{
    const unsigned bucket = bucket_of(key);
    struct shim_site *s = NULL;

    if (e->nsite < MAX_SITES && atomic_load(&nall) < MAX_ALL_SITES)
        s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    atomic_fetch_add(&nall, 1);
    s->key = *key;
    s->entry = e;
    s->account.compile_ns = -1;
    if (before)
        inherit(s, before);
    pthread_mutex_init(&s->lock, NULL);
    s->next = atomic_load_explicit(&e->sites[bucket], memory_order_relaxed);
    atomic_store_explicit(&e->sites[bucket], s, memory_order_release);
    e->nsite++;
    s->older = atomic_load(&all_sites);
    while (!atomic_compare_exchange_weak(&all_sites, &s->older, s))
        continue;
    return s;
}

/* Sites are never freed, and new ones are put in front: no lock is needed. */
static struct shim_site *look_up(const struct shim_entry *e, const struct wis_shape *key)
{
    struct shim_site *s = atomic_load_explicit(&e->sites[bucket_of(key)], memory_order_acquire);

    while (s && (atomic_load_explicit(&s->retired, memory_order_relaxed) || !same_key(&s->key, key)))
        s = s->next;
    return s;
}

static size_t width_of(const size_t extents[2])
{
    return extents[0] > extents[1] ? extents[0] : extents[1];
}

/* A shape is about to be launched for the first time.  With the build's lock held. */
static void compare_range(struct shim_entry *e, const struct wis_shape *key)
{
    const size_t size = sizeof e->extents;

    if (!e->nsite) {
        memcpy(e->extents, key->global, size);
        e->zero_offset = key->zero_offset;
        return;
    }
    if (memcmp(e->extents, key->global, size) != 0)
        atomic_store(&e->extents_differ, true);
    if (width_of(key->global) != width_of(e->extents) || key->zero_offset != e->zero_offset)
        atomic_store(&e->ranges_differ, true); /* before widening_settle() looks for launches under way */
}

/* The site of a shape that is launched for the first time. */
static struct shim_site *new_site(struct shim_entry *e, const struct wis_shape *key)
{
    struct shim_site *s;

    pthread_mutex_lock(&e->build->lock);
    s = look_up(e, key); /* another thread may have been faster */
    if (!s) {
        compare_range(e, key);
        s = add_site(e, key, NULL);
    }
    pthread_mutex_unlock(&e->build->lock);
    return s;
}

struct shim_site *site_find(struct shim_kernel *k, struct shim_queue *q, const struct launch *l)
{
    struct shim_site *s = atomic_load_explicit(&k->recent, memory_order_acquire);
    struct shim_entry *e = entry_of(k, q);
    struct wis_shape key;

    if (!e || atomic_load_explicit(&e->skip, memory_order_relaxed))
        return NULL;
    make_key(k, l, &key);
    if (s && s->entry == e && !atomic_load_explicit(&s->retired, memory_order_relaxed) &&
        same_key(&s->key, &key))
        return s;
    s = look_up(e, &key);
    if (!s)
        s = new_site(e, &key);
    if (s)
        atomic_store_explicit(&k->recent, s, memory_order_release);
    return s;
}

bool site_reopen(struct shim_site *s)
{
    struct shim_entry *e = s->entry;
    bool done;

    /* Another thread may have retired it while this one was about to take the site's lock. */
    if (s->reopened >= MAX_REOPENED || atomic_load(&s->retired))
        return false;
    pthread_mutex_lock(&e->build->lock);
    done = add_site(e, &s->key, s);
    if (done)
        atomic_store(&s->retired, true);
    pthread_mutex_unlock(&e->build->lock);
    return done;
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

struct shim_site *site_newest(void)
{
    return atomic_load(&all_sites);
}

void site_go_inert(void)
{
    atomic_store(&all_sites, NULL);
}

/* ---- states ---------------------------------------------------------------------------------------- */

#define TO(state) (1u << (state))

/* What a site may become.  A decision is given up where its size does not work; nothing leads away from a
 * refusal. */
static const unsigned successors[] = {[SITE_NEW] = TO(SITE_RACING) | TO(SITE_DECIDED) | TO(SITE_REFUSED),
                                      [SITE_RACING] = TO(SITE_DECIDED) | TO(SITE_REFUSED),
                                      [SITE_DECIDED] = TO(SITE_REFUSED),
                                      [SITE_REFUSED] = 0};

bool site_become(struct shim_site *s, enum site_state state)
{
    const enum site_state now = site_state(s);

    if (now != state && !(successors[now] & TO(state)))
        return false;
    atomic_store_explicit(&s->state, state, memory_order_release);
    return true;
}

/* ---- what is known of one --------------------------------------------------------------------------- */

void site_charge_proof(struct shim_site *s, int64_t ns)
{
    atomic_fetch_add(&s->proof_ns, ns);
    atomic_fetch_add(&s->unpaid_ns, ns);
}

void site_pay_proofs(struct shim_site *s)
{
    s->account.spent_ns += atomic_exchange(&s->unpaid_ns, 0);
}

unsigned site_in_flight(const struct shim_site *s, unsigned lane)
{
    unsigned n = 0;

    for (unsigned i = 0; i < s->npending; i++)
        n += s->pending[i].lane == lane;
    return n;
}

void site_seen(struct shim_site *s, int64_t ns)
{
    s->seen_ns += ns;
    atomic_fetch_add(&s->entry->seen_ns, ns);
    atomic_fetch_add(&s->entry->build->observed_ns, ns);
}

void site_own_time(struct shim_site *s, int64_t ns, unsigned weight)
{
    const double item_ns = (double)ns / (double)site_items(s);

    s->account.observed_ns += ns * weight;
    if (s->early_count == SITE_EARLY)
        memmove(&s->early_ns[0], &s->early_ns[1], --s->early_count * sizeof s->early_ns[0]);
    s->early_ns[s->early_count++] = ns;
    if (s->own_item_ns <= 0 || item_ns < s->own_item_ns)
        s->own_item_ns = item_ns;
}
