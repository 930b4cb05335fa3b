/* vary_sizes.h - with which local sizes a variant is verified and competes. */
#pragma once

#include "shim/site/variant.h"

#define VARY_SIZES      2 /* of each variant that compete, if it names none */
#define VARY_MOST_SIZES (VARIANT_SIZES + 1 + VARY_SIZES)

/* A size with which it competes, and the time of the size of the program's kernel that it comes from. */
struct vary_entrant {
    size_t local[3];
    double predicted_ns;
};

/* A size of the program's kernel divided by the units; false: it does not divide the range. */
bool vary_divide_size(const struct variant *v, const struct launching *l, const size_t from[3], size_t to[3]);

/* Those that it names, or else like those of the leading size of the program's kernel, or of its own and the
 * model's.  The driver's choice, 0, if nothing else divides the range, or if the driver does not compile for
 * each size: no other process can, where only the whole range tells which it is. */
unsigned vary_entrants(const struct launching *l, const struct variant *v,
                       struct vary_entrant to[VARY_MOST_SIZES]);

/* The size with which it is verified: one like the program's or the decided one, or like the model's where
 * that is the driver's choice, which no other process can compile; else the driver's choice. */
void vary_first_size(const struct launching *l, const struct variant *v, const size_t local[3], size_t to[3]);
