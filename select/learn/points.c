/* points.c - see points.h. */
#include "select/learn/points.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/hash.h"

#define MOST_NAME 256
#define KEY_ROOM  (2 * MOST_NAME + 64)
#define MOST_TIME 1000000000 /* thousandths */
#define PROGRAM   ",\"program\":\""
#define SIZES     ",\"sizes\":["
#define OWN       ",\"own\":"

/* ---- writing --------------------------------------------------------------------------------------- */

static bool is_plain(const char *name)
{
    const char *at = name;

    while (*at && (unsigned char)*at >= ' ' && (unsigned char)*at < 127 && *at != '"' && *at != '\\')
        at++;
    return !*at && at > name && at - name < MOST_NAME;
}

/* What the line begins with, which says what the race was about; "" where a name would have to be quoted. */
static void key_text(const char *kernel, const char *program, uint64_t shape, char out[KEY_ROOM])
{
    *out = '\0';
    if (is_plain(kernel) && is_plain(program))
        snprintf(out, KEY_ROOM, LEARN_LINE "%s\"" PROGRAM "%s\",\"shape\":\"%016" PRIx64 "\"", kernel,
                 program, shape);
}

static void put_size(FILE *f, const struct learn_size *s, double best)
{
    const double time = s->time / best * 1000 + 0.5;

    fprintf(f, "[%zu,%zu,%zu,%u,%u", s->local[0], s->local[1], s->local[2], s->samples,
            time < MOST_TIME ? (unsigned)time : MOST_TIME);
    for (unsigned i = 0; i < SEL_FEATURES; i++)
        fprintf(f, ",%u", s->x[i]);
    fputc(']', f);
}

char *learn_line(const char *kernel, const char *program, uint64_t shape, bool own,
                 const struct learn_size *s, unsigned n)
{
    char *text = NULL;
    size_t size;
    double best = n ? s[0].time : 0;
    char key[KEY_ROOM];

    key_text(kernel, program, shape, key);
    FILE *f = *key && n > 1 && n <= LEARN_SIZES ? open_memstream(&text, &size) : NULL;
    if (!f)
        return NULL;
    for (unsigned i = 1; i < n; i++)
        best = s[i].time < best ? s[i].time : best;
    fprintf(f, "%s%s", key, SIZES);
    for (unsigned i = 0; i < n; i++) {
        if (i)
            fputc(',', f);
        put_size(f, &s[i], best);
    }
    fprintf(f, "]" OWN "%s}", own ? "true" : "false");
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------------- */

/* Skip `word`.  False if it is not there. */
static bool skip(const char **at, const char *word)
{
    const size_t n = strlen(word);

    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

static bool read_number(const char **at, uint64_t most, uint64_t *out)
{
    const char *begin = *at;

    for (*out = 0; **at >= '0' && **at <= '9' && *out <= most; ++*at)
        *out = *out * 10 + (uint64_t)(**at - '0');
    return *at > begin && *out <= most;
}

/* "[..]": the numbers of a size.  False if it is damaged. */
static bool read_size(const char **at, struct learn_point *p)
{
    uint64_t v[LEARN_MEMBERS];

    for (unsigned i = 0; i < LEARN_MEMBERS; i++)
        if (!skip(at, i ? "," : "[") || !read_number(at,
                                                     i < 3   ? SIZE_MAX / 16
                                                     : i < 5 ? MOST_TIME
                                                             : UINT16_MAX,
                                                     &v[i]))
            return false;
    p->time = (uint32_t)v[4];
    for (unsigned i = 0; i < SEL_FEATURES; i++)
        p->x[i] = (uint16_t)v[5 + i];
    return p->time >= 1000 && skip(at, "]");
}

size_t learn_key(const char *line)
{
    const char *sizes = strncmp(line, LEARN_LINE, sizeof LEARN_LINE - 1) == 0 ? strstr(line, SIZES) : NULL;

    return sizes ? (size_t)(sizes - line) : 0;
}

/* Up to a quote, which is skipped.  False if it is missing, or nothing is before it. */
static bool hash_name(const char **at, uint64_t *out)
{
    const size_t n = strcspn(*at, "\"");

    *out = hash64(HASH64_START, *at, n);
    *at += n;
    return n && skip(at, "\"");
}

/* The points of a line, `room` of them at most.  How many there are; 0 if it is damaged. */
static unsigned read_line(const char *line, struct learn_point *out, unsigned room)
{
    const size_t key = learn_key(line);
    const char *at = line;
    uint64_t kernel, program;
    unsigned n = 0;

    if (!key || !skip(&at, LEARN_LINE) || !hash_name(&at, &kernel) || !skip(&at, PROGRAM) ||
        !hash_name(&at, &program))
        return 0;
    at = line + key;
    if (!skip(&at, SIZES))
        return 0;
    do {
        if (n == room || !read_size(&at, &out[n]))
            return 0;
        out[n].kernel = kernel;
        out[n].program = program;
        out[n].own = false;
        out[n++].launch = hash64(HASH64_START, line, key);
    } while (skip(&at, ","));
    if (!skip(&at, "]" OWN) || !(skip(&at, "false}") || (out[0].own = skip(&at, "true}"))))
        return 0;
    return *at ? 0 : n;
}

unsigned learn_count(const char *line)
{
    struct learn_point p[LEARN_SIZES];

    return read_line(line, p, LEARN_SIZES);
}

int learn_add(struct learn_points *p, const char *line)
{
    if (p->room - p->n < LEARN_SIZES) {
        const unsigned room = 2 * p->room + LEARN_SIZES;
        struct learn_point *more = realloc(p->point, room * sizeof *more);
        if (!more)
            return -ENOMEM;
        p->point = more;
        p->room = room;
    }
    const unsigned n = read_line(line, p->point + p->n, LEARN_SIZES);
    for (unsigned i = 0; i < n; i++)
        p->point[p->n++].race = p->races;
    p->races += n > 0;
    return n ? 0 : -EBADMSG;
}

void learn_points_free(struct learn_points *p)
{
    free(p->point);
    *p = (struct learn_points){0};
}

/* ---- what a race was about ------------------------------------------------------------------------- */

uint64_t learn_launch(const char *kernel, const char *program, uint64_t shape)
{
    char key[KEY_ROOM];

    key_text(kernel, program, shape, key);
    return *key ? hash64(HASH64_START, key, strlen(key)) : 0;
}

unsigned learn_kernels(const struct learn_points *p)
{
    unsigned n = 0;

    for (unsigned i = 0; i < p->n; i = learn_end(p, i)) {
        bool known = false;
        for (unsigned j = 0; j < i && !known; j = learn_end(p, j))
            known = p->point[j].kernel == p->point[i].kernel;
        n += !known;
    }
    return n;
}
