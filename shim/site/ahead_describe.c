/* ahead_describe.c - the job that clsizer-ahead gets for a site: which sizes are worth compiling over there,
 * and the program, range and arguments to make their first launches with. */
#include "shim/site/ahead_describe.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/guest/next.h"
#include "shim/guest/util.h"
#include "shim/helper/ahead_job.h"
#include "shim/site/arguments.h"

#define MOST_BYTES       (256ull << 20) /* of all buffers and images together */
#define MOST_LAUNCHES_NS 2000000000 /* of the launches that the process makes for a kernel, all together */

/* Has the lane something left to compile?  If slices are compared, that is the code for these, even if
 * whole launches have been made with the size. */
static bool is_wanted(const struct shim_site *s, unsigned lane)
{
    const struct prof_lane *l = &s->race.lane[lane];

    if (!l->local[0] || l->dropped || l->variant)
        return false;
    return s->in_slices || (lane && !l->tried && !l->known);
}

/* Fill j->size with the sizes to compile, as many as can be launched once each within MOST_LAUNCHES_NS. */
static void want_sizes(const struct shim_site *s, struct ahead_job *j)
{
    const struct prof_race *r = &s->race;
    size_t range[3];
    double ns = 0;

    for (unsigned i = 0; i < r->n && j->nsize < AHEAD_MOST_SIZES && ns <= MOST_LAUNCHES_NS; i++) {
        if (!is_wanted(s, i))
            continue;
        memcpy(j->size[j->nsize], r->lane[i].local, sizeof *j->size);
        ahead_range(j, r->lane[i].local, range);
        ns += (j->slices ? 2 : 1) * site_own_rate(s) * (double)range[0] * (double)range[1] * (double)range[2];
        j->nsize += ns <= MOST_LAUNCHES_NS;
    }
}

/* ---- arguments ------------------------------------------------------------------------------------- */

static bool ask_image(cl_mem m, cl_image_info what, uint64_t *number)
{
    size_t answer = 0;

    if (next()->clGetImageInfo(m, what, sizeof answer, &answer, NULL) != CL_SUCCESS)
        return false;
    *number = answer;
    return true;
}

/* False unless the image has memory of its own, no mip levels and no samples: others are made from objects or
 * by extensions that a job cannot describe. */
static bool describe_image(const struct shim_arg *from, struct ahead_arg *a)
{
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    cl_image_format format;
    cl_uint levels = 0, samples = 0;
    cl_mem m, part_of = NULL;

    memcpy(&m, from->value, sizeof m);
    if (next()->clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        next()->clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL) != CL_SUCCESS ||
        next()->clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof part_of, &part_of, NULL) !=
            CL_SUCCESS ||
        next()->clGetImageInfo(m, CL_IMAGE_FORMAT, sizeof format, &format, NULL) != CL_SUCCESS ||
        next()->clGetImageInfo(m, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL) != CL_SUCCESS ||
        next()->clGetImageInfo(m, CL_IMAGE_NUM_SAMPLES, sizeof samples, &samples, NULL) != CL_SUCCESS)
        return false;
    a->number[AHEAD_FLAGS] = flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
    a->number[AHEAD_TYPE] = type;
    a->number[AHEAD_CHANNEL_ORDER] = format.image_channel_order;
    a->number[AHEAD_CHANNEL_TYPE] = format.image_channel_data_type;
    return !part_of && levels <= 1 && samples <= 1 && ask_image(m, CL_IMAGE_WIDTH, &a->number[AHEAD_WIDTH]) &&
           ask_image(m, CL_IMAGE_HEIGHT, &a->number[AHEAD_HEIGHT]) &&
           ask_image(m, CL_IMAGE_DEPTH, &a->number[AHEAD_DEPTH]) &&
           ask_image(m, CL_IMAGE_ARRAY_SIZE, &a->number[AHEAD_LAYERS]);
}

/* False when the sampler's properties cannot be had. */
static bool describe_sampler(const struct shim_arg *from, struct ahead_arg *a)
{
    cl_bool normalized = CL_FALSE;
    cl_addressing_mode addressing = 0;
    cl_filter_mode filter = 0;
    cl_sampler s;

    memcpy(&s, from->value, sizeof s);
    if (from->size != sizeof s || !s ||
        next()->clGetSamplerInfo(s, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalized, &normalized, NULL) !=
            CL_SUCCESS ||
        next()->clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof addressing, &addressing, NULL) !=
            CL_SUCCESS ||
        next()->clGetSamplerInfo(s, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL) != CL_SUCCESS)
        return false;
    a->number[AHEAD_NORMALIZED] = normalized;
    a->number[AHEAD_ADDRESSING] = addressing;
    a->number[AHEAD_FILTER] = filter;
    return true;
}

/* False when the argument cannot be had in another process: it is not set, points into memory that no buffer
 * names, or is of a kind that a job cannot describe. */
