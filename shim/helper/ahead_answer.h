/* ahead_answer.h - the files that clsizer-ahead leaves: they are replaced as a whole (ahead_job.h). */
#pragma once

#include "shim/helper/ahead_job.h"

/* Replace the job's answer by one that lists the sizes which are done.  `took_ns` > 0: the CPU time of the
 * dearest.  `worked_ns` >= 0: no more will come, and that of the whole job.  False if it could not be
 * written. */
bool ahead_answer_sizes(const struct ahead_job *j, const bool done[AHEAD_MOST_SIZES], int64_t took_ns,
                        int64_t worked_ns);

/* A program's binary as the answer.  False if it could not be written. */
bool ahead_answer_binary(const char *path, const void *binary, size_t bytes);

/* Let the next run ask again: remove an answer that only says that somebody was asked. */
void ahead_answer_nothing(const char *path);
