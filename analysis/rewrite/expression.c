/* expression.c - what a value is in C.
 *
 * Per neighbour the same operations are done on the same operands in the same order.  A product and a sum
 * stand in one expression only where they did in the source, since the driver may contract them there. */
#include "analysis/rewrite/impl.h"
#include "analysis/summary/words.h"

#include <string.h>

const char *operand(struct rewrite *r, struct expr e, unsigned least)
{
    return e.rank < least ? spell(r, "(%s)", e.text) : e.text;
}

static struct expr atom(const char *text)
{
    return (struct expr){text, R_ATOM};
}

static struct expr refused(struct rewrite *r, const char *reason, const char *detail)
{
    refuse(r, reason, detail);
    return atom("0");
}

static struct expr literal(struct rewrite *r, LLVMValueRef v, bool unsign)
{
    const char *text = constant_text(r, v, unsign);

    return (struct expr){text, *text == '-' ? R_UNARY : R_ATOM};
}

/* ---- forms ------------------------------------------------------------------------------------------- */

/* 0, step, 2 step, ... */
static const char *steps(struct rewrite *r, LLVMTypeRef t, bool unsign, int64_t by)
{
    const char *text = spell(r, "(%s)(0", type_name(r, t, unsign, r->lanes));

    for (unsigned i = 1; i < r->lanes; i++)
        text = spell(r, "%s, %s", text,
                     constant_text(r, LLVMConstInt(t, (unsigned long long)((uint64_t)by * i), 1), unsign));
    return spell(r, "%s)", text);
}

static struct expr spread(struct rewrite *r, LLVMValueRef v)
{
    const struct shape s = shape_of(r, v);
    LLVMTypeRef t = LLVMTypeOf(v);
    const bool unsign = is_unsigned(r, v), plain = unsign || s.exact[0];
    const char *add =
        spell(r, "(%s)(%s) + %s", type_name(r, t, unsign || !plain, r->lanes),
              value_as(r, v, unsign || !plain, false).text, steps(r, t, unsign || !plain, s.step));

    if (!int_bits(t))
        refuse(r, "pointer", "one that differs between neighbours");
    return plain ? (struct expr){add, R_ADD}
                 : EXPR(r, R_ATOM, "as_%s(%s)", type_name(r, t, false, r->lanes), add);
}

/* A variable of the first neighbour's value, for the one that a statement is written for. */
static struct expr stepped(struct rewrite *r, LLVMValueRef v)
{
    const struct shape s = shape_of(r, v);
    LLVMTypeRef t = LLVMTypeOf(v);
    const bool unsign = is_unsigned(r, v), plain = int_bits(t) >= 32 && (unsign || (s.exact[0] && !r->mask));
    const char *by = constant_text(r, LLVMConstInt(t, (unsigned long long)s.step, 1), unsign || !plain);
    const char *way = s.step == 1 ? r->lane : spell(r, "%s * %s", by, r->lane), *name = use_variable(r, v);

    if (plain)
        return EXPR(r, R_ADD, "%s + %s", name, way);
    return EXPR(r, R_UNARY, "(%s)((%s)%s + %s)", type_name(r, t, unsign, 1), type_name(r, t, true, 1), name,
                way);
}

struct expr first_value(struct rewrite *r, LLVMValueRef v)
{
    struct value *value = value_of(r, v);
    const unsigned argument = value ? TABLE_NONE : argument_index(r, v);

    if (value && value->variable && r->lane && value->shape.kind == SHAPE_STEP)
        return stepped(r, v);
    if (value)
        return value->variable ? atom(use_variable(r, v)) : compute(r, v);
    if (argument != TABLE_NONE)
        return atom(r->argument[argument]);
    return literal(r, v, false);
}

struct expr all_values(struct rewrite *r, LLVMValueRef v)
{
    return shape_of(r, v).kind == SHAPE_STEP && !r->arrays ? spread(r, v) : first_value(r, v);
}

