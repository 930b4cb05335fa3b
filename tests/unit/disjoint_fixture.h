/* disjoint_fixture.h - a kernel's accesses, written down term by term, and a launch, for sel_disjoint(). */
#pragma once

#include "select/select.h"

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 6, GUARDS = 2, ACCESSES = 4, LOOPS = 2, INSNS = 16 };

/* A kernel with one written buffer (argument 0), scalars (1, 2) and room for what a test puts in. */
struct fixture {
    struct kernel_summary k;
    struct launch l;
    struct sum_arg args[3];
    struct launch_arg values[3];
    struct sum_access access[ACCESSES];
    struct sum_guard guard[ACCESSES][GUARDS];
    struct sum_range range[ACCESSES];
    struct sum_loop loop[LOOPS];
    struct sum_range loop_range[LOOPS];
    struct sum_insn insn[INSNS];
    uint32_t opnd[INSNS * 2];
    struct sum_block block[1];
    struct sum_term term[256];
    unsigned nterm;
};

#define GID(d)                                                                                               \
    (struct sum_sym)                                                                                         \
    {                                                                                                        \
        SUM_SYM_GID, 0, d                                                                                    \
    }
#define OFFSET(d)                                                                                            \
    (struct sum_sym)                                                                                         \
    {                                                                                                        \
        SUM_SYM_OFFSET, 0, d                                                                                 \
    }
#define GSIZE(d)                                                                                             \
    (struct sum_sym)                                                                                         \
    {                                                                                                        \
        SUM_SYM_GSIZE, 0, d                                                                                  \
    }
#define ARG(i)                                                                                               \
    (struct sum_sym)                                                                                         \
    {                                                                                                        \
        SUM_SYM_ARG, 0, i                                                                                    \
    }
#define LOOP(i)                                                                                              \
    (struct sum_sym)                                                                                         \
    {                                                                                                        \
        SUM_SYM_LOOP, 0, i                                                                                   \
    }
#define UNIFORM(i)                                                                                           \
    (struct sum_sym)                                                                                         \
    {                                                                                                        \
        SUM_SYM_UNIFORM, 0, i                                                                                \
    }

static inline void scalar(struct fixture *f, unsigned i, int32_t v)
{
    memcpy(f->values[i].value, &v, sizeof v);
}

static inline void setup(struct fixture *f, unsigned dim, size_t x, size_t y, size_t z)
{
    memset(f, 0, sizeof *f);
    f->args[0] = (struct sum_arg){
        .name = (char *)"out", .kind = SUM_ARG_BUFFER, .space = SUM_GLOBAL, .size = 8, .may_write = true};
    f->values[0] = (struct launch_arg){.set = true, .size = 8, .memory = 1, .bytes = 1 << 20};
    for (unsigned i = 1; i < 3; i++) {
        f->args[i] = (struct sum_arg){.name = (char *)"n", .kind = SUM_ARG_SCALAR, .size = 4};
        f->values[i] = (struct launch_arg){.set = true, .size = 4};
    }
    f->k = (struct kernel_summary){.name = (char *)"k",
                                   .nargs = 3,
                                   .args = f->args,
                                   .access = f->access,
                                   .loops = f->loop,
                                   .insns = f->insn,
                                   .opnds = f->opnd,
                                   .blocks = f->block,
                                   .nblock = 1};
    f->l = (struct launch){.dim = dim, .global = {x, y, z}, .nargs = 3, .args = f->values};
    /* 0: opaque leaf; 1: argument 2; 2: constant 1; 3: argument 2 >> 1; 4: atomic add; 5: atomic or */
    f->insn[0] = (struct sum_insn){.op = SUM_OPAQUE, .bits = 32, .lanes = 1};
    f->insn[1] = (struct sum_insn){.op = SUM_ARG, .imm = 2, .bits = 32, .lanes = 1};
    f->insn[2] = (struct sum_insn){.op = SUM_CONST, .imm = 1, .bits = 32, .lanes = 1};
    f->insn[3] = (struct sum_insn){.op = SUM_LSHR, .bits = 32, .lanes = 1, .nopnd = 2, .opnd = 0};
    f->opnd[0] = 1;
    f->opnd[1] = 2;
    f->insn[4] = (struct sum_insn){.op = SUM_ATOMIC, .sub = SUM_AT_ADD, .lanes = 1, .flags = SUM_F_UNUSED};
    f->insn[5] = (struct sum_insn){.op = SUM_ATOMIC, .sub = SUM_AT_OR, .lanes = 1, .flags = SUM_F_UNUSED};
    f->k.nleaf = 3;
    f->k.ninsn = 6;
    f->block[0] = (struct sum_block){3, 6};
}

/* A poly of n terms; add() fills it. */
static inline void add(struct fixture *f, struct sum_poly *p, int64_t coef, unsigned nsym, ...)
{
    if (!p->term) {
        p->term = &f->term[f->nterm];
        f->nterm += TERMS;
    }
    struct sum_term *t = &p->term[p->nterm++];
    *t = (struct sum_term){.coef = coef, .nsym = nsym};
    va_list ap;
    va_start(ap, nsym);
    for (unsigned i = 0; i < nsym; i++)
        t->sym[i] = va_arg(ap, struct sum_sym);
    va_end(ap);
}

static inline struct sum_poly *new_access(struct fixture *f, enum sum_access_kind kind, uint32_t bytes)
{
    struct sum_access *a = &f->access[f->k.naccess];
    *a = (struct sum_access){.kind = kind,
                             .bytes = bytes,
                             .affine = true,
                             .ncoord = 1,
                             .wrap_bits = 64,
                             .insn = 4,
                             .guard = f->guard[f->k.naccess]};
    f->k.naccess++;
    if (kind != SUM_ACC_WRITE)
        f->args[0].may_read = true;
    return &a->coord[0];
}

static inline struct sum_guard *new_guard(struct fixture *f, unsigned access)
{
    struct sum_access *a = &f->access[access];
    return &a->guard[a->nguard++];
}

/* The access is where its polynomial says only if the returned one fits. */
static inline struct sum_poly *new_range(struct fixture *f, unsigned access, unsigned bits, bool is_signed)
{
    f->range[access] = (struct sum_range){.bits = (uint8_t)bits, .is_signed = is_signed};
    f->access[access].range = &f->range[access];
    f->access[access].nrange = 1;
    return &f->range[access].poly;
}

/* Loop i becomes the quotient of a number by `divisor`; the caller adds the number's terms to both
 * polynomials returned. */
static inline void new_quotient(struct fixture *f, unsigned i, int64_t divisor, struct sum_poly *number[2])
{
    f->loop_range[i] = (struct sum_range){.bits = 31};
    f->loop[i] =
        (struct sum_loop){.quotient = SUM_Q_DIVIDE, .step = divisor, .nrange = 1, .range = &f->loop_range[i]};
    number[0] = &f->loop[i].limit;
    number[1] = &f->loop_range[i].poly;
    add(f, number[0], 1, 0);
}

static inline enum sel_reason judge(struct fixture *f)
{
    struct sel_verdict v;
    bool ok = sel_disjoint(&f->k, &f->l, &v);
    ck_assert_int_eq(ok, v.proven);
    ck_assert(ok || (v.reason != SEL_R_OK && v.reason < SEL_R_COUNT));
    return v.reason;
}
