/* predict_from_c.c - which loops of a C function become dimensions, and how often they run ([C] 3.1, 3.2). */
#include "analysis/summary/cfg.h"
#include "select/predict/predict.h"
#include "select/integer.h"
#include "select/prove/form.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LOOPS 3

/* A nest of loops, the outermost first. */
struct nest {
    unsigned depth; /* whose numbers of iterations are known */
    size_t times[MOST_LOOPS];
    uint32_t line[MOST_LOOPS + 1]; /* of one more if there is one, else 0 */
};

struct refusal {
    struct sel_proof proof;
    const char *why; /* NULL: the proof says it */
    uint32_t line;   /* where the argument that is in the way is written */
};

static const struct kernel_summary *find(const struct predict_options *o, const struct program_summary *p,
                                         unsigned loops)
{
    for (uint32_t i = 0; i < p->nkernel; i++) {
        const char *name = p->kernel[i].name;
        const size_t n = strlen(o->kernel);
        if (strncmp(name, o->kernel, n) == 0 && strncmp(name + n, "__", 2) == 0 &&
            name[n + 2] == '0' + (int)loops)
            return &p->kernel[i];
    }
    return NULL;
}

/* A launch with the arguments of the command line.  0 or a negative errno; free l->args. */
static int make_launch(const struct predict_options *o, const struct kernel_summary *k, struct launch *l)
{
    struct launch_arg *args = calloc(k->nargs + 1, sizeof *args);
    const int r = args ? predict_args(o, k, launch_items(l), args) : -ENOMEM;
    l->args = args;
    l->nargs = k->nargs;
    return r;
}

/* How often the loop with this header runs; 0: not known, or never. */
static size_t times_of(const struct kernel_summary *k, const struct launch *l, uint32_t header)
{
    for (uint32_t i = 0; i < k->nloop; i++) {
        struct sel_form f;
        const struct sum_loop *loop = &k->loops[i];
        if (loop->header != header || loop->quotient != SUM_Q_NONE)
            continue;
        const int64_t step = sel_form_step(k, l, loop);
        if (loop->limit.nterm && step > 0 && sel_form_make(k, l, &loop->limit, &f) == SEL_R_OK && !f.nloop &&
            !f.nunknown && f.constant > 0)
            return (size_t)sel_ceil_div((uint64_t)f.constant, (uint64_t)step);
    }
    return 0;
}

static void find_nest(const struct kernel_summary *k, const struct launch *l, const struct cfg *c,
                      struct nest *out)
{
    uint32_t parent = CFG_NONE;
    for (uint32_t i = 0; i < c->nloop && out->depth < MOST_LOOPS; i++) {
        if (c->loop[i].parent != parent)
            continue;
        const uint32_t header = c->loop[i].header;
        parent = i;
        out->line[out->depth] = k->insns[k->blocks[header].first].line;
        out->times[out->depth] = times_of(k, l, header);
        if (!out->times[out->depth])
            return;
        out->depth++;
    }
}

/* Where the argument that `detail` begins with is written; 0: not known. */
static uint32_t line_of_write(const struct kernel_summary *k, const char *detail)
{
    unsigned arg;
    if (sscanf(detail, "argument %u", &arg) == 1)
        for (uint32_t i = 0; i < k->naccess; i++)
            if (k->access[i].arg == arg && k->access[i].kind != SUM_ACC_READ)
                return k->insns[k->access[i].insn].line;
    return 0;
}

static void tell(const struct predict_options *o, uint32_t line, const struct refusal *r)
{
    fprintf(stderr, "clsizer predict: %s: the loop in line %u stays a loop: %s", o->file, line,
            r->why ? r->why : r->proof.size.detail);
    fprintf(stderr, r->line ? ", in line %u\n" : "\n", r->line);
}

/* May the first `loops` loops become the range?  Then it is in o; else r says why not. */
static bool try(struct predict_options *o, const struct program_summary *p, const struct nest *n,
                unsigned loops, struct refusal *r)
{
    const struct kernel_summary *k = find(o, p, loops);
    struct launch l = {.dim = loops, .global = {1, 1, 1}};
    *r = (struct refusal){.why = NULL};
    if (!k)
        r->why =
            "it counts downwards, ends early, leaves more to its next iteration than its count, or there "
            "is more beside it than in it";
    else if (n->depth < loops)
        r->why = "how often it runs is not known; give the arguments that say so with --arg";
    if (r->why)
        return false;
    for (unsigned d = 0; d < loops; d++)
        l.global[d] = n->times[loops - 1 - d];
    if (make_launch(o, k, &l) == 0)
        sel_judge(k, &l, &r->proof);
    else
        r->why = "its arguments";
    free((void *)l.args);
    r->line = line_of_write(k, r->proof.size.detail);
    if (!r->proof.size.proven)
        return false;
    o->dim = loops;
    memcpy(o->global, l.global, sizeof o->global);
    return true;
}

int predict_from_c(struct predict_options *o, struct program_summary *p, const struct kernel_summary **out)
{
    const struct kernel_summary *k = find(o, p, 0);
    struct launch l = {.dim = 1, .global = {1, 1, 1}};
    struct nest n = {0};
    struct cfg c;
    if (!k) {
        fprintf(stderr, "clsizer predict: %s: %s\n", o->file,
                p->error ? p->error : "the function is too large");
        return -ENOENT;
    }
    const int found = predict_find_args(o, k), made = found ? found : make_launch(o, k, &l);
    if (made == 0 && cfg_build(k, &c) == 0) {
        find_nest(k, &l, &c, &n);
        cfg_free(&c);
    }
    free((void *)l.args);
    if (made)
        return made;
    const unsigned allowed = o->loops ? o->loops : MOST_LOOPS,
                   most = n.depth < allowed ? n.depth + (n.depth == 0) : allowed;
    struct refusal inner = {.why = ""}, r;
    for (unsigned loops = most; loops > 0; loops--, inner = r) {
        if (!try(o, p, &n, loops, &r))
            continue;
        if (!inner.why) /* the next loop is one that would do, but for this */
            tell(o, n.line[loops], &inner);
        k = find(o, p, loops);
        k->name[strlen(o->kernel)] = 0;
        *out = k;
        return 0;
    }
    tell(o, n.line[0], &inner);
    return -ENOENT;
}
