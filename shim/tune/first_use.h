/* first_use.h - may a local size be used that this site has not used yet?  What was proved is looked at
 * before it counts: the size is first used on copies (verify_size()), where a fault of the driver's compiler,
 * or of ours, harms nobody.
 *
 * Pre: l->site is locked, and the launch is proved. */
#pragma once

#include "shim/tune/verify.h"

/* May the race's lane make the launch, or slices as the one `of` it (NULL: the launch)?  False: not now; or
 * never: what it wrote differs, which was reported, and the program's kernel is left alone from the next
 * launch on (struct shim_site.failed). */
bool first_use(const struct launching *l, unsigned lane, const struct prof_range *of);

/* The same of a size that was chosen without a race.  Nothing is put off: what cannot be looked at now is
 * used. */
bool first_use_unraced(const struct launching *l, const size_t local[3]);
