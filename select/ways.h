/* ways.h - which ways through a kernel can a launch take?  Internal to select/. */
#ifndef CLSIZER_SELECT_WAYS_H
#define CLSIZER_SELECT_WAYS_H

#include "select/select.h"

/* True iff no work-item of the launch goes one of the ways in k->open; else *why says so.  False, too, when
 * memory is short. */
bool sel_ways_closed(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why);

#endif