struct expr value_as(struct rewrite *r, LLVMValueRef v, bool unsign, bool all)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    const unsigned lanes = all && !r->arrays && shape_of(r, v).kind != SHAPE_SAME ? r->lanes : 1;

    if (LLVMIsAConstant(v))
        return literal(r, v, unsign);
    const struct expr e = all ? all_values(r, v) : first_value(r, v);
    if (int_bits(t) <= 1 || is_unsigned(r, v) == unsign)
        return e;
    if (lanes > 1)
        return EXPR(r, R_ATOM, "as_%s(%s)", type_name(r, t, unsign, lanes), e.text);
    return EXPR(r, R_UNARY, "(%s)%s", type_name(r, t, unsign, 1), operand(r, e, R_UNARY));
}

struct expr lane_value(struct rewrite *r, LLVMValueRef v, bool unsign, unsigned lane)
{
    const struct shape s = shape_of(r, v);

    if (s.kind == SHAPE_SAME)
        return value_as(r, v, unsign, false);
    if (s.kind == SHAPE_STEP && is_unsigned(r, v) == unsign && int_bits(LLVMTypeOf(v)) >= 32 && s.step > 0 &&
        (unsign || s.exact[0])) {
        LLVMValueRef by = LLVMConstInt(LLVMTypeOf(v), (unsigned long long)s.step * lane, 1);
        const struct expr e = first_value(r, v);
        return lane ? EXPR(r, R_ADD, "%s + %s", operand(r, e, R_ADD), constant_text(r, by, unsign)) : e;
    }
    return EXPR(r, R_ATOM, "%s.s%x", operand(r, value_as(r, v, unsign, true), R_POSTFIX), lane);
}

/* As an operand beside a vector: what C would not widen by itself is spread. */
static struct expr beside(struct rewrite *r, LLVMValueRef v, bool unsign, bool vector)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    const struct expr e = value_as(r, v, unsign, vector);

    if (!vector || shape_of(r, v).kind != SHAPE_SAME)
        return e;
    if (is_truth(t))
        return atom(LLVMIsAConstant(v) ? spell(r, "(int%u)(%d)", r->lanes, -(int)LLVMConstIntGetZExtValue(v))
                                       : spell(r, "(int%u)(-%s)", r->lanes, operand(r, e, R_UNARY)));
    if (int_bits(t) && int_bits(t) < 32)
        return EXPR(r, R_ATOM, "(%s)(%s)", type_name(r, t, unsign, r->lanes), e.text);
    return e;
}

struct expr whole(struct rewrite *r, LLVMValueRef v, bool unsign)
{
    const struct expr e = beside(r, v, unsign, true);
    const bool scalar = shape_of(r, v).kind == SHAPE_SAME;

    if (!scalar || is_truth(LLVMTypeOf(v)) || (int_bits(LLVMTypeOf(v)) && int_bits(LLVMTypeOf(v)) < 32))
        return e;
    return EXPR(r, R_ATOM, "(%s)(%s)", type_name(r, LLVMTypeOf(v), unsign, r->lanes), e.text);
}

/* A mask as vector whose elements are as wide as those of `t`. */
static const char *mask_text(struct rewrite *r, const char *mask, LLVMTypeRef t)
{
    const unsigned bits = LLVMGetTypeKind(t) == LLVMDoubleTypeKind ? 64 : int_bits(t);

    if (bits == 64 || bits == 16 || bits == 8)
        return spell(r, "convert_%s%u(%s)",
                     bits == 64   ? "long"
                     : bits == 16 ? "short"
                                  : "char",
                     r->lanes, mask);
    return mask;
}

/* Truths of vectors where there are barriers: no compiler is to see that they are but a bit each
 * (mask_helper()). */
static struct expr opaque(struct rewrite *r, struct expr truths)
{
    return r->groups ? EXPR(r, R_ATOM, "%s(%s)", mask_helper(r), truths.text) : truths;
}

struct expr masked(struct rewrite *r, LLVMTypeRef t, const char *others, const char *value, const char *mask)
{
    const struct expr e = EXPR(r, R_ATOM, "select(%s, %s, %s)", others, value, mask_text(r, mask, t));

    return is_truth(t) ? opaque(r, e) : e;
}

/* ---- operations -------------------------------------------------------------------------------------- */

