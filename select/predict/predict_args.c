/* predict_args.c - the arguments of the launch that `clsizer predict` looks at. */
#include "select/predict/predict.h"
#include "analysis/summary/words.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALF_MOST 65504.0
#define RAW       "bytes:"

/* Is the argument, or are its components, floating point?  The body knows also where the source has a name of
 * its own for the type. */
static bool is_floating(const struct kernel_summary *k, uint32_t arg)
{
    for (uint32_t i = 0; i < k->nleaf; i++)
        if (k->insns[i].op == SUM_ARG && k->insns[i].imm == arg && k->insns[i].flags & SUM_F_FLOAT)
            return true;
    return k->args[arg].type && words_start("float double half", k->args[arg].type);
}

/* IEEE 754 binary16, rounded to nearest. */
static uint16_t half_bits(double v)
{
    int exponent;
    const double fraction = frexp(fabs(v), &exponent); /* in [0.5, 1), or 0 */
    const uint16_t sign = signbit(v) ? 0x8000 : 0;
    if (exponent < -13)
        return (uint16_t)(sign | lrint(ldexp(fabs(v), 24)));
    return (uint16_t)(sign | (((exponent + 14) << 10) + lrint(ldexp(fraction, 11) - 1024)));
}

static bool put_floating(double v, uint32_t bytes, uint8_t *to)
{
    const float narrow = (float)v;
    const uint16_t half = fabs(v) <= HALF_MOST ? half_bits(v) : 0;
    switch (bytes) {
    case 2:
        memcpy(to, &half, sizeof half);
        return fabs(v) <= HALF_MOST;
    case 4:
        memcpy(to, &narrow, sizeof narrow);
        return true;
    case 8:
        memcpy(to, &v, sizeof v);
        return true;
    default:
        return false;
    }
}

/* One number of `bytes` bytes at *s, which is advanced behind it. */
static bool read_number(const char **s, bool floating, uint32_t bytes, uint8_t *to)
{
    char *end;
    bool fits;
    errno = 0;
    if (floating) {
        fits = put_floating(strtod(*s, &end), bytes, to);
    } else {
        const bool negative = **s == '-';
        const uint64_t v = negative ? (uint64_t)strtoll(*s, &end, 0) : strtoull(*s, &end, 0);
        const unsigned bits = bytes < sizeof v ? 8 * bytes : 64;
        memcpy(to, &v, bits / 8);
        fits = bits == 64 || (negative ? ~v : v >> 1) >> (bits - 1) == 0;
    }
    fits = fits && end != *s && errno == 0;
    *s = end;
    return fits;
}

/* Bytes of a vector argument's component, or of the argument if it is none; 0: the body does not tell. */
static uint32_t component_bytes(const struct kernel_summary *k, uint32_t arg)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < k->nleaf; i++) {
        const struct sum_insn *in = &k->insns[i];
        if (in->op != SUM_ARG || in->imm != arg)
            continue;
        if (in->lanes > 1 || in->flags & SUM_F_PART)
            return in->bits / 8;
        bytes = k->args[arg].size;
    }
    return bytes;
}

/* All bytes of a value, or the first LAUNCH_ARG_BYTES, two hexadecimal digits each. */
static bool read_raw(const char *s, struct launch_arg *out)
{
    const uint32_t size = out->size < LAUNCH_ARG_BYTES ? out->size : LAUNCH_ARG_BYTES;
    for (uint32_t i = 0; i < size; i++, s += 2)
        if (strspn(s, "0123456789abcdef") < 2 || sscanf(s, "%2hhx", &out->value[i]) != 1)
            return false;
    return *s == 0;
}

/* A scalar, or a vector as its components with commas between them; three components lie as four do. */
static bool read_value(const struct kernel_summary *k, uint32_t arg, const char *s, struct launch_arg *out)
{
    const uint32_t size = k->args[arg].size;
    unsigned n = 1;
    for (const char *c = s; *c; c++)
        n += *c == ',';
    const uint32_t room = n == 3 ? 4 : n, known = component_bytes(k, arg),
                   bytes = known ? known : size / room;
    out->set = true;
    out->size = size;
    if (strncmp(s, RAW, sizeof RAW - 1) == 0)
        return read_raw(s + sizeof RAW - 1, out);
    if (bytes == 0 || bytes > sizeof(uint64_t) || bytes * room != size || size > LAUNCH_ARG_BYTES)
        return false;
    for (unsigned i = 0; i < n; i++) {
        if (i && *s++ != ',')
            return false;
        if (!read_number(&s, is_floating(k, arg), bytes, out->value + (size_t)i * bytes))
            return false;
    }
    return *s == 0;
}

