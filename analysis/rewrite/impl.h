/* impl.h - what the files of this room share; no other file includes it.
 *
 * A kernel is written for one work-item (lanes == 1), for all neighbours, and perhaps for some of them. */
#pragma once

#include "analysis/lower/builtins.h"
#include "analysis/lower/ir.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* How a value differs between neighbours. */
enum shape_kind {
    SHAPE_NONE, /* not known yet */
    SHAPE_SAME, /* it does not */
    SHAPE_STEP, /* by `step` from one to the next, modulo 2^bits; pointers: bytes */
    SHAPE_ANY
};
struct shape {
    uint8_t kind;  /* enum shape_kind */
    bool exact[2]; /* SHAPE_STEP: also as integers, signed [0] or unsigned [1] */
    int64_t step;
};

struct value { /* an instruction */
    struct shape shape;
    struct shape own; /* without regard to loops that neighbours leave one after the other */
    const char *name; /* of its variable; NULL: it is written where it is used */
    uint8_t sign;     /* of its type in C: 0 not known yet, 1 being found out, 2 signed, 3 unsigned */
    bool variable;    /* it gets a variable */
    bool hoist;       /* which is declared at the function's begin */
    bool kept;        /* of each neighbour, what it was when that left a loop */
    bool agreed;      /* its shape holds only if the neighbours agree (agree.c) */
    uint8_t side;     /* of such a choice: the operand that they choose; 0: either */
    uint32_t scope;   /* in which it was declared last */
};

struct loop;

#define HELPERS 70

struct rewrite {
    LLVMContextRef context;
    LLVMTargetDataRef data;
    LLVMValueRef function;
    unsigned lanes, dimension;
    unsigned width;      /* neighbours in a work-item, also where they run one by one */
    struct table *wraps; /* flags.c */
    struct table *index; /* instruction -> index in `value`; block -> index in `block` */
    struct value *value; /* owned */
    struct block *block; /* owned; in reverse post order */
    uint32_t nvalue, nblock;
    struct loop *loop; /* owned */
    uint32_t nloop;
    struct string *strings; /* owned: all text that was made */
    const char **names;     /* owned: in use */
    const char **argument;  /* owned: names of the arguments */
    const char **type;      /* owned: argument_type() of each, once it was asked for */
    uint32_t ntables;       /* names[0 ... ntables - 1] are those of tables.c */
    uint32_t nnames;
    char *why; /* owned: the first obstacle */
    unsigned id_bits;
    const char *undefs; /* lines that come first in the text; NULL: none */
    bool fold;          /* the kernel is NAME__N, made of the C function NAME */
    bool arrays;        /* in place of vectors, with loops over the neighbours */
    bool single;        /* rewrite.h */
    bool in_order;      /* likewise */
    bool one_by_one;    /* rather than by masks, wherever that is possible */
    bool some;          /* the form for neighbours first ... last - 1 alone: under a mask from the start */
    bool rows;          /* of neighbours, each with borders: the kernel asks for ids in other dimensions */
    bool loops;         /* the kernel has some */
    bool disagree;      /* neighbours may; then a function tells whether they did their work */
    bool often;         /* at more than the end of all: NAME_each() had better be fast */
    bool groups; /* stay as they are: the neighbours are of one group, which has barriers or local memory */
    bool masked; /* some of it is under a mask */
    bool opaque; /* mask_helper() is used */
    /* while text is written */
    FILE *out;
    const char *mask; /* of the neighbours that are here; NULL: all */
    const char *lane; /* the neighbour for which a statement is written, where they are `arrays`; NULL: all */
    const char *lane_name; /* of the variable that counts them */
    unsigned apart;        /* so many branches in each other at which they part are being written */
    bool helper[HELPERS];  /* types and functions of masks.c that are used */
    bool hot[HELPERS];     /* ... by the form for those who agree; then `some` form has them, too */
    const char *results;   /* definitions of those of calls.c */
    unsigned indent;
    uint32_t inside;            /* the innermost loop whose braces are open */
    const struct loop *blocked; /* the one that is written for several rounds at once (rows.c) */
    const char *round;          /* ... which of them it is */
    uint32_t scope, nscope;
    uint32_t *outer;                 /* owned: the scope around each */
    size_t written;                  /* instructions */
    struct interleaved *interleaved; /* owned: interleaved.c */
    uint32_t ninterleaved;
};

