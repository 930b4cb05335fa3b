/* test_undef.c - undefined values: which launches cannot come to where they are used? */
#include "summary_text.h"
#include "run_suite.h"

#include "select/select.h"

/* b[gid] = v, where v is given a value or not by what the body does with n. */
#define HEAD                                                                                                 \
    "arg \"b\" \"float*\" buffer global 8 - -\n"                                                             \
    "arg \"n\" \"int\" scalar private 4 - -\n"                                                               \
    "arg \"f\" \"float\" scalar private 4 - -\n"                                                             \
    "b = arg bits=64 space=global imm=0\n"                                                                   \
    "n = arg bits=32 imm=1\n"                                                                                \
    "f = arg bits=32 flags=16 imm=2\n"                                                                       \
    "u = opaque bits=32 flags=17\n"                                                                          \
    "x = opaque bits=32 flags=16\n"                                                                          \
    "zero = const bits=32 imm=0\n"                                                                           \
    "one = const bits=32 imm=1\n"                                                                            \
    "two = const bits=32 imm=2\n"                                                                            \
    "three = const bits=32 imm=3\n"                                                                          \
    "mask = const bits=32 imm=255\n"                                                                         \
    "most = const bits=32 imm=2147483647\n"                                                                  \
    "no = const bits=1 imm=0\n"                                                                              \
    "yes = const bits=1 imm=-1\n"                                                                            \
    "four = const bits=64 imm=4\n"                                                                           \
    "gid = wi sub=global_id bits=64\n"                                                                       \
    "block\n"                                                                                                \
    "o = mul bits=64 : gid four\n"
#define STORE "p = ptradd bits=64 space=global : b o\nstore space=global bytes=4 line=9 : p v\nret\n"
/* Only where the condition holds has v a value. */
#define IF(condition)                                                                                        \
    condition "condbr : c @1 @2\nblock\nbr : @2\nblock\nv = phi bits=32 flags=16 : @1 x @0 u\n" STORE

