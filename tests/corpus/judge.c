/* judge SUMMARY FILE.cl - judge the launches that an OpenCL C file writes down, and compare with what it
 * expects.
 *
 * A launch is a comment after the kernel:
 *
 *     // >>> KERNEL GLOBAL[+OFFSET][/LOCAL[~]][!] NAME=VALUE... : VERDICT
 *
 * GLOBAL, OFFSET and LOCAL are numbers with an x between them; `~`: nothing may show of integers that
 * overflow either, as in vectors; `!`: the driver ends loops.  VALUE is an integer, or one for each four
 * bytes of a vector or struct, with commas; integer scalars must have one. Buffers and images lie apart, but
 * for a buffer whose VALUE is the index of another one, which it is, too. An image's VALUE has the letters of
 * the components that it keeps, of rgba; without one it is not known which. VERDICT is the reason, as reports
 * name it (several: LLVM versions differ), with some of its words in parentheses where they matter, or
 * `proved`: the local size may be changed; with LOCAL, another kernel may make the launch in the same groups.
 * Of no kernel with a launch that is proved it may be said that none is (any_launch.c).  SUMMARY is what
 * `clsizer-analyze --summary` says about the file. */
#include "select/select.h"
#include "analysis/summary/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGS  64
#define MAX_WORDS (MAX_ARGS + 2)

/* Each buffer has a memory of its own, of this size. */
#define BUFFER_BYTES ((uint64_t)1 << 32)

static void die(const char *what, const char *about)
{
    fprintf(stderr, "judge: %s: %s\n", what, about);
    exit(2);
}

static char *read_file(const char *path, size_t *size)
{
    char *text = NULL;
    FILE *in = fopen(path, "r"), *out = open_memstream(&text, size);
    if (!in || !out)
        die("cannot read", path);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    fclose(in);
    fclose(out);
    return text;
}

/* Numbers with an x between them. */
static void parse_sizes(const char *word, size_t out[3])
{
    for (unsigned d = 0; d < 3; d++) {
        char *end;
        out[d] = strtoull(word, &end, 10);
        if (*end != 'x')
            return;
        word = end + 1;
    }
}

static void parse_range(const char *word, struct launch *l)
{
    const char *plus = strchr(word, '+'), *slash = strchr(word, '/');
    *l = (struct launch){.dim = 3,
                         .global = {1, 1, 1},
                         .open = LAUNCH_OPEN_EVERYWHERE,
                         .reorders = true,
                         .own_groups = strchr(word, '~'),
                         .ends_loops = strchr(word, '!')};
    parse_sizes(word, l->global);
    if (plus)
        parse_sizes(plus + 1, l->offset);
    if (slash)
        l->local[0] = l->local[1] = l->local[2] = 1;
    if (slash)
        parse_sizes(slash + 1, l->local);
}

/* `text` holds one number for a scalar of at most eight bytes, else one per four bytes. */
static void parse_value(const char *text, struct launch_arg *a)
{
    bool whole = !strchr(text, ',');
    for (uint32_t at = 0; at < a->size && at < sizeof a->value; at += 4) {
        char *end;
        int64_t v = strtoll(text, &end, 0);
        size_t width = whole ? a->size : 4;
        memcpy(a->value + at, &v, width < sizeof v ? width : sizeof v);
        if (*end != ',')
            return;
        text = end + 1;
    }
}

static uint8_t components_of(const char *letters)
{
    static const char all[] = "rgba";
    uint8_t components = 0;
    for (const char *at; *letters && (at = strchr(all, *letters)); letters++)
        components |= (uint8_t)(1u << (at - all));
    return components;
}

static bool is_integer(const char *type)
{
    return strstr(type, "int") || strstr(type, "long") || strstr(type, "short") || strstr(type, "char");
}

/* The arguments as `word[0..n)` name them. */
static void make_arguments(const struct kernel_summary *k, char **word, unsigned n, struct launch_arg *args)
{
    unsigned used = 0;
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct sum_arg *arg = &k->args[i];
        bool memory = arg->kind == SUM_ARG_BUFFER || arg->kind == SUM_ARG_IMAGE, given = false;
        args[i] = (struct launch_arg){.set = true, .size = arg->size};
        if (memory) {
            args[i].memory = i + 1;
            args[i].bytes = BUFFER_BYTES;
        }
        size_t length = strlen(arg->name);
        for (unsigned w = 0; w < n && !given; w++) {
            given = strncmp(word[w], arg->name, length) == 0 && word[w][length] == '=';
            if (given && arg->kind == SUM_ARG_IMAGE)
                args[i].components = components_of(word[w] + length + 1);
            else if (given && memory)
                args[i].memory = strtoull(word[w] + length + 1, NULL, 0) + 1;
            else if (given)
                parse_value(word[w] + length + 1, &args[i]);
        }
        used += given;
        if (!given && arg->kind == SUM_ARG_SCALAR && is_integer(arg->type))
            die("no value for", arg->name);
    }
    if (used != n)
        die("a value for no argument of", k->name);
}

static const char *reason_of(const struct kernel_summary *k, const struct sel_verdict *v)
{
    if (v->proven)
        return "proved";
    if (!k)
        return "not-understood";
    return v->reason == SEL_R_SUMMARY ? sum_reason_name(k->fact[v->fact].reason) : sel_reason_name(v->reason);
}

/* Another kernel in the same groups must not show what becomes of integers that overflow. */
static void ask_integers(const struct kernel_summary *k, const struct launch *l, struct sel_proof *proof)
{
    if (proof->groups.proven && l->own_groups && !sel_integers_are_safe(k, l))
        proof->groups = (struct sel_verdict){.reason = SEL_R_OVERFLOW};
}

