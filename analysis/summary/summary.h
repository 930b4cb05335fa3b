/* summary.h - what analysis knows about an OpenCL kernel, in terms that need neither LLVM nor OpenCL.
 *
 * The helper `clsizer-analyze` writes a summary file per program, which the preloaded library and the offline
 * tools read.  The summary of a kernel has three parts:
 *
 *   signature   name, arguments, required size, static local memory, register estimate
 *   body        the kernel as a small SSA program: enough to *execute* its control flow and addresses
 *   facts       what was proved from the body, and why the rest could not be (facts.h)
 *
 * The words (root, must, may, leaf, launch-wide, ...): docs/glossary.md, "What is proved".
 *
 * Units: sizes are bytes unless a name ends in _bits.  Integers are two's complement, at most 64 bits wide.
 *
 * Text form (see summary_text.c): line oriented, first line `clsizer-summary VERSION`, last line `end
 * CHECKSUM`. The parser is bounds-checked and never trusts its input: files come from a cache directory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* To be raised whenever the text form or the meaning of a field changes; part of every cache and wisdom
 * key. */
#define SUM_VERSION 55

enum sum_space { SUM_PRIVATE, SUM_GLOBAL, SUM_CONSTANT, SUM_LOCAL, SUM_GENERIC };

enum sum_arg_kind {
    SUM_ARG_SCALAR, /* by value: integer, floating point, vector or struct; `size` bytes */
    SUM_ARG_BUFFER, /* __global or __constant pointer */
    SUM_ARG_LOCAL,  /* __local pointer: size is chosen at clSetKernelArg */
    SUM_ARG_IMAGE,
    SUM_ARG_SAMPLER,
    SUM_ARG_OTHER /* pipe, queue, event, ...: never tuned */
};

struct sum_arg {
    char *name; /* owned; may be "" */
    char *type; /* owned; source spelling, e.g. "float*" */
    enum sum_arg_kind kind;
    enum sum_space space;
    uint32_t size;            /* bytes of the value passed to clSetKernelArg; 0 for SUM_ARG_LOCAL */
    bool may_read, may_write; /* contents of a buffer or image; false: it was proved not to */
    bool restricted; /* its pointer is declared `restrict`: no other argument reaches what it points to */
    uint8_t gaps;    /* of an image: components that are written without a value (bit 0: x); where it does not
                        keep these, no harm is done */
};

/* Work-item functions.  All take a dimension except WORK_DIM and the linear ids. */
enum sum_wi {
    SUM_WI_GLOBAL_ID,
    SUM_WI_GLOBAL_SIZE,
    SUM_WI_GLOBAL_OFFSET,
    SUM_WI_LOCAL_ID,
    SUM_WI_LOCAL_SIZE,
    SUM_WI_ENQUEUED_LOCAL_SIZE,
    SUM_WI_GROUP_ID,
    SUM_WI_NUM_GROUPS,
    SUM_WI_GLOBAL_LINEAR_ID,
    SUM_WI_LOCAL_LINEAR_ID,
    SUM_WI_WORK_DIM,
    SUM_WI_COUNT
};

/* Instructions.  The id of a value is the index of the instruction that makes it.  X(enumerator, name in the
 * text form, operands: at least, at most). */
