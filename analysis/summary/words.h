/* words.h - words, and lists of them that are separated by single blanks. */
#pragma once

#include <stdbool.h>
#include <string.h>

/* Is `word` one of `words`?  False for the empty word, and for several. */
static inline bool words_have(const char *words, const char *word)
{
    const size_t n = strcspn(word, " ");

    for (const char *p = words; n > 0 && !word[n] && (p = strstr(p, word)); p += n)
        if ((p == words || p[-1] == ' ') && (p[n] == ' ' || p[n] == 0))
            return true;
    return false;
}

/* Does `word` begin with one of `prefixes`? */
static inline bool words_start(const char *prefixes, const char *word)
{
    for (size_t n; *prefixes; prefixes += n + (prefixes[n] == ' ')) {
        n = strcspn(prefixes, " ");
        if (strncmp(word, prefixes, n) == 0)
            return true;
    }
    return false;
}

static inline bool word_starts(const char *word, const char *prefix)
{
    return strncmp(word, prefix, strlen(prefix)) == 0;
}
