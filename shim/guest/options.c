/* options.c - the option table: parses, checks and prints options.  Prints nothing unless asked. */
#include "shim/guest/options.h"
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "shim/guest/config.h"
#include "shim/guest/util.h"

enum kind {
#define KIND(kind, type, words) KIND_##kind,
    OPT_KINDS(KIND)
#undef KIND
};

static const struct {
    enum kind kind;
    size_t at; /* in struct options */
} fields[] = {
#define OPT(field, kind, env, cli, arg, def, doc) {KIND_##kind, offsetof(struct options, field)},
#include "shim/guest/options.def"
#undef OPT
};
static const struct opt_row rows[] = {
#define OPT(field, kind, env, cli, arg, def, doc)                                                            \
    {"CLSIZER_" #env, cli, arg, def, doc, KIND_##kind == KIND_PATH},
#include "shim/guest/options.def"
#undef OPT
};
#define NROW (sizeof rows / sizeof *rows)

static const char *const accepted[] = {
#define ACCEPTED(kind, type, words) words,
    OPT_KINDS(ACCEPTED)
#undef ACCEPTED
};

/* ---- parsing one value ----------------------------------------------------------------------------- */

/* The number of the word `text` in a list like "auto, sync or async", -EINVAL: it is not there. */
static int word_index(const char *list, const char *text)
{
    for (int i = 0; *list; i++) {
        const size_t n = strcspn(list, ", ");
        if (strlen(text) == n && memcmp(text, list, n) == 0)
            return i;
        list += n;
        list += strspn(list, ", ");
        list += strncmp(list, "or ", 3) == 0 ? 3 : 0;
    }
    return -EINVAL;
}

static int parse_flag(const char *text)
{
    const int i = word_index("0, 1, off, on, no, yes, false, true", text);

    return i < 0 ? i : i & 1;
}

/* Digits with an optional fraction, "." whatever the locale; *end is the first character after them. */
static int decimal(const char *text, double *out, const char **end)
{
    double value = 0, unit = 1;
    const char *p = text;
    bool digits = false;

    for (; *p >= '0' && *p <= '9'; p++, digits = true)
        value = value * 10 + (*p - '0');
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++, digits = true)
            value += (*p - '0') * (unit /= 10);
    *out = value;
    *end = p;
    return digits ? 0 : -EINVAL;
}

/* The accepted range is the row's argument when that has the form "0..3". */
static int parse_int(const char *arg, const char *text, double *v)
{
    int low = 0, high = INT_MAX;
    char *end;
    const long number = strtol(text, &end, 10);

    (void)sscanf(arg, "%d..%d", &low, &high);
    if (*text < '0' || *text > '9' || *end || number < low || number > high)
        return -EINVAL;
    *v = (double)number;
    return 0;
}

static int parse_percent(const char *text, double *v)
{
    const char *end;
    double number;

    if (decimal(text, &number, &end) || number > 100 || (*end && strcmp(end, "%") != 0))
        return -EINVAL;
    *v = number / 100;
    return 0;
}

/* "64x4", "null": what comes after it is a comma or the end.  NULL: it is neither. */
static const char *parse_size(const char *text, size_t local[3])
{
    const char *p = text;

    for (unsigned d = 0; d < 3; d++)
        local[d] = strncmp(text, "null", 4) == 0 ? 0 : 1;
    if (!local[0])
        return text + 4;
    for (unsigned d = 0; d < 3; d++) {
        const char *begin = p;
        for (local[d] = 0; *p >= '0' && *p <= '9' && local[d] < INT_MAX; p++)
            local[d] = local[d] * 10 + (size_t)(*p - '0');
        if (p == begin || !local[d])
            return NULL;
        if (*p != 'x')
            return p;
        p++;
    }
    return NULL;
}

/* One that clsizer makes, or any that may be offered: which are is not known yet. */
static bool is_variant(const char *name)
{
    return strcmp(name, "wide") == 0 || strcmp(name, "fixed") == 0 ||
           (strncmp(name, OPT_GIVEN, strlen(OPT_GIVEN)) == 0 && name[strlen(OPT_GIVEN)]);
}

