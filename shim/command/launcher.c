/* launcher.c - `clsizer [OPTIONS] [--] COMMAND ARGS...`: turns options into CLSIZER_* variables, puts
 * libclsizer.so in front of LD_PRELOAD, and replaces this process by the command.  Also `clsizer predict`,
 * `analyze`, `report`, `doctor`, `wisdom`: own_commands[].
 *
 * The exit status is the command's.  If it was not started: 2 for wrong usage, 125 if the library or a helper
 * cannot be used, 126 if the command cannot be run, 127 if it was not found. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "select/select.h"
#include "shim/command/doctor.h"
#include "shim/command/own_files.h"
#include "shim/command/wisdom.h"
#include "shim/guest/options.h"
#include "shim/guest/util.h"
#include "shim/ledger/reasons.h"
#include "shim/ledger/report.h"
#include "shim/ledger/wisdom.h"

enum { EXIT_USAGE = 2, EXIT_LIBRARY = 125, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };

#define ASAN_ORDER "verify_asan_link_order"

static void usage(FILE *f)
{
    fputs("usage: clsizer [OPTIONS] [--] COMMAND [ARGUMENT...]\n"
          "       clsizer predict [ARGUMENT...]\n"
          "       clsizer analyze [ARGUMENT...]\n"
          "       clsizer report FILE...\n"
          "       clsizer doctor [PROGRAM]\n"
          "       clsizer wisdom COMMAND\n",
          f);
}

static void help(void)
{
    usage(stdout);
    puts(
        "\nRun an OpenCL program with local sizes that suit the device.  Results stay the same.\n\noptions:");
    opt_print_help(stdout);
    puts("  --options                   list options, variables and defaults\n"
         "  --reasons [NAME]            list the reasons that reports name, and what they mean\n"
         "  --help                      this text\n"
         "  --version                   version\n\n"
         "commands:\n"
         "  predict                     rank local sizes of a kernel without running it\n"
         "  analyze                     tell what is proved of the kernels in a source file\n"
         "  report                      what happened: a table from the files of --report\n"
         "  doctor                      is it working here, and with this program?\n"
         "  wisdom                      list, show, check, export, import, merge, forget what is decided\n"
         "                              (`clsizer predict --help` and so on)\n\n"
         "Every option is also a variable, CLSIZER_EFFORT and so on, for programs that are not started\n"
         "from a command line: LD_PRELOAD=.../libclsizer.so.\n\n"
         "exit status: the command's; 2 wrong usage, 125 libclsizer.so cannot be used, 126 the command\n"
         "cannot be run, 127 it was not found.");
}

/* ---- options --------------------------------------------------------------------------------------- */

static const struct opt_row *find_option(const char *name, size_t size)
{
    const struct opt_row *row;

    for (unsigned i = 0; (row = opt_row(i)); i++)
        if (strlen(row->cli) == size && memcmp(row->cli, name, size) == 0)
            return row;
    return NULL;
}

/* Why a file `path` cannot be created in its directory, as errno; 0 if it can. */
static int directory_problem(const char *path)
{
    char *directory = strdup(path), *slash = directory ? strrchr(directory, '/') : NULL;
    int error = directory ? 0 : ENOMEM;

    if (slash)
        slash[slash == directory] = '\0';
    if (slash && access(directory, W_OK | X_OK))
        error = errno;
    free(directory);
    return error;
}

/* Why the file that an option names cannot be used, in words; NULL if it can, or if the option names no file.
 * `path` is absolute.  Checked here because the library, a guest in another program, does not complain about
 * files that it cannot read or write. */
static const char *path_problem(const char *option, const char *path)
{
    static const struct {
        const char *option;
        int mode;    /* of access() */
        bool made;   /* created if it does not exist */
        bool wisdom; /* or a directory */
    } table[] = {{"report", W_OK, true, false},
                 {"wisdom", R_OK, true, true},
                 {"system-wisdom", R_OK, false, true},
                 {"device-file", R_OK, false, false},
                 {"helper", X_OK, false, false}};
    const char *problem;
    struct stat st;
    size_t i = 0;

    while (i < sizeof table / sizeof *table && strcmp(table[i].option, option) != 0)
        i++;
    if (i == sizeof table / sizeof *table || !*path)
        return NULL;
    if (stat(path, &st) == 0) {
        if (table[i].wisdom) {
            static struct wisdom *looked_at; /* the words of `problem` are its own */
            wis_close(looked_at);
            looked_at = wis_open(table[i].made ? path : "none", table[i].made ? "" : path, &problem);
            return problem && strncmp(problem, path, strlen(path)) == 0 ? problem + strlen(path) + 2
                                                                        : problem;
        }
        if (strcmp(option, "report") == 0)
            return rep_problem(path);
        if (S_ISDIR(st.st_mode))
            return strerror(EISDIR);
        if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
            return "not a regular file";
        return access(path, table[i].mode) ? strerror(errno) : NULL;
    }
    if (errno != ENOENT || !table[i].made)
        return strerror(errno);
    return directory_problem(path) ? strerror(directory_problem(path)) : NULL;
}

