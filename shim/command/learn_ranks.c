/* learn_ranks.c - see learn_ranks.h. */
#include "shim/command/learn_ranks.h"
#include <errno.h>
#include <stdio.h>
#include "shim/command/report_lines.h"
#include "shim/ledger/json.h"

#define FIRST 3

static const char *const names[] = {"bounds", "mwp", "param", "learned"};
#define ESTIMATORS (sizeof names / sizeof *names)

/* Sums over decisions. */
struct sum {
    unsigned n, first, three;
    double place, of;
};

static int add(struct json_object *event, void *context)
{
    struct sum *sum = context;
    struct json_object *by = js_member(js_member(event, "estimate"), "by");
    const int of = json_object_get_int(js_member(by, "of"));

    for (unsigned e = 0; e < ESTIMATORS; e++) {
        const int place = json_object_get_int(js_member(by, names[e]));
        if (place < 1 || place > of)
            continue;
        sum[e].n++;
        sum[e].first += place == 1;
        sum[e].three += place <= FIRST;
        sum[e].place += place;
        sum[e].of += of;
    }
    return event ? 0 : -EBADMSG;
}

static void print(const struct sum sum[ESTIMATORS])
{
    puts("Where estimators had the size that won, among those that were measured:\n"
         "           decisions   first  first three  place, mean  of, mean");
    for (unsigned e = 0; e < ESTIMATORS; e++)
        if (sum[e].n)
            printf("  %-8s %9u %7u %12u %12.2f %9.2f\n", names[e], sum[e].n, sum[e].first, sum[e].three,
                   sum[e].place / sum[e].n, sum[e].of / sum[e].n);
}

int learn_ranks(const char *path, unsigned *line)
{
    struct sum sum[ESTIMATORS] = {{0}};
    bool any = false;
    off_t at = 0;
    const int err = report_each(path, &at, add, sum, line);

    if (err)
        return err;
    for (unsigned e = 0; e < ESTIMATORS; e++)
        any |= sum[e].n > 0;
    printf("%s\n", path);
    if (any)
        print(sum);
    else
        puts("No decision that was measured.");
    return 0;
}
