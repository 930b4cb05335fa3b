/* completion.c - makes the completions of a shell: completion bash|zsh|fish >FILE
 *
 * A program of the build.  Options come from options.def, commands from commands.def.  The values of an
 * option are taken from what opt_check() says it takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/guest/options.h"

static const struct {
    const char *name, *help, *words;
} commands[] = {
#define COMMAND(name, function, synopsis, help, words) {#name, help, words},
#include "shim/command/commands.def"
#undef COMMAND
};
#define COMMANDS (sizeof commands / sizeof *commands)

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

/* ---- bash -------------------------------------------------------------------------------------------- */

/* A branch for what follows each option. */
static void bash_values(void)
{
    const struct opt_row *row;
    char values[128];

    for (unsigned i = 0; (row = opt_row(i)); i++) {
        values_of(row, values);
        if (row->path)
            printf("    --%s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", row->cli);
        else if (*values)
            printf("    --%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", row->cli, values);
        else if (!opt_alone(row))
            printf("    --%s) return ;;\n", row->cli);
    }
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
    printf("    --%s", opt_row(0)->cli); /* the first row is a flag; so this is a list of patterns */
    for (unsigned i = 0; (row = opt_row(i)); i++)
        if (!opt_alone(row))
            printf("|--%s", row->cli);
    puts(") [ \"${COMP_WORDS[i+1]}\" = = ] && i=$((i+2)) || i=$((i+1)) ;;\n"
         "    -*|=) ;;\n"
         "    *) command=${COMP_WORDS[i]} ;;\n"
         "    esac\n"
         "    i=$((i+1))\n"
         "  done\n"
         "  case $command in\n"
         "  '')\n"
         "    case $prev in");
    bash_values();
    printf("    esac\n"
           "    COMPREPLY=($(compgen -W \"$options");
    for (size_t i = 0; i < COMMANDS; i++)
        printf(" %s", commands[i].name);
    puts("\" -- \"$cur\") $(compgen -c -- \"$cur\")) ;;");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %s) COMPREPLY=($(compgen -W \"%s%s\" -- \"$cur\") $(compgen -f -- \"$cur\")) ;;\n",
               commands[i].name, commands[i].words, strcmp(commands[i].name, "tune") == 0 ? " $options" : "");
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

static void zsh(void)
{
    const struct opt_row *row;

    puts("#compdef clsizer\n"
         "# zsh completion for clsizer\n"
         "_clsizer_rest() {\n"
         "  case $words[1] in");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %s) compadd -- %s; _files ;;\n", commands[i].name, commands[i].words);
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
    for (unsigned i = 0; (row = opt_row(i)); i++)
        zsh_option(row);
    puts("    '--options[list options]' '--reasons[list reasons]' '--help[help]' '--version[version]' \\\n"
         "    '(-)1:command:_clsizer_command' '*::argument:_clsizer_rest'\n"
         "}\n"
         "_clsizer \"$@\"");
}

/* ---- fish -------------------------------------------------------------------------------------------- */

#define FISH_FIRST "complete -c clsizer -n __fish_use_subcommand"

static void fish_option(const struct opt_row *row)
{
    char words[80], values[128];

    words_of(row, words);
    values_of(row, values);
    printf(FISH_FIRST " -l %s", row->cli);
    if (row->path)
        fputs(" -r -F", stdout);
    else if (*values)
        printf(" -x -a '%s'", values);
    else if (!opt_alone(row))
        fputs(" -x", stdout);
    printf(" -d '%s'\n", words);
}

static void fish(void)
{
    const struct opt_row *row;

    puts("# fish completion for clsizer");
    for (unsigned i = 0; (row = opt_row(i)); i++)
        fish_option(row);
    puts(FISH_FIRST " -l options -d 'list options'\n" FISH_FIRST " -l reasons -d 'list reasons'\n" FISH_FIRST
                    " -l help -d help\n" FISH_FIRST " -l version -d version\n" FISH_FIRST
                    " -xa '(__fish_complete_command)'");
    for (size_t i = 0; i < COMMANDS; i++) {
        printf(FISH_FIRST " -xa %s -d '%s'\n", commands[i].name, commands[i].help);
        printf("complete -c clsizer -n '__fish_seen_subcommand_from %s' -F -a '%s'\n", commands[i].name,
               commands[i].words);
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
