/* reuse.c - sampling of the launch's loop nest for reuse distances.
 *
 * Of a nest level with T iterations a few are sampled: the first, which counts once, the second, which stands
 * for the others, and, where some access moves by less than a line, the one that reaches the next line, which
 * stands for all that do.  So what is fetched once per loop, once per line and once per iteration is told
 * apart. A sampled line stands for lines(all iterations) / lines(sampled ones) lines of its access.
 *
 * Groups of a GPU take turns: turns.c. */
#include "select/time/reuse.h"
#include <string.h>
#include "select/time/cache.h"
#include "select/time/lattice.h"
#include "select/integer.h"

#define WARP_DIMS  8
#define MAX_PICKS  8 /* iterations of one level that are sampled */
#define WHOLE      8 /* a loop of no more iterations is taken whole */
#define PAGE_BYTES 4096u

/* What a CPU's first-level TLB and prefetchers follow at once.  Measured on a 2023 x86 server core: copies by
 * tall groups run at full speed with 64 pages in play and 7 times slower with 128. */
#define PAGES 96

/* How much of its latency the first access to a page that has not been touched for long shows.  Measured on
 * that core: loads of the next row's first line took 4 to 40 ns longer, of 153; stores nothing. */
#define NEW_PAGE 0.4f

/* Vectors with masks wait for what they load from DRAM (masked_wait).  A core does so less that works on
 * several rows at once.  Measured with copies and stencils on three AMD servers (tests/predict/cpu.jsonl). */
#define MASKED_ROW  6 /* log2, as the next two: work-items */
#define MASKED_ROWS 3 /* rows at once that help; how much longer a row may be until it does not */
#define MASKED_LOST 4 /* rows that no prefetcher follows */

/* One level of the nest. */
struct level {
    double trip;
    unsigned n;
    uint32_t pick[MAX_PICKS]; /* iterations sampled, ascending from 0 */
    float mult[MAX_PICKS];    /* iterations that each stands for */
    int axis;                 /* warp dimensions: 0..2 */
    double items;             /* work-items per iteration along the axis */
};

struct sampled {
    uint64_t addr, when;
    uint32_t entry;
    float mult;    /* accesses that this one stands for */
    float exposed; /* the part of its latency that no prefetch hides */
    uint8_t level;
};

/* Per nest level, see struct cache_access. */
struct weights {
    float line[CACHE_LEVELS];
    float page[CACHE_LEVELS];
    float lines; /* transactions per sampled line */
};

struct nest {
    const struct trace_prog *p;
    const struct trace *t;
    const struct item_stride *stride;
    struct level dim[WARP_DIMS];
    unsigned ndim, outer; /* dims [0, outer) around the kernel's loops, the rest inside */
    struct level loop[TRACE_LOOPS];
    struct weights w[TRACE_ENTRIES];
    struct sampled *item;
    size_t n, limit;
    uint32_t cur[TRACE_LOOPS], cur_pick[TRACE_LOOPS]; /* kernel loops entered, outermost first */
    unsigned depth;
    unsigned at[WARP_DIMS]; /* iterations of the outer warp dimensions that are sampled */
};

static int64_t dim_stride(const struct nest *n, uint32_t entry, const struct level *d)
{
    return (int64_t)((uint64_t)n->stride[n->t->entry[entry].insn].by[d->axis] * (uint64_t)d->items);
}

/* ---- the levels of the nest ------------------------------------------------------------------------ */

static void add_dim(struct nest *n, double trip, int axis, double items)
{
    n->dim[n->ndim++] = (struct level){.trip = trip < 1 ? 1 : trip, .axis = axis, .items = items};
}

/* A CPU core runs its groups one after another, along dimension 0 first; the range is cut into one piece per
 * core along its slowest dimension. */
