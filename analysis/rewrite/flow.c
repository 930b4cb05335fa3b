/* flow.c - blocks and branches as loops and conditions of C.
 *
 * The neighbours take every branch together.  Where they do not agree, and nothing has been stored yet, they
 * run one after the other instead, from the start.  Code that two branches share and that cannot stand behind
 * both is written twice. */
#include "analysis/rewrite/impl.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BLOCK 200
#define NOTHING   TABLE_NONE

uint32_t block_index(const struct rewrite *r, LLVMBasicBlockRef b)
{
    return table_get(r->index, b);
}

static LLVMValueRef terminator(const struct rewrite *r, uint32_t b)
{
    return LLVMGetBasicBlockTerminator(r->block[b].b);
}

static unsigned successors(const struct rewrite *r, uint32_t b)
{
    return LLVMGetNumSuccessors(terminator(r, b));
}

static uint32_t successor(const struct rewrite *r, uint32_t b, unsigned i)
{
    return block_index(r, LLVMGetSuccessor(terminator(r, b), i));
}

/* ---- blocks, loops ----------------------------------------------------------------------------------- */

/* Post order of what is reached from `b`; `index` marks what was seen, later holds the numbers. */
static void visit(struct rewrite *r, LLVMBasicBlockRef b, struct table **seen)
{
    LLVMValueRef t = LLVMGetBasicBlockTerminator(b);

    table_put(seen, b, 1);
    for (unsigned i = LLVMGetNumSuccessors(t); i-- > 0;)
        if (table_get(*seen, LLVMGetSuccessor(t, i)) == TABLE_NONE)
            visit(r, LLVMGetSuccessor(t, i), seen);
    r->block[r->nblock++] = (struct block){.b = b, .loop = NOTHING};
}

static void find_blocks(struct rewrite *r)
{
    const unsigned n = LLVMCountBasicBlocks(r->function);
    struct table *seen = NULL;

    r->block = calloc(n, sizeof *r->block);
    if (!r->block)
        abort();
    if (n > MAX_BLOCK) {
        refuse(r, "too-large", "more branches than a reader would follow");
        return;
    }
    visit(r, LLVMGetEntryBasicBlock(r->function), &seen);
    table_free(&seen);
    for (uint32_t i = 0, j = r->nblock; i + 1 < j; i++) {
        const struct block b = r->block[i];
        r->block[i] = r->block[--j];
        r->block[j] = b;
    }
    for (uint32_t i = 0; i < r->nblock; i++)
        table_put(&r->index, r->block[i].b, i);
}

/* Does `a` stand on every way to `b`?  By leaving `a` out. */
static bool dominates(const struct rewrite *r, uint32_t a, uint32_t b)
{
    bool reached[MAX_BLOCK] = {a != 0};

    if (a == b || a == 0)
        return true;
    for (uint32_t i = 0; i < r->nblock; i++) /* twice would be needed only with ways backwards around `a` */
        for (uint32_t k = 0; k < r->nblock; k++)
            for (unsigned s = 0; k != a && reached[k] && s < successors(r, k); s++)
                reached[successor(r, k, s)] |= successor(r, k, s) != a;
    return !reached[b];
}

static void fill_loop(const struct rewrite *r, struct loop *l)
{
    l->has[l->header] = l->has[l->latch] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = r->nblock; b-- > 0;)
            for (unsigned s = 0; !l->has[b] && s < successors(r, b); s++)
                if (successor(r, b, s) != l->header && l->has[successor(r, b, s)])
                    changed = l->has[b] = true;
    }
}

static void add_loop(struct rewrite *r, uint32_t header, uint32_t latch)
{
    for (uint32_t l = 0; l < r->nloop; l++)
        if (r->loop[l].header == header)
            refuse(r, "control-flow", "a loop that begins anew in several places");
    if (!dominates(r, header, latch))
        refuse(r, "control-flow", "a loop that is entered in several places");
    if (r->why)
        return;
    r->loop = realloc(r->loop, (r->nloop + 1) * sizeof *r->loop);
    bool *has = calloc(r->nblock, sizeof *has);
    if (!r->loop || !has)
        abort();
    r->loop[r->nloop] =
        (struct loop){.header = header, .latch = latch, .outer = NOTHING, .exit = NOTHING, .has = has};
    fill_loop(r, &r->loop[r->nloop++]);
}

