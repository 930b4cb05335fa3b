/* child.h - runs a program to its end: what it reads and writes are memory files, so no pipe can block and no
 * temporary file is left behind. */
#ifndef CLSIZER_ANALYSIS_CHILD_H
#define CLSIZER_ANALYSIS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct child_run {
    int status;      /* as from waitpid; -1 when nothing ran */
    char *out, *err; /* owned, with a NUL behind them; NULL when they could not be had */
    size_t nout, nerr;
};

/* Run argv[0], a path, with `input` as its standard input, a fixed environment, and in a process group of its
 * own.  Release the result with child_free(). */
struct child_run child_run(char **argv, const char *input, size_t size);
void child_free(struct child_run *r);

/* A file in memory, read from its beginning; children inherit it unless `ours`.  -1 on failure. */
int child_file(const char *name, const char *content, size_t size, bool ours);

/* The running child, 0 when there is none: its own process group, for the deadline's signal handler. */
extern volatile pid_t child_running;

#endif
