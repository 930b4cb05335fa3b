/* emit.c - see emit.h. */
#include "analysis/lower/emit.h"

#include <stdlib.h>
#include <uthash.h>

#define STREAM_SHIFT 30
#define INDEX_MASK   ((1u << STREAM_SHIFT) - 1)

struct emit_leaf_key {
    struct {
        int64_t imm;
        uint32_t bytes;
        uint8_t op, sub, bits, lanes, space, flags, pad[2];
    } key;
    uint32_t id;
    UT_hash_handle hh;
};

static uint32_t append(struct emit *e, enum emit_stream s, const struct sum_insn *proto)
{
    uint32_t n = e->stream[s].n;

    e->stream[s].insns = must_grow(e->stream[s].insns, n, sizeof *proto);
    e->stream[s].insns[n] = *proto;
    e->stream[s].n++;
    return (uint32_t)s << STREAM_SHIFT | n;
}

uint32_t emit_leaf(struct emit *e, const struct sum_insn *proto)
{
    struct emit_leaf_key *found = NULL, *leaf;

    if (proto->op == SUM_OPAQUE || proto->op == SUM_ALLOCA)
        return append(e, EMIT_LEAF, proto);
    leaf = must_calloc(1, sizeof *leaf);
    leaf->key.imm = proto->imm;
    leaf->key.bytes = proto->bytes;
    leaf->key.op = proto->op;
    leaf->key.sub = proto->sub;
    leaf->key.bits = proto->bits;
    leaf->key.lanes = proto->lanes;
    leaf->key.space = proto->space;
    leaf->key.flags = proto->flags;
    HASH_FIND(hh, e->leaves, &leaf->key, sizeof leaf->key, found);
    if (found) {
        free(leaf);
        return found->id;
    }
    leaf->id = append(e, EMIT_LEAF, proto);
    HASH_ADD(hh, e->leaves, key, sizeof leaf->key, leaf);
    return leaf->id;
}

uint32_t emit_insn(struct emit *e, enum emit_stream s, const struct sum_insn *proto, const uint32_t *opnds,
                   uint32_t nopnd)
{
    struct sum_insn insn = *proto;

    insn.opnd = e->nopnd;
    insn.nopnd = nopnd;
    for (uint32_t i = 0; i < nopnd; i++) {
        e->opnds = must_grow(e->opnds, e->nopnd, sizeof *opnds);
        e->opnds[e->nopnd++] = opnds[i];
    }
    return append(e, s, &insn);
}

const struct sum_insn *emit_get(const struct emit *e, uint32_t id)
{
    return &e->stream[id >> STREAM_SHIFT].insns[id & INDEX_MASK];
}

void emit_set_operand(struct emit *e, uint32_t id, uint32_t i, uint32_t value)
{
    e->opnds[emit_get(e, id)->opnd + i] = value;
}

void emit_begin_block(struct emit *e)
{
    e->blocks = must_grow(e->blocks, e->nblock, sizeof *e->blocks);
    e->blocks[e->nblock].first = e->stream[EMIT_BODY].n;
}

void emit_end_block(struct emit *e)
{
    e->blocks[e->nblock++].end = e->stream[EMIT_BODY].n;
}

uint32_t emit_count(const struct emit *e)
{
    return e->stream[EMIT_LEAF].n + e->stream[EMIT_PRELUDE].n + e->stream[EMIT_BODY].n;
}

/* All from SUM_IMAGE_WRITE on have one: writes, calls, terminators. */
static bool has_effect(const struct sum_insn *insn)
{
    return insn->op == SUM_STORE || insn->op == SUM_ATOMIC || insn->op >= SUM_IMAGE_WRITE ||
           (insn->flags & SUM_F_VOLATILE);
}

struct marks {
    bool *live[EMIT_STREAMS];
    uint32_t *work; /* ids to visit */
    uint32_t nwork;
};

