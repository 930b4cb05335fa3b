/* variant_launch.c - see variant_launch.h. */
#include "shim/enqueue/variant_launch.h"
#include <stdlib.h>
#include <string.h>
#include "shim/enqueue/widening.h"
#include "shim/guest/clock.h"
#include "shim/guest/guest.h"
#include "shim/object/private_kernel.h"
#include "shim/site/kept_binary.h"
#include "shim/site/policy.h"
#include "shim/site/samples_in_flight.h"

/* One build less is left; false: there was none. */
static bool count_build(struct variant *v)
{
    unsigned left = atomic_load(&v->builds_left);

    while (left && !atomic_compare_exchange_weak(&v->builds_left, &left, left - 1))
        ;
    return left;
}

struct private_kernel *variant_private(const struct launching *l, const struct variant *v)
{
    return private_find(l->kernel, v->id, l->queue->device->id);
}

/* Make the private kernel, of its binary if an earlier run left one; NULL: see *reason. */
static struct private_kernel *make(const struct launching *l, struct variant *v, const char **reason)
{
    struct private_text t = {.id = v->id,
                             .text = v->text,
                             .size = strlen(v->text),
                             .options = v->options,
                             .kernel = v->kernel,
                             .more = v->end != 0};
    const int64_t begin = clock_now();
    char *file = kept_read(l->rt, l->site->entry->build, v, &t.binary, &t.binary_size);
    int64_t compile_ns;
    struct private_kernel *p =
        private_make(l->kernel, &t, l->queue->context, l->queue->device->id, &compile_ns, reason);

    free(file);
    atomic_store(&v->compile_ns, compile_ns);
    atomic_fetch_add(&v->unpaid_ns, clock_now() - begin);
    if (p && !compile_ns)
        rep_say(l->rt->report, 3, "%s: %s: built from its binary", l->site->entry->name, v->label);
    return p;
}

/* The private kernel, made if need be; NULL: see *result. */
static struct private_kernel *private_of(const struct launching *l, struct variant *v,
                                         enum variant_result *result, const char **reason)
{
    struct private_kernel *p = variant_private(l, v);
    struct guest guest;

    *result = VARIANT_LATER;
    if (p || policy_hampered(l) || !count_build(v))
        return p;
    guest_begin(&guest); /* the site need not be locked, and this reads files */
    p = make(l, v, reason);
    guest_end(&guest);
    if (!p) {
        *result = VARIANT_NEVER;
        atomic_store(&v->builds_left, 0);
    }
    return p;
}

enum variant_result variant_build(const struct launching *l, struct variant *v, const char **reason)
{
    enum variant_result result;

    return private_of(l, v, &result, reason) ? VARIANT_WORKS : result;
}

cl_kernel variant_take(const struct launching *l, const struct variant *v, struct private_kernel *p)
{
    cl_kernel kernel = private_take(p, l->kernel);
    cl_ulong end;

    if (!kernel || !v->end)
        return kernel;
    end = l->shape.offset[v->end - 1] + l->shape.global[v->end - 1];
    if (next()->clSetKernelArg(kernel, l->kernel->nargs, sizeof end, &end) == CL_SUCCESS)
        return kernel;
    private_give_back(p, l->kernel);
    return NULL;
}

/* The application's call with the variant's kernel, range and size. */
static cl_int enqueue(const struct launching *l, cl_kernel kernel, const size_t global[3],
                      const size_t offset[3], const size_t local[3], cl_event *event)
{
    const struct call *c = l->call;

    return next()->clEnqueueNDRangeKernel(c->queue, kernel, c->dim, c->offset ? offset : NULL, global,
                                          local[0] ? local : NULL, c->nwait, c->wait, event);
}

/* Would the driver refuse the program's kernel as well, for what the launch waits for? */
static bool is_the_programs(cl_int error)
{
    return error == CL_INVALID_EVENT_WAIT_LIST || error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
           error == CL_INVALID_CONTEXT;
}

enum variant_result variant_launch(const struct launching *l, struct variant *v, const size_t local[3],
                                   struct site_pending *watch, const char **reason)
{
    size_t global[3], offset[3];
    enum variant_result result = VARIANT_LATER;
    struct private_kernel *p;
    cl_kernel kernel;
    cl_event event = NULL;
    cl_int error;

    if (watch)
        *watch = samples_expected(l->call);
    if (!variant_range(v, &l->shape, local, global, offset) || !variant_holds(v, l) ||
        !(p = private_of(l, v, &result, reason)) || !widening_begin(l, SITE_SIZE, local))
        return result;
    kernel = variant_take(l, v, p);
    error = kernel ? enqueue(l, kernel, global, offset, local, l->call->event || watch ? &event : NULL) : 0;
    if (kernel)
        private_give_back(p, l->kernel);
    widening_end(l, SITE_SIZE);
    if (error)
        obj_drop_refused(l->call->queue, &event);
    if (!kernel || is_the_programs(error))
        return VARIANT_LATER;
    if (error) {
        *reason = "variant-rejected";
        return VARIANT_NEVER;
    }
    if (l->call->event)
        *l->call->event = event;
    if (watch)
        watch->event = event;
    return VARIANT_WORKS;
}