static const struct {
    const char *name, *body;
    const char *closed; /* values of n with which the launch may be changed */
    const char *open;   /* and with which not */
} cases[] = {
    {"compared", IF("c = icmp sub=eq bits=1 : n two\n"), "2", "0 1 3"},
    {"less", IF("c = icmp sub=slt bits=1 : n two\n"), "1 -1 -2147483648", "2 3 2147483647"},
    {"masked", IF("m = and bits=32 : n mask\nc = icmp sub=eq bits=1 : m three\n"), "3 259 -253", "0 2 260"},
    {"and",
     IF("d = icmp sub=sgt bits=1 : n one\ne = icmp sub=slt bits=1 : n mask\nc = select bits=1 : d e no\n"),
     "2 3 254", "1 255 -1"},
    {"or",
     IF("d = icmp sub=sgt bits=1 : n one\ne = icmp sub=ult bits=1 : gid four\nc = select bits=1 : d yes e\n"),
     "2 3 4", "1 0 -1"},
    {"nothing is known of the other bits",
     IF("g = trunc bits=32 : gid\nh = and bits=32 : g n\nc = icmp sub=eq bits=1 : h zero\n"), "", "0 1 2"},
    {"quotient", IF("q = sdiv bits=32 : three n\nc = icmp sub=slt bits=1 : q three\n"), "2 3 4 -1", "0 1"},
    {"a quotient of zero may be anything",
     IF("q = sdiv bits=32 : three n\nc = icmp sub=slt bits=1 : q mask\n"), "1 2 -1", "0"},
    {"and so may what is left", IF("q = srem bits=32 : one n\nc = icmp sub=ult bits=1 : q mask\n"), "1 2 -1",
     "0"},
    {"a sum that may not wrap", IF("s = add bits=32 flags=4 : n one\nc = icmp sub=sgt bits=1 : s n\n"),
     "0 1 -1", "2147483647"},
    {"a sum that wraps", IF("s = add bits=32 : n one\nc = icmp sub=slt bits=1 : s n\n"), "2147483647",
     "0 1 -1"},
    {"switch",
     "switch : n @4 one @1 two @2 three @1\nblock\nbr : @3\nblock\nbr : @3\n"
     "block\nv = phi bits=32 flags=16 : @1 x @2 f @4 u\n" STORE "block\nbr : @3\n",
     "1 2 3", "0 4 -1"},
    {"switch to one place",
     "switch : n @2 one @1 two @2\nblock\nbr : @2\nblock\nv = phi bits=32 flags=16 : @1 x @0 u\n" STORE, "1",
     "2 0 3"},
    {"in a block",
     "c = icmp sub=eq bits=1 : n two\ncondbr : c @1 @2\nblock\nd = icmp sub=ult bits=1 : gid four\n"
     "w = select bits=32 flags=16 : d x u\nbr : @2\nblock\nv = phi bits=32 flags=16 : @0 x @1 w\n" STORE,
     "1 3 0", "2"},
    {"by what was chosen before",
     "c = icmp sub=eq bits=1 : n two\ncondbr : c @1 @2\nblock\nbr : @2\nblock\n"
     "m = phi bits=32 : @0 zero @1 one\nd = icmp sub=eq bits=1 : m one\n"
     "e = icmp sub=ne bits=1 : n zero\ng = and bits=1 : d e\ncondbr : g @3 @4\nblock\nbr : @4\n"
     "block\nv = phi bits=32 flags=16 : @2 u @3 x\n" STORE,
     "2", "0 1 3"},
    {"first round of a loop", /* i = n; do v = i == 3 ? x : no value; while (++i < gid) */
     "br : @1\nblock\ni = phi bits=32 : @0 n @3 j\nc = icmp sub=eq bits=1 : i three\ncondbr : c @2 @3\n"
     "block\nbr : @3\nblock\nv = phi bits=32 flags=16 : @1 u @2 x\nj = add bits=32 : i one\n"
     "g = trunc bits=32 : gid\nd = icmp sub=slt bits=1 : j g\ncondbr : d @1 @4\nblock\n" STORE,
     "", "3 0 4"},
    {"a loop without rounds", /* for (i = 0; i < n; i++) v = x */
     "br : @1\nblock\ni = phi bits=32 : @0 zero @2 j\nv = phi bits=32 flags=16 : @0 u @2 x\n"
     "c = icmp sub=slt bits=1 : i n\ncondbr : c @2 @3\nblock\nj = add bits=32 : i one\nbr : "
     "@1\nblock\n" STORE,
     "1 2 2147483647", "0 -1 -2147483648"},
    {"a loop that some leave in its first round", /* for (i = 0; i < n; i++) { if (gid < 4) break; v = x; } */
     "br : @1\nblock\ni = phi bits=32 : @0 zero @3 j\nv = phi bits=32 flags=16 : @0 u @3 x\n"
     "c = icmp sub=slt bits=1 : i n\ncondbr : c @2 @4\nblock\nd = icmp sub=ult bits=1 : gid four\n"
     "condbr : d @4 @3\nblock\nj = add bits=32 : i one\nbr : @1\nblock\n" STORE,
     "", "0 1 2"},
    {"a loop that begins with what is not known", /* for (i = gid; i < n; i++) v = x */
     "g = trunc bits=32 : gid\nbr : @1\nblock\ni = phi bits=32 : @0 g @2 j\n"
     "v = phi bits=32 flags=16 : @0 u @2 x\nc = icmp sub=slt bits=1 : i n\ncondbr : c @2 @3\nblock\n"
     "j = add bits=32 : i one\nbr : @1\nblock\n" STORE,
     "", "0 1 2000"},
    {"a loop within another", /* for (h = 0; h != 3; h++) for (i = h; i != n; i++) v = x */
     "br : @1\nblock\nh = phi bits=32 : @0 zero @4 hh\nw = phi bits=32 flags=16 : @0 u @4 v\n"
     "a = icmp sub=ne bits=1 : h three\ncondbr : a @2 @5\nblock\ni = phi bits=32 : @1 h @3 j\n"
     "v = phi bits=32 flags=16 : @1 w @3 x\nc = icmp sub=ne bits=1 : i n\ncondbr : c @3 @4\nblock\n"
     "j = add bits=32 : i one\nbr : @2\nblock\nhh = add bits=32 : h one\nbr : @1\nblock\n"
     "p = ptradd bits=64 space=global : b o\nstore space=global bytes=4 line=9 : p w\nret\n",
     "", "0 1 2 3"},
};

