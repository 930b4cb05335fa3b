/* files.h - the files that a program includes: are they still what they were when it was compiled?  Uses libc
 * alone, because the preloaded library asks. */
#pragma once

#include "analysis/summary/summary.h"

/* Describe the file `path`, or its absence, in *out, whose path the caller owns then.  False if that cannot
 * be told (no permission, a broken file system), or when out of memory. */
bool files_look(const char *path, struct sum_file *out);

/* Did the file exist before `built_ns` (CLOCK_REALTIME), as it is now and at the same path through the same
 * links and directories?  Allows for file systems whose times are ticks of the kernel's clock, or seconds.
 * False if the file is absent.  Not noticed: a directory that was renamed and has got a new entry since. */
bool files_precede(const struct sum_file *file, uint64_t built_ns);

/* Did a build that began at `built_ns` read the same files as the one that `p` was made from?  True if all
 * files that the compiler read, or might have found instead, are as `p` says and were so before.  Costs a
 * stat() per file and an lstat() per component of its path. */
bool files_same(const struct program_summary *p, uint64_t built_ns);
