/* tune.c - `clsizer tune [--runs N] [OPTIONS] [--] PROGRAM ARGS...`: runs the program until every kernel is
 * settled, that is, decided or left alone; then says what was gained.  Kernels that take too little time to
 * be looked at do not count.  Messages go to stderr: stdout is the program's. */
#include "shim/command/own_commands.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shim/command/outcome.h"
#include "shim/command/own_files.h"
#include "shim/command/start.h"
#include "shim/command/take_option.h"
#include "shim/guest/clock.h"
#include "shim/guest/options.h"

#define RUNS    20
#define STALLED 6 /* runs in a row in which nothing was settled, and nothing measured: give up */

enum { EXIT_LEFT_OPEN = 1 };

/* How far it is. */
struct progress {
    unsigned shapes, open;
    double done;        /* parts of shapes that are settled or measured, their sum */
    double samples;     /* that undecided races have */
    unsigned run, idle; /* runs; the last of them in which nothing was done */
    int64_t ns;         /* all runs */
};

static int usage(FILE *f)
{
    fputs("usage: clsizer tune [--runs N] [OPTIONS] [--] PROGRAM [ARGUMENT...]\n"
          "Run the program until every kernel is decided or left alone, then say what was gained.\n"
          "  --runs N   so many times at most, instead of 20\n"
          "The options are those of clsizer itself (`clsizer --help`); --effort is patient, if nothing else\n"
          "is asked for.\n"
          "Exit status: 0 all is settled; 1 something is not; the program's, if it fails.\n",
          f);
    return f == stdout ? 0 : EXIT_USAGE;
}

/* ---- what to do -------------------------------------------------------------------------------------- */

/* The number behind --runs; 0 if it is none. */
static unsigned take_runs(const char *text)
{
    char *end;
    const unsigned long n = text ? strtoul(text, &end, 10) : 0;

    return text && *text >= '0' && *text <= '9' && !*end && n <= 10000 ? (unsigned)n : 0;
}

/* Take the options; *first receives the index of the program.  0 or an exit code; -1: help was asked for. */
static int take_options(int argc, char **argv, unsigned *runs, int *first)
{
    int i = 0, used, error;

    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i += used) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return -1;
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        used = 2;
        if (strncmp(argv[i], "--runs=", 7) == 0 || strcmp(argv[i], "--runs") == 0) {
            used = argv[i][6] ? 1 : 2;
            *runs = take_runs(argv[i][6] ? argv[i] + 7 : i + 1 < argc ? argv[i + 1] : NULL);
            if (!*runs) {
                fputs("clsizer: --runs needs a number, 1 to 10000\n", stderr);
                return EXIT_USAGE;
            }
        } else if ((error = take_option(argv + i, &used))) {
            return error;
        }
    }
    *first = i;
    if (i < argc)
        return 0;
    fputs("clsizer tune: a program is missing\n", stderr);
    return usage(stderr);
}

/* Be patient, unless a variable or a configuration file asks for something else.  0, or an exit code with a
 * message: with these options nothing would ever be decided. */
static int set_options(void)
{
    struct options o;

    opt_from_environment(&o, NULL);
    if (!opt_configured(opt_find("effort", strlen("effort"))))
        setenv("CLSIZER_EFFORT", "patient", 0);
    setenv("CLSIZER_QUIET", "1", 1);
    opt_from_environment(&o, NULL);
    if (!o.off && !o.dry_run && opt_measures(&o) && strcmp(o.wisdom, "none") != 0)
        return 0;
    fputs("clsizer: tune measures and remembers: not with --off, --dry-run, --use-only, --budget 0, --wisdom "
          "none\n",
          stderr);
    return EXIT_USAGE;
}

/* ---- how far it is ----------------------------------------------------------------------------------- */

static bool counts_as_open(const struct outcome_shape *s)
{
    return s->open && strcmp(s->reason, "little-time") != 0;
}

static void look(struct progress *p, const struct outcome_shape *list, int64_t ns)
{
    const struct progress before = *p;

    *p = (struct progress){.run = p->run + 1, .idle = p->idle, .ns = p->ns + ns};
    for (; list; list = list->next) {
        p->shapes++;
        p->open += counts_as_open(list);
        p->samples += list->samples;
        p->done += counts_as_open(list) ? list->measured : 1;
    }
    p->idle = p->done > before.done || p->samples > 0 ? 0 : p->idle + 1;
}

