/* variant.h - another kernel that does the work of a site's: its text, and for which launches it does.
 *
 * A variant consists of data alone; one that a site uses lives as long as that, which is the process.  The
 * objects that the driver makes of it belong to the application's kernel (private_kernel.h). */
#pragma once

#include "shim/site/launching.h"

#define VARIANT_SIZES 8

/* The value that a scalar argument must have. */
struct variant_value {
    bool fixed; /* else any will do */
    uint32_t size;
    unsigned char value[8];
};

/* That which `a` has now, which has as many bytes at most. */
void variant_value_of(struct variant_value *value, const struct shim_arg *a);

/* What is true of a launch, as described (arguments.h), for which the variant does the same as the kernel. */
typedef bool variant_guard(const struct kernel_summary *k, const struct launch *l);

/* How another process tries a variant (compile_ahead.h); site locked. */
struct variant_trial {
    bool asked;          /* one was */
    size_t asked_for[3]; /* ... the first size that it is to compile */
    bool at_work;        /* it was given the job, and has not answered */
    bool more;           /* it has answered, and still compiles further sizes */
    size_t first[3];     /* the first size of the job that was answered */
    bool has_binary;     /* it has kept the program's binary */
    unsigned ncompiled;  /* the sizes that it has compiled */
    size_t compiled[VARIANT_SIZES][3];
    int64_t look;      /* when to look for its answer again, clock_now() */
    int64_t waited_ns; /* how long launches have waited for it, together */
};

/* Who makes one gives variant_new() the members above `id`; the others are 0. */
struct variant {
    const char *label;  /* in the report: "fixed" */
    const char *text;   /* OpenCL C, terminated */
    const char *kernel; /* the kernel's name in the text; its arguments are those of the program's kernel */
    size_t units[3];    /* work-items of the program that one work-item does, in each dimension; at least 1 */
    unsigned end;     /* 0, or 1 + a dimension: then the kernel has another argument, `ulong`: offset + global
                         size of the program's launch there, which need not be a multiple of the units */
    bool alone;       /* local sizes must be 1 in that dimension */
    unsigned id_bits; /* offset + global size may be 2^id_bits at most in that dimension */
    unsigned nlocal;  /* the local sizes that it may have; 0: any */
    size_t local[VARIANT_SIZES][3];
    const char *options;         /* build options; to variant_new() NULL: the kernel's program's */
    double tolerance;            /* pool.h; 0: none */
    bool given;                  /* by the user: nobody knows what it does before it is verified */
    struct variant_value *value; /* one per argument; NULL: all may have any */
    variant_guard *guard;        /* NULL: none */
    bool apart;     /* its pointers are `restrict`: buffers that are written overlap no other ones */
    bool may_round; /* otherwise than the kernel, for what is known: shim/tune/noise.h */
    uint64_t hash;  /* of its text, options and tolerance */
    uint64_t id;    /* ... and kernel */
    unsigned nvalue;
    struct proofs proofs;     /* of launches whose arguments may be copied and pass the guard */
    atomic_llong compile_ns;  /* what building its text took last; 0: it has not been, or a binary was */
    atomic_llong unpaid_ns;   /* what building it took, that is not on the account yet */
    atomic_uint builds_left;  /* programs that make a kernel for each launch have us build only so often */
    struct variant *next;     /* of those of its site that compete */
    unsigned bit;             /* which of struct shim_site.tried stands for it; 0: none */
    double whole_ns, part_ns; /* verify.c: what verifying it costs, as a whole or, if it may be, in part; 0:
                                 not known yet; site locked */
    unsigned missed;          /* samples that it was to be and did not hold for; site locked */
    struct variant_trial trial;
    const char *bytes[];
};

/* What came of having one built, tried by another process, verified or launched. */
enum variant_result {
    VARIANT_WORKS,  /* it was; when it is verified: it writes the same */
    VARIANT_LATER,  /* not now, or it is not known yet */
    VARIANT_NEVER,  /* it cannot be, not later either; when it is verified: nobody can tell */
    VARIANT_DIFFERS /* when it is verified: it writes something else */
};

/* The site's variant whose label is stored at this address; NULL: none. */
struct variant *variant_labelled(const struct shim_site *s, const char *label);

/* One like this for a kernel of the application's, with its own strings and values.  NULL when out of memory.
 * To be freed with free(), unless a site has it. */
struct variant *variant_new(const struct variant *like, const struct shim_kernel *k);

/* From now on it does only for the value that the argument, of those it has values for, has in this launch;
 * it counts as another text. */
void variant_fix(struct variant *v, const struct shim_kernel *k, unsigned argument);

/* Does the launch pass the guard?  That is on the account. */
bool variant_passes(const struct launching *l, variant_guard *guard);

/* Does the variant do the work of this launch, and can its arguments be copied?  Values are compared at each
 * launch; what depends on memory objects is asked again if the arguments' fingerprint is a new one. */
bool variant_holds(struct variant *v, const struct launching *l);

/* The range and the local size with which it does: `global` and `offset` in its own work-items.  False if
 * `local`, counted in its work-items, does not divide the range, or the units do not. */
bool variant_range(const struct variant *v, const struct launch *l, const size_t local[3], size_t global[3],
                   size_t offset[3]);

/* Has another process compiled this size (ahead_try())?  Site locked. */
static inline bool variant_is_compiled(const struct variant *v, const size_t local[3])
{
    return launch_among(v->trial.compiled[0], v->trial.ncompiled, local);
}