/* The variant before a size, "wide:"; empty: none.  What comes after it; NULL: there is none of that name. */
static const char *parse_variant(const char *text, char variant[OPT_VARIANT])
{
    const size_t length = strcspn(text, ":,");

    variant[0] = '\0';
    if (text[length] != ':')
        return text;
    if (!length || length >= OPT_VARIANT)
        return NULL;
    memcpy(variant, text, length);
    variant[length] = '\0';
    return is_variant(variant) ? text + length + 1 : NULL;
}

int opt_size(const char *sizes, const char *name, char variant[OPT_VARIANT], size_t local[3])
{
    size_t found[3];

    while (*sizes) {
        const size_t length = strcspn(sizes, "=,");
        char glob[256];
        if (!length || length >= sizeof glob || sizes[length] != '=')
            return -EINVAL;
        memcpy(glob, sizes, length);
        glob[length] = '\0';
        sizes = parse_variant(sizes + length + 1, variant);
        sizes = sizes ? parse_size(sizes, found) : NULL;
        if (!sizes || (*sizes && *sizes != ','))
            return -EINVAL;
        if (name && fnmatch(glob, name, 0) == 0) {
            memcpy(local, found, sizeof found);
            return 1;
        }
        sizes += *sizes == ',';
    }
    return 0;
}

/* All of it: no kernel ends the search. */
static int check_sizes(const char *text)
{
    char variant[OPT_VARIANT];
    size_t local[3];

    return opt_size(text, NULL, variant, local);
}

static const char *expectation(unsigned row)
{
    if (fields[row].kind == KIND_INT)
        return strstr(rows[row].arg, "..") ? rows[row].arg : "a whole number, 0 or more";
    return accepted[fields[row].kind];
}

/* The value as a number, where it is one or a word of a list; 0 or -EINVAL. */
static int parse(unsigned row, const char *text, double *v)
{
    switch (fields[row].kind) {
    case KIND_FLAG:
        *v = parse_flag(text);
        break;
    case KIND_USE_ONLY:
        *v = strcmp(text, "strict") == 0 ? (int)OPT_USE_ONLY_STRICT : parse_flag(text);
        break;
    case KIND_VARIANTS:
    case KIND_EFFORT:
    case KIND_MODE:
    case KIND_ORCHESTRATION:
    case KIND_ESTIMATOR:
        *v = word_index(accepted[fields[row].kind], text);
        break;
    case KIND_INT:
        return parse_int(rows[row].arg, text, v);
    case KIND_PERCENT:
        return parse_percent(text, v);
    case KIND_SIZES:
        return check_sizes(text);
    default:
        return 0;
    }
    return *v < 0 ? -EINVAL : 0;
}

unsigned opt_find(const char *name, size_t size)
{
    unsigned i = 0;

    while (i < NROW && (strlen(rows[i].cli) != size || memcmp(rows[i].cli, name, size) != 0))
        i++;
    return i;
}

int opt_check(const char *cli_name, const char *value, const char **expected)
{
    const unsigned row = opt_find(cli_name, strlen(cli_name));
    double ignored;

    *expected = row < NROW ? expectation(row) : "an option that `clsizer --help` lists";
    return row < NROW ? parse(row, value, &ignored) : -EINVAL;
}

/* ---- the environment ------------------------------------------------------------------------------- */

/* Strings live as long as the process and stay reachable from here. */
struct kept {
    struct kept *next;
    char text[];
};

static const char *keep(const char *text)
{
    static struct kept *all;
    size_t size = strlen(text) + 1;
    struct kept *k;

    if (size == 1 || !(k = malloc(sizeof *k + size)))
        return "";
    memcpy(k->text, text, size);
    k->next = all;
    all = k;
    return k->text;
}

static const char *configured[NROW]; /* what the configuration files say; NULL: nothing */

