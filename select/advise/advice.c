/* advice.c - what would make a kernel faster, and by how much ([C] 4.4, Table 6; [R] Alg. 6.2).
 *
 * What one warp executes is changed as the advice says and estimated again by [C]'s equations (mwp.h), which
 * need only counts; on a CPU by the closed form, with traces of the changed kernel (closed.h).  That makes
 * the gain; the time that it is promised of is the candidate's own.  Advice that gains less than LEAST_GAIN
 * is not worth the work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "select/advise/advice.h"
#include "select/advise/closed.h"
#include "select/time/mwp.h"

#define LEAST_GAIN    1.1
#define LEAST_REUSE   2.0   /* accesses per element, for local memory to pay */
#define FEW_TURNS     2     /* conflicts that padding may leave */
#define TILE          32    /* iterations of a loop that a tile holds, elements of its rows */
#define CONSTANT_MOST 65536 /* bytes of constant memory that every device has */
#define LAUNCHES      64    /* whose work is advised to be one launch, at most */

/* What an array of a function's is called there: "gemm.tile" is its whole name. */
static const char *plain_name(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot && (dot[1] < '0' || dot[1] > '9') ? dot + 1 : name;
}

const char *advice_target(const struct kernel_summary *k, uint32_t insn)
{
    const struct sum_insn *in = &k->insns[insn];
    uint32_t root = in->op == SUM_IMAGE_READ || in->op == SUM_IMAGE_WRITE
                        ? k->opnds[in->opnd]
                        : memory_root(k, k->opnds[in->opnd]);
    if (root == CFG_NONE)
        return "memory";
    in = &k->insns[root];
    if (in->op == SUM_ARG && (uint64_t)in->imm < k->nargs && *k->args[in->imm].name)
        return k->args[in->imm].name;
    return in->op == SUM_VAR ? plain_name(k->vars[in->imm].name) : "memory";
}

/* ---- accesses to one buffer ------------------------------------------------------------------------ */

static uint32_t root_of(const struct kernel_summary *k, uint32_t insn)
{
    return memory_root(k, k->opnds[k->insns[insn].opnd]);
}

static bool is_written(const struct est_trace *t, const struct kernel_summary *k, uint32_t root)
{
    bool written = false;
    for (uint32_t i = 0; i < t->ntouch; i++)
        written |= t->touch[i].write && root_of(k, t->touch[i].insn) == root;
    return written;
}

/* Does the address move with a loop around the access? */
static bool moves_in_loop(const struct est_trace *t, uint32_t insn)
{
    bool moves = false;
    for (uint32_t i = 0; i < t->t.nentry; i++)
        for (unsigned j = 0; t->t.entry[i].insn == insn && j < t->t.entry[i].depth; j++)
            moves |= t->t.entry[i].mem == TRACE_GLOBAL && t->t.entry[i].stride[j] != 0;
    return moves;
}

/* Work-items of a group that access different elements. */
static double spread(const struct subject *s, uint32_t insn)
{
    double n = 1;
    for (unsigned d = 0; d < 3; d++)
        n *= s->w->stride[insn].by[d] ? (double)s->c.local[d] : 1;
    return n;
}

static double items(const struct subject *s)
{
    return (double)(s->c.local[0] * s->c.local[1] * s->c.local[2]);
}

/* Would one copy of each element in local memory serve several work-items? */
static bool worth_staging(const struct subject *s, const struct est_trace *t, const struct est_touch *x)
{
    return !x->write && !x->unknown && x->mem == TRACE_GLOBAL && moves_in_loop(t, x->insn) &&
           !mwp_fills(s->w, x) && items(s) >= LEAST_REUSE * spread(s, x->insn) &&
           !is_written(t, s->w->k, root_of(s->w->k, x->insn));
}

/* ---- changes --------------------------------------------------------------------------------------- */

enum kind { COALESCE, STAGE, CONSTANT, PAD, BRANCH, REGISTERS, RANGE };

struct change {
    enum kind what;
    uint32_t root; /* of COALESCE, CONSTANT */
    uint32_t insn; /* its first access */
    struct est_need need;
    uint32_t *uses; /* of STAGE: of each value, by what is left */
    bool *tiled;    /* of STAGE: which of the trace's touches */
    bool any;
    unsigned warps; /* that are resident with it */
};

