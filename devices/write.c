/* write.c - writes a device description that parse.c reads back. */
#include "devices/device.h"
#include "devices/fields.h"

#include <errno.h>
#include <string.h>

/* Decimal, four digits behind the point at most and none where they would not matter; no exponent. */
static void print_number(FILE *f, double v)
{
    char text[64];
    snprintf(text, sizeof text, "%.*f", v >= 10000 ? 0 : v >= 100 ? 1 : v >= 10 ? 2 : 4, v);
    if (strchr(text, '.')) {
        size_t n = strlen(text);
        while (text[n - 1] == '0')
            n--;
        text[text[n - 1] == '.' ? n - 1 : n] = 0;
    }
    fputs(text, f);
}

static void print_value(FILE *f, const struct device *d, const struct dev_field *field)
{
    const char *at = (const char *)d + field->offset;
    switch (field->type) {
    case TEXT:
        fputs(at, f);
        return;
    case BOOL:
        fprintf(f, "%d", *(const bool *)at);
        break;
    case U32:
        fprintf(f, "%lu", (unsigned long)*(const uint32_t *)at);
        break;
    case U64:
        fprintf(f, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    default:
        print_number(f, *(const double *)at);
    }
    fprintf(f, " %s", dev_unit_word(field->unit));
}

static bool absent(const struct device *d, const struct dev_field *field)
{
    if (field->optional && field->type == TEXT && !((const char *)d)[field->offset])
        return true;
    return field->level && d->cache[field->level - 1].bytes == 0;
}

int dev_write(FILE *f, const struct device *d, const char *(*provenance)(void *, const char *), void *arg)
{
    for (size_t i = 0; i < dev_nfields; i++) {
        const struct dev_field *field = &dev_fields[i];
        if (absent(d, field))
            continue;
        fprintf(f, "%s = ", field->key);
        print_value(f, d, field);
        fprintf(f, "  # %s\n", provenance(arg, field->key));
    }
    return ferror(f) ? -EIO : 0;
}