/* Headers come in reverse post order, so outer loops before inner ones. */
static void find_loops(struct rewrite *r)
{
    for (uint32_t h = 0; h < r->nblock; h++)
        for (uint32_t b = h; b < r->nblock; b++)
            for (unsigned s = 0; s < successors(r, b); s++)
                if (successor(r, b, s) == h)
                    add_loop(r, h, b);
    for (uint32_t l = 0; l < r->nloop; l++)
        for (uint32_t b = 0; b < r->nblock; b++)
            if (r->loop[l].has[b]) {
                if (b == r->loop[l].header)
                    r->loop[l].outer = r->block[b].loop;
                r->block[b].loop = l;
            }
}

static bool stores_in(LLVMBasicBlockRef b)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
        if (LLVMIsAStoreInst(v))
            return true;
    return false;
}

static void find_stores(struct rewrite *r)
{
    for (uint32_t i = 0; i < r->nblock; i++)
        r->block[i].stored = stores_in(r->block[i].b);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < r->nblock; b++)
            for (unsigned s = 0; r->block[b].stored && s < successors(r, b); s++) {
                struct block *to = &r->block[successor(r, b, s)];
                changed |= !to->stored_before;
                to->stored_before = to->stored = true;
            }
    }
}

/* ---- where branches meet ----------------------------------------------------------------------------- */

/* Blocks on all ways from each block of a loop's body (or of the function outside of loops) to the body's
 * end, whose number is nblock.  Inner loops count as one block.  A way that leaves the loop counts for
 * nothing: from a block with such ways only, all are on them. */
struct ways {
    bool on[MAX_BLOCK][MAX_BLOCK + 1];
};

static const struct loop *loop_at(const struct rewrite *r, uint32_t l)
{
    return l == NOTHING ? NULL : &r->loop[l];
}

static void meet(const struct rewrite *r, const struct ways *w, uint32_t within, uint32_t to, bool *on)
{
    const struct loop *l = loop_at(r, within);

    if (l && !l->has[to])
        return;
    for (uint32_t i = 0; i <= r->nblock; i++)
        on[i] = on[i] && (l && to == l->header ? i == r->nblock : w->on[to][i]);
}

static void ways_from(const struct rewrite *r, uint32_t within, struct ways *w, uint32_t b)
{
    const uint32_t inner = r->block[b].loop;

    memset(w->on[b], true, sizeof w->on[b]);
    for (uint32_t k = b; k < r->nblock; k++) { /* `b` alone, or all blocks of the loop that it heads */
        if (k != b && (inner == within || !r->loop[inner].has[k]))
            continue;
        for (unsigned s = 0; s < successors(r, k); s++)
            if (inner == within || !r->loop[inner].has[successor(r, k, s)])
                meet(r, w, within, successor(r, k, s), w->on[b]);
    }
    if (inner == within && !successors(r, b))
        memset(w->on[b], false, sizeof w->on[b]);
    w->on[b][b] = true;
}

static struct ways *find_ways(const struct rewrite *r, uint32_t within)
{
    const struct loop *l = loop_at(r, within);
    struct ways *w = calloc(1, sizeof *w);

    if (!w)
        abort();
    for (uint32_t b = r->nblock; b-- > 0;) {
        const uint32_t inner = r->block[b].loop;
        if (l && !l->has[b])
            continue;
        if (inner == within || (r->loop[inner].outer == within && r->loop[inner].header == b))
            ways_from(r, within, w, b);
    }
    return w;
}

/* The first block on all ways from all of `from`; NOTHING: there is none. */
static uint32_t meeting(const struct rewrite *r, uint32_t within, const uint32_t *from, unsigned n)
{
    struct ways *w = find_ways(r, within);
    bool on[MAX_BLOCK + 1];
    uint32_t first = NOTHING, count = 0;

    memset(on, true, sizeof on);
    for (unsigned i = 0; i < n; i++)
        meet(r, w, within, from[i], on);
    for (uint32_t i = r->nblock + 1; i-- > 0;)
        if (on[i]) {
            first = i;
            count++;
        }
    free(w);
    return count == r->nblock + 1 ? NOTHING : first;
}

static void find_exits(struct rewrite *r)
{
    for (uint32_t l = 0; l < r->nloop; l++) {
        uint32_t to[2 * MAX_BLOCK];
        unsigned n = 0;
        for (uint32_t b = 0; b < r->nblock; b++)
            for (unsigned s = 0; r->loop[l].has[b] && s < successors(r, b) && n < 2 * MAX_BLOCK; s++)
                if (!r->loop[l].has[successor(r, b, s)])
                    to[n++] = successor(r, b, s);
        r->loop[l].exit = n ? meeting(r, r->loop[l].outer, to, n) : NOTHING;
        if (r->loop[l].exit == NOTHING || r->loop[l].exit == r->nblock)
            refuse(r, "control-flow", "a loop that is left to several places");
    }
}

