/* turns.c - which cache level serves the accesses of a GPU, whose warps take turns.
 *
 * Of each access some touches are looked at, all over the launch: in which wave, by which group of it, warp,
 * iteration.  Each hits where fewer lines than a level has were touched since its line last was (lattice.c,
 * footprint.c).  Nothing is simulated, so that how far apart these two are does not matter. */
#include "select/time/lattice.h"
#include "analysis/summary/integer.h"

#define TOUCH 4   /* accesses of the limit that looking at one touch counts as */
#define FEW   2   /* lines of a warp that are looked at */
#define MOST  512 /* positions */

/* Parts of square roots of primes, whose multiples cover what is between 0 and 1 evenly. */
static const double root[] = {0.41421356237309505, 0.73205080756887730, 0.23606797749978969,
                              0.64575131106459059, 0.31662479035539985, 0.60555127546398930,
                              0.12310562561766059, 0.35889894354067355};

static double part(size_t i, unsigned dim)
{
    const double x = 0.5 + (double)i * root[dim % (sizeof root / sizeof *root)];
    return x - (double)(int64_t)x;
}

struct sample {
    struct lattice *s;
    const struct trace_prog *p;
    size_t n;                     /* positions that are looked at of each access */
    size_t turn[2 + TRACE_DEPTH]; /* the order of n-th parts in each dimension: no divisor in common with n */
    struct reuse *out;
};

/* The i-th of n numbers below `all`: one from each n-th part, in an order of its own for each dimension. */
static size_t number(const struct sample *m, size_t i, unsigned dim, size_t all)
{
    const double at = ((double)(i * m->turn[dim] % m->n) + part(i, dim)) * (double)all / (double)m->n;
    return (size_t)at < all ? (size_t)at : all - 1;
}

/* The i-th position at an access: which wave, group and warp of it, and iterations. */
static void position(const struct sample *m, size_t i, unsigned access, struct lattice_touch *x)
{
    const struct lattice *s = m->s;
    const struct lattice_access *a = &s->access[access];
    const size_t first = number(m, i, 0, s->all) / s->at_once * s->at_once, left = s->all - first,
                 groups = left < s->at_once ? left : s->at_once, warp = number(m, i, 1, groups * a->warps);
    *x = (struct lattice_touch){
        .access = access, .group = first + warp / a->warps, .warp = a->warp + warp % a->warps};
    x->at[0] = (int64_t)(x->group % s->groups[0]);
    x->at[1] = (int64_t)(x->group / s->groups[0] % s->groups[1]);
    x->at[2] = (int64_t)(x->group / s->groups[0] / s->groups[1]);
    for (unsigned l = 0; l < a->loops; l++)
        x->iteration[l] = (int64_t)number(m, i, 2 + l, (size_t)(a->last[6 + l] + 1));
}

/* About `budget` positions: as many as there are warps of a wave or a multiple, or one of each few. */
static size_t positions(size_t budget, size_t warps)
{
    if (budget > MOST)
        budget = MOST;
    return budget >= warps ? budget / warps * warps : warps / ((warps + budget - 1) / budget);
}

#define ROOM (2 * TRACE_LANES)

/* Add lines [from, to] to those touched so far. */
static unsigned add_lines(uint64_t from, uint64_t to, uint64_t *line, unsigned n)
{
    for (uint64_t l = from; l <= to; l++) {
        unsigned j = n;
        while (j > 0 && line[j - 1] != l)
            j--;
        if (j == 0 && n < ROOM)
            line[n++] = l;
    }
    return n;
}

/* Those of `count` work-items in a row. */
static unsigned add_row(const struct lattice *s, const struct lattice_access *a, uint64_t at, int64_t count,
                        uint64_t *line, unsigned n)
{
    const int64_t stride = a->stride[3], end = stride * (count - 1);
    if (stride <= (int64_t)s->line && stride >= -(int64_t)s->line) {
        const uint64_t from = at + (uint64_t)(end < 0 ? end : 0), to = at + (uint64_t)(end < 0 ? 0 : end);
        return add_lines(from >> s->shift, (to + a->bytes - 1) >> s->shift, line, n);
    }
    const bool fresh = n == 0; /* lines that lie apart, each another one */
    for (; count > 0 && n < ROOM; count--, at += (uint64_t)stride) {
        const uint64_t from = at >> s->shift, to = (at + a->bytes - 1) >> s->shift;
        if (fresh && from == to && (n == 0 || line[n - 1] != from))
            line[n++] = from;
        else
            n = add_lines(from, to, line, n);
    }
    return n;
}

/* Lines that the warp touches there. */
static unsigned lines_of(const struct lattice *s, const struct lattice_touch *x, uint64_t *line)
{
    const struct lattice_access *a = &s->access[x->access];
    const size_t first = x->warp * s->lanes, row = s->local[0];
    int64_t left = s->lanes, item[3] = {(int64_t)(first % row), (int64_t)(first / row % s->local[1]),
                                        (int64_t)(first / row / s->local[1])};
    uint64_t at = a->base;
    unsigned n = 0;
    for (unsigned i = 0; i < 3; i++)
        at += (uint64_t)(a->stride[i] * x->at[i]);
    for (unsigned l = 0; l < a->loops; l++)
        at += (uint64_t)(a->stride[6 + l] * x->iteration[l]);
    while (left > 0 && item[2] < (int64_t)s->local[2]) {
        const int64_t count = left < (int64_t)row - item[0] ? left : (int64_t)row - item[0],
                      from = item[0] < a->first[3] ? a->first[3] : item[0],
                      to = item[0] + count - 1 < a->last[3] ? item[0] + count - 1 : a->last[3];
        const bool active = item[1] >= a->first[4] && item[1] <= a->last[4] && item[2] >= a->first[5] &&
                            item[2] <= a->last[5] && from <= to;
        const uint64_t here =
            at + (uint64_t)(a->stride[3] * from + a->stride[4] * item[1] + a->stride[5] * item[2]);
        n = active ? add_row(s, a, here, to - from + 1, line, n) : n;
        left -= count;
        item[0] = 0;
        item[2] += ++item[1] == (int64_t)s->local[1];
        item[1] = item[1] == (int64_t)s->local[1] ? 0 : item[1];
    }
    return n;
}

