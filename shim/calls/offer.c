/* offer.c - see offer.h. */
#include "shim/calls/offer.h"
#include <string.h>
#include "shim/calls/clsizer.h"
#include "shim/calls/lifetime.h"
#include "shim/guest/guest.h"
#include "shim/helper/analysis_client.h"
#include "shim/object/kernels.h"

_Static_assert(CLSIZER_LOCAL_SIZES == POOL_SIZES, "all sizes fit");

/* Told once, and the program goes on. */
static cl_int wrong(struct runtime *rt, const char *kernel, cl_int error, const char *words)
{
    rep_say(rt->report, 0, "%s: a variant is not taken: %s (bad-variant)", kernel, words);
    rep_emit(rt->report, &(struct rep_event){
                             .event = "warning", .kernel = kernel, .reason = "bad-variant", .detail = words});
    return error;
}

/* What is wrong with the members that need no look at objects; NULL: nothing. */
static const char *problem_of(const struct clsizer_variant *v)
{
    if (!v)
        return "it is NULL";
    if (v->size != sizeof *v)
        return "its size is not that of struct clsizer_variant";
    if (v->kernel ? v->source || v->name || v->options : !v->source || !v->name)
        return "it has not either a kernel, or a source and a name";
    if (v->num_local > POOL_SIZES)
        return "it has too many local sizes";
    if (!(v->tolerance >= 0 && v->tolerance < 1))
        return "its tolerance is not a number from 0 to below 1";
    return NULL;
}

/* What is 0 counts as 1.  False: it is too large. */
static bool take_extents(const size_t from[3], size_t to[3])
{
    for (unsigned d = 0; d < 3; d++) {
        to[d] = from[d] ? from[d] : 1;
        if (to[d] > POOL_MOST_UNIT)
            return false;
    }
    return true;
}

static bool take_sizes(const struct clsizer_variant *v, struct pool_variant *p)
{
    bool ok = take_extents(v->units, p->units);

    for (p->nlocal = 0; p->nlocal < v->num_local && ok; p->nlocal++)
        ok = take_extents(v->local[p->nlocal], p->local[p->nlocal]);
    return ok;
}

/* Is the kernel's source text that we have? */
static bool is_text(const struct shim_kernel *k)
{
    return k->source && k->source->form == REQ_C && strlen(k->source->text) == k->source->size;
}

static cl_int take(struct runtime *rt, const struct shim_kernel *base, const struct clsizer_variant *v)
{
    const char *problem = problem_of(v);
    struct pool_variant p = {.kernel = base->name};
    char hash[HASH128_TEXT];
    const struct shim_kernel *k;

    if (problem)
        return wrong(rt, base->name, CL_INVALID_VALUE, problem);
    if (!take_sizes(v, &p))
        return wrong(rt, base->name, CL_INVALID_VALUE, "its units or local sizes are too large");
    k = v->kernel ? obj_kernel(v->kernel) : NULL;
    if (v->kernel && !k)
        return wrong(rt, base->name, CL_INVALID_KERNEL, "its kernel is none");
    if (!base->source || (k && !is_text(k)))
        return wrong(rt, base->name, CL_INVALID_PROGRAM, "a program is not made from OpenCL C");
    ana_program_hash(base->source, hash);
    p.program = hash;
    p.name = k ? k->name : v->name;
    p.text = k ? k->source->text : v->source;
    p.options = k ? k->source->options : v->options;
    p.tolerance = v->tolerance;
    return pool_offer(&rt->pool, &p) ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

static cl_int CL_API_CALL add_variant(cl_kernel kernel, const struct clsizer_variant *variant)
{
    struct runtime *rt = rt_get();
    const struct shim_kernel *base = rt && kernel ? obj_kernel(kernel) : NULL;
    struct guest guest;
    cl_int error;

    if (!rt)
        return CL_INVALID_OPERATION;
    guest_begin(&guest);
    error = base ? take(rt, base, variant)
                 : wrong(rt, "clsizerAddKernelVariant()", CL_INVALID_KERNEL, "it is for no kernel");
    guest_end(&guest);
    return error;
}

static cl_int CL_API_CALL profile(cl_kernel kernel, cl_bool on)
{
    struct runtime *rt = rt_get();
    struct shim_kernel *k = rt && kernel ? obj_kernel(kernel) : NULL;

    if (!rt)
        return CL_INVALID_OPERATION;
    if (!k)
        return CL_INVALID_KERNEL;
    atomic_store(&k->profile, on ? KERNEL_PROFILE : KERNEL_LEAVE);
    return CL_SUCCESS;
}

#pragma GCC diagnostic ignored "-Wpedantic" /* functions travel as data pointers here */
void *offer_function(const char *name)
{
    const clsizerAddKernelVariant_fn add = add_variant;
    const clsizerProfile_fn set = profile;

    return strcmp(name, "clsizerAddKernelVariant") == 0 ? (void *)add
           : strcmp(name, "clsizerProfile") == 0        ? (void *)set
                                                        : NULL;
}
