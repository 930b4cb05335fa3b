/* shape.c - how each value differs between neighbours. */
#include "analysis/rewrite/impl.h"

#define MAX_SUMS 4 /* one of the other */

static const struct shape none = {.kind = SHAPE_NONE}, same = {.kind = SHAPE_SAME}, any = {.kind = SHAPE_ANY};

static struct shape step(int64_t by, bool s, bool u)
{
    return by ? (struct shape){.kind = SHAPE_STEP, .step = by, .exact = {s, u}} : same;
}

/* What holds whichever of the two it is. */
static struct shape join(struct shape a, struct shape b)
{
    if (a.kind == SHAPE_NONE || b.kind == SHAPE_NONE)
        return a.kind == SHAPE_NONE ? b : a;
    if (a.kind != b.kind || a.kind == SHAPE_ANY || a.step != b.step)
        return any;
    if (a.kind == SHAPE_STEP)
        return step(a.step, a.exact[0] && b.exact[0], a.exact[1] && b.exact[1]);
    return same;
}

static bool is_exact(struct shape s, bool unsign)
{
    return s.kind == SHAPE_SAME || (s.kind == SHAPE_STEP && s.exact[unsign]);
}

static bool is_alike(struct shape a, struct shape b)
{
    return a.kind == b.kind && a.step == b.step && a.exact[0] == b.exact[0] && a.exact[1] == b.exact[1];
}

/* Modulo 2^64, as the text is. */
static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static bool asks_for(const struct rewrite *r, LLVMValueRef v, enum sum_wi what)
{
    const struct bi bi = called(v);

    return bi.kind == BI_WI && bi.sub == what && LLVMGetNumArgOperands(v) &&
           ir_is_number(LLVMGetOperand(v, 0), r->dimension);
}

/* It is less than 2^31, unlike the id in the range. */
static bool is_local_id(const struct rewrite *r, LLVMValueRef v)
{
    return asks_for(r, v, SUM_WI_LOCAL_ID);
}

static bool is_id(const struct rewrite *r, LLVMValueRef v)
{
    return asks_for(r, v, SUM_WI_GLOBAL_ID);
}

/* Without the offset. */
static bool is_id_from_0(const struct rewrite *r, LLVMValueRef v)
{
    return ir_is(v, LLVMSub) && is_id(r, LLVMGetOperand(v, 0)) &&
           asks_for(r, LLVMGetOperand(v, 1), SUM_WI_GLOBAL_OFFSET);
}

static struct shape sum(const struct rewrite *r, LLVMValueRef v, struct shape a, struct shape b, int sign)
{
    const uint32_t flags = wrap_flags(r, v);
    const int64_t by = (int64_t)((uint64_t)a.step + (uint64_t)times(sign, b.step));

    if (is_id_from_0(r, v))
        return step(by, true, true);
    return step(by, flags & SUM_F_NSW && is_exact(a, false) && is_exact(b, false),
                flags & SUM_F_NUW && is_exact(a, true) && is_exact(b, true));
}

static struct shape product(const struct rewrite *r, LLVMValueRef v, struct shape a, int64_t by)
{
    const uint32_t flags = wrap_flags(r, v);

    return step(times(a.step, by), flags & SUM_F_NSW && is_exact(a, false),
                flags & SUM_F_NUW && is_exact(a, true));
}

/* Ids are below 2^bits where they are shortened to as many, or one less where that may be read as signed. */
static struct shape shortened(struct rewrite *r, LLVMValueRef v, struct shape of)
{
    const unsigned bits = int_bits(LLVMTypeOf(v));

    if (is_local_id(r, LLVMGetOperand(v, 0)) && bits >= 32)
        return step(of.step, true, true);
    if ((!is_id(r, LLVMGetOperand(v, 0)) && !is_id_from_0(r, LLVMGetOperand(v, 0))) || bits < 16)
        return step(of.step, false, false);
    if (r->id_bits > bits - 1)
        r->id_bits = bits - 1;
    return step(of.step, true, true);
}

