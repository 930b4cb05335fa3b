/* child.h - runs a program and waits for its end.  Its input and output are memory files: a pipe could block,
 * and a temporary file could be left behind.  Helper only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct child_run {
    int status;      /* as from waitpid; -1 when nothing ran */
    char *out, *err; /* what it wrote; owned, with a NUL behind them; NULL if they could not be read */
    size_t nout, nerr;
};

/* Run the program argv[0], a path, with `size` bytes of `input` as its standard input, a fixed environment,
 * and in a process group of its own.  Release the result with child_free(). */
struct child_run child_run(char **argv, const char *input, size_t size);
void child_free(struct child_run *r);

/* Make a file in memory with this content, positioned at its beginning.  Children inherit the descriptor
 * unless `ours`.  -1 on failure. */
int child_file(const char *name, const char *content, size_t size, bool ours);

/* The running child, which is also its process group; 0 when there is none.  For the deadline's signal
 * handler. */
extern volatile pid_t child_running;