static void sequential_dims(struct nest *n, const struct reuse_shape *s)
{
    double groups[3], units = n->p->d->units ? n->p->d->units : 1;
    for (unsigned i = 0; i < 3; i++)
        groups[i] = (double)sel_ceil_div(n->p->l->global[i], s->local[i]);
    unsigned cut = groups[2] >= units ? 2 : groups[1] >= units ? 1 : 0;
    groups[cut] /= units;
    add_dim(n, groups[2], 2, (double)s->local[2]);
    add_dim(n, groups[1], 1, (double)s->local[1]);
    add_dim(n, groups[0], 0, (double)s->local[0]);
    n->outer = n->ndim;
    add_dim(n, (double)s->local[2], 2, 1);
    for (unsigned i = 2; i-- > 0;) {
        uint32_t lanes = i == s->along ? s->lanes : 1;
        add_dim(n, (double)sel_ceil_div(s->local[i], lanes), (int)i, lanes);
    }
    if (!s->interleaved)
        n->outer = n->ndim;
}

/* ---- how much of each level is sampled ------------------------------------------------------------- */

static bool inside(const struct trace_loop *l, uint32_t entry)
{
    return entry >= l->begin && entry < l->end;
}

/* Innermost loop first, as entries keep their strides: the stride of loop `l` at entry `e`. */
static int64_t loop_stride(const struct trace *t, uint32_t l, uint32_t e)
{
    unsigned level = 0;
    for (uint32_t i = 0; i < l; i++)
        level += inside(&t->loop[i], e);
    return level < t->entry[e].depth ? t->entry[e].stride[level] : 0;
}

/* Iterations until the access that moves most slowly, but less than a line each time,
 * reaches the next line. */
static void slowest(int64_t stride, uint32_t line, double *jump)
{
    stride = (int64_t)sel_magnitude(stride);
    if (stride > 0 && stride < line && (double)line / (double)stride > *jump)
        *jump = (double)((line + (uint32_t)stride - 1) / (uint32_t)stride);
}

/* The iterations [0, n): the last one stands for the others too. */
static void pick_first(struct level *v, unsigned n)
{
    v->n = n;
    for (unsigned i = 0; i < n; i++) {
        v->pick[i] = i;
        v->mult[i] = 1;
    }
    v->mult[n - 1] += (float)(v->trip - n);
}

static void pick(struct level *v, double jump, unsigned whole)
{
    if (v->trip < 2 || v->trip <= whole) {
        v->n = v->trip < 2 ? 1 : (unsigned)v->trip;
        for (unsigned i = 0; i < v->n; i++) {
            v->pick[i] = i;
            v->mult[i] = (float)(v->trip / v->n);
        }
        return;
    }
    pick_first(v, 2);
    if (jump >= 2 && jump < v->trip) {
        v->pick[v->n] = (uint32_t)jump;
        v->mult[v->n] = (float)(uint64_t)((v->trip - 1) / jump);
        v->mult[1] -= v->mult[v->n++];
    }
}

static void choose_dim(struct nest *n, struct level *v, uint32_t line)
{
    double jump = 0;
    for (uint32_t e = 0; e < n->t->nentry; e++)
        if (trace_located(&n->t->entry[e]))
            slowest(dim_stride(n, e, v), line, &jump);
    pick(v, jump, 2);
}

static void choose_picks(struct nest *n, uint32_t line, unsigned whole)
{
    const struct trace *t = n->t;
    for (unsigned i = 0; i < n->ndim; i++)
        choose_dim(n, &n->dim[i], line);
    for (uint32_t l = 0; l < t->nloop; l++) {
        double jump = 0;
        n->loop[l] = (struct level){.trip = 1};
        for (uint32_t e = t->loop[l].begin; e < t->loop[l].end; e++)
            if (trace_located(&t->entry[e])) {
                n->loop[l].trip = t->loop[l].trip < 1 ? 1 : t->loop[l].trip;
                slowest(loop_stride(t, l, e), line, &jump);
            }
        pick(&n->loop[l], jump, whole);
    }
}

/* Accesses sampled of one warp. */
static double sampled_accesses(const struct nest *n)
{
    double sum = 0;
    for (uint32_t e = 0; e < n->t->nentry; e++) {
        const struct trace_entry *x = &n->t->entry[e];
        double times = trace_lines(x->lines);
        for (uint32_t l = 0; l < n->t->nloop; l++)
            times *= inside(&n->t->loop[l], e) ? n->loop[l].n : 1;
        sum += trace_located(x) ? times : 0;
    }
    return sum;
}

