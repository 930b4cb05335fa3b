/* launcher.c - `clsizer [OPTIONS] [--] COMMAND ARGS...`: turns options into CLSIZER_* variables, puts
 * libclsizer.so in front of LD_PRELOAD, and replaces this process by the command.  Also our own commands,
 * such as `clsizer tune`: commands.def.
 *
 * The exit status is the command's; 3 if --use-only=strict lacks decisions.  If it was not started: 2 for
 * wrong usage, 125 if the library or a helper cannot be used, 126 if the command cannot be run, 127 if it was
 * not found. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "select/select.h"
#include "shim/command/doctor_say.h"
#include "shim/command/learn_files.h"
#include "shim/command/own_commands.h"
#include "shim/command/own_files.h"
#include "shim/command/outcome.h"
#include "shim/command/start.h"
#include "shim/command/take_option.h"
#include "shim/command/told_launch.h"
#include "shim/guest/options.h"
#include "shim/ledger/reasons.h"

static void usage(FILE *f)
{
    fputs("usage: clsizer [OPTIONS] [--] COMMAND [ARGUMENT...]\n"
#define COMMAND(name, function, synopsis, help, words) "       clsizer " #name " " synopsis "\n"
#include "shim/command/commands.def"
#undef COMMAND
          ,
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
         "commands:");
#define COMMAND(name, function, synopsis, help, words) printf("  %-27s %s\n", #name, help);
#include "shim/command/commands.def"
#undef COMMAND
    puts(
        "                              (`clsizer predict --help` and so on)\n\n"
        "Every option is also a variable, CLSIZER_EFFORT and so on, for programs that are not started\n"
        "from a command line: LD_PRELOAD=.../libclsizer.so; or a line of ~/.config/clsizer.conf.\n\n"
        "exit status: the command's; 2 wrong usage, 3 --use-only=strict lacks a decision, 125 libclsizer.so\n"
        "cannot be used, 126 the command cannot be run, 127 it was not found.");
}

/* ---- the command ----------------------------------------------------------------------------------- */

/* A command of our own: its exit code, for the arguments behind its name. */
typedef int own_command(int argc, char **argv);

/* Find a helper program.  0, or an exit code with a message. */
static int find_helper(const char *leaf, char path[PATH_MAX])
{
    if (own_find(leaf, CLSIZER_LIBEXECDIR, path) == 0)
        return 0;
    fprintf(stderr, "clsizer: %s is neither beside this program nor in its helper directory\n", leaf);
    return EXIT_LIBRARY;
}

