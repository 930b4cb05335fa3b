/* widening.h - launches of one kernel that a driver must not have under way together.
 *
 * One that confuses them (DRV_CONFUSES_LAUNCHES) keeps code of its own for launches with an offset, and for
 * those that are wider than what it has code for.  When a command ends it looks for the code that it used by
 * kernel and local size alone, and may release that of another one.  An assertion then ends the process.
 *
 * So where commands can run at the same time, launches stay whole, and those of a kernel whose ranges differ
 * keep their sizes.  That begins with the launch by which the ranges differ, or with the first one in a
 * second queue: it may have the local size of launches under way that we have changed.  Then it waits for
 * them. */
#pragma once

#include "shim/site/launching.h"

/* Can the driver run the launch at the same time as others of the kernel, and must those of one kernel and
 * local size be alike then? */
bool widening_possible(const struct launching *l);

/* Might the launch run together with one of another shape, so that neither must have a size that it does not
 * have from the application?  The site need not be locked. */
bool widening_forbids(const struct launching *l);

/* The same for a variant.  Its range may be the program's divided along one dimension: of two that are
 * equally wide one may be wider then.  Variants meet each other alone, so none waits. */
bool widening_forbids_variants(const struct launching *l);

/* The launch is about to be enqueued with the local size `local`, which is not the application's, or in parts
 * (all 0: with several sizes).  False: it must not.  If true, widening_end() must follow.  The site need not
 * be locked. */
bool widening_begin(const struct launching *l, enum site_change change, const size_t local[3]);
void widening_end(const struct launching *l, enum site_change change);

/* May launches of the kernel be under way, or about to be, that are changed in such a way? */
static inline bool widening_changed(const struct shim_entry *e)
{
    return atomic_load(&e->changing[SITE_SIZE]) || atomic_load(&e->changing[SITE_PARTS]) ||
           atomic_load(&e->changed[SITE_SIZE]) || atomic_load(&e->changed[SITE_PARTS]);
}

/* The launch is about to be made: wait until those are done that it must not meet. */
void widening_settle(const struct launching *l);
