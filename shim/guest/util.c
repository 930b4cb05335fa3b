/* util.c - paths, files, messages and limits of a process (util.h). */
#include "shim/guest/util.h"
#include "shim/guest/clock.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "analysis/summary/whole_file.h"

char *util_absolute(const char *path)
{
    char *directory, *result = NULL;

    if (*path == '/')
        return strdup(path);
    directory = getcwd(NULL, 0);
    if (directory && asprintf(&result, "%s/%s", directory, path) < 0)
        result = NULL;
    free(directory);
    return result;
}

/* May this process create files at `path`?  Root could do so anywhere, but what it creates in another user's
 * home (sudo may keep HOME) would be closed to that user, so the nearest directory that exists must be
 * root's.  Changes `path` for a while. */
static bool belongs_here(char *path)
{
    struct stat st;
    char *slash;
    bool there;

    if (geteuid() != 0)
        return true;
    if (stat(path, &st) == 0)
        return st.st_uid == 0;
    slash = strrchr(path, '/');
    if (!slash || slash == path)
        return true;
    *slash = '\0';
    there = belongs_here(path);
    *slash = '/';
    return there;
}

char *util_xdg_file(const char *variable, const char *home_part, const char *name)
{
    const char *base = secure_getenv(variable), *home = secure_getenv("HOME");
    char *result = NULL;
    int n = -1;

    if (base && *base == '/')
        n = asprintf(&result, "%s/%s", base, name);
    else if (home && *home == '/' && !access(home, F_OK))
        n = asprintf(&result, "%s/%s/%s", home, home_part, name);
    if (n < 0)
        return NULL;
    if (!belongs_here(result)) {
        free(result);
        return NULL;
    }
    return result;
}

int util_make_parents(const char *path)
{
    char *copy = strdup(path);
    int err = copy ? 0 : -ENOMEM;

    if (!copy)
        return err;
    for (char *p = strchr(copy + 1, '/'); p && !err; p = strchr(p + 1, '/')) {
        *p = '\0';
        if (mkdir(copy, 0700) == 0)
            (void)chmod(copy, 0700); /* whatever the application's umask */
        else if (errno != EEXIST)
            err = -errno;
        *p = '/';
    }
    free(copy);
    return err;
}

int util_open_private(const char *path, int flags, uid_t owner)
{
    int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
    struct stat st;
    int err = 0;

    if (fd < 0)
        return -errno;
    if (fstat(fd, &st))
        err = -errno;
    else if (!S_ISREG(st.st_mode))
        err = -EMLINK;
    else if ((st.st_uid != geteuid() && st.st_uid != owner) || (st.st_mode & (S_IWGRP | S_IWOTH)))
        err = -EPERM;
    if (!err)
        return fd;
    close(fd);
    return err;
}

char *util_read_private(const char *path, size_t most, size_t *size)
{
    const int fd = util_open_private(path, O_RDONLY, geteuid());
    char *text = NULL;

    if (fd < 0)
        return NULL;
    whole_read(fd, most, &text, size);
    close(fd);
    return text;
}

int util_lock(int fd, unsigned ms)
{
    for (unsigned i = 0;; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return 0;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return -errno;
        if (i >= ms)
            return -EAGAIN;
        clock_sleep(1000000);
    }
}

int util_write(int fd, const char *line, size_t size)
{
    struct rlimit limit;
    struct stat st;
    ssize_t written;

    if (fstat(fd, &st))
        return -errno;
    if (S_ISREG(st.st_mode) && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (uintmax_t)st.st_size + size > limit.rlim_cur)
        return -EFBIG;
    written = write(fd, line, size);
    if (written < 0)
        return -errno;
    return (size_t)written == size ? 0 : -ENOSPC;
}

int util_make_file(const char *path, mode_t mode, const char *text, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    int err;

    if (fd < 0)
        return -errno;
    err = util_write(fd, text, size);
    if (close(fd) && !err)
        err = -errno;
    if (err)
        unlink(path);
    return err;
}

size_t util_beginning(const char *path, char *out, size_t room)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    size_t size = 0;
    ssize_t n;

    while (fd >= 0 && (n = read(fd, out + size, room - 1 - size)) > 0)
        size += (size_t)n;
    if (fd >= 0)
        close(fd);
    out[size] = '\0';
    return size;
}

