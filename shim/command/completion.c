/* completion.c - makes the completions of a shell: completion bash|zsh|fish >FILE
 *
 * A program of the build.  Options come from options.def, commands from commands.def.  The values of an
 * option are taken from what opt_check() says it takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/driver_quirks.h"
#include "devices/device.h"
#include "shim/guest/options.h"

static const struct {
    const char *name, *help, *words;
} commands[] = {
#define COMMAND(name, function, synopsis, help, words) {#name, help, words},
#include "shim/command/commands.def"
#undef COMMAND
};
#define COMMANDS (sizeof commands / sizeof *commands)

/* Do clsizer's own options stand behind its name, too? */
static bool takes_options(size_t command)
{
    return strcmp(commands[command].name, "tune") == 0;
}

/* ---- what there is to say of an option --------------------------------------------------------------- */

/* "a, b or c" as "a b c"; "" if the option takes no such list. */
static void values_of(const struct opt_row *row, char out[128])
{
    const char *expected, *at;
    size_t n = 0;

    opt_check(row->cli, "no such value", &expected);
    out[0] = '\0';
    if (!strstr(expected, " or ") || strchr(expected, '=') || strchr(expected, '0'))
        return;
    for (at = expected; *at && n < 120;) {
        const size_t skip = strncmp(at, ", ", 2) == 0 ? 2 : strncmp(at, " or ", 4) == 0 ? 4 : 0;
        out[n++] = skip ? ' ' : *at;
        at += skip ? skip : 1;
    }
    out[n] = '\0';
}

/* The beginning of its documentation, without what shells would take for their own. */
static void words_of(const struct opt_row *row, char out[80])
{
    size_t n = strcspn(row->doc, ";:,($[");

    snprintf(out, 80, "%.*s", (int)(n < 70 ? n : 70), row->doc);
    for (char *c = out; *c; c++)
        if (strchr("'\"\\`]", *c))
            *c = ' ';
}

/* The options that take a value, with this between them. */
static void put_valued(const char *between)
{
    const struct opt_row *row;
    const char *before = "";

    for (unsigned i = 0; (row = opt_row(i)); i++)
        if (!opt_alone(row)) {
            printf("%s--%s", before, row->cli);
            before = between;
        }
}

/* A word of a command's: "list", "--json", or an option with the values that it may have, separated by
 * spaces. */
struct word {
    char text[64], values[1024];
    bool valued; /* takes a value, of those if there are any */
    bool any;    /* or a file */
};

static void add_value(struct word *w, const char *value)
{
    const size_t n = strlen(w->values);

    snprintf(w->values + n, sizeof w->values - n, "%s%s", n ? " " : "", value);
}

static void take_values(struct word *w, const char *values)
{
    const char *name;

    w->valued = true;
    w->any = strcmp(values, "DEVICES") == 0;
    for (unsigned i = 0; w->any && dev_builtin_at(i, &name); i++)
        add_value(w, name);
    if (w->any)
        add_value(w, "cpu");
    else if (strcmp(values, "DRIVERS") == 0)
        for (size_t i = 0; drv_named[i].name; i++)
            add_value(w, drv_named[i].name);
    else
        snprintf(w->values, sizeof w->values, "%s", values);
    for (char *c = w->values; *c; c++)
        *c = *c == '|' ? ' ' : *c;
}

/* The next one of the list; false: there is none. */
static bool next_word(const char **list, struct word *w)
{
    const size_t n = strcspn(*list, " ");
    char *equals;

    *w = (struct word){.valued = false};
    snprintf(w->text, sizeof w->text, "%.*s", (int)n, *list);
    *list += n + ((*list)[n] == ' ');
    equals = strchr(w->text, '=');
    if (equals) {
        char values[64];
        *equals = '\0';
        snprintf(values, sizeof values, "%s", equals + 1);
        take_values(w, values);
    }
    return n > 0;
}

/* ---- bash -------------------------------------------------------------------------------------------- */

