/* private_kernel.h - kernels of ours that stand in for one of the application's.
 *
 * Each is built from a text of ours, in the application's context and for one device, as the only kernel of a
 * program of its own.  The application never sees either.  They belong to the application's kernel and are
 * released before its last reference is, so that the context ends when it would have; and also before the
 * application is told how many references its context has.  Between launches they hold no argument, so no
 * memory object either.
 *
 * All functions are thread-safe, and hold no lock across a call to the driver. */
#pragma once

#include "shim/object/kernels.h"

struct private_kernel;

/* What a private kernel is made from.  Nothing is copied or owned. */
struct private_text {
    unsigned id;      /* tells texts apart; never 0 */
    const char *text; /* OpenCL C, `size` bytes */
    size_t size;
    const char *options; /* of clBuildProgram(), terminated */
    const char *kernel;  /* the kernel's name in it; it must have the application's kernel's arguments ... */
    unsigned more;       /* ... and so many behind them */
    const unsigned char *binary; /* what a driver of the device made of the text, `binary_size` bytes; NULL */
    size_t binary_size;
};

/* The private kernel that was made from the text with this number for the application's kernel; NULL: none.
 */
struct private_kernel *private_find(const struct shim_kernel *k, unsigned id);

/* Build the text, unless the driver takes the binary, create its kernel, and keep it with `k`.  The caller
 * waits for the driver's compiler: *compile_ns, 0 if it took the binary.  NULL: a reason's name is in
 * *reason: `variant-not-built`, `variant-no-kernel`, or `variant-no-memory`. */
struct private_kernel *private_make(struct shim_kernel *k, const struct private_text *t, cl_context context,
                                    cl_device_id device, int64_t *compile_ns, const char **reason);

/* The private kernel with the arguments that `k` has now, for one launch, to be given back as soon as that is
 * enqueued.  NULL: another thread has it, it was let go of, or the driver does not take the arguments.
 * Pre: `k` is the one that it was made for, copy_arg_possible() of each of its arguments, and no object among
 * its arguments has been released. */
cl_kernel private_take(struct private_kernel *p, const struct shim_kernel *k);
void private_give_back(struct private_kernel *p, const struct shim_kernel *k);

/* Let go of all that are not in use, because a context's references are about to be counted.  They are not
 * made again for the same kernels. */
void private_settle(void);

/* The application's kernel is gone: release what is kept with it. */
void private_drop(struct shim_kernel *k);
