/* scripted_driver.c - see scripted_driver.h. */
#include "scripted_driver.h"
#include "shim/calls/intercept.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "shim/calls/lifetime.h"
#include "shim/guest/clock.h"
#include "shim/guest/cores.h"
#include "shim/guest/idle.h"
#include "shim/guest/next.h"
#include "shim/object/event_shadow.h"
#include "shim/object/programs.h"
#include "shim/site/samples_in_flight.h"
#include "shim/tune/settle.h"

#define LAUNCH_NS 2000 /* between the end of a launch and the start of the next */

struct script script;
struct runtime script_runtime;

static int objects[8]; /* their addresses are handles */
#define DEVICE  ((cl_device_id)&objects[0])
#define CONTEXT ((cl_context)&objects[1])
#define QUEUE   ((cl_command_queue)&objects[2])
#define PROGRAM ((cl_program)&objects[3])
#define KERNEL  ((cl_kernel)&objects[4])
#define IN      ((cl_mem)&objects[5])
#define OUT     ((cl_mem)&objects[6])

#define HEAD(more)                                                                                           \
    "arg \"in\" \"float*\" buffer global 8 - -\narg \"out\" \"float*\" buffer global 8 - -\n"                \
    "arg \"n\" \"int\" scalar private 4 - -\n" more                                                          \
    "pin = arg bits=64 space=global imm=0\npout = arg bits=64 space=global imm=1\nn = arg bits=32 imm=2\n"   \
    "id = wi sub=global_id bits=64\nlid = wi sub=local_id bits=64\nfour = const bits=64 imm=4\nblock\n"      \
    "off = mul bits=64 : id four\n"
#define STORE(value)                                                                                         \
    "q = ptradd bits=64 space=global : pout off\nstore space=global bytes=4 cls=mem : q " value "\nret\n"

#define MAP                                                                                                  \
    "p = ptradd bits=64 space=global : pin off\nx = load bits=32 space=global bytes=4 cls=mem : p\n"         \
    "y = add bits=32 cls=iadd : x n\n" STORE("y")

const char script_map[] = HEAD("") MAP;
const char script_reqd[] = HEAD("reqd 16 1 1\n") MAP;
const char script_counted[] = HEAD("var \"v\" global 4\n") MAP;
const char script_bump[] =
    HEAD("") "q = ptradd bits=64 space=global : pout off\nx = load bits=32 space=global bytes=4 cls=mem : q\n"
             "y = add bits=32 cls=iadd : x n\nstore space=global bytes=4 cls=mem : q y\nret\n";
const char script_spread[] =
    HEAD("") "m = sext bits=64 : n\nthere = mul bits=64 : off m\n"
             "p = ptradd bits=64 space=global : pin off\nx = load bits=32 space=global bytes=4 cls=mem : p\n"
             "q = ptradd bits=64 space=global : pout there\nstore space=global bytes=4 cls=mem : q x\nret\n";
const char script_shift[] =
    HEAD("") "p = ptradd bits=64 space=global : pout off\nx = load bits=32 space=global bytes=4 cls=mem : p\n"
             "m = sext bits=64 : n\nfar = mul bits=64 : m four\nthere = add bits=64 : off far\n"
             "q = ptradd bits=64 space=global : pout there\nstore space=global bytes=4 cls=mem : q x\nret\n";
#define SQUARE                                                                                               \
    "m = pure bits=32 flags=16 cls=fmul : x x\ny = pure bits=32 flags=16 cls=fadd : m x\n" STORE("y")
#define NUMBER                                                                                               \
    "p = ptradd bits=64 space=global : pin off\nx = load bits=32 space=global flags=16 bytes=4 cls=mem : "   \
    "p\n"

const char script_fused[] = HEAD("") NUMBER SQUARE;
const char script_choice[] =
    HEAD("") NUMBER "c = pure bits=1 : x\ncondbr : c @1 @2\nblock\n" SQUARE "block\nret\n";
