/* rewrite.c - see rewrite.h: from the program's bitcode to the text, with all forms of the kernel. */
#include "analysis/rewrite/rewrite.h"
#include "analysis/lower/prepare.h"
#include "analysis/lower/ir.h"
#include "analysis/rewrite/impl.h"

#include <stdlib.h>
#include <string.h>

/* As much as makes values of variables and functions, and no more: the text is to look like the source. */
#define PASSES                                                                                               \
    "globaldce,always-inline,globaldce,function(lower-expect,sroa,early-cse,simplifycfg,early-cse,loop-"     \
    "simplify,adce)"

/* ---- the module -------------------------------------------------------------------------------------- */

static char *simplify(LLVMModuleRef m, bool fold)
{
    char *why, *other;

    split_outs(m);
    prepare_remove_too_large(m, NULL);
    why = prepare_run(m, PASSES);
    if (why)
        return why;
    if (fold) {
        fold_loops(m);
        why = prepare_run(m, "function(simplifycfg,adce)"); /* one end for all that return */
        if (why)
            return why;
    }
    expand_builtins(m, EXPAND_PLACES);
    split_vectors(m);
    find_ids(m);
    why = prepare_run(m, "function(scalarizer,early-cse,adce)");
    other = why ? NULL : prepare_run(m, "function(lowerswitch)");
    if (!other)
        return why;
    free(other); /* newer LLVM spells it so */
    return prepare_run(m, "function(lower-switch)");
}

/* A name that only LLVM uses, so that another value can have it. */
static void rename_variable(LLVMValueRef variable)
{
    char name[64];

    snprintf(name, sizeof name, "%s.variable", ir_name(variable));
    if (*ir_name(variable))
        LLVMSetValueName2(variable, name, strlen(name));
}

/* A value that is put into a variable takes its name, before the variable is gone. */
static void name_by_variables(LLVMValueRef f)
{
    char name[64];
    size_t n;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i))
                rename_variable(i);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i) || !LLVMIsAAllocaInst(LLVMGetOperand(i, 1)) ||
                !LLVMIsAInstruction(LLVMGetOperand(i, 0)))
                continue;
            snprintf(name, sizeof name, "%s", ir_name(LLVMGetOperand(i, 1)));
            n = strcspn(name, ".");
            if (n)
                LLVMSetValueName2(LLVMGetOperand(i, 0), name, n);
        }
}

/* ---- one form of the kernel -------------------------------------------------------------------------- */

static void find_values(struct rewrite *r)
{
    for (uint32_t b = 0; b < r->nblock; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v; v = LLVMGetNextInstruction(v))
            table_put(&r->index, v, r->nvalue++);
    r->value = must_calloc(r->nvalue + 1, sizeof *r->value);
}

/* The statements, as a string of their own.  They are written twice: what the first turn finds used beyond
 * its scope is declared at the begin in the second. */
static char *body(struct rewrite *r)
{
    char *text = NULL;
    size_t size;
    const uint32_t names = r->nnames;

    for (int turn = 0; turn < 2 && !r->why; turn++) {
        free(text);
        text = NULL;
        r->nnames = names;
        r->out = must(open_memstream(&text, &size));
        write_body(r);
        must_close(r->out);
    }
    return text;
}

struct text {
    char *functions; /* owned, as the others: that the statements call */
    char *statements;
    char *why; /* there are none */
    unsigned id_bits;
    bool disagree, often; /* struct rewrite */
    bool rows;            /* it has some of rows.c */
    bool helper[HELPERS];
};

enum { ONE, ALL, SOME, FORMS }; /* for a work-item; for all neighbours; for those who do not agree */

static void free_text(struct text *t)
{
    free(t->functions);
    free(t->statements);
    free(t->why);
    *t = (struct text){0};
}

/* One form, for which it takes from `of` what it needs. */
static struct text form(const struct rewrite *of, unsigned lanes, bool one_by_one)
{
    struct rewrite r = *of;
    struct text text = {0};

