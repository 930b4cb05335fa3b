/* builtin.c - the built-in device descriptions and how they are found by name. */
#include "devices/device.h"
#include "devices/embedded.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

#define MAX_BUILTIN 64

/* Each is parsed when it is first asked for. */
static struct {
    enum { FRESH, PARSED, BROKEN } state;
    struct device device;
} builtin[MAX_BUILTIN];
static pthread_mutex_t builtin_lock = PTHREAD_MUTEX_INITIALIZER;

/* dev_texts[i], NULL when it does not parse: a unit test parses all of them. */
static const struct device *parsed(unsigned i)
{
    char msg[128];
    const struct dev_text *t = &dev_texts[i];
    const struct device *d = NULL;

    pthread_mutex_lock(&builtin_lock);
    if (builtin[i].state == FRESH)
        builtin[i].state =
            dev_parse(t->file, t->text, t->size, &builtin[i].device, msg, sizeof msg) == 0 ? PARSED : BROKEN;
    if (builtin[i].state == PARSED)
        d = &builtin[i].device;
    pthread_mutex_unlock(&builtin_lock);
    return d;
}

static unsigned count(void)
{
    return dev_text_count < MAX_BUILTIN ? dev_text_count : MAX_BUILTIN;
}

const struct device *dev_builtin_at(unsigned i, const char **name)
{
    if (i >= count())
        return NULL;
    if (name)
        *name = dev_texts[i].file;
    return parsed(i);
}

const struct device *dev_builtin(const char *name)
{
    for (unsigned i = 0; i < count(); i++)
        if (strcmp(dev_texts[i].file, name) == 0)
            return parsed(i);
    return NULL;
}

/* Drivers write letters outside ASCII in whatever encoding; the C library's idea of a letter depends on the
 * locale of the process that we are a guest in. */
static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is `part`, not empty, in `text`, in any case?  words: not as a piece of a longer word, so that "Quadro
 * K6000" and "GH200" are not taken for the K600 and the H200. */
static bool holds(const char *text, const char *part, bool words)
{
    const size_t size = strlen(part);

    for (const char *at = text; size && *at; at++)
        if (strncasecmp(at, part, size) == 0 &&
            (!words || ((at == text || !is_word(at[-1])) && !is_word(at[size]))))
            return true;
    return false;
}

const struct device *dev_named(const char *device_name)
{
    size_t longest = 0;
    unsigned best = 0;

    for (unsigned i = 0; i < count(); i++) {
        const struct dev_text *t = &dev_texts[i];
        const char *const names[] = {t->name, t->driver_name};
        for (unsigned j = 0; j < 2 && strncmp(t->file, "generic-", 8) != 0; j++)
            if (strlen(names[j]) > longest && holds(device_name, names[j], true)) {
                longest = strlen(names[j]);
                best = i;
            }
    }
    return longest ? parsed(best) : NULL;
}

const struct device *dev_of_capability(uint32_t capability)
{
    static const struct {
        uint32_t first, last;
        const char *file;
    } near[] = {{80, 80, "a100"},
                {89, 89, "geforce-rtx-4090"},
                {90, 109, "h100"},               /* Hopper, Blackwell's large chips */
                {120, 129, "geforce-rtx-4090"}}; /* Blackwell's others */

    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        if (capability >= near[i].first && capability <= near[i].last)
            return dev_builtin(near[i].file);
    return NULL;
}

int dev_find(const char *what, const struct device **out)
{
    unsigned found = 0, at = 0;

    *out = NULL;
    for (unsigned i = 0; i < count() && !*out; i++) {
        const struct dev_text *t = &dev_texts[i];
        if (strcasecmp(what, t->file) == 0 || strcasecmp(what, t->name) == 0 ||
            (*what && strcasecmp(what, t->driver_name) == 0))
            *out = parsed(i);
        else if (holds(t->file, what, false) || holds(t->name, what, false)) {
            found++;
            at = i;
        }
    }
    if (*out)
        return 0;
    if (found > 1)
        return -ENOTUNIQ;
    *out = found ? parsed(at) : dev_named(what);
    return *out ? 0 : -ENOENT;
}
