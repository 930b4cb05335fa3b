/* test_constants.c - may a compiler know the values of scalar arguments (select/prove/constants.c), and are
 * buffers apart (shared.c)?  And may loads be made later (reload.c)? */
#include "run_suite.h"
#include "select/select.h"
#include "summary_text.h"
#include <string.h>

#define HEAD                                                                                                 \
    "arg \"in\" \"float*\" buffer global 8 - -\narg \"out\" \"float*\" buffer global 8 - -\n"                \
    "arg \"n\" \"int\" scalar private 4 - -\narg \"f\" \"float\" scalar private 4 - -\n"                     \
    "pin = arg bits=64 space=global imm=0\npout = arg bits=64 space=global imm=1\nn = arg bits=32 imm=2\n"   \
    "f = arg bits=32 flags=16 imm=3\nid = wi sub=global_id bits=64\nfour = const bits=64 imm=4\n"            \
    "half = opaque bits=32\nblock\noff = mul bits=64 : id four\n"                                            \
    "p = ptradd bits=64 space=global : pin off\nx = load bits=32 space=global bytes=4 cls=mem : p\n"         \
    "fn = pure bits=32 cls=conv : n\n"
#define TAIL "q = ptradd bits=64 space=global : pout off\nstore space=global bytes=4 cls=mem : q y\nret\n"

static bool is_safe(const char *body, bool is_cpu)
{
    char text[4096];
    struct program_summary p;
    bool safe;

    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    p = text_facts(text);
    safe = sel_constants_are_safe(&p.kernel[0], is_cpu);
    sum_free(&p);
    return safe;
}

TEST(sums_and_products)
{
    ck_assert(is_safe("y = pure bits=32 cls=fmul : x f\n", true));
    ck_assert(is_safe("y = pure bits=32 cls=fadd : fn f\n", true));
    ck_assert(is_safe("y = pure bits=32 cls=fmul : fn f\n", true));
    ck_assert(!is_safe("y = pure bits=32 cls=fmul : fn f\n", false)); /* a device may have fused it */
}

TEST(divisions)
{
    ck_assert(is_safe("y = pure bits=32 cls=fdiv : x fn\n", true));
    ck_assert(!is_safe("y = pure bits=32 cls=fdiv : x fn\n", false));
    ck_assert(is_safe("y = pure bits=32 cls=fdiv : x x\n", false));
    ck_assert(!is_safe("y = pure bits=32 cls=fdiv : f fn\n", true));
}

TEST(fused)
{
    ck_assert(is_safe("y = pure bits=32 cls=fma : x f x\n", true));
    ck_assert(!is_safe("y = pure bits=32 cls=fma : half f x\n", true));
}

TEST(functions)
{
    ck_assert(is_safe("y = pure bits=32 cls=special : x\n", true));
    ck_assert(!is_safe("y = pure bits=32 cls=special : x f\n", true));
    ck_assert(!is_safe("y = pure bits=32 cls=sqrt : fn\n", true));
    ck_assert(!is_safe("s = add bits=32 cls=iadd : n n\ny = pure bits=32 cls=special : s x\n", true));
}

TEST(conversions_that_may_not_fit)
{
    ck_assert(!is_safe("y = pure bits=32 flags=1 cls=conv : f\n", true));
    ck_assert(is_safe("y = pure bits=32 flags=1 cls=conv : x\n", true));
}

/* A value that is known on one path only: a loop that is unrolled knows it in its first round. */
TEST(known_on_one_path)
{
    ck_assert(
        !is_safe("br : @1\nblock\nv = phi bits=32 : @0 f @1 w\nw = pure bits=32 cls=fdiv : v fn\n"
                 "c = icmp sub=eq bits=1 : n n\ncondbr : c @1 @2\nblock\ny = pure bits=32 cls=fadd : w x\n",
                 true));
}

