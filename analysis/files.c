/* files.c - see files.h. */
#include "analysis/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TICK_NS 20000000

static uint64_t nanoseconds(struct timespec t)
{
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* All but the path. */
static bool look(const char *path, struct sum_file *out)
{
    struct stat st;

    *out = (struct sum_file){0};
    if (stat(path, &st)) {
        out->absent = true;
        return errno == ENOENT || errno == ENOTDIR;
    }
    out->dev = st.st_dev;
    out->ino = st.st_ino;
    out->size = (uint64_t)st.st_size;
    out->mtime_ns = nanoseconds(st.st_mtim);
    out->ctime_ns = nanoseconds(st.st_ctim);
    return true;
}

bool files_look(const char *path, struct sum_file *out)
{
    const bool told = look(path, out);

    out->path = told ? strdup(path) : NULL;
    return out->path;
}

bool files_precede(const struct sum_file *file, uint64_t built_ns)
{
    return !file->absent && file->ctime_ns + TICK_NS <= built_ns;
}

static bool is_same(const struct sum_file *was, uint64_t built_ns)
{
    struct sum_file is;

    if (!look(was->path, &is) || is.absent != was->absent)
        return false;
    return is.absent ||
           (is.dev == was->dev && is.ino == was->ino && is.size == was->size &&
            is.mtime_ns == was->mtime_ns && is.ctime_ns == was->ctime_ns && files_precede(&is, built_ns));
}

bool files_same(const struct program_summary *p, uint64_t built_ns)
{
    bool same = p->files_known;

    for (uint32_t i = 0; same && i < p->nfile; i++)
        same = is_same(&p->file[i], built_ns);
    return same;
}
