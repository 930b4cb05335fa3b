/* agree.c - what neighbours may agree on: the side of a bound (borders, clamped indices), the row (quotients
 * and remainders of ids), that none wraps (unsigned indices).  Where they do, places differ by a step.
 *
 * Where nothing has been stored yet, the text asks whether they do; if not, they are for NAME_each(). */
#include "analysis/rewrite/impl.h"

#include <stdlib.h>

#define MAX_USES  200 /* that are looked at */
#define MAX_DEPTH 8
#define MAX_STEP  (1 << 16)

/* Behind a loop, what each had when it left: what that was computed from has gone on. */
static bool is_kept(const struct rewrite *r, LLVMValueRef v)
{
    const struct value *value = value_of(r, v);

    return value && value->kept;
}

bool is_bound(const struct rewrite *r, LLVMValueRef c)
{
    if (shape_of(r, c).kind == SHAPE_SAME)
        return true;
    if (is_kept(r, c))
        return false;
    if (LLVMIsAICmpInst(c))
        return shape_of(r, LLVMGetOperand(c, 0)).kind <= SHAPE_STEP &&
               shape_of(r, LLVMGetOperand(c, 1)).kind <= SHAPE_STEP;
    if (!LLVMIsABinaryOperator(c) && !LLVMIsASelectInst(c) && !LLVMIsAFreezeInst(c))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(c); i++)
        if (!is_truth(LLVMTypeOf(LLVMGetOperand(c, i))) || !is_bound(r, LLVMGetOperand(c, i)))
            return false;
    return true;
}

/* ---- values ----------------------------------------------------------------------------------------- */

struct agreement {
    enum { LIMIT, CHOICE, ROW, WRAP } on;
    LLVMValueRef of;        /* goes by a step */
    LLVMValueRef low, high; /* LIMIT: bounds that are the same for all; NULL: none.  ROW: `high` divides */
    bool is_unsigned;
    int side;                 /* CHOICE: of its operands, the one that must be chosen; 0: either */
    const char *const *order; /* CHOICE, by `of` order[0] `high`, else order[1]; NULL: by another condition */
    struct shape shape;
    unsigned id_bits; /* that ids must fit; 0: any */
};

static bool is_same(const struct rewrite *r, LLVMValueRef v)
{
    return !v || shape_of(r, v).kind == SHAPE_SAME;
}

/* How far the last neighbour is from the first one. */
static int64_t span(const struct rewrite *r, const struct agreement *a)
{
    return shape_of(r, a->of).step * (r->lanes - 1);
}

static bool is_small(struct shape s)
{
    return s.step < MAX_STEP && s.step > -MAX_STEP;
}

static bool steps(const struct rewrite *r, struct agreement *a, LLVMValueRef of, bool exact)
{
    a->of = of;
    a->shape = shape_of(r, of);
    return a->shape.kind == SHAPE_STEP && int_bits(LLVMTypeOf(of)) >= 32 && is_small(a->shape) &&
           (!exact || a->shape.exact[a->is_unsigned]);
}

static bool find_limit(const struct rewrite *r, LLVMValueRef v, struct agreement *a)
{
    const struct bi bi = called(v);

    if (!int_bits(LLVMTypeOf(v)) || (bi.kind != BI_CLAMP && bi.kind != BI_MIN && bi.kind != BI_MAX))
        return false;
    LLVMValueRef first = LLVMGetOperand(v, 0), second = LLVMGetOperand(v, 1);
    const bool swapped = bi.kind != BI_CLAMP && is_same(r, first);
    LLVMValueRef bound = swapped ? first : second;
    *a = (struct agreement){.on = LIMIT,
                            .low = bi.kind == BI_MIN ? NULL : bound,
                            .high = bi.kind == BI_MAX   ? NULL
                                    : bi.kind == BI_MIN ? bound
                                                        : LLVMGetOperand(v, 2),
                            .is_unsigned = !bi.is_signed};
    return is_same(r, a->low) && is_same(r, a->high) && steps(r, a, swapped ? second : first, true);
}

/* A comparison for which it is enough to look at the first and the last neighbour. */
static void find_order(const struct rewrite *r, LLVMValueRef c, struct agreement *a)
{
    static const char *const orders[][2] = {{">", "<="}, {">=", "<"}, {"<", ">="}, {"<=", ">"}};

    a->order = NULL;
    if (!LLVMIsAICmpInst(c) || is_kept(r, c) || LLVMGetICmpPredicate(c) < LLVMIntUGT ||
        ir_is_pointer(LLVMTypeOf(LLVMGetOperand(c, 0))))
        return;
    unsigned p = (unsigned)(LLVMGetICmpPredicate(c) - LLVMIntUGT);
    const bool swapped = is_same(r, LLVMGetOperand(c, 0));
    const struct shape of = shape_of(r, LLVMGetOperand(c, swapped));
    a->of = LLVMGetOperand(c, swapped);
    a->high = LLVMGetOperand(c, !swapped);
    a->is_unsigned = p < 4;
    p %= 4;
    if (of.kind == SHAPE_STEP && of.exact[a->is_unsigned] && is_same(r, a->high))
        a->order = orders[swapped ? (p + 2) % 4 : p];
}

