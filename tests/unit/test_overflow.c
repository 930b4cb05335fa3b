/* test_overflow.c - integers that may overflow: on which drivers does it show, and in which launches?  What
 * OpenCL C becomes is judged in tests/corpus/overflow.cl. */
#include "summary_text.h"
#include "run_suite.h"

#include "select/prove/parts.h"

/* b[gid] = v, a long; x is loaded, n is an argument. */
#define HEAD                                                                                                 \
    "arg \"b\" \"long*\" buffer global 8 - -\n"                                                              \
    "arg \"a\" \"int*\" buffer global 8 - -\n"                                                               \
    "arg \"n\" \"int\" scalar private 4 - -\n"                                                               \
    "arg \"m\" \"int\" scalar private 4 - -\n"                                                               \
    "b = arg bits=64 space=global imm=0\n"                                                                   \
    "a = arg bits=64 space=global imm=1\n"                                                                   \
    "n = arg bits=32 imm=2\n"                                                                                \
    "m = arg bits=32 imm=3\n"                                                                                \
    "zero = const bits=32 imm=0\n"                                                                           \
    "one = const bits=32 imm=1\n"                                                                            \
    "eight = const bits=64 imm=8\n"                                                                          \
    "four = const bits=64 imm=4\n"                                                                           \
    "gid = wi sub=global_id bits=64\n"                                                                       \
    "flat = wi sub=global_linear_id bits=64\n"                                                               \
    "block\n"                                                                                                \
    "i4 = mul bits=64 : gid four\n"                                                                          \
    "from = ptradd bits=64 space=global : a i4\n"                                                            \
    "x = load bits=32 space=global bytes=4 : from\n"
#define STORE                                                                                                \
    "o = mul bits=64 : gid eight\n"                                                                          \
    "p = ptradd bits=64 space=global : b o\nstore space=global bytes=8 line=9 : p v\nret\n"
/* s = 0; for (i = 0, j = n; i < n && j > 0; i++, j--) s += ADDED; v = s */
#define LOOP(added)                                                                                          \
    "br : @1\n"                                                                                              \
    "block\n"                                                                                                \
    "i = phi bits=32 : @0 zero @2 i1\nj = phi bits=32 : @0 n @2 j1\ns = phi bits=32 : @0 zero @2 s1\n"       \
    "c = icmp sub=slt bits=1 : i n\nd = icmp sub=sgt bits=1 : j zero\ne = and bits=1 : c d\n"                \
    "condbr : e @2 @3\n"                                                                                     \
    "block\n"                                                                                                \
    "s1 = add bits=32 flags=4 : s " added "\ni1 = add bits=32 flags=4 : i one\n"                             \
    "j1 = sub bits=32 flags=4 : j one\nbr : @1\n"                                                            \
    "block\nv = sext bits=64 : s\n"

#define BY_DEFAULT                                                                                           \
    "switch : n @1 one @2 zero @2\nblock\nh = mul bits=32 flags=4 : x x\nbr : @2\n"                          \
    "block\nw = phi bits=32 : @0 zero @1 h\nv = sext bits=64 : w\n"

