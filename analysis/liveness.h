/* liveness.h - the register estimate of a kernel. */
#ifndef CLSIZER_ANALYSIS_LIVENESS_H
#define CLSIZER_ANALYSIS_LIVENESS_H

#include "analysis/summary.h"

/* The largest number of 32-bit registers live at once in one work-item.  Constants,
 * arguments and addresses of variables are taken to cost none: GPUs keep them in constant banks.
 * Requires: sum_check(k) == 0.  Memory shortage or an enormous kernel gives a lower bound. */
uint32_t sum_registers(const struct kernel_summary *k);

#endif
