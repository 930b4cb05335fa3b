/* private_kernel.c - see private_kernel.h. */
#include "shim/object/private_kernel.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "shim/guest/clock.h"
#include "shim/guest/next.h"

struct private_kernel {
    uint64_t id; /* what it was made from, and for */
    cl_device_id device;
    cl_program program;
    cl_kernel kernel;
    atomic_bool taken;                    /* by a thread that launches it, or lets go of it: for good then */
    struct private_kernel *next_of;       /* of the same set */
    struct private_kernel *newer, *older; /* all of the process */
};

struct private_set {
    atomic_uint refs;
    _Atomic(struct private_kernel *) first;
};

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct private_kernel *all;

static void enlist(struct private_kernel *p)
{
    pthread_mutex_lock(&all_lock);
    p->older = all;
    if (all)
        all->newer = p;
    all = p;
    pthread_mutex_unlock(&all_lock);
}

static void delist(struct private_kernel *p)
{
    pthread_mutex_lock(&all_lock);
    *(p->newer ? &p->newer->older : &all) = p->older;
    if (p->older)
        p->older->newer = p->newer;
    pthread_mutex_unlock(&all_lock);
}

struct private_kernel *private_find(const struct shim_kernel *k, uint64_t id, cl_device_id device)
{
    struct private_kernel *p = k->privates ? atomic_load(&k->privates->first) : NULL;

    while (p && (p->id != id || p->device != device))
        p = p->next_of;
    return p;
}

static void let_go(cl_kernel kernel, cl_program program)
{
    if (kernel)
        next()->clReleaseKernel(kernel);
    if (program)
        next()->clReleaseProgram(program);
}

/* The program, built; NULL if it cannot be, or there was none. */
static cl_program build(cl_program program, cl_device_id device, const char *options)
{
    if (program && next()->clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
        return program;
    let_go(NULL, program);
    return NULL;
}

static cl_program build_text(const struct private_text *t, cl_context context, cl_device_id device)
{
    return build(next()->clCreateProgramWithSource(context, 1, (const char *[]){t->text}, &t->size, NULL),
                 device, t->options);
}

static cl_program build_binary(const struct private_text *t, cl_context context, cl_device_id device)
{
    cl_int status;

    if (!t->binary)
        return NULL;
    return build(next()->clCreateProgramWithBinary(context, 1, &device, &t->binary_size,
                                                   (const unsigned char *[]){t->binary}, &status, NULL),
                 device, t->options);
}

/* The kernel, if it has as many arguments as the application's. */
static cl_kernel create(cl_program program, const struct private_text *t, unsigned nargs)
{
    cl_kernel kernel = next()->clCreateKernel(program, t->kernel, NULL);
    cl_uint n = 0;

    if (kernel && next()->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL) == CL_SUCCESS &&
        n == nargs)
        return kernel;
    let_go(kernel, NULL);
    return NULL;
}

struct private_kernel *private_make(struct shim_kernel *k, const struct private_text *t, cl_context context,
                                    cl_device_id device, int64_t *compile_ns, const char **reason)
{
    struct private_kernel *p = k->privates ? malloc(sizeof *p) : NULL;
    int64_t begin;

    *compile_ns = 0;
    *reason = "variant-no-memory";
    if (!p)
        return NULL;
    *p = (struct private_kernel){.id = t->id, .device = device, .program = build_binary(t, context, device)};
    if (!p->program) {
        begin = clock_now();
        p->program = build_text(t, context, device);
        *compile_ns = clock_now() - begin;
    }
    if (p->program)
        p->kernel = create(p->program, t, k->nargs + t->more);
    if (!p->kernel) {
        *reason = p->program ? "variant-no-kernel" : "variant-not-built";
        let_go(NULL, p->program);
        free(p);
        return NULL;
    }
    enlist(p);
    p->next_of = atomic_load(&k->privates->first);
    while (!atomic_compare_exchange_weak(&k->privates->first, &p->next_of, p))
        ;
    return p;
}

/* ---- launches --------------------------------------------------------------------------------------- */

bool copy_arg_possible(const struct shim_arg *a)
{
    return a->set && a->form != ARG_OPAQUE && a->form != ARG_USM && (a->local || a->size <= OBJ_ARG_BYTES);
}

/* The value is aligned as every type that is kept whole must be: the driver may load it as such. */
bool copy_arg(cl_kernel to, cl_uint index, const struct shim_arg *a)
{
    _Alignas(OBJ_ARG_BYTES) unsigned char value[OBJ_ARG_BYTES];
    void *pointer;

    if (!copy_arg_possible(a))
        return false;
    memcpy(value, a->value, sizeof value);
    if (a->form != ARG_SVM)
        return next()->clSetKernelArg(to, index, a->size, a->local ? NULL : value) == CL_SUCCESS;
    memcpy(&pointer, value, sizeof pointer);
    return next()->clSetKernelArgSVMPointer(to, index, pointer) == CL_SUCCESS;
}

static bool holds_memory(const struct shim_arg *a)
{
    return a->form == ARG_VALUE && !a->local && a->size == sizeof(cl_mem);
}

cl_kernel private_take(struct private_kernel *p, const struct shim_kernel *k)
{
    if (atomic_exchange(&p->taken, true))
        return NULL;
    for (unsigned i = 0; i < k->nargs; i++)
        if (!copy_arg(p->kernel, i, &k->args[i])) {
            private_give_back(p, k);
            return NULL;
        }
    return p->kernel;
}

/* Drivers may hold a reference to memory that is an argument.  A scalar as wide as a handle becomes 0, which
 * does no harm. */
void private_give_back(struct private_kernel *p, const struct shim_kernel *k)
{
    const cl_mem none = NULL;

    for (unsigned i = 0; i < k->nargs; i++)
        if (holds_memory(&k->args[i]))
            next()->clSetKernelArg(p->kernel, i, sizeof none, &none);
    atomic_store(&p->taken, false);
}

/* ---- the end ---------------------------------------------------------------------------------------- */

/* One that nobody uses, taken for good; NULL if there is none. */
static bool next_idle(cl_kernel *kernel, cl_program *program)
{
    struct private_kernel *p;

    pthread_mutex_lock(&all_lock);
    for (p = all; p && (!p->kernel || atomic_exchange(&p->taken, true)); p = p->older)
        ;
    if (p) {
        *kernel = p->kernel;
        *program = p->program;
        p->kernel = NULL;
        p->program = NULL;
    }
    pthread_mutex_unlock(&all_lock);
    return p != NULL;
}

void private_settle(void)
{
    cl_kernel kernel;
    cl_program program;

    while (next_idle(&kernel, &program))
        let_go(kernel, program);
}

struct private_set *private_set_new(void)
{
    struct private_set *s = calloc(1, sizeof *s);

    return private_set_ref(s);
}

struct private_set *private_set_ref(struct private_set *s)
{
    if (s)
        atomic_fetch_add(&s->refs, 1);
    return s;
}

void private_set_drop(struct private_set *s)
{
    struct private_kernel *p, *next_one;

    if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
        return;
    for (p = s->first; p; p = next_one) {
        next_one = p->next_of;
        delist(p);
        let_go(p->kernel, p->program);
        free(p);
    }
    free(s);
}
