/* fixed.c - see fixed.h. */
#include "shim/tune/fixed.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/object/driver_sizes.h"
#include "shim/site/arguments.h"

#define SUFFIX    "__clsizer"  /* of the wrapper's name; texts with such a name are left alone */
#define PARAMETER "clsizer_%u" /* not a macro of the program's */

/* ---- types ------------------------------------------------------------------------------------------ */

enum number { SIGNED, UNSIGNED, FLOAT };

static const struct scalar {
    const char *name, *other; /* as sources spell it */
    uint32_t size;
    enum number number;
} scalars[] = {{"char", "signed char", 1, SIGNED},   {"uchar", "unsigned char", 1, UNSIGNED},
               {"short", "signed short", 2, SIGNED}, {"ushort", "unsigned short", 2, UNSIGNED},
               {"int", "signed int", 4, SIGNED},     {"uint", "unsigned int", 4, UNSIGNED},
               {"long", "signed long", 8, SIGNED},   {"ulong", "unsigned long", 8, UNSIGNED},
               {"float", "float", 4, FLOAT},         {"double", "double", 8, FLOAT}};

static const struct scalar *scalar_of(const struct sum_arg *a)
{
    for (unsigned i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (a->size == scalars[i].size &&
            (strcmp(a->type, scalars[i].name) == 0 || strcmp(a->type, scalars[i].other) == 0))
            return &scalars[i];
    return NULL;
}

/* Is it a name like float4, of a vector of such numbers?  Vectors of three are as large as those of four. */
static bool is_vector(const struct sum_arg *a)
{
    char name[16];

    for (unsigned i = 0; i < sizeof scalars / sizeof *scalars; i++)
        for (unsigned width = 2; width <= 16; width = width == 2 ? 3 : width == 3 ? 4 : 2 * width) {
            snprintf(name, sizeof name, "%s%u", scalars[i].name, width);
            if (strcmp(a->type, name) == 0)
                return a->size == scalars[i].size * (width == 3 ? 4 : width);
        }
    return false;
}

/* ---- the text --------------------------------------------------------------------------------------- */

struct wrapper {
    const struct launching *l;
    const struct kernel_summary *k;
    const size_t *local;
    struct variant_value *value; /* one per argument */
    bool apart;                  /* pointers may be `restrict` */
};

static void print_parameter(FILE *f, const struct wrapper *w, unsigned i)
{
    const struct sum_arg *a = &w->k->args[i];

    if (a->kind == SUM_ARG_SCALAR)
        fprintf(f, "%s%s " PARAMETER, i ? ", " : "", a->type, i);
    else
        fprintf(f, "%s__%s void *%s" PARAMETER, i ? ", " : "",
                a->space == SUM_CONSTANT ? "constant" : "global", w->apart ? "restrict " : "", i);
}

/* The bits of the value, whose sign is extended where the type has one. */
static int64_t bits_of(const struct variant_value *v, enum number number)
{
    uint64_t bits = 0;

    memcpy(&bits, v->value, v->size);
    if (number == SIGNED && v->size < 8 && bits >> (8 * v->size - 1))
        bits |= ~UINT64_C(0) << 8 * v->size;
    return (int64_t)bits;
}

/* The value as an expression of just this type. */
static void print_value(FILE *f, const struct scalar *s, const struct variant_value *v)
{
    const int64_t bits = bits_of(v, s->number);

    if (s->number == FLOAT)
        fprintf(f, "as_%s(0x%" PRIx64 "u%s)", s->name, (uint64_t)bits, s->size == 8 ? "l" : "");
    else if (s->number == UNSIGNED)
        fprintf(f, "(%s)%" PRIu64 "ul", s->name, (uint64_t)bits);
    else if (bits == INT64_MIN)
        fprintf(f, "(%s)0x8000000000000000ul", s->name);
    else
        fprintf(f, "(%s)%" PRId64 "l", s->name, bits);
}

/* A macro of the kernel's name would have come after the kernel. */
static void print_wrapper(FILE *f, const struct wrapper *w)
{
    const struct kernel_summary *k = w->k;
    const char *name = w->l->kernel->name;

    fprintf(f, "\n#undef %s\n__kernel ", name);
    if (w->local && w->local[0])
        fprintf(f, "__attribute__((reqd_work_group_size(%zu, %zu, %zu))) ", w->local[0], w->local[1],
                w->local[2]);
    fprintf(f, "void %s" SUFFIX "(", name);
    for (unsigned i = 0; i < k->nargs; i++)
        print_parameter(f, w, i);
    fprintf(f, ")\n{\n    %s(", name);
    for (unsigned i = 0; i < k->nargs; i++) {
        fprintf(f, "%s", i ? ", " : "");
        if (w->value[i].fixed)
            print_value(f, scalar_of(&k->args[i]), &w->value[i]);
        else
            fprintf(f, PARAMETER, i);
    }
    fprintf(f, ");\n}\n");
}

/* The program's text with the wrapper behind it; malloc'ed, NULL when out of memory. */
static char *whole_text(const struct wrapper *w)
{
    const struct shim_source *source = w->l->kernel->source;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return NULL;
    fwrite(source->text, 1, source->size, f);
    print_wrapper(f, w);
    if (!fclose(f))
        return text;
    free(text);
    return NULL;
}

/* ---- whether ---------------------------------------------------------------------------------------- */

/* Is the driver's program made from this very text? */
static bool made_from_text(const struct launching *l)
{
    const struct shim_source *s = l->kernel->source;
    cl_program program = NULL;
    size_t size = 0;

    return s->form == REQ_C && !s->reads_files && !memchr(s->text, '\0', s->size) &&
           next()->clGetKernelInfo(l->call->kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL) ==
               CL_SUCCESS &&
           next()->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) == CL_SUCCESS &&
           size == s->size + 1;
}

