/* macros.c - see macros.h.
 *
 * Analysis compiles for SPIR, but the driver compiles for its own target and predefines its own macros.  If a
 * conditional, or the code itself, uses such a macro, the driver may compile another program.  What a driver
 * predefines was tried with two of them (DRV_CLANGS_MACROS), with one program per macro; of a third one, what
 * programs ask clang (DRV_CLANGS_NAMES).  About others it is only assumed that none defines another vendor's
 * own macros. */
#include "analysis/source/macros.h"
#include "analysis/lower/builtins.h"
#include "analysis/source/c_words.h"
#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---------------------------------------------------------------------------------------- */

/* An identifier into `word` (truncated to fit), a number's or punctuator's first character, '\n', or 0 at the
 * end.  Returns 'a' for identifiers.  Goes on at *at. */
static char next_token(const char **at, char *word, size_t room)
{
    for (const char *s = *at; *s; s = *at) {
        *at = skip_word(s);
        if (is_word(s)) {
            snprintf(word, room, "%.*s", (int)(*at - s), s);
            return isdigit((unsigned char)*s) ? '0' : 'a';
        }
        if (s[0] == '%' && s[1] == ':') { /* the digraph for # */
            *at = s + 2;
            return '#';
        }
        const bool comment = *s == '/' && *at > s + 1;
        if (!comment && (*s == '\n' || !isspace((unsigned char)*s)))
            return *s;
    }
    return 0;
}

/* ---- sets of names --------------------------------------------------------------------------------- */

static void add_once(struct args *set, const char *word)
{
    if (!args_have(set, word))
        args_add(set, word);
}

struct names {
    struct args tested;  /* identifiers of conditionals */
    struct args bodies;  /* identifiers of macro bodies, which conditionals may expand; those of plain code
                            that compilers may define */
    struct args defined; /* by the source or the options */
    struct args given;   /* by the options; by the source before it asks for them, on every path */
    unsigned depth;      /* of conditionals, at the place that is being scanned */
    bool include;
};

static bool is_conditional(const char *directive)
{
    return words_have("if ifdef ifndef elif elifdef elifndef", directive);
}

static void note_define(struct names *out, const char *word)
{
    add_once(&out->defined, word);
    if (out->depth == 0 && !args_have(&out->tested, word) && !args_have(&out->bodies, word))
        add_once(&out->given, word);
}

/* Behind the word __has_builtin: make it "__has_builtin(NAME)" where that is asked.  In a conditional it may
 * also be asked whether __has_builtin is a macro; elsewhere it may be called in other ways. */
static void take_builtin(const char **at, char *word, size_t room, bool conditional)
{
    const char *ahead = *at;
    char name[80] = "", end[8];
    const bool called = next_token(&ahead, end, sizeof end) == '(';

    if (called && next_token(&ahead, name, sizeof name) == 'a' &&
        next_token(&ahead, end, sizeof end) == ')') {
        *at = ahead;
        snprintf(word, room, "__has_builtin(%s)", name);
    } else if (called || !conditional) {
        snprintf(word, room, "__has_builtin()");
    }
}

/* One directive, from behind its '#' to the end of its line. */
static void scan_directive(const char **at, struct names *out)
{
    char word[128];
    char t = next_token(at, word, sizeof word);
    bool conditional = t == 'a' && is_conditional(word), define = t == 'a' && !strcmp(word, "define");

    if (t == 'a' && (!strcmp(word, "include") || !strcmp(word, "import") || !strcmp(word, "include_next")))
        out->include = true;
    out->depth += conditional && word[0] == 'i';
    out->depth -= t == 'a' && !strcmp(word, "endif") && out->depth > 0;
    if (define && (t = next_token(at, word, sizeof word)) == 'a')
        note_define(out, word);
    while (t && t != '\n') {
        t = next_token(at, word, sizeof word);
        if (t == 'a' && !strcmp(word, "__has_builtin"))
            take_builtin(at, word, sizeof word, conditional);
        if (t == 'a' && (conditional || define) && strcmp(word, "defined"))
            add_once(conditional ? &out->tested : &out->bodies, word);
    }
}