static double sampled_warps(const struct nest *n)
{
    double warps = 1;
    for (unsigned i = 0; i < n->ndim; i++)
        warps *= n->dim[i].n;
    return warps;
}

/* Shrink the sample to the limit: loops first, then the warp dimensions, outermost first. */
static void fit_sample(struct nest *n, uint32_t line)
{
    choose_picks(n, line, WHOLE);
    if (sampled_accesses(n) * sampled_warps(n) > (double)n->limit)
        choose_picks(n, line, 2);
    const double most = (double)n->limit / sampled_accesses(n);
    for (unsigned floor = 2; floor >= 1; floor--)
        for (unsigned i = 0; i < n->ndim; i++)
            while (n->dim[i].n > floor && sampled_warps(n) > most)
                pick_first(&n->dim[i], n->dim[i].n - 1);
}

/* ---- weights --------------------------------------------------------------------------------------- */

static double lines_of(double trip, int64_t stride, uint32_t line)
{
    stride = (int64_t)sel_magnitude(stride);
    if (stride >= line)
        return trip;
    return (double)(uint64_t)((trip - 1) * (double)stride / line) + 1;
}

/* Lines that the sampled iterations touch. */
static double sampled_lines(const struct level *v, int64_t stride, uint32_t line)
{
    double sampled = 1;
    uint32_t from = v->pick[0];
    stride = (int64_t)sel_magnitude(stride);
    for (unsigned i = 1; i < v->n; i++)
        if ((uint64_t)stride * (v->pick[i] - from) >= line) {
            sampled++;
            from = v->pick[i];
        }
    return sampled;
}

/* A nest level of the access `e`: windows carried further out see what it repeats. */
static void weigh(struct nest *n, uint32_t e, unsigned level, const struct level *v, int64_t stride,
                  uint32_t line)
{
    struct weights *w = &n->w[e];
    double all = lines_of(v->trip, stride, line), some = sampled_lines(v, stride, line);
    double all_pages = lines_of(v->trip, stride, PAGE_BYTES),
           some_pages = sampled_lines(v, stride, PAGE_BYTES);
    for (unsigned j = 0; j < level && j < CACHE_LEVELS; j++) {
        w->line[j] *= (float)(all / some);
        w->page[j] *= (float)(all_pages / some_pages);
    }
}

/* Nest levels from the outside: warp dimensions, the kernel's loops (two levels; deeper ones share the
 * second), warp dimensions inside them. */
static unsigned dim_level(const struct nest *n, unsigned dim)
{
    const unsigned level = dim < n->outer ? dim : dim + 2;
    return level < CACHE_LEVELS ? level : CACHE_LEVELS - 1;
}

static unsigned loop_level(const struct nest *n, unsigned depth)
{
    return n->outer + (depth < 2 ? depth : 1);
}

static void choose_weights(struct nest *n, uint32_t line)
{
    for (uint32_t e = 0; e < n->t->nentry; e++) {
        const struct trace_entry *x = &n->t->entry[e];
        struct weights *w = &n->w[e];
        unsigned some = trace_lines(x->lines), depth = 0;
        if (!trace_located(x))
            continue;
        for (unsigned i = 0; i < CACHE_LEVELS; i++)
            w->line[i] = w->page[i] = 1;
        w->lines = (float)x->lines / (float)some;
        for (unsigned i = 0; i < n->ndim; i++)
            weigh(n, e, dim_level(n, i), &n->dim[i], dim_stride(n, e, &n->dim[i]), line);
        for (uint32_t l = n->t->nloop; l-- > 0;)
            if (inside(&n->t->loop[l], e))
                weigh(n, e, loop_level(n, depth++), &n->loop[l], loop_stride(n->t, l, e), line);
        struct level lanes = {.trip = x->lines, .n = some};
        for (unsigned i = 0; i < some; i++)
            lanes.pick[i] = i * x->lines / some;
        weigh(n, e, CACHE_LEVELS, &lanes, x->step, line);
    }
}