static const struct {
    const char *name, *body;
    int32_t n;
    bool proved[3]; /* by enum launch_open */
} cases[] = {
    {"extended", "h = mul bits=32 flags=4 : x n\nv = sext bits=64 : h\n", 3, {true, false, false}},
    {"extended, and fits", "h = mul bits=32 flags=4 : x n\nv = sext bits=64 : h\n", 1, {true, true, true}},
    {"compared",
     "h = add bits=32 flags=4 : x n\nc = icmp sub=slt bits=1 : h x\nv = sext bits=64 : c\n",
     3,
     {true, true, false}},
    {"limited, then extended",
     "h = add bits=32 flags=4 : x n\ng = smin bits=32 : h one\nv = sext bits=64 : g\n",
     3,
     {true, true, false}},
    {"shifted, then extended",
     "h = add bits=32 flags=4 : x n\ng = ashr bits=32 : h one\nv = sext bits=64 : g\n",
     3,
     {true, true, false}},
    {"may wrap", "h = mul bits=32 : x n\nv = sext bits=64 : h\n", 3, {true, true, true}},
    {"divided", "h = sdiv bits=32 : n x\nv = sext bits=64 : h\n", 3, {true, false, false}},
    {"divided by an argument", "h = sdiv bits=32 : x n\nv = sext bits=64 : h\n", 3, {true, true, true}},
    {"divided by 0", "h = sdiv bits=32 : x n\nv = sext bits=64 : h\n", 0, {true, false, false}},
    {"divided by what is left of a division by 0",
     "g = trunc bits=32 : gid\nr = srem bits=32 : g n\nh = sdiv bits=32 : x r\nv = sext bits=64 : h\n",
     0,
     {true, false, false}},
    {"divided by 0 or more, chosen if less",
     "g = trunc bits=32 : gid\nh = sdiv bits=32 : x g\nc = icmp sub=slt bits=1 : g zero\n"
     "w = select bits=32 : c h n\nv = sext bits=64 : w\n",
     3,
     {true, false, false}},
    {"divided by 1 or more, chosen if less",
     "f = trunc bits=32 : gid\ng = add bits=32 : f one\nh = sdiv bits=32 : x g\n"
     "c = icmp sub=slt bits=1 : g zero\nw = select bits=32 : c h n\nv = sext bits=64 : w\n",
     3,
     {true, true, true}},
    {"shifted by an argument", "h = shl bits=32 : x n\nv = sext bits=64 : h\n", 31, {true, true, true}},
    {"shifted too far", "h = shl bits=32 : x n\nv = sext bits=64 : h\n", 32, {true, false, false}},
    {"a sum in a loop", LOOP("n"), 40000, {true, true, true}},
    {"a larger one", LOOP("n"), 50000, {true, false, false}},
    {"a sum of anything", LOOP("x"), 2, {true, false, false}},
    {"no round", LOOP("x"), 0, {true, true, true}},
    {"what was passed",
     "y = load bits=32 bytes=4 : m\nh = mul bits=32 flags=4 : y n\nv = sext bits=64 : h\n",
     3,
     {true, true, true}},
    {"what is stored in its place",
     "store bytes=4 : m x\ny = load bits=32 bytes=4 : m\nh = mul bits=32 flags=4 : y n\nv = sext bits=64 : "
     "h\n",
     3,
     {true, false, false}},
    {"by a case that it is not",
     "switch : n @3 one @1 zero @2\nblock\nbr : @3\nblock\ng = mul bits=32 flags=4 : x x\nbr : @3\n"
     "block\nw = phi bits=32 : @0 zero @1 one @2 g\nv = sext bits=64 : w\n",
     1,
     {true, true, true}},
    {"not by default", BY_DEFAULT, 1, {true, true, true}},
    {"by default", BY_DEFAULT, 2, {true, false, false}},
};

static struct sel_verdict judged(const struct kernel_summary *k, int32_t n, enum launch_open open)
{
    struct launch_arg args[4] = {{.set = true, .size = 8, .memory = 1, .bytes = 1 << 20},
                                 {.set = true, .size = 8, .memory = 2, .bytes = 1 << 20},
                                 {.set = true, .size = 4},
                                 {.set = true, .size = 4}};
    const struct launch l = {
        .dim = 1, .global = {1024, 1, 1}, .local = {8, 1, 1}, .open = open, .nargs = 4, .args = args};
    struct sel_proof proof;
    memcpy(args[2].value, &n, sizeof n);
    sel_judge(k, &l, &proof);
    return proof.size;
}

LOOPED_TEST(launches, sizeof cases / sizeof cases[0])
{
    char *body = NULL;
    ck_assert_int_ge(asprintf(&body, HEAD "%s" STORE, cases[_i].body), 0);
    struct program_summary p = text_facts(body);
    for (unsigned open = LAUNCH_OPEN_NOWHERE; open <= LAUNCH_OPEN_EVERYWHERE; open++) {
        const struct sel_verdict v = judged(&p.kernel[0], cases[_i].n, (enum launch_open)open);
        ck_assert_msg(v.proven == cases[_i].proved[open], "%s, %u: %s", cases[_i].name, open,
                      v.proven ? "proved" : v.detail);
        ck_assert(v.proven || v.reason == SEL_R_OVERFLOW);
    }
    sum_free(&p);
    free(body);
}

/* Of n and m only n decides; and nothing where nothing is left open. */
TEST(arguments)
{
    struct program_summary p = text_facts(HEAD LOOP("n") STORE);
    ck_assert_uint_eq(sel_judge_arguments(&p.kernel[0]) & 3 << 2, 1 << 2);
    sum_free(&p);
    p = text_facts(HEAD "h = mul bits=32 : x n\nv = sext bits=64 : h\n" STORE);
    ck_assert_uint_eq(sel_judge_arguments(&p.kernel[0]), 3); /* the buffers */
    sum_free(&p);
}