/* The size of a __local argument. */
static bool read_bytes(const char *s, struct launch_arg *out)
{
    char *end;
    errno = 0;
    const unsigned long bytes = *s == '-' ? 0 : strtoul(s, &end, 0);
    out->set = true;
    out->size = (uint32_t)bytes;
    return bytes > 0 && bytes <= UINT32_MAX && *end == 0 && errno == 0;
}

/* One argument from what --arg and --buffer say of it (NULL and 0: nothing).  NULL, or what is wrong. */
static const char *make_arg(const struct kernel_summary *k, unsigned i, const char *value, uint64_t bytes,
                            size_t items, struct launch_arg *a)
{
    const enum sum_arg_kind kind = k->args[i].kind;
    bool fits = true;
    *a = (struct launch_arg){0};
    if (kind == SUM_ARG_SCALAR || kind == SUM_ARG_LOCAL) {
        if (bytes && kind == SUM_ARG_SCALAR)
            return "not a buffer";
        if (value)
            fits = kind == SUM_ARG_LOCAL ? read_bytes(value, a) : read_value(k, i, value, a);
        else if (bytes)
            *a = (struct launch_arg){.set = true, .size = (uint32_t)bytes};
        fits = fits && bytes <= UINT32_MAX;
        return fits ? NULL : "that value does not fit";
    }
    *a = (struct launch_arg){.set = true, .size = k->args[i].size, .memory = i + 1};
    a->bytes = bytes ? bytes : (uint64_t)items * PREDICT_ELEMENT;
    return value ? "give its size with --buffer" : NULL;
}

/* The argument of this index or name; k->nargs or more: there is none. */
static uint64_t find_arg(const struct kernel_summary *k, const char *which)
{
    const size_t n = strcspn(which, "=");
    char *end;
    const uint64_t index = strtoull(which, &end, 0);
    if (*which >= '0' && *which <= '9')
        return *end == '=' ? index : k->nargs;
    uint32_t i = 0;
    while (i < k->nargs && (strncmp(k->args[i].name, which, n) != 0 || k->args[i].name[n]))
        i++;
    return i;
}

int predict_find_args(struct predict_options *o, const struct kernel_summary *k)
{
    for (unsigned g = 0; g < o->ngiven; g++) {
        const struct predict_given *x = &o->given[g];
        const uint64_t i = find_arg(k, x->which);
        if (i >= k->nargs || i >= PREDICT_MAX_ARGS) {
            fprintf(stderr, "clsizer predict: %s has no argument %.*s%s", o->kernel,
                    (int)strcspn(x->which, "="), x->which, k->nargs ? "; it has" : "");
            for (uint32_t a = 0; a < k->nargs; a++)
                fprintf(stderr, " %s", k->args[a].name);
            fputc('\n', stderr);
            return -EINVAL;
        }
        if (x->bytes)
            o->buffer[i] = x->bytes;
        else
            o->value[i] = x->value;
    }
    return 0;
}

/* Buffers that the command line does not mention are separate and hold one element per work-item; scalars and
 * local memory stay unknown. */
int predict_args(const struct predict_options *o, const struct kernel_summary *k, size_t items,
                 struct launch_arg *arg)
{
    for (unsigned i = 0; i < k->nargs; i++) {
        const bool mentioned = i < PREDICT_MAX_ARGS;
        const char *wrong =
            make_arg(k, i, mentioned ? o->value[i] : NULL, mentioned ? o->buffer[i] : 0, items, &arg[i]);
        if (wrong) {
            fprintf(stderr, "clsizer predict: argument %u '%s' is %s: %s\n", i, k->args[i].name,
                    k->args[i].type ? k->args[i].type : "of an unknown type", wrong);
            return -EINVAL;
        }
    }
    return 0;
}
