/* sel_disjoint: known patterns, and random launches against an enumeration of all accesses. */
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
    struct sum_insn insn[INSNS];
    uint32_t opnd[INSNS * 2];
    struct sum_block block[1];
    struct sum_term term[128];
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

static void scalar(struct fixture *f, unsigned i, int32_t v)
{
    memcpy(f->values[i].value, &v, sizeof v);
}

static void setup(struct fixture *f, unsigned dim, size_t x, size_t y, size_t z)
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
static void add(struct fixture *f, struct sum_poly *p, int64_t coef, unsigned nsym, ...)
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

static struct sum_poly *new_access(struct fixture *f, enum sum_access_kind kind, uint32_t bytes)
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

static struct sum_guard *new_guard(struct fixture *f, unsigned access)
{
    struct sum_access *a = &f->access[access];
    return &a->guard[a->nguard++];
}

/* The access is where its polynomial says only if the returned one fits. */
static struct sum_poly *new_range(struct fixture *f, unsigned access, unsigned bits, bool is_signed)
{
    f->range[access] = (struct sum_range){.bits = (uint8_t)bits, .is_signed = is_signed};
    f->access[access].range = &f->range[access];
    f->access[access].nrange = 1;
    return &f->range[access].poly;
}

static enum sel_reason judge(struct fixture *f)
{
    struct sel_verdict v;
    bool ok = sel_disjoint(&f->k, &f->l, &v);
    ck_assert_int_eq(ok, v.proven);
    ck_assert(ok || (v.reason != SEL_R_OK && v.reason < SEL_R_COUNT));
    return v.reason;
}

START_TEST(row_major)
{
    struct fixture f;
    setup(&f, 2, 64, 50, 1);
    struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
    add(&f, p, 4, 1, GID(0));
    add(&f, p, 4, 2, ARG(1), GID(1));
    scalar(&f, 1, 64);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    scalar(&f, 1, 63);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    scalar(&f, 1, -64);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.values[1].set = false;
    ck_assert_int_eq(judge(&f), SEL_R_ARG_UNKNOWN);
}
END_TEST

START_TEST(guard_makes_rows_disjoint)
{
    struct fixture f;
    setup(&f, 2, 64, 50, 1);
    struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
    add(&f, p, 4, 1, GID(0));
    add(&f, p, 4, 2, ARG(1), GID(1));
    scalar(&f, 1, 60);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    struct sum_guard *g = new_guard(&f, 0);
    add(&f, &g->lhs, 1, 1, GID(0));
    add(&f, &g->rhs, 1, 1, ARG(1));
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    /* a negative bound may be a huge unsigned one: the guard says nothing, the rows still overlap */
    f.guard[0][0].rhs.term[0] = (struct sum_term){.coef = -1};
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
}
END_TEST

START_TEST(missing_dimension)
{
    struct fixture f;
    setup(&f, 2, 64, 2, 1);
    add(&f, new_access(&f, SUM_ACC_WRITE, 4), 4, 1, GID(0));
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    struct sum_guard *g = new_guard(&f, 0);
    g->equal = true;
    add(&f, &g->lhs, 1, 1, GID(1));
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.l.global[1] = 1;
    f.access[0].nguard = 0;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
}
END_TEST

START_TEST(neighbour_read)
{
    struct fixture f;
    setup(&f, 1, 64, 1, 1);
    add(&f, new_access(&f, SUM_ACC_WRITE, 4), 4, 1, GID(0));
    struct sum_poly *p = new_access(&f, SUM_ACC_READ, 4);
    add(&f, p, 4, 1, GID(0));
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    add(&f, p, 4, 0);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    p->term[1].coef = 4 * 64;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    p->term[1].coef = 4 * 64 - 1;
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
}
END_TEST