/* Set the option's variable; 0 or an exit code, with a message.  Paths are made absolute, because the command
 * may change its working directory before the library reads them. */
static int export_value(const struct opt_row *row, const char *value)
{
    char *absolute = NULL;
    const char *problem;
    int failed;

    if (row->path && *value && strcmp(value, "none") != 0 && strcmp(value, "-") != 0) {
        value = absolute = util_absolute(value);
        problem = value ? path_problem(row->cli, value) : NULL;
        if (problem) {
            fprintf(stderr, "clsizer: --%s %s: %s\n", row->cli, value, problem);
            free(absolute);
            return EXIT_USAGE;
        }
    }
    failed = !value || setenv(row->env, value, 1);
    free(absolute);
    if (failed)
        fprintf(stderr, "clsizer: cannot set %s: %s\n", row->env, strerror(errno));
    return failed ? EXIT_LIBRARY : 0;
}

/* Take the option at argv[0]; *used receives how many arguments it has.  0 or an exit code, with a
 * message. */
static int take_option(char **argv, int *used)
{
    const char *name = argv[0] + 2, *equals = strchr(argv[0], '='), *expected, *value;
    size_t size = equals ? (size_t)(equals - name) : strlen(name);
    const struct opt_row *row = strncmp(argv[0], "--", 2) == 0 ? find_option(name, size) : NULL;

    *used = 1;
    if (!row) {
        fprintf(stderr, "clsizer: unknown option %s; see `clsizer --help`\n", argv[0]);
        return EXIT_USAGE;
    }
    if (equals) {
        value = equals + 1;
    } else if (!*row->arg) {
        value = "1";
    } else if (argv[1]) {
        value = argv[1];
        *used = 2;
    } else {
        opt_check(row->cli, "", &expected);
        fprintf(stderr, "clsizer: --%s needs a value, %s: %s\n", row->cli, row->arg, expected);
        return EXIT_USAGE;
    }
    if (opt_check(row->cli, value, &expected)) {
        fprintf(stderr, "clsizer: --%s cannot be \"%s\"; it takes %s\n", row->cli, value, expected);
        return EXIT_USAGE;
    }
    return export_value(row, value);
}

/* ---- the library ----------------------------------------------------------------------------------- */

/* Put libclsizer.so in front of LD_PRELOAD.  0 or an exit code, with a message. */
static int preload(void)
{
    const char *before = getenv("LD_PRELOAD");
    char library[PATH_MAX], *list;
    int failed;

    if (own_find("libclsizer.so", CLSIZER_LIBDIR, library)) {
        fputs("clsizer: libclsizer.so is neither beside this program nor in its library directory\n", stderr);
        return EXIT_LIBRARY;
    }
    if (strpbrk(library, ": ")) {
        fprintf(stderr, "clsizer: LD_PRELOAD cannot hold %s: blanks and colons separate its entries\n",
                library);
        return EXIT_LIBRARY;
    }
    if (!before || !*before)
        failed = setenv("LD_PRELOAD", library, 1);
    else if (asprintf(&list, "%s:%s", library, before) < 0)
        failed = 1;
    else {
        failed = setenv("LD_PRELOAD", list, 1);
        free(list);
    }
    if (failed)
        fprintf(stderr, "clsizer: cannot set LD_PRELOAD: %s\n", strerror(errno));
    return failed ? EXIT_LIBRARY : 0;
}

/* A program built with AddressSanitizer refuses to start if another library was preloaded before the
 * sanitizer's runtime.  The order does not matter here: libclsizer.so replaces none of the functions that the
 * runtime does. */
static void suit_sanitizer(void)
{
    const char *before = getenv("ASAN_OPTIONS");
    char *options;

    if (before && strstr(before, ASAN_ORDER))
        return;
    if (asprintf(&options, "%s%s" ASAN_ORDER "=0", before ? before : "", before && *before ? ":" : "") < 0)
        return;
    setenv("ASAN_OPTIONS", options, 1);
    free(options);
}

/* ---- the command ----------------------------------------------------------------------------------- */

/* A command of our own: its exit code, for the arguments behind its name. */
typedef int own_command(int argc, char **argv);

static own_command *find_own_command(const char *name);

