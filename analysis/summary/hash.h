/* hash.h - hashes for all folders: FNV-1a with 64 and 128 bits (draft-eastlake-fnv) for checksums, keys of
 * tables and file names, and a faster one that takes a word at a time, for what is hashed at every launch.
 * None of them resists an attacker. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH64_START 0xcbf29ce484222325u

static inline uint64_t hash64(uint64_t h, const void *data, size_t size)
{
    const unsigned char *p = data;

    for (size_t i = 0; i < size; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

/* Add a word: SplitMix64's output function (Steele, Lea, Flood, OOPSLA 2014) of both, which is one-to-one in
 * each of them. */
static inline uint64_t hash64_word(uint64_t h, uint64_t word)
{
    h = (h + 0x9e3779b97f4a7c15u) ^ word;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return h ^ h >> 31;
}

__extension__ typedef unsigned __int128 hash128_t;
#define HASH128_START ((hash128_t)0x6c62272e07bb0142u << 64 | 0x62b821756295c58du)
#define HASH128_TEXT  33 /* 32 hexadecimal digits and a terminator */

static inline hash128_t hash128(hash128_t h, const void *data, size_t size)
{
    const hash128_t prime = (hash128_t)1 << 88 | 0x13b;
    const unsigned char *p = data;

    for (size_t i = 0; i < size; i++)
        h = (h ^ p[i]) * prime;
    return h;
}

static inline void hash128_text(hash128_t h, char text[HASH128_TEXT])
{
    for (int i = 0; i < 32; i++)
        text[i] = "0123456789abcdef"[(unsigned)(h >> (124 - 4 * i)) & 15];
    text[32] = '\0';
}
