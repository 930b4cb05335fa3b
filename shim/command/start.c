/* start.c - see start.h. */
#include "shim/command/start.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shim/command/own_files.h"
#include "shim/command/take_option.h"
#include "shim/guest/util.h"

#define ASAN_ORDER "verify_asan_link_order"

/* Put libclsizer.so in front of LD_PRELOAD.  0 or an exit code, with a message. */
static int preload(void)
{
    const char *before = getenv("LD_PRELOAD");
    char library[PATH_MAX], *list;
    int failed;

    if (own_find("libclsizer.so", CLSIZER_LIBDIR, library)) {
        fputs("clsizer: libclsizer.so is neither beside this program nor in its library directory\n", stderr);
        return EXIT_LIBRARY;
    }
    if (strpbrk(library, ": ")) {
        fprintf(stderr, "clsizer: LD_PRELOAD cannot hold %s: blanks and colons separate its entries\n",
                library);
        return EXIT_LIBRARY;
    }
    if (asprintf(&list, "%s%s%s", library, before && *before ? ":" : "", before ? before : "") < 0)
        list = NULL;
    failed = !list || setenv("LD_PRELOAD", list, 1);
    free(list);
    if (failed)
        fprintf(stderr, "clsizer: cannot set LD_PRELOAD: %s\n", strerror(errno));
    return failed ? EXIT_LIBRARY : 0;
}

/* A program built with AddressSanitizer refuses to start if another library was preloaded before the
 * sanitizer's runtime.  The order does not matter here: libclsizer.so replaces none of the functions that the
 * runtime does. */
static void suit_sanitizer(void)
{
    const char *before = getenv("ASAN_OPTIONS");
    char *options;

    if (before && strstr(before, ASAN_ORDER))
        return;
    if (asprintf(&options, "%s%s" ASAN_ORDER "=0", before ? before : "", before && *before ? ":" : "") < 0)
        return;
    setenv("ASAN_OPTIONS", options, 1);
    free(options);
}

int start_program(char **command)
{
    int error = preload();
    char here[UTIL_FILE_TEXT];

    suit_sanitizer();
    util_stderr(here);
    setenv("CLSIZER_SUMMARY", here, 1); /* CLSIZER_QUIET is the library's to read */
    if (error)
        return error;
    execvp(command[0], command);
    error = errno;
    fprintf(stderr, "clsizer: %s: %s\n", command[0], error == ENOENT ? "command not found" : strerror(error));
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

/* ---- and wait for it --------------------------------------------------------------------------------- */

static volatile sig_atomic_t child; /* 0: none */

static void hand_on(int number)
{
    if (child > 0)
        kill((pid_t)child, number);
}

/* What others send to us is for the program.  The terminal's signals it gets itself. */
static const struct {
    int number;
    void (*handler)(int);
} signals[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGTERM, hand_on},
               {SIGHUP, hand_on}, {SIGUSR1, hand_on}, {SIGUSR2, hand_on}};
#define SIGNALS (sizeof signals / sizeof *signals)

/* They are blocked from then on, so that none is lost before there is a child; *mask receives which were. */
static void catch_signals(struct sigaction before[SIGNALS], sigset_t *mask)
{
    sigset_t ours;

    sigemptyset(&ours);
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction action = {.sa_handler = signals[i].handler};
        sigaction(signals[i].number, NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) /* nohup's stays */
            sigaction(signals[i].number, &action, NULL);
        sigaddset(&ours, signals[i].number);
    }
    sigprocmask(SIG_BLOCK, &ours, mask);
}

static void restore_signals(const struct sigaction before[SIGNALS])
{
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &before[i], NULL);
}

int start_and_wait(char **command, int *status)
{
    struct sigaction before[SIGNALS];
    sigset_t mask;
    pid_t pid;
    int code = 0, error;

    fflush(NULL);
    catch_signals(before, &mask);
    pid = fork();
    child = pid;
    if (pid == 0)
        restore_signals(before);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (pid == 0)
        _exit(start_program(command));
    while (pid > 0 && (code = waitpid(pid, status, 0)) < 0 && errno == EINTR)
        ;
    error = pid < 0 || code < 0 ? errno : 0;
    child = 0;
    restore_signals(before);
    if (error)
        fprintf(stderr, "clsizer: %s: %s\n", command[0], strerror(error));
    return error ? EXIT_CANNOT_RUN : 0;
}

int start_end_like(int status)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    if (!number)
        return WEXITSTATUS(status);
    signal(number, SIG_DFL);
    raise(number);
    return 128 + number;
}
