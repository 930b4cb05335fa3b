/* wide.c - see wide.h.  The text is the helper's (analysis/rewrite); here is decided whether it may be used.
 */
#include "shim/tune/wide.h"
#include "analysis/summary/driver_compiler.h"
#include "shim/object/driver_sizes.h"

/* The neighbours advance in step, so none may touch what another one writes; and of an integer that overflows
 * nothing may show, since vectors show something else (`abs(INT_MIN + x)`). */
static bool may_advance_in_step(const struct kernel_summary *k, const struct launch *l)
{
    struct sel_verdict why;

    return sel_disjoint(k, l, &why) && sel_integers_are_safe(k, l);
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
    *reason = "relaxed-math"; /* the driver may round otherwise in other code */
    if (k->relaxed_math)
        return NULL;
    *reason = "variant-no-memory";
    o.units[w->dimension] = w->lanes;
    return variant_new(&o, l->kernel);
}
