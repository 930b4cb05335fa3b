/* model_kernels.h - kernels built by hand for the tests of the model: a small assembler for summaries.
 *
 * Leaves first, then blocks in order; every function returns the id of the instruction it made. */
#pragma once

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/summary.h"
#include "select/launch.h"

#define KB_INSNS 256

struct kb {
    struct kernel_summary k;
    struct sum_insn insn[KB_INSNS];
    uint32_t opnd[KB_INSNS * 6];
    struct sum_block block[32];
    struct sum_arg arg[8];
    struct sum_var var[4];
};

static inline void kb_start(struct kb *b)
{
    memset(b, 0, sizeof *b);
    b->k.name = (char *)"hand";
    b->k.insns = b->insn;
    b->k.opnds = b->opnd;
    b->k.blocks = b->block;
    b->k.args = b->arg;
    b->k.vars = b->var;
    b->k.registers = 16;
}

static inline uint32_t kb_insn(struct kb *b, struct sum_insn in, unsigned n, ...)
{
    va_list ap;
    in.opnd = b->k.nopnd;
    in.nopnd = n;
    in.lanes = in.lanes ? in.lanes : 1;
    va_start(ap, n);
    for (unsigned i = 0; i < n; i++)
        b->opnd[b->k.nopnd++] = va_arg(ap, uint32_t);
    va_end(ap);
    b->insn[b->k.ninsn] = in;
    return b->k.ninsn++;
}

static inline uint32_t kb_leaf(struct kb *b, enum sum_op op, unsigned sub, unsigned bits, int64_t imm)
{
    uint32_t v =
        kb_insn(b, (struct sum_insn){.op = op, .sub = (uint8_t)sub, .bits = (uint8_t)bits, .imm = imm}, 0);
    b->k.nleaf = b->k.ninsn;
    return v;
}
static inline uint32_t kb_const(struct kb *b, unsigned bits, int64_t v)
{
    return kb_leaf(b, SUM_CONST, 0, bits, v);
}
static inline uint32_t kb_wi(struct kb *b, enum sum_wi f, unsigned dim)
{
    return kb_leaf(b, SUM_WI, f, 64, dim);
}
static inline uint32_t kb_buffer(struct kb *b, enum sum_space space)
{
    uint32_t a = b->k.nargs++;
    b->arg[a] = (struct sum_arg){.name = (char *)"",
                                 .type = (char *)"float*",
                                 .kind = SUM_ARG_BUFFER,
                                 .space = space,
                                 .size = 8,
                                 .may_read = true,
                                 .may_write = true};
    uint32_t v = kb_leaf(b, SUM_ARG, 0, 64, a);
    b->insn[v].space = (uint8_t)space;
    return v;
}
static inline uint32_t kb_scalar(struct kb *b, unsigned bits)
{
    uint32_t a = b->k.nargs++;
    b->arg[a] = (struct sum_arg){.name = (char *)"", .type = (char *)"int", .size = bits / 8};
    return kb_leaf(b, SUM_ARG, 0, bits, a);
}
static inline void kb_block(struct kb *b)
{
    if (b->k.nblock)
        b->block[b->k.nblock - 1].end = b->k.ninsn;
    b->block[b->k.nblock++].first = b->k.ninsn;
}
static inline void kb_end(struct kb *b)
{
    b->block[b->k.nblock - 1].end = b->k.ninsn;
}
static inline uint32_t kb_int(struct kb *b, enum sum_op op, unsigned bits, uint32_t x, uint32_t y)
{
    uint8_t cls = op == SUM_MUL ? SUM_C_IMUL : op == SUM_PTRADD ? SUM_C_NONE : SUM_C_IADD;
    return kb_insn(b, (struct sum_insn){.op = op, .cls = cls, .bits = (uint8_t)bits}, 2, x, y);
}
static inline uint32_t kb_cmp(struct kb *b, enum sum_pred p, uint32_t x, uint32_t y)
{
    return kb_insn(b, (struct sum_insn){.op = SUM_ICMP, .sub = p, .cls = SUM_C_IADD, .bits = 1}, 2, x, y);
}
static inline uint32_t kb_phi(struct kb *b, unsigned bits, uint32_t b0, uint32_t v0, uint32_t b1, uint32_t v1)
{
    return kb_insn(b, (struct sum_insn){.op = SUM_PHI, .bits = (uint8_t)bits}, 4, b0, v0, b1, v1);
}
static inline uint32_t kb_pure(struct kb *b, enum sum_class cls, uint32_t x, uint32_t y)
{
    return kb_insn(b, (struct sum_insn){.op = SUM_PURE, .cls = cls, .bits = 32, .flags = SUM_F_FLOAT}, 2, x,
                   y);
}
/* &base[index], elements of `size` bytes (a constant's id) */
static inline uint32_t kb_at(struct kb *b, uint32_t base, uint32_t index, uint32_t size)
{
    uint32_t bytes = kb_insn(b, (struct sum_insn){.op = SUM_MUL, .bits = 64}, 2, index, size);
    return kb_int(b, SUM_PTRADD, 64, base, bytes);
}
static inline uint32_t kb_load(struct kb *b, enum sum_space space, uint32_t ptr, unsigned bits, bool is_float)
{
    return kb_insn(b,
                   (struct sum_insn){.op = SUM_LOAD,
                                     .cls = SUM_C_MEM,
                                     .bits = (uint8_t)bits,
                                     .space = (uint8_t)space,
                                     .bytes = bits / 8,
                                     .flags = is_float ? SUM_F_FLOAT : 0},
                   1, ptr);
}
static inline void kb_store(struct kb *b, enum sum_space space, uint32_t ptr, uint32_t value)
{
    kb_insn(b, (struct sum_insn){.op = SUM_STORE, .cls = SUM_C_MEM, .space = (uint8_t)space, .bytes = 4}, 2,
            ptr, value);
}
static inline void kb_br(struct kb *b, uint32_t to)
{
    kb_insn(b, (struct sum_insn){.op = SUM_BR, .cls = SUM_C_BRANCH}, 1, to);
}
static inline void kb_condbr(struct kb *b, uint32_t c, uint32_t yes, uint32_t no)
{
    kb_insn(b, (struct sum_insn){.op = SUM_CONDBR, .cls = SUM_C_BRANCH}, 3, c, yes, no);
}
static inline void kb_ret(struct kb *b)
{
    kb_insn(b, (struct sum_insn){.op = SUM_RET}, 0);
}