const char script_rounds[] = HEAD("zero = const bits=32 imm=0\none = const bits=32 imm=1\n") NUMBER
    "br : @1\nblock\nj = phi bits=32 : @0 zero @2 k\ny = phi bits=32 : @0 x @2 m\n"
    "c = icmp sub=slt bits=1 : j n\ncondbr : c @2 @3\nblock\n"
    "m = pure bits=32 flags=16 cls=fmul : y y\nk = add bits=32 flags=1 cls=iadd : j one\nbr : "
    "@1\nblock\n" STORE("y");
const char script_local[] = HEAD("") "y = trunc bits=32 : lid\n" STORE("y");

double script_even(const size_t local[3])
{
    (void)local;
    return 1;
}

double script_wide(const size_t local[3])
{
    return local[0] >= 64 ? 0.5 : 1;
}

/* ---- the driver ------------------------------------------------------------------------------------- */

static cl_int answer(const void *value, size_t bytes, size_t room, void *out, size_t *size)
{
    if (size)
        *size = bytes;
    if (out && room < bytes)
        return CL_INVALID_VALUE;
    if (out)
        memcpy(out, value, bytes);
    return CL_SUCCESS;
}

#define ANSWER(type, value) return answer(&(type){value}, sizeof(type), room, out, size)

static cl_int CL_API_CALL device_info(cl_device_id d, cl_device_info what, size_t room, void *out,
                                      size_t *size)
{
    static const size_t most[3] = {1024, 1024, 64};
    (void)d;

    switch (what) {
    case CL_DEVICE_VENDOR:
        return answer(script.vendor, strlen(script.vendor) + 1, room, out, size);
    case CL_DRIVER_VERSION:
        return answer("2026", sizeof "2026", room, out, size);
    case CL_DEVICE_NAME:
    case CL_DEVICE_PROFILE:
    case CL_DEVICE_EXTENSIONS:
        return answer("scripted", sizeof "scripted", room, out, size);
    case CL_DEVICE_VERSION:
        return answer(script.version, strlen(script.version) + 1, room, out, size);
    case CL_DEVICE_OPENCL_C_VERSION:
        return answer("OpenCL C 1.2", sizeof "OpenCL C 1.2", room, out, size);
    case CL_DEVICE_TYPE:
        ANSWER(cl_device_type, script.is_cpu ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        ANSWER(cl_uint, 4);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        ANSWER(size_t, 1024);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return answer(most, sizeof most, room, out, size);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL context_info(cl_context c, cl_context_info what, size_t room, void *out,
                                       size_t *size)
{
    (void)c;
    if (what == CL_CONTEXT_DEVICES)
        ANSWER(cl_device_id, DEVICE);
    return answer("", 0, room, out, size);
}

static bool is_wide(cl_kernel k);

static cl_int CL_API_CALL kernel_info(cl_kernel k, cl_kernel_info what, size_t room, void *out, size_t *size)
{
    if (what == CL_KERNEL_NUM_ARGS)
        ANSWER(cl_uint, is_wide(k) ? 4 : 3); /* the end of the range, too */
    if (what == CL_KERNEL_PROGRAM)
        ANSWER(cl_program, PROGRAM);
    return answer("k", 2, room, out, size);
}

static cl_int CL_API_CALL group_info(cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t room,
                                     void *out, size_t *size)
{
    (void)k, (void)d, (void)what;
    ANSWER(size_t, 256);
}

static cl_int CL_API_CALL memory_info(cl_mem m, cl_mem_info what, size_t room, void *out, size_t *size)
{
    (void)m;
    switch (what) {
    case CL_MEM_SIZE:
        ANSWER(size_t, script.buffer_size ? script.buffer_size : (size_t)1 << 30);
    case CL_MEM_FLAGS:
        ANSWER(cl_mem_flags, CL_MEM_READ_WRITE | (script.is_host ? CL_MEM_USE_HOST_PTR : 0));
    case CL_MEM_HOST_PTR:
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        ANSWER(void *, NULL);
    case CL_MEM_TYPE:
        ANSWER(cl_mem_object_type, CL_MEM_OBJECT_BUFFER);
    case CL_MEM_OFFSET:
        ANSWER(size_t, 0);
    default:
        return CL_INVALID_VALUE;
    }
}

static void pass(int64_t ns)
{
    if (ns > 0)
        nanosleep(&(struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000}, NULL);
}

static void run(struct script_event *e)
{
    e->submit = script.clock;
    e->start = script.clock += LAUNCH_NS + (cl_ulong)e->compile;
    e->end = script.clock += (cl_ulong)e->takes;
    e->status = e->status < 0 ? e->status : CL_COMPLETE;
}

static struct script_event *new_event(int64_t takes, int64_t compile, cl_int status)
{
    struct script_event *e = &script.event[script.nevent++];

    ck_assert_uint_lt(script.nevent, SCRIPT_EVENTS);
    *e = (struct script_event){
        .refs = 1, .status = status, .takes = takes, .compile = compile, .queue = QUEUE};
    if (!script.asleep)
        run(e);
    else
        e->status = CL_QUEUED;
    return e;
}

/* ---- private programs, kernels, buffers -------------------------------------------------------------- */

#define SOURCE "kernel"

struct object {
    bool variant;  /* a kernel of another name; a buffer that was an argument of such */
    size_t local;  /* a copy: the local[0] with which it was written to last; 0: it was not */
    bool noise;    /* a buffer that numbers were written to */
    bool blank;    /* one that was filled with a byte, and no kernel has written to */
    char name[32]; /* a kernel's */
    cl_mem arg[3];
};

static void *new_object(bool variant)
{
    struct object *o = calloc(1, sizeof *o);

    ck_assert_ptr_nonnull(o);
    o->variant = variant;
    script.objects++;
    return o;
}

static void drop_object(void *object)
{
    script.objects--;
    free(object);
}

static bool is_variant(cl_kernel k)
{
    return k != KERNEL && ((struct object *)(void *)k)->variant;
}

static bool is_wide(cl_kernel k)
{
    return k != KERNEL && strcmp(((struct object *)(void *)k)->name, "wide") == 0;
}

static cl_int CL_API_CALL program_info(cl_program p, cl_program_info what, size_t room, void *out,
                                       size_t *size)
{
    (void)p;
    return what == CL_PROGRAM_SOURCE ? answer(SOURCE, sizeof SOURCE, room, out, size) : CL_INVALID_VALUE;
}

static cl_program CL_API_CALL create_program(cl_context c, cl_uint n, const char **text, const size_t *size,
                                             cl_int *error)
{
    (void)c, (void)error;
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_lt(size[0], SCRIPT_TEXT);
    memcpy(script.text, text[0], size[0]);
    script.text[size[0]] = 0;
    return new_object(false);
}

static cl_int CL_API_CALL build_program(cl_program p, cl_uint n, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                        void *data)
{
    (void)p, (void)devices, (void)options, (void)notify, (void)data;
    ck_assert_uint_eq(n, 1);
    script.builds++;
    pass(script.build_ns);
    return script.no_build ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

static cl_int CL_API_CALL release_program(cl_program p)
{
    drop_object(p);
    return CL_SUCCESS;
}

static cl_kernel CL_API_CALL create_kernel(cl_program p, const char *name, cl_int *error)
{
    const bool variant = strcmp(name, "k") != 0;
    struct object *o = variant && script.no_kernel ? NULL : new_object(variant);
    (void)p, (void)error;

    if (o)
        snprintf(o->name, sizeof o->name, "%s", name);
    return (void *)o;
}

static cl_int CL_API_CALL set_arg(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    struct object *o = (void *)k;

    ck_assert_uint_lt(i, is_wide(k) ? 4 : 3);
    if (i == 3 || size != sizeof(cl_mem))
        return CL_SUCCESS;
    if (!o->variant) {
        memcpy(&o->arg[i], value, sizeof(cl_mem));
        return CL_SUCCESS;
    }
    script.kept_args -= o->arg[i] != NULL;
    memcpy(&o->arg[i], value, sizeof(cl_mem));
    script.kept_args += o->arg[i] != NULL;
    if (o->arg[i] && o->arg[i] != IN && o->arg[i] != OUT)
        ((struct object *)(void *)o->arg[i])->variant = true;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_kernel(cl_kernel k)
{
    drop_object(k);
    return CL_SUCCESS;
}

static cl_mem CL_API_CALL create_buffer(cl_context c, cl_mem_flags flags, size_t size, void *host,
                                        cl_int *error)
{
    (void)c, (void)flags, (void)size, (void)host, (void)error;
    if (++script.copies > script.most_copies)
        script.most_copies = script.copies;
    return new_object(false);
}

/* With something before it. */
static cl_mem CL_API_CALL create_part(cl_mem m, cl_mem_flags flags, cl_buffer_create_type type,
                                      const void *region, cl_int *error)
{
    (void)m, (void)type;
    ck_assert_uint_gt(((const cl_buffer_region *)region)->origin, 0);
    script.parts++;
    return create_buffer(NULL, flags, 0, NULL, error);
}

static cl_int CL_API_CALL release_memory(cl_mem m)
{
    script.copies--;
    drop_object(m);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL copy_buffer(cl_command_queue q, cl_mem from, cl_mem to, size_t at, size_t there,
                                      size_t size, cl_uint nwait, const cl_event *wait, cl_event *event)
{
    (void)q, (void)at, (void)there, (void)nwait, (void)wait;
    script.copied = size > script.copied ? size : script.copied;
    script.fills++;
    if (to != IN && to != OUT)
        ((struct object *)(void *)to)->local = 0;
    if (to != IN && to != OUT) /* what a variant wrote is still that in the copy */
        ((struct object *)(void *)to)->variant =
            from != IN && from != OUT && ((struct object *)(void *)from)->variant;
    if (to != IN && to != OUT)
        ((struct object *)(void *)to)->blank =
            from != IN && from != OUT && ((struct object *)(void *)from)->blank;
    if (event)
        *event = (cl_event)new_event(0, 0, CL_SUCCESS);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue q, cl_mem m, const void *pattern, size_t size,
                                      size_t at, size_t bytes, cl_uint nwait, const cl_event *wait,
                                      cl_event *event)
{
    (void)q, (void)at, (void)bytes, (void)nwait, (void)wait;
    ck_assert(m != IN && m != OUT);
    ck_assert_uint_eq(size, 1);
    ck_assert_uint_ne(*(const unsigned char *)pattern, 0);
    ((struct object *)(void *)m)->blank = true;
    *event = (cl_event)new_event(0, 0, CL_SUCCESS);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL write_buffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t at, size_t size,
                                       const void *from, cl_uint nwait, const cl_event *wait, cl_event *event)
{
    const float *number = from;

    (void)q, (void)nwait, (void)wait;
    ck_assert(!blocking && m != IN && m != OUT);
    for (size_t i = 0; i < size / sizeof *number; i++)
        ck_assert(number[i] >= 0.5f && number[i] < 2);
    ck_assert(size < 8 || number[0] != number[1]);
    ((struct object *)(void *)m)->noise = true;
    script.noises += at == 0;
    *event = (cl_event)new_event(0, 0, CL_SUCCESS);
    return CL_SUCCESS;
}

static bool is_wrong(const struct object *copy)
{
    return copy->variant == script.differs && copy->local >= script.differs_from &&
           (script.differs || script.differs_from);
}

/* All bytes are 0, but for one that a variant may have got wrong; of numbers other ones were made. */
static cl_int CL_API_CALL read_buffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t at, size_t size,
                                      void *to, cl_uint nwait, const cl_event *wait, cl_event *event)
{
    struct script_event *done;

    (void)q, (void)at, (void)nwait, (void)wait;
    ck_assert(!blocking); /* what another thread has enqueued meanwhile may wait for this one */
    memset(to, m != IN && m != OUT && ((struct object *)(void *)m)->blank, size);
    if (m != IN && m != OUT)
        ((char *)to)[5] = is_wrong((struct object *)(void *)m);
    if (script.unsteady)
        memcpy(to, &script.reads, sizeof script.reads);
    script.reads++;
    if (m != IN && m != OUT && ((struct object *)(void *)m)->noise && !script.is_silent) {
        for (size_t i = 0; i < size / sizeof(float); i++)
            ((float *)to)[i] = 3;
        if (script.rounds && ((struct object *)(void *)m)->variant)
            ((char *)to)[size - 4] ^= 1;
    }
    done = new_event(0, 0, CL_SUCCESS);
    if (script.no_reads)
        done->status = CL_QUEUED;
    *event = (cl_event)done;
    return CL_SUCCESS;
}

/* ---- commands --------------------------------------------------------------------------------------- */

/* How long the driver compiles for a launch: the program's own size is in its cache. */
static int64_t compilation(bool variant, size_t local)
{
    static bool compiled[2][1025];
    bool *here = &compiled[variant][local < 1025 ? local : 1024];

    if (!script.compile_ns || *here)
        return 0;
    *here = true;
    return script.compilations++ ? script.compile_ns : 0;
}

unsigned script_looks(size_t own)
{
    unsigned n = 0;

    for (unsigned i = 0; i < script.nlaunch; i++)
        n += script.launch[i].looks && script.launch[i].local[0] != own;
    return n;
}

static cl_int CL_API_CALL enqueue(cl_command_queue q, cl_kernel k, cl_uint dim, const size_t *offset,
                                  const size_t *global, const size_t *local, cl_uint nwait,
                                  const cl_event *wait, cl_event *event)
{
    struct script_launch *l = &script.launch[script.nlaunch];
    const char *name = is_variant(k) ? ((struct object *)(void *)k)->name : "k";
    double time = is_variant(k) && script.variant_time > 0 ? script.variant_time : 1;
    struct script_event *e;
    size_t items = 1;
    (void)q;

    if (nwait && !wait[0]) {
        if (event && script.wrong_events)
            *event = (cl_event)new_event(0, 0, CL_SUCCESS);
        return CL_INVALID_EVENT_WAIT_LIST;
    }
    if (is_variant(k) && script.refuses)
        return CL_OUT_OF_RESOURCES;
    if (script.is_full && !is_variant(k) && script.copies)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (is_variant(k) && script.disturbed) {
        script.disturbed--;
        time *= 20;
    }
    ck_assert_uint_lt(script.nlaunch, SCRIPT_LAUNCHES);
    *l = (struct script_launch){.global = {1, 1, 1}, .local = {local ? 1 : 0, local ? 1 : 0, local ? 1 : 0}};
    l->variant = is_variant(k);
    l->looks = k != KERNEL && !l->variant;
    l->units = script.units ? script.units(name) : 1;
    for (cl_uint d = 0; d < dim; d++) {
        l->global[d] = global[d];
        l->offset[d] = offset ? offset[d] : 0;
        l->local[d] = local ? local[d] : 0;
        items *= global[d];
    }
    if (script.refused && l->local[0] == script.refused)
        return CL_OUT_OF_RESOURCES;
    for (unsigned i = 0; k != KERNEL && i < 3; i++) {
        struct object *o = (void *)((struct object *)(void *)k)->arg[i];
        if (o && (cl_mem)o != IN && (cl_mem)o != OUT)
            o->local = l->local[0], o->blank &= script.idle && is_variant(k);
    }
    e = new_event((int64_t)((double)items * (script.unit_ns ? (double)l->units * script.unit_ns(name)
                                                            : script.item_ns(l->local) * time)),
                  compilation(is_variant(k), l->local[0]),
                  (script.failing && l->local[0] == script.failing) || (script.fails && is_variant(k)) ||
                          (script.own_fails && !is_variant(k) && script.copies)
                      ? CL_OUT_OF_RESOURCES
                      : CL_SUCCESS);
    script.nlaunch++;
    if (!event) {
        e->refs = 0;
        return CL_SUCCESS;
    }
    l->event = e;
    *event = (cl_event)e;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL marker(cl_command_queue q, cl_uint nwait, const cl_event *wait, cl_event *event)
{
    (void)q, (void)nwait, (void)wait;
    *event = (cl_event)new_event(0, 0, CL_SUCCESS);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL event_info(cl_event event, cl_event_info what, size_t room, void *out, size_t *size)
{
    struct script_event *e = (void *)event;

    if (!event)
        return CL_INVALID_EVENT;
    ck_assert_uint_gt(e->refs, 0);
    if (script.wakes_at && clock_now() >= script.wakes_at)
        script_wake();
    e->looks++;
    pass(e->compile);
    e->compile = 0;
    if (what == CL_EVENT_COMMAND_EXECUTION_STATUS)
        ANSWER(cl_int, e->status);
    if (what == CL_EVENT_COMMAND_QUEUE)
        ANSWER(cl_command_queue, e->queue);
    ANSWER(cl_uint, e->refs);
}

static cl_int CL_API_CALL event_times(cl_event event, cl_profiling_info what, size_t room, void *out,
                                      size_t *size)
{
    const struct script_event *e = (void *)event;

    ck_assert_uint_gt(e->refs, 0);
    if (script.no_times)
        ANSWER(cl_ulong, 0);
    ANSWER(cl_ulong, what == CL_PROFILING_COMMAND_START ? e->start
                     : what == CL_PROFILING_COMMAND_END ? e->end
                                                        : e->submit);
}

static cl_int CL_API_CALL retain_event(cl_event event)
{
    ((struct script_event *)(void *)event)->refs++;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_event(cl_event event)
{
    struct script_event *e = (void *)event;

    ck_assert_uint_gt(e->refs, 0);
    e->refs--;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL retain_queue(cl_command_queue q)
{
    (void)q;
    script.held_queues++;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_queue(cl_command_queue q)
{
    (void)q;
    script.held_queues--;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL flush(cl_command_queue q)
{
    (void)q;
    script.flushes++;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL finish(cl_command_queue q)
{
    (void)q;
    script_wake();
    return CL_SUCCESS;
}

static const cl_icd_dispatch driver = {.clGetDeviceInfo = device_info,
                                       .clGetContextInfo = context_info,
                                       .clGetKernelInfo = kernel_info,
                                       .clGetKernelWorkGroupInfo = group_info,
                                       .clGetMemObjectInfo = memory_info,
                                       .clEnqueueNDRangeKernel = enqueue,
                                       .clEnqueueMarkerWithWaitList = marker,
                                       .clGetEventInfo = event_info,
                                       .clGetEventProfilingInfo = event_times,
                                       .clRetainEvent = retain_event,
                                       .clReleaseEvent = release_event,
                                       .clRetainCommandQueue = retain_queue,
                                       .clReleaseCommandQueue = release_queue,
                                       .clFlush = flush,
                                       .clFinish = finish,
                                       .clGetProgramInfo = program_info,
                                       .clCreateProgramWithSource = create_program,
                                       .clBuildProgram = build_program,
                                       .clReleaseProgram = release_program,
                                       .clCreateKernel = create_kernel,
                                       .clSetKernelArg = set_arg,
                                       .clReleaseKernel = release_kernel,
                                       .clCreateBuffer = create_buffer,
                                       .clCreateSubBuffer = create_part,
                                       .clReleaseMemObject = release_memory,
                                       .clEnqueueCopyBuffer = copy_buffer,
                                       .clEnqueueFillBuffer = fill_buffer,
                                       .clEnqueueReadBuffer = read_buffer,
                                       .clEnqueueWriteBuffer = write_buffer};

/* ---- the analysis ----------------------------------------------------------------------------------- */

static struct shim_build build = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct shim_build *ana_build(struct shim_source *source, struct shim_device *device)
{
    build.source = source;
    build.device = device;
    return &build;
}

double cores_allowed(void)
{
    return 4; /* as many as policy_cores() takes, whatever the machine has */
}

int64_t idle_ns(double cores)
{
    return cores > 0 ? script.spare_ns : 0;
}

void ana_summary_file(const struct shim_build *b, char path[RT_FILE])
{
    snprintf(path, RT_FILE, "/summaries/%s.sum", b->cache_name);
}

enum ana_state ana_look(struct shim_build *b)
{
    return (enum ana_state)atomic_load(&b->state);
}

enum ana_state ana_advance(struct shim_build *b)
{
    script.asked++;
    return ana_look(b);
}

enum ana_state ana_wait(struct shim_build *b)
{
    return ana_look(b);
}

void script_analysed(const char *body)
{
    if (atomic_load(&build.state) == ANA_READY && !build.entries) /* nobody has looked */
        sum_free(&build.summary);
    build.summary = text_facts(body);
    if (script.wide)
        build.summary.kernel[0].wide = (struct sum_wide){
            .lanes = 8, .id_bits = 32, .kernel = strdup("wide"), .text = strdup(script.wide)};
    atomic_store(&build.state, ANA_READY);
}

/* ---- the library and the program -------------------------------------------------------------------- */

struct runtime *rt_start(void)
{
    return rt_current();
}

/* Of entry.c, which brings the beginning and end of the library along, wait.c needs this alone. */
void entry_note_command(cl_command_queue queue)
{
    (void)queue;
}

void script_set_n(int n)
{
    obj_set_arg(KERNEL, 2, sizeof n, &n, ARG_VALUE);
}

void script_set_in(void)
{
    const cl_mem in = IN;

    obj_set_arg(KERNEL, 0, sizeof in, &in, ARG_VALUE);
}

void script_set_in_place(void)
{
    const cl_mem in = OUT;

    obj_set_arg(KERNEL, 0, sizeof in, &in, ARG_VALUE);
}

void script_set_in_opaque(void)
{
    obj_set_arg(KERNEL, 0, sizeof(cl_mem), NULL, ARG_OPAQUE);
}

/* Entries and sites live as long as the process, those of earlier runs, too. */
static struct shim_entry *earlier[8];
static unsigned nearlier;

static char folder[] = "/tmp/clsizer-script-XXXXXX";
static char report_file[64], wisdom_path[64];

static void program_begins(void)
{
    const cl_mem out = OUT;
    struct shim_source *source = obj_source_new(REQ_C, SOURCE, sizeof SOURCE - 1, "");

    obj_add_queue(QUEUE,
                  &(struct queue_made){.context = CONTEXT, .device = DEVICE, .timed = true, .hidden = true});
    obj_add_program(PROGRAM, source, (struct shim_made){.built = obj_source_ref(source)}, NULL);
    obj_add_kernel(KERNEL, PROGRAM, "k");
    script_set_in();
    obj_set_arg(KERNEL, 1, sizeof out, &out, ARG_VALUE);
    script_set_n(3);
    atomic_store(&build.state, ANA_PENDING);
}

void script_begin(void)
{
    const char *problem;

    script.item_ns = script_even;
    if (!script.version)
        script.version = "OpenCL 1.2 scripted";
    if (!script.vendor)
        script.vendor = "scripted";
    script.clock = 1000000;
    atomic_store(&next_functions, &driver);
    opt_from_environment(&script_runtime.opt, NULL);
    script_runtime.started_ns = 1;
    atomic_store(&rt_usable, &script_runtime);
    strcpy(build.hash, "0123456789abcdef0123456789abcdef");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(report_file, sizeof report_file, "%s/report", folder);
    snprintf(wisdom_path, sizeof wisdom_path, "%s/wisdom", folder);
    strcpy(script_runtime.cache,
           folder); /* else files would go to the root directory, where we may write it */
    script_runtime.opt.report = report_file;
    script_runtime.report = rep_open(&script_runtime.opt);
    script_runtime.wisdom = wis_open(wisdom_path, "", &problem);
    program_begins();
}

void script_begin_cpu(void)
{
    script.is_cpu = true;
    script_begin();
}

void script_end(void)
{
    char command[96];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static void wisdom_problem(int error, const char *detail, void *context)
{
    (void)context;
    ck_abort_msg("%d: %s", error, detail);
}

void script_restart(void)
{
    const char *problem;

    settle_at_exit(&script_runtime);
    site_go_inert();
    shadow_go_inert();
    obj_release_kernel(KERNEL);
    obj_release_program(PROGRAM);
    ck_assert_uint_lt(nearlier, 8);
    earlier[nearlier++] = build.entries;
    build.entries = NULL;
    memset(&script_runtime.total, 0, sizeof script_runtime.total);
    atomic_store(&script_runtime.granted, false);
    wis_finish(script_runtime.wisdom, wisdom_problem, NULL);
    wis_close(script_runtime.wisdom);
    script_runtime.wisdom = wis_open(wisdom_path, "", &problem);
    program_begins();
}

struct report_totals script_totals(void)
{
    struct report_totals totals;

    report_open_sites(&script_runtime, &totals);
    return totals;
}

unsigned script_said(const char *value)
{
    char *line = NULL, quoted[96];
    size_t room = 0;
    unsigned n = 0;
    FILE *f = fopen(report_file, "r");

    snprintf(quoted, sizeof quoted, "\"%s\"", value);
    while (f && getline(&line, &room, f) > 0)
        n += strstr(line, quoted) != NULL;
    if (f)
        fclose(f);
    free(line);
    return n;
}

cl_int script_launch_event(size_t items, size_t local, cl_event *event)
{
    return dispatch_launch(&(struct call){.queue = QUEUE,
                                          .kernel = KERNEL,
                                          .dim = 1,
                                          .global = &items,
                                          .local = local ? &local : NULL,
                                          .event = event});
}

cl_int script_launch_wrong(size_t items, size_t local, cl_event *event)
{
    const cl_event nothing = NULL;

    return dispatch_launch(&(struct call){.queue = QUEUE,
                                          .kernel = KERNEL,
                                          .dim = 1,
                                          .global = &items,
                                          .local = &local,
                                          .nwait = 1,
                                          .wait = &nothing,
                                          .event = event});
}

/* Were the launches since the `first` about each of `items` work-items?  Parts come in order; what is
 * idempotent may be repeated. */
static void check_complete(unsigned first, size_t items)
{
    size_t done = 0;

    for (unsigned i = first; i < script.nlaunch; i++) {
        const size_t units = script.launch[i].units, offset = script.launch[i].offset[0] * units,
                     end = offset + script.launch[i].global[0] * units;
        if (script.launch[i].looks)
            continue;
        ck_assert_uint_le(offset, done);
        ck_assert_uint_le(end, items);
        done = end > done ? end : done;
    }
    ck_assert_uint_eq(done, items);
}

cl_int script_launch(size_t items, size_t local)
{
    const unsigned first = script.nlaunch;
    const cl_int error = script_launch_event(items, local, NULL);

    if (!error)
        check_complete(first, items);
    return error;
}

void script_repeat(unsigned n, size_t items, size_t local)
{
    while (n--)
        ck_assert_int_eq(script_launch(items, local), CL_SUCCESS);
}

void script_wake(void)
{
    script.asleep = false;
    for (unsigned i = 0; i < script.nevent; i++)
        if (script.event[i].status > CL_COMPLETE)
            run(&script.event[i]);
}

size_t script_last(void)
{
    ck_assert_uint_gt(script.nlaunch, 0);
    return script.launch[script.nlaunch - 1].local[0];
}

unsigned script_events_held(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < script.nevent; i++)
        n += script.event[i].refs;
    return n;
}

struct shim_site *script_site(size_t items, size_t local)
{
    for (struct shim_site *s = site_newest(); s; s = s->older)
        if (s->key.global[0] == items && s->key.own[0] == local && !atomic_load(&s->retired))
            return s;
    return NULL;
}

struct launching script_launching(size_t items, size_t local)
{
    struct shim_site *s = script_site(items, local);

    return (struct launching){.rt = &script_runtime,
                              .kernel = obj_kernel(KERNEL),
                              .queue = obj_queue(QUEUE),
                              .site = s,
                              .shape = {.dim = 1, .global = {items, 1, 1}, .local = {local, 1, 1}}};
}

void script_release_kernel(void)
{
    obj_release_kernel(KERNEL);
}

void script_release_program(void)
{
    obj_release_program(PROGRAM);
}

cl_command_queue script_queue(void)
{
    return QUEUE;
}

cl_kernel script_kernel(void)
{
    return KERNEL;
}
