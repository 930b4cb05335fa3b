/* idle.h - how much time the cores have had to spare since the program makes launches that are tuned.
 *
 * What another process of ours takes of idle cores slows nobody down.  A program that keeps all cores busy,
 * or beside which others do, has none to spare. */
#pragma once

#include <stdint.h>

/* What two looks compare, in ns: the clock, the CPU time of this process, and how long all cores of the
 * system together have been idle since it was started. */
struct idle_look {
    int64_t wall_ns, own_ns, system_ns;
};

/* CPU time in ns that so many cores had to spare between two looks: neither this process used it nor, as the
 * system says, another one. */
int64_t idle_between(const struct idle_look *begin, const struct idle_look *end, double cores);

/* The same between the first call of this function and now; 0 if the system does not tell, or if nothing may
 * be asked (util_confined()).  It looks every 10 ms at most, which takes 25 us; other calls take 0.03. */
int64_t idle_ns(double cores);
