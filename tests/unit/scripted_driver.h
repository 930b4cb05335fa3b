/* scripted_driver.h - an OpenCL driver whose device does what a test says, in virtual time, and a program
 * that launches a kernel on it.
 *
 * The library's rooms from dispatch downwards run on it as they are; the analysis is replaced by a summary
 * that is given beforehand.  One queue, one kernel with arguments (in, out, n), both buffers of `items`
 * floats. */
#pragma once

#include "run_suite.h"
#include "shim/calls/dispatch.h"
#include "shim/site/hazard.h"
#include "shim/site/site_report.h"
#include "summary_text.h"

#define SCRIPT_LAUNCHES 4096
#define SCRIPT_EVENTS   (2 * SCRIPT_LAUNCHES)

struct script_event {
    unsigned refs;
    cl_int status;
    cl_ulong submit, start, end;
    int64_t takes;   /* while it is queued */
    int64_t compile; /* real time that passes before it is seen to be complete */
    unsigned looks;  /* how often it was asked for anything */
    cl_command_queue queue;
};

struct script_launch {
    size_t offset[3], global[3], local[3]; /* local all 0: NULL was passed */
    struct script_event *event;            /* NULL: none was asked for */
    bool variant;                          /* with a kernel of another name than the program's */
    bool looks;                            /* with another object of the program's kernel, on copies */
    size_t units;                          /* the program's work-items that one of its does */
};

#define SCRIPT_TEXT 1024

/* Launches so far on copies, with another size of the program's kernel than this: each is compared with one
 * of this size. */
unsigned script_looks(size_t own);

struct script {
    /* What the test says. */
    double (*item_ns)(const size_t local[3]); /* time of a work-item with this size */
    size_t refused;                           /* launches with this local[0] are refused */
    size_t failing;                           /* ... fail when they run */
    bool asleep;                              /* launches stay queued until script_wake() */
    int64_t wakes_at; /* ... or until somebody looks at them at this time of the clock; 0: never */
    bool no_times;    /* event times are all 0 */
    bool is_cpu;
    int64_t spare_ns;                  /* CPU time that the cores had to spare */
    bool no_build;                     /* private programs do not build */
    bool no_kernel;                    /* no kernel of another name than the program's is created */
    bool differs;                      /* ... writes something else, with differs_from or more */
    bool idle;                         /* ... writes nothing */
    bool rounds;                       /* ... of numbers other than 0 */
    size_t differs_from;               /* with this local[0] or more; without `differs`, the program's does */
    bool unsteady;                     /* it writes something else each time */
    bool is_silent;                    /* kernels make 0 of all numbers */
    double variant_time;               /* ... takes this many times as long; 0: as long */
    unsigned disturbed;                /* so many launches of ... take 20 times as long */
    const char *wide;                  /* text of a kernel "wide" that does eight; NULL: nobody wrote one */
    size_t (*units)(const char *name); /* work-items of the program that one of this kernel does; NULL: 1 */
    double (*unit_ns)(const char *name); /* its time for each of these; NULL: as above */
    bool refuses;                        /* launches of ... are refused */
    bool fails;                          /* ... fail when they run */
    bool own_fails;                      /* the program's kernel does while there are private buffers */
    bool is_full;        /* no launch of the program's kernel while there are private buffers */
    bool no_reads;       /* what is read is never there */
    int64_t build_ns;    /* building a private program takes so long, of real time, too */
    int64_t compile_ns;  /* so does the first launch with a kernel and a size */
    size_t buffer_size;  /* bytes of each buffer; 0: a GiB */
    bool is_host;        /* the program's buffers are in memory of its own */
    const char *version; /* CL_DEVICE_VERSION */
    const char *vendor;  /* CL_DEVICE_VENDOR */
    bool wrong_events;   /* a launch that is refused for its wait list has an event all the same */
    /* What the driver was told. */
    unsigned nlaunch;
    struct script_launch launch[SCRIPT_LAUNCHES];
    unsigned flushes;
    unsigned builds;              /* of private programs */
    unsigned compilations;        /* first launches with a kernel and a size */
    unsigned asked;               /* how often the analysis was asked for, or how far it is */
    char text[SCRIPT_TEXT];       /* the last of which */
    unsigned parts;               /* private buffers within others */
    unsigned copies, most_copies; /* private buffers, now and at most */
    unsigned reads;               /* of buffers */
    size_t copied;                /* bytes of the largest copy that was made */
    unsigned fills;               /* copies of buffers that were made */
    unsigned noises;              /* private buffers that numbers were written to */
    unsigned objects;             /* private programs, kernels and buffers that are not released */
    unsigned held_queues;         /* references of ours to queues */
    unsigned kept_args;           /* memory objects that are arguments of private kernels of other names */
    /* Of the driver. */
    cl_ulong clock;
    unsigned nevent;
    struct script_event event[SCRIPT_EVENTS];
};
extern struct script script;
extern struct runtime script_runtime; /* default options; report and wisdom in a folder of the test's own */

