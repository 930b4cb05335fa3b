/* proof.h - what the files that prove facts share: facts.c, uniform.c and open.c. */
#ifndef CLSIZER_ANALYSIS_PROOF_H
#define CLSIZER_ANALYSIS_PROOF_H

#include "analysis/taint.h"

struct proof {
    struct kernel_summary *k;
    struct cfg cfg;
    struct roots roots;
    struct aff exact, launch;
    struct taint taint;
    struct taint_memory mem;
};

/* Record why a fact is not proved, unless a reason stands already.  `insn`: the obstacle, CFG_NONE if it has
 * no place.  -ENOMEM is remembered in nobody: the detail is then absent. */
__attribute__((format(printf, 5, 6))) void proof_refuse(struct kernel_summary *k, enum sum_fact f,
                                                        enum sum_reason r, uint32_t insn, const char *fmt,
                                                        ...);

/* Fact S: values that were never given (open.c).  Fills k->open.  0 or -ENOMEM. */
int proof_open(struct proof *p);

/* Fact U: work per work-item (uniform.c). */
void proof_uniform(struct proof *p);

#endif
