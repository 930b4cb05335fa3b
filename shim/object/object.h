/* object.h - what the library knows of the application's objects.
 *
 * State is keyed by handle.  It is created when the application creates the object and dropped when the
 * application drops its last reference, because drivers reuse handles.  The application keeps an object alive
 * during a call that names it, so pointers returned here are valid for the duration of such a call.
 *
 * An object that is not found was created in a way that was not seen: launches with it are left alone.  All
 * functions are thread-safe; when out of memory, new objects simply stay unknown. */
#ifndef CLSIZER_SHIM_OBJECT_H
#define CLSIZER_SHIM_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "devices/device.h"
#include "select/launch.h"
#include "shim/object/queue_sharing.h"
#include "shim/object/known.h"
#include "shim/guest/opencl.h"
#include "shim/object/source.h"
#include "shim/guest/table.h"

/* ---- devices: never dropped ------------------------------------------------------------------------ */

struct shim_device {
    /* First what every launch looks at. */
    _Atomic(cl_device_id) id; /* NULL: released */
    bool part;                /* a sub-device */
    bool images, little_endian;
    bool is_cpu;                /* by CL_DEVICE_TYPE, whatever `model` describes */
    bool is_pocl;               /* some of what PoCL does must be known */
    bool runs_in_callers;       /* kernels run in the thread that launches or waits (PoCL's `basic`) */
    bool untimed;               /* its queues do not support event times */
    atomic_bool no_event_times; /* event times are zero or nonsense: the host clock must do (times.h) */
    unsigned api; /* CL_DEVICE_VERSION, 120 for 1.2; functions of later versions must not be called */
    unsigned address_bits;
    unsigned max_items; /* CL_DEVICE_MAX_WORK_GROUP_SIZE */
    size_t max_dim[3];
    char key[512]; /* "name|vendor|driver version": wisdom and reports; sub-devices: name (part: N units) */
    char compiler[512]; /* "name|vendor|device version": identifies the compiler of programs */
    char version[128];  /* CL_DEVICE_OPENCL_C_VERSION */
    char *profile;      /* CL_DEVICE_PROFILE, owned */
    char *extensions;   /* CL_DEVICE_EXTENSIONS, owned */
    char *features;     /* names of CL_DEVICE_OPENCL_C_FEATURES, blank separated, owned; may be "" */
    struct device model;
    atomic_int secret_answer; /* what the driver returns for event times of a queue without profiling, and so
                                 what programs get that did not ask for them; CL_INT_MAX: not known yet */
    atomic_bool tells_times;  /* some event had sensible times */
    atomic_uint told_nothing; /* how many events did not */
    atomic_int quiet;         /* enum obj_quiet: are queues created without event times (untimed_runs.h)? */
    atomic_bool waited_well;  /* some event that we polled was seen to complete */
    atomic_uint waited_in_vain; /* how many were not, before the first that was */
    bool forgets_callbacks; /* callbacks registered for complete events are never called (Oclgrind 21.10) */
    atomic_bool keeps_nothing; /* the driver does not keep what it compiles for other processes */
    atomic_llong compile_ns;   /* learned cost of the first launch of a local size; < 0 unknown */
    struct shim_device *next;
};

enum obj_quiet { OBJ_QUIET_UNKNOWN, OBJ_TIMED, OBJ_QUIET };

/* Do queues on the device have no event times that the application did not ask for, for the whole run? */
static inline bool obj_is_quiet(const struct shim_device *d)
{
    return atomic_load_explicit(&d->quiet, memory_order_relaxed) == OBJ_QUIET;
}

/* Look up or describe a device.  NULL when out of memory or the driver does not answer. */
struct shim_device *obj_device(cl_device_id id);
#define OBJ_MAX_DEVICES 64 /* of a context or program */

/* Write the context's devices to `devices`, which has room for OBJ_MAX_DEVICES.  Returns how many there are;
 * 0 if the driver does not tell, or if there are more. */
unsigned obj_context_devices(cl_context context, cl_device_id *devices);
/* Is it a sub-device that obj_device() has described? */
bool obj_device_is_part(cl_device_id id);
/* The application releases its last reference to a sub-device: forget it, since its handle may be reused.
 * True if the driver needs the sub-device to stay (PoCL). */
bool obj_forget_device(cl_device_id id);

