/* test_affine.c - addresses, loops and guards as polynomials; and that they say what the body computes. */
#include "summary_text.h"
#include "run_suite.h"

#include "analysis/prove/affine.h"

#define HEAD                                                                                                 \
    "arg \"b\" \"float*\" buffer global 8 - -\n"                                                             \
    "arg \"n\" \"int\" scalar private 4 - -\n"                                                               \
    "arg \"m\" \"uint\" scalar private 4 - -\n"                                                              \
    "arg \"s\" \"struct s\" scalar private 64 - -\n"                                                         \
    "arg \"a\" \"float*\" buffer global 8 - -\n"                                                             \
    "b = arg bits=64 space=global imm=0\n"                                                                   \
    "n = arg bits=32 imm=1\n"                                                                                \
    "m = arg bits=32 imm=2\n"                                                                                \
    "s = arg bits=64 imm=3\n"                                                                                \
    "a = arg bits=64 space=global imm=4\n"                                                                   \
    "f = opaque bits=32 flags=16\n"                                                                          \
    "zero = const bits=32 imm=0\n"                                                                           \
    "one = const bits=32 imm=1\n"                                                                            \
    "minus = const bits=32 imm=-1\n"                                                                         \
    "two = const bits=32 imm=2\n"                                                                            \
    "four = const bits=64 imm=4\n"                                                                           \
    "zero64 = const bits=64 imm=0\n"                                                                         \
    "one64 = const bits=64 imm=1\n"                                                                          \
    "no = const bits=1 imm=0\n"                                                                              \
    "yes = const bits=1 imm=-1\n"                                                                            \
    "g = wi sub=global_id bits=64\n"                                                                         \
    "h = wi sub=global_id bits=64 imm=1\n"                                                                   \
    "lid = wi sub=local_id bits=64\n"                                                                        \
    "lsize = wi sub=local_size bits=64\n"                                                                    \
    "group = wi sub=group_id bits=64\n"                                                                      \
    "gsize = wi sub=global_size bits=64\n"
#define START "block\n"
#define STORE(index)                                                                                         \
    "off = mul bits=64 : " index " four\n"                                                                   \
    "ptr = ptradd bits=64 space=global : b off\n"                                                            \
    "store space=global bytes=4 : ptr f\n"

/* The same for a 32-bit index, sign-extended. */
#define NARROW_STORE(index) "wide = sext bits=64 : " index "\n" STORE("wide")

/* The last access and the loops, in the words of the text form. */
static char *access_text(const char *body)
{
    struct program_summary p = text_facts(body);
    char *all = NULL, *out = NULL;
    size_t size;
    FILE *f = open_memstream(&all, &size);
    ck_assert_int_eq(sum_print(&p, f), 0);
    fclose(f);
    f = open_memstream(&out, &size);
    char *save;
    for (char *line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (strncmp(line, "loop ", 5) == 0)
            fprintf(f, "%s\n", line);
        if (strncmp(line, "access ", 7) == 0) { /* without the instruction's id */
            char kind[16];
            unsigned insn, arg, bytes;
            int at = 0;
            ck_assert_int_eq(sscanf(line, "access %15s %u %u %u%n", kind, &insn, &arg, &bytes, &at), 4);
            fprintf(f, "%s %u%s\n", kind, arg, line + at);
        }
    }
    fclose(f);
    free(all);
    sum_free(&p);
    return out;
}

