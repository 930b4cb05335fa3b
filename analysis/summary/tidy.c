/* tidy.c - see tidy.h. */
#include "analysis/summary/tidy.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "analysis/summary/hash.h"

#define STALE_SECONDS 86400         /* a job this old belongs to nobody any more */
#define MOST_BYTES    (256ll << 20) /* of what lasts */

struct file {
    char name[64];
    off_t bytes;
    time_t written;
};

struct files {
    struct file *file;
    size_t n;
    long long bytes;
};

/* Our files are HASH.KIND, and while two processes talk (a job, a request, an unfinished answer)
 * HASH.KIND.MORE. Whatever else is there is the user's (--cache). */
static bool is_ours(const char *name, bool *transient)
{
    const size_t hash = strspn(name, "0123456789abcdef");

    *transient = hash == HASH128_TEXT - 1 && name[hash] == '.' && strchr(name + hash + 1, '.');
    return hash == HASH128_TEXT - 1 && name[hash] == '.' && strlen(name) < sizeof((struct file *)0)->name;
}

/* Note a file that lasts.  When out of memory it stays. */
static void note(struct files *all, const char *name, const struct stat *st)
{
    struct file *file = all->n % 256 ? all->file : realloc(all->file, (all->n + 256) * sizeof *file);

    if (!file)
        return;
    all->file = file;
    strcpy(file[all->n].name, name);
    file[all->n].bytes = st->st_size;
    file[all->n++].written = st->st_mtime;
    all->bytes += st->st_size;
}

static int by_age(const void *a, const void *b)
{
    const time_t x = ((const struct file *)a)->written, y = ((const struct file *)b)->written;

    return (x > y) - (x < y);
}

static void remove_oldest(int directory, struct files *all)
{
    qsort(all->file, all->n, sizeof *all->file, by_age);
    for (size_t i = 0; i < all->n && all->bytes > MOST_BYTES / 4 * 3; i++)
        if (unlinkat(directory, all->file[i].name, 0) == 0)
            all->bytes -= all->file[i].bytes;
}

void tidy_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    DIR *d = name ? opendir(name) : NULL;
    const time_t stale = time(NULL) - STALE_SECONDS;
    const struct dirent *entry;
    struct files all = {0};
    struct stat st;
    bool transient;

    while (d && (entry = readdir(d))) {
        if (!is_ours(entry->d_name, &transient) ||
            fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
            continue;
        if (!transient)
            note(&all, entry->d_name, &st);
        else if (st.st_mtime < stale)
            unlinkat(dirfd(d), entry->d_name, 0);
    }
    if (all.bytes > MOST_BYTES)
        remove_oldest(dirfd(d), &all);
    if (d)
        closedir(d);
    free(all.file);
    free(name);
}
