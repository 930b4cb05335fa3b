/* sandbox.h - running a kernel without touching what the application sees: a private kernel object whose
 * written buffers are copies ([D] hybrid and swap-based profiling).  The copies never become the originals:
 * another thread may have written other parts of them meanwhile, through the same queue.
 *
 * Made for one launch and released with it; commands still under way keep what they need.  The site is
 * locked, and hazard_may_wait(). */
#pragma once

#include "shim/enqueue/launch.h"

#define SANDBOX_COPIES   16
#define SANDBOX_DRAIN_NS 20000000 /* sandbox_drain(), at each of many launches */

struct sandbox {
    cl_kernel kernel; /* NULL: none */
    unsigned n;
    struct {
        cl_mem original, copy;
        size_t size;       /* bytes */
        size_t begin, end; /* of these the launch touches at most so many; the copy has them alone */
        bool unread;       /* the program's kernel writes it, and does not read it */
    } buffer[SANDBOX_COPIES];
};

/* Why the launch cannot run on copies, NULL if it can: written images, written buffers that overlap other
 * arguments, more bytes than the option allows, arguments that were not seen.  `all`: of buffers that the
 * program's kernel does not write, too, since another kernel might.  Static string. */
const char *sandbox_problem(const struct launching *l, bool all);

/* How many bytes would be copied; not only those that the program's kernel touches if `all` are. */
uint64_t sandbox_bytes(const struct launching *l, bool all);

/* Make kernel and copies, `all` as in sandbox_bytes(); false, and nothing is left behind, when the driver
 * refuses.  Pre: sandbox_problem() is NULL. */
bool sandbox_open(struct sandbox *b, const struct launching *l, bool all);

/* The same without the kernel. */
bool sandbox_copies(struct sandbox *b, const struct launching *l, bool all);

/* Is all done that was enqueued before the launch, or soon enough?  With one that takes longer it is not
 * worth it: another launch will come. */
bool sandbox_drain(const struct launching *l, int64_t patience_ns);

/* Enqueue copies of the originals as they are when the queue gets there; or of the copies in `from`, of the
 * same launch.  *filled is
 * the caller's and completes last.  False when the driver refuses; what it took concerns the copies only. */
bool sandbox_fill(const struct sandbox *b, const struct sandbox *from, const struct launching *l,
                  cl_event *filled);

/* Fill the copies of what the program's kernel does not read with what it will hardly write, and wait.  A
 * program that makes the same launch again has there what is to be written: a kernel that writes nothing
 * would leave the same.  False: the driver cannot (before OpenCL 1.2). */
bool sandbox_blank(const struct sandbox *b, const struct launching *l);

/* Wait for a command for so long.  Its status; CL_QUEUED: it is not done. */
cl_int sandbox_wait(const struct launching *l, cl_event done, int64_t patience_ns);

/* The same, and release its event. */
cl_int sandbox_finish(const struct launching *l, cl_event done, int64_t patience_ns);

/* Have `kernel`, whose arguments are those of the launch, work on the copies as well. */
bool sandbox_redirect(const struct sandbox *b, const struct launching *l, cl_kernel kernel);

/* Release what was made; nothing when that is nothing. */
void sandbox_close(struct sandbox *b);
