/* flow.c - blocks and branches as loops and conditions of C.
 *
 * The neighbours take a branch together, or start again in NAME_each() if they do not agree, or part
 * (parting.c).  Code that two branches share and that cannot stand behind both is written twice. */
#include "analysis/rewrite/impl.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LIGHT 8   /* instructions */
#define MAX_ARRAY 256 /* numbers, of each neighbour */

/* ---- edges ------------------------------------------------------------------------------------------- */

/* The variables of the phis of `b`, where branches meet. */
static void declare(struct rewrite *r, uint32_t b)
{
    if (b == NOTHING || b >= r->nblock)
        return;
    for (LLVMValueRef v = first_phi(r, b); v; v = next_phi(v)) {
        struct value *value = value_of(r, v);
        if (r->arrays && !r->lane && varies(r, v))
            continue; /* it is a neighbour's, or an array */
        if (value->variable && !value->hoist && !visible(r, value)) {
            line(r, "%s%s;", declaration(r, v, value->name),
                 r->block[b].joins && is_vector(r, v) ? " = 0" : "");
            value->scope = r->scope;
        }
    }
}

static struct expr phi_text(struct rewrite *r, LLVMValueRef phi, LLVMValueRef value)
{
    if (ir_is_pointer(LLVMTypeOf(phi)))
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

static struct loop *loop_of_header(const struct rewrite *r, uint32_t b)
{
    for (uint32_t l = 0; l < r->nloop; l++)
        if (r->loop[l].header == b)
            return &r->loop[l];
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
    for (LLVMValueRef p = first_phi(r, to); p; p = next_phi(p))
        for (LLVMValueRef q = next_phi(p); q; q = next_phi(q))
            if (value_of(r, p)->variable && value_of(r, q)->variable && mentions(r, incoming(r, q, from), p))
                return true;
    return false;
}

/* What the phis of `to` become on the way from `from`.  Where the code goes on under the mask `under`, those
 * of its neighbours that are not here keep what they have. */
static void write_phis(struct rewrite *r, uint32_t from, uint32_t to, const char *under, bool varying)
{
    struct loop *loop = loop_of_header(r, to);
    const bool entangled = is_entangled(r, from, to);
    const char *later = "";

    for (LLVMValueRef p = first_phi(r, to); p; p = next_phi(p)) {
        struct value *value = value_of(r, p);
        LLVMValueRef in = incoming(r, p, from);
        if (!value->variable || in == p || LLVMIsUndef(in) || (is_separate(r) && varies(r, p) != varying))
            continue;
        if (is_separate(r) && varying)
            open_lane(r);
        const char *text = phi_text(r, p, in).text;
        if (r->mask && is_vector(r, p) && (r->mask != under || value->kept))
            text = masked(r, LLVMTypeOf(p), use_variable(r, p), text, r->mask).text;
        if (p == counter(r, loop)) {
            if (loop->latch != from)
                loop->begin = value->hoist ? spell(r, "%s = %s", variable_text(r, p), text)
                                           : spell(r, "%s = %s", declaration(r, p, value->name), text);
        } else if (entangled) {
            const char *name = new_name(r, "next");
            line(r, "%s = %s;", declaration(r, p, name), text);
            later = spell(r, "%s%*s%s = %s;\n", later, (int)(4 * r->indent), "", use_variable(r, p), name);
        } else if (!value->hoist && !visible(r, value)) {
            define(r, p, text);
        } else {
            line(r, "%s = %s;", variable_text(r, p), text);
        }
    }
    fputs(later, r->out);
}

static void write_edge(struct rewrite *r, uint32_t from, uint32_t to, const char *under)
{
    const struct loop *l = loop_of_header(r, to);
    const bool apart = is_separate(r) && l && l->parts; /* the loop follows at once */

    if (apart)
        open_lane(r);
    r->apart += apart;
    if (is_separate(r)) {
        write_phis(r, from, to, under, true);
        close_lane(r);
    }
    write_phis(r, from, to, under, false);
    r->apart -= apart;
}

/* ---- statements -------------------------------------------------------------------------------------- */

static void write_region(struct rewrite *r, uint32_t b, uint32_t stop, uint32_t within);

/* What a variable of the neighbours becomes. */
static const char *value_text(struct rewrite *r, LLVMValueRef v)
{
    struct value *value = value_of(r, v);
    const char *text = compute(r, v).text;

    if (!value->kept || LLVMIsAPHINode(v) || r->arrays)
        return text;
    value->hoist = true;
    return r->mask ? masked(r, LLVMTypeOf(v), value->name, text, r->mask).text : text;
}

/* Is the statement one of each neighbour? */
static void choose_lane(struct rewrite *r, LLVMValueRef v)
{
    const bool store = LLVMIsAStoreInst(v), fill = is_fill(r, v);

    if (!is_separate(r) || (!store && !fill && (LLVMIsAPHINode(v) || !value_of(r, v)->variable)))
        return;
    if (fill || (store ? shape_of(r, LLVMGetOperand(v, 0)).kind != SHAPE_SAME ||
                             shape_of(r, LLVMGetOperand(v, 1)).kind != SHAPE_SAME ||
                             private_array(LLVMGetOperand(v, 1))
                       : varies(r, v)))
        open_lane(r);
    else
        close_lane(r);
}

/* All neighbours come to it together, and it is written once: it is none with another one. */
static void write_barrier(struct rewrite *r, LLVMValueRef v)
{
    static const char *const fences[] = {"0", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                         "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};

    close_lane(r);
    if (r->mask || r->lane)
        refuse(r, "barrier", "to which not all neighbours come");
    if (value_of(r, v)->scope)
        refuse(r, "barrier", "that would be written twice");
    value_of(r, v)->scope = r->scope;
    line(r, "barrier(%s);", fences[LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0))]);
}