static struct expr binary(struct rewrite *r, const char *op, unsigned rank, struct expr a, struct expr b)
{
    const bool bits = rank == R_BITOR || rank == R_BITXOR || rank == R_BITAND; /* few know how these bind */

    return EXPR(r, rank, "%s %s %s", operand(r, a, bits && a.rank != rank ? R_UNARY : rank), op,
                operand(r, b, bits ? R_UNARY : rank + 1));
}

/* C computes small integers as int. */
static struct expr narrowed(struct rewrite *r, LLVMValueRef v, struct expr e)
{
    const unsigned bits = int_bits(LLVMTypeOf(v));

    if (is_vector(r, v) || !bits || bits == 1 || bits >= 32)
        return e;
    return EXPR(r, R_UNARY, "(%s)%s", type_name(r, LLVMTypeOf(v), is_unsigned(r, v), 1),
                operand(r, e, R_UNARY));
}

/* Under a mask a variable goes on with the first neighbour's values when that one has left, beyond what its
 * own arithmetic was proved for. */
static bool may_wrap(struct rewrite *r, LLVMValueRef v)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);

    return r->mask && (op == LLVMAdd || op == LLVMSub || op == LLVMMul) && shape_of(r, v).kind == SHAPE_STEP;
}

static struct expr arithmetic(struct rewrite *r, LLVMValueRef v, const char *op, unsigned rank)
{
    const bool vector = is_vector(r, v), wraps = !vector && !is_unsigned(r, v) && may_wrap(r, v),
               unsign = wraps || is_unsigned(r, v);
    const struct expr e = binary(r, op, rank, beside(r, LLVMGetOperand(v, 0), unsign, vector),
                                 beside(r, LLVMGetOperand(v, 1), unsign, vector));

    return wraps ? EXPR(r, R_UNARY, "(%s)(%s)", type_name(r, LLVMTypeOf(v), false, 1), e.text)
                 : narrowed(r, v, e);
}

/* Neighbours that are not here must not divide by what they have. */
static struct expr here_or(struct rewrite *r, LLVMValueRef v, bool unsign, int other)
{
    LLVMTypeRef t = LLVMTypeOf(v);

    return EXPR(r, R_ATOM, "select((%s)(%d), %s, %s)", type_name(r, t, unsign, r->lanes), other,
                whole(r, v, unsign).text, mask_text(r, r->mask, t));
}

static struct expr divide(struct rewrite *r, LLVMValueRef v, const char *op, unsigned rank)
{
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const bool unsign = is_unsigned(r, v);

    if (!r->mask || !is_vector(r, v) ||
        (LLVMIsAConstantInt(b) && LLVMConstIntGetSExtValue(b) && LLVMConstIntGetSExtValue(b) != -1))
        return arithmetic(r, v, op, rank);
    return binary(r, op, rank, unsign ? beside(r, a, true, true) : here_or(r, a, false, 0),
                  here_or(r, b, unsign, 1));
}

/* The number of bits is that of the operand, which must be a vector beside one. */
static struct expr shift(struct rewrite *r, LLVMValueRef v, const char *op, unsigned rank)
{
    const bool unsign = is_unsigned(r, v), vector = is_vector(r, v);
    const struct expr left =
        vector ? whole(r, LLVMGetOperand(v, 0), unsign) : value_as(r, LLVMGetOperand(v, 0), unsign, false);

    return narrowed(r, v, binary(r, op, rank, left, beside(r, LLVMGetOperand(v, 1), unsign, vector)));
}

static struct expr logic(struct rewrite *r, LLVMValueRef v, const char *op, unsigned rank)
{
    LLVMValueRef left = LLVMGetOperand(v, 0), right = LLVMGetOperand(v, 1);

    if (is_truth(LLVMTypeOf(v)) && ir_is(v, LLVMXor) && ir_is_number(right, 1)) {
        const struct expr e = is_vector(r, v) ? whole(r, left, false) : first_value(r, left);
        return EXPR(r, R_UNARY, "%s%s", is_vector(r, v) ? "~" : "!", operand(r, e, R_UNARY));
    }
    return arithmetic(r, v, op, rank);
}