struct block {
    LLVMBasicBlockRef b;
    uint32_t loop;      /* the innermost one, or TABLE_NONE */
    bool stored;        /* a store may have come before its end */
    bool stored_before; /* before its begin */
    bool parts;         /* neighbours part at its end: each goes on under a mask of its own */
    bool region;        /* it is written under a mask */
    bool joins;         /* neighbours that parted come together */
    const char *mask;   /* under which it goes on where branches meet in it, while text is written */
};

/* Rounds of a loop that are loaded at once, and most neighbours whose rows are (rows.c): eight rows of float
 * and what they are transposed to are sixteen vectors of AVX2.  Four rounds, or 16 neighbours, were slower
 * (docs/measuring.md). */
#define ROUNDS    8
#define MOST_ROWS 4

/* Interleaved accesses: to places of neighbours that lie in turn. */
#define MOST_INTERLEAVED 4
struct interleaved {
    LLVMValueRef member[MOST_INTERLEAVED]; /* in the order of their places */
    unsigned n;
    LLVMValueRef at; /* where they are made: the first load, or the last store */
    const char
        *name[MOST_INTERLEAVED]; /* of vectors that were loaded, while text is written; NULL: under a mask */
};

struct row {
    LLVMValueRef load;
    LLVMValueRef may_wrap; /* the index, of type uint, which must not wrap in these rounds; NULL: it cannot */
    const char *name;      /* of what the rounds have, while text is written */
};

/* A natural loop; the blocks of inner loops belong to it, too. */
struct loop {
    uint32_t header, latch; /* blocks */
    uint32_t outer;         /* loop around it, or TABLE_NONE */
    uint32_t exit;          /* block to which all ways out lead; TABLE_NONE: none */
    bool *has;              /* owned: by block */
    bool *out;         /* owned: likewise those on the ways out, before the exit; NULL: it does not part */
    bool parts;        /* neighbours leave it one after the other */
    const char *mask;  /* of those that are still in it, while text is written; NULL: all */
    bool left;         /* some have left it, and `mask` is not looked at yet */
    const char *begin; /* how its counter begins, while text is written */
    struct row row[MOST_ROWS]; /* rows.c */
    unsigned nrow;
    bool ahead;                /* ... before stores through other arguments, if these lead elsewhere */
    LLVMValueRef count, bound; /* ... while count < bound */
    bool bound_unsigned, bound_included; /* ... or <= */
};

struct expr {
    const char *text;
    unsigned rank; /* 15: an operand of anything; less: of what binds less (C's precedence) */
};
enum rank {
    R_SELECT = 1,
    R_OR,
    R_AND,
    R_BITOR,
    R_BITXOR,
    R_BITAND,
    R_EQUAL,
    R_LESS,
    R_SHIFT,
    R_ADD,
    R_MUL,
    R_UNARY,
    R_POSTFIX,
    R_ATOM = 15
};

/* ---- spelling.c: strings, names, types, constants ---- */

