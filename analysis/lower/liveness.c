/* liveness.c - see liveness.h.
 *
 * For each value, walk backwards from its uses to its definition, and enter the stretches of instructions
 * where it is live into a difference array.  The maximum of the array's prefix sums is the pressure. */
#include "analysis/lower/liveness.h"
#include "analysis/summary/cfg.h"

#include <stdlib.h>

/* Blocks visited in all, over all values, before the estimate is cut short. */
#define WORK_LIMIT 50000000u

struct use {
    uint32_t block, at; /* live up to instruction `at` of `block`; the block's end for phis of a successor */
    uint32_t next;      /* index + 1 into uses, 0 = none */
};

struct live {
    const struct kernel_summary *k;
    struct cfg cfg;
    uint32_t *def_block; /* per instruction */
    uint32_t *first_use; /* per value: index + 1 into uses */
    struct use *uses;
    uint32_t nuse;
    uint32_t *live_out;        /* per block: the last value, + 1, found live at its end */
    uint32_t *last_for, *last; /* per block: a value, + 1, and its last use there */
    uint32_t *work;
    int64_t *delta; /* per instruction + 1 */
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

    for (uint32_t b = 0; b < k->nblock; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct sum_insn *insn = &k->insns[i];
            v->def_block[i] = b;
            for (uint32_t o = 0; o < insn->nopnd; o++) {
                uint32_t value = k->opnds[insn->opnd + o];
                if (sum_operand_is_block(insn, o))
                    continue;
                if (insn->op == SUM_PHI) {
                    uint32_t from = k->opnds[insn->opnd + o - 1];
                    add_use(v, value, from, k->blocks[from].end - 1);
                } else {
                    add_use(v, value, b, i);
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

static void live_between(struct live *v, uint32_t from, uint32_t to, uint32_t w)
{
    v->delta[from] += w;
    v->delta[to] -= w;
}

/* Note the last use of `value` in each block but its own. */
static void note_last_uses(struct live *v, uint32_t value)
{
    for (uint32_t u = v->first_use[value]; u; u = v->uses[u - 1].next) {
        const struct use *use = &v->uses[u - 1];
        uint32_t b = use->block;
        if (v->last_for[b] != value + 1 || v->last[b] < use->at)
            v->last[b] = use->at;
        v->last_for[b] = value + 1;
    }
}

/* A block where `value` is live at the top: so it is at the end of all predecessors. */
static uint32_t push_predecessors(struct live *v, uint32_t value, uint32_t b, uint32_t nwork)
{
    for (uint32_t p = v->cfg.pred_first[b]; p < v->cfg.pred_first[b + 1]; p++) {
        uint32_t from = v->cfg.pred[p];
        if (from == v->def_block[value] || v->live_out[from] == value + 1)
            continue;
        v->live_out[from] = value + 1;
        v->work[nwork++] = from;
    }
    return nwork;
}

/* The stretches of `value` outside its own block: whole blocks where it is live at the end, and up to its
 * last use elsewhere. */
static void walk(struct live *v, uint32_t value, uint32_t w)
{
    const struct sum_block *blocks = v->k->blocks;

    note_last_uses(v, value);
    for (uint32_t u = v->first_use[value]; u; u = v->uses[u - 1].next) {
        uint32_t b = v->uses[u - 1].block;
        if (b == v->def_block[value])
            continue;
        for (uint32_t n = push_predecessors(v, value, b, 0); n && v->steps++ < WORK_LIMIT;) {
            uint32_t out = v->work[--n];
            live_between(v, blocks[out].first, blocks[out].end, w);
            n = push_predecessors(v, value, out, n);
        }
    }
    for (uint32_t u = v->first_use[value]; u; u = v->uses[u - 1].next) {
        uint32_t b = v->uses[u - 1].block;
        if (b == v->def_block[value] || v->live_out[b] == value + 1 || v->last_for[b] != value + 1)
            continue;
        live_between(v, blocks[b].first, v->last[b], w);
        v->last_for[b] = 0;
    }
}

/* In its own block a value is live from its definition to its last use there, or to the end when any use lies
 * in another block. */
static void at_home(struct live *v, uint32_t value, uint32_t w)
{
    const struct kernel_summary *k = v->k;
    uint32_t home = v->def_block[value], end = value + 1;

    for (uint32_t u = v->first_use[value]; u; u = v->uses[u - 1].next) {
        const struct use *use = &v->uses[u - 1];
        uint32_t until = use->block == home && use->at >= value ? use->at : k->blocks[home].end;
        end = until > end ? until : end;
    }
    live_between(v, value < k->nleaf ? k->blocks[0].first : value, end, w);
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

    v.def_block = calloc(k->ninsn + 1u, sizeof *v.def_block); /* leaves belong to the entry block */
    v.first_use = calloc(k->ninsn + 1u, sizeof *v.first_use);
    v.uses = calloc(k->nopnd + 1u, sizeof *v.uses);
    v.live_out = calloc(k->nblock + 1u, sizeof *v.live_out);
    v.last_for = calloc(k->nblock + 1u, sizeof *v.last_for);
    v.last = calloc(k->nblock + 1u, sizeof *v.last);
    v.work = calloc(k->nblock + 1u, sizeof *v.work);
    v.delta = calloc(k->ninsn + 1u, sizeof *v.delta);
    if (v.def_block && v.first_use && v.uses && v.live_out && v.last_for && v.last && v.work && v.delta &&
        cfg_build(k, &v.cfg) == 0) {
        collect_uses(&v);
        for (uint32_t i = 0; i < k->ninsn; i++) {
            uint32_t w = width(&k->insns[i]);
            if (!w || !v.first_use[i])
                continue;
            walk(&v, i, w);
            at_home(&v, i, w);
        }
        registers = peak(&v);
    }
    cfg_free(&v.cfg);
    free(v.def_block);
    free(v.first_use);
    free(v.uses);
    free(v.live_out);
    free(v.last_for);
    free(v.last);
    free(v.work);
    free(v.delta);
    return registers;
}
