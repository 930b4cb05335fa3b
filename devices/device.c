/* device.c - the built-in device descriptions, and a description for the device at hand. */
#include "devices/device.h"
#include "devices/embedded.h"

#include <ctype.h>
#include <pthread.h>
#include <string.h>

#define MAX_BUILTIN 64

/* Parsed at first use; a description that does not parse is left out (a unit test parses all of them). */
static struct device builtin[MAX_BUILTIN];
static const char *builtin_name[MAX_BUILTIN];
static unsigned builtin_count;
static pthread_once_t builtin_once = PTHREAD_ONCE_INIT;

static void parse_builtin(void)
{
    char msg[128];
    for (unsigned i = 0; i < dev_text_count && builtin_count < MAX_BUILTIN; i++) {
        const struct dev_text *t = &dev_texts[i];
        if (dev_parse(t->name, t->text, t->size, &builtin[builtin_count], msg, sizeof msg) == 0)
            builtin_name[builtin_count++] = t->name;
    }
}

const struct device *dev_builtin_at(unsigned i, const char **name)
{
    pthread_once(&builtin_once, parse_builtin);
    if (i >= builtin_count)
        return NULL;
    if (name)
        *name = builtin_name[i];
    return &builtin[i];
}

const struct device *dev_builtin(const char *name)
{
    const char *found;
    const struct device *d;
    for (unsigned i = 0; (d = dev_builtin_at(i, &found)); i++)
        if (strcmp(found, name) == 0)
            return d;
    return NULL;
}

static bool is_generic(const char *name)
{
    return strncmp(name, "generic-", 8) == 0;
}

static bool contains(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (; *text; text++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* The description whose name is the longest part of the device's own name, NULL if none is. */
static const struct device *find_named(const char *device_name)
{
    const struct device *best = NULL, *d;
    const char *file;
    for (unsigned i = 0; device_name && (d = dev_builtin_at(i, &file)); i++)
        if (!is_generic(file) && contains(device_name, d->name) &&
            (!best || strlen(d->name) > strlen(best->name)))
            best = d;
    return best;
}

/* One line in every way: capacities are multiples of this. */
static uint64_t set_bytes(const struct dev_cache *c)
{
    return (uint64_t)c->line_bytes * (c->ways ? c->ways : 1);
}

static void set_lines(struct device *d, uint32_t line_bytes)
{
    d->line_bytes = line_bytes;
    for (unsigned i = 0; i < DEV_LEVELS; i++)
        if (d->cache[i].bytes) {
            d->cache[i].line_bytes = line_bytes;
            d->cache[i].bytes -= d->cache[i].bytes % set_bytes(&d->cache[i]);
        }
}

/* Drivers tell the capacity of the last level (PoCL: L3; GPUs: L2): believe it where it is larger than the
 * level before, rounded down to whole sets. */
static void set_last_level(struct device *d, uint64_t bytes)
{
    unsigned last = DEV_LEVELS - 1;
    while (last > 0 && d->cache[last].bytes == 0)
        last--;
    struct dev_cache *c = &d->cache[last];
    uint64_t whole = bytes - bytes % set_bytes(c);
    if (last > 0 && whole > d->cache[last - 1].bytes)
        c->bytes = whole;
}

void dev_from_traits(const struct dev_traits *t, struct device *out)
{
    const struct device *named = find_named(t->name),
                        *generic = dev_builtin(t->is_cpu ? "generic-cpu" : "generic-gpu");
    memset(out, 0, sizeof *out);
    if (named)
        *out = *named;
    else if (generic)
        *out = *generic;
    if (t->units)
        out->units =
            t->units; /* also where the description is known: parts are sold with units switched off */
    if (t->max_group_items)
        out->max_group_items = t->max_group_items;
    if (t->name) {
        strncpy(out->name, t->name, sizeof out->name - 1);
        out->name[sizeof out->name - 1] = 0;
    }
    if (named)
        return;
    if (t->clock_mhz)
        out->clock_mhz = t->clock_mhz;
    if (t->warp && t->warp <= 1024)
        out->warp = t->warp;
    if (t->line_bytes >= 16 && t->line_bytes <= 256 && (t->line_bytes & (t->line_bytes - 1)) == 0)
        set_lines(out, t->line_bytes);
    if (t->cache_bytes)
        set_last_level(out, t->cache_bytes);
    if (t->local_bytes) {
        out->local_group_bytes = t->local_bytes;
        if (out->local_unit_bytes && out->local_unit_bytes < t->local_bytes)
            out->local_unit_bytes = t->local_bytes;
    }
}
