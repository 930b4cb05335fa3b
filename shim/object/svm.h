/* svm.h - the application's allocations of shared virtual memory. */
#ifndef CLSIZER_SHIM_SVM_H
#define CLSIZER_SHIM_SVM_H

#include "shim/guest/opencl.h"

/* clSVMAlloc() returned `start`. */
void svm_allocated(const void *start, size_t size, cl_svm_mem_flags flags);

/* It is about to be freed, now or by a command.  What is not known is no error. */
void svm_freed(const void *start);

/* Bytes of the allocation that begins there.  0: none does, or the host may use it without telling the driver
 * (CL_MEM_SVM_FINE_GRAIN_BUFFER): what it waits for before it does is not known.  A pointer into the middle
 * of one is not known either: what a kernel finds in front of it is within its rights. */
size_t svm_size(const void *start);

#endif
