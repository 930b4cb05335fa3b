/* proof.h - what the files that prove facts share: facts.c, meet.c, spin.c, undef.c, undef_paths.c and
 * uniform.c. */
#pragma once

#include "analysis/prove/taint.h"

struct proof {
    struct kernel_summary *k;
    struct cfg cfg;
    struct roots roots;
    struct aff exact, launch;
    struct taint taint;
    struct taint_memory mem;
    bool *same; /* of the view of a group, once all of it are known to meet at barriers (meet.c), per value:
                   the same for all that have met; else NULL */
};

/* Record why a fact is not proved, unless it has a reason already.  `insn` is the obstacle, CFG_NONE if it is
 * no instruction.  When out of memory the reason is recorded without the detail. */
__attribute__((format(printf, 5, 6))) void proof_refuse(struct kernel_summary *k, enum sum_fact f,
                                                        enum sum_reason r, uint32_t insn, const char *fmt,
                                                        ...);

/* Refuse fact S where a variable without a value may show, or list in k->undef the edges on which it does
 * (undef.c). */
void proof_undef(struct proof *p);

/* Does a variable that has no value on some edge of the control flow show on a path that a work-item may
 * take? taint.c says where it shows if all paths may be taken.  sink[i]: where what has no value on
 * p->taint.edge[i] may show first; insn CFG_NONE if it does nowhere.  `stays`: if the loop that the edge
 * enters is not left by its header's test in its first round (undef_paths.c). */
void undef_paths(struct proof *p, bool stays, struct taint_sink *sink);

/* The loop that an edge enters, CFG_NONE if it is none. */
uint32_t undef_entered(const struct cfg *c, const struct taint_edge *e);

/* Refuse fact S where the end of a loop may depend on what another work-item does meanwhile (spin.c). */
void proof_spin(struct proof *p);

/* Refuse fact S of the view of a group where not all of it meet at a barrier; else find p->same (meet.c). */
void proof_meet(struct proof *p);

/* kernel_summary.parts_at_loops (part_at_loops.c). */
bool proof_parts_at_loops(struct proof *p);

/* Refuse fact U where the work of a work-item depends on memory or on its position (uniform.c). */
void proof_uniform(struct proof *p);
