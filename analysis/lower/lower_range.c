/* lower_range.c - does a floating-point number fit the integer it is converted to, and may it be NaN?
 *
 * If it does not fit, the language leaves the result open (OpenCL C 3.0, 6.2.3.3), and compilers for CPUs
 * produce different ones: (uchar)300.0f is 255 in vector code and 44 in scalar code.  Ranges are intervals of
 * doubles, widened where operations round; a value that is not understood may be anything.
 *
 * Likewise the byte of a bool in memory: if it is neither 0 nor 1, it is the number itself in scalar code and
 * its lowest bit in vectors. */
#include "analysis/lower/lower_impl.h"
#include "analysis/summary/words.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_DEPTH        24
#define MAX_CONDITIONS   16
#define MAX_STEPS        4000 /* values looked at for one question */
#define MAX_STEPS_TO_USE 8    /* instructions that a value passes through unchanged before it is used */
#define SLOPPY           1e-5 /* relative error of what need not be rounded well: quotients, roots, sines */

struct range {
    double lo, hi; /* infinite: no bound */
    bool nan;
};

/* Something known at the conversion: the result of an fcmp. */
struct condition {
    LLVMValueRef cmp;
    bool holds;
};

struct search {
    struct condition known[MAX_CONDITIONS];
    unsigned n, steps;
};

static const struct range anything = {-INFINITY, INFINITY, true};

static struct range value_range(struct search *s, LLVMValueRef v, unsigned depth);

static struct range made(double lo, double hi, bool nan)
{
    return isnan(lo) || isnan(hi) ? anything : (struct range){lo, hi, nan};
}

static struct range either(struct range a, struct range b)
{
    return made(fmin(a.lo, b.lo), fmax(a.hi, b.hi), a.nan || b.nan);
}

static bool is_infinite(struct range r)
{
    return isinf(r.lo) || isinf(r.hi);
}

/* Or something that may be flushed to it. */
static bool has_zero(struct range r)
{
    return !(r.lo > 1e-30 || r.hi < -1e-30);
}

/* The result of an operation that is rounded to `type`, with a relative error at most. */
static struct range rounded(struct range r, LLVMTypeRef type, double error)
{
    const bool is_double = LLVMGetTypeKind(ir_element(type)) == LLVMDoubleTypeKind;
    const bool is_half = LLVMGetTypeKind(ir_element(type)) == LLVMHalfTypeKind;
    const double most = is_double ? DBL_MAX : is_half ? 65504 : (double)FLT_MAX;

    error += is_double ? DBL_EPSILON : is_half ? 0x1p-10 : (double)FLT_EPSILON;
    r.lo -= fabs(r.lo) * error;
    r.hi += fabs(r.hi) * error;
    if (r.lo < -most)
        r.lo = -INFINITY;
    if (r.hi > most)
        r.hi = INFINITY;
    return r;
}

/* ---- operations ------------------------------------------------------------------------------------ */

static struct range sum(struct range a, struct range b)
{
    const bool cancels = (isinf(a.lo) && isinf(b.hi)) || (isinf(a.hi) && isinf(b.lo));

    if (cancels)
        return anything;
    return made(a.lo + b.lo, a.hi + b.hi, a.nan || b.nan);
}

static struct range negated(struct range a)
{
    return made(-a.hi, -a.lo, a.nan);
}