/* A string that lives as long as `r`. */
const char *spell(struct rewrite *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An expression that is spelt so. */
#define EXPR(r, rank, ...) ((struct expr){spell(r, __VA_ARGS__), rank})
void free_strings(struct rewrite *r); /* and the lists of names */
/* Why the kernel cannot be rewritten; the first reason stays. */
void refuse(struct rewrite *r, const char *reason, const char *detail);
/* A name like `wish` that nothing else has. */
const char *new_name(struct rewrite *r, const char *wish);
/* The C type of `lanes` elements of a number's type; a truth is bool, or int where there are several. */
const char *type_name(struct rewrite *r, LLVMTypeRef t, bool is_unsigned, unsigned lanes);
unsigned int_bits(LLVMTypeRef t); /* 0: no integer */
bool is_truth(LLVMTypeRef t);     /* of one bit */
bool is_number(LLVMTypeRef t);    /* one that has a C type: char to long, float, double */
const char *constant_text(struct rewrite *r, LLVMValueRef c, bool is_unsigned);
const char *kernel_name(struct rewrite *r);
/* The function that `v` calls; BI_UNKNOWN without a name if it calls none. */
struct bi called(LLVMValueRef v);
bool is_work_item(LLVMValueRef v); /* function */
bool is_barrier(LLVMValueRef v);   /* of a group, with constant flags */
#define MADE_UP "clsizer."         /* begins the names of functions that calls.c makes up */
bool is_made_up(LLVMValueRef call);
/* ---- vectors.c ---- */

/* Leaves no loads, stores and known functions of vectors; the scalarizer of LLVM can do the rest. */
void split_vectors(LLVMModuleRef m);

/* ---- calls.c ---- */

/* Leaves no functions that give a second result through a pointer. */
void split_outs(LLVMModuleRef m);
/* Likewise for a function of vectors that is not exact; false: it is none. */
bool split_vector_function(LLVMModuleRef m, LLVMBuilderRef builder, LLVMValueRef call, const struct bi *bi);
struct expr call_made_up_function(struct rewrite *r, LLVMValueRef call);

/* ---- contract.c ---- */

/* Before any pass: note of each function whether it, or one that it calls, adds the negative of a product in
 * one expression, `-(a * b) + c`.  Newer clangs contract that, older ones do not, and it is not known which
 * one the driver has. */
void contract_note(LLVMModuleRef m);
bool contract_is_open(LLVMValueRef kernel);

/* ---- ids.c ---- */

/* Leaves the global id where the module computed it from those of the group and in the group. */
void find_ids(LLVMModuleRef m);
/* That is right for a function where offset + global size is at most 2^ids_bits(). */
unsigned ids_bits(LLVMValueRef f);

/* ---- pointee.c ---- */

bool is_element(LLVMValueRef v);           /* a pointer and indices */
LLVMValueRef plain(LLVMValueRef pointer);  /* without casts */
LLVMValueRef root(LLVMValueRef pointer);   /* without indices and casts */
LLVMValueRef origin(LLVMValueRef pointer); /* where it began, however it went on */
/* What is loaded or stored through it; bytes if that is not one type. */
LLVMTypeRef pointee(struct rewrite *r, LLVMValueRef pointer);
unsigned space_of(LLVMValueRef pointer); /* 1: global, 2: constant, ... */
/* The variable in which the pointer's place lies; NULL: it lies elsewhere.  For several neighbours such an
 * array has a vector in place of each number. */
LLVMValueRef private_array(LLVMValueRef pointer);
const char *space_name(struct rewrite *r, LLVMValueRef pointer);
/* What operand `i` of an address adds in bytes: so many for each 1 of it, or a constant.  *type is what the
 * operands before lead to, and then what this one leads to.  False: it is not known. */
bool next_offset(const struct rewrite *r, LLVMValueRef gep, unsigned i, LLVMTypeRef *type, int64_t *bytes,
                 int64_t *constant);

/* ---- tables.c: constant arrays of the program ---- */

void name_tables(struct rewrite *r); /* before other names are given: always the same */
const char *table_name(struct rewrite *r, LLVMValueRef variable); /* refuses what is no constant of numbers */
const char *table_type(struct rewrite *r, LLVMValueRef variable); /* of its elements */
const char *tables(struct rewrite *r); /* the definitions of all that the function uses */
const char *locals(struct rewrite *r); /* likewise variables in local memory, as lines of a kernel */

/* ---- arguments.c ---- */

/* The type of argument i: of what it points to, or of itself; "" when it is no number. */
const char *argument_type(struct rewrite *r, unsigned i);
void name_arguments(struct rewrite *r);   /* fills r->argument */
const char *arguments(struct rewrite *r); /* all, each with a comma behind it */
/* Which argument is it?  TABLE_NONE: none. */
unsigned argument_index(struct rewrite *r, LLVMValueRef v);
/* Is what the pointer leads to declared as unsigned? */
bool points_to_unsigned(struct rewrite *r, LLVMValueRef pointer);

/* ---- graph.c ---- */

#define NOTHING TABLE_NONE /* in place of a block or loop */

/* Blocks, loops and where stores come before; refuses what cannot be written without goto. */
void find_graph(struct rewrite *r);
void free_graph(struct rewrite *r);
uint32_t block_index(const struct rewrite *r, LLVMBasicBlockRef b);
static inline LLVMValueRef first_phi(const struct rewrite *r, uint32_t b) /* NULL: there is none */
{
    return LLVMIsAPHINode(LLVMGetFirstInstruction(r->block[b].b));
}
static inline LLVMValueRef next_phi(LLVMValueRef phi)
{
    return LLVMIsAPHINode(LLVMGetNextInstruction(phi));
}
LLVMValueRef terminator(const struct rewrite *r, uint32_t b);
unsigned successors(const struct rewrite *r, uint32_t b);
uint32_t successor(const struct rewrite *r, uint32_t b, unsigned i);
/* Does `a` stand on every way to `b`? */
bool dominates(const struct rewrite *r, uint32_t a, uint32_t b);
/* Does a store come before it in its block?  Private arrays do not count. */
bool stores_before(LLVMValueRef v);
/* Is the block written in the loop, which parts?  Where neighbours are vectors, those who leave it together
 * go their way out at once, and what is the same for all who are in it is the same for them. */
bool is_within(const struct rewrite *r, const struct loop *l, uint32_t b);
/* Is the value, on its way from a block to another one, what it was when each neighbour left a loop? */
bool is_taken_out(const struct rewrite *r, LLVMValueRef v, uint32_t from, uint32_t to);
struct loop *loop_at(const struct rewrite *r, uint32_t l); /* NULL for NOTHING */
/* The first block on all ways from all of `from`, in the body of the loop `within`; r->nblock: the body's
 * end; NOTHING: there is none. */
uint32_t meeting(const struct rewrite *r, uint32_t within, const uint32_t *from, unsigned n);

/* ---- shape.c ---- */

void find_shapes(struct rewrite *r);
/* How values of the loop, which `count` counts, differ between its rounds, by index; SHAPE_SAME for others.
 * To be freed. */
struct shape *shapes_by_rounds(struct rewrite *r, const struct loop *l, LLVMValueRef count, bool is_unsigned);
/* NULL: no instruction. */
static inline struct value *value_of(const struct rewrite *r, LLVMValueRef v)
{
    const uint32_t i = LLVMIsAInstruction(v) ? table_get(r->index, v) : TABLE_NONE;

    return i == TABLE_NONE ? NULL : &r->value[i];
}
static inline struct shape shape_of(const struct rewrite *r, LLVMValueRef v)
{
    const struct value *value = value_of(r, v);

    return value ? value->shape : (struct shape){.kind = SHAPE_SAME};
}
/* SUM_F_NSW, SUM_F_NUW */
static inline uint32_t wrap_flags(const struct rewrite *r, LLVMValueRef v)
{
    const uint32_t flags = table_get(r->wraps, v);

    return flags == TABLE_NONE ? 0 : flags;
}
static inline bool varies(const struct rewrite *r, LLVMValueRef v)
{
    return shape_of(r, v).kind == SHAPE_ANY;
}
static inline bool is_vector(const struct rewrite *r, LLVMValueRef v)
{
    return !r->arrays && varies(r, v);
}

/* ---- agree.c ---- */

/* A comparison of an id with what is the same for all: neighbours disagree at one place of a row at most. */
bool is_bound(const struct rewrite *r, LLVMValueRef c);
/* Of a value that is SHAPE_ANY otherwise. */
struct shape shape_if_agreed(struct rewrite *r, LLVMValueRef v);
/* Whether neighbours are on different sides of any of the bounds in `c`; NULL: it has to be asked of all. */
const char *apart_at_bounds(struct rewrite *r, LLVMValueRef c);
/* Whether they do not, as a condition; *often: which may be more than once in a while. */
const char *disagreement(struct rewrite *r, LLVMValueRef v, bool *often);

/* ---- masks.c ---- */

/* What makes a pointer, which follows, the unaligned vector there: `*(global const NAME *)`. */
const char *vector_at(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, bool unsign,
                      const char *qualifier);

/* Names of functions that load or store a vector where the neighbours' places lie side by side, for those of
 * a mask: `vector load(pointer, mask)`, `store(vector, pointer, mask)`. */
const char *load_helper(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, bool unsign);
const char *store_helper(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, bool unsign);
/* Likewise of one that transposes rows (rows.c), with a type NAME_row_TYPE, of a row that is not
 * aligned. */
const char *transpose_helper(struct rewrite *r, LLVMTypeRef t, bool unsign);
const char *mask_helper(struct rewrite *r); /* int of as many elements as there are neighbours: the same */
const char *helpers(struct rewrite *r);     /* the definitions of those that were named */

/* ---- parting.c ---- */

/* Shapes, and where neighbours part. */
void find_parting(struct rewrite *r);

/* ---- heads.c ---- */

/* Are the neighbours' own values written in loops of their own? */
static inline bool is_separate(const struct rewrite *r)
{
    return r->arrays && !r->apart;
}
LLVMValueRef incoming(const struct rewrite *r, LLVMValueRef phi, uint32_t from); /* NULL: nothing */
/* Are there no variables to be set on the way? */
bool edge_is_empty(const struct rewrite *r, uint32_t from, uint32_t to);
/* Is the header nothing but a condition? */
bool is_while(const struct rewrite *r, const struct loop *l);
/* The phi that `for` counts by a constant; NULL: none, or no loop. */
LLVMValueRef counter(const struct rewrite *r, const struct loop *l);
LLVMValueRef counter_next(const struct rewrite *r, const struct loop *l); /* its sum with the constant */

/* ---- sign.c ---- */

bool is_unsigned(struct rewrite *r, LLVMValueRef v);

/* ---- pointer.c ---- */

/* The pointer of the first neighbour, to elements of type `t`. */
struct expr pointer_text(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t);
/* That of another one, and `bytes` more. */
struct expr neighbour_pointer(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, unsigned lane,
                              int64_t bytes);
/* How far is it from `a` to `b`?  False: that is no constant. */
bool pointer_distance(struct rewrite *r, LLVMValueRef a, LLVMValueRef b, int64_t *bytes);
/* What the pointer of neighbour `lane` leads to. */
const char *place(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, unsigned lane);

/* ---- lines.c ---- */

void begin_lines(struct rewrite *r); /* of a function's body, to r->out */
void line(struct rewrite *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void open_scope(struct rewrite *r); /* and indent */
void close_scope(struct rewrite *r);
bool visible(const struct rewrite *r, const struct value *v); /* in the scope that is open */
const char *variable_type(struct rewrite *r, LLVMValueRef v);
/* Its type and `name`. */
const char *declaration(struct rewrite *r, LLVMValueRef v, const char *name);
/* Give the variable its value, and declare it where that is the place for it. */
void define(struct rewrite *r, LLVMValueRef v, const char *text);
/* A variable where it is set; a neighbour's in an array. */
const char *variable_text(struct rewrite *r, LLVMValueRef v);
/* Likewise where it is used, which needs it to be visible. */
const char *use_variable(struct rewrite *r, LLVMValueRef v);
/* Begin and end to write statements for each neighbour, where they are `arrays`. */
void open_lane(struct rewrite *r);
void close_lane(struct rewrite *r);

/* ---- variables.c ---- */

void find_variables(struct rewrite *r);

/* ---- expression.c ---- */

/* As an operand of an operator of rank `least`. */
const char *operand(struct rewrite *r, struct expr e, unsigned least);
/* The value of the first neighbour. */
struct expr first_value(struct rewrite *r, LLVMValueRef v);
/* Of all, as a vector; of a SHAPE_SAME a scalar, which C widens. */
struct expr all_values(struct rewrite *r, LLVMValueRef v);
/* Likewise, as a signed or unsigned integer where it is one. */
struct expr value_as(struct rewrite *r, LLVMValueRef v, bool unsign, bool all);
/* Of neighbour `lane`, a scalar. */
struct expr lane_value(struct rewrite *r, LLVMValueRef v, bool unsign, unsigned lane);
/* What an instruction computes, with the text of its operands; a vector if it is SHAPE_ANY. */
struct expr compute(struct rewrite *r, LLVMValueRef v);
/* `value` for the neighbours of a mask, for the others what is in `others`; both vectors of elements `t`. */
struct expr masked(struct rewrite *r, LLVMTypeRef t, const char *others, const char *value, const char *mask);
/* As a vector, also where it is the same for all. */
struct expr whole(struct rewrite *r, LLVMValueRef v, bool unsign);
/* May it be computed for neighbours that would not have come to it, and is it cheap? */
bool is_light(struct rewrite *r, LLVMValueRef v);
/* The first neighbour's index in a subscript or the like: conversions that C makes itself are left out. */
struct expr index_value(struct rewrite *r, LLVMValueRef v);

/* ---- memory.c ---- */

struct expr load_value(struct rewrite *r, LLVMValueRef load);
/* What `load` has in this round; NULL: it is no row of r->blocked. */
const char *row_text(struct rewrite *r, LLVMValueRef load);
void write_store(struct rewrite *r, LLVMValueRef store);
/* Is it a call that gives a whole private array its values? */
bool is_fill(const struct rewrite *r, LLVMValueRef v);
void write_fill(struct rewrite *r, LLVMValueRef v);
/* Is it a store, one of those or a barrier, which is written where it stands? */
bool has_effect(const struct rewrite *r, LLVMValueRef v);
unsigned array_length(struct rewrite *r, LLVMValueRef array); /* of a private one, in numbers */
/* Do the neighbours' places of type `t` follow each other without a gap? */
bool lies_side_by_side(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t);

/* ---- interleaved.c ---- */

void find_interleaved(struct rewrite *r);
/* Where the load or store is one of them; NULL: it is not. */
static inline struct interleaved *interleaved_with(const struct rewrite *r, LLVMValueRef v)
{
    for (uint32_t i = 0; i < r->ninterleaved; i++)
        for (unsigned k = 0; k < r->interleaved[i].n; k++)
            if (r->interleaved[i].member[k] == v)
                return &r->interleaved[i];
    return NULL;
}
void write_interleaved_loads(struct rewrite *r, struct interleaved *g); /* none under a mask */
void write_interleaved_stores(struct rewrite *r, const struct interleaved *g);

/* ---- rows.c ---- */

void find_rows(struct rewrite *r); /* of each loop */
/* Does nothing but the rows of r->blocked use the value? */
bool is_of_rows_alone(struct rewrite *r, LLVMValueRef v);
/* Load and transpose the rows of ROUNDS rounds. */
void write_rows(struct rewrite *r, struct loop *l);

/* ---- flow.c ---- */

/* The statements of the kernel, to r->out. */
void write_body(struct rewrite *r);
