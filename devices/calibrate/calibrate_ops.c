/* calibrate_ops.c - latency and throughput of each class of operations: chains that depend on themselves, and
 * eight of them side by side ([R] Listing 3.4).  Operands come from a buffer, so that nothing folds; their
 * values neither overflow nor become denormal. */
#include <stdio.h>
#include <string.h>
#include "devices/calibrate/calibrate.h"

#define REPEATED 16

static const char chain_source[] =
    "#define R4(x) x x x x\n"
    "#define R16(x) R4(x) R4(x) R4(x) R4(x)\n"
    "#if CHAINS == 1\n"
    "#define ALL STEP(a0)\n"
    "#else\n"
    "#define ALL STEP(a0) STEP(a1) STEP(a2) STEP(a3) STEP(a4) STEP(a5) STEP(a6) STEP(a7)\n"
    "#endif\n"
    "__kernel void k(uint n, __global const S *s, __global T *out)\n"
    "{\n"
    "    T b = s[1], c = s[2];\n"
    "    T a0 = s[0], a1 = s[3], a2 = s[4], a3 = s[5], a4 = s[6], a5 = s[7], a6 = s[8], a7 = s[9];\n"
    "    for (uint i = 0; i < n; i++) { R16(ALL) }\n"
    "    out[get_global_id(0)] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7;\n"
    "}\n";

enum { INT, FLOAT, DOUBLE };

/* `ops` operations of the class per step, and one more of class `also`, whose cost
 * is taken off (-1: none). */
static const struct {
    const char *name, *step;
    unsigned cls;
    int also;
    unsigned type, ops;
    double a, b, c;
} table[] = {
    {"iadd", "x = (x + b) ^ c;", SUM_C_IADD, -1, INT, 2, 1, 3, 5},
    {"imul", "x = x * x;", SUM_C_IMUL, -1, INT, 1, 3, 0, 0},
    {"idiv", "x = c / x;", SUM_C_IDIV, -1, INT, 1, 46341, 0, 2147395600},
    {"fadd", "x = x + b;", SUM_C_FADD, -1, FLOAT, 1, 1, 0.5, 0},
    {"fmul", "x = x * b;", SUM_C_FMUL, -1, FLOAT, 1, 1.5, 1, 0},
    {"fma", "x = fma(x, b, c);", SUM_C_FMA, -1, FLOAT, 1, 1.5, 0.5, 1},
    {"fdiv", "x = c / x;", SUM_C_FDIV, -1, FLOAT, 1, 1.7, 0, 3.1},
    {"sqrt", "x = sqrt(x + c);", SUM_C_SQRT, SUM_C_FADD, FLOAT, 1, 1.7, 0, 3.1},
    {"dadd", "x = x + b;", SUM_C_DADD, -1, DOUBLE, 1, 1, 0.5, 0},
    {"dmul", "x = x * b;", SUM_C_DMUL, -1, DOUBLE, 1, 1.5, 1, 0},
    {"dfma", "x = fma(x, b, c);", SUM_C_DFMA, -1, DOUBLE, 1, 1.5, 0.5, 1},
    {"ddiv", "x = c / x;", SUM_C_DDIV, -1, DOUBLE, 1, 1.7, 0, 3.1},
    {"dsqrt", "x = sqrt(x + c);", SUM_C_DSQRT, SUM_C_DADD, DOUBLE, 1, 1.7, 0, 3.1},
    {"sfu", "x = native_cos(x);", SUM_C_SFU, -1, FLOAT, 1, 0.7, 0, 0},
    {"special", "x = cos(x);", SUM_C_SPECIAL, -1, FLOAT, 1, 0.7, 0, 0},
    {"conv", "x = TO_INT(TO_FLOAT(x) + TO_FLOAT(c));", SUM_C_CONV, SUM_C_FADD, INT, 2, 1000, 0, 0},
};
enum { NTABLE = sizeof table / sizeof *table };

static void type_options(const struct cal *c, unsigned row, unsigned chains, char *out, size_t room)
{
    static const char *const names[] = {"int", "float", "double"};
    const unsigned wide = c->d.is_cpu ? c->lanes : 1;
    char suffix[12] = "";

    if (wide > 1)
        snprintf(suffix, sizeof suffix, "%u", wide);
    snprintf(out, room, "-DS=%s -DT=%s%s -DTO_INT=convert_int%s -DTO_FLOAT=convert_float%s -DCHAINS=%u",
             names[table[row].type], names[table[row].type], suffix, suffix, suffix, chains);
}

