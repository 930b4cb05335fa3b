/* calls.c - functions of vectors, and those with a second result, as functions of numbers that give a number.
 *
 * `exp(v)` of a float4 becomes four calls, "element i of exp() of a vector of these four"; `fract(x, &y)`
 * two, one for each result.  So each value is a number, of which each neighbour has one.  In the text an
 * element is one of the function's result, since the function of numbers may round otherwise; compilers see
 * that the calls are the same. */
#include "analysis/rewrite/impl.h"
#include "analysis/lower/prepare.h"
#include "analysis/summary/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PREFIX<element, '-' where the result is a number>.<length of each argument>.NAME */
#define OF_VECTORS MADE_UP "of."
/* PREFIX<0 or 1: which result>.NAME */
#define OF_TWO MADE_UP "two."

#define MAX_ARGUMENTS 4
#define MAX_LENGTH    16

/* ---- the module -------------------------------------------------------------------------------------- */

struct caller {
    LLVMModuleRef module;
    LLVMBuilderRef builder; /* stands before the call */
    LLVMValueRef argument[MAX_ARGUMENTS * MAX_LENGTH];
    LLVMTypeRef type[MAX_ARGUMENTS * MAX_LENGTH];
    unsigned n;
};

static LLVMTypeRef i32(const struct caller *c)
{
    return LLVMInt32TypeInContext(LLVMGetModuleContext(c->module));
}

static bool is_real(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMFloatTypeKind || LLVMGetTypeKind(t) == LLVMDoubleTypeKind;
}

static bool is_plain(LLVMTypeRef t)
{
    return is_real(t) || int_bits(t) == 32;
}

static LLVMValueRef call_made_up(struct caller *c, LLVMTypeRef result, const char *name)
{
    LLVMTypeRef type = LLVMFunctionType(result, c->type, c->n, 0);
    char symbol[200];
    size_t at = (size_t)snprintf(symbol, sizeof symbol, "%s.", name);

    for (unsigned i = 0; i < c->n && at < sizeof symbol - 1; i++) /* overloads */
        symbol[at++] = LLVMGetTypeKind(c->type[i]) == LLVMFloatTypeKind    ? 'f'
                       : LLVMGetTypeKind(c->type[i]) == LLVMDoubleTypeKind ? 'd'
                                                                           : 'i';
    symbol[at] = 0;
    LLVMValueRef f = LLVMGetNamedFunction(c->module, symbol);
    if (!f) {
        f = LLVMAddFunction(c->module, symbol, type);
        expand_mark_pure(c->module, f);
    }
    return LLVMBuildCall2(c->builder, type, f, c->argument, c->n, "");
}

static void add_argument(struct caller *c, LLVMValueRef v)
{
    c->type[c->n] = LLVMTypeOf(v);
    c->argument[c->n++] = v;
}

static void add_elements(struct caller *c, LLVMValueRef v)
{
    const unsigned n = ir_length(LLVMTypeOf(v));

    for (unsigned i = 0; i < n; i++)
        add_argument(c, n == 1 ? v : LLVMBuildExtractElement(c->builder, v, LLVMConstInt(i32(c), i, 0), ""));
}

/* Are its parameters numbers that are floating point or int?  The symbol tells unsigned ones. */
static bool has_plain_arguments(LLVMValueRef call, const struct bi *bi)
{
    const char *symbol = ir_callee(call);
    const char *name = strstr(symbol, bi->name);
    const unsigned n = LLVMGetNumArgOperands(call);

    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(call, i));
        if (ir_length(t) > MAX_LENGTH || !is_plain(ir_element(t)))
            return false;
    }
    return n && n <= MAX_ARGUMENTS && name && !strpbrk(name + strlen(bi->name), "htjmcsl");
}

