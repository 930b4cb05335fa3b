/* request.c - the text form of a request.  Uses libc alone, because the preloaded library writes requests. */
#include "analysis/summary/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static const char *const forms[] = {[REQ_C] = "c", [REQ_SPIRV] = "spirv", [REQ_UNITS] = "units"};

static int form_of(const char *name, enum req_form last, enum req_form *form)
{
    for (enum req_form i = REQ_C; i <= last; i++)
        if (!strcmp(name, forms[i])) {
            *form = i;
            return 0;
        }
    return -EINVAL;
}

static void put_field(FILE *f, const char *name, const char *value)
{
    fprintf(f, "%s %zu\n%s\n", name, strlen(or_empty(value)), or_empty(value));
}

int req_write(const struct req *r, FILE *f)
{
    if (strchr(or_empty(r->clversion), '\n') || strchr(or_empty(r->profile), '\n'))
        return -EINVAL;
    fputs(REQ_MAGIC, f);
    put_field(f, "options", r->options);
    put_field(f, "extensions", r->extensions);
    put_field(f, "features", r->features);
    put_field(f, "device", r->device);
    fprintf(f, "clversion %s\n", or_empty(r->clversion));
    fprintf(f, "profile %s\n", or_empty(r->profile));
    if (r->built_ns)
        fprintf(f, "built %llu\n", (unsigned long long)r->built_ns);
    if (*or_empty(r->cwd))
        put_field(f, "cwd", r->cwd);
    fprintf(f, "bits %u\nendian %s\nimages %d\n", r->bits, r->big_endian ? "big" : "little", r->images);
    if (r->form != REQ_C)
        fprintf(f, "form %s\n", forms[r->form]);
    fprintf(f, "source %zu\n", r->source_bytes);
    fwrite(or_empty(r->source), 1, r->source_bytes, f);
    return fflush(f) || ferror(f) ? -EIO : 0;
}

struct cursor {
    const char *at, *end;
};

/* The next line as a fresh string without its newline; NULL when there is none or memory is short. */
static char *take_line(struct cursor *c)
{
    const char *nl = memchr(c->at, '\n', (size_t)(c->end - c->at));

    if (!nl || nl - c->at > 4096)
        return NULL;
    char *line = strndup(c->at, (size_t)(nl - c->at));
    c->at = nl + 1;
    return line;
}

/* The next n bytes, with a NUL behind them. */
static int take_block(struct cursor *c, size_t n, size_t limit, char **out)
{
    if (n > limit)
        return -EFBIG;
    if (n > (size_t)(c->end - c->at))
        return -EINVAL;
    free(*out);
    *out = malloc(n + 1);
    if (!*out)
        return -ENOMEM;
    memcpy(*out, c->at, n);
    (*out)[n] = 0;
    c->at += n;
    return 0;
}

/* `count` as a length: decimal digits only, at most `limit`. */
static int take_bytes(struct cursor *c, const char *count, size_t limit, char **out, size_t *size)
{
    char *end;
    unsigned long n;

    if (*count < '0' || *count > '9')
        return -EINVAL;
    errno = 0;
    n = strtoul(count, &end, 10);
    if (*end || errno)
        return -EINVAL;
    *size = n;
    return take_block(c, n, limit, out);
}

static int take_text(char **out, const char *value)
{
    free(*out);
    *out = strdup(value);
    return *out ? 0 : -ENOMEM;
}

static int take_header(struct cursor *c, struct req *r, const char *name, const char *value)
{
    const struct {
        const char *name;
        char **field;
    } sized[] = {{"options", &r->options},
                 {"extensions", &r->extensions},
                 {"features", &r->features},
                 {"device", &r->device},
                 {"cwd", &r->cwd}};
    size_t size;

    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
        if (strcmp(name, sized[i].name))
            continue;
        int e = take_bytes(c, value, REQ_MAX_FIELD, sized[i].field, &size);
        if (e || strlen(*sized[i].field) != size || c->at == c->end || *c->at++ != '\n')
            return e ? e : -EINVAL;
        return 0;
    }
    if (!strcmp(name, "clversion"))
        return take_text(&r->clversion, value);
    if (!strcmp(name, "profile"))
        return take_text(&r->profile, value);
    if (!strcmp(name, "bits") && (!strcmp(value, "32") || !strcmp(value, "64")))
        r->bits = value[0] == '3' ? 32 : 64;
    else if (!strcmp(name, "endian") && (!strcmp(value, "little") || !strcmp(value, "big")))
        r->big_endian = value[0] == 'b';
    else if (!strcmp(name, "form"))
        return form_of(value, REQ_UNITS, &r->form);
    else if (!strcmp(name, "built"))
        r->built_ns = strtoull(value, NULL, 10);
    else if (!strcmp(name, "images") && (!strcmp(value, "0") || !strcmp(value, "1")))
        r->images = value[0] == '1';
    else
        return -EINVAL;
    return 0;
}

