/* predict_device.c - the description that --device means. */
#include "select/predict/predict.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

void predict_list_devices(FILE *f)
{
    const struct device *built_in;
    const char *name;

    for (unsigned i = 0; (built_in = dev_builtin_at(i, &name)); i++)
        fprintf(f, "  %-25s %s\n", name, built_in->name);
    fprintf(f, "  %-25s %s\n", "cpu", "generic-cpu");
}

int predict_device(const char *name, struct device *out)
{
    char msg[256];
    const struct device *d;
    int r = strchr(name, '/') ? -ENOENT : dev_find(strcasecmp(name, "cpu") == 0 ? "generic-cpu" : name, &d);

    if (r == 0) {
        *out = *d;
        return 0;
    }
    if (r == -ENOENT)
        r = dev_load(name, out, msg, sizeof msg);
    if (r == 0)
        return 0;
    if (r == -ENOENT)
        snprintf(msg, sizeof msg, "'%.100s' is neither a built-in device nor a file", name);
    else if (r == -ENOTUNIQ)
        snprintf(msg, sizeof msg, "'%.100s' is a part of several devices' names", name);
    fprintf(stderr, "clsizer predict: %s\n", msg);
    if (r == -ENOENT || r == -ENOTUNIQ) {
        fputs("built-in devices:\n", stderr);
        predict_list_devices(stderr);
    }
    return r;
}