#define SUM_ANY UINT32_MAX
#define SUM_OPS(X)                                                                                           \
    /* leaves: all stand before the first block */                                                           \
    /* imm = value, sign-extended from `bits`; floating-point constants are SUM_OPAQUE leaves */             \
    X(SUM_CONST, "const", 0, 0)                                                                              \
    /* a launch-wide constant whose value is not known (floating point, undef, sampler, ...).  imm: 0, or,   \
       in the view of a group, what sum_of_launch() makes of a work-item function of the whole launch */     \
    X(SUM_OPAQUE, "opaque", 0, 0)                                                                            \
    /* imm = argument index.  By-value structs: address in SUM_PRIVATE space with loads */                   \
    X(SUM_ARG, "arg", 0, 0)                                                                                  \
    X(SUM_WI, "wi", 0, 0)   /* sub = enum sum_wi, imm = dimension */                                         \
    X(SUM_VAR, "var", 0, 0) /* imm = index into vars: address of a program-scope or __local variable */      \
    X(SUM_ALLOCA, "alloca", 0, 0) /* imm = bytes: address of a private array */                              \
    /* integers, evaluated exactly modulo 2^bits; operands and result scalar */                              \
    X(SUM_ADD, "add", 2, 2)                                                                                  \
    X(SUM_SUB, "sub", 2, 2)                                                                                  \
    X(SUM_MUL, "mul", 2, 2)                                                                                  \
    X(SUM_UDIV, "udiv", 2, 2)                                                                                \
    X(SUM_SDIV, "sdiv", 2, 2)                                                                                \
    X(SUM_UREM, "urem", 2, 2)                                                                                \
    X(SUM_SREM, "srem", 2, 2)                                                                                \
    X(SUM_SHL, "shl", 2, 2)                                                                                  \
    X(SUM_LSHR, "lshr", 2, 2)                                                                                \
    X(SUM_ASHR, "ashr", 2, 2)                                                                                \
    X(SUM_AND, "and", 2, 2)                                                                                  \
    X(SUM_OR, "or", 2, 2)                                                                                    \
    X(SUM_XOR, "xor", 2, 2)                                                                                  \
    X(SUM_SMIN, "smin", 2, 2)                                                                                \
    X(SUM_SMAX, "smax", 2, 2)                                                                                \
    X(SUM_UMIN, "umin", 2, 2)                                                                                \
    X(SUM_UMAX, "umax", 2, 2)                                                                                \
    X(SUM_ICMP, "icmp", 2, 2) /* sub = enum sum_pred; result 1 bit; pointers compare as their addresses */   \
    X(SUM_SELECT, "select", 3, 3) /* condition, if true, if false; any type */                               \
    X(SUM_TRUNC, "trunc", 1, 1)                                                                              \
    X(SUM_ZEXT, "zext", 1, 1)                                                                                \
    X(SUM_SEXT, "sext", 1, 1)                                                                                \
    /* pointer, byte offset (64 bit, signed): free of cost; operand 0 leads to the root */                   \
    X(SUM_PTRADD, "ptradd", 2, 2)                                                                            \
    /* operands are pairs: predecessor block, value; stands first in its block */                            \
    X(SUM_PHI, "phi", 2, SUM_ANY)                                                                            \
    /* anything else that computes: result unknown to the executor, cost by cls, no side effect.  imm: 0, or \
       what sum_bounds() makes of the bounds of a result of at most 32 bits, read as signed */               \
    X(SUM_PURE, "pure", 0, SUM_ANY)                                                                          \
    /* memory; `space`, `bytes` per work-item */                                                             \
    X(SUM_LOAD, "load", 1, 1)   /* pointer */                                                                \
    X(SUM_STORE, "store", 2, 2) /* pointer, value */                                                         \
    /* pointer, values...; sub = enum sum_atomic; result may be unused: flag SUM_F_UNUSED */                 \
    X(SUM_ATOMIC, "atomic", 1, 8)                                                                            \
    /* the SUM_ARG of an image, x, y, z (missing coordinates absent; unknown ones SUM_PURE) */               \
    X(SUM_IMAGE_READ, "image_read", 1, 4)                                                                    \
    /* the SUM_ARG of an image, value, x, y, z.  imm: its components that have no value (bit 0: x) */        \
    X(SUM_IMAGE_WRITE, "image_write", 2, 5)                                                                  \
    X(SUM_FENCE, "fence", 0, 8)     /* mem_fence: orders memory, no execution barrier */                     \
    X(SUM_BARRIER, "barrier", 0, 8) /* work-group or sub-group barrier */                                    \
    X(SUM_PRINTF, "printf", 0, SUM_ANY)                                                                      \
    /* something that analysis knows nothing about; imm = index into `callees` */                            \
    X(SUM_CALL, "call", 0, SUM_ANY)                                                                          \
    /* terminators: last in their block; targets are operands (block indices) */                             \
    X(SUM_BR, "br", 1, 1)         /* target */                                                               \
    X(SUM_CONDBR, "condbr", 3, 3) /* condition, if true, if false */                                         \
    /* condition, default target, then pairs: id of a SUM_CONST, target */                                   \
    X(SUM_SWITCH, "switch", 2, SUM_ANY)                                                                      \
    X(SUM_RET, "ret", 0, 0)

