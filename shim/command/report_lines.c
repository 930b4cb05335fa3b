/* report_lines.c - see report_lines.h. */
#include "shim/command/report_lines.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/guest/util.h"
#include "shim/ledger/json.h"

#define BEGIN  "{\"schema\":"
#define SCHEMA 1

bool report_begins(const char *path)
{
    char begin[sizeof BEGIN];

    return util_beginning(path, begin, sizeof begin) && strcmp(begin, BEGIN) == 0;
}

int report_each(const char *path, off_t *at, take_event *take, void *context, unsigned *line)
{
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    int error = f && fseeko(f, *at, SEEK_SET) == 0 ? 0 : -errno;

    for (*line = 1; !error && getline(&text, &room, f) > 0; ++*line) {
        struct json_object *event = json_tokener_parse(text);
        const int schema = json_object_get_int(js_member(event, "schema"));
        if (event || !feof(f))
            error = take(schema == SCHEMA ? event : NULL, context);
        if (error == -EBADMSG && schema > SCHEMA)
            error = -EPROTO;
        json_object_put(event);
        if (error)
            break;
    }
    if (!error && ferror(f))
        error = -errno;
    if (!error)
        *at = ftello(f);
    if (f)
        fclose(f);
    free(text);
    return error;
}