extern const char script_map[];     /* out[i] = in[i] + n: everything is proved */
extern const char script_reqd[];    /* the same, but a size of 16 is required */
extern const char script_counted[]; /* the same, with a variable that other kernels may write */
extern const char script_bump[];    /* out[i] = out[i] + n: twice is not once */
extern const char script_spread[];  /* out[i * n] = in[i]: a proof depends on n, which must not be 0 */
extern const char script_shift[];   /* out[i + n] = out[i]: n must be 0, or as large as the range */
extern const char script_fused[];   /* out[i] = in[i] * in[i] + in[i], of floating-point numbers */
extern const char script_choice[];  /* the same where in[i] is below 0 or not a number */
extern const char script_rounds[];  /* out[i] = in[i] squared n times */
extern const char script_local[];   /* out[i] = the local id: nothing may be changed */

/* A fresh driver, library and program, for each test (a checked fixture's), on a GPU or a CPU. */
void script_begin(void);
void script_begin_cpu(void);
void script_end(void);

/* From now on the kernel is known by this summary (text of summary_text.h, facts derived); without, it is
 * being analysed for ever. */
void script_analysed(const char *body);

/* The program ends, and a second run of it begins: with the same driver, report and wisdom, but without the
 * summary. */
void script_restart(void);

/* Launch `items` work-items with a local size of `local` (0: NULL), and check that the driver was given every
 * one of them.  Returns what the program gets. */
cl_int script_launch(size_t items, size_t local);
/* The same n times, which must succeed. */
void script_repeat(unsigned n, size_t items, size_t local);
/* A launch with a wait list that the driver refuses, whatever the kernel.  `event` may be NULL.  Returns what
 * the program gets. */
cl_int script_launch_wrong(size_t items, size_t local, cl_event *event);
/* A launch with an event for the program, which owns it. */
cl_int script_launch_event(size_t items, size_t local, cl_event *event);

/* Run what is queued. */
void script_wake(void);

/* The local size of the last launch. */
size_t script_last(void);

/* How often the report has a line with this value, such as "refusal" or "several-queues". */
unsigned script_said(const char *value);

/* What the line at exit would say. */
struct report_totals script_totals(void);

/* How many references to events are held. */
unsigned script_events_held(void);

/* The site of these launches; NULL if there is none. */
struct shim_site *script_site(size_t items, size_t local);

/* Such a launch, on its way through the library. */
struct launching script_launching(size_t items, size_t local);

/* Set the kernel's argument n. */
void script_set_n(int n);

/* Set the argument `in`: to its buffer, or to a pointer of which nothing is known. */
void script_set_in(void);
void script_set_in_opaque(void);
void script_set_in_place(void); /* in is out */

/* The program releases its kernel, and what that was made from. */
void script_release_kernel(void);
void script_release_program(void);

cl_command_queue script_queue(void);
cl_kernel script_kernel(void);

/* A time of 1 ns per work-item; half of it with local sizes of 64 and more. */
double script_even(const size_t local[3]);
double script_wide(const size_t local[3]);
