/* next.c - see next.h. */
#include "shim/guest/next.h"
#include "shim/guest/util.h"

cl_icd_dispatch next_behind;
HOT_DATA _Atomic(const cl_icd_dispatch *) next_functions = &next_behind;