/* Those who do not agree, which may be often, are for NAME_each(). */
static void write_disagreement(struct rewrite *r, const char *c, bool often)
{
    line(r, "if (%s)", c);
    line(r, "    return false;");
    r->disagree = true;
    r->often |= often;
}

/* Where its shape holds only if the neighbours agree.  *asked: the last such question here. */
static void write_agreement(struct rewrite *r, LLVMValueRef v, const char **asked)
{
    bool often;
    const char *c = disagreement(r, v, &often);

    if (strcmp(c, *asked) != 0)
        write_disagreement(r, c, often);
    *asked = c;
}

/* Where it is one of several accesses that are made together (interleaved.c), they are made where the last
 * store stands, or the first load.  True: nothing is left to be written. */
static bool write_interleaved(struct rewrite *r, LLVMValueRef v)
{
    struct interleaved *g = interleaved_with(r, v);

    if (g && v == g->at && LLVMIsALoadInst(v))
        write_interleaved_loads(r, g);
    else if (g && v == g->at && !r->mask)
        write_interleaved_stores(r, g);
    return g && !r->mask && LLVMIsAStoreInst(v);
}

static void write_block(struct rewrite *r, uint32_t b)
{
    const char *asked = "";

    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[b].b); v; v = LLVMGetNextInstruction(v)) {
        if (++r->written > 20ull * (r->nvalue + 50))
            refuse(r, "control-flow", "branches that would be written many times");
        choose_lane(r, v);
        if (write_interleaved(r, v))
            continue;
        if (LLVMIsAStoreInst(v))
            write_store(r, v);
        else if (is_fill(r, v))
            write_fill(r, v);
        else if (is_barrier(v))
            write_barrier(r, v);
        else if (!LLVMIsAPHINode(v) && value_of(r, v)->variable && !is_of_rows_alone(r, v))
            define(r, v, value_text(r, v));
        if (value_of(r, v)->agreed)
            write_agreement(r, v, &asked);
        if (r->why)
            return;
    }
}

