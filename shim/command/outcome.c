/* outcome.c - see outcome.h. */
#include "shim/command/outcome.h"
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "shim/command/take_option.h"

#define VARIABLE "CLSIZER_REPORT"

int outcome_begin(struct outcome_file *f)
{
    const char *asked = getenv(VARIABLE), *directory = getenv("TMPDIR");
    struct stat st;
    int fd;

    *f = (struct outcome_file){.temporary = !asked || !*asked};
    if (asked && strcmp(asked, "-") == 0) {
        fputs("clsizer: this needs to read the report: not with --report -\n", stderr);
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
        free(list->key);
        free(list);
    }
}

/* ---- events ------------------------------------------------------------------------------------------ */

static struct json_object *member(struct json_object *o, const char *name)
{
    struct json_object *found = NULL;

    json_object_object_get_ex(o, name, &found);
    return found;
}

static const char *text(struct json_object *o, const char *name)
{
    const char *found = json_object_get_string(member(o, name));

    return found ? found : "";
}

static double number(struct json_object *o, const char *name)
{
    return json_object_get_double(member(o, name));
}

/* "64x4", as far as `dim` goes; "driver's" if there is none. */
static void size_words(struct json_object *size, int dim, char *out, size_t room)
{
    size_t n = 0;

    snprintf(out, room, "driver's");
    for (int i = 0; size && i < dim && i < 3 && n < room; i++)
        n += (size_t)snprintf(out + n, room - n, "%s%lld", i ? "x" : "",
                              (long long)json_object_get_int64(json_object_array_get_idx(size, (size_t)i)));
}

static struct outcome_shape *new_shape(struct json_object *e, char *key)
{
    struct json_object *launch = member(e, "launch");
    const int dim = json_object_get_int(member(launch, "dim"));
    struct outcome_shape *s = key ? calloc(1, sizeof *s) : NULL;

    if (!s) {
        free(key);
        return NULL;
    }
    s->key = key;
    snprintf(s->kernel, sizeof s->kernel, "%s", text(e, "kernel"));
    size_words(member(launch, "global"), dim, s->global, sizeof s->global);
    size_words(member(launch, "local"), dim, s->own, sizeof s->own);
    strcpy(s->now, "=");
    return s;
}

/* The shape that the event is about, in the list at *list; NULL if it is about none, or when out of memory.
 */
static struct outcome_shape *shape_of(struct json_object *e, struct outcome_shape **list)
{
    const char *parts[] = {text(e, "program"), text(e, "kernel"), text(e, "device"), text(e, "launch")};
    char *key = NULL;

    if (!*parts[1] || asprintf(&key, "%s|%s|%s|%s", parts[0], parts[1], parts[2], parts[3]) < 0)
        return NULL;
    for (; *list; list = &(*list)->next)
        if (strcmp((*list)->key, key) == 0) {
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
    struct json_object *now = member(e, "now");
    const char *variant = text(now, "variant");
    char size[48];

    s->launches = number(e, "launches");
    s->own_us = number(e, "own_us");
    s->now_us = number(e, "now_us");
    s->retuned = now != NULL;
    if (!now)
        return;
    size_words(member(now, "local"), json_object_get_int(member(member(e, "launch"), "dim")), size,
               sizeof size);
    snprintf(s->now, sizeof s->now, "%s%s%s", variant, *variant ? " " : "", size);
}

static void take_event(struct json_object *e, struct outcome_shape **list)
{
    const char *what = text(e, "event");
    const bool open = strcmp(what, "observed") == 0 && member(e, "all_runs"),
               refused = strcmp(what, "refusal") == 0, decided = strcmp(what, "decision") == 0,
               told = strcmp(what, "launches") == 0;
    struct outcome_shape *s = open || refused || decided || told ? shape_of(e, list) : NULL;

    if (!s)
        return;
    if (told) {
        take_launches(s, e);
        return;
    }
    s->open = open;
    take_race(s, member(member(e, "race"), "lanes"));
    snprintf(s->reason, sizeof s->reason, "%s", text(e, "reason"));
    snprintf(s->detail, sizeof s->detail, "%s", text(e, "detail"));
}

struct outcome_shape *outcome_read(struct outcome_file *f)
{
    FILE *from = fopen(f->path, "r");
    struct outcome_shape *list = NULL;
    char *line = NULL;
    size_t room = 0;

    if (!from || fseeko(from, f->seen, SEEK_SET)) {
        if (from)
            fclose(from);
        return NULL;
    }
    while (getline(&line, &room, from) > 0) {
        struct json_object *e = json_tokener_parse(line);
        take_event(e, &list);
        json_object_put(e);
    }
    f->seen = ftello(from);
    free(line);
    fclose(from);
    return list;
}
