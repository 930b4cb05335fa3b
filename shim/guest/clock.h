/* clock.h - the clock by which the library measures time. */
#pragma once

#include <stdint.h>
#include <time.h>

/* Monotonic clock, nanoseconds. */
static inline int64_t clock_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