/* How many neighbours there are for which `c` holds: all or none. */
static const char *count_of(struct rewrite *r, LLVMValueRef c)
{
    const char *name;

    close_lane(r);
    name = new_name(r, "count");
    line(r, "int %s = 0;", name);
    open_lane(r);
    line(r, "%s += %s;", name, operand(r, first_value(r, c), R_ADD));
    close_lane(r);
    write_disagreement(r, spell(r, "%s %% %u != 0", name, r->lanes), r->rows);
    return spell(r, "%s != 0", name);
}

/* The condition of a branch, when all agree or do not go on. */
static const char *condition(struct rewrite *r, uint32_t b)
{
    LLVMValueRef c = LLVMGetCondition(terminator(r, b));

    if (is_separate(r) ? !varies(r, c) : !is_vector(r, c)) {
        close_lane(r);
        return operand(r, first_value(r, c), 0);
    }
    if (r->arrays)
        return count_of(r, c);
    const struct expr e = all_values(r, c);
    const char *apart = apart_at_bounds(r, c);
    write_disagreement(r, apart ? apart : spell(r, "any(%s) != all(%s)", e.text, e.text), r->rows);
    return apart ? spell(r, "%s.s0", operand(r, e, R_POSTFIX)) : spell(r, "all(%s)", e.text);
}

/* Those who are here leave the loop, which goes on without them. */
static void leave(struct rewrite *r, struct loop *l)
{
    if (!r->mask || r->mask == l->mask) {
        line(r, "break;");
        return;
    }
    if (!l->parts)
        refuse(r, "control-flow", "neighbours that leave a loop together, but not all");
    line(r, "%s &= ~%s;", l->mask, r->mask);
    l->left = true;
}

static void write_out(struct rewrite *r, uint32_t b, uint32_t to, struct loop *l)
{
    if (to != l->exit) {
        write_edge(r, b, to, r->mask);
        if (l->outer != NOTHING && loop_at(r, l->outer)->has[to] == false)
            refuse(r, "control-flow", "a jump out of two loops");
        write_region(r, to, l->exit, l->outer);
    } else {
        write_edge(r, b, to, r->block[to].mask);
    }
    leave(r, l);
}

/* Go on to a block from `b`: what has to be written at the end of a branch. */
static void write_way(struct rewrite *r, uint32_t b, uint32_t to, uint32_t stop, uint32_t within)
{
    struct loop *l = loop_at(r, within);

    if (l && r->inside != within && (to == l->header || !l->has[to]))
        refuse(r, "control-flow", "a jump out of two loops"); /* from what is written on the way out of one */
    if (l && to == l->header) {
        write_edge(r, b, to, l->mask);
        if (stop != r->nblock && r->mask)
            refuse(r, "control-flow", "neighbours that begin a loop anew on their own");
        if (stop != r->nblock)
            line(r, "continue;");
    } else if (l && !l->has[to]) {
        write_out(r, b, to, l);
    } else {
        write_edge(r, b, to, to == stop ? r->block[stop].mask : r->mask);
        if (to != stop)
            write_region(r, to, stop, within);
    }
}

static bool is_empty_way(const struct rewrite *r, uint32_t b, uint32_t to, uint32_t stop, uint32_t within)
{
    const struct loop *l = loop_at(r, within);

    return edge_is_empty(r, b, to) && (to == stop || (l && to == l->header && stop == r->nblock));
}

/* What is written of a branch on the way to `to`; "": nothing.  Behind the branch, who left a loop on one
 * side has left it, whatever was looked at on the other one. */
static const char *side_text(struct rewrite *r, uint32_t b, uint32_t to, uint32_t stop, uint32_t within)
{
    FILE *out = r->out;
    char *text;
    size_t size;
    const char *kept;
    const bool left = within != NOTHING && r->loop[within].left;

    r->out = must(open_memstream(&text, &size));
    open_scope(r);
    write_way(r, b, to, stop, within);
    close_lane(r);
    close_scope(r);
    must_close(r->out);
    r->out = out;
    if (left)
        r->loop[within].left = true;
    kept = spell(r, "%s", text);
    free(text);
    return kept;
}