static bool apart(size_t offset)
{
    char text[4096];
    struct launch_arg args[4] = {{.set = true, .memory = 1, .bytes = 64},
                                 {.set = true, .memory = 1, .offset = offset, .bytes = 64},
                                 {.set = true},
                                 {.set = true}};
    struct program_summary p;
    bool result;
    struct launch l = {.dim = 1, .global = {16, 1, 1}, .nargs = 4, .args = args};

    snprintf(text, sizeof text, "%sy = pure bits=32 cls=fadd : x x\n%s", HEAD, TAIL);
    p = text_facts(text);
    result = sel_buffers_are_apart(&p.kernel[0], &l);
    sum_free(&p);
    return result;
}

TEST(buffers)
{
    ck_assert(apart(64));
    ck_assert(!apart(60));
    ck_assert(!apart(0));
}

/* A sum of a loaded integer and `flags`, compared with a number. */
static bool is_safe_launch(const char *flags)
{
    struct launch_arg args[4] = {{.set = true, .size = 8, .memory = 1, .bytes = 64},
                                 {.set = true, .size = 8, .memory = 2, .bytes = 64},
                                 {.set = true, .size = 4},
                                 {.set = true, .size = 4}};
    const struct launch l = {.dim = 1, .global = {16, 1, 1}, .nargs = 4, .args = args};
    const int32_t n = 5;
    char text[4096];
    struct program_summary p;
    bool result;

    memcpy(args[2].value, &n, sizeof n);
    snprintf(text, sizeof text,
             "%ssum = add bits=32 %scls=iadd : x n\nc = icmp sub=sgt bits=1 cls=iadd : sum n\n"
             "y = select bits=32 cls=iadd : c n x\n%s",
             HEAD, flags, TAIL);
    p = text_facts(text);
    result = sel_integers_are_safe(&p.kernel[0], &l);
    sum_free(&p);
    return result;
}

TEST(sums_that_overflow)
{
    ck_assert(is_safe_launch("")); /* it wraps around, in all code */
    ck_assert(!is_safe_launch("flags=4 "));
}

/* Of x, which is loaded first of all, in a driver that may load it again. */
static bool stays(const char *body, bool shared)
{
    struct launch_arg args[4] = {{.set = true, .size = 8, .memory = 1, .bytes = 64},
                                 {.set = true, .size = 8, .memory = shared ? 1 : 2, .bytes = 64},
                                 {.set = true, .size = 4},
                                 {.set = true, .size = 4}};
    struct launch l = {.dim = 1, .global = {16, 1, 1}, .nargs = 4, .args = args};
    char text[4096];
    struct program_summary p;
    bool result;

    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    p = text_facts(text);
    ck_assert(sel_loads_stay(&p.kernel[0], &l));
    l.reloads = true;
    result = sel_loads_stay(&p.kernel[0], &l);
    sum_free(&p);
    return result;
}

#define STORE "store space=global bytes=4 cls=mem : "
#define LOOP(begin, by)                                                                                      \
    "br : @1\nblock\nv = phi bits=32 : @0 " begin " @1 y\ny = pure bits=32 cls=fadd : v " by                 \
    "\nc = icmp sub=eq bits=1 : n n\ncondbr : c @1 @2\nblock\n"

TEST(loads_behind_stores)
{
    ck_assert(stays(STORE "p f\ny = pure bits=32 cls=fadd : x x\n", false)); /* no loop: all is one part */
    ck_assert(stays(LOOP("f", "x"), false));
    ck_assert(!stays(STORE "p f\n" LOOP("f", "x"), false));
    ck_assert(!stays(STORE "p f\n" LOOP("x", "f"), false));
    ck_assert(!stays("w = pure bits=32 cls=fmul : x f\n" STORE "p f\n" LOOP("f", "w"), false));
    ck_assert(stays(LOOP("x", "f") STORE "p y\n", false)); /* the loop keeps what it begins with */
    ck_assert(!stays(LOOP("f", "f") STORE "p x\n" STORE "p x\n", false));
    ck_assert(stays("r = ptradd bits=64 space=global : pout four\n" STORE "r f\n" LOOP("f", "x"), false));
    ck_assert(!stays("r = ptradd bits=64 space=global : pout four\n" STORE "r f\n" LOOP("f", "x"), true));
}

int main(void)
{
    return run_tests("constants", NULL, NULL);
}
