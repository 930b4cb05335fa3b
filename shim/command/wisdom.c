/* wisdom.c - `clsizer wisdom COMMAND`: looks at decisions, moves and removes them.
 *
 * What is imported is no more than sizes to use: whether a kernel may have one is proved anew in every run.
 * Nothing is written if a file to be read cannot be used, and what is damaged in a file to be written stays
 * there. */
#include "shim/command/own_commands.h"
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/command/wisdom_files.h"
#include "shim/command/wisdom_select.h"
#include "shim/guest/options.h"

enum { EXIT_DAMAGED = 1, EXIT_UNUSABLE = 2 };

/* What was asked for, and where. */
struct request {
    struct options o;
    char *place;      /* the user's wisdom; owned */
    const char *site; /* the system's; "": none */
    struct selection s;
    bool all, json;
    int argc; /* the command's arguments */
    char **argv;
};

static int usage(FILE *f)
{
    fputs("usage: clsizer wisdom COMMAND [ARGUMENT...] [--wisdom DIR|FILE]\n"
          "  list [SELECTION] [--json]   what is decided, a line per kernel and global size\n"
          "  show [SELECTION]            all that is remembered of it\n"
          "  check [FILE|DIR]...         is every line sound?\n"
          "  export [SELECTION] >FILE    for another machine, or a site\n"
          "  import FILE|DIR...          add it; proofs are made anew, in every run\n"
          "  merge OUT FILE|DIR...       the same into OUT, a file or an existing directory\n"
          "  forget SELECTION|--all      decide again\n"
          "  path                        where it is\n"
          "SELECTION is [KERNEL-GLOB...] [--program GLOB|HASH] [--device GLOB].\n"
          "Exit status: 0; 1 if something is damaged, or nothing was found; 2 wrong usage, or a file\n"
          "that cannot be used.\n",
          f);
    return f == stdout ? 0 : EXIT_UNUSABLE;
}

