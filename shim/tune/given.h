/* given.h - variants that the user offers (--pool): verified like others, but proved by nobody. */
#pragma once

#include "shim/site/variant.h"

/* How many there are for the site's kernel. */
unsigned given_variants(const struct shim_site *s);

/* The number n of these.  NULL when out of memory. */
struct variant *given_variant(const struct launching *l, unsigned n);
