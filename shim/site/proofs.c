/* proofs.c - see proofs.h. */
#include "shim/site/proofs.h"
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/integer.h"
#include "shim/site/arguments.h"

#define MOST_TRIES 24 /* so that what cannot be proved costs no more than so many proofs */

/* How much wider than what was seen the bounds are, on either side.  The second is for scalars that have a
 * limit: a column must be one of the matrix. */
static const double wider[] = {4, 0.25};

struct proved_range {
    struct proofs_bounds bounds;
    struct proofs_hashes launches; /* args_fingerprint() of other arguments that have this layout */
};

/* ---- hashes ----------------------------------------------------------------------------------------- */

static bool is_among(const struct proofs_hashes *h, uint64_t hash)
{
    for (unsigned i = 0; i < PROOFS_HASHES; i++)
        if (atomic_load_explicit(&h->of[i], memory_order_relaxed) == hash)
            return true;
    return false;
}

static void add_hash(struct proofs_hashes *h, uint64_t hash)
{
    if (!is_among(h, hash))
        atomic_store_explicit(
            &h->of[atomic_fetch_add_explicit(&h->made, 1, memory_order_relaxed) % PROOFS_HASHES], hash,
            memory_order_relaxed);
}

/* ---- bounds ----------------------------------------------------------------------------------------- */

/* An integer that is not negative, so that it is the same whether signed or not; -1: none. */
static int64_t value_of(const struct shim_arg *a)
{
    uint64_t raw = 0;

    if (!a->set || a->local || (a->size != 4 && a->size != 8))
        return -1;
    memcpy(&raw, a->value, a->size);
    return sum_signed(raw, 8 * a->size);
}

static uint64_t bits_of(const struct proofs_bounds *r)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < r->n; i++)
        bits |= UINT64_C(1) << r->of[i].argument;
    return bits;
}

static bool within(const struct proofs_bounds *p, const struct shim_kernel *k)
{
    for (unsigned i = 0; i < p->n; i++) {
        const int64_t value = value_of(&k->args[p->of[i].argument]);
        if (value < p->of[i].least || value > p->of[i].most)
            return false;
    }
    return true;
}

/* All scalars of the launch that a proof depends on and that may have bounds. */
static void describe(const struct launching *l, const struct launch_arg *args, struct proofs_bounds *out)
{
    const struct kernel_summary *sum = l->site->entry->summary;
    const struct shim_kernel *k = l->kernel;

    *out = (struct proofs_bounds){0};
    for (unsigned i = 0; i < k->nargs && i < 63 && out->n < PROOFS_SCALARS; i++) {
        const int64_t value =
            sum->args[i].kind == SUM_ARG_SCALAR && args_matter(l->site, i) ? value_of(&k->args[i]) : -1;
        if (value < 0)
            continue;
        out->of[out->n].argument = i;
        out->of[out->n].least = out->of[out->n].most = value;
        out->n++;
    }
    out->layout = args_layout(l, args, bits_of(out));
}

/* Add the launch to what was seen.  False: it is the first one of this layout. */
static bool add(struct proofs_bounds *seen, const struct proofs_bounds *now)
{
    if (seen->layout != now->layout || bits_of(seen) != bits_of(now)) {
        *seen = *now;
        return false;
    }
    for (unsigned i = 0; i < now->n; i++) {
        if (now->of[i].least < seen->of[i].least)
            seen->of[i].least = now->of[i].least;
        if (now->of[i].most > seen->of[i].most)
            seen->of[i].most = now->of[i].most;
    }
    return true;
}

/* Only those that have moved, with wider bounds.  0 and 1 are limits of their own: what was never 0 is a
 * count. */
static void widen(const struct proofs_bounds *seen, double by, const struct launch_arg *args,
                  struct proofs_bounds *out)
{
    out->n = 0;
    for (unsigned i = 0; i < seen->n; i++) {
        const int64_t least = seen->of[i].least, most = seen->of[i].most, limit = least ? 1 : 0,
                      end = args[seen->of[i].argument].size == 4 ? INT32_MAX : INT64_MAX;
        const double room = (double)(most - least) * by;

        if (least == most)
            continue;
        out->of[out->n].argument = seen->of[i].argument;
        out->of[out->n].least = (double)(least - limit) > room ? least - (int64_t)room : limit;
        out->of[out->n].most = (double)(end - most) > room ? most + (int64_t)room : end;
        out->n++;
    }
}

