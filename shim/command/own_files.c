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
