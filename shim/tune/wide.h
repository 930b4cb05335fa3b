/* wide.h - the variant `wide`: one work-item does the work of several neighbours, as vector code. */
#pragma once

#include "shim/site/variant.h"

/* One of the makers of vary_search.c, which needs neither `steady` nor `local`.
 *
 * The variant for this launch and others of the site.  NULL, and a reason's name in *reason with *detail or
 * NULL, if there is none.  Site locked; its kernel has a summary. */
struct variant *wide_variant(const struct launching *l, uint64_t steady, const size_t local[3],
                             const char **reason, const char **detail);
