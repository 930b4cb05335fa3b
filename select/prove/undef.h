/* undef.h - can a launch come to where a kernel uses an undefined value?  Internal to select/. */
#pragma once

#include "select/select.h"

/* True iff no work-item of the launch can take one of the edges in k->undef, on which a variable is used
 * without having a value.  False, with *why set, if one might, and also when out of memory. */
bool sel_undef_unreachable(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why);
