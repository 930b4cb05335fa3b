/* launch.h - makes one launch: with the size that was decided on, in parts or as a whole, observed or not. */
#pragma once

#include "shim/enqueue/split.h"

/* Enqueue the whole range with this local size.  The application's own call is made instead if the size is
 * the application's, if launch_may_use_other() says no, or if the driver refuses it.  `watch` (may be NULL)
 * receives the launch's events for samples_watch(): references of ours, except that a `visible` event is the
 * application's.  Its event is NULL if the size was not used. */
cl_int launch_with(const struct launching *l, const size_t local[3], struct site_pending *watch);

/* May the launch use another size than the application's at present?  If not, that is reported once.  The
 * site need not be locked. */
bool launch_may_use_other(const struct launching *l);

/* The same for a variant. */
bool launch_may_vary(const struct launching *l);

/* launch_with() for a size that is not the application's, once launch_may_use_other() has said yes. */
cl_int launch_other(const struct launching *l, const size_t local[3], struct site_pending *watch);

/* Make the application's own call, and time it for the site if possible: always if a sample of it is
 * `wanted`, else one in launch_stride().  Site locked. */
cl_int launch_observed(const struct launching *l, bool wanted);

/* Are launches with the application's own size so short that looking at each would cost?  Site locked. */
bool launch_is_short(const struct launching *l);

/* One in this many launches of the application's own size is timed when none is wanted: 1 for a site's first
 * launches.  Site locked. */
unsigned launch_stride(const struct launching *l);

/* Why this launch must stay whole, a reason's name; NULL: it may be made in parts.  *lasting: the same will
 * hold for later launches of its shape. */
const char *launch_problem(const struct launching *l, bool *lasting);

/* May this launch be made in parts?  If not, a reason that will last is reported, once per shape. */
bool launch_may_split(const struct launching *l);

/* Announce that the launch will be enqueued in parts, until launch_close_parts(): meanwhile other threads
 * that feed the queue wait (queue_sharing.h).  False: it must stay whole.  *cancel is for
 * launch_close_parts(). */
bool launch_open_parts(const struct launching *l, int *cancel);
void launch_close_parts(const struct launching *l, int cancel);
