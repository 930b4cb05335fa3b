/* stub.h - an OpenCL driver that runs nothing and writes down everything it is asked.
 *
 * Commands complete at once (or when flushed) as far as what they wait for allows; kernels have no effect,
 * but take a time that can be chosen.  Everything is deterministic for a program with one thread.
 *
 *   STUB_LOG=FILE       a line for each call: name, arguments, result; objects are kind#number; not if FILE
 * exists STUB_FAIL=NAME=CODE[@N],...   the Nth call (default: every) of NAME returns this error and does
 * nothing STUB_COST=flat|local|none     kernel time: 10 ns per work-item; or less of it in larger
 * work-groups; or events that tell no time STUB_LAZY=1         commands complete when flushed or waited for,
 * not before STUB_RECYCLE=1      a released handle is the next one given out; else none is ever given out
 * twice STUB_HOOK_MS=MS     how long a hook may take (see stubSetHook) before the process is ended
 *   STUB_PAUSE=US       every launch waits so long before it is in the queue, and holds nothing meanwhile
 *   STUB_CANCEL=1       a thread that is to be cancelled ends in clFinish, clWaitForEvents or a
 *                       blocking clEnqueueReadBuffer
 *   STUB_VENDOR=NAME    CL_DEVICE_VENDOR
 *   STUB_NAME=NAME      CL_DEVICE_NAME
 *   STUB_SUFFIX=ARM     CL_PLATFORM_ICD_SUFFIX_KHR: whose extensions have no platform named (default STUB)
 *   STUB_VERSION=N.M    CL_DEVICE_VERSION: before 1.1 there are no offsets, before 1.2 no marker with a wait
 *                       list: who calls that jumps to nowhere
 *   STUB_AS=TEXT        what CL_DEVICE_VERSION says behind that, not stub
 *   STUB_DRIVER=V       CL_DRIVER_VERSION, not 1
 *   STUB_CPU=1          CL_DEVICE_TYPE_CPU, not GPU
 *   STUB_DEVICES=2      two devices of a kind, in every context
 *   STUB_NVIDIA=N.M     the questions of cl_nv_device_attribute_query, and this compute capability
 *   STUB_WAVEFRONT=N    CL_DEVICE_WAVEFRONT_WIDTH_AMD
 *
 * What other people's drivers do:
 *
 *   STUB_TIMES=missing  no event has times, though its queue should have them
 *             =silent   the question succeeds, and no time is written
 *             =backward every third event ends before it starts
 *             =late     events have times from the fourth on, before that they are zero
 *             =clocks   QUEUED and SUBMIT are of another clock than START and END, and say 0
 *   STUB_ON_DEVICE=1    queues on the device can be made
 *   STUB_UNTIMED=1      no queue can have event times, as CL_DEVICE_QUEUE_PROPERTIES says
 *   STUB_BUSY=NS        each launch waits so long for what else there is in its queue
 *   STUB_STILL=1        events do not move on before somebody waits, whether flushed or not
 *   STUB_LARGEST=N      launches of larger work-groups are refused (CL_OUT_OF_RESOURCES), though
 *                       CL_KERNEL_WORK_GROUP_SIZE allows 1024
 *   STUB_FAULT=N        they are taken, and fail when they run; so does everything that comes behind them
 *   STUB_INHERIT=1      commands that wait for one that fails have its status, not one that tells of waiting
 *   STUB_GROUPS=N       launches of more work-groups along the second or third dimension end the process
 *   STUB_MOST=N         so do launches of groups of more work-items
 *   STUB_LEAST=N        ... or of fewer
 *   STUB_LEAKS=1        say at exit on stderr which objects are left
 *   STUB_EXIT=1         say on stderr when the exit handlers come to this driver's */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "shim/guest/opencl.h"

#define STUB_BUILT_IN "built_in_copy" /* the one built-in kernel, of two buffers */

enum stub_kind { PLATFORM, DEVICE, CONTEXT, QUEUE, MEMORY, SAMPLER, PROGRAM, KERNEL, EVENT, KINDS };

/* How every object begins; the loader reads `dispatch`. */
struct stub_object {
    const cl_icd_dispatch *dispatch;
    enum stub_kind kind;
    cl_uint refs; /* the program's */
    cl_uint held; /* the driver's own: commands hold their queue, kernels their program, ... */
    unsigned serial;
    struct stub_object *next_free;
};

struct _cl_platform_id {
    struct stub_object o;
};

struct _cl_device_id {
    struct stub_object o;
};

struct _cl_context {
    struct stub_object o;
    size_t nproperties;
    cl_context_properties properties[16];
};

struct _cl_command_queue {
    struct stub_object o;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties bits;
    size_t nproperties;
    cl_queue_properties properties[16];
    cl_event last; /* of an in-order queue: the command that the next one waits for; held */
};

struct _cl_mem {
    struct stub_object o;
    cl_context context;
    cl_mem parent; /* held */
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size, offset;
    size_t extent[3], element, row; /* images */
    cl_image_format format;
    void *host; /* as given */
    char *data;
    cl_uint maps;
    cl_uint packet_size, max_packets; /* pipes */
};

struct _cl_sampler {
    struct stub_object o;
    cl_context context;
};

enum stub_arg { ARG_SCALAR, ARG_OBJECT, ARG_LOCAL };

