/* work.h - how much a launch does, compared with others of its site.
 *
 * Where scalar arguments decide how often a kernel's loops run, or which work-items have something to do,
 * launches of one shape may differ tenfold: a blur of growing radius.  Their times are compared as if each
 * did what the first one did.
 *
 * Pre: l->site is locked. */
#pragma once

#include "shim/site/launching.h"

/* Set l->site->work.now for the launch that is about to be made: what it does relative to the first launch
 * that was asked about, by the model.  1 if its arguments decide nothing, or if memory does, too; below 0 if
 * the model does not say, or would take too long to ask. */
void work_set(const struct launching *l);

/* May launches that do unequal work be among these, of which nobody was asked?  By their times. */
bool work_differs(struct shim_site *s, const int64_t *ns, unsigned n);
