/* group_view.c - a kernel as one of its groups sees it.
 *
 * A group is a launch of its own: its range is the local size, its ids are the local ids, and its local
 * memory is buffers that nobody else has.  The group's number is a constant of which only the range is known.
 * What else is the same for all of the whole launch is a constant, too (sum_of_launch()).  A global id is
 * local id + (number * local size + offset).  So all that proves something of work-items of a launch, proves
 * it of those of a group, with two additions: barriers part what they do (select/prove/phases.c), if all of a
 * group meet at them (meet.c). */

#include "analysis/prove/facts.h"
#include "analysis/prove/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Of each global id, in front of the kernel's own: leaves, and as many operations. */
enum front { NUMBER, SIZE, OFFSET, FRONT };

struct view {
    const struct kernel_summary *from;
    struct kernel_summary *k;
    uint32_t front;   /* so many leaves and operations come in front */
    uint32_t id[3];   /* dimension -> the leaf that is the global id, in `from`; NONE */
    uint32_t base[3]; /* dimension with such a leaf -> the first in front for it */
};

static uint32_t leaf_id(const struct view *w, uint32_t v)
{
    return w->front + v;
}

/* What stands for a value of `from` where it is used. */
static uint32_t value_id(const struct view *w, uint32_t v)
{
    const struct sum_insn *in = &w->from->insns[v];
    if (v >= w->from->nleaf)
        return v + 2 * w->front;
    if (in->op == SUM_WI && in->sub == SUM_WI_GLOBAL_ID)
        return leaf_id(w, w->from->nleaf) + w->base[in->imm] + FRONT - 1;
    if (in->op == SUM_WI && in->sub == SUM_WI_GROUP_ID && w->id[in->imm] != NONE)
        return w->base[in->imm] + NUMBER;
    return leaf_id(w, v);
}

/* False: a work-item function of which a group cannot say what it is. */
static bool find_bases(struct view *w)
{
    const struct kernel_summary *k = w->from;
    for (unsigned d = 0; d < 3; d++)
        w->id[d] = NONE;
    for (uint32_t v = 0; v < k->nleaf; v++) {
        const struct sum_insn *in = &k->insns[v];
        const bool id = in->op == SUM_WI && in->sub == SUM_WI_GLOBAL_ID;
        if ((in->op == SUM_WI && in->sub == SUM_WI_GLOBAL_LINEAR_ID) || (id && w->id[in->imm] != NONE))
            return false; /* leaves that are equal are one */
        if (id)
            w->id[in->imm] = v;
    }
    for (unsigned d = 0; d < 3; d++)
        if (w->id[d] != NONE) {
            w->base[d] = w->front;
            w->front += FRONT;
        }
    return true;
}

/* ---- arguments ------------------------------------------------------------------------------------- */

static void make_buffer(struct sum_arg *a)
{
    a->kind = SUM_ARG_BUFFER;
    a->space = SUM_GLOBAL;
    a->size = 8;
}

/* The kernel's own, and one for each variable in local memory, whose numbers *of receives. */
static uint32_t *make_arguments(struct view *w)
{
    const struct kernel_summary *from = w->from;
    struct kernel_summary *k = w->k;
    uint32_t *of = must_calloc(from->nvars, sizeof *of);
    k->args = must_calloc((size_t)from->nargs + from->nvars, sizeof *k->args);
    for (uint32_t i = 0; i < from->nargs; i++) {
        struct sum_arg *a = &k->args[k->nargs++];
        *a = from->args[i];
        a->name = must(strdup(a->name ? a->name : ""));
        a->type = must(strdup(a->type ? a->type : ""));
        if (a->kind == SUM_ARG_LOCAL)
            make_buffer(a);
    }
    k->vars = must_calloc(from->nvars, sizeof *k->vars);
    for (uint32_t i = 0; i < from->nvars; i++) {
        const struct sum_var *v = &from->vars[i];
        k->vars[k->nvars] = *v;
        k->vars[k->nvars++].name = must(strdup(v->name ? v->name : ""));
        of[i] = k->nargs;
        if (v->space != SUM_LOCAL)
            continue;
        k->vars[i].space = SUM_CONSTANT; /* that nobody uses */
        k->args[k->nargs] =
            (struct sum_arg){.name = must(strdup(v->name ? v->name : "")), .type = must(strdup("local"))};
        make_buffer(&k->args[k->nargs++]);
    }
    return of;
}

/* ---- body ------------------------------------------------------------------------------------------ */

/* What a work-item function tells all of a group. */
static struct sum_insn of_launch(unsigned sub, int64_t dimension, unsigned bits)
{
    return (struct sum_insn){
        .op = SUM_OPAQUE, .bits = (uint8_t)bits, .lanes = 1, .imm = sum_of_launch(sub, dimension)};
}

