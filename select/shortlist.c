/* shortlist.c - which of the predicted candidates are worth measuring.
 *
 * The model ranks shapes well but cannot tell neighbours apart, and measuring two of them where one would do
 * costs a compilation on some drivers.  So the list takes candidates in order of prediction, but first only
 * those that differ in shape from all that it has: by a factor of four in one extent or of two in two, then
 * by a factor of two; only a long list takes what is left. */
#include "select/select.h"

#define LONG_LIST 32

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

unsigned sel_shortlist(const struct candidate *c, unsigned n, unsigned want, struct candidate *list)
{
    const unsigned fixed =
        n && c[0].own ? 1 : 2; /* the own size, and what sel_estimate() prefers in a near tie */
    unsigned found = 0;

    for (unsigned i = 0; i < n && !found; i++)
        if (c[i].own)
            list[found++] = c[i];
    for (int apart = 2; apart >= (want > LONG_LIST ? 0 : 1); apart--)
        for (unsigned i = 0; i < n && found && found < want; i++)
            if (c[i].state == SEL_KEPT && !listed(&c[i], list, found) && new_shape(&c[i], list, found, apart))
                found = insert(list, found, &c[i], fixed);
    return found;
}
