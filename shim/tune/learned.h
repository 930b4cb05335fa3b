/* learned.h - what races have measured, and what is learned from it (select/learn). */
#pragma once

#include "shim/enqueue/launch.h"

/* Put the n sizes of the short list, of which the own one is the first, in the order of what the model and
 * what was learned say, where that pays.  True if that was done.  What it takes is charged to the site, which
 * is locked. */
bool learned_order(const struct launching *l, struct candidate *list, unsigned n);

/* Instead of the model's times those that are learned, in no unit, where that pays.  False: it does not. */
bool learned_times(const struct launching *l, struct candidate *list, unsigned n);

/* Note what the site's race has measured.  Pre: it has its candidates; site locked. */
void learned_note(const struct runtime *rt, const struct shim_site *s);
