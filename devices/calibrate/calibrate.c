/* calibrate.c - clsizer-calibrate: measures an OpenCL device and writes its description.
 *
 * `clsizer calibrate` starts it; nothing else ever does. */
#include "devices/calibrate/calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_ERROR = 1, EXIT_USAGE = 2 };

#define MOST_TEXT (64u << 10) /* what dev_load() reads at most */

struct options {
    int platform;
    unsigned device;
    const char *output, *directory;
    bool quick, help;
};

static void usage(FILE *f)
{
    fputs("usage: clsizer calibrate [--platform N] [--device N] [--output FILE] [--quick]\n"
          "\nMeasure an OpenCL device, a minute or so, and write its description.  Without --output it goes "
          "where\n"
          "clsizer finds it whenever a program uses that device: $XDG_DATA_HOME/clsizer/devices, by default\n"
          "~/.local/share/clsizer/devices.  Delete the file to undo.\n\n"
          "  --platform N   OpenCL platform, from 0 (default: the first that has devices)\n"
          "  --device N     device of the platform, from 0 (default 0)\n"
          "  --output FILE  write to FILE instead, for --device-file or `clsizer predict --device FILE`\n"
          "  --quick        fewer points and smaller buffers: a rough description in seconds\n",
          f);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%*s\r", 75, "");
}

/* ---- the description ------------------------------------------------------------------------------- */

struct provenance {
    const struct cal *c;
    char text[256];
};

/* Keys whose value the driver told. */
static bool told(const struct cal *c, const char *key)
{
    static const char *const always[] = {"name", "is_cpu", "clock_mhz", "units", "max_group_items"};
    for (unsigned i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(key, always[i]) == 0)
            return true;
    return strcmp(key, "local_group_bytes") == 0 || (c->d.is_cpu && strcmp(key, "warp") == 0);
}

static const char *provenance(void *arg, const char *key)
{
    struct provenance *p = arg;

    for (unsigned i = 0; i < p->c->nnotes; i++)
        if (strcmp(p->c->note[i].key, key) == 0) {
            snprintf(p->text, sizeof p->text, "measured: %s", p->c->note[i].text);
            return p->text;
        }
    if (told(p->c, key))
        snprintf(p->text, sizeof p->text, "datasheet: what the driver tells");
    else
        snprintf(p->text, sizeof p->text, "assumed: not measured, as in %s", p->c->base);
    return p->text;
}

static void write_header(FILE *f, const struct cal *c)
{
    char date[32];
    time_t now = time(NULL);
    struct tm tm;

    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &tm));
    fprintf(f, "# Measured by clsizer calibrate%s on %s.\n# %s, %s, driver %s\n", c->quick ? " --quick" : "",
            date, c->name, c->vendor, c->driver);
    if (c->curve[0]) {
        fputs("# Latency of a pointer chase, KiB:ns", f);
        for (const char *s = c->curve; *s;) {
            int n = (int)strlen(s) < 100 ? (int)strlen(s) : 100;
            while (s[n] && s[n] != ' ')
                n--;
            fprintf(f, "\n#%.*s", n, s);
            s += n;
        }
        fputc('\n', f);
    }
    for (unsigned i = 0; i < c->nunknown; i++)
        fprintf(f, "# not determined: %s\n", c->unknown[i]);
}

/* Driver texts come from outside: no line breaks, and no '#', which would end a name. */
static void plain(char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < ' ' || *s == '#' || *s == 127)
            *s = ' ';
}

/* The whole description as text that dev_parse() accepts; NULL and a message if it does not. */
static char *describe(struct cal *c, size_t *size)
{
    char *text = NULL, msg[256];
    struct provenance p = {.c = c};
    struct device check;
    FILE *f = open_memstream(&text, size);
    int r = f ? 0 : -ENOMEM;

    if (f) {
        write_header(f, c);
        r = dev_write(f, &c->d, provenance, &p);
        if (fclose(f) != 0)
            r = -ENOMEM;
    }
    if (r)
        snprintf(msg, sizeof msg, "%s", strerror(-r));
    else
        r = *size < MOST_TEXT ? dev_parse("description", text, *size, &check, msg, sizeof msg) : -EFBIG;
    if (r == 0)
        return text;
    fprintf(stderr, "clsizer calibrate: what was measured makes no description: %s\n", msg);
    free(text);
    return NULL;
}

