/* taint.h - what each value of a body may depend on, and where that becomes visible. */
#ifndef CLSIZER_ANALYSIS_TAINT_H
#define CLSIZER_ANALYSIS_TAINT_H

#include "analysis/affine.h"

/* A set of sources, one bit each; those with a dimension d take three bits from the named one. */
typedef uint64_t taint_set;
#define TAINT_LID     ((taint_set)1 << 0)
#define TAINT_LSIZE   ((taint_set)1 << 3)
#define TAINT_GROUP   ((taint_set)1 << 6)
#define TAINT_NGROUPS ((taint_set)1 << 9)
#define TAINT_GSIZE   ((taint_set)1 << 12)
#define TAINT_OFFSET  ((taint_set)1 << 15)
#define TAINT_GID     ((taint_set)1 << 18)
#define TAINT_LINEAR  ((taint_set)1 << 21) /* get_local_linear_id */
#define TAINT_STACK   ((taint_set)1 << 22) /* the address of private memory as a number */
#define TAINT_MEMORY  ((taint_set)1 << 23) /* memory contents */
#define TAINT_SETTINGS                                                                                       \
    ((taint_set)1 << 24) /* memory contents that are the same for all work-items at all times */
#define TAINT_VARIES ((taint_set)1 << 25) /* changes while a work-item runs: phis, private memory */
#define TAINT_SHARED                                                                                         \
    ((taint_set)1 << 26) /* memory that another work-item may change meanwhile; arguments do not count, for  \
                            no launch is touched unless it is proved that nobody writes what another reads   \
                            (select/disjoint.c) */
#define TAINT_OPEN    ((taint_set)1 << 27) /* variables that were given no value */
#define TAINT_WAY     28 /* from this bit on: ways on which one was given none (taint.way) */
#define TAINT_BITS    64
#define TAINT_WAYS    (~(taint_set)0 << TAINT_WAY)
#define TAINT_DIMS(x) ((x)*7)

/* Sources that a different local size changes; the stack address belongs to them since drivers lay out the
 * private memory of a group by its size, and what has no value since drivers run a group's work-items one
 * after the other: it may be that of the one before. */
#define TAINT_SIZE                                                                                           \
    (TAINT_DIMS(TAINT_LID) | TAINT_DIMS(TAINT_LSIZE) | TAINT_DIMS(TAINT_GROUP) | TAINT_DIMS(TAINT_NGROUPS) | \
     TAINT_LINEAR | TAINT_STACK | TAINT_OPEN | TAINT_WAYS)
/* Sources that differ between work-items by their position. */
#define TAINT_POSITION                                                                                       \
    (TAINT_DIMS(TAINT_GID) | TAINT_DIMS(TAINT_LID) | TAINT_DIMS(TAINT_GROUP) | TAINT_LINEAR | TAINT_STACK)

/* Where a source first became visible outside the work-item's own arithmetic. */
struct taint_sink {
    uint32_t insn;    /* CFG_NONE: nowhere */
    const char *what; /* static: "an address", "a branch", ... */
};

/* Facts about memory that taint needs and facts.c reports. */
struct taint_memory {
    bool unknown_write;         /* global memory through a pointer of unknown root */
    uint32_t unknown_write_at;  /* instruction, CFG_NONE */
    uint32_t variable_write_at; /* instruction that may write a program-scope variable, CFG_NONE */
    bool call;                  /* a function that may do anything */
};

/* A way between two blocks on which a phi takes a value that was never given, or, with `to` SUM_ANYWHERE, a
 * block that computes with one.  The last bit stands for several when there are many. */
struct taint_way {
    uint32_t from, to;
    uint8_t bit;
};
#define TAINT_MOST_WAYS 256

struct taint {
    taint_set *of;  /* per value, its use as a number: what it depends on */
    bool *constant; /* per value: the same for every work-item at all times */
    struct taint_sink sink[TAINT_BITS];
    struct taint_way *way; /* at most TAINT_MOST_WAYS */
    uint32_t nway;
};

/* 0 or -ENOMEM.  k->args[].may_write must be filled.  Release with taint_free() whatever the result. */
int taint_build(const struct kernel_summary *k, const struct cfg *c, const struct roots *r,
                const struct aff *exact, const struct taint_memory *m, struct taint *t);
void taint_free(struct taint *t);

/* What polynomial p (exact reading) depends on. */
taint_set taint_poly(const struct taint *t, const struct aff *exact, const struct aff_poly *p);

#endif
