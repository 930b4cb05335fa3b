/* compare.h - is what two kernels wrote the same? */
#pragma once

#include "shim/site/variant.h"
#include "shim/tune/sandbox.h"

#define COMPARE_WORDS 112 /* bytes of what is said of a difference */

/* Sees what the copies in `with` hold, piece by piece: `bytes` from `at` on of the copy of a buffer. */
typedef void compare_look(void *to, cl_mem original, size_t at, size_t bytes, const char *data);

/* Size of the floating-point numbers that the kernel's arguments say are in the buffer, and nothing else; 0:
 * there may be others. */
size_t compare_number_size(const struct launching *l, cl_mem original);

/* The number of this size that is stored there. */
double compare_number_at(const char *at, size_t size);

/* Compare the copies in `b` with those in `with`, or with the originals if that is NULL: bit by bit, or,
 * where the kernel's arguments say that there is nothing but floating-point numbers, within a relative
 * `tolerance` above 0.  Waits for the launch's queue.  words: where they differ.  `look` may be NULL. */
enum variant_result compare_copies(const struct launching *l, const struct sandbox *b,
                                   const struct sandbox *with, double tolerance, compare_look *look, void *to,
                                   char words[COMPARE_WORDS]);
