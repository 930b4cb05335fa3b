/* programs.c - see programs.h. */
#include "shim/object/programs.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/util.h"
#include "shim/object/driver_options.h"
#include "shim/object/object_table.h"
#include "shim/object/private_kernel.h"

static pthread_mutex_t program_lock = PTHREAD_MUTEX_INITIALIZER;
static struct shim_program *programs;

void obj_made_drop(const struct shim_made *made)
{
    obj_source_drop(made->compiled);
    obj_source_drop(made->built);
}

static void drop_program(struct shim_program *p)
{
    private_set_drop(p->privates);
    obj_source_drop(p->source);
    obj_made_drop(&p->made);
    free(p);
}

void obj_add_program(cl_program handle, struct shim_source *source, struct shim_made made, const char *reason)
{
    struct shim_program *p = malloc(sizeof *p);

    if (!p) {
        obj_source_drop(source);
        obj_made_drop(&made);
        return;
    }
    *p = (struct shim_program){.handle = handle, .refs = 1, .source = source, .made = made, .reason = reason};
    p->recalled = source && made.built;
    PUT(programs, program_lock, p, drop_program);
}

void obj_refuse_program(cl_program handle, const char *reason)
{
    struct shim_program *p;

    pthread_mutex_lock(&program_lock);
    TABLE_FIND(programs, handle, p);
    if (p)
        p->reason = reason;
    pthread_mutex_unlock(&program_lock);
}

#define SEVERAL_LISTS 0 /* shim_program.devices: no list's hash, so that it equals none */

/* Takes over the references in `made`; the old ones go to *undo. */
static void remake(struct shim_program *p, cl_uint ndevice, const cl_device_id *devices,
                   struct shim_made made, const char *reason, struct shim_undo *undo)
{
    const uint64_t list = hash64(HASH64_START, devices, devices ? ndevice * sizeof *devices : 0);
    const struct shim_source *is = made.built ? made.built : made.compiled, *was;

    bool others; /* may there be devices for which `was` stays built? */

    pthread_mutex_lock(&program_lock);
    *undo = (struct shim_undo){obj_source_ref(p->source), p->made, p->devices, p->reason};
    was = p->made.built ? p->made.built : p->made.compiled;
    others = was && is && p->devices != list;
    /* Kernels do not tell for which device they were built with which options. */
    if (others && !obj_source_same(is, was))
        p->reason = "options-differ-by-device";
    if (reason)
        p->reason = reason;
    if (atomic_load(&p->source->making))
        p->overlapped = true; /* for good, so that one flag does for any number of builds */
    atomic_store_explicit(&p->source->making, true, memory_order_relaxed);
    if (p->overlapped)
        p->reason = "builds-overlap";
    p->made = made;
    p->devices = others ? SEVERAL_LISTS : list;
    pthread_mutex_unlock(&program_lock);
}

void obj_build_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                       struct shim_undo *undo)
{
    struct shim_program *p;
    struct shim_made made = {0};
    const char *reason, *all;
    char *owned;

    FIND(programs, program_lock, handle, p);
    if (!p || p->recalled || !p->source)
        return;
    all = drv_build_options(handle, options, &owned, &reason);
    if (all)
        made.built = obj_source_built(p->source, all);
    free(owned);
    remake(p, ndevice, devices, made, reason, undo);
}

/* Drivers disagree on which comes first, the header of a name or a file of the current folder. */
static bool headers_are_files(cl_uint n, const char **names)
{
    if (n && util_confined())
        return true; /* there is no looking */
    for (cl_uint i = 0; i < n; i++)
        if (access(names[i], F_OK) == 0)
            return true;
    return false;
}

/* The sources of programs that are passed as headers, with references.  False when one is not known, or has
 * no name, which is an error. */
static bool header_sources(cl_uint n, const cl_program *headers, const char **names,
                           struct shim_source **sources)
{
    bool known = true;

    pthread_mutex_lock(&program_lock);
    for (cl_uint i = 0; i < n; i++) {
        struct shim_program *p;
        TABLE_FIND(programs, headers[i], p);
        sources[i] = p && p->source && p->source->form == REQ_C ? obj_source_ref(p->source) : NULL;
        known &= sources[i] && names[i];
    }
    pthread_mutex_unlock(&program_lock);
    return known;
}

