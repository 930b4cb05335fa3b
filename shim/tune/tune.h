/* tune.h - how a site comes from its first launch to a decision, stage by stage: analyse.h asks for the
 * analysis, prove.h proves launches, measure.h takes samples, settle.h makes and remembers decisions.
 *
 * Pre, unless said otherwise: l->site is locked. */
#pragma once

#include "shim/site/launching.h"

/* Make a launch of a site that is not decided, advancing the site.  Returns the driver's result. */
cl_int tune_launch(const struct launching *l);