/* Whole or not at all: readers in other processes never see half a file. */
static int write_file(const char *path, const char *text, size_t size)
{
    char *temporary = NULL;
    int fd, r = 0;

    if (asprintf(&temporary, "%s.%ld", path, (long)getpid()) < 0)
        return -ENOMEM;
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        r = -errno;
    } else {
        ssize_t n = write(fd, text, size);
        r = n < 0 ? -errno : (size_t)n == size ? 0 : -ENOSPC;
        if (close(fd) != 0 && r == 0)
            r = -errno;
        if (r == 0 && rename(temporary, path) != 0)
            r = -errno;
        if (r)
            unlink(temporary);
    }
    free(temporary);
    return r;
}

/* ---- the program ----------------------------------------------------------------------------------- */

static bool read_count(const char *s, int *out)
{
    char *end;
    long v = s ? strtol(s, &end, 10) : -1;

    if (!s || !*s || *end || v < 0 || v > 1000)
        return false;
    *out = (int)v;
    return true;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    int device = 0;
    bool ok = true;

    *o = (struct options){.platform = -1};
    for (int i = 1; ok && i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            o->quick = true;
            continue;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            o->help = true;
            continue;
        } else if (strcmp(argv[i], "--platform") == 0) {
            ok = read_count(value, &o->platform);
        } else if (strcmp(argv[i], "--device") == 0) {
            ok = read_count(value, &device);
        } else if (strcmp(argv[i], "--output") == 0) {
            ok = (o->output = value) != NULL;
        } else if (strcmp(argv[i], "--directory") == 0) { /* the launcher's: where the library looks */
            ok = (o->directory = value) != NULL;
        } else {
            fprintf(stderr, "clsizer calibrate: unknown option %s\n", argv[i]);
            return false;
        }
        if (!ok)
            fprintf(stderr, "clsizer calibrate: %s needs a %s\n", argv[i],
                    strcmp(argv[i], "--platform") == 0 || strcmp(argv[i], "--device") == 0 ? "number from 0"
                                                                                           : "value");
        i++;
    }
    o->device = (unsigned)device;
    if (ok && !o->help && !o->output && !o->directory) {
        fputs("clsizer calibrate: there is no home directory to write to; use --output FILE\n", stderr);
        return false;
    }
    return ok;
}

static char *output_path(const struct cal *c, const struct options *o)
{
    char leaf[DEV_USER_FILE], *path = NULL;

    if (o->output)
        return strdup(o->output);
    dev_user_file(c->name, c->vendor, c->driver, leaf);
    return asprintf(&path, "%s/%s", o->directory, leaf) < 0 ? NULL : path;
}

static void measure(struct cal *c)
{
    c->repeats = c->quick ? 3 : 7;
    c->least_ns = c->quick ? 5e5 : 1e6;
    c->steps = c->quick ? 110 : 145;
    cal_overheads(c);
    cal_memory(c);
    cal_operations(c);
    end_progress();
}

static int finish(struct cal *c, const struct options *o)
{
    size_t size = 0;
    plain(c->name);
    plain(c->vendor);
    plain(c->driver);
    plain(c->d.name);
    char *text = describe(c, &size), *path = text ? output_path(c, o) : NULL;
    int r = text ? path ? write_file(path, text, size) : -ENOMEM : -EINVAL;

    if (text && r)
        fprintf(stderr, "clsizer calibrate: %s: %s\n", path ? path : "path", strerror(-r));
    if (r == 0) {
        printf("%s: %u of its numbers measured\n", c->name, c->nnotes);
        for (unsigned i = 0; i < c->nunknown; i++)
            printf("not determined: %s\n", c->unknown[i]);
        printf("written to %s\n", path);
    }
    free(text);
    free(path);
    return r;
}

int main(int argc, char **argv)
{
    struct options o;
    static struct cal c;

    if (!read_options(argc, argv, &o)) {
        fputs("Try 'clsizer calibrate --help'.\n", stderr);
        return EXIT_USAGE;
    }
    if (o.help) {
        usage(stdout);
        return 0;
    }
    c.quick = o.quick;
    if (cal_open(&c, o.platform, o.device) != 0) {
        cal_close(&c);
        return EXIT_ERROR;
    }
    measure(&c);
    int r = finish(&c, &o);
    cal_close(&c);
    return r || fflush(stdout) ? EXIT_ERROR : 0;
}
