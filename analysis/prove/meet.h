/* meet.h - which branches take work-items apart, and where their ways meet again (meet.c). */
#pragma once

#include "analysis/prove/proof.h"

struct meeting {
    struct proof *p;
    bool *varies;      /* value: may differ between work-items that meet at the same barriers */
    bool *apart;       /* block: paths of a branch that takes work-items apart run here, or meet */
    bool *done;        /* block: its branch has been followed */
    uint32_t *stack;   /* blocks */
    uint32_t *ways;    /* block: of how many successors of a branch it is ahead */
    bool *seen, *ends; /* blocks, of meet_walk() */
    bool changed;
    taint_set flat;   /* ids that all of a group share */
    bool joins_only;  /* who runs a block runs it with all that came the same way */
    uint32_t parting; /* a barrier that not all may reach, CFG_NONE */
};

/* Memory for `m`, which goes with p->cfg. */
void meet_begin(struct meeting *m, struct proof *p);

/* Mark in m->seen what block `from` leads to, up to `meet`, that included, and not through `stop`. */
void meet_walk(struct meeting *m, uint32_t from, uint32_t meet, uint32_t stop);

/* Fill in m->varies, m->apart and m->done.  The first barrier found that not all of a group may reach, if it
 * is flat in the dimensions `flat`; CFG_NONE. */
uint32_t meet_look(struct meeting *m, unsigned flat);
