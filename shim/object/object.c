/* object.c - queues, programs and kernels by handle. */
#include "shim/object/object.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/next.h"
#include "shim/guest/util.h"
#include "shim/object/driver_options.h"
#include "shim/object/known.h"
#include "shim/object/references.h"

/* One table per kind.  Under its lock no driver call is made, but for obj_hold_pocl_queues().  Launches read
 * queues and kernels, so their readers share the lock; a mutex costs less. */
static pthread_rwlock_t queue_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t program_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t kernel_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct shim_queue *queues;
static struct shim_program *programs;
static struct shim_kernel *kernels;
struct known obj_known_queues, obj_known_kernels; /* some of those */

#define FOR_KIND(lock, of_mutex, of_rwlock)                                                                  \
    _Generic(&(lock), pthread_mutex_t * : of_mutex, pthread_rwlock_t * : of_rwlock)(&(lock))
#define LOCK_TO_READ(lock)  FOR_KIND(lock, pthread_mutex_lock, pthread_rwlock_rdlock)
#define LOCK_TO_WRITE(lock) FOR_KIND(lock, pthread_mutex_lock, pthread_rwlock_wrlock)
#define UNLOCK(lock)        FOR_KIND(lock, pthread_mutex_unlock, pthread_rwlock_unlock)

#define FIND_AND(table, lock, handle_, out, then)                                                            \
    do {                                                                                                     \
        const void *key_ = (handle_);                                                                        \
        LOCK_TO_READ(lock);                                                                                  \
        TABLE_FIND(table, key_, table_hash(key_), out);                                                      \
        then;                                                                                                \
        UNLOCK(lock);                                                                                        \
    } while (0)

#define FIND(table, lock, handle_, out) FIND_AND(table, lock, handle_, out, (void)0)

/* A handle that is still in the table was recycled behind our back: the old state goes. */
#define PUT(table, lock, item, old, drop)                                                                    \
    do {                                                                                                     \
        const unsigned hash_ = table_hash((item)->handle);                                                   \
        LOCK_TO_WRITE(lock);                                                                                 \
        TABLE_FIND(table, (item)->handle, hash_, old);                                                       \
        if (old)                                                                                             \
            HASH_DEL(table, old);                                                                            \
        TABLE_ADD(table, hash_, item);                                                                       \
        UNLOCK(lock);                                                                                        \
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

/* `gone`: set to whether that was the last reference. */
#define RELEASE(table, lock, type, handle_, drop, gone)                                                      \
    do {                                                                                                     \
        const void *key_ = (handle_);                                                                        \
        type *found_;                                                                                        \
        LOCK_TO_WRITE(lock);                                                                                 \
        TABLE_FIND(table, key_, table_hash(key_), found_);                                                   \
        if (found_ && atomic_fetch_sub(&found_->refs, 1) == 1)                                               \
            HASH_DEL(table, found_);                                                                         \
        else                                                                                                 \
            found_ = NULL;                                                                                   \
        UNLOCK(lock);                                                                                        \
        gone = found_ != NULL;                                                                               \
        if (found_)                                                                                          \
            drop(found_);                                                                                    \
    } while (0)

/* ---- queues ---------------------------------------------------------------------------------------- */

/* Properties of contexts that are about anything but sharing: clocks and priorities (cl_qcom_perf_hint, which
 * inference engines set on every Adreno), where printf() goes, memory that begins as zeros. */
static bool is_harmless(cl_context_properties property)
{
    static const cl_context_properties known[] = {CL_CONTEXT_PLATFORM,
                                                  CL_CONTEXT_INTEROP_USER_SYNC,
                                                  CL_CONTEXT_MEMORY_INITIALIZE_KHR,
                                                  CL_CONTEXT_OFFLINE_DEVICES_AMD,
                                                  CL_PRINTF_CALLBACK_ARM,
                                                  CL_PRINTF_BUFFERSIZE_ARM,
                                                  0x40C2 /* CL_CONTEXT_PERF_HINT_QCOM */,
                                                  0x40C9 /* CL_CONTEXT_PRIORITY_HINT_QCOM */};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (property == known[i])
            return true;
    return false;
}

/* Two objects of one context that shares objects with OpenGL and the like may stand for the same memory of
 * another interface; nothing that OpenCL says of them shows it. */
static bool shares_memory(cl_context c)
{
    cl_context_properties p[32];
    size_t size = 0;

    if (next()->clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof p, p, &size) != CL_SUCCESS)
        return size > sizeof p;
    for (size_t i = 0; i + 1 < size / sizeof *p && p[i]; i += 2)
        if (!is_harmless(p[i]))
            return true;
    return false;
}