/* A comparison of vectors has elements as wide as theirs; truths have those of int. */
static struct expr as_truth(struct rewrite *r, LLVMValueRef compared, struct expr e)
{
    LLVMTypeRef t = LLVMTypeOf(compared);

    if (int_bits(t) != 32 && LLVMGetTypeKind(t) != LLVMFloatTypeKind)
        e = EXPR(r, R_ATOM, "convert_int%u(%s)", r->lanes, e.text);
    return opaque(r, e);
}

/* A pointer that is the same for all neighbours, as one to bytes; 0, as in `bias != 0`. */
static struct expr compared_pointer(struct rewrite *r, LLVMValueRef p)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));

    if (LLVMIsAConstantPointerNull(p))
        return (struct expr){"0", R_ATOM};
    if ((space != 1 && space != 2) || shape_of(r, p).kind != SHAPE_SAME)
        return refused(r, "pointer", "a comparison");
    return pointer_text(r, p, LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(p))));
}

static struct expr compare_ints(struct rewrite *r, LLVMValueRef v)
{
    static const char *const ops[] = {"==", "!=", ">", ">=", "<", "<=", ">", ">=", "<", "<="};
    const unsigned p = LLVMGetICmpPredicate(v) - LLVMIntEQ, rank = p < 2 ? R_EQUAL : R_LESS;
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const bool vector = is_vector(r, v);
    const bool unsign = p < 2 ? is_unsigned(r, LLVMIsAConstant(a) ? b : a) : p < 6;

    if (!int_bits(LLVMTypeOf(a)) && p > 1)
        return refused(r, "pointer", "a comparison");
    if (!int_bits(LLVMTypeOf(a)))
        return binary(r, ops[p], R_EQUAL, compared_pointer(r, a), compared_pointer(r, b));
    const struct expr e = binary(r, ops[p], rank, beside(r, a, unsign, vector), beside(r, b, unsign, vector));
    return vector ? as_truth(r, a, e) : e;
}

static struct expr compare_reals(struct rewrite *r, LLVMValueRef v)
{
    static const struct {
        const char *op; /* or a function */
        bool negated;
    } how[] = {[LLVMRealOEQ] = {"==", false},
               [LLVMRealOGT] = {">", false},
               [LLVMRealOGE] = {">=", false},
               [LLVMRealOLT] = {"<", false},
               [LLVMRealOLE] = {"<=", false},
               [LLVMRealONE] = {"islessgreater", false},
               [LLVMRealORD] = {"isordered", false},
               [LLVMRealUNO] = {"isunordered", false},
               [LLVMRealUEQ] = {"islessgreater", true},
               [LLVMRealUGT] = {"<=", true},
               [LLVMRealUGE] = {"<", true},
               [LLVMRealULT] = {">=", true},
               [LLVMRealULE] = {">", true},
               [LLVMRealUNE] = {"!=", false}};
    const LLVMRealPredicate p = LLVMGetFCmpPredicate(v);
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const bool vector = is_vector(r, v);

    if (p >= sizeof how / sizeof *how || !how[p].op)
        return refused(r, "comparison", "one that is constant");
    const char *op = how[p].op;
    struct expr e = strchr("=<>!", *op) ? binary(r, op, *op == '<' || *op == '>' ? R_LESS : R_EQUAL,
                                                 beside(r, a, false, vector), beside(r, b, false, vector))
                                        : EXPR(r, R_ATOM, "%s(%s, %s)", op,
                                               (vector ? whole(r, a, false) : first_value(r, a)).text,
                                               (vector ? whole(r, b, false) : first_value(r, b)).text);
    if (vector)
        e = as_truth(r, a, e);
    return how[p].negated ? EXPR(r, R_UNARY, "%s%s", vector ? "~" : "!", operand(r, e, R_UNARY)) : e;
}