static struct range product(struct range a, struct range b)
{
    if (is_infinite(a) || is_infinite(b))
        return (struct range){-INFINITY, INFINITY,
                              a.nan || b.nan || (is_infinite(a) && has_zero(b)) ||
                                  (is_infinite(b) && has_zero(a))};
    const double p[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    return made(fmin(fmin(p[0], p[1]), fmin(p[2], p[3])), fmax(fmax(p[0], p[1]), fmax(p[2], p[3])),
                a.nan || b.nan);
}

static struct range quotient(struct range a, struct range b)
{
    if (has_zero(b) || is_infinite(a) || is_infinite(b))
        return anything;
    return product(a, made(1 / b.hi, 1 / b.lo, b.nan));
}

static struct range absolute(struct range a)
{
    if (a.lo >= 0)
        return a;
    return a.hi <= 0 ? negated(a) : made(0, fmax(-a.lo, a.hi), a.nan);
}

/* The range of a minimum or maximum.  If one operand is NaN, fmin() returns the other one (`drops_nan`); the
 * result of min() is then undefined, and may be either. */
static struct range extreme(struct range a, struct range b, bool greater, bool drops_nan)
{
    struct range r = greater ? made(fmax(a.lo, b.lo), fmax(a.hi, b.hi), false)
                             : made(fmin(a.lo, b.lo), fmin(a.hi, b.hi), false);

    if (a.nan)
        r = either(r, b);
    if (b.nan)
        r = either(r, a);
    r.nan = drops_nan ? a.nan && b.nan : a.nan || b.nan;
    return r;
}

static struct range of_integer(LLVMValueRef v, bool is_signed)
{
    LLVMTypeRef t = ir_element(LLVMTypeOf(v));
    double bits = LLVMGetIntTypeWidth(t);

    if (LLVMIsAZExtInst(v) || (LLVMIsASExtInst(v) && is_signed)) {
        is_signed = LLVMIsASExtInst(v) != NULL;
        bits = LLVMGetIntTypeWidth(ir_element(LLVMTypeOf(LLVMGetOperand(v, 0))));
    } else if (ir_is(v, LLVMAnd) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && bits < 64) {
        const uint64_t mask = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
        if (!(mask >> ((unsigned)bits - 1)))
            return made(0, (double)mask, false);
    }
    return is_signed ? made(-exp2(bits - 1), exp2(bits - 1) - 1, false) : made(0, exp2(bits) - 1, false);
}

static struct range of_constant(LLVMValueRef v)
{
    LLVMBool loses;

    if (!LLVMIsAConstantFP(v))
        return anything;
    const double d = LLVMConstRealGetDouble(v, &loses);
    return made(d, d, false);
}

/* ---- conditions ------------------------------------------------------------------------------------ */

static struct range below(struct range r, double c)
{
    return made(fmin(r.lo, c), fmin(r.hi, c), r.nan);
}

static struct range above(struct range r, double c)
{
    return made(fmax(r.lo, c), fmax(r.hi, c), r.nan);
}

/* `r` of a value that compares so with a constant.  Predicates are four bits: unordered, less, greater,
 * equal. */
static struct range compared(struct range r, LLVMRealPredicate p, double c)
{
    const bool unordered = p & 8, less = p & 4, greater = p & 2, equal = p & 1;

