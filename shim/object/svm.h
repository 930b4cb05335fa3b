/* svm.h - the application's allocations of memory that kernels get as pointers: shared virtual memory, and
 * unified shared memory of the device alone. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "shim/guest/opencl.h"

struct svm_allocation {
    cl_context context;
    uintptr_t start;
    size_t size; /* bytes; never 0 */
};

/* The driver returned these bytes.  `quiet`: while a kernel may use them the host does not, unless the driver
 * is told.  Other memory (CL_MEM_SVM_FINE_GRAIN_BUFFER, clHostMemAllocINTEL, clSharedMemAllocINTEL) stays
 * unknown: what the host waits for before it looks there is not known. */
void svm_allocated(cl_context context, const void *start, size_t size, bool quiet);

/* The allocation that begins there is about to be freed, now or by a command.  What is not known is no error.
 */
void svm_freed(cl_context context, const void *start);

/* The allocation of this context that a pointer is in, at whatever place.  False: none is known. */
bool svm_find(cl_context context, const void *pointer, struct svm_allocation *found);

/* How often there were other allocations, of all contexts together, than before: while that stays the same, a
 * pointer is in the same one.  Never decreases. */
uint64_t svm_changes(void);
