/* outcome.h - what became of a program's launches, from the report that it writes (shim/ledger/report.c). */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct json_object;

/* Where a program that is started next reports: the file that the user asked for, or one of our own. */
struct outcome_file {
    char path[PATH_MAX];
    bool temporary;
    off_t seen; /* bytes that are of earlier runs */
};

/* A kernel with one global and own size on one device.  In a run of several processes, what the last of them
 * said. */
struct outcome_shape {
    struct outcome_shape *next;
    char *key; /* owned; what tells it from others */
    char kernel[64], global[48], own[48];
    bool open;                     /* it is not settled */
    char reason[32];               /* why, or why it is left alone */
    double samples;                /* open: how many its race has */
    double measured;               /* open: which part of its sizes was measured */
    double launches;               /* 0: not told */
    double own_us;                 /* of one launch as the program asks for it; 0: unknown */
    double now_us;                 /* ... as it is made now; 0: unknown */
    double kernel_us;              /* of all launches, in all processes; 0: unknown */
    struct json_object *arguments; /* the last event "arguments", owned; NULL: there is none */
    unsigned line;                 /* ... where it stands */
};

/* Have the next program report.  0, or an exit code with a message. */
int outcome_begin(struct outcome_file *f);

/* What programs have reported since the last time: a list, the first one first.  NULL if that is nothing.
 * Damaged lines are left out. */
struct outcome_shape *outcome_read(struct outcome_file *f);

/* All of a report: the list in *out.  0; -EBADMSG or -EPROTO: *line is damaged, of a newer clsizer; or
 * another negative errno. */
int outcome_read_all(const char *path, struct outcome_shape **out, unsigned *line);
void outcome_free(struct outcome_shape *list);

/* Remove a file of our own. */
void outcome_end(const struct outcome_file *f);