/* Turns of a walk down a tile's rows, each `more` elements longer, on average over where it begins: wide
 * banks hold two elements, whose rows may meet. */
static double turns_down(const struct device *d, uint32_t bytes, unsigned more)
{
    double sum = 0;
    for (uint64_t begin = 0; begin < TILE; begin++) {
        uint64_t addr[TRACE_LANES];
        const unsigned lanes = d->warp < TILE ? d->warp : TILE;
        for (unsigned i = 0; i < lanes; i++)
            addr[i] = (i * (TILE + more) + begin) * bytes;
        sum += memory_conflicts(addr, lanes, bytes, d->local_banks, d->local_bank_bytes);
    }
    return sum / TILE;
}

static double padded_turns(const struct device *d, uint32_t bytes)
{
    return turns_down(d, bytes, 1);
}

/* Do neighbours read elements of different rows? */
static bool walks_down(const struct subject *s, uint32_t insn)
{
    const int64_t by = s->w->stride[insn].by[0], bytes = s->w->k->insns[insn].bytes;
    return by > bytes || by < -bytes;
}

/* What conflicts more than padded rows do, no longer does; atomics on one element still do. */
static void pad_rows(const struct subject *s, const struct est_trace *t, struct change *c,
                     struct mwp_warp *warp)
{
    for (uint32_t i = 0; i < t->t.nentry; i++) {
        const struct trace_entry *e = &t->t.entry[i];
        if (e->mem != TRACE_LOCAL || e->lines <= FEW_TURNS || s->w->k->insns[e->insn].op == SUM_ATOMIC)
            continue;
        const double turns = padded_turns(s->w->d, s->w->k->insns[e->insn].bytes);
        warp->turns -= trace_times(&t->t, i) * (e->lines - turns);
        c->any = true;
    }
}

/* Lines from DRAM per access to a buffer: what finds another member's line in the cache does not, once they
 * are apart. */
static double dram_of(const struct subject *s, const struct est_trace *t, uint32_t root)
{
    double most = 0;
    for (uint32_t i = 0; i < t->ntouch; i++) {
        struct mwp_access a;
        if (root_of(s->w->k, t->touch[i].insn) != root || t->touch[i].n <= 0)
            continue;
        mwp_touch(s->w, &s->e, &t->touch[i], &a);
        most = a.dram / a.n > most ? a.dram / a.n : most;
    }
    return most;
}

static uint32_t *count_uses(const struct subject *s)
{
    const struct kernel_summary *k = s->w->k;
    uint32_t *uses = arena_get(&s->w->arena, ((size_t)k->ninsn + 1) * sizeof *uses);
    for (uint32_t v = 0; uses && v < k->ninsn; v++)
        for (uint32_t o = 0; o < k->insns[v].nopnd; o++)
            uses[sum_opnd(k, v, o)] += !sum_operand_is_block(&k->insns[v], o);
    return uses;
}

/* One use of value v less: the instructions from `first` on that nothing uses any more. */
static unsigned drop_use(const struct kernel_summary *k, uint32_t *uses, uint32_t v, uint32_t first)
{
    const struct sum_insn *in = &k->insns[v];
    if (--uses[v] > 0 || v < first || in->op >= SUM_PHI)
        return 0;
    unsigned n = in->cls != SUM_C_NONE;
    for (uint32_t o = 0; o < in->nopnd; o++)
        n += drop_use(k, uses, sum_opnd(k, v, o), first);
    return n;
}

static uint64_t tile_bytes(const struct subject *s, uint32_t insn)
{
    return (uint64_t)spread(s, insn) * TILE * s->w->k->insns[insn].bytes;
}

/* Which loads get tiles: those that serve the most accesses a byte, while they fit ([R] Alg. 6.2).  NULL when
 * out of memory. */
static bool *choose_tiles(const struct subject *s, const struct est_trace *t)
{
    bool *tiled = arena_get(&s->w->arena, t->ntouch + 1);
    const uint64_t most = s->w->d->local_group_bytes, taken = s->w->local_bytes;
    uint64_t room = !most ? UINT64_MAX : most > taken ? most - taken : 0;
    for (uint32_t best = 0; tiled && best < t->ntouch;) {
        double worth = 0;
        best = t->ntouch;
        for (uint32_t i = 0; i < t->ntouch; i++) {
            const uint64_t bytes = tile_bytes(s, t->touch[i].insn);
            if (tiled[i] || bytes > room || !worth_staging(s, t, &t->touch[i]) ||
                t->touch[i].n <= worth * (double)bytes)
                continue;
            worth = t->touch[i].n / (double)bytes;
            best = i;
        }
        if (best < t->ntouch) {
            tiled[best] = true;
            room -= tile_bytes(s, t->touch[best].insn);
        }
    }
    return tiled;
}

