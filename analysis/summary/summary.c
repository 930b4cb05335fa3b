/* summary.c - releasing summaries, looking kernels up, and the description for people. */
#include "analysis/summary/summary.h"

#include "analysis/summary/summary_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Steps that are looked at to see that an address is aligned. */
#define ALIGN_DEPTH 12

static void free_ranges(struct sum_range *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(r[i].poly.term);
    free(r);
}

void sum_free_access(struct sum_access *a)
{
    for (unsigned i = 0; i < 3; i++)
        free(a->coord[i].term);
    for (uint32_t i = 0; i < a->nguard; i++) {
        free(a->guard[i].lhs.term);
        free(a->guard[i].rhs.term);
    }
    free(a->guard);
    free_ranges(a->range, a->nrange);
}

void sum_free_loop(struct sum_loop *l)
{
    free(l->limit.term);
    free(l->step_poly.term);
    free_ranges(l->range, l->nrange);
}

void sum_free_kernel(struct kernel_summary *k)
{
    if (!k)
        return;
    free(k->name);
    for (uint32_t i = 0; i < k->nargs; i++) {
        free(k->args[i].name);
        free(k->args[i].type);
    }
    free(k->args);
    for (uint32_t i = 0; i < k->nvars; i++)
        free(k->vars[i].name);
    free(k->vars);
    for (uint32_t i = 0; i < k->ncallees; i++)
        free(k->callees[i]);
    free(k->callees);
    free(k->insns);
    free(k->opnds);
    free(k->blocks);
    for (unsigned i = 0; i < SUM_FACTS; i++)
        free(k->fact[i].detail);
    for (uint32_t i = 0; i < k->nloop; i++)
        sum_free_loop(&k->loops[i]);
    free(k->loops);
    for (uint32_t i = 0; i < k->naccess; i++)
        sum_free_access(&k->access[i]);
    free(k->access);
    free(k->undef);
    free(k->wide.kernel);
    free(k->wide.text);
    free(k->wide.why);
    sum_free_kernel(k->group);
    free(k->group);
    memset(k, 0, sizeof(*k));
}

void sum_free(struct program_summary *p)
{
    if (!p)
        return;
    free(p->error);
    for (uint32_t i = 0; i < p->nfile; i++)
        free(p->file[i].path);
    free(p->file);
    for (uint32_t i = 0; i < p->nkernel; i++)
        sum_free_kernel(&p->kernel[i]);
    free(p->kernel);
    memset(p, 0, sizeof(*p));
}

const struct kernel_summary *sum_find(const struct program_summary *p, const char *name)
{
    for (uint32_t i = 0; i < p->nkernel; i++)
        if (p->kernel[i].name && strcmp(p->kernel[i].name, name) == 0)
            return &p->kernel[i];
    return NULL;
}

bool sum_has_loop(const struct kernel_summary *k)
{
    for (uint32_t b = 0; b < k->nblock; b++) {
        const uint32_t t = k->blocks[b].end - 1;
        for (uint32_t i = 0; i < k->insns[t].nopnd; i++)
            if (sum_operand_is_block(&k->insns[t], i) && sum_opnd(k, t, i) <= b)
                return true;
    }
    return false;
}

/* Is the leaf `v` a scalar of the launch, or a number that is not kept, a floating-point one, say? */
static bool is_given(const struct kernel_summary *k, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v];

    return v < k->nleaf &&
           ((in->op == SUM_ARG && k->args[in->imm].kind == SUM_ARG_SCALAR) ||
            (in->op == SUM_OPAQUE && in->imm == 0 && !(in->flags & (SUM_F_UNDEF | SUM_F_GAP))));
}

/* The family of an exchange, comparing or not, or of a store: what it leaves behind, the same for all. */
static uint64_t same_left(const struct kernel_summary *k, uint32_t v, uint64_t size)
{
    uint64_t family = size | 1u << 31;

    if (k->insns[v].nopnd < 2)
        return 0; /* a flag's */
    for (uint32_t i = 1; i < k->insns[v].nopnd; i++) {
        const uint32_t value = sum_opnd(k, v, i);
        const struct sum_insn *in = &k->insns[value];
        if ((in->op != SUM_CONST && !is_given(k, value)) || in->lanes != 1 || value >= (1 << 15) - 1)
            return 0;
        family += (value + 1) << 15 * (i - 1);
    }
    return family;
}

