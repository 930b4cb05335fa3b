/* frontend.c - see frontend.h. */
#include "analysis/source/frontend.h"
#include "analysis/source/child.h"
#include "analysis/source/clang_args.h"
#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/files.h"
#include "analysis/source/headers.h"
#include "analysis/source/bitcode.h"
#include "analysis/source/macros.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- messages -------------------------------------------------------------------------------------- */

/* clang's first error as one line, with its place. */
static char *first_error(const char *messages)
{
    const char *p = strstr(messages, "error:");
    const char *line = p;

    if (!p)
        return strdup("no message");
    while (line > messages && line[-1] != '\n')
        line--;
    if (!strncmp(line, "<stdin>:", 8))
        line += 8;
    return strndup(line, strcspn(line, "\n") < 200 ? strcspn(line, "\n") : 200);
}

static char *compile_error(const struct child_run *r)
{
    char *detail, *error;

    if (r->status == -1 || !r->out || !r->err)
        return strdup("analysis-failed: cannot start clang");
    if (WIFEXITED(r->status) && WEXITSTATUS(r->status) == 0)
        return NULL;
    if (WIFEXITED(r->status) && WEXITSTATUS(r->status) == 127 && !r->nerr)
        return strdup("analysis-failed: " CLSIZER_CLANG " is not there");
    if (WIFSIGNALED(r->status))
        return strdup("analysis-failed: clang was killed");
    detail = first_error(r->err);
    error = must_print("%s: %s", strstr(detail, "file not found") ? "include-not-found" : "does-not-compile",
                       detail);
    free(detail);
    return error;
}

/* ---- OpenCL C -------------------------------------------------------------------------------------- */

/* Found in a directory of -I although there is a file of that name in the current directory as well:
 * drivers disagree about which one counts. */
static bool also_here(const char *name, const struct args *options)
{
    struct stat there, here;

    for (unsigned i = 0; i < options->n; i++) {
        const char *directory = options->v[i] + 2;
        const size_t n = strlen(options->v[i]) - 2;
        if (strncmp(options->v[i], "-I", 2) || strncmp(name, directory, n) || stat(name, &there))
            continue;
        if (stat(name + n + strspn(name + n, "/"), &here) == 0 &&
            (here.st_ino != there.st_ino || here.st_dev != there.st_dev))
            return true;
    }
    return false;
}

/* Does the driver keep compiled programs under a name that does not tell what was included?  One is said
 * to have done so: after a file has changed it would run what was compiled before. */
static bool keeps_includes(const struct req *r)
{
    return drv_device_has(r->device, DRV_KEEPS_INCLUDED);
}

/* Did the driver read the files that we do, and as they are now?  An error, or NULL. */
static char *check_files(const struct req *r, const struct buildopts *o, const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    char *name, *error = NULL;

    while (!error && (name = included_next(&at, end))) {
        struct sum_file file = {0};
        if (!headers_name(name) && keeps_includes(r))
            error = must_print("include-kept: %s", name);
        else if (files_look(name, &file) && !file.absent && !files_precede(&file, r->built_ns))
            error = must_print("include-changed: %s", name);
        else if (also_here(name, &o->clang))
            error = must_print("ambiguous-include: %s", name);
        free(file.path);
        free(name);
    }
    return error;
}

/* The program as clang's preprocessor leaves it: `how` is -P (after its conditionals) or -frewrite-includes
 * (before).  `version`, unless 0, is __OPENCL_VERSION__. */
static struct child_run preprocess(const struct req *r, const struct args *base, const char *how,
                                   unsigned version)
{
    struct args a = {0};
    struct child_run run;

    args_add_all(&a, base);
    if (version)
        args_addf(&a, "-D__OPENCL_VERSION__=%u", version);
    args_add(&a, "-cl-no-stdinc"); /* clang's own header is not the program's */
    args_add(&a, "-E");
    args_add(&a, how);
    args_add(&a, "-");
    run = child_run(a.v, r->source, r->source_bytes);
    args_free(&a);
    return run;
}

/* The program's words with this version, but for pragmas. */
static struct child_run words_of_version(const struct req *r, const struct args *base, unsigned version)
{
    struct child_run run = preprocess(r, base, "-P", version);

    for (char *p = run.out ? strstr(run.out, "#pragma") : NULL; p; p = strstr(p, "#pragma"))
        memset(p, ' ', strcspn(p, "\n"));
    return run;
}