/* A branch for what follows each option. */
static void bash_values(void)
{
    const struct opt_row *row;
    char values[128];

    puts("  ''|tune)\n    case $prev in");
    for (unsigned i = 0; (row = opt_row(i)); i++) {
        values_of(row, values);
        if (row->path)
            printf("    --%s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", row->cli);
        else if (*values)
            printf("    --%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", row->cli, values);
        else if (!opt_alone(row))
            printf("    --%s) return ;;\n", row->cli);
    }
    puts("    esac ;;");
}

/* Likewise for the options of a command. */
static void bash_values_of(const char *command, const char *words)
{
    struct word w;

    while (next_word(&words, &w))
        if (w.valued)
            printf("  %s,%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")%s); return ;;\n", command, w.text,
                   w.values, w.any ? " $(compgen -f -- \"$cur\")" : "");
}

static void bash_words(const char *words)
{
    struct word w;

    for (bool first = true; next_word(&words, &w); first = false)
        printf("%s%s", first ? "" : " ", w.text);
}

static void bash(void)
{
    const struct opt_row *row;

    fputs("# bash completion for clsizer\n"
          "_clsizer() {\n"
          "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i=1\n"
          "  local options='",
          stdout);
    for (unsigned i = 0; (row = opt_row(i)); i++)
        printf("--%s ", row->cli);
    puts("--options --reasons --help --version'\n"
         "  # \"=\" is a word of its own\n"
         "  [ \"$prev\" = = ] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  [ \"$cur\" = = ] && cur=\n"
         "  while [ $i -lt \"$COMP_CWORD\" ] && [ -z \"$command\" ]; do\n"
         "    case ${COMP_WORDS[i]} in");
    fputs("    ", stdout);
    put_valued("|");
    puts(") [ \"${COMP_WORDS[i+1]}\" = = ] && i=$((i+2)) || i=$((i+1)) ;;\n"
         "    -*|=) ;;\n"
         "    *) command=${COMP_WORDS[i]} ;;\n"
         "    esac\n"
         "    i=$((i+1))\n"
         "  done\n"
         "  case $command,$prev in");
    for (size_t i = 0; i < COMMANDS; i++)
        bash_values_of(commands[i].name, commands[i].words);
    puts("  esac\n"
         "  case $command in");
    bash_values();
    puts("  esac\n"
         "  case $command in");
    printf("  '') COMPREPLY=($(compgen -W \"$options");
    for (size_t i = 0; i < COMMANDS; i++)
        printf(" %s", commands[i].name);
    puts("\" -- \"$cur\") $(compgen -c -- \"$cur\")) ;;");
    for (size_t i = 0; i < COMMANDS; i++) {
        printf("  %s) COMPREPLY=($(compgen -W \"", commands[i].name);
        bash_words(commands[i].words);
        printf("%s\" -- \"$cur\") $(compgen -f -- \"$cur\")) ;;\n", takes_options(i) ? " $options" : "");
    }
    puts("  *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _clsizer clsizer");
}

/* ---- zsh --------------------------------------------------------------------------------------------- */

static void zsh_option(const struct opt_row *row)
{
    char words[80], values[128];

    words_of(row, words);
    values_of(row, values);
    if (opt_alone(row))
        printf("    '--%s[%s]' \\\n", row->cli, words);
    else if (row->path)
        printf("    '--%s=[%s]:%s:_files' \\\n", row->cli, words, "file");
    else if (*values)
        printf("    '--%s=[%s]:value:(%s)' \\\n", row->cli, words, values);
    else
        printf("    '--%s=[%s]:value: ' \\\n", row->cli, words);
}

static void zsh_options(void)
{
    const struct opt_row *row;

    for (unsigned i = 0; (row = opt_row(i)); i++)
        zsh_option(row);
}

/* What may follow the name of a command: its words, or files; of one that runs a program, what that takes. */
static void zsh_command(size_t i)
{
    const char *words = commands[i].words;
    struct word w;
    bool any = false;

    printf("  %s) _arguments -S \\\n", commands[i].name);
    if (takes_options(i))
        zsh_options();
    while (next_word(&words, &w))
        if (*w.text != '-')
            any = true;
        else if (!w.valued)
            printf("    '%s' \\\n", w.text);
        else if (w.any)
            printf("    '%s=:value:{compadd -- %s; _files}' \\\n", w.text, w.values);
        else if (*w.values)
            printf("    '%s=:value:(%s)' \\\n", w.text, w.values);
        else
            printf("    '%s=:value: ' \\\n", w.text);
    if (any) {
        fputs("    '1:command:(", stdout);
        for (words = commands[i].words; next_word(&words, &w);)
            if (*w.text != '-')
                printf("%s ", w.text);
        puts(")' \\");
    }
    puts(takes_options(i) ? "    '(-)1:program:_command_names -e' '*::argument:_normal' ;;"
                          : "    '*:file:_files' ;;");
}