START_TEST(loops)
{
    struct fixture f;
    setup(&f, 1, 32, 1, 1);
    f.k.nloop = 1;
    f.loop[0] = (struct sum_loop){.bounded = true, .step = 1};
    add(&f, &f.loop[0].limit, 1, 1, ARG(1));
    struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
    add(&f, p, 4 * 10, 1, GID(0));
    add(&f, p, 4, 1, LOOP(0));
    scalar(&f, 1, 10);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    scalar(&f, 1, 11);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    scalar(&f, 1, -1);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    /* transposed: iteration-major */
    p->term[0].coef = 4;
    p->term[1].coef = 4 * 32;
    scalar(&f, 1, 1000);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.loop[0].bounded = false;
    f.loop[0].step = 0;
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    /* a step that only the launch knows, on a condition */
    struct sum_range range = {.bits = 31};
    add(&f, &f.loop[0].step_poly, 1, 1, ARG(2));
    f.loop[0].nrange = 1;
    f.loop[0].range = &range;
    add(&f, &range.poly, 1, 1, GID(0));
    add(&f, &range.poly, 1, 2, ARG(2), LOOP(0));
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    scalar(&f, 2, 5);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    range.bits = 9; /* 31 + 5 * 200 */
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    range.bits = 11;
    range.is_signed = true;
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    range.is_signed = false;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.loop[0].step = 1;
    f.loop[0].step_poly.nterm = 0;
    f.loop[0].nrange = 0;
    /* the loop is small against the ids' stride: same place again and again, by the same work-item */
    f.loop[0].bounded = true;
    p->term[0].coef = 64;
    p->term[1].coef = 0;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
}
END_TEST

/* Four rows per work-item, each at a pitch, some left out: conditional increments. */
START_TEST(choices)
{
    struct fixture f;
    setup(&f, 2, 16, 8, 1);
    f.k.nloop = 2;
    for (unsigned i = 0; i < 2; i++) {
        f.loop[i] = (struct sum_loop){.bounded = true, .step = 1};
        add(&f, &f.loop[i].limit, 2, 0);
    }
    for (unsigned i = 0; i < 3; i++) { /* row 3 * y + the choices so far */
        struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
        add(&f, p, 4, 1, GID(0));
        add(&f, p, 3 * 64, 1, GID(1));
        for (unsigned j = 0; j < i; j++)
            add(&f, p, 64, 1, LOOP(j));
    }
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.access[0].coord[0].term[0].coef = 5; /* sixteen elements of five bytes meet the next row */
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    f.access[0].coord[0].term[0].coef = 4;
    for (unsigned i = 0; i < 3; i++)
        f.access[i].coord[0].term[1].coef = 2 * 64; /* the last row is the next item's first */
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
}
END_TEST

START_TEST(ranges)
{
    struct fixture f;
    setup(&f, 1, 256, 1, 1);
    add(&f, new_access(&f, SUM_ACC_WRITE, 4), 4, 1, GID(0));
    struct sum_poly *r = new_range(&f, 0, 24, true);
    add(&f, r, 1 << 15, 1, GID(0));
    add(&f, r, 1 << 15, 0);
    ck_assert_int_eq(judge(&f), SEL_R_WRAP); /* 2^23 is reached */
    f.range[0].is_signed = false;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    r->term[1].coef = -1;
    ck_assert_int_eq(judge(&f), SEL_R_WRAP);
    struct sum_guard *g = new_guard(&f, 0); /* only those that run it count */
    add(&f, &g->lhs, 0, 0);
    add(&f, &g->rhs, 1, 1, GID(0));
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    add(&f, r, 1, 1, UNIFORM(0)); /* not known */
    ck_assert_int_eq(judge(&f), SEL_R_WRAP);
    r->term[2].sym[0] = LOOP(0); /* without a bound */
    f.k.nloop = 1;
    ck_assert_int_eq(judge(&f), SEL_R_WRAP);
}
END_TEST

START_TEST(products24)
{
    struct fixture f;
    setup(&f, 1, 256, 1, 1);
    add(&f, new_access(&f, SUM_ACC_WRITE, 4), 1, 2, GID(0), UNIFORM(3));
    f.insn[3] = (struct sum_insn){
        .op = SUM_MUL, .bits = 32, .lanes = 1, .nopnd = 2, .opnd = 0, .flags = SUM_F_24 | SUM_F_UNSIGNED};
    scalar(&f, 2, 4);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    scalar(&f, 2, (1 << 24) - 1);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    scalar(&f, 2, 1 << 24);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP); /* whatever it is, it is not known */
    scalar(&f, 2, -4);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    f.insn[3].flags = SUM_F_24;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
}
END_TEST

