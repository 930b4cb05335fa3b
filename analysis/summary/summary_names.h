/* summary_names.h - the words for enumerators in the text form of summaries; private to the files
 * summary*.c. */
#pragma once

#include "analysis/summary/summary.h"

/* The words for an enumeration, in its order. */
struct sum_names {
    const char *const *word;
    unsigned count;
};

extern const struct sum_names sum_op_names, sum_wi_names, sum_pred_names, sum_atomic_names, sum_class_names,
    sum_space_names, sum_arg_kind_names, sum_access_names, sum_sym_names, sum_reason_names;

/* The words for `sub` of this op (enum sum_op); NULL if it has none. */
const struct sum_names *sum_sub_names(unsigned op);

/* Word number i; "?" if there is none. */
const char *sum_word(const struct sum_names *n, unsigned i);

/* The number of the word s[0..len); -1 if there is none. */
int sum_word_index(const struct sum_names *n, const char *s, size_t len);

#define SUM_MAGIC "clsizer-summary"
/* How much one kernel may hold, so that what a hostile file costs stays proportional to its size. */
#define SUM_MAX_OPND (8 * SUM_MAX_INSN)
#define SUM_MAX_ITEM 65536u /* arguments, variables, callees, loops, accesses, guards, ranges */
#define SUM_MAX_TERM 64u    /* terms of a polynomial */
