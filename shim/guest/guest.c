/* guest.c - see guest.h.  Does without <fenv.h>, because its functions are in libm. */
#include "shim/guest/guest.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "shim/guest/util.h"

#define ROOMY_STACK (256u << 10) /* bytes: enough for proofs and the model */

static _Thread_local atomic_uint depth; /* signal handlers look at it */

#if defined(__x86_64__)

#define MXCSR_MASKS 0x1f80ul /* an exception whose bit is set does not trap */

static void silence(struct guest *g)
{
    g->control = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr((unsigned)(g->control | MXCSR_MASKS));
}

static void restore(const struct guest *g)
{
    __builtin_ia32_ldmxcsr((unsigned)g->control);
}

#elif defined(__aarch64__)

#define FPCR_TRAPS 0x9f00ul

static void silence(struct guest *g)
{
    __asm__ volatile("mrs %0, fpcr" : "=r"(g->control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(g->flags));
    __asm__ volatile("msr fpcr, %0" : : "r"(g->control & ~FPCR_TRAPS));
}

static void restore(const struct guest *g)
{
    __asm__ volatile("msr fpsr, %0" : : "r"(g->flags));
    __asm__ volatile("msr fpcr, %0" : : "r"(g->control));
}

#else

static void silence(struct guest *g)
{
    g->control = g->flags = 0;
}

static void restore(const struct guest *g)
{
    (void)g;
}

#endif

void guest_begin(struct guest *g)
{
    g->error = errno;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancel);
    silence(g);
    atomic_fetch_add_explicit(&depth, 1, memory_order_relaxed);
}

void guest_end(const struct guest *g)
{
    int cancel;

    atomic_fetch_sub_explicit(&depth, 1, memory_order_relaxed);
    restore(g);
    pthread_setcancelstate(g->cancel, &cancel);
    errno = g->error;
}

bool guest_inside(void)
{
    return atomic_load_explicit(&depth, memory_order_relaxed) > 0;
}

/* ---- the stack ------------------------------------------------------------------------------------ */

/* The bounds of the calling thread's own stack; both 1 when they cannot be told. */
static void find_stack(uintptr_t *begin, uintptr_t *end)
{
    pthread_attr_t attr;
    size_t size = 0;
    void *base;

    *begin = *end = 1;
    if (pthread_getattr_np(pthread_self(), &attr))
        return;
    if (pthread_attr_getstack(&attr, &base, &size) == 0) {
        *begin = (uintptr_t)base;
        *end = *begin + size;
    }
    pthread_attr_destroy(&attr);
}

bool guest_has_stack(void)
{
    static _Thread_local uintptr_t begin, end; /* 0: not known yet */
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const int error = errno;

    if (!end && !util_confined()) /* finding the main thread's stack means reading a file */
        find_stack(&begin, &end);
    errno = error;
    return here < end && here >= begin && here - begin >= ROOMY_STACK;
}
