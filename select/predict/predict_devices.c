/* predict_devices.c - which device a kernel should run on ([C] 4.5, [R] 4.2).
 *
 * A device that the model knows nothing of may have a file with times from another tool, in lines
 * `fixed_ms KERNEL = TIME`, and a line `name = NAME`. */
#include "analysis/summary/whole_file.h"
#include "select/predict/predict.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FILE (1u << 20)
#define MOST_MS   1e12 /* of a kernel: no time */
#define MB        1e6

/* [R] eq. 4.2 */
static double copy_ns(const struct device *d, double bytes)
{
    const double rising = d->link_slope * bytes / MB + d->link_offset;
    const double speed = d->link_slope + d->link_offset > 0 && rising < d->link_peak ? rising : d->link_peak;
    return speed > 0 ? bytes / MB / speed * 1e9 : 0;
}

double predict_transfer(const struct kernel_summary *k, const struct launch *l, const struct device *d)
{
    double sum = 0;
    for (uint32_t i = 0; i < k->nargs && i < l->nargs; i++)
        if (k->args[i].kind == SUM_ARG_BUFFER)
            sum += (k->args[i].may_read + k->args[i].may_write) * copy_ns(d, (double)l->args[i].bytes);
    return sum;
}

/* The value of `key = value` at the beginning of the line; NULL: another key. */
static char *value_of(char *line, const char *key)
{
    const size_t n = strlen(key);
    char *s = line + strspn(line, " \t");
    if (strncmp(s, key, n) != 0)
        return NULL;
    s += n + strspn(s + n, " \t");
    return *s == '=' ? s + 1 + strspn(s + 1, " \t") : NULL;
}

/* Does the file say how long the kernel takes?  False: it is no such file. */
static bool given_time(const char *file, const char *kernel, struct predict_place *out)
{
    char *text, *next, key[512];
    size_t size;
    if (whole_file(file, MOST_FILE, &text, &size) != 0)
        return false;
    const bool is = strstr(text, "fixed_ms ") != NULL;
    snprintf(key, sizeof key, "fixed_ms %s", kernel);
    snprintf(out->name, sizeof out->name, "%s", file);
    for (char *line = strtok_r(text, "\n", &next); is && line; line = strtok_r(NULL, "\n", &next)) {
        const char *value = value_of(line, key), *name = value_of(line, "name");
        const double ms = value ? strtod(value, NULL) : 0;
        if (name)
            snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(name, "#"), name);
        if (ms > 0 && ms < MOST_MS) {
            out->kernel = ms * 1e6;
            out->known = out->given = true;
        }
    }
    for (size_t n = strlen(out->name); n && out->name[n - 1] == ' ';)
        out->name[--n] = 0;
    free(text);
    return is;
}

bool predict_is_given(const char *file)
{
    struct predict_place place;
    return given_time(file, "", &place);
}

/* What a launch takes: its share of what is done once for all of them. */
static double total(const struct predict_options *o, const struct predict_place *p)
{
    return p->kernel + (o->launches ? (p->transfer + p->context) / o->launches : p->transfer);
}

static int by_total(const void *a, const void *b, void *options)
{
    const struct predict_place *x = a, *y = b;
    const double s = total(options, x), t = total(options, y);
    return x->known != y->known ? y->known - x->known : (s > t) - (s < t);
}

static const struct predict_place *cpu_of(const struct predict_place *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (p[i].is_cpu && p[i].known)
            return &p[i];
    return NULL;
}

