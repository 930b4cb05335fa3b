/* calibrate_memory.c - latencies by footprint and stride, capacities, lines, ways, bandwidth, local memory.
 *
 * Pointer chases as in [R] 3.2: a cycle of indices through a buffer, each read giving the place of the next.
 * The order of places is random, so that no prefetcher runs ahead, and where a footprint exceeds what the TLB
 * covers the latency holds a page walk, as it does for an application that jumps that far. */
#include <stdlib.h>
#include <string.h>
#include "devices/calibrate/calibrate.h"

#define LEAST_FOOTPRINT 2048u
#define MOST_POINTS     96
#define TRIES           3   /* of a point of a curve that no two runs agree about */
#define PLACE           64u /* bytes between places of the cycle until the line is known */
#define HOPS            8   /* per iteration of the chase */

static const char chase_source[] =
    "#define HOP i = p[i];\n"
    "__kernel void k(uint n, SPACE const uint *p, __global uint *at, uint slice, uint skip)\n"
    "{\n"
    "    uint g = get_group_id(0), i = at[g * 64];\n"
    "    p += skip + g * slice;\n"
    "    for (uint r = 0; r < n; r++) { HOP HOP HOP HOP HOP HOP HOP HOP }\n"
    "    at[g * 64] = i;\n"
    "}\n";

struct chase {
    cl_kernel kernel;
    cl_mem buffer, at;
    uint32_t *host; /* room for the buffer's contents */
    size_t bytes, skip;
};

static uint64_t random_state = 1;

static uint32_t below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 32) * n >> 32);
}

