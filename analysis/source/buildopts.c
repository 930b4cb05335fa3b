/* buildopts.c - see buildopts.h.
 *
 * The specification (OpenCL 3.0 API, section 5.8.6) leaves quoting to the driver.  Those that were tried
 * group by double quotes and drop them; they disagree on backslashes and single quotes, which are refused. */
#include "analysis/source/buildopts.h"
#include "analysis/summary/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void args_add(struct args *a, const char *arg)
{
    a->v = must(realloc(a->v, (a->n + 2) * sizeof *a->v));
    a->v[a->n] = must(strdup(arg));
    a->v[++a->n] = NULL;
}

void args_add_words(struct args *a, const char *words)
{
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        args_addf(a, "%.*s", (int)n, words);
    }
}

void args_add_all(struct args *a, const struct args *from)
{
    for (unsigned i = 0; i < from->n; i++)
        args_add(a, from->v[i]);
}

void args_addf(struct args *a, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    char *s = must_vprint(format, ap);
    va_end(ap);
    args_add(a, s);
    free(s);
}

bool args_have(const struct args *a, const char *arg)
{
    for (unsigned i = 0; i < a->n; i++)
        if (!strcmp(a->v[i], arg))
            return true;
    return false;
}

void args_free(struct args *a)
{
    for (unsigned i = 0; i < a->n; i++)
        free(a->v[i]);
    free(a->v);
    *a = (struct args){0};
}

enum action {
    PASS,     /* to clang as it stands */
    DROP,     /* changes nothing that analysis looks at */
    DROP_ARG, /* likewise, and its value may stand in the next word */
    PLAIN,    /* DROP; the driver does not optimise */
    LOOSE,    /* PASS; leaves open what becomes of NaNs, infinities, denormal numbers or the sign of 0 */
    MAD,      /* PASS; allows fma for mul + add */
    RELAXED   /* MAD; results may depend on how the driver vectorises */
};

static const struct {
    const char *names, *prefixes;
    enum action action;
} known[] = {
    {"-cl-single-precision-constant -cl-fp32-correctly-rounded-divide-sqrt -cl-uniform-work-group-size", "",
     PASS},
    {"-cl-denorms-are-zero -cl-no-signed-zeros -cl-finite-math-only", "", LOOSE},
    {"-cl-mad-enable", "", MAD},
    {"-cl-unsafe-math-optimizations -cl-fast-relaxed-math", "", RELAXED},
    {"-cl-opt-disable -O0", "", PLAIN},
    {"-cl-nv-maxrregcount -cl-nv-opt-level", "", DROP_ARG},
    {"-cl-strict-aliasing -cl-kernel-arg-info -cl-no-subgroup-ifp -cl-nv-verbose -nv-line-info "
     "-cl-intel-greater-than-4GB-buffer-required "
     "-cl-intel-128-GRF-per-thread "
     "-cl-intel-256-GRF-per-thread "
     "-cl-intel-enable-auto-large-GRF-mode -w -g -O -O1 -O2 -O3 -O4 -O5",
     "-cl-nv-maxrregcount= -cl-nv-opt-level= -fno-bin- -fbin- -save-temps -W", DROP},
};

/* Split into words.  NULL and *error when quoting leaves the driver's reading open. */
static int split(const char *s, struct args *out, char **error)
{
    char *word = must(malloc(strlen(s) + 1));

    for (;;) {
        size_t n = 0;
        bool quoted = false, any = false;

        while (isspace((unsigned char)*s))
            s++;
        for (; *s && (quoted || !isspace((unsigned char)*s)); s++) {
            any = true;
            if (*s == '\\' || *s == '\'') {
                free(word);
                *error = strdup("unsupported-option: drivers disagree on backslashes and single quotes");
                return -EINVAL;
            }
            if (*s == '"')
                quoted = !quoted;
            else
                word[n++] = *s;
        }
        word[n] = 0;
        if (!any)
            break;
        args_add(out, word);
    }
    free(word);
    return 0;
}

static int parse_std(const char *value, struct buildopts *o)
{
    static const struct {
        const char *name;
        unsigned std;
    } stds[] = {{"CL1.0", 100}, {"CL1.1", 110}, {"CL1.2", 120}, {"CL2.0", 200}, {"CL3.0", 300}};

    for (size_t i = 0; i < sizeof stds / sizeof *stds; i++)
        if (!strcasecmp(value, stds[i].name)) {
            o->std = stds[i].std;
            return 0;
        }
    return -EINVAL;
}

static int parse_known(const struct args *words, unsigned *i, struct buildopts *o)
{
    const char *word = words->v[*i];

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (!words_have(known[k].names, word) && !words_start(known[k].prefixes, word))
            continue;
        const enum action action = known[k].action;
        if (action == DROP_ARG && *i + 1 < words->n && isdigit((unsigned char)words->v[*i + 1][0]))
            ++*i;
        o->uniform_groups |= !strcmp(word, "-cl-uniform-work-group-size");
        o->fuse_fma |= action >= MAD;
        o->unoptimised |= action == PLAIN;
        o->relaxed_math |= action == RELAXED;
        o->loose_math |= action == LOOSE;
        if (action == PASS || action >= LOOSE)
            args_add(&o->clang, word);
        return 0;
    }
    return -EINVAL;
}

static int parse_word(const struct args *words, unsigned *i, struct buildopts *o)
{
    const char *word = words->v[*i], *value = word + 2;

    if (!strncmp(word, "-cl-std=", 8))
        return parse_std(word + 8, o);
    if (word[0] != '-' || !word[1] || !strchr("DIU", word[1]))
        return parse_known(words, i, o);
    if (!*value) {
        if (*i + 1 == words->n)
            return -EINVAL;
        value = words->v[++*i];
    }
    if (!*value)
        return -EINVAL; /* clang would take the next word for it */
    args_addf(&o->clang, "-%c%s", word[1], value);
    if (word[1] == 'D')
        args_add(&o->defines, value);
    return 0;
}

int buildopts_parse(const char *options, struct buildopts *o, char **error)
{
    struct args words = {0};
    int e;

    *o = (struct buildopts){0};
    e = split(options, &words, error);
    for (unsigned i = 0; !e && i < words.n; i++) {
        const char *word = words.v[i];
        e = parse_word(&words, &i, o);
        if (e)
            *error = must_print("unsupported-option: %s", word);
    }
    args_free(&words);
    return e;
}

void buildopts_free(struct buildopts *o)
{
    args_free(&o->clang);
    args_free(&o->defines);
}
