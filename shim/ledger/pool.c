/* pool.c - see pool.h. */
#include "shim/ledger/pool.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "analysis/summary/whole_file.h"
#include "shim/guest/options.h"
#include "shim/ledger/json.h"

#define MOST_FILE (16u << 20) /* bytes of the file, and of a source */

struct reading {
    const char *path;
    unsigned number; /* of the variant, from 1 */
    char *problem;   /* 512 */
};

static bool __attribute__((format(printf, 2, 3))) wrong(const struct reading *r, const char *format, ...)
{
    va_list args;
    int n = snprintf(r->problem, 512, "%.200s, variant %u: ", r->path, r->number);

    va_start(args, format);
    vsnprintf(r->problem + n, 512 - (size_t)n, format, args);
    va_end(args);
    return false;
}

/* A member that is text; *out keeps what it was if there is none. */
static bool take_text(const struct reading *r, struct json_object *o, const char *name, bool needed,
                      const char **out)
{
    struct json_object *value;

    if (!json_object_object_get_ex(o, name, &value))
        return !needed || wrong(r, "\"%s\" is missing", name);
    if (!json_object_is_type(value, json_type_string))
        return wrong(r, "\"%s\" is not text", name);
    *out = strdup(json_object_get_string(value));
    return *out || wrong(r, "out of memory");
}

/* [x], [x, y] or [x, y, z]; what is missing is 1. */
static bool take_numbers(const struct reading *r, struct json_object *value, const char *name, size_t out[3])
{
    const size_t n = json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;

    for (size_t d = 0; d < 3; d++) {
        struct json_object *x = d < n ? json_object_array_get_idx(value, d) : NULL;
        const int64_t number = x ? json_object_get_int64(x) : 1;
        if ((x && !json_object_is_type(x, json_type_int)) || number < 1 || number > POOL_MOST_UNIT)
            return wrong(r, "\"%s\" is not one to three whole numbers from 1 to %d", name, POOL_MOST_UNIT);
        out[d] = (size_t)number;
    }
    return (n >= 1 && n <= 3) || wrong(r, "\"%s\" is not one to three whole numbers", name);
}

static bool take_tolerance(const struct reading *r, struct json_object *value, double *out)
{
    *out = json_object_get_double(value);
    return ((json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int)) &&
            *out >= 0 && *out < 1) ||
           wrong(r, "\"tolerance\" is not a number from 0 to below 1");
}

static bool take_sizes(const struct reading *r, struct json_object *value, struct pool_variant *v)
{
    const size_t n = json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;

    if (n < 1 || n > POOL_SIZES)
        return wrong(r, "\"local\" is not a list of one to %d sizes", POOL_SIZES);
    for (v->nlocal = 0; v->nlocal < n; v->nlocal++)
        if (!take_numbers(r, json_object_array_get_idx(value, v->nlocal), "local", v->local[v->nlocal]))
            return false;
    return true;
}

/* A path from the folder of the file that names it. */
static bool beside(const char *file, const char *name, char path[PATH_MAX])
{
    const char *slash = strrchr(file, '/');
    const int folder = *name == '/' || !slash ? 0 : (int)(slash - file) + 1;

    return snprintf(path, PATH_MAX, "%.*s%s", folder, file, name) < PATH_MAX;
}

static bool take_source(const struct reading *r, const char *source, struct pool_variant *v)
{
    char path[PATH_MAX], *text = NULL;
    size_t size;
    int err = beside(r->path, source, path) ? whole_file(path, MOST_FILE, &text, &size) : -ENAMETOOLONG;

    if (err)
        return wrong(r, "%.200s: %s", path, strerror(-err));
    v->text = text;
    return strlen(text) == size || wrong(r, "%.200s is not text", path);
}