/* One cycle through places[0, n), in random order (Sattolo): p[place] = next place, in elements. */
static void link_cycle(uint32_t *p, const uint32_t *places, uint32_t n)
{
    uint32_t *order = malloc(n * sizeof *order);

    if (!order)
        return;
    memcpy(order, places, n * sizeof *order);
    for (uint32_t i = n - 1; i > 0; i--) {
        uint32_t j = below(i), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (uint32_t i = 0; i < n; i++)
        p[order[i]] = order[(i + 1) % n];
    free(order);
}

/* A cycle over every PLACE of `bytes` bytes. */
static void fill_footprint(uint32_t *p, size_t bytes)
{
    const uint32_t n = (uint32_t)(bytes / PLACE);
    uint32_t *places = malloc(n * sizeof *places);

    for (uint32_t i = 0; places && i < n; i++)
        places[i] = i * (PLACE / 4);
    if (places)
        link_cycle(p, places, n);
    free(places);
}

static bool chase_args(const struct chase *h, cl_uint n, cl_uint slice)
{
    const cl_uint skip = (cl_uint)(h->skip / 4);

    return clSetKernelArg(h->kernel, 0, sizeof n, &n) == CL_SUCCESS &&
           clSetKernelArg(h->kernel, 1, sizeof h->buffer, &h->buffer) == CL_SUCCESS &&
           clSetKernelArg(h->kernel, 2, sizeof h->at, &h->at) == CL_SUCCESS &&
           clSetKernelArg(h->kernel, 3, sizeof slice, &slice) == CL_SUCCESS &&
           clSetKernelArg(h->kernel, 4, sizeof skip, &skip) == CL_SUCCESS;
}

static void chase_close(struct chase *h)
{
    if (h->kernel)
        clReleaseKernel(h->kernel);
    if (h->buffer)
        clReleaseMemObject(h->buffer);
    if (h->at)
        clReleaseMemObject(h->at);
    free(h->host);
}

static bool chase_open(struct cal *c, struct chase *h, const char *space, size_t bytes)
{
    char options[64];

    *h = (struct chase){.bytes = bytes, .host = calloc(1, bytes)};
    snprintf(options, sizeof options, "-DSPACE=%s", space);
    h->kernel = cal_kernel(c, chase_source, options);
    h->at = cal_zeros(c, 256 * (size_t)c->d.units);
    h->buffer = h->host ? cal_zeros(c, bytes + CAL_ALIGN) : NULL;
    if (h->host && h->kernel && h->at && h->buffer) {
        h->skip = strcmp(space, "__global") == 0 ? cal_skip(c, h->buffer) : 0;
        return true;
    }
    chase_close(h);
    return false;
}

/* Nanoseconds per hop of `groups` chases, each in a slice of its own of the first groups * bytes bytes of
 * h->host. The caches are warmed by one round trip, as far as that is quick.  Negative on failure. */
static double chase_ns(const struct cal *c, const struct chase *h, size_t bytes, unsigned groups)
{
    cl_uint zero = 0;
    size_t hops = bytes / PLACE < 1u << 21 ? bytes / PLACE : 1u << 21;

    if (clEnqueueWriteBuffer(c->queue, h->buffer, CL_TRUE, h->skip, bytes * groups, h->host, 0, NULL, NULL) ||
        clEnqueueFillBuffer(c->queue, h->at, &zero, sizeof zero, 0, 256 * (size_t)c->d.units, 0, NULL, NULL))
        return -1;
    if (!chase_args(h, (cl_uint)(hops / HOPS + 1), (cl_uint)(bytes / 4)) ||
        cal_host(c, h->kernel, groups, 1) < 0)
        return -1;
    double t = cal_rate(c, h->kernel, groups, 1);
    return t < 0 ? t : t / HOPS;
}

/* ---- levels ---------------------------------------------------------------------------------------- */

/* Footprints: four per octave (two when quick), as capacities are powers of two
 * times 1, 1.25, 1.5 or 1.75. */
static unsigned footprints(const struct cal *c, size_t most, size_t *size)
{
    unsigned n = 0;

    for (size_t base = LEAST_FOOTPRINT; base <= most; base *= 2)
        for (unsigned quarter = 0; quarter < 4 && n < MOST_POINTS; quarter += c->quick ? 2 : 1)
            if (base + base / 4 * quarter <= most)
                size[n++] = base + base / 4 * quarter;
    return n;
}

static void note_level(struct cal *c, unsigned i, double ns, size_t bytes)
{
    struct dev_cache *l = &c->d.cache[i];
    char key[32];

    *l = (struct dev_cache){.bytes = bytes, .line_bytes = c->d.line_bytes, .latency = cal_cycles(c, ns)};
    snprintf(key, sizeof key, "cache%u.bytes", i + 1);
    cal_note(c, key, "largest footprint of a pointer chase near this level's latency");
    snprintf(key, sizeof key, "cache%u.latency", i + 1);
    cal_note(c, key, "pointer chase, %.2f ns", ns);
}

static unsigned count_levels(const struct cal *c)
{
    unsigned n = 0;
    while (n < DEV_LEVELS && c->d.cache[n].bytes)
        n++;
    return n;
}

/* The last level's capacity is best known to the driver: a chase finds what other
 * programs have left of it. */
static void use_told(struct cal *c)
{
    const unsigned n = count_levels(c);
    struct dev_cache *last;
    char key[32];

    if (n < 2)
        return;
    last = &c->d.cache[n - 1];
    if (c->cache_bytes <= last->bytes)
        return;
    snprintf(key, sizeof key, "cache%u.bytes", n);
    cal_note(c, key, "the driver's number; a pointer chase found %llu KiB free of other programs",
             (unsigned long long)last->bytes >> 10);
    last->bytes = c->cache_bytes - c->cache_bytes % (last->line_bytes * (last->ways ? last->ways : 1));
}

/* Latency over footprint; its plateaus are the levels, the last one memory. */
static bool find_levels(struct cal *c, struct chase *h, double *first_ns, double *slope)
{
    static size_t size[MOST_POINTS];
    static double ns[MOST_POINTS];
    double plateau[CURVE_LEVELS];
    unsigned all = footprints(c, h->bytes, size), n = 0, last[CURVE_LEVELS];

    for (unsigned i = 0; i < all; i++) {
        cal_progress(c, "cache levels");
        fill_footprint(h->host, size[i]);
        ns[n] = -1;
        for (unsigned j = 0; j < TRIES && ns[n] <= 0; j++)
            ns[n] = chase_ns(c, h, size[i], 1);
        if (ns[n] <= 0) /* others use the level now: one point of many */
            continue;
        size[n] = size[i];
        size_t used = strlen(c->curve);
        snprintf(c->curve + used, sizeof c->curve - used, " %.4g:%.3g", (double)size[n] / 1024, ns[n]);
        n++;
    }
    if (n < all * 3 / 4) {
        cal_unknown(c, "cache levels: %u of %u footprints gave no repeatable time", all - n, all);
        return false;
    }
    unsigned levels = curve_levels(ns, n, plateau, last);
    *first_ns = plateau[0];
    *slope = levels > 1 ? plateau[1] : 0;
    if (levels < 2) {
        cal_unknown(c, "cache levels: latency does not rise between %zu bytes and %zu MiB", size[0],
                    size[n - 1] >> 20);
        return false;
    }
    memset(c->d.cache, 0, sizeof c->d.cache);
    for (unsigned i = 0; i + 1 < levels; i++)
        note_level(c, i, plateau[i], size[last[i]]);
    c->d.dram_latency = cal_cycles(c, plateau[levels - 1]);
    cal_note(c, "dram_latency", "pointer chase up to %zu MiB, %.1f ns, page walks included",
             size[n - 1] >> 20, plateau[levels - 1]);
    return true;
}

/* ---- lines and ways -------------------------------------------------------------------------------- */

/* Pairs of places `distance` bytes apart, one pair per 1 KiB: the second read hits while it is
 * in the first one's line. */
static double pair_ns(const struct cal *c, struct chase *h, size_t bytes, unsigned distance)
{
    const uint32_t n = (uint32_t)(bytes / 1024);
    uint32_t *first = malloc(n * sizeof *first);

    if (!first)
        return -1;
    for (uint32_t i = 0; i < n; i++)
        first[i] = i * 256;
    link_cycle(h->host, first, n);
    for (uint32_t i = 0; i < n; i++) {
        h->host[first[i] + distance / 4] = h->host[first[i]];
        h->host[first[i]] = first[i] + distance / 4;
    }
    free(first);
    return chase_ns(c, h, bytes, 1);
}

/* Nothing fits into the first level: the pairs lie 1 KiB apart and cover several times its capacity. */
static bool find_line(struct cal *c, struct chase *h)
{
    static const unsigned distance[] = {4, 16, 32, 64, 128, 256, 512};
    enum { N = sizeof distance / sizeof *distance };
    double ns[N];
    size_t bytes = 8 * (size_t)c->d.cache[0].bytes;

    bytes = bytes < h->bytes ? bytes - bytes % 1024 : h->bytes;
    for (unsigned i = 0; i < N; i++) {
        cal_progress(c, "line size");
        ns[i] = pair_ns(c, h, bytes, distance[i]);
        if (ns[i] <= 0)
            return false;
    }
    unsigned step = curve_step(ns, N);
    if (step == N || step == 0) {
        cal_unknown(c, "line size: reads 512 bytes apart are as fast as neighbours; kept %u bytes",
                    c->d.line_bytes);
        return false;
    }
    c->d.line_bytes = distance[step];
    cal_note(c, "line_bytes", "second read of a pair misses from this distance on");
    return true;
}

/* Lines that fall into one set of the first level: as many as it has ways stay. */
static void find_ways(struct cal *c, struct chase *h, double hit_ns, double miss_ns)
{
    uint32_t place[64];
    const size_t stride = c->d.cache[0].bytes;
    unsigned most = h->bytes / stride < 64 ? (unsigned)(h->bytes / stride) : 64, ways = 0;

    for (unsigned n = 2; n <= most; n++) {
        cal_progress(c, "ways");
        for (unsigned i = 0; i < n; i++)
            place[i] = (uint32_t)(i * stride / 4);
        link_cycle(h->host, place, n);
        double ns = chase_ns(c, h, n * stride, 1);
        if (ns <= 0)
            return;
        if (ns > hit_ns + (miss_ns - hit_ns) / 5)
            break;
        ways = n;
    }
    if (ways < 2 || ways == most) {
        cal_unknown(c, "ways of the first level: no conflict with %u lines in one set, or with two", most);
        return;
    }
    c->d.cache[0].ways = ways;
    cal_note(c, "cache1.ways", "lines that stay when all are multiples of the capacity apart");
}

/* ---- shared or not --------------------------------------------------------------------------------- */

#define ALONE   1.25 /* two chases that get a level each differ by less: what page walks add */
#define SHARED  1.6  /* two that throw each other out differ by more */
#define CROWDED 1.5  /* of the driver's number and what was found: somebody else has the rest */

/* Hop of two chases at once, each in `each` bytes of its own. */
static double two_ns(struct cal *c, struct chase *h, size_t each)
{
    const double least = c->least_ns;
    const bool cpu_time = c->cpu_time;

    c->cpu_time = false; /* whether the two ran at once shows on the clock alone */
    for (unsigned g = 0; g < 2; g++)
        fill_footprint(h->host + g * (each / 4), each);
    c->least_ns *= 10; /* long enough for a second unit to wake up */
    double ns = chase_ns(c, h, each, 2);
    c->least_ns = least;
    c->cpu_time = cpu_time;
    return ns;
}

/* A level is shared when two chases on two units, 0.7 of its capacity each, take longer than two of half that
 * size: those fit together.  It cannot be told when the two ran one after the other, when they took a little
 * longer, or when others have most of the level (a virtual machine's neighbours, say), so that what was found
 * is no capacity: then the last level is taken for shared, the others not. */
static void find_shared(struct cal *c, struct chase *h, unsigned i)
{
    struct dev_cache *l = &c->d.cache[i];
    const size_t half = (size_t)l->bytes * 7 / 20 / 1024 * 1024;
    double fits = -1, over = -1;
    char key[32];

    l->shared = i + 1 == count_levels(c);
    cal_progress(c, "shared levels");
    const bool crowded = l->shared && (double)c->cache_bytes > (double)l->bytes * CROWDED;
    if (c->d.units > 1 && half > 0 && 4 * half <= h->bytes && !crowded) {
        fits = two_ns(c, h, half);
        over = two_ns(c, h, 2 * half);
    }
    if (fits <= 0 || over <= 0 || cal_cycles(c, fits) > l->latency * 1.8 ||
        (over > fits * ALONE && over < fits * SHARED)) {
        cal_unknown(c, "whether level %u is shared: assumed %s", i + 1, l->shared ? "shared" : "not");
        return;
    }
    l->shared = over >= fits * SHARED;
    snprintf(key, sizeof key, "cache%u.shared", i + 1);
    cal_note(c, key, "two chases at once, %.1f ns in 0.7 and %.1f ns in 0.35 of the capacity each", over,
             fits);
}

/* ---- bandwidth ------------------------------------------------------------------------------------- */

static const char stream_source[] =
    "#define READ(j) s##j += p[i + j * w];\n"
    "__kernel void k(uint n, __global const T *p, __global T *out, uint size, uint skip)\n"
    "{\n"
    "    uint w = get_local_size(0), l = get_local_id(0);\n"
    "    T s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;\n"
    "    p += skip + get_group_id(0) * size;\n"
    "    for (uint r = 0; r < n; r++)\n"
    "        for (uint i = l; i < size; i += 8 * w) {\n"
    "            READ(0) READ(1) READ(2) READ(3) READ(4) READ(5) READ(6) READ(7)\n"
    "        }\n"
    "    out[get_global_id(0)] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;\n"
    "}\n";

struct stream {
    cl_kernel kernel;
    cl_mem from, out;
    cl_uint skip;       /* elements before the first aligned one */
    size_t items, wide; /* work-items of a group, floats of an element */
    size_t bytes;       /* that one group reads */
};

static void stream_close(struct stream *s)
{
    if (s->kernel)
        clReleaseKernel(s->kernel);
    if (s->from)
        clReleaseMemObject(s->from);
    if (s->out)
        clReleaseMemObject(s->out);
}

/* Room for `windows` times what `groups` groups read, `bytes` each. */
static bool stream_open(const struct cal *c, struct stream *s, size_t bytes, unsigned groups,
                        unsigned windows)
{
    char options[32] = "-DT=float";

    *s = (struct stream){.items = c->d.is_cpu ? 1 : c->d.max_group_items, .wide = c->d.is_cpu ? c->lanes : 1};
    s->bytes = bytes - bytes % (8 * s->items * s->wide * 4);
    if (s->wide > 1)
        snprintf(options, sizeof options, "-DT=float%zu", s->wide);
    if (s->bytes == 0)
        return false;
    s->kernel = cal_kernel(c, stream_source, options);
    s->from = cal_zeros(c, s->bytes * groups * windows + CAL_ALIGN);
    s->out = cal_zeros(c, groups * s->items * s->wide * 4);
    const cl_uint size = (cl_uint)(s->bytes / 4 / s->wide), once = 1;
    if (s->kernel && s->from && s->out) {
        s->skip = (cl_uint)(cal_skip(c, s->from) / 4 / s->wide);
        if (clSetKernelArg(s->kernel, 0, sizeof once, &once) == CL_SUCCESS &&
            clSetKernelArg(s->kernel, 1, sizeof s->from, &s->from) == CL_SUCCESS &&
            clSetKernelArg(s->kernel, 2, sizeof s->out, &s->out) == CL_SUCCESS &&
            clSetKernelArg(s->kernel, 3, sizeof size, &size) == CL_SUCCESS &&
            clSetKernelArg(s->kernel, 4, sizeof s->skip, &s->skip) == CL_SUCCESS)
            return true;
    }
    stream_close(s);
    return false;
}

/* Time per line while `groups` groups read `bytes` each, again and again; a unit's share. */
static double stream_ns(const struct cal *c, size_t bytes, unsigned groups)
{
    struct stream s;

    if (!stream_open(c, &s, bytes, groups, 1))
        return -1;
    double t = cal_rate(c, s.kernel, groups * s.items, s.items);
    stream_close(&s);
    return t < 0 ? t : t * c->d.line_bytes / (double)s.bytes;
}

/* The same for memory: all units read one window after another, and come back to the first when
 * it has long been replaced in the caches.  Windows are small, so that some launches are
 * undisturbed by other programs. */
static double memory_ns(struct cal *c, size_t window, unsigned windows)
{
    const bool cpu_time = c->cpu_time;
    const unsigned units = c->d.units;
    struct stream s;
    double best = -1;

    if (!stream_open(c, &s, window / units, units, windows))
        return -1;
    c->cpu_time = false; /* units that wait for memory together */
    for (unsigned i = 0; i < 2 * windows; i++) {
        const cl_uint skip = s.skip + (cl_uint)(s.bytes / 4 / s.wide * units * (i % windows));
        double t = clSetKernelArg(s.kernel, 4, sizeof skip, &skip) == CL_SUCCESS
                       ? cal_launch(c, s.kernel, units * s.items, s.items)
                       : -1;
        if (t > 0 && i > 0 && (best < 0 || t < best))
            best = t;
    }
    c->cpu_time = cpu_time;
    stream_close(&s);
    return best < 0 ? best : best * c->d.line_bytes / (double)s.bytes;
}

/* Footprints well inside a level and well outside the one before. */
static void find_delays(struct cal *c, size_t most)
{
    size_t before = 0;
    unsigned i = 0;
    char key[32];

    for (; i < DEV_LEVELS && c->d.cache[i].bytes; i++) {
        struct dev_cache *l = &c->d.cache[i];
        unsigned groups = l->shared ? c->d.units : 1;
        size_t each = before ? (before * 2 + l->bytes / groups) / 3 : l->bytes / 2;
        cal_progress(c, "bandwidth");
        double ns = stream_ns(c, each, groups);
        before = l->bytes;
        snprintf(key, sizeof key, "cache%u.delay", i + 1);
        if (ns <= 0) {
            cal_unknown(c, "bandwidth of level %u", i + 1);
            continue;
        }
        l->delay = cal_cycles(c, ns);
        cal_note(c, key, "reading %zu KiB again and again on %u unit%s: %.1f GB/s each", each >> 10, groups,
                 groups > 1 ? "s" : "", c->d.line_bytes / ns);
    }
    const size_t last = before > c->cache_bytes ? before : (size_t)c->cache_bytes, window = 8u << 20;
    size_t total = 4 * last < most ? 4 * last : most;
    cal_progress(c, "bandwidth");
    double ns = i ? memory_ns(c, window, (unsigned)(total / window + 1)) : -1;
    if (ns <= 0) {
        cal_unknown(c, "bandwidth of memory");
        return;
    }
    c->d.dram_delay = cal_cycles(c, ns);
    cal_note(c, "dram_delay", "reading %zu MiB on %u units: %.1f GB/s together", total >> 20, c->d.units,
             c->d.line_bytes / ns * c->d.units);
}

/* ---- local and constant memory --------------------------------------------------------------------- */

static const char local_source[] =
    "#define HOP i = a[i];\n"
    "__kernel void k(uint n, __global uint *out, uint stride)\n"
    "{\n"
    "    __local uint a[2048];\n"
    "    uint l = get_local_id(0), w = get_local_size(0), i = l * stride & 2047;\n"
    "    for (uint j = l; j < 2048; j += w) a[j] = CHAIN;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint r = 0; r < n; r++) { HOP HOP HOP HOP HOP HOP HOP HOP }\n"
    "    out[get_global_id(0)] = i;\n"
    "}\n";

/* Nanoseconds per hop of `items` work-items that all start `stride` words apart. */
static double local_ns(struct cal *c, const char *chain, size_t items, cl_uint stride)
{
    char options[64];
    double t = -1;
    snprintf(options, sizeof options, "-DCHAIN=%s", chain);
    cl_kernel k = cal_kernel(c, local_source, options);
    cl_mem out = cal_zeros(c, items * sizeof(cl_uint));

    if (k && out && clSetKernelArg(k, 1, sizeof out, &out) == CL_SUCCESS &&
        clSetKernelArg(k, 2, sizeof stride, &stride) == CL_SUCCESS)
        t = cal_rate(c, k, items, items);
    if (k)
        clReleaseKernel(k);
    if (out)
        clReleaseMemObject(out);
    return t < 0 ? t : t / HOPS;
}

/* A warp whose lanes read `stride` words apart takes as many turns as lanes share a bank.  The first stride
 * that takes the most turns is the number of banks, in words of a bank. */
static void find_banks(struct cal *c)
{
    static const unsigned stride[] = {1, 2, 4, 8, 16, 32, 64};
    enum { N = sizeof stride / sizeof *stride };
    double ns[N], most = 0;

    for (unsigned i = 0; i < N; i++) {
        cal_progress(c, "local memory");
        ns[i] = local_ns(c, "j", c->d.warp, stride[i]);
        if (ns[i] <= 0)
            return;
        most = ns[i] > most ? ns[i] : most;
    }
    if (c->local_is_memory || most < ns[0] * 1.5) {
        c->d.local_banks = 1;
        c->d.local_bank_bytes = c->d.line_bytes <= 64 ? c->d.line_bytes : 64;
        cal_note(c, "local_banks",
                 "reads up to 64 words apart take %.2f times as long as neighbours: no conflicts",
                 most / ns[0]);
        cal_note(c, "local_bank_bytes", "no banks: what a line holds is served together");
        return;
    }
    unsigned i = 0;
    while (ns[i] < most * 0.9)
        i++;
    c->d.local_banks = stride[i];
    c->d.local_bank_bytes = ns[1] < ns[0] * 1.25 ? 8 : 4;
    cal_note(c, "local_banks", "reads this many words apart are slowest, %.1f times neighbours",
             most / ns[0]);
    cal_note(c, "local_bank_bytes", "reads two words apart take %.2f times as long as neighbours",
             ns[1] / ns[0]);
}

static void find_local(struct cal *c)
{
    cal_progress(c, "local memory");
    double ns = local_ns(c, "(j*7+64)&2047", 1, 1);

    if (ns <= 0) {
        cal_unknown(c, "local memory");
        return;
    }
    c->d.local_latency = cal_cycles(c, ns);
    cal_note(c, "local_latency", "pointer chase, %.2f ns", ns);
    if (c->local_is_memory) {
        c->d.local_delay = c->d.cache[0].delay;
        cal_note(c, "local_delay", "the driver keeps local memory in ordinary memory: as the first level");
    } else {
        const size_t items = c->d.max_group_items;
        cal_progress(c, "local memory");
        ns = local_ns(c, "j", items, 1);
        if (ns > 0) {
            c->d.local_delay = cal_cycles(c, ns) * c->d.warp / (double)items;
            cal_note(c, "local_delay", "%zu work-items reading neighbouring words", items);
        }
    }
    find_banks(c);
}

static void find_constant(struct cal *c)
{
    struct chase h;
    double ns = -1;

    cal_progress(c, "constant memory");
    if (chase_open(c, &h, "__constant", 8192)) {
        fill_footprint(h.host, 8192);
        ns = chase_ns(c, &h, 8192, 1);
        chase_close(&h);
    }
    if (ns <= 0) {
        cal_unknown(c, "latency of constant memory");
        return;
    }
    c->d.constant_latency = cal_cycles(c, ns);
    cal_note(c, "constant_latency", "pointer chase in 8 KiB, %.2f ns", ns);
    if (c->d.is_cpu) {
        c->d.constant_delay = c->d.cache[0].delay;
        cal_note(c, "constant_delay", "constant memory is ordinary memory: as the first level");
    }
}

/* Whole sets and rising latencies, or the model would be misled. */
static void settle_levels(struct cal *c, const struct dev_cache *before, bool line_known)
{
    char key[32];

    for (unsigned i = 0; i < DEV_LEVELS && c->d.cache[i].bytes; i++) {
        struct dev_cache *l = &c->d.cache[i];
        l->line_bytes = c->d.line_bytes;
        snprintf(key, sizeof key, "cache%u.line_bytes", i + 1);
        if (line_known)
            cal_note(c, key, "as line_bytes");
        if (i > 0 && before[i].bytes &&
            l->bytes % (l->line_bytes * (before[i].ways ? before[i].ways : 1)) == 0)
            l->ways = before[i].ways;
        l->bytes -= l->bytes % (l->line_bytes * (l->ways ? l->ways : 1));
        if (i > 0)
            cal_unknown(c, "ways of level %u: assumed %u%s", i + 1, l->ways,
                        l->ways ? "" : " (fully associative)");
    }
}

void cal_memory(struct cal *c)
{
    struct chase h;
    struct dev_cache before[DEV_LEVELS];
    double hit = 0, miss = 0;
    size_t most = c->quick ? 64u << 20 : 256u << 20;

    memcpy(before, c->d.cache, sizeof before);
    most = c->most_bytes && most + CAL_ALIGN > c->most_bytes ? (size_t)(c->most_bytes / 2) : most;
    if (!chase_open(c, &h, "__global", most)) {
        cal_unknown(c, "memory: a kernel with a buffer of %zu MiB cannot be made", most >> 20);
        return;
    }
    if (find_levels(c, &h, &hit, &miss)) {
        bool line_known = find_line(c, &h);
        find_ways(c, &h, hit, miss);
        settle_levels(c, before, line_known);
        for (unsigned i = 0; i < DEV_LEVELS && c->d.cache[i].bytes; i++)
            find_shared(c, &h, i);
        chase_close(&h);
        find_delays(c, most);
        use_told(c);
    } else {
        chase_close(&h);
    }
    find_local(c);
    find_constant(c);
}
