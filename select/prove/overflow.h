/* overflow.h - does what the language leaves open about integers show in a launch's results?  Internal to
 * select/.
 *
 * A sum that must not wrap around, and does, is wrapped in one version of a driver's code and computed with
 * more bits in another: which, decides the local size.  No more than its lowest bits are the same. */
#pragma once

#include "select/select.h"

/* True iff no work-item of the launch can make an integer overflow, divide by 0 or shift by the width or more
 * in a way that shows.  False, with *why set, if one might, and also when out of memory. */
bool sel_overflow_hidden(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why);

/* May the language leave open what the instruction computes? */
bool sel_may_be_open(const struct sum_insn *in);
