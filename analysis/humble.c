/* humble.c - see humble.h. */
#include "analysis/humble.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

void humble_begin(void)
{
    const struct sched_param none = {0};
    const struct rlimit no_core = {0, 0};

    sched_setscheduler(0, SCHED_BATCH, &none);
    setpriority(PRIO_PROCESS, 0, 19);
    setrlimit(RLIMIT_CORE, &no_core);
    errno = 0;
}
