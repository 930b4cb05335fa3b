/* ahead_answer.c - see ahead_answer.h. */
#include "shim/helper/ahead_answer.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is to replace an answer as a whole. */
struct replacement {
    const char *path;
    char *temporary;
    FILE *f;
};

static bool open_replacement(const char *path, struct replacement *r)
{
    int fd = -1;

    *r = (struct replacement){.path = path};
    if (asprintf(&r->temporary, "%s.%ld", path, (long)getpid()) < 0)
        return false;
    fd = open(r->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    r->f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!r->f)
        free(r->temporary);
    return r->f;
}

/* False if it could not be written, or not `good`: then the old answer remains. */
static bool replace(struct replacement *r, bool good)
{
    const bool ok = fclose(r->f) == 0 && good && rename(r->temporary, r->path) == 0;

    if (!ok)
        unlink(r->temporary);
    free(r->temporary);
    return ok;
}

bool ahead_answer_sizes(const struct ahead_job *j, const bool done[AHEAD_MOST_SIZES], int64_t took_ns,
                        int64_t worked_ns)
{
    struct replacement r;

    if (!open_replacement(j->answer, &r))
        return false;
    for (unsigned i = 0; i < j->nsize; i++)
        if (done[i])
            fprintf(r.f, "%zu %zu %zu\n", j->size[i][0], j->size[i][1], j->size[i][2]);
    if (took_ns > 0)
        fprintf(r.f, "took %" PRId64 "\n", took_ns);
    if (worked_ns >= 0)
        fprintf(r.f, "worked %" PRId64 "\nend\n", worked_ns);
    return replace(&r, true);
}

bool ahead_answer_binary(const char *path, const void *binary, size_t bytes)
{
    struct replacement r;

    return open_replacement(path, &r) && replace(&r, ahead_write_binary(r.f, binary, bytes) == 0);
}

void ahead_answer_nothing(const char *path)
{
    struct stat st;

    if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
        unlink(path);
}
