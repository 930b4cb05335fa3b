/* early_exit.h - work-items that a kernel sends home before they have stored anything, by where they are:
 * guards of the range. */
#pragma once

#include "analysis/summary/summary.h"

/* The branches at which work-items leave by where they are. */
#define EARLY_MOST 16
struct early_exits {
    unsigned n;
    struct early_branch {
        uint32_t cond;
        bool stays; /* what the condition is for those who stay */
    } branch[EARLY_MOST];
};

/* Find them.  True if only those leave, at each of them, that come from some id on: a compiler that counts
 * from the first to the last work-item that stays then begins with the first one.  False: others may, or it
 * is not known, and *out is not complete. */
bool early_exits(const struct kernel_summary *k, struct early_exits *out);
