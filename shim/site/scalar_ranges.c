/* scalar_ranges.c - see scalar_ranges.h. */
#include "shim/site/scalar_ranges.h"
#include <stdlib.h>
#include "analysis/summary/integer.h"
#include "shim/site/arguments.h"
#include "shim/site/site.h"

#define MOST_TRIES 24 /* so that what cannot be proved costs no more than so many proofs */

/* How much wider than what was seen the bounds are, on either side.  The second is for scalars that have a
 * limit: a column must be one of the matrix. */
static const double wider[] = {4, 0.25};

struct scalar_range {
    struct scalar_bounds bounds;
    struct site_proofs held; /* args_fingerprint() of other arguments that have this layout */
};

/* An integer that is not negative, so that it is the same whether signed or not; -1: none. */
static int64_t value_of(const struct shim_arg *a)
{
    uint64_t raw = 0;

    if (!a->set || a->local || (a->size != 4 && a->size != 8))
        return -1;
    memcpy(&raw, a->value, a->size);
    return sum_signed(raw, 8 * a->size);
}

static uint64_t bits_of(const struct scalar_bounds *r)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < r->n; i++)
        bits |= UINT64_C(1) << r->of[i].argument;
    return bits;
}

static bool within(const struct scalar_bounds *p, const struct shim_kernel *k)
{
    for (unsigned i = 0; i < p->n; i++) {
        const int64_t value = value_of(&k->args[p->of[i].argument]);
        if (value < p->of[i].least || value > p->of[i].most)
            return false;
    }
    return true;
}

const struct scalar_range *scalars_hold(const struct scalar_ranges *r, const struct shim_site *s,
                                        const struct shim_kernel *k, const struct launch *shape)
{
    struct scalar_range *p = atomic_load_explicit(&r->proved, memory_order_acquire);

    return p && within(&p->bounds, k) &&
                   site_is_proved(&p->held, args_fingerprint(s, k, shape, bits_of(&p->bounds)))
               ? p
               : NULL;
}

bool scalars_are_proved(const struct scalar_ranges *r, const struct shim_site *s, const struct shim_kernel *k,
                        const struct launch *l)
{
    struct scalar_range *p = atomic_load_explicit(&r->proved, memory_order_acquire);

    if (!p || !within(&p->bounds, k) || p->bounds.layout != args_layout(s, k, l, bits_of(&p->bounds)))
        return false;
    site_set_proved(&p->held, args_fingerprint(s, k, l, bits_of(&p->bounds)));
    return true;
}

/* All scalars of the launch that a proof depends on and that may have bounds. */
static void describe(const struct shim_site *s, const struct shim_kernel *k, const struct launch *l,
                     struct scalar_bounds *out)
{
    const struct kernel_summary *sum = s->entry->summary;

    *out = (struct scalar_bounds){0};
    for (unsigned i = 0; i < k->nargs && i < 63 && out->n < SCALARS_MOST; i++) {
        const int64_t value =
            sum->args[i].kind == SUM_ARG_SCALAR && args_matter(s, i) ? value_of(&k->args[i]) : -1;
        if (value < 0)
            continue;
        out->of[out->n].argument = i;
        out->of[out->n].least = out->of[out->n].most = value;
        out->n++;
    }
    out->layout = args_layout(s, k, l, bits_of(out));
}

/* Add the launch to what was seen.  False: it is the first one of this layout. */
static bool add(struct scalar_bounds *seen, const struct scalar_bounds *now)
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
static void widen(const struct scalar_bounds *seen, double by, const struct launch_arg *args,
                  struct scalar_bounds *out)
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

static void bound(const struct scalar_bounds *r, struct launch_arg *args, bool on)
{
    for (unsigned i = 0; i < r->n; i++) {
        struct launch_arg *a = &args[r->of[i].argument];
        a->bounded = on;
        a->least = on ? r->of[i].least : 0;
        a->most = on ? r->of[i].most : 0;
    }
}

static void publish(struct scalar_ranges *r, const struct shim_site *s, const struct shim_kernel *k,
                    const struct launch *l, const struct scalar_bounds *bounds)
{
    struct scalar_range *p = calloc(1, sizeof *p);

    if (!p)
        return;
    p->bounds = *bounds;
    p->bounds.layout = args_layout(s, k, l, bits_of(bounds));
    site_set_proved(&p->held, args_fingerprint(s, k, l, bits_of(bounds)));
    atomic_store_explicit(&r->proved, p, memory_order_release);
}

bool scalars_prove(struct scalar_ranges *r, const struct shim_site *s, const struct shim_kernel *k,
                   const struct launch *l, struct launch_arg *args,
                   bool (*judge)(void *context, const struct launch *l), void *context)
{
    struct scalar_bounds now, bounds;
    bool proved = false;

    if (atomic_exchange(&r->busy, true))
        return false;
    describe(s, k, l, &now);
    if (add(&r->seen, &now))
        for (unsigned i = 0; i < sizeof wider / sizeof *wider && !proved && r->tries < MOST_TRIES; i++) {
            widen(&r->seen, wider[i], args, &bounds);
            if (!bounds.n)
                break;
            r->tries++;
            bound(&bounds, args, true);
            proved = judge(context, l);
            bound(&bounds, args, false);
            if (proved)
                publish(r, s, k, l, &bounds);
        }
    atomic_store(&r->busy, false);
    return proved;
}
