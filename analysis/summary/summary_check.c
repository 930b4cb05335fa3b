/* summary_check.c - checks what every user of a summary relies on (sum_check()). */
#include "analysis/summary/summary.h"

#include "analysis/summary/cfg.h"
#include "analysis/summary/integer.h"
#include "analysis/summary/summary_names.h"

#include <errno.h>

/* Number of operands an op takes: at least `min`, at most `max`. */
static const struct arity {
    uint32_t min, max;
} arity[] = {
#define X(e, name, min, max) {min, max},
    SUM_OPS(X)
#undef X
};

struct check {
    const struct kernel_summary *k;
    struct cfg cfg;
    uint32_t *pred;  /* block -> last phi that it precedes */
    uint32_t *mark;  /* block -> last phi that named it */
    uint32_t *value; /* block -> the value that phi named for it */
    const char *why;
};

static bool bad(struct check *c, const char *why)
{
    if (!c->why)
        c->why = why;
    return false;
}

static bool is_terminator(unsigned op)
{
    return op == SUM_BR || op == SUM_CONDBR || op == SUM_SWITCH || op == SUM_RET;
}

static bool is_leaf(unsigned op)
{
    return op <= SUM_ALLOCA;
}

/* ---- single instructions --------------------------------------------------------------------------- */

static bool check_leaf(struct check *c, const struct sum_insn *in)
{
    const struct kernel_summary *k = c->k;
    switch (in->op) {
    case SUM_CONST:
        if (!sum_is_integer(in))
            return bad(c, "constant that is not an integer");
        if (in->imm != sum_signed((uint64_t)in->imm, in->bits))
            return bad(c, "constant wider than its type");
        return true;
    case SUM_ARG:
        if (in->imm < 0 || in->imm >= (int64_t)k->nargs)
            return bad(c, "argument index out of range");
        if ((in->flags & SUM_F_PART) &&
            (!sum_is_integer(in) || in->bits % 8 || k->args[in->imm].kind != SUM_ARG_SCALAR ||
             (uint64_t)in->bytes + in->bits / 8 > k->args[in->imm].size))
            return bad(c, "part beyond its argument");
        return true;
    case SUM_WI:
        if (in->sub >= SUM_WI_COUNT || !sum_is_integer(in))
            return bad(c, "unknown work-item function");
        if (in->sub != SUM_WI_WORK_DIM && in->sub != SUM_WI_GLOBAL_LINEAR_ID &&
            in->sub != SUM_WI_LOCAL_LINEAR_ID && !(in->imm >= 0 && in->imm <= 2))
            return bad(c, "dimension out of range");
        return true;
    case SUM_OPAQUE:
        return in->imm >= 0 && in->imm < sum_of_launch(SUM_WI_COUNT, 0) &&
                       (in->imm == 0 || sum_is_integer(in))
                   ? true
                   : bad(c, "work-item function out of range");
    case SUM_VAR:
        return in->imm >= 0 && in->imm < (int64_t)k->nvars ? true : bad(c, "variable index out of range");
    default:
        return true;
    }
}

static bool check_fields(struct check *c, const struct sum_insn *in)
{
    const struct kernel_summary *k = c->k;
    if (in->op >= SUM_OP_COUNT || in->cls >= SUM_C_COUNT || in->space > SUM_GENERIC || in->bits > 64 ||
        in->lanes > 16)
        return bad(c, "enumerator out of range");
    if (in->bits && in->lanes == 0)
        return bad(c, "value without lanes");
    if (in->bytes > SUM_MAX_ACCESS && !is_leaf(in->op))
        return bad(c, "access too large");
    if ((in->op == SUM_ICMP && in->sub > SUM_SGE) || (in->op == SUM_ATOMIC && in->sub > SUM_AT_OTHER))
        return bad(c, "sub-operation out of range");
    if (in->op == SUM_PURE && in->imm && sum_lower_bound(in->imm) > sum_upper_bound(in->imm))
        return bad(c, "bounds the wrong way round");
    if (in->op == SUM_CALL && (in->imm < 0 || in->imm >= (int64_t)k->ncallees))
        return bad(c, "callee index out of range");
    if (in->nopnd < arity[in->op].min || in->nopnd > arity[in->op].max)
        return bad(c, "wrong number of operands");
    if ((in->op == SUM_PHI || in->op == SUM_SWITCH) && in->nopnd % 2)
        return bad(c, "operands must come in pairs");
    if (in->opnd > k->nopnd || in->nopnd > k->nopnd - in->opnd)
        return bad(c, "operands out of range");
    return true;
}

