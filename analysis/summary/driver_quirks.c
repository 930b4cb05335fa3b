/* driver_quirks.c - see driver_quirks.h. */
#include "analysis/summary/driver_quirks.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(DRV_QUIRKS <= 32, "a quirk is a bit");

#define DRIVER(name, pattern) static const char name[] = pattern;
#define QUIRK(name, driver, first, last, what, source)
#define VARIABLE(driver, prefix, variable, use)
#define SEEN(driver, version, file, what)
#include "analysis/summary/driver_quirks.def"
#undef DRIVER
#undef QUIRK

static const struct {
    enum drv_quirk quirk;
    const char *driver;
    unsigned long first, last;
} rows[] = {
#define DRIVER(name, pattern)
#define QUIRK(name, driver, first, last, what, source) {DRV_##name, driver, first, last},
#include "analysis/summary/driver_quirks.def"
#undef DRIVER
#undef QUIRK
#undef VARIABLE
#undef SEEN
};

static const struct drv_variable variables[] = {
#define DRIVER(name, pattern)
#define QUIRK(name, driver, first, last, what, source)
#define VARIABLE(driver, prefix, variable, use) {driver, prefix, variable, DRV_##use},
#define SEEN(driver, version, file, what)
#include "analysis/summary/driver_quirks.def"
#undef DRIVER
#undef QUIRK
#undef VARIABLE
#undef SEEN
};

const struct drv_variable *drv_variable(unsigned i)
{
    return i < sizeof variables / sizeof *variables ? &variables[i] : NULL;
}

/* The letters that stand at a place of the variables' prefixes, a bit each; constants to the compiler. */
static inline uint32_t letters(unsigned place)
{
    uint32_t set = 0;

#define DRIVER(name, pattern)
#define QUIRK(name, driver, first, last, what, source)
#define VARIABLE(driver, prefix, variable, use) set |= 1u << ((prefix)[place] - 'A');
#define SEEN(driver, version, file, what)
#include "analysis/summary/driver_quirks.def"
#undef DRIVER
#undef QUIRK
#undef VARIABLE
#undef SEEN
    return set;
}

/* Is the letter one of those at that place? */
static inline bool fits(char letter, unsigned place)
{
    const unsigned bit = (unsigned char)letter - 'A';

    return bit < 26 && letters(place) >> bit & 1;
}

bool drv_may_be_variable(const char *entry)
{
    if (!fits(entry[0], 0) || !fits(entry[1], 1) || !fits(entry[2], 2))
        return false; /* of nearly all entries */
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++)
        if (strncmp(entry, variables[i].prefix, strlen(variables[i].prefix)) == 0)
            return true;
    return false;
}

/* Is the version, by its first number, between the two?  One that is not told may be any. */
static bool is_of(const char *version, unsigned long first, unsigned long last)
{
    const unsigned long major = strtoul(version, NULL, 10);

    return *version ? major >= first && (!last || major <= last) : !first && !last;
}

uint32_t drv_quirks(const struct driver *d)
{
    uint32_t set = 0;

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!fnmatch(rows[i].driver, d->compiler, 0) && is_of(d->version, rows[i].first, rows[i].last))
            set |= 1u << rows[i].quirk;
    return set;
}
