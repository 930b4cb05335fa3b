/* programs.h - the application's programs, and what they are made from; see queues.h for the life of what is
 * known of an object. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "shim/guest/opencl.h"
#include "shim/guest/table.h"
#include "shim/object/source.h"

struct private_set;

/* What a program currently consists of; both NULL: not known. */
struct shim_made {
    struct shim_source *compiled; /* it can be linked: form REQ_UNITS */
    struct shim_source *built;    /* kernels can be created from it */
};

struct shim_program {
    void *handle;
    atomic_uint refs;
    struct shim_source *source; /* as created; options "" */
    struct shim_made made;      /* by the last successful build, compilation or linking */
    bool recalled; /* created from binaries: `built` is what they were built from, whatever options follow */
    uint64_t devices;   /* hash of the device list of that build, if there were no others before it */
    const char *reason; /* static string: why the program is not analysed, NULL if it is */
    struct private_set
        *privates;   /* that stand in for its kernels (private_kernel.h); NULL: it had no kernel */
    bool overlapped; /* two builds were under way at the same time: which one is the last is not known */
    UT_hash_handle hh;
};

/* A program's state before a build or a compilation, in case that fails. */
struct shim_undo {
    struct shim_source *source; /* the program's, with a reference; NULL: it is not known and was not changed,
                                   and the rest is meaningless */
    struct shim_made made;
    uint64_t devices;
    const char *reason;
};

#define OBJ_NOT_MADE ((struct shim_made){0})

/* A program was created: from `source` and not built yet, from binaries that were `made.built` from their
 * source, or by linking.  `reason`, a static string: why it cannot be analysed; NULL: it can.  Takes over the
 * references to `source` (NULL: there is none, or that was out of memory) and in `made`. */
void obj_add_program(cl_program handle, struct shim_source *source, struct shim_made made,
                     const char *reason);
/* What the program was last built from, with a reference that is the caller's; NULL if not known, or if it is
 * not analysed: then the reason, a static string, is written to *reason, which may be NULL.  *privates, which
 * may be NULL, too: what stands in for its kernels, likewise with a reference; it stays as it is if the
 * program is not known. */
struct shim_source *obj_program_source(cl_program handle, const char **reason, struct private_set **privates);
/* From now on the program is not analysed. */
void obj_refuse_program(cl_program handle, const char *reason);

/* Note a build or a compilation before it starts.  Afterwards *undo, which is all 0 before, must be passed to
 * obj_make_end(). */
void obj_build_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                       struct shim_undo *undo);
void obj_compile_program(cl_program handle, cl_uint ndevice, const cl_device_id *devices, const char *options,
                         cl_uint nheader, const cl_program *headers, const char **names,
                         struct shim_undo *undo);
void obj_make_end(cl_program handle, bool failed, const struct shim_undo *undo);

/* What linking these programs results in, with references that are the caller's (obj_made_drop()).  If one of
 * them is not known, both members are NULL and *reason says why. */
struct shim_made obj_link_programs(cl_uint n, const cl_program *inputs, const char *options,
                                   const char **reason);
void obj_made_drop(const struct shim_made *made);
void obj_retain_program(cl_program handle);
void obj_release_program(cl_program handle);
