/* test_summary.c - the summary's text form: round trips, rejection of bad input, mutation. */
#include "summary_text.h"
#include "run_suite.h"

#include "analysis/summary/cfg.h"

#include <errno.h>

/* A kernel with everything that the text form knows. */
static const char *const everything =
    "files\n"
    "file \"/a folder/x.h\" 65024 11772274 30 1795371496102880076 1795371496102880077\n"
    "file \"/x.h\" absent\n"
    "kernel \"a\\\"b\\\\c\\x01\\n\"\n"
    "arg \"in\" \"float*\" buffer global 8 r -\n"
    "arg \"out\" \"float*\" buffer global 8 - w restrict\n"
    "arg \"n\" \"int\" scalar private 4 - -\n"
    "reqd 16 4 1\n"
    "hint 64 1 1\n"
    "local_bytes 1024\n"
    "private_bytes 18446744073709551615\n"
    "registers 17\n"
    "flags relaxed loose barrier uniform uneven ids 31\n"
    "var \"table\" constant 64\n"
    "var \"tile\" local 1024\n"
    "callee \"magic(int)\"\n"
    "0 const bits=32 imm=-5\n"
    "1 arg bits=64 space=global\n"
    "2 arg bits=64 space=global imm=1\n"
    "3 wi sub=global_id bits=64 line=3\n"
    "4 const bits=1 imm=-1\n"
    "block\n"
    "5 ptradd bits=64 space=global : 1 3\n"
    "6 load bits=32 x=4 space=global flags=16 bytes=16 cls=mem line=7 : 5\n"
    "7 icmp sub=ult bits=1 cls=iadd : 3 1\n"
    "8 condbr cls=branch : 7 1 2\n"
    "block\n"
    "9 phi bits=64 : 0 3 1 10\n"
    "10 add bits=64 flags=4 : 9 3\n"
    "11 icmp sub=slt bits=1 : 10 3\n"
    "12 condbr : 11 1 3\n"
    "block\n"
    "13 switch : 0 3 0 3\n"
    "block\n"
    "14 atomic sub=max space=global flags=1 bytes=4 : 2 0\n"
    "15 call imm=0 : 3\n"
    "16 ret\n"
    "fact S barrier 12 \"says \\\"x\\\"\"\n"
    "fact O0 proved 0 -\n"
    "fact O1 proved 0 -\n"
    "fact O2 proved 0 -\n"
    "fact I atomic 7 -\n"
    "fact A proved 0 -\n"
    "fact U proved 0 -\n"
    "loop 1 bounded step=2 limit { 1*arg:2 -7 } step_poly { }\n"
    "loop 1 step=0 limit { 1*zarg:2 } step_poly { 1*gsize:0 } fits i 32 { 1*arg:2 } fits u 31 { }\n"
    "access read 6 1 16 affine wrap=32 { 4*gid:0*arg:2 -9223372036854775808*loop:0*uniform:3 12 } lt "
    "{ 1*gid:0 } { 1*arg:2 } eq { 1*offset:1 } { }\n"
    "access write 14 1 4 affine constant=-3 wrap=64 { } { 1*gid:1 }\n"
    "access atomic 14 1 4\n"
    "endkernel\n";

static char *print(const struct program_summary *p)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    ck_assert_int_eq(sum_print(p, f), 0);
    fclose(f);
    return out;
}

static int try_parse(const char *text, size_t size)
{
    struct program_summary p = {.nkernel = 77};
    unsigned line;
    int err = sum_parse(text, size, &p, &line);
    if (err)
        ck_assert_uint_eq(p.nkernel, 77); /* untouched */
    else
        sum_free(&p);
    return err;
}

