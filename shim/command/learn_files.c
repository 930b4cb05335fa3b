/* learn_files.c - see learn_files.h. */
#include "shim/command/learn_files.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/command/own_files.h"
#include "shim/command/wisdom_files.h"
#include "shim/guest/options.h"
#include "shim/guest/util.h"

int learn_complain(const char *path, unsigned line, int err)
{
    const char *words = err != -EBADMSG ? wis_words(err)
                        : line > 1      ? "is damaged"
                                        : "is not the head of a file of points";

    wisdom_complain(path, line, words);
    return LEARN_UNUSABLE;
}

bool learn_is_points(const char *path)
{
    char begin[sizeof PTS_HEAD];

    return util_beginning(path, begin, sizeof begin) && strcmp(begin, PTS_HEAD) == 0;
}

char *learn_place(const char *wisdom)
{
    char *place = strcmp(wisdom, "none") == 0 ? NULL : wis_place(wisdom);

    if (!place || wis_is_directory(place))
        return place;
    free(place);
    return NULL;
}

/* May what was measured on the device of this head serve for the described one? */
static bool serves(const struct pts_head *h, const struct device *d)
{
    char name[PTS_LINE];
    const struct device *described;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(h->device, "|"), h->device);
    described = dev_named(name);
    if (described)
        return strcmp(described->name, d->name) == 0;
    return strstr(name, d->name) || (strncmp(d->name, "generic ", 8) == 0 && h->is_cpu == d->is_cpu);
}

int learn_for_device(const char *file, const struct device *d, struct learn_points *out)
{
    struct options o;
    struct pts_head head;
    unsigned line;
    glob_t found;
    int err = 0;

    *out = (struct learn_points){0};
    if (file) {
        err = pts_read(file, (uid_t)-1, &head, out, &line);
        if (err)
            learn_complain(file, line, err);
        return err == -ENOENT ? -EINVAL : err;
    }
    opt_from_environment(&o, NULL);
    char *place = learn_place(o.wisdom);
    const size_t n = place ? own_glob(place, "*" PTS_ENDING, &found) : 0;
    for (size_t i = 0; i < n; i++) {
        struct learn_points p;
        const int wrong = pts_read(found.gl_pathv[i], geteuid(), &head, &p, &line);
        if (wrong) {
            learn_complain(found.gl_pathv[i], line, wrong);
            err = wrong;
        } else if (serves(&head, d) && p.n > out->n) {
            learn_points_free(out);
            *out = p;
        } else {
            learn_points_free(&p);
        }
    }
    if (place)
        globfree(&found);
    free(place);
    return out->n ? 0 : err ? err : -ENOENT;
}
