/* roots.c - see roots.h.  A forward data-flow analysis over address arithmetic, phis and selects.  An address
 * from anywhere else (a load, a conversion from an integer) is unknown. */
#include "analysis/prove/roots.h"

#include <string.h>

static bool add_object(struct root *r, uint32_t obj)
{
    uint8_t i = 0;
    if (r->unknown)
        return false;
    while (i < r->n && r->obj[i] < obj)
        i++;
    if (i < r->n && r->obj[i] == obj)
        return false;
    if (r->n == ROOT_SET) {
        r->unknown = true;
        r->n = 0;
        return true;
    }
    memmove(&r->obj[i + 1], &r->obj[i], (size_t)(r->n - i) * sizeof(r->obj[0]));
    r->obj[i] = obj;
    r->n++;
    return true;
}

static bool merge(struct root *into, const struct root *from)
{
    bool changed = false;
    if (from->unknown && !into->unknown) {
        into->unknown = changed = true;
        into->n = 0;
    }
    for (uint8_t i = 0; i < from->n; i++)
        changed |= add_object(into, from->obj[i]);
    return changed;
}

static void leaf_root(const struct kernel_summary *k, uint32_t v, struct root *r)
{
    const struct sum_insn *in = &k->insns[v];
    switch (in->op) {
    case SUM_ARG:
        add_object(r, ROOT_OBJ(ROOT_ARG, in->imm));
        break;
    case SUM_VAR:
        add_object(r, ROOT_OBJ(ROOT_VAR, in->imm));
        break;
    case SUM_ALLOCA:
        add_object(r, ROOT_OBJ(ROOT_ALLOCA, v));
        break;
    default:
        r->unknown = true;
    }
}

/* A scalar argument is an address only where a by-value struct is: where memory operations use it as one. */
static void mark_addresses(const struct kernel_summary *k, struct roots *r)
{
    for (uint32_t v = 0; v < k->nleaf; v++) {
        const struct sum_insn *in = &k->insns[v];
        r->pointer[v] = in->op == SUM_VAR || in->op == SUM_ALLOCA ||
                        (in->op == SUM_ARG && k->args[in->imm].kind != SUM_ARG_SCALAR);
    }
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        const struct sum_insn *in = &k->insns[v];
        if (in->op != SUM_PTRADD && in->op != SUM_LOAD && in->op != SUM_STORE && in->op != SUM_ATOMIC)
            continue;
        uint32_t p = sum_opnd(k, v, 0);
        if (p < k->nleaf && k->insns[p].op == SUM_ARG)
            r->pointer[p] = true;
        if (in->op == SUM_PTRADD)
            r->pointer[v] = true;
    }
}

/* One step; true if something grew. */
static bool transfer(const struct kernel_summary *k, struct roots *r, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v];
    bool changed = false;
    if (in->op == SUM_PTRADD)
        return merge(&r->of[v], &r->of[sum_opnd(k, v, 0)]);
    if (in->op != SUM_PHI && in->op != SUM_SELECT) {
        changed = !r->of[v].unknown;
        r->of[v].unknown = true;
        return changed;
    }
    for (uint32_t i = 1; i < in->nopnd; i += in->op == SUM_PHI ? 2 : 1) {
        uint32_t o = sum_opnd(k, v, i);
        changed |= merge(&r->of[v], &r->of[o]);
        if (r->pointer[o] && !r->pointer[v])
            r->pointer[v] = changed = true;
    }
    return changed;
}

void roots_build(const struct kernel_summary *k, struct cfg *c, struct roots *r)
{
    r->of = must_array(c, k->ninsn, sizeof(*r->of));
    r->pointer = must_array(c, k->ninsn, sizeof(*r->pointer));
    for (uint32_t v = 0; v < k->nleaf; v++)
        leaf_root(k, v, &r->of[v]);
    mark_addresses(k, r);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < c->nreach; i++) {
            const struct sum_block *b = &k->blocks[c->rpo[i]];
            for (uint32_t v = b->first; v < b->end; v++)
                changed |= transfer(k, r, v);
        }
    }
}

bool roots_is_private(const struct kernel_summary *k, uint32_t obj)
{
    return ROOT_KIND(obj) == ROOT_ALLOCA ||
           (ROOT_KIND(obj) == ROOT_ARG && k->args[ROOT_INDEX(obj)].kind == SUM_ARG_SCALAR);
}

/* May an object lie in this address space? */
static bool fits_space(const struct kernel_summary *k, uint32_t obj, unsigned space)
{
    unsigned own;
    if (roots_is_private(k, obj))
        return space == SUM_PRIVATE || (space == SUM_GENERIC && ROOT_KIND(obj) == ROOT_ALLOCA);
    if (ROOT_KIND(obj) == ROOT_VAR)
        own = k->vars[ROOT_INDEX(obj)].space;
    else if (k->args[ROOT_INDEX(obj)].kind == SUM_ARG_IMAGE)
        return true; /* image instructions do not name a space */
    else if (k->args[ROOT_INDEX(obj)].kind == SUM_ARG_LOCAL)
        own = SUM_LOCAL;
    else if (k->args[ROOT_INDEX(obj)].kind == SUM_ARG_BUFFER)
        own = k->args[ROOT_INDEX(obj)].space;
    else
        return false;
    return own == space || (space == SUM_GENERIC && own != SUM_CONSTANT) || own == SUM_GENERIC;
}

struct root roots_touched(const struct kernel_summary *k, const struct roots *r, uint32_t v)
{
    const struct root *of = &r->of[sum_opnd(k, v, 0)];
    struct root out = {.unknown = of->unknown};
    for (uint8_t i = 0; i < of->n; i++)
        if (fits_space(k, of->obj[i], k->insns[v].space))
            add_object(&out, of->obj[i]);
        else
            out.unknown = true;
    if (out.unknown)
        out.n = 0;
    return out;
}