static cl_mem operands(const struct cal *c, unsigned row)
{
    cl_int i[10];
    cl_float f[10];
    cl_double d[10];

    for (unsigned j = 0; j < 10; j++) {
        double v = j == 1 ? table[row].b : j == 2 ? table[row].c : table[row].a;
        i[j] = (cl_int)v;
        f[j] = (cl_float)v;
        d[j] = v;
    }
    switch (table[row].type) {
    case INT:
        return cal_buffer(c, i, sizeof i);
    case FLOAT:
        return cal_buffer(c, f, sizeof f);
    default:
        return cal_buffer(c, d, sizeof d);
    }
}

/* Nanoseconds per step of a warp: for one warp alone (chains = 1), or a unit's time
 * per step when it is full. */
static double step_ns(const struct cal *c, unsigned row, unsigned chains)
{
    char options[256], source[sizeof chain_source + 128];
    const size_t local = c->d.is_cpu ? 1 : chains == 1 ? c->d.warp : c->d.max_group_items;
    const size_t global = c->d.is_cpu || chains == 1 ? local : local * c->d.units * 8;
    double t = -1;

    type_options(c, row, chains, options, sizeof options);
    snprintf(source, sizeof source, "#define STEP(x) %s\n%s", table[row].step, chain_source);
    cl_kernel k = cal_kernel(c, source, options);
    cl_mem in = operands(c, row), out = cal_zeros(c, global * 8 * (c->d.is_cpu ? c->lanes : 1));
    if (k && in && out && clSetKernelArg(k, 1, sizeof in, &in) == CL_SUCCESS &&
        clSetKernelArg(k, 2, sizeof out, &out) == CL_SUCCESS)
        t = cal_rate(c, k, global, local);
    if (k)
        clReleaseKernel(k);
    if (in)
        clReleaseMemObject(in);
    if (out)
        clReleaseMemObject(out);
    if (t < 0)
        return t;
    double warps = c->d.is_cpu || chains == 1 ? 1 : (double)(local / c->d.warp) * 8;
    return t / REPEATED / chains / (warps > 1 ? warps : 1);
}

static void note_class(struct cal *c, const char *name, double latency, double delay, const char *how)
{
    char key[32];

    snprintf(key, sizeof key, "latency.%s", name);
    cal_note(c, key, "%s: dependent, %.2f ns", how, latency);
    snprintf(key, sizeof key, "delay.%s", name);
    cal_note(c, key, "%s: independent, %.2f ns", how, delay);
}

static void chains(struct cal *c)
{
    char how[96];

    for (unsigned i = 0; i < NTABLE; i++) {
        cal_progress(c, "operations");
        if (table[i].type == DOUBLE && !c->fp64) {
            cal_unknown(c, "%s: the device has no fp64", table[i].name);
            continue;
        }
        double one = step_ns(c, i, 1), many = step_ns(c, i, 8);
        if (one <= 0 || many <= 0) {
            cal_unknown(c, "%s", table[i].name);
            continue;
        }
        double latency = cal_cycles(c, one), delay = cal_cycles(c, many);
        if (table[i].also >= 0) {
            latency -= c->d.latency[table[i].also];
            delay -= c->d.delay[table[i].also];
        }
        /* side by side is never slower than one after the other, and no part is free */
        latency = latency > 0.1 ? latency / table[i].ops : 0.1;
        delay = delay > 0.05 ? delay / table[i].ops : 0.05;
        c->d.latency[table[i].cls] = latency > delay ? latency : delay;
        c->d.delay[table[i].cls] = delay;
        snprintf(how, sizeof how, "chain of %.*s", (int)strlen(table[i].step) - 1, table[i].step);
        note_class(c, table[i].name, one, many, how);
    }
}

/* ---- atomics, images, barriers --------------------------------------------------------------------- */

static const char atomic_source[] =
    "__kernel void k(uint n, __global volatile int *p)\n"
    "{\n"
    "    p += get_global_id(0) * 16;\n"
    "    for (uint i = 0; i < n; i++) for (uint j = 0; j < 16; j++) atomic_inc(p + j);\n"
    "}\n";

static const char image_source[] =
    "__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "__kernel void k(uint n, __read_only image2d_t m, __global int *out)\n"
    "{\n"
    "    int x = get_local_id(0) & 15;\n"
    "    float sum = 0;\n"
    "    for (uint i = 0; i < n; i++)\n"
    "        for (int j = 0; j < 16; j++) {\n"
    "            float4 v = read_imagef(m, s, (int2)(DEPENDENT ? x : x + j, j));\n"
    "            x += (int)v.x;\n"
    "            sum += v.y;\n"
    "        }\n"
    "    out[get_global_id(0)] = x + (int)sum;\n"
    "}\n";

