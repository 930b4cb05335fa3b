/* source.h - what a program was made from: OpenCL C, SPIR-V, or the units that it was linked from.
 *
 * Sources are reference-counted, and immutable but for what the first build without options notes in them. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analysis/summary/request.h"

struct shim_build;

#define SOURCE_LONG_AGO 1 /* if the helper finds that a file is read after all, that is newer */

#define SOURCE_BUILDS 8 /* builds remembered here; on more devices some are looked up in the table again */

struct shim_source {
    atomic_uint refs;
    enum req_form form;
    size_t size;
    char *text;                  /* `size` bytes and a NUL; REQ_UNITS: as in request.h */
    char *options;               /* terminated; "" when NULL was passed; REQ_UNITS: those of linking */
    struct shim_source *text_of; /* whose text it is, with a reference; NULL: its own */
    atomic_bool making;          /* a build is under way, of the program that was created with it */
    atomic_bool built; /* some build has noted itself here, or is doing so: the next members are valid */
    uint64_t built_ns; /* CLOCK_REALTIME before the driver read included files, of units the earliest; 0: not
                          built; SOURCE_LONG_AGO: it reads none */
    uint64_t times;    /* hash of built_ns of all units: sources that are equal otherwise may have read other
                          files */
    bool reads_files;  /* set when built: the compiler may read files, which are not part of the text */
    char *cwd; /* if reads_files: the working directory at that time; NULL: not known, or units differ */
    _Atomic(struct shim_build *) build[SOURCE_BUILDS]; /* on devices asked about before (analysis_client.h) */
    atomic_bool left_out;                              /* there was no room for a build of it */
    char bytes[];                                      /* the options, and the text if it is its own */
};

/* Each function that returns a source gives the caller a reference, or NULL when out of memory. */

/* Copies `text` (`size` bytes) and `options`; NULL means "". */
struct shim_source *obj_source_new(enum req_form form, const char *text, size_t size, const char *options);

/* Add a reference (returns s); drop one.  Both accept NULL. */
struct shim_source *obj_source_ref(struct shim_source *s);
void obj_source_drop(struct shim_source *s);

/* Have the two the same text and options? */
bool obj_source_same(const struct shim_source *a, const struct shim_source *b);

/* The strings of clCreateProgramWithSource as one text. */
struct shim_source *obj_source_join(unsigned count, const char **strings, const size_t *lengths);

/* `s` built with options: itself, if this is its first build and there are none; else one that shares its
 * text. */
struct shim_source *obj_source_built(struct shim_source *s, const char *options);

/* `s` compiled with options and headers, ready for linking: a REQ_UNITS source of one unit.  NULL also if
 * there are more headers than a request can hold. */
struct shim_source *obj_source_compiled(const struct shim_source *s, const char *options, unsigned nheader,
                                        struct shim_source *const *header, const char *const *name);

/* Compiled and linked sources (REQ_UNITS) linked with options. */
struct shim_source *obj_source_linked(struct shim_source *const *input, unsigned n, const char *options);

/* A source that was built at another time, in `cwd` (copied; "": not known). */
struct shim_source *obj_source_built_then(enum req_form form, const char *text, size_t size,
                                          const char *options, uint64_t built_ns, const char *cwd);
