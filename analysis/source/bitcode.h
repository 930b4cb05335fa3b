/* bitcode.h - programs in SPIR-V, translated by llvm-spirv; and linking LLVM modules.  Helper only. */
#pragma once

#include "analysis/summary/request.h"

#include <stdbool.h>

struct bitcode {
    char *data; /* owned by the code that fills it in */
    size_t size;
};

/* Link `n` > 0 modules into one, as clLinkProgram does; they may be of the older form with typed pointers.
 * NULL, with out->data malloc'ed; or an error ("reason: detail"), owned by the caller. */
char *link_bitcode(const struct bitcode *parts, unsigned n, struct bitcode *out);

/* May the driver rearrange floating-point operations?  SPIR-V says so operation by operation (SPIR-V 1.6,
 * sections 2.3, 3.20); one is enough for us.  False also for what is no SPIR-V of our byte order. */
bool spirv_relaxed(const struct req_unit *u);

/* Translate to LLVM bitcode.  NULL, and *out is the caller's; else "reason: detail", malloc'ed. */
char *spirv_translate(const struct req_unit *u, struct bitcode *out);