/* ---- the sample ------------------------------------------------------------------------------------ */

/* An access on its way through the nest; what the levels so far make of it. */
struct visit {
    uint64_t addr, when;
    float mult;
};

/* When an iteration of `level` is: the i-th that is sampled. */
static uint64_t moment(unsigned level, uint64_t i)
{
    return (i & 0xff) << (56 - 8 * level);
}

/* The `i`-th iteration that is sampled of warp dimension `d`; its share of the accesses is the caller's. */
static void enter(const struct nest *n, uint32_t e, unsigned d, unsigned i, struct visit *x)
{
    const struct level *v = &n->dim[d];
    x->addr += (uint64_t)dim_stride(n, e, v) * v->pick[i];
    x->when |= moment(dim_level(n, d), i);
}

static void emit_warps(struct nest *n, uint32_t e, unsigned d, const struct visit *from)
{
    const struct trace_entry *x = &n->t->entry[e];
    if (d == n->ndim) {
        const unsigned some = trace_lines(x->lines);
        for (unsigned j = 0; j < some && n->n < n->limit; j++)
            n->item[n->n++] = (struct sampled){.addr = from->addr + x->at[j],
                                               .when = from->when,
                                               .entry = e,
                                               .mult = from->mult * n->w[e].lines};
        return;
    }
    for (unsigned i = 0; i < n->dim[d].n; i++) {
        struct visit at = *from;
        enter(n, e, d, i, &at);
        at.mult *= n->dim[d].mult[i];
        emit_warps(n, e, d + 1, &at);
    }
}

/* The access of the iterations that the walk is in. */
static void emit(struct nest *n, uint32_t e, float mult)
{
    const struct trace_entry *x = &n->t->entry[e];
    struct visit at = {.addr = x->addr, .mult = mult};
    uint64_t deeper = 0;
    for (unsigned i = 0; i < n->outer; i++)
        enter(n, e, i, n->at[i], &at);
    for (unsigned j = 0; j < x->depth && j < n->depth; j++)
        at.addr += (uint64_t)x->stride[j] * n->cur[n->depth - 1 - j];
    for (unsigned i = 1; i < n->depth; i++)
        deeper = deeper * MAX_PICKS + n->cur_pick[i];
    at.when |= (n->depth ? moment(loop_level(n, 0), n->cur_pick[0]) : 0) | moment(loop_level(n, 1), deeper);
    emit_warps(n, e, n->outer, &at);
}

/* Entries [begin, end); only loops [0, loops) are still to be entered. */
static void emit_kernel(struct nest *n, uint32_t begin, uint32_t end, uint32_t loops, float mult)
{
    for (uint32_t e = begin; e < end && n->n < n->limit;) {
        const uint32_t l = trace_loop_at(n->t, e, end, loops);
        if (l == loops) {
            if (trace_located(&n->t->entry[e]))
                emit(n, e, mult);
            e++;
            continue;
        }
        const struct level *v = &n->loop[l];
        n->depth++;
        for (unsigned i = 0; i < v->n; i++) {
            n->cur[n->depth - 1] = v->pick[i];
            n->cur_pick[n->depth - 1] = i;
            emit_kernel(n, e, n->t->loop[l].end, l, mult * v->mult[i]);
        }
        n->depth--;
        e = n->t->loop[l].end;
    }
}

static void emit_outer(struct nest *n, unsigned d, float mult)
{
    if (d == n->outer) {
        emit_kernel(n, 0, n->t->nentry, n->t->nloop, mult);
        return;
    }
    for (unsigned i = 0; i < n->dim[d].n; i++) {
        n->at[d] = i;
        emit_outer(n, d + 1, mult * n->dim[d].mult[i]);
    }
}

/* ---- hits ------------------------------------------------------------------------------------------ */

struct hits {
    struct cache_access *a;
    void *scratch;
    uint32_t *index; /* a[] -> item[] */
    size_t n;
};