/* A component of a vector argument is a stride. */
START_TEST(parts)
{
    struct fixture f;
    setup(&f, 1, 256, 1, 1);
    add(&f, new_access(&f, SUM_ACC_WRITE, 4), 4, 2, GID(0), UNIFORM(1));
    f.insn[1].flags = SUM_F_PART;
    f.insn[1].bytes = 4;
    f.args[2].size = f.values[2].size = 16;
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP); /* stride 0 */
    f.values[2].value[4] = 1;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    memset(f.values[2].value + 4, 0xff, 4); /* -1 */
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.values[2].size = 8; /* not the size that the kernel takes */
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
}
END_TEST

START_TEST(unknown_base)
{
    struct fixture f;
    setup(&f, 1, 64, 1, 1);
    struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
    add(&f, p, 4, 1, GID(0));
    add(&f, p, 4, 1, UNIFORM(0));
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    p = new_access(&f, SUM_ACC_WRITE, 4);
    add(&f, p, 4, 1, GID(0));
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    add(&f, p, 4, 1, UNIFORM(0));
    ck_assert_int_eq(judge(&f), SEL_R_OK);
}
END_TEST

START_TEST(evaluated_uniform)
{
    struct fixture f;
    setup(&f, 2, 16, 16, 1);
    struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
    add(&f, p, 4, 1, GID(0));
    add(&f, p, 4, 2, GID(1), UNIFORM(3)); /* argument 2 >> 1 */
    scalar(&f, 2, 32);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    scalar(&f, 2, 31);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
}
END_TEST

START_TEST(wrap)
{
    struct fixture f;
    setup(&f, 1, 1u << 20, 1, 1);
    struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
    add(&f, p, 4096, 1, GID(0));
    f.access[0].wrap_bits = 32; /* 2^20 * 2^12 = 2^32: the last byte still fits */
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    p->term[0].coef = 4097;
    ck_assert_int_eq(judge(&f), SEL_R_WRAP);
    f.access[0].wrap_bits = 64;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.l.offset[0] = (size_t)1 << 50;
    ck_assert_int_eq(judge(&f), SEL_R_WRAP);
}
END_TEST

START_TEST(halves_of_rows)
{
    /* out[y*W + x] and out[y*W + x + W/2], x < W/2: rows first, then halves */
    struct fixture f;
    setup(&f, 2, 32, 20, 1);
    for (int i = 0; i < 2; i++) {
        struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
        add(&f, p, 4, 1, GID(0));
        add(&f, p, 4 * 64, 1, GID(1));
        add(&f, p, 4 * 32 * i, 0);
    }
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.access[1].coord[0].term[2].coef = 4 * 31;
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
}
END_TEST

START_TEST(images)
{
    struct fixture f;
    setup(&f, 2, 64, 64, 1);
    f.args[0].kind = SUM_ARG_IMAGE;
    add(&f, new_access(&f, SUM_ACC_WRITE, 16), 1, 1, GID(0));
    f.access[0].ncoord = 2;
    f.access[0].wrap_bits = 32;
    add(&f, &f.access[0].coord[1], -1, 1, GID(1));
    add(&f, &f.access[0].coord[1], 63, 0);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    /* one diagonal: the second coordinate does not tell y apart */
    f.access[0].coord[1].term[0].sym[0] = GID(0);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    /* sheared: y by the second coordinate, x by the first once y agrees - not followed, refused */
    f.access[0].coord[1].term[0].sym[0] = GID(1);
    add(&f, &f.access[0].coord[0], 1, 1, GID(1));
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
}
END_TEST

START_TEST(scattered_and_unaccounted)
{
    struct fixture f;
    setup(&f, 1, 64, 1, 1);
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
    new_access(&f, SUM_ACC_WRITE, 4);
    f.access[0].affine = false;
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
    f.access[0].affine = true;
    add(&f, &f.access[0].coord[0], 4, 1, GID(0));
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.args[0].may_read = true; /* read where? */
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
    f.args[0].may_read = f.args[0].may_write = false;
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
}
END_TEST

