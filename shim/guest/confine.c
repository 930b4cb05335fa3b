/* confine.c - notices a program that forbids itself system calls.
 *
 * Whether there is a filter only the system can tell, and a filter may end the process for that very
 * question. But a process without privileges has to give up gaining any before it may add a filter, which it
 * does by prctl(), as libseccomp does: so preloading puts a prctl() of ours in front of the C library's. */
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "shim/guest/util.h"

typedef int prctl_function(int, unsigned long, unsigned long, unsigned long, unsigned long);
static prctl_function *behind;

#pragma GCC diagnostic ignored "-Wpedantic" /* dlsym returns functions as data pointers */

/* Children call prctl() between fork and exec, where dlsym() could wait for ever. */
__attribute__((constructor)) static void look_up(void)
{
    behind = (prctl_function *)dlsym(RTLD_NEXT, "prctl");
}

__attribute__((visibility("default"))) int prctl(int option, ...)
{
    unsigned long a[4];
    va_list list;

    va_start(list, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP)
        util_expect_filter();
    return behind ? behind(option, a[0], a[1], a[2], a[3])
                  : (int)syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}
