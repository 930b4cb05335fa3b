/* queue_sharing.c - see queue_sharing.h. */
#include "shim/object/queue_sharing.h"
#include <pthread.h>
#include <sched.h>
#include "shim/guest/clock.h"

#define SPIN_NS 100000

static atomic_bool unseen;

unsigned long sharing_this_thread(void)
{
    static atomic_ulong last;
    static _Thread_local unsigned long number;

    if (!number)
        number = atomic_fetch_add(&last, 1) + 1;
    return number;
}

/* Parts take microseconds to put in; a thread that waits for samples of them looks at `shared` meanwhile. */
static void wait_for_parts(struct sharing *f)
{
    const int64_t start = clock_now();
    int64_t waited = 0;
    int cancel;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    while (atomic_load(&f->open) && (waited = clock_now() - start) < SHARING_PATIENCE_NS)
        if (waited < SPIN_NS)
            sched_yield();
        else
            clock_sleep(SPIN_NS / 2);
    atomic_store(&f->open, false); /* or every further command would wait as long */
    pthread_setcancelstate(cancel, &cancel);
}

/* `shared` is written before `open` is read, and in sharing_open() the other way round: one of the two
 * threads sees the other.  A third thread that finds `shared` written must not have read `open` before. */
void sharing_note_unusual(struct sharing *f)
{
    const uintptr_t me = (uintptr_t)__builtin_thread_pointer();
    uintptr_t first = atomic_load_explicit(&f->thread, memory_order_relaxed);

    if (first == me) {
        if (atomic_load_explicit(&f->open, memory_order_relaxed))
            atomic_store(&f->shared, true);
        return;
    }
    if (!first && atomic_compare_exchange_strong(&f->thread, &first, me))
        return;
    if (!atomic_load_explicit(&f->shared, memory_order_acquire))
        atomic_store(&f->shared, true);
    if (atomic_load(&f->open))
        wait_for_parts(f);
}

void sharing_unseen(void)
{
    atomic_store(&unseen, true);
}

bool sharing_has_unseen(void)
{
    return atomic_load(&unseen);
}

const char *sharing_problem(const struct sharing *f)
{
    if (atomic_load(&f->shared))
        return "shared-queue";
    return sharing_has_unseen() ? "unseen-commands" : NULL;
}

bool sharing_open(struct sharing *f, int *cancel)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel);
    atomic_store(&f->open, true);
    if (!sharing_problem(f))
        return true;
    sharing_close(f, *cancel);
    return false;
}

void sharing_close(struct sharing *f, int cancel)
{
    atomic_store(&f->open, false);
    pthread_setcancelstate(cancel, &cancel);
}
