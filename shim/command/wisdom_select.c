/* wisdom_select.c - which records `clsizer wisdom` is asked about, and how it prints them. */
#include "shim/command/wisdom_select.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "shim/command/columns.h"
#include "shim/command/wisdom_files.h"
#include "shim/ledger/json.h"

enum { KERNEL, PROGRAM, GLOBAL, OWN, NOW, GAIN, STATE, DATE, COLUMNS };

/* A row of the table.  Texts are owned. */
struct row {
    char *device;
    char *cell[COLUMNS];
};

static const char *leaf(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* ---- selecting --------------------------------------------------------------------------------------- */

static bool is_kernel(const struct selection *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (fnmatch(s->kernels[i], name, 0) == 0)
            return true;
    return !s->n;
}

static bool is_program(const char *wanted, struct json_object *o)
{
    const char *path = js_text(o, "executable");

    return !wanted || fnmatch(wanted, path, 0) == 0 || fnmatch(wanted, leaf(path), 0) == 0 ||
           (*wanted && strncmp(wanted, js_text(js_member(o, "key"), "program"), strlen(wanted)) == 0);
}

static bool is_device(const char *wanted, const char *device)
{
    char *name = wanted ? strndup(device, strcspn(device, "|")) : NULL;
    const bool is = !wanted || (name && fnmatch(wanted, name, FNM_CASEFOLD) == 0);

    free(name);
    return is;
}

bool select_has(const struct selection *s, const struct wis_entry *e)
{
    struct json_object *o = wisdom_fault(e) ? NULL : json_tokener_parse(e->text), *key = js_member(o, "key");
    const bool has = key && is_kernel(s, js_text(key, "kernel")) && is_program(s->program, o) &&
                     is_device(s->device, js_text(key, "device"));

    json_object_put(o);
    return has;
}

/* ---- a row ------------------------------------------------------------------------------------------- */

/* malloc'ed; NULL when out of memory. */
static char *size_words(struct json_object *size, int dim, const char *zero)
{
    char words[80];

    js_size_words(size, dim, zero, words, sizeof words);
    return strdup(words);
}

static char *now_words(struct json_object *o, int dim, const struct wis_record *r)
{
    char *size, *both;

    if (!*r->variant)
        return r->outcome == PROF_WON || r->outcome == PROF_MODEL
                   ? size_words(js_member(o, "local"), dim, "driver's")
                   : strdup("=");
    size = size_words(js_member(js_member(o, "variant"), "local"), dim, "driver's");
    both = size ? wis_joined(r->variant, " ", size) : NULL;
    free(size);
    return both;
}

static const char *state_words(const struct wis_entry *e, const struct wis_record *r)
{
    static const char *const words[PROF_OUTCOMES] = {"undecided", "faster", "kept", "predicted", "asked"};

    return strstr(e->text, WIS_WHOLE_KERNEL) ? "launch failed"
           : *r->variant                     ? words[PROF_WON]
                                             : words[r->outcome];
}

static char *gain_words(const struct wis_record *r)
{
    const double gain = *r->variant ? r->variant_gain : r->outcome == PROF_WON ? r->gain : 0;
    char words[32];

    snprintf(words, sizeof words, gain > 0 ? "%.2f" : "-", gain);
    return strdup(words);
}

static void fill_row(struct row *row, const struct wis_entry *e, struct json_object *o,
                     const struct wis_record *r)
{
    struct json_object *key = js_member(o, "key");
    const int dim = json_object_get_int(js_member(key, "dim"));
    const char *program = leaf(js_text(o, "executable"));
    const bool whole = strstr(e->text, WIS_WHOLE_KERNEL) != NULL;

    row->device = wis_joined(js_text(key, "device"), "|", js_text(key, "driver"));
    row->cell[KERNEL] = strdup(js_text(key, "kernel"));
    row->cell[PROGRAM] = *program ? strdup(program) : strndup(js_text(key, "program"), 8);
    row->cell[GLOBAL] = whole ? strdup("all") : size_words(js_member(key, "global"), dim, "0");
    row->cell[OWN] = whole ? strdup("all") : size_words(js_member(key, "own"), dim, "driver's");
    row->cell[NOW] = now_words(o, dim, r);
    row->cell[GAIN] = gain_words(r);
    row->cell[STATE] = strdup(state_words(e, r));
    row->cell[DATE] = strndup(js_text(o, "date"), 10);
}

static bool make_row(struct row *row, const struct wis_entry *e)
{
    struct json_object *o = json_tokener_parse(e->text);
    struct wis_record r;
    bool whole = o && wis_parse(e->text, &r);

    *row = (struct row){0};
    if (whole)
        fill_row(row, e, o, &r);
    json_object_put(o);
    for (unsigned c = 0; c < COLUMNS; c++)
        whole &= row->cell[c] != NULL;
    return whole && row->device;
}

static void free_row(struct row *row)
{
    free(row->device);
    for (unsigned c = 0; c < COLUMNS; c++)
        free(row->cell[c]);
}

/* ---- printing ---------------------------------------------------------------------------------------- */

/* By device, kernel, program, global size. */
static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->device, y->device);

    for (unsigned c = 0; !order && c <= GLOBAL; c++)
        order = strverscmp(x->cell[c], y->cell[c]);
    return order;
}

static void print_table(const struct row *rows, size_t n)
{
    char *const titles[COLUMNS] = {"kernel", "program", "global", "own", "now", "gain", "state", "date"};
    int width[COLUMNS] = {0};

    columns_widen(width, titles, COLUMNS);
    for (size_t i = 0; i < n; i++)
        columns_widen(width, rows[i].cell, COLUMNS);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(rows[i].device, rows[i - 1].device) != 0) {
            printf("%s\n", rows[i].device);
            columns_print(stdout, width, titles, COLUMNS, 1 << GAIN);
        }
        columns_print(stdout, width, rows[i].cell, COLUMNS, 1 << GAIN);
    }
}

static void print_whole(const struct wis_entry *e)
{
    struct json_object *o = json_tokener_parse(e->text);

    puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(o);
}

/* Print a record, or make a row of it.  False if that is not possible. */
static bool take(const struct wis_entry *e, enum select_form form, struct row *row)
{
    if (form == SELECT_LINES)
        puts(e->text);
    else if (form == SELECT_WHOLE)
        print_whole(e);
    else if (make_row(row, e))
        return true;
    else
        free_row(row);
    return form != SELECT_TABLE;
}

size_t select_print(const struct selection *s, const struct wis_file *list, enum select_form form)
{
    struct row *rows;
    size_t n = 0, room = 1;

    for (const struct wis_file *f = list; f; f = f->next)
        room += f->n;
    rows = calloc(room, sizeof *rows);
    for (const struct wis_file *f = list; rows && f; f = f->next)
        for (size_t i = 0; !f->err && i < f->n; i++)
            n += select_has(s, f->entry[i]) && take(f->entry[i], form, &rows[n]);
    if (form == SELECT_TABLE && n) {
        qsort(rows, n, sizeof *rows, compare);
        print_table(rows, n);
    }
    for (size_t i = 0; rows && i < n; i++)
        free_row(&rows[i]);
    free(rows);
    return n;
}