/* "a && b" and "a || b" are selects of truths. */
static bool short_circuit(struct rewrite *r, LLVMValueRef v, struct expr *out)
{
    LLVMValueRef c = LLVMGetOperand(v, 0), t = LLVMGetOperand(v, 1), f = LLVMGetOperand(v, 2);
    const bool is_or = ir_is_number(t, 1), is_and = ir_is_number(f, 0), vector = is_vector(r, v);

    if (!is_truth(LLVMTypeOf(v)) || (!is_or && !is_and))
        return false;
    LLVMValueRef other = is_or ? f : t;
    if (vector)
        *out = binary(r, is_or ? "|" : "&", is_or ? R_BITOR : R_BITAND, whole(r, c, false),
                      whole(r, other, false));
    else
        *out = binary(r, is_or ? "||" : "&&", is_or ? R_OR : R_AND, first_value(r, c), first_value(r, other));
    return true;
}

static struct expr alternative(struct rewrite *r, LLVMValueRef of, LLVMValueRef v)
{
    if (ir_is_pointer(LLVMTypeOf(v)))
        return pointer_text(r, v, pointee(r, of));
    return is_vector(r, of) ? whole(r, v, is_unsigned(r, of)) : value_as(r, v, is_unsigned(r, of), false);
}

static struct expr choose(struct rewrite *r, LLVMValueRef v)
{
    LLVMValueRef c = LLVMGetOperand(v, 0), t = LLVMGetOperand(v, 1), f = LLVMGetOperand(v, 2);
    const bool unsign = is_unsigned(r, v);
    struct expr e;

    if (ir_is_pointer(LLVMTypeOf(v)) && is_vector(r, v))
        refuse(r, "pointer", "a variable that differs between neighbours in any way");
    if (short_circuit(r, v, &e))
        return e;
    if (is_vector(r, v) && shape_of(r, c).kind != SHAPE_SAME)
        return masked(r, LLVMTypeOf(v), whole(r, f, unsign).text, whole(r, t, unsign).text,
                      whole(r, c, false).text);
    const struct value *value = value_of(r, v);
    if (value->agreed && value->side)
        return alternative(r, v, LLVMGetOperand(v, value->side));
    const struct expr a = alternative(r, v, t), b = alternative(r, v, f),
                      test = value->agreed ? lane_value(r, c, false, 0) : first_value(r, c);
    return EXPR(r, R_SELECT, "%s ? %s : %s", operand(r, test, R_OR), operand(r, a, R_OR),
                operand(r, b, R_SELECT));
}

/* From an integer or a number of `unsign` sign to the type of `v`, as C converts. */
static struct expr convert(struct rewrite *r, LLVMValueRef v, bool unsign)
{
    LLVMValueRef from = LLVMGetOperand(v, 0);
    const bool vector = is_vector(r, v);
    struct expr e = vector ? whole(r, from, unsign) : value_as(r, from, unsign, false);

    if (is_truth(LLVMTypeOf(v))) {
        const bool narrow = vector && int_bits(LLVMTypeOf(from)) < 32; /* 1 is too wide beside it */
        if (narrow)
            e = EXPR(r, R_ATOM, "convert_int%u(%s)", r->lanes, e.text);
        e = EXPR(r, R_EQUAL, "(%s & 1) != 0", operand(r, e, R_UNARY));
        return narrow ? opaque(r, e) : vector ? as_truth(r, from, e) : e;
    }
    if (vector && is_truth(LLVMTypeOf(from))) /* true is -1 */
        e = EXPR(r, unsign ? R_BITAND : R_UNARY, "%s%s", operand(r, e, R_UNARY), unsign ? " & 1" : "");
    if (vector)
        return EXPR(r, R_ATOM, "convert_%s(%s)", type_name(r, LLVMTypeOf(v), is_unsigned(r, v), r->lanes),
                    e.text);
    if (is_truth(LLVMTypeOf(from)) && !unsign) /* sext: true is -1 */
        return EXPR(r, R_UNARY, "-(%s)%s", type_name(r, LLVMTypeOf(v), false, 1), operand(r, e, R_UNARY));
    return EXPR(r, R_UNARY, "(%s)%s", type_name(r, LLVMTypeOf(v), is_unsigned(r, v), 1),
                operand(r, e, R_UNARY));
}

static struct expr cast_bits(struct rewrite *r, LLVMValueRef v)
{
    const bool vector = is_vector(r, v);

