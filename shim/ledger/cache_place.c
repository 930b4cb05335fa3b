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
    if (util_make_parents(leaf) || lstat(path, &st) || access(path, W_OK | X_OK))
        return "cache-unwritable";
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)))
        return "cache-not-trusted";
    return NULL;
}

const char *cache_find(const char *option, char path[RT_PATH])
{
    char *found = *option ? util_absolute(option) : util_xdg_path("XDG_CACHE_HOME", ".cache", "summaries");
    const size_t size = found ? strlen(found) : 0;
    const char *problem = "cache-unwritable";

    path[0] = '\0';
    if (size && size < RT_PATH)
        problem = check(found);
    if (!problem)
        memcpy(path, found, size + 1);
    free(found);
    return problem;
}
