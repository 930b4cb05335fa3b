/* manual.c - makes the manual page: manual VERSION <clsizer.1.in >clsizer.1
 *
 * A program of the build.  Copies its input; lines "@OPTIONS@" and "@REASONS@" become the tables of
 * options.def and of the reasons, "@VERSION@" the version. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/guest/options.h"
#include "shim/ledger/reasons.h"

/* Text as roff shows it to the letter; no row begins with a dot. */
static void put(const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '\\':
            fputs("\\e", stdout);
            break;
        case '-':
            fputs("\\-", stdout);
            break;
        case '\'':
            fputs("\\(aq", stdout);
            break;
        default:
            putchar(*text);
        }
}

static void put_options(void)
{
    const struct opt_row *row;

    for (unsigned i = 0; (row = opt_row(i)); i++) {
        fputs(".TP\n\\fB\\-\\-", stdout);
        put(row->cli);
        printf("\\fR%s\\fI", *row->arg && *row->arg != '[' ? " " : "");
        put(row->arg);
        printf("\\fR, \\fB%s\\fR\n", row->env);
        put(row->doc);
        if (*row->arg && *row->arg != '[' && *row->def)
            printf(" [%s]", row->def);
        putchar('\n');
    }
}

static void put_reasons(void)
{
    const struct rsn_row *row;

    for (unsigned i = 0; (row = rsn_row(i)); i++) {
        if (row->name && !*row->words)
            continue;
        fputs(row->name ? ".TP\n.B " : ".SS ", stdout);
        if (row->name) {
            put(row->name);
            putchar('\n');
        }
        put(row->words);
        putchar('\n');
    }
}

static void put_line(const char *line, const char *version)
{
    const char *mark = strstr(line, "@VERSION@");

    if (strcmp(line, "@OPTIONS@\n") == 0)
        put_options();
    else if (strcmp(line, "@REASONS@\n") == 0)
        put_reasons();
    else if (mark)
        printf("%.*s%s%s", (int)(mark - line), line, version, mark + strlen("@VERSION@"));
    else
        fputs(line, stdout);
}

int main(int argc, char **argv)
{
    char line[1024];

    if (argc != 2) {
        fputs("usage: manual VERSION <clsizer.1.in >clsizer.1\n", stderr);
        return 2;
    }
    while (fgets(line, sizeof line, stdin))
        put_line(line, argv[1]);
    return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : 0;
}
