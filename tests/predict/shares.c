/* shares.c - which cache level serves each access: the model's sample against an exact simulation.
 *
 * shares [--each]: reads launches, one a line; --each: prints every share.  Every warp of a launch is traced
 * where it lies.  The groups that all units hold at once take turns at every access; the next ones begin when
 * they have ended, in order. Caches are fully associative and replace what was used longest ago, as the
 * built-in descriptions of GPUs say. Fails where a share differs by more than TOLERANCE; a line
 * that begins with `within N` allows N points. */
#include "select/predict/predict.h"
#include "select/time/estimate.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define TOLERANCE 0.03
#define MOST_ARGS 12
#define NONE      UINT32_MAX

/* ---- a cache --------------------------------------------------------------------------------------- */

struct cache {
    uint64_t *line;
    uint32_t *newer, *older, *next, *bucket;
    uint32_t lines, used, newest, oldest, mask;
};

static void *get(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        exit(2);
    return p;
}

static void cache_make(struct cache *c, uint32_t lines)
{
    *c = (struct cache){.lines = lines, .newest = NONE, .oldest = NONE, .mask = 1};
    while (c->mask < 2 * lines)
        c->mask *= 2;
    c->line = get(lines, sizeof *c->line);
    c->newer = get(lines, sizeof *c->newer);
    c->older = get(lines, sizeof *c->older);
    c->next = get(lines, sizeof *c->next);
    c->bucket = get(c->mask, sizeof *c->bucket);
    memset(c->bucket, 0xff, c->mask * sizeof *c->bucket);
    c->mask--;
}

static void cache_free(struct cache *c)
{
    free(c->line);
    free(c->newer);
    free(c->older);
    free(c->next);
    free(c->bucket);
}

