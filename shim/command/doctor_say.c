/* doctor_say.c - see doctor_say.h. */
#include "shim/command/doctor_say.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool doctor_failed, doctor_only_warns;

void doctor_say(enum verdict v, const char *subject, const char *format, ...)
{
    static const char *const names[] = {"ok", "note", "FAIL"};
    FILE *to = doctor_only_warns ? stderr : stdout;
    va_list words;

    doctor_failed |= v == FAIL;
    if (doctor_only_warns && v != FAIL)
        return;
    if (doctor_only_warns)
        fputs("clsizer: ", to);
    else
        fprintf(to, "%-9s %-5s ", subject, names[v]);
    va_start(words, format);
    vfprintf(to, format, words);
    va_end(words);
    putc('\n', to);
}

bool doctor_in_path(const char *program, char found[PATH_MAX])
{
    const char *path = getenv("PATH");
    char *list = strdup(path ? path : "/usr/bin:/bin"), *save = NULL;
    struct stat st;
    bool there = false;

    for (char *at = list ? strtok_r(list, ":", &save) : NULL; at && !there; at = strtok_r(NULL, ":", &save)) {
        snprintf(found, PATH_MAX, "%s/%s", at, program);
        there = access(found, X_OK) == 0 && stat(found, &st) == 0 && S_ISREG(st.st_mode);
    }
    free(list);
    return there;
}
