/* slice.h - from which arguments of a kernel values of its body are computed.  Internal to select/.
 *
 * Arguments are a set of bits; all from index 63 on share the last one. */
#ifndef CLSIZER_SELECT_PROVE_SLICE_H
#define CLSIZER_SELECT_PROVE_SLICE_H

#include "analysis/summary/summary.h"

static inline uint64_t slice_bit(uint32_t index)
{
    return (uint64_t)1 << (index < 63 ? index : 63);
}

/* The arguments behind the operands of all instructions that `decides` picks, through integer arithmetic and
 * structs passed by value.  All bits when out of memory. */
uint64_t slice_arguments(const struct kernel_summary *k, bool (*decides)(const struct sum_insn *in));

#endif