/* A relative path would mean another file in every directory that a program is started in. */
static const char *wrong_setting(unsigned row, const char *value)
{
    double v;

    if (row >= NROW)
        return "an option that `clsizer --options` lists";
    if (!value || parse(row, value, &v))
        return expectation(row);
    return rows[row].path && *value && *value != '/' && strcmp(value, "none") && strcmp(value, "-")
               ? "an absolute path"
               : NULL;
}

/* `where`: a variable, or a line of a configuration file with its option; `value` is NULL if that is a file
 * that is not read. */
static void tell(opt_warn *warn, const char *where, const char *value, const char *expected)
{
    char words[1024];

    if (value)
        snprintf(words, sizeof words, "%s=%.200s is not valid (%s); it is ignored", where, value, expected);
    else
        snprintf(words, sizeof words, "%s: %s; it is not read", where, expected);
    if (warn)
        warn(words);
}

static void take_setting(const char *path, unsigned line, const char *name, const char *value, void *context)
{
    opt_warn **warn = context;
    const unsigned row = opt_find(name, strlen(name));
    const char *expected;
    char where[512];

    if (!value && row < NROW)
        value = opt_alone(&rows[row]);
    expected = wrong_setting(row, value);
    if (!expected) {
        configured[row] = *value ? keep(value) : NULL;
    } else {
        snprintf(where, sizeof where, "%s:%u: %s", path, line, name);
        tell(*warn, where, value ? value : "", expected);
    }
}

static void read_configuration(opt_warn *warn)
{
    char *user = util_xdg_file("XDG_CONFIG_HOME", ".config", "clsizer.conf");
    const char *const files[] = {"/etc/clsizer.conf", user};

    memset(configured, 0, sizeof configured);
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        const int err = files[i] ? config_read(files[i], take_setting, &warn) : 0;
        if (err)
            tell(warn, files[i], NULL,
                 err == -EPERM ? "belongs to somebody else, or others may write to it" : strerror(-err));
    }
    free(user);
}

/* The text that counts for a row: the variable if it is set, valid and not empty, else what is configured,
 * else the default. */
static const char *effective(unsigned row, bool trusted, double *v, opt_warn *warn)
{
    const char *text = trusted ? secure_getenv(rows[row].env) : NULL;
    const char *otherwise = trusted && configured[row] ? configured[row] : rows[row].def;

    if (text && *text) {
        if (parse(row, text, v) == 0)
            return text;
        tell(warn, rows[row].env, text, expectation(row));
    }
    (void)parse(row, otherwise, v);
    return otherwise;
}

_Static_assert(sizeof(enum prof_mode) == sizeof(int), "words are stored as int");

/* Put the value of a row where its member of struct options is; words are enums, which are ints. */
static void put(void *at, enum kind kind, double v, const char *text)
{
    switch (kind) {
    case KIND_FLAG:
        *(bool *)at = v > 0;
        break;
    case KIND_PERCENT:
        *(double *)at = v;
        break;
    case KIND_PATH:
    case KIND_TEXT:
    case KIND_SIZES:
        *(const char **)at = keep(text);
        break;
    default:
        *(int *)at = (int)v;
    }
}

const char *opt_configured(unsigned i)
{
    return i < NROW ? configured[i] : NULL;
}

void opt_from_environment(struct options *o, opt_warn *warn)
{
    const bool trusted = getauxval(AT_SECURE) == 0;

    if (trusted)
        read_configuration(warn);
    for (unsigned i = 0; i < NROW; i++) {
        double v = 0;
        const char *text = effective(i, trusted, &v, warn);
        put((char *)o + fields[i].at, fields[i].kind, v, text);
    }
    if (!trusted)
        o->off = true;
}

/* Variables that are no options: the launcher's own, and preload.c's. */
static bool is_known(const char *variable, size_t size)
{
    static const char *const others[] = {"CLSIZER_SUMMARY", "CLSIZER_NO_LAYER"};

    for (unsigned i = 0; i < NROW; i++)
        if (strlen(rows[i].env) == size && memcmp(rows[i].env, variable, size) == 0)
            return true;
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == size && memcmp(others[i], variable, size) == 0)
            return true;
    return false;
}