    r.lanes = lanes;
    r.one_by_one = one_by_one;
    r.arrays &= lanes > 1;
    r.names = r.argument = r.type = NULL;
    r.nnames = r.ninterleaved = 0;
    r.interleaved = NULL;
    r.strings = NULL;
    r.results = "";
    flags_read(r.function, &r.wraps);
    name_arguments(&r);
    find_graph(&r);
    if (!r.why) {
        find_values(&r);
        find_parting(&r);
        find_variables(&r);
        find_rows(&r);
        find_interleaved(&r);
        text.statements = body(&r);
        text.functions = strdup(helpers(&r));
    }
    text.why = r.why;
    text.id_bits = r.id_bits;
    text.disagree = r.disagree;
    text.often = r.often;
    for (uint32_t l = 0; l < r.nloop; l++)
        text.rows |= r.loop[l].nrow > 0;
    memcpy(text.helper, r.helper, sizeof text.helper);
    free_graph(&r);
    free(r.value);
    free(r.outer);
    free(r.interleaved);
    free_strings(&r);
    table_free(&r.index);
    table_free(&r.wraps);
    return text;
}

/* ---- the text ---------------------------------------------------------------------------------------- */

/* The text is for launches whose buffers are apart (rewrite.h), and no neighbour touches what another one
 * writes.  Behind a barrier work-items read what others wrote. */
static bool is_restrict(const struct rewrite *r, unsigned i)
{
    if (r->width == 1)
        return ir_attribute(r->function, i + 1, "noalias");
    return !r->groups && LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetParam(r->function, i))) == 1;
}

static const char *parameter(struct rewrite *r, unsigned i)
{
    LLVMValueRef p = LLVMGetParam(r->function, i);
    const char *type = argument_type(r, i), *name = r->argument[i];

    if (!*type)
        refuse(r, "argument", name);
    if (!ir_is_pointer(LLVMTypeOf(p)))
        return spell(r, "%s %s", type, name);
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
    if (space != 1 && space != 2 && (space != 3 || !r->groups))
        refuse(r, "local-memory", name);
    return spell(r, "%s %s *%s%s", space_name(r, p), type, is_restrict(r, i) ? "restrict " : "", name);
}

/* All, each with a comma behind it. */
static const char *parameters(struct rewrite *r)
{
    const char *text = "";

    for (unsigned i = 0; i < LLVMCountParams(r->function); i++)
        text = spell(r, "%s%s, ", text, parameter(r, i));
    return text;
}

#define RETURN(what) "    return" what ";\n"

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

/* Statements of a function end with a return that C need not have. */
static void cut_return(char *text)
{
    if (ends_with(text, RETURN("")))
        text[strlen(text) - strlen(RETURN(""))] = 0;
}

/* What the neighbours do who are too few, or do not agree: under a mask, or one after the other. */
static const char *function_each(struct rewrite *r, const struct text *one, const struct text *some)
{
    const char *k = kernel_name(r), *p = parameters(r);

    if (some->statements)
        return spell(r, "void %s_each(%sulong first, ulong last, ulong end)\n{\n%s}\n\n", k, p,
                     some->statements);
    cut_return(one->statements);
    return spell(r,
                 "void %s_one(%sulong id, ulong end)\n{\n%s}\n\n"
                 "void %s_each(%sulong first, ulong last, ulong end)\n{\n"
                 "    for (ulong id = first; id < last; id++)\n        %s_one(%sid, end);\n}\n\n",
                 k, p, one->statements, k, p, k, arguments(r));
}

/* What all do together, as the body of the kernel or, where they may not agree, as a function before it. */
static void text_of_all(struct rewrite *r, const struct text *all, const char **function, const char **body)
{
    const char *k = kernel_name(r), *p = parameters(r), *a = arguments(r);
    const unsigned n = r->lanes;

    *function = "";
    if (!all->disagree) {
        cut_return(all->statements);
        *body = spell(
            r, "    if (first + %u > end) {\n        %s_each(%sfirst, end, end);\n        return;\n    }\n%s",
            n, k, a, all->statements);
        return;
    }
    *function =
        spell(r, "/* False: they do not agree. */\nbool %s_all(%sulong first, ulong end)\n{\n%s%s}\n\n", k, p,
              all->statements, ends_with(all->statements, RETURN(" true")) ? "" : RETURN(" true"));
    *body = spell(r,
                  "    if (first + %u > end || !%s_all(%sfirst, end))\n"
                  "        %s_each(%sfirst, min(first + %u, end), end);\n",
                  n, k, a, k, a, n);
}

