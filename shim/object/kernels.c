/* kernels.c - see kernels.h. */
#include "shim/object/kernels.h"
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/guest/next.h"
#include "shim/object/object_table.h"
#include "shim/object/private_kernel.h"
#include "shim/object/programs.h"
#include "shim/object/references.h"

static pthread_rwlock_t kernel_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct shim_kernel *kernels;
struct known obj_known_kernels; /* some of those */

static void drop_kernel(struct shim_kernel *k)
{
    known_drop(&obj_known_kernels, k->handle);
    private_set_drop(k->privates);
    obj_source_drop(k->source);
    free(k);
}

#define USUAL_NAME 1024

/* The name that the driver tells: in `here`, or in *owned, malloc'ed, if it is long.
 * NULL if the driver does not answer. */
static const char *kernel_name(cl_kernel handle, char here[USUAL_NAME], char **owned)
{
    size_t size = 0;

    if (next()->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, USUAL_NAME, here, &size) == CL_SUCCESS &&
        size)
        return here;
    if (next()->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size) || !size ||
        !(*owned = malloc(size)) ||
        next()->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, size, *owned, NULL))
        return NULL;
    return *owned;
}

/* Hash of the indices and sizes of the __local arguments. */
static uint64_t hash_local(const struct shim_kernel *k)
{
    uint64_t h = HASH64_START;

    for (unsigned i = 0; i < k->nargs; i++)
        if (k->args[i].local) {
            h = hash64(h, &i, sizeof i);
            h = hash64(h, &k->args[i].size, sizeof k->args[i].size);
        }
    return h;
}

/* One piece of memory: some programs make a kernel for each launch. */
static struct shim_kernel *new_kernel(cl_kernel handle, const char *name, struct shim_source *source)
{
    const size_t length = strlen(name) + 1;
    struct shim_kernel *k;
    cl_uint nargs = 0;

    if (next()->clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof nargs, &nargs, NULL) != CL_SUCCESS ||
        !(k = malloc(sizeof *k + nargs * sizeof *k->args + length)))
        return NULL;
    *k = (struct shim_kernel){.handle = handle, .refs = 1, .source = obj_source_ref(source), .nargs = nargs};
    k->args = memset(k + 1, 0, nargs * sizeof *k->args);
    k->local_args = hash_local(k);
    k->name = memcpy(k->args + nargs, name, length);
    return k;
}

void obj_add_kernel(cl_kernel handle, cl_program program, const char *name)
{
    char here[USUAL_NAME], *owned = NULL;
    const char *reason = "no-source";
    struct private_set *privates = NULL;
    struct shim_source *source = obj_program_source(program, &reason, &privates);
    struct shim_kernel *k = NULL;

    if (!name)
        name = kernel_name(handle, here, &owned);
    if (name)
        k = new_kernel(handle, name, source);
    obj_source_drop(source);
    free(owned);
    if (!k) {
        private_set_drop(privates);
        return;
    }
    k->reason = reason;
    k->privates = privates;
    PUT(kernels, kernel_lock, k, drop_kernel);
}

void obj_clone_kernel(cl_kernel clone, cl_kernel original)
{
    struct shim_kernel *from = obj_kernel(original), *k;

    if (!from || !(k = new_kernel(clone, from->name, from->source)))
        return;
    if (k->nargs == from->nargs)
        memcpy(k->args, from->args, k->nargs * sizeof *k->args);
    k->local_args = hash_local(k);
    k->indirect = from->indirect;
    k->reason = from->reason;
    k->privates = private_set_ref(from->privates);
    PUT(kernels, kernel_lock, k, drop_kernel);
}

struct shim_kernel *obj_kernel_in_table(cl_kernel handle)
{
    struct shim_kernel *k;

    FIND_AND(kernels, kernel_lock, handle, k, known_put(&obj_known_kernels, handle, k));
    return k;
}

void obj_retain_kernel(cl_kernel handle)
{
    RETAIN(kernels, kernel_lock, handle);
}

void obj_release_kernel(cl_kernel handle)
{
    RELEASE(kernels, kernel_lock, handle, drop_kernel, (void)0);
}

void obj_set_arg(cl_kernel handle, cl_uint index, size_t size, const void *value, enum shim_arg_form form)
{
    struct shim_kernel *k = obj_kernel(handle);
    struct shim_arg *a;
    size_t kept = size < OBJ_ARG_BYTES ? size : OBJ_ARG_BYTES;
    void *object;
    bool was_local;

    if (!k || index >= k->nargs)
        return;
    a = &k->args[index];
    was_local = a->local;
    *a = (struct shim_arg){
        .set = true, .local = !value && form == ARG_VALUE, .form = form, .size = (uint32_t)size};
    a->hash = hash64(HASH64_START, &size, sizeof size);
    a->hash = hash64(a->hash, &a->form, sizeof a->form);
    if (value && form != ARG_OPAQUE) {
        memcpy(a->value, value, kept);
        a->hash = hash64(a->hash, value, size);
        if (size == sizeof object) {
            memcpy(&object, value, sizeof object);
            a->gone = ref_gone(object);
        }
    }
    if (a->local || was_local)
        k->local_args = hash_local(k);
}

void obj_set_indirect(cl_kernel handle)
{
    struct shim_kernel *k = obj_kernel(handle);

    if (k)
        k->indirect = true;
}