void find_flow(struct rewrite *r)
{
    find_blocks(r);
    for (uint32_t b = 0; b < r->nblock && !r->why; b++) {
        LLVMValueRef t = terminator(r, b);
        if (!LLVMIsABranchInst(t) && !LLVMIsAReturnInst(t))
            refuse(r, "control-flow", LLVMIsASwitchInst(t) ? "switch" : "no return");
    }
    if (r->why)
        return;
    find_loops(r);
    if (!r->why) {
        find_stores(r);
        find_exits(r);
    }
}

void free_flow(struct rewrite *r)
{
    for (uint32_t l = 0; l < r->nloop; l++)
        free(r->loop[l].has);
    free(r->loop);
    free(r->block);
}

/* ---- edges ------------------------------------------------------------------------------------------- */

static void declare(struct rewrite *r, uint32_t b)
{
    if (b == NOTHING || b >= r->nblock)
        return;
    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v && LLVMIsAPHINode(v);
         v = LLVMGetNextInstruction(v)) {
        struct value *value = value_of(r, v);
        if (value->variable && !value->hoist && !visible(r, value)) {
            line(r, "%s;", declaration(r, v, value->name));
            value->scope = r->scope;
        }
    }
}

static LLVMValueRef incoming(const struct rewrite *r, LLVMValueRef phi, uint32_t from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == r->block[from].b)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static struct expr phi_text(struct rewrite *r, LLVMValueRef phi, LLVMValueRef value)
{
    if (is_pointer(LLVMTypeOf(phi)))
        return pointer_text(r, value, pointee(r, phi));
    const bool vector = is_vector(r, phi), unsign = is_unsigned(r, phi);
    const struct expr e = value_as(r, value, unsign, vector);

    if (!vector || shape_of(r, value).kind != SHAPE_SAME)
        return e;
    return (struct expr){is_truth(LLVMTypeOf(phi))
                             ? spell(r, "(int%u)(-(int)%s)", r->lanes, operand(r, e, R_UNARY))
                             : spell(r, "(%s)(%s)", variable_type(r, phi), e.text),
                         R_ATOM};
}

static bool edge_is_empty(const struct rewrite *r, uint32_t from, uint32_t to)
{
    for (LLVMValueRef p = LLVMGetFirstInstruction(r->block[to].b); p && LLVMIsAPHINode(p);
         p = LLVMGetNextInstruction(p))
        if (value_of(r, p)->variable && incoming(r, p, from) != p && !LLVMIsUndef(incoming(r, p, from)))
            return false;
    return true;
}

/* `while` where the header is nothing but a condition. */
static bool is_while(const struct rewrite *r, const struct loop *l)
{
    LLVMValueRef t = terminator(r, l->header);

    if (!LLVMIsConditional(t) || is_vector(r, LLVMGetCondition(t)))
        return false;
    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[l->header].b); v; v = LLVMGetNextInstruction(v))
        if (LLVMIsAStoreInst(v) || (!LLVMIsAPHINode(v) && value_of(r, v)->variable))
            return false;
    const uint32_t a = successor(r, l->header, 0), b = successor(r, l->header, 1);
    const uint32_t out = l->has[a] ? b : a;
    return l->has[a] != l->has[b] && out == l->exit && edge_is_empty(r, l->header, out) &&
           (l->has[a] ? a : b) != l->header;
}

static struct loop *loop_of_header(const struct rewrite *r, uint32_t b)
{
    for (uint32_t l = 0; l < r->nloop; l++)
        if (r->loop[l].header == b)
            return &r->loop[l];
    return NULL;
}