/* Compilers that make vectors of work-items need not make them of these: one did so wrongly (SEEN in
 * driver_quirks.def). */
#define HINT "__attribute__((vec_type_hint(float%u)))\n"

static char *assemble(struct rewrite *r, const struct text form[FORMS], const char *name)
{
    const char *k = kernel_name(r), *function, *body;
    const unsigned n = r->lanes, d = r->dimension;
    /* Vectors along another dimension are right, and may use again what a loop has loaded for one row. */
    const char *hint = r->rows && r->loops ? "" : spell(r, HINT, n);

    text_of_all(r, &form[ALL], &function, &body);
    return must_print(
        "/* %s, with the work of %u neighbours along dimension %u in each work-item.\n"
        " *\n"
        " * To be launched with the offset of dimension %u divided by %u, and its size divided by %u "
        "and\n"
        " * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no\n"
        " * work-item touches what another one writes. */\n"
        "%s%s%s%s%s%skernel void %s(%sulong end)\n{\n    const ulong first = get_global_id(%u) * %u;\n%s}\n",
        k, n, d, d, n, n, r->undefs ? r->undefs : "", tables(r),
        form[form[SOME].statements ? SOME : ALL].functions, function_each(r, &form[ONE], &form[SOME]),
        function, hint, name, parameters(r), d, n, body);
}

/* One work-item as the kernel itself. */
static char *assemble_one(struct rewrite *r, const struct text *one, const char *name)
{
    const char *p = parameters(r);
    const size_t n = strlen(p);

    cut_return(one->statements);
    return must_print("%s%s%skernel void %s(%.*s)\n{\n    const ulong id = get_global_id(%u);\n%s}\n",
                      r->undefs ? r->undefs : "", tables(r), one->functions, name, n > 2 ? (int)n - 2 : 0, p,
                      r->dimension, one->statements);
}

/* Groups that stay as they are have no neighbours too few. */
static char *assemble_in_groups(struct rewrite *r, const struct text *all, const char *name)
{
    const char *k = kernel_name(r), *p = parameters(r);
    const unsigned n = r->width, d = r->dimension;
    const char *local_first = strstr(all->statements, "local_first")
                                  ? spell(r, "    const ulong local_first = get_local_id(%u) * %u;\n", d, n)
                                  : "";
    const char *first = strstr(all->statements, "first")
                            ? spell(r, "    const ulong first = get_global_id(%u) * %u;\n", d, n)
                            : "";

    cut_return(all->statements);
    return must_print(
        "/* %s, with the work of %u neighbours along dimension %u of a group in each work-item.\n"
        " *\n"
        " * To be launched with the offset, size and local size of dimension %u divided by %u, so that "
        "groups\n"
        " * stay as they are.  Right only where between two barriers no work-item touches what another one\n"
        " * of its group writes. */\n"
        "%s%s%s" HINT "kernel void %s(%.*s)\n{\n%s%s%s%s}\n",
        k, n, d, d, n, r->undefs ? r->undefs : "", tables(r), all->functions, n, name,
        (int)strlen(p) - (*p ? 2 : 0), p, first, local_first, locals(r), all->statements);
}

/* By masks; if that is not possible, the neighbours run one after the other where they do not agree. */
static struct text form_of_all(const struct rewrite *r)
{
    struct text masked = form(r, r->width, false), other;

    if (!masked.why || r->groups)
        return masked;
    other = form(r, r->width, true);
    free_text(other.why ? &other : &masked);
    return masked.why ? masked : other;
}

/* Does it ask for the id in another dimension? */
static bool has_rows(const struct rewrite *r)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(r->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            const struct bi bi = called(v);
            if (bi.kind == BI_WI && bi.sub == SUM_WI_GLOBAL_ID &&
                LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) != r->dimension)
                return true;
        }
    return false;
}

/* For those who do not agree, if masks are possible there; it has the functions of `all`, too. */
static struct text form_of_some(const struct rewrite *r, const struct text *all)
{
    struct rewrite of = *r;
    struct text text;

    of.some = true;
    memcpy(of.hot, all->helper, sizeof of.hot);
    text = form(&of, r->width, false);
    if (text.why)
        free_text(&text);
    return text;
}