/* With the helper that the library would run. */
static int predict(int argc, char **argv)
{
    struct options o;
    char found[PATH_MAX];
    const bool here = own_find("clsizer-analyze", CLSIZER_LIBEXECDIR, found) == 0;

    opt_from_environment(&o, NULL);
    const char *helper = *o.helper ? o.helper : here ? found : NULL;
    return sel_predict_main(argc, argv, helper, learn_for_device, told_find);
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

/* A Python program.  -I: the user's own modules are none of its business; -B: nor does it write into its
 * folder.  $CLSIZER_COMMAND tells it who we are. */
static int report(int argc, char **argv)
{
    char path[PATH_MAX], self[PATH_MAX];
    const int error = find_helper("clsizer-report", path);
    char **args = error ? NULL : calloc((size_t)argc + 5, sizeof *args);

    if (!args)
        return error ? error : EXIT_LIBRARY;
    if (own_find("clsizer", "bin", self) == 0)
        setenv("CLSIZER_COMMAND", self, 1);
    memcpy(args, (char *[]){"python3", "-I", "-B", path}, 4 * sizeof *args);
    memcpy(args + 4, argv, (size_t)argc * sizeof *argv);
    execvp(args[0], args);
    if (errno == ENOENT)
        fputs("clsizer: this command needs Python 3, which was not found; its standard library is enough\n",
              stderr);
    else
        fprintf(stderr, "clsizer: python3: %s\n", strerror(errno));
    free(args);
    return EXIT_CANNOT_RUN;
}

static const struct {
    const char *name;
    own_command *run;
} own_commands[] = {
#define COMMAND(name, function, synopsis, help, words) {#name, function},
#include "shim/command/commands.def"
#undef COMMAND
};

static own_command *find_own_command(const char *name)
{
    for (size_t i = 0; i < sizeof own_commands / sizeof *own_commands; i++)
        if (strcmp(own_commands[i].name, name) == 0)
            return own_commands[i].run;
    return NULL;
}

/* `help NAME` of what is none.  The exit code. */
static int refuse_help(const char *name)
{
    fprintf(stderr, "clsizer: no command is called \"%s\"; there are", name);
    for (size_t i = 0; i < sizeof own_commands / sizeof *own_commands; i++)
        fprintf(stderr, " %s", own_commands[i].name);
    fputs("; `clsizer help` tells what they do\n", stderr);
    return EXIT_USAGE;
}

/* The exit code, if what was printed could be written. */
static int written(int code)
{
    return !code && (fflush(stdout) || ferror(stdout)) ? EXIT_FAILURE : code;
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

/* Say why the library cannot be put in front of the command, if so: the command is run all the same. */
static void warn_of(const char *command)
{
    char path[PATH_MAX];

    doctor_only_warns = true;
    if ((strchr(command, '/') || doctor_in_path(command, path)) &&
        access(strchr(command, '/') ? command : path, R_OK | X_OK) == 0)
        doctor_program(command);
}

#define LONGEST 16 /* of our commands' names */

/* How many letters to insert, drop or replace to make the name of one of our commands of the word. */
static size_t edits(const char *word, const char *name)
{
    const size_t n = strlen(name);
    size_t row[LONGEST + 1]; /* from what was read of the word to each beginning of the name */

    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (; *word; word++)
        for (size_t j = 0, replaced = 0; j <= n; j++) {
            const size_t dropped = row[j] + 1, before = row[j];
            row[j] = dropped;
            if (j && row[j - 1] + 1 < row[j])
                row[j] = row[j - 1] + 1;
            if (j && replaced + (name[j - 1] != *word) < row[j])
                row[j] = replaced + (name[j - 1] != *word);
            replaced = before;
        }
    return row[n];
}

/* The command of ours that may have been meant; NULL: none. */
static const char *nearest(const char *word)
{
    const char *best = NULL;
    size_t least = 3;

    for (size_t i = 0; i < sizeof own_commands / sizeof *own_commands; i++) {
        const size_t n = edits(word, own_commands[i].name);
        if (n < least) {
            least = n;
            best = own_commands[i].name;
        }
    }
    return best;
}

/* Replace this process by the command.  Returns only an exit code, with a message. */
static int run(char **command)
{
    const int code = start_program(command);
    const char *meant = code == EXIT_NOT_FOUND ? nearest(command[0]) : NULL;

    if (meant && strcmp(meant, command[0]) == 0)
        fprintf(stderr, "clsizer: `clsizer %s` takes no options before its name\n", meant);
    else if (meant)
        fprintf(stderr, "clsizer: is `clsizer %s` what you mean?\n", meant);
    return code;
}

/* The shapes that lack a decision, by name; how many. */
static unsigned tell_undecided(const struct outcome_shape *list)
{
    unsigned n = 0;

    for (; list; list = list->next)
        if (list->open && strcmp(list->reason, "not-measured") == 0) {
            fprintf(stderr, "clsizer: --use-only=strict: no decision for %s (%s) %s\n", list->kernel,
                    list->global, list->own);
            n++;
        }
    return n;
}

/* Run the command with --use-only=strict.  The exit code. */
static int run_strictly(char **command)
{
    struct outcome_file file;
    struct outcome_shape *list;
    unsigned undecided;
    int status, error = outcome_begin(&file);

    if (error)
        return error;
    error = start_and_wait(command, &status);
    list = outcome_read(&file);
    outcome_end(&file);
    undecided = tell_undecided(list);
    outcome_free(list);
    if (error)
        return error;
    return status ? start_end_like(status) : undecided ? EXIT_UNDECIDED : 0;
}

int main(int argc, char **argv)
{
    own_command *own;
    struct options o;
    int i = 1, used, error;

    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i += used) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        if (strcmp(argv[i], "--reasons") == 0 && i + 2 == argc)
            return written(explain_reason(argv[i + 1]));
        if (inform(argv[i]))
            return written(0);
        error = take_option(argv + i, &used);
        if (error)
            return error;
    }
    if (i == argc) {
        if (argc > 1)
            fputs("clsizer: a command is missing\n", stderr);
        usage(stderr);
        return EXIT_USAGE;
    }
    if (i == 1 && argc == 2 && inform(argv[i]))
        return written(0);
    if (i == 1 && argc == 3 && strcmp(argv[1], "help") == 0) {
        if (!find_own_command(argv[2]))
            return refuse_help(argv[2]);
        argv[1] = argv[2];
        argv[2] = "--help";
    }
    own = i == 1 ? find_own_command(argv[i]) : NULL;
    if (own)
        return written(own(argc - 2, argv + 2));
    opt_from_environment(&o, NULL);
    if (!o.off && !o.quiet)
        warn_of(argv[i]);
    return !o.off && o.use_only == OPT_USE_ONLY_STRICT ? run_strictly(argv + i) : run(argv + i);
}
