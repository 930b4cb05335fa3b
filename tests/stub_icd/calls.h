/* calls.h - the functions of the driver, declared with the loader's own types. */
#pragma once

#include "stub.h"

#define CALL(name) __typeof__(*((cl_icd_dispatch *)0)->name) stub_##name;
#include "calls.def"
#undef CALL
