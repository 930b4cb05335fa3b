/* lower.c - see lower.h.  Lowers the kernels of the module one by one, their blocks in reverse post order. */
#include "analysis/prove/facts.h"
#include "analysis/lower/ir.h"
#include "analysis/lower/prepare.h"
#include "analysis/lower/liveness.h"
#include "analysis/lower/lower_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------------- */

static LLVMValueRef incoming(const struct lower *l, LLVMValueRef phi, uint32_t block)
{
    for (unsigned j = 0; j < LLVMCountIncoming(phi); j++)
        if (table_get(l->blocks, LLVMGetIncomingBlock(phi, j)) == block)
            return LLVMGetIncomingValue(phi, j);
    return NULL;
}

/* Every block is lowered: the values that flow around loops have their ids now. */
static void fill_phi(struct lower *l, LLVMValueRef phi)
{
    uint32_t id = table_get(l->values, phi), n = emit_get(&l->em, id)->nopnd;

    for (uint32_t i = 0; i < n; i += 2) {
        uint32_t block = l->em.opnds[emit_get(&l->em, id)->opnd + i];
        emit_set_operand(&l->em, id, i + 1, lower_value(l, incoming(l, phi, block)));
    }
}

static void lower_blocks(struct lower *l, const LLVMBasicBlockRef *order, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        table_put(&l->blocks, order[i], i);
    for (uint32_t i = 0; i < n; i++) {
        emit_begin_block(&l->em);
        for (LLVMValueRef v = LLVMGetFirstInstruction(order[i]); v; v = LLVMGetNextInstruction(v))
            lower_insn(l, v);
        emit_end_block(&l->em);
    }
    for (uint32_t i = 0; i < n; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(order[i]); LLVMIsAPHINode(v);
             v = LLVMGetNextInstruction(v))
            fill_phi(l, v);
}

/* ---- kernels --------------------------------------------------------------------------------------- */

static void refuse_kernel(struct kernel_summary *k, enum sum_reason reason, const char *detail)
{
    for (unsigned f = 0; f < SUM_FACTS; f++) {
        free(k->fact[f].detail);
        k->fact[f] = (struct sum_verdict){reason, 0, detail ? strdup(detail) : NULL};
    }
}

/* Without a body a summary says nothing but its signature. */
static void drop_body(struct kernel_summary *k)
{
    free(k->insns);
    free(k->opnds);
    free(k->blocks);
    k->insns = NULL;
    k->opnds = NULL;
    k->blocks = NULL;
    k->nleaf = k->ninsn = k->nopnd = k->nblock = 0;
}

/* Bytes of private memory: what is left in the body, or what a driver's compiler may keep if that is more. */
static uint64_t private_bytes(const struct kernel_summary *k, LLVMValueRef f)
{
    const uint64_t kept = stack_bytes(f);
    uint64_t n = 0;

    for (uint32_t i = 0; i < k->nleaf; i++)
        if (k->insns[i].op == SUM_ALLOCA)
            n += (uint64_t)k->insns[i].imm;
    return n > kept ? n : kept;
}

#define PARTS_AT_LOOPS "clsizer-parts-at-loops" /* of a kernel: kernel_summary.parts_at_loops */

static void finish_kernel(struct lower *l)
{
    struct kernel_summary *k = l->k;
    const char *why;

    emit_finish(&l->em, k);
    if (sum_check(k, &why)) {
        fprintf(stderr, "clsizer-analyze: internal: kernel %s: %s\n", k->name, why);
        refuse_kernel(k, SUM_R_UNKNOWN_CALL, "internal inconsistency");
        drop_body(k);
        return;
    }
    if (l->before_loops) {
        ir_note(l->function, PARTS_AT_LOOPS, sum_parts_at_loops(k));
        return;
    }
    k->parts_at_loops = ir_noted(l->function, PARTS_AT_LOOPS, 1);
    k->private_bytes = private_bytes(k, l->function);
    k->registers = sum_registers(k);
    sum_derive_facts(k);
    if (k->only_groups && !sum_proved(k, SUM_FACT_S))
        k->group = group_view(k);
}

static void lower_kernel(struct lower *l)
{
    uint32_t n;
    LLVMBasicBlockRef *order = ir_order(l->function, false, &n);
    uint64_t size = 0;

    lower_signature(l);
    for (uint32_t i = 0; i < n; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(order[i]); v; v = LLVMGetNextInstruction(v))
            size++;
    if (size <= SUM_MAX_INSN) {
        l->k->relaxed_math |= flags_read(l->function, &l->flags);
        lower_note_undef(l, order, n);
        lower_blocks(l, order, n);
    }
    if (size <= SUM_MAX_INSN && emit_count(&l->em) <= SUM_MAX_INSN)
        finish_kernel(l);
    else
        refuse_kernel(l->k, SUM_R_TOO_LARGE, NULL);
    emit_free(&l->em);
    table_free(&l->values);
    table_free(&l->blocks);
    table_free(&l->flags);
    table_free(&l->defined);
    table_free(&l->punned);
    free(order);
}

/* ---- programs -------------------------------------------------------------------------------------- */

static struct kernel_summary *add_kernel(struct program_summary *out)
{
    out->kernel = must_grow(out->kernel, out->nkernel, sizeof *out->kernel);
    out->kernel[out->nkernel] = (struct kernel_summary){0};
    return &out->kernel[out->nkernel++];
}

static void lower_kernels(LLVMModuleRef m, const struct lower_options *options, bool before_loops,
                          struct program_summary *out)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(m);

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        if (!prepare_is_kernel(f) || LLVMIsDeclaration(f))
            continue;
        struct lower l = {.module = m,
                          .data = data,
                          .function = f,
                          .options = options,
                          .before_loops = before_loops,
                          .k = add_kernel(out),
                          .pointer_bits = LLVMPointerSize(data) * 8};
        lower_kernel(&l);
    }
}

void lower_program(const char *bitcode, size_t size, const struct lower_options *options,
                   struct program_summary *out, char **error)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = ir_parse(context, bitcode, size);
    struct prepare_result prepared = {0};
    struct program_summary before = {0};

    *out = (struct program_summary){0};
    *error = NULL;
    if (!m) {
        *error = must_print("analysis-failed: clang's output is not bitcode of this LLVM version");
    } else {
        prepare_module(m, options, &prepared);
        *error = prepared.error;
        if (!*error)
            lower_kernels(m, options, true, &before);
        if (!*error)
            *error = prepare_loops(m);
        if (!*error && options->fold)
            fold_loops(m);
        if (!*error)
            lower_kernels(m, options, false, out);
        sum_free(&before);
        LLVMDisposeModule(m);
    }
    for (unsigned i = 0; i < prepared.ntoo_large; i++) {
        struct kernel_summary *k = add_kernel(out);
        k->name = prepared.too_large[i];
        refuse_kernel(k, SUM_R_TOO_LARGE, NULL);
    }
    free(prepared.too_large);
    LLVMContextDispose(context);
}
