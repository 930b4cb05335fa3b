/* end_with.h - a helper process ends when the directory of its answer goes. */
#pragma once

/* From now on, if the directory that `path` is in does not exist any more, this process ends within a second,
 * with all that it has started: nobody can read its answer, and who removes the directory shall not find new
 * files in it.  What it has started is its process group, if it leads one; that is how the library starts
 * helpers.  Starts a thread, once. */
void end_with_directory_of(const char *path);
