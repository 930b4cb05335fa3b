/* settle.h - decisions: made from a race, by the model alone or by the user, written to wisdom, and taken
 * over from earlier runs; and what becomes of sizes that do not work.
 *
 * Pre, unless said otherwise: l->site is locked. */
#pragma once

#include "shim/enqueue/launch.h"

/* ---- decisions ------------------------------------------------------------------------------------- */

/* Decide the site's race for a variant that is verified: s->variant_gain and variant_saved_ns say by how
 * much. */
void settle_by_variant(const struct launching *l, struct variant *v, const size_t local[3]);

/* Decide the site by what its race has shown. */
void settle_race(const struct launching *l);

/* Decide by the model alone: for its first choice if that is predicted to be faster than the application's
 * size by more than the margin, else for the application's size. */
void settle_by_model(const struct launching *l);

/* Decide for the size of --sizes (struct shim_entry.asked), or refuse the site if that is not possible.
 * Nothing happens if the launch itself is one that the driver will reject. */
void settle_as_asked(const struct launching *l);

/* ---- wisdom ---------------------------------------------------------------------------------------- */

/* Look the site up in wisdom.  True if an earlier run's decision was taken over: the site is decided.  Else
 * what earlier runs observed and spent is added to the site's account, if wisdom knows it. */
bool settle_recall(const struct launching *l);

/* Write to wisdom what is not decided at exit.  Pre: this thread has no site locked. */
void settle_at_exit(struct runtime *rt);

/* ---- sizes that do not work ------------------------------------------------------------------------ */

/* Refuse a site that is `rejected`, or the kernel of one that is `failed`, in this run and in later ones. */
void settle_give_up(const struct launching *l);

/* Did a launch of the kernel with a size of ours fail in an earlier run?  Then the kernel is refused. */
bool settle_failed_before(const struct launching *l);

/* The program was told of a device failure when it waited.  Every kernel that uses another size than its own
 * at that time is left alone from now on, also by later runs; none is if the program itself has let a user
 * event fail.  Pre: no site is locked. */
void settle_device_failed(struct runtime *rt);
