/* learn.c - `clsizer learn`: what was measured elsewhere is added to the points of this machine's races, and
 * what these tell is judged and reported.
 *
 * Files are such as it keeps itself, or raw results of the benchmark (scripts/bench). */
#include "shim/command/learn_files.h"
#include "shim/command/learn_ranks.h"
#include "shim/command/learn_report.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "select/time/features.h"
#include "shim/command/own_commands.h"
#include "shim/command/own_files.h"
#include "shim/command/report_lines.h"
#include "shim/guest/options.h"
#include "shim/ledger/json.h"

enum { EXIT_NOTHING = 1, EXIT_UNUSABLE = LEARN_UNUSABLE };

static int usage(FILE *f)
{
    fputs(
        "usage: clsizer learn [--wisdom DIR] [FILE...]\n"
        "       clsizer learn [--wisdom DIR] --report [FILE...]\n"
        "Races leave what they measured in the directory of wisdom: a file NAME.points for each device.\n"
        "Judge whether that orders sizes better than the model: then programs measure them in that order.\n"
        "  FILE...             first add what was measured elsewhere: such files of other machines, or raw\n"
        "                      results of the benchmark (results.json)\n"
        "  --report [FILE...]  what the points tell, of this machine or of the files: how the model, what\n"
        "                      is learned from other programs, and both order sizes; of reports of\n"
        "                      programs (--report FILE): where each estimator had the sizes that won\n"
        "  --wisdom DIR        which directory of wisdom (default: as for programs)\n"
        "  --help              print this\n"
        "Exit status: 0; 1 if there is nothing; 2 wrong usage, or a file that cannot be used.\n",
        f);
    return f == stdout ? 0 : EXIT_UNUSABLE;
}

/* ---- results of the benchmark ------------------------------------------------------------------------ */

/* [size, predicted, measured, state] and its features, by their names.  False if something is missing. */
static bool read_size(json_object *pair, json_object *features, uint16_t x[SEL_FEATURES],
                      struct learn_size *out)
{
    const char *size = json_object_get_string(json_object_array_get_idx(pair, 0));
    *out = (struct learn_size){.local = {1, 1, 1}, .samples = 1, .x = x};
    if (!size || sscanf(size, "%zux%zux%zu", &out->local[0], &out->local[1], &out->local[2]) < 1)
        return false;
    for (unsigned f = 0; f < SEL_FEATURES; f++) {
        json_object *v = js_member(features, est_feature_names[f]);
        const double number = json_object_get_double(v);
        if (!v || !(number >= 0 && number < UINT16_MAX / 1000))
            return false;
        x[f] = (uint16_t)(number * 1000 + 0.5);
    }
    out->time = json_object_get_double(json_object_array_get_idx(pair, 2));
    return out->time > 0;
}

/* The line of "PROGRAM/KERNEL SHAPE"; NULL if it has no two sizes.  Of "pairs" that of the size "own" comes
 * first. */
static char *launch_line(const char *name, json_object *launch)
{
    json_object *pairs = js_member(launch, "pairs"), *features = js_member(launch, "features");
    const char *slash = strchr(name, '/'), *kernel = slash ? slash + 1 : name;
    struct learn_size size[LEARN_SIZES];
    uint16_t x[LEARN_SIZES][SEL_FEATURES];
    char program[20], only[256];
    unsigned n = 0;
    bool own = false;

    if (!json_object_is_type(pairs, json_type_array) || !json_object_is_type(features, json_type_array))
        return NULL;
    for (size_t i = 0; i < json_object_array_length(pairs) && n < LEARN_SIZES; i++) {
        json_object *pair = json_object_array_get_idx(pairs, i);
        if (!json_object_is_type(pair, json_type_array) ||
            !read_size(pair, json_object_array_get_idx(features, i), x[n], &size[n]))
            continue;
        own |= n == 0 && strcmp(js_text(launch, "own"),
                                json_object_get_string(json_object_array_get_idx(pair, 0))) == 0;
        n++;
    }
    snprintf(program, sizeof program, "%016llx",
             (unsigned long long)hash64(HASH64_START, name, (size_t)(kernel - name)));
    snprintf(only, sizeof only, "%.*s", (int)strcspn(kernel, " "), kernel);
    return learn_line(only, program, hash64(HASH64_START, name, strlen(name)), own, size, n);
}

/* What to do with a line, which it takes over.  0 or -ENOMEM. */
typedef int take_line(void *to, char *line);

