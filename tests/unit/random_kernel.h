/* random_kernel.h - random kernels with branches, loops, choices and private memory, to be run by tests. */
#pragma once

#include "summary_text.h"

#define MAX_INSN  600
#define MAX_OPND  2000
#define MAX_BLOCK 200

static inline uint32_t rnd(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

static inline uint64_t cut(uint64_t x, unsigned bits)
{
    return bits >= 64 ? x : x & ((1ull << bits) - 1);
}

static inline int64_t sign(uint64_t x, unsigned bits)
{
    return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

struct gen {
    struct kernel_summary k;
    uint64_t seed;
    uint32_t avail[MAX_INSN], navail; /* integer values that dominate the current place */
    uint32_t buffer[2], array;        /* leaves: a, b, a private array */
    uint32_t c4, c8, c7, c1, c1_32;
    unsigned depth;
};

static inline uint32_t emit(struct gen *g, struct sum_insn in, unsigned n, const uint32_t *opnds)
{
    struct kernel_summary *k = &g->k;
    in.opnd = k->nopnd;
    in.nopnd = n;
    in.lanes = 1;
    for (unsigned i = 0; i < n; i++)
        k->opnds[k->nopnd++] = opnds[i];
    k->insns[k->ninsn] = in;
    return k->ninsn++;
}

static inline uint32_t emit2(struct gen *g, unsigned op, unsigned sub, unsigned bits, uint32_t a, uint32_t b)
{
    return emit(g, (struct sum_insn){.op = (uint8_t)op, .sub = (uint8_t)sub, .bits = (uint8_t)bits}, 2,
                (uint32_t[]){a, b});
}

static inline uint32_t begin_block(struct gen *g)
{
    g->k.blocks[g->k.nblock].first = g->k.ninsn;
    return g->k.nblock++;
}

static inline uint32_t end_block(struct gen *g, unsigned op, unsigned n, const uint32_t *opnds)
{
    uint32_t v = emit(g, (struct sum_insn){.op = (uint8_t)op}, n, opnds);
    g->k.blocks[g->k.nblock - 1].end = g->k.ninsn;
    return g->k.insns[v].opnd;
}

static inline uint32_t push(struct gen *g, uint32_t v)
{
    g->avail[g->navail++] = v;
    return v;
}

/* Now and then a sum or product must not wrap around. */
static inline uint32_t gen_flags(struct gen *g, uint32_t v)
{
    struct sum_insn *in = &g->k.insns[v];
    if ((in->op == SUM_ADD || in->op == SUM_SUB || in->op == SUM_MUL) && rnd(&g->seed) % 3 == 0)
        in->flags |= SUM_F_NSW;
    return v;
}

/* A value of this width, recent ones first. */
static inline uint32_t pick(struct gen *g, unsigned bits)
{
    for (;;) {
        uint32_t back = rnd(&g->seed) % (rnd(&g->seed) % 2 && g->navail > 6 ? 6 : g->navail);
        uint32_t v = g->avail[g->navail - 1 - back];
        unsigned from = g->k.insns[v].bits;
        if (from == bits)
            return v;
        if (rnd(&g->seed) % 3 == 0) {
            unsigned op = bits < from ? SUM_TRUNC : rnd(&g->seed) % 2 ? SUM_SEXT : SUM_ZEXT;
            return push(g, emit(g, (struct sum_insn){.op = (uint8_t)op, .bits = (uint8_t)bits}, 1, &v));
        }
    }
}

static inline unsigned width(struct gen *g)
{
    return rnd(&g->seed) % 2 ? 64 : 32;
}

static inline void gen_op(struct gen *g)
{
    static const uint8_t ops[] = {SUM_ADD,  SUM_ADD,  SUM_ADD,  SUM_ADD, SUM_MUL,  SUM_MUL, SUM_MUL,
                                  SUM_SUB,  SUM_UDIV, SUM_UREM, SUM_AND, SUM_OR,   SUM_XOR, SUM_UMIN,
                                  SUM_SMAX, SUM_SDIV, SUM_SREM, SUM_SHL, SUM_LSHR, SUM_ASHR};
    unsigned w = width(g), op = ops[rnd(&g->seed) % sizeof(ops)];
    uint32_t a = pick(g, w), b = pick(g, w);
    if (rnd(&g->seed) % 8 == 0) {
        uint32_t c = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, a, b);
        push(g, emit(g, (struct sum_insn){.op = SUM_SELECT, .bits = (uint8_t)w}, 3,
                     (uint32_t[]){c, a, pick(g, w)}));
    } else {
        push(g, gen_flags(g, emit2(g, op, 0, w, a, b)));
    }
}

/* A comparison, or two of them joined. */
static inline uint32_t gen_condition(struct gen *g)
{
    unsigned w = width(g);
    uint32_t c = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, pick(g, w), pick(g, w));
    if (rnd(&g->seed) % 4)
        return c;
    w = width(g);
    uint32_t d = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, pick(g, w), pick(g, w));
    return emit2(g, rnd(&g->seed) % 2 ? SUM_AND : SUM_OR, 0, 1, c, d);
}