void opt_unknown_variables(void (*tell)(const char *variable))
{
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, "CLSIZER_", 8) == 0 && !is_known(*at, strcspn(*at, "=")))
            tell(*at);
}

bool opt_retunes(const struct options *o, const char *kernel)
{
    return *o->retune && opt_measures(o) && opt_glob_list(o->retune, kernel);
}

bool opt_says_off(void)
{
    double v = 0;

    (void)effective(opt_find("off", strlen("off")), true, &v, NULL);
    return v > 0 || getauxval(AT_SECURE);
}

/* ---- printing -------------------------------------------------------------------------------------- */

const struct opt_row *opt_row(unsigned i)
{
    return i < NROW ? &rows[i] : NULL;
}

const char *opt_alone(const struct opt_row *row)
{
    const bool flag = fields[row - rows].kind == KIND_FLAG || fields[row - rows].kind == KIND_USE_ONLY;

    return flag ? "1" : *row->arg == '[' ? "*" : NULL;
}

/* Print `text` broken at spaces; the cursor stands in column `indent`, further lines begin there. */
static void print_wrapped(FILE *f, const char *text, int indent, int width)
{
    int column = indent;

    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column > indent && column + 1 + word > width) {
            fprintf(f, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(f, "%s%.*s", column > indent ? " " : "", word, text);
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', f);
}

void opt_print_help(FILE *f)
{
    enum { INDENT = 30, WIDTH = 100 };

    for (unsigned i = 0; i < NROW; i++) {
        const bool needs = *rows[i].arg && *rows[i].arg != '[', told = needs && *rows[i].def;
        int column = fprintf(f, "  --%s%s%s", rows[i].cli, needs ? " " : "", rows[i].arg);
        char doc[512];
        if (column >= INDENT)
            column = fprintf(f, "\n") - 1;
        fprintf(f, "%*s", INDENT - column, "");
        snprintf(doc, sizeof doc, told ? "%s [%s]" : "%s", rows[i].doc, rows[i].def);
        print_wrapped(f, doc, INDENT, WIDTH);
    }
}

void opt_print_table(FILE *f)
{
    fprintf(f, "%-16s %-22s %-12s %s\n", "option", "variable", "default", "meaning");
    for (unsigned i = 0; i < NROW; i++)
        fprintf(f, "%-16s %-22s %-12s %s\n", rows[i].cli, rows[i].env, *rows[i].def ? rows[i].def : "-",
                rows[i].doc);
}

/* ---- globs ----------------------------------------------------------------------------------------- */

/* An entry of a list with commas between. */
struct entry {
    bool given;    /* it has a glob, of fewer than 256 characters; others match nothing */
    bool excludes; /* a ! stands before it */
    bool matches;
};

/* The entry at *list, which is moved on to the next one.  False at the end. */
static bool next_entry(const char **list, const char *name, struct entry *e)
{
    const char *at = *list + (**list == '!');
    const size_t size = strcspn(*list, ","), length = strcspn(at, "=,");
    char glob[256];

    if (!**list)
        return false;
    e->excludes = at > *list;
    e->given = length > 0 && length < sizeof glob;
    snprintf(glob, sizeof glob, "%.*s", (int)length, at);
    e->matches = e->given && fnmatch(glob, name, 0) == 0;
    *list += size + ((*list)[size] == ',');
    return true;
}

uint64_t opt_globs_met(const char *globs, const char *name)
{
    uint64_t met = 0;
    struct entry e;

    for (unsigned i = 0; i < 64 && next_entry(&globs, name, &e); i++)
        met |= (uint64_t)e.matches << i;
    return met;
}

/* Order does not matter: any exclusion wins; with exclusions alone the rest is included. */
bool opt_glob_list(const char *globs, const char *name)
{
    bool wanted = false, any_wanted = false;
    struct entry e;

    while (next_entry(&globs, name, &e)) {
        if (e.excludes && e.matches)
            return false;
        any_wanted |= e.given && !e.excludes;
        wanted |= e.matches && !e.excludes;
    }
    return wanted || !any_wanted;
}
