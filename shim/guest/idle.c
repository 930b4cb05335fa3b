/* idle.c - see idle.h. */
#include "shim/guest/idle.h"
#include "shim/guest/clock.h"
#include "shim/guest/util.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define LOOK_INTERVAL_NS 10000000 /* a look costs 25 us, and the system counts in hundredths of a second */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t idle_between(const struct idle_look *begin, const struct idle_look *end, double cores)
{
    const int64_t wall = end->wall_ns - begin->wall_ns, own = end->own_ns - begin->own_ns;
    const int64_t spare = least((int64_t)((double)wall * cores) - own, end->system_ns - begin->system_ns);

    return spare > 0 ? spare : 0;
}

/* /proc/uptime: two numbers of seconds with two decimals, of which the second is the sum of all cores. */
static bool read_system(int64_t *ns)
{
    long long seconds, hundredths;
    char text[64];

    util_beginning("/proc/uptime", text, sizeof text);
    if (sscanf(text, "%*d.%*d %lld.%2lld", &seconds, &hundredths) != 2)
        return false;
    *ns = (seconds * 100 + hundredths) * 10000000;
    return true;
}

int64_t idle_ns(double cores)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct idle_look begin;
    static int64_t looked_ns;
    static _Atomic int64_t result;
    struct idle_look now = {.wall_ns = clock_now()};

    if (pthread_mutex_trylock(&lock))
        return atomic_load(&result);
    if (now.wall_ns - looked_ns >= LOOK_INTERVAL_NS && !util_confined()) {
        looked_ns = now.wall_ns;
        now.own_ns = clock_spent();
        if (!read_system(&now.system_ns))
            atomic_store(&result, 0);
        else if (!begin.wall_ns)
            begin = now;
        else
            atomic_store(&result, idle_between(&begin, &now, cores));
    }
    pthread_mutex_unlock(&lock);
    return atomic_load(&result);
}