/* Instructions that find the place of an access alone, each time: in its own block. */
static unsigned address_work(const struct kernel_summary *k, uint32_t *uses, uint32_t insn)
{
    uint32_t b = 0;
    while (insn >= k->blocks[b].end)
        b++;
    return uses ? drop_use(k, uses, sum_opnd(k, insn, 0), k->blocks[b].first) : 0;
}

static void change_touch(const struct subject *s, const struct est_trace *t, const struct est_touch *x,
                         struct change *c, struct mwp_warp *warp)
{
    const struct kernel_summary *k = s->w->k;
    const bool its = c->root == root_of(k, x->insn);
    struct mwp_access a = {0};
    const enum mwp_class class = mwp_touch(s->w, &s->e, x, &a);
    if (c->what == COALESCE && class == MWP_UNCOALESCED && !x->unknown && its) {
        const double lines = x->n * est_needed(s->w, x->insn), dram = x->n * dram_of(s, t, c->root);
        mwp_move(warp, class, MWP_COALESCED, &a,
                 &(struct mwp_access){x->n, lines, dram < lines ? dram : lines});
    } else if (c->what == STAGE && c->tiled && c->tiled[x - t->touch]) {
        const double fills = x->n * spread(s, x->insn) / items(s);
        mwp_move(warp, class, MWP_CLASSES, &a, NULL);
        warp->instructions -= (x->n - fills) * address_work(k, c->uses, x->insn); /* a tile's is a constant */
        warp->fills += fills;
        warp->turns += x->n * (walks_down(s, x->insn) ? padded_turns(s->w->d, k->insns[x->insn].bytes) : 1);
        c->need.local_bytes += tile_bytes(s, x->insn);
    } else if (c->what == CONSTANT && its) {
        mwp_move(warp, class, MWP_CONSTANT, &a, &(struct mwp_access){x->n, x->n, 0});
    } else if (c->what == BRANCH && !mwp_fills(s->w, x)) {
        const double share = x->lanes / t->t.lanes;
        const double lines = a.transactions * (class == MWP_UNCOALESCED ? 1 : share);
        mwp_move(warp, class, class, &a,
                 &(struct mwp_access){a.n * share, lines, a.dram < lines ? a.dram : lines});
    } else {
        return;
    }
    c->any = true;
}

/* Instructions of a warp all of whose lanes are at work. */
static double level(const struct est_trace *t)
{
    double sum = 0;
    for (unsigned i = SUM_C_NONE + 1; i < SUM_C_COUNT; i++)
        sum += i == SUM_C_MEM || i == SUM_C_BARRIER ? 0 : t->t.sum.lane_ops[i] / t->t.lanes;
    return sum;
}

static double time_of(const struct subject *s, const struct est_case *e, const struct mwp_warp *warp)
{
    struct mwp_time time;
    mwp_time(s->w->d, warp, e->active, e->active / e->warps, &time);
    return est_time(e, time.cycles);
}

/* The same on a CPU, by the closed form. */
static double gain_on_cpu(const struct subject *s, const struct change *c)
{
    struct candidate size = s->c;
    struct est_case e = s->e;
    if (c->what == COALESCE)
        return closed_transposed(s, c->insn);
    est_occupy(s->w, &c->need, &size, &e);
    return closed_occupied(s, &e, c->need.times);
}

