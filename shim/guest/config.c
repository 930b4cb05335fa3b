/* config.c - see config.h. */
#include "shim/guest/config.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/guest/util.h"

/* Blanks at both ends go. */
static char *trim(char *text)
{
    size_t size;

    while (isspace((unsigned char)*text))
        text++;
    size = strlen(text);
    while (size && isspace((unsigned char)text[size - 1]))
        text[--size] = '\0';
    return text;
}

static void take_line(const char *path, unsigned number, char *line, config_take *take, void *context)
{
    char *equals, *value = NULL;

    line[strcspn(line, "#")] = '\0';
    equals = strchr(line, '=');
    if (equals) {
        *equals = '\0';
        value = trim(equals + 1);
    }
    line = trim(line);
    if (*line || value)
        take(path, number, line, value, context);
}

int config_read(const char *path, config_take *take, void *context)
{
    char real[PATH_MAX], *line = NULL;
    size_t room = 0;
    FILE *f;
    int fd;

    if (!realpath(path, real)) /* the file itself must not be a link, so that it is clear whose it is */
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -errno;
    fd = util_open_private(real, O_RDONLY, 0);
    if (fd < 0)
        return fd;
    f = fdopen(fd, "r");
    if (!f) {
        const int error = -errno;
        close(fd);
        return error;
    }
    for (unsigned number = 1; getline(&line, &room, f) > 0; number++)
        take_line(path, number, line, take, context);
    free(line);
    fclose(f);
    return 0;
}