enum sum_op {
#define X(e, ...) e,
    SUM_OPS(X)
#undef X
        SUM_OP_COUNT
};

enum sum_pred { SUM_EQ, SUM_NE, SUM_ULT, SUM_ULE, SUM_UGT, SUM_UGE, SUM_SLT, SUM_SLE, SUM_SGT, SUM_SGE };

enum sum_atomic {
    SUM_AT_ADD,
    SUM_AT_SUB,
    SUM_AT_MIN,
    SUM_AT_MAX,
    SUM_AT_AND,
    SUM_AT_OR,
    SUM_AT_XOR,
    SUM_AT_INC,
    SUM_AT_DEC,
    SUM_AT_XCHG,
    SUM_AT_CMPXCHG,
    SUM_AT_LOAD,
    SUM_AT_STORE,
    SUM_AT_OTHER
};

/* Cost classes ([W] Table 3, [C] Table 2, [R] 6.3). */
enum sum_class {
    SUM_C_NONE, /* costs nothing: casts, address arithmetic, phi, moves */
    SUM_C_IADD, /* integer add, logic, compare, shift, select */
    SUM_C_IMUL,
    SUM_C_IDIV,
    SUM_C_FADD,
    SUM_C_FMUL,
    SUM_C_FMA,
    SUM_C_FDIV,
    SUM_C_SQRT,
    SUM_C_DADD,
    SUM_C_DMUL,
    SUM_C_DFMA,
    SUM_C_DDIV,
    SUM_C_DSQRT,
    SUM_C_SFU,     /* native_* and half_* functions */
    SUM_C_SPECIAL, /* full-precision transcendental */
    SUM_C_CONV,
    SUM_C_MEM, /* loads and stores: refined by space and bytes */
    SUM_C_IMAGE,
    SUM_C_ATOMIC,
    SUM_C_BARRIER,
    SUM_C_BRANCH,
    SUM_C_COUNT
};

/* sum_insn.flags */
#define SUM_F_UNUSED   0x01 /* atomic whose old value nothing uses */
#define SUM_F_SUBGROUP 0x01 /* SUM_BARRIER: of a sub-group alone */
#define SUM_F_GAPS     0x01 /* SUM_STORE: writes bytes that have no value */
#define SUM_F_APART    0x01 /* SUM_ADD: no bit is set in both operands, so that it never wraps */
#define SUM_F_UNDEF    0x01 /* SUM_PURE: a conversion whose operand may not fit; SUM_OPAQUE: undefined */
#define SUM_F_GAP      0x02 /* SUM_OPAQUE: bytes of a structure or union that were given no value */
#define SUM_F_NONZERO  0x02 /* SUM_PURE: the language leaves open what becomes of 0 */
#define SUM_F_VOLATILE 0x02
#define SUM_F_LAST     0x04 /* SUM_STORE: there may have been earlier ones of other values */
#define SUM_F_NSW      0x04 /* signed wrap is undefined */
#define SUM_F_NUW      0x08
#define SUM_F_BY_ZERO  0x04 /* SUM_PURE: a quotient of numbers, whose divisor a compiler may find to be 0 */
#define SUM_F_ROUNDS   0x08 /* SUM_PURE: a function that drivers compute in a loop, bit by bit */
#define SUM_F_FLOAT    0x10 /* result is floating point */
#define SUM_F_NAN_BITS 0x20 /* SUM_PURE: takes bits of what may be a NaN that the kernel computes */
#define SUM_F_PUNNED   0x40 /* SUM_PURE: read as another type than is written there */
#define SUM_F_24       0x20 /* SUM_MUL: mul24(), the product only where both operands fit 24 bits */
#define SUM_F_UNSIGNED 0x40 /* SUM_MUL with SUM_F_24, atomic min and max: operands are unsigned */
#define SUM_F_INEXACT  0x80 /* SUM_PURE: a function of which a driver may have several versions */
#define SUM_F_PART     0x80 /* SUM_ARG: one component of a vector argument, `bytes` from its start */