/* How many times as fast the usual warps are with the change; 0: it does not apply. */
static double gain_of(const struct subject *s, const struct est_trace *t, struct change *c)
{
    struct mwp_warp warp = {.fills = 0};
    struct candidate size = s->c;
    struct est_case e = s->e;
    if (s->w->d->is_cpu)
        return gain_on_cpu(s, c);
    mwp_trace(s->w, &s->e, t, 1, &warp);
    const double now = time_of(s, &s->e, &warp);
    c->uses = c->what == STAGE ? count_uses(s) : NULL;
    c->tiled = c->what == STAGE ? choose_tiles(s, t) : NULL;
    if (c->what == PAD)
        pad_rows(s, t, c, &warp);
    if (c->what == BRANCH)
        warp.instructions = level(t);
    for (uint32_t i = 0; i < t->ntouch; i++)
        change_touch(s, t, &t->touch[i], c, &warp);
    est_occupy(s->w, &c->need, &size, &e);
    c->warps = size.active_warps;
    if (!c->any || !size.active_warps)
        return 0;
    const double gain = now * c->need.times / time_of(s, &e, &warp);
    const bool same_warps = c->what == REGISTERS || c->what == RANGE;
    const double closed = same_warps ? closed_occupied(s, &e, c->need.times) : gain;
    return closed < gain ? closed : gain;
}

/* ---- words ----------------------------------------------------------------------------------------- */

struct pieces {
    const struct subject *s;
    const struct est_trace *t;
    struct advice *out;
    unsigned n;
};

/* The next piece of advice if the change gains enough, else NULL. */
static struct advice *add_piece(struct pieces *x, struct change *c, const char *what)
{
    if (c->need.times <= 0)
        c->need = est_needs(x->s->w);
    const double gain = x->n < ADVICE_MOST ? gain_of(x->s, x->t, c) : 0;
    if (!(gain >= LEAST_GAIN)) /* nothing gained of no time is no number */
        return NULL;
    struct advice *a = &x->out[x->n++];
    const double now = x->s->c.time_ns;
    *a = (struct advice){.what = what, .gain = gain, .now_ns = now, .then_ns = now / gain};
    return a;
}

static void name_access(const struct pieces *x, uint32_t insn, struct advice *a)
{
    a->argument = advice_target(x->s->w->k, insn);
    a->line = x->s->w->k->insns[insn].line;
}

/* How to let neighbours touch neighbouring elements. */
static const char *remedy(const struct subject *s, uint32_t insn)
{
    const int64_t *by = s->w->stride[insn].by, bytes = s->w->k->insns[insn].bytes;
    if (by[1] == bytes || by[1] == -bytes)
        return "exchange the ids, or store it transposed";
    return by[0] > 0 && by[0] <= 16 * bytes ? "split it into arrays, a member each" : "store it transposed";
}

/* On a CPU by place: its core looks at one line after the other. */
static bool is_uncoalesced(const struct pieces *x, const struct est_touch *t)
{
    struct mwp_access a;
    if (x->s->w->d->is_cpu)
        return !t->unknown && t->mem == TRACE_GLOBAL && walks_down(x->s, t->insn);
    return !t->unknown && t->mem == TRACE_GLOBAL && mwp_touch(x->s->w, &x->s->e, t, &a) == MWP_UNCOALESCED;
}

/* ", 8 KiB per group, 64 warps resident, rows padded by an element: 1 turn instead of 16" */
static void describe_tiles(const struct pieces *x, const struct change *c, uint32_t bytes, char *to,
                           size_t room)
{
    const double turns = bytes ? turns_down(x->s->w->d, bytes, 0) : 1;
    const int n = snprintf(to, room, " into local memory, %.4g KiB per group, %u warps resident",
                           (double)(c->need.local_bytes - x->s->w->local_bytes) / 1024, c->warps);
    if (turns > 1 && n > 0 && (size_t)n < room)
        snprintf(to + n, room - (size_t)n, ", rows padded by an element: %.3g turns instead of %.3g",
                 padded_turns(x->s->w->d, bytes), turns);
}

static void advise_tiles(struct pieces *x)
{
    struct change c = {.what = STAGE};
    struct advice *a = add_piece(x, &c, "stage");
    uint32_t down = 0; /* bytes of what is walked down */
    int n = 0;
    for (uint32_t i = 0; a && i < x->t->ntouch; i++) {
        const uint32_t insn = x->t->touch[i].insn;
        const char *name = advice_target(x->s->w->k, insn);
        if (!c.tiled[i])
            continue;
        down = walks_down(x->s, insn) ? x->s->w->k->insns[insn].bytes : down;
        if (a->argument && strcmp(a->argument, name) == 0)
            continue;
        if (!a->argument)
            name_access(x, insn, a);
        if (n < (int)sizeof a->text / 2)
            n += snprintf(a->text + n, sizeof a->text / 2 - (size_t)n, "%s '%s'", n ? "," : "load tiles of",
                          name);
    }
    n = n < (int)sizeof a->text / 2 ? n : (int)sizeof a->text / 2 - 1;
    if (a)
        describe_tiles(x, &c, down, a->text + n, sizeof a->text - (size_t)n);
}

