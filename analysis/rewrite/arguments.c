/* arguments.c - names and types of the kernel's arguments. */
#include "analysis/rewrite/impl.h"

#include <stdlib.h>
#include <string.h>

unsigned argument_index(struct rewrite *r, LLVMValueRef v)
{
    const unsigned n = LLVMCountParams(r->function);

    for (unsigned i = 0; i < n; i++)
        if (LLVMGetParam(r->function, i) == v)
            return i;
    return TABLE_NONE;
}

/* A structure or vector is declared as what is read of it. */
static const char *element_type(struct rewrite *r, unsigned i, const char *type)
{
    static const char *const numbers[] = {"char", "uchar", "short", "ushort", "int",
                                          "uint", "long",  "ulong", "float",  "double"};
    LLVMValueRef p = LLVMGetParam(r->function, i);
    const bool pointer = ir_is_pointer(LLVMTypeOf(p));
    const size_t n = strcspn(type, "*");

    if (pointer != (type[n] == '*') || (pointer && type[n + 1]))
        return "";
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strlen(numbers[k]) == n && !strncmp(numbers[k], type, n))
            return numbers[k];
    if (ir_is_vector(LLVMTypeOf(p)))
        return spell(r, "%s%u", type_name(r, LLVMGetElementType(LLVMTypeOf(p)), *type == 'u', 1),
                     LLVMGetVectorSize(LLVMTypeOf(p)));
    return pointer ? type_name(r, pointee(r, p), false, 1) : "";
}

const char *argument_type(struct rewrite *r, unsigned i)
{
    if (!r->type[i]) {
        char *base = ir_metadata_text(r->function, "kernel_arg_base_type", i);
        r->type[i] = element_type(r, i, base);
        free(base);
    }
    return r->type[i];
}

void name_arguments(struct rewrite *r)
{
    const unsigned count = LLVMCountParams(r->function);

    r->argument = must_calloc(count + 1, sizeof *r->argument);
    r->type = must_calloc(count + 1, sizeof *r->type);
    name_tables(r);
    for (unsigned i = 0; i < count; i++) {
        const char *name = ir_name(LLVMGetParam(r->function, i));
        r->argument[i] = new_name(r, *name ? name : "argument");
    }
}

const char *arguments(struct rewrite *r)
{
    const char *text = "";

    for (unsigned i = 0; i < LLVMCountParams(r->function); i++)
        text = spell(r, "%s%s, ", text, r->argument[i]);
    return text;
}

bool points_to_unsigned(struct rewrite *r, LLVMValueRef pointer)
{
    const unsigned i = argument_index(r, origin(pointer));

    return i != TABLE_NONE && argument_type(r, i)[0] == 'u';
}