/* Beside a step that is chosen, the same number for all is a bound. */
static bool find_choice(const struct rewrite *r, LLVMValueRef v, struct agreement *a)
{
    if (!LLVMIsASelectInst(v) || is_same(r, LLVMGetOperand(v, 0)) || !is_bound(r, LLVMGetOperand(v, 0)))
        return false;
    LLVMValueRef yes = LLVMGetOperand(v, 1), no = LLVMGetOperand(v, 2);
    *a = (struct agreement){.on = CHOICE, .side = is_same(r, no) ? 1 : is_same(r, yes) ? 2 : 0};
    if (!steps(r, a, a->side == 2 ? no : yes, false))
        return false;
    find_order(r, LLVMGetOperand(v, 0), a);
    if (a->side)
        return true;
    const struct shape other = shape_of(r, no);
    a->shape.exact[0] &= other.exact[0];
    a->shape.exact[1] &= other.exact[1];
    return other.kind == SHAPE_STEP && other.step == a->shape.step;
}

static bool find_row(const struct rewrite *r, LLVMValueRef v, struct agreement *a)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);

    if (op != LLVMUDiv && op != LLVMURem && op != LLVMSDiv && op != LLVMSRem)
        return false;
    *a = (struct agreement){
        .on = ROW, .high = LLVMGetOperand(v, 1), .is_unsigned = op == LLVMUDiv || op == LLVMURem};
    if (!is_same(r, a->high) || !steps(r, a, LLVMGetOperand(v, 0), true) || a->shape.step < 0 ||
        (LLVMIsAConstantInt(a->high) && LLVMConstIntGetSExtValue(a->high) <= span(r, a)))
        return false;
    if (op == LLVMUDiv || op == LLVMSDiv)
        a->shape = (struct shape){.kind = SHAPE_SAME};
    else
        a->shape.exact[0] = !a->is_unsigned;
    return true;
}

static bool find_wrap(const struct rewrite *r, LLVMValueRef v, struct agreement *a)
{
    *a = (struct agreement){.on = WRAP, .is_unsigned = LLVMIsAZExtInst(v)};
    if ((!LLVMIsAZExtInst(v) && !LLVMIsASExtInst(v)) || !steps(r, a, LLVMGetOperand(v, 0), false))
        return false;
    a->shape.exact[0] = true;
    a->shape.exact[1] = a->is_unsigned;
    return true;
}

/* Of mul24() only what fits 24 bits is defined: an id does. */
static bool find_sum(const struct rewrite *r, LLVMValueRef v, struct agreement *a)
{
    const struct bi bi = called(v);

    if ((bi.kind != BI_MUL24 && bi.kind != BI_MAD24) || int_bits(LLVMTypeOf(v)) != 32)
        return false;
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1),
                 more = bi.kind == BI_MAD24 ? LLVMGetOperand(v, 2) : NULL;
    *a = (struct agreement){.on = WRAP, .is_unsigned = !bi.is_signed};
    if (!is_same(r, x)) {
        if (!is_same(r, more) || !LLVMIsATruncInst(x) || !LLVMIsAConstantInt(y) || !steps(r, a, x, true))
            return false;
        a->shape.step *= LLVMConstIntGetSExtValue(y);
        a->id_bits = 23;
    } else if (!is_same(r, y) || !more || !steps(r, a, more, false)) {
        return false;
    }
    if (!is_small(a->shape) || !a->shape.step)
        return false;
    a->of = v;
    a->shape.exact[0] = !a->is_unsigned;
    a->shape.exact[1] = a->is_unsigned;
    return true;
}

/* Is a place computed from it?  That is where a step saves most. */
static bool leads_to_place(LLVMValueRef v, unsigned depth, unsigned *uses)
{
    for (LLVMUseRef u = depth ? LLVMGetFirstUse(v) : NULL; u && *uses; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        (*uses)--;
        if (is_element(user))
            return true;
        if (int_bits(LLVMTypeOf(user)) > 1 && !LLVMIsALoadInst(user) && leads_to_place(user, depth - 1, uses))
            return true;
    }
    return false;
}

static bool find(const struct rewrite *r, LLVMValueRef v, struct agreement *a)
{
    const struct block *b = &r->block[block_index(r, LLVMGetInstructionParent(v))];
    unsigned uses = MAX_USES;

    if (r->arrays || r->groups || b->region || b->stored_before)
        return false;
    return (find_limit(r, v, a) || find_choice(r, v, a) || find_row(r, v, a) || find_wrap(r, v, a) ||
            find_sum(r, v, a)) &&
           !stores_before(v) && leads_to_place(v, MAX_DEPTH, &uses);
}

struct shape shape_if_agreed(struct rewrite *r, LLVMValueRef v)
{
    struct agreement a;

