/* lower_signature.c - a kernel's name, arguments and size attributes, from its type and OpenCL metadata. */
#include "analysis/lower/lower_impl.h"
#include "analysis/summary/words.h"

#include <stdlib.h>
#include <string.h>

static uint32_t number(LLVMValueRef f, const char *name, unsigned i)
{
    LLVMValueRef v = ir_metadata(f, name, i);

    return v && LLVMIsAConstantInt(v) ? (uint32_t)LLVMConstIntGetZExtValue(v) : 0;
}

/* Image and sampler types keep their spelling in kernel_arg_base_type whatever LLVM makes of them. */
static enum sum_arg_kind special_kind(const char *base, const char *qualifiers)
{
    if (strstr(qualifiers, "pipe"))
        return SUM_ARG_OTHER;
    if (word_starts(base, "image") && strstr(base, "_t") && !strchr(base, '*'))
        return SUM_ARG_IMAGE;
    if (!strcmp(base, "sampler_t"))
        return SUM_ARG_SAMPLER;
    return words_have("event_t clk_event_t queue_t reserve_id_t ndrange_t", base) ? SUM_ARG_OTHER
                                                                                  : SUM_ARG_SCALAR;
}

static LLVMTypeRef byval_type(LLVMValueRef f, unsigned i)
{
    LLVMAttributeRef a = ir_attribute(f, i + 1, "byval");

    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

static void fill_arg(const struct lower *l, unsigned i, const char *base, const char *qualifiers,
                     struct sum_arg *a)
{
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(l->function, i)), by = byval_type(l->function, i);

    a->kind = by ? SUM_ARG_SCALAR : special_kind(base, qualifiers); /* structures have any name */
    a->space = SUM_PRIVATE;
    a->restricted = ir_attribute(l->function, i + 1, "noalias") != NULL;
    if (a->kind != SUM_ARG_SCALAR) {
        a->size = l->pointer_bits / 8;
        a->space = a->kind == SUM_ARG_IMAGE ? SUM_GLOBAL : SUM_PRIVATE;
    } else if (by) {
        a->size = (uint32_t)LLVMABISizeOfType(l->data, by);
    } else if (ir_is_pointer(t)) {
        a->space = lower_space(t);
        a->kind = a->space == SUM_LOCAL                                ? SUM_ARG_LOCAL
                  : a->space == SUM_GLOBAL || a->space == SUM_CONSTANT ? SUM_ARG_BUFFER
                                                                       : SUM_ARG_OTHER;
        a->size = a->kind == SUM_ARG_LOCAL ? 0 : l->pointer_bits / 8;
    } else {
        a->size = (uint32_t)LLVMABISizeOfType(l->data, t);
    }
}

/* The leaf that stands for argument `i` in the body. */
static void make_leaf(struct lower *l, unsigned i, const struct sum_arg *a)
{
    LLVMValueRef p = LLVMGetParam(l->function, i);
    struct sum_insn leaf = lower_proto(l, SUM_ARG, SUM_C_NONE, LLVMTypeOf(p));

    leaf.imm = i;
    leaf.space = (uint8_t)a->space;
    leaf.line = 0;
    table_put(&l->values, p, emit_leaf(&l->em, &leaf));
}

void lower_signature(struct lower *l)
{
    struct kernel_summary *k = l->k;
    LLVMValueRef f = l->function;

    k->name = must(strdup(ir_name(f)));
    k->nargs = LLVMCountParams(f);
    k->args = must_calloc(k->nargs, sizeof *k->args);
    k->relaxed_math = l->options->relaxed_math;
    k->loose_math = l->options->loose_math;
    k->uneven = l->options->uneven;
    for (unsigned i = 0; i < 3; i++) {
        k->reqd[i] = number(f, "reqd_work_group_size", i);
        k->hint[i] = number(f, "work_group_size_hint", i);
    }
    for (unsigned i = 0; i < k->nargs; i++) {
        char *base = ir_metadata_text(f, "kernel_arg_base_type", i);
        char *qualifiers = ir_metadata_text(f, "kernel_arg_type_qual", i);
        k->args[i].name = ir_metadata_text(f, "kernel_arg_name", i);
        k->args[i].type = ir_metadata_text(f, "kernel_arg_type", i);
        fill_arg(l, i, base, qualifiers, &k->args[i]);
        make_leaf(l, i, &k->args[i]);
        free(base);
        free(qualifiers);
    }
}