/* ---- launches that stand for several ----------------------------------------------------------------- */

static int64_t value_of(const struct launch_arg *a)
{
    int64_t v = 0;
    memcpy(&v, a->value, a->size);
    return a->size == 4 ? (int32_t)v : v;
}

static bool is_proved(const struct kernel_summary *k, const struct launch *l)
{
    struct sel_proof proof;
    sel_judge(k, l, &proof);
    ask_integers(k, l, &proof);
    return launch_has_local(l) ? proof.groups.proven : proof.size.proven;
}

/* Is each launch proved that has one of `n` values between the argument's bounds? */
static bool each_is_proved(const struct kernel_summary *k, const struct launch *l, struct launch_arg *a,
                           int64_t n)
{
    const struct launch_arg before = *a;
    bool good = true;
    a->bounded = false;
    for (int64_t i = 0; i < n && good; i++) {
        const int64_t v = before.least + (before.most - before.least) / (n - 1) * i;
        memcpy(a->value, &v, a->size);
        good = is_proved(k, l);
        if (!good)
            printf("not ok %s: proved from %lld to %lld, but not for %lld\n", k->name,
                   (long long)before.least, (long long)before.most, (long long)v);
    }
    *a = before;
    return good;
}

/* What is proved between the bounds of a scalar is proved for each value.  Counts those that are. */
static bool bounds_hold(const struct kernel_summary *k, const struct launch *l, struct launch_arg *args,
                        unsigned *proved)
{
    static const int64_t below[] = {0, 1, 2, INT32_MAX}, above[] = {1, 7, 100, INT32_MAX};
    bool good = true;
    for (uint32_t i = 0; i < k->nargs; i++) {
        struct launch_arg *a = &args[i];
        if (k->args[i].kind != SUM_ARG_SCALAR || !is_integer(k->args[i].type) ||
            (a->size != 4 && a->size != 8) || value_of(a) < 0)
            continue;
        for (unsigned b = 0; b < 16; b++) {
            const int64_t v = value_of(a), least = v - below[b % 4], most = v + above[b / 4];
            a->bounded = true;
            a->least = least > 0 ? least : 0;
            a->most = most < INT32_MAX ? most : INT32_MAX;
            if (is_proved(k, l)) {
                good &= each_is_proved(k, l, a, 12);
                ++*proved;
            }
            a->bounded = false;
        }
    }
    return good;
}

/* Is it not denied that some launch is proved? */
static bool may_be_proved(const struct kernel_summary *k)
{
    static const struct driver unknown = {.compiler = "cpu|vendor|OpenCL 3.0", .version = "", .is_cpu = true};
    struct sel_verdict why;
    if (sel_judge_any(k, &unknown, &why) != SEL_CHANCE_NONE)
        return true;
    printf("not ok %s: no launch is proved: %s\n", k->name, why.detail);
    return false;
}

/* One expectation, without the marker.  True if it holds. */
static bool judge(const struct program_summary *p, char *line, unsigned *between)
{
    char *save, *word[MAX_WORDS], *expected = strstr(line, " : ");
    struct launch_arg args[MAX_ARGS];
    struct launch l;
    struct sel_proof proof;
    unsigned n = 0;
    if (!expected)
        die("no verdict in", line);
    *expected = '\0';
    expected += 3;
    for (char *w = strtok_r(line, " ", &save); w && n < MAX_WORDS; w = strtok_r(NULL, " ", &save))
        word[n++] = w;
    const struct kernel_summary *k = n >= 2 ? sum_find(p, word[0]) : NULL;
    if (!k || k->nargs > MAX_ARGS)
        die("no such kernel", line);
    parse_range(word[1], &l);
    make_arguments(k, word + 2, n - 2, args);
    l.nargs = k->nargs;
    l.args = args;
    sel_judge(k, &l, &proof);
    ask_integers(k, &l, &proof);
    const bool groups = launch_has_local(&l);
    const struct sel_verdict *verdict = groups ? &proof.groups : &proof.size;
    const char *got = reason_of(groups ? k->group : k, verdict);
    char *words = strchr(expected, '(');
    if (words) {
        *words++ = '\0';
        words[strcspn(words, ")")] = '\0';
    }
    const bool good = words_have(expected, got) && (!words || strstr(verdict->detail, words));
    printf("%s %s %s: %s", good ? "ok" : "not ok", k->name, word[1], got);
    if (!good)
        printf(" (%s), expected %s",
               k->fact[SUM_FACT_S].detail && verdict->reason == SEL_R_SUMMARY && !groups
                   ? k->fact[SUM_FACT_S].detail
                   : verdict->detail,
               expected);
    putchar('\n');
    return bounds_hold(k, &l, args, between) && (!proof.size.proven || may_be_proved(k)) && good;
}

int main(int argc, char **argv)
{
    struct program_summary p;
    size_t size;
    unsigned line, n = 0, between = 0;
    bool good = true;
    if (argc != 3)
        die("usage", "judge SUMMARY FILE.cl");
    char *summary = read_file(argv[1], &size);
    if (sum_parse(summary, size, &p, &line) || p.error)
        die("no summary", p.error ? p.error : argv[1]);
    char *source = read_file(argv[2], &size), *save;
    for (char *at = strtok_r(source, "\n", &save); at; at = strtok_r(NULL, "\n", &save))
        if (strncmp(at, "// >>> ", 7) == 0) {
            good &= judge(&p, at + 7, &between);
            n++;
        }
    if (n == 0)
        die("no launches in", argv[2]);
    fprintf(stderr, "%u between bounds\n", between);
    sum_free(&p);
    free(summary);
    free(source);
    return good ? 0 : 1;
}