static struct shape element(const struct rewrite *r, LLVMValueRef gep)
{
    uint64_t by = (uint64_t)shape_of(r, LLVMGetOperand(gep, 0)).step;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const struct shape at = shape_of(r, LLVMGetOperand(gep, i));
        int64_t bytes, constant;
        if (!next_offset(r, gep, i, &type, &bytes, &constant) ||
            (int_bits(LLVMTypeOf(LLVMGetOperand(gep, i))) < 64 && !is_exact(at, false)))
            return any;
        by += (uint64_t)times(at.step, bytes);
    }
    return step((int64_t)by, true, true);
}

static bool is_sum(LLVMValueRef v)
{
    const LLVMOpcode op = LLVMIsABinaryOperator(v) ? LLVMGetInstructionOpcode(v) : LLVMFAdd;

    return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl;
}

static bool is_no_choice(LLVMValueRef user)
{
    return !is_sum(user) && !LLVMIsASelectInst(user);
}

/* Is `what` so of all users, or of those of sums with it? */
static bool leads_only(LLVMValueRef v, bool (*what)(LLVMValueRef user), unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (depth && is_sum(user) ? !leads_only(user, what, depth - 1) : !what(user))
            return false;
    }
    return true;
}

/* From the first neighbour's value to a wider one.  Where only some are here, or choose it, the first one's
 * may have wrapped though theirs have not: only ids are never too large.  Places lie in memory, far from
 * there. */
static struct shape widened(const struct rewrite *r, LLVMValueRef v, struct shape of, bool unsign)
{
    LLVMValueRef from = LLVMGetOperand(v, 0);

    if (!of.exact[unsign])
        return any;
    if (LLVMIsAInstruction(from) && !LLVMIsATruncInst(from) && !leads_only(v, is_element, MAX_SUMS) &&
        (r->block[block_index(r, LLVMGetInstructionParent(from))].region ||
         !leads_only(v, is_no_choice, MAX_SUMS)))
        return any;
    return step(of.step, true, unsign);
}

/* Of an instruction with an operand that is SHAPE_STEP, and none that is SHAPE_ANY. */
static struct shape of_step(struct rewrite *r, LLVMValueRef v)
{
    LLVMValueRef left = LLVMGetOperand(v, 0), right = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    const struct shape a = shape_of(r, left);

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
        return sum(r, v, a, shape_of(r, right), 1);
    case LLVMSub:
        return sum(r, v, a, shape_of(r, right), -1);
    case LLVMMul:
        if (LLVMIsAConstantInt(left))
            return product(r, v, shape_of(r, right), LLVMConstIntGetSExtValue(left));
        return LLVMIsAConstantInt(right) ? product(r, v, a, LLVMConstIntGetSExtValue(right)) : any;
    case LLVMShl:
        if (!LLVMIsAConstantInt(right) || LLVMConstIntGetZExtValue(right) > 62)
            return any;
        return product(r, v, a, (int64_t)(1ull << LLVMConstIntGetZExtValue(right)));
    case LLVMTrunc:
        return shortened(r, v, a);
    case LLVMSExt:
        return widened(r, v, a, false);
    case LLVMZExt:
        return widened(r, v, a, true);
    case LLVMGetElementPtr:
        return element(r, v);
    case LLVMBitCast:
        return ir_is_pointer(LLVMTypeOf(v)) ? a : any;
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        return a;
    default:
        return any;
    }
}

/* Where neighbours come from different sides, or out of a loop one after the other, a value is the same only
 * if it is on all. */
static struct shape of_phi(const struct rewrite *r, LLVMValueRef phi)
{
    const uint32_t here = block_index(r, LLVMGetInstructionParent(phi));
    struct shape s = none;
    bool alike = true;

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const uint32_t from = block_index(r, LLVMGetIncomingBlock(phi, i));
        alike &= LLVMGetIncomingValue(phi, i) == LLVMGetIncomingValue(phi, 0);
        alike &= from == NOTHING || !is_taken_out(r, LLVMGetIncomingValue(phi, i), from, here);
    }
    if (!alike && r->block[here].joins)
        return any;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        s = join(s, shape_of(r, LLVMGetIncomingValue(phi, i)));
    return s;
}

