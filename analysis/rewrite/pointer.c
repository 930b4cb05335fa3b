/* pointer.c - what a pointer is in C: an argument or another variable, and indices added to it. */
#include "analysis/rewrite/impl.h"

#include <string.h>

#define MAX_TERMS 8

/* ---- its parts --------------------------------------------------------------------------------------- */

struct term {
    LLVMValueRef index;
    int64_t bytes; /* for each 1 of the index */
};
struct address {
    LLVMValueRef root;
    struct term term[MAX_TERMS];
    unsigned n;
    int64_t bytes; /* beside the terms */
};

static bool add_element(const struct rewrite *r, LLVMValueRef gep, struct address *a)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t bytes, constant;

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        if (!next_offset(r, gep, i, &type, &bytes, &constant) || (bytes && a->n == MAX_TERMS))
            return false;
        a->bytes = (int64_t)((uint64_t)a->bytes + (uint64_t)constant);
        if (bytes)
            a->term[a->n++] = (struct term){LLVMGetOperand(gep, i), bytes};
    }
    return true;
}

/* The innermost index stands last. */
static bool find_address(struct rewrite *r, LLVMValueRef pointer, struct address *a)
{
    pointer = plain(pointer);
    if (is_element(pointer))
        return find_address(r, LLVMGetOperand(pointer, 0), a) && add_element(r, pointer, a);
    *a = (struct address){.root = pointer};
    return true;
}

/* The index without constants that are added to it, which go to *more. */
static LLVMValueRef without_constants(const struct rewrite *r, LLVMValueRef v, int64_t *more)
{
    const bool sign = LLVMIsASExtInst(v), extended = sign || LLVMIsAZExtInst(v);

    for (v = extended ? LLVMGetOperand(v, 0) : v;
         ir_is(v, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)); v = LLVMGetOperand(v, 0)) {
        if (extended && !(wrap_flags(r, v) & (sign ? SUM_F_NSW : SUM_F_NUW)))
            break;
        *more += sign || !extended ? LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1))
                                   : (int64_t)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    }
    return v;
}

bool pointer_distance(struct rewrite *r, LLVMValueRef a, LLVMValueRef b, int64_t *bytes)
{
    struct address from, to;

    if (!find_address(r, a, &from) || !find_address(r, b, &to) || from.root != to.root || from.n != to.n)
        return false;
    *bytes = to.bytes - from.bytes;
    for (unsigned i = 0; i < to.n; i++) {
        LLVMValueRef x = from.term[i].index, y = to.term[i].index;
        int64_t before = 0, behind = 0;
        if (LLVMTypeOf(x) != LLVMTypeOf(y) || (LLVMIsAZExtInst(x) != NULL) != (LLVMIsAZExtInst(y) != NULL) ||
            from.term[i].bytes != to.term[i].bytes ||
            without_constants(r, x, &before) != without_constants(r, y, &behind))
            return false;
        *bytes += (behind - before) * to.term[i].bytes;
    }
    return true;
}

/* ---- its text ---------------------------------------------------------------------------------------- */

static const char *root_name(struct rewrite *r, LLVMValueRef root)
{
    const unsigned i = argument_index(r, root);
    struct value *value = value_of(r, root);

    if (i != TABLE_NONE)
        return r->argument[i];
    if (LLVMIsAAllocaInst(root))
        return value->name;
    if (value && value->variable)
        return use_variable(r, root);
    if (LLVMIsAGlobalVariable(root))
        return table_name(r, root);
    refuse(r, "pointer", "one that is no argument or variable");
    return "0";
}

/* The type of what the root's variable points to. */
static const char *root_type(struct rewrite *r, LLVMValueRef root)
{
    const unsigned i = argument_index(r, root);

    if (LLVMIsAGlobalVariable(root))
        return table_type(r, root);
    return i != TABLE_NONE ? argument_type(r, i)
                           : type_name(r, pointee(r, root), points_to_unsigned(r, root), 1);
}

