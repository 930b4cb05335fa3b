/* object.c - queues, programs and kernels by handle. */
#include "shim/object.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "shim/hash.h"
#include "shim/intercept.h"

/* One table per kind; readers share the lock, and no driver call is made under it. */
static pthread_rwlock_t queue_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t program_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t kernel_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct shim_queue *queues;
static struct shim_program *programs;
static struct shim_kernel *kernels;

#define FIND(table, lock, handle_, out)                                                                      \
    do {                                                                                                     \
        const void *key_ = (handle_);                                                                        \
        pthread_rwlock_rdlock(&(lock));                                                                      \
        HASH_FIND_PTR(table, &key_, out);                                                                    \
        pthread_rwlock_unlock(&(lock));                                                                      \
    } while (0)

/* A handle that is still in the table was recycled behind our back: the old state goes. */
#define PUT(table, lock, item, old, drop)                                                                    \
    do {                                                                                                     \
        pthread_rwlock_wrlock(&(lock));                                                                      \
        HASH_FIND_PTR(table, &(item)->handle, old);                                                          \
        if (old)                                                                                             \
            HASH_DEL(table, old);                                                                            \
        HASH_ADD_PTR(table, handle, item);                                                                   \
        pthread_rwlock_unlock(&(lock));                                                                      \
        if (old)                                                                                             \
            drop(old);                                                                                       \
        if (!(item)->hh.tbl) /* out of memory: the object stays unknown */                                   \
            drop(item);                                                                                      \
    } while (0)

#define RETAIN(table, lock, type, handle_)                                                                   \
    do {                                                                                                     \
        type *found_;                                                                                        \
        FIND(table, lock, handle_, found_);                                                                  \
        if (found_)                                                                                          \
            atomic_fetch_add(&found_->refs, 1);                                                              \
    } while (0)

#define RELEASE(table, lock, type, handle_, drop, gone)                                                      \
    do {                                                                                                     \
        const void *key_ = (handle_);                                                                        \
        type *found_;                                                                                        \
        pthread_rwlock_wrlock(&(lock));                                                                      \
        HASH_FIND_PTR(table, &key_, found_);                                                                 \
        if (found_ && atomic_fetch_sub(&found_->refs, 1) == 1)                                               \
            HASH_DEL(table, found_);                                                                         \
        else                                                                                                 \
            found_ = NULL;                                                                                   \
        pthread_rwlock_unlock(&(lock));                                                                      \
        gone = found_ != NULL;                                                                               \
        if (found_)                                                                                          \
            drop(found_);                                                                                    \
    } while (0)

/* ---- sources ----------------------------------------------------------------------------------------- */

struct shim_source *obj_source_ref(struct shim_source *s)
{
    if (s)
        atomic_fetch_add(&s->refs, 1);
    return s;
}

void obj_source_drop(struct shim_source *s)
{
    if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
        return;
    free(s->text);
    free(s->options);
    free(s);
}

static uint64_t real_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

struct shim_source *obj_source_new(char *text, size_t size, const char *options)
{
    struct shim_source *s = calloc(1, sizeof *s);
    char *copy = strdup(options ? options : "");

    if (!s || !text || !copy) {
        free(s);
        free(text);
        free(copy);
        return NULL;
    }
    *s =
        (struct shim_source){.refs = 1, .size = size, .text = text, .options = copy, .built_ns = real_time()};
    return s;
}

/* The strings of clCreateProgramWithSource as one text.  A length of 0, or no lengths, means terminated. */
static struct shim_source *join_strings(cl_uint count, const char **strings, const size_t *lengths)
{
    size_t size = 0, at = 0;
    char *text;

    for (cl_uint i = 0; i < count; i++)
        size += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    text = malloc(size + 1);
    if (!text)
        return NULL;
    for (cl_uint i = 0; i < count; i++) {
        size_t n = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        memcpy(text + at, strings[i], n);
        at += n;
    }
    text[size] = '\0';
    return obj_source_new(text, size, NULL);
}

/* ---- queues -------------------------------------------------------------------------------------------- */

static void drop_queue(struct shim_queue *q)
{
    free(q->properties);
    free(q);
}

