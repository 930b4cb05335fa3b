/* ahead_job.c - see ahead_job.h.  Linked into the preloaded library and the helper alike, so it uses libc
 * alone. */
#include "shim/helper/ahead_job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC       "clsizer-ahead 1\n"
#define MOST_NAME   65536
#define MOST_NUMBER 20 /* digits */

static void write_numbers(const struct ahead_arg *a, unsigned n, FILE *f)
{
    for (unsigned i = 0; i < n; i++)
        fprintf(f, "%" PRIu64 "%c", a->number[i], i + 1 < n ? ' ' : '\n');
}

int ahead_write(const struct ahead_job *j, FILE *f)
{
    if (j->narg > AHEAD_MOST_ARGS || j->nsize > AHEAD_MOST_SIZES)
        return -EINVAL;
    fprintf(f, MAGIC "kernel %zu\n%s\nrange %u %zu %zu %zu %zu %zu %zu\n", strlen(j->kernel), j->kernel,
            j->dim, j->global[0], j->global[1], j->global[2], j->offset[0], j->offset[1], j->offset[2]);
    for (unsigned i = 0; i < j->narg; i++) {
        const struct ahead_arg *a = &j->arg[i];
        switch (a->kind) {
        case AHEAD_BUFFER:
            fprintf(f, "arg buffer %" PRIu64 "\n", a->bytes);
            break;
        case AHEAD_NULL:
            fputs("arg null\n", f);
            break;
        case AHEAD_LOCAL:
            fprintf(f, "arg local %" PRIu64 "\n", a->bytes);
            break;
        case AHEAD_VALUE:
            fprintf(f, "arg value %" PRIu64 " ", a->bytes);
            for (uint64_t b = 0; b < a->bytes; b++)
                fprintf(f, "%02x", a->value[b]);
            fputc('\n', f);
            break;
        case AHEAD_IMAGE:
            fprintf(f, "arg image %" PRIu64 " ", a->bytes);
            write_numbers(a, AHEAD_IMAGE_NUMBERS, f);
            break;
        case AHEAD_SAMPLER:
            fputs("arg sampler ", f);
            write_numbers(a, AHEAD_SAMPLER_NUMBERS, f);
            break;
        }
    }
    if (j->slices)
        fputs("slices\n", f);
    for (unsigned i = 0; i < j->nsize; i++)
        fprintf(f, "size %zu %zu %zu\n", j->size[i][0], j->size[i][1], j->size[i][2]);
    fputs("program\n", f);
    return req_write(&j->program, f);
}

/* ---- reading --------------------------------------------------------------------------------------- */

struct cursor {
    const char *at, *end;
};

static bool take_word(struct cursor *c, const char *word)
{
    const size_t n = strlen(word);

    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
        return false;
    c->at += n;
    return true;
}