static int read_all(struct cursor *c, struct req *r)
{
    for (;;) {
        char *line = take_line(c);
        char *value = line ? strchr(line, ' ') : NULL;
        int e = -EINVAL;

        if (value) {
            *value++ = 0;
            if (!strcmp(line, "source")) {
                e = take_bytes(c, value, REQ_MAX_SOURCE, &r->source, &r->source_bytes);
                free(line);
                return e ? e : c->at == c->end ? 0 : -EINVAL;
            }
            e = take_header(c, r, line, value);
        }
        free(line);
        if (e)
            return e;
    }
}

int req_read(const char *text, size_t size, struct req *out)
{
    struct req r = {.bits = 64};
    size_t magic = strlen(REQ_MAGIC);
    struct cursor c = {text + magic, text + size};
    char **strings[] = {&r.options, &r.extensions, &r.features, &r.device, &r.clversion, &r.profile, &r.cwd};
    int e;

    if (size < magic || memcmp(text, REQ_MAGIC, magic))
        return -EINVAL;
    e = read_all(&c, &r);
    for (size_t i = 0; !e && i < sizeof strings / sizeof *strings; i++)
        if (!*strings[i])
            e = take_text(strings[i], "");
    if (e) {
        req_free(&r);
        return e;
    }
    *out = r;
    return 0;
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

int req_put_unit(const struct req_unit *u, FILE *f)
{
    fprintf(f, "unit %s %zu %zu %u\n", forms[u->form], strlen(or_empty(u->options)), u->bytes, u->nheader);
    fputs(or_empty(u->options), f);
    fwrite(or_empty(u->text), 1, u->bytes, f);
    for (unsigned i = 0; i < u->nheader; i++) {
        fprintf(f, "header %zu %zu\n%s", strlen(u->header[i].name), u->header[i].bytes, u->header[i].name);
        fwrite(u->header[i].text, 1, u->header[i].bytes, f);
    }
    return ferror(f) ? -EIO : 0;
}

static int take_header_file(struct cursor *c, struct req_header *h)
{
    char *line = take_line(c);
    size_t name = 0, bytes = 0;
    int end = -1, e = -EINVAL;

    if (line && sscanf(line, "header %zu %zu%n", &name, &bytes, &end) == 2 && end > 0 && !line[end])
        e = take_block(c, name, REQ_MAX_NAME, &h->name);
    if (!e)
        e = take_block(c, bytes, REQ_MAX_SOURCE, &h->text);
    if (!e && strlen(h->name) != name)
        e = -EINVAL;
    h->bytes = bytes;
    free(line);
    return e;
}

static int take_unit(struct cursor *c, const char *line, struct req_unit *u)
{
    char form[8];
    size_t options = 0;
    unsigned headers = 0;
    int end = -1, e;

    if (sscanf(line, "unit %7s %zu %zu %u%n", form, &options, &u->bytes, &headers, &end) != 4 || end < 0 ||
        line[end] || form_of(form, REQ_SPIRV, &u->form))
        return -EINVAL;
    e = headers > REQ_MAX_HEADER ? -EFBIG : take_block(c, options, REQ_MAX_FIELD, &u->options);
    if (!e)
        e = take_block(c, u->bytes, REQ_MAX_SOURCE, &u->text);
    if (!e && strlen(u->options) != options)
        e = -EINVAL;
    if (!e && headers && !(u->header = calloc(headers, sizeof *u->header)))
        e = -ENOMEM;
    while (!e && u->nheader < headers)
        e = take_header_file(c, &u->header[u->nheader++]);
    return e;
}

int req_take_unit(const char **at, const char *end, struct req_unit *u)
{
    struct cursor c = {*at, end};
    char *line;
    int e;

    *u = (struct req_unit){0};
    if (c.at == end)
        return -ENOENT;
    line = take_line(&c);
    e = line ? take_unit(&c, line, u) : -EINVAL;
    free(line);
    if (e)
        req_free_unit(u);
    else
        *at = c.at;
    return e;
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
