/* run_info.h - what the report says of the process that it is about. */
#pragma once

#include <json-c/json.h>

/* Add executable, directory, command and options (the head of report.c).  Members that cannot be found out,
 * for want of /proc or of memory, are left out. */
void run_describe(struct json_object *o);
