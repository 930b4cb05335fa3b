/* policy.h - what tuning may do to a launch and its site, by the options and by what is known of it. */
#pragma once

#include "shim/site/launching.h"

/* Nanoseconds.  A driver whose first launch with a local size takes longer than that compiles for each
 * size. */
#define POLICY_COMPILES_NS 1000000

/* The effort that is asked for: that of the options, or of the program (clsizerProfile()) where they leave it
 * open. */
enum prof_effort policy_asked(const struct launching *l);

/* May launches of this kernel be measured? */
bool policy_measures(const struct launching *l);

/* The effort for the launch's site: the one asked for, but with `patient` shapes that take a small share of
 * their kernel's time have a budget. */
enum prof_effort policy_effort(const struct launching *l);

/* The profiler's policy according to the options and that effort. */
struct prof_policy policy_of(const struct launching *l);

/* Nanoseconds per work-item with the application's size, as measured.  Before that the model's prediction, if
 * according to it the launch will be measured until its kernel is decided; else 0: unknown. */
double policy_own_item_ns(const struct launching *l);

/* What the driver takes to compile a kernel for one more size, in ns, as was seen at the site, or else as the
 * device's description says, if that is more: its cache makes some compilations cheap, not all. */
double policy_compile_ns(const struct launching *l);

/* Will this launch be measured until its kernel is decided (prof_settles_at_once())? */
bool policy_at_once(const struct launching *l);

/* Cores of a CPU that share what another process takes from one, as far as the program may use them
 * (cores_allowed()): at most four, because a launch takes as long as its slowest core. */
double policy_cores(const struct launching *l);

/* May another process of ours take so much CPU time, in ns?  Yes if that is one part in `share` of what these
 * cores could do since the program began, or no more than they had to spare (idle_ns()).  A device that is no
 * CPU is not slowed down. */
bool policy_has_time(const struct launching *l, int64_t cpu_ns, int share);

/* Do launches on this queue lack event times, so that the host clock must do? */
bool policy_untimed(const struct launching *l);

/* Why the device's driver may be unable to compile here, in words; NULL if nothing seems to prevent it
 * (util_hampered()).  Of CPUs only: other drivers need no programs to compile. */
const char *policy_hampered(const struct launching *l);

/* May the launch use a size that this process has not launched yet, for which the driver may have to compile
 * (util_hampered())?  If not, that is reported, once per shape.  The site need not be locked. */
bool policy_may_compile(const struct launching *l);
