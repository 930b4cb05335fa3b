/* arena.c - memory of one estimate, which is freed all at once (trace.h). */
#include <stdlib.h>
#include <string.h>
#include "select/trace/trace.h"

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, room;
    _Alignas(16) unsigned char data[];
};

void *arena_get(struct arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX / 4)
        return NULL;
    bytes = (bytes + 15) & ~(size_t)15;
    while (a->now && a->now->room - a->now->used < bytes) {
        a->now = a->now->next;
        if (a->now)
            a->now->used = 0;
    }
    if (!a->now) {
        size_t room = bytes > ((size_t)256 << 10) ? bytes : (size_t)256 << 10;
        struct arena_chunk *c = malloc(sizeof *c + room);
        if (!c)
            return NULL;
        *c = (struct arena_chunk){.room = room};
        struct arena_chunk **tail = &a->first;
        while (*tail)
            tail = &(*tail)->next;
        *tail = a->now = c;
    }
    void *at = a->now->data + a->now->used;
    a->now->used += bytes;
    return memset(at, 0, bytes);
}

void arena_reset(struct arena *a)
{
    a->now = a->first;
    if (a->now)
        a->now->used = 0;
}

void arena_free(struct arena *a)
{
    for (struct arena_chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    *a = (struct arena){0};
}
