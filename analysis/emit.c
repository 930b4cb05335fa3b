/* emit.c - see emit.h. */
#include "analysis/emit.h"
#include "analysis/lower/lower.h"
#include "analysis/rewrite/rewrite.h"
#include "analysis/source/frontend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_shape(const char *how, struct rewrite_request *out)
{
    int end = 0;
    bool ok = sscanf(how, "wide=%u%n", &out->lanes, &end) == 1;

    if (ok && how[end] == ':') {
        const char *more = how + end;
        ok = sscanf(more, ":%u%n", &out->dimension, &end) == 1 && !more[end];
    } else {
        ok = ok && !how[end];
    }
    return ok && (out->lanes == 4 || out->lanes == 8 || out->lanes == 16) && out->dimension < 3;
}

static void tell(const char *kernel, const char *why)
{
    fprintf(stderr, "clsizer-analyze: %s: %s\n", kernel, why);
}

/* Was its text printed? */
static bool emit_kernel(const struct kernel_summary *k, struct rewrite_request *r)
{
    struct rewrite_result result = {0};

    r->kernel = k->name;
    if (!sum_proved(k, SUM_FACT_S)) {
        const struct sum_verdict *v = &k->fact[SUM_FACT_S];
        fprintf(stderr, "clsizer-analyze: %s: %s: %s\n", k->name, sum_reason_name(v->reason),
                v->detail ? v->detail : sum_reason_text(v->reason));
        return false;
    }
    rewrite_wide(r, &result);
    if (result.text)
        fputs(result.text, stdout);
    else
        tell(k->name, result.why);
    const bool printed = result.text != NULL;
    free(result.text);
    free(result.name);
    free(result.why);
    return printed;
}

static int emit_program(const struct front_result *front, const char *kernel, struct rewrite_request *r)
{
    struct program_summary p;
    char *error;
    unsigned found = 0, printed = 0;

    lower_program(front->bitcode, front->size, &front->options, &p, &error);
    if (error)
        tell("the program", error);
    for (uint32_t i = 0; i < p.nkernel; i++) {
        if (kernel && strcmp(kernel, p.kernel[i].name))
            continue;
        if (printed)
            putchar('\n');
        found++;
        printed += emit_kernel(&p.kernel[i], r);
    }
    if (!found && !error)
        tell(kernel ? kernel : "the program", "no kernel of that name");
    free(error);
    sum_free(&p);
    return printed ? 0 : 1;
}

int emit_command(const struct req *request, bool strict, const char *how, const char *kernel)
{
    struct req r = *request;
    struct rewrite_request rewrite = {0};
    struct front_result front;
    int status = 1;

    if (!parse_shape(how, &rewrite)) {
        tell(how, "not a shape; wide=4, wide=8 or wide=16 is, also with :0, :1 or :2 for the dimension");
        return 2;
    }
    r.named = true;
    front_compile(&r, strict, &front);
    if (front.error) {
        tell("the program", front.error);
    } else {
        rewrite.bitcode = front.bitcode;
        rewrite.size = front.size;
        status = emit_program(&front, kernel, &rewrite);
    }
    front_free(&front);
    return status;
}