uint64_t sum_atomic_family(const struct kernel_summary *k, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v];
    const uint64_t size = (uint64_t)in->bytes << 32;
    const bool moves = in->sub == SUM_AT_XCHG || in->sub == SUM_AT_STORE;
    if (in->op != SUM_ATOMIC || !(in->flags & SUM_F_UNUSED) || (in->flags & SUM_F_FLOAT && !moves) ||
        in->lanes > 1)
        return 0; /* floating-point sums depend on the order */
    switch (in->sub) {
    case SUM_AT_ADD:
    case SUM_AT_SUB:
    case SUM_AT_INC:
    case SUM_AT_DEC:
        return size | 1;
    case SUM_AT_AND:
    case SUM_AT_OR:
    case SUM_AT_XOR:
        return size | (2u + in->sub);
    case SUM_AT_MIN:
    case SUM_AT_MAX:
        return size | (64u + 2u * in->sub + ((in->flags & SUM_F_UNSIGNED) != 0));
    case SUM_AT_XCHG:
    case SUM_AT_STORE:
    case SUM_AT_CMPXCHG:
        return same_left(k, v, size);
    default:
        return 0;
    }
}

/* Is the offset computed by `id` a multiple of `unit` (a power of two) for sure,
 * looking at its arithmetic? */
static bool multiple_of(const struct kernel_summary *k, uint32_t id, uint64_t unit, unsigned depth)
{
    const struct sum_insn *v = &k->insns[id];
    if (depth > ALIGN_DEPTH || v->lanes != 1)
        return false;
    uint32_t last = v->nopnd > 1 ? sum_opnd(k, id, 1) : 0;
    switch (v->op) {
    case SUM_CONST:
        return ((uint64_t)v->imm & (unit - 1)) == 0;
    case SUM_MUL:
        return !(v->flags & SUM_F_24) &&
               (multiple_of(k, sum_opnd(k, id, 0), unit, depth + 1) || multiple_of(k, last, unit, depth + 1));
    case SUM_SHL:
        return k->insns[last].op == SUM_CONST && k->insns[last].imm >= 0 && k->insns[last].imm < 63 &&
               (uint64_t)1 << k->insns[last].imm >= unit;
    case SUM_ADD:
    case SUM_SUB:
    case SUM_PTRADD:
        return multiple_of(k, sum_opnd(k, id, 0), unit, depth + 1) && multiple_of(k, last, unit, depth + 1);
    case SUM_TRUNC:
    case SUM_ZEXT:
    case SUM_SEXT:
        return multiple_of(k, sum_opnd(k, id, 0), unit, depth + 1);
    case SUM_ARG:
        return v->space == SUM_GLOBAL && unit <= 16; /* buffers and sub-buffers start well aligned */
    default:
        return false;
    }
}

/* The leaf that a whole scalar store stores, where the launch decides it: an argument, a floating-point
 * number; SUM_ANY. */
static uint32_t stored_leaf(const struct kernel_summary *k, const struct sum_access *a)
{
    const struct sum_insn *store = &k->insns[a->insn];
    const uint32_t v = sum_opnd(k, a->insn, 1);
    return is_given(k, v) && k->insns[v].bits == 8 * a->bytes && !(store->flags & SUM_F_LAST) ? v : SUM_ANY;
}

static bool store_the_same(const struct kernel_summary *k, const struct sum_access *a,
                           const struct sum_access *b)
{
    if (a->constant_value || b->constant_value)
        return a->constant_value && b->constant_value && a->constant == b->constant;
    return stored_leaf(k, a) != SUM_ANY && stored_leaf(k, a) == stored_leaf(k, b);
}

/* Stores of one value by everybody: the order does not matter, provided that two of them cannot overlap in
 * part, which naturally aligned scalars of one size cannot. */
static bool equal_stores(const struct kernel_summary *k, uint32_t arg)
{
    const struct sum_access *first = NULL;
    for (uint32_t i = 0; i < k->naccess; i++) {
        const struct sum_access *a = &k->access[i];
        if (a->arg != arg)
            continue;
        if (!first)
            first = a;
        uint64_t unit = a->bytes;
        if (a->kind != SUM_ACC_WRITE || a->bytes != first->bytes || unit == 0 || unit > 8 ||
            (unit & (unit - 1)) != 0 || a->insn >= k->ninsn || k->insns[a->insn].op != SUM_STORE ||
            !store_the_same(k, a, first))
            return false;
        bool same_bytes = unit == 1 || (a->constant_value && (a->constant == 0 || a->constant == -1));
        if (!same_bytes && (k->insns[sum_opnd(k, a->insn, 1)].lanes != 1 ||
                            !multiple_of(k, sum_opnd(k, a->insn, 0), unit, 0)))
            return false;
    }
    return first != NULL;
}