/* Four barriers per iteration, or one: with none a driver may build another kind of loop
 * altogether (PoCL does). */
static const char barrier_source[] =
    "#define STEP v = v * 3 + 1;\n"
    "#define WAIT barrier(CLK_LOCAL_MEM_FENCE);\n"
    "#if FOUR\n"
    "#define MAY WAIT\n"
    "#else\n"
    "#define MAY\n"
    "#endif\n"
    "__kernel void k(uint n, __global uint *p)\n"
    "{\n"
    "    uint v = p[get_global_id(0)];\n"
    "    for (uint i = 0; i < n; i++) { STEP MAY STEP MAY STEP MAY STEP WAIT }\n"
    "    p[get_global_id(0)] = v;\n"
    "}\n";

/* A kernel over one object besides its count.  Nanoseconds per iteration. */
static double simple_ns(const struct cal *c, const char *source, const char *options, cl_mem m, cl_mem out,
                        size_t global, size_t local)
{
    cl_kernel k = cal_kernel(c, source, options);
    double t = -1;

    if (k && m && clSetKernelArg(k, 1, sizeof m, &m) == CL_SUCCESS &&
        (!out || clSetKernelArg(k, 2, sizeof out, &out) == CL_SUCCESS))
        t = cal_rate(c, k, global, local);
    if (k)
        clReleaseKernel(k);
    return t;
}

static void atomics(struct cal *c)
{
    const size_t items = c->d.is_cpu ? 1 : c->d.warp;
    cl_mem p = cal_zeros(c, items * 64);

    cal_progress(c, "atomics");
    double t = simple_ns(c, atomic_source, "", p, NULL, items, items);
    if (p)
        clReleaseMemObject(p);
    if (t <= 0) {
        cal_unknown(c, "atomics");
        return;
    }
    t *= (c->d.is_cpu ? c->d.warp : 1) / 16.0;
    c->d.latency[SUM_C_ATOMIC] = c->d.delay[SUM_C_ATOMIC] = cal_cycles(c, t);
    note_class(c, "atomic", t, t, "atomic_inc on one word per lane");
}

static void images(struct cal *c)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    const size_t items = c->d.is_cpu ? 1 : c->d.warp;
    static float texels[64 * 64 * 4];
    cl_int e;
    cl_mem m = NULL, out = cal_zeros(c, items * 4);

    cal_progress(c, "images");
    if (c->images)
        m = clCreateImage(c->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &e);
    double one = m ? simple_ns(c, image_source, "-DDEPENDENT=1", m, out, items, items) : -1;
    double many = m ? simple_ns(c, image_source, "-DDEPENDENT=0", m, out, items, items) : -1;
    if (m)
        clReleaseMemObject(m);
    if (out)
        clReleaseMemObject(out);
    if (one <= 0 || many <= 0) {
        cal_unknown(c, "image reads");
        return;
    }
    const double lanes = c->d.is_cpu ? c->d.warp : 1;
    one *= lanes / 16;
    many = (many < one ? many : one) * lanes / 16;
    c->d.latency[SUM_C_IMAGE] = cal_cycles(c, one);
    c->d.delay[SUM_C_IMAGE] = cal_cycles(c, many);
    note_class(c, "image", one, many, "read_imagef of float4 texels, nearest");
}

static void barriers(struct cal *c)
{
    const size_t local = c->d.max_group_items < 256 ? c->d.max_group_items : 256;
    cl_mem p = cal_zeros(c, local * 4);

    cal_progress(c, "barriers");
    double four = simple_ns(c, barrier_source, "-DFOUR=1", p, NULL, local, local),
           one = simple_ns(c, barrier_source, "-DFOUR=0", p, NULL, local, local);
    if (p)
        clReleaseMemObject(p);
    if (four <= 0 || one <= 0 ||
        four <= one * 1.1) { /* a difference of two times that are repeatable to 2 % */
        cal_unknown(c, "barriers: three more of them hardly show in a loop");
        return;
    }
    const double warps = (double)((local + c->d.warp - 1) / c->d.warp);
    const double all = (four - one) / 3, each = all / warps;
    /* on a CPU a group's warps pass one after another; elsewhere all wait together */
    c->d.latency[SUM_C_BARRIER] = cal_cycles(c, c->d.is_cpu ? each : all);
    c->d.delay[SUM_C_BARRIER] = cal_cycles(c, each);
    note_class(c, "barrier", all, each, "three more barriers in a loop, group of 256, by warp");
}

void cal_operations(struct cal *c)
{
    chains(c);
    atomics(c);
    images(c);
    barriers(c);
    cal_unknown(c, "branches and issue of memory instructions: hidden behind what surrounds them");
}
