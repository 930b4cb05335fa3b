/* parse.c - reads device descriptions: `key = value unit  # provenance`, one per line.
 *
 * Keys are the names of struct device's fields, and `like`; a line that is empty or starts with '#' is
 * skipped.  Numbers are decimal with an optional fraction, read without the C library, whose decimal point
 * depends on the locale of the process that we are a guest in. */
#include "devices/device.h"
#include "analysis/summary/whole_file.h"
#include "devices/embedded.h"
#include "devices/fields.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE (64u << 10) /* bytes */

/* Spellings of a unit; the first is the one that fields are kept in. */
static const struct {
    enum dev_unit unit;
    const char *word;
    double scale;
} units[] = {{CYCLES, "cycles", 1}, {BYTES, "bytes", 1},   {BYTES, "KiB", 1024}, {BYTES, "MiB", 1048576},
             {NS, "ns", 1},         {NS, "us", 1e3},       {NS, "ms", 1e6},      {MHZ, "MHz", 1},
             {MHZ, "GHz", 1e3},     {TRUTH, "bool", 1},    {UNITS, "units", 1},  {LANES, "lanes", 1},
             {ITEMS, "items", 1},   {GROUPS, "groups", 1}, {WARPS, "warps", 1},  {REGISTERS, "registers", 1},
             {BANKS, "banks", 1},   {MBPS, "MB/s", 1},     {OPS, "ops", 1}};

#define FIELD(name, type, unit, min, max)                                                                    \
    {                                                                                                        \
#name, type, unit, offsetof(struct device, name), min, max, 0, false                                 \
    }
#define CACHE_FIELD(n, l, name, type, unit, min, max)                                                        \
    {                                                                                                        \
        "cache" #n "." #name, type, unit, offsetof(struct device, cache[(n)-1].name), min, max, l, false     \
    }
#define CACHE(n, l)                                                                                          \
    CACHE_FIELD(n, l, bytes, U64, BYTES, 0, 1e12), CACHE_FIELD(n, l, line_bytes, U32, BYTES, 4, 4096),       \
        CACHE_FIELD(n, l, shared, BOOL, TRUTH, 0, 1), CACHE_FIELD(n, l, latency, REAL, CYCLES, 0, 1e5),      \
        CACHE_FIELD(n, l, delay, REAL, CYCLES, 0, 1e5)
