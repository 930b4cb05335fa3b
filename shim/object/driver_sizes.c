/* driver_sizes.c - see driver_sizes.h. */
#include "shim/object/driver_sizes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/guest/next.h"

/* The longest vectors that a driver with classes of sizes makes of work-items unless it is told to, those of
 * 4-byte types with AVX-512; with AVX2 they are half as long, and sizes from 8 on are in vectors, too. */
#define LONGEST 16

/* The longest that it makes if it is told to, by an attribute of the kernel or a variable (docs/proofs.md).
 * It calls as many work-items a sub-group where it makes no vectors at all. */
#define LONGEST_ASKED 64

/* Work-items of a group up to which a driver with DRV_MAY_ABORT copies the kernel's text for each one, and
 * makes no loop over them. */
#define FEW 2

/* A group with all its work-items along one dimension has few sub-groups where the vectors lie along that
 * one, and as many as work-items where they do not. */
static void ask_vectors(const struct shim_device *d, cl_kernel kernel, struct sel_classes *classes)
{
    struct sel_classes found = *classes;

    for (unsigned i = 0; i < 3; i++) {
        size_t local[3] = {1, 1, 1}, n = 0;

        local[i] = LONGEST_ASKED;
        if (next()->clGetKernelSubGroupInfo(kernel, d->id, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                            sizeof local, local, sizeof n, &n, NULL) != CL_SUCCESS ||
            n == 0 || n > LONGEST_ASKED || (n < LONGEST_ASKED && found.along != SEL_ANY_DIMENSION))
            return;
        if (n < LONGEST_ASKED) {
            found.along = i;
            found.single = (unsigned)(LONGEST_ASKED / n);
            found.whole = found.single > LONGEST ? found.single : LONGEST;
        }
    }
    *classes = found;
}

struct sel_classes drv_classes(const struct shim_device *d, cl_kernel kernel)
{
    struct sel_classes classes = {d->lanes < LONGEST ? d->lanes : LONGEST, LONGEST, SEL_ANY_DIMENSION, 0};

    if (!d->is_cpu || !obj_has(d, DRV_SIZE_CLASSES))
        return (struct sel_classes){.few = d->is_cpu && obj_has(d, DRV_MAY_ABORT) ? FEW : 0};
    if (kernel && obj_has(d, DRV_TELLS_VECTORS) && next()->clGetKernelSubGroupInfo)
        ask_vectors(d, kernel, &classes);
    return classes;
}

/* What the driver said when it built the program; malloc'ed, NULL: nothing. */
static char *build_log(const struct shim_device *d, cl_program program)
{
    size_t size = 0;
    char *log = NULL;

    if (next()->clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS)
        log = calloc(1, size + 1);
    if (log &&
        next()->clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS)
        *log = 0;
    return log;
}

bool drv_is_vectorized(const struct shim_device *d, cl_program program, const char *kernel)
{
    char *log, words[256];
    const int n = snprintf(words, sizeof words, "Kernel \"%s\" was successfully vectorized", kernel);
    bool told = false;

    if (!obj_has(d, DRV_ADDS_IN_PARTS) || n >= (int)sizeof words || !(log = build_log(d, program)))
        return false;
    told = strstr(log, words) != NULL;
    free(log);
    return told;
}
