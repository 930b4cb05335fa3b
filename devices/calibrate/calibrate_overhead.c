/* calibrate_overhead.c - what a launch, a work-group and a local size never launched before cost. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "devices/calibrate/calibrate.h"

static const char empty_source[] =
    "__kernel void k(uint n, __global uint *p) { if (n == 1) p[get_global_id(0)] = n; }\n";

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static cl_kernel empty_kernel(const struct cal *c, cl_mem p)
{
    cl_kernel k = cal_kernel(c, empty_source, "");
    cl_uint none = 0;

    if (k && (clSetKernelArg(k, 0, sizeof none, &none) || clSetKernelArg(k, 1, sizeof p, &p))) {
        clReleaseKernel(k);
        k = NULL;
    }
    return k;
}

/* Launches come in bursts with pauses between them: where the scheduler has put the driver's threads lasts
 * for longer than a burst and decides between 7 and 20 us (measured: PoCL 3.1 on two cores). */
#define BURST    50
#define BURSTS   20
#define PAUSE_NS 10000000

static void launch(struct cal *c, cl_kernel k)
{
    double t[BURST * BURSTS] = {0};
    const unsigned n = c->quick ? BURST : BURST * BURSTS;
    const struct timespec pause = {.tv_nsec = PAUSE_NS};

    for (unsigned i = 0; i < n; i++) {
        if (i && i % BURST == 0)
            nanosleep(&pause, NULL);
        t[i] = cal_host(c, k, 1, 1);
        if (t[i] < 0) {
            cal_unknown(c, "overhead of a launch");
            return;
        }
    }
    qsort(t, n, sizeof *t, ascending);
    c->d.launch_ns = t[n / 20];
    cal_note(c, "launch_ns", "empty kernel, one group, enqueue to finish, fastest twentieth of %u", n);
}

/* What a further group costs: the slope between few and many groups of one work-item. */
static double slope(const struct cal *c, cl_kernel k, size_t few, size_t many)
{
    double best[2] = {-1, -1};

    for (unsigned i = 0; i < 8 * c->repeats; i++)
        for (unsigned j = 0; j < 2; j++) {
            double t = cal_launch(c, k, j ? many : few, 1);
            if (t > 0 && (best[j] < 0 || t < best[j]))
                best[j] = t;
        }
    return best[0] < 0 || best[1] <= best[0] ? -1 : (best[1] - best[0]) / (double)(many - few);
}

static void groups(struct cal *c, cl_kernel k)
{
    const double t = slope(c, k, 1u << 12, c->quick ? 1u << 16 : 1u << 18);

    if (t <= 0) {
        cal_unknown(c, "cost of a work-group");
        return;
    }
    c->d.group_ns = t * c->d.units;
    cal_note(c, "group_ns", "empty kernel, more groups of one work-item: %.2f ns each on %u unit%s", t,
             c->d.units, c->d.units > 1 ? "s" : "");
}

/* A source that nobody has compiled before, so that no cache knows it. */
static void compilation(struct cal *c)
{
    char source[512];
    double t[8];
    const unsigned n = c->quick ? 3 : 7;
    cl_mem p = cal_zeros(c, 4096 * sizeof(cl_float));

    snprintf(source, sizeof source,
             "__kernel void k(uint n, __global float *p)\n"
             "{ uint i = get_global_id(0); if (n + i > %uu) p[i] = p[i] * 2.0f + %u.0f; }\n",
             (unsigned)getpid(), (unsigned)time(NULL) & 0xffffff);
    cl_kernel k = cal_kernel(c, source, "");
    cl_uint zero = 0;
    bool ok = k && p && clSetKernelArg(k, 0, sizeof zero, &zero) == CL_SUCCESS &&
              clSetKernelArg(k, 1, sizeof p, &p) == CL_SUCCESS && cal_host(c, k, 4096, 1) > 0;
    for (unsigned i = 0; ok && i < n; i++) {
        const size_t local = (size_t)2 << i < c->d.max_group_items ? (size_t)2 << i : 1;
        cal_progress(c, "compilation");
        double first = cal_host(c, k, 4096, local), again = cal_host(c, k, 4096, local);
        ok = first > 0 && again > 0;
        t[i] = first > again ? first - again : 0;
    }
    if (k)
        clReleaseKernel(k);
    if (p)
        clReleaseMemObject(p);
    if (!ok) {
        cal_unknown(c, "cost of a new local size");
        return;
    }
    qsort(t, n, sizeof *t, ascending);
    /* less than a launch is the noise of two launches, not a compilation */
    c->d.compile_ns = t[n / 2] > c->d.launch_ns ? t[n / 2] : 0;
    cal_note(c, "compile_ns",
             "first launch of a local size, the second taken off: median of %u, %.1f to %.1f ms", n,
             t[0] / 1e6, t[n - 1] / 1e6);
}

void cal_overheads(struct cal *c)
{
    cl_mem p = cal_zeros(c, 4);
    cl_kernel k = p ? empty_kernel(c, p) : NULL;

    cal_progress(c, "launches");
    if (k) {
        cal_host(c, k, 1, 1);
        launch(c, k);
        cal_progress(c, "work-groups");
        groups(c, k);
        clReleaseKernel(k);
    } else {
        cal_unknown(c, "overheads of launches and work-groups");
    }
    if (p)
        clReleaseMemObject(p);
    compilation(c);
}
