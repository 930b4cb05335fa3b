/* cache_place.h - the directory of summaries. */
#pragma once

#include "shim/ledger/runtime.h"

/* Write the directory's absolute path: the option --cache, "" for the default place.  It is made, with those
 * above it, if need be.  If nothing can be written there, it is a temporary one,
 * $TMPDIR/clsizer-UID. Returns why it cannot be used, a reason's name (reasons.h), and then writes
 * ""; or NULL. */
const char *cache_find(const char *option, char path[RT_PATH]);