static void split_function(struct caller *c, LLVMValueRef call, const struct bi *bi)
{
    LLVMTypeRef t = LLVMTypeOf(call);
    const unsigned of = ir_length(t), n = LLVMGetNumArgOperands(call);
    LLVMValueRef whole = of > 1 ? LLVMGetUndef(t) : NULL;
    char lengths[64], name[160];
    size_t at = 0;

    for (unsigned i = 0; i < n; i++) {
        add_elements(c, LLVMGetOperand(call, i));
        at += (size_t)snprintf(lengths + at, sizeof lengths - at, "%s%u", i ? "," : "",
                               ir_length(LLVMTypeOf(LLVMGetOperand(call, i))));
    }
    for (unsigned i = 0; i < of; i++) {
        const char *element = of > 1 ? (const char[]){"0123456789abcdef"[i], 0} : "-";
        snprintf(name, sizeof name, OF_VECTORS "%s.%s.%s", element, lengths, bi->name);
        LLVMValueRef v = call_made_up(c, ir_element(t), name);
        whole = of > 1 ? LLVMBuildInsertElement(c->builder, whole, v, LLVMConstInt(i32(c), i, 0), "") : v;
    }
    LLVMReplaceAllUsesWith(call, whole);
    LLVMInstructionEraseFromParent(call);
}

/* any(v) and all(v): of the highest bits. */
static void split_any(struct caller *c, LLVMValueRef call, bool all)
{
    LLVMValueRef bits = NULL;

    add_elements(c, LLVMGetOperand(call, 0));
    for (unsigned i = 0; i < c->n; i++)
        bits = !bits ? c->argument[i]
               : all ? LLVMBuildAnd(c->builder, bits, c->argument[i], "")
                     : LLVMBuildOr(c->builder, bits, c->argument[i], "");
    bits = LLVMBuildICmp(c->builder, LLVMIntSLT, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
    LLVMReplaceAllUsesWith(call, LLVMBuildZExt(c->builder, bits, LLVMTypeOf(call), ""));
    LLVMInstructionEraseFromParent(call);
}

bool split_vector_function(LLVMModuleRef m, LLVMBuilderRef builder, LLVMValueRef call, const struct bi *bi)
{
    struct caller c = {.module = m, .builder = builder};
    bool vectors = ir_length(LLVMTypeOf(call)) > 1;

    if (bi->kind != BI_PURE && bi->kind != BI_DOT)
        return false;
    if (words_have("any all", bi->name)) {
        split_any(&c, call, bi->name[1] == 'l');
        return true;
    }
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        vectors |= ir_length(LLVMTypeOf(LLVMGetOperand(call, i))) > 1;
    if (!vectors || !is_plain(ir_element(LLVMTypeOf(call))) || !has_plain_arguments(call, bi))
        return false;
    split_function(&c, call, bi);
    return true;
}

static bool is_out(LLVMValueRef v)
{
    return called(v).kind == BI_OUT && is_real(LLVMTypeOf(v)) && LLVMGetNumArgOperands(v) >= 2 &&
           LLVMGetNumArgOperands(v) <= 3;
}

/* fract(x, &y) */
static void split_out(LLVMModuleRef m, LLVMBuilderRef builder, LLVMValueRef call, const void *nothing)
{
    struct caller c = {.module = m, .builder = builder};

    (void)nothing;
    if (!is_out(call))
        return;
    const unsigned n = LLVMGetNumArgOperands(call) - 1;
    LLVMValueRef to = LLVMGetOperand(call, n), result;
    LLVMTypeRef t = LLVMTypeOf(call);
    const struct bi bi = called(call);
    char name[120];

    if (words_have("frexp remquo lgamma_r", bi.name))
        t = i32(&c);
    for (unsigned i = 0; i < n; i++)
        add_argument(&c, LLVMGetOperand(call, i));
    snprintf(name, sizeof name, OF_TWO "1.%s", bi.name);
    result = call_made_up(&c, t, name);
    to = LLVMBuildBitCast(builder, to, LLVMPointerType(t, LLVMGetPointerAddressSpace(LLVMTypeOf(to))), "");
    LLVMBuildStore(builder, result, to);
    snprintf(name, sizeof name, OF_TWO "0.%s", bi.name);
    LLVMReplaceAllUsesWith(call, call_made_up(&c, LLVMTypeOf(call), name));
    LLVMInstructionEraseFromParent(call);
}

void split_outs(LLVMModuleRef m)
{
    ir_each(m, split_out, NULL);
}

/* ---- the text ---------------------------------------------------------------------------------------- */

/* Value of neighbour `lane`, or of those that a statement is written for. */
static const char *one(struct rewrite *r, LLVMValueRef v, int lane)
{
    return (lane < 0 ? value_as(r, v, false, false) : lane_value(r, v, false, (unsigned)lane)).text;
}

static const char *of_vectors(struct rewrite *r, LLVMValueRef call, int lane)
{
    char element[2], lengths[64], name[80];
    const char *text = "", *at = lengths;
    unsigned operand = 0;

    if (sscanf(ir_callee(call), OF_VECTORS "%1[^.].%63[^.].%79[^.]", element, lengths, name) != 3)
        abort();
    while (*at) {
        char *end;
        const unsigned n = (unsigned)strtoul(at, &end, 10);
        const char *all = "";
        LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(call, operand));
        for (unsigned i = 0; i < n; i++)
            all = spell(r, "%s%s%s", all, i ? ", " : "", one(r, LLVMGetOperand(call, operand++), lane));
        text = spell(r, "%s%s", text, at == lengths ? "" : ", ");
        text = n > 1 ? spell(r, "%s(%s)(%s)", text, type_name(r, t, false, n), all)
                     : spell(r, "%s%s", text, all);
        at = *end ? end + 1 : end;
    }
    return spell(r, *element == '-' ? "%s(%s)" : "%s(%s).s%s", name, text, element);
}

