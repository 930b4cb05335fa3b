/* driver_quirks.c - see driver_quirks.h. */
#include "analysis/summary/driver_quirks.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(DRV_QUIRKS <= 64, "a quirk is a bit");

#define DRIVER(name, pattern) static const char name[] = pattern;
#include "analysis/summary/driver_quirks.def"

static const struct {
    enum drv_quirk quirk;
    const char *driver;
    unsigned long first, last;
} rows[] = {
#define QUIRK(name, driver, first, last, what, source) {DRV_##name, driver, first, last},
#define ALSO                                           QUIRK
#include "analysis/summary/driver_quirks.def"
};

static const struct drv_variable variables[] = {
#define VARIABLE(driver, prefix, variable, use) {driver, prefix, variable, DRV_##use},
#include "analysis/summary/driver_quirks.def"
};

const struct driver drv_named[DRV_NAMED] = {
#define NAMED(name, compiler, version, is_cpu) {name, compiler, version, is_cpu},
#include "analysis/summary/driver_quirks.def"
    {NULL, NULL, NULL, false}};

const struct driver *drv_find(const char *name)
{
    const struct driver *d = drv_named;

    while (d->name && strcmp(d->name, name) != 0)
        d++;
    return d->name ? d : NULL;
}

const char *drv_names_compiler(const char *compiler)
{
    static const char *const marks[] = {
#define COMPILER(mark) mark,
#include "analysis/summary/driver_quirks.def"
    };
    const char *at = NULL;

    for (unsigned i = 0; !at && i < sizeof marks / sizeof *marks; i++)
        at = strstr(compiler, marks[i]);
    return at;
}

const struct drv_variable *drv_variable(unsigned i)
{
    return i < sizeof variables / sizeof *variables ? &variables[i] : NULL;
}

bool drv_may_be_variable(const char *entry)
{
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++)
        if (variables[i].use != DRV_LOGGING &&
            strncmp(entry, variables[i].prefix, strlen(variables[i].prefix)) == 0)
            return true;
    return false;
}

bool drv_is_not_inherited(const char *entry)
{
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++) {
        const struct drv_variable *v = &variables[i];
        const size_t n = strlen(v->name);
        if ((v->use == DRV_APPENDED || v->use == DRV_LOGGING) && !strncmp(entry, v->name, n) &&
            entry[n] == '=')
            return true;
    }
    return false;
}

/* Is the version, by its first number, between the two?  One that is not told may be any. */
static bool is_of(const char *version, unsigned long first, unsigned long last)
{
    const unsigned long major = strtoul(version, NULL, 10);

    return *version ? major >= first && (!last || major <= last) : !first && !last;
}

uint64_t drv_quirks(const struct driver *d)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!fnmatch(rows[i].driver, d->compiler, 0) && is_of(d->version, rows[i].first, rows[i].last))
            set |= (uint64_t)1 << rows[i].quirk;
    return set;
}
