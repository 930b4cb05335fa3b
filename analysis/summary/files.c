/* files.c - see files.h. */
#include "analysis/summary/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND_NS  1000000000
#define TICK_NS    20000000
#define COARSE_NS  2000000000 /* of file systems that keep whole seconds, as FAT and ext3 */
#define MOST_LINKS 40         /* as the kernel follows */

static uint64_t nanoseconds(struct timespec t)
{
    return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
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

static bool precedes(uint64_t ctime_ns, uint64_t built_ns)
{
    return ctime_ns + (ctime_ns % SECOND_NS ? TICK_NS : COARSE_NS) <= built_ns;
}

/* Has this stood under its name since before `built_ns`, as far as its times tell?  What is put into a
 * directory changes both of its times; a new name, its ctime alone. */
static bool stays(const struct stat *st, uint64_t built_ns)
{
    const uint64_t changed = nanoseconds(st->st_ctim);

    return precedes(changed, built_ns) || (S_ISDIR(st->st_mode) && changed == nanoseconds(st->st_mtim));
}

/* Put the target of the link path[0..end), of which the last part begins at `at`, in its place.  Where to go
 * on, or -1. */
static ssize_t follow(char path[PATH_MAX], size_t at, size_t end)
{
    char target[PATH_MAX], link[PATH_MAX], rest[PATH_MAX];
    ssize_t got;

    snprintf(link, sizeof link, "%.*s", (int)end, path);
    snprintf(rest, sizeof rest, "%s", path + end);
    got = readlink(link, target, sizeof target);
    if (got <= 0 || got == sizeof target)
        return -1;
    at = *target == '/' ? 0 : at;
    if (at + (size_t)got + strlen(rest) + 1 > PATH_MAX)
        return -1;
    memcpy(path + at, target, (size_t)got);
    strcpy(path + at + got, rest);
    return (ssize_t)at;
}

/* Did `path` lead to the same file at `built_ns`?  Links that are exchanged, and directories that are
 * renamed, leave the times of the files that they lead to as they are. */
static bool path_precedes(const char *path, uint64_t built_ns)
{
    char resolved[PATH_MAX];
    unsigned links = 0;
    ssize_t at = 0;

    if (snprintf(resolved, sizeof resolved, "%s", path) >= (int)sizeof resolved)
        return false;
    while (resolved[at += (ssize_t)strspn(resolved + at, "/")]) {
        const size_t end = (size_t)at + strcspn(resolved + at, "/");
        const char behind = resolved[end];
        struct stat st;
        resolved[end] = '\0';
        if (lstat(resolved, &st) || !stays(&st, built_ns))
            return false;
        resolved[end] = behind;
        if (!S_ISLNK(st.st_mode))
            at = (ssize_t)end;
        else if (links++ == MOST_LINKS || (at = follow(resolved, (size_t)at, end)) < 0)
            return false;
    }
    return true;
}

bool files_precede(const struct sum_file *file, uint64_t built_ns)
{
    return !file->absent && precedes(file->ctime_ns, built_ns) && path_precedes(file->path, built_ns);
}

static bool is_same(const struct sum_file *was, uint64_t built_ns)
{
    struct sum_file is;

    if (!look(was->path, &is) || is.absent != was->absent)
        return false;
    return is.absent ||
           (is.dev == was->dev && is.ino == was->ino && is.size == was->size &&
            is.mtime_ns == was->mtime_ns && is.ctime_ns == was->ctime_ns && files_precede(was, built_ns));
}

bool files_same(const struct program_summary *p, uint64_t built_ns)
{
    bool same = p->files_known;

    for (uint32_t i = 0; same && i < p->nfile; i++)
        same = is_same(&p->file[i], built_ns);
    return same;
}