START_TEST(constants)
{
    struct fixture f;
    setup(&f, 1, 64, 1, 1);
    new_access(&f, SUM_ACC_WRITE, 1);
    f.access[0].affine = false;
    f.access[0].constant_value = true;
    f.access[0].constant = 1;
    /* 6: out + unknown; 7: store of constant 1 there; 8: unknown << 2; 9: out + that; 10: argument 0 */
    f.insn[10] = (struct sum_insn){.op = SUM_ARG, .imm = 0, .bits = 64, .lanes = 1, .space = SUM_GLOBAL};
    f.insn[6] = (struct sum_insn){.op = SUM_PTRADD, .bits = 64, .lanes = 1, .nopnd = 2, .opnd = 4};
    f.insn[7] = (struct sum_insn){.op = SUM_STORE, .nopnd = 2, .opnd = 6};
    f.insn[8] = (struct sum_insn){.op = SUM_MUL, .bits = 64, .lanes = 1, .nopnd = 2, .opnd = 8};
    f.insn[11] = (struct sum_insn){.op = SUM_CONST, .imm = 4, .bits = 64, .lanes = 1};
    uint32_t opnd[] = {10, 0, 6, 2, 0, 11};
    memcpy(&f.opnd[4], opnd, sizeof opnd);
    f.k.ninsn = 12;
    f.access[0].insn = 7;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.access[0].bytes = 4; /* may overlap in part: 01 00 00 00 against 00 01 00 00 */
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
    f.access[0].constant = 0;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.access[0].constant = 1;
    f.opnd[5] = 8; /* out + unknown * 4 */
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    new_access(&f, SUM_ACC_WRITE, 4);
    f.access[1] = f.access[0];
    f.access[1].constant = 2;
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
    f.access[1].constant = 1;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.access[1].kind = SUM_ACC_READ;
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
}
END_TEST

START_TEST(atomics)
{
    struct fixture f;
    setup(&f, 1, 64, 1, 1);
    f.k.has_atomics = true;
    new_access(&f, SUM_ACC_ATOMIC, 4);
    f.access[0].affine = false;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    new_access(&f, SUM_ACC_ATOMIC, 4);
    f.access[1].affine = false;
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    f.access[1].insn = 5; /* add and or do not commute */
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
    f.access[1].insn = 4;
    f.insn[4].sub = SUM_AT_XCHG;
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
    f.insn[4].sub = SUM_AT_ADD;
    f.access[1].kind = SUM_ACC_READ;
    ck_assert_int_eq(judge(&f), SEL_R_SCATTERED);
    f.k.naccess = 1;
    f.k.fact[SUM_FACT_A].reason = SUM_R_ORDERED_ATOMIC;
    ck_assert_int_eq(judge(&f), SEL_R_SUMMARY);
}
END_TEST

/* ---- against enumeration --------------------------------------------------------------------------- */

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t draw(uint64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 11) % n;
}

enum { CELLS = 1 << 16 };

/* What touched one byte. */
struct cell {
    uint64_t addr;
    unsigned stamp; /* cell is in use by this round */
    int item;       /* first work-item */
    bool several, written, plain;
    uint32_t families; /* instructions of the atomics */
};
static struct cell cells[CELLS];
static unsigned stamp;

struct env {
    struct fixture *f;
    int64_t gid[3], loop[LOOPS];
    int64_t unknown;   /* value of instruction 0 */
    bool guard_signed; /* guards compare 32-bit values, signed or unsigned */
    bool extend_signed;
};

