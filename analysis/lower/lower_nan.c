/* lower_nan.c - does an instruction take bits of what may be a NaN that is computed here?
 *
 * Which NaN an operation makes, and which of two it takes over, the language leaves open: compilers change
 * the order of operands.  So the sign of x * y, if that is NaN, is one in vector code and another in scalar
 * code (tried on a driver for CPUs).  What is loaded from buffers, or passed as an argument, keeps its bits.
 *
 * Not followed is what is done later with NaNs that are stored in buffers, even where the kernel itself reads
 * them again. */
#include "analysis/lower/lower_impl.h"
#include "analysis/summary/words.h"

#include <string.h>

#define MAX_ORIGINS 256 /* values that one may have its bits from */

static bool is_integer(LLVMTypeRef t)
{
    return LLVMGetTypeKind(ir_element(t)) == LLVMIntegerTypeKind;
}

/* Bits of an element of numbers or integers; 0: of anything else. */
static unsigned width(LLVMTypeRef t)
{
    t = ir_element(t);
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t);
    case LLVMHalfTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    default:
        return 0;
    }
}

/* ---- what becomes of bits ---------------------------------------------------------------------------- */

/* Does a bitcast make other elements of them? */
static bool splits(LLVMValueRef bitcast)
{
    return width(LLVMTypeOf(bitcast)) != width(LLVMTypeOf(LLVMGetOperand(bitcast, 0)));
}

static bool is_null(LLVMValueRef v)
{
    return LLVMIsAConstant(v) && LLVMIsNull(v);
}

/* All bits set, or none. */
static bool is_mask(LLVMValueRef v)
{
    if (ir_is(v, LLVMXor) && LLVMGetOperand(v, 1) == LLVMConstAllOnes(LLVMTypeOf(v)))
        v = LLVMGetOperand(v, 0);
    return LLVMIsASExtInst(v) && width(LLVMTypeOf(LLVMGetOperand(v, 0))) == 1;
}

/* A number's bits, or 0: of two of these clang makes `a ? b : c` of vectors. */
static bool is_all_or_nothing(LLVMValueRef v)
{
    if (LLVMIsASelectInst(v))
        return is_null(LLVMGetOperand(v, 1)) || is_null(LLVMGetOperand(v, 2));
    return ir_is(v, LLVMAnd) && (is_mask(LLVMGetOperand(v, 0)) || is_mask(LLVMGetOperand(v, 1)));
}

/* `x & c` or `x ^ c` of single numbers. */
static bool is_with(LLVMValueRef v, LLVMOpcode op, uint64_t c)
{
    return ir_is(v, op) && ir_is_number(LLVMGetOperand(v, 1), c);
}

/* The bits without the sign, by a mask, or by fabs() before they were taken as newer compilers spell it. */
static bool is_unsigned(LLVMValueRef v)
{
    char name[80];

    if (!LLVMIsABitCastInst(v) || !LLVMIsACallInst(LLVMGetOperand(v, 0)))
        return is_with(v, LLVMAnd, 0x7fffffff);
    lower_function_name(LLVMGetOperand(v, 0), name, sizeof name);
    return words_have("fabs", name);
}

/* The sign is cleared, and the rest compared with infinity: isnan() and isinf() by hand. */
static bool is_test(LLVMValueRef v)
{
    LLVMValueRef c = LLVMIsAICmpInst(v) ? LLVMGetOperand(v, 1) : NULL;

    return c && width(LLVMTypeOf(c)) == 32 && ir_is_number(c, 0x7f800000) &&
           is_unsigned(LLVMGetOperand(v, 0));
}

static enum lower_use as_number(LLVMValueRef user)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(user);

    if (op == LLVMBitCast)
        return splits(user) ? OTHERWISE : is_integer(LLVMTypeOf(user)) ? AGAIN : AS_ASKED;
    if ((op == LLVMStore && lower_pointer_space(LLVMGetOperand(user, 1)) == SUM_GLOBAL) || is_test(user) ||
        (width(LLVMTypeOf(user)) == 32 && is_with(user, LLVMAnd, 0x7f800000)))
        return AS_ASKED;
    if (width(LLVMTypeOf(user)) == 32 &&
        (is_with(user, LLVMAnd, 0x7fffffff) || is_with(user, LLVMXor, 0x80000000)))
        return AGAIN;
    return is_all_or_nothing(user) || (op == LLVMOr && is_all_or_nothing(LLVMGetOperand(user, 0)) &&
                                       is_all_or_nothing(LLVMGetOperand(user, 1)))
               ? AGAIN
               : OTHERWISE;
}

/* ---- where bits come from ------------------------------------------------------------------------------ */

/* Values that are, or may be, what one value is: those to be looked at, and all that were. */
struct origins {
    struct origin {
        LLVMValueRef v;
        bool here; /* what is known where the search began holds for it */
    } list[MAX_ORIGINS];
    unsigned n, steps;
    struct table *seen; /* these, and pointers to variables */
};

/* The following are false if something may be a NaN for all that is known. */

static bool add(struct origins *o, LLVMValueRef v, bool here)
{
    if (LLVMIsAConstant(v) || LLVMIsAArgument(v) || ir_is_pointer(LLVMTypeOf(v)) ||
        table_get(o->seen, v) != TABLE_NONE)
        return true;
    if (o->n == MAX_ORIGINS)
        return false;
    table_put(&o->seen, v, 1);
    o->list[o->n++] = (struct origin){v, here};
    return true;
}

static bool add_operands(struct origins *o, LLVMValueRef v, unsigned first, unsigned n, bool here)
{
    for (unsigned i = first; i < n; i++)
        if (!add(o, LLVMGetOperand(v, i), here))
            return false;
    return true;
}

