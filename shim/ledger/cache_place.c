/* cache_place.c - see cache_place.h. */
#include "shim/ledger/cache_place.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "shim/guest/util.h"

/* Summaries decide what may be changed, so their directory must be ours alone. */
static const char *check(const char *path)
{
    char leaf[RT_PATH + 2];
    struct stat st;

    snprintf(leaf, sizeof leaf, "%s/x", path);
    if (util_make_parents(leaf) || lstat(path, &st))
        return "cache-unwritable";
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)))
        return "cache-not-trusted";
    return access(path, W_OK | X_OK) ? "cache-unwritable" : NULL;
}

/* Nobody else may put another directory in the place of ours there. */
static bool is_for_all(const char *directory)
{
    struct stat st;

    return stat(directory, &st) == 0 && S_ISDIR(st.st_mode) && (st.st_uid == 0 || st.st_uid == geteuid()) &&
           (!(st.st_mode & (S_IWGRP | S_IWOTH)) || (st.st_mode & S_ISVTX));
}

/* Where nothing can be kept, a directory of the user's own beside other temporary files.  False if there is
 * none. */
static bool find_temporary(char path[RT_PATH])
{
    const char *asked = secure_getenv("TMPDIR");
    const char *const places[] = {asked && *asked == '/' ? asked : "/tmp", "/tmp", "/dev/shm"};

    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, RT_PATH, "%.3900s/clsizer-%u", places[i], (unsigned)geteuid());
        if (is_for_all(places[i]) && !check(path))
            return true;
    }
    return false;
}

const char *cache_find(const char *option, char path[RT_PATH])
{
    char *found =
        *option ? util_absolute(option) : util_xdg_file("XDG_CACHE_HOME", ".cache", "clsizer/summaries");
    const size_t size = found ? strlen(found) : 0;
    const char *problem = "cache-unwritable";

    if (size && size < RT_PATH)
        problem = check(found);
    if (!problem)
        memcpy(path, found, size + 1);
    else if (strcmp(problem, "cache-unwritable") == 0 && find_temporary(path))
        problem = NULL;
    else
        path[0] = '\0';
    free(found);
    return problem;
}