/* The root as pointer to `wanted`. */
static struct expr root_text(struct rewrite *r, LLVMValueRef root, const char *wanted)
{
    const char *name = root_name(r, root);
    const struct shape s = shape_of(r, root);

    if (r->lane && s.kind == SHAPE_STEP && s.step == (int64_t)LLVMABISizeOfType(r->data, pointee(r, root)) &&
        !strcmp(root_type(r, root), wanted))
        return EXPR(r, R_ADD, "%s + %s", name, r->lane);
    if (r->lane && s.kind == SHAPE_STEP) /* the variable is the first neighbour's */
        return EXPR(r, R_UNARY, "(%s %s *)((%s char *)%s + %lldl * %s)", space_name(r, root), wanted,
                    space_name(r, root), name, (long long)s.step, r->lane);
    if (!strcmp(root_type(r, root), wanted))
        return (struct expr){name, R_ATOM};
    return EXPR(r, R_UNARY, "(%s %s *)%s", space_name(r, root), wanted, name);
}

static bool is_long(LLVMValueRef v)
{
    return int_bits(LLVMTypeOf(v)) == 64 && !LLVMIsASExtInst(v) && !LLVMIsAZExtInst(v);
}

/* An index times `scale`, which is not to overflow where it is narrower than a pointer. */
static struct expr term_text(struct rewrite *r, const struct term *t, int64_t scale, unsigned lane)
{
    const bool unsign = is_unsigned(r, t->index) && int_bits(LLVMTypeOf(t->index)) == 64;
    const struct expr e =
        is_vector(r, t->index) ? lane_value(r, t->index, unsign, lane) : index_value(r, t->index);

    if (scale == 1)
        return e;
    return EXPR(r, R_MUL, "%lld%s * %s", (long long)scale, unsign ? "ul" : "l", operand(r, e, R_UNARY));
}

/* `bytes` from the root, in units of `size`; false: it is none. */
static bool in_units(const struct address *a, int64_t size)
{
    for (unsigned i = 0; i < a->n; i++)
        if (a->term[i].bytes % size)
            return false;
    return a->bytes % size == 0;
}

/* What neighbour `lane` adds beside the indices' text, which is that of the first one for all but SHAPE_ANY.
 */
static int64_t lane_bytes(struct rewrite *r, const struct address *a, unsigned lane)
{
    uint64_t sum = (uint64_t)shape_of(r, a->root).step;

    if (r->arrays)
        return 0;

    if (shape_of(r, a->root).kind == SHAPE_ANY)
        refuse(r, "pointer", "a variable that differs between neighbours in any way");
    for (unsigned i = 0; i < a->n; i++) {
        const struct shape s = shape_of(r, a->term[i].index);
        if (s.kind == SHAPE_STEP && !s.exact[0] && int_bits(LLVMTypeOf(a->term[i].index)) < 64)
            refuse(r, "pointer", "an index that may wrap between neighbours");
        sum += s.kind == SHAPE_STEP ? (uint64_t)s.step * (uint64_t)a->term[i].bytes : 0;
    }
    return (int64_t)(sum * lane);
}

/* All but the last of the terms; and the last of them, or the constant, or "0", as the subscript. */
struct place {
    struct expr base;
    struct expr subscript;
    bool none; /* the subscript is 0 */
};

static struct expr plus(struct rewrite *r, struct expr base, struct expr more)
{
    return EXPR(r, R_ADD, "%s + %s", operand(r, base, R_ADD), operand(r, more, R_MUL));
}

/* Is the last index's text as wide as a pointer, so that a sum with it is exact? */
static bool adds_exactly(const struct rewrite *r, const struct address *a, int64_t size)
{
    const struct term *last = &a->term[a->n - 1];

    return last->bytes != size || is_long(last->index) ||
           (int_bits(LLVMTypeOf(last->index)) == 64 && is_vector(r, last->index));
}

static struct expr number(struct rewrite *r, int64_t n)
{
    return EXPR(r, n < 0 ? R_UNARY : R_ATOM, "%lld", (long long)n);
}

