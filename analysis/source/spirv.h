/* spirv.h - programs in SPIR-V, translated by llvm-spirv.  Helper only. */
#pragma once

#include "analysis/source/link.h"
#include "analysis/summary/request.h"

#include <stdbool.h>

/* May the driver rearrange floating-point operations?  SPIR-V says so operation by operation (SPIR-V 1.6,
 * sections 2.3, 3.20); one is enough for us.  False also for what is no SPIR-V of our byte order. */
bool spirv_relaxed(const struct req_unit *u);

/* Translate to LLVM bitcode.  NULL, and *out is the caller's; else "reason: detail", malloc'ed. */
char *spirv_translate(const struct req_unit *u, struct bitcode *out);
