/* util.h - paths, files, messages and limits of a process, for the library (a guest in the application's
 * process) and the launcher.
 *
 * No descriptor stays open between calls, because an application may close every descriptor and then get the
 * same numbers for its own files.  All functions may be called by several threads at the same time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* `path` as an absolute path, taken from the working directory; malloc'ed.  NULL when out of memory, or if
 * the working directory has been removed. */
char *util_absolute(const char *path);

/* $variable/name, else $HOME/home_part/name (XDG base directories; relative values are ignored); malloc'ed.
 *  NULL if neither variable is set to an absolute path, if there is no $HOME (where
 * accounts without one have HOME=/nonexistent, nobody expects it to appear), when out of memory, or if the
 * process is root's and the place belongs to another user (sudo may keep HOME). */
char *util_xdg_file(const char *variable, const char *home_part, const char *name);

/* Create the directories above the file `path` that do not exist, with mode 0700.  0 or negative errno. */
int util_make_parents(const char *path);

/* Open a regular file that belongs to `owner` or the effective user and that nobody else may write to; the
 * last component must not be a symbolic link.  flags: O_RDONLY, or O_RDWR | O_APPEND | O_CREAT (mode 0600).
 * Returns the descriptor (close-on-exec), or negative errno: -EPERM if owner or permissions are wrong,
 * -EMLINK if it is not a regular file, -ELOOP if it is a symbolic link. */
int util_open_private(const char *path, int flags, uid_t owner);

/* Such a file of the user's, whole (whole_file.h); malloc'ed.  NULL if it cannot be had or trusted, or has
 * more bytes than `most`. */
char *util_read_private(const char *path, size_t most, size_t *size);

/* Write `size` bytes by one write().  0, -EFBIG without writing if that would exceed RLIMIT_FSIZE (the signal
 * would kill the application), -ENOSPC after a short write, or another negative errno. */
int util_write(int fd, const char *line, size_t size);

/* Create the file `path`, of this mode but for the umask, with `size` bytes of text.  0 or negative errno;
 * there is no file after an error, unless it existed before (-EEXIST). */
int util_make_file(const char *path, mode_t mode, const char *text, size_t size);

/* Read the beginning of a file.  How many bytes, with a NUL behind them; 0, too, if it cannot be read.  Never
 * waits, should it be a pipe. */
size_t util_beginning(const char *path, char *out, size_t room);

/* Take the exclusive flock() of an open file, waiting for `ms` milliseconds at most.  0, -EAGAIN if it is
 * still taken then, or another negative errno. */
int util_lock(int fd, unsigned ms);

/* Which file stderr is, as text that another process can compare with its own; "" if it is closed. */
#define UTIL_FILE_TEXT 48
void util_stderr(char text[UTIL_FILE_TEXT]);

/* From now on count what stderr is at present as what it was when the process began.  For tests. */
void util_begin_stderr(void);

/* Write to stderr, provided that it is the file that it was when the process began: the application may have
 * closed it and got its number for another file.  Raises neither SIGPIPE nor SIGXFSZ in the application;
 * errors are ignored. */
void util_say(const char *text, size_t size);

/* Has the application forbidden itself system calls (seccomp) since it was started?  A forbidden one may end
 * it, and there is no telling which ones are.  So from then on we open no files and start no processes.
 * Costs a system call or two. */
bool util_forbidden(void);
/* From now on that is true: the process is about to forbid itself system calls, perhaps those that tell. */
void util_expect_filter(void);

/* The same, or has the application changed its root directory, so that our paths name other files?  To be
 * asked before files are opened; takes a microsecond or two. */
bool util_confined(void);

/* May the process have so much more memory, by its limits and those of the system?  None is taken. */
bool util_has_memory(size_t bytes);

/* Why a driver that compiles by means of other programs may no longer be able to, in words (a static string);
 * NULL if nothing seems to prevent it.  Such a driver may end the process when it cannot compile.  `links`:
 * one of the programs is a linker.  Costs some twenty system calls. */
const char *util_hampered(bool links);

/* The path of the loaded object that this function is in; NULL if unknown. */
const char *util_library(void);

/* The path of this process's program; if that is an interpreter (python3), of the script that it runs, or its
 * module's name; malloc'ed, NULL if unknown. */
char *util_program(void);

/* Now, as ISO 8601 UTC ("2026-01-31T12:00:00Z"). */
void util_date(char text[24]);
