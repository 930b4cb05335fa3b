/* own_files.h - where the library and the helpers of this launcher are. */
#ifndef CLSIZER_SHIM_OWN_FILES_H
#define CLSIZER_SHIM_OWN_FILES_H

#include <limits.h>

/* Find the file `leaf` beside this executable (as in a build tree), else in the directory `installed`, which
 * is relative to the parent of the executable's directory unless it is absolute.  0 with its real path, or
 * -1. */
int own_find(const char *leaf, const char *installed, char path[PATH_MAX]);

#endif
