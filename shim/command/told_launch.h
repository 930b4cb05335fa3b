/* told_launch.h - a launch that a report tells of, for `clsizer predict --from`. */
#pragma once

#include "select/select.h"

/* As select.h says.  On stderr it names the others that may be meant, too. */
sel_find_told told_find;
