/* limits.c - see limits.h. */
#include "shim/tune/limits.h"
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include "shim/guest/next.h"
#include "shim/object/driver_sizes.h"

#define USUAL_STACK (8u << 20)  /* bytes: the default stack of a thread on Linux */
#define SMALL_STACK (64u << 10) /* ... that a program may give a thread which does no more than wait */
#define STACK_SHARE 4           /* private arrays of a group may take one part in this many of a stack */
#define KEPT_BYTES  16          /* saved across a barrier per 32-bit register and work-item: a high guess */

/* The largest group whose private arrays fit on a CPU driver's stack.  It may put those of a whole group on
 * the stack of its thread without checking its size, and with barriers also whatever is used after them.  The
 * application's own size is known to fit.  SIZE_MAX if there is no such limit. */
static size_t items_on_stack(const struct launching *l)
{
    const struct kernel_summary *k = l->site->entry->summary;
    const uint64_t bytes = k->private_bytes + (k->has_barrier ? KEPT_BYTES * (uint64_t)k->registers : 0);
    const size_t *own = l->shape.local, least = own[0] ? own[0] * own[1] * own[2] : 1;
    size_t stack = 0, items;
    pthread_attr_t attr;

    if (!bytes || !l->queue->device->is_cpu)
        return SIZE_MAX;
    if (pthread_getattr_default_np(&attr) == 0) {
        pthread_attr_getstacksize(&attr, &stack);
        pthread_attr_destroy(&attr);
    }
    if (stack > USUAL_STACK)
        stack = USUAL_STACK; /* the driver's threads may have less than the default */
    if (stack > SMALL_STACK && obj_has(l->queue->device, DRV_RUNS_IN_CALLERS))
        stack = SMALL_STACK;
    items = (size_t)(stack / STACK_SHARE / bytes);
    return items > least ? items : least;
}

/* The size that a launch has if the program leaves it to the driver; all 0 if that does not tell. */
static void ask_choice(const struct launching *l, size_t size[3])
{
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggested = NULL;
    cl_platform_id platform;

    if (next()->clGetExtensionFunctionAddressForPlatform &&
        next()->clGetDeviceInfo(l->queue->device->id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) ==
            CL_SUCCESS)
        suggested =
            __extension__(clGetKernelSuggestedLocalWorkSizeKHR_fn) next()
                ->clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    size[0] = size[1] = size[2] = 1;
    if (!suggested || suggested(l->call->queue, l->call->kernel, l->shape.dim, l->shape.offset,
                                l->shape.global, size) != CL_SUCCESS)
        size[0] = size[1] = size[2] = 0;
}

void limits_stand_in(const struct sel_classes *classes, const size_t global[3], size_t size[3])
{
    const size_t larger = 2 * (size_t)classes->few;

    for (unsigned d = 0; d < 3 && classes->few && !size[0]; d++)
        if (global[d] && global[d] % larger == 0) {
            size[0] = size[1] = size[2] = 1;
            size[d] = larger;
        }
}

void limits_ask(const struct launching *l)
{
    size_t items = 0, fitting = items_on_stack(l);

    memcpy(l->site->usual, l->shape.local, sizeof l->site->usual);
    l->site->classes = drv_classes(l->queue->device, l->call->kernel);
    if (l->site->classes.whole && !l->shape.local[0])
        ask_choice(l, l->site->usual);
    limits_stand_in(&l->site->classes, l->shape.global, l->site->usual);
    if (next()->clGetKernelWorkGroupInfo(l->call->kernel, l->queue->device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                         sizeof items, &items, NULL) != CL_SUCCESS ||
        !items)
        items = 1;
    if (items > fitting)
        items = fitting;
    l->site->max_items = items < l->queue->device->max_items ? (unsigned)items : l->queue->device->max_items;
}

/* GPUs count groups along the second and third dimension in 16 bits, along the first in 31 (CUDA C
 * programming guide, technical specifications per compute capability; AMD's newer ones say the same of their
 * grids). Drivers may make several grids of one launch, or not: no size of ours has more groups than the
 * least device can count, or the program's own size has. */
size_t limits_most_groups(const struct launching *l, unsigned d)
{
    const size_t own = l->site->key.own[d], global = l->site->key.global[d], needed = own ? global / own : 0,
                 counted = d ? UINT16_MAX : INT32_MAX;

    if (l->queue->device->is_cpu)
        return SIZE_MAX;
    return needed > counted ? needed : counted;
}

static bool same_class(const struct sel_classes *classes, const size_t a[3], const size_t b[3])
{
    bool alike = launch_same_size(a, b) || sel_same_way(classes, a, b);

    for (unsigned i = 0; i < 3 && classes->whole && !launch_same_size(a, b); i++)
        alike = alike && a[i] && b[i] && sel_same_class(classes, i, a[i], b[i]);
    return alike;
}

bool limits_alike(const struct launching *l, const size_t a[3], const size_t b[3])
{
    /* Another kernel's vectors may lie along another dimension, or there are none of the program's. */
    struct sel_classes classes = drv_classes(l->queue->device, NULL);
    const struct sel_classes *own = &l->site->classes;

    classes.single = own->single < classes.single ? own->single : classes.single;
    classes.whole = own->whole > classes.whole ? own->whole : classes.whole;
    return same_class(&classes, a, b);
}

bool limits_same_code(const struct launching *l, const size_t local[3])
{
    const struct sel_classes *classes = &l->site->classes;

    if (!sel_has_classes(classes) || launch_same_size(local, l->shape.local))
        return true;
    if (!local[0])
        return !classes->few;
    return same_class(classes, l->site->usual, local) && split_divides(local, l->shape.global);
}

/* Does the kernel ask for an id or size along dimension d, or may it? */
static bool uses_dimension(const struct kernel_summary *k, unsigned d)
{
    for (uint32_t v = 0; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_WI &&
            (k->insns[v].imm == d || k->insns[v].imm >= 3 || k->insns[v].sub >= SUM_WI_GLOBAL_LINEAR_ID))
            return true;
    return false;
}

/* Do the vectors fill the extents along which they lie, or may lie? */
static bool fills_vectors(const struct launching *l)
{
    const struct sel_classes *classes = &l->site->classes;

    for (unsigned d = 0; d < 3; d++) {
        const size_t extent = l->site->usual[d];
        const bool used = d < l->shape.dim || uses_dimension(l->site->entry->summary, d);
        if ((classes->along == SEL_ANY_DIMENSION ? used : d == classes->along) &&
            (!classes->whole || !extent || extent % classes->whole || l->shape.global[d] % extent))
            return false;
    }
    return true;
}

bool limits_in_vectors(const struct launching *l)
{
    cl_program program;

    return fills_vectors(l) &&
           next()->clGetKernelInfo(l->call->kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL) ==
               CL_SUCCESS &&
           drv_is_vectorized(l->queue->device, program, l->kernel->name);
}

bool limits_legal(const struct launching *l, const size_t local[3])
{
    const struct shim_device *d = l->queue->device;
    size_t items = 1;

    for (unsigned i = 0; i < 3; i++) {
        if (!local[i])
            return !local[0] && !local[1] && !local[2];
        if (d->max_dim[i] && local[i] > d->max_dim[i])
            return false;
        if (l->shape.global[i] / local[i] > limits_most_groups(l, i))
            return false;
        items *= local[i];
    }
    return items <= l->site->max_items && limits_same_code(l, local);
}
