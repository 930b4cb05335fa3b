/* test_facts.c - what is proved about a kernel, and above all what is not. */
#include "summary_text.h"
#include "run_suite.h"

/* Arguments: float *a, float *b, int n, a by-value struct s; the pointers and numbers
 * that most kernels use. */
#define HEAD                                                                                                 \
    "arg \"a\" \"float*\" buffer global 8 - -\n"                                                             \
    "arg \"b\" \"float*\" buffer global 8 - -\n"                                                             \
    "arg \"n\" \"int\" scalar private 4 - -\n"                                                               \
    "arg \"s\" \"struct s\" scalar private 64 - -\n"                                                         \
    "a = arg bits=64 space=global imm=0\n"                                                                   \
    "b = arg bits=64 space=global imm=1\n"                                                                   \
    "n = arg bits=32 imm=2\n"                                                                                \
    "s = arg bits=64 imm=3\n"                                                                                \
    "f = opaque bits=32 flags=16\n"                                                                          \
    "zero = const bits=32 imm=0\n"                                                                           \
    "one = const bits=32 imm=1\n"                                                                            \
    "four = const bits=64 imm=4\n"                                                                           \
    "one64 = const bits=64 imm=1\n"                                                                          \
    "zero64 = const bits=64 imm=0\n"                                                                         \
    "true = const bits=1 imm=-1\n"                                                                           \
    "gid = wi sub=global_id bits=64\n"                                                                       \
    "gid1 = wi sub=global_id bits=64 imm=1\n"                                                                \
    "lid = wi sub=local_id bits=64\n"                                                                        \
    "lsize = wi sub=local_size bits=64\n"                                                                    \
    "group = wi sub=group_id bits=64\n"                                                                      \
    "ngroups = wi sub=num_groups bits=64\n"                                                                  \
    "gsize = wi sub=global_size bits=64\n"                                                                   \
    "gsize1 = wi sub=global_size bits=64 imm=1\n"                                                            \
    "goff = wi sub=global_offset bits=64\n"
/* b[INDEX] = VALUE */
#define STORE_B(index, value)                                                                                \
    "o_b = mul bits=64 : " index " four\n"                                                                   \
    "p_b = ptradd bits=64 space=global : b o_b\n"                                                            \
    "store space=global bytes=4 line=9 : p_b " value "\n"
#define LOAD_A(name, index)                                                                                  \
    "o_" name " = mul bits=64 : " index " four\n"                                                            \
    "p_" name " = ptradd bits=64 space=global : a o_" name "\n" name                                         \
    " = load bits=32 space=global flags=16 bytes=4 : p_" name "\n"

