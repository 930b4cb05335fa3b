/* vectors.c - the program's vectors become their elements, of which each is a value of its own: so a vector
 * of the text is always one value of all neighbours. */
#include "analysis/rewrite/impl.h"

#include <stdio.h>
#include <string.h>

#define MAX_ELEMENTS 16

struct split {
    LLVMBuilderRef builder; /* stands before the instruction */
    LLVMContextRef context;
    LLVMTypeRef vector, element;
    unsigned n;
};

static LLVMValueRef number(const struct split *s, unsigned i)
{
    return LLVMConstInt(LLVMInt32TypeInContext(s->context), i, 0);
}

static LLVMValueRef element_place(const struct split *s, LLVMValueRef pointer, unsigned i)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    LLVMValueRef first = LLVMBuildBitCast(s->builder, pointer, LLVMPointerType(s->element, space), "");
    LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(s->context), i, 0);

    return LLVMBuildInBoundsGEP2(s->builder, s->element, first, &at, 1, "");
}

/* "p" becomes "p_x". */
static void name_element(const struct split *s, LLVMValueRef of, LLVMValueRef element, unsigned i)
{
    char text[64];
    const char *name = ir_name(of);

    if (!*name || !LLVMIsAInstruction(element))
        return;
    if (s->n <= 4)
        snprintf(text, sizeof text, "%.40s_%c", name, "xyzw"[i]);
    else
        snprintf(text, sizeof text, "%.40s_s%x", name, i);
    LLVMSetValueName2(element, text, strlen(text));
}

static LLVMValueRef put_together(const struct split *s, LLVMValueRef of, LLVMValueRef *element)
{
    LLVMValueRef v = LLVMGetUndef(s->vector);

    for (unsigned i = 0; i < s->n; i++) {
        name_element(s, of, element[i], i);
        v = LLVMBuildInsertElement(s->builder, v, element[i], number(s, i), "");
    }
    return v;
}

static void replace(LLVMValueRef old, LLVMValueRef by)
{
    if (by)
        LLVMReplaceAllUsesWith(old, by);
    LLVMInstructionEraseFromParent(old);
}

static void split_load(const struct split *s, LLVMValueRef load)
{
    LLVMValueRef element[MAX_ELEMENTS];

    for (unsigned i = 0; i < s->n; i++) {
        element[i] = LLVMBuildLoad2(s->builder, s->element, element_place(s, LLVMGetOperand(load, 0), i), "");
        LLVMSetAlignment(element[i], 1);
    }
    replace(load, put_together(s, load, element));
}

static void split_store(const struct split *s, LLVMValueRef store)
{
    for (unsigned i = 0; i < s->n; i++) {
        LLVMValueRef v = LLVMBuildExtractElement(s->builder, LLVMGetOperand(store, 0), number(s, i), "");
        LLVMSetAlignment(LLVMBuildStore(s->builder, v, element_place(s, LLVMGetOperand(store, 1), i)), 1);
    }
    replace(store, NULL);
}

/* ---- bits as another type ---------------------------------------------------------------------------- */

static LLVMTypeRef whole_number(const struct split *s, LLVMTypeRef t)
{
    return LLVMIntTypeInContext(s->context, LLVMGetTypeKind(t) == LLVMDoubleTypeKind  ? 64
                                            : LLVMGetTypeKind(t) == LLVMFloatTypeKind ? 32
                                                                                      : int_bits(t));
}

/* The whole number that has the bits of element i. */
static LLVMValueRef element_bits(const struct split *s, LLVMValueRef v, unsigned i)
{
    if (ir_is_vector(LLVMTypeOf(v)))
        v = LLVMBuildExtractElement(s->builder, v, number(s, i), "");
    return LLVMBuildBitCast(s->builder, v, whole_number(s, LLVMTypeOf(v)), "");
}

/* Element i of another type; the first element has the lowest bits. */
static LLVMValueRef bits_from(const struct split *s, LLVMValueRef v, LLVMTypeRef to, unsigned i)
{
    const unsigned from = int_bits(whole_number(s, ir_element(LLVMTypeOf(v)))), wide = int_bits(to);
    LLVMValueRef all = NULL;

    if (from >= wide) {
        all = element_bits(s, v, i * wide / from);
        if (i * wide % from)
            all = LLVMBuildLShr(s->builder, all, LLVMConstInt(LLVMTypeOf(all), i * wide % from, 0), "");
        return LLVMBuildTrunc(s->builder, all, to, "");
    }
    for (unsigned at = 0; at < wide; at += from) {
        LLVMValueRef one = LLVMBuildZExt(s->builder, element_bits(s, v, (i * wide + at) / from), to, "");
        if (at)
            one = LLVMBuildShl(s->builder, one, LLVMConstInt(to, at, 0), "");
        all = all ? LLVMBuildOr(s->builder, all, one, "") : one;
    }
    return all;
}

