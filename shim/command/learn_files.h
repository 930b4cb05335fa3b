/* learn_files.h - files of points, as commands look at them. */
#pragma once

#include "shim/ledger/points.h"

#define LEARN_UNUSABLE 2 /* the exit status */

/* Say on stderr what is wrong with a file, or with its line unless that is 0.  LEARN_UNUSABLE. */
int learn_complain(const char *path, unsigned line, int err);

/* Does the file begin as one of points does? */
bool learn_is_points(const char *path);

/* The directory of wisdom that the option --wisdom means; malloc'ed.  NULL if it means a file, or none. */
char *learn_place(const char *wisdom);

/* For `clsizer predict`: the points of the file; NULL: those that races on the described device have left, or
 * on devices of its kind that have no description if it is a generic one; of several the most.  0, -ENOENT if
 * there are none, or another negative errno with a message. */
int learn_for_device(const char *file, const struct device *d, struct learn_points *out);