/* Bytes of the line continuation at `at`: clang lets blanks stand behind the
 * backslash.  0 if there is none. */
static size_t continuation(const char *at, const char *end)
{
    const char *p = at;

    if (p == end || *p++ != '\\')
        return 0;
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\v' || *p == '\f'))
        p++;
    return p < end && *p == '\n' ? (size_t)(p + 1 - at) : 0;
}

/* Every line end as \n, of whatever kind clang takes for one, and lines without the mark that editors put
 * before UTF-8 (a header's stands inside).  malloc'ed. */
static char *unify_lines(const char *source, size_t size, size_t *unified)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *at = source, *end = source + size;
    char *text = must(malloc(size + 1)), *to = text;

    while (at < end) {
        if ((to == text || to[-1] == '\n') && end - at >= 3 && !memcmp(at, mark, 3)) {
            at += 3;
            continue;
        }
        const char c = *at++;
        const bool line_end = c == '\n' || c == '\r';
        if (line_end && at < end && (*at == '\n' || *at == '\r') && *at != c)
            at++;
        *to++ = line_end ? '\n' : c;
    }
    *unified = (size_t)(to - text);
    return text;
}

/* Translation phases 1 and 2 of C: trigraphs, of which two matter here, and line
 * continuations.  malloc'ed. */
static char *join_lines(const char *source, size_t size)
{
    char *unified = unify_lines(source, size, &size);
    const char *at = unified, *end = unified + size;
    char *text = must(malloc(size + 1)), *to = text;

    while (at < end) {
        const bool trigraph = end - at >= 3 && at[0] == '?' && at[1] == '?';
        size_t n;
        if (trigraph && at[2] == '=') {
            *to++ = '#';
            at += 3;
        } else if (trigraph && at[2] == '/' && end - at >= 4 && at[3] == '\n') {
            at += 4;
        } else if ((n = continuation(at, end))) {
            at += n;
        } else {
            *to++ = *at ? *at : ' '; /* clang takes NUL for white space, too */
            at++;
        }
    }
    free(unified);
    *to = 0;
    return text;
}

static bool is_compilers(const char *word);

static void scan_source(const char *source, size_t size, struct names *out)
{
    char *text = join_lines(source, size), word[128];
    const char *at = text;
    bool line_start = true;

    for (char t; (t = next_token(&at, word, sizeof word));) {
        if (t == 'a' && !strcmp(word, "__has_builtin"))
            take_builtin(&at, word, sizeof word, false);
        if (t == '#' && line_start)
            scan_directive(&at, out);
        else if (t == 'a' && is_compilers(word))
            add_once(&out->bodies, word);
        line_start = t == '\n' || (t == '#' && line_start);
    }
    free(text);
}

static void free_names(struct names *n)
{
    args_free(&n->tested);
    args_free(&n->bodies);
    args_free(&n->defined);
    args_free(&n->given);
}

/* ---- who defines what ------------------------------------------------------------------------------ */

enum rule {
    KNOWN,     /* set the same here and in every driver */
    VENDOR,    /* defined only by compilers that mention one of those words */
    ASK,       /* set the same here and in drivers with that quirk, unknown elsewhere */
    PROCESSOR, /* defined for those processors only */
    PROFILE,
    FEATURE,
    VERSION,
    PREDEFINED /* by compilers, even where a source also defines it: never taken as a source's own name */
};