static uint64_t value_of(const struct env *e, const struct sum_poly *p)
{
    const struct fixture *f = e->f;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->nterm; i++) {
        uint64_t product = (uint64_t)p->term[i].coef;
        for (uint32_t j = 0; j < p->term[i].nsym; j++) {
            const struct sum_sym *s = &p->term[i].sym[j];
            int32_t arg;
            memcpy(&arg, f->values[s->kind == SUM_SYM_ARG ? s->index : 2].value, sizeof arg);
            switch (s->kind) {
            case SUM_SYM_GID:
                product *= (uint64_t)e->gid[s->index];
                break;
            case SUM_SYM_OFFSET:
                product *= f->l.offset[s->index];
                break;
            case SUM_SYM_GSIZE:
                product *= f->l.global[s->index];
                break;
            case SUM_SYM_ARG:
                product *= s->zext ? (uint32_t)arg : (uint64_t)arg;
                break;
            case SUM_SYM_LOOP:
                product *= (uint64_t)e->loop[s->index];
                break;
            default:
                product *= s->index == 0 ? (uint64_t)e->unknown : (uint32_t)arg >> 1;
                break;
            }
        }
        sum += product;
    }
    return sum;
}

static bool guards_hold(const struct env *e, const struct sum_access *a)
{
    for (uint32_t i = 0; i < a->nguard; i++) {
        uint32_t x = (uint32_t)value_of(e, &a->guard[i].lhs), y = (uint32_t)value_of(e, &a->guard[i].rhs);
        bool less = e->guard_signed ? (int32_t)x < (int32_t)y : x < y;
        if (a->guard[i].equal ? x != y : !less)
            return false;
    }
    return true;
}

/* Mark one byte; true if that makes a conflict. */
static bool mark(uint64_t addr, int item, const struct sum_access *a)
{
    unsigned h = (unsigned)((addr * 0x9e3779b97f4a7c15u) >> 48) % CELLS;
    while (cells[h].stamp == stamp && cells[h].addr != addr)
        h = (h + 1) % CELLS;
    struct cell *c = &cells[h];
    if (c->stamp != stamp)
        *c = (struct cell){.addr = addr, .stamp = stamp, .item = item};
    c->several |= c->item != item;
    c->written |= a->kind != SUM_ACC_READ;
    c->plain |= a->kind != SUM_ACC_ATOMIC;
    if (a->kind == SUM_ACC_ATOMIC)
        c->families |= 1u << a->insn;
    return c->several && c->written && (c->plain || (c->families & (c->families - 1)) != 0);
}

/* Over the integers: the polynomials here are small. */
static bool ranges_hold(const struct env *e, const struct sum_access *a)
{
    for (uint32_t i = 0; i < a->nrange; i++) {
        const struct sum_range *r = &a->range[i];
        int64_t v = (int64_t)value_of(e, &r->poly),
                top = (int64_t)1 << (r->is_signed ? r->bits - 1 : r->bits);
        if (v < (r->is_signed ? -top : 0) || v >= top)
            return false;
    }
    return true;
}

static bool touch_conflicts(const struct env *e, int item)
{
    for (unsigned i = 0; i < e->f->k.naccess; i++) {
        const struct sum_access *a = &e->f->access[i];
        if (!guards_hold(e, a))
            continue;
        uint64_t v = ranges_hold(e, a) ? value_of(e, &a->coord[0]) : 0, bits = a->wrap_bits;
        if (bits < 64) {
            v &= ((uint64_t)1 << bits) - 1;
            if (e->extend_signed && v >> (bits - 1))
                v |= ~(uint64_t)0 << bits;
        }
        for (uint32_t b = 0; b < a->bytes; b++)
            if (mark(v + b, item, a))
                return true;
    }
    return false;
}

static int64_t trips(const struct env *e, unsigned loop)
{
    const struct sum_loop *l = &e->f->loop[loop];
    int64_t limit = (int64_t)value_of(e, &l->limit);
    int64_t step = l->step ? l->step : 1;
    return limit <= 0 ? 0 : (limit + step - 1) / step;
}

static bool races(struct fixture *f)
{
    struct env e = {
        .f = f, .unknown = (int64_t)draw(1000) - 500, .guard_signed = draw(2), .extend_signed = draw(2)};
    int item = 0;
    stamp++;
    for (size_t z = 0; z < f->l.global[2]; z++)
        for (size_t y = 0; y < f->l.global[1]; y++)
            for (size_t x = 0; x < f->l.global[0]; x++, item++) {
                e.gid[0] = (int64_t)(x + f->l.offset[0]);
                e.gid[1] = (int64_t)(y + f->l.offset[1]);
                e.gid[2] = (int64_t)(z + f->l.offset[2]);
                int64_t outer = 0;
                do { /* loops run once at least here: a touch is never left out */
                    e.loop[0] = outer;
                    int64_t inner = 0;
                    do {
                        e.loop[1] = inner;
                        if (touch_conflicts(&e, item))
                            return true;
                    } while (++inner < (f->k.nloop > 1 ? trips(&e, 1) : 1));
                } while (++outer < (f->k.nloop > 0 ? trips(&e, 0) : 1));
            }
    return false;
}