/* Distances of the accesses whose level is `lv` among themselves, in lines of `line` bytes. */
static void measure(const struct nest *n, struct hits *h, unsigned lv, uint64_t line, size_t weights)
{
    h->n = 0;
    for (size_t i = 0; i < n->n; i++) {
        const struct sampled *s = &n->item[i];
        if (s->level != lv)
            continue;
        h->a[h->n] =
            (struct cache_access){.line = s->addr / line,
                                  .when = s->when,
                                  .weight = (const float *)((const char *)&n->w[s->entry] + weights)};
        h->index[h->n++] = (uint32_t)i;
    }
    cache_distances(h->a, h->n, h->scratch);
}

/* No prefetch hides an access to a page that has not been touched for long, nor one to the line that its page
 * was last touched at: if that misses, it has been evicted. */
static void find_exposed(struct nest *n, struct hits *h)
{
    uint64_t line = n->p->d->line_bytes ? n->p->d->line_bytes : 64;
    measure(n, h, 0, PAGE_BYTES, offsetof(struct weights, page));
    for (size_t i = 0; i < n->n; i++) {
        struct sampled *s = &n->item[i];
        if (h->a[i].distance < CACHE_COLD && n->item[h->a[i].previous].addr / line == s->addr / line)
            s->exposed = 1;
        else if (h->a[i].distance >= PAGES)
            s->exposed = n->t->entry[s->entry].write ? 0 : NEW_PAGE;
    }
}

/* Let the accesses that have missed all levels before try level `lv`: they hit when fewer lines than the
 * capacity have come in between. */
static void try_level(struct nest *n, unsigned lv, struct hits *h)
{
    const struct dev_cache *c = &n->p->d->cache[lv];
    const uint32_t line = c->line_bytes ? c->line_bytes : 64;
    double capacity = (double)c->bytes / line;
    if (c->shared && n->p->d->units) /* the sample is of one core */
        capacity /= n->p->d->units;
    measure(n, h, lv, line, offsetof(struct weights, line));
    for (size_t i = 0; i < h->n; i++)
        n->item[h->index[i]].level += h->a[i].distance >= capacity;
}

static void add_levels(struct reuse_levels *to, const struct sampled *s)
{
    to->share[s->level] += s->mult;
    to->exposed[s->level] += s->exposed * s->mult;
}

static void normalise(struct reuse_levels *l)
{
    float all = 0;
    for (unsigned i = 0; i < REUSE_LEVELS; i++)
        all += l->share[i];
    l->lines = l->lines > 0 ? all / l->lines : 1;
    for (unsigned i = 0; all > 0 && i < REUSE_LEVELS; i++) {
        l->share[i] /= all;
        l->exposed[i] /= all;
    }
}

static void add_up(const struct nest *n, struct reuse *out)
{
    for (size_t i = 0; i < n->n; i++) {
        const struct trace_entry *e = &n->t->entry[n->item[i].entry];
        add_levels(&out->all[e->write], &n->item[i]);
        if (out->access)
            add_levels(&out->access[n->p->access[e->insn]], &n->item[i]);
    }
}

/* Is argument `a` a buffer that one before it is? */
static bool comes_again(const struct launch *l, unsigned a)
{
    for (unsigned b = 0; b < a; b++)
        if (l->args[b].memory == l->args[a].memory && l->args[b].offset == l->args[a].offset)
            return true;
    return false;
}

/* A CPU's last level keeps what a launch uses until the next one, if that leaves some of it to others: a
 * launch whose size is worth choosing comes again. */
static void keep_warm(const struct trace_prog *p, struct reuse *out)
{
    unsigned last = DEV_LEVELS;
    uint64_t sum = 0;
    while (last > 0 && !p->d->cache[last - 1].bytes)
        last--;
    for (unsigned a = 0; a < p->l->nargs && a < p->k->nargs; a++)
        sum += p->k->args[a].kind == SUM_ARG_BUFFER && !comes_again(p->l, a) ? p->l->args[a].bytes : 0;
    if (last == 0 || sum > p->d->cache[last - 1].bytes / 4 * 3)
        return;
    for (unsigned w = 0; w < 2; w++) {
        struct reuse_levels *l = &out->all[w];
        l->share[last - 1] += l->share[DEV_LEVELS];
        l->exposed[last - 1] += l->exposed[DEV_LEVELS];
        l->share[DEV_LEVELS] = l->exposed[DEV_LEVELS] = 0;
    }
}