struct sum_insn {
    uint8_t op;    /* enum sum_op */
    uint8_t sub;   /* by op: sum_wi, sum_pred, sum_atomic */
    uint8_t cls;   /* enum sum_class; for vectors the cost counts `lanes` times */
    uint8_t bits;  /* width of the result's element: 1..64; 0 = no result */
    uint8_t lanes; /* 1 = scalar; 2, 3, 4, 8, 16 = vector */
    uint8_t space; /* memory operations and pointer leaves: enum sum_space */
    uint8_t flags;
    uint32_t bytes;       /* memory operations: bytes per work-item; SUM_F_PART: offset in the argument */
    uint32_t nopnd, opnd; /* operands are kernel->opnds[opnd .. opnd+nopnd) */
    int64_t imm;
    uint32_t line; /* source line, 0 = unknown */
};

struct sum_block {
    uint32_t first, end; /* instructions [first, end); the last is the terminator */
};

struct sum_var {
    char *name;           /* owned */
    enum sum_space space; /* SUM_CONSTANT, SUM_GLOBAL or SUM_LOCAL */
    uint64_t bytes;
};

/* Facts.  Order is the order of the report. */
enum sum_fact {
    SUM_FACT_S, /* results do not depend on the local size, provided that no work-item takes one of the edges
                   in `undef` and that the range is within `id_bits` (checked at the launch) */
    SUM_FACT_O0,
    SUM_FACT_O1,
    SUM_FACT_O2, /* sliceable along dimension 0, 1, 2 */
    SUM_FACT_I,  /* idempotent, provided no two buffer arguments overlap (checked at the launch) */
    SUM_FACT_A,  /* atomics, if any, are order-free */
    SUM_FACT_U,  /* work per work-item does not depend on memory contents or position */
    SUM_FACTS
};

/* Why a fact is not proved.  X(enumerator, name in reports, explanation). */
#define SUM_REASONS(X)                                                                                       \
    X(SUM_R_NONE, "proved", "")                                                                              \
    X(SUM_R_BARRIER, "barrier", "the kernel synchronises its work-group")                                    \
    X(SUM_R_LOCAL_MEMORY, "local-memory", "the kernel uses __local memory")                                  \
    X(SUM_R_REQD_SIZE, "required-size", "reqd_work_group_size fixes the local size")                         \
    X(SUM_R_SUBGROUP, "sub-group", "the kernel uses sub-group functions")                                    \
    X(SUM_R_GROUP_FUNCTION, "work-group-function", "async copy, reduction, broadcast or similar")            \
    X(SUM_R_SIZE_OBSERVED, "local-size-observed", "the local size reaches results")                          \
    X(SUM_R_LOCAL_ID_OBSERVED, "local-id-observed", "the position in the group reaches results")             \
    X(SUM_R_GROUP_ID_OBSERVED, "group-id-observed", "the group's number reaches results")                    \
    X(SUM_R_NUM_GROUPS_OBSERVED, "num-groups-observed", "the number of groups reaches results")              \
    X(SUM_R_SPIN, "spin-loop", "a loop waits for memory that another work-item may write")                   \
    X(SUM_R_ORDERED_ATOMIC, "ordered-atomic", "the effect of an atomic depends on the order of execution")   \
    X(SUM_R_PRINTF, "printf", "the order of printed lines would change")                                     \
    X(SUM_R_UNKNOWN_CALL, "unknown-function", "a function that analysis does not know")                      \
    X(SUM_R_GLOBAL_SIZE_OBSERVED, "global-size-observed", "get_global_size reaches results")                 \
    X(SUM_R_OFFSET_OBSERVED, "global-offset-observed", "the global offset reaches results")                  \
    X(SUM_R_VOLATILE, "volatile", "volatile memory access")                                                  \
    X(SUM_R_UNDEFINED_BYTES, "undefined-bytes", "what is written has bytes without a value")                 \
    X(SUM_R_UNDEFINED_VALUE, "undefined-value", "a variable may be used that was given no value")            \
    X(SUM_R_READ_WRITTEN, "reads-what-it-writes", "a buffer is both read and written")                       \
    X(SUM_R_UNKNOWN_POINTER, "unknown-pointer", "an access whose buffer is not known")                       \
    X(SUM_R_ATOMIC, "atomic", "atomics make a second run differ")                                            \
    X(SUM_R_VARIABLE, "program-variable", "writes a program-scope variable")                                 \
    X(SUM_R_DATA_DEPENDENT, "data-dependent-work", "memory contents decide branches or trip counts")         \
    X(SUM_R_POSITION_DEPENDENT, "position-dependent-work", "the work-item id decides trip counts")           \
    X(SUM_R_TOO_LARGE, "too-large", "the kernel is larger than the analysis limits")

