/* pocl_widening.h - launches of one kernel that PoCL must not have under way together.
 *
 * PoCL 3.1 keeps code of its own for launches with an offset, and for those that are wider than what it has
 * code for.  When a command ends it looks for the code that it used by kernel and local size alone, and may
 * release that of another one.  An assertion then ends the process (pocl_release_dlhandle_cache()).
 *
 * So where commands can run at the same time, launches stay whole, and those of a kernel whose ranges differ
 * keep their sizes.  That begins with the launch by which the ranges differ, or with the first one in a
 * second queue: it may have the local size of launches under way that we have changed.  Then it waits for
 * them. */
#ifndef CLSIZER_SHIM_ALIKE_H
#define CLSIZER_SHIM_ALIKE_H

#include "shim/enqueue/launch.h"

/* Can the driver run the launch at the same time as others, and must those of one kernel and local size be
 * alike then? */
bool alike_required(const struct launching *l);

/* The launch is about to be enqueued with the local size `local`, which is not the application's, or in parts
 * (all 0: with several sizes).  False: it must not.  If true, alike_end() must follow.  The site need not be
 * locked. */
bool alike_begin(const struct launching *l, enum site_change change, const size_t local[3]);
void alike_end(const struct launching *l, enum site_change change);

/* May launches of the kernel be under way, or about to be, that are changed in such a way? */
static inline bool alike_changed(const struct shim_entry *e)
{
    return atomic_load(&e->changing[SITE_SIZE]) || atomic_load(&e->changing[SITE_PARTS]) ||
           atomic_load(&e->changed[SITE_SIZE]) || atomic_load(&e->changed[SITE_PARTS]);
}

/* The launch is about to be made: wait until those are done that it must not meet. */
void alike_settle(const struct launching *l);

#endif
