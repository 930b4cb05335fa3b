/* main.c - clsizer-analyze: OpenCL C in, kernel summaries out.
 *
 * For people:       clsizer-analyze [FORM] [--driver NAME] FILE.cl|FILE.spv [-- BUILD OPTIONS]
 * For the library:  clsizer-analyze --request FILE --output FILE [--deadline MS] [--nice N]
 *
 * With --request nothing is printed, and the output is a valid summary file whatever happens: after bad
 * input, an expired deadline or a crash it is a program_summary with `error` set.  It is renamed into
 * place. */
#include "analysis/emit.h"
#include "analysis/source/child.h"
#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/end_with.h"
#include "analysis/summary/files.h"
#include "analysis/source/clang_args.h"
#include "analysis/source/frontend.h"
#include "analysis/source/from_c.h"
#include "analysis/summary/low_priority.h"
#include "analysis/lower/lower.h"
#include "analysis/summary/request.h"
#include "analysis/summary/summary.h"
#include "analysis/summary/tidy.h"
#include "analysis/summary/whole_file.h"
#include "analysis/rewrite/rewrite.h"
#include "analysis/verdict.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#define MEMORY_LIMIT (4ull << 30)
#define OUTPUT_LIMIT (1ull << 30)
#define MOST_INPUT   (2ull * REQ_MAX_SOURCE)
#define DEADLINE_MS  30000

/* ---- a summary file that always comes into being --------------------------------------------------- */

/* Ready before anything can go wrong, for the signal handlers. */
static struct {
    const char *path;
    char *temporary;
    char *timeout, *crash; /* whole summary files */
    size_t ntimeout, ncrash;
} last_words;

/* As a file; *p is gone then. */
static char *summary_text(struct program_summary *p, size_t *size)
{
    char *text = NULL;
    FILE *f = must(open_memstream(&text, size));

    if (sum_print(p, f))
        abort();
    must_close(f);
    sum_free(p);
    return text;
}

static char *error_summary(const char *error, size_t *size)
{
    return summary_text(&(struct program_summary){.error = must(strdup(error))}, size);
}

