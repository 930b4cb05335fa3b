/* binary.c - files NAME.src in the cache, NAME being the hash of the binary:
 *
 *     clsizer-source 3 <form> <built> <bytes of cwd> <of options> <of source> <hash of all>\n
 *     <cwd><options><source>
 *
 * <built> and <cwd> say when and where the program was built, which decides whether the files that it
 * includes are still what they were; an empty <cwd>: not known.  Of linked units <built> is when the earliest
 * was, which does not tell those apart that have read different files: they are not remembered. */
#include "shim/object/binary.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/util.h"

#define HEADER    "clsizer-source 3 %u %llu %zu %zu %zu %16llx\n"
#define MAX_BYTES (64u << 20)

struct parts {
    unsigned form;
    unsigned long long built_ns;
    char *text[3]; /* cwd, options, source */
    size_t size[3];
};

static unsigned long long check(const struct parts *p)
{
    unsigned long long h = hash64(HASH64_START, &p->built_ns, sizeof p->built_ns);

    for (unsigned i = 0; i < 3; i++)
        h = hash64(h, p->text[i], p->size[i]);
    return h;
}

/* May another source look the same in a file, although it has read other files? */
static bool is_ambiguous(const struct shim_source *s)
{
    return s->reads_files && s->form == REQ_UNITS;
}

void bin_remember(const struct runtime *rt, const void *binary, size_t size, const struct shim_source *source)
{
    char *cwd = source->cwd ? source->cwd : "";
    const struct parts p = {.form = source->form,
                            .built_ns = source->reads_files ? source->built_ns : 0,
                            .text = {cwd, source->options, source->text},
                            .size = {strlen(cwd), strlen(source->options), source->size}};
    char path[RT_FILE], temporary[RT_TEMPORARY], *text = NULL;
    size_t bytes = 0;
    FILE *f;

    if (!*rt->cache || !size || p.size[1] + p.size[2] > MAX_BYTES || is_ambiguous(source) ||
        (source->reads_files && !source->cwd))
        return;
    rt_file(rt, hash128(HASH128_START, binary, size), "src", path);
    if (!source->reads_files && access(path, F_OK) == 0)
        return;
    f = open_memstream(&text, &bytes);
    if (!f)
        return;
    fprintf(f, HEADER, p.form, p.built_ns, p.size[0], p.size[1], p.size[2], check(&p));
    for (unsigned i = 0; i < 3; i++)
        fwrite(p.text[i], 1, p.size[i], f);
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    if (!fclose(f) && !util_make_file(temporary, 0600, text, bytes) && rename(temporary, path))
        unlink(temporary);
    free(text);
}

/* The parts, each terminated, for the caller to free whatever is returned. */
static bool read_parts(FILE *f, struct parts *p)
{
    unsigned long long sum;

    if (fscanf(f, "clsizer-source 3 %u %llu %zu %zu %zu %16llx", &p->form, &p->built_ns, &p->size[0],
               &p->size[1], &p->size[2], &sum) != 6 ||
        getc(f) != '\n' || p->form > REQ_UNITS)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        p->text[i] = p->size[i] <= MAX_BYTES ? calloc(1, p->size[i] + 1) : NULL;
        if (!p->text[i] || fread(p->text[i], 1, p->size[i], f) != p->size[i])
            return false;
    }
    return strlen(p->text[0]) == p->size[0] && strlen(p->text[1]) == p->size[1] && check(p) == sum;
}

static struct shim_source *read_source(FILE *f)
{
    struct parts p = {0};
    struct shim_source *s = NULL;

    if (read_parts(f, &p))
        s = obj_source_built_then((enum req_form)p.form, p.text[2], p.size[2], p.text[1], p.built_ns,
                                  p.text[0]);
    for (unsigned i = 0; i < 3; i++)
        free(p.text[i]);
    if (s && is_ambiguous(s)) {
        obj_source_drop(s);
        s = NULL;
    }
    return s;
}

struct shim_source *bin_recall(const struct runtime *rt, const void *binary, size_t size)
{
    char path[RT_FILE];
    struct shim_source *s = NULL;
    FILE *f;
    int fd;

    if (!*rt->cache || !binary || !size)
        return NULL;
    rt_file(rt, hash128(HASH128_START, binary, size), "src", path);
    fd = util_open_private(path, O_RDONLY, geteuid());
    f = fd < 0 ? NULL : fdopen(fd, "r");
    if (f) {
        s = read_source(f);
        fclose(f);
    } else if (fd >= 0) {
        close(fd);
    }
    return s;
}
