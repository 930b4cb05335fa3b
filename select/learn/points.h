/* points.h - sizes that were measured, and how they are written: a line for each race.
 *
 *   {"kernel":"gemm","program":"0f..","shape":"0f..","sizes":[[64,4,1,3,1000,10001,..],..],"own":true}
 *
 * own: the first size is the program's own, which is measured at any rate.  A size is its extents, how many
 * samples it has, its time by the fastest of the race in thousandths, and its features (struct candidate: x).
 * All are integers: the same in every locale, and quickly read.  Pure functions. */
#pragma once

#include "select/select.h"

#define LEARN_LINE    "{\"kernel\":\""
#define LEARN_SIZES   256                /* of a race, at most */
#define LEARN_MEMBERS (5 + SEL_FEATURES) /* of a size */

struct learn_point {
    uint16_t x[SEL_FEATURES];
    uint32_t time;                    /* by the fastest of its race, thousandths: 1000 or more */
    uint64_t kernel, program, launch; /* hashes: its name, its program, and all that the race was about */
    unsigned race;                    /* from 0 */
    bool own;                         /* the program's own size */
};

/* Those of a race follow each other.  All 0: none. */
struct learn_points {
    struct learn_point *point; /* owned */
    unsigned n, room, races;
};

struct learn_size {
    size_t local[3];
    unsigned samples;
    double time; /* in any unit, > 0 */
    const uint16_t *x;
};

/* The line of a race; malloc'ed.  `program`: the hash of its text and options; `shape`: the launch's; `own`:
 * the first size is the program's own.  NULL if there is nothing to compare, if the name would have to be
 * quoted, or when out of memory. */
char *learn_line(const char *kernel, const char *program, uint64_t shape, bool own,
                 const struct learn_size *s, unsigned n);

/* How many bytes of a line say what the race was about; 0 if it is no such line. */
size_t learn_key(const char *line);

/* How many sizes a line has; 0 if it is damaged. */
unsigned learn_count(const char *line);

/* Add those of a line.  0, -EBADMSG if it is damaged, or -ENOMEM: then nothing is added. */
int learn_add(struct learn_points *p, const char *line);
void learn_points_free(struct learn_points *p);

/* The hash of a launch, as in struct learn_point. */
uint64_t learn_launch(const char *kernel, const char *program, uint64_t shape);

/* Where the race that begins at point `begin` ends. */
static inline unsigned learn_end(const struct learn_points *p, unsigned begin)
{
    unsigned end = begin;

    while (end < p->n && p->point[end].race == p->point[begin].race)
        end++;
    return end;
}

/* Kernels of different names. */
unsigned learn_kernels(const struct learn_points *p);