static const char *negation(struct rewrite *r, const char *c)
{
    return strncmp(c, "all(", 4) ? spell(r, "!(%s)", c) : spell(r, "!%s", c);
}

/* ---- neighbours that part ---------------------------------------------------------------------------- */

/* Does no other block than `b` lead to it? */
static bool leads_alone(const struct rewrite *r, uint32_t b, uint32_t to)
{
    for (uint32_t i = 0; i < r->nblock; i++)
        for (unsigned s = 0; i != b && s < successors(r, i); s++)
            if (successor(r, i, s) == to)
                return false;
    return true;
}

/* Is `to` the meeting itself, or a block on the way to it, from `b` alone, that costs less than to ask who
 * goes there?  Where others come by it, too, as in `a || b ? x : y`, they have been there already. */
static bool is_light_way(struct rewrite *r, uint32_t b, uint32_t to, uint32_t at)
{
    unsigned n = 0;

    if (to == at)
        return true;
    if (successors(r, to) != 1 || successor(r, to, 0) != at || r->block[to].loop != r->block[b].loop ||
        !leads_alone(r, b, to))
        return false;
    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[to].b); v; v = LLVMGetNextInstruction(v))
        if (!LLVMIsATerminatorInst(v) && (!is_light(r, v) || ++n > MAX_LIGHT))
            return false;
    return true;
}

/* What comes to a phi of `at` from `b`, perhaps by way of `to`. */
static struct expr way_value(struct rewrite *r, LLVMValueRef phi, uint32_t b, uint32_t to, uint32_t at)
{
    return whole(r, incoming(r, phi, to == at ? b : to), is_unsigned(r, phi));
}

static const char *parting_condition(struct rewrite *r, uint32_t b)
{
    return operand(r, whole(r, LLVMGetCondition(terminator(r, b)), false), R_UNARY);
}

/* Both ways for all, and then a choice. */
static uint32_t write_choice(struct rewrite *r, uint32_t b, uint32_t at)
{
    const char *c = parting_condition(r, b);
    const uint32_t to[] = {successor(r, b, 0), successor(r, b, 1)};

    for (int i = 0; i < 2; i++)
        if (to[i] != at)
            write_block(r, to[i]);
    for (LLVMValueRef p = first_phi(r, at); p; p = next_phi(p)) {
        if (!value_of(r, p)->variable)
            continue;
        const char *yes = way_value(r, p, b, to[0], at).text, *no = way_value(r, p, b, to[1], at).text;
        define(r, p, masked(r, LLVMTypeOf(p), no, yes, c).text);
    }
    return at;
}

static bool is_choice(struct rewrite *r, uint32_t b, uint32_t at)
{
    const struct loop *l = loop_at(r, r->block[b].loop);

    if (at >= r->nblock || (l && at == l->header) || successor(r, b, 0) == successor(r, b, 1))
        return false;
    for (LLVMValueRef p = first_phi(r, at); p; p = next_phi(p))
        if (LLVMCountIncoming(p) != 2 || value_of(r, p)->kept ||
            (value_of(r, p)->variable && !is_vector(r, p)))
            return false;
    return is_light_way(r, b, successor(r, b, 0), at) && is_light_way(r, b, successor(r, b, 1), at);
}

/* A variable with the mask of those that go to one side. */
static const char *side_mask(struct rewrite *r, uint32_t b, const char *c, bool yes)
{
    const struct value *value = value_of(r, LLVMGetCondition(terminator(r, b)));

    if (yes && !r->mask && value && value->variable && !LLVMIsAPHINode(LLVMGetCondition(terminator(r, b))))
        return value->name;
    const char *name = new_name(r, yes ? "here" : "others");
    line(r, "int%u %s = %s%s%s%s;", r->lanes, name, r->mask ? r->mask : "", r->mask ? " & " : "",
         yes ? "" : "~", c);
    return name;
}

