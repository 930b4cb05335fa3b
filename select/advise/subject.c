/* subject.c - one candidate, estimated on its own. */
#include "select/advise/subject.h"
#include <errno.h>

#define AMONG 32 /* candidates there might be: a few thousand touches of a cache tell enough */

static int open_as(const struct kernel_summary *k, const struct launch *l, const struct device *d,
                   const struct candidate *c, const struct trace_layout *y, struct subject *s)
{
    *s = (struct subject){.w = sel_work_new(), .c = *c};
    if (!s->w)
        return -ENOMEM;
    s->w->transposed = y;
    return est_one(s->w, k, l, d, AMONG, &s->c, &s->e, &s->estimate);
}

int subject_transposed(const struct subject *s, const struct trace_layout *y, struct subject *out)
{
    return open_as(s->w->k, s->w->l, s->w->d, &s->c, y, out);
}

int subject_open(const struct kernel_summary *k, const struct launch *l, const struct device *d,
                 const struct candidate *c, struct subject *s)
{
    const int r = open_as(k, l, d, c, NULL, s);
    if (r == 0 && s->c.state != SEL_INFEASIBLE && c->time_ns > 0)
        s->c.time_ns = c->time_ns;
    return r;
}

void subject_close(struct subject *s)
{
    if (s->w)
        trace_done(&s->w->prog);
    sel_work_free(s->w);
}

const struct est_trace *subject_usual(const struct subject *s)
{
    const struct est_trace *best = NULL;
    double most = 0;
    for (unsigned i = 0; i < s->e.n; i++)
        if (s->e.weight[i] > most) {
            most = s->e.weight[i];
            best = s->e.trace[i];
        }
    return best;
}
