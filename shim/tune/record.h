/* record.h - what wisdom is told of a site, and what it knows.
 *
 * The site is locked.  record_decision() and record_open() write in any case; the others only if something is
 * to be written: not with --use-only or --dry-run, nor in the place of a decision that is to be verified. */
#pragma once

#include "shim/site/launching.h"

struct wis_key record_key(const struct shim_site *s);

/* What the user and the program offer for the kernel now; 0: nothing. */
uint64_t record_offers(const struct runtime *rt, const struct shim_site *s);

/* What earlier runs know of the site.  True if they do, and it is not to be decided again. */
bool record_find(const struct runtime *rt, const struct shim_site *s, struct wis_record *out);

/* Continue with what earlier runs have observed, spent and measured. */
void record_go_on(struct shim_site *s, const struct wis_record *r);

/* Write the decision, and what led to it, of a site whose choice and variant are known; `item_ns`: with
 * these. `at_exit`: in time for wis_finish(). */
void record_decision(const struct runtime *rt, struct shim_site *s, const struct prof_decision *d,
                     double item_ns, bool at_exit);

/* Write what is open: a later run continues from there. */
void record_open(const struct runtime *rt, struct shim_site *s, bool at_exit);

/* The same while the program runs, if enough has happened since the last time. */
void record_progress(const struct launching *l);

/* Has so much been spent that wisdom does not know of that it is to be noted at once? */
bool record_owes(const struct shim_site *s);

/* A decided site has got a variant, or one was in vain, or there is none for it.  Where sizes had been left
 * in doubt, a variant ends that. */
void record_varied(const struct launching *l);

/* At exit: what ran while a decided site's variant was looked for counts in the next run. */
void record_searched(const struct runtime *rt, const struct shim_site *s);

/* The variant of this name, which s->before does not know any more, does not work: wisdom is not to know it
 * either. */
void record_without_variant(const struct launching *l, const char *label);