/* Those of one side, if there are any, on their way. */
static void write_side(struct rewrite *r, uint32_t b, uint32_t to, uint32_t next, const char *mask)
{
    const char *around = r->mask;
    const uint32_t within = r->block[b].loop;

    r->mask = mask;
    const char *text = side_text(r, b, to, next, within);
    if (*text) {
        line(r, "if (any(%s)) {", mask);
        fputs(text, r->out);
        line(r, "}");
    }
    r->mask = around;
}

/* Does the way lead out of the loop, and nowhere else? */
static bool is_plain_exit(const struct rewrite *r, uint32_t b, uint32_t to, uint32_t within)
{
    const struct loop *l = loop_at(r, within);

    return l && l->parts && r->inside == within && r->mask == l->mask && to == l->exit &&
           edge_is_empty(r, b, to);
}

static void leave_at_once(struct rewrite *r, struct loop *l, const char *c, bool yes)
{
    line(r, "%s &= %s%s;", l->mask, yes ? "~" : "", c);
    l->left = true;
}

static bool leads_back(const struct rewrite *r, uint32_t to, uint32_t within)
{
    return within != NOTHING && to == r->loop[within].header;
}

/* Those who begin the loop anew come last: then what is the same for all in it is another one. */
static void write_parting(struct rewrite *r, uint32_t b, uint32_t next)
{
    const uint32_t within = r->block[b].loop;
    const char *mask[2] = {NULL, NULL}, *c = parting_condition(r, b);

    for (int i = 0; i < 2; i++) {
        const uint32_t to = successor(r, b, (unsigned)i);
        if (is_plain_exit(r, b, to, within))
            leave_at_once(r, &r->loop[within], c, !i);
        else if (!is_empty_way(r, b, to, next, within))
            mask[i] = side_mask(r, b, c, !i);
    }
    const unsigned first = leads_back(r, successor(r, b, 0), within);
    for (unsigned i = 0; i < 2; i++)
        if (mask[first ^ i])
            write_side(r, b, successor(r, b, first ^ i), next, mask[first ^ i]);
}

static void write_sides(struct rewrite *r, const char *c, const char *yes, const char *no)
{
    if (!*yes && !*no)
        return;
    line(r, "if (%s) {", *yes ? c : negation(r, c));
    fputs(*yes ? yes : no, r->out);
    if (*yes && *no) {
        line(r, "} else {");
        fputs(no, r->out);
    }
    line(r, "}");
}

/* Returns where it goes on. */
static uint32_t write_if(struct rewrite *r, uint32_t b, uint32_t stop, uint32_t within)
{
    const uint32_t to[] = {successor(r, b, 0), successor(r, b, 1)};
    const uint32_t at = meeting(r, within, to, 2), next = at == NOTHING ? stop : at;
    const bool parts = r->block[b].parts, apart = parts && r->arrays;

    if (parts && !r->arrays && is_choice(r, b, at))
        return write_choice(r, b, at);
    if (apart)
        open_lane(r);
    r->apart += apart;
    const char *c = parts && !r->arrays ? NULL : condition(r, b);
    if (r->why)
        return NOTHING;
    if (at < r->nblock && at != stop)
        r->block[at].mask = r->mask;
    declare(r, at == NOTHING || (within != NOTHING && at == r->loop[within].header) ? NOTHING : at);
    if (!c) {
        write_parting(r, b, next);
        return at;
    }
    const char *yes = side_text(r, b, to[0], next, within), *no = side_text(r, b, to[1], next, within);
    write_sides(r, c, yes, no);
    r->apart -= apart;
    return at;
}