/* Integer ops are evaluated exactly by the executor and the proofs, so their operands must be integers of the
 * widths that the op implies.  A pointer counts as an integer of its width (comparisons, selects). */
static bool check_types(struct check *c, uint32_t v)
{
    const struct kernel_summary *k = c->k;
    const struct sum_insn *in = &k->insns[v];
    bool binary = in->op >= SUM_ADD && in->op <= SUM_UMAX;
    bool cast = in->op == SUM_TRUNC || in->op == SUM_ZEXT || in->op == SUM_SEXT;
    if (!binary && !cast && in->op != SUM_ICMP)
        return true;
    const struct sum_insn *a = &k->insns[sum_opnd(k, v, 0)];
    if (!sum_is_integer(in) || !sum_is_integer(a))
        return bad(c, "integer operation on something else");
    if (cast) {
        bool narrower = in->bits < a->bits;
        return in->op == SUM_TRUNC ? (narrower ? true : bad(c, "truncation that does not narrow"))
                                   : (in->bits > a->bits ? true : bad(c, "extension that does not widen"));
    }
    const struct sum_insn *b = &k->insns[sum_opnd(k, v, 1)];
    if (!sum_is_integer(b) || a->bits != b->bits)
        return bad(c, "operands of different widths");
    if (in->op == SUM_ICMP)
        return in->bits == 1 ? true : bad(c, "comparison that is not one bit");
    return in->bits == a->bits ? true : bad(c, "result and operands of different widths");
}

/* ---- structure ------------------------------------------------------------------------------------- */

static bool check_block(struct check *c, uint32_t b, uint32_t expected)
{
    const struct kernel_summary *k = c->k;
    uint32_t first = k->blocks[b].first, end = k->blocks[b].end;
    if (first != expected || end <= first || end > k->ninsn)
        return bad(c, "blocks must be non-empty and follow each other");
    bool body = false;
    for (uint32_t v = first; v < end; v++) {
        const struct sum_insn *in = &k->insns[v];
        if (is_leaf(in->op))
            return bad(c, "leaf inside a block");
        if (is_terminator(in->op) != (v == end - 1))
            return bad(c, "terminator not at the end of its block");
        if (in->op == SUM_PHI && (body || b == 0))
            return bad(c, "phi not at the start of its block");
        body |= in->op != SUM_PHI;
    }
    return true;
}

/* Is the operand an image argument itself?  The model and the proofs do not look any further. */
static bool is_image(const struct kernel_summary *k, uint32_t o)
{
    return k->insns[o].op == SUM_ARG && k->args[k->insns[o].imm].kind == SUM_ARG_IMAGE;
}

static bool check_operands(struct check *c, uint32_t v)
{
    const struct kernel_summary *k = c->k;
    const struct sum_insn *in = &k->insns[v];
    for (uint32_t i = 0; i < in->nopnd; i++) {
        uint32_t o = sum_opnd(k, v, i);
        if (sum_operand_is_block(in, i)) {
            if (o >= k->nblock || (o == 0 && in->op != SUM_PHI))
                return bad(c, "bad branch target");
            continue;
        }
        if (o >= k->ninsn || k->insns[o].bits == 0)
            return bad(c, "operand is not a value");
        if (in->op == SUM_SWITCH && i > 0 && k->insns[o].op != SUM_CONST)
            return bad(c, "switch case is not a constant");
    }
    if ((in->op == SUM_IMAGE_READ || in->op == SUM_IMAGE_WRITE) && !is_image(k, sum_opnd(k, v, 0)))
        return bad(c, "image operation on something else");
    return check_types(c, v);
}

