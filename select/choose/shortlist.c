/* shortlist.c - which of the predicted candidates are worth measuring.
 *
 * The model ranks shapes well but cannot tell neighbours apart, and measuring two of them where one would do
 * costs a compilation on some drivers.  So the list takes candidates in order of prediction, but first only
 * those that differ in shape from all that it has: by a factor of four in one extent or of two in two, then
 * by a factor of two; only a long list takes what is left.  Nobody needs what is nearly the own size, unless
 * it promises much.
 *
 * What is known from before has the first claim: an argument that changes from launch to launch moves the
 * prediction a little, and another list of neighbours would be measured in every run. */
#include "select/integer.h"
#include "select/select.h"

#define LONG_LIST 32
#define NEAR      1.25 /* predicted times that differ by less are neighbours' */

/* Sum over the dimensions of the differences of log2. */
static int distance(const struct candidate *a, const struct candidate *b)
{
    int sum = 0;

    for (unsigned d = 0; d < 3; d++) {
        int step = sel_log2(a->local[d]) - sel_log2(b->local[d]);
        sum += step < 0 ? -step : step;
    }
    return sum;
}

/* The own size may have neighbours, but not such as are nearly itself; the driver's choice is unknown. */
static bool new_shape(const struct candidate *c, const struct candidate *list, unsigned n, int apart)
{
    for (unsigned i = 0; i < n; i++) {
        const int wanted = !list[i].own ? apart : list[i].local[0] && apart ? 1 : 0;
        if (distance(c, &list[i]) < wanted)
            return false;
    }
    return true;
}

static bool same_size(const struct candidate *a, const struct candidate *b)
{
    return a->local[0] == b->local[0] && a->local[1] == b->local[1] && a->local[2] == b->local[2];
}

static bool listed(const struct candidate *c, const struct candidate *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (same_size(c, &list[i]))
            return true;
    return false;
}

/* Insert by predicted time behind the first `fixed`. */
static unsigned insert(struct candidate *list, unsigned n, const struct candidate *c, unsigned fixed)
{
    unsigned i = n;

    for (; i > fixed && list[i - 1].time_ns > c->time_ns; i--)
        list[i] = list[i - 1];
    list[i] = *c;
    return n + 1;
}

/* Is `c` nearly the own size, in shape and in what is predicted? */
static bool nearly_own(const struct candidate *c, const struct candidate *own)
{
    return own->local[0] && distance(c, own) == 0 && own->time_ns <= NEAR * c->time_ns;
}

/* The own size; then c[0], unless it is nearly that or a neighbour of its is known; then what is known. */
static unsigned begin(const struct candidate *c, unsigned n, unsigned want, struct candidate *list)
{
    unsigned found = 0;
    bool near = false;

    for (unsigned i = 0; i < n; i++) {
        near |= c[i].known && !c[i].own && c[i].state == SEL_KEPT && c[i].time_ns <= NEAR * c[0].time_ns;
        if (c[i].own && !found)
            list[found++] = c[i];
    }
    if (found && found < want && !near && !c[0].own && !nearly_own(&c[0], &list[0]) && c[0].state == SEL_KEPT)
        list[found++] = c[0];
    for (unsigned i = 0; i < n && found && found < want; i++)
        if (c[i].known && c[i].state == SEL_KEPT && !listed(&c[i], list, found))
            list[found++] = c[i];
    return found;
}

unsigned sel_shortlist(const struct candidate *c, unsigned n, unsigned want, struct candidate *list)
{
    unsigned found = begin(c, n, want, list);
    /* The own size, and what sel_estimate() prefers in a near tie. */
    const unsigned fixed = found > 1 && same_size(&list[1], &c[0]) ? 2 : 1;

    for (int apart = 2; apart >= (want > LONG_LIST ? 0 : 1); apart--)
        for (unsigned i = 0; i < n && found && found < want; i++)
            if (c[i].state == SEL_KEPT && !listed(&c[i], list, found) && new_shape(&c[i], list, found, apart))
                found = insert(list, found, &c[i], fixed);
    return found;
}
