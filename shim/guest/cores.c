/* cores.c - see cores.h. */
#include "shim/guest/cores.h"
#include "shim/guest/util.h"
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LIST_ROOM 4096 /* of /proc/self/cgroup; what is behind that does not count */
#define NAME_ROOM 512  /* of a file; those of longer names are not read */

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* The limit that one group has.  cpu.max holds both numbers of microseconds, or "max" for the first one; of
 * the older files a quota of -1 is none. */
static double quota_of(const char *group)
{
    char name[NAME_ROOM + sizeof "/cpu.cfs_period_us"], text[64];
    double quota = -1, period = 0;

    snprintf(name, sizeof name, "%s/cpu.max", group);
    if (util_beginning(name, text, sizeof text)) {
        if (sscanf(text, "%lf %lf", &quota, &period) != 2)
            return HUGE_VAL;
    } else {
        snprintf(name, sizeof name, "%s/cpu.cfs_quota_us", group);
        util_beginning(name, text, sizeof text);
        sscanf(text, "%lf", &quota);
        snprintf(name, sizeof name, "%s/cpu.cfs_period_us", group);
        util_beginning(name, text, sizeof text);
        sscanf(text, "%lf", &period);
    }
    return quota > 0 && period > 0 ? quota / period : HUGE_VAL;
}

/* The least of a group and those above it; `path` is as the kernel tells it ("/a/b"), and is shortened.  In a
 * container it may be a path outside, of which only the last one above, the container's own, is there. */
static double least_above(const char *mount, char *path)
{
    char group[NAME_ROOM];
    double least = HUGE_VAL;

    for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
        *end = '\0';
        if ((size_t)snprintf(group, sizeof group, "%s%s", mount, path) < sizeof group)
            least = lesser(least, quota_of(group));
    }
    return least;
}

/* Is "cpu" among the controllers of a line of proc/self/cgroup ("4:cpu,cpuacct:/path")? */
static bool counts_cpu(const char *list, size_t size)
{
    const char *at = strstr(list, "cpu");

    while (at && at < list + size && (at[3] != ',' && at[3] != ':'))
        at = strstr(at + 1, "cpu");
    return at && at < list + size && (at == list || at[-1] == ',');
}

double cores_quota(const char *root)
{
    char name[NAME_ROOM], text[LIST_ROOM], *line = text, *rest;
    double least = HUGE_VAL;

    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    util_beginning(name, text, sizeof text);
    while ((line = strtok_r(line, "\n", &rest))) {
        char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        const bool unified = path && path == list + 1;

        if (unified || (path && counts_cpu(list + 1, (size_t)(path - list)))) {
            snprintf(name, sizeof name, "%s/sys/fs/cgroup%s", root, unified ? "" : "/cpu");
            least = lesser(least, least_above(name, path + 1));
        }
        line = NULL;
    }
    return least;
}

static double allowed = 1;

static void count(void)
{
    cpu_set_t set;

    if (!util_confined() && sched_getaffinity(0, sizeof set, &set) == 0)
        allowed = lesser(CPU_COUNT(&set), cores_quota(""));
}

double cores_allowed(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, count);
    return allowed;
}
