/* wisdom.h - decisions remembered between runs: a directory with one small file per program, or a single file
 * (the form is described in wisdom_file.c).
 *
 * All functions accept NULL for the wisdom, which then knows nothing, and may be called by several threads at
 * the same time, except wis_close().  They read and write files: a thread that may be cancelled calls them
 * between guest_begin() and guest_end(). */
#pragma once

#include "profiler/profiler.h"

#define WIS_SITE    "/var/lib/clsizer/wisdom"             /* the system's wisdom, if it is there */
#define WIS_DEFAULT "default place (XDG_DATA_HOME, HOME)" /* how a problem with it begins */
#define WIS_VERSION 1
#define WIS_MOST    4096 /* records in a file of a directory: as many as a process has sites */

/* wis_shape.local_args of a record about all shapes of a kernel.  No hash has this value. */
#define WIS_ALL_SHAPES UINT64_MAX

/* What launches of one shape have in common. */
struct wis_shape {
    unsigned dim;
    size_t global[3], own[3]; /* own: the application's size; all 0 when it passes NULL */
    bool zero_offset;         /* the global offset is zero */
    uint64_t local_args;      /* hash of indices and sizes of __local arguments */
};

/* What a decision is for.  Calls only borrow the strings. */
struct wis_key {
    const char *program; /* hexadecimal hash of source and build options */
    const char *kernel;
    const char *device; /* "name|vendor|driver version" */
    struct wis_shape shape;
};

struct wis_record {
    enum prof_outcome outcome;
    enum prof_mode mode;
    size_t local[3]; /* the size to use: own size when outcome is PROF_NO_GAIN; 0,0,0: driver's choice */
    double gain, noise;
    double item_ns;   /* ns per work-item with `local`, from which the saving of later launches is computed;
                         PROF_OPEN: with the own size */
    unsigned tried;   /* bits, vary_search.c's: what nothing came of so far, while the search goes on */
    bool varied;      /* variants were tried (--variants auto) */
    uint64_t offers;  /* pool_hash() then */
    char variant[64]; /* the name of the one that won; "": none did.  What follows is its */
    size_t variant_local[3];
    double variant_gain;   /* against the program's launch */
    uint64_t variant_text; /* hash of its text: another text must be verified anew */
    struct prof_account account;
    struct prof_past past; /* PROF_OPEN: what the unfinished race has shown; PROF_NO_GAIN: only `doubts`, as
                              in struct prof_decision */
    const char
        *executable; /* wis_line(): the program that made the record; NULL: not known.  Not read back */
    bool stale; /* set by wis_lookup(): the record is of another driver, model version or global size, so it
                   must be verified */
};

struct wisdom;

/* `path`: the user's wisdom: a directory that exists, else a single file for all programs, which is made when
 * something is stored.  "" for the default place: a directory, made with those above it (0700).  "none" to
 * remember in memory only.  `site`: the system's wisdom, a file or directory that is only read; "" for
 * WIS_SITE, "none" for none.
 *
 * What cannot be used is left untouched; *problem then says why ("PATH: is not wisdom"), as text that belongs
 * to the wisdom, and is NULL otherwise.  NULL only when out of memory.  Of directories nothing is read yet.
 */
struct wisdom *wis_open(const char *path, const char *site, const char **problem);

/* Find the record of this key; else, as a stale one, that of the nearest global size with everything else
 * equal, or of another driver version.  True if found.  What other processes have stored is seen. */
bool wis_lookup(struct wisdom *w, const struct wis_key *k, struct wis_record *out);

/* How many decisions are known about the program, those of the system's included. */
unsigned wis_decided(struct wisdom *w, const char *program);

/* Remember the record and write its file.  If `later`, that is left to wis_finish(), and with large files to
 * one store in several.  0 or negative errno.  Unless that is -ENOMEM, this process finds the record even if
 * the file could not be written, and tries that again at the next store of the program and in wis_finish().
 */
int wis_store(struct wisdom *w, const struct wis_key *k, const struct wis_record *r, bool later);

/* When the process ends: write what is not written yet.  Then `tell` of every file that could not be used
 * (`error`: negative errno, of wis_words()) or has damaged lines (0), with words that name it.  Does nothing
 * if another thread is using the wisdom: the process may end in a signal handler. */
typedef void wis_tell(int error, const char *detail, void *context);
void wis_finish(struct wisdom *w, wis_tell *tell, void *context);

/* The user's own place (wis_place()), as long as the wisdom is open; NULL if it has none. */
const char *wis_own_place(const struct wisdom *w);

/* Release it; NULL is allowed.  Writes nothing. */
void wis_close(struct wisdom *w);
