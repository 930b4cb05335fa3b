/* spill.c - values for which a GPU's work-item has no registers ([R] Alg. 6.4: Belady's MIN in each block).
 *
 * A value that is used again is stored when it first has to leave, and loaded before its next use; what is
 * used farthest ahead leaves.  Values that a block gets from elsewhere are in registers when it begins, as
 * far as there is room; those that only pass through it are not looked at. */
#include "select/time/estimate.h"
#include <errno.h>

#define NEVER UINT32_MAX

struct held {
    uint32_t value, next; /* its next use in the block, NEVER */
};

struct search {
    const struct kernel_summary *k;
    uint32_t *next;   /* per operand: the value's use after this one */
    uint32_t *last;   /* per value, while going backwards: the next use */
    uint32_t *stored; /* per value: block + 1 in which it has been */
    struct held *held;
    uint32_t n, width, block;
    struct est_spill spill;
};

static uint32_t width_of(const struct sum_insn *in)
{
    return in->op < SUM_ADD && in->op != SUM_WI ? 0 : in->bits <= 1 ? 0 : (in->bits + 31u) / 32u * in->lanes;
}

static bool is_use(const struct sum_insn *in, uint32_t operand)
{
    return in->op != SUM_PHI && !sum_operand_is_block(in, operand);
}

static void hold(struct search *s, uint32_t value, uint32_t next)
{
    s->held[s->n++] = (struct held){value, next};
    s->width += width_of(&s->k->insns[value]);
}

/* Let what is used farthest ahead leave until `room` registers do. */
static void limit(struct search *s, uint32_t room)
{
    while (s->n && s->width > room) {
        uint32_t far = 0;
        for (uint32_t i = 1; i < s->n; i++)
            far = s->held[i].next > s->held[far].next ? i : far;
        const struct held out = s->held[far];
        const uint32_t width = width_of(&s->k->insns[out.value]);
        if (out.next != NEVER && s->stored[out.value] != s->block + 1) {
            s->stored[out.value] = s->block + 1;
            s->spill.stores += width;
        }
        s->width -= width;
        s->held[far] = s->held[--s->n];
    }
}

/* Next uses in the block; what it gets from elsewhere is held. */
static void look_ahead(struct search *s, const struct sum_block *b)
{
    const struct kernel_summary *k = s->k;
    for (uint32_t v = b->end; v-- > b->first;) {
        const struct sum_insn *in = &k->insns[v];
        for (uint32_t o = 0; o < in->nopnd; o++)
            s->next[in->opnd + o] = is_use(in, o) ? s->last[k->opnds[in->opnd + o]] : NEVER;
        for (uint32_t o = 0; o < in->nopnd; o++)
            if (is_use(in, o))
                s->last[k->opnds[in->opnd + o]] = v;
    }
    for (uint32_t v = b->first; v < b->end; v++)
        for (uint32_t o = 0; o < k->insns[v].nopnd; o++) {
            const uint32_t x = k->opnds[k->insns[v].opnd + o];
            if (!is_use(&k->insns[v], o) || (x >= b->first && x < b->end) || s->last[x] == NEVER)
                continue;
            if (width_of(&k->insns[x]))
                hold(s, x, s->last[x]);
            s->last[x] = NEVER;
        }
}

static void use(struct search *s, uint32_t v, uint32_t operand)
{
    const uint32_t x = s->k->opnds[s->k->insns[v].opnd + operand];
    uint32_t i = 0;
    while (i < s->n && s->held[i].value != x)
        i++;
    if (i == s->n) {
        hold(s, x, v);
        s->spill.loads += width_of(&s->k->insns[x]);
    }
    s->held[i].next = v; /* stays for now */
}

static void find_block(struct search *s, uint32_t registers)
{
    const struct sum_block *b = &s->k->blocks[s->block];
    s->n = s->width = 0;
    s->spill = (struct est_spill){0, 0};
    look_ahead(s, b);
    for (uint32_t v = b->first; v < b->end; v++) {
        const struct sum_insn *in = &s->k->insns[v];
        for (uint32_t o = 0; o < in->nopnd; o++)
            if (is_use(in, o) && width_of(&s->k->insns[s->k->opnds[in->opnd + o]]))
                use(s, v, o);
        limit(s, registers);
        for (uint32_t i = 0; i < s->n; i++)
            for (uint32_t o = 0; s->held[i].next == v && o < in->nopnd; o++)
                if (is_use(in, o) && s->k->opnds[in->opnd + o] == s->held[i].value)
                    s->held[i].next = s->next[in->opnd + o];
        const uint32_t width = width_of(in);
        limit(s, width < registers ? registers - width : 0);
        if (width)
            hold(s, v, s->last[v]);
        s->last[v] = NEVER;
    }
}

int spill_find(struct sel_work *w)
{
    const struct kernel_summary *k = w->k;
    const size_t values = (size_t)k->ninsn + 1;
    w->spill = NULL;
    if (w->d->regs_item == 0 || k->registers <= w->d->regs_item)
        return 0;
    struct search s = {.k = k,
                       .next = arena_get(&w->arena, ((size_t)k->nopnd + 1) * sizeof *s.next),
                       .last = arena_get(&w->arena, values * sizeof *s.last),
                       .stored = arena_get(&w->arena, values * sizeof *s.stored),
                       .held = arena_get(&w->arena, values * sizeof *s.held)};
    w->spill = arena_get(&w->arena, ((size_t)k->nblock + 1) * sizeof *w->spill);
    if (!s.next || !s.last || !s.stored || !s.held || !w->spill)
        return -ENOMEM;
    memset(s.last, 0xff, values * sizeof *s.last);
    for (s.block = 0; s.block < k->nblock; s.block++) {
        find_block(&s, w->d->regs_item);
        w->spill[s.block] = s.spill;
    }
    return 0;
}

/* A block is executed as often as the first of its entries. */
struct est_spill spill_of(const struct sel_work *w, const struct trace *t)
{
    struct est_spill sum = {0, 0};
    for (uint32_t b = 0; w->spill && b < w->k->nblock; b++) {
        double times = 0;
        const struct trace_entry *first = NULL;
        for (uint32_t i = 0; i < t->nentry && w->spill[b].stores > 0; i++) {
            const struct trace_entry *e = &t->entry[i];
            if (trace_block(&w->prog, e) != b)
                continue;
            first = first ? first : e;
            times += first->insn == e->insn && first->mem == e->mem ? trace_times(t, i) : 0;
        }
        sum.stores += times * w->spill[b].stores;
        sum.loads += times * w->spill[b].loads;
    }
    return sum;
}