static bool check_structure(struct check *c)
{
    const struct kernel_summary *k = c->k;
    for (uint32_t v = 0; v < k->ninsn; v++)
        if (!check_fields(c, &k->insns[v]))
            return false;
    for (uint32_t v = 0; v < k->nleaf; v++) {
        if (!is_leaf(k->insns[v].op))
            return bad(c, "operation among the leaves");
        if (!check_leaf(c, &k->insns[v]))
            return false;
    }
    for (uint32_t b = 0; b < k->nblock; b++)
        if (!check_block(c, b, b ? k->blocks[b - 1].end : k->nleaf))
            return false;
    if (k->blocks[k->nblock - 1].end != k->ninsn)
        return bad(c, "instructions behind the last block");
    for (uint32_t v = 0; v < k->ninsn; v++)
        if (!check_operands(c, v))
            return false;
    return true;
}

/* ---- dominance ------------------------------------------------------------------------------------- */

/* Each predecessor is named at least once, nothing else is, and a predecessor named twice has one value. */
static bool check_phi(struct check *c, uint32_t v)
{
    const struct kernel_summary *k = c->k;
    uint32_t b = c->cfg.block_of[v], distinct = 0;
    uint32_t first = c->cfg.pred_first[b], end = c->cfg.pred_first[b + 1];
    if (k->insns[v].nopnd / 2 < end - first)
        return bad(c, "phi misses a predecessor");
    for (uint32_t i = first; i < end; i++)
        c->pred[c->cfg.pred[i]] = v;
    for (uint32_t i = 0; i < k->insns[v].nopnd; i += 2) {
        uint32_t p = sum_opnd(k, v, i), val = sum_opnd(k, v, i + 1);
        if (c->mark[p] == v) {
            if (c->value[p] != val)
                return bad(c, "phi with two values for one predecessor");
            continue;
        }
        if (c->pred[p] != v)
            return bad(c, "phi names a block that is not a predecessor");
        c->mark[p] = v;
        c->value[p] = val;
        distinct++;
        if (val >= k->nleaf && !cfg_dominates(&c->cfg, c->cfg.block_of[val], p))
            return bad(c, "phi operand does not reach its edge");
    }
    if (distinct != end - first)
        return bad(c, "phi misses a predecessor");
    return true;
}

static bool check_dominance(struct check *c)
{
    const struct kernel_summary *k = c->k;
    c->pred = cfg_array(&c->cfg, k->nblock, sizeof(*c->pred));
    c->mark = cfg_array(&c->cfg, k->nblock, sizeof(*c->mark));
    c->value = cfg_array(&c->cfg, k->nblock, sizeof(*c->value));
    if (c->cfg.failed)
        return bad(c, "out of memory");
    if (c->cfg.nreach != k->nblock)
        return bad(c, "unreachable block");
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        const struct sum_insn *in = &k->insns[v];
        if (in->op == SUM_PHI) {
            if (!check_phi(c, v))
                return false;
            continue;
        }
        for (uint32_t i = 0; i < in->nopnd; i++) {
            uint32_t o = sum_opnd(k, v, i);
            if (sum_operand_is_block(in, i) || o < k->nleaf)
                continue;
            uint32_t def = c->cfg.block_of[o], use = c->cfg.block_of[v];
            if (def == use ? o >= v : !cfg_dominates(&c->cfg, def, use))
                return bad(c, "value used before it is made");
        }
    }
    return true;
}

/* ---- facts ----------------------------------------------------------------------------------------- */

static bool check_poly(struct check *c, const struct sum_poly *p)
{
    const struct kernel_summary *k = c->k;
    const uint32_t limit[] = {
        [SUM_SYM_GID] = 3,        [SUM_SYM_OFFSET] = 3,      [SUM_SYM_GSIZE] = 3,
        [SUM_SYM_ARG] = k->nargs, [SUM_SYM_LOOP] = k->nloop, [SUM_SYM_UNIFORM] = k->ninsn};
    if (p->nterm > SUM_MAX_TERM || (p->nterm && !p->term))
        return bad(c, "polynomial too long");
    for (uint32_t i = 0; i < p->nterm; i++) {
        const struct sum_term *t = &p->term[i];
        if (t->nsym > SUM_TERM_SYMS)
            return bad(c, "term too long");
        for (uint32_t j = 0; j < t->nsym; j++)
            if (t->sym[j].kind > SUM_SYM_UNIFORM || t->sym[j].index >= limit[t->sym[j].kind])
                return bad(c, "symbol out of range");
    }
    return true;
}

