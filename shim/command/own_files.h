/* own_files.h - where the library and the helpers of this launcher are, and what a directory holds. */
#pragma once

#include <glob.h>
#include <limits.h>
#include <stddef.h>

/* Find the file `leaf` beside this executable (as in a build tree), else in the directory `installed`, which
 * is relative to the parent of the executable's directory unless it is absolute.  0 with its real path, or
 * -1. */
int own_find(const char *leaf, const char *installed, char path[PATH_MAX]);

/* The files in the directory, whatever its name, that match the pattern, as glob() gives them.  How many;
 * release them with globfree() even if there are none. */
size_t own_glob(const char *directory, const char *pattern, glob_t *found);
