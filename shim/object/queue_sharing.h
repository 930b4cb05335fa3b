/* queue_sharing.h - which threads put commands into a queue.
 *
 * A launch in parts is several commands.  A second thread that feeds the same queue without synchronising
 * with the first could put its own commands between them: what should run before or after the launch would
 * run in its middle.  So a queue remembers the first thread that fed it, and from the first command of
 * another thread on, its launches stay whole.  That one command waits until the parts under way, if any, are
 * all enqueued. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The number of the calling thread, from 1.  Unlike pthread_t, numbers are never reused. */
unsigned long sharing_this_thread(void);

/* One per queue; all 0: nobody has fed it.
 *
 * If the driver calls back in the first thread while that is enqueueing a launch in parts, it is too late to
 * keep the launch whole; the queue counts as shared from then on. */
struct sharing {
    atomic_uintptr_t thread; /* the first thread that fed the queue; 0: none yet.  Where its thread-local data
                                is: that costs a launch nothing to tell.  A later thread in the place of one
                                that has ended counts as the same, and cannot disturb it */
    atomic_bool shared;      /* another one did, too: for good */
    atomic_bool open;        /* the first thread is enqueueing a launch in parts */
};

void sharing_note_unusual(struct sharing *f); /* for sharing_note(), when it is not the first thread alone */

/* The calling thread is about to put a command into the queue.  Waits while another thread is enqueueing
 * parts, but no longer than SHARING_PATIENCE_NS, because the driver might be waiting for this very thread
 * there.
 */
static inline void sharing_note(struct sharing *f)
{
    if (atomic_load_explicit(&f->thread, memory_order_relaxed) != (uintptr_t)__builtin_thread_pointer() ||
        atomic_load_explicit(&f->open, memory_order_relaxed))
        sharing_note_unusual(f);
}
#define SHARING_PATIENCE_NS 500000000

/* From now on the program may put commands into queues through functions that are not intercepted. */
void sharing_unseen(void);
bool sharing_has_unseen(void); /* may it? */

/* Why launches in this queue must stay whole, a reason's name; NULL: they need not. */
const char *sharing_problem(const struct sharing *f);

/* Begin to enqueue parts of a launch; sharing_note() was called by the same thread before.  False: the launch
 * must stay whole.  If true, the thread cannot be cancelled until sharing_close(), which restores the state
 * in *cancel. */
bool sharing_open(struct sharing *f, int *cancel);
void sharing_close(struct sharing *f, int cancel);