static bool knows(const char *name)
{
    static const char *const names[] = {"kernel",  "source", "name",  "program",
                                        "options", "units",  "local", "tolerance"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool take_variant(const struct reading *r, struct json_object *o, struct pool_variant *v)
{
    const char *source = NULL;
    struct json_object *value;

    *v = (struct pool_variant){.program = "", .units = {1, 1, 1}};
    if (!json_object_is_type(o, json_type_object))
        return wrong(r, "it is not an object");
    json_object_object_foreach(o, name, any)
    {
        (void)any;
        if (!knows(name))
            return wrong(r, "\"%.100s\" means nothing here", name);
    }
    if (!take_text(r, o, "kernel", true, &v->kernel) || !take_text(r, o, "source", true, &source))
        return false;
    v->name = v->kernel;
    if (!take_text(r, o, "name", false, &v->name) || !take_text(r, o, "program", false, &v->program) ||
        !take_text(r, o, "options", false, &v->options))
        return false;
    if (v->program[strspn(v->program, "0123456789abcdef")])
        return wrong(r, "\"program\" is not the beginning of a hash");
    if (json_object_object_get_ex(o, "units", &value) && !take_numbers(r, value, "units", v->units))
        return false;
    if (json_object_object_get_ex(o, "local", &value) && !take_sizes(r, value, v))
        return false;
    if (json_object_object_get_ex(o, "tolerance", &value) && !take_tolerance(r, value, &v->tolerance))
        return false;
    return take_source(r, source, v);
}

/* What was read before a problem stays allocated: the process has one such file. */
static struct pool_variant *take_all(struct reading *r, struct json_object *list)
{
    struct pool_variant *_Atomic first = NULL, *_Atomic *end = &first;

    for (size_t i = 0; i < json_object_array_length(list); i++) {
        struct pool_variant *v = malloc(sizeof *v);
        r->number = (unsigned)i + 1;
        if (!v || !take_variant(r, json_object_array_get_idx(list, i), v)) {
            free(v);
            return NULL;
        }
        *end = v;
        end = &v->next;
    }
    return first;
}

struct pool_variant *pool_read(const char *path, char problem[512])
{
    struct reading r = {.path = path, .problem = problem};
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *all = NULL, *list;
    struct pool_variant *pool = NULL;
    char *text = NULL;
    size_t size, end = 0;
    const int err = whole_file(path, MOST_FILE, &text, &size);

    problem[0] = '\0';
    if (!err && tokener && size <= INT_MAX)
        all = json_tokener_parse_ex(tokener, text, (int)size);
    if (all) {
        end = json_tokener_get_parse_end(tokener);
        end += strspn(text + end, " \t\r\n");
    }
    if (err || !tokener)
        snprintf(problem, 512, "%.400s: %s", path, err ? strerror(-err) : "out of memory");
    else if (!all)
        snprintf(problem, 512, "%.300s, byte %zu: %s", path, json_tokener_get_parse_end(tokener),
                 json_tokener_error_desc(json_tokener_get_error(tokener)));
    else if (end < size)
        snprintf(problem, 512, "%.300s, byte %zu: something follows the object", path, end);
    else if (!json_object_is_type(all, json_type_object) ||
             !json_object_object_get_ex(all, "variants", &list) ||
             !json_object_is_type(list, json_type_array))
        snprintf(problem, 512, "%.400s: there is no list \"variants\"", path);
    else
        pool = take_all(&r, list);
    json_object_put(all);
    if (tokener)
        json_tokener_free(tokener);
    free(text);
    return pool;
}

const struct pool_variant *pool_find(const struct pool_variant *pool, const char *kernel, const char *program,
                                     unsigned n)
{
    for (; pool; pool = pool->next)
        if (strcmp(pool->kernel, kernel) == 0 &&
            strncmp(program, pool->program, strlen(pool->program)) == 0 && n-- == 0)
            return pool;
    return NULL;
}

static uint64_t hash_variant(uint64_t h, const struct pool_variant *v)
{
    const char *const text[] = {v->name, v->text, v->options ? v->options : ""};

    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        h = hash64(h, text[i], strlen(text[i]) + 1);
    h = hash64(h, v->units, sizeof v->units);
    h = hash64(h, v->local, v->nlocal * sizeof *v->local);
    return hash64(h, &v->tolerance, sizeof v->tolerance);
}

uint64_t pool_hash(const struct pool_variant *pool, const char *kernel, const char *program)
{
    const struct pool_variant *v;
    uint64_t h = HASH64_START;
    unsigned n = 0;

    while ((v = pool_find(pool, kernel, program, n)) && ++n)
        h = hash_variant(h, v);
    return n ? h : 0;
}

bool pool_offers(const struct pool_variant *pool, const char *glob, const char *name)
{
    while (pool && (strcmp(pool->name, name) != 0 || !opt_glob_list(glob, pool->kernel)))
        pool = pool->next;
    return pool;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_variant(const struct pool_variant *a, const struct pool_variant *b)
{
    return same_text(a->kernel, b->kernel) && same_text(a->name, b->name) && same_text(a->text, b->text) &&
           same_text(a->program, b->program) && same_text(a->options, b->options) &&
           memcmp(a->units, b->units, sizeof a->units) == 0 && a->nlocal == b->nlocal &&
           memcmp(a->local, b->local, a->nlocal * sizeof *a->local) == 0 && !(a->tolerance < b->tolerance) &&
           !(a->tolerance > b->tolerance);
}

static struct pool_variant *copy_variant(const struct pool_variant *v)
{
    struct pool_variant *c = malloc(sizeof *c);

    if (!c)
        return NULL;
    *c = *v;
    c->kernel = strdup(v->kernel);
    c->name = strdup(v->name);
    c->text = strdup(v->text);
    c->program = strdup(v->program);
    c->options = v->options ? strdup(v->options) : NULL;
    c->next = NULL;
    return c;
}

/* Of a copy, also of one that lacks parts. */
static void free_variant(struct pool_variant *c)
{
    const char *part[] = {c->kernel, c->name, c->text, c->program, c->options};

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        free((char *)part[i]);
    free(c);
}

int pool_offer(struct pool_variant *_Atomic *pool, const struct pool_variant *v)
{
    struct pool_variant *c, *old = NULL;

    for (c = *pool; c; c = c->next)
        if (same_variant(c, v))
            return 0;
    c = copy_variant(v);
    if (c && c->kernel && c->name && c->text && c->program && (c->options || !v->options)) {
        atomic_store(&c->met, true); /* the program knows its kernels */
        while (!atomic_compare_exchange_strong(pool, &old, c)) {
            pool = &old->next;
            old = NULL;
        }
        return 0;
    }
    if (c)
        free_variant(c);
    return -ENOMEM;
}

void pool_met(struct pool_variant *pool, const char *kernel)
{
    for (; pool; pool = pool->next)
        if (strcmp(pool->kernel, kernel) == 0)
            atomic_store(&pool->met, true);
}
