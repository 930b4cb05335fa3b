/* predict_helper.c - runs clsizer-analyze for `clsizer predict` and reads its summary from a pipe. */
#include "select/predict/predict.h"
#include "analysis/summary/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int complain(int error, const char *what)
{
    fprintf(stderr, "clsizer predict: %s: %s\n", what, strerror(-error));
    return error;
}

/* $CLSIZER_HELPER, else next to this program (build tree), else where it is installed, seen from here. */
static int find_helper(char path[PATH_MAX])
{
    static const char *const places[] = {"", CLSIZER_LIBEXEC_RELATIVE "/"};
    const char *env = getenv("CLSIZER_HELPER");
    char here[PATH_MAX], *slash;
    if (env && *env) {
        snprintf(path, PATH_MAX, "%s", env);
        return 0;
    }
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    here[n > 0 ? n : 0] = 0;
    slash = strrchr(here, '/');
    for (unsigned i = 0; slash && i < sizeof places / sizeof *places; i++) {
        *slash = 0;
        n = snprintf(path, PATH_MAX, "%s/%sclsizer-analyze", here, places[i]);
        if (n < PATH_MAX && access(path, X_OK) == 0)
            return 0;
    }
    fprintf(stderr, "clsizer predict: clsizer-analyze was not found; set CLSIZER_HELPER\n");
    return -ENOENT;
}

static int start(char *const argv[], int *out, pid_t *pid)
{
    int fd[2];
    posix_spawn_file_actions_t actions;
    unsetenv("LD_PRELOAD"); /* it need not load us */
    unsetenv("OPENCL_LAYERS");
    if (pipe2(fd, O_CLOEXEC) != 0)
        return -errno;
    int r = posix_spawn_file_actions_init(&actions);
    if (r == 0) {
        r = posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
        if (r == 0)
            r = posix_spawn(pid, argv[0], &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(fd[1]);
    if (r)
        close(fd[0]);
    *out = fd[0];
    return -r;
}

static int run_helper(char *const argv[], char **text, size_t *size)
{
    int fd = -1, status;
    pid_t pid;
    int r = start(argv, &fd, &pid);
    if (r)
        return complain(r, argv[0]);
    r = whole_read(fd, SUM_MAX_TEXT, text, size);
    close(fd);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (r)
        return complain(r, "reading the summary");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        if (WIFSIGNALED(status))
            fprintf(stderr, "clsizer predict: clsizer-analyze died from signal %d\n", WTERMSIG(status));
        return -EIO; /* it has said why, unless a signal ended it */
    }
    return 0;
}

int predict_analyse(const struct predict_options *o, struct program_summary *out)
{
    char path[PATH_MAX], *text = NULL;
    char *const argv[] = {path, (char *)"--summary", (char *)"--options", (char *)o->build, (char *)o->file,
                          NULL};
    unsigned line = 0;
    size_t size = 0;
    int r = find_helper(path);
    if (r == 0)
        r = run_helper(argv, &text, &size);
    if (r == 0) {
        r = sum_parse(text, size, out, &line);
        if (r)
            fprintf(stderr, "clsizer predict: summary of %s, line %u: %s\n", o->file, line, strerror(-r));
    }
    free(text);
    return r;
}
