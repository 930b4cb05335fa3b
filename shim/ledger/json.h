/* json.h - JSON values as the report and the wisdom file have them: json-c, in every locale alike. */
#ifndef CLSIZER_SHIM_JSON_H
#define CLSIZER_SHIM_JSON_H

#include <json-c/json.h>
#include <stddef.h>

/* Add a member; takes `value` over, also when there is no object to add it to.  NULL, which stands for "out
 * of memory" here, adds nothing.  `name` is a string constant: it is not copied. */
void js_add(struct json_object *o, const char *name, struct json_object *value);

/* A finite number with so many significant digits; NULL when out of memory. */
struct json_object *js_number(double x, int digits);

/* [x,y,z]; NULL when out of memory. */
struct json_object *js_triple(const size_t v[3]);

#endif
