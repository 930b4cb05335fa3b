/* emit.h - builds the body of a kernel summary, whose final order is known only at the end.  Helper only.
 *
 * A body is written as three streams that grow independently: leaves, the prelude (address arithmetic on
 * constants, which is put at the start of the entry block and so dominates everything) and the blocks.  Until
 * emit_finish() an id names a stream and an index; then unused instructions are dropped and the rest is
 * numbered.
 *
 * When out of memory, the process ends, which the helper's crash handler reports. */
#pragma once

#include "analysis/summary/summary.h"
#include "analysis/prove/must.h"

enum emit_stream { EMIT_LEAF, EMIT_PRELUDE, EMIT_BODY, EMIT_STREAMS };

#define EMIT_NONE UINT32_MAX

struct emit_leaf_key;

struct emit {
    struct {
        struct sum_insn *insns; /* owned; `opnd` indexes `opnds` below */
        uint32_t n;
    } stream[EMIT_STREAMS];
    uint32_t *opnds; /* owned; ids, except the block indices of terminators and phis */
    uint32_t nopnd;
    struct sum_block *blocks; /* owned; indices into the body stream */
    uint32_t nblock;
    struct emit_leaf_key *leaves; /* leaves made so far, for sharing */
};

/* An id for the leaf `proto`.  Equal leaves share one, except OPAQUE and ALLOCA. */
uint32_t emit_leaf(struct emit *e, const struct sum_insn *proto);

/* Append to the prelude or to the current block; copies the operands. */
uint32_t emit_insn(struct emit *e, enum emit_stream s, const struct sum_insn *proto, const uint32_t *opnds,
                   uint32_t nopnd);

/* Replace operand `i` of `id`: operands of a phi may be emitted after it. */
void emit_set_operand(struct emit *e, uint32_t id, uint32_t i, uint32_t value);

/* Begin and end a block: what is appended to EMIT_BODY in between.  Blocks are numbered in the order of the
 * calls. */
void emit_begin_block(struct emit *e);
void emit_end_block(struct emit *e);

/* The instruction of an id; valid until the next one is emitted. */
const struct sum_insn *emit_get(const struct emit *e, uint32_t id);

/* How many instructions there are so far, in all streams. */
uint32_t emit_count(const struct emit *e);

/* Drop instructions that have no effect and whose result is not used, number the rest and move them to
 * `k`. */
void emit_finish(struct emit *e, struct kernel_summary *k);

/* Release what `e` owns, and leave it empty.  What emit_finish() copied is the summary's. */
void emit_free(struct emit *e);
