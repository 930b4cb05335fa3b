/* exec.c - evaluation of the slice, lane by lane, with a fast path for values that are equal on all lanes. */
#include "analysis/summary/integer.h"
#include "select/integer.h"
#include "select/trace/trace.h"
#include <string.h>

static void spread(struct trace_prog *p, uint32_t slot)
{
    struct value *v = &p->value[slot];
    int64_t *lane = exec_lanes(p, slot);
    for (unsigned i = 0; i < p->lanes; i++)
        lane[i] = v->all;
    v->uniform = false;
}

void exec_put(struct trace_prog *p, uint32_t slot, uint64_t mask, uint64_t known, const int64_t *num,
              bool uniform)
{
    struct value *v = &p->value[slot];
    if (uniform && ((v->valid & ~mask) == 0 || (v->uniform && v->all == num[0]))) {
        v->valid |= mask;
        v->known = (v->known & ~mask) | (known & mask);
        v->uniform = true;
        v->all = num[0];
        return;
    }
    if (v->uniform)
        spread(p, slot);
    int64_t *lane = exec_lanes(p, slot);
    if (mask == p->live && !uniform)
        memcpy(lane, num, p->lanes * sizeof *lane);
    else
        for (uint64_t left = mask; left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctzll(left);
            lane[i] = num[uniform ? 0 : i];
        }
    v->valid |= mask;
    v->known = (v->known & ~mask) | (known & mask);
}

static uint64_t wi_dim(const struct trace_prog *p, enum sum_wi f, unsigned d)
{
    const struct trace_place *at = p->at;
    switch (f) {
    case SUM_WI_GLOBAL_SIZE:
        return p->l->global[d];
    case SUM_WI_GLOBAL_OFFSET:
        return p->l->offset[d];
    case SUM_WI_LOCAL_SIZE:
    case SUM_WI_ENQUEUED_LOCAL_SIZE:
        return at->local[d];
    case SUM_WI_GROUP_ID:
        return at->group[d];
    case SUM_WI_NUM_GROUPS:
        return sel_ceil_div(p->l->global[d], at->local[d]);
    default:
        return 0;
    }
}

/* Values of a work-item function; false: lanes do not differ, and num[0] is that of all. */
static bool wi_lanes(const struct trace_prog *p, const struct sum_insn *in, int64_t *num)
{
    const struct trace_place *at = p->at;
    const unsigned d = (unsigned)in->imm;
    switch ((enum sum_wi)in->sub) {
    case SUM_WI_WORK_DIM:
        num[0] = p->l->dim;
        return false;
    case SUM_WI_LOCAL_LINEAR_ID:
        for (unsigned i = 0; i < p->lanes; i++)
            num[i] = (int64_t)(at->first + i);
        return true;
    case SUM_WI_GLOBAL_LINEAR_ID:
        for (unsigned i = 0; i < p->lanes; i++) {
            uint64_t g[3];
            for (unsigned j = 0; j < 3; j++)
                g[j] = (uint64_t)at->group[j] * at->local[j] + (uint64_t)p->lid[j][i];
            num[i] = (int64_t)((g[2] * p->l->global[1] + g[1]) * p->l->global[0] + g[0]);
        }
        return true;
    case SUM_WI_GLOBAL_ID:
    case SUM_WI_LOCAL_ID:
        if (p->l->global[d] == 1 || at->local[d] == 1) {
            num[0] = in->sub == SUM_WI_LOCAL_ID ? 0 : (int64_t)(at->group[d] + p->l->offset[d]);
            return false;
        }
        int64_t base = in->sub == SUM_WI_LOCAL_ID
                           ? 0
                           : (int64_t)((uint64_t)at->group[d] * at->local[d] + p->l->offset[d]);
        for (unsigned i = 0; i < p->lanes; i++)
            num[i] = base + p->lid[d][i];
        return true;
    default:
        num[0] = (int64_t)wi_dim(p, (enum sum_wi)in->sub, d);
        return false;
    }
}