/* "run 2, 10 s: 3 of 5 settled; about 4 more runs, 20 s".  `before`: how much was done before it. */
static void say_progress(const struct progress *p, double before)
{
    const double part = p->shapes ? p->done / p->shapes : 0;
    const unsigned more = part > 0 && part < 1 ? (unsigned)(p->run * (1 - part) / part) + 1 : 1;

    fprintf(stderr, "clsizer: run %u, %.1f s: %u of %u settled", p->run, (double)p->ns / 1e9,
            p->shapes - p->open, p->shapes);
    if (p->open && p->done > before)
        fprintf(stderr, "; about %u more run%s, %.0f s", more, more == 1 ? "" : "s",
                (double)p->ns / p->run * more / 1e9);
    fputc('\n', stderr);
}

/* ---- what was gained --------------------------------------------------------------------------------- */

/* What `clsizer report` makes of all runs, on stderr. */
static void print_table(const char *path)
{
    char self[PATH_MAX];
    const pid_t pid = own_find("clsizer", "bin", self) ? -1 : fork();

    if (pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execl(self, "clsizer", "report", "--", path, NULL);
        _exit(EXIT_LIBRARY);
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

/* Kernel time of a run before and after, as far as it is known. */
static void say_gain(const struct progress *p, const struct outcome_shape *list)
{
    double own = 0, now = 0;

    for (const struct outcome_shape *s = list; s; s = s->next) {
        own += s->launches * s->own_us;
        now += s->launches * (s->now_us > 0 ? s->now_us : s->own_us);
    }
    fprintf(stderr, "clsizer: %s in %u run%s", p->open ? "not all settled" : "settled", p->run,
            p->run == 1 ? "" : "s");
    if (now > 0)
        fprintf(stderr, "; kernels of a run take %.1f ms instead of %.1f, %.2f times as fast", now / 1e3,
                own / 1e3, own / now);
    fputc('\n', stderr);
}

/* ---- the command ------------------------------------------------------------------------------------- */

/* Run the program once.  *list receives what it reported.  0, or an exit code if it failed. */
static int run_once(char **command, struct outcome_file *file, struct progress *p,
                    struct outcome_shape **list)
{
    const int64_t begin = clock_now();
    int status;
    const int error = start_and_wait(command, &status);

    if (error)
        return error;
    if (status) {
        fprintf(stderr, "clsizer: run %u: the program %s %d; nothing more is tried\n", p->run + 1,
                WIFSIGNALED(status) ? "was ended by signal" : "ended with status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        outcome_end(file);
        return start_end_like(status);
    }
    outcome_free(*list);
    *list = outcome_read(file);
    look(p, *list, clock_now() - begin);
    unsetenv("CLSIZER_RETUNE"); /* once is enough */
    return 0;
}

static int tune(char **command, unsigned runs, struct outcome_file *file)
{
    struct outcome_shape *list = NULL;
    struct progress p = {0};
    int code;

    do {
        const double before = p.done;
        code = run_once(command, file, &p, &list);
        if (!code && list)
            say_progress(&p, before);
    } while (!code && list && p.open && p.run < runs && p.idle < STALLED);
    if (!code && list) {
        print_table(file->path);
        say_gain(&p, list);
        code = p.open ? EXIT_LEFT_OPEN : 0;
    } else if (!code) {
        fprintf(stderr,
                "clsizer: no kernel was launched that clsizer could see; `clsizer doctor %s` may say why\n",
                command[0]);
        code = EXIT_LEFT_OPEN;
    }
    outcome_free(list);
    return code;
}

int tune_main(int argc, char **argv)
{
    struct outcome_file file;
    unsigned runs = RUNS;
    int first = 0, code = take_options(argc, argv, &runs, &first);

    if (code)
        return code < 0 ? usage(stdout) : code;
    code = set_options();
    if (!code)
        code = outcome_begin(&file);
    if (code)
        return code;
    code = tune(argv + first, runs, &file);
    outcome_end(&file);
    return code;
}