    if (!find(r, v, &a))
        return (struct shape){.kind = SHAPE_ANY};
    if (a.id_bits && a.id_bits < r->id_bits)
        r->id_bits = a.id_bits;
    value_of(r, v)->side = a.on == CHOICE ? (uint8_t)a.side : 0;
    return a.shape;
}

/* ---- the question ----------------------------------------------------------------------------------- */

/* Of the neighbour with the lowest number, or with the highest one. */
static const char *end_of(struct rewrite *r, const struct agreement *a, bool highest)
{
    const bool last = highest == (shape_of(r, a->of).step > 0);

    return operand(r, lane_value(r, a->of, a->is_unsigned, last ? r->lanes - 1 : 0), R_ADD);
}

static const char *number(struct rewrite *r, const struct agreement *a, int64_t n)
{
    return constant_text(r, LLVMConstInt(LLVMTypeOf(a->of), (unsigned long long)n, true), a->is_unsigned);
}

static const char *bound(struct rewrite *r, const struct agreement *a, LLVMValueRef v)
{
    return operand(r, value_as(r, v, a->is_unsigned, false), R_ADD);
}

static const char *outside(struct rewrite *r, const struct agreement *a)
{
    const char *low = a->low ? spell(r, "%s < %s", end_of(r, a, false), bound(r, a, a->low)) : "",
               *high = a->high ? spell(r, "%s > %s", end_of(r, a, true), bound(r, a, a->high)) : "";

    return spell(r, "%s%s%s", low, *low && *high ? " || " : "", high);
}

/* Does the comparison hold for any, or not for all?  It holds for the highest one last, or for the lowest. */
static void ask_ends(struct rewrite *r, const struct agreement *a, const char **any, const char **not_all)
{
    const bool upwards = *a->order[0] == '>';
    const char *b = bound(r, a, a->high);

    *any = spell(r, "%s %s %s", end_of(r, a, upwards), a->order[0], b);
    *not_all = spell(r, "%s %s %s", end_of(r, a, !upwards), a->order[1], b);
}

static const char *other_side(struct rewrite *r, const struct agreement *a, LLVMValueRef v)
{
    const char *any, *not_all, *c;

    if (a->order) {
        ask_ends(r, a, &any, &not_all);
        return a->side == 1 ? not_all : a->side == 2 ? any : spell(r, "%s && %s", any, not_all);
    }
    c = first_value(r, LLVMGetOperand(v, 0)).text;
    return a->side == 1   ? spell(r, "!all(%s)", c)
           : a->side == 2 ? spell(r, "any(%s)", c)
                          : spell(r, "any(%s) != all(%s)", c, c);
}

const char *apart_at_bounds(struct rewrite *r, LLVMValueRef c)
{
    struct agreement a = {0};
    const char *any, *not_all, *all = "";

    if (is_same(r, c))
        return "";
    if (LLVMIsAICmpInst(c)) {
        find_order(r, c, &a);
        if (!a.order)
            return NULL;
        ask_ends(r, &a, &any, &not_all);
        return spell(r, "(%s && %s)", any, not_all);
    }
    if (!is_bound(r, c))
        return NULL;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(c); i++) {
        const char *one = apart_at_bounds(r, LLVMGetOperand(c, i));
        if (!one)
            return NULL;
        all = spell(r, "%s%s%s", all, *all && *one ? " || " : "", one);
    }
    return all;
}

/* What is left of the row must reach for all. */
static const char *other_row(struct rewrite *r, const struct agreement *a)
{
    const char *x = operand(r, value_as(r, a->of, a->is_unsigned, false), R_UNARY),
               *n = operand(r, value_as(r, a->high, a->is_unsigned, false), R_UNARY),
               *below = a->is_unsigned                ? ""
                        : LLVMIsAConstantInt(a->high) ? spell(r, "%s < 0 || ", x)
                                                      : spell(r, "%s < 0 || %s <= 0 || ", x, n);

    return spell(r, "%s%s - %s %% %s <= %s", below, n, x, n, number(r, a, span(r, a)));
}

static const char *wrapped(struct rewrite *r, const struct agreement *a)
{
    const unsigned bits = int_bits(LLVMTypeOf(a->of));
    const int64_t by = span(r, a),
                  most = a->is_unsigned ? (int64_t)(UINT64_MAX >> (64 - bits)) : INT64_MAX >> (64 - bits),
                  least = a->is_unsigned ? 0 : -most - 1;
    const char *x = operand(r, value_as(r, a->of, a->is_unsigned, false), R_ADD);

    return by > 0 ? spell(r, "%s > %s", x, number(r, a, most - by))
                  : spell(r, "%s < %s", x, number(r, a, least - by));
}

const char *disagreement(struct rewrite *r, LLVMValueRef v, bool *often)
{
    struct agreement a;

    if (!find(r, v, &a))
        abort();
    *often = a.on != WRAP;
    switch (a.on) {
    case LIMIT:
        return outside(r, &a);
    case CHOICE:
        return other_side(r, &a, v);
    case ROW:
        return other_row(r, &a);
    default:
        return wrapped(r, &a);
    }
}