/* How the counter goes on. */
static const char *step_text(struct rewrite *r, LLVMValueRef phi, LLVMValueRef next)
{
    const char *name = variable_text(r, phi);
    const int64_t by = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));

    if (is_vector(r, phi) || (by != 1 && by < 0))
        return spell(r, "%s = %s", name, phi_text(r, phi, next).text);
    return by == 1 ? spell(r, "%s++", name) : spell(r, "%s += %lld", name, (long long)by);
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
    return spell(r, "for (%s; %s; %s)", l->begin, c, step_text(r, count, counter_next(r, l)));
}

static void begin_loop(struct rewrite *r, struct loop *l)
{
    l->mask = r->mask;
    l->left = false;
    if (!l->parts || r->arrays)
        return;
    l->mask = new_name(r, "going");
    line(r, "int%u %s = %s;", r->lanes, l->mask, r->mask ? r->mask : "-1");
    r->mask = l->mask;
}

/* The loop ends when the last one has left it. */
static void stop_without_any(struct rewrite *r, struct loop *l)
{
    if (!l->left)
        return;
    line(r, "if (!any(%s))", l->mask);
    line(r, "    break;");
    l->left = false;
}

/* `head` (NULL: it has none) and the rounds. */
static void write_rounds(struct rewrite *r, uint32_t l, const char *head)
{
    struct loop *loop = &r->loop[l];
    const uint32_t h = loop->header, inside = r->inside;

    r->indent--;
    r->inside = l;
    if (r->in_order) /* the rounds in parts would be added in another order */
        line(r, "#pragma clang loop vectorize(disable)");
    line(r, "%s {", head ? head : "for (;;)");
    r->indent++;
    if (head)
        write_way(r, h, successor(r, h, !loop->has[successor(r, h, 0)]), r->nblock, l);
    else
        write_region(r, h, r->nblock, l);
    stop_without_any(r, loop);
    close_lane(r);
    close_scope(r);
    line(r, "}");
    r->inside = inside;
}

/* As long as there are ROUNDS more (rows.c). */
static void write_blocked(struct rewrite *r, uint32_t l)
{
    struct loop *loop = &r->loop[l];
    struct value *counted = value_of(r, loop->count);
    LLVMValueRef c = LLVMGetCondition(terminator(r, loop->header));
    const char *count = variable_text(r, loop->count), *more;

    line(r, "%s;", loop->begin);
    loop->begin = "";
    if (!counted->hoist)
        counted->scope = r->scope;
    if (loop->ahead)
        line(r, "#ifndef restrict");
    more = operand(r, first_value(r, c), R_AND);
    line(r, "while (%s && (%s)%s - %s >= %u) {",
         loop->has[successor(r, loop->header, 0)] ? more : negation(r, more),
         type_name(r, LLVMTypeOf(loop->count), true, 1), /* so that it wraps, however they are declared */
         operand(r, first_value(r, loop->bound), R_UNARY), count, ROUNDS - loop->bound_included);
    open_scope(r);
    write_rows(r, loop);
    line(r, "#pragma unroll");
    open_scope(r);
    r->blocked = loop;
    r->round = new_name(r, "round");
    write_rounds(
        r, l, spell(r, "for (int %s = 0; %s < %u; %s++, %s++)", r->round, r->round, ROUNDS, r->round, count));
    r->blocked = NULL;
    close_scope(r);
    line(r, "}");
    if (loop->ahead)
        line(r, "#endif");
}

static void write_loop(struct rewrite *r, uint32_t l)
{
    struct loop *loop = &r->loop[l];
    const char *around = r->mask;
    const bool apart = loop->parts && r->arrays;

    if (apart)
        open_lane(r);
    else
        close_lane(r);
    r->apart += apart;
    declare(r, loop->exit);
    begin_loop(r, loop);
    if (loop->nrow && !r->mask)
        write_blocked(r, l);
    open_scope(r);
    write_rounds(r, l, is_while(r, loop) ? loop_head(r, loop) : NULL);
    r->apart -= apart;
    r->mask = around;
}

