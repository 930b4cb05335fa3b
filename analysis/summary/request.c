/* request.c - the text form of a request.  Uses libc alone, because the preloaded library writes requests. */
#include "analysis/summary/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/text.h"

static const char *const form_words[] = {[REQ_C] = "c", [REQ_SPIRV] = "spirv", [REQ_UNITS] = "units"};
static const struct sum_names forms = {form_words, sizeof form_words / sizeof *form_words};

static size_t length(const char *s)
{
    return s ? strlen(s) : 0;
}

/* "name <n>\n<n bytes>\n"; it may be missing, and is if it need not be `written`. */
static void field(struct text *t, const char *name, char **value, bool written)
{
    size_t n = t->out ? length(*value) : 0;

    if (!text_has(t, name, written))
        return;
    TEXT_NUMBER(t, n);
    text_end_line(t);
    text_bytes(t, value, n, REQ_MAX_FIELD);
    if (length(*value) != n)
        text_fail(t, -EINVAL);
    text_end_line(t);
}

static void line(struct text *t, const char *name, char **value)
{
    if (text_has(t, name, true))
        text_rest(t, value);
}

static void device(struct text *t, struct req *r)
{
    uint64_t bits = r->bits, images = r->images;

    TEXT_NUMBER_LINE(t, "bits", bits, true);
    if (text_has(t, "endian", true)) {
        text_either(t, "big", "little", &r->big_endian);
        text_end_line(t);
    }
    TEXT_NUMBER_LINE(t, "images", images, true);
    if (t->out)
        return;
    if ((bits != 32 && bits != 64) || images > 1)
        text_fail(t, -EINVAL);
    r->bits = (unsigned)bits;
    r->images = images == 1;
}

static void wide(struct text *t, struct req *r)
{
    uint64_t lanes = r->wide;

    if (!TEXT_NUMBER_LINE(t, "wide", lanes, lanes != 0) || t->out)
        return;
    if (lanes != 4 && lanes != 8 && lanes != 16)
        text_fail(t, -EINVAL);
    r->wide = (unsigned)lanes;
}

static void request(struct text *t, struct req *r)
{
    text_must(t, REQ_MAGIC);
    text_end_line(t);
    field(t, "options", &r->options, true);
    field(t, "extensions", &r->extensions, true);
    field(t, "features", &r->features, true);
    field(t, "device", &r->device, true);
    line(t, "clversion", &r->clversion);
    line(t, "profile", &r->profile);
    TEXT_NUMBER_LINE(t, "built", r->built_ns, r->built_ns != 0);
    field(t, "cwd", &r->cwd, length(r->cwd) != 0);
    device(t, r);
    wide(t, r);
    if (text_has(t, "form", r->form != REQ_C)) {
        TEXT_NAME(t, &forms, r->form);
        text_end_line(t);
    }
    text_must(t, "source");
    TEXT_NUMBER(t, r->source_bytes);
    text_end_line(t);
    text_bytes(t, &r->source, r->source_bytes, REQ_MAX_SOURCE);
}

int req_write(const struct req *r, FILE *f)
{
    struct text t = text_writer(f);

    request(&t, (struct req *)r); /* which is only looked at */
    return t.err ? t.err : fflush(f) || ferror(f) ? -EIO : 0;
}

int req_read(const char *text, size_t size, struct req *out)
{
    struct req r = {.bits = 64};
    struct text t = text_reader(text, size);
    char **strings[] = {&r.options, &r.extensions, &r.features, &r.device, &r.clversion, &r.profile, &r.cwd};

    request(&t, &r);
    if (t.p < t.end)
        text_fail(&t, -EINVAL);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        if (!*strings[i] && !(*strings[i] = strdup("")))
            text_fail(&t, -ENOMEM);
    if (t.err)
        req_free(&r);
    else
        *out = r;
    return t.err;
}

void req_free(struct req *r)
{
    free(r->options);
    free(r->extensions);
    free(r->features);
    free(r->device);
    free(r->clversion);
    free(r->profile);
    free(r->cwd);
    free(r->source);
    *r = (struct req){0};
}

/* ---- units ----------------------------------------------------------------------------------------- */

static void header(struct text *t, struct req_header *h)
{
    size_t n = t->out ? strlen(h->name) : 0;

    text_must(t, "header");
    TEXT_NUMBER(t, n);
    TEXT_NUMBER(t, h->bytes);
    text_end_line(t);
    text_bytes(t, &h->name, n, REQ_MAX_NAME);
    text_bytes(t, &h->text, h->bytes, REQ_MAX_SOURCE);
    if (length(h->name) != n)
        text_fail(t, -EINVAL);
}

static void unit(struct text *t, struct req_unit *u)
{
    size_t n = t->out ? length(u->options) : 0;
    uint32_t headers = u->nheader;

    text_must(t, "unit");
    TEXT_NAME(t, &forms, u->form);
    TEXT_NUMBER(t, n);
    TEXT_NUMBER(t, u->bytes);
    TEXT_NUMBER(t, headers);
    text_end_line(t);
    text_bytes(t, &u->options, n, REQ_MAX_FIELD);
    text_bytes(t, &u->text, u->bytes, REQ_MAX_SOURCE);
    if (u->form == REQ_UNITS || length(u->options) != n || headers > REQ_MAX_HEADER)
        text_fail(t, headers > REQ_MAX_HEADER ? -EFBIG : -EINVAL);
    for (uint32_t i = 0, cap = 0; !t->err && i < headers; i++)
        if (t->out || TEXT_ADD(t, u->header, u->nheader, &cap, REQ_MAX_HEADER))
            header(t, &u->header[i]);
}

int req_put_unit(const struct req_unit *u, FILE *f)
{
    struct text t = text_writer(f);

    unit(&t, (struct req_unit *)u); /* which is only looked at */
    return t.err || ferror(f) ? -EIO : 0;
}

int req_take_unit(const char **at, const char *end, struct req_unit *u)
{
    struct text t = text_reader(*at, (size_t)(end - *at));

    *u = (struct req_unit){0};
    if (*at == end)
        return -ENOENT;
    unit(&t, u);
    if (t.err)
        req_free_unit(u);
    else
        *at = t.p;
    return t.err;
}

void req_free_unit(struct req_unit *u)
{
    for (unsigned i = 0; i < u->nheader; i++) {
        free(u->header[i].name);
        free(u->header[i].text);
    }
    free(u->header);
    free(u->options);
    free(u->text);
    *u = (struct req_unit){0};
}
