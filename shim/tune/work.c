/* work.c - see work.h. */
#include "shim/tune/work.h"
#include "shim/guest/clock.h"
#include "shim/site/arguments.h"

#define SHARE   20  /* the model may take one part in this many of the kernel time seen */
#define UNEQUAL 1.5 /* a larger ratio of times is taken for unequal work */

#define MOST_ARGS 63 /* of which sel_way_is_given() tells one by one */

/* Which scalars decide?  Bit i for argument i. */
static uint64_t deciding(const struct kernel_summary *k)
{
    uint64_t arguments, scalars = 0;

    for (unsigned i = 0; i < k->nargs && i < MOST_ARGS; i++)
        scalars |= (uint64_t)(k->args[i].kind == SUM_ARG_SCALAR) << i;
    return sel_way_is_given(k, &arguments) ? arguments & scalars : 0;
}

/* Of their values; never 0. */
static uint64_t hash_of(const struct launching *l)
{
    uint64_t h = 0;

    for (unsigned i = 0; i < l->kernel->nargs && i < MOST_ARGS; i++)
        if (l->site->work.deciding >> i & 1)
            h = (h ^ l->kernel->args[i].hash) * 0x100000001b3; /* as FNV does */
    return h | 1;
}

/* What the launch takes with its own size, by the model; 0: it does not say. */
static double model_ns(const struct launching *l)
{
    const struct kernel_summary *k = l->site->entry->summary;
    struct launch_arg args[ARGS_MOST];
    const struct launch launch = args_describe(l, args);
    struct candidate own;
    struct sel_estimate estimate;
    struct sel_work *scratch = sel_work_new();
    double ns = 0;

    if (scratch &&
        sel_candidates(k, &launch, &(struct sel_options){.max_items = l->site->max_items}, &own, 1) == 1 &&
        sel_estimate_with(l->rt->opt.estimator, k, &launch, &l->queue->device->model, &own, 1, scratch,
                          &estimate) == 0)
        ns = own.time_ns;
    sel_work_free(scratch);
    return ns;
}

/* The same, remembered: programs use the same few values again. */
static double known_ns(const struct launching *l)
{
    struct prof_account *account = &l->site->account;
    struct site_work *w = &l->site->work;
    const uint64_t hash = hash_of(l);
    int64_t begin;
    double ns;

    for (unsigned i = 0; i < SITE_WORKS; i++)
        if (w->hash[i] == hash)
            return w->ns[i];
    if ((w->spent_ns + w->last_ns) * SHARE > account->observed_ns)
        return 0;
    begin = clock_now();
    ns = model_ns(l);
    w->last_ns = clock_now() - begin;
    w->spent_ns += w->last_ns;
    account->spent_ns += w->last_ns;
    w->hash[w->next] = hash;
    w->ns[w->next] = ns;
    w->next = (w->next + 1) % SITE_WORKS;
    return ns;
}

/* Which scalars decide is known from here on. */
static void find_deciding(struct shim_site *s)
{
    if (!s->work.asked)
        s->work.deciding = deciding(s->entry->summary);
    s->work.asked = true;
}

void work_set(const struct launching *l)
{
    struct site_work *w = &l->site->work;
    double ns;

    find_deciding(l->site);
    w->now = 1;
    if (!w->deciding)
        return;
    ns = known_ns(l);
    if (!(w->first_ns > 0))
        w->first_ns = ns;
    w->now = ns > 0 ? ns / w->first_ns : -1;
}

bool work_differs(struct shim_site *s, const int64_t *ns, unsigned n)
{
    int64_t least = INT64_MAX, most = 0;

    find_deciding(s);
    for (unsigned i = 0; i < n; i++) {
        least = ns[i] < least ? ns[i] : least;
        most = ns[i] > most ? ns[i] : most;
    }
    return s->work.deciding && (double)most > (double)least * UNEQUAL;
}
