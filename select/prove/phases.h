/* phases.h - which accesses of a group's work-items may happen between the same two barriers. */
#pragma once

#include "analysis/summary/summary.h"

/* A phase begins where the kernel does, or at one of its barriers, and ends at the next ones or with the
 * kernel.  All of a group meet there (fact S of the view of a group), so who is in different phases is not
 * there at the same time. */
struct phases;

/* The phases in which something may happen: a bit for each beginning, one for each end. */
struct phase_set {
    uint64_t from, until;
};

/* NULL when out of memory or time (cfg_build()).  To be released with phases_free(). */
struct phases *phases_of(const struct kernel_summary *k);
void phases_free(struct phases *p); /* accepts NULL */

/* The part of instruction v: those between which no barrier stands, and where no other way comes in. */
uint32_t phases_part(const struct phases *p, uint32_t v);

/* The phases in which a part may run; all if they cannot be told apart. */
struct phase_set phases_at(const struct phases *p, uint32_t part);

/* By how many rounds of a loop (index into kernel_summary.loops) is who is in part `a` ahead of who is in
 * part `b` in the same phase?  False if that is not known, or not one number. */
bool phases_ahead(const struct phases *p, uint32_t loop, uint32_t a, uint32_t b, int *by);