    r.nan &= unordered;
    if (!greater)
        r = below(r, equal ? c : nextafter(c, -INFINITY));
    if (!less)
        r = above(r, equal ? c : nextafter(c, INFINITY));
    return r;
}

static LLVMRealPredicate exchanged(LLVMRealPredicate p)
{
    const unsigned less = p >> 2 & 1, greater = p >> 1 & 1;

    return (p & 9) | less << 1 | greater << 2;
}

static struct range refined(const struct search *s, LLVMValueRef v, struct range r)
{
    for (unsigned i = 0; i < s->n; i++) {
        LLVMValueRef a = LLVMGetOperand(s->known[i].cmp, 0), b = LLVMGetOperand(s->known[i].cmp, 1);
        LLVMRealPredicate p = LLVMGetFCmpPredicate(s->known[i].cmp);
        LLVMBool loses;
        if (b == v) {
            p = exchanged(p);
            b = a;
            a = v;
        }
        if (a == v && LLVMIsAConstantFP(b))
            r = compared(r, s->known[i].holds ? p : LLVMRealPredicateTrue - p,
                         LLVMConstRealGetDouble(b, &loses));
    }
    return r;
}

/* A logical `and` that holds holds in both parts, an `or` that does not hold in neither. */
static void assume(struct search *s, LLVMValueRef cmp, bool holds, unsigned depth)
{
    const bool logic = LLVMIsASelectInst(cmp) != NULL || LLVMIsABinaryOperator(cmp) != NULL;

    if (LLVMIsAFCmpInst(cmp)) {
        if (s->n < MAX_CONDITIONS)
            s->known[s->n++] = (struct condition){cmp, holds};
    } else if (logic && depth < 8) {
        LLVMValueRef a = LLVMGetOperand(cmp, 0), b = LLVMGetOperand(cmp, 1);
        const LLVMOpcode op = LLVMGetInstructionOpcode(cmp);
        bool parts = op == (holds ? LLVMAnd : LLVMOr);
        if (op == LLVMSelect) { /* a ? b : false; a ? true : b */
            LLVMValueRef fixed = LLVMGetOperand(cmp, holds ? 2 : 1);
            if (!holds)
                b = LLVMGetOperand(cmp, 2);
            parts = LLVMIsAConstantInt(fixed) && (LLVMConstIntGetZExtValue(fixed) != 0) == !holds;
        }
        if (parts) {
            assume(s, a, holds, depth + 1);
            assume(s, b, holds, depth + 1);
        }
    }
}

static void assume_branches(struct search *s, LLVMBasicBlockRef b)
{
    for (unsigned i = 0; i < MAX_CONDITIONS; i++) {
        LLVMValueRef branch = ir_only_user(LLVMBasicBlockAsValue(b));
        if (!branch || !LLVMIsABranchInst(branch))
            return;
        if (LLVMIsConditional(branch))
            assume(s, LLVMGetCondition(branch), LLVMGetSuccessor(branch, 0) == b, 0);
        b = LLVMGetInstructionParent(branch);
    }
}

/* ---- functions ------------------------------------------------------------------------------------- */

void lower_function_name(LLVMValueRef call, char *name, size_t room)
{
    const char *symbol = ir_callee(call);
    struct bi bi;

    name[0] = 0;
    if (!strncmp(symbol, "llvm.", 5)) {
        const size_t length = strcspn(symbol + 5, ".");
        if (length < room) {
            memcpy(name, symbol + 5, length);
            name[length] = 0;
        }
    } else if (*symbol && LLVMIsDeclaration(LLVMGetCalledValue(call))) {
        bi_decode(symbol, &bi);
        if (bi.kind != BI_UNKNOWN && strlen(bi.name) < room)
            strcpy(name, bi.name);
    }
}

/* What becomes whole numbers by a function, or by the rounding of a conversion. */
static bool to_whole(const char *how, struct range *r)
{
    static const struct {
        const char *how;
        double (*f)(double);
    } table[] = {{"floor", floor}, {"ceil", ceil},      {"trunc", trunc},    {"round", round},
                 {"rint", rint},   {"nearbyint", rint}, {"roundeven", rint}, {"_rtp", ceil},
                 {"_rtn", floor},  {"_rte", rint},      {"_rtz", trunc},     {"", trunc}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].how, how)) {
            *r = made(table[i].f(r->lo), table[i].f(r->hi), r->nan);
            return true;
        }
    return false;
}

static struct range of_call(struct search *s, LLVMValueRef call, unsigned depth)
{
    const unsigned n = LLVMGetNumArgOperands(call);
    struct range a[3] = {anything, anything, anything};
    LLVMTypeRef t = LLVMTypeOf(call);
    char name[80];