static bool add_stored(struct origins *o, LLVMValueRef pointer, LLVMValueRef load, bool whole);

/* What a use of a pointer to private memory stores there that `load` may read: numbers, for of integers bits
 * were taken before.  `whole`: if the load has elements of the same width, it keeps them. */
static bool add_use(struct origins *o, LLVMValueRef user, LLVMValueRef pointer, LLVMValueRef load, bool whole)
{
    char name[80];

    if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user))
        return true;
    if (LLVMIsAStoreInst(user)) {
        LLVMValueRef v = LLVMGetOperand(user, 0);
        if (v == pointer)
            return false;
        const bool passes = whole && width(LLVMTypeOf(v)) == width(LLVMTypeOf(load));
        return is_integer(LLVMTypeOf(v)) || passes || !lower_may_alias(load, user) || add(o, v, false);
    }
    if (lower_is_part(user))
        return add_stored(o, user, load, whole);
    if (!LLVMIsACallInst(user))
        return false;
    lower_function_name(user, name, sizeof name);
    if (words_have("memcpy memmove", name) && LLVMGetOperand(user, 0) == pointer) {
        LLVMValueRef from = LLVMGetOperand(user, 1);
        if (lower_pointer_space(from) != SUM_PRIVATE)
            return true;
        from = lower_variable(from);
        return from && add_stored(o, from, load, whole);
    }
    return words_have("memcpy memmove memset lifetime", name);
}

static bool add_stored(struct origins *o, LLVMValueRef pointer, LLVMValueRef load, bool whole)
{
    bool all = true;

    if (table_get(o->seen, pointer) != TABLE_NONE)
        return true;
    table_put(&o->seen, pointer, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && all; use = LLVMGetNextUse(use))
        all = add_use(o, LLVMGetUser(use), pointer, load, whole);
    return all;
}

static bool add_loaded(struct origins *o, LLVMValueRef load, bool whole)
{
    LLVMValueRef variable = lower_variable(LLVMGetOperand(load, 0));

    return lower_pointer_space(LLVMGetOperand(load, 0)) != SUM_PRIVATE ||
           (variable && add_stored(o, variable, load, whole));
}

/* Adds what `v` may take its bits from. */
static bool add_origins_of(struct origins *o, LLVMValueRef v, bool here)
{
    char name[80];

    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
        return add_loaded(o, v, false);
    case LLVMPHI: /* the values of earlier iterations, too */
        return add_operands(o, v, 0, LLVMCountIncoming(v), false);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return as_number(v) == OTHERWISE || add_operands(o, v, 0, 2, here);
    case LLVMSelect:
        return add_operands(o, v, 1, 3, here);
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMBitCast:
    case LLVMFreeze:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector:
        return add_operands(o, v, 0, (unsigned)LLVMGetNumOperands(v), here);
    case LLVMCall:
        lower_function_name(v, name, sizeof name);
        if (words_have("fabs shuffle shuffle2", name) || word_starts(name, "read_image"))
            return add_operands(o, v, 0, LLVMGetNumArgOperands(v), here);
        return is_integer(LLVMTypeOf(v));
    default:
        return is_integer(LLVMTypeOf(v));
    }
}

/* May one of them be a NaN that is computed here?  `where`: an instruction that uses them. */
static bool some_is_nan(struct origins *o, LLVMValueRef where)
{
    for (unsigned i = 0; i < o->n; i++) {
        const struct origin at = o->list[i];
        if (!LLVMIsAInstruction(at.v))
            return true;
        if (!is_integer(LLVMTypeOf(at.v)) && !lower_may_be_nan(at.v, at.here ? where : NULL, &o->steps))
            continue;
        if (!add_origins_of(o, at.v, at.here))
            return true;
    }
    return false;
}

/* ---- instructions -------------------------------------------------------------------------------------- */

static bool has_private_numbers(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i) && !is_integer(LLVMTypeOf(LLVMGetOperand(i, 0))) &&
                !ir_is_pointer(LLVMTypeOf(LLVMGetOperand(i, 0))) &&
                lower_pointer_space(LLVMGetOperand(i, 1)) == SUM_PRIVATE)
                return true;
    return false;
}

/* Adds what instruction i takes bits of. */
static bool add_taken(struct lower *l, struct origins *o, LLVMValueRef i)
{
    const bool to_integer = is_integer(LLVMTypeOf(i));
    char name[80];

    if (LLVMIsALoadInst(i)) {
        if (lower_pointer_space(LLVMGetOperand(i, 0)) != SUM_PRIVATE)
            return true;
        if (l->has_numbers == NOT_ASKED)
            l->has_numbers = has_private_numbers(l->function) ? YES : NO;
        return l->has_numbers == NO || add_loaded(o, i, !to_integer || lower_only_used(i, as_number));
    }
    if (LLVMIsABitCastInst(i)) {
        const bool takes = splits(i) || (to_integer && !lower_only_used(i, as_number));
        return !takes || add(o, LLVMGetOperand(i, 0), true);
    }
    lower_function_name(i, name, sizeof name);
    if (!words_have("copysign signbit bitselect", name))
        return true;
    return add_operands(o, i, strcmp(name, "copysign") ? 0 : 1, LLVMGetNumArgOperands(i), true);
}

bool lower_shows_nan(struct lower *l, LLVMValueRef i)
{
    struct origins o = {.n = 0};
    const bool shows = !l->before_loops && (!add_taken(l, &o, i) || some_is_nan(&o, i));

    table_free(&o.seen);
    return shows;
}
