/* variant.c - see variant.h. */
#include "shim/site/variant.h"
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/guest/clock.h"
#include "shim/object/private_kernel.h"
#include "shim/site/arguments.h"

#define MOST_BUILDS 4
#define SILENT      " -w" /* drivers tell the terminal that there were warnings */

/* Copy a string to *at, and move that behind it. */
static const char *put(char **at, const char *s)
{
    const size_t size = strlen(s) + 1;
    const char *copy = memcpy(*at, s, size);

    *at += size;
    return copy;
}

static uint64_t hash_of(const struct variant *v)
{
    uint64_t h = hash64(HASH64_START, v->text, strlen(v->text));

    h = hash64(h, v->options, strlen(v->options));
    return v->tolerance > 0 ? hash64(h, &v->tolerance, sizeof v->tolerance) : h;
}

struct variant *variant_new(const struct variant *like, const struct shim_kernel *k)
{
    const size_t values = like->value ? k->nargs * sizeof *like->value : 0;
    const char *options = like->options ? like->options : k->source->options;
    struct variant *v = calloc(1, sizeof *v + values + strlen(like->label) + strlen(like->text) +
                                      strlen(like->kernel) + strlen(options) + sizeof SILENT + 4);
    char *at;

    if (!v)
        return NULL;
    *v = *like;
    v->value = values ? memcpy(v->bytes, like->value, values) : NULL;
    v->nvalue = values ? k->nargs : 0;
    at = (char *)v->bytes + values;
    v->label = put(&at, like->label);
    v->kernel = put(&at, like->kernel);
    v->text = put(&at, like->text);
    v->options = put(&at, options);
    memcpy(at - 1, SILENT, sizeof SILENT);
    v->hash = hash_of(v);
    v->id = hash64(v->hash, v->kernel, strlen(v->kernel));
    v->builds_left = MOST_BUILDS;
    return v;
}

void variant_fix(struct variant *v, const struct shim_kernel *k, unsigned argument)
{
    const struct shim_arg *a = &k->args[argument];
    struct variant_value *value = &v->value[argument];

    value->fixed = true;
    value->size = (uint32_t)a->size;
    memcpy(value->value, a->value, a->size);
    v->hash = hash64(v->hash, value, sizeof *value);
}

struct variant *variant_labelled(const struct shim_site *s, const char *label)
{
    struct variant *v = s->variants;

    while (v && v->label != label)
        v = v->next;
    return v;
}

static bool has_values(const struct variant *v, const struct shim_kernel *k)
{
    if (v->nvalue && v->nvalue != k->nargs)
        return false;
    for (unsigned i = 0; i < v->nvalue; i++)
        if (v->value[i].fixed && (!k->args[i].set || k->args[i].size != v->value[i].size ||
                                  memcmp(k->args[i].value, v->value[i].value, v->value[i].size) != 0))
            return false;
    return true;
}

/* An image or a sampler cannot be taken back from a kernel, which may hold a reference to it. */
static bool may_hold(enum sum_arg_kind kind)
{
    return kind == SUM_ARG_SCALAR || kind == SUM_ARG_BUFFER || kind == SUM_ARG_LOCAL;
}

struct asked {
    const struct launching *l;
    variant_guard *guard;
};

static bool passes(void *asked, const struct launch *launch)
{
    const struct asked *a = asked;
    const int64_t begin = clock_now();
    const bool holds = a->guard(a->l->site->entry->summary, launch);

    site_charge_proof(a->l->site, clock_now() - begin);
    return holds;
}

bool variant_passes(const struct launching *l, variant_guard *guard)
{
    struct launch_arg args[ARGS_MOST];
    struct launch launch;

    if (l->kernel->nargs != l->site->entry->summary->nargs || l->kernel->nargs > ARGS_MOST)
        return false;
    launch = args_describe(l, args);
    return passes(&(struct asked){l, guard}, &launch);
}

/* May the arguments be copied, and do they pass the guard?  Other buffers of the same layout need not. */
static bool arguments_hold(struct variant *v, const struct launching *l)
{
    const struct kernel_summary *k = l->site->entry->summary;
    struct launch_arg args[ARGS_MOST];
    struct launch launch;
    struct asked asked;
    uint64_t layout;
    bool holds;

    if (l->kernel->indirect || l->kernel->nargs != k->nargs || l->kernel->nargs > ARGS_MOST)
        return false;
    launch = args_describe(l, args);
    for (unsigned i = 0; i < l->kernel->nargs; i++)
        if (args[i].opaque || !may_hold(k->args[i].kind) || !copy_arg_possible(&l->kernel->args[i]))
            return false;
    layout = args_layout(l->site, l->kernel, &launch, 0);
    if (!v->guard || site_is_proved(&v->held_layouts, layout) ||
        scalars_are_proved(&v->scalars, l->site, l->kernel, &launch))
        return true;
    asked = (struct asked){l, v->guard};
    if (scalars_prove(&v->scalars, l->site, l->kernel, &launch, args, passes, &asked))
        return true;
    holds = passes(&asked, &launch);
    if (holds)
        site_set_proved(&v->held_layouts, layout);
    return holds;
}

bool variant_holds(struct variant *v, const struct launching *l)
{
    const uint64_t fingerprint = args_fingerprint(l->site, l->kernel, &l->shape, 0);

    if (!has_values(v, l->kernel) ||
        atomic_load_explicit(&v->last_refused, memory_order_relaxed) == fingerprint)
        return false;
    if (site_is_proved(&v->held, fingerprint) || scalars_hold(&v->scalars, l->site, l->kernel, &l->shape))
        return true;
    if (!arguments_hold(v, l)) {
        atomic_store_explicit(&v->last_refused, fingerprint, memory_order_relaxed);
        return false;
    }
    site_set_proved(&v->held, fingerprint);
    return true;
}

bool variant_range(const struct variant *v, const struct launch *l, const size_t local[3], size_t global[3],
                   size_t offset[3])
{
    if (v->nlocal && !launch_among(v->local[0], v->nlocal, local))
        return false;
    for (unsigned d = 0; d < 3; d++) {
        if ((d + 1 != v->end && l->global[d] % v->units[d]) || l->offset[d] % v->units[d])
            return false;
        if (d + 1 == v->end && v->id_bits < 64 && (l->offset[d] + l->global[d] - 1) >> v->id_bits)
            return false;
        global[d] = (l->global[d] + v->units[d] - 1) / v->units[d];
        offset[d] = l->offset[d] / v->units[d];
        if (local[d] && global[d] % local[d])
            return false;
    }
    return true;
}