    if (!is_number(LLVMTypeOf(LLVMGetOperand(v, 0))))
        refuse(r, "type", "a value that is no number");
    return EXPR(r, R_ATOM, "as_%s(%s)", type_name(r, LLVMTypeOf(v), false, vector ? r->lanes : 1),
                (vector ? all_values(r, LLVMGetOperand(v, 0)) : first_value(r, LLVMGetOperand(v, 0))).text);
}

/* ---- calls ------------------------------------------------------------------------------------------- */

/* Is parameter i of the called function unsigned?  A mangled name has a letter for each that is a number. */
static bool unsigned_parameter(LLVMValueRef call, const struct bi *bi, unsigned i)
{
    const char *symbol = ir_callee(call);
    const char *name = word_starts(symbol, "_Z") ? strstr(symbol, bi->name) : NULL;

    if (!name || strlen(name) <= strlen(bi->name) + i)
        return !bi->is_signed;
    return strchr("htjm", name[strlen(bi->name) + i]) != NULL;
}

/* A number as argument, the types of which choose the function: small constants and choices are int by
 * themselves. */
static const char *argument_text(struct rewrite *r, LLVMValueRef v, bool unsign, struct expr e)
{
    const unsigned bits = int_bits(LLVMTypeOf(v));

    return bits && bits < 32 && (LLVMIsAConstantInt(v) || e.rank == R_SELECT)
               ? spell(r, "(%s)%s", type_name(r, LLVMTypeOf(v), unsign, 1), operand(r, e, R_UNARY))
               : e.text;
}

/* Of neighbour `lane`, or -1: of those that a statement is written for. */
static const char *call_arguments(struct rewrite *r, LLVMValueRef v, const struct bi *bi, int lane)
{
    const bool vector = lane < 0 && is_vector(r, v);
    const char *text = "";

    for (unsigned i = 0; i < LLVMGetNumArgOperands(v); i++) {
        LLVMValueRef o = LLVMGetOperand(v, i);
        const bool unsign = unsigned_parameter(v, bi, i);
        const struct expr e = vector     ? whole(r, o, unsign)
                              : lane < 0 ? value_as(r, o, unsign, false)
                                         : lane_value(r, o, unsign, (unsigned)lane);
        text = spell(r, "%s%s%s", text, i ? ", " : "", vector ? e.text : argument_text(r, o, unsign, e));
    }
    return text;
}

static struct expr call_each(struct rewrite *r, LLVMValueRef v, const struct bi *bi)
{
    const char *text = spell(r, "(%s)(", type_name(r, LLVMTypeOf(v), is_unsigned(r, v), r->lanes));

    for (unsigned lane = 0; lane < r->lanes; lane++)
        text = spell(r, "%s%s%s(%s)", text, lane ? ", " : "", bi->name, call_arguments(r, v, bi, (int)lane));
    return EXPR(r, R_ATOM, "%s)", text);
}

static struct expr call_function(struct rewrite *r, LLVMValueRef v, const struct bi *bi)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(v); i++)
        if (!is_number(LLVMTypeOf(LLVMGetOperand(v, i))))
            refuse(r, "function", bi->name);
    if (is_vector(r, v) && !bi_is_elementwise(bi)) /* of mul24() only what fits 24 bits is defined */
        return call_each(r, v, bi);
    return EXPR(r, R_ATOM, "%s(%s)", bi->name, call_arguments(r, v, bi, -1));
}

/* convert_T[_sat][_rounding] becomes convert_TN... */
static struct expr call_convert(struct rewrite *r, LLVMValueRef v, const struct bi *bi)
{
    LLVMValueRef from = LLVMGetOperand(v, 0);
    const size_t type = strlen("convert_"), n = type + strcspn(bi->name + type, "_");

    if (!is_vector(r, v))
        return EXPR(r, R_ATOM, "%s(%s)", bi->name, value_as(r, from, !bi->is_signed, false).text);
    return EXPR(r, R_ATOM, "%.*s%u%s(%s)", (int)n, bi->name, r->lanes, bi->name + n,
                whole(r, from, !bi->is_signed).text);
}

