/* manual.c - makes manual pages: manual VERSION <clsizer.1.in >clsizer.1
 *                               manual VERSION COMMAND <what `clsizer COMMAND --help` prints
 * >clsizer-COMMAND.1
 *
 * A program of the build.  Copies its input; lines "@OPTIONS@", "@COMMANDS@" and "@REASONS@" become the
 * tables of options.def, of commands.def and of the reasons, "@VERSION@" the version.  Of a command it is its
 * help. */
#include <ctype.h>
#include <stdbool.h>
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

static const struct {
    const char *name, *help;
} commands[] = {
#define COMMAND(name, function, synopsis, help, words) {#name, help},
#include "shim/command/commands.def"
#undef COMMAND
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void put_commands(void)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        printf(".TP\n.BR clsizer\\-%s (1)\n", commands[i].name);
        put(commands[i].help);
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
    else if (strcmp(line, "@COMMANDS@\n") == 0)
        put_commands();
    else if (strcmp(line, "@REASONS@\n") == 0)
        put_reasons();
    else if (mark)
        printf("%.*s%s%s", (int)(mark - line), line, version, mark + strlen("@VERSION@"));
    else
        fputs(line, stdout);
}

/* A row of a table, "NAME  VALUE   words": what is before the last gap is what the words are about.  False:
 * it is none. */
static bool put_row(char *row)
{
    char *words = NULL;

    for (char *c = row; *c; c++)
        if (strncmp(c, "  ", 2) == 0 && c[2] && c[2] != ' ')
            words = c + 2;
    if (!words)
        return false;
    words[-1] = '\0';
    fputs(".TP\n", stdout);
    for (char *rest, *part = strtok_r(row, " ", &rest); part; part = strtok_r(NULL, " ", &rest)) {
        fputs(part == row ? "\\fB" : " ", stdout);
        put(part);
    }
    fputs("\\fR\n\\&", stdout);
    put(words);
    putchar('\n');
    return true;
}

#define USAGE "usage: " /* what follows stands as far right in the next lines */

/* The help of a command: its usage, then rows of tables, which are indented, and sentences. */
static void put_help(void)
{
    char line[1024];
    bool usage = true, ended = false; /* ended: a paragraph */

    for (bool first = true; fgets(line, sizeof line, stdin); first = false) {
        line[strcspn(line, "\n")] = '\0';
        const size_t indent = first ? strlen(USAGE) : strspn(line, " ");
        char *text = line + indent;
        if (usage && indent == strlen(USAGE)) {
            fputs(first ? ".SH SYNOPSIS\n\\fB" : "\\fR\n.br\n\\fB", stdout);
            put(text);
            continue;
        }
        if (usage)
            puts("\\fR\n.SH DESCRIPTION");
        usage = false;
        if (!*text || (indent && put_row(text))) {
            ended = true;
            continue;
        }
        fputs(ended ? ".PP\n\\&" : "\\&", stdout);
        put(text);
        putchar('\n');
        ended = strchr(".:", text[strlen(text) - 1]);
    }
}

/* The page of a command, from its help.  False if there is no such command. */
static bool put_page(const char *command, const char *version)
{
    size_t i = 0;

    while (i < COMMANDS && strcmp(commands[i].name, command) != 0)
        i++;
    if (i == COMMANDS)
        return false;
    fputs(".TH CLSIZER-", stdout);
    for (const char *c = command; *c; c++)
        putchar(toupper(*c));
    printf(" 1 \"\" \"clsizer %s\" \"User Commands\"\n.SH NAME\nclsizer\\-%s \\- ", version, command);
    put(commands[i].help);
    putchar('\n');
    put_help();
    puts(".SH SEE ALSO\n.BR clsizer (1)");
    return true;
}

int main(int argc, char **argv)
{
    char line[1024];

    if (argc < 2 || argc > 3 || (argc == 3 && !put_page(argv[2], argv[1]))) {
        fputs("usage: manual VERSION [COMMAND] <INPUT >PAGE\n", stderr);
        return 2;
    }
    while (argc == 2 && fgets(line, sizeof line, stdin))
        put_line(line, argv[1]);
    return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : 0;
}
