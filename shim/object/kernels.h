/* kernels.h - the application's kernels and their arguments; see queues.h for the life of what is known of an
 * object. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "select/launch.h"
#include "shim/guest/opencl.h"
#include "shim/guest/table.h"
#include "shim/object/known.h"
#include "shim/object/source.h"

#define OBJ_ARG_BYTES LAUNCH_ARG_BYTES

/* How an argument was set. */
enum shim_arg_form {
    ARG_VALUE,  /* clSetKernelArg() */
    ARG_SVM,    /* clSetKernelArgSVMPointer(): the value is the pointer (svm.h) */
    ARG_USM,    /* clSetKernelArgMemPointerINTEL(): likewise, but kernels of ours are not given it */
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

static inline bool arg_is_pointer(const struct shim_arg *a)
{
    return a->form == ARG_SVM || a->form == ARG_USM;
}

struct shim_entry;
struct shim_site;
struct private_set;

/* What the program has asked for (clsizerProfile()): to find out now what is best, or to measure nothing. */
enum shim_profile { KERNEL_AS_USUAL, KERNEL_PROFILE, KERNEL_LEAVE };

struct shim_kernel {
    /* First what every launch looks at. */
    void *handle;
    struct shim_source *source;         /* NULL: see reason */
    _Atomic(struct shim_entry *) entry; /* for the device last launched on (site.h) */
    _Atomic(struct shim_site *) recent; /* the site of the last launch */
    struct shim_arg *args;
    unsigned nargs;
    bool indirect;                     /* clSetKernelExecInfo: it reaches memory that no argument names */
    atomic_int profile;                /* enum shim_profile */
    atomic_bool reported;              /* the reason was reported */
    _Atomic(atomic_uint *) left_alone; /* left_alone.c: where its launches are counted; NULL: nowhere */
    uint64_t local_args;               /* hash of the indices and sizes of __local arguments */
    atomic_uint refs;
    const char *reason;           /* static string: why there is no source */
    struct private_set *privates; /* that stand in for its program's kernels; NULL: none can */
    const char *name;             /* stored behind the arguments, in the same allocation */
    UT_hash_handle hh;
};

/* For obj_kernel(): what most of its calls find. */
extern struct known obj_known_kernels;
struct shim_kernel *obj_kernel_in_table(cl_kernel handle);

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