static const struct macro_rule {
    const char *prefixes; /* separated by blanks; one ends in '$' when the whole name must match */
    enum rule rule;
    union {
        const char *words; /* VENDOR, PROCESSOR: '|'-separated parts of what names a compiler or a target */
        enum drv_quirk quirk;
    };
} rules[] = {
#define MACRO(prefix, words)    {prefix, VENDOR, {words}},
#define TARGET(prefixes, words) {prefixes, PROCESSOR, {words}},
#include "analysis/summary/driver_quirks.def"
    {"__OPENCL_VERSION__$", VERSION, {NULL}},
    {"__EMBEDDED_PROFILE__$", PROFILE, {NULL}},
    /* __CLANG_REWRITTEN_: by -frewrite-includes itself */
    {"__OPENCL_C_VERSION__$ __OPENCL_CPP_VERSION__$ __ENDIAN_LITTLE__$ __IMAGE_SUPPORT__$ "
     "__FAST_RELAXED_MATH__$ "
     "__kernel_exec$ __LINE__$ __cplusplus$ __OBJC__$ _OPENMP$ __CUDACC__$ __CUDA_ARCH__$ "
     "__HIPCC__$ "
     "__METAL __CLANG_REWRITTEN_ _MSC_VER$ _WIN32$ _WIN64$",
     KNOWN,
     {NULL}},
    {"__opencl_c_named_address_space_builtins$", ASK, {.quirk = DRV_CLANGS_HEADER}},
    {"__opencl_c_", FEATURE, {NULL}},
    {"cl_khr_depth_images$", ASK, {.quirk = DRV_SAME_DEPTH_IMAGES}},
    {"cles_", ASK, {.quirk = DRV_SAME_CLES}},
    {"FP_FAST_FMA __clang__$ __llvm__$ __GNUC__$ __STDC__$ __STDC_VERSION__$ __SPIRV__$",
     ASK,
     {.quirk = DRV_CLANGS_NAMES}},
    {"__SPIR__$", ASK, {.quirk = DRV_CLANGS_MACROS}},
    {"__SPIR64__$ __SPIR32__$", ASK, {.quirk = DRV_NO_SPIR_MACROS}},
    /* clang has had these since before OpenCL 1.2; the last one: is it a macro? */
    {"__has_builtin(__builtin_expect)$ __has_builtin(__builtin_unreachable)$ "
     "__has_builtin(__builtin_constant_p)$ __has_builtin(__builtin_prefetch)$ __has_builtin(__builtin_clz)$ "
     "__has_builtin(__builtin_ctz)$ __has_builtin(__builtin_popcount)$ __has_builtin$",
     ASK,
     {.quirk = DRV_CLANGS_NAMES}},
    {"__x86 __i386 __amd64 __arm __ARM __aarch64 __SSE __AVX __FMA __clang __llvm __GNUC __linux __unix "
     "__has_ "
     "__SIZEOF_ __OPTIMIZE__ __VERSION__ __DATE__$ __TIME__$ __TIMESTAMP__$ __FILE__$ __BASE_FILE__$ "
     "__FILE_NAME__$ __INCLUDE_LEVEL__$ __COUNTER__$",
     PREDEFINED,
     {NULL}},
};

static bool has_prefix(const char *word, const char *prefixes)
{
    for (size_t n; *prefixes; prefixes += n + (prefixes[n] == ' ')) {
        n = strcspn(prefixes, " ");
        const size_t whole = prefixes[n - 1] == '$' ? n - 1 : 0;
        if (whole ? strlen(word) == whole && !memcmp(word, prefixes, whole) : !strncmp(word, prefixes, n))
            return true;
    }
    return false;
}

/* Does the text hold one of the words? */
static bool mentions(const char *text, const char *words)
{
    for (const char *p = words; *p;) {
        size_t n = strcspn(p, "|");
        if (memmem(text, strlen(text), p, n))
            return true;
        p += n + (p[n] == '|');
    }
    return false;
}

static bool rule_settles(const struct macro_rule *r, const struct macro_env *env)
{
    const char *compiler = drv_names_compiler(env->device);

    switch (r->rule) {
    case KNOWN:
        return true;
    case VENDOR:
        return *env->device && !mentions(compiler ? compiler : env->device, r->words);
    case ASK:
        return drv_device_has(env->device, r->quirk);
    case PROCESSOR:
        return compiler && !mentions(compiler, r->words);
    case PROFILE:
        return *env->profile;
    case FEATURE:
        return env->features_known && env->std >= 300;
    case VERSION:
        return env->version_known;
    case PREDEFINED:
        break;
    }
    return false;
}

/* The rule about a word; NULL if there is none. */
static const struct macro_rule *rule_of(const char *word)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (has_prefix(word, rules[i].prefixes))
            return &rules[i];
    return NULL;
}