/* Integer scalar arguments by value; buffers by their place in the virtual address space. */
static bool arg_value(const struct trace_prog *p, const struct sum_insn *in, int64_t *num)
{
    uint32_t a = (uint32_t)in->imm;
    enum sum_arg_kind kind = p->k->args[a].kind;
    num[0] = (int64_t)p->arg_base[a];
    if (kind != SUM_ARG_SCALAR || in->space != SUM_PRIVATE || in->bits == 0)
        return kind != SUM_ARG_OTHER && kind != SUM_ARG_SAMPLER;
    if (in->flags & SUM_F_FLOAT || in->lanes > 1 || a >= p->l->nargs || !p->l->args[a].set)
        return false;
    if (in->flags & SUM_F_PART) {
        uint64_t part = 0;
        if ((uint64_t)in->bytes + in->bits / 8 > sizeof p->l->args[a].value)
            return false;
        memcpy(&part, p->l->args[a].value + in->bytes, in->bits / 8u);
        num[0] = sum_signed(part, in->bits);
        return true;
    }
    if (p->k->args[a].size > 8) /* a struct: the address of its private copy */
        return true;
    uint64_t raw = 0;
    memcpy(&raw, p->l->args[a].value, sizeof raw);
    num[0] = sum_signed(raw, in->bits);
    return true;
}

void exec_leaves(struct trace_prog *p)
{
    int64_t num[TRACE_LANES];
    for (uint32_t i = 0; i < p->k->nleaf; i++) {
        const struct sum_insn *in = &p->k->insns[i];
        if (p->slot[i] == CFG_NONE)
            continue;
        bool known = true, varies = false;
        switch (in->op) {
        case SUM_CONST:
            num[0] = sum_signed((uint64_t)in->imm, in->bits);
            break;
        case SUM_ARG:
            known = arg_value(p, in, num);
            break;
        case SUM_WI:
            varies = wi_lanes(p, in, num);
            break;
        case SUM_VAR:
            num[0] = (int64_t)p->var_base[in->imm];
            break;
        case SUM_ALLOCA:
            num[0] = INT64_C(1) << 20;
            break;
        default:
            known = false;
        }
        if (!known)
            num[0] = 0;
        if (varies)
            for (unsigned j = 0; j < p->lanes; j++)
                num[j] = sum_signed((uint64_t)num[j], in->bits);
        else
            num[0] = sum_signed((uint64_t)num[0], in->bits);
        exec_put(p, p->slot[i], p->live, known ? p->live : 0, num, !varies);
    }
}

/* One binary operation or comparison; *ok = false where the result is undefined.  Booleans are one bit,
 * sign-extended: true is -1. */
static int64_t two_operands(const struct trace_prog *p, uint32_t v, int64_t a, int64_t b, bool *ok)
{
    const unsigned bits = p->k->insns[sum_opnd(p->k, v, 0)].bits;
    uint64_t result = 0;
    *ok &= sum_evaluate(p->k, v, sum_low((uint64_t)a, bits), sum_low((uint64_t)b, bits), &result);
    return sum_signed(result, p->k->insns[v].bits);
}

#define LANES(type, result)                                                                                  \
    for (unsigned i = 0; i < n; i++) {                                                                       \
        const type x = (type)a[i], y = (type)b[i];                                                           \
        out[i] = (int64_t)(result);                                                                          \
    }                                                                                                        \
    return true

/* Numbers of fewer bits are sign-extended: that keeps their order, read as unsigned too.  True is -1. */
static bool compare_lanes(unsigned pred, unsigned n, const int64_t *a, const int64_t *b, int64_t *out)
{
    switch (pred) {
    case SUM_EQ:
        LANES(uint64_t, -(x == y));
    case SUM_NE:
        LANES(uint64_t, -(x != y));
    case SUM_ULT:
        LANES(uint64_t, -(x < y));
    case SUM_UGE:
        LANES(uint64_t, -(x >= y));
    case SUM_SLT:
        LANES(int64_t, -(x < y));
    case SUM_SGE:
        LANES(int64_t, -(x >= y));
    default:
        return false;
    }
}

/* What has a result for all operands, on all lanes; false: it is something else. */
static bool compute_lanes(const struct sum_insn *in, unsigned n, const int64_t *a, const int64_t *b,
                          int64_t *out)
{
    switch (in->op) {
    case SUM_ADD:
    case SUM_PTRADD:
        LANES(uint64_t, x + y);
    case SUM_SUB:
        LANES(uint64_t, x - y);
    case SUM_MUL:
        LANES(uint64_t, x * y);
    case SUM_AND:
        LANES(uint64_t, x & y);
    case SUM_OR:
        LANES(uint64_t, x | y);
    case SUM_XOR:
        LANES(uint64_t, x ^ y);
    case SUM_ICMP:
        return compare_lanes(in->sub, n, a, b, out);
    default:
        return false;
    }
}