static void zsh(void)
{
    puts("#compdef clsizer\n"
         "# zsh completion for clsizer\n"
         "_clsizer_rest() {\n"
         "  case $words[1] in");
    for (size_t i = 0; i < COMMANDS; i++)
        zsh_command(i);
    puts("  *) _normal ;;\n"
         "  esac\n"
         "}\n"
         "_clsizer_command() {\n"
         "  local -a commands=(");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("    '%s:%s'\n", commands[i].name, commands[i].help);
    puts("  )\n"
         "  _describe command commands\n"
         "  _command_names -e\n"
         "}\n"
         "_clsizer() {\n"
         "  _arguments -S \\");
    zsh_options();
    puts("    '--options[list options]' '--reasons[list reasons]' '--help[help]' '--version[version]' \\\n"
         "    '(-)1:command:_clsizer_command' '*::argument:_clsizer_rest'\n"
         "}\n"
         "_clsizer \"$@\"");
}

/* ---- fish -------------------------------------------------------------------------------------------- */

#define FISH_FIRST "complete -c clsizer -n '__clsizer_command \"\"'"

/* Which command is there already?  Values of options are none. */
static void fish_command(void)
{
    puts("function __clsizer_command -a wanted\n"
         "  set -l command ''\n"
         "  set -l value no\n"
         "  for word in (commandline -opc)[2..-1]\n"
         "    if test $value = yes\n"
         "      set value no\n"
         "      continue\n"
         "    end\n"
         "    switch $word");
    fputs("    case ", stdout);
    put_valued(" ");
    puts("\n      set value yes\n"
         "    case '-*'\n"
         "    case '*'\n"
         "      set command $word\n"
         "      break\n"
         "    end\n"
         "  end\n"
         "  test \"$command\" = \"$wanted\"\n"
         "end");
}

static void fish_option(const struct opt_row *row)
{
    char words[80], values[128];

    words_of(row, words);
    values_of(row, values);
    printf("complete -c clsizer -n '__clsizer_command \"\"; or __clsizer_command tune' -l %s", row->cli);
    if (row->path)
        fputs(" -r -F", stdout);
    else if (*values)
        printf(" -x -a '%s'", values);
    else if (!opt_alone(row))
        fputs(" -x", stdout);
    printf(" -d '%s'\n", words);
}

static void fish_words(const char *command, const char *words)
{
    struct word w;

    while (next_word(&words, &w)) {
        printf("complete -c clsizer -n '__clsizer_command %s' ", command);
        if (*w.text != '-')
            printf("-a %s\n", w.text);
        else if (w.valued)
            printf("-l %s %s -a '%s'\n", w.text + 2, w.any ? "-r -F" : "-x", w.values);
        else
            printf("-l %s\n", w.text + 2);
    }
}

static void fish(void)
{
    const struct opt_row *row;

    puts("# fish completion for clsizer");
    fish_command();
    for (unsigned i = 0; (row = opt_row(i)); i++)
        fish_option(row);
    puts(FISH_FIRST " -l options -d 'list options'\n" FISH_FIRST " -l reasons -d 'list reasons'\n" FISH_FIRST
                    " -l help -d help\n" FISH_FIRST " -l version -d version\n" FISH_FIRST
                    " -xa '(__fish_complete_command)'");
    for (size_t i = 0; i < COMMANDS; i++) {
        printf(FISH_FIRST " -xa %s -d '%s'\n", commands[i].name, commands[i].help);
        fish_words(commands[i].name, commands[i].words);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof *shells; i++)
        if (strcmp(argv[1], shells[i].name) == 0) {
            shells[i].print();
            return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : 0;
        }
    fputs("usage: completion bash|zsh|fish >FILE\n", stderr);
    return 2;
}
