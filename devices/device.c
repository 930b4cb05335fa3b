/* device.c - a description for the device at hand. */
#include "devices/device.h"

#include <string.h>

static void set_lines(struct device *d, uint32_t line_bytes)
{
    d->line_bytes = line_bytes;
    for (unsigned i = 0; i < DEV_LEVELS; i++)
        if (d->cache[i].bytes) {
            d->cache[i].line_bytes = line_bytes;
            d->cache[i].bytes -= d->cache[i].bytes % line_bytes;
        }
}

/* Drivers tell the capacity of the last level (CPUs: L3; GPUs: L2): believe it where it is larger than the
 * level before, rounded down to whole lines. */
static void set_last_level(struct device *d, uint64_t bytes)
{
    unsigned last = DEV_LEVELS - 1;
    while (last > 0 && d->cache[last].bytes == 0)
        last--;
    struct dev_cache *c = &d->cache[last];
    uint64_t whole = bytes - bytes % c->line_bytes;
    if (last > 0 && whole > d->cache[last - 1].bytes)
        c->bytes = whole;
}

/* The memory behind a device keeps its nanoseconds, and its bandwidth is shared by
 * the units that there are. */
static void set_core(struct device *d, uint32_t units, uint32_t clock_mhz)
{
    const double clock_before = d->clock_mhz, units_before = d->units;

    if (clock_mhz)
        d->clock_mhz = clock_mhz;
    if (units)
        d->units = units;
    d->dram_latency *= d->clock_mhz / clock_before;
    d->dram_delay *= d->clock_mhz / clock_before * d->units / units_before;
}

static void set_generic(struct device *d, const struct dev_traits *t)
{
    if (t->units)
        d->units = t->units;
    if (t->clock_mhz)
        d->clock_mhz = t->clock_mhz;
    if (t->warp && t->warp <= 1024)
        d->warp = t->warp;
    if (t->line_bytes >= 16 && t->line_bytes <= 256 && (t->line_bytes & (t->line_bytes - 1)) == 0)
        set_lines(d, t->line_bytes);
    if (t->cache_bytes && !t->capability) /* NVIDIA's tells what the first levels have together */
        set_last_level(d, t->cache_bytes);
}

const struct device *dev_described(const struct dev_traits *t)
{
    const struct device *named = t->name ? dev_named(t->name) : NULL;

    return named ? named : dev_of_capability(t->capability);
}

void dev_from_traits(const struct dev_traits *t, struct device *out)
{
    const struct device *named = dev_described(t),
                        *generic = dev_builtin(t->is_cpu ? "generic-cpu" : "generic-gpu");
    memset(out, 0, sizeof *out);
    if (named && !named->is_cpu) {
        *out = *named;
        set_core(out, t->units, t->clock_mhz);
    } else if (named || generic) {
        *out = named ? *named : *generic;
        set_generic(out, t);
        if (named)
            out->warp = named->warp;
    }
    if (!t->masks)
        out->masked_wait = 0;
    if (t->max_group_items)
        out->max_group_items = t->max_group_items;
    if (t->name) {
        strncpy(out->name, t->name, sizeof out->name - 1);
        out->name[sizeof out->name - 1] = 0;
    }
    if (t->local_bytes) {
        out->local_group_bytes = t->local_bytes;
        if (out->local_unit_bytes && out->local_unit_bytes < t->local_bytes)
            out->local_unit_bytes = t->local_bytes;
    }
}
