/* emit.c - see emit.h. */
#include "analysis/emit.h"
#include "analysis/prove/must.h"
#include "analysis/summary/driver_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const char *kernel, const char *why)
{
    fprintf(stderr, "clsizer-analyze: %s: %s\n", kernel, why);
}

bool emit_shape(const char *how, struct rewrite_shape *shape)
{
    const char *all = how;
    int end = 0;
    bool ok;

    *shape = (struct rewrite_shape){.groups = true, .lanes = 1};
    if (!strcmp(how, "kernel"))
        return true;
    shape->arrays = !strncmp(how, "lanes=", strlen("lanes="));
    ok = sscanf(how, shape->arrays ? "lanes=%u%n" : "wide=%u%n", &shape->lanes, &end) == 1;
    if (ok && how[end] == ':') {
        how += end;
        ok = sscanf(how, ":%u%n", &shape->dimension, &end) == 1;
    }
    if (ok && !how[end] && (shape->lanes == 4 || shape->lanes == 8 || shape->lanes == 16) &&
        shape->dimension < 3)
        return true;
    tell(all, "not a shape; kernel, wide=4, wide=8 or wide=16 is, or lanes=, also with :0, :1 or :2 for the "
              "dimension");
    return false;
}

/* Was its text printed? */
static bool emit_kernel(const struct kernel_summary *k, bool first)
{
    const struct sum_verdict *v = &k->fact[SUM_FACT_S];

    if (k->wide.text)
        printf("%s%s", first ? "" : "\n", k->wide.text);
    else if (k->wide.why)
        tell(k->name, k->wide.why);
    else
        fprintf(stderr, "clsizer-analyze: %s: %s: %s\n", k->name, sum_reason_name(v->reason),
                v->detail ? v->detail : sum_reason_text(v->reason));
    return k->wide.text;
}

/* What may round otherwise with the driver comes in no other form, even where its launches are in vectors. */
static void keep_off(struct program_summary *p, const struct driver *driver)
{
    for (uint32_t i = 0; driver && i < p->nkernel; i++) {
        struct sum_wide *w = &p->kernel[i].wide;
        const char *detail, *problem = drv_rewriting_problem(&p->kernel[i], driver, true, &detail);
        if (!problem || !w->text)
            continue;
        free(w->text);
        w->text = NULL;
        w->why = must_print("%s: %s", problem, detail);
    }
}

int emit_program(struct program_summary *p, const struct driver *driver, const char *kernel)
{
    unsigned found = 0, printed = 0;

    if (p->error)
        tell("the program", p->error);
    keep_off(p, driver);
    for (uint32_t i = 0; i < p->nkernel; i++)
        if (!kernel || !strcmp(kernel, p->kernel[i].name)) {
            found++;
            printed += emit_kernel(&p->kernel[i], !printed);
        }
    if (!found && !p->error)
        tell(kernel ? kernel : "the program", "no kernel of that name");
    return printed ? 0 : 1;
}
