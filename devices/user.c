/* user.c - what a device's calibrated description is called. */
#include "devices/device.h"

#include <stdio.h>

#define READABLE 48 /* characters of the device's name */

/* FNV-1a (analysis/hash.h has it, too, but this folder needs no other), with a separator after each part. */
static uint64_t hash(uint64_t h, const char *s)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

void dev_user_file(const char *name, const char *vendor, const char *driver, char out[DEV_USER_FILE])
{
    uint64_t h = hash(hash(hash(UINT64_C(0xcbf29ce484222325), name), vendor), driver);
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
