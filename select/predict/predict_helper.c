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

#define MAX_WORDS 256

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

/* Split build options at blanks, in place; double quotes keep blanks, a backslash
 * takes the next character. */
static int split_words(char *s, char **word, unsigned *n)
{
    for (;;) {
        while (*s == ' ' || *s == '\t' || *s == '\n')
            s++;
        if (!*s)
            return 0;
        if (*n == MAX_WORDS)
            return -E2BIG;
        char *to = word[(*n)++] = s;
        bool quoted = false;
        for (; *s && (quoted || (*s != ' ' && *s != '\t' && *s != '\n')); s++) {
            if (*s == '"') {
                quoted = !quoted;
                continue;
            }
            if (*s == '\\' && s[1])
                s++;
            *to++ = *s;
        }
        bool last = !*s;
        *to = 0;
        if (last)
            return 0;
        s++;
    }
}

/* The environment without what would make the helper load us. */
static char **helper_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **env = calloc(n + 1, sizeof *env);
    for (size_t i = 0; env && i < n; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0 && strncmp(environ[i], "OPENCL_LAYERS=", 14) != 0)
            env[kept++] = environ[i];
    return env;
}

static int start(char *const argv[], int *out, pid_t *pid)
{
    int fd[2];
    posix_spawn_file_actions_t actions;
    char **env = helper_environment();
    if (!env)
        return -ENOMEM;
    if (pipe2(fd, O_CLOEXEC) != 0) {
        free(env);
        return -errno;
    }
    int r = posix_spawn_file_actions_init(&actions);
    if (r == 0) {
        r = posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
        if (r == 0)
            r = posix_spawn(pid, argv[0], &actions, NULL, argv, env);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(env);
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
    char path[PATH_MAX], *argv[MAX_WORDS + 5] = {path, (char *)"--summary", (char *)o->file, (char *)"--"};
    char *text = NULL, *options = strdup(o->build);
    unsigned words = 0, line = 0;
    size_t size = 0;
    int r = options ? find_helper(path) : -ENOMEM;
    if (r == 0) {
        r = split_words(options, argv + 4, &words);
        if (r)
            complain(r, "--build-options");
    }
    argv[4 + words] = NULL;
    if (r == 0)
        r = run_helper(argv, &text, &size);
    if (r == 0) {
        r = sum_parse(text, size, out, &line);
        if (r)
            fprintf(stderr, "clsizer predict: summary of %s, line %u: %s\n", o->file, line, strerror(-r));
    }
    free(text);
    free(options);
    return r;
}