struct stub_function {
    char *name; /* owned */
    cl_uint nargs;
    enum stub_arg args[32];
    size_t sizes[32];
};

struct _cl_program {
    struct stub_object o;
    cl_context context;
    char *source; /* owned; NULL for binaries and built-in kernels */
    char *options;
    bool built, intermediate;
    cl_uint kernels;
    struct stub_function *functions[16]; /* owned; kernels point to them: building again moves none */
};

struct _cl_kernel {
    struct stub_object o;
    cl_program program; /* held */
    const struct stub_function *function;
    cl_uint set; /* bit per argument */
};

struct stub_callback {
    struct stub_callback *next;
    void(CL_CALLBACK *notify)(cl_event, cl_int, void *);
    void *data;
    cl_int type;
    cl_event event; /* held */
    cl_int status;
};

struct _cl_event {
    struct stub_object o;
    cl_context context;
    cl_command_queue queue; /* held; NULL for user events */
    cl_command_type type;
    cl_int status;
    bool flushed, decided; /* decided: a user event whose status was set */
    bool fault;            /* fails when it runs */
    cl_ulong queued, duration, start, end;
    cl_ulong delay;  /* between SUBMIT and START */
    unsigned number; /* of the command, from 1 */
    cl_uint nwait;
    cl_event *wait; /* held while pending */
    struct stub_callback *callbacks;
    cl_event next_pending;
    cl_kernel kernel; /* held until the command is done; NULL if none */
};

cl_int CL_API_CALL stub_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue q, cl_kernel k, cl_uint dim,
                                                             const size_t *offset, const size_t *global,
                                                             size_t *local);

extern const cl_icd_dispatch stub_dispatch;
extern struct _cl_platform_id stub_platform;
extern struct _cl_device_id stub_devices[2];
extern cl_uint stub_ndevice; /* how many there are */

/* ---- calls ----------------------------------------------------------------------------------------- */
/* Every call is stub_begin() ... stub_end() or stub_made(), in which the one lock is held. */

/* An error that was asked for, or CL_SUCCESS.  Runs the hook before it takes the lock. */
cl_int stub_begin(const char *name);

/* Log arguments and result, unlock, run callbacks that became due; returns `error`.  One letter per argument:
 *   o object   O list of objects (count, pointer)   u size_t   z list of sizes (count, pointer)   x cl_ulong
 *   d int      s string   p pointer, set or not   m bytes (count, pointer) */
cl_int stub_end(cl_int error, const char *format, ...);

/* Likewise for calls that make an object; stores `error` in errcode_ret. */
void *stub_made(void *object, cl_int error, cl_int *errcode_ret, const char *format, ...);

/* ---- objects --------------------------------------------------------------------------------------- */

/* A zeroed object of `bytes` with one reference.  NULL when out of memory. */
void *stub_new(enum stub_kind kind, size_t bytes);

/* Is this a live object of the kind?  Handles that were released are known, and are not live. */
bool stub_is(const void *object, enum stub_kind kind);
cl_int stub_retain(void *object, enum stub_kind kind, cl_int invalid);
cl_int stub_release(void *object, enum stub_kind kind, cl_int invalid);
void stub_hold(void *object); /* NULL: nothing */
void stub_unhold(void *object);

/* What the kinds do when nobody refers to an object any more. */
void stub_drop_memory(cl_mem m);
void stub_drop_program(cl_program p);
void stub_drop_event(cl_event e);

/* Answer to clGet*Info. */
cl_int stub_answer(const void *data, size_t bytes, size_t size, void *value, size_t *size_ret);
#define ANSWER(type, ...) stub_answer(&(type){__VA_ARGS__}, sizeof(type), size, value, size_ret)
#define ANSWER_TEXT(text) stub_answer(text, strlen(text) + 1, size, value, size_ret)

/* ---- commands (queue.c) ---------------------------------------------------------------------------- */

/* CL_SUCCESS, or what is wrong with the queue and the wait list. */
cl_int stub_check_wait(cl_command_queue q, cl_uint n, const cl_event *list);

/* A command: completes when it may.  `event` may be NULL.  Blocking: as far as the stub can, at once. */
cl_int stub_command(cl_command_queue q, cl_command_type type, cl_uint n, const cl_event *list, bool blocking,
                    cl_ulong duration, cl_event *event);
void stub_callback_due(struct stub_callback *c); /* to be run when the lock is free */

/* Wait until another thread's call changed something; the lock is free meanwhile. */
void stub_wait_change(void);
void stub_changed(void);
/* A call that waits begins, before anything is locked: STUB_CANCEL. */
void stub_may_end(void);

/* Option given in the environment; NULL or the text. */
const char *stub_option(const char *name);
/* ... or its number; 0 if it is not given. */
size_t stub_number(const char *name);
/* Is this the option's text? */
bool stub_chosen(const char *name, const char *text);
/* STUB_VERSION as 100 * N + 10 * M; without it 300. */
unsigned stub_version(void);
extern bool stub_lazy, stub_still;
extern enum stub_cost { COST_FLAT, COST_LOCAL, COST_NONE } stub_cost;

/* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
#define STUB_MAX_ALLOC ((size_t)1 << 30)

#define STUB_CALL(ret, name) ret CL_API_CALL stub_##name
#define U(x)                 ((size_t)(x))
#define X(x)                 ((cl_ulong)(x))