enum sum_reason {
#define X(e, name, text) e,
    SUM_REASONS(X)
#undef X
        SUM_R_COUNT
};

struct sum_verdict {
    enum sum_reason reason; /* SUM_R_NONE: proved */
    uint32_t line;          /* where the obstacle stands; 0 = unknown */
    char *detail;           /* owned, may be NULL; one phrase, no newline */
};

/* A polynomial over launch-time symbols; integers modulo 2^64.  affine.h makes them, select/prove/disjoint.c
 * evaluates them with the launch's real arguments. */
enum sum_sym_kind {
    SUM_SYM_GID,    /* index = dimension: get_global_id */
    SUM_SYM_OFFSET, /* index = dimension: get_global_offset */
    SUM_SYM_GSIZE,  /* index = dimension: get_global_size */
    SUM_SYM_ARG,    /* index = argument: an integer scalar, sign- or zero-extended as the body does */
    SUM_SYM_LOOP,   /* index into loops: iteration number, from 0 */
    SUM_SYM_UNIFORM /* index = value id, read as signed: same for every work-item, value not known.  In the
                       view of a group: for all that make this access between the same two barriers */
};
struct sum_sym {
    uint8_t kind;
    uint8_t zext; /* SUM_SYM_ARG: value is zero-extended, else sign-extended */
    uint32_t index;
};
#define SUM_TERM_SYMS 6
struct sum_term {
    int64_t coef;
    uint32_t nsym;
    struct sum_sym sym[SUM_TERM_SYMS]; /* product; sorted */
};
struct sum_poly {
    uint32_t nterm;
    struct sum_term *term; /* owned */
};

/* A condition that only the launch can check: for all work-items and iterations that it mentions, `poly`,
 * evaluated over the integers (not modulo anything), stays within the range of an integer of `bits` bits. */
struct sum_range {
    uint8_t bits; /* 1..64 */
    bool is_signed;
    struct sum_poly poly;
};

/* The range of a SUM_SYM_LOOP.  An entry of k->loops is one of these:
 *
 * - A loop.  LOOP is the number of the iteration, with an upper bound (may): 0 <= LOOP < max(1, ceil(limit /
 * step)), and only 0 <= LOOP if there is no bound.  A loop may have two entries with one header: the second
 * one, whose bound is higher by one or missing, is for uses outside the part of the loop that its exit test
 * protects (the test's own block, and code behind the loop).
 * - A choice: a block where two paths meet.  Bounded, limit 2, step 1; LOOP is 0 or 1 by the path taken last.
 * - A value that is not followed, of which only few bits may be set (`x & 3`, a byte): bounded, limit one
 * more than these bits, step 1, no header; LOOP is the value.
 * - A quotient whose divisor the launch knows: `quotient` says which.
 *
 * bounded: `limit` consists of launch-wide symbols; the bound holds if 0 <= limit < 2^31 - step.
 * Not bounded, but step > 0 or step_poly not empty: a conditional bound.  It holds if all of `range` hold,
 * for every work-item and, where they mention one, every iteration.  A step_poly that is not empty stands for
 * the step, and must be > 0. */
