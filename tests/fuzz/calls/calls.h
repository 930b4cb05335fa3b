/* calls.h - a random program, as far as an OpenCL host goes: what its parts share.  main.c says more. */
#pragma once

#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdatomic.h>
#include <string.h>

#include "../../apps/common.h"

#define QUEUES     3 /* at most */
#define FAVOURITES 2
#define INTS       5 /* buffers of int, then of float, memory by pointers with ints, images */
#define FLOATS     3
#define SHARED     3
#define IMAGES     2
#define OBJECTS    (INTS + FLOATS + SHARED + IMAGES)
#define SIDE       128 /* of images, and of ranges with two dimensions */
#define CONTEXTS   2   /* other ones */
#define MAX_READS  256

/* ---- objects (objects.c, pointers.c) --------------------------------------------------------------- */

enum kind { INT, FLOAT, SVM, IMAGE };

/* Of memory by pointers: the standard's, or that of cl_intel_unified_shared_memory. */
enum usm { COARSE, DEVICE_USM, HOST_USM, SHARED_USM };

/* What commands touch.  The last command that did is `last`, or the last one of queue `at` (in order), if
 * any. */
struct object {
    enum kind kind;
    enum usm usm;
    cl_mem mem;
    void *shared; /* SVM */
    void *host;   /* CL_MEM_USE_HOST_PTR */
    size_t bytes;
    int at; /* queue, or -1 */
    cl_event last;
    bool fenced; /* there is a barrier behind it in that queue */
};

/* What a kernel gets of an object. */
struct piece {
    struct object *of;
    size_t from, bytes;
    cl_mem part; /* a sub-buffer, as long as it is needed */
};

struct queue {
    cl_command_queue handle;
    bool ordered, timed;
};

/* What a context of its own holds (elsewhere.c). */
struct elsewhere {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel map;
    cl_mem memory[2];
};

/* ---- launches (shapes.c, launches.c) --------------------------------------------------------------- */

/* The kernels of calls.cl that have a shape, in the order of the table in shapes.c. */
enum kernel {
    MAP,
    UPDATE,
    PLACES,
    TWO,
    COUNT,
    STENCIL,
    PRODUCT,
    HALVES,
    SHADE,
    TEXELS,
    SWEEP,
    SHIFT,
    BLEND,
    SLIDE,
    TILES,
    TALLY,
    EXTREMES,
    BOX,
    KERNELS
};
extern const char *const kernel_names[KERNELS];

/* One shape of launches: a kernel, what it is given, its range.  Arguments: memory, local memory, numbers. */
struct launch {
    enum kernel kernel;
    struct piece memory[3];
    unsigned nmemory, nnumbers;
    int number[3];
    unsigned counting; /* which of them is another one at each launch: */
    int least, span, step;
    size_t local_bytes;
    cl_uint dim;
    size_t offset[3], global[3], local[3];
};

/* ---- the program ----------------------------------------------------------------------------------- */

struct player {
    const struct app *app;
    const char *source;
    cl_program program;
    bool from_source; /* so it can be built again */
    cl_kernel kernel[KERNELS];
    struct {
        enum kernel kernel;
        uint32_t seed; /* of a shape of launches that comes again */
    } favourite[FAVOURITES];
    struct queue queue[QUEUES];
    unsigned nqueue;
    bool alike; /* launches with one dimension have one width */
    bool calm; /* the only queue is in order, so that offsets may differ (see docs/transparency.md on PoCL) */
    bool calls_back;     /* has callbacks: where there are any, clsizer waits for no launch from then on */
    bool clones, newest; /* has clCloneKernel(); has OpenCL C 3.0 */
    size_t align;        /* of parts of buffers, bytes */
    struct object object[OBJECTS];
    struct elsewhere elsewhere[CONTEXTS];
    struct {
        cl_event event;
        unsigned steps;
    } user; /* at most one that is not set yet */
    struct {
        void *to;
        size_t bytes;
    } read[MAX_READS]; /* not blocking; hashed at the end */
    unsigned nread, step, steps, expected;
    atomic_uint called;
    uint32_t seed;
    char *text;
    FILE *out;
};

