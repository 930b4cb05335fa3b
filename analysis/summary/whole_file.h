/* whole_file.h - files and pipes as one text. */
#pragma once

#include <stddef.h>

/* All that comes from the descriptor, malloc'ed, with a NUL behind it.  0 with *text and *size, -EFBIG if it
 * is more than `most` bytes, -ENOMEM, or the negative errno of read(); *text is NULL after an error.  The
 * descriptor stays open. */
int whole_read(int fd, size_t most, char **text, size_t *size);

/* The same of a file; also the negative errno of open(). */
int whole_file(const char *path, size_t most, char **text, size_t *size);
