/* frontend.c - see frontend.h.
 *
 * Source and results travel through memory files, so no pipe can block and no temporary file is left behind.
 * The child gets an environment of its own: CPATH and the like must not change what is compiled. */
#include "analysis/frontend.h"
#include "analysis/macros.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

volatile pid_t front_child;

static char *format(const char *text, const char *detail)
{
    char *s;

    if (asprintf(&s, text, detail) < 0)
        abort();
    return s;
}

/* ---- arguments --------------------------------------------------------------------------------------- */

/* The language version that a driver takes without -cl-std: the device's, 1.2 at most.  PoCL 3.1 takes 3.0
 * although its CL_DEVICE_OPENCL_C_VERSION says 1.2. */
static unsigned default_std(const struct req *r)
{
    unsigned major = 1, minor = 2;

    if (macros_device_is_pocl(r->device) && strstr(r->device, "|OpenCL 3."))
        return 300;
    if (sscanf(r->clversion, "OpenCL C %u.%u", &major, &minor) != 2 || major > 1 || minor > 2)
        return 120;
    return 100 + minor * 10;
}

static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);

    for (const char *p = words; (p = strstr(p, word)); p += n)
        if ((p == words || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

/* Language 3.0 features that clang is given when the device's are not known: what plain kernels need, without
 * generic pointers, which hide address spaces. */
#define FEATURES_ASSUMED                                                                                     \
    "__opencl_c_3d_image_writes __opencl_c_images __opencl_c_read_write_images "                             \
    "__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device "        \
    "__opencl_c_int64 __opencl_c_fp64"

/* Extensions and features that clang wants to see together or not at all. */
static const struct {
    const char *extension, *feature;
} twins[] = {{"cl_khr_fp64", "__opencl_c_fp64"},
             {"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"},
             {"cl_khr_subgroups", "__opencl_c_subgroups"}};

/* Adds `words` to clang's list of extensions, and as macros: clang does not know every vendor's. */
static void add_extensions(struct args *a, char **list, const char *words)
{
    char *copy = strdup(words), *save = NULL, *longer;

    if (!copy)
        abort();
    for (char *w = strtok_r(copy, " \t\n", &save); w; w = strtok_r(NULL, " \t\n", &save)) {
        if (strspn(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(w))
            continue;
        if (asprintf(&longer, "%s,+%s", *list, w) < 0)
            abort();
        free(*list);
        *list = longer;
        args_addf(a, "-D%s=1", w);
    }
    free(copy);
}

static void extension_arguments(struct args *a, const struct req *r, unsigned std)
{
    char *list = strdup("-cl-ext=-all");
    const char *features = *r->features ? r->features : FEATURES_ASSUMED;

    add_extensions(a, &list, r->extensions);
    if (std >= 300) {
        add_extensions(a, &list, features);
        for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
            if (has_word(features, twins[i].feature) && !has_word(r->extensions, twins[i].extension))
                add_extensions(a, &list, twins[i].extension);
            if (!has_word(features, twins[i].feature) && has_word(r->extensions, twins[i].extension))
                add_extensions(a, &list, twins[i].feature);
        }
    }
    args_add(a, "-Xclang");
    args_add(a, list);
    free(list);
}

/* CL_DEVICE_VERSION at the end of the device string: "OpenCL 3.0 ..." -> 300; 0 when it is not there. */
static unsigned device_version(const struct req *r)
{
    const char *p = strrchr(r->device, '|');
    unsigned major, minor;

    return p && sscanf(p, "|OpenCL %u.%u", &major, &minor) == 2 ? major * 100 + minor * 10 : 0;
}

static void device_macros(struct args *a, const struct req *r)
{
    unsigned version = device_version(r);

    args_add(a, "-U__SPIR__"); /* clang's header defines every extension for SPIR */
    if (version)
        args_addf(a, "-D__OPENCL_VERSION__=%u", version);
    if (!r->images)
        args_add(a, "-U__IMAGE_SUPPORT__");
    if (!strcmp(r->profile, "EMBEDDED_PROFILE"))
        args_add(a, "-D__EMBEDDED_PROFILE__=1");
}

static struct args clang_arguments(const struct req *r, const struct buildopts *o, unsigned std, bool strict)
{
    struct args a = {0};

    args_add(&a, CLSIZER_CLANG);
    args_add(&a, "-xcl");
    args_add(&a, "-target");
    args_add(&a, r->bits == 32 ? "spir-unknown-unknown" : "spir64-unknown-unknown");
    args_addf(&a, "-cl-std=CL%u.%u", std / 100, std / 10 % 10);
    args_add(&a, "-nostdlibinc");
    args_add(&a, "-w");
    if (strict) {
        extension_arguments(&a, r, std);
        device_macros(&a, r);
    }
    for (unsigned i = 0; i < o->clang.n; i++)
        args_add(&a, o->clang.v[i]);
    return a;
}

static void emit_arguments(struct args *a)
{
    static const char *const fixed[] = {"-Xclang",
                                        "-fdeclare-opencl-builtins",
                                        "-Xclang",
                                        "-finclude-default-header",
                                        "-O1",
                                        "-Xclang",
                                        "-disable-llvm-passes",
                                        "-gline-tables-only",
                                        "-cl-kernel-arg-info",
                                        "-emit-llvm",
                                        "-c",
                                        "-o",
                                        "-",
                                        "-"};

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        args_add(a, fixed[i]);
}

/* ---- the child --------------------------------------------------------------------------------------- */

static int memory_file(const char *name, const char *content, size_t size)
{
    int fd = memfd_create(name, MFD_CLOEXEC);

    if (fd < 0)
        return -1;
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, content + done, size - done);
        if (n <= 0) {
            close(fd);
            return -1;
        }
        done += (size_t)n;
    }
    return lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* Contents of a memory file with a NUL behind them. */
static char *read_back(int fd, size_t *size)
{
    struct stat st;
    char *text;

    if (fstat(fd, &st) || st.st_size < 0)
        return NULL;
    text = malloc((size_t)st.st_size + 1);
    if (!text)
        return NULL;
    *size = 0;
    while (*size < (size_t)st.st_size) {
        ssize_t n = pread(fd, text + *size, (size_t)st.st_size - *size, (off_t)*size);
        if (n <= 0)
            break;
        *size += (size_t)n;
    }
    text[*size] = 0;
    return text;
}

static void run_child(char **argv, const int fds[3])
{
    static char *environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 3; i++)
        if (dup2(fds[i], i) < 0)
            _exit(127);
    execve(argv[0], argv, environment);
    _exit(127);
}