/* Take decimal digits and the character behind them. */
static bool take_number(struct cursor *c, char behind, uint64_t *value)
{
    const char *begin = c->at;

    for (*value = 0; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        *value = *value * 10 + (uint64_t)(*c->at - '0');
    if (c->at == begin || c->at - begin >= MOST_NUMBER || c->at == c->end || *c->at != behind)
        return false;
    c->at++;
    return true;
}

static bool take_three(struct cursor *c, char behind, size_t three[3])
{
    uint64_t v;

    for (unsigned d = 0; d < 3; d++) {
        if (!take_number(c, d < 2 ? ' ' : behind, &v))
            return false;
        three[d] = (size_t)v;
    }
    return true;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_bytes(struct cursor *c, struct ahead_arg *a)
{
    if (a->bytes > sizeof a->value || (uint64_t)(c->end - c->at) < 2 * a->bytes + 1)
        return false;
    for (uint64_t b = 0; b < a->bytes; b++, c->at += 2) {
        const int high = digit(c->at[0]), low = digit(c->at[1]);
        if (high < 0 || low < 0)
            return false;
        a->value[b] = (unsigned char)(high << 4 | low);
    }
    return *c->at++ == '\n';
}

static bool take_numbers(struct cursor *c, struct ahead_arg *a, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!take_number(c, i + 1 < n ? ' ' : '\n', &a->number[i]))
            return false;
    return true;
}

static bool take_argument(struct cursor *c, struct ahead_arg *a)
{
    *a = (struct ahead_arg){0};
    if (take_word(c, "null\n")) {
        a->kind = AHEAD_NULL;
        return true;
    }
    if (take_word(c, "value ")) {
        a->kind = AHEAD_VALUE;
        return take_number(c, ' ', &a->bytes) && take_bytes(c, a);
    }
    if (take_word(c, "image ")) {
        a->kind = AHEAD_IMAGE;
        return take_number(c, ' ', &a->bytes) && take_numbers(c, a, AHEAD_IMAGE_NUMBERS);
    }
    if (take_word(c, "sampler ")) {
        a->kind = AHEAD_SAMPLER;
        return take_numbers(c, a, AHEAD_SAMPLER_NUMBERS);
    }
    a->kind = take_word(c, "local ") ? AHEAD_LOCAL : AHEAD_BUFFER;
    return (a->kind == AHEAD_LOCAL || take_word(c, "buffer ")) && take_number(c, '\n', &a->bytes);
}

static int take_lists(struct cursor *c, struct ahead_job *j)
{
    while (take_word(c, "arg "))
        if (j->narg == AHEAD_MOST_ARGS || !take_argument(c, &j->arg[j->narg++]))
            return -EINVAL;
    j->slices = take_word(c, "slices\n");
    while (take_word(c, "size "))
        if (j->nsize == AHEAD_MOST_SIZES || !take_three(c, '\n', j->size[j->nsize++]))
            return -EINVAL;
    return take_word(c, "program\n") ? req_read(c->at, (size_t)(c->end - c->at), &j->program) : -EINVAL;
}

static int take_head(struct cursor *c, struct ahead_job *j)
{
    uint64_t n;

    if (!take_word(c, MAGIC "kernel ") || !take_number(c, '\n', &n) || n > MOST_NAME ||
        n >= (uint64_t)(c->end - c->at))
        return -EINVAL;
    j->kernel = strndup(c->at, n);
    j->arg = calloc(AHEAD_MOST_ARGS, sizeof *j->arg);
    if (!j->kernel || !j->arg)
        return -ENOMEM;
    c->at += n;
    if (!take_word(c, "\nrange ") || !take_number(c, ' ', &n) || n < 1 || n > 3 ||
        !take_three(c, ' ', j->global) || !take_three(c, '\n', j->offset))
        return -EINVAL;
    j->dim = (unsigned)n;
    return 0;
}

int ahead_read(const char *text, size_t size, struct ahead_job *out)
{
    struct cursor c = {.at = text, .end = text + size};
    int error;

    *out = (struct ahead_job){0};
    error = take_head(&c, out);
    if (!error)
        error = take_lists(&c, out);
    if (error)
        ahead_free(out);
    return error;
}

void ahead_free(struct ahead_job *j)
{
    free(j->kernel);
    free(j->arg);
    req_free(&j->program);
    *j = (struct ahead_job){0};
}

void ahead_range(const struct ahead_job *j, const size_t local[3], size_t global[3])
{
    unsigned large = 3;

    for (unsigned d = 0; d < 3; d++) {
        global[d] = local[d];
        if (large == 3 && j->global[d] >= AHEAD_LARGE_EXTENT)
            large = d;
    }
    if (large == 3)
        return;
    global[large] = (AHEAD_LARGE_EXTENT + local[large] - 1) / local[large] * local[large];
    if (global[large] > j->global[large])
        global[large] = j->global[large] / local[large] * local[large];
}

bool ahead_slice_offset(const struct ahead_job *j, const size_t local[3], size_t offset[3])
{
    memcpy(offset, j->offset, 3 * sizeof *offset);
    for (unsigned d = 0; d < j->dim; d++)
        if (j->global[d] / local[d] > 1) {
            offset[d] += local[d];
            return true;
        }
    return false;
}

int ahead_read_answer(const char *text, size_t size, size_t local[AHEAD_MOST_SIZES][3], bool *ended)
{
    struct cursor c = {.at = text, .end = text + size};
    int n = 0;

    *ended = false;
    while (c.at < c.end && !*ended)
        if (take_word(&c, "end\n"))
            *ended = true;
        else if (n == AHEAD_MOST_SIZES || !take_three(&c, '\n', local[n++]))
            return -EINVAL;
    return c.at == c.end ? n : -EINVAL;
}