static const struct {
    const char *name, *body;
    const char *proved; /* facts, in order */
    const char *reason; /* of S, or of the first fact in `why` */
    const char *why;    /* "" : do not care */
} cases[] = {
    {"copy", HEAD "block\n" LOAD_A("x", "gid") STORE_B("gid", "x") "ret\n", "S O0 O1 O2 I A U", "proved",
     "S"},
    {"scale in place",
     HEAD "block\n"
          "o = mul bits=64 : gid four\n"
          "p = ptradd bits=64 space=global : b o\n"
          "x = load bits=32 space=global bytes=4 : p\n"
          "y = pure bits=32 : x f\n"
          "store space=global bytes=4 : p y\nret\n",
     "S O0 O1 O2 A U", "reads-what-it-writes", "I"},

    /* the local size through ids */
    {"lid as index", HEAD "block\n" STORE_B("lid", "f") "ret\n", "O0 O1 O2 I A U", "local-id-observed", "S"},
    {"lid as value", HEAD "block\n" STORE_B("gid", "lid") "ret\n", "O0 O1 O2 I A U", "local-id-observed",
     "S"},
    {"lid as float", HEAD "block\nx = pure bits=32 flags=16 : lid\n" STORE_B("gid", "x") "ret\n",
     "O0 O1 O2 I A U", "local-id-observed", "S"},
    {"lid in a branch",
     HEAD "block\nc = icmp sub=eq bits=1 : lid zero64\ncondbr : c @1 @2\nblock\n" STORE_B(
         "gid", "f") "br : @2\nblock\nret\n",
     "O0 O1 O2 I A", "local-id-observed", "S"},
    {"lid in a select",
     HEAD "block\nc = icmp sub=eq bits=1 : lid zero64\nx = select bits=64 : c one64 four\n" STORE_B(
         "gid", "x") "ret\n",
     "O0 O1 O2 I A U", "local-id-observed", "S"},
    {"lid in a switch",
     HEAD "block\nl = trunc bits=32 : lid\nswitch : l @2 zero @1\nblock\n" STORE_B(
         "gid", "f") "br : @2\nblock\nret\n",
     "O0 O1 O2 I A", "local-id-observed", "S"},
    {"lid masked",
     HEAD "seven = const bits=64 imm=7\nblock\nx = and bits=64 : lid seven\n" STORE_B("gid", "x") "ret\n",
     "O0 O1 O2 I A U", "local-id-observed", "S"},
    {"lid times zero",
     HEAD "block\nx = mul bits=64 : lid zero64\ny = add bits=64 : gid x\n" STORE_B("y", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"lid never seen",
     HEAD "block\nx = add bits=64 : lid lsize\ny = pure bits=32 : x\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"group and local make global",
     HEAD "block\nx = mul bits=64 : group lsize\ny = add bits=64 : x lid\n" STORE_B("y", "f") "ret\n",
     "S O1 O2 I A U", "group-id-observed", "O0"},
    {"group and local and offset",
     HEAD "block\nx = mul bits=64 : group lsize\ny = add bits=64 : lid x\n"
          "z = add bits=64 : y goff\n" STORE_B("z", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "O0"},
    {"group and local, narrow",
     HEAD "block\ng = trunc bits=32 : group\ngw = sext bits=64 : g\n"
          "x = mul bits=64 : gw lsize\ny = add bits=64 : x lid\ni = trunc bits=32 : y\niw = sext bits=64 : "
          "i\n" STORE_B("iw", "f") "ret\n",
     "S O1 O2 I A U", "proved", "S"},
    {"group and local, narrow but not at the end",
     HEAD "block\ng = trunc bits=32 : group\ngw = sext bits=64 : g\n"
          "x = mul bits=64 : gw lsize\ny = add bits=64 : x lid\n" STORE_B("y", "f") "ret\n",
     "S O1 O2 I A U", "proved", "S"}, /* of launches that are small enough: id_bits */
    {"group and local too narrow an extension",
     HEAD "block\ng = trunc bits=16 : group\ngw = sext bits=64 : g\n"
          "x = mul bits=64 : gw lsize\ny = add bits=64 : x lid\ni = trunc bits=32 : y\niw = sext bits=64 : "
          "i\n" STORE_B("iw", "f") "ret\n",
     "O1 O2 I A U", "local-id-observed", "S"},
    {"group and local of another dimension",
     HEAD "lid1 = wi sub=local_id bits=64 imm=1\nblock\nx = mul bits=64 : group lsize\ny = add bits=64 : x "
          "lid1\n" STORE_B("y", "f") "ret\n",
     "O1 O2 I A U", "group-id-observed", "S"},
    {"group times size alone", HEAD "block\nx = mul bits=64 : group lsize\n" STORE_B("x", "f") "ret\n",
     "O1 O2 I A U", "group-id-observed", "S"},
    {"group with a constant size",
     HEAD "c = const bits=64 imm=64\nblock\nx = mul bits=64 : group c\n"
          "y = add bits=64 : x lid\n" STORE_B("y", "f") "ret\n",
     "O1 O2 I A U", "local-id-observed", "S"},
    {"groups times size is the global size",
     HEAD "block\nx = mul bits=64 : ngroups lsize\n"
          "y = mul bits=64 : gid1 x\nz = add bits=64 : y gid\n" STORE_B("z", "f") "ret\n",
     "S O1 O2 I A U", "num-groups-observed", "O0"},
    {"number of groups", HEAD "block\n" STORE_B("gid", "ngroups") "ret\n", "O1 O2 I A U",
     "num-groups-observed", "S"},
    {"local size", HEAD "block\n" STORE_B("gid", "lsize") "ret\n", "O0 O1 O2 I A U", "local-size-observed",
     "S"},
    {"enqueued local size",
     HEAD "e = wi sub=enqueued_local_size bits=64\nblock\nx = mul bits=64 : group e\n"
          "y = add bits=64 : x lid\n" STORE_B("y", "f") "ret\n",
     "S O1 O2 I A U", "proved", "S"},
    {"local linear id", HEAD "l = wi sub=local_linear_id bits=64\nblock\n" STORE_B("gid", "l") "ret\n",
     "O0 O1 O2 I A U", "local-id-observed", "S"},
    {"quotient and remainder of the local id",
     HEAD "c = const bits=64 imm=10\nblock\nq = udiv bits=64 : lid c\n"
          "r = urem bits=64 : lid c\nx = mul bits=64 : q c\ny = add bits=64 : x r\nz = sub bits=64 : y lid\n"
          "i = add bits=64 : z gid\n" STORE_B("i", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},

    /* the launch's shape */
    {"global size as pitch",
     HEAD "block\nx = mul bits=64 : gid1 gsize\ny = add bits=64 : x gid\n" STORE_B("y", "f") "ret\n",
     "S O1 O2 I A U", "global-size-observed", "O0"},
    {"global offset", HEAD "block\nx = sub bits=64 : gid goff\n" STORE_B("x", "f") "ret\n", "S O1 O2 I A U",
     "global-offset-observed", "O0"},
    {"global linear id", HEAD "l = wi sub=global_linear_id bits=64\nblock\n" STORE_B("l", "f") "ret\n",
     "S I A U", "global-size-observed", "O0"},
    {"work_dim", HEAD "l = wi sub=work_dim bits=32\nblock\n" STORE_B("gid", "l") "ret\n", "S O0 O1 O2 I A U",
     "proved", "S"},
    {"grid stride",
     HEAD "block\nbr : @1\nblock\ni = phi bits=64 : @0 gid @2 j\nnw = sext bits=64 : n\n"
          "c = icmp sub=ult bits=1 : i nw\ncondbr : c @2 @3\nblock\n" LOAD_A("x", "i")
              STORE_B("i", "x") "j = add bits=64 : i gsize\nbr : @1\nblock\nret\n",
     "S O1 O2 I A", "position-dependent-work", "U"},

    /* loops carry taint */
    {"local id through a loop",
     HEAD "block\nbr : @1\nblock\ni = phi bits=64 : @0 zero64 @1 j\n"
          "w = phi bits=64 : @0 gid @1 v\nv = phi bits=64 : @0 gid @1 lid\nj = add bits=64 : i one64\n"
          "c = icmp sub=ult bits=1 : j four\ncondbr : c @1 @2\nblock\n" STORE_B("w", "f") "ret\n",
     "O0 O1 O2 I A U", "local-id-observed", "S"},
    {"local size as step",
     HEAD "block\nbr : @1\nblock\ni = phi bits=64 : @0 lid @1 j\nj = add bits=64 : i lsize\n"
          "c = icmp sub=ult bits=1 : j four\ncondbr : c @1 @2\nblock\n" STORE_B("gid", "f") "ret\n",
     "O0 O1 O2 I A", "local-id-observed", "S"},

    /* private memory */
    {"local id through a private array",
     HEAD "m = alloca bits=64 imm=64\nblock\nstore bytes=8 : m lid\n"
          "x = load bits=64 bytes=8 : m\n" STORE_B("gid", "x") "ret\n",
     "O0 O1 O2 I A U", "local-id-observed", "S"},
    {"global id through a private array",
     HEAD "m = alloca bits=64 imm=64\nblock\nstore bytes=8 : m gid\n"
          "x = load bits=64 bytes=8 : m\n" STORE_B("x", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"two private arrays do not mix",
     HEAD "m = alloca bits=64 imm=64\nm2 = alloca bits=64 imm=64\nblock\n"
          "store bytes=8 : m lid\nstore bytes=8 : m2 gid\nx = load bits=64 bytes=8 : m2\n" STORE_B(
              "x", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"private arrays mixed by a select",
     HEAD "m = alloca bits=64 imm=64\nm2 = alloca bits=64 imm=64\nblock\n"
          "c = icmp sub=ult bits=1 : gid four\np = select bits=64 : c m m2\nstore bytes=8 : p lid\n"
          "x = load bits=64 bytes=8 : m2\n" STORE_B("x", "f") "ret\n",
     "O0 O1 O2 I A U", "local-id-observed", "S"},
    {"local id through a pointer kept in memory",
     HEAD "m = alloca bits=64 imm=64\nm2 = alloca bits=64 imm=64\nblock\n"
          "store bytes=8 : m2 m\nq = load bits=64 bytes=8 : m2\nstore bytes=8 : q lid\nx = load bits=64 "
          "bytes=8 : m\n" STORE_B("gid", "x") "ret\n",
     "O0 O1 O2 A U", "local-id-observed", "S"},
    {"a private pointer made of a number", HEAD "block\nq = pure bits=64 : gid\nstore bytes=4 : q f\nret\n",
     "O0 O1 O2 A U", "unknown-pointer", "S"},
    {"a private address as a number",
     HEAD "m = alloca bits=64 imm=64\nblock\nx = pure bits=64 : m\n" STORE_B("gid", "x") "ret\n",
     "O0 O1 O2 I A U", "unknown-pointer", "S"},
    {"a private address compared",
     HEAD "m = alloca bits=64 imm=64\nm2 = alloca bits=64 imm=64\nblock\n"
          "c = icmp sub=ult bits=1 : m m2\nx = select bits=32 : c zero one\n" STORE_B("gid", "x") "ret\n",
     "O0 O1 O2 I A U", "unknown-pointer", "S"},
    {"by-value struct",
     HEAD "block\nx = load bits=64 bytes=8 : s\ny = mul bits=64 : x gid\n" STORE_B("y", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"by-value struct written",
     HEAD "block\nstore bytes=8 : s lid\nx = load bits=64 bytes=8 : s\n" STORE_B("x", "f") "ret\n",
     "O0 O1 O2 I A U", "local-id-observed", "S"},

    /* group features */
    {"barrier on every path", HEAD "block\nbarrier\n" STORE_B("gid", "f") "ret\n", "S O0 O1 O2 I A U",
     "proved", "S"},
    {"barrier where paths meet again",
     HEAD "block\nc = icmp sub=ult bits=1 : gid four\ncondbr : c @1 @2\nblock\n" STORE_B(
         "gid", "f") "br : @2\nblock\nbarrier\nret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"barrier on some paths",
     HEAD "block\nc = icmp sub=ult bits=1 : gid four\ncondbr : c @1 @2\nblock\nbarrier\n" STORE_B(
         "gid", "f") "ret\nblock\nret\n",
     "O0 O1 O2 I A U", "barrier", "S"},
    {"barrier on every path, but one of them is another",
     HEAD "block\nc = icmp sub=ult bits=1 : gid four\ncondbr : c @1 @2\nblock\nbarrier\n" STORE_B(
         "gid", "f") "ret\nblock\nbarrier\nret\n",
     "O0 O1 O2 I A", "barrier", "S"},
    {"barrier in a loop",
     HEAD "block\nbr : @1\nblock\ni = phi bits=64 : @0 zero64 @1 j\nj = add bits=64 : i one64\nbarrier\n"
          "c = icmp sub=ult bits=1 : j four\ncondbr : c @1 @2\nblock\n" STORE_B("gid", "f") "ret\n",
     "O0 O1 O2 I A U", "barrier", "S"},
    {"barrier and local memory",
     "var \"t\" local 64\n" HEAD "t = var bits=64 space=local\nblock\nbarrier\n" STORE_B("gid", "f") "ret\n",
     "O0 O1 O2 I A U", "local-memory", "S"},
    {"fence", HEAD "block\nfence\n" STORE_B("gid", "f") "ret\n", "S O0 O1 O2 I A U", "proved", "S"},
    {"local variable",
     "var \"t\" local 64\n" HEAD "t = var bits=64 space=local\nblock\n" STORE_B("gid", "f") "ret\n",
     "O0 O1 O2 I A U", "local-memory", "S"},
    {"local argument", "arg \"l\" \"float*\" local local 0 - -\nblock\nret\n", "O0 O1 O2 I A U",
     "local-memory", "S"},
    {"required size", "reqd 64 1 1\nblock\nret\n", "O0 O1 O2 I A U", "required-size", "S"},
    {"printf", HEAD "block\nprintf\nret\n", "O0 O1 O2 A U", "printf", "S"},
    {"unknown function", "callee \"frob\"\n" HEAD "block\ncall imm=0\nret\n", "", "unknown-function", "S"},
    {"sub-group function",
     "callee \"_Z19sub_group_broadcastij\"\n" HEAD "block\nx = call bits=32 imm=0\nret\n", "", "sub-group",
     "S"},
    {"work-group function",
     "callee \"_Z21work_group_reduce_addi\"\n" HEAD "block\nx = call bits=32 imm=0\nret\n", "",
     "work-group-function", "S"},
    {"pipe", "arg \"p\" \"pipe int\" other global 8 - -\nblock\nret\n", "A U", "unknown-function", "S"},
    {"value from nowhere", HEAD "block\nx = pure bits=32\n" STORE_B("gid", "x") "ret\n", "A U",
     "unknown-function", "S"},

    /* atomics */
    {"histogram", HEAD "block\natomic sub=inc space=global flags=1 bytes=4 : b\nret\n", "S O0 O1 O2 A U",
     "atomic", "I"},
    {"slot allocation", HEAD "block\ni = atomic sub=inc bits=32 space=global bytes=4 : b\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "S"},
    {"float add", HEAD "block\natomic sub=add space=global flags=17 bytes=4 : b f\nret\n", "O0 O1 O2 U",
     "ordered-atomic", "S"},
    {"exchange of a number of each",
     HEAD "block\natomic sub=xchg space=global flags=1 bytes=8 : b gid\nret\n", "O0 O1 O2 U",
     "ordered-atomic", "A"},
    {"exchange of an argument", HEAD "block\natomic sub=xchg space=global flags=1 bytes=4 : b n\nret\n",
     "S O0 O1 O2 A U", "proved", "A"},
    {"compare with a constant, exchange for another",
     HEAD "block\natomic sub=cmpxchg space=global flags=1 bytes=4 : b zero one\nret\n", "S O0 O1 O2 A U",
     "proved", "A"},
    {"exchange of a constant",
     HEAD "block\natomic sub=xchg space=global flags=1 bytes=4 : b one\n"
          "atomic sub=store space=global flags=1 bytes=4 : b one\nret\n",
     "S O0 O1 O2 A U", "proved", "A"},
    {"exchange of a constant, old value used",
     HEAD "block\nold = atomic sub=xchg bits=32 space=global bytes=4 : b one\nret\n", "O0 O1 O2 U",
     "ordered-atomic", "A"},
    {"exchanges of two constants",
     HEAD "block\natomic sub=xchg space=global flags=1 bytes=4 : b one\n"
          "atomic sub=xchg space=global flags=1 bytes=4 : b zero\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},
    {"exchange of a constant and an or",
     HEAD "block\natomic sub=xchg space=global flags=1 bytes=4 : b one\n"
          "atomic sub=or space=global flags=1 bytes=4 : b one\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},
    {"exchange of a constant that is looked at",
     HEAD "block\natomic sub=xchg space=global flags=1 bytes=4 : b one\n"
          "v = load bits=32 space=global bytes=4 : b\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},
    {"add and subtract",
     HEAD "block\natomic sub=add space=global flags=1 bytes=4 : b one\n"
          "atomic sub=sub space=global flags=1 bytes=4 : b n\nret\n",
     "S O0 O1 O2 A U", "proved", "A"},
    {"add and or",
     HEAD "block\natomic sub=add space=global flags=1 bytes=4 : b one\n"
          "atomic sub=or space=global flags=1 bytes=4 : b n\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},
    {"min, signed, and min, unsigned",
     HEAD "block\natomic sub=min space=global flags=1 bytes=4 : b one\n"
          "atomic sub=min space=global flags=65 bytes=4 : b n\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},
    {"min and max",
     HEAD "block\natomic sub=min space=global flags=1 bytes=4 : b one\n"
          "atomic sub=max space=global flags=1 bytes=4 : b n\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},
    {"two of max",
     HEAD "block\natomic sub=max space=global flags=65 bytes=4 : b one\n"
          "atomic sub=max space=global flags=65 bytes=4 : b n\nret\n",
     "S O0 O1 O2 A U", "proved", "A"},
    {"add of two sizes",
     HEAD "block\natomic sub=add space=global flags=1 bytes=4 : b one\n"
          "atomic sub=add space=global flags=1 bytes=8 : b gid\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},
    {"atomics looked at",
     HEAD "block\natomic sub=add space=global flags=1 bytes=4 : b one\n"
          "x = load bits=32 space=global bytes=4 : b\no = mul bits=64 : gid four\np = ptradd bits=64 "
          "space=global : a o\n"
          "store space=global bytes=4 : p x\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},
    {"atomic adds the local id",
     HEAD "l = wi sub=local_id bits=32\nblock\n"
          "atomic sub=add space=global flags=1 bytes=4 : b l\nret\n",
     "O0 O1 O2 A U", "local-id-observed", "S"},
    {"atomic through an unknown pointer",
     HEAD "block\nq = load bits=64 space=global bytes=8 : a\n"
          "atomic sub=add space=global flags=1 bytes=4 : q one\nret\n",
     "O0 O1 O2 U", "ordered-atomic", "A"},

    /* waiting for others */
    {"loop on a written buffer: the launch knows whether others write what is read",
     HEAD
     "block\nbr : @1\nblock\nx = load bits=32 space=global bytes=4 : b\n"
     "c = icmp sub=eq bits=1 : x zero\ncondbr : c @1 @2\nblock\nstore space=global bytes=4 : b one\nret\n",
     "S O0 O1 O2 A", "data-dependent-work", "U"},
    {"loop on a buffer that is only read",
     HEAD
     "block\nbr : @1\nblock\nx = load bits=32 space=global bytes=4 : a\n"
     "c = icmp sub=eq bits=1 : x zero\ncondbr : c @1 @2\nblock\nstore space=global bytes=4 : b one\nret\n",
     "S O0 O1 O2 I A", "data-dependent-work", "U"},
    {"spin on a volatile load",
     HEAD "block\nbr : @1\nblock\nx = load bits=32 space=global flags=2 bytes=4 : a\n"
          "c = icmp sub=eq bits=1 : x zero\ncondbr : c @1 @2\nblock\nret\n",
     "O0 O1 O2 I A", "spin-loop", "S"},
    {"spin by a flag in a phi",
     HEAD
     "block\nbr : @1\nblock\nd = phi bits=32 : @0 zero @4 e\n"
     "x = load bits=32 space=global flags=2 bytes=4 : b\nc = icmp sub=eq bits=1 : x zero\ncondbr : c @2 @3\n"
     "block\nbr : @4\nblock\nbr : @4\nblock\ne = phi bits=32 : @2 zero @3 one\nc2 = icmp sub=eq bits=1 "
     ": e zero\n"
     "condbr : c2 @1 @5\nblock\nstore space=global bytes=4 : b one\nret\n",
     "O0 O1 O2 A", "spin-loop", "S"},
    {"spin by a flag in private memory",
     HEAD
     "m = alloca bits=64 imm=4\nblock\nstore bytes=4 : m zero\nbr : @1\nblock\n"
     "x = load bits=32 space=global flags=2 bytes=4 : b\nc = icmp sub=eq bits=1 : x zero\ncondbr : c @3 @2\n"
     "block\nstore bytes=4 : m one\nbr : @3\nblock\ny = load bits=32 bytes=4 : m\nc2 = icmp sub=eq "
     "bits=1 : y zero\n"
     "condbr : c2 @1 @4\nblock\nstore space=global bytes=4 : b one\nret\n",
     "O0 O1 O2 A", "spin-loop", "S"},
    {"spin on a condition around the exit",
     HEAD "block\nbr : @1\nblock\nx = load bits=32 space=global flags=2 bytes=4 : b\n"
          "c = icmp sub=eq bits=1 : x zero\ncondbr : c @3 @2\nblock\nc2 = icmp sub=eq bits=1 : n zero\n"
          "condbr : c2 @3 @4\nblock\nbr : @1\nblock\nstore space=global bytes=4 : b one\nret\n",
     "O0 O1 O2 A", "spin-loop", "S"},
    {"a written buffer read before the loop",
     HEAD "block\n"
          "o = mul bits=64 : gid four\n"
          "p = ptradd bits=64 space=global : b o\nx = load bits=32 space=global bytes=4 : p\nbr : @1\nblock\n"
          "i = phi bits=32 : @0 zero @1 j\nj = add bits=32 : i one\nc = icmp sub=slt bits=1 : j x\ncondbr : "
          "c @1 @2\nblock\n"
          "store space=global bytes=4 : p zero\nret\n",
     "S O0 O1 O2 A", "data-dependent-work", "U"},
    {"endless loop",
     HEAD "block\nc = icmp sub=eq bits=1 : n zero\ncondbr : c @1 @2\nblock\nbr : @1\nblock\nret\n",
     "O0 O1 O2 I A U", "spin-loop", "S"},

    /* memory */
    {"volatile store", HEAD "block\nstore space=global flags=2 bytes=4 : b f\nret\n", "O0 O1 O2 I A U",
     "volatile", "S"},
    {"store of bytes without a value", HEAD "block\nstore space=global flags=1 bytes=16 : b f\nret\n",
     "O0 O1 O2 I A U", "undefined-bytes", "S"},
    {"bytes without a value in private memory",
     HEAD "m = alloca bits=64 imm=64\nblock\nstore flags=1 bytes=16 : m f\nret\n", "S O0 O1 O2 I A U",
     "proved", "S"},
    {"no value stored", HEAD "u = opaque bits=32 flags=1\nblock\n" STORE_B("gid", "u") "ret\n",
     "O0 O1 O2 I A U", "undefined-value", "S"},
    {"no value on an edge that the launch decides",
     HEAD "u = opaque bits=32 flags=1\nblock\n" LOAD_A(
         "x", "gid") "c = icmp sub=eq bits=1 : n zero\ncondbr : c @1 @2\n"
                     "block\nbr : @2\nblock\nv = phi bits=32 : @0 u @1 x\n" STORE_B("gid", "v") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"no value on an edge that the position decides",
     HEAD "u = opaque bits=32 flags=1\nblock\n" LOAD_A(
         "x", "gid") "c = icmp sub=ult bits=1 : gid four\ncondbr : c @1 @2\n"
                     "block\nbr : @2\nblock\nv = phi bits=32 : @0 u @1 x\n" STORE_B("gid", "v") "ret\n",
     "O0 O1 O2 I A U", "undefined-value", "S"},
    {"no value on an edge that memory decides, behind one that the launch does",
     HEAD "u = opaque bits=32 flags=1\nblock\n" LOAD_A(
         "x", "gid") "c = icmp sub=eq bits=1 : n zero\ncondbr : c @1 @2\n"
                     "block\nbr : @2\nblock\nd = pure bits=1 : x\ncondbr : d @3 @4\nblock\nbr : @4\n"
                     "block\nv = phi bits=32 : @2 u @3 x\n" STORE_B("gid", "v") "ret\n",
     "O0 O1 O2 I A", "undefined-value", "S"},
    {"no value in a block that the launch may leave out",
     HEAD "u = opaque bits=32 flags=1\nblock\n" LOAD_A(
         "x", "gid") "c = icmp sub=eq bits=1 : n zero\ncondbr : c @1 @2\nblock\n"
                     "d = icmp sub=ult bits=1 : gid four\nw = select bits=32 : d x u\nbr : @2\n"
                     "block\nv = phi bits=32 : @0 x @1 w\n" STORE_B("gid", "v") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"no value in a block that is always reached",
     HEAD "u = opaque bits=32 flags=1\nblock\n" LOAD_A(
         "x", "gid") "d = icmp sub=ult bits=1 : gid four\nw = select bits=32 : d x u\n" STORE_B("gid",
                                                                                                "w") "ret\n",
     "O0 O1 O2 I A U", "undefined-value", "S"},
    {"no value through private memory",
     HEAD "u = opaque bits=32 flags=1\nm = alloca bits=64 imm=4\nblock\nstore bytes=4 : m u\n"
          "x = load bits=32 bytes=4 : m\n" STORE_B("gid", "x") "ret\n",
     "O0 O1 O2 I A U", "undefined-value", "S"},
    {"no value decides",
     HEAD "u = opaque bits=1 flags=1\nblock\ncondbr : u @1 @2\nblock\nbr : @2\nblock\nret\n",
     "O0 O1 O2 I A U", "undefined-value", "S"},
    {"no value that nobody uses",
     HEAD "u = opaque bits=32 flags=1\nblock\nv = pure bits=32 : u one\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"program variable written",
     "var \"v\" global 4\n" HEAD "v = var bits=64 space=global\nblock\n"
     "store space=global bytes=4 : v f\nret\n",
     "O0 O1 O2 A U", "program-variable", "S"},
    {"program variable read",
     "var \"v\" global 4\n" HEAD "v = var bits=64 space=global\nblock\n"
     "x = load bits=32 space=global bytes=4 : v\n" STORE_B("gid", "x") "ret\n",
     "S O0 O1 O2 I A U", "proved", "S"},
    {"store through a loaded pointer",
     HEAD "block\nq = load bits=64 space=global bytes=8 : a\n"
          "store space=global bytes=4 : q f\nret\n",
     "O0 O1 O2 A U", "unknown-pointer", "S"},
    {"store through a number", HEAD "block\nq = pure bits=64 : gid\nstore space=global bytes=4 : q f\nret\n",
     "O0 O1 O2 A U", "unknown-pointer", "S"},
    {"store through a by-value pointer",
     HEAD "block\nq = load bits=64 bytes=8 : s\nstore space=global bytes=4 : q f\n"
          "ret\n",
     "O0 O1 O2 A U", "unknown-pointer", "S"},
    {"store through a scalar argument",
     HEAD "block\nq = zext bits=64 : n\nstore space=global bytes=4 : q f\nret\n", "O0 O1 O2 A U",
     "unknown-pointer", "S"},
    {"load through a loaded pointer",
     HEAD "block\nq = load bits=64 space=global bytes=8 : a\n"
          "x = load bits=32 space=global bytes=4 : q\n" STORE_B("gid", "x") "ret\n",
     "S O0 O1 O2 A U", "reads-what-it-writes", "I"},
    {"store through one of two pointers",
     HEAD "block\nc = icmp sub=ult bits=1 : gid four\n"
          "q = select bits=64 : c a b\nx = load bits=32 space=global bytes=4 : a\nstore space=global bytes=4 "
          ": q x\nret\n",
     "S O0 O1 O2 A U", "reads-what-it-writes", "I"},

    /* work */
    {"guard",
     HEAD "block\nnw = sext bits=64 : n\nc = icmp sub=ult bits=1 : gid nw\ncondbr : c @1 @2\nblock\n" STORE_B(
         "gid", "f") "br : @2\nblock\nret\n",
     "S O0 O1 O2 I A U", "proved", "U"},
    {"guard that returns",
     HEAD "block\nnw = sext bits=64 : n\nc = icmp sub=uge bits=1 : gid nw\ncondbr : c @1 @2\nblock\n"
          "ret\nblock\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "U"},
    {"guard of two comparisons",
     HEAD
     "block\ni = trunc bits=32 : gid\nc = icmp sub=slt bits=1 : i n\n"
     "d = icmp sub=sgt bits=1 : i zero\ne = select bits=1 : c d zero1\ncondbr : e @1 @2\nblock\n" STORE_B(
         "gid", "f") "br : @2\nblock\nret\n",
     "S O0 O1 O2 I A U", "proved", "U"},
    {"only one item works",
     HEAD "block\nc = icmp sub=eq bits=1 : gid zero64\ncondbr : c @1 @2\nblock\n" STORE_B(
         "gid", "f") "br : @2\nblock\nret\n",
     "S O0 O1 O2 I A", "position-dependent-work", "U"},
    {"every eighth item works",
     HEAD "seven = const bits=64 imm=7\nblock\nm = and bits=64 : gid seven\n"
          "c = icmp sub=ult bits=1 : m one64\ncondbr : c @1 @2\nblock\n" STORE_B("gid",
                                                                                 "f") "br : @2\nblock\nret\n",
     "S O0 O1 O2 I A", "position-dependent-work", "U"},
    {"two kinds of items",
     HEAD "block\nc = icmp sub=ult bits=1 : gid four\ncondbr : c @1 @2\nblock\n" STORE_B(
         "gid", "f") "br : @3\nblock\nx = pure bits=32 cls=special : f\nbr : @3\nblock\nret\n",
     "S O0 O1 O2 I A", "position-dependent-work", "U"},
    {"triangular loop",
     HEAD "block\nbr : @1\nblock\ni = phi bits=64 : @0 zero64 @1 j\nj = add bits=64 : i one64\n"
          "c = icmp sub=ult bits=1 : j gid\ncondbr : c @1 @2\nblock\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A", "position-dependent-work", "U"},
    {"uniform loop",
     HEAD "block\nbr : @1\nblock\ni = phi bits=32 : @0 zero @1 j\nj = add bits=32 : i one\n"
          "c = icmp sub=slt bits=1 : j n\ncondbr : c @1 @2\nblock\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "U"},
    {"trip count from memory",
     HEAD "block\nx = load bits=32 space=global bytes=4 : a\nbr : @1\nblock\n"
          "i = phi bits=32 : @0 zero @1 j\nj = add bits=32 : i one\nc = icmp sub=slt bits=1 : j x\ncondbr : "
          "c @1 @2\nblock\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A", "data-dependent-work", "U"},
    {"trip count chosen by a guard",
     HEAD "block\nc = icmp sub=ult bits=1 : gid four\ncondbr : c @1 @2\nblock\nbr : @2\n"
          "block\nt = phi bits=64 : @0 one64 @1 four\nbr : @3\nblock\ni = phi bits=64 : @2 zero64 @3 j\n"
          "j = add bits=64 : i one64\nd = icmp sub=ult bits=1 : j t\ncondbr : d @3 @4\nblock\n" STORE_B(
              "gid", "f") "ret\n",
     "S O0 O1 O2 I A", "position-dependent-work", "U"},
    {"trip count chosen in private memory",
     HEAD
     "m = alloca bits=64 imm=8\nblock\nstore bytes=8 : m one64\n"
     "c = icmp sub=ult bits=1 : gid four\ncondbr : c @1 @2\nblock\nstore bytes=8 : m four\nbr : @2\nblock\n"
     "t = load bits=64 bytes=8 : m\nbr : @3\nblock\ni = phi bits=64 : @2 zero64 @3 j\nj = add bits=64 : i "
     "one64\n"
     "d = icmp sub=ult bits=1 : j t\ncondbr : d @3 @4\nblock\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A", "position-dependent-work", "U"},
    {"trip count by where something was stored",
     HEAD "m = alloca bits=64 imm=64\nblock\nx = load bits=64 space=global bytes=8 : a\n"
          "p = ptradd bits=64 : m x\nstore bytes=8 : p four\nt = load bits=64 bytes=8 : m\nbr : @1\nblock\n"
          "i = phi bits=64 : @0 zero64 @1 j\nj = add bits=64 : i one64\nd = icmp sub=ult bits=1 : j t\n"
          "condbr : d @1 @2\nblock\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A", "data-dependent-work", "U"},
    {"a guard inside a loop that decides its end",
     HEAD "block\nbr : @1\nblock\ni = phi bits=64 : @0 zero64 @4 j\n"
          "c = icmp sub=ult bits=1 : gid i\ncondbr : c @2 @3\nblock\nd = icmp sub=eq bits=1 : n zero\ncondbr "
          ": d @3 @5\n"
          "block\nj = add bits=64 : i one64\ne = icmp sub=ult bits=1 : j four\ncondbr : e @4 @5\nblock\nbr : "
          "@1\nblock\n" STORE_B("gid", "f") "ret\n",
     "S O0 O1 O2 I A", "position-dependent-work", "U"},
    {"a guard inside a loop",
     HEAD "block\nbr : @1\nblock\ni = phi bits=64 : @0 zero64 @3 j\n"
          "c = icmp sub=ult bits=1 : gid i\ncondbr : c @2 @3\nblock\nx = pure bits=32 : f\nbr : @3\nblock\n"
          "j = add bits=64 : i one64\ne = icmp sub=ult bits=1 : j four\ncondbr : e @1 @4\nblock\n" STORE_B(
              "gid", "f") "ret\n",
     "S O0 O1 O2 I A U", "proved", "U"},
};

static const char *facts_of(const struct kernel_summary *k)
{
    static char out[64];
    out[0] = 0;
    for (unsigned f = 0; f < SUM_FACTS; f++)
        if (sum_proved(k, f)) {
            strcat(out, out[0] ? " " : "");
            strcat(out, sum_fact_name(f));
        }
    return out;
}

LOOPED_TEST(test_case, sizeof(cases) / sizeof(cases[0]))
{
    char *body = NULL;
    /* one constant that few need */
    ck_assert_int_ge(asprintf(&body, "zero1 = const bits=1 imm=0\n%s", cases[_i].body), 0);
    struct program_summary p = text_facts(body);
    const struct kernel_summary *k = &p.kernel[0];
    ck_assert_msg(strcmp(facts_of(k), cases[_i].proved) == 0, "%s: proved %s, expected %s", cases[_i].name,
                  facts_of(k), cases[_i].proved);
    for (unsigned f = 0; f < SUM_FACTS; f++) {
        if (strcmp(sum_fact_name(f), cases[_i].why) == 0)
            ck_assert_msg(strcmp(sum_reason_name(k->fact[f].reason), cases[_i].reason) == 0,
                          "%s: %s is %s (%s)", cases[_i].name, cases[_i].why,
                          sum_reason_name(k->fact[f].reason), k->fact[f].detail ? k->fact[f].detail : "");
        if (!sum_proved(k, f))
            ck_assert_ptr_nonnull(k->fact[f].detail);
    }
    sum_free(&p);
    free(body);
}

TEST(test_arguments)
{
    struct program_summary p =
        text_facts(HEAD "m = alloca bits=64 imm=64\nblock\nstore bytes=4 : m f\nstore bytes=4 : s f\n"
                        "x = load bits=32 bytes=4 : s\n" LOAD_A("y", "gid") STORE_B("gid", "y") "ret\n");
    const struct sum_arg *a = p.kernel[0].args;
    ck_assert(a[0].may_read && !a[0].may_write);
    ck_assert(!a[1].may_read && a[1].may_write);
    ck_assert(!a[2].may_read && !a[2].may_write);
    ck_assert(!a[3].may_read && !a[3].may_write);
    ck_assert(!p.kernel[0].has_atomics && !p.kernel[0].has_images && !p.kernel[0].has_barrier);
    ck_assert(!p.kernel[0].needs_uniform);
    sum_free(&p);
}

TEST(test_unknown_marks_all)
{
    struct program_summary p =
        text_facts(HEAD "block\nq = load bits=64 bytes=8 : s\n"
                        "x = load bits=32 space=global bytes=4 : q\n" STORE_B("gid", "x") "ret\n");
    const struct kernel_summary *k = &p.kernel[0];
    ck_assert(k->args[0].may_read && !k->args[0].may_write);
    ck_assert(k->args[1].may_read && k->args[1].may_write);
    ck_assert(!k->args[2].may_read && !k->args[3].may_read);
    ck_assert_uint_eq(k->naccess, 3); /* the read may hit a and b */
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(k->access[i].kind, SUM_ACC_READ);
        ck_assert_uint_eq(k->access[i].arg, i);
        ck_assert(!k->access[i].affine);
    }
    ck_assert(k->access[2].affine);
    sum_free(&p);
}

/* What is extended or multiplied as 24 bits, and how large ids may be so that group * size + local is still
 * the global id; -1: S is refused. */
#define NARROW(bits)                                                                                         \
    "gn = trunc bits=" bits " : group\nln = trunc bits=" bits " : lid\nsn = trunc bits=" bits " : lsize\n"
#define WIDE(op, x) "w" x " = " op " bits=64 : " x "\n"
#define SUM         "x = mul bits=64 : wgn wsn\ny = add bits=64 : x wln\n" STORE_B("y", "f") "ret\n"
static const struct {
    const char *name, *body;
    int id_bits;
} small_ids[] = {
    {"not needed", HEAD "block\n" STORE_B("gid", "f") "ret\n", 0},
    {"not of use", HEAD "block\n" STORE_B("lid", "f") "ret\n", -1},
    {"int", HEAD "block\n" NARROW("32") WIDE("sext", "gn") WIDE("sext", "ln") WIDE("sext", "sn") SUM, 31},
    {"uint", HEAD "block\n" NARROW("32") WIDE("zext", "gn") WIDE("zext", "ln") WIDE("zext", "sn") SUM, 31},
    {"31 bits, signed",
     HEAD "block\n" NARROW("31") WIDE("sext", "gn") WIDE("sext", "ln") WIDE("sext", "sn") SUM, -1},
    {"31 bits, unsigned",
     HEAD "block\n" NARROW("31") WIDE("zext", "gn") WIDE("zext", "ln") WIDE("zext", "sn") SUM, 31},
    {"30 bits, unsigned",
     HEAD "block\n" NARROW("30") WIDE("zext", "gn") WIDE("zext", "ln") WIDE("zext", "sn") SUM, -1},
    {"short", HEAD "block\n" NARROW("16") WIDE("sext", "gn") WIDE("sext", "ln") WIDE("sext", "sn") SUM, -1},
    {"the product is an int",
     HEAD "block\n" NARROW("32") "p = mul bits=32 : gn sn\n" WIDE("sext", "p")
         WIDE("sext", "ln") "y = add bits=64 : wp wln\n" STORE_B("y", "f") "ret\n",
     31},
    {"the product is a short",
     HEAD "block\n" NARROW("16") "p = mul bits=16 : gn sn\n" WIDE("sext", "p")
         WIDE("sext", "ln") "y = add bits=64 : wp wln\n" STORE_B("y", "f") "ret\n",
     -1},
    {"four times the product is an int",
     HEAD "two = const bits=32 imm=2\nblock\n" NARROW(
         "32") "p = mul bits=32 : gn sn\nq = shl bits=32 : p "
               "two\n" WIDE("sext", "q") "t = mul bits=64 : lid four\ny = add bits=64 "
                                         ": wq t\n" STORE_B("y", "f") "ret\n",
     -1},
    {"the size times another dimension's group",
     HEAD "g1 = wi sub=group_id bits=64 imm=1\nblock\ngn = trunc bits=32 : g1\n" WIDE(
         "sext", "gn") "x = mul bits=64 : wgn lsize\ny = add bits=64 : x lid\n" STORE_B("y", "f") "ret\n",
     -1},
    {"one less, signed",
     HEAD "minus = const bits=32 imm=-1\nblock\n" NARROW(
         "32") "p = mul bits=32 : gn sn\nq = add bits=32 : p minus\n" WIDE("sext", "q")
         WIDE("sext", "ln") "y = add bits=64 : wq wln\n" STORE_B("y", "f") "ret\n",
     31},
    {"one less, unsigned: 0 - 1 wraps",
     HEAD "minus = const bits=32 imm=-1\nblock\n" NARROW(
         "32") "p = mul bits=32 : gn sn\nq = add bits=32 : p minus\n" WIDE("zext", "q")
         WIDE("zext", "ln") "y = add bits=64 : wq wln\n" STORE_B("y", "f") "ret\n",
     -1},
    {"one more may be 2^31",
     HEAD "block\n" NARROW(
         "32") "p = mul bits=32 : gn sn\nq = add bits=32 : p one\nr = add bits=32 : q ln\n" WIDE("sext", "q")
         WIDE("sext", "ln") "y = add bits=64 : wq wln\n" STORE_B("y", "f") "ret\n",
     -1},
    {"where the group begins, from the global id",
     HEAD "block\ngn = trunc bits=32 : gid\nln = trunc bits=32 : lid\nbn = sub bits=32 : gn ln\n" WIDE(
         "zext", "bn") "y = add bits=64 : wbn lid\n" STORE_B("y", "f") "ret\n",
     31},
    {"global id plus local id may be 2^31",
     HEAD "block\ngn = trunc bits=32 : gid\nln = trunc bits=32 : lid\nbn = add bits=32 : gn ln\n" WIDE(
         "sext", "bn") "y = sub bits=64 : wbn lid\n" STORE_B("y", "f") "ret\n",
     -1},
    {"... but is below 2^32",
     HEAD "block\ngn = trunc bits=32 : gid\nln = trunc bits=32 : lid\nbn = add bits=32 : gn ln\n" WIDE(
         "zext", "bn") "y = sub bits=64 : wbn lid\n" STORE_B("y", "f") "ret\n",
     31},
    {"the number of groups",
     HEAD "block\nn32 = trunc bits=32 : ngroups\nsn = trunc bits=32 : lsize\n" WIDE("sext", "n32") WIDE(
         "sext", "sn") "x = mul bits=64 : wn32 wsn\ny = mul bits=64 : gid1 x\n" STORE_B("y", "f") "ret\n",
     31},
    {"an argument is in it",
     HEAD "block\n" NARROW("32") "h = add bits=32 : gn n\n" WIDE("sext", "h")
         WIDE("sext", "n") "m = sub bits=64 : wh wn\nx = mul bits=64 : m lsize\ny = add bits=64 : x "
                           "lid\n" STORE_B("y", "f") "ret\n",
     -1},
    {"mul24",
     HEAD "block\n" NARROW("32") "p = mul bits=32 flags=32 : gn sn\nq = add bits=32 : p ln\n" WIDE(
         "sext", "q") STORE_B("wq", "f") "ret\n",
     23},
    {"mul24, unsigned",
     HEAD "block\n" NARROW("32") "p = mul bits=32 flags=96 : gn sn\nq = add bits=32 : p ln\n" WIDE(
         "zext", "q") STORE_B("wq", "f") "ret\n",
     24},
    {"mul24 of twice the group",
     HEAD "block\n" NARROW("32") "d = add bits=32 : gn gn\n"
                                 "p = mul bits=32 flags=96 : d sn\nq = sub bits=32 : p ln\n" WIDE("zext", "q")
                                     STORE_B("wq", "f") "ret\n",
     -1},
    {"mul24 that does not matter",
     HEAD "block\n" NARROW("32") WIDE(
         "sext", "gn") "p = mul bits=32 flags=32 : n n\nx = mul bits=64 : wgn lsize\ny = add bits=64 : x "
                       "lid\n" STORE_B("y", "p") "ret\n",
     31},
    {"a barrier decides anyway",
     HEAD "block\n" NARROW("32")
         WIDE("sext", "gn") "x = mul bits=64 : wgn lsize\ny = add bits=64 : x lid\nc = "
                            "icmp sub=ult bits=1 : y four\ncondbr : c @1 @2\n"
                            "block\nbarrier\nbr : @2\nblock\nret\n",
     -1},
};

LOOPED_TEST(test_small_ids, sizeof(small_ids) / sizeof(small_ids[0]))
{
    struct program_summary p = text_facts(small_ids[_i].body);
    const struct kernel_summary *k = &p.kernel[0];
    const int got = sum_proved(k, SUM_FACT_S) ? k->id_bits : -1;
    ck_assert_msg(got == small_ids[_i].id_bits, "%s: %d, expected %d", small_ids[_i].name, got,
                  small_ids[_i].id_bits);
    ck_assert(got > 0 || k->id_bits == 0 || k->id_bits == 31); /* for the access analysis */
    sum_free(&p);
}

TEST(test_needs_uniform)
{
    struct program_summary p = text_facts(
        HEAD "block\nx = mul bits=64 : ngroups lsize\ny = mul bits=64 : gid1 x\n" STORE_B("y", "f") "ret\n");
    ck_assert(sum_proved(&p.kernel[0], SUM_FACT_S) && p.kernel[0].needs_uniform);
    sum_free(&p);
    p = text_facts(HEAD "enq = wi sub=enqueued_local_size bits=64\nblock\nx = sub bits=64 : enq lsize\n"
                        "y = add bits=64 : gid x\n" STORE_B("y", "f") "ret\n");
    ck_assert(sum_proved(&p.kernel[0], SUM_FACT_S) && p.kernel[0].needs_uniform);
    sum_free(&p);
}

TEST(test_detail)
{
    struct program_summary p = text_facts(HEAD "block\n" STORE_B("group", "f") "ret\n");
    ck_assert_str_eq(p.kernel[0].fact[SUM_FACT_S].detail, "get_group_id(0) reaches an address");
    ck_assert_uint_eq(p.kernel[0].fact[SUM_FACT_S].line, 9);
    sum_free(&p);
    p = text_facts(HEAD "block\nx = mul bits=64 : group lsize\n" STORE_B("x", "f") "ret\n");
    ck_assert_str_eq(p.kernel[0].fact[SUM_FACT_S].detail, "get_group_id(0) reaches an address");
    sum_free(&p);
}

TEST(test_images)
{
    static const char *const body =
        "arg \"i\" \"image2d_t\" image global 8 - -\narg \"o\" \"image2d_t\" image global 8 - -\n"
        "i = arg bits=64 space=global imm=0\no = arg bits=64 space=global imm=1\n"
        "g0 = wi sub=global_id bits=64\ng1 = wi sub=global_id bits=64 imm=1\nblock\n"
        "x = trunc bits=32 : g0\ny = trunc bits=32 : g1\n"
        "t = image_read bits=32 x=4 space=global flags=16 bytes=16 : i x y\n"
        "image_write space=global bytes=16 : o t x y\nret\n";
    struct program_summary p = text_facts(body);
    const struct kernel_summary *k = &p.kernel[0];
    ck_assert_str_eq(facts_of(k), "S O0 O1 O2 I A U");
    ck_assert(k->has_images && k->args[0].may_read && !k->args[0].may_write && k->args[1].may_write);
    ck_assert_uint_eq(k->naccess, 1);
    ck_assert_uint_eq(k->access[0].ncoord, 2);
    ck_assert_uint_eq(k->access[0].wrap_bits, 32);
    ck_assert_uint_eq(k->access[0].coord[1].term[0].sym[0].index, 1);
    sum_free(&p);
}

TEST(test_read_write_image)
{
    struct program_summary p = text_facts(
        "arg \"i\" \"image2d_t\" image global 8 - -\ni = arg bits=64 space=global imm=0\n"
        "g = wi sub=global_id bits=32\nblock\nt = image_read bits=32 x=4 space=global bytes=16 : i g\n"
        "image_write space=global bytes=16 : i t g\nret\n");
    ck_assert_str_eq(facts_of(&p.kernel[0]), "S O0 O1 O2 A U");
    sum_free(&p);
}

/* Deriving twice gives the same and leaks nothing. */
TEST(test_twice)
{
    struct program_summary p = text_facts(HEAD "block\n" STORE_B("lid", "f") "ret\n");
    struct kernel_summary *k = &p.kernel[0];
    uint32_t n = k->naccess;
    sum_derive_facts(k);
    ck_assert_uint_eq(k->naccess, n);
    ck_assert_int_eq(k->fact[SUM_FACT_S].reason, SUM_R_LOCAL_ID_OBSERVED);
    sum_free(&p);
}

TEST(test_no_body)
{
    struct kernel_summary k = {.name = strdup("k")};
    sum_derive_facts(&k);
    for (unsigned f = 0; f < SUM_FACTS; f++)
        ck_assert_int_eq(k.fact[f].reason, SUM_R_TOO_LARGE);
    sum_free_kernel(&k);
}

int main(void)
{
    return run_tests("facts", NULL, NULL);
}