    lower_function_name(call, name, sizeof name);
    for (unsigned i = 0; i < n && i < 3; i++)
        a[i] = value_range(s, LLVMGetOperand(call, i), depth + 1);
    if (!name[0] || !n)
        return anything;
    if (words_have("fmuladd fma mad", name))
        return rounded(sum(rounded(product(a[0], a[1]), t, 0), a[2]), t, 0); /* fused, or not */
    if (!strcmp(name, "clamp")) /* min(fmax(x, lo), hi), or with fmin(): versions of the language differ */
        return extreme(extreme(a[0], a[1], true, true), a[2], false, false);
    if (words_have("fmin fmax minnum maxnum", name))
        return extreme(a[0], a[1], strstr(name, "max") != NULL, true);
    if (words_have("min max minimum maximum", name))
        return extreme(a[0], a[1], strstr(name, "max") != NULL, false);
    if (!strcmp(name, "fabs"))
        return absolute(a[0]);
    if (to_whole(name, &a[0]))
        return a[0];
    if (words_have("sqrt native_sqrt half_sqrt", name) && a[0].lo >= 0)
        return rounded(made(0, sqrt(a[0].hi), a[0].nan), t, strstr(name, "_") ? 0x1p-8 : SLOPPY);
    if (words_have("sin cos tanh erf", name))
        return made(-1 - SLOPPY, 1 + SLOPPY, a[0].nan || is_infinite(a[0]));
    if (words_have("step smoothstep", name))
        return made(-SLOPPY, 1 + SLOPPY, a[0].nan || a[1].nan || a[2].nan || strlen(name) > 4);
    if (!strncmp(name, "convert_", 8) &&
        LLVMGetTypeKind(ir_element(LLVMTypeOf(LLVMGetOperand(call, 0)))) == LLVMIntegerTypeKind) {
        struct bi bi;
        bi_decode(ir_callee(call), &bi);
        return rounded(of_integer(LLVMGetOperand(call, 0), bi.is_signed), t, 0);
    }
    return anything;
}

/* ---- values ---------------------------------------------------------------------------------------- */

static struct range of_select(struct search *s, LLVMValueRef v, unsigned depth)
{
    const unsigned n = s->n;
    struct range r[2];

    for (unsigned i = 0; i < 2; i++) {
        assume(s, LLVMGetOperand(v, 0), i == 0, 0);
        r[i] = value_range(s, LLVMGetOperand(v, i + 1), depth + 1);
        s->n = n;
    }
    return either(r[0], r[1]);
}

/* The range of a phi.  The search starts anew without the known conditions: they need not have held where the
 * incoming values were computed, as in an earlier iteration of a loop. */
static struct range of_phi(struct search *s, LLVMValueRef v, unsigned depth)
{
    struct search there = {.steps = s->steps};
    struct range r = anything;

    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
        const struct range one = value_range(&there, LLVMGetIncomingValue(v, i), depth + 4);
        r = i ? either(r, one) : one;
    }
    s->steps = there.steps;
    return r;
}

static struct range of_lanes(struct search *s, LLVMValueRef v, unsigned depth)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    struct range r = anything;

    for (unsigned i = 0; i < LLVMGetVectorSize(t); i++) {
        LLVMValueRef lane = lower_lane(v, i);
        const struct range one = lane ? value_range(s, lane, depth + 1) : anything;
        r = i ? either(r, one) : one;
    }
    return r;
}

static struct range of_operator(struct search *s, LLVMValueRef v, unsigned depth)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    struct range a = value_range(s, LLVMGetOperand(v, 0), depth + 1);
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);

    if (op == LLVMFNeg)
        return negated(a);
    if (op == LLVMFPExt)
        return a;
    if (op == LLVMFPTrunc)
        return rounded(a, t, 0);
    const struct range b = value_range(s, LLVMGetOperand(v, 1), depth + 1);
    switch (op) {
    case LLVMFAdd:
        return rounded(sum(a, b), t, 0);
    case LLVMFSub:
        return rounded(sum(a, negated(b)), t, 0);
    case LLVMFMul:
        return rounded(product(a, b), t, 0);
    default:
        return rounded(quotient(a, b), t, SLOPPY);
    }
}