static void print_table(const struct predict_options *o, const struct kernel_summary *k,
                        const struct predict_place *p, unsigned n)
{
    const struct predict_place *cpu = cpu_of(p, n);
    printf("%s on %u devices%s\n\n%-28s %-12s %13s %13s %13s\n", k->name, n,
           o->launches ? ", each launch's share of what is done once included" : "", "device", "local size",
           "kernel us", "transfers us", "launch us");
    for (unsigned i = 0; i < n; i++) {
        char size[PREDICT_SIZE];
        if (!p[i].known) {
            printf("%-28s not known\n", p[i].name);
            continue;
        }
        printf("%-28s %-12s %13.3f %13.3f %13.3f", p[i].name,
               p[i].given ? "-" : predict_size_text(p[i].local, o->dim, size), p[i].kernel / 1e3,
               p[i].transfer / 1e3, total(o, &p[i]) / 1e3);
        if (cpu && &p[i] != cpu && p[i].kernel < cpu->kernel && p[i].transfer + p[i].context > 0)
            printf("  faster than %s from launch %.0f on", cpu->name,
                   (p[i].transfer + p[i].context) / (cpu->kernel - p[i].kernel) + 1);
        puts(p[i].given ? "  as given" : "");
    }
    if (n && p[0].known)
        printf("\nChosen: %s\n", p[0].name);
}

static int print_json(const struct predict_options *o, const struct kernel_summary *k,
                      const struct predict_place *p, unsigned n)
{
    json_object *all = json_object_new_object(), *devices = json_object_new_array();
    for (unsigned i = 0; i < n; i++) {
        json_object *d = json_object_new_object(), *local = json_object_new_array();
        for (unsigned j = 0; j < o->dim && !p[i].given; j++)
            json_object_array_add(local, json_object_new_int64((int64_t)p[i].local[j]));
        json_object_object_add(d, "device", json_object_new_string(p[i].name));
        json_object_object_add(d, "known", json_object_new_boolean(p[i].known));
        json_object_object_add(d, "local", local);
        json_object_object_add(d, "kernel_us", json_object_new_double(p[i].kernel / 1e3));
        json_object_object_add(d, "transfer_us", json_object_new_double(p[i].transfer / 1e3));
        json_object_object_add(d, "total_us", json_object_new_double(total(o, &p[i]) / 1e3));
        json_object_array_add(devices, d);
    }
    json_object_object_add(all, "schema", json_object_new_int(1));
    json_object_object_add(all, "kernel", json_object_new_string(k->name));
    json_object_object_add(all, "devices", devices);
    json_object_object_add(all, "chosen", n && p[0].known ? json_object_new_string(p[0].name) : NULL);
    return predict_put_json(all);
}

/* A device of the model's. */
static int add(const struct predict_options *o, const struct kernel_summary *k, const struct device *d,
               predict_time *time, struct predict_place *out)
{
    memcpy(out->name, d->name, sizeof out->name);
    out->is_cpu = d->is_cpu;
    const int r = d->is_cpu && predict_for_gpus(o->model) ? 0 : time(o, k, d, out);
    return r == -E2BIG ? 0 : r;
}

int predict_devices(const struct predict_options *o, const struct kernel_summary *k, predict_time *time)
{
    struct predict_place place[2 * PREDICT_DEVICES] = {{.known = false}};
    const struct device *built_in;
    const char *name;
    struct device d;
    unsigned n = 0;
    int r = 0;
    for (unsigned i = 0; r == 0 && i < o->ndevice; i++, n++) {
        if (given_time(o->device[i], k->name, &place[n]))
            continue;
        r = predict_device(o->device[i], &d) == 0 ? add(o, k, &d, time, &place[n]) : -EINVAL;
    }
    if (r == 0 && predict_on_told(o))
        r = add(o, k, &o->told.device, time, &place[n++]);
    for (unsigned i = 0;
         r == 0 && o->all_devices && (built_in = dev_builtin_at(i, &name)) && n < 2 * PREDICT_DEVICES;
         i++, n++)
        r = add(o, k, built_in, time, &place[n]);
    qsort_r(place, n, sizeof *place, by_total, (void *)o);
    if (r == 0 && o->json)
        return print_json(o, k, place, n);
    if (r == 0)
        print_table(o, k, place, n);
    return r;
}