/* As many elements are cast one by one, which needs no help. */
static void split_cast(struct split *s, LLVMValueRef cast)
{
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(cast, 0)), to = LLVMTypeOf(cast);
    LLVMValueRef element[MAX_ELEMENTS];

    s->vector = to;
    s->element = ir_element(to);
    s->n = ir_length(to);
    if (ir_length(from) == s->n || !is_number(ir_element(from)) || !is_number(s->element) ||
        s->n > MAX_ELEMENTS)
        return;
    for (unsigned i = 0; i < s->n; i++)
        element[i] = LLVMBuildBitCast(s->builder,
                                      bits_from(s, LLVMGetOperand(cast, 0), whole_number(s, s->element), i),
                                      s->element, "");
    replace(cast, s->n > 1 ? put_together(s, cast, element) : element[0]);
}

/* ---- functions of vectors ---------------------------------------------------------------------------- */

static char letter(LLVMTypeRef t, bool is_signed)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind:
        return 'f';
    case LLVMDoubleTypeKind:
        return 'd';
    default:
        return (is_signed ? "csil" : "htjm")[int_bits(t) == 8    ? 0
                                             : int_bits(t) == 16 ? 1
                                             : int_bits(t) == 32 ? 2
                                                                 : 3];
    }
}

/* "convert_float4" becomes "convert_float". */
static void scalar_name(const struct bi *bi, char *name, size_t size)
{
    const size_t type = bi->kind == BI_CONVERT ? strlen("convert_") : strlen(bi->name);
    const size_t n = type + strcspn(bi->name + type, "0123456789");

    snprintf(name, size, "%.*s%s", (int)n, bi->name, bi->name + n + strspn(bi->name + n, "0123456789"));
}

static void split_call(const struct split *s, LLVMValueRef call, const struct bi *bi)
{
    const unsigned n = LLVMGetNumArgOperands(call);
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    LLVMTypeRef types[4];
    LLVMValueRef element[MAX_ELEMENTS], arguments[4];
    char name[100], mangled[120];
    size_t end;

    scalar_name(bi, name, sizeof name);
    end = (size_t)snprintf(mangled, sizeof mangled, "_Z%zu%s", strlen(name), name);
    for (unsigned i = 0; i < n; i++) {
        types[i] = ir_element(LLVMTypeOf(LLVMGetOperand(call, i)));
        mangled[end++] = letter(types[i], bi->is_signed);
    }
    mangled[end] = 0;
    LLVMTypeRef type = LLVMFunctionType(s->element, types, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(m, mangled);
    if (!f)
        f = LLVMAddFunction(m, mangled, type);
    for (unsigned i = 0; i < s->n; i++) {
        for (unsigned k = 0; k < n; k++) {
            arguments[k] = LLVMGetOperand(call, k);
            if (ir_is_vector(LLVMTypeOf(arguments[k])))
                arguments[k] = LLVMBuildExtractElement(s->builder, arguments[k], number(s, i), "");
        }
        element[i] = LLVMBuildCall2(s->builder, type, f, arguments, n, "");
    }
    replace(call, put_together(s, call, element));
}

static bool may_split_call(LLVMValueRef call, const struct bi *bi)
{
    const unsigned n = bi_is_elementwise(bi) ? LLVMGetNumArgOperands(call) : 0;

    for (unsigned i = 0; i < n; i++)
        if (!is_number(ir_element(LLVMTypeOf(LLVMGetOperand(call, i)))))
            return false;
    return n && n <= 4;
}

/* ---- all --------------------------------------------------------------------------------------------- */

static bool is_plain_access(LLVMValueRef v)
{
    return !LLVMGetVolatile(v) && LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
}

static void split(LLVMModuleRef m, LLVMBuilderRef builder, LLVMValueRef v, const void *nothing)
{
    struct split s = {.builder = builder, .context = LLVMGetModuleContext(m)};
    const struct bi bi = called(v);
    const bool store = LLVMIsAStoreInst(v), may_split = may_split_call(v, &bi);

    (void)nothing;
    if (!may_split && split_vector_function(m, builder, v, &bi))
        return;
    if (LLVMIsABitCastInst(v)) {
        split_cast(&s, v);
        return;
    }
    s.vector = LLVMTypeOf(store ? LLVMGetOperand(v, 0) : v);
    if (!ir_is_vector(s.vector))
        return;
    s.element = LLVMGetElementType(s.vector);
    s.n = LLVMGetVectorSize(s.vector);
    if (!is_number(s.element) || s.n > MAX_ELEMENTS)
        return;
    if (LLVMIsALoadInst(v) && is_plain_access(v))
        split_load(&s, v);
    else if (store && is_plain_access(v))
        split_store(&s, v);
    else if (may_split)
        split_call(&s, v, &bi);
}

void split_vectors(LLVMModuleRef m)
{
    ir_each(m, split, NULL);
}
