/* preload.c - interception for programs whose loader does not support layers: wrappers that LD_PRELOAD puts
 * in front of libOpenCL's functions.  If the layer is active, they only pass calls on. */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include "shim/calls/intercept.h"
#include "shim/guest/util.h"

/* dlsym() returns functions as data pointers; and wrappers of what returns nothing return that. */
#pragma GCC diagnostic ignored "-Wpedantic"

static pthread_mutex_t resolving = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool resolved;

/* All calls that the library makes, not only the intercepted ones. */
static void look_up(void *scope)
{
#define FIND(name)                 next_behind.name = (__typeof__(next_behind.name))dlsym(scope, #name)
#define CALL(ret, name, none, ...) FIND(name);
#include "shim/calls/intercepted.def"
#undef CALL
    FIND(clGetDeviceInfo);
    FIND(clRetainDevice);
    FIND(clGetEventInfo);
    FIND(clGetMemObjectInfo);
    FIND(clGetImageInfo);
    FIND(clGetSamplerInfo);
    FIND(clGetKernelWorkGroupInfo);
    FIND(clGetKernelSubGroupInfo);
    FIND(clGetProgramBuildInfo);
    FIND(clFlush);
    FIND(clCreateBuffer);
    FIND(clCreateSubBuffer);
#undef FIND
}

/* The loader whose functions were found stays: its plug-in may be unloaded and come back. */
static void pin_loader(void)
{
    Dl_info info;

    if (dladdr(*(void **)&next_behind.clEnqueueNDRangeKernel, &info))
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Look among the dependencies of a loaded object.  True when found. */
static bool look_up_from(const char *object_name)
{
    void *object = dlopen(object_name, RTLD_LAZY | RTLD_NOLOAD);

    if (!object)
        return false;
    look_up(object);
    if (next_behind.clEnqueueNDRangeKernel)
        pin_loader(); /* before its plug-in can go */
    dlclose(object);
    return next_behind.clEnqueueNDRangeKernel != NULL;
}

/* One of the loaded objects whose names look like a loader's. */
struct loader_name {
    unsigned skip; /* so many of them come before it */
    char name[PATH_MAX];
};

/* Copies the name and no more: dl_iterate_phdr() holds a lock that dlopen() wants after another one. */
static int note_loader(struct dl_phdr_info *info, size_t size, void *context)
{
    struct loader_name *l = context;

    (void)size;
    if (!strstr(info->dlpi_name, "libOpenCL") || strlen(info->dlpi_name) >= sizeof l->name || l->skip--)
        return 0;
    strcpy(l->name, info->dlpi_name);
    return 1;
}

/* Among all of them, for callers that a return address does not reveal (tail calls). */
static void look_up_loader(void)
{
    struct loader_name l;

    for (unsigned n = 0;; n++) {
        l.skip = n;
        if (!dl_iterate_phdr(note_loader, &l) || look_up_from(l.name))
            return;
    }
}

/* The functions that `caller` would have bound to without us.  A loader in the global scope is
 * behind us there; one that came with a plug-in (a Python module, say) is found among the
 * plug-in's own dependencies. */
static void resolve(void *caller)
{
    Dl_info info;

    if (atomic_load_explicit(&resolved, memory_order_acquire))
        return;
    pthread_mutex_lock(&resolving);
    if (!atomic_load_explicit(&resolved, memory_order_relaxed)) {
        look_up(RTLD_NEXT);
        if (!next_behind.clEnqueueNDRangeKernel && !(dladdr(caller, &info) && look_up_from(info.dli_fname)))
            look_up_loader();
        if (next_behind.clEnqueueNDRangeKernel) {
            pin_loader();
            atomic_store_explicit(&resolved, true, memory_order_release);
        }
    }
    pthread_mutex_unlock(&resolving);
}

static void *shim_no_object(cl_int *errcode_ret)
{
    if (errcode_ret)
        *errcode_ret = SHIM_NO_PLATFORM;
    return NULL;
}

/* The wrappers.  If the layer is active, the loader's own function is called, which calls shim_<name>() in
 * turn. */
#define CALL(ret, name, none, ...)                                                                           \
    SHIM_EXPORT ret CL_API_CALL name(PARAMS(__VA_ARGS__))                                                    \
    {                                                                                                        \
        resolve(__builtin_return_address(0));                                                                \
        if (!next_behind.name)                                                                               \
            return none;                                                                                     \
        return layer_is_active() ? next_behind.name(ARGS(__VA_ARGS__)) : shim_##name(ARGS(__VA_ARGS__));     \
    }
#include "shim/calls/intercepted.def"
#undef CALL

/* Loaders read OPENCL_LAYERS at their first call; only there do dlopen()ed loaders become visible to us.
 * CLSIZER_NO_LAYER, for tests, leaves preloading alone in charge. */
__attribute__((constructor)) static void join_layers(void)
{
    const char *layers = secure_getenv("OPENCL_LAYERS"), *path = util_library();
    char real[PATH_MAX], *list;

    if (getauxval(AT_SECURE) || secure_getenv("CLSIZER_NO_LAYER") || !path || !realpath(path, real))
        return;
    if (!layers)
        layers = "";
    if (strstr(layers, "libclsizer.so") || asprintf(&list, "%s%s%s", real, *layers ? ":" : "", layers) < 0)
        return;
    setenv("OPENCL_LAYERS", list, 1);
    free(list);
}