#define CLASS(name, index)                                                                                   \
    {"latency." #name, REAL, CYCLES, offsetof(struct device, latency[index]), 0, 1e6, 0, false},             \
    {                                                                                                        \
        "delay." #name, REAL, CYCLES, offsetof(struct device, delay[index]), 0, 1e6, 0, false                \
    }

const struct dev_field dev_fields[] = {
    FIELD(name, TEXT, NONE, 0, sizeof((struct device *)0)->name),
    {"driver_name", TEXT, NONE, offsetof(struct device, driver_name), 0,
     sizeof((struct device *)0)->driver_name, 0, true},
    FIELD(is_cpu, BOOL, TRUTH, 0, 1),
    FIELD(clock_mhz, REAL, MHZ, 1, 1e5),
    FIELD(units, U32, UNITS, 1, 1e5),
    FIELD(warp, U32, LANES, 1, 1024),
    FIELD(max_group_items, U32, ITEMS, 0, 1e6),
    FIELD(max_groups_unit, U32, GROUPS, 0, 1e6),
    FIELD(max_warps_unit, U32, WARPS, 0, 1e6),
    FIELD(regs_unit, U32, REGISTERS, 0, 1e9),
    FIELD(regs_group, U32, REGISTERS, 0, 1e9),
    FIELD(regs_item, U32, REGISTERS, 0, 1e6),
    FIELD(reg_grain, U32, REGISTERS, 0, 1e6),
    FIELD(warp_grain, U32, WARPS, 0, 1024),
    FIELD(local_unit_bytes, U64, BYTES, 0, 1e12),
    FIELD(local_group_bytes, U64, BYTES, 0, 1e12),
    FIELD(local_grain_bytes, U32, BYTES, 0, 1e6),
    CLASS(iadd, SUM_C_IADD),
    CLASS(imul, SUM_C_IMUL),
    CLASS(idiv, SUM_C_IDIV),
    CLASS(fadd, SUM_C_FADD),
    CLASS(fmul, SUM_C_FMUL),
    CLASS(fma, SUM_C_FMA),
    CLASS(fdiv, SUM_C_FDIV),
    CLASS(sqrt, SUM_C_SQRT),
    CLASS(dadd, SUM_C_DADD),
    CLASS(dmul, SUM_C_DMUL),
    CLASS(dfma, SUM_C_DFMA),
    CLASS(ddiv, SUM_C_DDIV),
    CLASS(dsqrt, SUM_C_DSQRT),
    CLASS(sfu, SUM_C_SFU),
    CLASS(special, SUM_C_SPECIAL),
    CLASS(conv, SUM_C_CONV),
    CLASS(mem, SUM_C_MEM),
    CLASS(image, SUM_C_IMAGE),
    CLASS(atomic, SUM_C_ATOMIC),
    CLASS(barrier, SUM_C_BARRIER),
    CLASS(branch, SUM_C_BRANCH),
    CACHE(1, 0),
    CACHE(2, 2),
    CACHE(3, 3),
    FIELD(dram_latency, REAL, CYCLES, 0, 1e6),
    FIELD(dram_delay, REAL, CYCLES, 0, 1e6),
    FIELD(line_bytes, U32, BYTES, 4, 4096),
    FIELD(local_latency, REAL, CYCLES, 0, 1e6),
    FIELD(local_delay, REAL, CYCLES, 0, 1e6),
    FIELD(local_banks, U32, BANKS, 1, 1024),
    FIELD(local_bank_bytes, U32, BYTES, 1, 64),
    FIELD(constant_latency, REAL, CYCLES, 0, 1e6),
    FIELD(constant_delay, REAL, CYCLES, 0, 1e6),
    FIELD(launch_ns, REAL, NS, 0, 1e9),
    FIELD(group_ns, REAL, NS, 0, 1e9),
    FIELD(compile_ns, REAL, NS, 0, 1e11),
    FIELD(oldest_first, BOOL, TRUTH, 0, 1),
    {"row_ns", REAL, NS, offsetof(struct device, row_ns), 0, 1e6, 0, true},
    {"row_min", U32, ITEMS, offsetof(struct device, row_min), 0, 4096, 0, true},
    {"row_ops", U32, OPS, offsetof(struct device, row_ops), 0, 1e9, 0, true},
    {"row_loop", REAL, CYCLES, offsetof(struct device, row_loop), 0, 1e6, 0, true},
    {"masked_wait", REAL, CYCLES, offsetof(struct device, masked_wait), 0, 1e6, 0, true},
    {"segment_bytes", U32, BYTES, offsetof(struct device, segment_bytes), 0, 4096, 0, true},
    {"inst_cycle", REAL, CYCLES, offsetof(struct device, inst_cycle), 0, 1e6, 0, true},
    {"local_fill", REAL, CYCLES, offsetof(struct device, local_fill), 0, 1e6, 0, true},
    {"link_peak", REAL, MBPS, offsetof(struct device, link_peak), 0, 1e7, 0, true},
    {"link_slope", REAL, MBPS, offsetof(struct device, link_slope), 0, 1e7, 0, true},
    {"link_offset", REAL, MBPS, offsetof(struct device, link_offset), 0, 1e7, 0, true},
    {"context_ns", REAL, NS, offsetof(struct device, context_ns), 0, 1e11, 0, true},
    {"scalar_loops", BOOL, TRUTH, offsetof(struct device, scalar_loops), 0, 1, 0, true},
};
#define NFIELDS (sizeof dev_fields / sizeof dev_fields[0])
const size_t dev_nfields = NFIELDS;

struct parser {
    const char *file;
    unsigned line;
    char *msg;
    size_t msg_size;
    struct device *out;
    bool seen[NFIELDS];
    bool like; /* what is not given is as in another description */
};

__attribute__((format(printf, 2, 3))) static int fail(struct parser *p, const char *format, ...)
{
    int n = snprintf(p->msg, p->msg_size, "%s:%u: ", p->file, p->line);
    va_list ap;
    va_start(ap, format);
    if (n >= 0 && (size_t)n < p->msg_size) {
        vsnprintf(p->msg + n, p->msg_size - (size_t)n, format, ap);
        for (char *s = p->msg + n; *s; s++) /* what is quoted may be anything, and ends up in reports */
            if ((unsigned char)*s < ' ' || (unsigned char)*s > '~')
                *s = '?';
    }
    va_end(ap);
    return -EINVAL;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Drop blanks around s, in place. */
static char *trim(char *s)
{
    while (blank(*s))
        s++;
    size_t n = strlen(s);
    while (n > 0 && blank(s[n - 1]))
        s[--n] = 0;
    return s;
}

/* Digits with an optional fraction, at most 15 digits in all, so that the result is
 * exact or one rounding off. */
static bool read_number(const char **s, double *out)
{
    uint64_t digits = 0;
    double scale = 1;
    unsigned n = 0;
    bool fraction = false;
    const char *c = *s;
    for (; (*c >= '0' && *c <= '9') || (*c == '.' && !fraction && n > 0); c++) {
        if (*c == '.') {
            fraction = true;
            continue;
        }
        if (++n > 15)
            return false;
        digits = digits * 10 + (uint64_t)(*c - '0');
        if (fraction)
            scale *= 10;
    }
    *out = (double)digits / scale;
    *s = c;
    return n > 0 && c[-1] != '.';
}

static bool find_unit(enum dev_unit unit, const char *word, double *scale)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (units[i].unit == unit && strcmp(units[i].word, word) == 0) {
            *scale = units[i].scale;
            return true;
        }
    }
    return false;
}

