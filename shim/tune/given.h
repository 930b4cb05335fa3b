/* given.h - variants that the user offers (--pool): verified like others, but proved by nobody. */
#ifndef CLSIZER_SHIM_GIVEN_H
#define CLSIZER_SHIM_GIVEN_H

#include "shim/site/variant.h"

/* How many there are for the site's kernel. */
unsigned given_variants(const struct shim_site *s);

/* The number n of these.  NULL when out of memory. */
struct variant *given_variant(const struct launching *l, unsigned n);

#endif