static bool check_ranges(struct check *c, const struct sum_range *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (r[i].bits < 1 || r[i].bits > 64)
            return bad(c, "range of no width");
        if (!check_poly(c, &r[i].poly))
            return false;
    }
    return true;
}

static bool check_access(struct check *c, const struct sum_access *a)
{
    const struct kernel_summary *k = c->k;
    if (a->kind > SUM_ACC_ATOMIC || a->arg >= k->nargs || a->insn >= k->ninsn || a->insn < k->nleaf ||
        a->ncoord > 3 || (a->affine && a->ncoord == 0) || a->wrap_bits > 64)
        return bad(c, "access out of range");
    for (uint32_t i = 0; i < a->ncoord; i++)
        if (!check_poly(c, &a->coord[i]))
            return false;
    if (!check_ranges(c, a->range, a->nrange))
        return false;
    for (uint32_t i = 0; i < a->nguard; i++)
        if (!check_poly(c, &a->guard[i].lhs) || !check_poly(c, &a->guard[i].rhs))
            return false;
    return true;
}

static bool check_undef_edge(struct check *c, const struct sum_undef_edge *w)
{
    const struct kernel_summary *k = c->k;
    if (w->from >= k->nblock)
        return bad(c, "edge out of range");
    if (w->to == SUM_ANYWHERE)
        return !w->first || bad(c, "edge without an end");
    const uint32_t t = k->blocks[w->from].end - 1;
    if (w->first && (k->insns[t].op != SUM_CONDBR || k->insns[sum_opnd(k, t, 0)].op != SUM_ICMP))
        return bad(c, "edge of another branch");
    for (uint32_t i = 0; i < k->insns[t].nopnd; i++)
        if (sum_operand_is_block(&k->insns[t], i) && sum_opnd(k, t, i) == w->to)
            return true;
    return bad(c, "edge that no branch takes");
}

static bool check_facts(struct check *c)
{
    const struct kernel_summary *k = c->k;
    for (unsigned i = 0; i < SUM_FACTS; i++)
        if ((unsigned)k->fact[i].reason >= SUM_R_COUNT)
            return bad(c, "reason out of range");
    for (uint32_t i = 0; i < k->nloop; i++) {
        const struct sum_loop *l = &k->loops[i];
        if (l->header >= k->nblock || (l->bounded && l->step <= 0) || (l->bounded && l->quotient))
            return bad(c, "loop out of range");
        if (!check_poly(c, &l->limit) || !check_poly(c, &l->step_poly) ||
            !check_ranges(c, l->range, l->nrange))
            return false;
    }
    for (uint32_t i = 0; i < k->naccess; i++)
        if (!check_access(c, &k->access[i]))
            return false;
    for (uint32_t i = 0; i < k->nundef; i++)
        if (!check_undef_edge(c, &k->undef[i]))
            return false;
    return true;
}

static bool check_signature(struct check *c)
{
    const struct kernel_summary *k = c->k;
    if (!k->name)
        return bad(c, "kernel without a name");
    for (uint32_t i = 0; i < k->nargs; i++)
        if (k->args[i].kind > SUM_ARG_OTHER || k->args[i].space > SUM_GENERIC)
            return bad(c, "argument kind out of range");
    for (uint32_t i = 0; i < k->nvars; i++)
        if (k->vars[i].space > SUM_GENERIC)
            return bad(c, "variable space out of range");
    if (k->ninsn > SUM_MAX_INSN || k->nblock > k->ninsn || k->nleaf > k->ninsn)
        return bad(c, "too large");
    if (k->nblock == 0 && k->ninsn != 0)
        return bad(c, "instructions without a block");
    return true;
}

int sum_check(const struct kernel_summary *k, const char **why)
{
    struct check c = {.k = k};
    bool good = check_signature(&c);
    if (good && k->nblock) {
        good = check_structure(&c);
        if (good && cfg_build(k, &c.cfg) != 0)
            good = bad(&c, "control flow too large");
        good = good && check_dominance(&c);
        cfg_free(&c.cfg);
    }
    good = good && check_facts(&c);
    if (why)
        *why = good ? "" : c.why;
    return good ? 0 : -EINVAL;
}
