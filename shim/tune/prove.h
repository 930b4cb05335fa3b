/* prove.h - is it proved that the local size cannot change what this launch computes?
 *
 * What select/prove/judge.c proves depends on the launch's arguments, which programs may change at every
 * launch.  A site remembers by hashes (arguments.h) for which arguments its proof holds, and proofs are
 * repeated only as far as they are worth their cost. */
#pragma once

#include "shim/site/arguments.h"
#include "shim/enqueue/launch.h"

/* Is this launch proved: may it have another local size, or at least another kernel (sel_proof.groups)?  If
 * so, s->proof is about this launch and not an earlier one with other arguments: that those may be run twice,
 * for example, says nothing about these.  Of failing proofs one is reported; a site with many of them is left
 * alone.  Site locked; its kernel has a summary. */
bool prove_launch(const struct launching *l);

/* Did a proof for these arguments fail?  Then its times say nothing of launches that may be changed. */
bool prove_failed(const struct launching *l);

/* Does what was proved for the site also hold for this launch, with its arguments?  If that must be proved
 * anew it is, as far as proofs are worth their cost.  The site need not be locked. */
bool prove_holds(const struct launching *l);

/* Must groups stay as they are, whatever the arguments, so that only another kernel can be tried?  The site's
 * kernel has a summary. */
bool prove_keeps_groups(const struct shim_site *s);

/* May the program's kernel have this size in such a launch?  One that does not divide the range needs main
 * and tail launches.  All 0: the driver's choice, which needs none.  Where groups must stay, only the
 * program's own. */
bool prove_size(const struct sel_proof *p, const size_t local[3], const struct launch *shape);
