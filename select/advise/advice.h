/* advice.h - what would make a candidate faster. */
#pragma once

#include "select/advise/subject.h"

/* What a pointer leads to, in the source's words; the kernel's string. */
const char *advice_target(const struct kernel_summary *k, uint32_t insn);

/* Lanes of the warp that are at work, averaged over what it executes; all if that is nothing. */
#define IDLE_LANES 0.9 /* of a warp's: fewer are a matter of branches */
double advice_lanes(const struct trace *t);

/* For a candidate whose usual warps are `t`.  Returns how many. */
unsigned advise(const struct subject *s, const struct est_trace *t, struct advice out[ADVICE_MOST]);
