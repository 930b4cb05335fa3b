/* next.c - see next.h. */
#include "shim/guest/next.h"

cl_icd_dispatch next_behind;
_Atomic(const cl_icd_dispatch *) next_functions = &next_behind;
