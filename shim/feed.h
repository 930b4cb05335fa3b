/* feed.h - which threads put commands into a queue.
 *
 * A launch in parts is several commands.  A second thread that feeds the same queue without asking the first
 * could put its own between them: what should be before or behind the launch would be in its middle.  So a
 * queue remembers the first thread that fed it, and from the first command of another thread on, its launches
 * stay whole.  That one command waits until the parts under way, if any, are all in the queue. */
#ifndef CLSIZER_SHIM_FEED_H
#define CLSIZER_SHIM_FEED_H

#include <stdatomic.h>
#include <stdbool.h>

/* The number of the calling thread, from 1.  Numbers are not used again, unlike pthread_t. */
unsigned long feed_this_thread(void);

/* All 0: nobody has fed the queue.
 *
 * A callback that the driver makes in the first thread, in the middle of a launch in parts, comes too late to
 * keep that launch whole: it makes the queue count as shared from then on. */
struct feed {
    atomic_ulong thread; /* number of the first thread that fed the queue; 0: none yet */
    atomic_bool shared;  /* another one did, too: for good */
    atomic_bool open;    /* the first thread is putting in a launch in parts */
};

/* The calling thread is about to put a command into the queue.  Waits while another one is putting in parts,
 * but no longer than FEED_PATIENCE_NS: the driver might wait for this very thread there. */
void feed_note(struct feed *f);
#define FEED_PATIENCE_NS 500000000

/* The program may put commands into queues in ways that nobody sees. */
void feed_unseen(void);

/* Why launches in this queue stay whole, as a reason; NULL: they need not. */
const char *feed_problem(const struct feed *f);

/* Parts of a launch follow, after feed_note() by the same thread.  False: they must not.  When true, the
 * thread cannot be cancelled (*cancel: what it was) until feed_close(). */
bool feed_open(struct feed *f, int *cancel);
void feed_close(struct feed *f, int cancel);

#endif
