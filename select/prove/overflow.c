/* overflow.c - does what the language leaves open about integers show in a launch's results?
 *
 * Seen on drivers for CPUs (analysis/summary/driver_quirks.def): x86 code for vectors multiplies and adds
 * integers with twice the bits where the result is extended, and takes the difference of a comparison's
 * operands; loops count in 64 bits.  What wrapped at its own width in one version and was stored, or taken
 * apart bit by bit, was the same in all. */
#include "select/prove/parts.h"

#include "analysis/summary/driver_compiler.h"

enum launch_open sel_open(const struct kernel_summary *k, const struct driver *d)
{
    if (drv_mixes_classes(k, d))
        return LAUNCH_OPEN_EVERYWHERE;
    if (!drv_makes_other_vectors(d))
        return LAUNCH_OPEN_NOWHERE;
    return drv_has(d, DRV_WIDENS_OVERFLOWS) ? LAUNCH_OPEN_EXTENDED : LAUNCH_OPEN_EVERYWHERE;
}

bool sel_may_be_open(const struct sum_insn *in)
{
    return (in->op >= SUM_ADD && in->op <= SUM_SHL && (in->flags & (SUM_F_NSW | SUM_F_APART)) == SUM_F_NSW) ||
           (in->op >= SUM_UDIV && in->op <= SUM_ASHR) || (in->op == SUM_PURE && (in->flags & SUM_F_NONZERO));
}

static bool has_open(const struct kernel_summary *k)
{
    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        if (sel_may_be_open(&k->insns[v]))
            return true;
    return false;
}

/* ---- where it shows -------------------------------------------------------------------------------- */

/* What is known of a value's bits. */
enum bits {
    CERTAIN,
    WRAPPED, /* certain, but not those that more bits would add above them */
    FAR,     /* off by a multiple of 2^32, or not: the extension of a WRAPPED value */
    MIXED    /* computed from a WRAPPED value and bits above its own: by a shift to the right, a division */
};

struct flow {
    const struct kernel_summary *k;
    uint8_t *bits; /* value -> enum bits */
    bool small;    /* all buffers are smaller than 2^32 bytes */
    bool compares; /* code for vectors may compare, divide and shift with more bits, too */
    bool kept;     /* WRAPPED values were stored in private memory */
    bool changed;
};

/* An address that is off by a multiple of 2^32 is outside of a buffer that is smaller, or the right one is.
 * The program that takes such an address works with no driver, or by luck. */
static bool buffers_are_small(const struct kernel_summary *k, const struct launch *l)
{
    for (uint32_t i = 0; i < k->nargs; i++)
        if (k->args[i].kind == SUM_ARG_BUFFER && l->args[i].memory &&
            (l->args[i].bytes == 0 || l->args[i].bytes > (uint64_t)1 << 32))
            return false;
    return true;
}

/* Minima, maxima and divisions: every bit of their operands counts. */
static bool takes_all_bits(unsigned op)
{
    return (op >= SUM_SMIN && op <= SUM_UMAX) || (op >= SUM_UDIV && op <= SUM_SREM);
}

/* Is it a constant of the lowest 32 bits? */
static bool is_low(const struct kernel_summary *k, uint32_t v)
{
    return k->insns[v].op == SUM_CONST && k->insns[v].imm >= 0 && k->insns[v].imm <= UINT32_MAX;
}

/* Does it matter for operand i of `v` that more bits would be others? */
static bool shows(const struct flow *f, uint32_t v, uint32_t i)
{
    const struct sum_insn *in = &f->k->insns[v];
    const enum bits bits = f->bits[sum_opnd(f->k, v, i)];
    const bool far = bits == FAR;

    if (takes_all_bits(in->op))
        return far || f->compares;
    switch (in->op) {
    case SUM_ADD:
    case SUM_SUB:
    case SUM_MUL:
    case SUM_SHL:
    case SUM_AND:
    case SUM_PHI:
    case SUM_TRUNC:
    case SUM_PTRADD:
    case SUM_LOAD:
        return false;
    case SUM_SELECT:
        return i == 0;
    case SUM_OR:
    case SUM_XOR: /* lower bits leave those alone that are off */
        return far && !is_low(f->k, sum_opnd(f->k, v, 1));
    case SUM_LSHR:
    case SUM_ASHR:
    case SUM_PRINTF:
    case SUM_IMAGE_READ:
    case SUM_IMAGE_WRITE: /* coordinates are passed with the bits that they have */
        return far;
    case SUM_ZEXT:
    case SUM_SEXT:
        return bits != WRAPPED || !f->small || f->k->insns[sum_opnd(f->k, v, i)].bits < 32;
    case SUM_STORE:
    case SUM_ATOMIC:
        return i > 0 && (far || (bits == MIXED && in->space != SUM_GLOBAL));
    case SUM_PURE:
        return far || (in->cls != SUM_C_NONE && !(in->cls == SUM_C_CONV && (in->flags & SUM_F_FLOAT)));
    case SUM_ICMP:
    case SUM_SWITCH:
        return far || f->compares;
    default:
        return true;
    }
}

