/* sel_disjoint: known patterns. */
#include "disjoint_fixture.h"
#include "run_suite.h"

TEST(row_major)
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

TEST(guard_makes_rows_disjoint)
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

TEST(missing_dimension)
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

TEST(neighbour_read)
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

TEST(loops)
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

/* Four rows per work-item, each at a pitch, some left out: conditional increments. */
TEST(choices)
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

/* out[x % n] = x - n * (x / n): where n is 0 the quotient drops out, and the remainder may be anything. */
TEST(remainders)
{
    struct fixture f;
    struct sum_poly *number[2];
    setup(&f, 1, 64, 1, 1);
    f.k.nloop = 1;
    new_quotient(&f, 0, 0, number);
    for (unsigned i = 0; i < 2; i++)
        add(&f, number[i], 1, 1, GID(0));
    add(&f, &f.loop[0].step_poly, 1, 1, ARG(1));
    struct sum_poly *p = new_access(&f, SUM_ACC_WRITE, 4);
    add(&f, p, 4, 1, GID(0));
    add(&f, p, -4, 2, ARG(1), LOOP(0));
    scalar(&f, 1, 64);
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    scalar(&f, 1, 63);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    scalar(&f, 1, 0);
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
    f.loop[0].quotient = SUM_Q_POWER; /* x & -1 is x */
    ck_assert_int_eq(judge(&f), SEL_R_OK);
}

TEST(ranges)
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

TEST(products24)
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

/* A component of a vector argument is a stride. */
TEST(parts)
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

TEST(unknown_base)
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

TEST(evaluated_uniform)
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

TEST(wrap)
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

TEST(halves_of_rows)
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

TEST(images)
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
    /* sheared: y by the second coordinate, x by the first once y agrees */
    f.access[0].coord[1].term[0].sym[0] = GID(1);
    add(&f, &f.access[0].coord[0], 1, 1, GID(1));
    ck_assert_int_eq(judge(&f), SEL_R_OK);
    /* both coordinates say x + y alone */
    f.access[0].coord[1].term[0].coef = 1;
    add(&f, &f.access[0].coord[1], 1, 1, GID(0));
    ck_assert_int_eq(judge(&f), SEL_R_OVERLAP);
}

TEST(scattered_and_unaccounted)
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

TEST(constants)
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

TEST(atomics)
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

int main(void)
{
    return run_tests("disjoint", NULL, NULL);
}