/* All accesses are atomics that commute: whom they hit does not matter. */
static bool commuting(const struct kernel_summary *k, uint32_t arg)
{
    uint64_t first = 0;
    for (uint32_t i = 0; i < k->naccess; i++) {
        const struct sum_access *a = &k->access[i];
        if (a->arg != arg)
            continue;
        const uint64_t family = a->insn < k->ninsn ? sum_atomic_family(k, a->insn) : 0;
        if (a->kind != SUM_ACC_ATOMIC || family == 0 || (first != 0 && family != first))
            return false;
        first = family;
    }
    return first != 0;
}

bool sum_order_is_free(const struct kernel_summary *k, uint32_t arg)
{
    return equal_stores(k, arg) || commuting(k, arg);
}

/* ---- description for people ------------------------------------------------------------------------ */

/* Names come from other people's sources: keep terminal escapes out of terminals. */
static void put_text(FILE *f, const char *s)
{
    for (; s && *s; s++)
        putc((unsigned char)*s < 0x20 || *s == 0x7f ? '?' : *s, f);
}

static void put_sym(const struct kernel_summary *k, const struct sum_sym *s, FILE *f)
{
    if (s->kind == SUM_SYM_ARG && s->index < k->nargs && k->args[s->index].name &&
        k->args[s->index].name[0]) {
        put_text(f, k->args[s->index].name);
        return;
    }
    fprintf(f, "%s(%" PRIu32 ")", sum_word(&sum_sym_names, s->kind), s->index);
}

static void put_poly(const struct kernel_summary *k, const struct sum_poly *p, FILE *f)
{
    if (p->nterm == 0)
        putc('0', f);
    for (uint32_t i = 0; i < p->nterm; i++) {
        const struct sum_term *t = &p->term[i];
        if (i)
            fputs(" + ", f);
        if (t->coef != 1 || t->nsym == 0)
            fprintf(f, "%" PRId64 "%s", t->coef, t->nsym ? "*" : "");
        for (uint32_t j = 0; j < t->nsym; j++) {
            if (j)
                putc('*', f);
            put_sym(k, &t->sym[j], f);
        }
    }
}

static void put_ranges(const struct kernel_summary *k, const struct sum_range *r, uint32_t n, FILE *f)
{
    for (uint32_t i = 0; i < n; i++) {
        fprintf(f, "%s", i ? ", " : " provided ");
        put_poly(k, &r[i].poly, f);
        fprintf(f, " fits %s%u", r[i].is_signed ? "i" : "u", r[i].bits);
    }
}

static void describe_access(const struct kernel_summary *k, const struct sum_access *a, FILE *f)
{
    fprintf(f, "  %-6s ", sum_word(&sum_access_names, a->kind));
    put_text(f, a->arg < k->nargs ? k->args[a->arg].name : "?");
    fprintf(f, " line %" PRIu32 " %" PRIu32 " bytes at ", k->insns[a->insn].line, a->bytes);
    if (!a->affine)
        fputs("an unknown place", f);
    for (uint32_t i = 0; a->affine && i < a->ncoord; i++) {
        if (i)
            fputs(", ", f);
        put_poly(k, &a->coord[i], f);
    }
    if (a->constant_value)
        fprintf(f, " always %" PRId64, a->constant);
    if (a->affine && a->wrap_bits < 64)
        fprintf(f, " modulo 2^%u", a->wrap_bits);
    put_ranges(k, a->range, a->nrange, f);
    putc('\n', f);
    for (uint32_t i = 0; i < a->nguard; i++) {
        fputs("         where ", f);
        put_poly(k, &a->guard[i].lhs, f);
        fputs(a->guard[i].equal ? " == " : " < ", f);
        put_poly(k, &a->guard[i].rhs, f);
        putc('\n', f);
    }
}

static void describe_insn(const struct kernel_summary *k, uint32_t v, FILE *f)
{
    const struct sum_insn *in = &k->insns[v];
    const struct sum_names *sub = sum_sub_names(in->op);
    fprintf(f, "    %%%-4" PRIu32 " %s", v, sum_word(&sum_op_names, in->op));
    if (sub)
        fprintf(f, ".%s", sum_word(sub, in->sub));
    if (in->bits)
        fprintf(f, " %c%u", in->flags & SUM_F_FLOAT ? 'f' : 'i', in->bits);
    if (in->lanes > 1)
        fprintf(f, "x%u", in->lanes);
    if (v < k->nleaf)
        fprintf(f, " #%" PRId64, in->imm);
    if (in->op == SUM_ARG && (in->flags & SUM_F_PART))
        fprintf(f, " at byte %" PRIu32, in->bytes);
    if (in->flags & SUM_F_24)
        fprintf(f, " 24 bits");
    for (uint32_t i = 0; i < in->nopnd; i++)
        fprintf(f, " %" PRIu32, sum_opnd(k, v, i));
    if (in->cls != SUM_C_NONE)
        fprintf(f, "  ; %s", sum_word(&sum_class_names, in->cls));
    if (in->line)
        fprintf(f, "  line %" PRIu32, in->line);
    putc('\n', f);
}

