/* kept_binary.c - see kept_binary.h. */
#include "shim/site/kept_binary.h"
#include <string.h>
#include "shim/guest/util.h"
#include "shim/helper/ahead_job.h"

#define MOST_BYTES (32u << 20) /* of a file: more than clsizer-ahead writes */

hash128_t kept_hash_build(const struct shim_build *b)
{
    hash128_t h;

    if (!b->source->reads_files)
        return hash128(HASH128_START, b->cache_name, sizeof b->cache_name);
    h = hash128(HASH128_START, b->shared_name, sizeof b->shared_name);
    for (uint32_t i = 0; i < b->summary.nfile; i++) {
        const struct sum_file *f = &b->summary.file[i];
        h = hash128(h, &f->ino, sizeof f->ino);
        h = hash128(h, &f->ctime_ns, sizeof f->ctime_ns);
    }
    return h;
}

hash128_t kept_hash(const struct shim_build *b, const struct variant *v)
{
    hash128_t h = kept_hash_build(b);

    h = hash128(h, v->text, strlen(v->text) + 1);
    h = hash128(h, v->kernel, strlen(v->kernel) + 1);
    h = hash128(h, v->options, strlen(v->options) + 1);
    return hash128(h, b->device->key, strlen(b->device->key) + 1);
}

void kept_path(const struct runtime *rt, const struct shim_build *b, const struct variant *v,
               char path[RT_FILE])
{
    rt_file(rt, kept_hash(b, v), "bin", path);
}

char *kept_read(const struct runtime *rt, const struct shim_build *b, const struct variant *v,
                const unsigned char **binary, size_t *bytes)
{
    char path[RT_FILE], *text;
    size_t size;

    *binary = NULL;
    if (!*rt->cache || util_confined())
        return NULL;
    kept_path(rt, b, v, path);
    text = util_read_private(path, MOST_BYTES, &size);
    if (text)
        *binary = ahead_read_binary(text, size, bytes);
    return text;
}