/* The whole program, whose kernel gets the name `name`; NULL: r->why is set. */
static char *program_text(struct rewrite *r, const struct text form[FORMS], const char *name)
{
    char *text;

    name_arguments(r);
    if (r->width == 1)
        text = assemble_one(r, &form[ONE], name);
    else
        text = r->groups ? assemble_in_groups(r, &form[ALL], name) : assemble(r, form, name);
    free_strings(r);
    if (r->why) {
        free(text);
        text = NULL;
    }
    return text;
}

static void rewrite_kernel(struct rewrite *r, struct kernel_summary *k)
{
    struct text form_of[FORMS] = {{0}};
    struct sum_wide w = {.lanes = (uint8_t)r->width, .dimension = (uint8_t)r->dimension, .id_bits = 64};

    r->rows = has_rows(r);
    r->loops = sum_has_loop(k);
    if (!r->groups)
        form_of[ONE] = form(r, 1, false);
    if (!form_of[ONE].why && r->width > 1)
        form_of[ALL] = form_of_all(r);
    if (form_of[ALL].rows &&
        r->width > ROUNDS) { /* as many places of each row as neighbours, in fewer registers */
        r->width = r->lanes = ROUNDS;
        w.lanes = ROUNDS;
        free_text(&form_of[ALL]);
        form_of[ALL] = form_of_all(r);
    }
    if (form_of[ALL].often && !r->arrays)
        form_of[SOME] = form_of_some(r, &form_of[ALL]);
    for (int i = 0; i < FORMS; i++) {
        if (form_of[i].why)
            r->why = must(strdup(form_of[i].why));
        if (form_of[i].statements && form_of[i].id_bits < w.id_bits)
            w.id_bits = (uint8_t)form_of[i].id_bits;
    }
    if (!r->why) {
        w.kernel = r->width > 1 ? must_print("%s_%s%u", k->name, r->arrays ? "lanes" : "wide", r->width)
                                : must_print("%.*s", (int)strlen(k->name) - (r->fold ? 3 : 0), k->name);
        w.text = program_text(r, form_of, w.kernel);
    }
    if (!w.text) {
        free(w.kernel);
        w = (struct sum_wide){.why = r->why};
    }
    k->wide = w;
    for (int i = 0; i < FORMS; i++)
        free_text(&form_of[i]);
}

static void rewrite_module(LLVMModuleRef m, const struct rewrite_shape *shape, struct program_summary *p)
{
    char *why;

    contract_note(m);
    prepare_for_inlining(m);
    for (LLVMValueRef g = LLVMGetFirstFunction(m); g; g = LLVMGetNextFunction(g))
        name_by_variables(g);
    why = simplify(m, shape->fold);
    for (uint32_t i = 0; i < p->nkernel; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(m, p->kernel[i].name);
        struct rewrite r = {.context = LLVMGetModuleContext(m),
                            .data = LLVMGetModuleDataLayout(m),
                            .function = f,
                            .dimension = shape->dimension,
                            .lanes = shape->lanes,
                            .width = shape->lanes,
                            .undefs = shape->undefs,
                            .arrays = shape->arrays,
                            .fold = shape->fold,
                            .single = shape->single,
                            .in_order = shape->in_order,
                            .groups = !sum_proved(&p->kernel[i], SUM_FACT_S),
                            .id_bits = f ? ids_bits(f) : 64};
        if (r.groups && !(shape->groups && p->kernel[i].only_groups && r.width > 1))
            continue;
        if (!f || why)
            p->kernel[i].wide.why = strdup(why ? why : "no-kernel: of that name");
        else if (contract_is_open(f) && !shape->fold)
            p->kernel[i].wide.why = strdup("rounding: of -(a * b) + c, which not all compilers contract");
        else
            rewrite_kernel(&r, &p->kernel[i]);
    }
    free(why);
}

void rewrite_program(const char *bitcode, size_t size, const struct rewrite_shape *shape,
                     struct program_summary *p)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = ir_parse(context, bitcode, size);

    if (m) {
        rewrite_module(m, shape, p);
        LLVMDisposeModule(m);
    }
    LLVMContextDispose(context);
}
