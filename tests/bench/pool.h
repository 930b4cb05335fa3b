/* pool.h - what the program does with a workload (bench.h) that has been set up. */
#pragma once

#include "bench.h"

size_t bench_bytes(const struct bench_buffer *buffer);
unsigned bench_nargs(const struct bench_step *s);
/* A deliberately poor local size: groups of four work-items, or one work-item wide and going down a column;
 * less where that does not divide the global size. */
void bench_poor_size(const struct bench_step *s, size_t local[3]);
/* Run all steps on the host, in place. */
void bench_run_on_host(struct bench *b, unsigned repeat);
/* Count the elements in which `got` differs from `want` (app_expect_near, app_expect_int). */
void bench_compare(struct app *app, const struct bench_buffer *want, const void *got);
void bench_free(struct bench *b);