/* What was looked at of one access: transactions of a group by level, and those that nobody made before. */
struct tally {
    double level[REUSE_LEVELS], first;
};

/* The level that serves the touch; *first: no one touched the line before. */
static unsigned level_of(struct lattice *s, const struct device *d, const struct lattice_touch *x,
                         bool *first)
{
    bool cold = false;
    *first = false;
    for (unsigned lv = 0; lv < DEV_LEVELS; lv++) {
        if (!d->cache[lv].bytes)
            continue;
        s->own = !d->cache[lv].shared;
        const double distance = lattice_distance(s, x);
        if (distance < (double)d->cache[lv].bytes / s->line)
            return lv;
        cold = distance >= LATTICE_COLD; /* the last level is shared: cold there is cold for all units */
    }
    *first = cold;
    return DEV_LEVELS;
}

static void look_at(const struct sample *m, size_t i, unsigned access, struct tally *t)
{
    const struct lattice_access *a = &m->s->access[access];
    uint64_t line[ROOM];
    struct lattice_touch x;
    position(m, i, access, &x);
    const unsigned n = lines_of(m->s, &x, line), some = n < FEW ? n : FEW, turn = (unsigned)(part(i, 7) * n);
    const double weight = a->times / m->s->t->entry[a->entry].lines * a->warps * n / some / (double)m->n;
    for (unsigned j = 0; j < some; j++) {
        bool first;
        x.line = line[(j * n / some + turn) % n];
        t->level[level_of(m->s, m->p->d, &x, &first)] += weight;
        t->first += first && m->p->d->cache[0].bytes ? weight : 0;
    }
}

static double sum_of(const struct tally *t)
{
    double sum = 0;
    for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
        sum += t->level[lv];
    return sum;
}

#define MOSTLY (1 - 1e-6) /* but for rounding: all */

/* How many touches of a herd are first ones is known: those that were seen are few, or none. */
static void correct(const struct lattice *s, unsigned herd, struct tally *t)
{
    const double known = lattice_first_touches(s, herd) / (double)s->all;
    double all = 0, first = 0;
    unsigned leader = s->n;
    for (unsigned a = s->n; a-- > 0;)
        if (s->access[a].herd == herd) {
            all += sum_of(&t[a]);
            first += t[a].first;
            leader = a;
        }
    if (known < 0 || known >= all || (first <= 0 && known >= sum_of(&t[leader])))
        return;
    for (unsigned a = 0; a < s->n; a++) {
        const double sum = sum_of(&t[a]), is = t[a].first,
                     now = first > 0     ? is * known / first
                           : a == leader ? known
                                         : 0;
        if (s->access[a].herd != herd || is > MOSTLY * sum || now > MOSTLY * sum)
            continue;
        for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
            t[a].level[lv] = (t[a].level[lv] - (lv == DEV_LEVELS ? is : 0)) * (sum - now) / (sum - is);
        t[a].level[DEV_LEVELS] += now;
    }
}

static void add_up(const struct sample *m, const struct tally *t)
{
    for (unsigned a = 0; a < m->s->n; a++) {
        const struct lattice_access *x = &m->s->access[a];
        const struct trace_entry *e = &m->s->t->entry[x->entry];
        struct reuse_levels *to[2] = {&m->out->all[e->write],
                                      m->out->access ? &m->out->access[m->p->access[e->insn]] : NULL};
        for (unsigned k = 0; k < 2 && to[k]; k++) {
            to[k]->lines += (float)(x->times * x->warps);
            for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
                to[k]->share[lv] += (float)t[a].level[lv];
        }
    }
}

void turns_estimate(const struct trace_prog *p, const struct trace *t, const struct item_stride *stride,
                    const struct reuse_shape *shape, size_t limit, void *scratch, struct reuse *out)
{
    struct sample m = {.s = scratch, .p = p, .out = out};
    struct tally tally[LATTICE_MOST] = {{.first = 0}};
    lattice_make(m.s, p, t, shape->other, stride, shape);
    double touches = 0;
    for (unsigned a = 0; a < m.s->n; a++)
        touches += t->entry[m.s->access[a].entry].lines < FEW ? t->entry[m.s->access[a].entry].lines : FEW;
    const size_t warps = (m.s->local[0] * m.s->local[1] * m.s->local[2] + m.s->lanes - 1) / m.s->lanes;
    const size_t groups = m.s->all < m.s->at_once ? m.s->all : m.s->at_once;
    m.n = positions((size_t)((double)limit / TOUCH / (touches > 1 ? touches : 1)) + 1, groups * warps);
    for (unsigned d = 0; d < 2 + TRACE_DEPTH; d++) {
        m.turn[d] = (size_t)((double)m.n * root[d]) | 1;
        while (sum_gcd(m.turn[d], m.n) > 1)
            m.turn[d] += 2;
    }
    for (unsigned a = 0; a < m.s->n; a++)
        for (size_t i = 0; i < m.n; i++)
            look_at(&m, i, a, &tally[a]);
    m.s->own = false;
    for (unsigned h = 0; h < m.s->herds; h++)
        correct(m.s, h, tally);
    add_up(&m, tally);
}
