/* child.c - see child.h.
 *
 * The child does not inherit the environment, because variables such as CPATH would change what is
 * compiled. */
#include "analysis/source/child.h"
#include "analysis/summary/whole_file.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

volatile pid_t child_running;

int child_file(const char *name, const char *content, size_t size, bool ours)
{
    int fd = memfd_create(name, ours ? MFD_CLOEXEC : 0);

    if (fd < 0)
        return -1;
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, content + done, size - done);
        if (n <= 0) {
            close(fd);
            return -1;
        }
        done += (size_t)n;
    }
    return lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* Contents of a memory file with a NUL behind them. */
static char *read_back(int fd, size_t *size)
{
    char *text = NULL;

    if (lseek(fd, 0, SEEK_SET) == 0)
        whole_read(fd, SIZE_MAX, &text, size);
    return text;
}

static void become(char **argv, const int fds[3])
{
    static char *environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 3; i++)
        if (dup2(fds[i], i) < 0)
            _exit(127);
    execve(argv[0], argv, environment);
    _exit(127);
}

struct child_run child_run(char **argv, const char *input, size_t size)
{
    struct child_run r = {.status = -1};
    int fds[3] = {child_file("source", input, size, true), child_file("output", NULL, 0, true),
                  child_file("messages", NULL, 0, true)};

    if (fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0) {
        pid_t pid = fork();
        if (pid == 0)
            become(argv, fds);
        child_running = pid > 0 ? pid : 0;
        if (pid > 0)
            while (waitpid(pid, &r.status, 0) < 0 && errno == EINTR)
                ;
        child_running = 0;
        r.out = read_back(fds[1], &r.nout);
        r.err = read_back(fds[2], &r.nerr);
    }
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    return r;
}

void child_free(struct child_run *r)
{
    free(r->out);
    free(r->err);
}