static void mark(struct marks *m, uint32_t id)
{
    bool *live = &m->live[id >> STREAM_SHIFT][id & INDEX_MASK];

    if (!*live)
        m->work[m->nwork++] = id;
    *live = true;
}

static void mark_live(const struct emit *e, struct marks *m)
{
    for (unsigned s = 0; s < EMIT_STREAMS; s++)
        for (uint32_t i = 0; i < e->stream[s].n; i++)
            if (has_effect(&e->stream[s].insns[i]))
                mark(m, s << STREAM_SHIFT | i);
    while (m->nwork) {
        const struct sum_insn *insn = emit_get(e, m->work[--m->nwork]);
        for (uint32_t i = 0; i < insn->nopnd; i++)
            if (!sum_operand_is_block(insn, i))
                mark(m, e->opnds[insn->opnd + i]);
    }
}

/* Number the live instructions stream by stream and set the blocks, which exclude the leaves. */
static uint32_t number(const struct emit *e, const struct marks *m, uint32_t *ids[], struct kernel_summary *k)
{
    uint32_t n = 0, block = 0;

    for (unsigned s = 0; s < EMIT_STREAMS; s++)
        for (uint32_t i = 0; i < e->stream[s].n; i++) {
            if (s == EMIT_BODY && block < e->nblock && e->blocks[block].first == i)
                k->blocks[block].first = block ? n : k->nleaf;
            if (m->live[s][i])
                ids[s][i] = n++;
            if (s == EMIT_LEAF)
                k->nleaf = n;
            if (s == EMIT_BODY && block < e->nblock && e->blocks[block].end == i + 1)
                k->blocks[block++].end = n;
        }
    return n;
}

static void copy_out(const struct emit *e, const struct marks *m, uint32_t *ids[], struct kernel_summary *k)
{
    for (unsigned s = 0; s < EMIT_STREAMS; s++)
        for (uint32_t i = 0; i < e->stream[s].n; i++) {
            if (!m->live[s][i])
                continue;
            struct sum_insn insn = e->stream[s].insns[i];
            for (uint32_t j = 0; j < insn.nopnd; j++) {
                uint32_t id = e->opnds[insn.opnd + j];
                k->opnds[k->nopnd + j] =
                    sum_operand_is_block(&insn, j) ? id : ids[id >> STREAM_SHIFT][id & INDEX_MASK];
            }
            insn.opnd = k->nopnd;
            k->nopnd += insn.nopnd;
            k->insns[ids[s][i]] = insn;
        }
}

void emit_finish(struct emit *e, struct kernel_summary *k)
{
    struct marks m = {.work = must_calloc(emit_count(e), sizeof *m.work)};
    uint32_t *ids[EMIT_STREAMS];

    for (unsigned s = 0; s < EMIT_STREAMS; s++) {
        m.live[s] = must_calloc(e->stream[s].n, sizeof *m.live[s]);
        ids[s] = must_calloc(e->stream[s].n, sizeof *ids[s]);
    }
    mark_live(e, &m);
    k->nblock = e->nblock;
    k->blocks = must_calloc(e->nblock, sizeof *k->blocks);
    k->ninsn = number(e, &m, ids, k);
    k->insns = must_calloc(k->ninsn, sizeof *k->insns);
    k->opnds = must_calloc(e->nopnd, sizeof *k->opnds);
    copy_out(e, &m, ids, k);
    for (unsigned s = 0; s < EMIT_STREAMS; s++) {
        free(m.live[s]);
        free(ids[s]);
    }
    free(m.work);
}

void emit_free(struct emit *e)
{
    struct emit_leaf_key *leaf, *next;

    HASH_ITER(hh, e->leaves, leaf, next)
    {
        HASH_DEL(e->leaves, leaf);
        free(leaf);
    }
    for (unsigned s = 0; s < EMIT_STREAMS; s++)
        free(e->stream[s].insns);
    free(e->opnds);
    free(e->blocks);
    *e = (struct emit){0};
}
