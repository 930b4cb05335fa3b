/* run_info.c - see run_info.h. */
#include "shim/ledger/run_info.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/guest/options.h"
#include "shim/guest/util.h"
#include "shim/ledger/json.h"

#define COMMAND_TOLD 2000 /* bytes of a command line; some programs are started with thousands of files */
#define VALUE_TOLD   500  /* bytes of an option */

static void add_command(struct json_object *o)
{
    char text[COMMAND_TOLD + 1];
    const size_t size = util_beginning("/proc/self/cmdline", text, sizeof text);
    struct json_object *words = size ? json_object_new_array() : NULL;

    for (const char *word = text; words && word < text + size; word += strlen(word) + 1)
        json_object_array_add(words, json_object_new_string(word));
    js_add(o, "command", words);
}

static void add_paths(struct json_object *o)
{
    char path[PATH_MAX], *program = util_program();

    if (program)
        js_add(o, "executable", json_object_new_string(program));
    if (getcwd(path, sizeof path))
        js_add(o, "directory", json_object_new_string(path));
    free(program);
}

static void add_options(struct json_object *o)
{
    struct json_object *options = json_object_new_object();
    const struct opt_row *row;

    for (unsigned i = 0; options && (row = opt_row(i)); i++) {
        const char *value = secure_getenv(row->env);
        if (!value || !*value)
            value = opt_configured(i);
        if (value && *value)
            js_add(options, row->cli, json_object_new_string_len(value, (int)strnlen(value, VALUE_TOLD)));
    }
    js_add(o, "options", options);
}

void run_describe(struct json_object *o)
{
    add_paths(o);
    add_command(o);
    add_options(o);
}
