/* headers.c - see headers.h.  A virtual file system of clang's maps HEADER_FOLDER/NAME to the memory
 * files. */
#include "analysis/source/headers.h"
#include "analysis/source/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER_FOLDER "/clsizer-headers"

static int fail(char **error, const char *reason, const char *detail)
{
    *error = must_print("%s: %s", reason, detail);
    return -EINVAL;
}

/* A relative path of plain characters that goes nowhere but down: the same to every file system. */
static bool plain_name(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";

    for (const char *part = name;; part++) {
        size_t n = strspn(part, plain);
        if (n == 0 || (part[n] && part[n] != '/') || (n == 1 && part[0] == '.') ||
            (n == 2 && part[0] == '.' && part[1] == '.'))
            return false;
        part += n;
        if (!*part)
            return true;
    }
}

/* Drivers disagree whether a file of that name or the header comes first. */
static bool is_also_a_file(const char *name, const struct args *options)
{
    char path[8192];

    if (access(name, F_OK) == 0)
        return true;
    for (unsigned i = 0; i < options->n; i++) {
        if (strncmp(options->v[i], "-I", 2))
            continue;
        if (snprintf(path, sizeof path, "%s/%s", options->v[i] + 2, name) >= (int)sizeof path ||
            access(path, F_OK) == 0)
            return true;
    }
    return false;
}

static int check_names(const struct req_unit *u, const struct args *options, char **error)
{
    for (unsigned i = 0; i < u->nheader; i++) {
        if (!plain_name(u->header[i].name))
            return fail(error, "ambiguous-header", "a header's name is not a plain relative path");
        if (is_also_a_file(u->header[i].name, options))
            return fail(error, "ambiguous-header", u->header[i].name);
        for (unsigned j = 0; j < i; j++)
            if (!strcmp(u->header[i].name, u->header[j].name))
                return fail(error, "ambiguous-header", u->header[i].name);
    }
    return 0;
}

/* The overlay's description: JSON is YAML. */
static char *describe(const struct req_unit *u, const struct headers *h, size_t *size)
{
    char *text = NULL;
    FILE *f = must(open_memstream(&text, size));

    fputs("{\"version\":0,\"use-external-names\":false,\"roots\":[", f);
    for (unsigned i = 0; i < h->n; i++)
        fprintf(f,
                "%s{\"type\":\"file\",\"name\":\"" HEADER_FOLDER
                "/%s\",\"external-contents\":\"/proc/self/fd/%d\"}",
                i ? "," : "", u->header[i].name, h->file[i]);
    fputs("]}\n", f);
    must_close(f);
    return text;
}

int headers_open(const struct req_unit *u, const struct args *options, struct headers *out, char **error)
{
    size_t size;
    char *text;
    int e = check_names(u, options, error);

    *out = (struct headers){.overlay = -1};
    if (e || !u->nheader)
        return e;
    out->file = must_calloc(u->nheader, sizeof *out->file);
    for (; out->n < u->nheader; out->n++) {
        const struct req_header *h = &u->header[out->n];
        out->file[out->n] = child_file("header", h->text, h->bytes, false);
        if (out->file[out->n] < 0)
            return fail(error, "analysis-failed", "no memory file for a header");
    }
    text = describe(u, out, &size);
    out->overlay = child_file("headers", text, size, false);
    free(text);
    if (out->overlay < 0)
        return fail(error, "analysis-failed", "no memory file for a header");
    args_add(&out->clang, "-ivfsoverlay");
    args_addf(&out->clang, "/proc/self/fd/%d", out->overlay);
    args_add(&out->clang, "-I" HEADER_FOLDER);
    return 0;
}

const char *headers_name(const char *path)
{
    static const char folder[] = HEADER_FOLDER "/";

    return strncmp(path, folder, sizeof folder - 1) ? NULL : path + sizeof folder - 1;
}

void headers_close(struct headers *h)
{
    for (unsigned i = 0; i < h->n; i++)
        close(h->file[i]);
    if (h->overlay >= 0)
        close(h->overlay);
    free(h->file);
    args_free(&h->clang);
    *h = (struct headers){.overlay = -1};
}