/* How often loops run: by arguments, or by what is loaded; without a loop nothing decides. */
TEST(rounds)
{
    static const struct {
        const char *body;
        bool given;
        uint64_t arguments;
    } cases_of[] = {{HEAD LOOP("n") STORE, true, 1 << 2},
                    {HEAD LOOP("m") STORE, true, 1 << 2},
                    {HEAD "r = load bits=32 space=global bytes=4 : a\n" LOOP("r") STORE, true, 1 << 2},
                    {HEAD "r = load bits=32 space=global bytes=4 : a\nn2 = add bits=32 : n r\n"
                          "br : @1\nblock\ni = phi bits=32 : @0 zero @1 i1\ni1 = add bits=32 : i one\n"
                          "c = icmp sub=slt bits=1 : i n2\ncondbr : c @1 @2\nblock\nret\n",
                     false, 0},
                    {HEAD "r = load bits=32 space=global bytes=4 : a\nc = icmp sub=slt bits=1 : r n\n"
                          "condbr : c @1 @2\nblock\nbr : @2\nblock\nret\n",
                     true, 0}};
    for (unsigned i = 0; i < sizeof cases_of / sizeof *cases_of; i++) {
        struct program_summary p = text_facts(cases_of[i].body);
        uint64_t arguments;
        ck_assert_msg(sel_rounds_are_given(&p.kernel[0], &arguments) == cases_of[i].given, "%u", i);
        ck_assert(!cases_of[i].given || arguments == cases_of[i].arguments);
        sum_free(&p);
    }
}

/* Do the numbers in `a` decide which way the kernel goes?  In `b` may be what was computed of them, if it is
 * written. */
TEST(ways)
{
#define NUMBER   "r = load bits=32 space=global bytes=4 : a\n"
#define INDEX    "r = load bits=32 space=global bytes=4 : b\n"
#define COMPARED "c = icmp sub=slt bits=1 : r n\ncondbr : c @1 @2\nblock\nbr : @2\nblock\n"
#define SUM      "h = pure bits=32 cls=fadd : x x\nv = sext bits=64 : h\n"
    static const struct {
        const char *body;
        bool keeps;
    } cases_of[] = {{HEAD LOOP("n") STORE, true},
                    {HEAD SUM STORE, true},
                    {HEAD NUMBER COMPARED SUM STORE, false},
                    {HEAD INDEX COMPARED "ret\n", true},
                    {HEAD INDEX COMPARED SUM STORE, false},
                    {HEAD "t = pure bits=64 cls=conv : x\nq = ptradd bits=64 space=global : b t\n"
                          "store space=global bytes=4 : q n\nret\n",
                     false},
                    {HEAD NUMBER "c = icmp sub=slt bits=1 : r n\nw = select bits=32 : c r n\n"
                                 "v = sext bits=64 : w\n" STORE,
                     true}};
    for (unsigned i = 0; i < sizeof cases_of / sizeof *cases_of; i++) {
        struct program_summary p = text_facts(cases_of[i].body);
        ck_assert_msg(sel_keeps_its_way(&p.kernel[0], 1 << 1) == cases_of[i].keeps, "%u", i);
        sum_free(&p);
    }
}

/* They count all dimensions. */
TEST(linear_ids)
{
    struct program_summary p = text_facts(
        HEAD "t = trunc bits=32 : flat\nh = mul bits=32 flags=4 : t n\nv = sext bits=64 : h\n" STORE);
    const int32_t n = 2000000;
    struct launch_arg args[4] = {
        {.set = true}, {.set = true}, {.set = true, .size = 4}, {.set = true, .size = 4}};
    struct launch l = {.dim = 2, .global = {1024, 1, 1}, .nargs = 4, .args = args};
    struct sel_verdict why;
    memcpy(args[2].value, &n, sizeof n);
    for (int rows = 1; rows <= 2; rows++) {
        struct sel_look x = {.k = &p.kernel[0], .l = &l};
        l.global[1] = (size_t)rows;
        ck_assert(sel_overflow_hidden(&x, NULL, &why) == (rows == 1));
        sel_look_end(&x);
    }
    sum_free(&p);
}

int main(void)
{
    return run_tests("overflow", NULL, NULL);
}