/* out[f(x, y)] = in[g(x, y)]; `turn_in` and `turn_out` swap x and y. */
static inline void kb_copy(struct kb *b, bool turn_in, bool turn_out)
{
    kb_start(b);
    uint32_t in = kb_buffer(b, SUM_GLOBAL), out = kb_buffer(b, SUM_GLOBAL), n = kb_scalar(b, 64);
    uint32_t x = kb_wi(b, SUM_WI_GLOBAL_ID, 0), y = kb_wi(b, SUM_WI_GLOBAL_ID, 1), four = kb_const(b, 64, 4);
    kb_block(b);
    uint32_t row_in = kb_int(b, SUM_MUL, 64, turn_in ? x : y, n);
    uint32_t i = kb_int(b, SUM_ADD, 64, row_in, turn_in ? y : x);
    uint32_t row_out = kb_int(b, SUM_MUL, 64, turn_out ? x : y, n);
    uint32_t o = kb_int(b, SUM_ADD, 64, row_out, turn_out ? y : x);
    uint32_t v = kb_load(b, SUM_GLOBAL, kb_at(b, in, i, four), 32, true);
    kb_store(b, SUM_GLOBAL, kb_at(b, out, o, four), v);
    kb_ret(b);
    kb_end(b);
}

/* out[y, x] = in[y, x], guarded by the id along `dim` being above 0 */
static inline void kb_guarded_copy(struct kb *b, unsigned dim)
{
    kb_start(b);
    uint32_t in = kb_buffer(b, SUM_GLOBAL), out = kb_buffer(b, SUM_GLOBAL), n = kb_scalar(b, 64);
    uint32_t x = kb_wi(b, SUM_WI_GLOBAL_ID, 0), y = kb_wi(b, SUM_WI_GLOBAL_ID, 1);
    uint32_t four = kb_const(b, 64, 4), none = kb_const(b, 64, 0);
    kb_block(b);
    kb_condbr(b, kb_cmp(b, SUM_SGT, dim ? y : x, none), 1, 2);
    kb_block(b);
    uint32_t at = kb_int(b, SUM_ADD, 64, kb_int(b, SUM_MUL, 64, y, n), x);
    uint32_t v = kb_load(b, SUM_GLOBAL, kb_at(b, in, at, four), 32, true);
    kb_store(b, SUM_GLOBAL, kb_at(b, out, at, four), v);
    kb_br(b, 2);
    kb_block(b);
    kb_ret(b);
    kb_end(b);
}