/* Replace this process by the command.  Returns only an exit code, with a message. */
static int run(char **command)
{
    int error = preload();
    char here[UTIL_FILE_TEXT];

    suit_sanitizer();
    util_stderr(here);
    setenv("CLSIZER_SUMMARY", here, 1); /* CLSIZER_QUIET is the library's to read */
    if (error)
        return error;
    execvp(command[0], command);
    error = errno;
    fprintf(stderr, "clsizer: %s: %s\n", command[0], error == ENOENT ? "command not found" : strerror(error));
    if (error == ENOENT && find_own_command(command[0]))
        fprintf(stderr, "clsizer: `clsizer %s` takes no options before its name\n", command[0]);
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

/* ---- helpers as commands --------------------------------------------------------------------------- */

/* Find a helper program.  0, or an exit code with a message. */
static int find_helper(const char *leaf, char path[PATH_MAX])
{
    if (own_find(leaf, CLSIZER_LIBEXECDIR, path) == 0)
        return 0;
    fprintf(stderr, "clsizer: %s is neither beside this program nor in its helper directory\n", leaf);
    return EXIT_LIBRARY;
}

/* The name in front of the arguments gives its place to the helper's path. */
static int analyze(int argc, char **argv)
{
    char helper[PATH_MAX];
    const int error = find_helper("clsizer-analyze", helper);

    (void)argc;
    if (error)
        return error;
    argv[-1] = helper;
    execv(helper, argv - 1);
    fprintf(stderr, "clsizer: %s: %s\n", helper, strerror(errno));
    return EXIT_CANNOT_RUN;
}

/* Remove libclsizer.so, in whatever directory, from LD_PRELOAD. */
static void remove_library(void)
{
    const char *before = getenv("LD_PRELOAD"), *separators = ": ";
    char *list = before ? strdup(before) : NULL, *kept = list ? calloc(1, strlen(list) + 1) : NULL,
         *save = NULL;

    for (char *at = kept ? strtok_r(list, separators, &save) : NULL; at;
         at = strtok_r(NULL, separators, &save)) {
        const char *slash = strrchr(at, '/');
        if (strcmp(slash ? slash + 1 : at, "libclsizer.so") == 0)
            continue;
        if (*kept)
            strcat(kept, ":");
        strcat(kept, at);
    }
    if (kept && *kept)
        setenv("LD_PRELOAD", kept, 1);
    else if (kept)
        unsetenv("LD_PRELOAD");
    free(list);
    free(kept);
}

/* A Python program in a folder of ours.  -I: the user's own modules are none of its business; -B: nor does it
 * write into the folder.  $CLSIZER_COMMAND tells it who we are. */
static int run_python(const char *folder, int argc, char **argv)
{
    char path[PATH_MAX], self[PATH_MAX];
    const int error = find_helper(folder, path);
    char **args = error ? NULL : calloc((size_t)argc + 5, sizeof *args);

    if (!args)
        return error ? error : EXIT_LIBRARY;
    if (own_find("clsizer", "bin", self) == 0)
        setenv("CLSIZER_COMMAND", self, 1);
    memcpy(args, (char *[]){"python3", "-I", "-B", path}, 4 * sizeof *args);
    memcpy(args + 4, argv, (size_t)argc * sizeof *argv);
    remove_library();
    execvp(args[0], args);
    if (errno == ENOENT)
        fputs("clsizer: this command needs Python 3, which was not found; its standard library is enough\n",
              stderr);
    else
        fprintf(stderr, "clsizer: python3: %s\n", strerror(errno));
    free(args);
    return EXIT_CANNOT_RUN;
}

static int report(int argc, char **argv)
{
    return run_python("clsizer-report", argc, argv);
}

static const struct {
    const char *name;
    own_command *run;
} own_commands[] = {{"predict", sel_predict_main},
                    {"analyze", analyze},
                    {"report", report},
                    {"doctor", doctor_main},
                    {"wisdom", wisdom_main}};

static own_command *find_own_command(const char *name)
{
    for (size_t i = 0; i < sizeof own_commands / sizeof *own_commands; i++)
        if (strcmp(own_commands[i].name, name) == 0)
            return own_commands[i].run;
    return NULL;
}

/* `--reasons NAME`.  The exit code. */
static int explain_reason(const char *name)
{
    const char *words = rsn_words(name);

    if (words)
        puts(*words ? words : "no reason: it is proved");
    else
        fprintf(stderr, "clsizer: no reason is called \"%s\"; `clsizer --reasons` lists them\n", name);
    return words ? 0 : EXIT_USAGE;
}

/* Answer an option or a word that asks for information, on stdout.  False if `arg` is none. */
static bool inform(const char *arg)
{
    if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0 || strcmp(arg, "help") == 0)
        help();
    else if (strcmp(arg, "--version") == 0 || strcmp(arg, "-V") == 0 || strcmp(arg, "version") == 0)
        puts("clsizer " CLSIZER_VERSION);
    else if (strcmp(arg, "--options") == 0)
        opt_print_table(stdout);
    else if (strcmp(arg, "--reasons") == 0)
        rsn_print_table(stdout);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    own_command *own;
    int i = 1, used, error;

    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i += used) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        if (strcmp(argv[i], "--reasons") == 0 && i + 2 == argc)
            return explain_reason(argv[i + 1]);
        if (inform(argv[i]))
            return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : 0;
        error = take_option(argv + i, &used);
        if (error)
            return error;
    }
    if (i == argc) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (i == 1 && argc == 2 && inform(argv[i]))
        return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : 0;
    own = i == 1 ? find_own_command(argv[i]) : NULL;
    return own ? own(argc - 2, argv + 2) : run(argv + i);
}
