/* report_lines.h - the lines of a report (shim/ledger/report.c). */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct json_object;

/* Does the file begin as a report does? */
bool report_begins(const char *path);

/* What to do with an event, which is borrowed; NULL: the line is damaged.  Anything but 0 ends it all. */
typedef int take_event(struct json_object *event, void *context);

/* Hand over the lines of a report, from byte *at on, which is moved behind them.  *line: the number of the
 * present one, from 1.  A line that is being written is left out.  0, what `take` returned (in place of
 * -EBADMSG -EPROTO if the line is of a newer clsizer), or a negative errno. */
int report_each(const char *path, off_t *at, take_event *take, void *context, unsigned *line);
