/* limits.h - which local sizes a launch can have at all: the limits of the device, of the driver for the
 * kernel, and of the stack on which a CPU driver runs a group.
 *
 * Pre: l->site is locked. */
#pragma once

#include "shim/enqueue/launch.h"

/* Set the site's max_items, the largest group of the kernel that the driver and the stack allow, in
 * work-items; at least 1; `usual`, the size that the launch has without us; and `classes`.  Asks the driver,
 * so once per site is enough. */
void limits_ask(const struct launching *l);

/* Where the driver chooses the size (all 0), set it to one that is compiled as its choice is, if `few` says
 * that it makes a difference and that is known: a range that can be divided into groups of twice as many gets
 * such or larger ones (DRV_MAY_ABORT). */
void limits_stand_in(const struct sel_classes *classes, const size_t global[3], size_t size[3]);

/* Would the driver accept this size for this kernel and launch, as far as can be told without trying?  All 0:
 * the driver's choice.  Pre: limits_ask(). */
bool limits_legal(const struct launching *l, const size_t local[3]);

/* Does the driver run the same code with this size as with the program's own, as far as is known?  Always,
 * except on drivers with classes of sizes (drv_classes()).  Pre: limits_ask(). */
bool limits_same_code(const struct launching *l, const size_t local[3]);

/* Likewise of two sizes of another kernel: does what was verified with the one hold for the other?  The
 * driver's choice (all 0) is like nothing else there. */
bool limits_alike(const struct launching *l, const size_t a[3], const size_t b[3]);

/* Does the program's launch run in vectors of work-items and in nothing else, as far as the driver tells?
 * Asks it, so not often.  Pre: limits_ask(). */
bool limits_in_vectors(const struct launching *l);

/* The most work-groups that a launch may have along dimension d with a size of ours; SIZE_MAX: any number. */
size_t limits_most_groups(const struct launching *l, unsigned d);
