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
    char text[40];
    size_t n, point;

    snprintf(text, sizeof text, "%.*g", digits, x);
    n = strspn(text, "-0123456789");
    point = strcspn(text + n, "e0123456789"); /* bytes that the application's locale has for it */
    if (point) {
        text[n] = '.';
        memmove(text + n + 1, text + n + point, strlen(text + n + point) + 1);
    }
    return json_object_new_double_s(x, text);
}

struct json_object *js_triple(const size_t v[3])
{
    struct json_object *a = json_object_new_array();

    for (int i = 0; i < 3 && a; i++)
        json_object_array_add(a, json_object_new_uint64(v[i]));
    return a;
}

const char *js_text(struct json_object *o, const char *name)
{
    const char *text = json_object_get_string(js_member(o, name));

    return text ? text : "";
}

/* The bytes of the character at `s`; 0: that is not UTF-8. */
static size_t character(const unsigned char *s)
{
    const size_t n = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0;
    /* What is too long for its number, a surrogate, or too large for any character shows in the second byte.
     */
    const unsigned least = *s == 0xe0   ? 0xa0
                           : *s == 0xf0 ? 0x90
                                        : 0x80,
                   most = *s == 0xed   ? 0x9f
                          : *s == 0xf4 ? 0x8f
                                       : 0xbf;

    if (n > 1 && (s[1] < least || s[1] > most))
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

void js_clean(char *text)
{
    while (*text) {
        const size_t n = character((const unsigned char *)text);
        if (!n)
            *text = '?';
        text += n ? n : 1;
    }
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
