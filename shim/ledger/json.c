/* json.c - see json.h. */
#include "shim/ledger/json.h"
#include <stdio.h>
#include <string.h>

void js_add(struct json_object *o, const char *name, struct json_object *value)
{
    if (o && value)
        json_object_object_add_ex(o, name, value, JSON_C_OBJECT_ADD_CONSTANT_KEY);
    else
        json_object_put(value);
}

struct json_object *js_number(double x, int digits)
{
    char text[40], *comma;

    snprintf(text, sizeof text, "%.*g", digits, x);
    if ((comma = strchr(text, ','))) /* the application's locale */
        *comma = '.';
    return json_object_new_double_s(x, text);
}

struct json_object *js_triple(const size_t v[3])
{
    struct json_object *a = json_object_new_array();

    for (int i = 0; i < 3 && a; i++)
        json_object_array_add(a, json_object_new_uint64(v[i]));
    return a;
}
