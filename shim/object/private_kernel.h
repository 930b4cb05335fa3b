/* private_kernel.h - kernels of ours that stand in for the application's.
 *
 * Each is built from a text of ours, in the application's context and for one device, as the only kernel of a
 * program of its own.  The application never sees either.  They belong to the application's program, whose
 * kernels share them, since many applications make a kernel for each launch.  They are released before the
 * last reference to that and its kernels is, so that the context ends when it would have; and also before the
 * application is told how many references its context has.  Between launches they hold no argument, so no
 * memory object either.
 *
 * All functions are thread-safe, and hold no lock across a call to the driver. */
#pragma once

#include "shim/object/kernels.h"

struct private_kernel;

/* Those of one of the application's programs, with a reference from it and one from each of its kernels. NULL
 * when out of memory; what is given NULL has none. */
struct private_set *private_set_new(void);
struct private_set *private_set_ref(struct private_set *s);
/* With the last reference all of them are released. */
void private_set_drop(struct private_set *s);

/* What a private kernel is made from.  Nothing is copied or owned. */
struct private_text {
    uint64_t id;      /* of the text, the options and the kernel */
    const char *text; /* OpenCL C, `size` bytes */
    size_t size;
    const char *options; /* of clBuildProgram(), terminated */
    const char *kernel;  /* the kernel's name in it; it must have the application's kernel's arguments ... */
    unsigned more;       /* ... and so many behind them */
    const unsigned char *binary; /* what a driver of the device made of the text, `binary_size` bytes; NULL */
    size_t binary_size;
};

/* The private kernel in k's set that was made with this number for the device; NULL: none. */
struct private_kernel *private_find(const struct shim_kernel *k, uint64_t id, cl_device_id device);

/* Build the text, unless the driver takes the binary, create its kernel, and keep it in k's set.  The caller
 * waits for the driver's compiler: *compile_ns, 0 if it took the binary.  NULL: a reason's name is in
 * *reason: `variant-not-built`, `variant-no-kernel`, or `variant-no-memory`. */
struct private_kernel *private_make(struct shim_kernel *k, const struct private_text *t, cl_context context,
                                    cl_device_id device, int64_t *compile_ns, const char **reason);

/* The private kernel with the arguments that `k` has now, for one launch, to be given back as soon as that is
 * enqueued.  NULL: another thread has it, it was let go of, or the driver does not take the arguments.
 * Pre: it was found with `k`, copy_arg_possible() of each of k's arguments, and no object among these has
 * been released. */
cl_kernel private_take(struct private_kernel *p, const struct shim_kernel *k);
void private_give_back(struct private_kernel *p, const struct shim_kernel *k);

/* Let go of all that are not in use, because a context's references are about to be counted.  They are not
 * made again for the same programs. */
void private_settle(void);

/* Are all bytes of the argument known, and how it was set, so that a kernel of ours can be given it? */
bool copy_arg_possible(const struct shim_arg *a);
/* Set argument `index` of `to` as the application set `a`.  False: that is not possible, or the driver
 * refuses.  Pre: the object that `a` names, if any, has not been released since. */
bool copy_arg(cl_kernel to, cl_uint index, const struct shim_arg *a);