static void bound(const struct proofs_bounds *r, struct launch_arg *args, bool on)
{
    for (unsigned i = 0; i < r->n; i++) {
        struct launch_arg *a = &args[r->of[i].argument];
        a->bounded = on;
        a->least = on ? r->of[i].least : 0;
        a->most = on ? r->of[i].most : 0;
    }
}

/* Publish bounds between which it was proved.  NULL when out of memory. */
static const struct proved_range *publish(struct proofs *p, const struct launching *l,
                                          const struct launch_arg *args, const struct proofs_bounds *bounds)
{
    struct proved_range *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->bounds = *bounds;
    r->bounds.layout = args_layout(l, args, bits_of(bounds));
    add_hash(&r->launches, args_fingerprint(l, bits_of(bounds)));
    atomic_store_explicit(&p->range, r, memory_order_release);
    return r;
}

/* Prove it for all launches between bounds.  NULL: that cannot be, but it may still hold for this one. */
static const struct proved_range *prove_range(struct proofs *p, const struct launching *l,
                                              struct launch_arg *args, const struct launch *launch,
                                              proofs_judge *judge, void *context)
{
    const struct proved_range *range = NULL;
    struct proofs_bounds now, bounds;

    if (atomic_exchange(&p->busy, true))
        return NULL;
    describe(l, args, &now);
    if (add(&p->seen, &now))
        for (unsigned i = 0; i < sizeof wider / sizeof *wider && !range && p->tries < MOST_TRIES; i++) {
            bool proved;
            widen(&p->seen, wider[i], args, &bounds);
            if (!bounds.n)
                break;
            p->tries++;
            bound(&bounds, args, true);
            proved = judge(context, launch);
            bound(&bounds, args, false);
            if (proved)
                range = publish(p, l, args, &bounds);
        }
    atomic_store(&p->busy, false);
    return range;
}

/* Is the launch between the bounds, other memory objects of the same layout included?  Then the next one with
 * these is known at once. */
static bool is_within(const struct proofs *p, const struct launching *l, const struct launch_arg *args)
{
    struct proved_range *r = atomic_load_explicit(&p->range, memory_order_acquire);

    if (!r || !within(&r->bounds, l->kernel) || r->bounds.layout != args_layout(l, args, bits_of(&r->bounds)))
        return false;
    add_hash(&r->launches, args_fingerprint(l, bits_of(&r->bounds)));
    return true;
}

/* ---- what is known ---------------------------------------------------------------------------------- */

const struct proved_range *proofs_range(const struct proofs *p, const struct launching *l)
{
    const struct proved_range *r = atomic_load_explicit(&p->range, memory_order_acquire);

    return r && within(&r->bounds, l->kernel) &&
                   is_among(&r->launches, args_fingerprint(l, bits_of(&r->bounds)))
               ? r
               : NULL;
}

bool proofs_know(const struct proofs *p, const struct launching *l, bool *holds)
{
    const uint64_t fingerprint = args_fingerprint(l, 0);

    *holds = is_among(&p->launches, fingerprint) || proofs_range(p, l);
    return *holds || atomic_load(&p->refused) == fingerprint;
}

void proofs_note(struct proofs *p, const struct launching *l, uint64_t layout, bool holds)
{
    const uint64_t fingerprint = args_fingerprint(l, 0);

    if (holds) {
        add_hash(&p->launches, fingerprint);
        if (layout)
            add_hash(&p->layouts, layout);
    } else {
        atomic_store(&p->refused, fingerprint);
        atomic_store(&p->refused_layout, layout);
    }
}

bool proofs_know_layout(struct proofs *p, const struct launching *l, const struct launch_arg *args,
                        bool *holds)
{
    const uint64_t layout = args_layout(l, args, 0);

    *holds = is_among(&p->layouts, layout) || is_within(p, l, args);
    if (!*holds && atomic_load(&p->refused_layout) != layout)
        return false;
    proofs_note(p, l, *holds ? 0 : layout, *holds);
    return true;
}

bool proofs_make(struct proofs *p, const struct launching *l, struct launch_arg *args,
                 const struct launch *launch, proofs_judge *judge, void *context,
                 const struct proved_range **range)
{
    const struct proved_range *proved = prove_range(p, l, args, launch, judge, context);
    const bool holds = proved || judge(context, launch);

    if (range)
        *range = proved;
    proofs_note(p, l, proved ? 0 : args_layout(l, args, 0), holds);
    return holds;
}
