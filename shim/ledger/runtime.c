/* runtime.c - see runtime.h. */
#include "shim/ledger/runtime.h"
#include "shim/guest/util.h"

HOT_DATA _Atomic(struct runtime *) rt_usable;
