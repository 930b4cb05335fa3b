/* ahead_queue.h - the jobs for clsizer-ahead, and the process that does them: one at a time, while the
 * application runs.  It stays for some seconds, because what it does first takes longest.
 *
 * All functions but those about answers need the queue's lock, which is only tried and never waited for. */
#pragma once

#include "shim/helper/ahead_job.h"
#include "shim/helper/spawn.h"
#include "shim/ledger/runtime.h"

/* ---- answers --------------------------------------------------------------------------------------- */

/* False when there is no readable answer.  `young`: so recent that a process, perhaps another application's,
 * may still add to it. */
bool answer_read(const char *path, struct ahead_answer *a);

static inline bool answer_lists(const struct ahead_answer *a, const size_t local[3])
{
    return launch_among(a->local[0], (size_t)a->n, local);
}

/* ---- jobs ------------------------------------------------------------------------------------------ */

struct queued_job {
    char path[RT_TEMPORARY]; /* the job's file */
    char output[RT_FILE];    /* the answer's */
    struct queued_job *next;
};

bool queue_try_lock(void);
void queue_unlock(void);

/* A job for the answer in this file; the job's is still to be written.  NULL when out of memory. */
struct queued_job *queue_new_job(const char *output);

/* Add a job that was `written`, as the `first` or the last; else drop it, and return false. */
bool queue_add(struct queued_job *job, bool written, bool first);

/* Has the process something to do?  Takes note of what is done, kills a process that takes too long, and
 * takes back what one that is gone has not begun. */
bool queue_is_busy(void);

/* Does the job with this answer wait?  Is it being done? */
bool queue_waits(const char *output);
bool queue_does(const char *output);

/* The CPU time in ns that all jobs of this run will have taken after one more. */
int64_t queue_price_ns(void);

/* Give the process the first job that waits, or the one with this answer.  False if there is none, or if that
 * is not possible: then it is dropped. */
bool queue_go_on(const struct runtime *rt, const char *output);

/* Have the job with this answer done at once, by a process that shares its sizes among so many.  The process;
 * none if one is busy. */
struct spawned queue_together(const struct runtime *rt, const char *output, unsigned workers);

/* At exit: all jobs are left to a process that outlives the application, when it is its turn. */
void queue_leave(const struct runtime *rt);