static struct range of_instruction(struct search *s, LLVMValueRef v, unsigned depth)
{
    LLVMValueRef lane;

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMUIToFP:
    case LLVMSIToFP:
        return rounded(of_integer(LLVMGetOperand(v, 0), LLVMGetInstructionOpcode(v) == LLVMSIToFP),
                       LLVMTypeOf(v), 0);
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return of_operator(s, v, depth);
    case LLVMSelect:
        return of_select(s, v, depth);
    case LLVMPHI:
        return of_phi(s, v, depth);
    case LLVMCall:
        return of_call(s, v, depth);
    case LLVMFreeze:
        return value_range(s, LLVMGetOperand(v, 0), depth + 1);
    case LLVMInsertElement:
    case LLVMShuffleVector:
        return of_lanes(s, v, depth);
    case LLVMExtractElement:
        lane =
            LLVMIsAConstantInt(LLVMGetOperand(v, 1))
                ? lower_lane(LLVMGetOperand(v, 0), (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)))
                : NULL;
        return value_range(s, lane ? lane : LLVMGetOperand(v, 0), depth + 1);
    default:
        return anything;
    }
}

static struct range value_range(struct search *s, LLVMValueRef v, unsigned depth)
{
    struct range r = anything;

    if (LLVMIsAConstant(v)) /* at any depth: the bounds of clamp() do, whatever is clamped */
        return ir_is_vector(LLVMTypeOf(v)) ? of_lanes(s, v, depth) : of_constant(v);
    if (depth > MAX_DEPTH || s->steps++ > MAX_STEPS)
        return anything;
    if (LLVMIsAInstruction(v))
        r = of_instruction(s, v, depth);
    return refined(s, v, r);
}

bool lower_may_be_nan(LLVMValueRef v, LLVMValueRef where, unsigned *steps)
{
    struct search s = {.steps = *steps};

    if (where)
        assume_branches(&s, LLVMGetInstructionParent(where));
    const bool may = value_range(&s, v, 0).nan;
    *steps = s.steps;
    return may;
}

/* ---- conversions ----------------------------------------------------------------------------------- */

static bool moves(LLVMOpcode op)
{
    return op == LLVMInsertElement || op == LLVMExtractElement || op == LLVMShuffleVector || op == LLVMPHI ||
           op == LLVMSelect;
}

static bool only_used(LLVMValueRef v, lower_use_as *as, unsigned depth, unsigned *steps)
{
    if (depth > MAX_STEPS_TO_USE)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const enum lower_use how = moves(LLVMGetInstructionOpcode(user)) ? AGAIN : as(user);
        if (++*steps > MAX_STEPS || how == OTHERWISE ||
            (how == AGAIN && !only_used(user, as, depth + 1, steps)))
            return false;
    }
    return true;
}

bool lower_only_used(LLVMValueRef v, lower_use_as *as)
{
    unsigned steps = 0;

    return only_used(v, as, 0, &steps);
}

static enum lower_use as_stored(LLVMValueRef user)
{
    return LLVMIsAStoreInst(user) ? AS_ASKED : OTHERWISE;
}

/* A value that came of a bool, and those before it. */
struct trail {
    LLVMValueRef v;
    const struct trail *before;
    unsigned length, *steps;
};

static bool was_passed(const struct trail *t, LLVMValueRef v)
{
    while (t && t->v != v)
        t = t->before;
    return t != NULL;
}

