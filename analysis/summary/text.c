/* text.c - see text.h. */
#include "analysis/summary/text.h"

#include "analysis/summary/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool text_fail(struct text *t, int err)
{
    if (!t->err)
        t->err = err;
    return false;
}

struct text text_writer(FILE *f)
{
    return (struct text){.out = f, .hash = HASH64_START};
}

/* ---- writing --------------------------------------------------------------------------------------- */

static void put(struct text *t, const char *s, size_t n)
{
    t->hash = hash64(t->hash, s, n);
    if (fwrite(s, 1, n, t->out) != n)
        text_fail(t, -EIO);
}

void text_putf(struct text *t, const char *format, ...)
{
    char buf[256]; /* callers print numbers and table words only */
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(buf, sizeof(buf), format, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof(buf))
        text_fail(t, -EIO);
    else
        put(t, buf, (size_t)n);
}

void text_blank(struct text *t)
{
    if (t->begun)
        put(t, " ", 1);
    t->begun = true;
}

static void put_word(struct text *t, const char *s)
{
    text_blank(t);
    put(t, s, strlen(s));
}

static void put_string(struct text *t, const char *s)
{
    put_word(t, "\"");
    for (; s && *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            text_putf(t, "\\%c", c);
        else if (c == '\n')
            text_putf(t, "\\n");
        else if (c == '\t')
            text_putf(t, "\\t");
        else if (c < 0x20 || c >= 0x7f)
            text_putf(t, "\\x%02x", c);
        else
            put(t, s, 1);
    }
    put(t, "\"", 1);
}

/* ---- reading: tokens ------------------------------------------------------------------------------- */

bool text_at_eol(struct text *t)
{
    while (t->p < t->eol && *t->p == ' ')
        t->p++;
    return t->p == t->eol;
}

static void find_eol(struct text *t)
{
    const char *nl = memchr(t->p, '\n', (size_t)(t->end - t->p));
    t->eol = nl ? nl : t->end;
}

bool text_token(struct text *t)
{
    if (t->err)
        return false;
    if (text_at_eol(t))
        return text_fail(t, -EINVAL);
    t->tok = t->p;
    if (*t->p == '"') {
        for (t->p++; t->p < t->eol && *t->p != '"'; t->p++)
            if (*t->p == '\\' && t->p + 1 < t->eol)
                t->p++;
        if (t->p >= t->eol)
            return text_fail(t, -EINVAL);
        t->p++;
    } else {
        while (t->p < t->eol && *t->p != ' ')
            t->p++;
    }
    t->len = (size_t)(t->p - t->tok);
    return true;
}

bool text_begins(struct text *t, const char *s)
{
    if (t->err || text_at_eol(t) || *t->p != *s) /* most differ in their first letter */
        return false;
    const size_t n = strlen(s);
    return n <= (size_t)(t->eol - t->p) && memcmp(t->p, s, n) == 0;
}

struct text text_reader(const char *text, size_t size)
{
    struct text t = {.p = text, .end = text + size, .line = 1};
    find_eol(&t);
    return t;
}

void text_cut(struct text *t, const char *end)
{
    t->end = end;
    find_eol(t);
}

/* Take the next token only if it is `word`, which is no string. */
static bool accept(struct text *t, const char *word)
{
    if (!text_begins(t, word))
        return false;
    const char *behind = t->p + strlen(word);
    if (behind < t->eol && *behind != ' ')
        return false;
    t->p = behind;
    return true;
}

bool text_u64(const char *s, size_t n, uint64_t *out)
{
    uint64_t v = 0;
    if (n == 0 || n > 20)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (uint64_t)(s[i] - '0'), &v))
            return false;
    }
    *out = v;
    return true;
}