void util_stderr(char text[UTIL_FILE_TEXT])
{
    struct stat st;

    text[0] = '\0';
    if (fstat(STDERR_FILENO, &st) == 0)
        snprintf(text, UTIL_FILE_TEXT, "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
}

static char first_stderr[UTIL_FILE_TEXT];

__attribute__((constructor)) void util_begin_stderr(void)
{
    util_stderr(first_stderr);
}

/* Write with the signals blocked that this may raise, and take back what was raised. */
static void say_silently(const char *text, size_t size)
{
    const struct timespec now = {0};
    sigset_t ours, before, pending;

    sigpending(&pending);
    sigemptyset(&ours);
    for (unsigned i = 0; i < 2; i++)
        if (!sigismember(&pending, i ? SIGXFSZ : SIGPIPE))
            sigaddset(&ours, i ? SIGXFSZ : SIGPIPE);
    if (pthread_sigmask(SIG_BLOCK, &ours, &before))
        return;
    if (write(STDERR_FILENO, text, size) < 0 && (errno == EPIPE || errno == EFBIG))
        (void)sigtimedwait(&ours, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void util_say(const char *text, size_t size)
{
    char now[UTIL_FILE_TEXT];

    util_stderr(now);
    if (*now && strcmp(now, first_stderr) == 0)
        say_silently(text, size);
}

/* Is it a program that runs what its command line names?  Its version may stand behind the name. */
static bool is_interpreter(const char *path)
{
    static const char *const names[] = {"python", "pypy", "julia", "ruby", "perl", "node", "octave"};
    const char *slash = strrchr(path, '/'), *leaf = slash ? slash + 1 : path;
    bool is = false;

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        is |= strncmp(leaf, names[i], n) == 0 && (!leaf[n] || strchr("0123456789.-", leaf[n]));
    }
    return is;
}

/* What an interpreter runs: the first word of its command line that names a file, or Python's module; NULL if
 * there is none, as where the program itself stands there. */
static char *script(void)
{
    char text[4096];
    struct stat st;
    const size_t size = util_beginning("/proc/self/cmdline", text, sizeof text);
    const char *word = text + strlen(text) + 1, *end = text + size;

    for (; word < end && strcmp(word, "-c") != 0 && strcmp(word, "-e") != 0; word += strlen(word) + 1) {
        const char *next = word + strlen(word) + 1;
        if (strcmp(word, "-m") == 0 && next < end)
            return strdup(next);
        if (*word != '-' && stat(word, &st) == 0 && S_ISREG(st.st_mode))
            return util_absolute(word);
    }
    return NULL;
}

char *util_program(void)
{
    char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    char *name = NULL;

    if (n <= 0)
        return NULL;
    path[n] = '\0';
    if (is_interpreter(path))
        name = script();
    return name ? name : strdup(path);
}

void util_date(char text[24])
{
    time_t now = time(NULL);
    struct tm tm;

    if (!gmtime_r(&now, &tm) || !strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &tm))
        text[0] = '\0';
}

/* ---- confinement ----------------------------------------------------------------------------------- */

static int first_seccomp, first_privileges;
static struct stat first_root;

/* In a container a process is confined from the start, and PR_GET_SECCOMP does not tell whether it has added
 * a filter of its own.  But to add one, a process without privileges must set no_new_privs first, and that
 * shows. */
__attribute__((constructor)) static void note_confinement(void)
{
    first_seccomp = prctl(PR_GET_SECCOMP);
    first_privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
    if (stat("/", &first_root))
        first_root.st_ino = 0;
}

/* After chroot() all paths mean other files. */
static bool has_other_root(void)
{
    struct stat root;

    return first_root.st_ino &&
           (stat("/", &root) || root.st_dev != first_root.st_dev || root.st_ino != first_root.st_ino);
}

static atomic_bool filter_expected;

void util_expect_filter(void)
{
    atomic_store(&filter_expected, true);
}

bool util_forbidden(void)
{
    if (atomic_load_explicit(&filter_expected, memory_order_relaxed))
        return true;
    return prctl(PR_GET_SECCOMP) != first_seccomp ||
           (first_seccomp && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != first_privileges);
}

bool util_confined(void)
{
    return util_forbidden() || has_other_root();
}

/* ---- what drivers need to compile by means of other programs ------------------------------------------ */

struct identity {
    uid_t user[3]; /* real, effective, saved */
    gid_t group[3];
};

/* Limits of processes, files and memory: one that is lower than at the start may be too low for a
 * compiler. */
static const int limits[] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_DATA};
#define NLIMIT       (sizeof limits / sizeof *limits)
#define LIMIT_NOFILE 0