/* A sum in fewer bits, extended. */
static inline void gen_narrow(struct gen *g)
{
    unsigned w = width(g), few = rnd(&g->seed) % 2 ? 16 : 8, op = rnd(&g->seed) % 3;
    uint32_t a = pick(g, 32), b = pick(g, 32);
    a = emit(g, (struct sum_insn){.op = SUM_TRUNC, .bits = (uint8_t)few}, 1, &a);
    b = emit(g, (struct sum_insn){.op = SUM_TRUNC, .bits = (uint8_t)few}, 1, &b);
    if (op)
        a = emit2(g, op == 1 ? SUM_ADD : SUM_UREM, 0, few, a, b);
    struct sum_insn wide = {.op = rnd(&g->seed) % 2 ? SUM_SEXT : SUM_ZEXT, .bits = (uint8_t)w};
    push(g, emit(g, wide, 1, &a));
}

/* The global id as careful and careless programmers write it. */
static inline void gen_idiom(struct gen *g)
{
    uint32_t id[6];
    static const uint8_t wi[] = {SUM_WI_GROUP_ID, SUM_WI_LOCAL_SIZE, SUM_WI_LOCAL_ID, SUM_WI_GLOBAL_OFFSET};
    unsigned d = rnd(&g->seed) % 2;
    for (unsigned i = 0; i < 4; i++)
        for (uint32_t v = 0; v < g->k.nleaf; v++)
            if (g->k.insns[v].op == SUM_WI && g->k.insns[v].sub == wi[i] && g->k.insns[v].imm == d)
                id[i] = v;
    uint32_t x = push(g, emit2(g, SUM_MUL, 0, 64, id[0], id[1]));
    x = push(g, emit2(g, SUM_ADD, 0, 64, x, id[2]));
    if (rnd(&g->seed) % 2)
        x = push(g, emit2(g, SUM_ADD, 0, 64, x, id[3]));
}

/* mul24() and a select, half of the selects between neighbours; a store at one of them. */
static inline void gen_choice(struct gen *g)
{
    unsigned w = width(g), wc = width(g);
    uint32_t c = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, pick(g, wc), pick(g, wc));
    uint32_t a = pick(g, w), b = rnd(&g->seed) % 2 ? pick(g, w) : emit2(g, SUM_ADD, 0, w, a, pick(g, w));
    uint32_t chosen =
        push(g, emit(g, (struct sum_insn){.op = SUM_SELECT, .bits = (uint8_t)w}, 3, (uint32_t[]){c, a, b}));
    struct sum_insn product = {.op = SUM_MUL, .bits = 32, .flags = SUM_F_24};
    product.flags |= rnd(&g->seed) % 2 ? SUM_F_UNSIGNED : 0;
    uint32_t p = push(g, emit(g, product, 2, (uint32_t[]){pick(g, 32), pick(g, 32)}));
    struct sum_insn wide = {.op = rnd(&g->seed) % 2 ? SUM_SEXT : SUM_ZEXT, .bits = 64};
    p = push(g, emit(g, wide, 1, &p));
    p = emit2(g, SUM_MUL, 0, 64, w == 64 && rnd(&g->seed) % 2 ? chosen : p, g->c4);
    struct sum_insn add = {.op = SUM_PTRADD, .bits = 64, .space = SUM_GLOBAL};
    p = emit(g, add, 2, (uint32_t[]){g->buffer[1], p});
    emit(g, (struct sum_insn){.op = SUM_STORE, .bytes = 4, .space = SUM_GLOBAL}, 2,
         (uint32_t[]){p, pick(g, 32)});
}

