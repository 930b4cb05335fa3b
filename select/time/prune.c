/* prune.c - duplicates ([W] 6.1), inferior pipelines ([W] 6.2, Algorithm 4 with the direction of its
 * comparison corrected) and the final order. */
#include "select/time/estimate.h"
#include <stdlib.h>
#include <string.h>

static size_t items(const struct candidate *c)
{
    return c->local[0] * c->local[1] * c->local[2];
}

/* Is duplicate `a` no slower than `b`, however long their common round takes?  The launch's time is nearly
 * linear in that (est_time()): the shortest, the longest and the estimated round are looked at. */
static bool never_slower(const struct candidate *a, const struct candidate *b)
{
    return a->best_ns <= b->best_ns && a->worst_ns <= b->worst_ns && a->time_ns <= b->time_ns;
}

/* Of two duplicates the faster one.  Ties: the application's own size, else the larger group. */
static bool represents(const struct candidate *a, const struct candidate *b)
{
    if (!never_slower(b, a))
        return true;
    if (!never_slower(a, b))
        return false;
    if (a->own != b->own)
        return a->own;
    return items(a) > items(b);
}

/* Still a candidate, with an estimate. */
static bool alive(const struct candidate *c)
{
    return c->state == SEL_KEPT && c->time_ns > 0;
}

static void mark_duplicates(struct candidate *c, const struct est_case *e, unsigned n, uint32_t *slot)
{
    unsigned size = 1;
    while (size <= n)
        size *= 2;
    memset(slot, 0xff, size * sizeof *slot);
    for (unsigned i = 0; i < n; i++) {
        if (!alive(&c[i]))
            continue;
        unsigned at = (unsigned)(e[i].hash >> 32) & (size - 1);
        while (slot[at] != UINT32_MAX &&
               !(e[slot[at]].same == e[i].same &&
                 (never_slower(&c[slot[at]], &c[i]) || never_slower(&c[i], &c[slot[at]]))))
            at = (at + 1) & (size - 1);
        unsigned other = slot[at];
        slot[at] = i;
        if (other == UINT32_MAX)
            continue;
        unsigned loser = i;
        if (represents(&c[i], &c[other]))
            loser = other;
        else
            slot[at] = other;
        c[loser].state = SEL_DUPLICATE;
        c[loser].other = loser == i ? other : i;
    }
    for (unsigned i = 0; i < n; i++) /* a representative may itself have become a duplicate later */
        while (c[i].state == SEL_DUPLICATE && c[c[i].other].state == SEL_DUPLICATE)
            c[i].other = c[c[i].other].other;
}

/* A candidate is inferior iff its lower bound exceeds the upper bound of another one, hence the smallest of
 * all. */
static void mark_inferior(struct candidate *c, unsigned n)
{
    unsigned least = n;
    for (unsigned i = 0; i < n; i++)
        if (alive(&c[i]) && (least == n || c[i].worst_ns < c[least].worst_ns))
            least = i;
    for (unsigned i = 0; i < n; i++)
        if (alive(&c[i]) && c[i].best_ns > c[least].worst_ns) {
            c[i].state = SEL_INFERIOR;
            c[i].other = least;
        }
}

void est_prune(struct candidate *c, const struct est_case *e, unsigned n, uint32_t *scratch)
{
    mark_duplicates(c, e, n, scratch);
    mark_inferior(c, n);
}

/* ---- order ----------------------------------------------------------------------------------------- */

/* Kept ones come first, by time, those without a time last; then the others in the same way. */
static int by_rank(const void *a, const void *b, void *all)
{
    const struct candidate *x = (struct candidate *)all + *(const uint32_t *)a;
    const struct candidate *y = (struct candidate *)all + *(const uint32_t *)b;
    if ((x->state == SEL_KEPT) != (y->state == SEL_KEPT))
        return x->state == SEL_KEPT ? -1 : 1;
    if ((x->time_ns > 0) != (y->time_ns > 0))
        return x->time_ns > 0 ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->own != y->own)
        return x->own ? -1 : 1;
    return (x > y) - (x < y);
}

void est_sort(struct candidate *c, unsigned n, uint32_t *order, uint32_t *place, struct candidate *copy)
{
    for (unsigned i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_rank, c);
    for (unsigned i = 0; i < n; i++)
        place[order[i]] = i;
    for (unsigned i = 0; i < n; i++)
        if (c[i].state == SEL_DUPLICATE || c[i].state == SEL_INFERIOR)
            c[i].other = place[c[i].other];
    memcpy(copy, c, n * sizeof *c);
    for (unsigned i = 0; i < n; i++)
        c[i] = copy[order[i]];
}

/* ---- near ties ------------------------------------------------------------------------------------- */

/* How far a group is from 256 work-items, as a ratio: full warps, several groups on a unit, few to dispatch.
 */
static double oddity(const struct candidate *c)
{
    const double n = (double)items(c) / 256;
    return n < 1 ? 1 / n : n;
}

/* Which of two candidates with nearly equal predictions is the safer choice?  On a CPU fewer groups have less
 * overhead that the model does not know of, as long as there are two for each core; long rows are more often
 * vectorised well, unless their upper bound is larger: then their accesses are scattered. */
static bool sturdier(const struct sel_work *w, const struct candidate *a, const struct candidate *b)
{
    if (!w->d->is_cpu)
        return oddity(a) != oddity(b) ? oddity(a) < oddity(b) : a->local[0] > b->local[0];
    const double ga = est_groups(w, a), gb = est_groups(w, b), enough = 2.0 * (w->d->units ? w->d->units : 1);
    if ((ga >= enough) != (gb >= enough))
        return ga >= enough;
    if (ga < enough)
        return ga > gb;
    if (items(a) != items(b))
        return items(a) > items(b);
    if (a->worst_ns > SEL_NEAR_TIE * b->worst_ns || b->worst_ns > SEL_NEAR_TIE * a->worst_ns)
        return a->worst_ns < b->worst_ns;
    return a->local[0] > b->local[0];
}

void est_prefer(const struct sel_work *w, struct candidate *c, unsigned n)
{
    const double near = w->d->is_cpu ? SEL_NEAR_TIE : SEL_NEAR_TIE_GPU;
    unsigned best = 0;
    for (unsigned i = 1; i < n; i++) {
        const bool equal = !w->d->is_cpu && c[i].state == SEL_DUPLICATE && c[i].own; /* as good */
        if ((alive(&c[i]) || equal) && c[i].time_ns <= c[0].time_ns * near && sturdier(w, &c[i], &c[best]))
            best = i;
    }
    struct candidate x = c[best];
    x.state = SEL_KEPT;
    memmove(c + 1, c, best * sizeof *c);
    if (best)
        c[0] = x;
    for (unsigned i = 0; i < n && best; i++)
        if (c[i].state == SEL_DUPLICATE || c[i].state == SEL_INFERIOR)
            c[i].other = c[i].other == best ? 0 : c[i].other + (c[i].other < best);
}