unsigned obj_context_devices(cl_context context, cl_device_id *devices)
{
    size_t size = 0;

    if (next()->clGetContextInfo(context, CL_CONTEXT_DEVICES, OBJ_MAX_DEVICES * sizeof *devices, devices,
                                 &size) != CL_SUCCESS)
        return 0;
    return (unsigned)(size / sizeof *devices);
}

/* Has the queue's context several devices, of which one runs kernels in the thread that launches or waits, or
 * may it have such?  PoCL 3.1 may wait for ever for the lock of an event (pocl_update_event_running()) when a
 * command there depends on another device's and somebody asks for that one's status. */
static bool mixes_devices(cl_context c, const struct shim_device *of_queue)
{
    cl_device_id devices[OBJ_MAX_DEVICES];
    unsigned n;

    if (!of_queue || !of_queue->is_pocl)
        return false;
    n = obj_context_devices(c, devices);
    for (unsigned i = 0; i < n && n > 1; i++) {
        const struct shim_device *d = obj_device(devices[i]);
        if (!d || d->runs_in_callers)
            return true;
    }
    return n == 0;
}

/* Why launches in a queue of this context and device are left alone; NULL if they are not. */
static const char *untouched(cl_context c, const struct shim_device *d)
{
    if (d && d->part)
        return "sub-device";
    if (shares_memory(c))
        return "shared-context";
    return mixes_devices(c, d) ? "mixed-devices" : NULL;
}

static void drop_queue(struct shim_queue *q)
{
    known_drop(&obj_known_queues, q->handle);
    free(q);
}

void obj_add_queue(cl_command_queue handle, const struct queue_made *made)
{
    struct shim_queue *q = malloc(sizeof *q + made->nasked * sizeof *made->asked), *old;

    if (!q)
        return;
    *q = (struct shim_queue){.handle = handle,
                             .refs = 1,
                             .device = obj_device(made->device),
                             .context = made->context,
                             .out_of_order = made->out_of_order,
                             .timed = made->timed,
                             .hidden = made->hidden,
                             .creator = sharing_this_thread(),
                             .nproperties = made->nasked};
    q->untouched = untouched(made->context, q->device);
    q->quiet = !made->timed && q->device && obj_is_quiet(q->device);
    if (made->nasked)
        memcpy(q->properties, made->asked, made->nasked * sizeof *made->asked);
    PUT(queues, queue_lock, q, old, drop_queue);
}

void obj_unseen_queue(cl_command_queue handle)
{
    const void *key = handle;
    struct shim_queue *q;

    pthread_rwlock_wrlock(&queue_lock);
    TABLE_FIND(queues, key, table_hash(key), q);
    if (q)
        HASH_DEL(queues, q);
    pthread_rwlock_unlock(&queue_lock);
    if (q)
        drop_queue(q);
}

struct shim_queue *obj_queue_in_table(cl_command_queue handle)
{
    struct shim_queue *q;

    FIND_AND(queues, queue_lock, handle, q, known_put(&obj_known_queues, handle, q));
    return q;
}

bool obj_queue_alive(cl_command_queue handle)
{
    const struct shim_queue *q = obj_queue(handle);

    return q && atomic_load(&q->refs);
}

bool obj_other_pocl_queue(const struct shim_queue *q)
{
    bool found = false;

    pthread_rwlock_rdlock(&queue_lock);
    for (const struct shim_queue *other = queues; other && !found; other = other->hh.next)
        found = other != q && atomic_load(&other->refs) && (!other->device || other->device->is_pocl);
    pthread_rwlock_unlock(&queue_lock);
    return found;
}

/* The application may release a queue at any time: it cannot while the lock is held.  So this is the one call
 * to a driver under a lock; PoCL only counts there. */