static int64_t stride(int64_t around)
{
    int64_t v = around + (draw(3) ? 0 : (int64_t)draw(5) - 2);
    return draw(5) ? v : -v;
}

/* A polynomial that is often a mixed radix system over the ids and loops. */
static void random_offset(struct fixture *f, struct sum_poly *p, uint32_t bytes, unsigned ndigit)
{
    struct sum_sym digit[] = {GID(0), GID(1), GID(2), LOOP(0), LOOP(1)};
    size_t range[] = {f->l.global[0], f->l.global[1], f->l.global[2], 3, 3};
    int64_t step = stride(bytes);
    unsigned first = (unsigned)draw(ndigit);
    for (unsigned i = 0; i < ndigit; i++) {
        unsigned d = (first + i) % ndigit;
        if (d >= 3 && (d - 3 >= f->k.nloop || draw(3) == 0))
            continue;
        if (draw(12) == 0)
            continue;
        switch (draw(8)) {
        case 0:
            add(f, p, 1, 2, digit[d], ARG(1 + (unsigned)draw(2)));
            break;
        case 1:
            add(f, p, step, 2, digit[d], GSIZE((unsigned)draw(3)));
            break;
        case 2:
            add(f, p, step, 2, digit[d], UNIFORM(3));
            break;
        default:
            add(f, p, step, 1, digit[d]);
            break;
        }
        step = stride(step * (int64_t)(draw(4) ? range[d] : range[d] - (range[d] > 1)));
    }
}

static void random_guard(struct fixture *f, unsigned access)
{
    struct sum_guard *g = new_guard(f, access);
    struct sum_sym s[] = {GID(0), GID(1), GID(2), ARG(1), LOOP(0)};
    g->equal = draw(5) == 0;
    add(f, &g->lhs, (int64_t)draw(3) + 1, 1, s[draw(draw(6) ? 3 : 5)]);
    if (draw(3) == 0)
        add(f, &g->lhs, (int64_t)draw(5) - 2, 0);
    add(f, &g->rhs, draw(12) ? (int64_t)draw(7) : (int64_t)draw(5) - 3, 0);
    if (draw(3) == 0)
        add(f, &g->rhs, draw(20) ? (int64_t)draw(3) - 1 : (int64_t)1 << 31, 1, s[draw(4)]);
    if (draw(2)) {
        struct sum_poly t = g->lhs;
        g->lhs = g->rhs;
        g->rhs = t;
    }
}

static void random_range(struct fixture *f, unsigned access)
{
    struct sum_sym s[] = {GID(0), GID(1), GID(2), ARG(1), LOOP(0)};
    struct sum_poly *p = new_range(f, access, 1 + (unsigned)draw(6), draw(2));
    add(f, p, (int64_t)draw(9) - 3, 1, s[draw(f->k.nloop ? 5 : 4)]);
    if (draw(2))
        add(f, p, (int64_t)draw(5) - 2, 0);
}

