/* pool.h - kernels that the user or the program offers in place of the program's ([D] 3.1).  The user's are
 * in the file of --pool:
 *
 *     {"variants": [
 *         {"kernel": "gemm",                   the program's kernel that it does the work of
 *          "source": "gemm8.cl",               OpenCL C, a path from the file's folder
 *          "name": "gemm8",                    the kernel there, by default "kernel"; the same arguments
 *          "program": "6b0e...",               only in programs whose hash begins so (`clsizer wisdom show`)
 *          "options": "-DN=8",                 build options in place of the program's
 *          "units": [8, 1, 1],                 the program's work-items that one does; by default 1 each
 *          "local": [[16, 16], [32, 8]],       the local sizes that it may have, 8 at most; by default any
 *          "tolerance": 1e-5                   so far, relative to the larger one, floating-point results
 *         }, ...]}                             may be off; by default they are the same bits
 *
 * It is read once, when the library starts.  The program adds its own by clsizerAddKernelVariant().  All live
 * as long as the process; any thread may add one or look for one at any time. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POOL_SIZES     8
#define POOL_MOST_UNIT 65536

struct pool_variant {
    const char *kernel, *name, *text;
    const char *program; /* the beginning of a hash; "": any */
    const char *options; /* NULL: the program's */
    size_t units[3];
    unsigned nlocal; /* 0: any size */
    size_t local[POOL_SIZES][3];
    double tolerance; /* 0: the same bits */
    atomic_bool met;  /* a kernel of that name was launched */
    struct pool_variant *_Atomic next;
};

/* The variants in the file's order; NULL if there are none, or for a file that is not as described: then
 * `problem` has one line that says where and why. */
struct pool_variant *pool_read(const char *path, char problem[512]);

/* The variant number n (from 0) of a kernel of the program with this hash, in text; NULL: there are not so
 * many. */
const struct pool_variant *pool_find(const struct pool_variant *pool, const char *kernel, const char *program,
                                     unsigned n);

/* Of all that pool_find() would find; 0: none. */
uint64_t pool_hash(const struct pool_variant *pool, const char *kernel, const char *program);

/* Is there one of this name for a kernel that the glob matches? */
bool pool_offers(const struct pool_variant *pool, const char *glob, const char *name);

/* Put a copy of a variant behind the others, unless it is there.  0 or -ENOMEM. */
int pool_offer(struct pool_variant *_Atomic *pool, const struct pool_variant *v);

/* A kernel of this name is launched. */
void pool_met(struct pool_variant *pool, const char *kernel);