static bool describe_argument(enum sum_arg_kind kind, const struct launch_arg *known,
                              const struct shim_arg *from, struct ahead_arg *a)
{
    *a = (struct ahead_arg){0};
    if (!known->set || known->opaque)
        return false;
    switch (kind) {
    case SUM_ARG_LOCAL:
        *a = (struct ahead_arg){.kind = AHEAD_LOCAL, .bytes = known->size};
        return from->local;
    case SUM_ARG_BUFFER:
        *a = (struct ahead_arg){.kind = known->bytes ? AHEAD_BUFFER : AHEAD_NULL, .bytes = known->bytes};
        return true;
    case SUM_ARG_SCALAR:
        *a = (struct ahead_arg){.kind = AHEAD_VALUE, .bytes = known->size};
        memcpy(a->value, known->value, sizeof a->value);
        return known->size <= sizeof a->value;
    case SUM_ARG_IMAGE:
        *a = (struct ahead_arg){.kind = AHEAD_IMAGE, .bytes = known->bytes};
        return known->memory && describe_image(from, a);
    case SUM_ARG_SAMPLER:
        a->kind = AHEAD_SAMPLER;
        return describe_sampler(from, a);
    default:
        return false;
    }
}

/* False when one of the arguments cannot be had in another process, or all buffers and images together take
 * more than MOST_BYTES. */
static bool describe_arguments(const struct launching *l, struct ahead_arg *arg)
{
    const struct kernel_summary *k = l->site->entry->summary;
    struct launch_arg *known = calloc(l->kernel->nargs + 1, sizeof *known);
    uint64_t bytes = 0;
    bool ok = known && k->nargs == l->kernel->nargs;

    if (known)
        args_describe(l, known);
    for (unsigned i = 0; ok && i < l->kernel->nargs; i++) {
        ok = describe_argument(k->args[i].kind, &known[i], &l->kernel->args[i], &arg[i]);
        bytes += arg[i].kind == AHEAD_BUFFER || arg[i].kind == AHEAD_IMAGE ? arg[i].bytes : 0;
    }
    free(known);
    return ok && bytes <= MOST_BYTES;
}

/* ---- the job --------------------------------------------------------------------------------------- */

/* 0 or negative errno. */
static int write_job(const struct ahead_job *j, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    int error = f ? ahead_write(j, f) : -ENOMEM;

    if (f && fclose(f) && !error)
        error = -ENOMEM;
    unlink(path);
    if (!error)
        error = util_make_file(path, 0600, text, size);
    free(text);
    return error;
}

static struct req program_of(const struct shim_build *b)
{
    return (struct req){.options = b->source->options,
                        .cwd = b->source->cwd,
                        .device = b->device->compiler,
                        .bits = b->device->address_bits,
                        .source = b->source->text,
                        .source_bytes = b->source->size};
}

/* The variant, whose text is only looked at, in place of the program. */
static void take_text(struct ahead_job *j, const struct variant *v)
{
    j->kernel = (char *)v->kernel;
    j->program.source = (char *)v->text;
    j->program.source_bytes = strlen(v->text);
    j->program.options = (char *)v->options;
}

/* Without sizes. */
static struct ahead_job job_of(const struct launching *l, struct ahead_arg arg[AHEAD_MOST_ARGS])
{
    const struct shim_site *s = l->site;
    struct ahead_job j = {.kernel = s->entry->name,
                          .dim = s->key.dim,
                          .narg = l->kernel->nargs,
                          .arg = arg,
                          .program = program_of(s->entry->build)};

    memcpy(j.global, s->key.global, sizeof j.global);
    memcpy(j.offset, l->shape.offset, sizeof j.offset);
    return j;
}

int ahead_make_job(const struct launching *l, const char *answer, const char *path)
{
    struct ahead_arg arg[AHEAD_MOST_ARGS];
    struct ahead_job j = job_of(l, arg);
    int error;

    j.answer = (char *)answer;
    j.slices = l->site->in_slices;
    want_sizes(l->site, &j);
    if (!j.nsize)
        return 0;
    if (j.narg > AHEAD_MOST_ARGS || !describe_arguments(l, arg))
        return -EINVAL;
    error = write_job(&j, path);
    return error ? error : (int)j.nsize;
}

int ahead_make_trial(const struct launching *l, const struct variant *v, const struct ahead_question *q,
                     char *binary, const char *answer, const char *path)
{
    struct ahead_arg arg[AHEAD_MOST_ARGS];
    struct ahead_job j = job_of(l, arg);
    uint64_t end;
    int error;

    j.answer = (char *)answer;
    j.trial = q->needed;
    j.binary = binary;
    take_text(&j, v);
    j.nsize = q->n;
    memcpy(j.size, q->local, q->n * sizeof *q->local);
    if (!variant_range(v, &l->shape, q->local[0], j.global, j.offset) || j.narg >= AHEAD_MOST_ARGS ||
        !describe_arguments(l, arg))
        return -EINVAL;
    if (v->end) {
        end = l->shape.offset[v->end - 1] + l->shape.global[v->end - 1];
        arg[j.narg] = (struct ahead_arg){.kind = AHEAD_VALUE, .bytes = sizeof end};
        memcpy(arg[j.narg++].value, &end, sizeof end);
    }
    error = write_job(&j, path);
    return error ? error : 1;
}

int ahead_make_binary(const struct shim_build *b, const struct variant *v, char *binary, const char *path)
{
    struct ahead_job j = {.answer = binary, .binary = binary, .dim = 1, .program = program_of(b)};

    take_text(&j, v);
    return write_job(&j, path);
}
