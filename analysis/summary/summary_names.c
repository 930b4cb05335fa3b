/* summary_names.c - names of enumerators in the text form and in reports. */
#include "analysis/summary/summary_names.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define TABLE(name, ...)                                                                                     \
    static const char *const name##_words[] = {__VA_ARGS__};                                                 \
    const struct sum_names name = {name##_words, COUNT(name##_words)}

#define X(e, name, ...) name,
TABLE(sum_op_names, SUM_OPS(X));
TABLE(sum_reason_names, SUM_REASONS(X));
#undef X
TABLE(sum_wi_names, "global_id", "global_size", "global_offset", "local_id", "local_size",
      "enqueued_local_size", "group_id", "num_groups", "global_linear_id", "local_linear_id", "work_dim");
TABLE(sum_pred_names, "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge");
TABLE(sum_atomic_names, "add", "sub", "min", "max", "and", "or", "xor", "inc", "dec", "xchg", "cmpxchg",
      "load", "store", "other");
TABLE(sum_class_names, "none", "iadd", "imul", "idiv", "fadd", "fmul", "fma", "fdiv", "sqrt", "dadd", "dmul",
      "dfma", "ddiv", "dsqrt", "sfu", "special", "conv", "mem", "image", "atomic", "barrier", "branch");
TABLE(sum_space_names, "private", "global", "constant", "local", "generic");
TABLE(sum_arg_kind_names, "scalar", "buffer", "local", "image", "sampler", "other");
TABLE(sum_access_names, "read", "write", "atomic");
TABLE(sum_sym_names, "gid", "offset", "gsize", "arg", "loop", "uniform");

_Static_assert(COUNT(sum_wi_names_words) == SUM_WI_COUNT, "one word per work-item function");
_Static_assert(COUNT(sum_class_names_words) == SUM_C_COUNT, "one word per class");
_Static_assert(COUNT(sum_pred_names_words) == SUM_SGE + 1, "one word per predicate");
_Static_assert(COUNT(sum_atomic_names_words) == SUM_AT_OTHER + 1, "one word per atomic");

const struct sum_names *sum_sub_names(unsigned op)
{
    switch (op) {
    case SUM_WI:
        return &sum_wi_names;
    case SUM_ICMP:
        return &sum_pred_names;
    case SUM_ATOMIC:
        return &sum_atomic_names;
    default:
        return NULL;
    }
}

const char *sum_word(const struct sum_names *n, unsigned i)
{
    return i < n->count ? n->word[i] : "?";
}

int sum_word_index(const struct sum_names *n, const char *s, size_t len)
{
    for (unsigned i = 0; i < n->count; i++)
        if (strlen(n->word[i]) == len && memcmp(n->word[i], s, len) == 0)
            return (int)i;
    return -1;
}

const char *sum_reason_name(enum sum_reason r)
{
    return sum_word(&sum_reason_names, r);
}

const char *sum_reason_text(enum sum_reason r)
{
#define X(e, name, text) text,
    static const char *const texts[] = {SUM_REASONS(X)};
#undef X
    return (unsigned)r < COUNT(texts) ? texts[r] : "?";
}

const char *sum_fact_name(enum sum_fact f)
{
    static const char *const names[] = {"S", "O0", "O1", "O2", "I", "A", "U"};
    _Static_assert(COUNT(names) == SUM_FACTS, "one name per fact");
    return (unsigned)f < COUNT(names) ? names[f] : "?";
}

const char *sum_class_name(enum sum_class c)
{
    return sum_word(&sum_class_names, c);
}
