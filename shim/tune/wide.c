/* wide.c - see wide.h.  The text is the helper's (analysis/rewrite); here is decided whether it may be used.
 */
#include "shim/tune/wide.h"
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/driver_compiler.h"
#include "shim/object/driver_sizes.h"

/* Does no work-item touch what another one writes: at all or, where groups stay as they are, between two
 * barriers and of one group? */
static bool are_apart(const struct kernel_summary *k, const struct launch *l)
{
    struct sel_verdict why;
    struct sel_proof proof;

    if (sum_proved(k, SUM_FACT_S))
        return sel_disjoint(k, l, &why);
    sel_judge(k, l, &proof);
    return proof.groups.proven;
}

/* The neighbours advance in step, so they must be apart; and of an integer that overflows nothing may show,
 * since vectors show something else (`abs(INT_MIN + x)`). */
static bool may_advance_in_step(const struct kernel_summary *k, const struct launch *l)
{
    return are_apart(k, l) && sel_integers_are_safe(k, l) && sel_loads_stay(k, l);
}

/* ... and no work-item of the program's launch may have run in other code than the vectors. */
static bool may_be_other_vectors(const struct kernel_summary *k, const struct launch *l)
{
    return may_advance_in_step(k, l) && sel_all_stay(k, l);
}

static variant_guard *guard_of(const struct shim_device *d, const struct kernel_summary *k)
{
    const struct driver driver = obj_driver(d);

    return drv_needs_vectors(k, &driver) ? may_be_other_vectors : may_advance_in_step;
}

/* Let the variant have the arguments of this launch that decide branches.  A driver that loses rounds of
 * loops beside barriers does so as often as they run, and what that does is seen in the launch that is
 * verified, whatever is in memory or moves what is read there.  NULL, or why that cannot be. */
static const char *keep_rounds(const struct launching *l, struct variant_value *value)
{
    const struct kernel_summary *k = l->site->entry->summary;
    const size_t *offset = l->shape.offset;
    uint64_t decide;

    if (!sel_rounds_are_given(k, &decide))
        return "how often loops run may depend on memory, which is not compared at each launch";
    if (offset[0] || offset[1] || offset[2])
        return "the launch has an offset, which is not compared at each launch";
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct shim_arg *a = &l->kernel->args[i];
        if (k->args[i].kind != SUM_ARG_SCALAR || !(decide & sel_argument_bit(i)))
            continue;
        if (a->size > sizeof value[i].value)
            return "an argument that is passed by value is too large to be compared at each launch";
        variant_value_of(&value[i], a);
    }
    return NULL;
}

/* Let the variant have the program's groups and no other ones.  False: they are no multiples of its
 * work-items, or the driver's choice. */
static bool keep_groups(const struct launching *l, struct variant *o)
{
    o->end = 0;
    o->nlocal = 1;
    for (unsigned d = 0; d < 3; d++) {
        o->local[0][d] = l->shape.local[d] / o->units[d];
        if (!o->local[0][d] || l->shape.local[d] % o->units[d])
            return false;
    }
    return true;
}

/* The variant of a kernel whose groups must stay. */
static struct variant *variant_in_groups(const struct launching *l, struct variant *o, const char **reason,
                                         const char **detail)
{
    const struct driver driver = obj_driver(l->queue->device);
    struct variant_value *value = calloc(l->kernel->nargs + 1, sizeof *value);
    struct variant *v = NULL;

    *reason = "variant-no-memory";
    if (value && !keep_groups(l, o)) {
        *reason = "variant-size";
    } else if (value && l->site->entry->summary->has_barrier && drv_has(&driver, DRV_LOSES_ROUNDS) &&
               (*detail = keep_rounds(l, value))) {
        *reason = "driver-barriers";
    } else if (value) {
        o->value = value;
        v = variant_new(o, l->kernel);
    }
    free(value);
    return v;
}

/* With pointers that are `restrict`, and loads that come before another argument's stores, only if that is
 * right in this launch; NULL: *reason. */
static struct variant *variant_of(const struct launching *l, struct variant *o, const char **reason,
                                  const char **detail)
{
    const bool own_groups = !sum_proved(l->site->entry->summary, SUM_FACT_S);
    struct variant *v = NULL;
    char *text = NULL;

    o->apart = strstr(o->text, "restrict") && variant_passes(l, sel_buffers_are_apart);
    if (!o->apart && strstr(o->text, "restrict")) {
        if (asprintf(&text, "#define restrict\n%s", o->text) < 0)
            return NULL;
        o->text = text;
    }
    v = own_groups ? variant_in_groups(l, o, reason, detail) : variant_new(o, l->kernel);
    free(text);
    return v;
}

struct variant *wide_variant(const struct launching *l, uint64_t steady, const size_t local[3],
                             const char **reason, const char **detail)
{
    const struct kernel_summary *k = l->site->entry->summary;
    const struct sum_wide *w = &k->wide;
    struct variant o = {.label = "wide",
                        .text = w->text,
                        .kernel = w->kernel,
                        .units = {1, 1, 1},
                        .end = w->dimension + 1u,
                        .id_bits = w->id_bits,
                        .guard = guard_of(l->queue->device, k)};

    (void)steady;
    (void)local;
    *detail = w->why;
    *reason = "variant-none";
    if (!w->text || w->dimension >= l->shape.dim)
        return NULL;
    *detail = NULL;
    *reason = "variant-source";
    if (l->kernel->source->form != REQ_C)
        return NULL;
    *detail = "an integer may overflow, of which vectors may show something else";
    *reason = "undefined-overflow";
    if (!*l->site->wanted && !variant_passes(l, sel_integers_are_safe))
        return NULL;
    *detail = NULL;
    *reason = "variant-no-memory";
    o.units[w->dimension] = w->lanes;
    /* The driver may make vectors along this dimension, too, wrongly. */
    o.alone = l->site->classes.whole && !strstr(w->text, "vec_type_hint");
    return variant_of(l, &o, reason, detail);
}