TEST(test_round_trip)
{
    char *text = text_seal(everything);
    struct program_summary p;
    unsigned line = 0;
    int err = sum_parse(text, strlen(text), &p, &line);
    ck_assert_msg(err == 0, "error %d in line %u", err, line);
    char *again = print(&p);
    const struct kernel_summary *k = &p.kernel[0];
    ck_assert_str_eq(k->name, "a\"b\\c\x01\n");
    ck_assert_uint_eq(k->nargs, 3);
    ck_assert(k->args[0].may_read && !k->args[0].may_write);
    ck_assert(k->args[1].restricted && !k->args[0].restricted);
    ck_assert_uint_eq(k->nleaf, 5);
    ck_assert_uint_eq(k->nblock, 4);
    ck_assert_uint_eq(k->insns[6].lanes, 4);
    ck_assert_int_eq(k->insns[0].imm, -5);
    ck_assert_uint_eq(k->private_bytes, UINT64_MAX);
    ck_assert(k->relaxed_math && k->loose_math && k->has_barrier && !k->has_images && k->needs_uniform &&
              k->uneven);
    ck_assert_uint_eq(k->id_bits, 31);
    ck_assert_uint_eq(k->naccess, 3);
    ck_assert_int_eq(k->access[0].coord[0].term[1].coef, INT64_MIN);
    ck_assert_uint_eq(k->access[0].nguard, 2);
    ck_assert_uint_eq(k->loops[1].nrange, 2);
    ck_assert_ptr_eq(sum_find(&p, "a\"b\\c\x01\n"), k);
    ck_assert_ptr_null(sum_find(&p, "zzz"));
    struct program_summary q;
    ck_assert_int_eq(sum_parse(again, strlen(again), &q, NULL), 0);
    char *third = print(&q);
    ck_assert_str_eq(again, third);
    sum_free(&p);
    sum_free(&q);
    free(text);
    free(again);
    free(third);
}

/* `outer`, a kernel, with `inner` as the view of a group; the caller's to free. */
static char *with_group(const char *outer, const char *inner)
{
    char *text = NULL;
    const size_t before = (size_t)(strstr(outer, "endkernel") - outer);
    ck_assert_int_gt(
        asprintf(&text, "%.*sgroup %s%s", (int)before, outer, strstr(inner, "kernel \"") + 7, outer + before),
        0);
    return text;
}

static int error_of(char *lines)
{
    char *text = text_seal(lines);
    const int err = try_parse(text, strlen(text));
    free(text);
    free(lines);
    return err;
}

TEST(test_group)
{
    static const char flag[] = "uneven ids";
    char *view = NULL, *lines, *text, *again;
    const char *at = strstr(everything, flag);
    struct program_summary p;
    ck_assert_int_gt(
        asprintf(&view, "%.*suneven group ids%s", (int)(at - everything), everything, at + sizeof flag - 1),
        0);
    lines = with_group(everything, view);
    text = text_seal(lines);
    ck_assert_int_eq(sum_parse(text, strlen(text), &p, NULL), 0);
    ck_assert(p.kernel[0].group->of_group && !p.kernel[0].of_group);
    ck_assert_uint_eq(p.kernel[0].group->naccess, 3);
    again = print(&p);
    ck_assert_int_eq(try_parse(again, strlen(again)), 0);
    ck_assert_ptr_nonnull(strstr(again, "\ngroup \""));
    sum_free(&p);
    free(again);
    free(text);
    /* a kernel is none of its groups, a group has no groups, and it is said of which it is one */
    ck_assert_int_eq(error_of(strdup(view)), -EINVAL);
    ck_assert_int_eq(error_of(with_group(everything, everything)), -EINVAL);
    text = with_group(view, view);
    ck_assert_int_eq(error_of(with_group(everything, text)), -EINVAL);
    free(text);
    free(lines);
    free(view);
}

TEST(test_describe)
{
    char *text = text_seal(everything), *out = NULL;
    size_t size;
    struct program_summary p;
    ck_assert_int_eq(sum_parse(text, strlen(text), &p, NULL), 0);
    FILE *f = open_memstream(&out, &size);
    sum_describe(&p.kernel[0], f, true);
    fclose(f);
    ck_assert_ptr_nonnull(strstr(out, "barrier: says"));
    ck_assert_ptr_null(strchr(out, '\x01'));
    sum_free(&p);
    free(out);
    free(text);
}

