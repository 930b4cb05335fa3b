/* binary.c - files NAME.src in the cache, NAME being the hash of the binary:
 *
 *     clsizer-source 3 <form> <built> <bytes of cwd> <of options> <of source> <hash of all>\n
 *     <cwd><options><source>
 *
 * <built> and <cwd> say when and where the program was built, which decides whether the files that it
 * includes are still what they were; an empty <cwd>: not known.  Of linked units <built> is when the earliest
 * was, which does not tell those apart that have read different files: they are not remembered. */
#include "shim/object/binary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/util.h"

#define HEADER    "clsizer-source 3 %u %llu %zu %zu %zu %16llx"
#define MAX_BYTES (64u << 20) /* of options and source */

/* May another source look the same in a file, although it has read other files? */
static bool is_ambiguous(const struct shim_source *s)
{
    return s->reads_files && s->form == REQ_UNITS;
}

void bin_remember(const struct runtime *rt, const void *binary, size_t size, const struct shim_source *source)
{
    const char *const part[] = {source->cwd ? source->cwd : "", source->options, source->text};
    const size_t length[] = {strlen(part[0]), strlen(part[1]), source->size};
    const unsigned long long built_ns = source->reads_files ? source->built_ns : 0;
    unsigned long long h = hash64(HASH64_START, &built_ns, sizeof built_ns);
    char path[RT_FILE], temporary[RT_TEMPORARY], *text = NULL;
    size_t bytes = 0;
    FILE *f;

    if (!*rt->cache || !size || length[1] + length[2] > MAX_BYTES || is_ambiguous(source) ||
        (source->reads_files && !source->cwd))
        return;
    rt_file(rt, hash128(HASH128_START, binary, size), "src", path);
    if (!source->reads_files && access(path, F_OK) == 0)
        return;
    f = open_memstream(&text, &bytes);
    if (!f)
        return;
    for (unsigned i = 0; i < 3; i++)
        h = hash64(h, part[i], length[i]);
    fprintf(f, HEADER "\n", (unsigned)source->form, built_ns, length[0], length[1], length[2], h);
    for (unsigned i = 0; i < 3; i++)
        fwrite(part[i], 1, length[i], f);
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    if (!fclose(f) && !util_make_file(temporary, 0600, text, bytes) && rename(temporary, path))
        unlink(temporary);
    free(text);
}

/* The source in a file's text; NULL if that is damaged. */
static struct shim_source *read_source(const char *text, size_t size)
{
    unsigned long long built_ns, sum;
    size_t length[3], rest;
    struct shim_source *s = NULL;
    unsigned form;
    int head = 0;

    if (sscanf(text, HEADER "%n", &form, &built_ns, &length[0], &length[1], &length[2], &sum, &head) != 6 ||
        text[head] != '\n' || form > REQ_UNITS)
        return NULL;
    text += head + 1;
    rest = size - (size_t)head - 1;
    if (length[0] > rest || length[1] > rest - length[0] || length[2] != rest - length[0] - length[1] ||
        hash64(hash64(HASH64_START, &built_ns, sizeof built_ns), text, rest) != sum)
        return NULL;
    char *cwd = strndup(text, length[0]), *options = strndup(text + length[0], length[1]);
    if (cwd && options && strlen(cwd) == length[0] && strlen(options) == length[1])
        s = obj_source_built_then((enum req_form)form, text + length[0] + length[1], length[2], options,
                                  built_ns, cwd);
    free(cwd);
    free(options);
    return s;
}

struct shim_source *bin_recall(const struct runtime *rt, const void *binary, size_t size)
{
    char path[RT_FILE], *text;
    size_t bytes;
    struct shim_source *s = NULL;

    if (!*rt->cache || !binary || !size)
        return NULL;
    rt_file(rt, hash128(HASH128_START, binary, size), "src", path);
    text = util_read_private(path, 2 * MAX_BYTES, &bytes);
    if (text)
        s = read_source(text, bytes);
    free(text);
    if (s && is_ambiguous(s)) {
        obj_source_drop(s);
        s = NULL;
    }
    return s;
}
