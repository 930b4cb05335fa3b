/* guest.c - see guest.h.  Without <fenv.h>, whose functions are in libm. */
#include "shim/guest.h"
#include <pthread.h>
#include <stdatomic.h>

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
}

bool guest_inside(void)
{
    return atomic_load_explicit(&depth, memory_order_relaxed) > 0;
}
