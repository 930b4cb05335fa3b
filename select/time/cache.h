/* cache.h - reuse distances ([C] 3.3.4).
 *
 * A reference hits an LRU cache of `n` lines iff the line was touched before, and fewer than `n` distinct
 * lines since then.  With weights a line stands for several, so that a sample of a loop nest can
 * stand for the whole nest.  With all weights 1 distances are exact. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CACHE_COLD   1e300 /* distance of a first reference */
#define CACHE_LEVELS 8     /* nest levels told apart, outermost first */

struct cache_access {
    uint64_t line;
    uint64_t when;       /* iteration of each nest level, one byte each, outermost in the highest byte */
    const float *weight; /* CACHE_LEVELS: lines that this one stands for in a window that level i carries: the
                            windows of inner levels are shorter and do not see what outer levels repeat */
    double distance;     /* result: weight of the distinct lines touched since the last access */
    uint32_t previous;   /* result: index of that last access; meaningless when cold */
};

/* Bytes of scratch for n accesses. */
size_t cache_scratch(size_t n);

/* Fill in `distance` for n accesses in program order, O(n log n). */
void cache_distances(struct cache_access *a, size_t n, void *scratch);