bool text_i64(const char *s, size_t n, int64_t *out)
{
    uint64_t u;
    bool negative = n > 0 && s[0] == '-';
    if (!text_u64(s + negative, n - negative, &u) || u > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - u) : (int64_t)u;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decode one escape at s (behind the backslash), n bytes left; returns the bytes used, 0 when malformed. */
static size_t escape(const char *s, size_t n, char *out)
{
    if (n == 0)
        return 0;
    if (s[0] == 'x') {
        int hi = n >= 3 ? hex_digit(s[1]) : -1, lo = n >= 3 ? hex_digit(s[2]) : -1;
        *out = (char)(hi * 16 + lo);
        return hi < 0 || lo < 0 || *out == 0 ? 0 : 3; /* NUL cannot be kept in a C string */
    }
    *out = s[0] == 'n' ? '\n' : s[0] == 't' ? '\t' : s[0];
    return s[0] == 'n' || s[0] == 't' || s[0] == '"' || s[0] == '\\' ? 1 : 0;
}

/* The text of the quoted string p[0..n) into `out`, which has room for n bytes; false when malformed. */
static bool unquote(const char *p, size_t n, char *out)
{
    const char *end = p + n - 1;
    if (n < 2 || *p++ != '"')
        return false;
    while (p < end && *p) {
        size_t used = 1;
        if (*p == '\\')
            used = escape(p + 1, (size_t)(end - p - 1), out);
        else
            *out = *p;
        if (used == 0)
            return false;
        p += used + (*p == '\\');
        out++;
    }
    *out = 0;
    return p == end;
}

void *text_grown(struct text *t, void *array, uint32_t n, uint32_t *cap, size_t size, uint32_t max)
{
    if (n >= max)
        text_fail(t, -EINVAL);
    if (t->err || n < *cap)
        return array;
    uint32_t room = *cap ? *cap * 2 : 4;
    char *bigger = realloc(array, room * size);
    if (!bigger) {
        text_fail(t, -ENOMEM);
        return array;
    }
    memset(bigger + n * size, 0, (room - n) * size);
    *cap = room;
    return bigger;
}

/* ---- fields ---------------------------------------------------------------------------------------- */

void text_end_line(struct text *t)
{
    if (t->out) {
        put(t, "\n", 1);
        t->begun = false;
        return;
    }
    if (t->err || !text_at_eol(t)) {
        text_fail(t, -EINVAL);
        return;
    }
    t->p = t->eol < t->end ? t->eol + 1 : t->end;
    t->line += t->p < t->end;
    find_eol(t);
}

bool text_has(struct text *t, const char *word, bool present)
{
    if (!t->out)
        return accept(t, word);
    if (present)
        put_word(t, word);
    return present;
}

void text_must(struct text *t, const char *word)
{
    if (!text_has(t, word, true))
        text_fail(t, -EINVAL);
}

void text_flag(struct text *t, const char *word, bool *set)
{
    const bool there = text_has(t, word, *set);
    if (!t->out)
        *set = there;
}

void text_either(struct text *t, const char *yes, const char *no, bool *is_yes)
{
    text_flag(t, yes, is_yes);
    if (!*is_yes)
        text_must(t, no);
}

/* The unsigned integer of `size` bytes at `at`. */
static uint64_t load(const void *at, size_t size)
{
    return size == 1 ? *(const uint8_t *)at : size == 4 ? *(const uint32_t *)at : *(const uint64_t *)at;
}

static void store(struct text *t, void *at, size_t size, uint64_t v)
{
    if (t->err || (size < 8 && v >> (8 * size))) {
        text_fail(t, -EINVAL);
        return;
    }
    if (size == 1)
        *(uint8_t *)at = (uint8_t)v;
    else if (size == 4)
        *(uint32_t *)at = (uint32_t)v;
    else
        *(uint64_t *)at = v;
}

void text_number(struct text *t, void *at, size_t size)
{
    uint64_t v = 0;
    if (t->out) {
        text_blank(t);
        text_putf(t, "%" PRIu64, load(at, size));
    } else if (text_token(t) && text_u64(t->tok, t->len, &v)) {
        store(t, at, size, v);
    } else {
        text_fail(t, -EINVAL);
    }
}

bool text_number_line(struct text *t, const char *word, void *at, size_t size, bool present)
{
    if (!text_has(t, word, present))
        return false;
    text_number(t, at, size);
    text_end_line(t);
    return true;
}

void text_name(struct text *t, const struct sum_names *names, void *at, size_t size)
{
    if (t->out) {
        put_word(t, sum_word(names, (unsigned)load(at, size)));
        return;
    }
    const int i = text_token(t) ? sum_word_index(names, t->tok, t->len) : -1;
    if (i < 0)
        text_fail(t, -EINVAL);
    else
        store(t, at, size, (uint64_t)i);
}

void text_key(struct text *t, const char *word, const struct sum_names *names, void *at, size_t size,
              int64_t usual)
{
    int64_t v = usual;
    if (t->out) {
        v = (int64_t)load(at, size);
        if (v == usual)
            return;
        put_word(t, word);
        if (names)
            text_putf(t, "=%s", sum_word(names, (unsigned)v));
        else
            text_putf(t, "=%" PRId64, v);
        return;
    }
    const size_t n = strlen(word);
    if (text_begins(t, word) && t->p + n < t->eol && t->p[n] == '=' && text_token(t)) {
        const char *value = t->tok + n + 1;
        const size_t len = t->len - n - 1;
        if (names)
            v = sum_word_index(names, value, len);
        else if (!text_i64(value, len, &v))
            text_fail(t, -EINVAL);
    }
    store(t, at, size, (uint64_t)v);
}

void text_string(struct text *t, char **s)
{
    if (t->out) {
        put_string(t, *s);
        return;
    }
    if (!text_token(t))
        return;
    *s = malloc(t->len);
    if (!*s) {
        text_fail(t, -ENOMEM);
    } else if (!unquote(t->tok, t->len, *s)) {
        free(*s);
        *s = NULL;
        text_fail(t, -EINVAL);
    }
}

static bool take(struct text *t, size_t n, size_t limit, char **s)
{
    if (n > limit)
        return text_fail(t, -EFBIG);
    if (t->err || n > (size_t)(t->end - t->p))
        return text_fail(t, -EINVAL);
    *s = malloc(n + 1);
    if (!*s)
        return text_fail(t, -ENOMEM);
    memcpy(*s, t->p, n);
    (*s)[n] = 0;
    t->p += n;
    find_eol(t);
    return true;
}

void text_bytes(struct text *t, char **s, size_t n, size_t limit)
{
    if (!t->out)
        take(t, n, limit, s);
    else if (n && fwrite(*s, 1, n, t->out) != n)
        text_fail(t, -EIO);
}

void text_rest(struct text *t, char **s)
{
    if (!t->out) {
        t->p += t->p < t->eol;
        take(t, (size_t)(t->eol - t->p), TEXT_MAX_LINE, s);
    } else if (*s && strchr(*s, '\n')) {
        text_fail(t, -EINVAL);
    } else {
        put_word(t, *s ? *s : "");
    }
    text_end_line(t);
}
