/* emit.c - see emit.h. */
#include "analysis/emit.h"
#include "analysis/lower/lower.h"
#include "analysis/rewrite/rewrite.h"
#include "analysis/source/frontend.h"
#include "analysis/summary/driver_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "kernel", or "wide=N" or "lanes=N", perhaps with ":D". */
static bool parse_shape(const char *how, struct rewrite_shape *shape)
{
    int end = 0;
    bool ok;

    if (!strcmp(how, "kernel")) {
        *shape = (struct rewrite_shape){.lanes = 1};
        return true;
    }
    *shape = (struct rewrite_shape){.arrays = !strncmp(how, "lanes=", strlen("lanes="))};
    ok = sscanf(how, shape->arrays ? "lanes=%u%n" : "wide=%u%n", &shape->lanes, &end) == 1;
    if (ok && how[end] == ':') {
        how += end;
        ok = sscanf(how, ":%u%n", &shape->dimension, &end) == 1;
    }
    return ok && !how[end] && (shape->lanes == 4 || shape->lanes == 8 || shape->lanes == 16) &&
           shape->dimension < 3;
}

static void tell(const char *kernel, const char *why)
{
    fprintf(stderr, "clsizer-analyze: %s: %s\n", kernel, why);
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

static int emit_program(const struct program_summary *p, const char *kernel)
{
    unsigned found = 0, printed = 0;

    for (uint32_t i = 0; i < p->nkernel; i++)
        if (!kernel || !strcmp(kernel, p->kernel[i].name)) {
            found++;
            printed += emit_kernel(&p->kernel[i], !printed);
        }
    if (!found)
        tell(kernel ? kernel : "the program", "no kernel of that name");
    return printed ? 0 : 1;
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
        if (asprintf(&w->why, "%s: %s", problem, detail) < 0)
            abort();
    }
}

int emit_command(const struct req *request, const struct driver *driver, const char *how, const char *kernel,
                 bool from_c)
{
    struct req r = *request;
    struct program_summary p = {0};
    struct front_result front;
    struct rewrite_shape shape;
    char *error = NULL;
    int status = 1;

    if (!parse_shape(how, &shape)) {
        tell(how,
             "not a shape; kernel, wide=4, wide=8 or wide=16 is, or lanes=, also with :0, :1 or :2 for the "
             "dimension");
        return 2;
    }
    r.wide = shape.lanes;
    shape.fold = from_c;
    shape.groups = true;
    shape.in_order = drv_device_has(r.device, DRV_ADDS_IN_PARTS);
    front_compile(&r, driver != NULL, &front);
    front.options.fold = from_c;
    if (!front.error)
        lower_program(front.bitcode, front.size, &front.options, &p, &error);
    if (front.error || error) {
        tell("the program", front.error ? front.error : error);
    } else {
        shape.undefs = front.undefs;
        rewrite_program(front.bitcode, front.size, &shape, &p);
        keep_off(&p, driver);
        status = emit_program(&p, kernel);
    }
    free(error);
    sum_free(&p);
    front_free(&front);
    return status;
}
