/* lines.c - lines of the text, and where variables are declared: with their first value, if that stands
 * around all uses, else at the begin. */
#include "analysis/rewrite/impl.h"

#include <stdarg.h>
#include <stdlib.h>

void line(struct rewrite *r, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    fprintf(r->out, "%*s", (int)(4 * r->indent), "");
    vfprintf(r->out, format, ap);
    va_end(ap);
    fputc('\n', r->out);
}

void open_scope(struct rewrite *r)
{
    r->outer = must(realloc(r->outer, (r->nscope + 2) * sizeof *r->outer));
    r->outer[++r->nscope] = r->scope;
    r->scope = r->nscope;
    r->indent++;
}

void close_scope(struct rewrite *r)
{
    r->scope = r->outer[r->scope];
    r->indent--;
}

bool visible(const struct rewrite *r, const struct value *v)
{
    for (uint32_t s = r->scope; s; s = r->outer[s])
        if (s == v->scope)
            return true;
    return false;
}

const char *variable_text(struct rewrite *r, LLVMValueRef v)
{
    const struct value *value = value_of(r, v);

    return r->arrays && value->hoist && varies(r, v)
               ? spell(r, "%s[%s]", value->name, r->lane ? r->lane : "0")
               : value->name;
}

const char *use_variable(struct rewrite *r, LLVMValueRef v)
{
    struct value *value = value_of(r, v);

    if (!visible(r, value))
        value->hoist = true;
    return variable_text(r, v);
}

void open_lane(struct rewrite *r)
{
    if (!r->arrays || r->lane)
        return;
    line(r, "for (int %s = 0; %s < %u; %s++) {", r->lane_name, r->lane_name, r->lanes, r->lane_name);
    open_scope(r);
    r->lane = r->lane_name;
}

void close_lane(struct rewrite *r)
{
    if (!r->lane || r->apart)
        return;
    close_scope(r);
    line(r, "}");
    r->lane = NULL;
}

/* Of a pointer, without the star. */
static const char *pointer_type(struct rewrite *r, LLVMValueRef v)
{
    if (is_vector(r, v))
        refuse(r, "pointer", "a variable that differs between neighbours in any way");
    return spell(r, "%s %s", space_name(r, v), type_name(r, pointee(r, v), points_to_unsigned(r, v), 1));
}

const char *declaration(struct rewrite *r, LLVMValueRef v, const char *name)
{
    return ir_is_pointer(LLVMTypeOf(v)) ? spell(r, "%s *%s", pointer_type(r, v), name)
                                        : spell(r, "%s %s", variable_type(r, v), name);
}

const char *variable_type(struct rewrite *r, LLVMValueRef v)
{
    return type_name(r, LLVMTypeOf(v), is_unsigned(r, v), is_vector(r, v) ? r->lanes : 1);
}

void define(struct rewrite *r, LLVMValueRef v, const char *text)
{
    struct value *value = value_of(r, v);

    if (value->hoist) {
        line(r, "%s = %s;", variable_text(r, v), text);
        value->scope = 1;
    } else {
        line(r, "%s = %s;", declaration(r, v, value->name), text);
        value->scope = r->scope;
    }
}

static void declare_hoisted(struct rewrite *r)
{
    for (uint32_t b = 0; b < r->nblock; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v; v = LLVMGetNextInstruction(v)) {
            struct value *value = value_of(r, v);
            if (!value->hoist)
                continue;
            const char *array = r->arrays && varies(r, v) ? spell(r, "[%u]", r->lanes) : "";
            line(r, "%s%s%s;", declaration(r, v, value->name), array,
                 r->masked && is_vector(r, v) ? " = 0" : "");
            value->scope = 1;
        }
}

void begin_lines(struct rewrite *r)
{
    r->scope = r->nscope = 0;
    r->indent = 0;
    for (uint32_t i = 0; i < r->nvalue; i++)
        r->value[i].scope = 0;
    open_scope(r);
    declare_hoisted(r);
}