struct run {
    int status; /* as from waitpid; -1 when nothing ran */
    char *out, *err;
    size_t nout, nerr;
};

static struct run run_clang(char **argv, const char *input, size_t size)
{
    struct run r = {.status = -1};
    int fds[3] = {memory_file("source", input, size), memory_file("output", NULL, 0),
                  memory_file("messages", NULL, 0)};

    if (fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0) {
        pid_t pid = fork();
        if (pid == 0)
            run_child(argv, fds);
        front_child = pid > 0 ? pid : 0;
        if (pid > 0)
            while (waitpid(pid, &r.status, 0) < 0 && errno == EINTR)
                ;
        front_child = 0;
        r.out = read_back(fds[1], &r.nout);
        r.err = read_back(fds[2], &r.nerr);
    }
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    return r;
}

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

static char *compile_error(const struct run *r)
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
    error =
        format(strstr(detail, "file not found") ? "include-not-found: %s" : "does-not-compile: %s", detail);
    free(detail);
    return error;
}

static void run_free(struct run *r)
{
    free(r->out);
    free(r->err);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* The name of a file that a line marker, `# 1 "name" 1`, enters; malloc'ed, NULL if the line is none. */
static char *marked_file(const char *line, const char *end)
{
    const char *name, *quote;

    if (end - line < 3 || line[0] != '#' || line[1] != ' ')
        return NULL;
    name = memchr(line, '"', (size_t)(end - line));
    if (!name || name[1] == '<')
        return NULL;
    quote = memchr(name + 1, '"', (size_t)(end - name - 1));
    return quote ? strndup(name + 1, (size_t)(quote - name - 1)) : NULL;
}

/* Was a file that the program includes written after the driver had read it?  An error, or NULL.  File times
 * are kept in ticks of the kernel's clock. */
static char *check_files(const struct req *r, const char *text, size_t size)
{
    const uint64_t tick = 20000000;
    char *error = NULL;

    for (const char *line = text, *end = text + size; line < end && !error;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        char *name = marked_file(line, next ? next : end);
        struct stat st;
        if (name && stat(name, &st) == 0 &&
            (uint64_t)st.st_ctim.tv_sec * 1000000000 + (uint64_t)st.st_ctim.tv_nsec + tick > r->built_ns)
            error = format("include-changed: %s", name);
        free(name);
        line = next ? next + 1 : end;
    }
    return error;
}

/* Does a conditional of the program ask what only the driver knows?  The answer as an error, or NULL. */
static char *check_macros(const struct req *r, const struct buildopts *o, unsigned std,
                          const struct args *base)
{
    const struct macro_env env = {r->device, r->profile, *r->features, device_version(r) != 0,
                                  std,       &o->defines};
    char *macro, *error = NULL;

    if (!macros_has_include(r->source, r->source_bytes)) {
        macro = macros_unknown(r->source, r->source_bytes, &env);
    } else {
        struct args a = {0};
        for (unsigned i = 0; i < base->n; i++)
            args_add(&a, base->v[i]);
        args_add(&a, "-cl-no-stdinc"); /* clang's own header is not the program's */
        args_add(&a, "-E");
        args_add(&a, "-frewrite-includes");
        args_add(&a, "-");
        struct run run = run_clang(a.v, r->source, r->source_bytes);
        error = compile_error(&run);
        if (!error && r->built_ns)
            error = check_files(r, run.out, run.nout);
        macro = error ? NULL : macros_unknown(run.out, run.nout, &env);
        run_free(&run);
        args_free(&a);
    }
    if (macro)
        error = format("driver-macro: %s", macro);
    free(macro);
    return error;
}

static void compile(const struct req *r, const struct buildopts *o, bool strict, struct front_result *out)
{
    unsigned std = o->std ? o->std : default_std(r);
    struct args a = clang_arguments(r, o, std, strict);

    out->options = (struct lower_options){o->fuse_fma, o->relaxed_math};
    out->error = strict ? check_macros(r, o, std, &a) : NULL;
    if (!out->error) {
        emit_arguments(&a);
        struct run run = run_clang(a.v, r->source, r->source_bytes);
        out->error = compile_error(&run);
        if (!out->error) {
            out->bitcode = run.out;
            out->size = run.nout;
            run.out = NULL;
        }
        run_free(&run);
    }
    args_free(&a);
}

/* Applications count a string's NUL into its length; clang would stop there, and so may the driver. */
static size_t text_bytes(const struct req *r)
{
    size_t n = r->source_bytes;

    while (n && !r->source[n - 1])
        n--;
    return n;
}

void front_compile(const struct req *request, bool strict, struct front_result *out)
{
    struct req trimmed = *request, *r = &trimmed;
    struct buildopts o;

    r->source_bytes = text_bytes(request);
    *out = (struct front_result){0};
    if (buildopts_parse(r->options, &o, &out->error) == 0) {
        if (r->big_endian)
            out->error = strdup("unsupported-device: big-endian");
        else if (memchr(r->source, 0, r->source_bytes))
            out->error = strdup("does-not-compile: NUL byte in the source");
        else
            compile(r, &o, strict, out);
    }
    buildopts_free(&o);
}

void front_free(struct front_result *out)
{
    free(out->bitcode);
    free(out->error);
    *out = (struct front_result){0};
}