void obj_compile_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                         cl_uint nheader, const cl_program *headers, const char **names,
                         struct shim_undo *undo)
{
    const bool valid = !nheader || (headers && names);
    struct shim_source **sources = calloc(nheader + 1, sizeof(void *));
    struct shim_program *p;
    struct shim_made made = {0};
    const char *reason = NULL, *all;
    char *owned = NULL;

    FIND(programs, program_lock, handle, p);
    if (p && !p->recalled && p->source && valid && sources) {
        all = drv_build_options(handle, options, &owned, &reason);
        if (!header_sources(nheader, headers, names, sources))
            reason = "separate-compilation";
        else if (headers_are_files(nheader, names))
            reason = "ambiguous-header";
        else if (all)
            made.compiled = obj_source_compiled(p->source, all, nheader, sources, names);
        remake(p, ndevice, devices, made, reason, undo);
    }
    free(owned);
    for (cl_uint i = 0; sources && i < nheader; i++)
        obj_source_drop(sources[i]);
    free(sources);
}

void obj_make_end(cl_program handle, bool failed, const struct shim_undo *undo)
{
    struct shim_made replaced = undo->made;
    struct shim_program *p = NULL;

    if (!undo->source)
        return;
    pthread_mutex_lock(&program_lock); /* to the end: another thread may release the program */
    if (failed)
        TABLE_FIND(programs, handle, p);
    if (p && p->source == undo->source) {
        replaced = p->made;
        p->made = undo->made;
        p->devices = undo->devices;
        if (!p->overlapped)
            p->reason = undo->reason;
    }
    pthread_mutex_unlock(&program_lock);
    obj_made_drop(&replaced);
    /* The program itself may be gone: its last reference may be released in the build's callback. */
    atomic_store_explicit(&undo->source->making, false, memory_order_release);
    obj_source_drop(undo->source);
}

struct shim_made obj_link_programs(cl_uint n, const cl_program *inputs, const char *options,
                                   const char **reason)
{
    struct shim_source **parts, *linked = NULL;
    struct shim_made made = {0};
    cl_uint known = 0;

    if (inputs && n && (*reason = drv_link_problem(inputs[0])))
        return made;
    parts = inputs ? calloc(n + 1, sizeof(void *)) : NULL;
    *reason = "separate-compilation";
    pthread_mutex_lock(&program_lock);
    for (; parts && known < n; known++) {
        struct shim_program *p;
        TABLE_FIND(programs, inputs[known], p);
        if (p && p->reason)
            *reason = p->reason;
        if (!p || p->reason || !p->made.compiled)
            break;
        parts[known] = obj_source_ref(p->made.compiled);
    }
    pthread_mutex_unlock(&program_lock);
    if (parts && known == n)
        linked = obj_source_linked(parts, n, options);
    if (linked)
        *reason = NULL;
    /* A library has no kernels, but can be linked. */
    if (options && strstr(options, "-create-library"))
        made.compiled = linked;
    else
        made.built = linked;
    while (known)
        obj_source_drop(parts[--known]);
    free(parts);
    return made;
}

struct shim_source *obj_program_source(cl_program handle, const char **reason, struct private_set **privates)
{
    struct shim_source *source = NULL;
    struct shim_program *p;

    pthread_mutex_lock(&program_lock);
    TABLE_FIND(programs, handle, p);
    if (p && !p->reason)
        source = obj_source_ref(p->made.built);
    else if (p && reason)
        *reason = p->reason;
    if (p && privates && !p->privates)
        p->privates = private_set_new();
    if (p && privates)
        *privates = private_set_ref(p->privates);
    pthread_mutex_unlock(&program_lock);
    return source;
}

void obj_retain_program(cl_program handle)
{
    RETAIN(programs, program_lock, handle);
}

void obj_release_program(cl_program handle)
{
    RELEASE(programs, program_lock, handle, drop_program, (void)0);
}
