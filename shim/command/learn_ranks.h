/* learn_ranks.h - what reports of programs tell of the model's estimators. */
#pragma once

/* Print where each estimator had the sizes that won.  0; -EBADMSG, in *line, or another negative errno. */
int learn_ranks(const char *path, unsigned *line);