/* ---- queues ---------------------------------------------------------------------------------------- */

struct shim_queue {
    /* First what every launch looks at. */
    void *handle;
    atomic_uint refs;
    atomic_bool changed; /* by clSetCommandQueueProperty(): its launches are left alone */
    bool timed;          /* the driver's queue has profiling enabled */
    bool out_of_order;
    struct shim_device *device;
    const char *untouched; /* static string: why its launches are left alone, NULL if they are not */
    struct sharing sharing;
    atomic_bool hidden;  /* `timed`, although the application did not ask for it */
    bool quiet;          /* event times are left out on purpose: nothing is measured (untimed_runs.h) */
    atomic_bool stalls;  /* a wait was in vain, because some earlier command needs the host */
    atomic_bool unpaced; /* a launch of an unknown kernel was waited for in vain: none is any more (pace.h) */
    unsigned long creator; /* the only thread that may wait for samples: sharing_this_thread() */
    cl_context context;
    UT_hash_handle hh;
    size_t nproperties; /* entries of the application's own property list, terminator included */
    cl_queue_properties properties[];
};

/* ---- programs and kernels -------------------------------------------------------------------------- */

/* What a program currently consists of; both NULL: not known. */
struct shim_made {
    struct shim_source *compiled; /* it can be linked: form REQ_UNITS */
    struct shim_source *built;    /* kernels can be created from it */
};

struct shim_program {
    void *handle;
    atomic_uint refs;
    struct shim_source *source; /* as created; options "" */
    struct shim_made made;      /* by the last successful build, compilation or linking */
    bool recalled; /* created from binaries: `built` is what they were built from, whatever options follow */
    uint64_t devices;   /* hash of the device list of that build, if there were no others before it */
    const char *reason; /* static string: why the program is not analysed, NULL if it is */
    bool overlapped;    /* two builds were under way at the same time: which one is the last is not known */
    UT_hash_handle hh;
};

/* A program's state before a build or a compilation, in case that fails. */
struct shim_undo {
    struct shim_source *source; /* the program's, with a reference; NULL: it is not known and was not changed,
                                   and the rest is meaningless */
    struct shim_made made;
    uint64_t devices;
    const char *reason;
};

#define OBJ_ARG_BYTES LAUNCH_ARG_BYTES

/* How an argument was set. */
enum shim_arg_form {
    ARG_VALUE,  /* clSetKernelArg() */
    ARG_SVM,    /* clSetKernelArgSVMPointer(): the value is the pointer (svm.h) */
    ARG_OPAQUE, /* an extension's function: where it points is unknown, and the value is not kept */
};

struct shim_arg {
    bool set, local;
    enum shim_arg_form form;
    uint32_t size;
    unsigned char value[OBJ_ARG_BYTES]; /* the first bytes */
    uint64_t hash;                      /* of all bytes, the size, and the form */
    unsigned gone;                      /* ref_gone() at the time it was set */
};

struct shim_entry;
struct shim_site;

struct shim_kernel {
    /* First what every launch looks at. */
    void *handle;
    struct shim_source *source;         /* NULL: see reason */
    _Atomic(struct shim_entry *) entry; /* for the device last launched on (site.h) */
    _Atomic(struct shim_site *) recent; /* the site of the last launch */
    struct shim_arg *args;
    unsigned nargs;
    bool indirect;        /* clSetKernelExecInfo: it reaches memory that no argument names */
    atomic_bool reported; /* the reason was reported */
    uint64_t local_args;  /* hash of the indices and sizes of __local arguments */
    atomic_uint refs;
    const char *reason; /* static string: why there is no source */
    const char *name;   /* stored behind the arguments, in the same allocation */
    UT_hash_handle hh;
};

/* For obj_queue() and obj_kernel(): what most of their calls find. */
extern struct known obj_known_queues, obj_known_kernels;
struct shim_queue *obj_queue_in_table(cl_command_queue handle);
struct shim_kernel *obj_kernel_in_table(cl_kernel handle);

/* How a queue was created. */
struct queue_made {
    cl_context context;
    cl_device_id device;
    const cl_queue_properties *asked; /* the application's own property list, if there was one */
    size_t nasked;                    /* its entries, terminator included; 0: there was none */
    bool out_of_order;
    bool timed;  /* with event times */
    bool hidden; /* ... for which the application did not ask */
};

