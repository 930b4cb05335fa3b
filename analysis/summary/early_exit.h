/* early_exit.h - work-items that a kernel sends home at once, by where they are: guards of the range. */
#ifndef CLSIZER_ANALYSIS_EARLY_EXIT_H
#define CLSIZER_ANALYSIS_EARLY_EXIT_H

#include "analysis/summary/summary.h"

/* A compiler may count from the first to the last work-item that stays. */
enum early_exit {
    EXIT_NONE,
    EXIT_LAST, /* only those from some id on leave: it is clear which is the first that stays */
    EXIT_ANY   /* others may leave, too, the first ones for example */
};

enum early_exit early_exit(const struct kernel_summary *k);

/* The branches at which work-items leave by where they are. */
#define EARLY_MOST 16
struct early_branch {
    uint32_t cond;
    bool stays; /* what the condition is for those who stay */
};

/* Returns how many there are; EARLY_MOST + 1: more, or it is not known. */
unsigned early_branches(const struct kernel_summary *k, struct early_branch out[EARLY_MOST]);

#endif
