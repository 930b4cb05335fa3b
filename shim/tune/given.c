/* given.c - see given.h. */
#include "shim/tune/given.h"
#include <stdio.h>
#include <string.h>
#include "shim/ledger/runtime.h"

static const struct pool_variant *find(const struct shim_site *s, unsigned n)
{
    const struct runtime *rt = rt_current();

    return rt ? pool_find(rt->pool, s->entry->name, s->entry->build->hash, n) : NULL;
}

unsigned given_variants(const struct shim_site *s)
{
    unsigned n = 0;

    while (find(s, n))
        n++;
    return n;
}

struct variant *given_variant(const struct launching *l, unsigned n)
{
    const struct pool_variant *p = find(l->site, n);
    struct variant o = {.given = true};
    char label[OPT_VARIANT];

    if (!p)
        return NULL;
    snprintf(label, sizeof label, OPT_GIVEN "%.50s", p->name);
    o.label = label;
    o.text = p->text;
    o.kernel = p->name;
    o.options = p->options;
    o.nlocal = p->nlocal;
    o.tolerance = p->tolerance;
    memcpy(o.units, p->units, sizeof o.units);
    memcpy(o.local, p->local, sizeof o.local);
    return variant_new(&o, l->kernel);
}