unsigned obj_hold_pocl_queues(const struct shim_queue *but, cl_command_queue *held, unsigned room)
{
    unsigned n = 0;

    pthread_rwlock_rdlock(&queue_lock);
    for (const struct shim_queue *q = queues; q && n < room; q = q->hh.next)
        if (q != but && atomic_load(&q->refs) && q->device && q->device->is_pocl &&
            next()->clRetainCommandQueue(q->handle) == CL_SUCCESS)
            held[n++] = q->handle;
    pthread_rwlock_unlock(&queue_lock);
    return n;
}

void obj_hurry_pocl_queues(const struct shim_queue *but)
{
    pthread_rwlock_rdlock(&queue_lock);
    for (struct shim_queue *q = queues; q; q = q->hh.next)
        if (q != but && q->device && q->device->is_pocl && atomic_load(&q->sharing.open))
            atomic_store(&q->sharing.shared, true);
    pthread_rwlock_unlock(&queue_lock);
}

void obj_retain_queue(cl_command_queue handle)
{
    RETAIN(queues, queue_lock, struct shim_queue, handle);
}

/* A hidden queue is remembered until its handle is used again: events outlive their queue, and their times
 * stay a secret. */
bool obj_release_queue(cl_command_queue handle)
{
    struct shim_queue *q = obj_queue(handle);
    bool gone;

    if (q && q->hidden) {
        pthread_rwlock_wrlock(&queue_lock); /* not while obj_hold_pocl_queues() takes a reference */
        gone = atomic_load(&q->refs) && atomic_fetch_sub(&q->refs, 1) == 1;
        pthread_rwlock_unlock(&queue_lock);
        return gone;
    }
    RELEASE(queues, queue_lock, struct shim_queue, handle, drop_queue, gone);
    return gone;
}

/* ---- programs -------------------------------------------------------------------------------------- */

void obj_made_drop(const struct shim_made *made)
{
    obj_source_drop(made->compiled);
    obj_source_drop(made->built);
}

static void drop_program(struct shim_program *p)
{
    obj_source_drop(p->source);
    obj_made_drop(&p->made);
    free(p);
}

/* Takes over the references to `source` and in `made`; any may be NULL. */
static void add_program(cl_program handle, struct shim_source *source, struct shim_made made, bool recalled,
                        const char *reason)
{
    struct shim_program *p = malloc(sizeof *p), *old;

    if (!p) {
        obj_source_drop(source);
        obj_made_drop(&made);
        return;
    }
    *p = (struct shim_program){
        .handle = handle, .refs = 1, .source = source, .made = made, .recalled = recalled, .reason = reason};
    PUT(programs, program_lock, p, old, drop_program);
}

void obj_add_program(cl_program handle, struct shim_source *source)
{
    if (source)
        add_program(handle, source, (struct shim_made){0}, false, NULL);
}

void obj_add_recalled(cl_program handle, struct shim_source *source)
{
    add_program(handle, obj_source_ref(source), (struct shim_made){.built = obj_source_ref(source)}, true,
                NULL);
}

void obj_add_unknown(cl_program handle, const char *reason)
{
    add_program(handle, NULL, (struct shim_made){0}, false, reason);
}

void obj_add_linked(cl_program handle, struct shim_made made, const char *reason)
{
    add_program(handle, NULL, made, false, reason);
}

void obj_refuse_program(cl_program handle, const char *reason)
{
    struct shim_program *p;

    FIND(programs, program_lock, handle, p);
    if (!p)
        return;
    pthread_mutex_lock(&program_lock);
    p->reason = reason;
    pthread_mutex_unlock(&program_lock);
}

#define SEVERAL_LISTS 0 /* shim_program.devices: no list's hash, so that it equals none */

/* Takes over the references in `made`; the old ones go to *undo. */
static void remake(struct shim_program *p, cl_uint ndevice, const cl_device_id *devices,
                   struct shim_made made, const char *reason, struct shim_undo *undo)
{
    const uint64_t list = hash64(HASH64_START, devices, devices ? ndevice * sizeof *devices : 0);
    const struct shim_source *is = made.built ? made.built : made.compiled, *was;

    bool others; /* may there be devices for which `was` stays built? */

