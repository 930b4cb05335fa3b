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

void variant_value_of(struct variant_value *value, const struct shim_arg *a)
{
    value->fixed = true;
    value->size = (uint32_t)a->size;
    memcpy(value->value, a->value, a->size);
}

void variant_fix(struct variant *v, const struct shim_kernel *k, unsigned argument)
{
    const struct shim_arg *a = &k->args[argument];

    variant_value_of(&v->value[argument], a);
    v->hash = hash64(hash64_word(v->hash, argument), a->value, a->size);
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
    bool apart; /* struct variant */
};

static bool passes(void *asked, const struct launch *launch)
{
    const struct asked *a = asked;
    const struct kernel_summary *k = a->l->site->entry->summary;
    const int64_t begin = clock_now();
    const bool holds = (!a->apart || sel_buffers_are_apart(k, launch)) && (!a->guard || a->guard(k, launch));

    site_charge_proof(a->l->site, clock_now() - begin);
    return holds;
}

/* False: its arguments are not those that the summary tells of. */
static bool describe(const struct launching *l, struct launch_arg *args, struct launch *launch)
{
    if (l->kernel->nargs != l->site->entry->summary->nargs || l->kernel->nargs > ARGS_MOST)
        return false;
    *launch = args_describe(l, args);
    return true;
}

bool variant_passes(const struct launching *l, variant_guard *guard)
{
    struct launch_arg args[ARGS_MOST];
    struct launch launch;

    return describe(l, args, &launch) && passes(&(struct asked){l, guard, false}, &launch);
}

/* May arguments as described be copied?  Other buffers of the same layout need not. */
static bool may_be_copied(const struct launching *l, const struct launch_arg *args)
{
    const struct kernel_summary *k = l->site->entry->summary;

    for (unsigned i = 0; i < l->kernel->nargs; i++)
        if (args[i].opaque || !may_hold(k->args[i].kind) || !copy_arg_possible(&l->kernel->args[i]))
            return false;
    return true;
}

/* With arguments that were not met before. */
static bool arguments_hold(struct variant *v, const struct launching *l)
{
    struct asked asked = {l, v->guard, v->apart};
    struct launch_arg args[ARGS_MOST];
    struct launch launch;
    bool holds;

    if (l->kernel->indirect || !describe(l, args, &launch) || !may_be_copied(l, args)) {
        proofs_note(&v->proofs, l, 0, false);
        return false;
    }
    return proofs_know_layout(&v->proofs, l, args, &holds)
               ? holds
               : proofs_make(&v->proofs, l, args, &launch, passes, &asked, NULL);
}

bool variant_holds(struct variant *v, const struct launching *l)
{
    bool holds;

    if (!has_values(v, l->kernel))
        return false;
    return proofs_know(&v->proofs, l, &holds) ? holds : arguments_hold(v, l);
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
        if (d + 1 == v->end && v->alone && local[d] != 1)
            return false;
        global[d] = (l->global[d] + v->units[d] - 1) / v->units[d];
        offset[d] = l->offset[d] / v->units[d];
        if (local[d] && global[d] % local[d])
            return false;
    }
    return true;
}