TEST(test_error_only)
{
    char *text = text_seal("error \"build: no\"\n");
    struct program_summary p;
    ck_assert_int_eq(sum_parse(text, strlen(text), &p, NULL), 0);
    ck_assert_str_eq(p.error, "build: no");
    ck_assert_uint_eq(p.nkernel, 0);
    char *again = print(&p);
    ck_assert_str_eq(text, again);
    sum_free(&p);
    sum_free(&p);
    sum_free(NULL);
    free(text);
    free(again);
}

TEST(test_damage)
{
    char *text = text_seal(everything);
    size_t n = strlen(text);
    ck_assert_int_eq(try_parse(text, n), 0);
    const size_t version = strlen("clsizer-summary "), line = strcspn(text, "\n");
    for (size_t i = 0; i < n; i++) /* truncated anywhere; of a number's first digits another number remains */
        ck_assert_int_eq(try_parse(text, i), i > version && i < line ? -ENOTSUP : -EINVAL);
    ck_assert_int_eq(try_parse("", 0), -EINVAL);
    text[40] ^= 1; /* one bit */
    ck_assert_int_eq(try_parse(text, n), -EINVAL);
    text[40] ^= 1;
    text[version] = text[version] == '9' ? '8' : '9';
    ck_assert_int_eq(try_parse(text, n), -ENOTSUP);
    free(text);
}

/* Each entry replaces `from` by `to` in the text above, seals it properly, and must be refused. */
static const struct {
    const char *from, *to;
} wrong[] = {
    {"files\n", ""},
    {"files\n", "files\nfiles\n"},
    {"\"/x.h\"", "\"x.h\""},
    {"/x.h\" absent", "/x.h\" 1 2 3 4"},
    {"0 const bits=32", "1 const bits=32"},
    {"imm=-5", "imm=-50000000000"},
    {"bits=1 imm=-1", "bits=1 imm=1"},
    {"bits=64 line=3", "bits=65 line=3"},
    {" ids 31", " ids 0"},
    {" ids 31", " ids 32"},
    {" ids 31", " ids"},
    {"arg bits=64 space=global imm=1", "arg bits=64 space=global imm=3"},
    {"sub=global_id", "sub=global_idiocy"},
    {": 0 3 1 10", ": 0 3 2 10"},
    {": 0 3 1 10", ": 0 3"},
    {": 0 3 1 10", ": 0 3 1 10 1 9"},
    {"13 switch : 0 3 0 3", "13 switch : 0 3 3 3"},
    {"13 switch : 0 3 0 3", "13 switch : 0 3 0"},
    {"condbr cls=branch : 7 1 2", "condbr cls=branch : 7 0 2"},
    {"condbr cls=branch : 7 1 2", "condbr cls=branch : 7 1 9"},
    {"condbr cls=branch : 7 1 2", "condbr cls=branch : 7 1 3"},
    {"5 ptradd bits=64 space=global : 1 3", "5 ptradd bits=64 space=global : 1 6"},
    {"7 icmp sub=ult bits=1 cls=iadd : 3 1", "7 icmp sub=ult bits=1 cls=iadd : 3 0"},
    {"15 call imm=0", "15 call imm=1"},
    {"6 load bits=32 x=4 space=global flags=16 bytes=16 cls=mem line=7 : 5", "6 image_read bits=32 x=4 : 1"},
    {"6 load bits=32 x=4 space=global flags=16 bytes=16 cls=mem line=7 : 5", "6 image_read bits=32 x=4 : 0"},
    {"15 call imm=0 : 3", "15 image_write : 2 6"},
    {"14 atomic sub=max space=global flags=1 bytes=4 : 2 0", "14 atomic sub=max bytes=4 : 2 10"},
    {"14 atomic sub=max space=global flags=1 bytes=4 : 2 0", "14 atomic sub=max bytes=4 : 2 16"},
    {"fact A proved 0 -\n", ""},
    {"fact A proved 0 -", "fact I proved 0 -"},
    {"fact A proved", "fact A improved"},
    {"loop 1 bounded", "loop 9 bounded"},
    {"step=2", "step=0"},
    {"lt { 1*gid:0 }", "lt { 1*gid:3 }"},
    {"4*gid:0*arg:2", "4*gid:0*arg:3"},
    {"loop:0", "loop:2"},
    {"uniform:3", "uniform:99"},
    {"4*gid:0*arg:2", "4*gid:0*gid:0*gid:0*gid:0*gid:0*gid:0*gid:0"},
    {"access read 6", "access read 60"},
    {"access read 6", "access read 2"},
    {"eq { 1*offset:1 } { }", "eq { 1*offset:1 }"},
    {"wrap=64", "wrap=65"},
    {"\\x01", "\\x00"},
    {"\\x01", "\\q"},
    {"registers 17", "registers 4294967296"},
    {"registers 17", "registers -1"},
    {"registers 17", "registers 17 18"},
    {"registers 17", "registers"},
    {"16 ret\n", "16 ret\n17 ret\n"},
    {"16 ret\n", ""},
    {"endkernel\n", ""},
    {"reqd 16 4 1", "reqd 16 4"},
    {"8 r -", "8 r"},
};

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    char *out = NULL;
    ck_assert_msg(at != NULL, "no '%s'", from);
    ck_assert_int_ge(asprintf(&out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)), 0);
    return out;
}