/* The device's key in `device`.  0, or an exit code with a message. */
static int read_results(const char *path, struct pts_head *head, take_line *take, void *to)
{
    json_object *all = json_object_from_file(path), *launches = js_member(all, "static"),
                *device = js_member(all, "device");
    unsigned n = 0;
    int err = 0;

    if (!json_object_is_type(launches, json_type_object)) {
        fprintf(stderr, "clsizer learn: %s: %s\n", path,
                all ? "holds neither points nor results of the benchmark's section 'static'"
                    : json_util_get_last_err());
        json_object_put(all);
        return EXIT_UNUSABLE;
    }
    snprintf(head->device, sizeof head->device, "%s|%s|%s", js_text(device, "name"),
             js_text(device, "vendor"), js_text(device, "driver"));
    head->is_cpu = !json_object_get_boolean(js_member(device, "gpu"));
    json_object_object_foreach(launches, name, launch)
    {
        char *line = launch_line(name, launch);
        n += line != NULL;
        err = line && !err ? take(to, line) : err;
    }
    json_object_put(all);
    if (!n)
        fprintf(stderr, "clsizer learn: %s: no measured sizes with features\n", path);
    return err ? learn_complain(path, 0, err) : n ? 0 : EXIT_NOTHING;
}

/* ---- adding ------------------------------------------------------------------------------------------ */

struct target {
    struct points *points;
    const struct pts_head *head; /* whose points are added */
    int n;
};

static int add_line(void *to, char *line)
{
    struct target *t = to;
    pts_add(t->points, t->head->device, t->head->is_cpu, line);
    t->n++;
    return 0;
}

static int add_file(struct points *points, const char *path)
{
    struct pts_head head = {0};
    struct target to = {points, &head, 0};
    unsigned line;
    int status = 0;

    if (learn_is_points(path))
        to.n = pts_import(points, path, &line);
    else
        status = read_results(path, &head, add_line, &to);
    if (to.n < 0)
        return learn_complain(path, line, to.n);
    if (!status)
        printf("%s: %d races\n", path, to.n);
    return status;
}

/* All files, or nothing. */
static int add_files(const char *place, int n, char **path)
{
    struct points *points = pts_open(place);
    const char *written = place;
    int status = 0, err = points ? 0 : -ENOMEM;

    for (int i = 0; points && i < n && !status; i++)
        status = add_file(points, path[i]);
    if (!status && !err)
        err = pts_finish(points, true, &written);
    if (err)
        status = learn_complain(written, 0, err);
    pts_close(points);
    return status;
}

/* ---- reporting --------------------------------------------------------------------------------------- */

static int add_point(void *to, char *line)
{
    const int err = learn_add(to, line);
    free(line);
    return err;
}

static int report_file(const char *path, uid_t owner)
{
    struct pts_head head = {0};
    struct learn_points points = {0};
    unsigned line = 0;
    int status = 0, err = 0;

    if (owner == (uid_t)-1 && report_begins(path)) {
        err = learn_ranks(path, &line);
        return err ? learn_complain(path, line, err) : 0;
    }
    if (owner == (uid_t)-1 && !learn_is_points(path))
        status = read_results(path, &head, add_point, &points);
    else
        err = pts_read(path, owner, &head, &points, &line);
    if (err)
        status = learn_complain(path, line, err);
    else if (!status && (err = learn_report(head.device, &points)))
        status = learn_complain(path, 0, err);
    learn_points_free(&points);
    return status;
}

static int report_files(int n, char **path, uid_t owner)
{
    int status = 0;

    for (int i = 0; i < n; i++) {
        const int one = report_file(path[i], owner);
        status = one ? one : status;
        if (i + 1 < n)
            putchar('\n');
    }
    return status;
}

/* Of what races have left: to add their own lines again changes nothing but what is judged. */
static int own_points(const char *place, bool report)
{
    glob_t found;
    const int n = (int)own_glob(place, "*" PTS_ENDING, &found);
    const int status = !n       ? EXIT_NOTHING
                       : report ? report_files(n, found.gl_pathv, geteuid())
                                : add_files(place, n, found.gl_pathv);

    globfree(&found);
    if (!n)
        fprintf(stderr, "clsizer learn: no race has left points in %s yet\n", place);
    return status;
}

int learn_main(int argc, char **argv)
{
    struct options o;
    bool report = false;
    int n = 0, status;
    char *place;

    opt_from_environment(&o, NULL);
    const char *wisdom = o.wisdom;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return usage(stdout);
        if (strcmp(argv[i], "--report") == 0)
            report = true;
        else if (strcmp(argv[i], "--wisdom") == 0 && i + 1 < argc)
            wisdom = argv[++i];
        else if (strncmp(argv[i], "--wisdom=", 9) == 0)
            wisdom = argv[i] + 9;
        else if (argv[i][0] == '-')
            return usage(stderr);
        else
            argv[n++] = argv[i];
    }
    if (report && n)
        return report_files(n, argv, (uid_t)-1);
    place = learn_place(wisdom);
    if (!place) {
        fputs("clsizer learn: points are kept in a directory of wisdom, which --wisdom does not name\n",
              stderr);
        return EXIT_UNUSABLE;
    }
    status = n ? add_files(place, n, argv) : own_points(place, report);
    free(place);
    return status;
}
