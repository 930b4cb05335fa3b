/* binary.c - files NAME.src in the cache, NAME being the hash of the binary:
 *
 *     clsizer-source 2 <form> <bytes of options> <bytes of source> <hash of both>\n<options><source> */
#include "shim/binary.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "analysis/hash.h"
#include "shim/util.h"

#define HEADER    "clsizer-source 2 %u %zu %zu %16llx\n"
#define MAX_BYTES (64u << 20)

static void source_path(const struct runtime *rt, const void *binary, size_t size, char path[RT_FILE])
{
    char name[HASH128_TEXT];

    hash128_text(hash128(HASH128_START, binary, size), name);
    snprintf(path, RT_FILE, "%s/%s.src", rt->cache, name);
}

static unsigned long long check(const char *options, size_t noptions, const char *text, size_t ntext)
{
    return hash64(hash64(HASH64_START, options, noptions), text, ntext);
}

void bin_remember(const struct runtime *rt, const void *binary, size_t size, const struct shim_source *source)
{
    const size_t noptions = strlen(source->options);
    char path[RT_FILE], temporary[RT_TEMPORARY], *text = NULL;
    size_t bytes = 0;
    FILE *f;

    /* Files that it includes may be others when the binary comes back. */
    if (!*rt->cache || !size || source->size + noptions > MAX_BYTES || obj_source_reads_files(source))
        return;
    source_path(rt, binary, size, path);
    if (access(path, F_OK) == 0)
        return;
    f = open_memstream(&text, &bytes);
    if (!f)
        return;
    fprintf(f, HEADER, (unsigned)source->form, noptions, source->size,
            check(source->options, noptions, source->text, source->size));
    fwrite(source->options, 1, noptions, f);
    fwrite(source->text, 1, source->size, f);
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    if (!fclose(f) && !util_make_file(temporary, text, bytes) && rename(temporary, path))
        unlink(temporary);
    free(text);
}

static struct shim_source *read_source(FILE *f)
{
    size_t noptions, ntext;
    unsigned long long sum;
    unsigned form;
    struct shim_source *s = NULL;
    char *options = NULL, *text = NULL;

    if (fscanf(f, "clsizer-source 2 %u %zu %zu %16llx", &form, &noptions, &ntext, &sum) != 4 ||
        getc(f) != '\n' || form > REQ_UNITS || noptions > MAX_BYTES || ntext > MAX_BYTES)
        return NULL;
    options = calloc(1, noptions + 1);
    text = calloc(1, ntext + 1);
    if (options && text && fread(options, 1, noptions, f) == noptions && fread(text, 1, ntext, f) == ntext &&
        strlen(options) == noptions && check(options, noptions, text, ntext) == sum) {
        s = obj_source_new((enum req_form)form, text, ntext, options);
        text = NULL;
    }
    free(options);
    free(text);
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
    source_path(rt, binary, size, path);
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
