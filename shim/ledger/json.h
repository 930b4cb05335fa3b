/* json.h - JSON values as the report and the wisdom file have them: json-c, in every locale alike. */
#pragma once

#include <json-c/json.h>
#include <stddef.h>

/* Add a member; takes `value` over, also when there is no object to add it to.  NULL, which stands for "out
 * of memory" here, adds nothing.  `name` is a string constant: it is not copied. */
void js_add(struct json_object *o, const char *name, struct json_object *value);

/* A finite number with so many significant digits; NULL when out of memory. */
struct json_object *js_number(double x, int digits);

/* [x,y,z]; NULL when out of memory. */
struct json_object *js_triple(const size_t v[3]);

/* Replace each byte that is not of a UTF-8 character by "?": JSON is UTF-8, and command lines, paths and
 * names are whatever they are, or cut anywhere. */
void js_clean(char *text);

#define js_member json_object_object_get /* NULL if there is none, or no object */

/* "" if there is none. */
const char *js_text(struct json_object *o, const char *name);

/* A size as words: "64x4", as far as `dim` goes; `zero` where it is absent or 0. */
void js_size_words(struct json_object *size, int dim, const char *zero, char *out, size_t room);