/* The definition of a function that gives one of both results. */
static const char *define_result(struct rewrite *r, LLVMValueRef call, const char *name, unsigned which,
                                 const char *function)
{
    LLVMTypeRef t = LLVMTypeOf(call);
    const char *parameters = "", *arguments = "", *other;
    const unsigned n = LLVMGetNumArgOperands(call);

    other = words_have("frexp remquo lgamma_r", name)
                ? "int"
                : type_name(r, LLVMTypeOf(LLVMGetOperand(call, 0)), false, 1);
    for (unsigned i = 0; i < n; i++) {
        parameters = spell(r, "%s%s%s x%u", parameters, i ? ", " : "",
                           type_name(r, LLVMTypeOf(LLVMGetOperand(call, i)), false, 1), i);
        arguments = spell(r, "%sx%u, ", arguments, i);
    }
    return spell(r,
                 which ? "%s %s(%s)\n{\n    %s other;\n    %s(%s&other);\n    return other;\n}\n\n"
                       : "%s %s(%s)\n{\n    %s other;\n    return %s(%s&other);\n}\n\n",
                 type_name(r, t, false, 1), function, parameters, other, name, arguments);
}

static const char *of_two(struct rewrite *r, LLVMValueRef call, int lane)
{
    const char *text = "", *function, *definition;
    unsigned which;
    char name[80];

    if (sscanf(ir_callee(call), OF_TWO "%1u.%79[^.]", &which, name) != 2)
        abort();
    function = spell(r, "%s_%s%s_%s", kernel_name(r), name, which ? "_other" : "",
                     type_name(r, LLVMTypeOf(LLVMGetOperand(call, 0)), false, 1));
    definition = define_result(r, call, name, which, function);
    if (!strstr(r->results, definition))
        r->results = spell(r, "%s%s", r->results, definition);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        text = spell(r, "%s%s%s", text, i ? ", " : "", one(r, LLVMGetOperand(call, i), lane));
    return spell(r, "%s(%s)", function, text);
}

static const char *made_up(struct rewrite *r, LLVMValueRef call, int lane)
{
    return word_starts(ir_callee(call), OF_TWO) ? of_two(r, call, lane) : of_vectors(r, call, lane);
}

struct expr call_made_up_function(struct rewrite *r, LLVMValueRef call)
{
    const char *text;

    if (!is_vector(r, call))
        return (struct expr){made_up(r, call, -1), R_POSTFIX};
    text = spell(r, "(%s)(", type_name(r, LLVMTypeOf(call), false, r->lanes));
    for (unsigned lane = 0; lane < r->lanes; lane++)
        text = spell(r, "%s%s%s", text, lane ? ", " : "", made_up(r, call, (int)lane));
    return EXPR(r, R_ATOM, "%s)", text);
}
