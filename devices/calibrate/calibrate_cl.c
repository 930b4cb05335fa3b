/* calibrate_cl.c - the calibrator's dealings with the OpenCL driver. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "devices/calibrate/calibrate.h"

#define MOST_PLATFORMS 16
#define MOST_DEVICES   64

static void text(cl_device_id id, cl_device_info what, char *out, size_t room)
{
    char whole[1024] = "";

    if (clGetDeviceInfo(id, what, sizeof whole - 1, whole, NULL) != CL_SUCCESS)
        whole[0] = 0;
    snprintf(out, room, "%.*s", (int)room - 1, whole);
}

static uint64_t number(cl_device_id id, cl_device_info what)
{
    uint64_t value =
        0; /* 4 or 8 bytes arrive; x86 and Arm drivers are little endian, as the rest of the world */

    if (clGetDeviceInfo(id, what, sizeof value, &value, NULL) != CL_SUCCESS)
        return 0;
    return value;
}

static cl_device_id find_device(int platform, unsigned device)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_device_id devices[MOST_DEVICES];
    cl_uint np = 0, nd = 0;

    if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &np) != CL_SUCCESS)
        np = 0;
    np = np < MOST_PLATFORMS ? np : MOST_PLATFORMS;
    for (unsigned p = platform < 0 ? 0 : (unsigned)platform; p < np; p++) {
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &nd) != CL_SUCCESS)
            nd = 0;
        nd = nd < MOST_DEVICES ? nd : MOST_DEVICES;
        if (device < nd)
            return devices[device];
        if (platform >= 0 || nd)
            break;
    }
    return NULL;
}

