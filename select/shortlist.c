/* shortlist.c - which of the predicted candidates are worth measuring.
 *
 * The model ranks shapes well but cannot tell neighbours apart, and measuring two of them where one would do
 * costs a compilation on some drivers.  So the list takes candidates in order of prediction, but first only
 * those that differ in shape from all that it has: by a factor of four in one extent or of two in two, then
 * by a factor of two; only a long list takes what is left.
 *
 * What is known from before has the first claim: an argument that changes from launch to launch moves the
 * prediction a little, and another list of neighbours would be measured in every run. */
#include "select/select.h"

#define LONG_LIST 32
#define NEAR      1.25 /* predicted times that differ by less are neighbours' */

static int log2_floor(size_t v)
{
    int n = 0;

    while (v >>= 1)
        n++;
    return n;
}

/* Sum over the dimensions of the differences of log2. */
static int distance(const struct candidate *a, const struct candidate *b)
{
    int sum = 0;

    for (unsigned d = 0; d < 3; d++) {
        int step = log2_floor(a->local[d]) - log2_floor(b->local[d]);
        sum += step < 0 ? -step : step;
    }
    return sum;
}

static bool new_shape(const struct candidate *c, const struct candidate *list, unsigned n, int apart)
{
    for (unsigned i = 0; i < n; i++)
        if (!list[i].own && distance(c, &list[i]) < apart)
            return false;
    return true;
}

static bool listed(const struct candidate *c, const struct candidate *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (c->local[0] == list[i].local[0] && c->local[1] == list[i].local[1] &&
            c->local[2] == list[i].local[2])
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

/* The own size; then c[0], unless a neighbour of its is known; then what is known. */
static unsigned begin(const struct candidate *c, unsigned n, unsigned want, struct candidate *list)
{
    unsigned found = 0;
    bool near = false;

    for (unsigned i = 0; i < n; i++) {
        near |= c[i].known && !c[i].own && c[i].state == SEL_KEPT && c[i].time_ns <= NEAR * c[0].time_ns;
        if (c[i].own && !found)
            list[found++] = c[i];
    }
    if (found && found < want && !near && !c[0].own && c[0].state == SEL_KEPT)
        list[found++] = c[0];
    for (unsigned i = 0; i < n && found && found < want; i++)
        if (c[i].known && c[i].state == SEL_KEPT && !listed(&c[i], list, found))
            list[found++] = c[i];
    return found;
}

unsigned sel_shortlist(const struct candidate *c, unsigned n, unsigned want, struct candidate *list)
{
    const unsigned fixed =
        n && c[0].own ? 1 : 2; /* the own size, and what sel_estimate() prefers in a near tie */
    unsigned found = begin(c, n, want, list);

    for (int apart = 2; apart >= (want > LONG_LIST ? 0 : 1); apart--)
        for (unsigned i = 0; i < n && found && found < want; i++)
            if (c[i].state == SEL_KEPT && !listed(&c[i], list, found) && new_shape(&c[i], list, found, apart))
                found = insert(list, found, &c[i], fixed);
    return found;
}
