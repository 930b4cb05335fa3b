/* vary.h - variants of kernels (--variants): when they join a race or are used, and launches with them.
 *
 * The first launches show which arguments change.  Then one variant after another is made, built and verified
 * on copies beside a launch, which waits for that, if the account can pay.  Only then is it used for anything
 * that the application sees. */
#pragma once

#include "shim/site/variant.h"

/* --variants auto: a launch of a race.  Come a step closer to another variant that competes in it, if
 * vary_wants_launches(), or that decides it, if the race compares slices.  True if the launch was made, as a
 * sample of the own size, with its result in *error. Site locked. */
bool vary_race(const struct launching *l, cl_int *error);

/* Does a variant compete in the race, or may one yet?  Then its samples must be whole launches, of which
 * events tell the times.  Site locked. */
bool vary_wants_launches(const struct launching *l);

/* May another variant join, so that a race that is over is not decided yet?  Soon, or however late where
 * groups must stay, so that variants are all that can be tried.  Site locked. */
bool vary_may_join(const struct launching *l);

/* Make the launch as a sample of the race's lane, which is a variant's.  False: nothing was enqueued, because
 * the variant does not do this launch's work.  `watch` (may be NULL) as in launch_with().  Site locked. */
bool vary_measure(const struct launching *l, unsigned lane, struct site_pending *watch);

/* A launch of a decided site.  True: it was made, with the site's variant or beside one that is verified,
 * with its result in *error.  False: nothing was enqueued, and it is to be made with the decided size.  The
 * site is not locked. */
bool vary_launch(const struct launching *l, cl_int *error);

/* The same of the launch in which the site was decided.  Site locked. */
bool vary_launch_decided(const struct launching *l, cl_int *error);

/* Make the launch with the site's variant, if that is used and does this launch's work; `watch` (may be NULL)
 * as in launch_with().  False: nothing was enqueued.  Site locked. */
bool vary_launch_timed(const struct launching *l, struct site_pending *watch);
