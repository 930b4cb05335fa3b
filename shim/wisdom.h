/* wisdom.h - decisions remembered between runs: a file of JSON lines.
 *
 * One self-contained record per line with a checksum, appended by one write() under flock; later records
 * replace earlier ones with the same key.  Lines that cannot be verified are skipped and counted.
 * Thread-safe.  Files of another owner, or reached through another user's symbolic link, are not trusted. */
#ifndef CLSIZER_SHIM_WISDOM_H
#define CLSIZER_SHIM_WISDOM_H

#include "profiler/profiler.h"

#define WIS_VERSION 1

/* What a decision is for.  Strings are borrowed in calls. */
struct wis_key {
    const char *program; /* hexadecimal hash of source and build options */
    const char *kernel;
    const char *device; /* "name|vendor|driver version" */
    unsigned dim;
    size_t global[3];
    bool zero_offset;    /* the launch's global offset is zero */
    size_t own[3];       /* the application's size; 0,0,0 when it passes NULL */
    uint64_t local_args; /* hash of indices and sizes of __local arguments */
};

struct wis_record {
    enum prof_outcome outcome;
    enum prof_mode mode;
    size_t local[3]; /* the size to use: own size when outcome is PROF_NO_GAIN; 0,0,0: driver's choice */
    double gain, margin, noise;
    double item_ns; /* per work-item with `local`: what it saves is reckoned from that; PROF_OPEN: with the
                       own size */
    struct prof_account account;
    struct prof_past past; /* PROF_OPEN: what the unfinished race has shown */
    bool stale;            /* out: driver or model version differs, or found by nearest size: verify */
    char date[24];         /* out: ISO 8601 UTC */
};

struct wisdom;

/* Open for reading and appending.  path "" = the default place, created 0700; "none" = in memory only.
 * site may be "" (none).  Never fails: with an unusable file it works in memory, and *problem (static string)
 * says why, NULL otherwise.  Reads nothing yet. */
struct wisdom *wis_open(const char *path, const char *site, const char **problem);

/* Exact match, else the nearest global size with everything else equal (stale set).  True if found.  The
 * first call scans the files, later ones what was appended since. */
bool wis_lookup(struct wisdom *w, const struct wis_key *k, struct wis_record *out);

/* Remember and append.  0 or negative errno (the record is remembered in memory anyway). */
int wis_store(struct wisdom *w, const struct wis_key *k, const struct wis_record *r);

/* Lines that had to be looked at so far, and were no sound records. */
unsigned wis_skipped(struct wisdom *w); /* NULL-safe */

/* Shorten the file, when what was stored made it long (wisdom_file.h).  For the end of the process: takes up
 * to a second for a file of WIS_WINDOW bytes, once in thousands of stores. */
void wis_tidy(struct wisdom *w); /* NULL-safe */

void wis_close(struct wisdom *w); /* NULL-safe */

#endif