static struct shape of_select(const struct rewrite *r, LLVMValueRef v)
{
    const struct shape c = shape_of(r, LLVMGetOperand(v, 0));
    const struct shape s = join(shape_of(r, LLVMGetOperand(v, 1)), shape_of(r, LLVMGetOperand(v, 2)));

    return c.kind == SHAPE_SAME ? s : any;
}

static struct shape of(struct rewrite *r, LLVMValueRef v)
{
    bool stepping = false, varying = false;

    if (LLVMIsAPHINode(v))
        return of_phi(r, v);
    if (is_id(r, v) || is_local_id(r, v))
        return step(1, true, true);
    if (LLVMIsALoadInst(v) && private_array(LLVMGetOperand(v, 0)))
        return any;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        const struct shape s = shape_of(r, LLVMGetOperand(v, (unsigned)i));
        if (s.kind == SHAPE_NONE)
            return none;
        stepping |= s.kind == SHAPE_STEP;
        varying |= s.kind == SHAPE_ANY;
    }
    if (!stepping && !varying)
        return same;
    if (LLVMIsASelectInst(v))
        return of_select(r, v);
    return varying ? any : of_step(r, v);
}

static struct shape of_agreed(struct rewrite *r, LLVMValueRef v)
{
    const struct shape s = of(r, v);

    value_of(r, v)->agreed = false;
    if (s.kind != SHAPE_ANY)
        return s;
    const struct shape agreed = shape_if_agreed(r, v);
    value_of(r, v)->agreed = agreed.kind != SHAPE_ANY;
    return agreed;
}

static bool propagate(struct rewrite *r, LLVMValueRef v)
{
    struct value *value = value_of(r, v);
    const struct shape s = join(value->own, of_agreed(r, v)), was = value->shape;

    value->own = s;
    value->shape = value->kept ? any : s;
    value->agreed &= value->shape.kind != SHAPE_ANY;
    return !is_alike(value->shape, was);
}

void find_shapes(struct rewrite *r)
{
    for (bool changed = r->lanes > 1; changed;) {
        changed = false;
        for (uint32_t b = 0; b < r->nblock; b++)
            for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v; v = LLVMGetNextInstruction(v))
                changed |= propagate(r, v);
    }
    for (uint32_t i = 0; i < r->nvalue; i++) /* nothing differs for one; and nothing is left open */
        if (r->value[i].shape.kind == SHAPE_NONE)
            r->value[i].shape = r->value[i].own = same;
}

/* Of a value of the loop. */
static struct shape of_round(struct rewrite *r, LLVMValueRef v)
{
    const bool plain = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v) ||
                       LLVMIsASelectInst(v) || LLVMIsACmpInst(v);

    return is_work_item(v) ? same : plain ? of(r, v) : any;
}

struct shape *shapes_by_rounds(struct rewrite *r, const struct loop *l, LLVMValueRef count, bool is_unsigned)
{
    struct shape *by_rounds = must_calloc(r->nvalue + 1, sizeof *by_rounds);

    for (uint32_t i = 0; i < r->nvalue; i++) {
        by_rounds[i] = r->value[i].shape;
        r->value[i].shape = same;
    }
    for (uint32_t b = 0; b < r->nblock; b++) /* in an order in which operands come first, but for phis */
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v && l->has[b];
             v = LLVMGetNextInstruction(v))
            value_of(r, v)->shape = v == count ? step(1, !is_unsigned, is_unsigned) : of_round(r, v);
    for (uint32_t i = 0; i < r->nvalue; i++) {
        const struct shape s = by_rounds[i];
        by_rounds[i] = r->value[i].shape;
        r->value[i].shape = s;
    }
    return by_rounds;
}
