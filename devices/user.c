/* user.c - what a device's calibrated description is called. */
#include "devices/device.h"

#include "analysis/summary/hash.h"

#include <stdio.h>
#include <string.h>

#define READABLE 48 /* characters of the device's name */

/* With a separator after each part. */
static uint64_t hash(uint64_t h, const char *s)
{
    return hash64(hash64(h, s, strlen(s)), "\xff", 1);
}

void dev_user_file(const char *name, const char *vendor, const char *driver, char out[DEV_USER_FILE])
{
    uint64_t h = hash(hash(hash(HASH64_START, name), vendor), driver);
    char readable[READABLE + 1];
    size_t n = 0;

    for (const char *s = name; *s && n < READABLE; s++) {
        bool plain = (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
        if (plain || (n > 0 && readable[n - 1] != '-'))
            readable[n++] = plain ? *s : '-';
    }
    readable[n] = 0;
    snprintf(out, DEV_USER_FILE, "%s%s%016llx.dev", readable, n && readable[n - 1] != '-' ? "-" : "",
             (unsigned long long)h);
}