/* Some may have left the loop in the meantime: those who are still there go on, if there are any. */
static unsigned go_on(struct rewrite *r, struct loop *l)
{
    if (!l || !l->left)
        return 0;
    if (r->mask == l->mask) {
        stop_without_any(r, l);
        return 0;
    }
    line(r, "%s &= %s;", r->mask, l->mask);
    line(r, "if (any(%s)) {", r->mask);
    open_scope(r);
    return 1;
}

/* Write it as far as it is one way; returns where that ends, NOTHING where nothing is left to be written. */
static uint32_t write_stretch(struct rewrite *r, uint32_t b, uint32_t stop, uint32_t within)
{
    const struct loop *l = loop_at(r, within);

    if (r->block[b].loop != within) { /* the header of an inner one, or else the way back is not known */
        const uint32_t inner = r->block[b].loop;
        if (inner == NOTHING || r->loop[inner].header != b || r->loop[inner].outer != within) {
            refuse(r, "control-flow", "a jump into a loop");
            return NOTHING;
        }
        if (r->loop[inner].exit != stop)
            r->block[r->loop[inner].exit].mask = r->mask;
        write_loop(r, inner);
        return r->loop[inner].exit;
    }
    write_block(r, b);
    if (r->why)
        return NOTHING;
    if (!successors(r, b)) {
        close_lane(r);
        if (!r->mask && !r->lane)
            line(r, r->disagree ? "return true;" : "return;");
        return NOTHING;
    }
    if (successors(r, b) > 1)
        return write_if(r, b, stop, within);
    const uint32_t to = successor(r, b, 0);
    if (to == stop || (l && (to == l->header || !l->has[to]))) {
        write_way(r, b, to, stop, within);
        return NOTHING;
    }
    write_edge(r, b, to, r->mask);
    return to;
}

/* From `b` to `stop`, in the body of the loop `within`. */
static void write_region(struct rewrite *r, uint32_t b, uint32_t stop, uint32_t within)
{
    unsigned guards = 0;

    while (b != stop && b != NOTHING && b < r->nblock && !r->why) {
        b = write_stretch(r, b, stop, within);
        if (b != NOTHING && b != stop)
            guards += go_on(r, loop_at(r, within));
    }
    for (; guards; guards--) {
        close_scope(r);
        line(r, "}");
    }
}

static void declare_arrays(struct rewrite *r)
{
    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block[0].b); v; v = LLVMGetNextInstruction(v)) {
        LLVMTypeRef t = LLVMIsAAllocaInst(v) ? pointee(r, v) : NULL;
        if (!t || !LLVMGetFirstUse(v))
            continue;
        if (!array_length(r, v) || array_length(r, v) > MAX_ARRAY)
            refuse(r, "private-memory", "a large array");
        line(r, "%s %s[%u]%s;", type_name(r, t, false, r->arrays ? 1 : r->lanes), value_of(r, v)->name,
             array_length(r, v), r->arrays ? spell(r, "[%u]", r->lanes) : "");
    }
}

/* Those below `last`. */
static void begin_mask(struct rewrite *r)
{
    const char *lanes = "0";

    for (unsigned i = 1; i < r->lanes; i++)
        lanes = spell(r, "%s, %u", lanes, i);
    r->mask = new_name(r, "here");
    line(r, "int%u %s = (int%u)(%s) < (int%u)((int)(last - first));", r->lanes, r->mask, r->lanes, lanes,
         r->lanes);
}

void write_body(struct rewrite *r)
{
    r->written = 0;
    r->inside = NOTHING;
    r->mask = r->lane = NULL;
    r->apart = 0;
    r->lane_name = r->arrays ? new_name(r, "lane") : NULL;
    begin_lines(r);
    declare_arrays(r);
    if (r->some)
        begin_mask(r);
    write_region(r, 0, NOTHING, NOTHING);
    close_lane(r);
}
