/* advise.c - see advise.h. */
#include "shim/tune/advise.h"
#include <string.h>
#include "shim/ledger/runtime.h"
#include "shim/site/arguments.h"
#include "shim/site/site_report.h"

#define LEVEL 2 /* of --verbose */

static bool is_read(const struct launching *l)
{
    return rep_has_file(l->rt->report) || l->rt->opt.verbose >= LEVEL;
}

void advise_launch(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct device *d = &l->queue->device->model;
    const struct kernel_summary *k = atomic_load(&s->entry->summary);
    const bool decided = site_state(s) == SITE_DECIDED && !site_is_given_up(s);
    struct candidate size = {.own = true};
    struct advice advice[ADVICE_MOST];
    struct launch_arg args[ARGS_MOST];
    unsigned n;

    if (s->advised || !k || l->kernel->nargs > ARGS_MOST || !is_read(l))
        return;
    s->advised = true;
    report_arguments(l, k);
    memcpy(size.local, decided ? s->choice : s->key.own, sizeof size.local);
    const struct launch launch = args_describe(l, args);
    n = sel_advise(k, &launch, d, &size, advice);
    if (n)
        report_launch(
            l, (struct rep_event){.event = "advice", .chosen = size.local, .advice = advice, .nadvice = n});
}
