/* vary_worth.h - what a variant costs, what is known of it already, and whether the account can pay. */
#pragma once

#include "shim/site/variant.h"

/* Time that a launch takes as decided or, before that, as the program asks, and the program's own, in ns; 0:
 * not known. */
double vary_present_ns(const struct shim_site *s, double *own);

/* Kernel time that the site has taken, as far as it is known, in ns. */
double vary_seen_ns(const struct shim_site *s);

/* The part of the time that a variant may save of which nothing is known but that its kind was never seen to
 * take less than `least` of the kernel's own: half of what is left between that and what is in the race
 * already, and the less is left, the less likely is any gain.  Where the driver makes vectors itself there is
 * half as much to hope for, and what memory takes remains. */
double vary_hope(const struct shim_site *s, double least);

/* Does a launch take so long that a variant may be worth while? */
bool vary_is_long(const struct shim_site *s);

/* What an earlier run measured of it, with its best size, and so verified; NULL: nothing. */
const struct prof_evidence *vary_evidence(const struct shim_site *s, const struct variant *v);

/* Did an earlier run verify it, and is that enough? */
bool vary_is_known(const struct launching *l, const struct variant *v);

/* It was verified at this shape, where it takes so much of the time; 0: it differs, so that no shape's
 * verification serves another one. */
void vary_lend(const struct launching *l, const struct variant *v, const size_t local[3], double relative);

/* The time that the same text took at another shape of the kernel, where it was verified with this size:
 * that is the same code, and does the same if the driver does not lose rounds in some shapes.  0: it was not,
 * or that is not enough. */
double vary_borrow(const struct launching *l, const struct variant *v, const size_t local[3]);

/* --variants auto: is the variant, or the next one if `v` is NULL, worth its cost?  If it halves the time, or
 * takes what it did in earlier runs, as many launches again as were seen must gain that several times, unless
 * the budget has it (prof_may_spend()).  What was measured, and is not only hoped for, may pay for itself
 * within this run and launch, however much was spent.  `borrowed`: vary_borrow(), if that was asked. */
bool vary_may_pay(const struct launching *l, struct variant *v, double borrowed);

/* Enter what building the variant took since it was last entered. */
void vary_charge_build(struct shim_site *s, struct variant *v);
