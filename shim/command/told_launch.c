/* told_launch.c - see told_launch.h. */
#include "shim/command/told_launch.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/command/outcome.h"
#include "shim/command/report_lines.h"
#include "shim/ledger/json.h"
#include "shim/ledger/wisdom_file.h"

#define NAMED      8    /* of the other launches */
#define MOST_WORDS 1024 /* of a launch */

/* ---- what a line says -------------------------------------------------------------------------------- */

/* Add "OPTION=...": what it means is for the command line to find out. */
__attribute__((format(printf, 2, 3))) static void add(struct sel_told *out, const char *form, ...)
{
    va_list ap;

    va_start(ap, form);
    if (out->nword < MOST_WORDS && vasprintf(&out->word[out->nword], form, ap) >= 0)
        out->nword++;
    va_end(ap);
}

static void add_launch(struct sel_told *out, const struct outcome_shape *s)
{
    struct json_object *offset = js_member(js_member(s->arguments, "launch"), "offset");
    const char *xyz = json_object_to_json_string_ext(offset, JSON_C_TO_STRING_PLAIN);

    add(out, "--kernel=%s", js_text(s->arguments, "kernel"));
    add(out, "--global=%s", s->global);
    if (strcmp(s->own, "driver's") != 0)
        add(out, "--local=%s", s->own);
    if (*xyz == '[')
        add(out, "--offset=%.*s", (int)strcspn(xyz, "]") - 1, xyz + 1);
}

static void add_arguments(struct sel_told *out, struct json_object *list)
{
    const bool any = json_object_is_type(list, json_type_array);

    if (!any)
        add(out, "--arg=");
    for (size_t i = 0; any && i < json_object_array_length(list); i++) {
        struct json_object *a = json_object_array_get_idx(list, i);
        if (json_object_is_type(a, json_type_string))
            add(out, "--arg=%zu=bytes:%s", i, json_object_get_string(a));
        else if (a)
            add(out, "--buffer=%zu=%s", i, json_object_get_string(a));
    }
}

static void take_device(struct json_object *traits, const char *key, struct sel_told *out)
{
    char name[sizeof out->device.name];
    struct dev_traits t = {.name = name};

    snprintf(name, sizeof name, "%.*s", (int)strcspn(key, "|"), key);
#define X(member) t.member = (__typeof__(t.member))json_object_get_int64(js_member(traits, #member));
    DEV_TRAITS(X)
#undef X
    out->described = traits != NULL;
    dev_from_traits(&t, &out->device);
}

/* ---- which one --------------------------------------------------------------------------------------- */

static bool is_meant(const struct outcome_shape *s, const char *kernel, const char *global)
{
    return s->arguments && (!kernel || strcmp(js_text(s->arguments, "kernel"), kernel) == 0) &&
           (!global || strcmp(s->global, global) == 0);
}

static void name_shape(const char *before, const struct outcome_shape *s)
{
    fprintf(stderr, "%s%s %s with %s", before, s->kernel, s->global, s->own);
}

/* Those that are meant, but for `but`. */
static void name_others(const char *before, const struct outcome_shape *list, const struct outcome_shape *but,
                        const char *kernel, const char *global)
{
    unsigned n = 0;

    for (; list; list = list->next)
        if (list != but && is_meant(list, kernel, global) && n++ < NAMED)
            name_shape(n == 1 ? before : ", ", list);
    if (n > NAMED)
        fprintf(stderr, " and %u more", n - NAMED);
}

/* The one that took the most time; NULL, and a message: there is none. */
static const struct outcome_shape *choose(const struct outcome_shape *list, const char *report,
                                          const char *kernel, const char *global)
{
    const struct outcome_shape *best = NULL, *any = NULL;
    unsigned n = 0;

    for (const struct outcome_shape *s = list; s; s = s->next) {
        any = s->arguments ? s : any;
        if (is_meant(s, kernel, global) && (++n == 1 || s->kernel_us > best->kernel_us))
            best = s;
    }
    if (!any) {
        fprintf(stderr,
                "clsizer predict: %s: it has no kernel's arguments: none was looked at, or an older clsizer "
                "wrote it; run the program once more\n",
                report);
    } else if (!best) {
        fprintf(stderr, "clsizer predict: %s: it has no kernel%s%s%s", report, kernel ? " " : "",
                kernel ? kernel : "", global ? " of this --global" : "");
        name_others("; there are ", list, NULL, NULL, NULL);
        fputc('\n', stderr);
    } else if (n > 1) {
        name_shape("clsizer predict: ", best);
        name_others("; not ", list, best, kernel, global);
        fputs(" (--kernel, --global)\n", stderr);
    }
    return best;
}

/* Tell why the report cannot be used. */
static void complain(const char *report, unsigned line, int error)
{
    char place[16] = "";

    if (error == -EBADMSG || error == -EPROTO)
        snprintf(place, sizeof place, ":%u", line);
    fprintf(stderr, "clsizer predict: %s%s: %s\n", report, place,
            error != -EBADMSG       ? wis_words(error)
            : report_begins(report) ? "is damaged"
                                    : "this is no report of clsizer's");
}

int told_find(const char *report, const char *kernel, const char *global, struct sel_told *out)
{
    static struct outcome_shape *list; /* its strings go on being used */
    static char *words[MOST_WORDS], *place;
    unsigned line;
    const int error = outcome_read_all(report, &list, &line);
    const struct outcome_shape *s = error ? NULL : choose(list, report, kernel, global);

    if (error)
        complain(report, line, error);
    if (!s)
        return error ? error : -ENOENT;
    *out = (struct sel_told){.summary = js_text(s->arguments, "summary"), .word = words};
    add_launch(out, s);
    add_arguments(out, js_member(s->arguments, "arguments"));
    take_device(js_member(s->arguments, "traits"), js_text(s->arguments, "device"), out);
    if (asprintf(&place, "%s:%u", report, s->line) < 0)
        return -ENOMEM;
    out->place = place;
    return 0;
}