static struct expr first_id(struct rewrite *r, const char *name)
{
    return r->lane ? EXPR(r, R_ADD, "%s + %s", name, r->lane) : atom(name);
}

static struct expr call_work_item(struct rewrite *r, LLVMValueRef v, const struct bi *bi)
{
    LLVMValueRef d = LLVMGetNumArgOperands(v) ? LLVMGetOperand(v, 0) : NULL;
    const bool known = d && LLVMIsAConstantInt(d),
               named = bi->sub <= SUM_WI_NUM_GROUPS && bi->sub != SUM_WI_ENQUEUED_LOCAL_SIZE,
               along = known && LLVMConstIntGetZExtValue(d) == r->dimension;
    const bool as_before = !along || bi->sub == SUM_WI_GROUP_ID || bi->sub == SUM_WI_NUM_GROUPS ||
                           (r->width == 1 && bi->sub != SUM_WI_GLOBAL_ID);

    if (bi->sub == SUM_WI_WORK_DIM)
        return atom("get_work_dim()");
    if (!known || !named || (bi->sub > SUM_WI_GLOBAL_OFFSET && !r->groups))
        return refused(r, "work-item-function", bi->name);
    if (as_before)
        return EXPR(r, R_ATOM, "%s(%u)", bi->name, (unsigned)LLVMConstIntGetZExtValue(d));
    if (bi->sub == SUM_WI_GLOBAL_ID)
        return first_id(r, r->lanes > 1 ? "first" : "id");
    if (bi->sub == SUM_WI_LOCAL_ID)
        return first_id(r, "local_first");
    if (r->groups)
        return EXPR(r, R_MUL, "%s(%u) * %u", bi->name, r->dimension, r->width);
    const char *offset = spell(r, "get_global_offset(%u) * %u", r->dimension, r->width);
    return bi->sub == SUM_WI_GLOBAL_OFFSET ? (struct expr){offset, R_MUL}
                                           : EXPR(r, R_ADD, "end - %s", offset);
}

/* One expression, so that a driver contracts it as it does the source's.  A product of two scalars that
 * became a vector only to be added to one would be rounded first. */
static struct expr multiply_add(struct rewrite *r, LLVMValueRef v)
{
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const bool vector = is_vector(r, v), scalars = vector && !is_vector(r, a) && !is_vector(r, b);
    const struct expr product =
        binary(r, "*", R_MUL, scalars ? whole(r, a, false) : beside(r, a, false, vector),
               beside(r, b, false, vector));

    return binary(r, "+", R_ADD, product, beside(r, LLVMGetOperand(v, 2), false, vector));
}

static struct expr call(struct rewrite *r, LLVMValueRef v)
{
    const struct bi bi = called(v);

    if (word_starts(bi.name, "llvm.fmuladd."))
        return multiply_add(r, v);
    if (is_made_up(v))
        return call_made_up_function(r, v);
    switch (bi.kind) {
    case BI_WI:
        return call_work_item(r, v, &bi);
    case BI_CONVERT:
        return call_convert(r, v, &bi);
    case BI_PURE:
    case BI_MIN:
    case BI_MAX:
    case BI_CLAMP:
    case BI_ABS:
    case BI_MUL24:
    case BI_MAD24:
        if (is_number(LLVMTypeOf(v)) && bi.lanes == 1)
            return call_function(r, v, &bi);
        /* fall through */
    default:
        return refused(r, "function", bi.name);
    }
}

/* ---- all --------------------------------------------------------------------------------------------- */

/* Only arguments are vectors still. */
static struct expr argument_element(struct rewrite *r, LLVMValueRef v)
{
    const unsigned argument = argument_index(r, LLVMGetOperand(v, 0));

    if (argument == TABLE_NONE || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return refused(r, "instruction", "an element of a vector");
    return EXPR(r, R_ATOM, "%s.s%x", r->argument[argument],
                (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)));
}