/* May a compiler have given `word` another meaning than ours did? */
static bool is_compilers(const char *word)
{
    const struct macro_rule *r = rule_of(word);

    return r && r->rule != KNOWN;
}

static bool is_reserved(const char *word)
{
    return word[0] == '_' && (word[1] == '_' || isupper((unsigned char)word[1]));
}

/* Does it keep a header of the program's from being included twice, as _NAME_H?  Compilers predefine no such
 * names, and their own headers' begin otherwise. */
static bool is_a_headers(const char *word)
{
    static const char *const ends[] = {"_H", "_H_", "_H__", "_HPP", "_HPP_"};
    static const char own[] =
#define HEADERS(prefixes) prefixes
#include "analysis/summary/driver_quirks.def"
        ;
    const size_t length = strlen(word);

    if (word[0] != '_' || word[1] == '_' || words_start(own, word))
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > strlen(ends[i]) && !strcmp(word + length - strlen(ends[i]), ends[i]))
            return true;
    return false;
}

/* Names that a driver may define as macros though the language does not: built-in functions, which may be
 * renamed so, and what its own headers leave behind. */
static bool is_drivers(const char *word)
{
    struct bi b;

    if (words_start("async_work_group_ wait_group_events read_image write_image CLANG_MAJOR CLANG_HAS_ LLVM_ "
                    "IMG_RO_AQ IMG_WO_AQ IMG_RW_AQ INTTYPE",
                    word))
        return true;
    bi_decode(word, &b);
    return b.kind != BI_UNKNOWN || !strcmp(word, "inline");
}

/* Is the value of `word` the one that the program gives it?  Clang predefines macros before it reads options
 * and source.  Drivers define more by options of their own, which may stand behind the program's: those of
 * drivers that were tried are what the language asks for, those of others are not known. */
static bool program_decides(const char *word, const struct macro_env *env)
{
    const struct macro_rule *r = rule_of(word);

    return r && (r->rule == PREDEFINED || r->rule == PROCESSOR ||
                 (r->rule == VENDOR && drv_device_has(env->device, DRV_CLANGS_MACROS) && is_reserved(word)));
}

/* Is `word` the same to the driver as to us?  In the body of a #define and in plain code only known compiler
 * macros matter: keywords and attributes are reserved words too. */
static bool settled(const char *word, const struct names *names, const struct macro_env *env,
                    bool in_condition)
{
    const struct macro_rule *r = rule_of(word);

    if (args_have(&names->given, word) && program_decides(word, env))
        return true;
    if (r)
        return rule_settles(r, env);
    if (in_condition && is_drivers(word))
        return false;
    return !in_condition || !is_reserved(word) || args_have(&names->defined, word) ||
           (is_a_headers(word) && drv_device_has(env->device, DRV_CLANGS_MACROS));
}

static const char *first_unsettled(const struct args *words, const struct names *names,
                                   const struct macro_env *env, bool in_condition)
{
    for (unsigned i = 0; i < words->n; i++)
        if (!settled(words->v[i], names, env, in_condition))
            return words->v[i];
    return NULL;
}

char *macros_unknown(const char *source, size_t size, const struct macro_env *env)
{
    static const char pop[] = "pop_macro";
    struct names names = {0};
    const char *word;
    char *result;

    for (unsigned i = 0; i < env->defines->n; i++) {
        char *line = must_print("#define %s\n", env->defines->v[i]);
        char *equals = strchr(line, '=');
        if (equals)
            *equals = ' ';
        scan_source(line, strlen(line), &names);
        free(line);
    }
    names.depth = memmem(source, size, pop, sizeof pop - 1) != NULL; /* defines count for less, then */
    scan_source(source, size, &names);
    word = first_unsettled(&names.tested, &names, env, true);
    if (!word)
        word = first_unsettled(&names.bodies, &names, env, false);
    result = word ? strdup(word) : NULL;
    free_names(&names);
    return result;
}

bool macros_has_include(const char *source, size_t size)
{
    struct names names = {0};

    scan_source(source, size, &names);
    free_names(&names);
    return names.include;
}
