/* tables.c - constant arrays of the program, and variables in local memory, which the text has to define,
 * too. */
#include "analysis/rewrite/impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ELEMENTS 4096

static LLVMValueRef first_table(const struct rewrite *r)
{
    return LLVMGetFirstGlobal(LLVMGetGlobalParent(r->function));
}

/* The type of its numbers, however they are nested; NULL: they are not of one type.  Vectors of three have a
 * gap. */
static LLVMTypeRef leaf_type(LLVMTypeRef t)
{
    LLVMTypeRef leaf = NULL;

    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind || (ir_is_vector(t) && LLVMGetVectorSize(t) != 3))
        return leaf_type(LLVMGetElementType(t));
    if (LLVMGetTypeKind(t) != LLVMStructTypeKind)
        return is_number(t) ? t : NULL;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
        LLVMTypeRef of = leaf_type(LLVMStructGetTypeAtIndex(t, i));
        if (!of || (leaf && leaf != of))
            return NULL;
        leaf = of;
    }
    return leaf;
}

static bool is_local(LLVMValueRef g)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3;
}

/* Offered: constants of the space `constant`, and variables of `local`, that are numbers of one type, so that
 * nothing lies between. */
static LLVMTypeRef table_of(const struct rewrite *r, LLVMValueRef g)
{
    LLVMTypeRef t = LLVMGlobalGetValueType(g), leaf = leaf_type(t);

    if (r->groups && is_local(g))
        return leaf;
    if (!leaf || !LLVMIsGlobalConstant(g) || !LLVMGetInitializer(g) ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != 2 ||
        LLVMABISizeOfType(r->data, t) > MAX_ELEMENTS * LLVMABISizeOfType(r->data, leaf))
        return NULL;
    return leaf;
}

/* Is it used by the function, also within a constant? */
static bool is_used(const struct rewrite *r, LLVMValueRef v)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAConstant(user)
                ? is_used(r, user)
                : LLVMIsAInstruction(user) &&
                      LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == r->function)
            return true;
    }
    return false;
}

/* In functions the name stands behind theirs. */
static const char *wish(struct rewrite *r, LLVMValueRef g)
{
    const char *name = ir_name(g), *dot = strrchr(name, '.');

    if (dot && is_local(g) && is_used(r, g))
        return dot + 1;
    return spell(r, "%s_%s", kernel_name(r), dot ? dot + 1 : name);
}

void name_tables(struct rewrite *r)
{
    for (LLVMValueRef g = first_table(r); g; g = LLVMGetNextGlobal(g))
        new_name(r, wish(r, g));
    r->ntables = r->nnames;
}

const char *table_name(struct rewrite *r, LLVMValueRef variable)
{
    uint32_t i = 0;

    if (!table_of(r, variable))
        refuse(r, is_local(variable) ? "local-memory" : "program-variable", ir_name(variable));
    for (LLVMValueRef g = first_table(r); g && g != variable; g = LLVMGetNextGlobal(g))
        i++;
    return i < r->ntables ? r->names[i] : "0";
}

const char *table_type(struct rewrite *r, LLVMValueRef variable)
{
    LLVMTypeRef t = table_of(r, variable);

    return t ? type_name(r, t, false, 1) : "";
}

static unsigned count(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMArrayTypeKind ? LLVMGetArrayLength(t)
           : ir_is_vector(t)                       ? LLVMGetVectorSize(t)
                                                   : LLVMCountStructElementTypes(t);
}

/* What initialises it must be a constant to C, too, and mean no macro of the program's. */
static const char *element_text(struct rewrite *r, LLVMValueRef c)
{
    LLVMBool loses;
    const double d = LLVMIsAConstantFP(c) ? LLVMConstRealGetDouble(c, &loses) : 0;
    const bool is_float = LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMFloatTypeKind;
    const char *suffix = is_float ? "f" : "";

    if (isnan(d))
        refuse(r, "program-variable", "a table that has a NaN");
    if (LLVMIsAConstantFP(c) && !is_float && r->single)
        refuse(r, "program-variable", "a table of doubles, whose literals would be floats");
    return isinf(d) ? spell(r, "%s1.0%s / 0.0%s", d < 0 ? "-" : "", suffix, suffix)
                    : constant_text(r, c, false);
}

static void write_elements(struct rewrite *r, LLVMValueRef c, FILE *out, bool *first)
{
    LLVMTypeRef t = LLVMTypeOf(c);

    if (is_number(t)) {
        fprintf(out, "%s%s", *first ? "" : ", ", element_text(r, c));
        *first = false;
        return;
    }
    for (unsigned i = 0; i < count(t); i++)
        write_elements(r, LLVMGetAggregateElement(c, i), out, first);
}

const char *tables(struct rewrite *r)
{
    const char *all = "";

    for (LLVMValueRef g = first_table(r); g; g = LLVMGetNextGlobal(g)) {
        LLVMTypeRef t = is_used(r, g) && !is_local(g) ? table_of(r, g) : NULL;
        char *text = NULL;
        size_t size;
        bool first = true;
        FILE *out = t ? open_memstream(&text, &size) : NULL;
        if (!out)
            continue;
        write_elements(r, LLVMGetInitializer(g), out, &first);
        must_close(out);
        all =
            spell(r, "%sconstant %s %s[] = {%s};\n", all, type_name(r, t, false, 1), table_name(r, g), text);
        free(text);
    }
    return *all ? spell(r, "%s\n", all) : all;
}

const char *locals(struct rewrite *r)
{
    const char *all = "";

    for (LLVMValueRef g = first_table(r); g; g = LLVMGetNextGlobal(g)) {
        LLVMTypeRef t = is_local(g) && is_used(r, g) ? table_of(r, g) : NULL;
        if (!t)
            continue;
        const uint64_t size = LLVMABISizeOfType(r->data, t);
        const unsigned align = LLVMGetAlignment(g);
        all = spell(r, "%s    local %s %s[%llu]%s;\n", all, type_name(r, t, false, 1), table_name(r, g),
                    (unsigned long long)(LLVMABISizeOfType(r->data, LLVMGlobalGetValueType(g)) / size),
                    align > size ? spell(r, " __attribute__((aligned(%u)))", align) : "");
    }
    return all;
}