/* What becomes of the bits of an operand that does not show.  A mask leaves the upper ones out, and so does a
 * narrower type. */
static enum bits result_of(const struct flow *f, uint32_t v, enum bits operand)
{
    const struct sum_insn *in = &f->k->insns[v];
    const struct sum_insn *mask = in->op == SUM_AND ? &f->k->insns[sum_opnd(f->k, v, 1)] : NULL;

    if (takes_all_bits(in->op) || in->op == SUM_LSHR || in->op == SUM_ASHR)
        return f->compares || operand != WRAPPED ? MIXED : CERTAIN;
    switch (in->op) {
    case SUM_TRUNC:
        return operand == MIXED || (operand == FAR && in->bits > 32) ? operand : CERTAIN;
    case SUM_AND:
        if (operand == MIXED || mask->op != SUM_CONST || mask->imm < 0)
            return operand;
        return operand == FAR && mask->imm > UINT32_MAX ? FAR : CERTAIN;
    case SUM_ZEXT:
    case SUM_SEXT:
        return FAR;
    case SUM_ICMP:
    case SUM_LOAD:
    case SUM_STORE:
    case SUM_ATOMIC:
    case SUM_IMAGE_READ:
    case SUM_IMAGE_WRITE:
    case SUM_PRINTF:
        return CERTAIN;
    case SUM_PURE:
        return in->cls == SUM_C_NONE ? operand : CERTAIN;
    default:
        return operand;
    }
}

static void set(struct flow *f, uint32_t v, enum bits bits)
{
    if (bits > f->bits[v]) {
        f->bits[v] = (uint8_t)bits;
        f->changed = true;
    }
}

/* What is stored in a work-item's own memory may be what is loaded from it. */
static void keep(struct flow *f, uint32_t v)
{
    const struct sum_insn *in = &f->k->insns[v];

    if (in->space == SUM_GLOBAL || in->space == SUM_CONSTANT)
        return;
    if (in->op == SUM_STORE && f->bits[sum_opnd(f->k, v, 1)] != CERTAIN && !f->kept)
        f->kept = f->changed = true;
    if (in->op == SUM_LOAD && f->kept)
        set(f, v, WRAPPED);
}

/* Once over the body.  The first value at which an overflow shows, CFG_NONE if there is none. */
static uint32_t spread(struct flow *f)
{
    const struct kernel_summary *k = f->k;

    f->changed = false;
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        keep(f, v);
        for (uint32_t i = 0; i < k->insns[v].nopnd; i++) {
            if (sum_operand_is_block(&k->insns[v], i) || f->bits[sum_opnd(k, v, i)] == CERTAIN)
                continue;
            if (shows(f, v, i))
                return v;
            set(f, v, result_of(f, v, f->bits[sum_opnd(k, v, i)]));
        }
    }
    return CFG_NONE;
}

static bool is_hidden(const struct sel_look *x, const bool *but, const uint8_t *open, uint8_t *bits,
                      struct sel_verdict *why)
{
    const struct kernel_summary *k = x->k;
    struct flow f = {.k = k,
                     .bits = bits,
                     .small = buffers_are_small(k, x->l),
                     .compares = x->l->open == LAUNCH_OPEN_EVERYWHERE,
                     .changed = true};
    uint32_t at = CFG_NONE;

    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        const enum sel_open is = but && but[v] ? SEL_OPEN_NOT : (enum sel_open)open[v];
        if (is == SEL_OPEN_DIVIDES)
            return sel_refuse(
                why, SEL_R_OVERFLOW,
                "line %u may divide by zero or count its bits, or get a result that does not fit",
                k->insns[v].line);
        bits[v] = is == SEL_OPEN_WRAPS ? WRAPPED : CERTAIN;
    }
    while (f.changed && at == CFG_NONE)
        at = spread(&f);
    return at == CFG_NONE ||
           sel_refuse(why, SEL_R_OVERFLOW,
                      "an integer may overflow, and line %u extends, compares or divides it",
                      k->insns[at].line);
}

/* ---- verdict --------------------------------------------------------------------------------------- */

bool sel_overflow_hidden(struct sel_look *x, const bool *but, struct sel_verdict *why)
{
    struct sel_intervals *found;
    uint8_t *bits;

    if (!has_open(x->k))
        return true;
    if (!(found = sel_look(x)) || !(bits = cfg_array(&found->cfg, x->k->ninsn, sizeof *bits)))
        return sel_refuse(why, SEL_R_OVERFLOW, "too much to look at, or no memory");
    return is_hidden(x, but, found->open, bits, why);
}