/* 1: groups of this shape work on one row at a time, or on too many; 0: on as many as help. */
static float in_rows(const struct reuse_shape *s)
{
    const int rows = sel_log2(s->local[1] * s->local[2]), longer = sel_log2(s->local[0]) - MASKED_ROW;
    const float short_rows = longer <= 0 ? 1 : longer < MASKED_ROWS ? 1 - (float)longer / MASKED_ROWS : 0;

    if (rows >= MASKED_LOST)
        return 1;
    return 1 - short_rows * (rows < MASKED_ROWS ? (float)rows / MASKED_ROWS : 1);
}

/* Vectors with masks: a core that works on one long row waits for more of what it loads. */
static void wait_for_masked(const struct trace_prog *p, const struct reuse_shape *s, struct reuse *out)
{
    struct reuse_levels *l = &out->all[0];
    const double latency = p->d->dram_latency > 0 ? p->d->dram_latency : 1;
    const float part = (float)(p->masked_part * p->d->masked_wait / latency),
                most = l->share[DEV_LEVELS] * part * in_rows(s);

    if (s->lanes < 2 || s->along != 0 || l->exposed[DEV_LEVELS] >= most)
        return;
    out->masked = most - l->exposed[DEV_LEVELS];
    l->exposed[DEV_LEVELS] = most;
}

static size_t nest_scratch(size_t n)
{
    return sizeof(struct nest) +
           n * (sizeof(struct sampled) + sizeof(struct cache_access) + sizeof(uint32_t)) + cache_scratch(n) +
           64;
}

size_t reuse_scratch(size_t n)
{
    return nest_scratch(n) > sizeof(struct lattice) ? nest_scratch(n) : sizeof(struct lattice);
}

static void estimate_nest(const struct trace_prog *p, const struct trace *t, const struct item_stride *stride,
                          const struct reuse_shape *shape, size_t limit, void *scratch, struct reuse *out)
{
    struct nest *n = scratch;
    struct sampled *item = (struct sampled *)(n + 1);
    struct cache_access *a = (struct cache_access *)(item + limit);
    uint32_t *index = (uint32_t *)(a + limit);
    void *rest = (void *)(((uintptr_t)(index + limit) + 15) & ~(uintptr_t)15);
    uint32_t line = p->d->line_bytes ? p->d->line_bytes : 64;
    memset(n, 0, offsetof(struct nest, loop));
    n->p = p;
    n->t = t;
    n->stride = stride;
    n->item = item;
    n->limit = limit;
    n->n = 0;
    n->depth = 0;
    sequential_dims(n, shape);
    fit_sample(n, line);
    choose_weights(n, line);
    emit_outer(n, 0, 1);
    struct hits h = {.a = a, .scratch = rest, .index = index};
    find_exposed(n, &h);
    for (unsigned lv = 0; lv < DEV_LEVELS; lv++) {
        if (p->d->cache[lv].bytes)
            try_level(n, lv, &h);
        else
            for (size_t i = 0; i < n->n; i++)
                item[i].level = (uint8_t)(item[i].level + (item[i].level == lv));
    }
    add_up(n, out);
}

void reuse_estimate(const struct trace_prog *p, const struct trace *t, const struct item_stride *stride,
                    const struct reuse_shape *shape, size_t limit, void *scratch, struct reuse *out)
{
    *out = (struct reuse){.access = out->access, .accesses = out->accesses};
    for (uint32_t i = 0; i < out->accesses; i++)
        out->access[i] = (struct reuse_levels){.share = {0}};
    if (p->d->is_cpu)
        estimate_nest(p, t, stride, shape, limit, scratch, out);
    else
        turns_estimate(p, t, stride, shape, limit, scratch, out);
    normalise(&out->all[0]);
    normalise(&out->all[1]);
    for (uint32_t i = 0; i < out->accesses; i++)
        normalise(&out->access[i]);
    if (p->d->is_cpu) {
        keep_warm(p, out);
        wait_for_masked(p, shape, out);
    }
}