static bool same_words(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t\n");
        b += strspn(b, " \t\n");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* Above 2.0 the macro has "any implementation-defined integer value greater than OpenCL 2.0" (OpenCL C 3.0,
 * 6.2), and a driver that did not read so far says 120.  Is the program the same with all of them? */
static bool version_matters(const struct req *r, const struct args *base)
{
    static const unsigned others[] = {120, 200, 210, 220};
    struct child_run first = words_of_version(r, base, 300);
    bool same = first.out && first.status == 0;

    for (size_t i = 0; same && i < sizeof others / sizeof *others; i++) {
        struct child_run run = words_of_version(r, base, others[i]);
        same = run.out && run.status == 0 && same_words(first.out, run.out);
        child_free(&run);
    }
    child_free(&first);
    return !same;
}

/* Is __OPENCL_VERSION__ known?  Some drivers have been asked. */
static bool version_is_told(const struct req *r)
{
    const unsigned version = clang_device_version(r);

    return version && (version <= 200 || drv_device_has(r->device, DRV_TELLS_VERSION));
}

/* What a conditional asks for that is not known, in the text with all that it includes; malloc'ed, or NULL.
 */
static char *unknown_macro(const struct req *r, const struct args *base, const char *text, size_t size,
                           struct macro_env env)
{
    char *macro = macros_unknown(text, size, &env);

    if (!macro || strcmp(macro, "__OPENCL_VERSION__") != 0 || !clang_device_version(r) ||
        version_matters(r, base))
        return macro;
    free(macro);
    env.version_known = true;
    return macros_unknown(text, size, &env);
}

/* May a pragma relax floating point for the driver's target?  Clang ignores this one for SPIR; what others do
 * stands in the bitcode. */
static bool asks_for_float_control(const char *text, size_t size)
{
    static const char word[] = "float_control";

    return memmem(text, size, word, sizeof word - 1) != NULL;
}

/* Does a conditional of the program ask what only the driver knows?  The answer as an error, or NULL.
 * Where the program, with all that it includes, may relax floating point unseen, out->options say so; what it
 * includes is added to out->files. */
static char *check_macros(const struct req *r, const struct buildopts *o, unsigned std,
                          const struct args *base, struct front_result *out)
{
    bool *relaxed = &out->options.relaxed_math;
    const struct macro_env env = {r->device, r->profile, *r->features, version_is_told(r), std, &o->defines};
    char *macro, *error = NULL;

    if (!macros_has_include(r->source, r->source_bytes)) {
        macro = unknown_macro(r, base, r->source, r->source_bytes, env);
        *relaxed |= asks_for_float_control(r->source, r->source_bytes);
    } else {
        struct child_run run = preprocess(r, base, "-frewrite-includes", 0);
        error = compile_error(&run);
        if (!error && r->built_ns)
            error = check_files(r, o, run.out, run.nout);
        macro = error ? NULL : unknown_macro(r, base, run.out, run.nout, env);
        *relaxed |= !error && asks_for_float_control(run.out, run.nout);
        if (!error)
            included_add(&out->files, run.out, run.nout, &o->clang);
        child_free(&run);
    }
    if (macro)
        error = must_print("driver-macro: %s", macro);
    free(macro);
    return error;
}

/* Applications count a string's NUL into its length; clang would stop there, and so may the driver. */
static size_t text_bytes(const struct req_unit *u)
{
    size_t n = u->bytes;

    while (n && !u->text[n - 1])
        n--;
    return n;
}

static char *compile(const struct req *r, const struct buildopts *o, const struct args *headers, bool strict,
                     struct bitcode *part, struct front_result *out)
{
    unsigned std = o->std ? o->std : clang_default_std(r);
    struct args a = clang_arguments(r, o, headers, std, strict);
    char *error = strict ? check_macros(r, o, std, &a, out) : NULL;

    if (!error) {
        clang_emit_arguments(&a, r->wide != 0);
        struct child_run run = child_run(a.v, r->source, r->source_bytes);
        error = compile_error(&run);
        if (!error) {
            *part = (struct bitcode){run.out, run.nout};
            run.out = NULL;
        }
        child_free(&run);
    }
    args_free(&a);
    return error;
}

static char *compile_unit(const struct req *request, const struct req_unit *u, const struct buildopts *o,
                          bool strict, struct bitcode *part, struct front_result *out)
{
    struct req r = *request;
    struct headers headers;
    char *error = NULL;

    r.source = u->text;
    r.source_bytes = text_bytes(u);
    if (memchr(r.source, 0, r.source_bytes))
        return strdup("does-not-compile: NUL byte in the source");
    if (headers_open(u, &o->clang, &headers, &error) == 0)
        error = compile(&r, o, &headers.clang, strict, part, out);
    headers_close(&headers);
    return error;
}

/* ---- the whole ------------------------------------------------------------------------------------- */

/* May groups be of several sizes where the program does not say which?  From OpenCL 2.0 on, unless it
 * promises otherwise; some drivers take only sizes that divide the range. */
static bool groups_may_be_uneven(const struct req *r, const struct req_unit *u, const struct buildopts *o)
{
    const unsigned std = o->std ? o->std : clang_default_std(r), version = clang_device_version(r);

    return (u->form == REQ_SPIRV || std >= 200) && (!version || version >= 200) && !o->uniform_groups &&
           !drv_device_has(r->device, DRV_EVEN_GROUPS);
}

/* Another text for the same options is not meant to see their macros. */
static void take_back_macros(const struct buildopts *o, struct front_result *out)
{
    for (unsigned i = 0; i < o->defines.n; i++) {
        const char *name = o->defines.v[i];
        char *more =
            must_print("%s#undef %.*s\n", out->undefs ? out->undefs : "", (int)strcspn(name, "=( "), name);
        free(out->undefs);
        out->undefs = more;
    }
}

/* Compile a unit.  What its options allow a driver to do counts for the whole program, because the driver may
 * do it to everything that the unit is linked with. */
static char *add_unit(const struct req *r, const struct req_unit *u, bool strict, struct bitcode *part,
                      struct front_result *out)
{
    struct lower_options *allowed = &out->options;
    struct buildopts o;
    char *error = NULL;

    if (buildopts_parse(u->options, &o, &error) == 0) {
        take_back_macros(&o, out);
        allowed->fuse_fma |= o.fuse_fma;
        allowed->relaxed_math |= o.relaxed_math;
        allowed->loose_math |= o.loose_math;
        allowed->unoptimised |= o.unoptimised;
        allowed->single |= args_have(&o.clang, "-cl-single-precision-constant");
        allowed->spirv |= u->form == REQ_SPIRV;
        allowed->relaxed_math |= u->form == REQ_SPIRV && spirv_relaxed(u);
        allowed->uneven |= groups_may_be_uneven(r, u, &o);
        error = u->form == REQ_SPIRV ? spirv_translate(u, part) : compile_unit(r, u, &o, strict, part, out);
    }
    buildopts_free(&o);
    return error;
}

struct parts {
    struct bitcode *v;
    unsigned n;
};

static struct bitcode *add_part(struct parts *p)
{
    p->v = must_grow(p->v, p->n, sizeof *p->v);
    p->v[p->n] = (struct bitcode){0};
    return &p->v[p->n++];
}

/* Each unit of a linked program in its turn. */
static char *add_units(const struct req *r, bool strict, struct parts *parts, struct front_result *out)
{
    const char *at = r->source, *end = r->source + r->source_bytes;
    struct req_unit u;
    char *error = NULL;
    int e = 0;

    while (!error && (e = req_take_unit(&at, end, &u)) == 0) {
        error = add_unit(r, &u, strict, add_part(parts), out);
        req_free_unit(&u);
    }
    return error || e == -ENOENT ? error : strdup("bad-request: malformed unit");
}

/* The options of clLinkProgram; the mathematical ones mean what they mean to a build. */
static char *parse_link_options(const char *options, struct lower_options *allowed)
{
    static const char *const own[] = {"-create-library", "-enable-link-options"};
    char *math = must(strdup(options)), *error = NULL;
    struct buildopts o;

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        for (char *p = math; (p = strstr(p, own[i]));)
            memset(p, ' ', strlen(own[i]));
    if (buildopts_parse(math, &o, &error) == 0) {
        allowed->fuse_fma |= o.fuse_fma;
        allowed->relaxed_math |= o.relaxed_math;
        allowed->loose_math |= o.loose_math;
        allowed->unoptimised |= o.unoptimised;
    }
    buildopts_free(&o);
    free(math);
    return error;
}

void front_compile(const struct req *r, bool strict, struct front_result *out)
{
    const struct req_unit whole = {
        .form = r->form, .options = r->options, .text = r->source, .bytes = r->source_bytes};
    struct parts parts = {0};
    struct bitcode linked = {0};

    *out = (struct front_result){.files = {.cwd = r->cwd, .known = strict && *r->cwd && r->built_ns}};
    if (r->big_endian) {
        out->error = strdup("unsupported-device: big-endian");
    } else if (r->form != REQ_UNITS) {
        out->error = add_unit(r, &whole, strict, &linked, out);
    } else {
        out->error = parse_link_options(r->options, &out->options);
        if (!out->error)
            out->error = add_units(r, strict, &parts, out);
        if (!out->error)
            out->error = parts.n ? link_bitcode(parts.v, parts.n, &linked) : strdup("bad-request: no units");
    }
    out->bitcode = linked.data;
    out->size = linked.size;
    while (parts.n)
        free(parts.v[--parts.n].data);
    free(parts.v);
}

char *front_driver_macro(const struct req *r)
{
    const struct args no_headers = {0};
    struct front_result unused = {.files = {.cwd = r->cwd}};
    struct buildopts o;
    char *error = NULL;

    if (buildopts_parse(r->options, &o, &error) == 0) {
        const unsigned std = o.std ? o.std : clang_default_std(r);
        struct args a = clang_arguments(r, &o, &no_headers, std, true);
        error = check_macros(r, &o, std, &a, &unused);
        args_free(&a);
    }
    buildopts_free(&o);
    front_free(&unused);
    return error;
}

void front_free(struct front_result *out)
{
    free(out->bitcode);
    free(out->undefs);
    free(out->error);
    included_free(&out->files);
    *out = (struct front_result){0};
}