/* A store at a digit of the id, or at its bits: by an argument, a constant, or any number. */
static inline void gen_digit(struct gen *g)
{
    static const uint8_t ops[] = {SUM_UDIV, SUM_UREM, SUM_SDIV, SUM_SREM, SUM_LSHR, SUM_AND, SUM_XOR};
    uint32_t id = 0, number = 0;
    while (g->k.insns[id].op != SUM_WI || g->k.insns[id].sub != SUM_WI_GLOBAL_ID)
        id++;
    while (g->k.insns[number].op != SUM_ARG || g->k.insns[number].imm != 3)
        number++;
    if (rnd(&g->seed) % 2)
        number = rnd(&g->seed) % 2 ? g->c8 : pick(g, 64);
    if (rnd(&g->seed) % 3 == 0)
        id = pick(g, 64);
    uint32_t x = push(g, emit2(g, ops[rnd(&g->seed) % sizeof(ops)], 0, 64, id, number));
    if (rnd(&g->seed) % 2)
        x = emit2(g, SUM_ADD, 0, 64, x, pick(g, 64));
    x = emit2(g, SUM_MUL, 0, 64, x, g->c4);
    struct sum_insn add = {.op = SUM_PTRADD, .bits = 64, .space = SUM_GLOBAL};
    x = emit(g, add, 2, (uint32_t[]){g->buffer[1], x});
    emit(g, (struct sum_insn){.op = SUM_STORE, .bytes = 4, .space = SUM_GLOBAL}, 2,
         (uint32_t[]){x, pick(g, 32)});
}

static inline uint32_t gen_address(struct gen *g, uint32_t base, bool private)
{
    uint32_t i = pick(g, 64);
    if (private && rnd(&g->seed) % 4)
        i = emit2(g, SUM_AND, 0, 64, i, g->c7);
    i = emit2(g, SUM_MUL, 0, 64, i, private ? g->c8 : g->c4);
    return emit(g,
                (struct sum_insn){.op = SUM_PTRADD, .bits = 64, .space = private ? SUM_PRIVATE : SUM_GLOBAL},
                2, (uint32_t[]){base, i});
}

static inline void gen_memory(struct gen *g)
{
    bool private = rnd(&g->seed) % 3 == 0, load = rnd(&g->seed) % 2;
    unsigned w = private ? 64 : width(g), which = load ? rnd(&g->seed) % 4 == 0 : 1;
    struct sum_insn in = {.op = load ? SUM_LOAD : SUM_STORE, .bytes = w / 8, .bits = load ? (uint8_t)w : 0};
    in.space = private ? SUM_PRIVATE : SUM_GLOBAL;
    uint32_t p = gen_address(g, private ? g->array : g->buffer[which], private);
    if (load)
        push(g, emit(g, in, 1, &p));
    else
        emit(g, in, 2, (uint32_t[]){p, pick(g, w)});
}

static inline void gen_region(struct gen *g, unsigned n);

