/* take_option.c - see take_option.h. */
#include "shim/command/take_option.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "shim/guest/options.h"
#include "shim/guest/util.h"
#include "shim/ledger/report.h"
#include "shim/ledger/wisdom.h"

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
            looked_at = wis_open(table[i].made ? path : "none", table[i].made ? "none" : path, &problem);
            return problem && strncmp(problem, path, strlen(path)) == 0
                       ? strstr(problem + strlen(path), ": ") + 2
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

int take_option(char **argv, int *used)
{
    const char *name = argv[0] + 2, *equals = strchr(argv[0], '='), *expected, *value;
    size_t size = equals ? (size_t)(equals - name) : strlen(name);
    const struct opt_row *row = strncmp(argv[0], "--", 2) == 0 ? opt_row(opt_find(name, size)) : NULL;

    *used = 1;
    if (!row) {
        fprintf(stderr, "clsizer: unknown option %s; see `clsizer --help`\n", argv[0]);
        return EXIT_USAGE;
    }
    if (equals) {
        value = equals + 1;
    } else if (opt_alone(row)) {
        value = opt_alone(row);
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