/* y[i] += a * x[i], guarded by i < n */
static inline void kb_saxpy(struct kb *b)
{
    kb_start(b);
    uint32_t in = kb_buffer(b, SUM_GLOBAL), out = kb_buffer(b, SUM_GLOBAL), n = kb_scalar(b, 64);
    uint32_t x = kb_wi(b, SUM_WI_GLOBAL_ID, 0), four = kb_const(b, 64, 4);
    kb_block(b);
    kb_condbr(b, kb_cmp(b, SUM_SLT, x, n), 1, 2);
    kb_block(b);
    uint32_t pi = kb_at(b, in, x, four), po = kb_at(b, out, x, four);
    uint32_t vx = kb_load(b, SUM_GLOBAL, pi, 32, true), vy = kb_load(b, SUM_GLOBAL, po, 32, true);
    kb_store(b, SUM_GLOBAL, po, kb_pure(b, SUM_C_FMA, vx, vy));
    kb_br(b, 2);
    kb_block(b);
    kb_ret(b);
    kb_end(b);
    b->k.fact[SUM_FACT_U].reason = SUM_R_POSITION_DEPENDENT;
}

/* y[r] = sum over k < n of a[r*n + k] * v[k] (or a[k*n + r]); top-tested loop */
static inline void kb_matvec(struct kb *b, bool transposed)
{
    kb_start(b);
    uint32_t a = kb_buffer(b, SUM_GLOBAL), v = kb_buffer(b, SUM_GLOBAL), y = kb_buffer(b, SUM_GLOBAL);
    uint32_t n = kb_scalar(b, 64), r = kb_wi(b, SUM_WI_GLOBAL_ID, 0);
    uint32_t zero = kb_const(b, 64, 0), one = kb_const(b, 64, 1), four = kb_const(b, 64, 4);
    kb_block(b);
    kb_br(b, 1);
    kb_block(b); /* 1: header */
    uint32_t k = b->k.ninsn, next = k + 12;
    kb_phi(b, 64, 0, zero, 2, next);
    kb_condbr(b, kb_cmp(b, SUM_SLT, k, n), 2, 3);
    kb_block(b); /* 2: body */
    uint32_t row = kb_int(b, SUM_MUL, 64, transposed ? k : r, n);
    uint32_t i = kb_int(b, SUM_ADD, 64, row, transposed ? r : k);
    uint32_t pa = kb_at(b, a, i, four), pv = kb_at(b, v, k, four);
    uint32_t va = kb_load(b, SUM_GLOBAL, pa, 32, true), vv = kb_load(b, SUM_GLOBAL, pv, 32, true);
    kb_pure(b, SUM_C_FMA, va, vv);
    kb_int(b, SUM_ADD, 64, k, one);
    kb_br(b, 1);
    kb_block(b); /* 3 */
    kb_store(b, SUM_GLOBAL, kb_at(b, y, r, four), zero);
    kb_ret(b);
    kb_end(b);
}

/* A launch over `global` with buffer arguments of `bytes` each and the scalar n last. */
static inline void launch_fill(struct launch *l, struct launch_arg *arg, const struct kb *b, size_t gx,
                               size_t gy, uint64_t bytes, int64_t n)
{
    *l = (struct launch){.dim = gy > 1 ? 2 : 1, .global = {gx, gy, 1}, .nargs = b->k.nargs, .args = arg};
    for (uint32_t i = 0; i < b->k.nargs; i++) {
        arg[i] = (struct launch_arg){.set = true, .size = b->arg[i].size};
        if (b->arg[i].kind == SUM_ARG_BUFFER) {
            arg[i].memory = 100 + i;
            arg[i].bytes = bytes;
        } else {
            memcpy(arg[i].value, &n, sizeof n);
        }
    }
}
