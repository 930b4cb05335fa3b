/* whole_file.c - see whole_file.h. */
#include "analysis/summary/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_ROOM 65536 /* bytes, where the size is not known */

/* Twice the room; NULL when out of memory, with `text` freed. */
static char *grown(char *text, size_t *room)
{
    char *more = realloc(text, *room *= 2);

    if (!more)
        free(text);
    return more;
}

int whole_read(int fd, size_t most, char **text, size_t *size)
{
    struct stat st;
    const bool known = fstat(fd, &st) == 0 && st.st_size > 0 && (size_t)st.st_size <= most;
    size_t room = known ? (size_t)st.st_size + 2 : FIRST_ROOM; /* a byte more, to see the end */
    char *all = malloc(room);
    ssize_t n = 1;
    int error = 0;

    for (*size = 0; all && !error && n != 0; *size += n > 0 ? (size_t)n : 0) {
        if (*size == room - 1 && !(all = grown(all, &room)))
            break;
        n = read(fd, all + *size, room - 1 - *size);
        if (n < 0 && errno != EINTR)
            error = -errno;
        else if (n > 0 && *size + (size_t)n > most)
            error = -EFBIG;
    }
    if (all)
        all[*size] = '\0';
    if (error) {
        free(all);
        all = NULL;
    }
    *text = all;
    return error ? error : all ? 0 : -ENOMEM;
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
