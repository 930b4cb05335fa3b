/* predict_helper.c - runs clsizer-analyze for `clsizer predict` and reads its summary from a pipe. */
#include "select/predict/predict.h"
#include "analysis/summary/whole_file.h"

#include <errno.h>
#include <fcntl.h>
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

int predict_emit(const struct predict_options *o, const char *helper)
{
    char kernel[256], *text = NULL;
    size_t size = 0;
    char *const argv[] = {(char *)helper,
                          (char *)"--options",
                          (char *)o->build,
                          (char *)o->file,
                          (char *)"--from-c",
                          (char *)o->kernel,
                          (char *)"--emit",
                          (char *)"kernel",
                          (char *)"--kernel",
                          kernel,
                          NULL};
    snprintf(kernel, sizeof kernel, "%s__%u", o->kernel, o->dim);
    const int r = run_helper(argv, &text, &size);
    if (r == 0) {
        printf("/* %s of %s; global size", o->kernel, o->file);
        for (unsigned d = 0; d < o->dim; d++)
            printf("%s%zu", d ? "," : " ", o->global[d]);
        printf(" or more */\n%.*s", (int)size, text);
    }
    free(text);
    return r;
}

int predict_analyse(const struct predict_options *o, const char *helper, struct program_summary *out)
{
    char *const argv[] = {(char *)helper,      (char *)"--summary",
                          (char *)"--options", (char *)o->build,
                          (char *)o->file,     (char *)(o->from_c ? "--from-c" : NULL),
                          (char *)o->kernel,   NULL};
    char *text = NULL;
    unsigned line = 0;
    size_t size = 0;
    int r = !o->file ? whole_file(o->told.summary, SUM_MAX_TEXT, &text, &size)
            : helper ? run_helper(argv, &text, &size)
                     : complain(-ENOENT, "clsizer-analyze, or what CLSIZER_HELPER says");
    if (r == 0) {
        r = sum_parse(text, size, out, &line);
        if (r && o->file)
            fprintf(stderr, "clsizer predict: summary of %s, line %u: %s\n", o->file, line, strerror(-r));
    }
    if (r && !o->file)
        fprintf(
            stderr,
            "clsizer predict: %s: what is known of its program, '%s', cannot be used: %s; run that once more "
            "with --report, or give FILE.cl and --build-options\n",
            o->told.place, o->told.summary, text ? "it is of another version" : strerror(-r));
    free(text);
    return r;
}