enum sum_quotient {
    SUM_Q_NONE,   /* a loop, or a choice */
    SUM_Q_DIVIDE, /* by the step */
    SUM_Q_POWER,  /* by the step, which must be a power of two */
    SUM_Q_SHIFT   /* by 2 to the power of step_poly, which may be 0 */
};
#define SUM_BY_IDS 8
struct sum_loop {
    uint32_t header; /* block; 0: a condition or a counter, no loop's rounds */
    bool bounded;
    uint8_t ids;      /* of a value: SUM_BY_IDS + the dimensions (bits) whose global ids alone decide it in a
                         launch; 0:      there is more */
    uint8_t quotient; /* enum sum_quotient.  If not SUM_Q_NONE: LOOP is exactly floor((limit - 1) / divisor)
                         if `range` holds; never together with `bounded` */
    struct sum_poly limit; /* iterations <= ceil(limit / step), limit = bound - init */
    int64_t step;          /* > 0 when bounded */
    struct sum_poly step_poly;
    uint32_t nrange;
    struct sum_range *range; /* owned */
};

/* A guard: the access runs only where lhs < rhs (lhs == rhs if `equal`) as integers.  It may be used only
 * where both sides lie in [0, 2^31): there the polynomials are the values that the body compares, whatever
 * the comparison's width and signedness.  An access lists its outermost guard first. */
struct sum_guard {
    bool equal;
    struct sum_poly lhs, rhs;
};

enum sum_access_kind { SUM_ACC_READ, SUM_ACC_WRITE, SUM_ACC_ATOMIC };

/* An access to a buffer argument, or to an image that the kernel may write, from which race-freedom is
 * proved.  Its place is the byte offset from the argument's value (buffers), or one polynomial per coordinate
 * (images). */
struct sum_access {
    enum sum_access_kind kind;
    uint32_t insn; /* the memory instruction */
    uint32_t arg;
    uint32_t bytes;
    bool affine;         /* false: the place depends on memory or could not be followed; `coord` is unset */
    bool constant_value; /* write: every work-item stores the same known constant, and nothing else before */
    int64_t constant;
    uint8_t
        wrap_bits;   /* the offset equals coord modulo 2^wrap_bits: the narrowest width before an extension */
    uint32_t ncoord; /* 1 for buffers */
    struct sum_poly coord[3];
    uint32_t nrange;
    struct sum_range *range; /* owned; coord is the place only if all of them hold where the access runs */
    uint32_t nguard;
    struct sum_guard *guard; /* owned */
};

/* A control-flow edge on which a variable has no value, although results depend on it later (SUM_FACT_S). */
#define SUM_ANYWHERE UINT32_MAX
struct sum_undef_edge {
    uint32_t from, to; /* blocks; `to` SUM_ANYWHERE: reaching `from` is enough */
    bool first;        /* only where a loop, whose header `from` compares two integers at its end, is left so
                          in its first round */
    uint32_t line;     /* where the variable is used; 0 = unknown */
};

/* The kernel as other OpenCL C, in which one work-item does the work of several neighbours. */
struct sum_wide {
    uint8_t lanes;     /* how many: 4, 8 or 16; 0: it was not asked for, or is not offered */
    uint8_t dimension; /* along which they are neighbours */
    uint8_t id_bits;   /* it does the same where offset + global size is at most 2^id_bits there */
    char *kernel; /* owned: its name in the text.  It has the kernel's arguments and one more: `ulong end`,
                     the offset plus the global size of the launch in whose place it is launched, there */
    char *text;   /* owned: a program with nothing else */
    char *why;    /* owned: "reason: detail" where it was asked for and is not offered */
};

struct kernel_summary {
    char *name; /* owned */
    uint32_t nargs;
    struct sum_arg *args;   /* owned */
    uint32_t reqd[3];       /* reqd_work_group_size, 0,0,0 when absent */
    uint32_t hint[3];       /* work_group_size_hint */
    uint64_t local_bytes;   /* static __local per work-group, without __local arguments */
    uint64_t private_bytes; /* private arrays that survive optimisation */
    uint32_t registers;     /* 32-bit registers per work-item, estimated: maximum live values */
    bool relaxed_math; /* built with -cl-fast-relaxed-math or -cl-unsafe-math-optimizations, or the source
                          relaxes floating point itself */
    bool loose_math;   /* built with an option that leaves open what becomes of NaNs, infinities, denormal
                          numbers or the sign of 0 */
    bool has_atomics, has_images, has_barrier;
    bool parts_at_loops; /* a loop around another one may be left in different rounds by different work-items,
                          or they part behind a loop on one way of a branch that all take alike, or by what is
                          known of who makes no round of it; of loops as the program has them */
    bool needs_uniform;  /* S was proved through group_id*local_size+local_id: groups must be uniform */
    uint8_t
        id_bits; /* S, and what else is said, was proved for launches in which offset + global size is below
                    2^id_bits in each dimension, so that ids fit the variables that hold them; 0: for all */
    bool only_groups; /* nothing but what a group is stands against S: its barriers, its memory, its size; not
                         in the text form */
    bool of_group; /* it is the view of a group (`group`): a launch of it is one group, its ids are the local
                      ids, and between its barriers no work-item may touch what another one writes */
    uint8_t flat;  /* of the view of a group: S holds only if its size is 1 in these dimensions, bit by bit:
                      then  all of it meet at each barrier */
    bool uneven;   /* the driver may make the last group smaller where the program leaves it the local size */