/* The word for the unit that a field is kept in; "" for NONE. */
static const char *unit_word(enum dev_unit unit)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i].unit == unit)
            return units[i].word;
    return "";
}

static int store_number(struct parser *p, const struct dev_field *f, const char *value)
{
    double v, scale;
    char *at = (char *)p->out + f->offset;
    const char *s = value;
    if (!read_number(&s, &v))
        return fail(p, "'%s' is not a number", value);
    if (*s && !blank(*s))
        return fail(p, "'%s' is not a number and a unit", value);
    while (blank(*s))
        s++;
    if (!*s)
        return fail(p, "'%s' needs the unit %s", f->key, unit_word(f->unit));
    if (!find_unit(f->unit, s, &scale))
        return fail(p, "'%s' is measured in %s, not in '%s'", f->key, unit_word(f->unit), s);
    v *= scale;
    if (v < f->min || v > f->max)
        return fail(p, "'%s' must lie between %.0f and %.0f", f->key, f->min, f->max);
    if (f->type != REAL && v != (double)(uint64_t)v)
        return fail(p, "'%s' must be a whole number", f->key);
    switch (f->type) {
    case BOOL:
        *(bool *)at = v != 0;
        break;
    case U32:
        *(uint32_t *)at = (uint32_t)v;
        break;
    case U64:
        *(uint64_t *)at = (uint64_t)v;
        break;
    default:
        *(double *)at = v;
    }
    return 0;
}

static bool provenance_ok(const char *s)
{
    static const char *const tags[] = {"datasheet", "measured", "assumed"};
    for (unsigned i = 0; i < 3; i++) {
        size_t n = strlen(tags[i]);
        if (strncmp(s, tags[i], n) == 0 && (s[n] == 0 || s[n] == ':' || blank(s[n])))
            return true;
    }
    return false;
}

/* `like = generic-cpu`, before everything else: the built-in description that the rest changes. */
static int start_like(struct parser *p, const char *name)
{
    for (size_t i = 0; i < NFIELDS; i++)
        if (p->seen[i] || p->like)
            return fail(p, "'like' stands first");
    for (unsigned i = 0; i < dev_text_count; i++)
        if (strcmp(dev_texts[i].file, name) == 0 && strcmp(p->file, name) != 0) {
            p->like = true;
            return dev_parse(name, dev_texts[i].text, dev_texts[i].size, p->out, p->msg, p->msg_size);
        }
    return fail(p, "no built-in device is called '%s'", name);
}