/* In some iterations a counter advances: by a constant or by a multiple of a number, or not. */
static inline uint32_t gen_advance(struct gen *g, uint32_t counter)
{
    unsigned w = g->k.insns[counter].bits, wc = width(g);
    uint32_t by = rnd(&g->seed) % 2 ? (w == 64 ? g->c4 : g->c1_32) : pick(g, w);
    uint32_t c = emit2(g, SUM_ICMP, rnd(&g->seed) % 10, 1, pick(g, wc), pick(g, wc));
    if (rnd(&g->seed) % 3 == 0)
        counter = emit2(g, SUM_ADD, 0, w, counter, by);
    if (rnd(&g->seed) % 6 == 0 && w == 64) { /* in 32 bits */
        counter = emit(g, (struct sum_insn){.op = SUM_TRUNC, .bits = 32}, 1, &counter);
        counter = emit2(g, SUM_ADD, 0, 32, counter, g->c1_32);
        counter = emit(g, (struct sum_insn){.op = SUM_SEXT, .bits = 64}, 1, &counter);
    }
    uint32_t from = g->k.nblock - 1;
    uint32_t br = end_block(g, SUM_CONDBR, 3, (uint32_t[]){c, g->k.nblock, 0});
    begin_block(g);
    uint32_t more = gen_flags(g, emit2(g, SUM_ADD, 0, w, counter, by));
    uint32_t to = end_block(g, SUM_BR, 1, (uint32_t[]){0});
    g->k.opnds[to] = g->k.opnds[br + 2] = begin_block(g);
    return push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)w}, 4,
                        (uint32_t[]){from, counter, from + 1, more}));
}

static inline void gen_if(struct gen *g)
{
    unsigned wm = width(g);
    uint32_t ends[2], val[2], to_join[2], keep, c = gen_condition(g);
    val[1] = pick(g, wm);
    keep = g->navail;
    uint32_t br = end_block(g, SUM_CONDBR, 3, (uint32_t[]){c, 0, 0});
    ends[1] = g->k.nblock - 1;
    bool both = rnd(&g->seed) % 2;
    for (unsigned side = 0; side < (both ? 2u : 1u); side++) {
        g->k.opnds[br + 1 + side] = begin_block(g);
        gen_region(g, 1 + rnd(&g->seed) % 3);
        val[side] = pick(g, wm);
        to_join[side] = end_block(g, SUM_BR, 1, (uint32_t[]){0});
        ends[side] = g->k.nblock - 1;
        g->navail = keep;
    }
    uint32_t join = begin_block(g);
    for (unsigned side = 0; side < 2; side++)
        g->k.opnds[side == 0 || both ? to_join[side] : br + 2] = join;
    push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)wm}, 4,
                 (uint32_t[]){ends[0], val[0], ends[1], val[1]}));
}

static inline uint32_t constant(const struct gen *g, unsigned bits, int64_t imm)
{
    uint32_t v = 0;
    while (g->k.insns[v].op != SUM_CONST || g->k.insns[v].bits != bits || g->k.insns[v].imm != imm)
        v++;
    return v;
}

/* Two cases, which may share a block, and a default without one. */
static inline void gen_switch(struct gen *g)
{
    unsigned w = width(g), wm = width(g), n = 1 + rnd(&g->seed) % 2;
    int64_t first = rnd(&g->seed) % 3;
    uint32_t x = pick(g, w), phi[6] = {0, pick(g, wm)}, to_join[2], keep = g->navail;
    uint32_t sw = end_block(g, SUM_SWITCH, 6,
                            (uint32_t[]){x, 0, constant(g, w, first), 0, constant(g, w, first + 1), 0});
    phi[0] = g->k.nblock - 1;
    for (unsigned i = 0; i < n; i++) {
        uint32_t b = begin_block(g);
        g->k.opnds[sw + 3 + 2 * i] = g->k.opnds[sw + 5] = b;
        gen_region(g, 1 + rnd(&g->seed) % 3);
        phi[3 + 2 * i] = pick(g, wm);
        to_join[i] = end_block(g, SUM_BR, 1, (uint32_t[]){0});
        phi[2 + 2 * i] = g->k.nblock - 1;
        g->navail = keep;
    }
    uint32_t join = begin_block(g);
    g->k.opnds[sw + 1] = join;
    for (unsigned i = 0; i < n; i++)
        g->k.opnds[to_join[i]] = join;
    push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)wm}, 2 + 2 * n, phi));
}