    uint32_t nvars;
    struct sum_var *vars;
    uint32_t ncallees;
    char **callees;
    uint32_t nleaf; /* insns[0..nleaf) are the leaves */
    uint32_t ninsn;
    struct sum_insn *insns;
    uint32_t nopnd;
    uint32_t *opnds;
    uint32_t nblock;
    struct sum_block *blocks; /* blocks[0] is the entry */

    struct sum_verdict fact[SUM_FACTS];
    uint32_t nloop;
    struct sum_loop *loops;
    uint32_t naccess;
    struct sum_access *access;
    uint32_t nundef;
    struct sum_undef_edge *undef; /* owned */
    struct sum_wide wide;
    struct kernel_summary
        *group; /* owned: the kernel as one of its groups sees it (analysis/prove/group_view.c), where
                   only_groups; else NULL.  It has an argument more for each array in local memory */
};

/* A file beside the program's text that the compiler read, or would read if it came into being (files.h). */
struct sum_file {
    char *path;  /* owned; absolute */
    bool absent; /* all that follows is 0 */
    uint64_t dev, ino, size, mtime_ns, ctime_ns;
};

struct program_summary {
    char *error;      /* owned; NULL, or why there are no kernels: "reason-name: detail", one line */
    bool files_known; /* the summary holds for every build of the same text for which all of `file` are the
                         same */
    uint32_t nfile;
    struct sum_file *file; /* owned */
    uint32_t nkernel;
    struct kernel_summary *kernel; /* owned */
};

/* Limits of the parser and the helper.  A kernel that exceeds one is "too-large". */
#define SUM_MAX_INSN   200000u
#define SUM_MAX_KERNEL 4096u
#define SUM_MAX_FILE   512u
#define SUM_MAX_TEXT   (256u << 20) /* bytes */

/* Bytes per work-item of one memory operation.  Limited because the model looks at every cache line. */
#define SUM_MAX_ACCESS (1u << 16)

/* Parse `size` bytes of text, which are not trusted.  0, with *out to be released with sum_free(); or -EINVAL
 * (malformed, wrong checksum), -ENOTSUP (another SUM_VERSION) or -ENOMEM, with *out untouched.  If `line` is
 * not NULL it receives the number of the line with the error. */
int sum_parse(const char *text, size_t size, struct program_summary *out, unsigned *line);

/* Print the text form, checksum included.  0, or -EIO if writing to `f` failed. */
int sum_print(const struct program_summary *p, FILE *f);

/* Print for people: signature, facts with reasons, accesses; the body too if `body`. */
void sum_describe(const struct kernel_summary *k, FILE *f, bool body);

/* Check what every user of a summary relies on: ids, operand counts, blocks and enumerators are in range and
 * consistent, and definitions dominate their uses.  0, or -EINVAL with *why (a static string) saying what is
 * wrong.  sum_parse() calls it; the helper calls it after each stage. */
int sum_check(const struct kernel_summary *k, const char **why);

void sum_free(struct program_summary *p);       /* accepts NULL; leaves *p zeroed */
void sum_free_kernel(struct kernel_summary *k); /* likewise */
void sum_free_loop(struct sum_loop *l);         /* what it owns, not *l itself */
void sum_free_access(struct sum_access *a);     /* likewise */

/* Find a kernel by name; NULL if there is none. */
const struct kernel_summary *sum_find(const struct program_summary *p, const char *name);