void obj_add_queue(cl_command_queue handle, cl_context context, cl_device_id device,
                   const cl_queue_properties *asked, size_t nasked, bool out_of_order, bool timed,
                   bool hidden)
{
    struct shim_queue *q = calloc(1, sizeof *q), *old;

    if (!q || (nasked && !(q->properties = malloc(nasked * sizeof *q->properties)))) {
        free(q);
        return;
    }
    q->handle = handle;
    atomic_init(&q->refs, 1);
    q->context = context;
    q->device = obj_device(device);
    q->out_of_order = out_of_order;
    q->timed = timed;
    q->hidden = hidden;
    q->creator = pthread_self();
    q->nproperties = nasked;
    if (nasked)
        memcpy(q->properties, asked, nasked * sizeof *asked);
    PUT(queues, queue_lock, q, old, drop_queue);
}

struct shim_queue *obj_queue(cl_command_queue handle)
{
    struct shim_queue *q;

    FIND(queues, queue_lock, handle, q);
    return q;
}

unsigned obj_queues_of(cl_context c)
{
    struct shim_queue *q, *after;
    unsigned n = 0;

    pthread_rwlock_rdlock(&queue_lock);
    HASH_ITER(hh, queues, q, after)
    {
        n += q->context == c && atomic_load(&q->refs) > 0; /* hidden ones stay in the table */
    }
    pthread_rwlock_unlock(&queue_lock);
    return n;
}

void obj_retain_queue(cl_command_queue handle)
{
    RETAIN(queues, queue_lock, struct shim_queue, handle);
}

/* A hidden queue is remembered until its handle is used again: events outlive their queue, and their times
 * stay a secret. */
bool obj_release_queue(cl_command_queue handle)
{
    struct shim_queue *q;
    bool gone;

    FIND(queues, queue_lock, handle, q);
    if (q && q->hidden)
        return atomic_fetch_sub(&q->refs, 1) == 1;
    RELEASE(queues, queue_lock, struct shim_queue, handle, drop_queue, gone);
    return gone;
}

/* ---- programs -------------------------------------------------------------------------------------------
 */

static void drop_program(struct shim_program *p)
{
    obj_source_drop(p->source);
    obj_source_drop(p->built);
    free(p);
}

/* Takes over the references to `source` and `built`; either may be NULL. */
static void add_program(cl_program handle, struct shim_source *source, struct shim_source *built,
                        bool recalled, const char *reason)
{
    struct shim_program *p = calloc(1, sizeof *p), *old;

    if (!p) {
        obj_source_drop(source);
        obj_source_drop(built);
        return;
    }
    *p = (struct shim_program){.handle = handle,
                               .refs = 1,
                               .source = source,
                               .built = built,
                               .recalled = recalled,
                               .reason = reason};
    PUT(programs, program_lock, p, old, drop_program);
}

void obj_add_program(cl_program handle, cl_uint count, const char **strings, const size_t *lengths)
{
    struct shim_source *source = join_strings(count, strings, lengths);

    if (source)
        add_program(handle, source, NULL, false, NULL);
}

void obj_build_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                       struct shim_source **undo)
{
    const uint64_t list = hash64(HASH64_START, devices, devices ? ndevice * sizeof *devices : 0);
    struct shim_program *p;
    struct shim_source *built;

    *undo = NULL;
    FIND(programs, program_lock, handle, p);
    if (!p || p->recalled || !p->source ||
        !(built = obj_source_new(strdup(p->source->text), p->source->size, options)))
        return;
    pthread_rwlock_wrlock(&program_lock);
    /* Kernels do not tell for which device they were built with which options. */
    if (p->built && p->devices != list && strcmp(p->built->options, built->options) != 0)
        p->reason = "options-differ-by-device";
    *undo = p->built;
    p->built = built;
    p->devices = list;
    pthread_rwlock_unlock(&program_lock);
}

void obj_build_failed(cl_program handle, struct shim_source *undo)
{
    struct shim_source *failed = NULL;
    struct shim_program *p;

    FIND(programs, program_lock, handle, p);
    if (p) {
        pthread_rwlock_wrlock(&program_lock);
        failed = p->built;
        p->built = undo;
        pthread_rwlock_unlock(&program_lock);
    }
    obj_source_drop(p ? failed : undo);
}

void obj_add_linked(cl_program handle)
{
    add_program(handle, NULL, NULL, false, "separate-compilation");
}

void obj_compile_program(cl_program handle)
{
    struct shim_program *p;

    FIND(programs, program_lock, handle, p);
    if (p)
        p->reason = "separate-compilation";
}

void obj_add_recalled(cl_program handle, struct shim_source *source)
{
    add_program(handle, obj_source_ref(source), obj_source_ref(source), true, NULL);
}

