/* embedded.h - the text of the *.dev files here, compiled in by embed.cmake. */
#pragma once

#include <stddef.h>

struct dev_text {
    const char *file;               /* its name without ".dev" */
    const char *name, *driver_name; /* the values of these keys, "" when absent */
    const char *text;               /* not terminated */
    size_t size;
};

extern const struct dev_text dev_texts[];
extern const unsigned dev_text_count;