    pthread_mutex_lock(&program_lock);
    *undo = (struct shim_undo){obj_source_ref(p->source), p->made, p->devices, p->reason};
    was = p->made.built ? p->made.built : p->made.compiled;
    others = was && is && p->devices != list;
    /* Kernels do not tell for which device they were built with which options. */
    if (others && !obj_source_same(is, was))
        p->reason = "options-differ-by-device";
    if (reason)
        p->reason = reason;
    if (atomic_load(&p->source->making))
        p->overlapped = true; /* for good, so that one flag does for any number of builds */
    atomic_store_explicit(&p->source->making, true, memory_order_relaxed);
    if (p->overlapped)
        p->reason = "builds-overlap";
    p->made = made;
    p->devices = others ? SEVERAL_LISTS : list;
    pthread_mutex_unlock(&program_lock);
}

void obj_build_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                       struct shim_undo *undo)
{
    struct shim_program *p;
    struct shim_made made = {0};
    const char *reason, *all;
    char *owned;

    *undo = (struct shim_undo){0};
    FIND(programs, program_lock, handle, p);
    if (!p || p->recalled || !p->source)
        return;
    all = drv_build_options(handle, options, &owned, &reason);
    if (all)
        made.built = obj_source_built(p->source, all);
    free(owned);
    remake(p, ndevice, devices, made, reason, undo);
}

/* Drivers disagree on which comes first, the header of a name or a file of the current folder. */
static bool headers_are_files(cl_uint n, const char **names)
{
    if (n && util_confined())
        return true; /* there is no looking */
    for (cl_uint i = 0; i < n; i++)
        if (access(names[i], F_OK) == 0)
            return true;
    return false;
}

/* The sources of programs that are passed as headers, with references.  False when one is not known, or has
 * no name, which is an error. */
static bool header_sources(cl_uint n, const cl_program *headers, const char **names,
                           struct shim_source **sources)
{
    bool known = true;

    pthread_mutex_lock(&program_lock);
    for (cl_uint i = 0; i < n; i++) {
        const void *key = headers[i];
        struct shim_program *p;
        TABLE_FIND(programs, key, table_hash(key), p);
        sources[i] = p && p->source && p->source->form == REQ_C ? obj_source_ref(p->source) : NULL;
        known &= sources[i] && names[i];
    }
    pthread_mutex_unlock(&program_lock);
    return known;
}

void obj_compile_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                         cl_uint nheader, const cl_program *headers, const char **names,
                         struct shim_undo *undo)
{
    const bool valid = !nheader || (headers && names);
    struct shim_source **sources = calloc(nheader + 1, sizeof(void *));
    struct shim_program *p;
    struct shim_made made = {0};
    const char *reason = NULL, *all;
    char *owned = NULL;

    *undo = (struct shim_undo){0};
    FIND(programs, program_lock, handle, p);
    if (p && !p->recalled && p->source && valid && sources) {
        all = drv_build_options(handle, options, &owned, &reason);
        if (!header_sources(nheader, headers, names, sources))
            reason = "separate-compilation";
        else if (headers_are_files(nheader, names))
            reason = "ambiguous-header";
        else if (all)
            made.compiled = obj_source_compiled(p->source, all, nheader, sources, names);
        remake(p, ndevice, devices, made, reason, undo);
    }
    free(owned);
    for (cl_uint i = 0; sources && i < nheader; i++)
        obj_source_drop(sources[i]);
    free(sources);
}

/* The program itself may be gone: its last reference may be released in the build's callback. */
static void end_making(const struct shim_undo *undo)
{
    atomic_store_explicit(&undo->source->making, false, memory_order_release);
    obj_source_drop(undo->source);
}

void obj_make_failed(cl_program handle, const struct shim_undo *undo)
{
    struct shim_made failed = undo->made;
    struct shim_program *p;

    if (!undo->source)
        return;
    FIND(programs, program_lock, handle, p);
    if (p && p->source == undo->source) {
        pthread_mutex_lock(&program_lock);
        failed = p->made;
        p->made = undo->made;
        p->devices = undo->devices;
        if (!p->overlapped)
            p->reason = undo->reason;
        pthread_mutex_unlock(&program_lock);
    }
    obj_made_drop(&failed);
    end_making(undo);
}

