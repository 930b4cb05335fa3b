/* advice.h - what would make a candidate faster. */
#pragma once

#include "select/predict/subject.h"

/* What a pointer leads to, in the source's words; the kernel's string. */
const char *advice_target(const struct kernel_summary *k, uint32_t insn);

/* Lanes of the warp that are at work, averaged over what it executes; all if that is nothing. */
#define IDLE_LANES 0.9 /* of a warp's: fewer are a matter of branches */
double advice_lanes(const struct trace *t);

/* What would make a kernel faster. */
struct advice {
    const char *what;     /* "coalesce", "stage", "constant", "pad", "branch", "registers", "range" */
    const char *argument; /* advice_target() of the first access; NULL: of no buffer */
    unsigned line;        /* 0 = not known */
    char text[256];
    double now_ns, then_ns; /* by [C]'s equations */
};
#define ADVICE_MOST 16

/* For a GPU whose usual warps are `t`.  Returns how many. */
unsigned advise(const struct subject *s, const struct est_trace *t, struct advice out[ADVICE_MOST]);
