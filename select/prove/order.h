/* order.h - would it show if a driver did not keep the order in which one work-item touches places of an
 * array that lie a few numbers apart?  Internal to select/. */
#pragma once

#include "select/select.h"

/* May a launch on a driver that does not keep it (struct launch, reorders) have other local sizes?
 * `constants`: and its compiler be told the values of arguments?  If not, says why (SEL_R_ORDER).  Pre: where
 * each access lies is proved (sel_disjoint()). */
bool sel_order_kept(const struct kernel_summary *k, const struct launch *l, bool constants,
                    struct sel_verdict *why);