/* Async-signal-safe: write, rename, nothing else. */
static int publish(const char *text, size_t size)
{
    int fd = open(last_words.temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = fd >= 0;

    for (size_t done = 0; ok && done < size;) {
        ssize_t n = write(fd, text + done, size - done);
        if (n < 0 && errno != EINTR)
            ok = false;
        if (n > 0)
            done += (size_t)n;
    }
    if (fd >= 0 && close(fd))
        ok = false;
    if (ok && rename(last_words.temporary, last_words.path) == 0)
        return 0;
    unlink(last_words.temporary);
    return -1;
}

static void on_signal(int signal)
{
    bool late = signal == SIGALRM || signal == SIGXCPU;
    int e =
        publish(late ? last_words.timeout : last_words.crash, late ? last_words.ntimeout : last_words.ncrash);

    if (child_running > 0)
        kill(-child_running, SIGKILL);
    _exit(e ? 1 : 0);
}

static void catch_signals(void)
{
    static const int signals[] = {SIGALRM, SIGXCPU, SIGSEGV, SIGBUS, SIGILL, SIGFPE,
                                  SIGABRT, SIGXFSZ, SIGTERM, SIGINT, SIGHUP};
    static char stack[64 * 1024]; /* a crash may be a stack overflow */
    const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

    sigaltstack(&alternative, NULL);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    sigemptyset(&action.sa_mask);
    sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
}

static void set_limits(unsigned deadline_ms)
{
    const struct itimerval timer = {{0, 0}, {deadline_ms / 1000, (suseconds_t)(deadline_ms % 1000) * 1000}};

    humble_limit(RLIMIT_FSIZE, OUTPUT_LIMIT);
    humble_limit(RLIMIT_CPU, deadline_ms / 1000 + 2);
    humble_limit(RLIMIT_AS, MEMORY_LIMIT);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* The application's descriptors are none of our business; 0..2 must be open or clang's would land there. */
static void take_descriptors(void)
{
    int null = open("/dev/null", O_RDWR);

    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
    closefrom(3);
}

/* ---- analysis -------------------------------------------------------------------------------------- */

/* Move the list of files on which the result depends from the front end to the summary. */
static void take_files(struct included *in, struct program_summary *out)
{
    out->files_known = in->known;
    out->file = in->file;
    out->nfile = in->n;
    *in = (struct included){0};
}

/* `shape`: of what r->wide asks for; whether it is of single-threaded C. */
static void analyse(const struct req *r, bool strict, struct rewrite_shape shape, struct program_summary *out)
{
    struct front_result front;

    *out = (struct program_summary){0};
    front_compile(r, strict, &front);
    if (front.error) {
        out->error = front.error;
        front.error = NULL;
    } else {
        char *error;
        front.options.fold = shape.fold;
        lower_program(front.bitcode, front.size, &front.options, out, &error);
        if (error)
            out->error = error;
        else
            take_files(&front.files, out);
        shape.lanes = r->wide;
        shape.undefs = front.undefs;
        shape.single = front.options.single;
        shape.in_order = drv_device_has(r->device, DRV_ADDS_IN_PARTS);
        if (!error && r->wide)
            rewrite_program(front.bitcode, front.size, &shape, out);
        if (out->files_known && !files_same(out, r->built_ns)) { /* while clang read it, perhaps */
            sum_free(out);
            out->error = strdup("include-changed: while it was analysed");
        }
    }
    for (char *p = out->error; p && *p; p++)
        if (*p == '\n' || *p == '\r')
            *p = ' ';
    front_free(&front);
}

/* ---- the library's interface --------------------------------------------------------------------------- */

/* False when there is no request: whoever asked has got the answer from another helper
 * meanwhile, and cleaned up. */
static bool answer_request(const char *path, struct program_summary *out)
{
    size_t size;
    char *text;
    struct req r;
    int e = whole_file(path, MOST_INPUT, &text, &size);

    if (e && e != -EFBIG)
        return false;
    e = e ? e : req_read(text, size, &r);
    free(text);
    *out = (struct program_summary){0};
    if (e) {
        out->error = strdup(e == -EFBIG ? "too-large: the program's source, headers and options"
                                        : "bad-request: malformed");
        return true;
    }
    if (*r.cwd && chdir(r.cwd)) {
        out->error = must_print("include-not-found: %s", r.cwd);
    } else {
        analyse(&r, true, (struct rewrite_shape){.groups = true}, out);
    }
    req_free(&r);
    return true;
}

static int request_mode(const char *request, const char *output, unsigned deadline_ms, int nice)
{
    struct program_summary p;
    sigset_t all;
    char *text;
    size_t size;

    last_words.path = output;
    if (asprintf(&last_words.temporary, "%s.%ld", output, (long)getpid()) < 0)
        return 1;
    last_words.timeout = error_summary("analysis-timeout: the deadline passed", &last_words.ntimeout);
    last_words.crash = error_summary("analysis-failed: the helper crashed", &last_words.ncrash);
    humble_begin(nice);
    take_descriptors();
    catch_signals();
    set_limits(deadline_ms);
    end_with_directory_of(output);
    if (!answer_request(request, &p))
        return 1;
    text = summary_text(&p, &size);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL); /* what was found counts, though the deadline comes now */
    int status = publish(text, size) ? 1 : 0;
    tidy_directory_of(output);
    unlink(request); /* whoever asked may be gone */
    free(text);
    return status;
}

/* ---- the command line ---------------------------------------------------------------------------------- */

enum form { DESCRIBE, BODY, SUMMARY, FACTS };

static int complain(const char *path, const char *problem)
{
    fprintf(stderr, "clsizer-analyze: %s: %s\n", path, problem);
    return 1;
}

/* Is it told of an earlier driver, too? */
static bool told_before(char *const text[], size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (text[j] && !strcmp(text[j], text[i]))
            return true;
    return false;
}

/* What text[i] says of drv_named[i], if it is not NULL, with all drivers of which the same is said; it is
 * freed. */
static void tell_of_drivers(const char *indent, char *text[DRV_NAMED])
{
    for (size_t i = 0; drv_named[i].name; i++) {
        if (!text[i] || told_before(text, i))
            continue;
        printf("%swith %s", indent, drv_named[i].name);
        for (size_t j = i + 1; drv_named[j].name; j++)
            if (text[j] && !strcmp(text[i], text[j]))
                printf(", %s", drv_named[j].name);
        printf(": %s\n", text[i]);
    }
    for (size_t i = 0; i < DRV_NAMED; i++)
        free(text[i]);
}

/* Why launches of a kernel that is proved are left alone: with any driver, with which ones; or with one, if
 * it is not NULL. */
static void tell_problems(const struct kernel_summary *k, const struct driver *driver)
{
    char *text[DRV_NAMED] = {0}, *with_any = verdict_of_launches(k);

    if (with_any)
        printf("  %s\n", with_any);
    for (size_t i = 0; drv_named[i].name; i++)
        if (!driver || driver == &drv_named[i])
            text[i] = verdict_of_driver(k, &drv_named[i], !with_any);
    tell_of_drivers("  ", text);
    free(with_any);
}

static int print(const char *path, const struct program_summary *p, enum form form,
                 const struct driver *driver)
{
    if (form == SUMMARY)
        return sum_print(p, stdout) ? 1 : 0;
    if (p->error)
        return complain(path, p->error);
    for (uint32_t i = 0; i < p->nkernel; i++)
        if (form == FACTS) {
            verdict_print(&p->kernel[i], driver, stdout);
        } else {
            sum_describe(&p->kernel[i], stdout, form == BODY);
            tell_problems(&p->kernel[i], driver);
        }
    return 0;
}

/* As from a device of this driver, with what most devices can do. */
static void take_driver(struct req *r, const struct driver *d)
{
    r->device = (char *)d->compiler;
    r->clversion = "OpenCL C 1.2";
    r->profile = "FULL_PROFILE";
    r->features = FEATURES_ASSUMED;
    r->extensions = "cl_khr_byte_addressable_store cl_khr_fp64 cl_khr_3d_image_writes "
                    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
                    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
                    "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics";
}

/* Which drivers would leave the whole program alone, and why. */
static void tell_macros(const struct req *program)
{
    char *text[DRV_NAMED] = {0};

    for (size_t i = 0; drv_named[i].name; i++) {
        struct req r = *program;
        take_driver(&r, &drv_named[i]);
        text[i] = front_driver_macro(&r);
    }
    tell_of_drivers("", text);
}

struct file_mode {
    enum form form;
    const struct driver *driver; /* NULL: any */
    const char *emit, *kernel;   /* what to print instead: a shape, a name; or NULL */
    const char *function;        /* the file is single-threaded C, of which this is looked at; or NULL */
};

static int describe(const char *path, struct req *r, const struct file_mode *mode)
{
    const bool words = !mode->emit && (mode->form == DESCRIBE || mode->form == BODY);
    struct rewrite_shape shape = {0};
    struct program_summary p;

    if (mode->emit && !emit_shape(mode->emit, &shape))
        return 2;
    r->wide = shape.lanes;
    shape.fold = mode->function != NULL;
    analyse(r, mode->driver != NULL, shape, &p);
    if (!mode->driver && !p.error && r->form == REQ_C && words)
        tell_macros(r);
    const int status =
        mode->emit ? emit_program(&p, mode->driver, mode->kernel) : print(path, &p, mode->form, mode->driver);
    sum_free(&p);
    return status;
}

static int file_mode(const char *path, const char *options, const struct file_mode *mode)
{
    struct req r = {.options = (char *)options,
                    .extensions = "",
                    .features = "",
                    .device = "",
                    .clversion = "",
                    .profile = "",
                    .cwd = "",
                    .bits = 64,
                    .images = true};
    static const char spirv[4] = {0x03, 0x02, 0x23, 0x07}; /* the magic number, in the usual byte order */

    const int error = whole_file(path, MOST_INPUT, &r.source, &r.source_bytes);
    if (error)
        return complain(path, strerror(-error));
    if (mode->function) {
        char *why, *text = from_c_text(r.source, mode->function, &why);
        if (!text)
            fprintf(stderr, "clsizer-analyze: %s: %s: %s\n", path, mode->function, why);
        free(why);
        free(r.source);
        if (!text)
            return 1;
        r.source = text;
        r.source_bytes = strlen(text);
    }
    if (r.source_bytes >= sizeof spirv && memcmp(r.source, spirv, sizeof spirv) == 0)
        r.form = REQ_SPIRV;
    if (mode->driver)
        take_driver(&r, mode->driver);
    const int status = describe(path, &r, mode);
    free(r.source);
    return status;
}

static int usage(FILE *f)
{
    fputs("usage: clsizer analyze [FORM] [--driver NAME] FILE.cl|FILE.spv [-- BUILD OPTIONS]\n"
          "       clsizer analyze --emit kernel|wide=N|lanes=N[:DIMENSION] [--kernel NAME] FILE.cl|FILE.spv "
          "[-- BUILD "
          "OPTIONS]\n"
          "       clsizer-analyze --request FILE --output FILE [--deadline MS] [--nice N]\n",
          f);
    return 2;
}

static int help(void)
{
    usage(stdout);
    puts(
        "\nTell what is known of a program's kernels.  Forms, without which it is told in words:\n"
        "  --facts    a line per kernel, separated by tabs: name, facts, tunable or why not, source line, "
        "detail\n"
        "  --body     in words, with what the model executes\n"
        "  --summary  the summary that clsizer keeps\n\n"
        "--options TEXT: build options as one text, as programs pass them.\n"
        "--from-c NAME: the file is single-threaded C; kernels NAME__1 to NAME__3 are its function NAME with "
        "one to three\nloops as dimensions.\n\n"
        "Facts, each proved or with the reason why not (`clsizer --reasons`):\n"
        "  S           results do not depend on the local size: without it nothing is changed\n"
        "  O0, O1, O2  a launch may be made in parts along dimension 0, 1, 2\n"
        "  I           idempotent: running a part twice leaves the same memory\n"
        "  A           atomics, if any, do not care in which order work-items run\n"
        "  U           uniform: all work-items have the same work\n\n"
        "With --driver, as with a driver of that name: a kernel that it would have left alone is not "
        "tunable.\n"
        "`undefined-overflow` and the like: all launches are refused that do anything.  `tunable-if not`, or "
        "\"tunable, if the\nlaunch rules out\": some are; it depends on the range and the arguments.  Where "
        "work-items write the same place only\nthe launch tells.\n"
        "Without, what depends on the driver is told for each that is known, but for --facts.  Names:");
    for (const struct driver *d = drv_named; d->name; d++)
        printf("%s%s", d == drv_named ? "  " : ", ", d->name);
    puts("\n\n"
         "With --emit, kernels are printed as OpenCL C in which each work-item does the work of N neighbours "
         "(4, 8 or 16),\nor as they are: what --from-c makes of a function.\n\n"
         "With --request, the library's interface: answer a request file with a summary file, in any case.");
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}

/* The words behind "--", joined by blanks and quoted where they hold one. */
static char *join(char **words)
{
    char *text = NULL;
    size_t size;
    FILE *f = must(open_memstream(&text, &size));

    for (; *words; words++)
        fprintf(f, strchr(*words, ' ') ? "\"%s\" " : "%s ", *words);
    must_close(f);
    return text;
}

int main(int argc, char **argv)
{
    static int form = DESCRIBE;
    static const struct option options[] = {
        {"body", no_argument, &form, BODY},         {"summary", no_argument, &form, SUMMARY},
        {"facts", no_argument, &form, FACTS},       {"driver", required_argument, NULL, 'D'},
        {"emit", required_argument, NULL, 'e'},     {"kernel", required_argument, NULL, 'k'},
        {"request", required_argument, NULL, 'r'},  {"output", required_argument, NULL, 'o'},
        {"deadline", required_argument, NULL, 'd'}, {"nice", required_argument, NULL, 'n'},
        {"options", required_argument, NULL, 'O'},  {"from-c", required_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},           {0}};
    const char *value[UCHAR_MAX + 1] = {NULL}; /* by letter; 1: the file */
    const struct driver *driver = NULL;
    int c;

    while ((c = getopt_long(argc, argv, "-h", options, NULL)) != -1) {
        if (c == 'h')
            return help();
        if (c == 1 && value[c])
            complain(optarg, "one file at a time");
        if (c == '?' && optopt)
            fputs("clsizer-analyze: build options come behind --: FILE.cl -- -DF=2\n", stderr);
        if (c == '?' || (c == 1 && value[c]))
            return usage(stderr);
        value[c] = c ? optarg : NULL;
    }
    const long deadline = value['d'] ? strtol(value['d'], NULL, 10) : DEADLINE_MS;
    const long nice = value['n'] ? strtol(value['n'], NULL, 10) : HUMBLE_NICE;
    if (value['r'] && value['o'] && !value[1] && optind == argc && deadline > 0 && deadline < 3600000 &&
        nice >= 0 && nice < 20)
        return request_mode(value['r'], value['o'], (unsigned)deadline, (int)nice);
    if (!value[1] || value['r'] || value['o'])
        return usage(stderr);
    if (value['D'] && !(driver = drv_find(value['D'])))
        return complain(value['D'], "no such driver; --help lists them");
    char *build = value['O'] ? must(strdup(value['O'])) : join(argv + optind);
    if (value['c']) {
        char *given = build;
        build = must_print("-cl-std=CL2.0 %s", given);
        free(given);
    }
    const struct file_mode mode = {(enum form)form, driver, value['e'], value['k'], value['c']};
    const int status = file_mode(value[1], build, &mode);
    free(build);
    return status;
}