/* The lanes of a value; `same` is room for those of one that is uniform. */
static const int64_t *operand(struct trace_prog *p, uint32_t slot, int64_t same[TRACE_LANES])
{
    if (!p->value[slot].uniform)
        return exec_lanes(p, slot);
    const int64_t all = p->value[slot].all;
    for (unsigned i = 0; i < p->lanes; i++)
        same[i] = all;
    return same;
}

static void exec_binary(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    const struct sum_insn *in = &p->k->insns[v];
    uint32_t sa = p->slot[p->k->opnds[in->opnd]], sb = p->slot[p->k->opnds[in->opnd + 1]];
    const struct value *a = &p->value[sa], *b = &p->value[sb];
    uint64_t known = a->known & b->known & mask;
    int64_t num[TRACE_LANES];
    bool ok = true;
    if (a->uniform && b->uniform) {
        num[0] = two_operands(p, v, a->all, b->all, &ok);
        exec_put(p, p->slot[v], mask, ok ? known : 0, num, true);
        return;
    }
    if (known == 0) {
        num[0] = 0;
        exec_put(p, p->slot[v], mask, 0, num, true);
        return;
    }
    int64_t same[TRACE_LANES];
    const int64_t *la = operand(p, sa, same), *lb = operand(p, sb, same);
    if (known == mask && compute_lanes(in, p->lanes, la, lb, num)) {
        for (unsigned i = 0; i < p->lanes; i++)
            num[i] = sum_signed((uint64_t)num[i], in->bits);
        exec_put(p, p->slot[v], mask, known, num, false);
        return;
    }
    for (unsigned i = 0; i < p->lanes; i++) {
        ok = true;
        num[i] = 0;
        if (known >> i & 1)
            num[i] = two_operands(p, v, la[i], lb[i], &ok);
        if (!ok)
            known &= ~(UINT64_C(1) << i);
    }
    exec_put(p, p->slot[v], mask, known, num, false);
}

static void exec_unary(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    const struct sum_insn *in = &p->k->insns[v];
    uint32_t from = p->k->opnds[in->opnd];
    const struct value *a = &p->value[p->slot[from]];
    unsigned width = p->k->insns[from].bits;
    int64_t num[TRACE_LANES];
    unsigned n = a->uniform ? 1 : p->lanes;
    const int64_t *la = a->uniform ? &a->all : exec_lanes(p, p->slot[from]);
    for (unsigned i = 0; i < n; i++)
        num[i] = in->op == SUM_ZEXT ? (int64_t)sum_low((uint64_t)la[i], width)
                                    : sum_signed((uint64_t)la[i], in->bits);
    exec_put(p, p->slot[v], mask, a->known & mask, num, a->uniform);
}

static void exec_select(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    const struct sum_insn *in = &p->k->insns[v];
    const uint32_t *o = &p->k->opnds[in->opnd];
    const struct value *c = &p->value[p->slot[o[0]]];
    const struct value *t = &p->value[p->slot[o[1]]], *f = &p->value[p->slot[o[2]]];
    int64_t num[TRACE_LANES];
    if (c->uniform && (c->known & mask) == mask) {
        const struct value *s = c->all & 1 ? t : f;
        if (s->uniform)
            num[0] = s->all;
        else
            memcpy(num, exec_lanes(p, (uint32_t)(s - p->value)), p->lanes * sizeof *num);
        exec_put(p, p->slot[v], mask, s->known & mask, num, s->uniform);
        return;
    }
    uint64_t known = 0;
    for (unsigned i = 0; i < p->lanes; i++) {
        num[i] = 0;
        if (!(mask >> i & 1))
            continue;
        int64_t vt = exec_get(p, o[1], i), vf = exec_get(p, o[2], i);
        bool both = (t->known & f->known) >> i & 1;
        if (c->known >> i & 1) {
            bool side = exec_get(p, o[0], i) & 1;
            num[i] = side ? vt : vf;
            known |= ((side ? t : f)->known >> i & 1) << i;
        } else if (both && vt == vf) {
            num[i] = vt;
            known |= UINT64_C(1) << i;
        }
    }
    exec_put(p, p->slot[v], mask, known, num, false);
}

