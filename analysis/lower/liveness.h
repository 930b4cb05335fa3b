/* liveness.h - estimates the registers that a kernel needs. */
#pragma once

#include "analysis/summary/summary.h"

/* The largest number of 32-bit registers that are live at once in a work-item.  Constants, arguments and
 * addresses of variables count as none, because GPUs keep them in constant banks.  Requires sum_check(k) ==
 * 0.  If the kernel is enormous, the result is a lower bound. */
uint32_t sum_registers(const struct kernel_summary *k);
