/* outcome.c - see outcome.h. */
#include "shim/command/outcome.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "shim/command/report_lines.h"
#include "shim/command/take_option.h"
#include "shim/ledger/json.h"

#define VARIABLE "CLSIZER_REPORT"

int outcome_begin(struct outcome_file *f)
{
    const char *asked = getenv(VARIABLE), *directory = getenv("TMPDIR");
    struct stat st;
    int fd;

    *f = (struct outcome_file){.temporary = !asked || !*asked};
    if (asked && (strcmp(asked, "-") == 0 || (stat(asked, &st) == 0 && !S_ISREG(st.st_mode)))) {
        fprintf(stderr, "clsizer: this needs to read the report: not with --report %s\n", asked);
        return EXIT_USAGE;
    }
    if (!f->temporary) {
        snprintf(f->path, sizeof f->path, "%s", asked);
        f->seen = stat(asked, &st) ? 0 : st.st_size;
        return 0;
    }
    snprintf(f->path, sizeof f->path, "%s/clsizer-report-XXXXXX",
             directory && *directory == '/' ? directory : "/tmp");
    fd = mkstemp(f->path);
    if (fd < 0 || close(fd) || setenv(VARIABLE, f->path, 1)) {
        fprintf(stderr, "clsizer: %s: %s\n", f->path, strerror(errno));
        return EXIT_LIBRARY;
    }
    return 0;
}

void outcome_end(const struct outcome_file *f)
{
    if (f->temporary)
        unlink(f->path);
}

void outcome_free(struct outcome_shape *list)
{
    for (struct outcome_shape *next; list; list = next) {
        next = list->next;
        json_object_put(list->arguments);
        free(list->key);
        free(list);
    }
}

/* ---- events ------------------------------------------------------------------------------------------ */

static double number(struct json_object *o, const char *name)
{
    return json_object_get_double(js_member(o, name));
}

static struct outcome_shape *new_shape(struct json_object *e, char *key)
{
    struct json_object *launch = js_member(e, "launch");
    const int dim = json_object_get_int(js_member(launch, "dim"));
    struct outcome_shape *s = key ? calloc(1, sizeof *s) : NULL;

    if (!s) {
        free(key);
        return NULL;
    }
    s->key = key;
    snprintf(s->kernel, sizeof s->kernel, "%s", js_text(e, "kernel"));
    js_size_words(js_member(launch, "global"), dim, "driver's", s->global, sizeof s->global);
    js_size_words(js_member(launch, "local"), dim, "driver's", s->own, sizeof s->own);
    return s;
}

/* What all events of the shape have in common; of a kernel's all shapes if it names no launch, whose keys
 * begin so.  Not the launch's offset, which may change from one to the next.  To be freed, or NULL. */
static char *new_key(struct json_object *e, bool *whole)
{
    struct json_object *launch = js_member(e, "launch");
    char *key;

    *whole = launch != NULL;
    if (asprintf(&key, "%s|%s|%s|%s|%s|%s", js_text(e, "program"), js_text(e, "kernel"), js_text(e, "device"),
                 js_text(launch, "dim"), js_text(launch, "global"), js_text(launch, "local")) < 0)
        return NULL;
    if (!launch)
        key[strlen(key) - strlen("||")] = '\0';
    return key;
}

/* The shape that the event is about, in the list at *list; any of its kernel's if it names no launch.  NULL
 * if it is about no kernel, or when out of memory. */
static struct outcome_shape *shape_of(struct json_object *e, struct outcome_shape **list)
{
    bool whole;
    char *key = *js_text(e, "kernel") ? new_key(e, &whole) : NULL;

    if (!key)
        return NULL;
    for (; *list; list = &(*list)->next)
        if ((whole ? strcmp((*list)->key, key) : strncmp((*list)->key, key, strlen(key))) == 0) {
            free(key);
            return *list;
        }
    return *list = new_shape(e, key);
}

/* How much was measured of a shape that is open. */
static void take_race(struct outcome_shape *s, struct json_object *lanes)
{
    const size_t n = json_object_is_type(lanes, json_type_array) ? json_object_array_length(lanes) : 0;
    size_t measured = 0;

    s->samples = 0;
    for (size_t i = 0; i < n; i++) {
        const double samples = number(json_object_array_get_idx(lanes, i), "samples");
        measured += samples > 0;
        s->samples += samples;
    }
    s->measured = n ? (double)measured / (double)n : 0;
}

static void take_launches(struct outcome_shape *s, struct json_object *e)
{
    s->launches += number(e, "launches");
    s->kernel_us += number(e, "kernel_us");
    if (strcmp(js_text(e, "state"), "retired") == 0)
        return; /* another line says how it is now */
    s->own_us = number(e, "own_us");
    s->now_us = number(e, "now_us");
}

/* Does the event say that its shape is not settled?  What becomes of a variant is told when that is decided,
 * too. */
static bool leaves_open(struct json_object *e)
{
    return strcmp(js_text(e, "event"), "observed") == 0 && js_member(e, "all_runs") &&
           strncmp(js_text(e, "reason"), "variant-", 8) != 0;
}

/* Where a report is read. */
struct reading {
    struct outcome_shape *list;
    unsigned line;
    int damage; /* what to make of it: 0, or an error */
};

static int take_line(struct json_object *e, void *context)
{
    struct reading *r = context;
    const char *what = js_text(e, "event");
    const bool open = leaves_open(e), refused = strcmp(what, "refusal") == 0,
               decided = strcmp(what, "decision") == 0, told = strcmp(what, "launches") == 0,
               arguments = strcmp(what, "arguments") == 0;
    struct outcome_shape *s = open || refused || decided || told || arguments ? shape_of(e, &r->list) : NULL;

    if (!s)
        return e ? 0 : r->damage;
    if (arguments) {
        json_object_put(s->arguments);
        s->arguments = json_object_get(e);
        s->line = r->line;
    }
    if (told)
        take_launches(s, e);
    if (told || arguments)
        return 0;
    s->open = open;
    take_race(s, js_member(js_member(e, "race"), "lanes"));
    snprintf(s->reason, sizeof s->reason, "%s", js_text(e, "reason"));
    return 0;
}

struct outcome_shape *outcome_read(struct outcome_file *f)
{
    struct reading r = {.damage = 0};

    report_each(f->path, &f->seen, take_line, &r, &r.line);
    return r.list;
}

int outcome_read_all(const char *path, struct outcome_shape **out, unsigned *line)
{
    struct reading r = {.damage = -EBADMSG};
    off_t at = 0;
    const int error = report_each(path, &at, take_line, &r, &r.line);

    *out = r.list;
    *line = r.line;
    return error;
}
