/* vary_sizes.c - see vary_sizes.h. */
#include "shim/tune/vary_sizes.h"
#include <string.h>
#include "shim/site/policy.h"

bool vary_divide_size(const struct variant *v, const struct launching *l, const size_t from[3], size_t to[3])
{
    size_t global[3], offset[3];

    for (unsigned d = 0; d < 3; d++)
        to[d] = from[d] > v->units[d] ? from[d] / v->units[d] : 1;
    if (v->alone)
        to[v->end - 1] = 1;
    return from[0] && variant_range(v, &l->shape, to, global, offset);
}

/* Has each of the device's units a group to do? */
static bool occupies(const struct launching *l, const size_t global[3], const size_t local[3])
{
    double groups = 1;

    for (unsigned d = 0; d < 3 && local[0]; d++)
        groups *= (double)(global[d] / local[d]);
    return !local[0] || groups >= (double)l->queue->device->model.units;
}

/* A size of the program's kernel as one of the variant's: itself, if that occupies the device, or divided by
 * the units, or else itself or one that it names.  False: none divides the range; then it is the driver's
 * choice. */
static bool own_size(const struct variant *v, const struct launching *l, const size_t from[3], size_t to[3])
{
    size_t global[3], offset[3];
    const bool fits = variant_range(v, &l->shape, from, global, offset);

    if ((!fits || !occupies(l, global, from)) && vary_divide_size(v, l, from, to))
        return true;
    memcpy(to, from, 3 * sizeof *to);
    if (fits)
        return true;
    for (unsigned i = 0; i < v->nlocal; i++) {
        memcpy(to, v->local[i], 3 * sizeof *to);
        if (variant_range(v, &l->shape, to, global, offset))
            return true;
    }
    memset(to, 0, 3 * sizeof *to);
    return false;
}

/* Can nobody else compile what the driver chooses, as it compiles for each size? */
static bool choice_is_unknown(const struct launching *l)
{
    return policy_compile_ns(l) >= POLICY_COMPILES_NS;
}

/* The program's or the leading size, but for the driver's choice, if nobody else can compile that, the
 * model's: as a size of the variant.  False: then it is the driver's choice after all. */
static bool known_size(const struct variant *v, const struct launching *l, const size_t from[3], size_t to[3])
{
    const struct prof_race *r = &l->site->race;

    if (from[0] || !choice_is_unknown(l))
        return own_size(v, l, from, to);
    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].variant && own_size(v, l, r->lane[i].local, to))
            return true;
    memset(to, 0, 3 * sizeof *to);
    return false;
}

static bool is_among(const struct vary_entrant *e, unsigned n, const size_t local[3])
{
    while (n--)
        if (launch_same_size(e[n].local, local))
            return true;
    return false;
}

unsigned vary_entrants(const struct launching *l, const struct variant *v,
                       struct vary_entrant to[VARY_MOST_SIZES])
{
    size_t global[3], offset[3];
    const struct prof_race *r = &l->site->race;
    const unsigned first = prof_race_leader(r), leader = r->lane[first].variant ? 0 : first,
                   from[VARY_SIZES] = {leader, leader ? r->n : 1};
    unsigned n = 0;

    for (unsigned i = 0; i < v->nlocal; i++)
        if (variant_range(v, &l->shape, v->local[i], global, offset)) {
            to[n] = (struct vary_entrant){.predicted_ns = r->lane[0].predicted_ns};
            memcpy(to[n++].local, v->local[i], sizeof to->local);
        }
    for (unsigned i = 0; i < VARY_SIZES; i++)
        if (!v->nlocal && from[i] < r->n && !r->lane[from[i]].variant &&
            known_size(v, l, r->lane[from[i]].local, to[n].local) && !is_among(to, n, to[n].local))
            to[n++].predicted_ns = r->lane[from[i]].predicted_ns;
    if (v->end && (!n || !choice_is_unknown(l)) && !is_among(to, n, (size_t[3]){0}))
        to[n++] = (struct vary_entrant){.predicted_ns = r->lane[0].predicted_ns};
    return n;
}

void vary_first_size(const struct launching *l, const struct variant *v, const size_t local[3], size_t to[3])
{
    if (*l->site->wanted)
        memcpy(to, local, 3 * sizeof *to);
    else
        known_size(v, l, local, to);
}
