/* predict_device.c - the description that --device means. */
#include "select/predict/predict.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* As the library reads them: a file of our own that nobody else may write. */
static int load_own(int directory, const char *leaf, struct device *d, struct timespec *written)
{
    char msg[256];
    struct stat s;
    const int fd = openat(directory, leaf, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (fd < 0)
        return -errno;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() ||
        s.st_mode & (S_IWGRP | S_IWOTH)) {
        close(fd);
        return -EPERM;
    }
    *written = s.st_mtim;
    return dev_load_fd(fd, leaf, d, msg, sizeof msg);
}

static bool newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

static bool is_description(const char *leaf)
{
    const size_t n = strlen(leaf);
    return n > 4 && strcmp(leaf + n - 4, ".dev") == 0;
}

/* The next description of the directory that can be used; *written: when it was.  False at the end. */
static bool next_calibrated(DIR *files, struct device *d, struct timespec *written)
{
    for (const struct dirent *e; files && (e = readdir(files));)
        if (is_description(e->d_name) && load_own(dirfd(files), e->d_name, d, written) == 0)
            return true;
    return false;
}

/* The newest calibrated description that is meant; NAME in full, or any CPU. */
static bool find_calibrated(const char *directory, const char *name, struct device *out)
{
    struct timespec latest = {0}, written = {0};
    static struct device d;
    DIR *files = directory ? opendir(directory) : NULL;
    bool found = false;

    while (next_calibrated(files, &d, &written)) {
        const bool meant = strcasecmp(name, "cpu") == 0 ? d.is_cpu : strcasecmp(name, d.name) == 0;
        if (!meant || (found && !newer(&written, &latest)))
            continue;
        *out = d;
        latest = written;
        found = true;
    }
    if (files)
        closedir(files);
    return found;
}

/* What --device may be, for who guessed wrong. */
static void list_devices(const char *directory, FILE *f)
{
    DIR *files = directory ? opendir(directory) : NULL;
    const struct device *built_in;
    static struct device d;
    struct timespec written;
    const char *name;
    bool any = false;

    fputs("built-in devices:\n", f);
    for (unsigned i = 0; (built_in = dev_builtin_at(i, &name)); i++)
        fprintf(f, "  %-25s %s\n", name, built_in->name);
    fprintf(f, "  %-25s %s\n", "cpu", "the CPU calibrated last, else generic-cpu");
    while (next_calibrated(files, &d, &written)) {
        fprintf(f, "%s  '%s'\n", any ? "" : "calibrated devices:\n", d.name);
        any = true;
    }
    if (!any)
        fputs("calibrated devices: none (`clsizer calibrate` measures this machine's)\n", f);
    if (files)
        closedir(files);
}

int predict_device(const char *name, const char *calibrated, struct device *out)
{
    char msg[256];
    const struct device *d;
    int r;

    if (!strchr(name, '/') && find_calibrated(calibrated, name, out))
        return 0;
    r = strchr(name, '/') ? -ENOENT : dev_find(strcasecmp(name, "cpu") == 0 ? "generic-cpu" : name, &d);
    if (r == 0) {
        *out = *d;
        return 0;
    }
    if (r == -ENOENT)
        r = dev_load(name, out, msg, sizeof msg);
    if (r == 0)
        return 0;
    if (r == -ENOENT)
        snprintf(msg, sizeof msg, "'%.100s' is neither a built-in or calibrated device nor a file", name);
    else if (r == -ENOTUNIQ)
        snprintf(msg, sizeof msg, "'%.100s' is a part of several devices' names", name);
    fprintf(stderr, "clsizer predict: %s\n", msg);
    if (r == -ENOENT || r == -ENOTUNIQ)
        list_devices(calibrated, stderr);
    return r;
}
