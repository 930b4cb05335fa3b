/* loops.h - the part of the trace walker that knows about loops (loops.c); private to select/. */
#pragma once

#include "select/trace/trace.h"

/* Lanes `mask` stand at the header of `loop`, its phis evaluated; `entry`: they come from outside.  May
 * advance the phis and the counts by many iterations. */
void loops_arrive(struct trace_prog *p, uint32_t loop, bool entry, uint64_t mask);

/* Some lanes leave the loop: entries are made again. */
void loops_leave(struct trace_prog *p, uint32_t loop);

/* Does a known condition decide when the loop ends?  One that did so once and not since (a value that was an
 * argument first and comes from memory now) no longer counts. */
static inline bool loops_decided(const struct loop_state *s)
{
    return s->decided > 0 && s->iterations <= s->decided;
}

/* The comparison `v` has just been evaluated for `mask`. */
void loops_compare(struct trace_prog *p, uint32_t v, uint64_t mask);