/* The phi that `for` counts by a constant; NULL: none, or no loop. */
static LLVMValueRef counter(const struct rewrite *r, const struct loop *l)
{
    if (!l || !is_while(r, l))
        return NULL;
    for (LLVMValueRef p = LLVMGetFirstInstruction(r->block[l->header].b); LLVMIsAPHINode(p);
         p = LLVMGetNextInstruction(p)) {
        LLVMValueRef next = incoming(r, p, l->latch);
        if (value_of(r, p)->variable && LLVMIsAInstruction(next) && !value_of(r, next)->variable &&
            LLVMGetInstructionOpcode(next) == LLVMAdd && LLVMGetOperand(next, 0) == p &&
            LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
            return p;
    }
    return NULL;
}

/* Does the text of `v`, where it is written out, name `phi`? */
static bool mentions(const struct rewrite *r, LLVMValueRef v, LLVMValueRef phi)
{
    const struct value *value = value_of(r, v);

    if (v == phi)
        return true;
    for (int i = 0; value && !value->variable && i < LLVMGetNumOperands(v); i++)
        if (mentions(r, LLVMGetOperand(v, (unsigned)i), phi))
            return true;
    return false;
}

/* Is a phi of the block assigned before the value that comes for another one is computed from it? */
static bool is_entangled(const struct rewrite *r, uint32_t from, uint32_t to)
{
    LLVMValueRef first = LLVMGetFirstInstruction(r->block[to].b);

    for (LLVMValueRef p = first; p && LLVMIsAPHINode(p); p = LLVMGetNextInstruction(p))
        for (LLVMValueRef q = LLVMGetNextInstruction(p); q && LLVMIsAPHINode(q);
             q = LLVMGetNextInstruction(q))
            if (value_of(r, p)->variable && value_of(r, q)->variable && mentions(r, incoming(r, q, from), p))
                return true;
    return false;
}

/* What the phis of `to` become on the way from `from`. */
static void write_edge(struct rewrite *r, uint32_t from, uint32_t to)
{
    struct loop *loop = loop_of_header(r, to);
    const bool entangled = is_entangled(r, from, to);
    const char *later = "";

    for (LLVMValueRef p = LLVMGetFirstInstruction(r->block[to].b); p && LLVMIsAPHINode(p);
         p = LLVMGetNextInstruction(p)) {
        struct value *value = value_of(r, p);
        LLVMValueRef in = incoming(r, p, from);
        if (!value->variable || in == p || LLVMIsUndef(in))
            continue;
        const char *text = phi_text(r, p, in).text;
        if (p == counter(r, loop)) {
            if (loop->latch != from)
                loop->begin = value->hoist ? spell(r, "%s = %s", value->name, text)
                                           : spell(r, "%s = %s", declaration(r, p, value->name), text);
        } else if (entangled) {
            const char *name = new_name(r, "next");
            line(r, "%s = %s;", declaration(r, p, name), text);
            later =
                spell(r, "%s%*s%s = %s;\n", later, (int)(4 * r->indent), "", use_variable(r, value), name);
        } else if (!value->hoist && !visible(r, value)) {
            define(r, p, text);
        } else {
            line(r, "%s = %s;", value->name, text);
        }
    }
    fputs(later, r->out);
}

/* ---- statements -------------------------------------------------------------------------------------- */

static void write_region(struct rewrite *r, uint32_t b, uint32_t stop, uint32_t within);

static void write_block(struct rewrite *r, uint32_t b)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v; v = LLVMGetNextInstruction(v)) {
        if (++r->written > 20ull * (r->nvalue + 50))
            refuse(r, "control-flow", "branches that would be written many times");
        if (LLVMIsAStoreInst(v))
            write_store(r, v);
        else if (!LLVMIsAPHINode(v) && value_of(r, v)->variable)
            define(r, v, compute(r, v).text);
        if (r->why)
            return;
    }
}

/* The statement that lets the neighbours run one after the other. */
static void write_one_by_one(struct rewrite *r, const char *last)
{
    line(r, "%s_each(%sfirst, %s, end);", kernel_name(r), arguments(r), last);
    line(r, "return;");
}

/* The condition of a branch, when all agree or do not go on. */
static const char *condition(struct rewrite *r, uint32_t b)
{
    LLVMValueRef c = LLVMGetCondition(terminator(r, b));

    if (!is_vector(r, c))
        return operand(r, first_value(r, c), 0);
    if (r->block[b].stored)
        refuse(r, "varying-branch", "neighbours part after a store");
    const char *text = all_values(r, c).text;
    line(r, "if (any(%s) != all(%s)) {", text, text);
    open_scope(r);
    write_one_by_one(r, spell(r, "first + %u", r->lanes));
    close_scope(r);
    line(r, "}");
    return spell(r, "all(%s)", text);
}

/* Go on to a block from `b`: what has to be written at the end of a branch. */
static void write_way(struct rewrite *r, uint32_t b, uint32_t to, uint32_t stop, uint32_t within)
{
    const struct loop *l = loop_at(r, within);

    write_edge(r, b, to);
    if (l && to == l->header) {
        if (stop != r->nblock)
            line(r, "continue;");
    } else if (l && !l->has[to]) {
        if (to != l->exit) {
            if (l->outer != NOTHING && loop_at(r, l->outer)->has[to] == false)
                refuse(r, "control-flow", "a jump out of two loops");
            write_region(r, to, l->exit, l->outer);
        }
        line(r, "break;");
    } else if (to != stop) {
        write_region(r, to, stop, within);
    }
}