/* Is what it accesses small, never written, and each time read by all lanes at one place? */
static bool fits_constant(const struct pieces *x, const struct est_touch *t)
{
    const struct sel_work *w = x->s->w;
    const uint32_t root = root_of(w->k, t->insn);
    const struct sum_insn *in = root == CFG_NONE ? NULL : &w->k->insns[root];
    struct mwp_access a;
    bool fits = in && in->op == SUM_ARG && w->k->args[in->imm].kind == SUM_ARG_BUFFER &&
                !w->k->args[in->imm].may_write && w->l->args[in->imm].bytes <= CONSTANT_MOST;
    for (uint32_t i = 0; i < x->t->ntouch && fits; i++)
        fits = root_of(w->k, x->t->touch[i].insn) != root ||
               mwp_touch(w, &x->s->e, &x->t->touch[i], &a) == MWP_BROADCAST;
    return fits;
}

/* Each buffer that accesses `fit`, at the first that does. */
static void advise_buffers(struct pieces *x, enum kind what,
                           bool (*fit)(const struct pieces *, const struct est_touch *))
{
    const struct kernel_summary *k = x->s->w->k;
    for (uint32_t i = 0; i < x->t->ntouch; i++) {
        const uint32_t insn = x->t->touch[i].insn;
        struct change c = {.what = what, .root = root_of(k, insn), .insn = insn};
        bool named = !fit(x, &x->t->touch[i]);
        for (uint32_t j = 0; j < i && !named; j++)
            named = root_of(k, x->t->touch[j].insn) == c.root && fit(x, &x->t->touch[j]);
        struct advice *a = named ? NULL : add_piece(x, &c, what == COALESCE ? "coalesce" : "constant");
        if (!a)
            continue;
        name_access(x, insn, a);
        if (what == COALESCE)
            snprintf(a->text, sizeof a->text, "coalesce '%s': %s", a->argument, remedy(x->s, insn));
        else
            snprintf(a->text, sizeof a->text,
                     "put '%s' into constant memory: all work-items read the same element", a->argument);
    }
}

/* At the access that takes most turns. */
static void advise_padding(struct pieces *x)
{
    struct change c = {.what = PAD};
    struct advice *a = add_piece(x, &c, "pad");
    const struct trace_entry *worst = NULL;
    for (uint32_t i = 0; a && i < x->t->t.nentry; i++) {
        const struct trace_entry *e = &x->t->t.entry[i];
        if (e->mem == TRACE_LOCAL && x->s->w->k->insns[e->insn].op != SUM_ATOMIC &&
            (!worst || e->lines > worst->lines))
            worst = e;
    }
    if (!worst)
        return;
    name_access(x, worst->insn, a);
    snprintf(a->text, sizeof a->text,
             "pad the rows of '%s' in local memory by an element: %.3g turns instead of %u", a->argument,
             padded_turns(x->s->w->d, x->s->w->k->insns[worst->insn].bytes), worst->lines);
}

/* The fewest registers less with which another group is resident. */
static void advise_registers(struct pieces *x)
{
    const struct subject *s = x->s;
    struct change c = {.what = REGISTERS, .need = est_needs(s->w), .any = true};
    const uint32_t now = c.need.registers;
    struct candidate size = s->c;
    while (s->c.limiter == SEL_LIM_REGISTERS && c.need.registers > 1 &&
           size.active_warps <= s->c.active_warps) {
        struct est_case e = s->e;
        c.need.registers--;
        est_occupy(s->w, &c.need, &size, &e);
    }
    struct advice *a = c.need.registers < now ? add_piece(x, &c, "registers") : NULL;
    if (a)
        snprintf(
            a->text, sizeof a->text,
            "use at most %u registers per work-item instead of about %u: %u warps are resident instead of %u",
            c.need.registers, now, size.active_warps, s->c.active_warps);
}