/* The index of `base` in units of `size`: a sum of which C computes each part exactly. */
static struct place units(struct rewrite *r, const struct address *a, struct expr base, int64_t size,
                          unsigned lane)
{
    struct place p = {.base = base, .none = true};
    const int64_t rest = a->bytes / size;

    for (unsigned i = 0; i < a->n; i++) {
        const struct expr e = term_text(r, &a->term[i], a->term[i].bytes / size, lane);
        if (!p.none)
            p.base = plus(r, p.base, p.subscript);
        p.subscript = e;
        p.none = false;
    }
    if (!rest)
        return p;
    if (a->n && adds_exactly(r, a, size)) {
        p.subscript = EXPR(r, R_ADD, "%s %c %lld", operand(r, p.subscript, R_ADD), rest < 0 ? '-' : '+',
                           (long long)(rest < 0 ? -rest : rest));
        return p;
    }
    if (!p.none)
        p.base = plus(r, p.base, p.subscript);
    p.subscript = number(r, rest);
    p.none = false;
    return p;
}

static struct expr pointer_sum(struct rewrite *r, const struct place *p)
{
    return p->none ? p->base : plus(r, p->base, p->subscript);
}

/* Vectors lie where the program has numbers; a neighbour's own number in one is found by a pointer to such.
 */
static struct place private_place(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, struct address *a,
                                  unsigned lane)
{
    const int64_t size = (int64_t)LLVMABISizeOfType(r->data, t);
    struct expr root = {root_name(r, a->root), R_ATOM};

    if (pointee(r, a->root) != t || !in_units(a, size))
        refuse(r, "private-memory", "an array that is read as several types");
    if (r->lanes > 1 && !r->arrays && shape_of(r, pointer).kind != SHAPE_SAME) {
        for (unsigned i = 0; i < a->n; i++)
            a->term[i].bytes *= r->lanes;
        a->bytes = a->bytes * r->lanes + lane * size;
        root = EXPR(r, R_UNARY, "(%s *)%s", type_name(r, t, false, 1), root.text);
    }
    return units(r, a, root, size, lane);
}

/* Of one neighbour, with the type that `wanted` names. */
static struct place find_place(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, unsigned lane,
                               int64_t more)
{
    const char *wanted = type_name(r, t, points_to_unsigned(r, pointer), 1);
    const int64_t size = (int64_t)LLVMABISizeOfType(r->data, t);
    struct address a;

    if (!find_address(r, pointer, &a)) {
        refuse(r, "pointer", "into a value that is no array or structure");
        return (struct place){.base = {"0", R_ATOM}, .none = true};
    }
    a.bytes = (int64_t)((uint64_t)a.bytes + (uint64_t)lane_bytes(r, &a, lane) + (uint64_t)more);
    if (private_array(pointer))
        return private_place(r, pointer, t, &a, lane);
    if (size && in_units(&a, size))
        return units(r, &a, root_text(r, a.root, wanted), size, lane);
    const struct place bytes = units(r, &a, root_text(r, a.root, "char"), 1, lane);
    return (struct place){.base = {spell(r, "(%s %s *)%s", space_name(r, a.root), wanted,
                                         operand(r, pointer_sum(r, &bytes), R_UNARY)),
                                   R_UNARY},
                          .none = true};
}

struct expr neighbour_pointer(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, unsigned lane,
                              int64_t bytes)
{
    const struct place p = find_place(r, pointer, t, lane, bytes);

    return pointer_sum(r, &p);
}

struct expr pointer_text(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t)
{
    return neighbour_pointer(r, pointer, t, 0, 0);
}

const char *place(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, unsigned lane)
{
    const struct place p = find_place(r, pointer, t, lane, 0);

    if (r->arrays && private_array(pointer))
        return spell(r, "%s[%s][%s]", operand(r, p.base, R_POSTFIX), p.none ? "0" : p.subscript.text,
                     r->lane ? r->lane : "0");
    if (p.none)
        return spell(r, "*%s", operand(r, p.base, R_UNARY));
    return spell(r, "%s[%s]", operand(r, p.base, R_POSTFIX), p.subscript.text);
}
