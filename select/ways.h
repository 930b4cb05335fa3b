/* ways.h - which control-flow paths ("ways") through a kernel can a launch take?  Internal to select/. */
#ifndef CLSIZER_SELECT_WAYS_H
#define CLSIZER_SELECT_WAYS_H

#include "select/select.h"

/* True iff no work-item of the launch can take one of the ways in k->open, on which a variable is used
 * without having a value.  False, with *why set, if one might, and also when out of memory. */
bool sel_ways_closed(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why);

/* The scalar arguments that decide whether one of k->open is taken: bit i for argument i, bit 63 for all from
 * there on.  All bits when out of memory. */
uint64_t sel_ways_arguments(const struct kernel_summary *k);

#endif