/* What is known before anything is measured. */
static void describe(struct cal *c)
{
    const cl_device_type type = (cl_device_type)number(c->id, CL_DEVICE_TYPE);
    struct dev_traits t = {.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0,
                           .units = (uint32_t)number(c->id, CL_DEVICE_MAX_COMPUTE_UNITS),
                           .clock_mhz = (uint32_t)number(c->id, CL_DEVICE_MAX_CLOCK_FREQUENCY),
                           .max_group_items = (uint32_t)number(c->id, CL_DEVICE_MAX_WORK_GROUP_SIZE),
                           .line_bytes = (uint32_t)number(c->id, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE),
                           .cache_bytes = number(c->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE),
                           .local_bytes = number(c->id, CL_DEVICE_LOCAL_MEM_SIZE),
                           .name = c->name};

    c->cache_bytes = t.cache_bytes;
    if (t.is_cpu)
        t.warp = (uint32_t)number(c->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
    const struct device *named = dev_named(c->name);
    snprintf(c->base, sizeof c->base, "%s", named ? named->name : t.is_cpu ? "generic-cpu" : "generic-gpu");
    dev_from_traits(&t, &c->d);
    c->lanes = c->d.warp;
    if (t.is_cpu)
        for (c->lanes = 16; c->lanes > c->d.warp;)
            c->lanes /= 2;
}

static int make_queue(struct cal *c)
{
    cl_int e = CL_SUCCESS;

    c->context = clCreateContext(NULL, 1, &c->id, NULL, NULL, &e);
    if (c->context)
        c->queue = clCreateCommandQueue(c->context, c->id, CL_QUEUE_PROFILING_ENABLE, &e);
    if (c->context && c->queue)
        return 0;
    fprintf(stderr, "clsizer calibrate: %s: OpenCL error %d\n", c->name, e);
    return -ENODEV;
}

static double clock_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* By event, or host clock where events are of no use. */
static double event_time(const struct cal *c, cl_kernel k, size_t global, size_t local)
{
    cl_event event;
    cl_ulong start = 0, end = 0;
    cl_int e;

    if (!c->events)
        return cal_host(c, k, global, local);
    if (clEnqueueNDRangeKernel(c->queue, k, 1, NULL, &global, &local, 0, NULL, &event) != CL_SUCCESS)
        return -1;
    e = clFinish(c->queue);
    if (e == CL_SUCCESS)
        e = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (e == CL_SUCCESS)
        e = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    return e == CL_SUCCESS && end > start ? (double)(end - start) : -1;
}

/* Drivers exist whose event times are zero or one: believe them only where they come near the
 * host's.  CPU drivers run kernels in this process: believe its CPU time where it could not have
 * been used up in any other way. */
static void check_clocks(struct cal *c)
{
    enum { STEPS = 1 << 20 }; /* dependent: none takes less than a tenth of a nanosecond */
    cl_kernel k = cal_kernel(c,
                             "__kernel void k(uint n, __global uint *p)\n"
                             "{ uint x = *p; for (uint i = 0; i < n; i++) x = (x + i) ^ n; *p = x; }\n",
                             "");
    cl_mem p = cal_zeros(c, sizeof(cl_uint));
    cl_uint n = STEPS;

    c->events = c->cpu_time = false;
    if (k && p && clSetKernelArg(k, 0, sizeof n, &n) == CL_SUCCESS &&
        clSetKernelArg(k, 1, sizeof p, &p) == CL_SUCCESS && cal_host(c, k, 1, 1) > 0) {
        const double before = clock_ns(CLOCK_PROCESS_CPUTIME_ID), host = cal_host(c, k, 1, 1);
        c->cpu_time = c->d.is_cpu && clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before > STEPS * 0.1;
        c->events = true;
        double event = event_time(c, k, 1, 1);
        c->events = event > host / 4 && event < host * 4;
    }
    if (p)
        clReleaseMemObject(p);
    if (k)
        clReleaseKernel(k);
}

int cal_open(struct cal *c, int platform, unsigned device)
{
    c->id = find_device(platform, device);
    if (!c->id) {
        fputs("clsizer calibrate: there is no such OpenCL device; `clinfo -l` lists them\n", stderr);
        return -ENODEV;
    }
    text(c->id, CL_DEVICE_NAME, c->name, sizeof c->name);
    text(c->id, CL_DEVICE_VENDOR, c->vendor, sizeof c->vendor);
    text(c->id, CL_DRIVER_VERSION, c->driver, sizeof c->driver);
    describe(c);
    c->fp64 = number(c->id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    c->images = number(c->id, CL_DEVICE_IMAGE_SUPPORT) != 0;
    c->local_is_memory = number(c->id, CL_DEVICE_LOCAL_MEM_TYPE) == CL_GLOBAL;
    c->most_bytes = number(c->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    int r = make_queue(c);
    if (r == 0)
        check_clocks(c);
    return r;
}

void cal_close(struct cal *c)
{
    if (c->queue)
        clReleaseCommandQueue(c->queue);
    if (c->context)
        clReleaseContext(c->context);
}

cl_kernel cal_kernel(const struct cal *c, const char *source, const char *options)
{
    char all[512];
    cl_kernel k = NULL;
    cl_int e = CL_SUCCESS;
    const char *parts[] = {c->fp64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "\n", source};
    cl_program p = clCreateProgramWithSource(c->context, 2, parts, NULL, &e);

    /* -w: PoCL's compiler counts warnings on stderr, of vectors that the CPU has no registers for. */
    snprintf(all, sizeof all, "-w -DLANES=%u %s", c->lanes, options);
    if (p && clBuildProgram(p, 1, &c->id, all, NULL, NULL) == CL_SUCCESS)
        k = clCreateKernel(p, "k", &e);
    if (p)
        clReleaseProgram(p);
    return k;
}

cl_mem cal_buffer(const struct cal *c, const void *from, size_t bytes)
{
    cl_int e;
    cl_mem m = clCreateBuffer(c->context, CL_MEM_READ_WRITE, bytes, NULL, &e);

    if (m && clEnqueueWriteBuffer(c->queue, m, CL_TRUE, 0, bytes, from, 0, NULL, NULL) != CL_SUCCESS) {
        clReleaseMemObject(m);
        m = NULL;
    }
    return m;
}

cl_mem cal_zeros(const struct cal *c, size_t bytes)
{
    void *zeros = calloc(1, bytes);
    cl_mem m = zeros ? cal_buffer(c, zeros, bytes) : NULL;

    free(zeros);
    return m;
}

double cal_host(const struct cal *c, cl_kernel k, size_t global, size_t local)
{
    double before = clock_ns(CLOCK_MONOTONIC);

    if (clEnqueueNDRangeKernel(c->queue, k, 1, NULL, &global, &local, 0, NULL, NULL) != CL_SUCCESS ||
        clFinish(c->queue) != CL_SUCCESS)
        return -1;
    return clock_ns(CLOCK_MONOTONIC) - before;
}

double cal_launch(const struct cal *c, cl_kernel k, size_t global, size_t local)
{
    const size_t groups = global / local;
    const double before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

    if (!c->cpu_time)
        return event_time(c, k, global, local);
    if (cal_host(c, k, global, local) < 0)
        return -1;
    return (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before) /
           (double)(groups < c->d.units ? groups : c->d.units);
}

size_t cal_skip(const struct cal *c, cl_mem m)
{
    cl_kernel k = cal_kernel(c,
                             "__kernel void k(uint align, __global char *p, __global uint *out)\n"
                             "{ *out = (uint)((align - ((size_t)p & (align - 1))) & (align - 1)); }\n",
                             "");
    cl_mem out = cal_zeros(c, sizeof(cl_uint));
    cl_uint align = CAL_ALIGN, skip = 0;

    if (k && out && clSetKernelArg(k, 0, sizeof align, &align) == CL_SUCCESS &&
        clSetKernelArg(k, 1, sizeof m, &m) == CL_SUCCESS &&
        clSetKernelArg(k, 2, sizeof out, &out) == CL_SUCCESS && cal_host(c, k, 1, 1) >= 0 &&
        clEnqueueReadBuffer(c->queue, out, CL_TRUE, 0, sizeof skip, &skip, 0, NULL, NULL) != CL_SUCCESS)
        skip = 0;
    if (k)
        clReleaseKernel(k);
    if (out)
        clReleaseMemObject(out);
    return skip;
}

/* The fastest of three: one run that another program interrupts must not pass for a long one. */
static double least_of_three(const struct cal *c, cl_kernel k, size_t global, size_t local)
{
    double best = cal_launch(c, k, global, local);

    for (unsigned i = 1; i < 3 && best >= c->least_ns; i++) {
        double t = cal_launch(c, k, global, local);
        best = t < best ? t : best;
    }
    return best;
}

double cal_rate(const struct cal *c, cl_kernel k, size_t global, size_t local)
{
    double best, second;

    for (cl_uint n = 1;; n *= 2) {
        if (clSetKernelArg(k, 0, sizeof n, &n) != CL_SUCCESS ||
            (best = least_of_three(c, k, global, local)) < 0)
            return -1;
        if (best < c->least_ns && n < 1u << 30)
            continue;
        second = HUGE_VAL;
        for (unsigned i = 0; i < c->repeats || (i < 10 * c->repeats && second > best * 1.02); i++) {
            const double t = cal_launch(c, k, global, local);
            if (t <= 0)
                continue;
            second = t < best ? best : t < second ? t : second;
            best = t < best ? t : best;
        }
        if (best >= c->least_ns / 2 || n >= 1u << 30) /* else all three had been interrupted */
            return second > best * 1.15 ? -1 : best / n;
    }
}