static void describe_signature(const struct kernel_summary *k, FILE *f)
{
    fputs("kernel ", f);
    put_text(f, k->name);
    putc('\n', f);
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct sum_arg *a = &k->args[i];
        fprintf(f, "  arg %" PRIu32 " ", i);
        put_text(f, a->name);
        fputs(" : ", f);
        put_text(f, a->type);
        fprintf(f, " (%s, %s, %" PRIu32 " bytes%s%s%s)\n", sum_word(&sum_arg_kind_names, a->kind),
                sum_word(&sum_space_names, a->space), a->size, a->may_read ? ", read" : "",
                a->may_write ? ", written" : "", a->restricted ? ", restrict" : "");
        if (a->gaps)
            fprintf(f, "       tunable only where the image does not keep%s%s%s%s, written without a value\n",
                    a->gaps & 1 ? " x" : "", a->gaps & 2 ? " y" : "", a->gaps & 4 ? " z" : "",
                    a->gaps & 8 ? " w" : "");
    }
    if (k->reqd[0])
        fprintf(f, "  required size %" PRIu32 "x%" PRIu32 "x%" PRIu32 "\n", k->reqd[0], k->reqd[1],
                k->reqd[2]);
    fprintf(f, "  local %" PRIu64 " bytes, private %" PRIu64 " bytes, about %" PRIu32 " registers\n",
            k->local_bytes, k->private_bytes, k->registers);
}

static void describe_undef_edge(const struct sum_undef_edge *w, FILE *f)
{
    fprintf(f, "  provided that nothing goes through block %" PRIu32, w->from);
    if (w->to != SUM_ANYWHERE)
        fprintf(f, " to %" PRIu32 "%s", w->to, w->first ? " in a loop's first round" : "");
    fprintf(f, ": a variable would have no value (line %" PRIu32 ")\n", w->line);
}

void sum_describe(const struct kernel_summary *k, FILE *f, bool body)
{
    describe_signature(k, f);
    for (unsigned i = 0; i < SUM_FACTS; i++) {
        const struct sum_verdict *v = &k->fact[i];
        fprintf(f, "  %-2s %s", sum_fact_name(i), sum_reason_name(v->reason));
        if (v->detail) {
            fputs(": ", f);
            put_text(f, v->detail);
        }
        if (v->line)
            fprintf(f, " (line %" PRIu32 ")", v->line);
        putc('\n', f);
    }
    if (k->needs_uniform)
        fputs("  the groups must be uniform\n", f);
    if (k->id_bits)
        fprintf(f, "  offset + global size must be below 2^%u in each dimension\n", (unsigned)k->id_bits);
    for (uint32_t i = 0; i < k->nundef; i++)
        describe_undef_edge(&k->undef[i], f);
    for (uint32_t i = 0; i < k->naccess; i++)
        describe_access(k, &k->access[i], f);
    for (uint32_t i = 0; i < k->nloop; i++) {
        const struct sum_loop *l = &k->loops[i];
        fprintf(f, "  loop(%" PRIu32 ") at block %" PRIu32, i, l->header);
        if (l->bounded || l->step > 0 || l->step_poly.nterm) {
            fputs(l->bounded ? ": limit " : l->quotient ? ": quotient, limit " : ": perhaps limit ", f);
            put_poly(k, &l->limit, f);
            fputs(" step ", f);
            if (l->step > 0)
                fprintf(f, "%" PRId64, l->step);
            else
                put_poly(k, &l->step_poly, f);
            put_ranges(k, l->range, l->nrange, f);
        }
        putc('\n', f);
    }
    if (!body)
        return;
    for (uint32_t v = 0; v < k->nleaf; v++)
        describe_insn(k, v, f);
    for (uint32_t b = 0; b < k->nblock; b++) {
        fprintf(f, "  block %" PRIu32 ":\n", b);
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++)
            describe_insn(k, v, f);
    }
}