/* Is what came of a bool used as more than a condition? */
static bool counts(const struct trail *t)
{
    if (t->length > MAX_DEPTH)
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(t->v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const struct trail next = {user, t, t->length + 1, t->steps};
        const LLVMOpcode op = LLVMGetInstructionOpcode(user);
        const bool chosen = op == LLVMSelect && LLVMGetOperand(user, 0) != t->v;
        const bool passes = op == LLVMTrunc || op == LLVMAnd || op == LLVMOr || op == LLVMXor ||
                            op == LLVMPHI || op == LLVMFreeze || op == LLVMZExt || chosen;
        if (++*t->steps > MAX_STEPS)
            return true;
        const bool compares = op == LLVMICmp && LLVMIsAConstant(LLVMGetOperand(user, 1));
        if (op == LLVMBr || compares || (op == LLVMSelect && !chosen) || was_passed(t, user))
            continue;
        if (!passes || counts(&next))
            return true;
    }
    return false;
}

/* clang says of what it loads as a bool, and of nothing else, between which numbers it lies. */
bool lower_is_open_bool(LLVMValueRef load)
{
    static const char range[] = "range";
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(load));
    unsigned steps = 0;

    return LLVMGetMetadata(load, LLVMGetMDKindIDInContext(c, range, sizeof range - 1)) &&
           counts(&(struct trail){load, NULL, 0, &steps});
}

/* All that compilers make the same of in vectors and in scalar code: what fits, and
 *
 *   int, long, ulong  everything
 *   uint              what a long holds the low half of, above -2^31
 *   uchar             NaN, as 0, if the byte is only stored: what is computed from it may not be of 8 bits
 *
 * Seen in what clang 14 to 16 make for x86-64, haswell, skylake-avx512, icelake-server, sapphirerapids,
 * znver4 and knl, of loops and of vectors.  Shorts of NaN are 0 or 65535 on sapphirerapids. */
static bool is_same(struct range r, LLVMValueRef conversion, bool is_signed)
{
    const unsigned bits = LLVMGetIntTypeWidth(ir_element(LLVMTypeOf(conversion)));

    if (bits == 64 || (is_signed && bits == 32))
        return true;
    if (r.nan && (is_signed || bits > 8 || !lower_only_used(conversion, as_stored)))
        return false;
    if (is_signed)
        return r.lo >= -exp2(bits - 1) && r.hi < exp2(bits - 1);
    return r.lo >= (bits == 32 ? -0x1p31 + 1 : 0) && r.hi < exp2(bits);
}

/* What an integer that was converted from `r` lies between.  On x86 what does not fit an int becomes INT_MIN,
 * elsewhere the nearest int, and NaN either that or 0. */
static int64_t bounds_of(struct range r, unsigned bits, bool is_signed, bool fits)
{
    int32_t lo = INT32_MIN, hi = INT32_MAX;

    if (bits > 32 || (!is_signed && bits == 32 && !(r.hi < 0x1p31)) || (!fits && !(is_signed && bits == 32)))
        return 0;
    if (r.lo > INT32_MIN && r.hi <= INT32_MAX && !r.nan)
        lo = (int32_t)r.lo;
    if (r.hi < INT32_MAX)
        hi = r.nan && r.hi < 0 ? 0 : r.hi < INT32_MIN ? INT32_MIN : (int32_t)r.hi;
    return sum_bounds(lo, hi);
}

uint32_t lower_convert(struct lower *l, LLVMValueRef i, uint8_t flags, bool is_signed, const char *rounding)
{
    const unsigned bits = LLVMGetIntTypeWidth(ir_element(LLVMTypeOf(i)));
    const uint32_t id = lower_value(l, LLVMGetOperand(i, 0));
    struct sum_insn p = lower_proto(l, SUM_PURE, SUM_C_CONV, LLVMTypeOf(i));
    struct search s = {0};

    assume_branches(&s, LLVMGetInstructionParent(i));
    struct range r = value_range(&s, LLVMGetOperand(i, 0), 0);
    to_whole(rounding, &r);
    const bool fits = is_same(r, i, is_signed);
    p.flags |= flags | (fits ? 0 : SUM_F_UNDEF);
    p.imm = bounds_of(r, bits, is_signed, fits && !(r.nan && bits < 32));
    return lower_body_insn(l, p, &id, 1);
}