/* Is the counter i before its bound: as they are, cut off and extended, or with something added to i? */
static inline uint32_t gen_test(struct gen *g, unsigned pred, uint32_t i, uint32_t acc, uint32_t bound)
{
    unsigned w = g->k.insns[i].bits, how = rnd(&g->seed) % 8, few = how == 0 ? 16 : 32;
    struct sum_insn extend = {.op = rnd(&g->seed) % 2 ? SUM_SEXT : SUM_ZEXT, .bits = 64};
    struct sum_insn cut_off = {.op = SUM_TRUNC, .bits = (uint8_t)few};
    if (how < 2) {
        i = w == few ? i : emit(g, cut_off, 1, &i);
        bound = w == few ? bound : emit(g, cut_off, 1, &bound);
        i = emit(g, extend, 1, &i);
        bound = emit(g, extend, 1, &bound);
    } else if (how == 2) {
        i = emit2(g, SUM_ADD, 0, w, i, w == g->k.insns[acc].bits ? acc : pick(g, w));
    }
    return emit2(g, SUM_ICMP, pred, 1, i, bound);
}

/* A loop with its test at the end, as LLVM makes them, behind the same test or without it. */
static inline void gen_rotated(struct gen *g)
{
    static const uint8_t preds[] = {SUM_SLT, SUM_ULT, SUM_SLE, SUM_NE, SUM_SGT, SUM_UGT};
    unsigned w = width(g), wa = width(g), pred = preds[rnd(&g->seed) % sizeof(preds)];
    uint32_t init = pick(g, w), bound = pick(g, w), acc0 = pick(g, wa), one = w == 64 ? g->c1 : g->c1_32;
    uint32_t step = rnd(&g->seed) % 3 ? one : pick(g, w), keep = g->navail, out = 0;
    bool guard = rnd(&g->seed) % 2;
    if (rnd(&g->seed) % 2)
        bound = emit2(g, SUM_ADD, 0, w, init, constant(g, w, 1 + rnd(&g->seed) % 3));
    uint32_t before = g->k.nblock - 1;
    if (guard) {
        uint32_t c = emit2(g, SUM_ICMP, pred, 1, init, bound);
        out = end_block(g, SUM_CONDBR, 3, (uint32_t[]){c, g->k.nblock, 0});
    } else {
        end_block(g, SUM_BR, 1, (uint32_t[]){g->k.nblock});
    }
    uint32_t head = begin_block(g);
    uint32_t i = push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)w}, 4,
                              (uint32_t[]){before, init, 0, 0}));
    uint32_t acc = push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)wa}, 4,
                                (uint32_t[]){before, acc0, 0, 0}));
    gen_region(g, 1 + rnd(&g->seed) % 4);
    uint32_t acc1 = rnd(&g->seed) % 4 ? pick(g, wa) : gen_advance(g, acc);
    uint32_t next = gen_flags(g, emit2(g, rnd(&g->seed) % 4 ? SUM_ADD : SUM_SUB, 0, w, i, step));
    uint32_t c = gen_test(g, pred, rnd(&g->seed) % 3 ? next : i, acc, bound);
    uint32_t latch = g->k.nblock - 1, br = end_block(g, SUM_CONDBR, 3, (uint32_t[]){c, head, 0});
    for (unsigned j = 0; j < 2; j++) {
        uint32_t *o = &g->k.opnds[g->k.insns[j ? acc : i].opnd];
        o[2] = latch;
        o[3] = j ? acc1 : next;
    }
    if (guard)
        g->navail = keep; /* else what the loop made is there behind it, too */
    g->k.opnds[br + 2] = begin_block(g);
    if (guard)
        g->k.opnds[out + 2] = g->k.nblock - 1;
}

