/* vary.h - gives a decided site a variant (--variants), and makes launches with it. */
#ifndef CLSIZER_SHIM_VARY_H
#define CLSIZER_SHIM_VARY_H

#include "shim/site/variant.h"

/* A launch of a decided site.  True: it was made with the site's variant.  False: nothing was enqueued, and
 * it is to be made with the decided size.  Meanwhile the site may come a step closer to a variant: the first
 * launches show which arguments change; then the variant is built and verified, for which that launch waits.
 * The site is not locked. */
bool vary_launch(const struct launching *l);

/* Give the site this variant, for the decided size, if it builds and is verified.  False: it is not used; the
 * reason was reported.  *later: ask again at a later launch.  Site locked, and decided. */
bool vary_adopt(const struct launching *l, struct variant *v, bool *later);

#endif
