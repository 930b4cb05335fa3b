/* own_files.c - see own_files.h. */
#include "shim/command/own_files.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

int own_find(const char *leaf, const char *installed, char path[PATH_MAX])
{
    char self[PATH_MAX], guess[2 * PATH_MAX], *slash;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    if (n > 0)
        self[n] = '\0';
    else if (!realpath((const char *)getauxval(AT_EXECFN), self)) /* no /proc here */
        return -1;
    slash = strrchr(self, '/');
    if (!slash)
        return -1;
    *slash = '\0';
    snprintf(guess, sizeof guess, "%s/%s", self, leaf);
    if (realpath(guess, path))
        return 0;
    if (installed[0] == '/')
        snprintf(guess, sizeof guess, "%s/%s", installed, leaf);
    else
        snprintf(guess, sizeof guess, "%s/../%s/%s", self, installed, leaf);
    return realpath(guess, path) ? 0 : -1;
}

size_t own_glob(const char *directory, const char *pattern, glob_t *found)
{
    char *all = malloc(2 * strlen(directory) + strlen(pattern) + 2), *to = all;
    int error = -1;

    *found = (glob_t){0};
    for (; all && *directory; *to++ = *directory++)
        if (strchr("*?[\\", *directory)) /* its own letters */
            *to++ = '\\';
    if (all) {
        sprintf(to, "%s%s", to > all && to[-1] == '/' ? "" : "/", pattern);
        error = glob(all, 0, NULL, found);
    }
    free(all);
    return error ? 0 : found->gl_pathc;
}