static inline void gen_loop(struct gen *g)
{
    static const uint8_t preds[] = {SUM_SLT, SUM_ULT, SUM_SLT, SUM_ULT, SUM_SLE,
                                    SUM_ULE, SUM_NE,  SUM_SGT, SUM_UGT};
    unsigned w = width(g), wa = width(g), pred = preds[rnd(&g->seed) % sizeof(preds)];
    bool goes_on = rnd(&g->seed) % 4 == 0; /* from another place, too */
    uint32_t init = pick(g, w), bound = pick(g, w), acc0 = pick(g, wa), step = w == 64 ? g->c1 : g->c1_32;
    if (rnd(&g->seed) % 2)
        bound = push(g, emit2(g, SUM_ADD, 0, w, init, emit2(g, SUM_MUL, 0, w, step, step)));
    if (rnd(&g->seed) % 3 == 0)
        step = pick(g, w);
    uint32_t before = g->k.nblock - 1;
    end_block(g, SUM_BR, 1, (uint32_t[]){g->k.nblock});
    uint32_t head = begin_block(g);
    uint32_t i = push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)w}, goes_on ? 6 : 4,
                              (uint32_t[]){before, init, 0, 0, 0, 0}));
    uint32_t acc = push(g, emit(g, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)wa}, goes_on ? 6 : 4,
                                (uint32_t[]){before, acc0, 0, 0, 0, 0}));
    uint32_t *next_i = &g->k.opnds[g->k.insns[i].opnd + 2], *next_acc = &g->k.opnds[g->k.insns[acc].opnd + 2];
    if (rnd(&g->seed) % 4 == 0)
        gen_memory(g); /* before the test */
    uint32_t c = gen_test(g, pred, i, acc, bound), keep = g->navail;
    uint32_t br = end_block(g, SUM_CONDBR, 3, (uint32_t[]){c, g->k.nblock, 0});
    begin_block(g);
    gen_region(g, 1 + rnd(&g->seed) % 4);
    if (goes_on) {
        next_acc[3] = rnd(&g->seed) % 2 ? emit2(g, SUM_ADD, 0, wa, acc, pick(g, wa)) : gen_advance(g, acc);
        next_i[3] = emit2(g, SUM_ADD, 0, w, i, rnd(&g->seed) % 2 ? step : pick(g, w));
        next_i[2] = next_acc[2] = g->k.nblock - 1;
        end_block(g, SUM_CONDBR, 3, (uint32_t[]){gen_condition(g), head, g->k.nblock});
        begin_block(g);
        gen_region(g, 1 + rnd(&g->seed) % 2);
    }
    next_acc[1] = rnd(&g->seed) % 4 ? pick(g, wa) : gen_advance(g, acc);
    next_i[1] = gen_flags(g, emit2(g, rnd(&g->seed) % 4 ? SUM_ADD : SUM_SUB, 0, w, i, step));
    if (rnd(&g->seed) % 4 == 0) { /* a break */
        uint32_t d = rnd(&g->seed) % 2 ? gen_condition(g) : gen_test(g, pred, i, acc, bound);
        uint32_t out = end_block(g, SUM_CONDBR, 3, (uint32_t[]){d, 0, g->k.nblock});
        begin_block(g);
        end_block(g, SUM_BR, 1, &head);
        g->k.opnds[out + 1] = g->k.nblock;
    } else {
        end_block(g, SUM_BR, 1, &head);
    }
    next_i[0] = next_acc[0] = g->k.nblock - 1;
    g->navail = keep;
    g->k.opnds[br + 2] = begin_block(g);
}

static inline void gen_region(struct gen *g, unsigned n)
{
    g->depth++;
    for (unsigned i = 0; i < n && g->k.ninsn < MAX_INSN - 150; i++) {
        unsigned what = rnd(&g->seed) % 17;
        if (what < 5)
            gen_op(g);
        else if (what < 6)
            gen_idiom(g);
        else if (what < 9)
            gen_memory(g);
        else if (what == 12)
            gen_choice(g);
        else if (what == 13)
            gen_narrow(g);
        else if (what == 16)
            gen_digit(g);
        else if (g->depth > 3)
            gen_op(g);
        else if (what < 11)
            gen_if(g);
        else if (what == 14)
            gen_switch(g);
        else if (what == 15)
            gen_rotated(g);
        else
            gen_loop(g);
    }
    g->depth--;
}