/* A load is unknown, except from the private copy of a by-value struct, if nothing is stored there. */
static void exec_load(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    const struct sum_insn *in = &p->k->insns[v];
    const uint32_t ptr = p->k->opnds[in->opnd], base = sum_base(p->k, ptr);
    const struct sum_insn *arg = &p->k->insns[base];
    int64_t num[1] = {0};
    uint64_t known = 0;
    if (!p->stores_args && in->space == SUM_PRIVATE && in->bytes <= 8 && arg->op == SUM_ARG &&
        !(arg->flags & SUM_F_PART) && arg->imm < p->l->nargs && p->k->args[arg->imm].kind == SUM_ARG_SCALAR) {
        const struct value *from = &p->value[p->slot[base]], *to = &p->value[p->slot[ptr]];
        const uint8_t *value = p->l->args[arg->imm].value;
        const uint64_t size = p->k->args[arg->imm].size, at = (uint64_t)to->all - (uint64_t)from->all;
        const uint64_t held = size < LAUNCH_ARG_BYTES ? size : LAUNCH_ARG_BYTES;
        if (from->uniform && to->uniform && at <= held && in->bytes <= held - at) {
            memcpy(num, value + at, in->bytes);
            num[0] = sum_signed((uint64_t)num[0], in->bits);
            known = from->known & to->known & mask;
        }
    }
    exec_put(p, p->slot[v], mask, known, num, true);
}

void exec_insn(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    const struct sum_insn *in = &p->k->insns[v];
    int64_t zero = 0;
    if (in->lanes > 1 || in->flags & SUM_F_FLOAT) {
        exec_put(p, p->slot[v], mask, 0, &zero, true);
        return;
    }
    switch (in->op) {
    case SUM_SELECT:
        exec_select(p, v, mask);
        break;
    case SUM_TRUNC:
    case SUM_ZEXT:
    case SUM_SEXT:
        exec_unary(p, v, mask);
        break;
    case SUM_LOAD:
        exec_load(p, v, mask);
        break;
    default:
        if (in->op >= SUM_ADD && in->op <= SUM_PTRADD)
            exec_binary(p, v, mask);
        else
            exec_put(p, p->slot[v], mask, 0, &zero, true);
    }
}

static uint32_t incoming(const struct kernel_summary *k, const struct sum_insn *in, uint32_t from)
{
    for (uint32_t i = 0; i + 1 < in->nopnd; i += 2)
        if (k->opnds[in->opnd + i] == from)
            return k->opnds[in->opnd + i + 1];
    return CFG_NONE;
}

/* Write one phi from the value `src`, keeping lanes of `join` only where old and new agree. */
static void put_phi(struct trace_prog *p, uint32_t phi, const struct value *src, const int64_t *lane,
                    uint64_t mask, uint64_t join)
{
    uint32_t slot = p->slot[phi];
    const struct value *old = &p->value[slot];
    uint64_t known = src->known & mask;
    for (unsigned i = 0; join && i < p->lanes; i++)
        if (join >> i & 1 && (!(old->known >> i & 1) || exec_get(p, phi, i) != lane[src->uniform ? 0 : i]))
            known &= ~(UINT64_C(1) << i);
    exec_put(p, slot, mask, known, lane, src->uniform);
}

#define PHIS_AT_ONCE 16 /* more phis than this in one block are taken in turn: their cycles are not exact */

void exec_phis(struct trace_prog *p, uint32_t from, uint32_t to, uint64_t mask, uint64_t join)
{
    struct value copy[PHIS_AT_ONCE];
    int64_t lane[PHIS_AT_ONCE][TRACE_LANES];
    for (uint32_t i = p->phi_first[to]; i < p->phi_first[to + 1];) {
        uint32_t n = p->phi_first[to + 1] - i;
        n = n < PHIS_AT_ONCE ? n : PHIS_AT_ONCE;
        for (uint32_t j = 0; j < n; j++) {
            uint32_t src = incoming(p->k, &p->k->insns[p->phi[i + j]], from);
            uint32_t slot = src == CFG_NONE ? CFG_NONE : p->slot[src];
            copy[j] = slot == CFG_NONE ? (struct value){.uniform = true} : p->value[slot];
            if (copy[j].uniform)
                lane[j][0] = copy[j].all;
            else
                memcpy(lane[j], exec_lanes(p, slot), p->lanes * sizeof lane[j][0]);
        }
        for (uint32_t j = 0; j < n; j++)
            put_phi(p, p->phi[i + j], &copy[j], lane[j], mask, join & mask);
        i += n;
    }
}
