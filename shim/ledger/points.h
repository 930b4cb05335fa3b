/* points.h - what races have measured, kept for the learned ranking: a file for each device, in the directory
 * of wisdom (the form is described in points.c).
 *
 * All functions accept NULL for the points, of which there are none then, and may be called by several
 * threads at the same time, except pts_close().  They read and write files: a thread that may be cancelled
 * calls them between guest_begin() and guest_end(). */
#pragma once

#include <sys/types.h>
#include "select/learn/judge.h"

#define PTS_HEAD "{\"clsizer-points\":" /* a file begins with it, and WIS_VERSION */
#define PTS_MOST 4096                   /* points of a device */
#define PTS_LINE 640                    /* room for a head */

struct points;

/* Those of a place of wisdom (wis_place()).  Nothing is read.  NULL if that is a file, of which whoever names
 * it expects no others beside it, if there is none, or when out of memory. */
struct points *pts_open(const char *place);

/* Note a race on a device ("name|vendor|driver version"): its line (learn_line()) is taken over; NULL is
 * allowed.  It is written by pts_finish(). */
void pts_add(struct points *p, const char *device, bool is_cpu, char *line);

/* What is learned from the device's points, provided that it pays (learn_pays()), as the file says; else
 * NULL. Read at the first call for the device; valid until pts_close(). */
const struct learned *pts_learned(struct points *p, const char *device, bool is_cpu);

/* Write what was added.  Beyond PTS_MOST points the oldest races go; damaged lines do, too.  `judges`: judge
 * whether learning pays, for which no program's end is the place.  0 or the first negative errno, with the
 * file in *path (owned by the points) unless that is NULL. */
int pts_finish(struct points *p, bool judges, const char **path);

/* Release them; NULL is allowed.  Writes nothing. */
void pts_close(struct points *p);

/* ---- for the command, which looks at files as they are ------------------------------------------------ */

/* What a file's head says. */
struct pts_head {
    bool is_cpu;
    char device[PTS_LINE];
    struct learn_sum sum; /* when it was judged last */
};

/* False if the line is no head. */
bool pts_parse_head(const char *line, struct pts_head *out);

/* The file of a device in a place; malloc'ed, NULL when out of memory. */
char *pts_path(const char *place, const char *device);

/* Names of files end so. */
#define PTS_ENDING ".points"

/* Read a file that belongs to the user or `owner` ((uid_t)-1: as it is) with all its points.  0 or negative
 * errno; -EBADMSG and -EPROTO with the line that it is about in *line.  Release the points. */
int pts_read(const char *path, uid_t owner, struct pts_head *head, struct learn_points *out, unsigned *line);

/* Add all of a file, whoever's it is.  How many races, or as pts_read(): then nothing is added. */
int pts_import(struct points *p, const char *path, unsigned *line);
