/* undef_paths.h - does a variable that has no value on some edge of the control flow show on a path that a
 * work-item may take?  taint.c says where it shows if all paths may be taken. */
#ifndef CLSIZER_ANALYSIS_UNDEF_PATHS_H
#define CLSIZER_ANALYSIS_UNDEF_PATHS_H

#include "analysis/prove/proof.h"

/* sink[i]: where what has no value on p->taint.edge[i] may show first; insn CFG_NONE if it does nowhere.
 * Requires p->cfg and p->taint. */
void undef_paths(const struct proof *p, struct taint_sink *sink);

#endif
