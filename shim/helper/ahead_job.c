/* ahead_job.c - see ahead_job.h.  Linked into the preloaded library and the helper alike, so it uses libc
 * alone. */
#include "shim/helper/ahead_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "analysis/summary/text.h"

#define MAGIC       "clsizer-ahead 6"
#define MOST_NAME   65536
#define MOST_HEADER 64 /* bytes of a binary's */

static const char *const kind_words[] = {
    [AHEAD_BUFFER] = "buffer", [AHEAD_NULL] = "null",   [AHEAD_LOCAL] = "local",
    [AHEAD_VALUE] = "value",   [AHEAD_IMAGE] = "image", [AHEAD_SAMPLER] = "sampler"};
static const struct sum_names kinds = {kind_words, sizeof kind_words / sizeof *kind_words};

static void three(struct text *t, size_t v[3])
{
    for (unsigned d = 0; d < 3; d++)
        TEXT_NUMBER(t, v[d]);
}

static void argument(struct text *t, struct ahead_arg *a)
{
    TEXT_NAME(t, &kinds, a->kind);
    const unsigned numbers = a->kind == AHEAD_IMAGE     ? AHEAD_IMAGE_NUMBERS
                             : a->kind == AHEAD_SAMPLER ? AHEAD_SAMPLER_NUMBERS
                                                        : 0;
    if (a->kind != AHEAD_NULL && a->kind != AHEAD_SAMPLER)
        TEXT_NUMBER(t, a->bytes);
    if (a->kind == AHEAD_VALUE && a->bytes > sizeof a->value)
        text_fail(t, -EINVAL);
    for (uint64_t b = 0; a->kind == AHEAD_VALUE && !t->err && b < a->bytes; b++)
        TEXT_NUMBER(t, a->value[b]);
    for (unsigned i = 0; i < numbers; i++)
        TEXT_NUMBER(t, a->number[i]);
    text_end_line(t);
}

static void sizes(struct text *t, struct ahead_job *j)
{
    for (unsigned i = 0; text_has(t, "size", i < j->nsize); i++) {
        if (i == AHEAD_MOST_SIZES) {
            text_fail(t, -EINVAL);
            return;
        }
        three(t, j->size[i]);
        text_end_line(t);
        if (!t->out)
            j->nsize = i + 1;
    }
}

/* The rest of the line has the number of bytes that follow. */
static void name(struct text *t, char **bytes)
{
    size_t n = t->out ? strlen(*bytes) : 0;

    TEXT_NUMBER(t, n);
    text_end_line(t);
    text_bytes(t, bytes, n, MOST_NAME);
    text_end_line(t);
}

/* All but the program's request, which follows. */
static void job(struct text *t, struct ahead_job *j)
{
    text_must(t, MAGIC);
    text_end_line(t);
    text_must(t, "answer");
    name(t, &j->answer);
    text_must(t, "kernel");
    name(t, &j->kernel);
    text_must(t, "range");
    TEXT_NUMBER(t, j->dim);
    three(t, j->global);
    three(t, j->offset);
    text_end_line(t);
    for (uint32_t i = 0, cap = 0; TEXT_MORE(t, "arg", j->arg, j->narg, i, cap, AHEAD_MOST_ARGS); i++)
        argument(t, &j->arg[i]);
    text_flag(t, "slices", &j->slices);
    if (j->slices)
        text_end_line(t);
    if (text_has(t, "trial", j->trial)) {
        TEXT_NUMBER(t, j->trial);
        text_end_line(t);
    }
    if (text_has(t, "binary", j->binary))
        name(t, &j->binary);
    sizes(t, j);
    text_must(t, "program");
    text_end_line(t);
}

int ahead_write(const struct ahead_job *j, FILE *f)
{
    struct text t = text_writer(f);

    if (j->narg > AHEAD_MOST_ARGS || j->nsize > AHEAD_MOST_SIZES)
        return -EINVAL;
    job(&t, (struct ahead_job *)j); /* which is only looked at */
    return t.err ? t.err : req_write(&j->program, f);
}

int ahead_read(const char *text, size_t size, struct ahead_job *out)
{
    struct text t = text_reader(text, size);
    int error;

    *out = (struct ahead_job){0};
    job(&t, out);
    if (out->dim < 1 || out->dim > 3)
        text_fail(&t, -EINVAL);
    error = t.err ? t.err : req_read(t.p, (size_t)(t.end - t.p), &out->program);
    if (error)
        ahead_free(out);
    return error;
}

void ahead_free(struct ahead_job *j)
{
    free(j->answer);
    free(j->kernel);
    free(j->arg);
    free(j->binary);
    req_free(&j->program);
    *j = (struct ahead_job){0};
}

bool ahead_job_file(const char *first, unsigned n, char *path, size_t size)
{
    const int length = n ? snprintf(path, size, "%s.%u", first, n) : snprintf(path, size, "%s", first);

    return length > 0 && (size_t)length < size;
}

bool ahead_is_large(const size_t global[3])
{
    return global[0] >= AHEAD_LARGE_EXTENT || global[1] >= AHEAD_LARGE_EXTENT ||
           global[2] >= AHEAD_LARGE_EXTENT;
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

int ahead_read_answer(const char *text, size_t size, struct ahead_answer *a)
{
    struct text t = text_reader(text, size);

    *a = (struct ahead_answer){0};
    while (!t.err && t.p < t.end && !a->ended) {
        bool took = false, worked = false;
        text_flag(&t, "end", &a->ended);
        text_flag(&t, "took", &took);
        text_flag(&t, "worked", &worked);
        if (took)
            TEXT_NUMBER(&t, a->took_ns);
        else if (worked)
            TEXT_NUMBER(&t, a->worked_ns);
        else if (!a->ended && a->n == AHEAD_MOST_SIZES)
            return -EINVAL;
        else if (!a->ended)
            three(&t, a->local[a->n++]);
        text_end_line(&t);
    }
    if (a->took_ns < 0 || a->worked_ns < 0)
        return -EINVAL;
    return t.err || t.p < t.end || (size && text[size - 1] != '\n') ? -EINVAL : 0;
}

static unsigned long long binary_hash(const void *binary, size_t bytes)
{
    return hash64(HASH64_START, binary, bytes);
}

int ahead_write_binary(FILE *f, const void *binary, size_t bytes)
{
    fprintf(f, "clsizer-binary 1 %zu %016llx\n", bytes, binary_hash(binary, bytes));
    return fwrite(binary, 1, bytes, f) == bytes ? 0 : -EIO;
}

const unsigned char *ahead_read_binary(const char *text, size_t size, size_t *bytes)
{
    const char *line = memchr(text, '\n', size < MOST_HEADER ? size : MOST_HEADER), *from;
    char header[MOST_HEADER + 1] = "";
    unsigned long long hash;

    if (!line)
        return NULL;
    from = line + 1;
    memcpy(header, text, (size_t)(line - text));
    if (sscanf(header, "clsizer-binary 1 %zu %16llx", bytes, &hash) != 2 ||
        *bytes != size - (size_t)(from - text) || hash != binary_hash(from, *bytes))
        return NULL;
    return (const unsigned char *)from;
}