/* Does a branch of the body lead back? */
bool sum_has_loop(const struct kernel_summary *k);

/* Names as used in summaries, reports and wisdom, and a reason in words; "?" if out of range. */
const char *sum_reason_name(enum sum_reason r);
const char *sum_reason_text(enum sum_reason r);
const char *sum_fact_name(enum sum_fact f);   /* "S", "O0", ... */
const char *sum_class_name(enum sum_class c); /* "iadd", "fma", ... */
static inline bool sum_proved(const struct kernel_summary *k, enum sum_fact f)
{
    return k->fact[f].reason == SUM_R_NONE;
}

static inline bool sum_mentions(const struct sum_poly *p, enum sum_sym_kind kind)
{
    for (uint32_t i = 0; i < p->nterm; i++)
        for (uint32_t j = 0; j < p->term[i].nsym; j++)
            if (p->term[i].sym[j].kind == kind)
                return true;
    return false;
}

/* Is it a load, store or atomic of what may be a work-item's own memory? */
static inline bool sum_may_touch_private(const struct sum_insn *in)
{
    return (in->op == SUM_LOAD || in->op == SUM_STORE || in->op == SUM_ATOMIC) &&
           (in->space == SUM_PRIVATE || in->space == SUM_GENERIC);
}

/* Is the value one integer, of 1 to 64 bits? */
static inline bool sum_is_integer(const struct sum_insn *in)
{
    return in->lanes == 1 && in->bits >= 1 && in->bits <= 64 && !(in->flags & SUM_F_FLOAT);
}

/* Operand `i` of instruction `v`. */
static inline uint32_t sum_opnd(const struct kernel_summary *k, uint32_t v, uint32_t i)
{
    return k->opnds[k->insns[v].opnd + i];
}

/* What a pointer is computed from by additions alone. */
static inline uint32_t sum_base(const struct kernel_summary *k, uint32_t pointer)
{
    while (k->insns[pointer].op == SUM_PTRADD)
        pointer = sum_opnd(k, pointer, 0);
    return pointer;
}

/* Is operand `i` of `in` a block rather than a value? */
static inline bool sum_operand_is_block(const struct sum_insn *in, uint32_t i)
{
    switch (in->op) {
    case SUM_PHI:
        return i % 2 == 0;
    case SUM_BR:
        return true;
    case SUM_CONDBR:
        return i > 0;
    case SUM_SWITCH:
        return i % 2 == 1;
    default:
        return false;
    }
}

/* The `imm` of a SUM_PURE whose result lies between two numbers, and these numbers again. */
static inline int64_t sum_bounds(int32_t lo, int32_t hi)
{
    return (int64_t)((uint64_t)(uint32_t)hi << 32 | (uint32_t)lo);
}
static inline int32_t sum_lower_bound(int64_t imm)
{
    return (int32_t)(uint32_t)(uint64_t)imm;
}
static inline int32_t sum_upper_bound(int64_t imm)
{
    return (int32_t)(uint32_t)((uint64_t)imm >> 32);
}

/* The `imm` of a SUM_OPAQUE that is what a work-item function told all of a group, and these again. */
static inline int64_t sum_of_launch(unsigned sub, int64_t dimension)
{
    return 1 + 3 * (int64_t)sub + dimension;
}
static inline unsigned sum_launch_function(int64_t imm)
{
    return (unsigned)((imm - 1) / 3);
}
static inline unsigned sum_launch_dimension(int64_t imm)
{
    return (unsigned)((imm - 1) % 3);
}

/* A number for what the atomic v does to its location.  Atomics with the same number commute, so their order
 * does not show: signed and unsigned min have different ones, likewise max, and so have different sizes,
 * since a carry may cross from a small location into a larger one.  Exchanges and stores of one constant have
 * one, those of another constant another.  0: the order shows, or v is no atomic. */
uint64_t sum_atomic_family(const struct kernel_summary *k, uint32_t v);

/* Do the accesses to an argument leave the same in whatever order they are made and whatever they hit:
 * atomics that commute, or stores of one constant?  False if there are none. */
bool sum_order_is_free(const struct kernel_summary *k, uint32_t arg);