static const struct {
    struct expr (*write)(struct rewrite *r, LLVMValueRef v, const char *op, unsigned rank);
    const char *text;
    unsigned rank;
} operators[] = {
    [LLVMAdd] = {arithmetic, "+", R_ADD},  [LLVMFAdd] = {arithmetic, "+", R_ADD},
    [LLVMSub] = {arithmetic, "-", R_ADD},  [LLVMFSub] = {arithmetic, "-", R_ADD},
    [LLVMMul] = {arithmetic, "*", R_MUL},  [LLVMFMul] = {arithmetic, "*", R_MUL},
    [LLVMFDiv] = {arithmetic, "/", R_MUL}, [LLVMSDiv] = {divide, "/", R_MUL},
    [LLVMUDiv] = {divide, "/", R_MUL},     [LLVMSRem] = {divide, "%", R_MUL},
    [LLVMURem] = {divide, "%", R_MUL},     [LLVMShl] = {shift, "<<", R_SHIFT},
    [LLVMLShr] = {shift, ">>", R_SHIFT},   [LLVMAShr] = {shift, ">>", R_SHIFT},
    [LLVMAnd] = {logic, "&", R_BITAND},    [LLVMOr] = {logic, "|", R_BITOR},
    [LLVMXor] = {logic, "^", R_BITXOR},
};

static struct expr compute_here(struct rewrite *r, LLVMValueRef v)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);

    if (op < sizeof operators / sizeof *operators && operators[op].text)
        return operators[op].write(r, v, operators[op].text, operators[op].rank);
    switch (op) {
    case LLVMFNeg:
        return EXPR(r, R_UNARY, "-%s", operand(r, all_values(r, LLVMGetOperand(v, 0)), R_POSTFIX));
    case LLVMICmp:
        return compare_ints(r, v);
    case LLVMFCmp:
        return compare_reals(r, v);
    case LLVMSelect:
        return choose(r, v);
    case LLVMZExt:
    case LLVMUIToFP:
        return convert(r, v, true);
    case LLVMSExt:
    case LLVMSIToFP:
        return convert(r, v, false);
    case LLVMTrunc:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMFPTrunc:
    case LLVMFPExt:
        return convert(r, v, is_unsigned(r, LLVMGetOperand(v, 0)));
    case LLVMBitCast:
        return cast_bits(r, v);
    case LLVMExtractElement:
        return argument_element(r, v);
    case LLVMFreeze:
        return all_values(r, LLVMGetOperand(v, 0));
    case LLVMLoad:
        return load_value(r, v);
    case LLVMCall:
        return call(r, v);
    default:
        return refused(r, "instruction", "one that has no counterpart in C");
    }
}

/* What is kept may be the same for all in the loop. */
struct expr compute(struct rewrite *r, LLVMValueRef v)
{
    struct value *value = value_of(r, v);
    const struct shape outside = value->shape;

    if (!value->kept || r->arrays || value->own.kind != SHAPE_SAME)
        return compute_here(r, v);
    value->shape = value->own;
    const char *text = compute_here(r, v).text;
    value->shape = outside;
    return EXPR(r, R_ATOM, is_truth(LLVMTypeOf(v)) ? "(%s)(-(%s))" : "(%s)(%s)",
                type_name(r, LLVMTypeOf(v), is_unsigned(r, v), r->lanes), text);
}

static bool is_light_call(LLVMValueRef v)
{
    const struct bi bi = called(v);

    return bi.kind == BI_WI || bi_is_elementwise(&bi) || word_starts(bi.name, "llvm.fmuladd.");
}

bool is_light(struct rewrite *r, LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
    case LLVMLoad:
    case LLVMStore:
    case LLVMPHI:
        return false;
    case LLVMCall:
        return is_light_call(v);
    default:
        return !value_of(r, v)->kept;
    }
}

struct expr index_value(struct rewrite *r, LLVMValueRef v)
{
    const struct value *value = value_of(r, v);

    while (value && !value->variable && (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) &&
           !is_truth(LLVMTypeOf(LLVMGetOperand(v, 0))) &&
           is_unsigned(r, LLVMGetOperand(v, 0)) == (LLVMIsAZExtInst(v) != NULL)) {
        v = LLVMGetOperand(v, 0);
        value = value_of(r, v);
    }
    return first_value(r, v);
}