/* A queue was created.  Everything in `made` is copied. */
void obj_add_queue(cl_command_queue handle, const struct queue_made *made);
/* A queue was created of which nothing is to be known; it may have the handle of one that was released. */
void obj_unseen_queue(cl_command_queue handle);
/* NULL: not known. */
static inline struct shim_queue *obj_queue(cl_command_queue handle)
{
    struct shim_queue *q = known_find(&obj_known_queues, handle);

    return q ? q : obj_queue_in_table(handle);
}
/* Does the application hold it, on a device that is known, with the properties that it was made with? */
static inline bool obj_queue_is_usual(const struct shim_queue *q)
{
    return atomic_load_explicit(&q->refs, memory_order_relaxed) && q->device &&
           !atomic_load_explicit(&q->changed, memory_order_relaxed);
}
bool obj_queue_alive(cl_command_queue handle); /* known, and not released by the application */
/* Does the application have a queue besides this one on a device of PoCL, or on one that is not known? */
bool obj_other_pocl_queue(const struct shim_queue *q);
/* Write the application's queues on devices of PoCL to `held`, but at most `room` and not `but` (may be
 * NULL), each with a reference for the caller.  Returns how many. */
unsigned obj_hold_pocl_queues(const struct shim_queue *but, cl_command_queue *held, unsigned room);
/* Threads that measure parts of a launch in such a queue other than `but` are to stop: the queue counts as
 * shared (queue_sharing.h). */
void obj_hurry_pocl_queues(const struct shim_queue *but);
void obj_retain_queue(cl_command_queue handle);
bool obj_release_queue(cl_command_queue handle); /* true: that was the last reference */

/* A program was created.  Takes over the reference to `source` (NULL: that was out of memory). */
void obj_add_program(cl_program handle, struct shim_source *source);
/* A program was created from binaries whose source is known. */
void obj_add_recalled(cl_program handle, struct shim_source *source);
/* A program was created that cannot be analysed; `reason` is a static string. */
void obj_add_unknown(cl_program handle, const char *reason);
/* What the program was last built from, with a reference that is the caller's; NULL if not known. */
struct shim_source *obj_program_source(cl_program handle);
/* From now on the program is not analysed. */
void obj_refuse_program(cl_program handle, const char *reason);

/* Note a build or a compilation before it starts.  Afterwards *undo must be passed to obj_make_failed() or
 * obj_make_done(). */
void obj_build_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                       struct shim_undo *undo);
void obj_compile_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                         cl_uint nheader, const cl_program *headers, const char **names,
                         struct shim_undo *undo);
void obj_make_failed(cl_program handle, const struct shim_undo *undo);
void obj_make_done(const struct shim_undo *undo);

/* What linking these programs results in, with references that are the caller's (obj_made_drop()).  If one of
 * them is not known, both members are NULL and *reason says why. */
struct shim_made obj_link_programs(cl_uint n, const cl_program *inputs, const char *options,
                                   const char **reason);
void obj_made_drop(const struct shim_made *made);
/* A program was linked.  Takes over the references in `made`. */
void obj_add_linked(cl_program handle, struct shim_made made, const char *reason);
void obj_retain_program(cl_program handle);
void obj_release_program(cl_program handle);

/* A kernel was created, from what the program was last built from.  If `name` is NULL the driver is asked. */
void obj_add_kernel(cl_kernel handle, cl_program program, const char *name);
/* A kernel was cloned, with the arguments that the original has now. */
void obj_clone_kernel(cl_kernel clone, cl_kernel original);
/* NULL: not known. */
static inline struct shim_kernel *obj_kernel(cl_kernel handle)
{
    struct shim_kernel *k = known_find(&obj_known_kernels, handle);

    return k ? k : obj_kernel_in_table(handle);
}
void obj_retain_kernel(cl_kernel handle);
void obj_release_kernel(cl_kernel handle);
/* An argument was set, to `size` bytes at `value` (NULL: __local memory, if the form is ARG_VALUE). */
void obj_set_arg(cl_kernel handle, cl_uint index, size_t size, const void *value, enum shim_arg_form form);
/* clSetKernelExecInfo was called: the kernel reaches memory that no argument names. */
void obj_set_indirect(cl_kernel handle);

#endif
