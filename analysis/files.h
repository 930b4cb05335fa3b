/* files.h - files that a program was compiled from, beside its text: are they still what they were?  libc
 * only: the preloaded library asks. */
#ifndef CLSIZER_ANALYSIS_FILES_H
#define CLSIZER_ANALYSIS_FILES_H

#include "analysis/summary.h"

/* Look at `path`.  True and *out filled, its path owned by the caller; false when nothing can be told
 * (no permission, a broken file system), or out of memory. */
bool files_look(const char *path, struct sum_file *out);

/* Was the file there, as it is now and by the same way, before `built_ns` (CLOCK_REALTIME)?  File times are
 * kept in ticks of the kernel's clock, or in seconds.  False for one that is absent.  A directory that was
 * renamed, and got a new entry since, goes unnoticed. */
bool files_precede(const struct sum_file *file, uint64_t built_ns);

/* Did a build that began at `built_ns` read what `p` was made from?  All files that the compiler read or may
 * look for are as they were, and were so before.  A stat() per file, and an lstat() per part of its path. */
bool files_same(const struct program_summary *p, uint64_t built_ns);

#endif