static const struct {
    const char *name, *body, *expect;
} cases[] = {
    {"plain", HEAD START STORE("g") "ret\n", "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"two dimensions",
     HEAD START "nw = sext bits=64 : n\nr = mul bits=64 : h nw\ni = add bits=64 : r g\n" STORE("i") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 4*gid:1*arg:1 }\n"},
    {"unsigned argument",
     HEAD START "nw = zext bits=64 : m\nr = mul bits=64 : h nw\ni = add bits=64 : r g\n" STORE("i") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 4*gid:1*zarg:2 }\n"},
    {"int arithmetic",
     HEAD START
     "x = trunc bits=32 : g\ny = trunc bits=32 : h\nr = mul bits=32 : y n\n"
     "i = add bits=32 : r x\ni2 = add bits=32 : i minus\nw = sext bits=64 : i2\n" STORE("w") "ret\n",
     "write 0 affine wrap=32 { -4 4*gid:0 4*gid:1*arg:1 }\n"},
    {"uint arithmetic",
     HEAD START "x = trunc bits=32 : g\ni = add bits=32 : x minus\nw = zext bits=64 : i\n" STORE("w") "ret\n",
     "write 0 affine wrap=32 { -4 4*gid:0 }\n"},
    {"narrower still",
     HEAD START "x = trunc bits=16 : g\ny = sext bits=32 : x\nz = zext bits=64 : y\n" STORE("z") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 } fits i 16 { 1*gid:0 } fits u 32 { 1*gid:0 }\n"},
    {"narrow, then cut below",
     HEAD START "x = trunc bits=16 : g\ny = zext bits=32 : x\nz = trunc bits=8 : y\n"
                "w = zext bits=64 : z\n" STORE("w") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 } fits u 8 { 1*gid:0 }\n"},
    {"shift and or", HEAD START "x = shl bits=64 : g one64\ny = or bits=64 : x one64\n" STORE("y") "ret\n",
     "write 0 affine wrap=64 { 4 8*gid:0 }\n"},
    {"or that is no sum", HEAD START "y = or bits=64 : g one64\n" STORE("y") "ret\n",
     "loop 0 quotient step=2 limit { 1 1*gid:0 } step_poly { } fits u 31 { 1*gid:0 }\n"
     "write 0 affine wrap=64 { 4 8*loop:0 }\n"},
    {"a bit turned over", HEAD START "y = xor bits=64 : g four\n" STORE("y") "ret\n",
     "loop 0 quotient step=4 limit { 1 1*gid:0 } step_poly { } fits u 31 { 1*gid:0 }\n"
     "loop 0 quotient step=8 limit { 1 1*gid:0 } step_poly { } fits u 31 { 1*gid:0 }\n"
     "write 0 affine wrap=64 { 16 4*gid:0 -32*loop:0 64*loop:1 }\n"},
    {"a bit alone", HEAD START "y = and bits=64 : g four\n" STORE("y") "ret\n",
     "loop 0 quotient step=4 limit { 1 1*gid:0 } step_poly { } fits u 31 { 1*gid:0 }\n"
     "loop 0 quotient step=8 limit { 1 1*gid:0 } step_poly { } fits u 31 { 1*gid:0 }\n"
     "write 0 affine wrap=64 { 16*loop:0 -32*loop:1 }\n"},
    {"row and column",
     HEAD START "x = trunc bits=32 : g\nq = sdiv bits=32 : x n\nr = srem bits=32 : x n\n"
                "p = mul bits=32 : q n\ni = add bits=32 : p r\nw = sext bits=64 : i\n" STORE("w") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"row and column of different widths",
     HEAD START
     "x = trunc bits=32 : g\nq = udiv bits=32 : x n\n"
     "r = urem bits=32 : x m\np = mul bits=32 : q n\ni = add bits=32 : p r\nw = sext bits=64 : i\n" STORE(
         "w") "ret\n",
     "loop 0 quotient step=0 limit { 1 1*gid:0 } step_poly { 1*arg:1 } fits u 31 { 1*gid:0 }\n"
     "loop 0 quotient step=0 limit { 1 1*gid:0 } step_poly { 1*arg:2 } fits u 31 { 1*gid:0 }\n"
     "write 0 affine wrap=32 { 4*gid:0 4*arg:1*loop:0 -4*arg:2*loop:1 }\n"},
    {"a remainder by zero",
     HEAD START
     "x = trunc bits=32 : g\nw = mul bits=32 : n zero\nr = urem bits=32 : x w\n" NARROW_STORE("r") "ret\n",
     "write 0\n"},
    {"half of a signed number",
     HEAD START "x = trunc bits=32 : g\nq = ashr bits=32 : x one\n" NARROW_STORE("q") "ret\n",
     "loop 0 quotient step=2 limit { 1 1*gid:0 } step_poly { } fits u 31 { 1*gid:0 }\n"
     "write 0 affine wrap=32 { 4*loop:0 }\n"},
    {"a quotient of quotients",
     HEAD START
     "x = trunc bits=32 : g\nq = sdiv bits=32 : x n\nr = sdiv bits=32 : q m\n" NARROW_STORE("r") "ret\n",
     "loop 0 quotient step=0 limit { 1 1*gid:0 } step_poly { 1*arg:1 } fits u 31 { 1*gid:0 }\n"
     "loop 0 quotient step=0 limit { 1 1*loop:0 } step_poly { 1*arg:2 } fits u 31 { 1*loop:0 }\n"
     "write 0 affine wrap=32 { 4*loop:1 }\n"},
    {"low bits by a mask that the launch knows",
     HEAD START
     "x = trunc bits=32 : g\nk = add bits=32 : n minus\ny = and bits=32 : x k\n" NARROW_STORE("y") "ret\n",
     "loop 0 quotient power step=0 limit { 1 1*gid:0 } step_poly { 1*arg:1 } fits u 31 { 1*gid:0 }\n"
     "write 0 affine wrap=32 { 4*gid:0 -4*arg:1*loop:0 }\n"},
    {"a mask that differs", HEAD START "y = and bits=64 : g h\n" STORE("y") "ret\n", "write 0\n"},
    {"a shift that the launch knows",
     HEAD START "x = trunc bits=32 : g\ny = lshr bits=32 : x n\n" NARROW_STORE("y") "ret\n",
     "loop 0 quotient shift step=0 limit { 1 1*gid:0 } step_poly { 1*arg:1 } fits u 31 { 1*gid:0 }\n"
     "write 0 affine wrap=32 { 4*loop:0 }\n"},
    {"a shift by an id", HEAD START "y = lshr bits=64 : one64 g\n" STORE("y") "ret\n", "write 0\n"},
    {"an exchanged bit",
     HEAD START "x = trunc bits=32 : g\ny = xor bits=32 : x n\n" NARROW_STORE("y") "ret\n",
     "loop 0 quotient power step=0 limit { 1 1*gid:0 } step_poly { 1*arg:1 } fits u 31 { 1*gid:0 }\n"
     "loop 0 quotient power step=0 limit { 1 1*gid:0 } step_poly { 2*arg:1 } fits u 31 { 1*gid:0 }\n"
     "write 0 affine wrap=32 { 4*gid:0 4*arg:1 -8*arg:1*loop:0 16*arg:1*loop:1 }\n"},
    {"a quotient of a narrow number",
     HEAD "n16 = const bits=16 imm=3\n" START
          "x = trunc bits=16 : g\nq = udiv bits=16 : x n16\nw = zext bits=64 : q\n" STORE("w") "ret\n",
     "write 0\n"},
    {"halves by bits",
     HEAD
     "c3 = const bits=64 imm=3\nc7 = const bits=64 imm=7\n" START
     "q = lshr bits=64 : g c3\nr = and bits=64 : g c7\np = shl bits=64 : q c3\ni = add bits=64 : p r\n" STORE(
         "i") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"cleared bits and the rest",
     HEAD "c7 = const bits=64 imm=7\nk7 = const bits=64 imm=-8\n" START
          "q = and bits=64 : g k7\nr = and bits=64 : g c7\ni = add bits=64 : q r\n" STORE("i") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"group and local",
     HEAD START "x = mul bits=64 : group lsize\ni = add bits=64 : x lid\n" STORE("i") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 -4*offset:0 }\n"},
    {"linear id", HEAD "l = wi sub=global_linear_id bits=64\n" START STORE("l") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 -4*offset:0 4*gid:1*gsize:0 -4*offset:1*gsize:0 "
     "4*gid:2*gsize:0*gsize:1 "
     "-4*offset:2*gsize:0*gsize:1 }\n"},
    {"from memory",
     HEAD START "p = ptradd bits=64 space=global : a g\nx = load bits=32 space=global bytes=4 : p\n"
                "w = sext bits=64 : x\n" STORE("w") "ret\n",
     "read 4 affine wrap=64 { 1*gid:0 }\nwrite 0\n"},
    {"same setting for all",
     HEAD START
     "x = load bits=64 bytes=8 : s\nr = mul bits=64 : x h\ni = add bits=64 : r g\n" STORE("i") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 4*gid:1*uniform:21 }\n"},
    {"same setting for all, from a buffer that is only read",
     HEAD START "x = load bits=64 space=global bytes=8 : a\n"
                "r = mul bits=64 : x h\ni = add bits=64 : r g\n" STORE("i") "ret\n",
     "read 4 affine wrap=64 { }\nwrite 0 affine wrap=64 { 4*gid:0 4*gid:1*uniform:21 }\n"},
    {"setting of each",
     HEAD START "p = ptradd bits=64 space=global : a g\nx = load bits=64 space=global bytes=8 : p\n"
                "r = mul bits=64 : x h\ni = add bits=64 : r g\n" STORE("i") "ret\n",
     "read 4 affine wrap=64 { 1*gid:0 }\nwrite 0\n"},
    {"constant",
     HEAD START "ptr = ptradd bits=64 space=global : b four\nstore space=global bytes=4 : ptr minus\nret\n",
     "write 0 affine constant=-1 wrap=64 { 4 }\n"},
    {"two pointers",
     HEAD START "c = icmp sub=ult bits=1 : g four\np = select bits=64 : c a b\n"
                "store space=global bytes=4 : p f\nret\n",
     "write 0 affine wrap=64 { }\nwrite 4 affine wrap=64 { }\n"}, /* the start of either */
    {"in place",
     HEAD START "off = mul bits=64 : g four\nptr = ptradd bits=64 space=global : b off\n"
                "x = load bits=32 space=global bytes=4 : ptr\nstore space=global bytes=4 : ptr x\nret\n",
     "read 0 affine wrap=64 { 4*gid:0 }\nwrite 0 affine wrap=64 { 4*gid:0 }\n"},
    {"atomic", HEAD START "atomic sub=inc space=global flags=1 bytes=4 : b\nret\n",
     "atomic 0 affine wrap=64 { }\n"},

    /* conditions that the launch checks */
    {"24-bit product",
     HEAD START "gw = trunc bits=32 : g\nx = mul bits=32 flags=32 : gw n\n" NARROW_STORE("x") "ret\n",
     "write 0 affine wrap=32 { 4*gid:0*arg:1 } fits i 24 { 1*gid:0 } fits i 24 { 1*arg:1 }\n"},
    {"24-bit product, unsigned",
     HEAD START "gw = trunc bits=32 : g\nx = mul bits=32 flags=96 : gw two\n" NARROW_STORE("x") "ret\n",
     "write 0 affine wrap=32 { 8*gid:0 } fits u 24 { 1*gid:0 }\n"},
    {"24-bit product that never fits",
     HEAD START "gw = trunc bits=32 : g\nx = mul bits=32 flags=96 : gw minus\n" NARROW_STORE("x") "ret\n",
     "write 0\n"},
    {"24-bit product of what wrapped",
     HEAD START
     "gb = trunc bits=8 : g\ngw = zext bits=32 : gb\nx = mul bits=32 flags=32 : gw n\n" NARROW_STORE(
         "x") "ret\n",
     "write 0 affine wrap=32 { 4*gid:0*arg:1 } fits u 8 { 1*gid:0 } fits i 24 { 1*gid:0 } fits i 24 { "
     "1*arg:1 }\n"},

    /* choices */
    {"select, launch-wide condition",
     HEAD START "c = icmp sub=slt bits=1 : n zero\ni = select bits=64 : c g h\n" STORE("i") "ret\n",
     "write 0 affine wrap=64 { 4*gid:1 -4*gid:0*uniform:21 4*gid:1*uniform:21 }\n"},
    {"select, launch-wide difference",
     HEAD START
     "k = add bits=64 : g four\nc = icmp sub=slt bits=1 : h lid\ni = select bits=64 : c k g\n" STORE(
         "i") "ret\n",
     "loop 0 bounded step=1 limit { 2 } step_poly { }\nwrite 0 affine wrap=64 { 4*gid:0 16*loop:0 }\n"},
    {"select between ids",
     HEAD START "c = icmp sub=slt bits=1 : lid h\ni = select bits=64 : c g h\n" STORE("i") "ret\n",
     "write 0\n"},
    {"two paths that meet",
     HEAD START "c = icmp sub=ult bits=1 : h lid\ncondbr : c @1 @2\nblock\nk = add bits=64 : g four\nbr : "
                "@2\nblock\ni = phi bits=64 : @0 g @1 k\nj = phi bits=64 : @0 zero64 @1 one64\n"
                "i2 = add bits=64 : i j\n" STORE("i2") "ret\n",
     "loop 2 bounded step=1 limit { 2 } step_poly { }\nwrite 0 affine wrap=64 { 4*gid:0 20*loop:0 }\n"},
    {"two paths that parted by a launch-wide condition",
     HEAD START "c = icmp sub=slt bits=1 : n zero\ncondbr : c @1 @2\nblock\nbr : @3\nblock\nbr : @3\nblock\n"
                "i = phi bits=64 : @1 g @2 h\n" STORE("i") "ret\n",
     "write 0 affine wrap=64 { 4*gid:1 -4*gid:0*uniform:21 4*gid:1*uniform:21 }\n"},
    {"three paths that meet",
     HEAD START
     "c = icmp sub=ult bits=1 : h lid\ncondbr : c @1 @2\nblock\nbr : @4\nblock\nd = icmp sub=ult "
     "bits=1 : h gsize\ncondbr : d @3 @4\nblock\nbr : @4\nblock\ni = phi bits=64 : @1 g @2 zero64 @3 "
     "one64\n" STORE("i") "ret\n",
     "write 0\n"},

    /* guards */
    {"guard, unsigned",
     HEAD START "nw = sext bits=64 : n\nc = icmp sub=ult bits=1 : g nw\ncondbr : c @1 @2\nblock\n" STORE(
         "g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { 1*gid:0 } { 1*arg:1 }\n"},
    {"guard that returns",
     HEAD START "i = trunc bits=32 : g\nc = icmp sub=sge bits=1 : i n\ncondbr : c @1 @2\nblock\nret\n"
                "block\n" STORE("g") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { 1*gid:0 } { 1*arg:1 }\n"},
    {"guard, signed, or equal",
     HEAD START "i = trunc bits=32 : g\nc = icmp sub=sle bits=1 : i n\ncondbr : c @1 @2\n"
                "block\n" STORE("g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { 1*gid:0 } { 1 1*arg:1 }\n"},
    {"guard, unsigned, or equal: n may be the largest",
     HEAD START "i = trunc bits=32 : g\n"
                "c = icmp sub=ule bits=1 : i n\ncondbr : c @1 @2\nblock\n" STORE("g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"guards joined by and",
     HEAD START "x = trunc bits=32 : g\ny = trunc bits=32 : h\nc = icmp sub=slt bits=1 : x n\n"
                "d = icmp sub=slt bits=1 : y m\ne = select bits=1 : c d no\ncondbr : e @1 @2\nblock\n" STORE(
                    "g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { 1*gid:0 } { 1*arg:1 } lt { 1*gid:1 } { 1*arg:2 }\n"},
    {"guards joined by or, inverted",
     HEAD START "x = trunc bits=32 : g\ny = trunc bits=32 : h\n"
                "c = icmp sub=sge bits=1 : x n\nd = icmp sub=eq bits=1 : y m\ne = or bits=1 : c d\nz = xor "
                "bits=1 : e yes\n"
                "condbr : z @1 @2\nblock\n" STORE("g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { 1*gid:0 } { 1*arg:1 }\n"},
    {"guards by branches",
     HEAD START
     "c = icmp sub=ult bits=1 : g four\ncondbr : c @1 @3\nblock\n"
     "d = icmp sub=eq bits=1 : h zero64\ncondbr : d @2 @3\nblock\n" STORE("g") "br : @3\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { 1*gid:0 } { 4 } eq { 1*gid:1 } { }\n"},
    {"no guard behind the join",
     HEAD START
     "c = icmp sub=ult bits=1 : g four\ncondbr : c @1 @2\nblock\nbr : @2\nblock\n" STORE("g") "ret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"no guard on a critical edge",
     HEAD START "c = icmp sub=ult bits=1 : g four\ncondbr : c @2 @1\nblock\n"
                "d = icmp sub=ult bits=1 : h four\ncondbr : d @2 @3\nblock\n" STORE("g") "ret\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"a sum of extensions is no guard",
     HEAD START
     "x = trunc bits=32 : g\nx1 = add bits=32 : x n\nxw = zext bits=64 : x1\n"
     "y = trunc bits=32 : h\ny1 = add bits=32 : y n\nyw = zext bits=64 : y1\nd = sub bits=64 : xw yw\n"
     "c = icmp sub=slt bits=1 : d four\ncondbr : c @1 @2\nblock\n" STORE("g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"an extension is",
     HEAD START
     "x = trunc bits=32 : g\nx1 = add bits=32 : x one\nxw = zext bits=64 : x1\n"
     "c = icmp sub=slt bits=1 : xw four\ncondbr : c @1 @2\nblock\n" STORE("g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { 1 1*gid:0 } { 4 }\n"},
    {"guard of few bits",
     HEAD "c3 = const bits=8 imm=3\n" START "x = trunc bits=8 : g\n"
          "c = icmp sub=ult bits=1 : x c3\ncondbr : c @1 @2\nblock\n" STORE("g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},

    {"unequal to zero",
     HEAD START "x = trunc bits=32 : g\nc = icmp sub=ne bits=1 : x zero\ncondbr : c @1 @2\nblock\n" STORE(
         "g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { } { 1*gid:0 }\n"},
    {"unequal to something else",
     HEAD START "x = trunc bits=32 : g\nc = icmp sub=ne bits=1 : x two\ncondbr : c @1 @2\nblock\n" STORE(
         "g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 }\n"},
    {"between two constants, unsigned",
     HEAD START "x = trunc bits=32 : g\ny = add bits=32 : x minus\nc = icmp sub=ult bits=1 : y two\n"
                "condbr : c @1 @2\nblock\n" STORE("g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { 1*gid:0 } { 3 } lt { } { 1*gid:0 }\n"},
    {"below a constant, signed",
     HEAD START "x = trunc bits=32 : g\ny = add bits=32 : x minus\nc = icmp sub=slt bits=1 : y two\n"
                "condbr : c @1 @2\nblock\n" STORE("g") "br : @2\nblock\nret\n",
     "write 0 affine wrap=64 { 4*gid:0 } lt { -1 1*gid:0 } { 2 }\n"},
    {"an or of apart bits",
     HEAD START
     "x = shl bits=64 : g one64\ny = and bits=64 : h one64\nz = or bits=64 : x y\n" STORE("z") "ret\n",
     "loop 0 quotient step=2 limit { 1 1*gid:1 } step_poly { } fits u 31 { 1*gid:1 }\n"
     "write 0 affine wrap=64 { 8*gid:0 4*gid:1 -8*loop:0 }\n"},
    {"an or of bits that may meet",
     HEAD START
     "x = shl bits=64 : g one64\ny = and bits=64 : h four\nz = or bits=64 : x y\n" STORE("z") "ret\n",
     "write 0\n"},

    /* loops */
    {"counted loop",
     HEAD START
     "br : @1\nblock\nj = phi bits=32 : @0 zero @2 k\nc = icmp sub=slt bits=1 : j n\n"
     "condbr : c @2 @3\nblock\njw = sext bits=64 : j\nnw = sext bits=64 : n\nr = mul bits=64 : g nw\n"
     "i = add bits=64 : r jw\n" STORE("i") "k = add bits=32 : j one\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 1*arg:1 } step_poly { }\n"
     "write 0 affine wrap=32 { 4*loop:0 4*gid:0*arg:1 } lt { 1*loop:0 } { 1*arg:1 }\n"},
    {"counted by two from zero",
     HEAD START "br : @1\nblock\nj = phi bits=32 : @0 zero @2 k\n"
                "c = icmp sub=slt bits=1 : j n\ncondbr : c @2 @3\nblock\njw = sext bits=64 : j\n" STORE(
                    "jw") "k = add bits=32 : j two\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=2 limit { 1*arg:1 } step_poly { }\n"
     "write 0 affine wrap=32 { 8*loop:0 } lt { 2*loop:0 } { 1*arg:1 }\n"},
    {"counted by two from one",
     HEAD START "br : @1\nblock\nj = phi bits=32 : @0 one @2 k\n"
                "c = icmp sub=slt bits=1 : j n\ncondbr : c @2 @3\nblock\njw = sext bits=64 : j\n" STORE(
                    "jw") "k = add bits=32 : j two\nbr : @1\nblock\nret\n",
     "loop 1 step=2 limit { -1 1*arg:1 } step_poly { } fits i 32 { 1 } fits i 32 { 1*arg:1 } fits i 32 { 1 "
     "1*arg:1 }\n"
     "write 0 affine wrap=32 { 4 8*loop:0 } lt { 1 2*loop:0 } { 1*arg:1 }\n"},
    {"counted down",
     HEAD START "br : @1\nblock\nj = phi bits=32 : @0 n @2 k\nc = icmp sub=sgt bits=1 : j zero\n"
                "condbr : c @2 @3\nblock\njw = sext bits=64 : j\n" STORE(
                    "jw") "k = add bits=32 : j minus\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 1*arg:1 } step_poly { }\n"
     "write 0 affine wrap=32 { 4*arg:1 -4*loop:0 } lt { } { 1*arg:1 -1*loop:0 }\n"},
    {"until equal",
     HEAD START "br : @1\nblock\nj = phi bits=32 : @0 zero @2 k\nc = icmp sub=ne bits=1 : j n\n"
                "condbr : c @2 @3\nblock\njw = sext bits=64 : j\n" STORE(
                    "jw") "k = add bits=32 : j one\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 1*arg:1 } step_poly { }\nwrite 0 affine wrap=32 { 4*loop:0 }\n"},
    {"until equal by two",
     HEAD START "br : @1\nblock\nj = phi bits=32 : @0 zero @2 k\nc = icmp sub=ne bits=1 : j n\n"
                "condbr : c @2 @3\nblock\njw = sext bits=64 : j\n" STORE(
                    "jw") "k = add bits=32 : j two\nbr : @1\nblock\nret\n",
     "loop 1 step=0 limit { } step_poly { }\nwrite 0 affine wrap=32 { 8*loop:0 }\n"},
    {"or equal: n may be the largest",
     HEAD START "br : @1\nblock\nj = phi bits=32 : @0 zero @2 k\n"
                "c = icmp sub=ule bits=1 : j n\ncondbr : c @2 @3\nblock\njw = zext bits=64 : j\n" STORE(
                    "jw") "k = add bits=32 : j one\nbr : @1\nblock\nret\n",
     "loop 1 step=1 limit { 1 1*arg:1 } step_poly { } fits u 32 { } fits u 32 { 1*arg:1 } fits u 32 { 1 "
     "1*arg:1 }\n"
     "write 0 affine wrap=32 { 4*loop:0 }\n"},
    {"from the id",
     HEAD START "gi = trunc bits=32 : g\nbr : @1\nblock\nj = phi bits=32 : @0 gi @2 k\n"
                "c = icmp sub=slt bits=1 : j n\ncondbr : c @2 @3\nblock\njw = sext bits=64 : j\n" STORE(
                    "jw") "k = add bits=32 : j one\nbr : @1\nblock\nret\n",
     "loop 1 step=1 limit { -1*gid:0 1*arg:1 } step_poly { } fits i 32 { 1*gid:0 } fits i 32 { 1*arg:1 } "
     "fits i 32 "
     "{ 1*arg:1 }\nwrite 0 affine wrap=32 { 4*gid:0 4*loop:0 } lt { 1*gid:0 1*loop:0 } { 1*arg:1 }\n"},
    {"grid stride",
     HEAD START "nw = sext bits=64 : n\nbr : @1\nblock\nj = phi bits=64 : @0 g @2 k\n"
                "c = icmp sub=ult bits=1 : j nw\ncondbr : c @2 @3\nblock\n" STORE(
                    "j") "k = add bits=64 : j gsize\nbr : @1\nblock\n"
                         "ret\n",
     "loop 1 step=0 limit { -1*gid:0 1*arg:1 } step_poly { 1*gsize:0 } fits u 64 { 1*gid:0 } fits u 64 { "
     "1*arg:1 } "
     "fits u 64 { -1 1*gsize:0 1*arg:1 }\n"
     "write 0 affine wrap=64 { 4*gid:0 4*gsize:0*loop:0 } lt { 1*gid:0 1*gsize:0*loop:0 } { 1*arg:1 }\n"},
    {"grid stride from a narrow start",
     HEAD START
     "gw = trunc bits=32 : g\nw = sext bits=64 : gw\nnw = sext bits=64 : n\nbr : @1\nblock\n"
     "j = phi bits=64 : @0 w @2 k\nc = icmp sub=slt bits=1 : j nw\ncondbr : c @2 @3\nblock\n" STORE(
         "j") "k = add bits=64 : j gsize\nbr : @1\nblock\nret\n",
     "loop 1 step=0 limit { -1*gid:0 1*arg:1 } step_poly { 1*gsize:0 } fits i 64 { 1*gid:0 } fits i 64 { "
     "1*arg:1 } fits i 64 { -1 1*gsize:0 1*arg:1 }\n"
     "write 0 affine wrap=64 { 4*gid:0 4*gsize:0*loop:0 } lt { 1*gid:0 1*gsize:0*loop:0 } { 1*arg:1 }\n"},
    {"minimum as a bound",
     HEAD START
     "gw = trunc bits=32 : g\ntop = add bits=32 : gw two\nend = smin bits=32 : n top\nbr : @1\nblock\n"
     "j = phi bits=32 : @0 gw @2 k\nc = icmp sub=slt bits=1 : j end\ncondbr : c @2 @3\nblock\n" NARROW_STORE(
         "j") "k = add bits=32 : j one\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 2 } step_poly { }\n"
     "write 0 affine wrap=32 { 4*gid:0 4*loop:0 } lt { 1*gid:0 1*loop:0 } { 2 1*gid:0 } lt { 1*gid:0 "
     "1*loop:0 } { 1*arg:1 }\n"},
    {"minimum of the other sign",
     HEAD START
     "gw = trunc bits=32 : g\ntop = add bits=32 : gw two\nend = umin bits=32 : n top\nbr : @1\nblock\n"
     "j = phi bits=32 : @0 gw @2 k\nc = icmp sub=slt bits=1 : j end\ncondbr : c @2 @3\nblock\n" NARROW_STORE(
         "j") "k = add bits=32 : j one\nbr : @1\nblock\nret\n",
     "loop 1 step=1 limit { 2 } step_poly { } fits i 32 { 1*gid:0 } fits i 32 { 2 1*gid:0 } fits i 32 { 2 "
     "1*gid:0 } fits u 32 { 2 1*gid:0 } fits u 32 { 1*arg:1 } fits u 63 { -2 -1*gid:0 1*arg:1 }\nwrite 0 "
     "affine wrap=32 { 4*gid:0 4*loop:0 }\n"},
    {"local stride",
     HEAD START "br : @1\nblock\nj = phi bits=64 : @0 g @1 k\nk = add bits=64 : j lid\n" STORE(
         "j") "c = icmp sub=ult bits=1 : k four\ncondbr : c @1 @2\nblock\nret\n",
     "write 0\n"},
    {"used in the test's own block",
     HEAD START "br : @1\nblock\nj = phi bits=64 : @0 zero64 @2 k\n" STORE(
         "j") "c = icmp sub=ult bits=1 : j four\ncondbr : c @2 @3\nblock\nk = add bits=64 : j one64\nbr : "
              "@1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 4 } step_poly { }\n"
     "loop 1 step=1 limit { 1 4 } step_poly { } fits u 31 { 4 }\n"
     "write 0 affine wrap=64 { 4*loop:1 }\n"},
    {"used behind the loop",
     HEAD START "br : @1\nblock\nj = phi bits=64 : @0 zero64 @2 k\n"
                "c = icmp sub=ult bits=1 : j four\ncondbr : c @2 @3\nblock\nk = add bits=64 : j one64\nbr : "
                "@1\nblock\n" STORE("j") "ret\n",
     "loop 1 bounded step=1 limit { 4 } step_poly { }\n"
     "loop 1 step=1 limit { 1 4 } step_poly { } fits u 31 { 4 }\n"
     "write 0 affine wrap=64 { 4*loop:1 }\n"},
    {"test passed in some iterations only",
     HEAD START "br : @1\nblock\nj = phi bits=64 : @0 zero64 @4 k\n"
                "d = icmp sub=eq bits=1 : n zero\ncondbr : d @2 @3\nblock\nc = icmp sub=ult bits=1 : j "
                "four\ncondbr : c @3 @5\n"
                "block\n" STORE("j") "br : @4\nblock\nk = add bits=64 : j one64\nbr : @1\nblock\nret\n",
     "loop 1 step=0 limit { } step_poly { }\nwrite 0 affine wrap=64 { 4*loop:0 }\n"},
    {"pointer that walks",
     HEAD START "br : @1\nblock\np = phi bits=64 space=global : @0 b @1 q\n"
                "store space=global bytes=4 : p f\nq = ptradd bits=64 space=global : p four\nc = icmp "
                "sub=ult bits=1 : q a\n"
                "condbr : c @1 @2\nblock\nret\n",
     "loop 1 step=0 limit { } step_poly { }\nwrite 0 affine wrap=64 { 4*loop:0 }\n"},
    {"step from memory",
     HEAD START "st = load bits=64 space=global bytes=8 : b\nbr : @1\nblock\n"
                "j = phi bits=64 : @0 zero64 @1 k\n" STORE(
                    "j") "k = add bits=64 : j st\nc = icmp sub=ult bits=1 : k four\n"
                         "condbr : c @1 @2\nblock\nret\n",
     "read 0 affine wrap=64 { }\nwrite 0\n"},
    {"nest",
     HEAD START
     "br : @1\nblock\ni = phi bits=64 : @0 zero64 @5 i2\nc = icmp sub=ult bits=1 : i four\n"
     "condbr : c @2 @6\nblock\nbr : @3\nblock\nj = phi bits=64 : @2 zero64 @4 j2\nd = icmp sub=ult bits=1 : "
     "j i\n"
     "condbr : d @4 @5\nblock\nr = mul bits=64 : i four\nx = add bits=64 : r j\n" STORE(
         "x") "j2 = add bits=64 : j one64\nbr : @3\nblock\ni2 = add bits=64 : i one64\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 4 } step_poly { }\n"
     "loop 3 step=1 limit { 1*loop:0 } step_poly { } fits u 64 { } fits u 64 { 1*loop:0 } fits u 64 { "
     "1*loop:0 }\n"
     "write 0 affine wrap=64 { 16*loop:0 4*loop:1 } lt { 1*loop:0 } { 4 } lt { 1*loop:1 } { 1*loop:0 }\n"},
    {"advanced by the inner loop",
     HEAD START
     "br : @1\nblock\ni = phi bits=64 : @0 zero64 @5 i2\np = phi bits=64 : @0 g @5 q\n"
     "c = icmp sub=ult bits=1 : i four\ncondbr : c @2 @6\nblock\nbr : @3\nblock\n"
     "j = phi bits=64 : @2 zero64 @4 j2\nq = phi bits=64 : @2 p @4 q2\nd = icmp sub=ult bits=1 : j four\n"
     "condbr : d @4 @5\nblock\n" STORE(
         "q") "q2 = add bits=64 : q gsize\nj2 = add bits=64 : j one64\n"
              "br : @3\nblock\ni2 = add bits=64 : i one64\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 4 } step_poly { }\n"
     "loop 3 bounded step=1 limit { 4 } step_poly { }\n"
     "loop 3 step=1 limit { 1 4 } step_poly { } fits u 31 { 4 }\n"
     "loop 0 step=1 limit { 1 1*loop:2*loop:0 } step_poly { }\n"
     "write 0 affine wrap=64 { 4*gid:0 4*gsize:0*loop:1 4*gsize:0*loop:3 } lt { 1*loop:0 } { 4 } lt { "
     "1*loop:1 } { 4 }\n"},
    {"advanced by the inner loop, and back",
     HEAD START
     "br : @1\nblock\ni = phi bits=64 : @0 zero64 @5 i2\np = phi bits=64 : @0 g @5 q3\n"
     "c = icmp sub=ult bits=1 : i four\ncondbr : c @2 @6\nblock\nbr : @3\nblock\n"
     "j = phi bits=64 : @2 zero64 @4 j2\nq = phi bits=64 : @2 p @4 q2\nd = icmp sub=ult bits=1 : j four\n"
     "condbr : d @4 @5\nblock\n" STORE("q") "q2 = add bits=64 : q gsize\nj2 = add bits=64 : j one64\n"
                                            "br : @3\nblock\nq3 = sub bits=64 : q gsize\n"
                                            "i2 = add bits=64 : i one64\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 4 } step_poly { }\n"
     "loop 3 bounded step=1 limit { 4 } step_poly { }\n"
     "write 0 affine wrap=64 { 4*gid:0 12*gsize:0*loop:0 4*gsize:0*loop:1 } lt { 1*loop:0 } { 4 } lt { "
     "1*loop:1 } { 4 }\n"},
    {"advanced now and then",
     HEAD START "br : @1\nblock\ni = phi bits=64 : @0 zero64 @4 i2\np = phi bits=64 : @0 g @4 r\n"
                "c = icmp sub=ult bits=1 : i four\ncondbr : c @2 @5\nblock\n" STORE(
                    "p") "v = load bits=64 space=global bytes=8 : b\nd = icmp sub=ult bits=1 : v "
                         "four\ncondbr : d @3 @4\nblock\n"
                         "q = add bits=64 : p gsize\nbr : @4\nblock\nr = phi bits=64 : @2 p @3 q\n"
                         "i2 = add bits=64 : i one64\nbr : @1\nblock\nret\n",
     "loop 1 bounded step=1 limit { 4 } step_poly { }\n"
     "loop 4 bounded step=1 limit { 2 } step_poly { }\n"
     "loop 0 step=1 limit { 1 1*loop:1*loop:0 } step_poly { }\n"
     "write 0 affine wrap=64 { 4*gid:0 4*gsize:0*loop:2 } lt { 1*loop:0 } { 4 }\n"
     "read 0 affine wrap=64 { } lt { 1*loop:0 } { 4 }\n"},
};

LOOPED_TEST(test_case, sizeof(cases) / sizeof(cases[0]))
{
    char *got = access_text(cases[_i].body);
    ck_assert_msg(strcmp(got, cases[_i].expect) == 0, "%s:\n%sexpected\n%s", cases[_i].name, got,
                  cases[_i].expect);
    free(got);
}

/* ---- against execution ----------------------------------------------------------------------------- */

/* Random straight-line integer code, run on random ids: every value must be congruent to its polynomial
 * modulo 2^min(bits, wrap) in the launch reading and 2^bits in the exact one; and what an exact polynomial
 * does not mention must not matter. */
struct machine {
    const struct kernel_summary *k;
    uint64_t gid[3], lid[3], lsize[3], group[3], ngroups[3], offset[3], arg[4];
    uint64_t value[128];
};

static uint32_t rnd(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

static uint64_t rnd64(uint64_t *s)
{
    uint64_t x = (uint64_t)rnd(s) << 40 ^ (uint64_t)rnd(s) << 20 ^ rnd(s);
    return x >> rnd(s) % 64;
}

static uint64_t cut(uint64_t x, unsigned bits)
{
    return bits >= 64 ? x : x & ((1ull << bits) - 1);
}

static int64_t sign(uint64_t x, unsigned bits)
{
    return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static uint64_t leaf(const struct machine *m, uint32_t v)
{
    const struct sum_insn *in = &m->k->insns[v];
    unsigned d = (unsigned)in->imm % 3;
    if (in->op == SUM_CONST)
        return cut((uint64_t)in->imm, in->bits);
    if (in->op == SUM_ARG)
        return cut(m->arg[in->imm % 4], in->bits);
    switch (in->sub) {
    case SUM_WI_GLOBAL_ID:
        return m->gid[d];
    case SUM_WI_LOCAL_ID:
        return m->lid[d];
    case SUM_WI_LOCAL_SIZE:
        return m->lsize[d];
    case SUM_WI_GROUP_ID:
        return m->group[d];
    case SUM_WI_NUM_GROUPS:
        return m->ngroups[d];
    case SUM_WI_GLOBAL_SIZE:
        return m->lsize[d] * m->ngroups[d];
    default:
        return m->offset[d];
    }
}

/* mul24(): outside its range anything, here always the same. */
static uint64_t multiply24(const struct sum_insn *in, uint64_t a, uint64_t b)
{
    int64_t sa = sign(a, 32), sb = sign(b, 32), top = 1 << 23;
    bool fits = in->flags & SUM_F_UNSIGNED ? a >> 24 == 0 && b >> 24 == 0
                                           : sa >= -top && sa < top && sb >= -top && sb < top;
    return cut(fits ? a * b : a * 7919 ^ b, 32);
}

static uint64_t step(const struct machine *m, uint32_t v)
{
    const struct sum_insn *in = &m->k->insns[v];
    uint32_t ia = sum_opnd(m->k, v, 0);
    unsigned from = m->k->insns[ia].bits, w = in->bits;
    uint64_t a = m->value[ia], b = in->nopnd > 1 ? m->value[sum_opnd(m->k, v, 1)] : 0;
    switch (in->op) {
    case SUM_ADD:
        return cut(a + b, w);
    case SUM_SUB:
        return cut(a - b, w);
    case SUM_MUL:
        return in->flags & SUM_F_24 ? multiply24(in, a, b) : cut(a * b, w);
    case SUM_ICMP:
        return in->sub == SUM_SLT ? sign(a, from) < sign(b, from) : a < b;
    case SUM_SELECT:
        return a ? b : m->value[sum_opnd(m->k, v, 2)];
    case SUM_UDIV:
        return b ? a / b : 0;
    case SUM_UREM:
        return b ? a % b : a;
    case SUM_SDIV:
        return b == 0 ? 0 : cut(sign(b, w) == -1 ? 0 - a : (uint64_t)(sign(a, w) / sign(b, w)), w);
    case SUM_SREM:
        return b == 0 ? a : cut(sign(b, w) == -1 ? 0 : (uint64_t)(sign(a, w) % sign(b, w)), w);
    case SUM_SHL:
        return cut(a << b, w);
    case SUM_LSHR:
        return a >> b;
    case SUM_AND:
        return a & b;
    case SUM_OR:
        return a | b;
    case SUM_XOR:
        return a ^ b;
    case SUM_SEXT:
        return cut((uint64_t)sign(a, from), w);
    case SUM_TRUNC:
        return cut(a, w);
    default:
        return a; /* zext */
    }
}

/* Set when a value was asked for that is not defined: the launch refuses it, so polynomials may be wrong
 * there. */
static bool undefined;

static uint64_t quotient(const struct machine *m, const struct aff_quotient *q)
{
    unsigned w = m->k->insns[q->x].bits;
    uint64_t x = m->value[q->x], y = q->w == CFG_NONE ? q->divisor : m->value[q->w];
    bool power = q->kind == SUM_Q_POWER;
    if (q->kind == SUM_Q_SHIFT) {
        undefined = undefined || y >= w;
        y = 1ull << y % w;
    } else if (power) {
        y = (uint64_t)sign(y, w) * q->times + q->plus;
        undefined = undefined || y == 0 || (y & (y - 1)) != 0;
    }
    if (y == 0)
        return 0;
    if (q->op == SUM_UDIV)
        return power ? x / y : (uint64_t)sign(x / y, w);
    if (q->op == SUM_ASHR)
        return (uint64_t)(sign(x, w) >> __builtin_ctzll(y));
    return sign(y, w) == -1 ? 0 - (uint64_t)sign(x, w) : (uint64_t)(sign(x, w) / sign(y, w));
}

static uint64_t symbol(const struct machine *m, const struct aff *a, aff_sym s)
{
    uint32_t i = AFF_INDEX(s);
    switch (AFF_KIND(s)) {
    case AFF_GID:
        return m->gid[i];
    case AFF_OFFSET:
        return m->offset[i];
    case AFF_GSIZE:
        return m->lsize[i] * m->ngroups[i];
    case AFF_ARG:
        return (uint64_t)sign(cut(m->arg[i], 8 * m->k->args[i].size), 8 * m->k->args[i].size);
    case AFF_ARGZ:
        return cut(m->arg[i], 8 * m->k->args[i].size);
    case AFF_LID:
        return m->lid[i];
    case AFF_LSIZE:
        return m->lsize[i];
    case AFF_GROUP:
        return m->group[i];
    case AFF_NGROUPS:
        return m->ngroups[i];
    case AFF_LOOP: /* a select's condition: 0 or 1 */
        return m->value[i - a->cfg->nloop - a->cfg->nblock];
    case AFF_VALUE:
        return (uint64_t)sign(m->value[i], m->k->insns[i].bits);
    case AFF_QUOTIENT: {
        const struct aff_quotient *q = &a->quotient[i];
        return quotient(m, q);
    }
    default:
        ck_abort_msg("symbol %x", s);
    }
}

static uint64_t evaluate(const struct machine *m, const struct aff *a, const struct aff_poly *p)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        uint64_t t = p->term[i].coef;
        for (uint32_t j = 0; j < p->term[i].n; j++)
            t *= symbol(m, a, p->term[i].sym[j]);
        sum += t;
    }
    return sum;
}

/* Do the assumptions of `set` hold, over the integers? */
static bool holds(const struct machine *m, const struct aff *a, uint64_t set)
{
    __extension__ typedef __int128 wide;
    for (uint32_t n = 0; n < AFF_ASSUMPTIONS; n++) {
        const struct aff_assumption *as = &a->assumption[n];
        wide sum = 0, top = (wide)1 << (as->is_signed ? as->bits - 1 : as->bits);
        if (!(set >> n & 1))
            continue;
        for (uint32_t i = 0; i < as->poly.n; i++) {
            wide t = (int64_t)as->poly.term[i].coef;
            for (uint32_t j = 0; j < as->poly.term[i].n; j++)
                if (__builtin_mul_overflow(t, (wide)(int64_t)symbol(m, a, as->poly.term[i].sym[j]), &t))
                    return false;
            if (__builtin_add_overflow(sum, t, &sum))
                return false;
        }
        if (sum < (as->is_signed ? -top : 0) || sum >= top)
            return false;
    }
    return !(set & AFF_NEVER);
}

/* Values that follow from arguments and sizes alone. */
static void find_constants(const struct kernel_summary *k, bool *constant)
{
    for (uint32_t v = 0; v + 1 < k->ninsn; v++) {
        const struct sum_insn *in = &k->insns[v];
        constant[v] =
            in->op == SUM_CONST || in->op == SUM_ARG ||
            (in->op == SUM_WI && (in->sub == SUM_WI_GLOBAL_SIZE || in->sub == SUM_WI_GLOBAL_OFFSET));
        for (uint32_t i = 0; v >= k->nleaf && i < in->nopnd; i++)
            constant[v] = (i == 0 || constant[v]) && constant[sum_opnd(k, v, i)];
    }
}

/* A select between two earlier values of one width by a comparison of two; its lines need two numbers. */
static void random_select(FILE *f, const unsigned *bits, unsigned v, unsigned x, unsigned y, uint64_t *seed)
{
    unsigned a = rnd(seed) % v, b = rnd(seed) % v;
    while (bits[a] != bits[b])
        b = (b + 1) % v;
    fprintf(f, "c%u = icmp sub=%s bits=1 : v%u v%u\n", v, rnd(seed) % 2 ? "ult" : "slt", a, b);
    fprintf(f, "v%u = select bits=%u : c%u v%u v%u\n", v, bits[x], v, x, y);
}

static char *random_code(uint64_t *seed)
{
    static const char *const leaves[] = {
        "wi sub=global_id bits=64",     "wi sub=local_id bits=64",   "wi sub=local_size bits=64",
        "wi sub=group_id bits=64",      "wi sub=num_groups bits=64", "wi sub=global_size bits=64",
        "wi sub=global_offset bits=64", "arg bits=32 imm=0",         "arg bits=64 imm=1",
        "const bits=32 imm=-1",         "const bits=64 imm=8",       "const bits=32 imm=3",
        "const bits=64 imm=7",          "const bits=64 imm=-8",      "const bits=32 imm=31"};
    static const char *const ops[] = {"add",  "add",  "add", "sub",  "mul", "mul", "udiv", "urem",
                                      "sdiv", "srem", "shl", "lshr", "and", "or",  "xor"};
    enum { LEAVES = sizeof(leaves) / sizeof(leaves[0]), CODE = 40 };
    unsigned bits[LEAVES + CODE];
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    fprintf(f, "arg \"n\" \"int\" scalar private 4 - -\narg \"m\" \"long\" scalar private 8 - -\n");
    for (unsigned i = 0; i < LEAVES; i++) {
        bits[i] = strstr(leaves[i], "bits=64") ? 64 : 32;
        fprintf(f, "v%u = %s\n", i, leaves[i]);
    }
    fprintf(f, "block\n");
    for (unsigned v = LEAVES; v < LEAVES + CODE; v++) {
        unsigned x = rnd(seed) % 3 ? v - 1 - rnd(seed) % (v < 8 ? v : 8) : rnd(seed) % v, y = rnd(seed) % v;
        const char *op = ops[rnd(seed) % (sizeof(ops) / sizeof(ops[0]))];
        if (strcmp(op, "shl") == 0 || strcmp(op, "lshr") == 0)
            y = bits[x] == 64 ? 12 : 11; /* by a constant */
        bits[v] = bits[x];
        if (bits[x] == bits[y] && rnd(seed) % 8 == 0) {
            random_select(f, bits, v, x, y, seed);
        } else if (bits[x] == bits[y]) {
            bool is24 = bits[x] == 32 && rnd(seed) % 3 == 0;
            fprintf(f, "v%u = %s bits=%u flags=%d : v%u v%u\n", v, is24 ? "mul" : op, bits[v],
                    is24 ? (rnd(seed) % 2 ? SUM_F_24 : SUM_F_24 | SUM_F_UNSIGNED) : 0, x, y);
        } else {
            static const unsigned narrow[] = {8, 16, 32, 32, 32};
            unsigned w = bits[x] == 64 ? narrow[rnd(seed) % 5] : 64;
            bits[v] = w;
            fprintf(f, "v%u = %s bits=%u : v%u\n", v,
                    w < bits[x]     ? "trunc"
                    : rnd(seed) % 2 ? "sext"
                                    : "zext",
                    w, x);
        }
    }
    fprintf(f, "ret\n");
    fclose(f);
    return out;
}

/* An NDRange with, if id_bits is not 0, offset + global size < 2^id_bits, often just so. */
static void random_ids(struct machine *m, unsigned id_bits, uint64_t *seed)
{
    const uint64_t most = ((uint64_t)1 << (id_bits ? id_bits : 41)) - 1;
    for (unsigned d = 0; d < 3; d++) {
        const bool full = id_bits && rnd(seed) % 2;
        m->lsize[d] = 1 + (full ? rnd64(seed) : rnd(seed)) % (full ? most : 1000);
        m->ngroups[d] = full && rnd(seed) % 2 ? most / m->lsize[d] : 1 + rnd64(seed) % (most / m->lsize[d]);
        m->group[d] = full && rnd(seed) % 2 ? m->ngroups[d] - 1 : rnd64(seed) % m->ngroups[d];
        m->lid[d] = full && rnd(seed) % 2 ? m->lsize[d] - 1 : rnd(seed) % m->lsize[d];
        m->offset[d] = most - m->lsize[d] * m->ngroups[d];
        m->offset[d] = full && rnd(seed) % 2 ? m->offset[d] : rnd64(seed) % (m->offset[d] + 1);
        m->gid[d] = m->group[d] * m->lsize[d] + m->lid[d] + m->offset[d];
    }
    for (unsigned i = 0; i < 4; i++)
        m->arg[i] = rnd64(seed);
}

/* How often a kind of claim was put to the test. */
struct claims {
    unsigned extended, wrapped, assumed, refuted, exactly, small;
};

/* Do the integers themselves fit?  Ids and arguments are below 2^63, and coefficients small here. */
static bool small_terms(const struct machine *m, const struct aff *launch, const struct aff_poly *poly)
{
    bool small = poly->n <= 2;

    for (uint32_t i = 0; i < poly->n && small; i++)
        small = poly->term[i].n <= 1 && poly->term[i].coef < 100 &&
                (poly->term[i].n == 0 || symbol(m, launch, poly->term[i].sym[0]) < (uint64_t)1 << 50);
    return small;
}

/* Of such, only constants have a polynomial in the exact reading unless ids are known to be small. */
static bool extension_or_24(const struct kernel_summary *k, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v];
    return v >= k->nleaf &&
           (in->op == SUM_SEXT || in->op == SUM_ZEXT || (in->op == SUM_MUL && (in->flags & SUM_F_24)));
}

/* What is said about one value is true of the machine's. */
static void check_value(const struct machine *m, const struct aff *exact, const struct aff *launch,
                        uint32_t v, struct claims *claims)
{
    const unsigned bits = m->k->insns[v].bits;
    struct aff_poly poly;
    struct aff_value info;

    aff_integer(exact, v, &poly, &info);
    claims->small += extension_or_24(m->k, v) && info.first != AFF_SELF;
    ck_assert_uint_eq(cut(evaluate(m, exact, &poly), bits), m->value[v]);
    aff_integer(launch, v, &poly, &info);
    const unsigned w = info.wrap < bits ? info.wrap : bits;
    undefined = false;
    const uint64_t e = evaluate(m, launch, &poly);
    claims->assumed += info.need != 0;
    const bool held = holds(m, launch, info.need);
    claims->refuted += !held;
    if (!held || undefined)
        return;
    ck_assert_uint_eq(cut(e, w), cut(m->value[v], w));
    claims->wrapped += info.wrap < bits;
    if (info.exact != 0 && holds(m, launch, info.exact) && !undefined) {
        ck_assert_uint_eq(cut(e, bits), m->value[v]);
        claims->exactly++;
    }
    if (info.trust == AFF_EXTENDED && e < 1u << 31 && small_terms(m, launch, &poly)) {
        ck_assert_uint_eq(m->value[v], e);
        claims->extended++;
    }
}

static void check_runs(const struct kernel_summary *k, const struct aff *exact, const struct aff *launch,
                       uint64_t *seed, struct claims *claims)
{
    for (int run = 0; run < 20; run++) {
        struct machine m = {.k = k};
        random_ids(&m, exact->opt.id_bits, seed);
        for (uint32_t v = 0; v + 1 < k->ninsn; v++)
            m.value[v] = v < k->nleaf ? leaf(&m, v) : step(&m, v);
        for (uint32_t v = 0; v + 1 < k->ninsn; v++)
            check_value(&m, exact, launch, v, claims);
    }
}

LOOPED_TEST(test_random, 6)
{
    uint64_t seed = 4711 + (uint64_t)_i;
    static const uint8_t ids[] = {0, 31, 24, 23};
    struct claims claims = {0};
    for (int round = 0; round < 100; round++) {
        char *body = random_code(&seed);
        struct program_summary p = text_parse(body);
        const struct kernel_summary *k = &p.kernel[0];
        struct cfg c;
        struct roots r;
        struct aff exact, launch;
        bool constant[128] = {false};
        const uint8_t id_bits = ids[round % 4];
        if (round % 2)
            find_constants(k, constant);
        ck_assert_int_eq(cfg_build(k, &c), 0);
        roots_build(k, &c, &r);
        aff_build(k, &c, &r, &(struct aff_options){false, NULL, id_bits}, &exact);
        aff_build(k, &c, &r, &(struct aff_options){true, constant, id_bits}, &launch);
        check_runs(k, &exact, &launch, &seed, &claims);
        cfg_free(&c);
        sum_free(&p);
        free(body);
    }
    ck_assert_uint_gt(claims.extended, 20);
    ck_assert_uint_gt(claims.wrapped, 100);
    ck_assert_uint_gt(claims.refuted, 20);
    ck_assert_uint_gt(claims.assumed - claims.refuted, 20);
    ck_assert_uint_gt(claims.exactly, 100);
    ck_assert_uint_gt(claims.small, 1000);
}

int main(void)
{
    return run_tests("affine", NULL, NULL);
}
