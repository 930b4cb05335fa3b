/* taint.h - what each value of a body may depend on, and where that becomes visible outside the work-item. */
#pragma once

#include "analysis/prove/affine.h"

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

/* Memory contents that are the same for all work-items at all times. */
#define TAINT_SETTINGS ((taint_set)1 << 24)

/* Changes while a work-item runs: phis, private memory. */
#define TAINT_VARIES ((taint_set)1 << 25)

/* Memory that another work-item may change meanwhile.  Buffer arguments do not count: a launch is only tuned
 * if it is proved that no work-item writes what another reads (select/prove/disjoint.c). */
#define TAINT_SHARED ((taint_set)1 << 26)

/* Undefined values: of variables that were given none.  From bit TAINT_FIRST_EDGE on, those that are
 * undefined on one edge of the control flow (taint.edge). */
#define TAINT_UNDEF       ((taint_set)1 << 27)
#define TAINT_FIRST_EDGE  28
#define TAINT_BITS        64
#define TAINT_UNDEF_EDGES (~(taint_set)0 << TAINT_FIRST_EDGE)

/* All three bits of a source with a dimension. */
#define TAINT_DIMS(x) ((x)*7)

/* Sources that change with the local size.  A stack address does, because drivers lay out the private memory
 * of a group by its size; so does what a variable without a value holds, because drivers run a group's
 * work-items one after the other, and it may hold that of the previous one. */
#define TAINT_SIZE                                                                                           \
    (TAINT_DIMS(TAINT_LID) | TAINT_DIMS(TAINT_LSIZE) | TAINT_DIMS(TAINT_GROUP) | TAINT_DIMS(TAINT_NGROUPS) | \
     TAINT_LINEAR | TAINT_STACK | TAINT_UNDEF | TAINT_UNDEF_EDGES)
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

/* A control-flow edge on which a phi takes a value that was never given, or, with `to` SUM_ANYWHERE, a block
 * that computes with such a value.  When there are more than bits, the last bit stands for several. */
struct taint_edge {
    uint32_t from, to;
    uint8_t bit;
};
#define TAINT_MOST_EDGES 256

struct taint {
    taint_set *of;  /* per value, its use as a number: what it depends on */
    bool *constant; /* per value: the same for every work-item at all times */
    bool *agreed;   /* likewise, and phis that choose among such values by such conditions */
    struct taint_sink sink[TAINT_BITS];
    struct taint_edge *edge; /* at most TAINT_MOST_EDGES */
    uint32_t nedge;
};

/* Is it what a variable holds that was given no value? */
static inline bool taint_is_undef(const struct kernel_summary *k, uint32_t v)
{
    return k->insns[v].op == SUM_OPAQUE && (k->insns[v].flags & SUM_F_UNDEF);
}

/* Compute the sets of all values, which go with the graph.  `exact`: the exact reading of affine.h.  Requires
 * k->args[].may_write. */
void taint_build(const struct kernel_summary *k, struct cfg *c, const struct roots *r,
                 const struct aff *exact, const struct taint_memory *m, struct taint *t);

/* Find t->agreed.  Requires taint_build(). */
void taint_choices(const struct kernel_summary *k, struct cfg *c, const struct roots *r, struct taint *t);

/* What a polynomial of the exact reading depends on. */
taint_set taint_poly(const struct taint *t, const struct aff *exact, const struct aff_poly *p);