/* A larger range where most of the time goes into launching: until that is a tenth. */
static void advise_range(struct pieces *x)
{
    struct change c = {.what = RANGE, .need = est_needs(x->s->w), .any = true};
    const double launch = x->s->w->d->launch_ns, now = x->s->c.time_ns;
    if (launch < now / 2)
        return;
    while (c.need.times < LAUNCHES && launch / c.need.times > (now - launch) / 9)
        c.need.times *= 2;
    struct advice *a = add_piece(x, &c, "range");
    if (a)
        snprintf(a->text, sizeof a->text,
                 "do the work of %.0f launches in one: %.0f %% of the time goes into launching", c.need.times,
                 100 * launch / now);
}

/* ---- branches -------------------------------------------------------------------------------------- */

struct block_lanes {
    double lanes, times; /* at work, summed over the times that it is executed */
    double lost;         /* operations in it that others do not take part in */
};

/* Where the lanes part that do not take part in most: the end of the nearest block before it with more. */
static unsigned line_of_branch(const struct pieces *x)
{
    const struct trace_prog *p = &x->s->w->prog;
    const struct trace *t = &x->t->t;
    struct block_lanes *of = calloc(p->k->nblock, sizeof *of);
    uint32_t worst = 0;
    for (uint32_t i = 0; of && i < t->nentry; i++) {
        const struct trace_entry *e = &t->entry[i];
        if (e->mem != TRACE_WORK)
            continue;
        const uint32_t b = p->segment[e->insn].block;
        const double n = trace_times(t, i);
        of[b].lanes += n * e->lanes;
        of[b].times += n;
        for (unsigned u = 0; u < TRACE_UNITS; u++)
            of[b].lost += n * (t->lanes - e->lanes) * p->segment[e->insn].count[u];
        worst = of[b].lost > of[worst].lost ? b : worst;
    }
    uint32_t b = of ? p->cfg.idom[worst] : CFG_NONE;
    while (b != CFG_NONE && of[b].lanes * of[worst].times <= of[worst].lanes * of[b].times)
        b = p->cfg.idom[b];
    free(of);
    return b == CFG_NONE ? 0 : p->k->insns[p->k->blocks[b].end - 1].line;
}

double advice_lanes(const struct trace *t)
{
    double ops = 0, lanes = 0;
    for (unsigned i = 0; i < SUM_C_COUNT; i++) {
        ops += t->sum.ops[i];
        lanes += t->sum.lane_ops[i];
    }
    return ops > 0 ? lanes / ops : TRACE_LANES;
}

static void advise_branch(struct pieces *x)
{
    struct change c = {.what = BRANCH, .any = true};
    const double lanes = advice_lanes(&x->t->t);
    struct advice *a = lanes < IDLE_LANES * x->t->t.lanes ? add_piece(x, &c, "branch") : NULL;
    if (!a)
        return;
    a->line = line_of_branch(x);
    snprintf(a->text, sizeof a->text,
             "let the work-items of a warp take the same way: %.1f of %u are at work on average", lanes,
             x->t->t.lanes);
}

/* What a CPU does not have, or gains nothing by: vectors of work-items take both ways of a branch even where
 * all take one. */
static void advise_for_gpu(struct pieces *x)
{
    struct mwp_warp warp;
    struct mwp_time time;
    mwp_case(x->s->w, &x->s->e, &warp, &time);
    if (time.cwp >= time.mwp) /* else all accesses hide behind what is computed */
        advise_tiles(x);
    advise_buffers(x, CONSTANT, fits_constant);
    advise_padding(x);
    advise_branch(x);
    advise_registers(x);
}

unsigned advise(const struct subject *s, const struct est_trace *t, struct advice out[ADVICE_MOST])
{
    struct pieces x = {.s = s, .t = t, .out = out};
    advise_buffers(&x, COALESCE, is_uncoalesced);
    if (!s->w->d->is_cpu)
        advise_for_gpu(&x);
    advise_range(&x);
    return x.n;
}

unsigned sel_advise(const struct kernel_summary *k, const struct launch *l, const struct device *d,
                    const struct candidate *c, struct advice out[ADVICE_MOST])
{
    struct subject s;
    unsigned n = 0;
    if (subject_open(k, l, d, c, &s) == 0 && s.c.state != SEL_INFEASIBLE) {
        const struct est_trace *t = subject_usual(&s);
        n = t ? advise(&s, t, out) : 0;
    }
    subject_close(&s);
    return n;
}