static bool is_empty_way(const struct rewrite *r, uint32_t b, uint32_t to, uint32_t stop, uint32_t within)
{
    const struct loop *l = loop_at(r, within);

    return edge_is_empty(r, b, to) && (to == stop || (l && to == l->header && stop == r->nblock));
}

static const char *negation(struct rewrite *r, const char *c)
{
    return strncmp(c, "all(", 4) ? spell(r, "!(%s)", c) : spell(r, "!%s", c);
}

/* Returns where it goes on. */
static uint32_t write_if(struct rewrite *r, uint32_t b, uint32_t stop, uint32_t within)
{
    const uint32_t to[] = {successor(r, b, 0), successor(r, b, 1)};
    const uint32_t at = meeting(r, within, to, 2), next = at == NOTHING ? stop : at;
    const char *c = condition(r, b);
    bool empty[2];

    if (r->why)
        return NOTHING;
    declare(r, at == NOTHING || (within != NOTHING && at == r->loop[within].header) ? NOTHING : at);
    for (int i = 0; i < 2; i++)
        empty[i] = is_empty_way(r, b, to[i], next, within);
    if (!empty[0] || !empty[1]) {
        line(r, "if (%s) {", empty[0] ? negation(r, c) : c);
        open_scope(r);
        write_way(r, b, to[empty[0]], next, within);
        close_scope(r);
        if (!empty[0] && !empty[1]) {
            line(r, "} else {");
            open_scope(r);
            write_way(r, b, to[1], next, within);
            close_scope(r);
        }
        line(r, "}");
    }
    return at;
}

/* How the counter goes on. */
static const char *step_text(struct rewrite *r, LLVMValueRef phi, LLVMValueRef next)
{
    const struct value *value = value_of(r, phi);
    const int64_t by = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));

    if (is_vector(r, phi) || (by != 1 && by < 0))
        return spell(r, "%s = %s", value->name, phi_text(r, phi, next).text);
    return by == 1 ? spell(r, "%s++", value->name) : spell(r, "%s += %lld", value->name, (long long)by);
}

static const char *loop_head(struct rewrite *r, struct loop *l)
{
    LLVMValueRef count = counter(r, l);
    const bool first = l->has[successor(r, l->header, 0)];
    uint32_t *scope = count ? &value_of(r, count)->scope : NULL;

    if (count && !value_of(r, count)->hoist)
        *scope = r->scope; /* of the loop, which is open already */
    const char *c = first_value(r, LLVMGetCondition(terminator(r, l->header))).text;
    if (!first)
        c = negation(r, c);
    if (!count)
        return spell(r, "while (%s)", c);
    return spell(r, "for (%s; %s; %s)", l->begin, c, step_text(r, count, incoming(r, count, l->latch)));
}

static void write_loop(struct rewrite *r, uint32_t l)
{
    struct loop *loop = &r->loop[l];
    const uint32_t h = loop->header;

    declare(r, loop->exit);
    open_scope(r);
    const char *head = is_while(r, loop) ? loop_head(r, loop) : NULL;
    r->indent--;
    line(r, "%s {", head ? head : "for (;;)");
    r->indent++;
    if (head)
        write_way(r, h, successor(r, h, !loop->has[successor(r, h, 0)]), r->nblock, l);
    else
        write_region(r, h, r->nblock, l);
    close_scope(r);
    line(r, "}");
}

/* From `b` to `stop`, in the body of the loop `within`. */
static void write_region(struct rewrite *r, uint32_t b, uint32_t stop, uint32_t within)
{
    while (b != stop && b != NOTHING && b < r->nblock && !r->why) {
        if (r->block[b].loop != within) { /* the header of an inner one, or else the way back is not known */
            const uint32_t l = r->block[b].loop;
            if (l == NOTHING || r->loop[l].header != b || r->loop[l].outer != within) {
                refuse(r, "control-flow", "a jump into a loop");
                return;
            }
            write_loop(r, l);
            b = r->loop[l].exit;
            continue;
        }
        write_block(r, b);
        if (r->why)
            return;
        switch (successors(r, b)) {
        case 0:
            line(r, "return;");
            return;
        case 1: {
            const uint32_t to = successor(r, b, 0);
            const struct loop *l = loop_at(r, within);
            if (to == stop || (l && (to == l->header || !l->has[to]))) {
                write_way(r, b, to, stop, within);
                return;
            }
            write_edge(r, b, to);
            b = to;
            break;
        }
        default:
            b = write_if(r, b, stop, within);
        }
    }
}

void write_body(struct rewrite *r)
{
    r->written = 0;
    begin_lines(r);
    write_region(r, 0, NOTHING, NOTHING);
}