struct shim_source *obj_program_source(cl_program handle)
{
    const void *key = handle;
    struct shim_source *source = NULL;
    struct shim_program *p;

    pthread_rwlock_rdlock(&program_lock);
    HASH_FIND_PTR(programs, &key, p);
    if (p && !p->reason)
        source = obj_source_ref(p->built);
    pthread_rwlock_unlock(&program_lock);
    return source;
}

void obj_retain_program(cl_program handle)
{
    RETAIN(programs, program_lock, struct shim_program, handle);
}

bool obj_release_program(cl_program handle)
{
    bool gone;

    RELEASE(programs, program_lock, struct shim_program, handle, drop_program, gone);
    return gone;
}

/* ---- kernels ---------------------------------------------------------------------------------------------
 */

static void drop_kernel(struct shim_kernel *k)
{
    obj_source_drop(k->source);
    free(k->name);
    free(k->args);
    free(k);
}

static char *kernel_name(cl_kernel handle)
{
    size_t size = 0;
    char *name;

    if (next()->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size) || !size)
        return NULL;
    name = malloc(size);
    if (name && next()->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, size, name, NULL)) {
        free(name);
        name = NULL;
    }
    return name;
}

static struct shim_kernel *new_kernel(cl_kernel handle, struct shim_source *source)
{
    struct shim_kernel *k = calloc(1, sizeof *k);
    cl_uint nargs = 0;

    if (!k)
        return NULL;
    k->handle = handle;
    atomic_init(&k->refs, 1);
    k->source = obj_source_ref(source);
    k->name = kernel_name(handle);
    if (next()->clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof nargs, &nargs, NULL) == CL_SUCCESS)
        k->args = calloc(nargs ? nargs : 1, sizeof *k->args);
    k->nargs = nargs;
    if (!k->name || !k->args) {
        drop_kernel(k);
        return NULL;
    }
    return k;
}

void obj_add_kernel(cl_kernel handle, cl_program program)
{
    struct shim_source *source = NULL;
    const char *reason = "no-source";
    struct shim_program *p;
    struct shim_kernel *k, *old;
    const void *key = program;

    pthread_rwlock_rdlock(&program_lock);
    HASH_FIND_PTR(programs, &key, p);
    if (p && p->reason)
        reason = p->reason;
    else if (p)
        source = obj_source_ref(p->built);
    pthread_rwlock_unlock(&program_lock);
    k = new_kernel(handle, source);
    obj_source_drop(source);
    if (!k)
        return;
    k->reason = reason;
    PUT(kernels, kernel_lock, k, old, drop_kernel);
}

void obj_clone_kernel(cl_kernel clone, cl_kernel original)
{
    struct shim_kernel *from = obj_kernel(original), *k, *old;

    if (!from || !(k = new_kernel(clone, from->source)))
        return;
    if (k->nargs == from->nargs)
        memcpy(k->args, from->args, k->nargs * sizeof *k->args);
    k->indirect = from->indirect;
    k->reason = from->reason;
    PUT(kernels, kernel_lock, k, old, drop_kernel);
}

struct shim_kernel *obj_kernel(cl_kernel handle)
{
    struct shim_kernel *k;

    FIND(kernels, kernel_lock, handle, k);
    return k;
}

void obj_retain_kernel(cl_kernel handle)
{
    RETAIN(kernels, kernel_lock, struct shim_kernel, handle);
}

bool obj_release_kernel(cl_kernel handle)
{
    bool gone;

    RELEASE(kernels, kernel_lock, struct shim_kernel, handle, drop_kernel, gone);
    return gone;
}

void obj_set_arg(cl_kernel handle, cl_uint index, size_t size, const void *value, bool opaque)
{
    struct shim_kernel *k = obj_kernel(handle);
    struct shim_arg *a;
    size_t kept = size < OBJ_ARG_BYTES ? size : OBJ_ARG_BYTES;

    if (!k || index >= k->nargs)
        return;
    a = &k->args[index];
    *a = (struct shim_arg){.set = true, .local = !value && !opaque, .opaque = opaque, .size = (uint32_t)size};
    a->hash = hash64(HASH64_START, &size, sizeof size);
    if (value && !opaque) {
        memcpy(a->value, value, kept);
        a->hash = hash64(a->hash, value, size);
    }
}

void obj_set_indirect(cl_kernel handle)
{
    struct shim_kernel *k = obj_kernel(handle);

    if (k)
        k->indirect = true;
}
