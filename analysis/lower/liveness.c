/* liveness.c - see liveness.h.
 *
 * For each value, walk backwards from its uses to its definition, and enter the stretches of instructions
 * where it is live into a difference array.  The maximum of the array's prefix sums is the pressure. */
#include "analysis/lower/liveness.h"
#include "analysis/prove/must.h"
#include "analysis/summary/cfg.h"

/* Blocks visited in all, over all values, before the estimate is cut short. */
#define WORK_LIMIT 50000000u

struct use {
    uint32_t block, at; /* live up to instruction `at` of `block`; the block's end for phis of a successor */
    uint32_t next;      /* index + 1 into uses, 0 = none */
};

struct live {
    const struct kernel_summary *k;
    struct cfg cfg;
    uint32_t *first_use; /* per value: index + 1 into uses */
    struct use *uses;
    uint32_t nuse;
    uint32_t *last_for, *last; /* per block: a value, + 1, and up to where it is live there */
    uint32_t *block, nblock;   /* those in which the value is live */
    int64_t *delta;            /* per instruction + 1 */
    uint32_t steps;
};

static void add_use(struct live *v, uint32_t value, uint32_t block, uint32_t at)
{
    v->uses[v->nuse] = (struct use){block, at, v->first_use[value]};
    v->first_use[value] = ++v->nuse;
}

static void collect_uses(struct live *v)
{
    const struct kernel_summary *k = v->k;

    for (uint32_t i = k->nleaf; i < k->ninsn; i++) {
        const struct sum_insn *insn = &k->insns[i];
        for (uint32_t o = 0; o < insn->nopnd; o++) {
            uint32_t value = k->opnds[insn->opnd + o];
            if (sum_operand_is_block(insn, o))
                continue;
            if (insn->op == SUM_PHI) {
                uint32_t from = k->opnds[insn->opnd + o - 1];
                add_use(v, value, from, k->blocks[from].end - 1);
            } else {
                add_use(v, value, v->cfg.block_of[i], i);
            }
        }
    }
}

static uint32_t width(const struct sum_insn *insn)
{
    if (insn->op == SUM_CONST || insn->op == SUM_OPAQUE || insn->op == SUM_ARG || insn->op == SUM_VAR ||
        insn->op == SUM_ALLOCA || insn->bits <= 1)
        return 0;
    return (insn->bits + 31u) / 32u * insn->lanes;
}

/* The value is live in block `b` up to instruction `until`. */
static void live_in(struct live *v, uint32_t value, uint32_t b, uint32_t until)
{
    if (v->last_for[b] != value + 1) {
        v->last_for[b] = value + 1;
        v->last[b] = 0;
        v->block[v->nblock++] = b;
    }
    v->last[b] = until > v->last[b] ? until : v->last[b];
}

/* Blocks where the value is used, and from these on all from which control comes, up to its own; leaves
 * belong to the entry block. */
static void walk(struct live *v, uint32_t value, uint32_t w)
{
    const struct sum_block *blocks = v->k->blocks;
    const bool leaf = value < v->k->nleaf;
    const uint32_t home = leaf ? 0 : v->cfg.block_of[value];

    v->nblock = 0;
    for (uint32_t u = v->first_use[value]; u; u = v->uses[u - 1].next)
        live_in(v, value, v->uses[u - 1].block, v->uses[u - 1].at);
    for (uint32_t i = 0; i < v->nblock; i++) {
        const uint32_t b = v->block[i];
        for (uint32_t p = v->cfg.pred_first[b]; b != home && p < v->cfg.pred_first[b + 1]; p++)
            if (v->steps++ < WORK_LIMIT)
                live_in(v, value, v->cfg.pred[p], blocks[v->cfg.pred[p]].end);
    }
    for (uint32_t i = 0; i < v->nblock; i++) {
        const uint32_t b = v->block[i];
        const bool made = b == home && !leaf;
        v->delta[made ? value : blocks[b].first] += w;
        v->delta[made && v->last[b] <= value ? value + 1 : v->last[b]] -= w;
    }
}

static uint32_t peak(const struct live *v)
{
    int64_t now = 0, most = 0;

    for (uint32_t i = 0; i < v->k->ninsn; i++) {
        now += v->delta[i];
        most = now > most ? now : most;
    }
    return (uint32_t)most;
}

uint32_t sum_registers(const struct kernel_summary *k)
{
    struct live v = {.k = k};
    uint32_t registers = 0;

    if (cfg_build(k, &v.cfg) == 0) {
        v.first_use = must_array(&v.cfg, k->ninsn, sizeof *v.first_use);
        v.uses = must_array(&v.cfg, k->nopnd, sizeof *v.uses);
        v.last_for = must_array(&v.cfg, k->nblock, sizeof *v.last_for);
        v.last = must_array(&v.cfg, k->nblock, sizeof *v.last);
        v.block = must_array(&v.cfg, k->nblock, sizeof *v.block);
        v.delta = must_array(&v.cfg, k->ninsn + 1u, sizeof *v.delta);
        collect_uses(&v);
        for (uint32_t i = 0; i < k->ninsn; i++)
            if (v.first_use[i] && width(&k->insns[i]))
                walk(&v, i, width(&k->insns[i]));
        registers = peak(&v);
    }
    cfg_free(&v.cfg);
    return registers;
}
