/* estimators.c - sel_estimate() by another estimator. */
#include "select/time/mwp.h"
#include "select/time/param.h"

int sel_estimate_with(enum sel_estimator by, const struct kernel_summary *k, const struct launch *l,
                      const struct device *d, struct candidate *c, unsigned n, struct sel_work *w,
                      struct sel_estimate *out)
{
    static est_model *const model[SEL_ESTIMATORS] = {[SEL_MWP] = mwp_cycles, [SEL_PARAM] = param_time};
    by = d->is_cpu || by == SEL_AUTO ? SEL_BOUNDS : by;
    const int r = est_all(model[by], true, k, l, d, c, n, w, out);
    out->by = by;
    return r;
}