static struct sel_verdict judged(const struct kernel_summary *k, int32_t n, bool set)
{
    struct launch_arg args[3] = {{.set = true, .size = 8, .memory = 1, .bytes = 1 << 20},
                                 {.set = set, .size = 4},
                                 {.set = true, .size = 4}};
    const struct launch l = {.dim = 1, .global = {1024, 1, 1}, .local = {8, 1, 1}, .nargs = 3, .args = args};
    struct sel_proof proof;
    memcpy(args[1].value, &n, sizeof n);
    sel_judge(k, &l, &proof);
    return proof.size;
}

/* Judges launches with each of the numbers in `list`. */
static void expect(const char *name, const struct kernel_summary *k, const char *list, bool proven)
{
    char *end;
    for (; *list; list = end) {
        const int32_t n = (int32_t)strtol(list, &end, 10);
        const struct sel_verdict v = judged(k, n, true);
        ck_assert_msg(v.proven == proven, "%s with %d: %s", name, n, v.proven ? "proved" : v.detail);
        ck_assert(proven || v.reason == SEL_R_UNDEFINED || v.reason == SEL_R_SUMMARY);
    }
}

LOOPED_TEST(launches, sizeof cases / sizeof cases[0])
{
    char *body = NULL;
    ck_assert_int_ge(asprintf(&body, HEAD "%s", cases[_i].body), 0);
    struct program_summary p = text_facts(body);
    expect(cases[_i].name, &p.kernel[0], cases[_i].closed, true);
    expect(cases[_i].name, &p.kernel[0], cases[_i].open, false);
    sum_free(&p);
    free(body);
}

/* Of b, n and f only n decides. */
TEST(arguments)
{
    struct program_summary p = text_facts(HEAD IF("c = icmp sub=eq bits=1 : n two\n"));
    struct kernel_summary *k = &p.kernel[0];
    ck_assert_uint_eq(k->nundef, 1);
    ck_assert_uint_eq(sel_judge_arguments(k), 1 << 0 | 1 << 1);
    ck_assert(!judged(k, 2, false).proven);
    ck_assert_str_eq(judged(k, 3, true).detail,
                     "with these arguments a variable may have no value where line 9 needs it");
    k->nundef = 0;
    ck_assert_uint_eq(sel_judge_arguments(k), 1 << 0);
    ck_assert(judged(k, 3, true).proven);
    sum_free(&p);
}

/* What a file says about edges is believed only if there are such edges. */
TEST(edges_of_files)
{
    static const struct {
        const char *line;
        bool good;
    } lines[] = {{"open 0 line 9", true},       {"open 0 to 2 line 9", true}, {"open 1 to 2 line 0", true},
                 {"open 2 to 1 line 9", false}, {"open 3 line 9", false},     {"open 0 to 3 line 9", false},
                 {"open 0 to 0 line 9", false}, {"open 0 to line 9", false},  {"open 0 to 2", false}};
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char *body = NULL, *kernel, *text;
        struct program_summary p;
        ck_assert_int_ge(
            asprintf(&body, "%s%s\n", HEAD IF("c = icmp sub=eq bits=1 : n two\n"), lines[i].line), 0);
        kernel = text_kernel(body);
        text = text_seal(kernel);
        const int err = sum_parse(text, strlen(text), &p, NULL);
        ck_assert_msg((err == 0) == lines[i].good, "%s: %d", lines[i].line, err);
        if (!err) {
            ck_assert_uint_eq(p.kernel[0].nundef, 1);
            sum_free(&p);
        }
        free(text);
        free(kernel);
        free(body);
    }
}

int main(void)
{
    return run_tests("undef", NULL, NULL);
}
