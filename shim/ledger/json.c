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

struct json_object *js_member(struct json_object *o, const char *name)
{
    struct json_object *v = NULL;

    return json_object_object_get_ex(o, name, &v) ? v : NULL;
}

const char *js_text(struct json_object *o, const char *name)
{
    const char *text = json_object_get_string(js_member(o, name));

    return text ? text : "";
}

void js_size_words(struct json_object *size, int dim, const char *zero, char *out, size_t room)
{
    size_t n = 0;

    snprintf(out, room, "%s", zero);
    if (!json_object_is_type(size, json_type_array) ||
        !json_object_get_int64(json_object_array_get_idx(size, 0)))
        return;
    for (int i = 0; i < dim && i < 3 && n < room; i++)
        n += (size_t)snprintf(out + n, room - n, "%s%lld", i ? "x" : "",
                              (long long)json_object_get_int64(json_object_array_get_idx(size, (size_t)i)));
}
