/* fuzz_device - damaged device descriptions, under AddressSanitizer and UBSan: an answer, no crash, no hang.
 *
 *   fuzz_device [SECONDS [SEED]]      default 3 seconds
 *
 * Every input starts as a real description and is damaged a few times: bytes changed, pieces cut
 * out, doubled, moved or taken from another description, numbers made absurd.  Whatever comes:
 * either the description is rejected with a message "file:line: what" of printable characters and
 * the output is not touched, or it is accepted, its numbers lie within the limits, and it is written
 * and read again to the same text. */
#include "devices/embedded.h"
#include "devices/fields.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROOM (1u << 17)

static uint64_t state;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n ? (uint32_t)((state >> 33) % n) : 0;
}

static const char *const words[] = {"=",
                                    "#",
                                    "\n",
                                    "# measured",
                                    "# datasheet: x",
                                    " = ",
                                    "99999999999999999999",
                                    "1e308",
                                    "-1",
                                    "0",
                                    "0.0",
                                    "nan",
                                    "inf",
                                    "4294967296",
                                    ".",
                                    "1.",
                                    "KiB",
                                    "cycles",
                                    "name",
                                    "cache3.bytes",
                                    "driver_name",
                                    "bytes",
                                    "999999999999999",
                                    "0.00000000000001",
                                    "\0x",
                                    "\xff\xfe"};

static size_t replace(char *text, size_t size, size_t at, size_t drop, const char *with, size_t n)
{
    drop = drop < size - at ? drop : size - at;
    if (size - drop + n > ROOM)
        return size;
    char *copy = malloc(n + 1); /* `with` may be a part of text */
    if (!copy)
        abort();
    memcpy(copy, with, n);
    memmove(text + at + n, text + at + drop, size - at - drop);
    memcpy(text + at, copy, n);
    free(copy);
    return size - drop + n;
}

static size_t damage(char *text, size_t size)
{
    const size_t at = below((uint32_t)size + 1);
    const struct dev_text *other = &dev_texts[below(dev_text_count)];
    const char *word = words[below(sizeof words / sizeof *words)];
    const char byte = (char)below(256);
    size_t from = below((uint32_t)size + 1), n = below(200);

    switch (below(7)) {
    case 0:
        return replace(text, size, at, 1, &byte, 1);
    case 1:
        return replace(text, size, at, n, "", 0);
    case 2:
        return replace(text, size, at, below(8), word, strlen(word));
    case 3:
        return replace(text, size, at, 0, text + from, n < size - from ? n : size - from);
    case 4:
        from = below((uint32_t)other->size);
        return replace(text, size, at, n, other->text + from,
                       n < other->size - from ? n : other->size - from);
    case 5: /* a whole number where one stands */
        for (size_t i = at; i < size; i++)
            if (text[i] >= '0' && text[i] <= '9')
                return replace(text, size, i, 1, word, strlen(word));
        return size;
    default:
        return at; /* the rest is lost */
    }
}

static void wrong(const char *what, const char *text, size_t size)
{
    fprintf(stderr, "fuzz_device: %s\n--- input, %zu bytes:\n", what, size);
    fwrite(text, 1, size, stderr);
    exit(1);
}

static void check_accepted(const struct device *d, const char *text, size_t size)
{
    for (size_t i = 0; i < dev_nfields; i++) {
        const struct dev_field *f = &dev_fields[i];
        const double v = f->type == REAL ? *(const double *)(const void *)((const char *)d + f->offset) : 0;
        if (!isfinite(v) || v < 0 || v > f->max)
            wrong(f->key, text, size);
    }
}

static void check_rejected(int r, const char *msg, const char *text, size_t size)
{
    char *end;
    if (r != -EINVAL || strncmp(msg, "f.dev:", 6) != 0)
        wrong("no message", text, size);
    strtoul(msg + 6, &end, 10);
    if (end == msg + 6 || strncmp(end, ": ", 2) != 0 || !end[2])
        wrong(msg, text, size);
    for (const char *s = msg; *s; s++)
        if (*s < ' ' || *s > '~')
            wrong("a message that is not text", text, size);
}

int main(int argc, char **argv)
{
    const time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 3);
    unsigned long rounds = 0, accepted = 0;
    char *text = malloc(ROOM);
    const struct device untouched = {.units = 77};

    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    if (!text)
        return 1;
    for (; time(NULL) < end; rounds++) {
        const struct dev_text *t = &dev_texts[below(dev_text_count)];
        char msg[200];
        struct device d = untouched;
        size_t size = t->size;
        memcpy(text, t->text, size);
        for (unsigned i = below(6); i > 0; i--)
            size = damage(text, size);
        char *exact = malloc(size ? size : 1); /* so that a read past the end is seen */
        if (!exact)
            return 1;
        memcpy(exact, text, size);
        int r = dev_parse("f.dev", exact, size, &d, msg, sizeof msg);
        if (r == 0)
            check_accepted(&d, text, size);
        else if (memcmp(&d, &untouched, sizeof d) != 0)
            wrong("the output of a rejected description was touched", text, size);
        else
            check_rejected(r, msg, text, size);
        accepted += r == 0;
        free(exact);
    }
    free(text);
    printf("%lu descriptions, %lu accepted\n", rounds, accepted);
    return accepted == 0 || accepted == rounds; /* one of the two sides was not tried */
}
