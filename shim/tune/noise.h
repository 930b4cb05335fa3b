/* noise.h - does a variant round as the program's kernel does, whatever the numbers are?
 *
 * A device's compiler may fuse a product and the sum that it goes into, or not, and decides that anew for
 * each text.  What a launch works on need not show it: of zeros and small numbers both give the same. Numbers
 * with random bits show it, so both kernels make the launch on copies that are full of them as well.  That is
 * possible where they decide nothing but the results. */
#pragma once

#include "shim/site/variant.h"
#include "shim/tune/sandbox.h"

/* Why that cannot be found out with this launch; NULL: it can. */
const char *noise_problem(const struct launching *l);

/* One launch shows nothing of others whose scalars decide what is computed, or are a factor that hides how it
 * is rounded: let the variant be for the values of this launch.  Why not, if they are not all `steady` (a bit
 * per argument); NULL: it is. */
const char *noise_fix_scalars(const struct launching *l, struct variant *v, uint64_t steady);

/* Put random numbers into all copies of buffers that are of nothing but floating-point numbers: always the
 * same ones, from 0.5 to 2.  Waits for the launch's queue.  False if the driver refuses. */
bool noise_fill(const struct sandbox *b, const struct launching *l);

/* What a launch made of them. */
struct noise_seen {
    const struct launching *l;
    size_t changed; /* numbers that are others now */
    size_t usual;   /* ... neither 0 nor infinite nor NaN */
};

/* Counts them: a compare_look, whose `to` is a struct noise_seen. */
void noise_look(void *to, cl_mem original, size_t at, size_t bytes, const char *data);
