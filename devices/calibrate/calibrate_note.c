/* calibrate_note.c - what the parts of a calibration tell: where a number is from, what is not known, how far
 * it is. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "devices/calibrate/calibrate.h"

void cal_note(struct cal *c, const char *key, const char *format, ...)
{
    unsigned i = 0;
    va_list ap;

    while (i < c->nnotes && strcmp(c->note[i].key, key) != 0)
        i++;
    if (i == CAL_NOTES)
        return;
    c->nnotes = i < c->nnotes ? c->nnotes : i + 1;
    snprintf(c->note[i].key, sizeof c->note[i].key, "%s", key);
    va_start(ap, format);
    vsnprintf(c->note[i].text, sizeof c->note[i].text, format, ap);
    va_end(ap);
}

void cal_unknown(struct cal *c, const char *format, ...)
{
    va_list ap;

    if (c->nunknown == CAL_NOTES)
        return;
    va_start(ap, format);
    vsnprintf(c->unknown[c->nunknown++], sizeof c->unknown[0], format, ap);
    va_end(ap);
}

void cal_progress(struct cal *c, const char *doing)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];

    if (!isatty(STDERR_FILENO))
        return;
    if (c->done + 1 < c->steps)
        c->done++;
    unsigned full = c->done * WIDTH / c->steps;
    memset(bar, ' ', WIDTH);
    memset(bar, '#', full);
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3u %%  %-20s", bar, c->done * 100 / c->steps, doing);
    fflush(stderr);
}