/* The command line is wrong: how, and what would be right. */
static int __attribute__((format(printf, 1, 2))) misused(const char *format, ...)
{
    va_list args;

    fputs("clsizer wisdom: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return usage(stderr);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* `site`: the second place, "": none. */
static int print(struct request *r, enum select_form form, const char *site)
{
    const char *const places[] = {r->place, site};
    unsigned unusable = 0, damaged = 0;
    size_t n = 0;

    for (unsigned i = 0; i < 2; i++) {
        struct wis_file *list =
            *places[i] ? wisdom_read(places[i], i ? 0 : geteuid(), &unusable, &damaged) : NULL;
        if (*places[1] && form == SELECT_TABLE)
            printf("%s:\n", places[i]);
        n += select_print(&r->s, list, form);
        wis_file_free(list);
    }
    if (!n && !unusable)
        fputs("clsizer: nothing like that is remembered\n", stderr);
    return unusable ? EXIT_UNUSABLE : damaged || !n ? EXIT_DAMAGED : 0;
}

static int list(struct request *r)
{
    return print(r, r->json ? SELECT_LINES : SELECT_TABLE, r->site);
}

static int show(struct request *r)
{
    return print(r, SELECT_WHOLE, r->site);
}

static int path(struct request *r)
{
    if (r->argc)
        return misused("path takes no argument: '%s'", r->argv[0]);
    printf("%.*s\n", (int)(strlen(r->place) - wis_is_directory(r->place)), r->place);
    return 0;
}

static int check(struct request *r)
{
    const char *const own[] = {r->place, r->site};
    const int n = r->argc ? r->argc : *r->site ? 2 : 1;
    unsigned unusable = 0, damaged = 0, files = 0, newer = 0;
    size_t records = 0;

    for (int i = 0; i < n; i++) {
        struct wis_file *list = r->argc ? wisdom_read(r->argv[i], WISDOM_ANYBODY, &unusable, &damaged)
                                        : wisdom_read(own[i], i ? 0 : geteuid(), &unusable, &damaged);
        for (const struct wis_file *f = list; f; f = f->next) {
            files++;
            newer += f->err == -EPROTO;
            records += f->err ? 0 : f->n;
        }
        wis_file_free(list);
    }
    printf("%u file%s, %u of them unusable (%u newer); %zu record%s, %u of them damaged\n", files,
           files == 1 ? "" : "s", unusable, newer, records, records == 1 ? "" : "s", damaged);
    return unusable ? EXIT_UNUSABLE : damaged ? EXIT_DAMAGED : 0;
}

static int export(struct request *r)
{
    printf(WIS_HEAD "%d}\n", WIS_VERSION);
    return print(r, SELECT_LINES, "");
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static bool is_open(const struct wis_entry *e)
{
    struct wis_record r;

    return wis_parse(e->text, &r) && r.outcome == PROF_OPEN;
}

/* "" if it has none; dates are as long as each other, and sort as text. */
static const char *date_of(const struct wis_entry *e)
{
    const char *mark = strstr(e->text, ",\"date\":\"");

    return mark ? mark : "";
}

/* Does a record replace another one with its key?  A decision replaces what is open; else the later one. */
static bool replaces(const struct wis_entry *fresh, const struct wis_entry *old)
{
    const bool open = is_open(fresh);

    return open != is_open(old) ? !open : strcmp(date_of(fresh), date_of(old)) > 0;
}

/* The file of a place that a record belongs into, as it is now; added to the list at *files.  NULL when out
 * of memory. */
static struct wis_file *target(const char *place, const struct wis_entry *e, struct wis_file **files)
{
    const struct wis_file *const before = *files;
    char program[64] = "";
    struct wis_file *f;

    wisdom_program(e, program, sizeof program);
    f = wis_file_for(files, place, program);
    if (*files != before)
        wis_refresh(f, geteuid());
    return f;
}

/* Add a record to its file, unless that knows better.  Returns how many records this adds or replaces. */
static unsigned add(const char *place, const struct wis_entry *e, struct wis_file **files)
{
    struct wis_file *f = target(place, e, files);
    const ssize_t old = f && !f->err ? wis_find(f, e) : -1;

    if (!f || f->err || (old >= 0 && !replaces(e, f->entry[old])) ||
        wis_put(f, wis_entry_new(strdup(e->text))))
        return 0;
    f->stored++;
    return 1;
}

/* Write the files that were changed; a directory's file without records is removed.  False, with a message,
 * if that failed. */
static bool write_all(const char *place, struct wis_file *files)
{
    bool done = true;

    for (struct wis_file *f = files; f; f = f->next) {
        const bool empty = !f->n && wis_is_directory(place);
        int err = f->err;
        if (!err && f->stored)
            err = empty ? (unlink(f->path) ? -errno : 0) : wis_replace(f);
        if (err)
            wisdom_complain(f->path, 0, wis_words(err));
        done &= !err;
    }
    return done;
}

/* The sources' records into a place.  The exit code. */
static int merge_into(const char *place, int argc, char **argv)
{
    struct wis_file *from = NULL, **end = &from, *files = NULL;
    unsigned unusable = 0, damaged = 0, added = 0;
    int lock;

    for (int i = 0; i < argc; i++)
        for (*end = wisdom_read(argv[i], WISDOM_ANYBODY, &unusable, &damaged); *end;)
            end = &(*end)->next;
    lock = unusable ? -EBADMSG : wis_lock(place, geteuid());
    if (lock < 0 && !unusable)
        wisdom_complain(place, 0, wis_words(lock));
    for (const struct wis_file *f = from; lock >= 0 && f; f = f->next)
        for (size_t i = 0; i < f->n; i++)
            added += wisdom_fault(f->entry[i]) ? 0 : add(place, f->entry[i], &files);
    unusable += lock < 0 || !write_all(place, files);
    if (lock >= 0)
        wis_unlock(lock);
    wis_file_free(files);
    wis_file_free(from);
    if (unusable)
        fputs("clsizer: not all was added\n", stderr);
    else
        printf("%u record%s added to %s\n", added, added == 1 ? "" : "s", place);
    return unusable ? EXIT_UNUSABLE : damaged ? EXIT_DAMAGED : 0;
}

static int import(struct request *r)
{
    return r->argc ? merge_into(r->place, r->argc, r->argv) : misused("import needs a file or a directory");
}

static int merge(struct request *r)
{
    char *place = r->argc > 1 ? wis_place(r->argv[0]) : NULL;
    int code;

    if (!place)
        return misused("merge needs OUT, and a file or a directory to add to it");
    code = merge_into(place, r->argc - 1, r->argv + 1);
    free(place);
    return code;
}

/* Drop what is selected.  Returns how many records that were. */
static unsigned drop(const struct selection *s, struct wis_file *f)
{
    unsigned dropped = 0;

    for (size_t i = f->err ? 0 : f->n; i-- > 0;)
        if (select_has(s, f->entry[i])) {
            wis_drop(f, i);
            dropped++;
        }
    f->stored += dropped;
    return dropped;
}

static int forget(struct request *r)
{
    unsigned unusable = 0, damaged = 0, dropped = 0;
    struct wis_file *files = NULL;
    int lock;

    if (r->all == !select_all(&r->s))
        return misused("forget needs either a selection or --all");
    lock = wis_lock(r->place, geteuid());
    if (lock < 0)
        wisdom_complain(r->place, 0, wis_words(lock));
    else
        files = wisdom_read(r->place, geteuid(), &unusable, &damaged);
    for (struct wis_file *f = files; f; f = f->next)
        dropped += drop(&r->s, f);
    unusable += lock < 0 || !write_all(r->place, files);
    if (lock >= 0)
        wis_unlock(lock);
    wis_file_free(files);
    printf("%u record%s forgotten\n", dropped, dropped == 1 ? "" : "s");
    return unusable ? EXIT_UNUSABLE : damaged || !dropped ? EXIT_DAMAGED : 0;
}

/* ---- the command ------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(struct request *r);
    bool selects;
} commands[] = {{"list", list, true},     {"show", show, true},      {"check", check, false},
                {"export", export, true}, {"import", import, false}, {"merge", merge, false},
                {"forget", forget, true}, {"path", path, false}};

static void warn(const char *words)
{
    fprintf(stderr, "clsizer: %s\n", words);
}

/* False if an option is wrong, or help is wanted. */
static bool take_options(struct request *r, int argc, char **argv, bool *help)
{
    static const struct option known[] = {{"program", required_argument, NULL, 'p'},
                                          {"device", required_argument, NULL, 'd'},
                                          {"wisdom", required_argument, NULL, 'w'},
                                          {"all", no_argument, NULL, 'a'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};

    for (int c; (c = getopt_long(argc, argv, "h", known, NULL)) != -1;)
        switch (c) {
        case 'p':
            r->s.program = optarg;
            break;
        case 'd':
            r->s.device = optarg;
            break;
        case 'w':
            r->o.wisdom = optarg;
            break;
        case 'a':
            r->all = true;
            break;
        case 'j':
            r->json = true;
            break;
        default:
            *help = c == 'h';
            return false;
        }
    return true;
}

/* An option that the command has no use for, since what is ignored might have been meant; NULL: none. */
static const char *idle_option(const struct request *r, size_t i)
{
    return !commands[i].selects && r->s.program  ? "--program"
           : !commands[i].selects && r->s.device ? "--device"
           : r->all && commands[i].run != forget ? "--all"
           : r->json && commands[i].run != list  ? "--json"
                                                 : NULL;
}

/* Run the command number `i`.  Its arguments begin with its name. */
static int run(size_t i, int argc, char **argv)
{
    struct request r = {0};
    bool help = false;
    int code;

    opt_from_environment(&r.o, warn);
    if (!take_options(&r, argc, argv, &help))
        return usage(help ? stdout : stderr);
    if (idle_option(&r, i))
        return misused("%s has no use for %s", commands[i].name, idle_option(&r, i));
    r.site = wis_site(r.o.system_wisdom);
    r.place = strcmp(r.o.wisdom, "none") == 0 ? NULL : wis_place(r.o.wisdom);
    if (!r.place && commands[i].run != merge && (commands[i].run != check || argc == optind)) {
        fputs(*r.o.wisdom ? "clsizer: nothing is remembered: --wisdom none\n"
                          : "clsizer: no place for wisdom: neither XDG_DATA_HOME nor HOME can be used\n",
              stderr);
        return EXIT_UNUSABLE;
    }
    r.argv = argv + optind;
    r.argc = argc - optind;
    if (commands[i].selects)
        r.s.kernels = r.argv, r.s.n = r.argc;
    code = commands[i].run(&r);
    free(r.place);
    return fflush(stdout) || ferror(stdout) ? EXIT_UNUSABLE : code;
}

int wisdom_main(int argc, char **argv)
{
    if (argc && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0))
        return usage(stdout);
    for (size_t i = 0; argc && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, argv[0]) == 0)
            return run(i, argc, argv);
    return argc ? misused("'%s' is none of its commands", argv[0]) : misused("a command is missing");
}
