/* other_preload - somebody else's LD_PRELOAD library: counts launches and allocations, as profilers do.
 *
 *   OTHER_LOG=FILE   one line at the end: launches=N allocations=some|none */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define EXPORT __attribute__((visibility("default")))

static atomic_uint launches, allocations;

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint nwait, const cl_event *wait, cl_event *event)
{
    cl_int (*next)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
                   cl_uint, const cl_event *, cl_event *);

    *(void **)&next = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
    atomic_fetch_add(&launches, 1);
    return next(queue, kernel, dim, offset, global, local, nwait, wait, event);
}

extern void *__libc_malloc(size_t size);

EXPORT void *malloc(size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(size);
}

__attribute__((destructor)) static void say(void)
{
    const char *path = getenv("OTHER_LOG");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

    if (file < 0)
        return;
    dprintf(file, "launches=%u allocations=%s\n", atomic_load(&launches),
            atomic_load(&allocations) ? "some" : "none");
    close(file);
}
