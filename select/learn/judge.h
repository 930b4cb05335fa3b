/* judge.h - which of model and what is learned orders sizes better, by sizes that were measured; and how the
 * two together order them.  [L] 6. */
#pragma once

#include "select/learn/learned.h"

enum learn_order { LEARN_MODEL, LEARN_LEARNED, LEARN_BOTH, LEARN_ORDERS };

/* Of a race whose sizes, but for the program's own, are measured in one of these orders. */
struct learn_verdict {
    unsigned runs;       /* until a size was measured that takes at most 1 / LEARN_GOOD of the best time */
    unsigned winner;     /* the place of the fastest size, from 1 */
    double first, three; /* time of the first one, and of the best of three, by the best */
    double correlation;  /* rank correlation of the order and the times */
};
#define LEARN_GOOD 0.9

/* As if the program were new: no point of its or of kernels of this name is looked at.  False if the race is
 * none to judge by: few sizes, or sizes that hardly matter. */
bool learn_judge(const struct learned *l, unsigned begin, unsigned end,
                 struct learn_verdict out[LEARN_ORDERS]);

/* What the points of a device say in sum: mean rank correlations, thousandths. */
struct learn_sum {
    unsigned points, races, kernels, judged; /* judged: races */
    int model, both;
};

/* Of all races.  With 4096 points that takes a tenth of a second. */
void learn_sum_up(const struct learned *l, struct learn_sum *out);

/* Are there points enough, and do both order sizes better than the model alone?  By so much, in thousandths
 * of the rank correlation. */
#define LEARN_POINTS  100
#define LEARN_KERNELS 8
#define LEARN_BETTER  30
bool learn_pays(const struct learn_sum *s);

/* Put the sizes c[0..n) in the order of the geometric mean of what the model and what was learned say.  The
 * first one stays that where the model takes the other for more than twice as slow.  False, and the order is
 * as it was, if one of them has no features. */
bool learn_reorder(const struct learned *l, uint64_t launch, struct candidate *c, unsigned n);