static void random_case(struct fixture *f)
{
    setup(f, 3, 1 + draw(5), 1 + draw(4), 1 + (draw(3) == 0) * draw(3));
    for (unsigned d = 0; d < 3; d++)
        f->l.offset[d] = draw(3) ? 0 : draw(4);
    scalar(f, 1, (int32_t)draw(24) - 3);
    scalar(f, 2, (int32_t)draw(48) - 3);
    f->k.nloop = (uint32_t)draw(3);
    for (unsigned i = 0; i < f->k.nloop; i++) {
        f->loop[i] = (struct sum_loop){.bounded = draw(2), .step = draw(30) ? 1 + (int64_t)draw(2) : 0};
        add(f, &f->loop[i].limit, (int64_t)draw(5), 0);
        if (draw(3) == 0)
            add(f, &f->loop[i].limit, (int64_t)draw(3) - 1, 1,
                i == 1 && draw(2) ? LOOP(0) : GID((unsigned)draw(3)));
    }
    unsigned n = 1 + (unsigned)draw(3);
    uint32_t bytes = 1u << draw(3);
    for (unsigned i = 0; i < n; i++) {
        static const enum sum_access_kind kinds[] = {SUM_ACC_WRITE, SUM_ACC_WRITE, SUM_ACC_READ,
                                                     SUM_ACC_ATOMIC};
        struct sum_poly *p = new_access(f, i == 0 ? SUM_ACC_WRITE : kinds[draw(draw(4) ? 3 : 4)], bytes);
        f->access[i].insn = 4 + (uint32_t)draw(2);
        f->access[i].wrap_bits = draw(3) ? 64 : (uint8_t)(5 + draw(6));
        if (i > 0 && draw(3)) { /* like the first, elsewhere */
            for (uint32_t t = 0; t < f->access[0].coord[0].nterm; t++) {
                add(f, p, 0, 0);
                p->term[t] = f->access[0].coord[0].term[t];
            }
            if (draw(2) && p->nterm < TERMS)
                add(f, p, (int64_t)draw(200) - 60, 0);
            if (p->nterm && f->k.nloop &&
                draw(4) == 0) /* with a loop of its own, of the same stride perhaps */
                p->term[draw(p->nterm)].coef *= draw(2);
        } else {
            random_offset(f, p, bytes, 5);
            if (draw(6) == 0 && p->nterm < TERMS)
                add(f, p, 4, 1, UNIFORM(0));
        }
        for (unsigned g = 0; g < GUARDS && draw(2); g++)
            random_guard(f, i);
        if (draw(4) == 0)
            random_range(f, i);
    }
    if (draw(6) == 0) /* atomics only */
        f->access[0].kind = SUM_ACC_ATOMIC;
    f->args[0].may_read = f->args[0].may_read || f->access[0].kind == SUM_ACC_ATOMIC;
    f->k.has_atomics = true;
}

START_TEST(never_wrong)
{
    const char *rounds = getenv("CLSIZER_TEST_ROUNDS");
    unsigned long n = rounds ? strtoul(rounds, NULL, 10) : 20000, proven = 0, free_of_races = 0;
    seed += (uint64_t)_i * 0x2545f4914f6cdd1d;
    for (unsigned long i = 0; i < n; i++) {
        struct fixture f;
        uint64_t start = seed;
        random_case(&f);
        bool ok = judge(&f) == SEL_R_OK, race = races(&f);
        ck_assert_msg(!ok || !race, "proven, yet two work-items collide: case %lu, seed %llx", i,
                      (unsigned long long)start);
        proven += ok;
        free_of_races += !race;
    }
    /* the test must not be empty: a fair share of what is race-free is proven */
    ck_assert_uint_gt(proven * 3, free_of_races);
    if (rounds)
        printf("%lu launches, %lu race-free, %lu proven\n", n, free_of_races, proven);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("disjoint");
    TCase *t = tcase_create("patterns");
    tcase_add_test(t, row_major);
    tcase_add_test(t, guard_makes_rows_disjoint);
    tcase_add_test(t, missing_dimension);
    tcase_add_test(t, neighbour_read);
    tcase_add_test(t, loops);
    tcase_add_test(t, choices);
    tcase_add_test(t, ranges);
    tcase_add_test(t, products24);
    tcase_add_test(t, parts);
    tcase_add_test(t, unknown_base);
    tcase_add_test(t, evaluated_uniform);
    tcase_add_test(t, wrap);
    tcase_add_test(t, halves_of_rows);
    tcase_add_test(t, images);
    tcase_add_test(t, scattered_and_unaccounted);
    tcase_add_test(t, constants);
    tcase_add_test(t, atomics);
    suite_add_tcase(s, t);
    t = tcase_create("enumeration");
    tcase_set_timeout(t, 3600);
    tcase_add_loop_test(t, never_wrong, 0, 4);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
