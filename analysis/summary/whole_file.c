/* whole_file.c - see whole_file.h. */
#include "analysis/summary/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_ROOM 65536 /* bytes, where the size is not known */

int whole_read(int fd, size_t most, char **text, size_t *size)
{
    struct stat st;
    const bool known = fstat(fd, &st) == 0 && st.st_size > 0 && (size_t)st.st_size <= most;
    size_t room = known ? (size_t)st.st_size + 2 : FIRST_ROOM; /* a byte more, to see the end */
    char *all = malloc(room), *more;
    int error = all ? 0 : -ENOMEM;
    ssize_t n = 1;

    *size = 0;
    while (!error && n != 0) {
        n = read(fd, all + *size, room - 1 - *size);
        *size += n > 0 ? (size_t)n : 0;
        error = n < 0 && errno != EINTR ? -errno : *size > most ? -EFBIG : 0;
        if (error || *size < room - 1)
            continue;
        more = realloc(all, room *= 2);
        if (more)
            all = more;
        else
            error = -ENOMEM;
    }
    if (!error)
        all[*size] = '\0';
    else
        free(all);
    *text = error ? NULL : all;
    return error;
}

int whole_file(const char *path, size_t most, char **text, size_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const int error = fd < 0 ? -errno : whole_read(fd, most, text, size);

    if (fd >= 0)
        close(fd);
    else
        *text = NULL;
    return error;
}