static uint32_t *bucket_of(struct cache *c, uint64_t line)
{
    return &c->bucket[(line * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & c->mask];
}

static void take_out(struct cache *c, uint32_t i)
{
    *(c->newer[i] == NONE ? &c->newest : &c->older[c->newer[i]]) = c->older[i];
    *(c->older[i] == NONE ? &c->oldest : &c->newer[c->older[i]]) = c->newer[i];
}

static void put_first(struct cache *c, uint32_t i)
{
    c->older[i] = c->newest;
    c->newer[i] = NONE;
    *(c->newest == NONE ? &c->oldest : &c->newer[c->newest]) = i;
    c->newest = i;
}

/* Was the line there?  It is now. */
static bool cache_touch(struct cache *c, uint64_t line)
{
    uint32_t *b = bucket_of(c, line), i = *b;
    while (i != NONE && c->line[i] != line)
        i = c->next[i];
    const bool hit = i != NONE;
    if (!hit && c->used < c->lines) {
        i = c->used++;
    } else {
        i = hit ? i : c->oldest;
        take_out(c, i);
    }
    if (!hit) {
        if (c->used == c->lines && c->line[i]) {
            uint32_t *p = bucket_of(c, c->line[i]);
            while (*p != NONE && *p != i)
                p = &c->next[*p];
            if (*p == i)
                *p = c->next[i];
        }
        c->line[i] = line;
        b = bucket_of(c, line);
        c->next[i] = *b;
        *b = i;
    }
    put_first(c, i);
    return hit;
}

/* ---- the launch ------------------------------------------------------------------------------------ */

struct exact {
    struct sel_work *w;
    const struct candidate *c;
    struct cache *cache[DEV_LEVELS]; /* per unit, or one */
    struct trace *warp;              /* of the groups that run at once */
    uint32_t (*own)[TRACE_ENTRIES];  /* theirs for an entry of the usual one; NONE */
    uint32_t *unit;
    uint32_t warps;
    uint32_t parts;                     /* of a warp, traced alone: traces keep the places of few lines */
    const struct trace *usual;          /* the warp with the most entries */
    double (*touched)[2][REUSE_LEVELS]; /* by instruction */
    uint32_t *made, all;                /* by how many warps, of all */
};

#define MOST_LINES (4 * TRACE_LANES)

/* Add those of an access to a warp's lines. */
static unsigned add_lines(const struct exact *x, const struct trace_entry *e, int64_t offset, uint64_t *line,
                          unsigned n)
{
    for (unsigned i = 0; i < e->lines && n < MOST_LINES; i++) {
        const uint64_t apart = e->lines <= TRACE_LINES ? e->at[i] : (uint64_t)(e->step * (int64_t)i);
        const uint64_t l = (e->addr + (uint64_t)offset + apart) / x->w->d->line_bytes;
        unsigned j = x->parts > 1 ? n : 0;
        while (j > 0 && line[j - 1] != l)
            j--;
        if (j == 0)
            line[n++] = l;
    }
    return n;
}

static void touch(struct exact *x, uint32_t unit, const struct trace_entry *e, uint64_t addr)
{
    const struct device *d = x->w->d;
    unsigned lv = 0;
    for (; lv < DEV_LEVELS; lv++) {
        const struct dev_cache *c = &d->cache[lv];
        if (c->bytes && cache_touch(&x->cache[lv][c->shared ? 0 : unit], addr / c->line_bytes))
            break;
    }
    x->touched[e->insn][e->write][lv]++;
}

/* The access at entry `e` of every warp, in the iteration that at[] says. */
static void take_turns(struct exact *x, uint32_t e, const double *at, unsigned depth)
{
    uint64_t line[MOST_LINES];
    unsigned n = 0;
    for (uint32_t i = 0; i < x->warps; i++) {
        const struct trace_entry *t = x->own[i][e] == NONE ? NULL : &x->warp[i].entry[x->own[i][e]];
        int64_t offset = 0;
        n = i % x->parts ? n : 0;
        if (t && (t->mem == TRACE_GLOBAL || t->mem == TRACE_IMAGE) && !t->unknown) {
            for (unsigned j = 0; j < t->depth && j < depth; j++)
                offset += t->stride[j] * (int64_t)at[depth - 1 - j];
            n = add_lines(x, t, offset, line, n);
        }
        for (unsigned j = 0; (i + 1) % x->parts == 0 && j < n; j++)
            touch(x, x->unit[i], &x->usual->entry[e], line[j] * x->w->d->line_bytes);
    }
}

static void go(struct exact *x, uint32_t begin, uint32_t end, uint32_t loops, double *at, unsigned depth)
{
    const struct trace *t = x->usual;
    for (uint32_t e = begin; e < end;) {
        const uint32_t l = trace_loop_at(t, e, end, loops);
        if (l == loops) {
            take_turns(x, e++, at, depth);
            continue;
        }
        for (at[depth] = 0; at[depth] < t->loop[l].trip; at[depth]++)
            go(x, e, t->loop[l].end, l, at, depth + 1);
        e = t->loop[l].end;
    }
}

static bool same_access(const struct trace_entry *a, const struct trace_entry *b)
{
    return a->mem == b->mem && a->insn == b->insn;
}

/* Is the access to come in `t` from entry `e` on? */
static bool comes(const struct trace *t, uint32_t e, const struct trace_entry *access)
{
    while (e < t->nentry && !same_access(&t->entry[e], access))
        e++;
    return e < t->nentry;
}

/* Which of `t`'s entries stands where one of the usual warp's does: some warps leave out branches. */
static void match(const struct trace *usual, const struct trace *t, uint32_t *own)
{
    uint32_t next = 0;
    for (uint32_t e = 0; e < usual->nentry; e++) {
        while (next < t->nentry && !comes(usual, e, &t->entry[next]))
            next++;
        own[e] = next < t->nentry && same_access(&usual->entry[e], &t->entry[next]) ? next++ : NONE;
    }
}

static void trace_group(struct exact *x, const size_t group[3], uint32_t unit)
{
    struct trace_place at = {.lanes = x->w->lanes / x->parts};
    const size_t items = x->c->local[0] * x->c->local[1] * x->c->local[2];
    memcpy(at.local, x->c->local, sizeof at.local);
    memcpy(at.group, group, sizeof at.group);
    for (; at.first < items || at.first % x->w->lanes; at.first += at.lanes) {
        x->unit[x->warps] = unit;
        x->w->prog.steps = 0;
        if (trace_run(&x->w->prog, &at, &x->warp[x->warps++]) != 0)
            exit(2);
    }
}

/* Who makes each access. */
static void count_warps(struct exact *x)
{
    x->all += x->warps;
    for (uint32_t i = 0; i < x->warps; i++)
        for (uint32_t e = 0; e < x->usual->nentry; e++)
            if (x->own[i][e] != NONE && x->usual->entry[e].mem < TRACE_MEMS)
                x->made[x->usual->entry[e].insn]++;
}

static void run_launch(struct exact *x, uint64_t resident)
{
    const struct launch *l = x->w->l;
    const uint32_t units = x->w->d->units, at_once = (uint32_t)resident * units;
    size_t groups[3], g[3];
    for (unsigned i = 0; i < 3; i++)
        groups[i] = l->global[i] / x->c->local[i];
    const size_t all = groups[0] * groups[1] * groups[2];
    double at[TRACE_LOOPS];
    for (size_t first = 0; first < all; first += at_once) {
        x->warps = 0;
        for (size_t i = first; i < first + at_once && i < all; i++) {
            g[0] = i % groups[0];
            g[1] = i / groups[0] % groups[1];
            g[2] = i / groups[0] / groups[1];
            trace_group(x, g, (uint32_t)(i % units));
        }
        x->usual = &x->warp[0];
        for (uint32_t i = 1; i < x->warps; i++)
            x->usual = x->warp[i].nentry > x->usual->nentry ? &x->warp[i] : x->usual;
        for (uint32_t i = 0; i < x->warps; i++)
            match(x->usual, &x->warp[i], x->own[i]);
        count_warps(x);
        go(x, 0, x->usual->nentry, x->usual->nloop, at, 0);
    }
}

static void simulate(struct exact *x, uint64_t resident)
{
    const struct device *d = x->w->d;
    const size_t items = x->c->local[0] * x->c->local[1] * x->c->local[2],
                 warps = (items + d->warp - 1) / d->warp * x->parts * resident * d->units;
    x->unit = get(warps, sizeof *x->unit);
    x->warp = get(warps, sizeof *x->warp);
    x->own = get(warps, sizeof *x->own);
    for (size_t i = 0; i < warps; i++) {
        x->warp[i].entry = get(TRACE_ENTRIES, sizeof *x->warp[i].entry);
        x->warp[i].loop = get(TRACE_LOOPS, sizeof *x->warp[i].loop);
    }
    for (unsigned lv = 0; lv < DEV_LEVELS; lv++) {
        x->cache[lv] = get(d->units, sizeof *x->cache[lv]);
        for (uint32_t u = 0; d->cache[lv].bytes && u < (d->cache[lv].shared ? 1 : d->units); u++)
            cache_make(&x->cache[lv][u], (uint32_t)(d->cache[lv].bytes / d->cache[lv].line_bytes));
    }
    run_launch(x, resident);
    for (size_t i = 0; i < warps; i++) {
        free(x->warp[i].entry);
        free(x->warp[i].loop);
    }
    for (unsigned lv = 0; lv < DEV_LEVELS; lv++) {
        for (uint32_t u = 0; d->cache[lv].bytes && u < (d->cache[lv].shared ? 1 : d->units); u++)
            cache_free(&x->cache[lv][u]);
        free(x->cache[lv]);
    }
    free(x->unit);
    free(x->warp);
    free(x->own);
}

/* ---- comparison ------------------------------------------------------------------------------------ */

static double share(const double *level, unsigned lv)
{
    double all = 0;
    for (unsigned i = 0; i < REUSE_LEVELS; i++)
        all += level[i];
    return all > 0 ? level[lv] / all : -1;
}

static bool each;
static double tolerance;

static void print_share(const double *is, const struct reuse_levels *said, const char *what, uint32_t line)
{
    printf("    %-10s line %3u: is", what, line);
    for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
        printf(" %5.1f", 100 * share(is, lv));
    printf("  said");
    for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
        printf(" %5.1f", 100 * (double)said->share[lv]);
    printf("\n");
}

/* By how much the most different level is off.  `is` and `said` are shares of what; -1: there is none. */
static double off_by(const double *is, const struct reuse_levels *said, const char *what, uint32_t line)
{
    double most = 0;
    if (share(is, 0) < 0)
        return 0;
    for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
        most = fmax(most, fabs((double)said->share[lv] - share(is, lv)));
    if (each || most > tolerance)
        print_share(is, said, what, line);
    return most;
}

#define RARE                                                                                                 \
    50 /* what fewer than one warp in so many makes is not compared: the model looks at no such warp */

/* The largest difference. */
static double compare(const struct exact *x, const struct reuse *r)
{
    const struct kernel_summary *k = x->w->k;
    double sum[2][REUSE_LEVELS] = {{0}}, most = 0;
    for (uint32_t v = 0; v < k->ninsn; v++)
        for (unsigned wr = 0; wr < 2; wr++) {
            for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
                sum[wr][lv] += x->touched[v][wr][lv];
            if (x->w->prog.access[v] != CFG_NONE && x->made[v] >= x->all / RARE)
                most = fmax(most, off_by(x->touched[v][wr], &r->access[x->w->prog.access[v]],
                                         wr ? "a store" : "a load", k->insns[v].line));
        }
    if (share(sum[0], 0) < 0 && share(sum[1], 0) < 0)
        exit(2); /* nothing was compared */
    most = fmax(most, off_by(sum[0], &r->all[0], "all loads", 0));
    return fmax(most, off_by(sum[1], &r->all[1], "all stores", 0));
}

/* One launch as the command line of `clsizer predict` says it, with exactly one --local. */
static bool examine(char **argv)
{
    struct predict_options o;
    struct program_summary p = {0};
    struct device d;
    struct launch_arg args[MOST_ARGS];
    int argc = 0;
    while (argv[argc])
        argc++;
    if (predict_parse(argc, argv, NULL, &o) != 0 || predict_device(o.device[0], &d) != 0 ||
        predict_analyse(&o, getenv("CLSIZER_HELPER"), &p) != 0)
        exit(2);
    const struct kernel_summary *k = sum_find(&p, o.kernel);
    struct launch l = {.dim = o.dim, .global = {o.global[0], 1, 1}, .args = args};
    for (unsigned i = 1; i < o.dim; i++)
        l.global[i] = o.global[i];
    struct candidate c = {.local = {o.local[0][0], o.local[0][1], o.local[0][2]}};
    if (!k || k->nargs > MOST_ARGS || predict_find_args(&o, k) != 0 ||
        predict_args(&o, k, launch_items(&l), args) != 0)
        exit(2);
    l.nargs = k->nargs;
    struct est_case e;
    struct sel_estimate summary;
    struct exact x = {.w = sel_work_new(),
                      .c = &c,
                      .parts = c.local[0] < d.warp ? 4 : 1,
                      .touched = get(k->ninsn, sizeof *x.touched),
                      .made = get(k->ninsn, sizeof *x.made)};
    if (!x.w || est_one(x.w, k, &l, &d, 1, &c, &e, &summary) != 0)
        exit(2);
    simulate(&x, (uint64_t)(e.active / e.warps + 0.5));
    const double off = compare(&x, e.reuse);
    if (each || off > tolerance)
        printf("%5.1f points: %s %zux%zux%zu of %zux%zux%zu on %s\n", 100 * off, k->name, c.local[0],
               c.local[1], c.local[2], l.global[0], l.global[1], l.global[2], d.name);
    trace_done(&x.w->prog);
    sel_work_free(x.w);
    free(x.touched);
    free(x.made);
    sum_free(&p);
    return off > tolerance;
}

int main(int argc, char **argv)
{
    char line[1024], *word[64];
    unsigned wrong = 0, launches = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    each = argc > 1 && strcmp(argv[1], "--each") == 0;
    while (fgets(line, sizeof line, stdin)) {
        unsigned n = 0;
        for (char *s = strtok(line, " \n"); s && n < 63; s = strtok(NULL, " \n"))
            word[n++] = s;
        word[n] = NULL;
        if (n == 0 || *word[0] == '#')
            continue;
        const bool within = strcmp(word[0], "within") == 0 && n > 2;
        tolerance = within ? strtod(word[1], NULL) / 100 : TOLERANCE;
        wrong += examine(word + 2 * within);
        launches++;
    }
    printf("%u launches, %u off by more than %g points, or than allowed\n", launches, wrong, 100 * TOLERANCE);
    return wrong > 0 || launches == 0;
}
