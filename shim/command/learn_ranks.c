/* learn_ranks.c - see learn_ranks.h. */
#include "shim/command/learn_ranks.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/guest/util.h"
#include "shim/ledger/json.h"

#define BEGIN "{\"schema\":"
#define FIRST 3

static const char *const names[] = {"bounds", "mwp", "param", "learned"};
#define ESTIMATORS (sizeof names / sizeof *names)

/* Sums over decisions. */
struct sum {
    unsigned n, first, three;
    double place, of;
};

bool learn_is_report(const char *path)
{
    char begin[sizeof BEGIN];

    return util_beginning(path, begin, sizeof begin) && strcmp(begin, BEGIN) == 0;
}

static void add(struct json_object *event, struct sum sum[ESTIMATORS])
{
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
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    bool any = false;

    if (!f)
        return -errno;
    for (*line = 1; getline(&text, &room, f) >= 0; ++*line) {
        struct json_object *event = json_tokener_parse(text);
        if (!event && feof(f)) /* it is being written */
            break;
        if (!event) {
            free(text);
            fclose(f);
            return -EBADMSG;
        }
        add(event, sum);
        json_object_put(event);
    }
    for (unsigned e = 0; e < ESTIMATORS; e++)
        any |= sum[e].n > 0;
    printf("%s\n", path);
    if (any)
        print(sum);
    else
        puts("No decision that was measured.");
    free(text);
    fclose(f);
    return 0;
}
