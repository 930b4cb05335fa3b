/* learn_report.h - what the points of a device tell, for people. */
#pragma once

#include "shim/ledger/points.h"

/* Print on stdout how the model, what is learned from the points, and both order sizes, whether learning
 * pays, and what each feature tells.  0 or -ENOMEM. */
int learn_report(const char *device, const struct learn_points *p);
