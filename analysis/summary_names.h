/* summary_names.h - the words of the text form; private to the files summary*.c. */
#ifndef CLSIZER_ANALYSIS_SUMMARY_NAMES_H
#define CLSIZER_ANALYSIS_SUMMARY_NAMES_H

#include "analysis/summary.h"

/* One table per enumerator; `count` words, in the enumerator's order. */
struct sum_names {
    const char *const *word;
    unsigned count;
};

extern const struct sum_names sum_op_names, sum_wi_names, sum_pred_names, sum_atomic_names, sum_class_names,
    sum_space_names, sum_arg_kind_names, sum_access_names, sum_sym_names;

/* The table for `sub` of this op, NULL when the op has none. */
const struct sum_names *sum_sub_names(unsigned op);

/* Word number i, "?" when out of range. */
const char *sum_word(const struct sum_names *n, unsigned i);

/* Index of the word s[0..len), -1 when absent. */
int sum_word_index(const struct sum_names *n, const char *s, size_t len);

#define SUM_MAGIC "clsizer-summary"
/* What one kernel may hold; keeps a hostile file's cost proportional to its size. */
#define SUM_MAX_OPND (8 * SUM_MAX_INSN)
#define SUM_MAX_ITEM 65536u /* arguments, variables, callees, loops, accesses, guards, ranges */
#define SUM_MAX_TERM 64u    /* terms of a polynomial */

#endif