void obj_make_done(const struct shim_undo *undo)
{
    if (!undo->source)
        return;
    obj_made_drop(&undo->made);
    end_making(undo);
}

struct shim_made obj_link_programs(cl_uint n, const cl_program *inputs, const char *options,
                                   const char **reason)
{
    struct shim_source **parts, *linked = NULL;
    struct shim_made made = {0};
    cl_uint known = 0;

    if (inputs && n && (*reason = drv_link_problem(inputs[0])))
        return made;
    parts = inputs ? calloc(n + 1, sizeof(void *)) : NULL;
    *reason = "separate-compilation";
    pthread_mutex_lock(&program_lock);
    for (; parts && known < n; known++) {
        const void *key = inputs[known];
        struct shim_program *p;
        TABLE_FIND(programs, key, table_hash(key), p);
        if (p && p->reason)
            *reason = p->reason;
        if (!p || p->reason || !p->made.compiled)
            break;
        parts[known] = obj_source_ref(p->made.compiled);
    }
    pthread_mutex_unlock(&program_lock);
    if (parts && known == n)
        linked = obj_source_linked(parts, n, options);
    if (linked)
        *reason = NULL;
    /* A library has no kernels, but can be linked. */
    if (options && strstr(options, "-create-library"))
        made.compiled = linked;
    else
        made.built = linked;
    while (known)
        obj_source_drop(parts[--known]);
    free(parts);
    return made;
}

struct shim_source *obj_program_source(cl_program handle)
{
    const void *key = handle;
    struct shim_source *source = NULL;
    struct shim_program *p;

    pthread_mutex_lock(&program_lock);
    TABLE_FIND(programs, key, table_hash(key), p);
    if (p && !p->reason)
        source = obj_source_ref(p->made.built);
    pthread_mutex_unlock(&program_lock);
    return source;
}

void obj_retain_program(cl_program handle)
{
    RETAIN(programs, program_lock, struct shim_program, handle);
}

void obj_release_program(cl_program handle)
{
    bool gone;

    RELEASE(programs, program_lock, struct shim_program, handle, drop_program, gone);
    (void)gone;
}

/* ---- kernels --------------------------------------------------------------------------------------- */

static void drop_kernel(struct shim_kernel *k)
{
    known_drop(&obj_known_kernels, k->handle);
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
    struct shim_source *source = NULL;
    const char *reason = "no-source";
    struct shim_program *p;
    struct shim_kernel *k = NULL, *old;
    const void *key = program;

    pthread_mutex_lock(&program_lock);
    TABLE_FIND(programs, key, table_hash(key), p);
    if (p && p->reason)
        reason = p->reason;
    else if (p)
        source = obj_source_ref(p->made.built);
    pthread_mutex_unlock(&program_lock);
    if (!name)
        name = kernel_name(handle, here, &owned);
    if (name)
        k = new_kernel(handle, name, source);
    obj_source_drop(source);
    free(owned);
    if (!k)
        return;
    k->reason = reason;
    PUT(kernels, kernel_lock, k, old, drop_kernel);
}

void obj_clone_kernel(cl_kernel clone, cl_kernel original)
{
    struct shim_kernel *from = obj_kernel(original), *k, *old;

    if (!from || !(k = new_kernel(clone, from->name, from->source)))
        return;
    if (k->nargs == from->nargs)
        memcpy(k->args, from->args, k->nargs * sizeof *k->args);
    k->local_args = hash_local(k);
    k->indirect = from->indirect;
    k->reason = from->reason;
    PUT(kernels, kernel_lock, k, old, drop_kernel);
}

struct shim_kernel *obj_kernel_in_table(cl_kernel handle)
{
    struct shim_kernel *k;

    FIND_AND(kernels, kernel_lock, handle, k, known_put(&obj_known_kernels, handle, k));
    return k;
}

void obj_retain_kernel(cl_kernel handle)
{
    RETAIN(kernels, kernel_lock, struct shim_kernel, handle);
}

void obj_release_kernel(cl_kernel handle)
{
    bool gone;

    RELEASE(kernels, kernel_lock, struct shim_kernel, handle, drop_kernel, gone);
    (void)gone;
}

HOT void obj_set_arg(cl_kernel handle, cl_uint index, size_t size, const void *value, enum shim_arg_form form)
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