/* One line, already a string of its own, not empty. */
static int parse_line(struct parser *p, char *line)
{
    char *hash = strchr(line, '#'), *equals = strchr(line, '=');
    if (!equals || (hash && equals > hash))
        return fail(p, "expected 'key = value unit  # provenance'");
    *equals = 0;
    if (hash)
        *hash = 0;
    const char *key = trim(line), *value = trim(equals + 1);
    if (strcmp(key, "like") == 0)
        return start_like(p, value);
    size_t i = 0;
    while (i < NFIELDS && strcmp(dev_fields[i].key, key) != 0)
        i++;
    if (i == NFIELDS)
        return fail(p, "unknown key '%s'", key);
    if (p->seen[i])
        return fail(p, "'%s' is given twice", key);
    p->seen[i] = true;
    if (!*value)
        return fail(p, "'%s' has no value", key);
    if (!hash || !provenance_ok(trim(hash + 1)))
        return fail(p, "'%s' needs '# datasheet', '# measured' or '# assumed' and where it comes from", key);
    if (dev_fields[i].type != TEXT)
        return store_number(p, &dev_fields[i], value);
    if ((double)strlen(value) >= dev_fields[i].max)
        return fail(p, "'%s' is too long", key);
    strcpy((char *)p->out + dev_fields[i].offset, value);
    return 0;
}

static bool power_of_two(uint32_t v)
{
    return v != 0 && (v & (v - 1)) == 0;
}

/* What only the whole description can tell. */
static int check_whole(struct parser *p)
{
    bool level[4] = {false};
    for (size_t i = 0; i < NFIELDS; i++)
        if (p->seen[i])
            level[dev_fields[i].level] = true;
    level[0] = true;
    for (size_t i = 0; i < NFIELDS; i++)
        if (!p->seen[i] && !p->like && level[dev_fields[i].level] && !dev_fields[i].optional)
            return fail(p, "'%s' is missing", dev_fields[i].key);
    if (level[3] && !level[2])
        return fail(p, "cache3 without cache2");
    if (!power_of_two(p->out->line_bytes))
        return fail(p, "line_bytes must be a power of two");
    for (unsigned i = 0; i < DEV_LEVELS; i++) {
        const struct dev_cache *c = &p->out->cache[i];
        if (c->bytes == 0)
            continue;
        if (!power_of_two(c->line_bytes))
            return fail(p, "cache%u.line_bytes must be a power of two", i + 1);
        if (c->bytes % c->line_bytes != 0)
            return fail(p, "cache%u.bytes must be a multiple of line_bytes", i + 1);
    }
    return 0;
}

int dev_parse(const char *file, const char *text, size_t size, struct device *out, char *msg, size_t msg_size)
{
    struct device d = {0};
    struct parser p = {.file = file, .msg = msg, .msg_size = msg_size, .out = &d};
    if (msg_size > 0)
        msg[0] = 0;
    for (size_t at = 0; at < size;) {
        char line[512];
        const char *end = memchr(text + at, '\n', size - at);
        size_t n = end ? (size_t)(end - (text + at)) : size - at;
        p.line++;
        if (n >= sizeof line || memchr(text + at, 0, n))
            return fail(&p, "the line is too long or not text");
        memcpy(line, text + at, n);
        line[n] = 0;
        at += n + 1;
        char *s = trim(line);
        if (!*s || *s == '#')
            continue;
        int r = parse_line(&p, s);
        if (r)
            return r;
    }
    int r = check_whole(&p);
    if (r == 0)
        *out = d;
    return r;
}

int dev_load(const char *path, struct device *out, char *msg, size_t msg_size)
{
    size_t size;
    char *text;
    int r = whole_file(path, MAX_FILE, &text, &size);

    if (r)
        snprintf(msg, msg_size, "%s: %s", path, strerror(-r));
    else
        r = dev_parse(path, text, size, out, msg, msg_size);
    free(text);
    return r;
}