/* A leaf of the kernel as a group's. */
static struct sum_insn leaf_of(const struct view *w, struct sum_insn in, const uint32_t *local)
{
    if (in.op == SUM_VAR && w->from->vars[in.imm].space == SUM_LOCAL) {
        in.op = SUM_ARG;
        in.imm = local[in.imm];
    }
    if (in.op != SUM_WI)
        return in;
    switch (in.sub) {
    case SUM_WI_LOCAL_ID:
        in.sub = SUM_WI_GLOBAL_ID;
        break;
    case SUM_WI_LOCAL_SIZE:
    case SUM_WI_ENQUEUED_LOCAL_SIZE:
        in.sub = SUM_WI_GLOBAL_SIZE;
        break;
    case SUM_WI_LOCAL_LINEAR_ID:
        in.sub = SUM_WI_GLOBAL_LINEAR_ID;
        break;
    case SUM_WI_GROUP_ID:
    case SUM_WI_NUM_GROUPS:
    case SUM_WI_GLOBAL_SIZE:
    case SUM_WI_GLOBAL_OFFSET:
        in = of_launch(in.sub, in.imm, in.bits);
        break;
    default:
        break;
    }
    return in;
}

static void add_insn(struct kernel_summary *k, struct sum_insn in)
{
    if (in.space == SUM_LOCAL)
        in.space = SUM_GLOBAL;
    k->insns[k->ninsn++] = in;
}

static void make_leaves(struct view *w, const uint32_t *local)
{
    const struct kernel_summary *from = w->from;
    struct kernel_summary *k = w->k;
    for (unsigned d = 0; d < 3; d++) {
        if (w->id[d] == NONE)
            continue;
        const uint8_t bits = from->insns[w->id[d]].bits;
        add_insn(k, of_launch(SUM_WI_GROUP_ID, d, bits));
        add_insn(k, (struct sum_insn){
                        .op = SUM_WI, .sub = SUM_WI_GLOBAL_SIZE, .bits = bits, .lanes = 1, .imm = d});
        add_insn(k, of_launch(SUM_WI_GLOBAL_OFFSET, d, bits));
    }
    for (uint32_t v = 0; v < from->nleaf; v++)
        add_insn(k, leaf_of(w, from->insns[v], local));
    k->nleaf = k->ninsn;
}

/* x op y, none of which wraps around. */
static void add_operation(struct kernel_summary *k, unsigned op, uint32_t x, uint32_t y)
{
    add_insn(k, (struct sum_insn){.op = (uint8_t)op,
                                  .bits = k->insns[y].bits,
                                  .lanes = 1,
                                  .flags = SUM_F_NSW | SUM_F_NUW,
                                  .nopnd = 2,
                                  .opnd = k->nopnd});
    k->opnds[k->nopnd++] = x;
    k->opnds[k->nopnd++] = y;
}

/* The global ids, at the begin of the first block. */
static void make_sums(struct view *w)
{
    for (unsigned d = 0; d < 3; d++) {
        if (w->id[d] == NONE)
            continue;
        add_operation(w->k, SUM_MUL, w->base[d] + NUMBER, w->base[d] + SIZE);
        add_operation(w->k, SUM_ADD, w->k->ninsn - 1, w->base[d] + OFFSET);
        add_operation(w->k, SUM_ADD, w->k->ninsn - 1, leaf_id(w, w->id[d]));
    }
}

static void make_body(struct view *w)
{
    const struct kernel_summary *from = w->from;
    struct kernel_summary *k = w->k;
    make_sums(w);
    for (uint32_t v = from->nleaf; v < from->ninsn; v++) {
        struct sum_insn in = from->insns[v];
        in.opnd = k->nopnd;
        for (uint32_t i = 0; i < in.nopnd; i++) {
            const uint32_t o = sum_opnd(from, v, i);
            k->opnds[k->nopnd++] = sum_operand_is_block(&in, i) ? o : value_id(w, o);
        }
        add_insn(k, in);
    }
    k->blocks = must_calloc(from->nblock, sizeof *k->blocks);
    k->nblock = from->nblock;
    for (uint32_t b = 0; b < from->nblock; b++)
        k->blocks[b] = (struct sum_block){from->blocks[b].first + (b ? 2 : 1) * w->front,
                                          from->blocks[b].end + 2 * w->front};
}

struct kernel_summary *group_view(const struct kernel_summary *from)
{
    struct view w = {.from = from, .k = must_calloc(1, sizeof *w.k)};
    struct kernel_summary *k = w.k;
    const char *why;
    uint32_t *local;
    if (from->nblock == 0 || !find_bases(&w)) {
        free(k);
        return NULL;
    }
    k->name = must(strdup(from->name));
    k->of_group = true;
    k->relaxed_math = from->relaxed_math;
    k->loose_math = from->loose_math;
    k->private_bytes = from->private_bytes;
    k->registers = from->registers;
    k->insns = must_calloc((size_t)from->ninsn + 2 * w.front, sizeof *k->insns);
    k->opnds = must_calloc((size_t)from->nopnd + 2 * w.front, sizeof *k->opnds);
    k->callees = must_calloc(from->ncallees, sizeof *k->callees);
    for (uint32_t i = 0; i < from->ncallees; i++)
        k->callees[k->ncallees++] = must(strdup(from->callees[i] ? from->callees[i] : ""));
    local = make_arguments(&w);
    make_leaves(&w, local);
    make_body(&w);
    free(local);
    if (sum_check(k, &why)) {
        fprintf(stderr, "clsizer-analyze: internal: a group of kernel %s: %s\n", k->name, why);
        sum_free_kernel(k);
        free(k);
        return NULL;
    }
    sum_derive_facts(k);
    return k;
}