#define SPARE_DESCRIPTORS 32          /* that a driver may need to compile and load */
#define SPARE_MEMORY      (128 << 20) /* likewise */

static struct identity first_identity;
static rlim_t first_limit[NLIMIT];

static struct identity identity_now(void)
{
    struct identity i = {0};

    getresuid(&i.user[0], &i.user[1], &i.user[2]);
    getresgid(&i.group[0], &i.group[1], &i.group[2]);
    return i;
}

static rlim_t limit_now(unsigned i)
{
    struct rlimit limit;

    return getrlimit(limits[i], &limit) ? 0 : limit.rlim_cur;
}

__attribute__((constructor)) static void note_means(void)
{
    first_identity = identity_now();
    for (unsigned i = 0; i < NLIMIT; i++)
        first_limit[i] = limit_now(i);
}

static bool is_someone_else(void)
{
    const struct identity now = identity_now();

    return memcmp(&now, &first_identity, sizeof now) != 0;
}

static bool has_lower_limits(void)
{
    bool lower = false;

    for (unsigned i = 0; i < NLIMIT; i++)
        lower |= limit_now(i) < first_limit[i];
    return lower;
}

/* Would the exit status of a child be lost?  That counts even if SIGCHLD was ignored from the start, for the
 * program may never have compiled: its own size may be in the driver's cache on disk.  A handler that reaps
 * children does no harm: the signal goes to the thread that is already waiting for the compiler (as seen in
 * 1320 compilations). */
static bool ignores_children(void)
{
    struct sigaction action;

    return sigaction(SIGCHLD, NULL, &action) == 0 &&
           (action.sa_handler == SIG_IGN || action.sa_flags & SA_NOCLDWAIT);
}

/* Is it only a few descriptors from having none left?  Of those in use the kernel tells the number since 6.2;
 * before, programs that have many are taken to use the lowest ones. */
static bool lacks_descriptors(void)
{
    const int lowest = open("/", O_PATH | O_CLOEXEC);
    struct stat all;
    rlim_t used = (rlim_t)lowest;

    if (lowest < 0)
        return true;
    close(lowest);
    if (stat("/proc/self/fd", &all) == 0 && (rlim_t)all.st_size > used)
        used = (rlim_t)all.st_size;
    return used + SPARE_DESCRIPTORS > limit_now(LIMIT_NOFILE);
}

static bool has_linker(void)
{
    const char *at = getenv("PATH");
    char path[PATH_MAX];
    size_t n;

    for (; at && *at; at += n + (at[n] == ':')) {
        n = strcspn(at, ":");
        if (n && snprintf(path, sizeof path, "%.*s/ld", (int)n, at) < (int)sizeof path &&
            access(path, X_OK) == 0)
            return true;
    }
    return false;
}

bool util_has_memory(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return room != MAP_FAILED && munmap(room, bytes) == 0;
}

const char *util_hampered(bool links)
{
    if (util_confined())
        return "it has forbidden itself system calls, or has another root directory";
    if (ignores_children())
        return "it ignores SIGCHLD: nobody learns how a compiler has ended";
    if (is_someone_else())
        return "it runs with the rights of another user";
    if (has_lower_limits())
        return "it has lowered its limits of processes, files or memory";
    if (lacks_descriptors())
        return "it has hardly any file descriptors left";
    if (!util_has_memory(SPARE_MEMORY))
        return "it has hardly any memory left";
    return links && !has_linker() ? "no linker (ld) is found in its PATH" : NULL;
}

const char *util_library(void)
{
    static const char here;
    Dl_info info;

    return dladdr(&here, &info) ? info.dli_fname : NULL;
}