/* Can a kernel call it, and is that the same?  With local memory that is the implementation's choice.  A
 * variable of the program's that its other kernels may write is another one in a program of ours. */
static bool may_be_called(const struct wrapper *w)
{
    const struct kernel_summary *k = w->k;

    if (k->local_bytes || k->reqd[0] || k->hint[0] || k->has_barrier || k->nargs != w->l->kernel->nargs ||
        k->nargs > ARGS_MOST || strstr(w->l->kernel->source->text, SUFFIX))
        return false;
    for (unsigned i = 0; i < k->nvars; i++)
        if (k->vars[i].space != SUM_CONSTANT)
            return false;
    return true;
}

static bool may_be_written(const struct kernel_summary *k)
{
    for (unsigned i = 0; i < k->nargs; i++) {
        const struct sum_arg *a = &k->args[i];
        if (a->kind != SUM_ARG_BUFFER && (a->kind != SUM_ARG_SCALAR || !(scalar_of(a) || is_vector(a))))
            return false;
    }
    return true;
}

/* Note the values of steady scalars; returns how many there are. */
static unsigned fix_values(const struct wrapper *w, uint64_t steady)
{
    unsigned n = 0;

    for (unsigned i = 0; i < w->k->nargs; i++) {
        const struct shim_arg *a = &w->l->kernel->args[i];
        if (!(steady & sel_argument_bit(i)) || w->k->args[i].kind != SUM_ARG_SCALAR ||
            !scalar_of(&w->k->args[i]) || !a->set || a->size != w->k->args[i].size)
            continue;
        variant_value_of(&w->value[i], a);
        n++;
    }
    return n;
}

static const char *problem_of(const struct wrapper *w)
{
    if (w->l->site->classes.whole)
        return "driver-classes";
    if (!made_from_text(w->l))
        return "variant-source";
    if (!may_be_called(w))
        return "variant-kernel";
    if (!may_be_written(w->k))
        return "variant-argument";
    return NULL;
}

static struct variant *make(struct wrapper *w, unsigned values)
{
    char *text = whole_text(w), name[256];
    struct variant *v = NULL;

    if (text && (size_t)snprintf(name, sizeof name, "%s" SUFFIX, w->l->kernel->name) < sizeof name) {
        struct variant o = {.label = "fixed",
                            .text = text,
                            .kernel = name,
                            .units = {1, 1, 1},
                            .value = w->value,
                            .guard = values ? sel_values_are_safe : NULL,
                            .apart = w->apart};
        if (w->local) {
            o.nlocal = 1;
            memcpy(o.local[0], w->local, sizeof o.local[0]);
        }
        v = variant_new(&o, w->l->kernel);
    }
    free(text);
    return v;
}

struct variant *fixed_variant(const struct launching *l, uint64_t steady, const size_t local[3],
                              const char **reason, const char **detail)
{
    struct wrapper w = {.l = l, .k = l->site->entry->summary, .local = local};
    struct variant *v = NULL;
    unsigned fixed = 0;

    (void)detail;
    *reason = problem_of(&w);
    if (*reason)
        return NULL;
    w.apart = variant_passes(l, sel_buffers_are_apart);
    w.value = calloc(w.k->nargs + 1, sizeof *w.value);
    if (w.value && sel_constants_are_safe(w.k, l->queue->device->is_cpu) &&
        variant_passes(l, sel_values_are_safe))
        fixed = fix_values(&w, steady);
    if (!fixed && !w.apart)
        *reason = "variant-nothing";
    else if (!w.value || !(v = make(&w, fixed)))
        *reason = "variant-no-memory";
    free(w.value);
    return v;
}