LOOPED_TEST(test_wrong, sizeof(wrong) / sizeof(wrong[0]))
{
    char *lines = replaced(everything, wrong[_i].from, wrong[_i].to), *text = text_seal(lines);
    ck_assert_msg(try_parse(text, strlen(text)) == -EINVAL, "accepted '%s' for '%s'", wrong[_i].to,
                  wrong[_i].from);
    free(lines);
    free(text);
}

/* A kernel without a body may stand, but claim nothing. */
TEST(test_no_body)
{
    char lines[512], *text;
    static const char *const reason[] = {"too-large", "proved"};
    for (int i = 0; i < 2; i++) {
        int n = snprintf(lines, sizeof(lines), "kernel \"k\"\n");
        for (unsigned f = 0; f < SUM_FACTS; f++)
            n += snprintf(lines + n, sizeof(lines) - (size_t)n, "fact %s %s 0 -\n", sum_fact_name(f),
                          f == 3 ? reason[i] : "too-large");
        snprintf(lines + n, sizeof(lines) - (size_t)n, "endkernel\n");
        text = text_seal(lines);
        ck_assert_int_eq(try_parse(text, strlen(text)), i ? -EINVAL : 0);
        free(text);
    }
}

static uint32_t rnd(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

/* Random edits of a good text, properly sealed: whatever happens, nothing may crash or leak, and what is
 * accepted must print and parse again, and survive the proofs. */
LOOPED_TEST(test_mutate, 8)
{
    static const char *const words[] = {
        "0",     "1",           "99999999999", "-1", "{",    "}",    "\"",
        " ",     "\n",          ":",           "*",  "phi",  "br",   "ret",
        "block", "=",           "arg",         "lt", "fits", "loop", "18446744073709551615",
        "\\x",   "endkernel\n", "gid:0"};
    uint64_t seed = 12345 + (uint64_t)_i;
    size_t n = strlen(everything);
    for (int round = 0; round < 1500; round++) {
        char *lines = malloc(n + 400);
        strcpy(lines, everything);
        for (uint32_t edits = 1 + rnd(&seed) % 4; edits > 0; edits--) {
            size_t len = strlen(lines), at = rnd(&seed) % len, cut = rnd(&seed) % 6;
            const char *w = rnd(&seed) % 3 ? words[rnd(&seed) % (sizeof(words) / sizeof(words[0]))] : "";
            if (cut > len - at)
                cut = len - at;
            if (len - cut + strlen(w) >= n + 390)
                continue;
            memmove(lines + at + strlen(w), lines + at + cut, len - at - cut + 1);
            memcpy(lines + at, w, strlen(w));
        }
        char *text = text_seal(lines);
        struct program_summary p;
        if (sum_parse(text, strlen(text), &p, NULL) == 0) {
            char *again = print(&p);
            ck_assert_int_eq(try_parse(again, strlen(again)), 0);
            for (uint32_t i = 0; i < p.nkernel; i++)
                sum_derive_facts(&p.kernel[i]);
            free(again);
            sum_free(&p);
        }
        free(text);
        free(lines);
    }
}

/* ---- control flow ---------------------------------------------------------------------------------- */

/* Blocks from a list of "n: successors"; every block has one instruction. */
static struct program_summary graph(const unsigned (*succ)[2], unsigned n)
{
    char body[8192];
    int at = snprintf(body, sizeof(body), "c = opaque bits=1\n");
    for (unsigned b = 0; b < n; b++) {
        at += snprintf(body + at, sizeof(body) - (size_t)at, "block\n");
        if (succ[b][0] == 0)
            at += snprintf(body + at, sizeof(body) - (size_t)at, "ret\n");
        else if (succ[b][1] == 0)
            at += snprintf(body + at, sizeof(body) - (size_t)at, "br : @%u\n", succ[b][0]);
        else
            at += snprintf(body + at, sizeof(body) - (size_t)at, "condbr : c @%u @%u\n", succ[b][0],
                           succ[b][1]);
    }
    return text_parse(body);
}

TEST(test_cfg_nest)
{
    /* 1 { 2 { 3 } 4 } 5, with an exit from the inner loop to 5 */
    static const unsigned succ[][2] = {{1, 0}, {2, 5}, {3, 4}, {2, 5}, {1, 0}, {0, 0}};
    struct program_summary p = graph(succ, 6);
    struct cfg c;
    ck_assert_int_eq(cfg_build(&p.kernel[0], &c), 0);
    ck_assert(!c.irreducible);
    ck_assert_uint_eq(c.nreach, 6);
    ck_assert_uint_eq(c.nloop, 2);
    ck_assert_uint_eq(c.loop[0].header, 1);
    ck_assert_uint_eq(c.loop[1].header, 2);
    ck_assert_uint_eq(c.loop[1].parent, 0);
    ck_assert_uint_eq(c.loop[1].depth, 2);
    ck_assert_uint_eq(c.loop[0].end - c.loop[0].first, 4);
    ck_assert(cfg_in_loop(&c, 0, 3) && cfg_in_loop(&c, 1, 3) && cfg_in_loop(&c, 0, 4) &&
              !cfg_in_loop(&c, 1, 4) && !cfg_in_loop(&c, 0, 5));
    ck_assert_uint_eq(c.idom[5], 1);
    ck_assert_uint_eq(c.idom[4], 2);
    ck_assert_uint_eq(c.ipdom[1], 5);
    ck_assert_uint_eq(c.ipdom[5], 6);
    ck_assert(cfg_dominates(&c, 1, 4) && !cfg_dominates(&c, 4, 1) && cfg_dominates(&c, 3, 3));
    ck_assert(cfg_edge_dominates(&c, 1, 2, 3) && !cfg_edge_dominates(&c, 3, 2, 3));
    ck_assert(!cfg_edge_dominates(&c, 1, 5, 5));
    cfg_free(&c);
    sum_free(&p);
}

TEST(test_cfg_odd)
{
    static const unsigned cross[][2] = {{1, 2}, {2, 3}, {1, 3}, {0, 0}};
    struct program_summary p = graph(cross, 4);
    struct cfg c;
    ck_assert_int_eq(cfg_build(&p.kernel[0], &c), 0);
    ck_assert(c.irreducible);
    ck_assert_uint_eq(c.nloop, 0);
    ck_assert_uint_eq(c.idom[1], 0);
    ck_assert_uint_eq(c.idom[2], 0);
    cfg_free(&c);
    sum_free(&p);
    static const unsigned endless[][2] = {{1, 2}, {1, 0}, {0, 0}};
    p = graph(endless, 3);
    ck_assert_int_eq(cfg_build(&p.kernel[0], &c), 0);
    ck_assert_uint_eq(c.ipdom[1], CFG_NONE);
    ck_assert_uint_eq(c.ipdom[0], 2);
    cfg_free(&c);
    sum_free(&p);
    const struct kernel_summary without_body = {0};
    ck_assert_int_eq(cfg_build(&without_body, &c), -EINVAL);
    cfg_free(&c);
}

/* Dominance, post-dominance and loops against their definitions, on random graphs. */
LOOPED_TEST(test_cfg_random, 8)
{
    enum { N = 9 };
    uint64_t seed = 99 + (uint64_t)_i;
    for (int round = 0; round < 300; round++) {
        unsigned succ[N][2];
        for (unsigned b = 0; b < N; b++) {
            succ[b][0] = rnd(&seed) % 6 ? 1 + rnd(&seed) % (N - 1) : 0;
            succ[b][1] = succ[b][0] && rnd(&seed) % 2 ? 1 + rnd(&seed) % (N - 1) : 0;
        }
        bool reach[N + 1][N] = {{0}}; /* [removed][b]; removed == N: nothing */
        for (unsigned r = 0; r <= N; r++) {
            reach[r][0] = r != 0;
            for (int pass = 0; pass < N; pass++)
                for (unsigned b = 0; b < N; b++)
                    for (unsigned i = 0; i < 2; i++)
                        if (reach[r][b] && succ[b][i] && succ[b][i] != r)
                            reach[r][succ[b][i]] = true;
        }
        bool all = true;
        for (unsigned b = 0; b < N; b++)
            all &= reach[N][b];
        if (!all)
            continue;
        struct program_summary p = graph((const unsigned(*)[2])succ, N);
        struct cfg c;
        ck_assert_int_eq(cfg_build(&p.kernel[0], &c), 0);
        for (unsigned x = 0; x < N; x++)
            for (unsigned y = 0; y < N; y++)
                ck_assert_int_eq(cfg_dominates(&c, x, y), x == y || !reach[x][y]);
        for (uint32_t l = 0; l < c.nloop; l++)
            for (unsigned b = 0; b < N; b++) {
                /* b belongs to the loop of h iff h dominates it and it reaches a latch without passing h */
                uint32_t h = c.loop[l].header;
                bool from[N] = {false};
                from[b] = b != h;
                for (int pass = 0; pass < N; pass++)
                    for (unsigned x = 0; x < N; x++)
                        for (unsigned i = 0; i < 2; i++)
                            if (from[x] && succ[x][i] && succ[x][i] != h)
                                from[succ[x][i]] = true;
                bool member = b == h;
                for (unsigned x = 0; x < N; x++)
                    if (from[x] && cfg_dominates(&c, h, x) && (succ[x][0] == h || succ[x][1] == h))
                        member |= cfg_dominates(&c, h, b);
                ck_assert_int_eq(cfg_in_loop(&c, l, b), member);
            }
        cfg_free(&c);
        sum_free(&p);
    }
}

/* A long ladder whose dominators are all the entry: no quadratic behaviour, no deep recursion. */
TEST(test_large)
{
    char *body = NULL;
    size_t size;
    FILE *f = open_memstream(&body, &size);
    fprintf(f, "kernel \"k\"\n0 opaque bits=1\n");
    enum { N = 60000 };
    unsigned id = 1;
    for (unsigned b = 0; b < N; b++)
        if (b + 2 < N)
            fprintf(f, "block\n%u condbr : 0 %u %u\n", id++, b + 1, b + 2);
        else
            fprintf(f, b + 1 < N ? "block\n%u br : %u\n" : "block\n%u ret\n", id++, b + 1);
    for (unsigned i = 0; i < SUM_FACTS; i++)
        fprintf(f, "fact %s barrier 0 -\n", sum_fact_name(i));
    fprintf(f, "endkernel\n");
    fclose(f);
    char *text = text_seal(body);
    struct program_summary p;
    ck_assert_int_eq(sum_parse(text, strlen(text), &p, NULL), 0);
    sum_derive_facts(&p.kernel[0]);
    sum_free(&p);
    free(text);
    free(body);
}

int main(void)
{
    return run_tests("summary", NULL, NULL);
}