static inline void gen_leaves(struct gen *g, bool tame)
{
    static const uint8_t wi[] = {SUM_WI_GLOBAL_ID,  SUM_WI_GLOBAL_SIZE, SUM_WI_GLOBAL_OFFSET, SUM_WI_LOCAL_ID,
                                 SUM_WI_LOCAL_SIZE, SUM_WI_GROUP_ID,    SUM_WI_NUM_GROUPS};
    static const int8_t consts[] = {0, 1, -1, 2, 3, 8};
    for (unsigned i = 0; i < 2; i++)
        g->buffer[i] =
            emit(g, (struct sum_insn){.op = SUM_ARG, .bits = 64, .space = SUM_GLOBAL, .imm = i}, 0, NULL);
    g->array = emit(g, (struct sum_insn){.op = SUM_ALLOCA, .bits = 64, .imm = 64}, 0, NULL);
    push(g, emit(g, (struct sum_insn){.op = SUM_ARG, .bits = 32, .imm = 2}, 0, NULL));
    push(g, emit(g, (struct sum_insn){.op = SUM_ARG, .bits = 64, .imm = 3}, 0, NULL));
    for (unsigned i = 0; i < sizeof(wi); i++)
        for (unsigned d = 0; d < 2; d++) {
            uint32_t v =
                emit(g, (struct sum_insn){.op = SUM_WI, .sub = wi[i], .bits = 64, .imm = d}, 0, NULL);
            if (i == 0 || !tame) /* a tame kernel sees the others through the idiom alone */
                push(g, v);
        }
    for (unsigned i = 0; i < sizeof(consts); i++)
        for (unsigned w = 32; w <= 64; w += 32)
            push(g,
                 emit(g, (struct sum_insn){.op = SUM_CONST, .bits = (uint8_t)w, .imm = consts[i]}, 0, NULL));
    g->c1_32 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 32, .imm = 1}, 0, NULL);
    g->c1 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 64, .imm = 1}, 0, NULL);
    g->c4 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 64, .imm = 4}, 0, NULL);
    g->c7 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 64, .imm = 7}, 0, NULL);
    g->c8 = emit(g, (struct sum_insn){.op = SUM_CONST, .bits = 64, .imm = 8}, 0, NULL);
    g->k.nleaf = g->k.ninsn;
}

static inline void generate(struct gen *g, uint64_t seed)
{
    static const uint8_t kinds[] = {SUM_ARG_BUFFER, SUM_ARG_BUFFER, SUM_ARG_SCALAR, SUM_ARG_SCALAR};
    static const uint8_t sizes[] = {8, 8, 4, 8};
    memset(g, 0, sizeof(*g));
    g->seed = seed;
    g->k.name = strdup("k");
    g->k.nargs = 4;
    g->k.args = calloc(4, sizeof(*g->k.args));
    for (unsigned i = 0; i < 4; i++) {
        g->k.args[i].kind = kinds[i];
        g->k.args[i].size = sizes[i];
        g->k.args[i].space = i < 2 ? SUM_GLOBAL : SUM_PRIVATE;
    }
    g->k.insns = calloc(MAX_INSN, sizeof(*g->k.insns));
    g->k.opnds = calloc(MAX_OPND, sizeof(*g->k.opnds));
    g->k.blocks = calloc(MAX_BLOCK, sizeof(*g->k.blocks));
    gen_leaves(g, rnd(&g->seed) % 4 != 0);
    begin_block(g);
    gen_region(g, 2 + rnd(&g->seed) % 8);
    gen_memory(g);
    end_block(g, SUM_RET, 0, NULL);
}
