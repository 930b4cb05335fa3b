/* subject.h - one candidate, looked at on its own. */
#pragma once

#include "select/time/estimate.h"

struct subject {
    struct sel_work *w;
    struct sel_estimate estimate;
    struct candidate c;
    struct est_case e;
};

/* Estimate the candidate; a time that it has already, by whichever estimator, stays its time.  0 or a
 * negative errno; subject_close() whatever the result. */
int subject_open(const struct kernel_summary *k, const struct launch *l, const struct device *d,
                 const struct candidate *c, struct subject *s);
void subject_close(struct subject *s);

/* The same candidate if memory were as `y` says, with the model's time of that. */
int subject_transposed(const struct subject *s, const struct trace_layout *y, struct subject *out);

/* The warps that most of the launch consists of; NULL: there are none. */
const struct est_trace *subject_usual(const struct subject *s);
