/* util.h - small things about paths and files that wisdom, report and the launcher share.
 *
 * Nothing stays open between calls: an application may close every descriptor and get the same numbers again
 * for its own files. */
#ifndef CLSIZER_SHIM_UTIL_H
#define CLSIZER_SHIM_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* `path` made absolute against the working directory; malloc'ed, NULL when out of memory or the working
 * directory is gone. */
char *util_absolute(const char *path);

/* $variable/clsizer/leaf, else $HOME/home_part/clsizer/leaf (XDG base directories; relative values are
 * ignored).  malloc'ed; NULL when neither variable is of use, and for root when the place is another
 * user's. */
char *util_xdg_path(const char *variable, const char *home_part, const char *leaf);

/* Create the directories that lead to the file `path`, 0700.  0 or negative errno. */
int util_make_parents(const char *path);

/* Open a regular file that `owner` or the effective user owns and that nobody else may write; the last
 * component must not be a symbolic link.  flags: O_RDONLY, or O_RDWR | O_APPEND | O_CREAT (mode 0600).
 * Returns the descriptor (close-on-exec), or negative errno: -EPERM when owner or permissions are wrong,
 * -EMLINK when it is not a regular file. */
int util_open_private(const char *path, int flags, uid_t owner);

/* One write() of `size` bytes; refused where it would exceed RLIMIT_FSIZE, whose signal would kill the
 * application. 0, -ENOSPC after a short write, or negative errno. */
int util_write(int fd, const char *line, size_t size);

/* Make the file `path`, 0600, with `size` bytes of text; it must not exist.  0, or negative errno, and then
 * it was not made. */
int util_make_file(const char *path, const char *text, size_t size);

/* Take the exclusive flock() of an open file, waiting `ms` milliseconds at most.  0, -EAGAIN when it stays
 * taken, or negative errno. */
int util_lock(int fd, unsigned ms);

/* Is the open file the one that the path names? */
bool util_is_at(int fd, const char *path);

/* Append one line, `size` bytes with the newline: one write() under flock, which is waited for
 * 100 ms at most.  A half-written last line is closed first.  0, and *end is where the file ends
 * now, or -EAGAIN when the lock stays taken, or negative errno. */
int util_append_line(const char *path, const char *line, size_t size, off_t *end);

/* Which file stderr is, in words that another process can compare; "" when it is closed. */
#define UTIL_FILE_TEXT 48
void util_stderr(char text[UTIL_FILE_TEXT]);

/* What stderr is now, it was at the start: for tests. */
void util_begin_stderr(void);

/* Write to stderr, without raising SIGPIPE or SIGXFSZ in the application; not to what has its number since it
 * was closed, nor to a file that the application put there. */
void util_say(const char *text, size_t size);

/* Has the application forbidden itself system calls (seccomp) since it was started?  Then a forbidden one may
 * end it, and which are is not to be known: no files, no processes from then on.  Costs a system call, or
 * two. */
bool util_forbidden(void);

/* ... or has it another root directory, where our files are others?  Asked before files are touched; it takes
 * a microsecond or two. */
bool util_confined(void);

/* Why a driver that compiles by means of other programs might no longer be able to, in words; NULL: as far as
 * one can tell it is.  PoCL ends the process then.  Costs some ten system calls. */
const char *util_hampered(void);

/* Now, as ISO 8601 UTC ("2026-01-31T12:00:00Z"). */
void util_date(char text[24]);

#endif
