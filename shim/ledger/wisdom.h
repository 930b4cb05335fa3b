/* wisdom.h - decisions remembered between runs: a file of JSON lines.
 *
 * Each line is a record with a checksum, appended by one write() under flock; of several records with one key
 * the last one counts.  Lines that cannot be verified are skipped and counted.  A file that belongs to
 * another user, or that others may write to, is not used.
 *
 * All functions accept NULL for the wisdom, which then knows nothing, and may be called by several threads at
 * the same time, except wis_close(). */
#ifndef CLSIZER_SHIM_WISDOM_H
#define CLSIZER_SHIM_WISDOM_H

#include "profiler/profiler.h"

#define WIS_VERSION 1

/* What a decision is for.  Calls only borrow the strings. */
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
    double item_ns; /* ns per work-item with `local`, from which the saving of later launches is computed;
                       PROF_OPEN: with the own size */
    struct prof_account account;
    struct prof_past past; /* PROF_OPEN: what the unfinished race has shown */
    bool stale; /* set by wis_lookup(): the record is of another driver, model version or global size, so it
                   must be verified */
    char date[24]; /* set by wis_lookup(): when it was stored, ISO 8601 UTC */
};

struct wisdom;

/* Open for reading and appending.  `path`: the user's file, "" for the default place, whose directories are
 * made (0700), "none" to remember in memory only.  `site`: a file of the system's, which is only read; "" for
 * none.  Nothing is read yet.
 *
 * With an unusable file it works in memory; *problem then says why (a static string), and is NULL otherwise.
 * NULL only when out of memory. */
struct wisdom *wis_open(const char *path, const char *site, const char **problem);

/* Find the record of this key; else, as a stale one, that of the nearest global size with everything else
 * equal, or of another driver version.  True if found.  The first call scans the files, later ones what was
 * appended since. */
bool wis_lookup(struct wisdom *w, const struct wis_key *k, struct wis_record *out);

/* Remember the record and append it to the user's file.  0 or negative errno.  Unless that is -ENOMEM or
 * -EINVAL, this process finds the record even if the file could not be written. */
int wis_store(struct wisdom *w, const struct wis_key *k, const struct wis_record *r);

/* How many lines were looked at so far and turned out to be damaged; 0 if another thread is using the
 * wisdom. */
unsigned wis_skipped(struct wisdom *w);

/* Shorten the file if what was stored has made it long (wisdom_file.h).  To be called when the process ends:
 * it takes up to a second for a file of WIS_WINDOW bytes, once in thousands of stores. */
void wis_tidy(struct wisdom *w);

/* Release it; NULL is allowed.  Nothing is left to be written: wis_store() has appended every record. */
void wis_close(struct wisdom *w);

#endif
