/* gcd.h - the greatest common divisor. */
#ifndef CLSIZER_SELECT_GCD_H
#define CLSIZER_SELECT_GCD_H

#include <stdint.h>

/* That of a and 0 is a. */
static inline uint64_t sel_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
