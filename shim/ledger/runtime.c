/* runtime.c - see runtime.h. */
#include "shim/ledger/runtime.h"

_Atomic(struct runtime *) rt_usable;