unsigned upto(struct player *p, unsigned n);
bool one_in(struct player *p, unsigned n);
__attribute__((format(printf, 2, 3))) void say(struct player *p, const char *format, ...);
static inline unsigned long long hash(const void *data, size_t bytes)
{
    return app_fnv1a(data, bytes);
}

/* objects.c */
void fill_with_random(struct player *p, void *to, size_t bytes, enum kind kind);
void make_object(struct player *p, struct object *o, enum kind kind);
void drop_object(struct player *p, struct object *o);
struct object *any(struct player *p, enum kind kind);
struct object *another(struct player *p, enum kind kind, const struct object *a, const struct object *b);
int number_of(const struct player *p, const struct object *o);
void renew(struct player *p);

/* pointers.c: memory by pointers */
bool pointer_alloc(struct player *p, struct object *o);
void pointer_free(struct player *p, struct object *o);
void pointer_argument(const struct object *o, cl_kernel k, cl_uint i, size_t from);
cl_int pointer_copy(const struct object *o, cl_command_queue q, cl_bool block, void *to, const void *from,
                    size_t bytes, cl_uint nwait, const cl_event *wait, cl_event *e);
cl_int pointer_fill(const struct object *o, cl_command_queue q, size_t from, size_t bytes, int value,
                    cl_uint nwait, const cl_event *wait, cl_event *e);
void follow(struct player *p);

/* waiting.c: what one command needs, and what waits for what.  begin(), need() for each object, the command
 * with waits() and event(), end(). */
struct command {
    struct queue *q;
    struct object *touched[4];
    unsigned n;
    cl_event gate; /* a user event in the list */
    cl_event wait[8];
    cl_uint nwait;
    cl_event done;
};
struct command begin(struct player *p);
void need(struct player *p, struct command *c, struct object *o);
const cl_event *waits(const struct command *c);
cl_event *event(struct player *p, struct command *c); /* NULL if the order of its queue will do */
void end(struct player *p, struct command *c, cl_int error);
void remember(struct object *o, int at, cl_event last);
void set_user(struct player *p);
void may_wait(struct player *p); /* before the host waits for anything: nothing may wait for the host */
void settle(struct player *p);   /* everything is done; then what the driver counts is steady */
void new_user(struct player *p);
void barrier(struct player *p);
void marker(struct player *p);
void migrate(struct player *p);
void make_queue(struct player *p, struct queue *q);
void replace_queue(struct player *p, struct queue *q);
void new_queue(struct player *p);

/* shapes.c */
struct launch draw(struct player *p);

/* launches.c */
void set_int(cl_kernel k, cl_uint i, int value);
void launches(struct player *p);
void cloned(struct player *p);
void relayed(struct player *p);

/* transfers.c */
cl_int read_to(struct object *o, struct command *c, cl_bool block, void *to, cl_event *e); /* all of it */
void read_now(struct player *p);
void read_later(struct player *p);
void read_rect(struct player *p);
void write_to(struct player *p);
void write_rect(struct player *p);
void copy(struct player *p);
void fill_part(struct player *p);

/* images.c */
extern const size_t corner[3], whole[3];
void fill_image(struct player *p);
void copy_image(struct player *p);
void image_to_buffer(struct player *p);
void buffer_to_image(struct player *p);
void part_of_image(struct player *p);

/* maps.c */
void map(struct player *p);
void map_to_write(struct player *p);
void map_image(struct player *p);

/* programs.c */
void make_kernels(struct player *p);
void drop_kernels(struct player *p);
cl_kernel own_kernel(struct player *p, enum kernel kernel); /* made in one way or another */
void new_kernel(struct player *p);
void new_program(struct player *p);

/* elsewhere.c */
void elsewhere(struct player *p);
void leave_elsewhere(struct player *p);

/* questions.c, mistakes.c */
void references(struct player *p);
void times(struct player *p);
void mistake(struct player *p);
