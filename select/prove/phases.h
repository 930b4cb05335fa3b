/* phases.h - which accesses of a group's work-items may happen between the same two barriers. */
#ifndef CLSIZER_SELECT_PHASES_H
#define CLSIZER_SELECT_PHASES_H

#include "analysis/summary/summary.h"

/* A phase begins where the kernel does, or at one of its barriers, and ends at the next ones.  All of a group
 * meet there (fact S of the view of a group), so who is in different phases is not there at the same time.  A
 * set of phases has a bit for each beginning. */
struct phases;

/* NULL when out of memory.  To be released with free(). */
struct phases *phases_of(const struct kernel_summary *k);

/* The phases in which instruction v may run; all bits if they cannot be told apart. */
uint64_t phases_at(const struct phases *p, uint32_t v);

#endif
