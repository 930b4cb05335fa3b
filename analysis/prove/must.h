/* must.h - memory, or the end: when it runs out the helper ends, and who has started it leaves the kernels
 * alone. */
#pragma once

#include "analysis/summary/cfg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

static inline void *must_calloc(size_t n, size_t item)
{
    return must(calloc(n ? n : 1, item));
}

/* An array that goes with the graph. */
static inline void *must_array(struct cfg *c, size_t n, size_t item)
{
    return must(cfg_array(c, n, item));
}

/* The array `p` of n items with room for one more, where all came one by one. */
static inline void *must_grow(void *p, size_t n, size_t item)
{
    return n & (n - 1) ? p : must(realloc(p, (n ? 2 * n : 1) * item));
}

/* Likewise of an array that goes with the graph. */
static inline void *must_grow_array(struct cfg *c, void *p, size_t n, size_t item)
{
    if (n & (n - 1))
        return p;
    void *more = must_array(c, n ? 2 * n : 1, item);
    return n ? memcpy(more, p, n * item) : more;
}

static inline char *must_vprint(const char *format, va_list ap)
{
    char *text;

    if (vasprintf(&text, format, ap) < 0)
        abort();
    return text;
}

/* As asprintf(); the caller's to free. */
__attribute__((format(printf, 1, 2))) static inline char *must_print(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    char *text = must_vprint(format, ap);
    va_end(ap);
    return text;
}

static inline void must_close(FILE *f)
{
    if (fclose(f))
        abort();
}
