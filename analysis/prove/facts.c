/* facts.c - the proofs that analysis/summary/summary.h lists (SUM_FACT_*).
 *
 * A fact counts as proved when no obstacle was found, so each scan must see every instruction that could be
 * one.  The first obstacle of a fact, in the order of the scans, is its reason. */
#include "analysis/prove/facts.h"

#include "analysis/prove/access.h"
#include "analysis/prove/proof.h"
#include "analysis/summary/summary_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSITIVE_INT_BITS 31

/* S, O and I fall together where nothing at all is known. */
static void refuse_results(struct kernel_summary *k, enum sum_reason r, uint32_t insn, const char *what)
{
    static const enum sum_fact facts[] = {SUM_FACT_S, SUM_FACT_O0, SUM_FACT_O1, SUM_FACT_O2, SUM_FACT_I};
    for (unsigned i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        proof_refuse(k, facts[i], r, insn, "%s", what);
}

static const char *arg_name(const struct kernel_summary *k, uint32_t arg)
{
    const char *name = k->args[arg].name;
    return name && name[0] ? name : "an argument";
}

/* ---- memory: who reads and writes what ------------------------------------------------------------- */

static void touch_arg(struct kernel_summary *k, uint32_t arg, bool reads, bool writes)
{
    enum sum_arg_kind kind = k->args[arg].kind;
    if (kind != SUM_ARG_BUFFER && kind != SUM_ARG_IMAGE && kind != SUM_ARG_OTHER)
        return; /* a by-value argument is private, a local one has no contents at the launch */
    k->args[arg].may_read |= reads;
    k->args[arg].may_write |= writes;
}

/* An access that may reach any buffer (or image). */
static void touch_all(struct proof *p, uint32_t v, bool image, bool reads, bool writes)
{
    struct kernel_summary *k = p->k;
    for (uint32_t a = 0; a < k->nargs; a++)
        if (k->args[a].kind == SUM_ARG_OTHER || (k->args[a].kind == SUM_ARG_IMAGE) == image)
            touch_arg(k, a, reads, writes);
    p->mem.unknown_write |= writes;
    if (writes && p->mem.unknown_write_at == CFG_NONE)
        p->mem.unknown_write_at = v;
}

static void touch(struct proof *p, uint32_t v)
{
    struct kernel_summary *k = p->k;
    const struct sum_insn *in = &k->insns[v];
    bool image = in->op == SUM_IMAGE_READ || in->op == SUM_IMAGE_WRITE;
    bool reads = in->op == SUM_LOAD || in->op == SUM_ATOMIC || in->op == SUM_IMAGE_READ;
    bool writes = in->op == SUM_STORE || in->op == SUM_ATOMIC || in->op == SUM_IMAGE_WRITE;
    if (!reads && !writes)
        return;
    struct root r = roots_touched(k, &p->roots, v);
    for (uint8_t i = 0; i < r.n; i++) {
        uint32_t index = ROOT_INDEX(r.obj[i]);
        if (ROOT_KIND(r.obj[i]) == ROOT_ARG)
            touch_arg(k, index, reads, writes);
        else if (ROOT_KIND(r.obj[i]) == ROOT_VAR && k->vars[index].space != SUM_LOCAL && writes &&
                 p->mem.variable_write_at == CFG_NONE)
            p->mem.variable_write_at = v;
    }
    if (r.unknown && (image || in->space != SUM_LOCAL)) /* a private pointer may be made of anything */
        touch_all(p, v, image, reads, writes);
}

static void find_memory(struct proof *p)
{
    struct kernel_summary *k = p->k;
    p->mem = (struct taint_memory){.unknown_write_at = CFG_NONE, .variable_write_at = CFG_NONE};
    for (uint32_t a = 0; a < k->nargs; a++) {
        k->args[a].may_read = k->args[a].may_write = k->args[a].kind == SUM_ARG_OTHER;
        k->args[a].gaps = 0;
    }
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        if (k->insns[v].op == SUM_CALL) {
            p->mem.call = true;
            touch_all(p, v, false, true, true);
            touch_all(p, v, true, true, true);
        }
        touch(p, v);
    }
}

static void set_flags(struct kernel_summary *k)
{
    k->has_atomics = k->has_images = k->has_barrier = false;
    for (uint32_t a = 0; a < k->nargs; a++)
        k->has_images |= k->args[a].kind == SUM_ARG_IMAGE;
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        k->has_atomics |= k->insns[v].op == SUM_ATOMIC;
        k->has_barrier |= k->insns[v].op == SUM_BARRIER;
    }
}

/* ---- A: atomics whose order does not show ---------------------------------------------------------- */

static void refuse_order(struct proof *p, uint32_t v, const char *what)
{
    proof_refuse(p->k, SUM_FACT_A, SUM_R_ORDERED_ATOMIC, v, "%s", what);
}

/* One atomic; family[arg] collects what the argument has seen. */
static void judge_atomic(struct proof *p, uint32_t v, uint64_t *family)
{
    struct kernel_summary *k = p->k;
    uint64_t own = sum_atomic_family(k, v);
    struct root r = roots_touched(k, &p->roots, v);
    if (own == 0)
        refuse_order(p, v,
                     k->insns[v].flags & SUM_F_UNUSED ? "an operation that does not commute"
                                                      : "the old value is used");
    if (r.unknown || r.n == 0)
        refuse_order(p, v, "an atomic on unknown memory");
    for (uint8_t i = 0; i < r.n; i++) {
        uint32_t arg = ROOT_INDEX(r.obj[i]);
        if (ROOT_KIND(r.obj[i]) != ROOT_ARG || k->args[arg].kind != SUM_ARG_BUFFER) {
            refuse_order(p, v, "an atomic on a variable");
            continue;
        }
        if (family[arg] != 0 && family[arg] != own)
            refuse_order(p, v, "different atomics on one buffer");
        family[arg] = own;
    }
}

/* A buffer that atomics change may not be looked at otherwise: who looks sees how far they have come. */
static void judge_plain_access(struct proof *p, uint32_t v, const uint64_t *family)
{
    struct kernel_summary *k = p->k;
    const struct sum_insn *in = &k->insns[v];
    struct root r = roots_touched(k, &p->roots, v);
    for (uint32_t a = 0; r.unknown && in->space != SUM_LOCAL && a < k->nargs; a++)
        if (family[a])
            refuse_order(p, v, "an unknown pointer may reach the atomics' buffer");
    for (uint8_t i = 0; i < r.n; i++)
        if (ROOT_KIND(r.obj[i]) == ROOT_ARG && family[ROOT_INDEX(r.obj[i])])
            refuse_order(p, v, "the atomics' buffer is also read or written");
}

static void judge_atomics(struct proof *p)
{
    struct kernel_summary *k = p->k;
    uint64_t *family = must_array(&p->cfg, k->nargs, sizeof(*family));
    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_ATOMIC)
            judge_atomic(p, v, family);
    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_LOAD || k->insns[v].op == SUM_STORE)
            judge_plain_access(p, v, family);
    if (p->mem.call)
        proof_refuse(k, SUM_FACT_A, SUM_R_UNKNOWN_CALL, CFG_NONE, "a function that may do anything");
}

/* ---- S: the local size does not show --------------------------------------------------------------- */

static void judge_calls(struct proof *p)
{
    struct kernel_summary *k = p->k;
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        if (k->insns[v].op == SUM_PURE && k->insns[v].nopnd == 0)
            refuse_results(k, SUM_R_UNKNOWN_CALL, v, "a value that comes from nowhere");
        if (k->insns[v].op != SUM_CALL)
            continue;
        const char *name = k->callees[k->insns[v].imm];
        enum sum_reason r = SUM_R_UNKNOWN_CALL;
        if (name && strstr(name, "sub_group"))
            r = SUM_R_SUBGROUP;
        else if (name && (strstr(name, "work_group") || strstr(name, "wait_group_events")))
            r = SUM_R_GROUP_FUNCTION;
        refuse_results(k, r, v, name ? name : "unnamed");
    }
    for (uint32_t a = 0; a < k->nargs; a++)
        if (k->args[a].kind == SUM_ARG_OTHER)
            refuse_results(k, SUM_R_UNKNOWN_CALL, CFG_NONE, "a pipe, queue or event argument");
}

/* Does every work-item come by block `b` exactly once, whatever the arguments are? */
static bool on_every_path(const struct proof *p, uint32_t b)
{
    uint32_t at = 0;
    while (at != b && at < p->cfg.nblock)
        at = p->cfg.ipdom[at];
    return at == b && p->cfg.loop_of[b] == CFG_NONE && !p->cfg.irreducible;
}

/* A barrier on every path is passed by all of a group, whatever the groups are.  Without local memory
 * there is then nothing to wait for but what others write to buffers and images, and whether a launch has
 * work-items that touch what another writes is judged with its arguments (select/prove/disjoint.c), as for
 * kernels without barriers. */
static void judge_barriers(struct proof *p)
{
    struct kernel_summary *k = p->k;
    bool local = k->local_bytes != 0;
    for (uint32_t a = 0; a < k->nargs; a++)
        local |= k->args[a].kind == SUM_ARG_LOCAL || k->args[a].space == SUM_LOCAL;
    for (uint32_t b = 0; b < k->nblock; b++)
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++)
            if (k->insns[v].op == SUM_BARRIER && !k->of_group && (local || !on_every_path(p, b)))
                proof_refuse(k, SUM_FACT_S, SUM_R_BARRIER, v, "barrier");
}

static void judge_group_features(struct proof *p)
{
    struct kernel_summary *k = p->k;
    judge_barriers(p);
    for (uint32_t i = 0; i < k->nvars; i++)
        if (k->vars[i].space == SUM_LOCAL)
            proof_refuse(k, SUM_FACT_S, SUM_R_LOCAL_MEMORY, CFG_NONE, "variable %s", k->vars[i].name);
    for (uint32_t a = 0; a < k->nargs; a++)
        if (k->args[a].kind == SUM_ARG_LOCAL || k->args[a].space == SUM_LOCAL)
            proof_refuse(k, SUM_FACT_S, SUM_R_LOCAL_MEMORY, CFG_NONE, "argument %s", arg_name(k, a));
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        unsigned op = k->insns[v].op;
        if ((op == SUM_LOAD || op == SUM_STORE || op == SUM_ATOMIC) && k->insns[v].space == SUM_LOCAL)
            proof_refuse(k, SUM_FACT_S, SUM_R_LOCAL_MEMORY, v, "an access to local memory");
    }
    if (k->local_bytes)
        proof_refuse(k, SUM_FACT_S, SUM_R_LOCAL_MEMORY, CFG_NONE, "static local memory");
    if (k->reqd[0] || k->reqd[1] || k->reqd[2])
        proof_refuse(k, SUM_FACT_S, SUM_R_REQD_SIZE, CFG_NONE, "%u x %u x %u", (unsigned)k->reqd[0],
                     (unsigned)k->reqd[1], (unsigned)k->reqd[2]);
}

/* Is the work-item function used?  For messages only: a block index may pass for a use. */
static bool calls_wi(const struct kernel_summary *k, unsigned sub, unsigned dim)
{
    for (uint32_t v = 0; v < k->nleaf; v++) {
        const struct sum_insn *in = &k->insns[v];
        bool other = sub < SUM_WI_GLOBAL_LINEAR_ID && in->imm != (int64_t)dim;
        if (in->op != SUM_WI || in->sub != sub || other)
            continue;
        for (uint32_t i = 0; i < k->nopnd; i++)
            if (k->opnds[i] == v)
                return true;
    }
    return false;
}

/* Polynomials know group_id * local_size as global_id - offset - local_id, num_groups * local_size as the
 * global size and the linear id as what it is made of: name what the kernel really called. */
static unsigned called_instead(const struct kernel_summary *k, unsigned sub, unsigned dim)
{
    static const struct {
        uint8_t of, instead;
    } table[] = {{SUM_WI_LOCAL_ID, SUM_WI_GROUP_ID},      {SUM_WI_LOCAL_SIZE, SUM_WI_ENQUEUED_LOCAL_SIZE},
                 {SUM_WI_GLOBAL_OFFSET, SUM_WI_GROUP_ID}, {SUM_WI_GLOBAL_OFFSET, SUM_WI_GLOBAL_LINEAR_ID},
                 {SUM_WI_GLOBAL_SIZE, SUM_WI_NUM_GROUPS}, {SUM_WI_GLOBAL_SIZE, SUM_WI_GLOBAL_LINEAR_ID}};
    if (calls_wi(k, sub, dim))
        return sub;
    for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (table[i].of == sub && calls_wi(k, table[i].instead, dim))
            return table[i].instead;
    return sub;
}

static void refuse_observed(struct proof *p, enum sum_fact f, taint_set base, unsigned dim, enum sum_reason r,
                            unsigned sub)
{
    const struct taint_sink *s = &p->taint.sink[__builtin_ctzll(base) + dim];
    if (s->insn == CFG_NONE)
        return;
    sub = called_instead(p->k, sub, dim);
    if (sub == SUM_WI_GROUP_ID)
        r = SUM_R_GROUP_ID_OBSERVED;
    if (sub == SUM_WI_NUM_GROUPS)
        r = SUM_R_NUM_GROUPS_OBSERVED;
    if (sub == SUM_WI_GLOBAL_LINEAR_ID)
        proof_refuse(p->k, f, r, s->insn, "get_global_linear_id() reaches %s", s->what);
    else
        proof_refuse(p->k, f, r, s->insn, "get_%s(%u) reaches %s", sum_word(&sum_wi_names, sub), dim,
                     s->what);
}

static void judge_observed(struct proof *p)
{
    const struct taint_sink *linear = &p->taint.sink[__builtin_ctzll(TAINT_LINEAR)];
    const struct taint_sink *stack = &p->taint.sink[__builtin_ctzll(TAINT_STACK)];
    for (unsigned d = 0; d < 3; d++) {
        refuse_observed(p, SUM_FACT_S, TAINT_LID, d, SUM_R_LOCAL_ID_OBSERVED, SUM_WI_LOCAL_ID);
        refuse_observed(p, SUM_FACT_S, TAINT_GROUP, d, SUM_R_GROUP_ID_OBSERVED, SUM_WI_GROUP_ID);
        refuse_observed(p, SUM_FACT_S, TAINT_NGROUPS, d, SUM_R_NUM_GROUPS_OBSERVED, SUM_WI_NUM_GROUPS);
        refuse_observed(p, SUM_FACT_S, TAINT_LSIZE, d, SUM_R_SIZE_OBSERVED, SUM_WI_LOCAL_SIZE);
        refuse_observed(p, SUM_FACT_O0 + d, TAINT_GSIZE, d, SUM_R_GLOBAL_SIZE_OBSERVED, SUM_WI_GLOBAL_SIZE);
        refuse_observed(p, SUM_FACT_O0 + d, TAINT_NGROUPS, d, SUM_R_NUM_GROUPS_OBSERVED, SUM_WI_NUM_GROUPS);
        refuse_observed(p, SUM_FACT_O0 + d, TAINT_GROUP, d, SUM_R_GROUP_ID_OBSERVED, SUM_WI_GROUP_ID);
        refuse_observed(p, SUM_FACT_O0 + d, TAINT_OFFSET, d, SUM_R_OFFSET_OBSERVED, SUM_WI_GLOBAL_OFFSET);
    }
    if (linear->insn != CFG_NONE)
        proof_refuse(p->k, SUM_FACT_S, SUM_R_LOCAL_ID_OBSERVED, linear->insn,
                     "get_local_linear_id() reaches %s", linear->what);
    if (stack->insn != CFG_NONE)
        proof_refuse(p->k, SUM_FACT_S, SUM_R_UNKNOWN_POINTER, stack->insn,
                     "the address of private memory reaches %s", stack->what);
}

/* ---- S and I: side effects ------------------------------------------------------------------------- */

static void judge_side_effects(struct proof *p)
{
    struct kernel_summary *k = p->k;
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        const struct sum_insn *in = &k->insns[v];
        if (in->op == SUM_PRINTF) {
            proof_refuse(k, SUM_FACT_S, SUM_R_PRINTF, v, "printf");
            proof_refuse(k, SUM_FACT_I, SUM_R_PRINTF, v, "printf");
        }
        if (in->op == SUM_STORE && (in->flags & SUM_F_VOLATILE) && in->space != SUM_PRIVATE)
            proof_refuse(k, SUM_FACT_S, SUM_R_VOLATILE, v, "a volatile store");
        if (in->op == SUM_IMAGE_WRITE)
            k->args[k->insns[sum_opnd(k, v, 0)].imm].gaps |= (uint8_t)in->imm;
        if (in->op == SUM_STORE && in->space != SUM_PRIVATE && (in->flags & SUM_F_GAPS))
            proof_refuse(k, SUM_FACT_S, SUM_R_UNDEFINED_BYTES, v,
                         "a component of a stored vector has no value");
    }
    if (p->mem.variable_write_at != CFG_NONE) {
        proof_refuse(k, SUM_FACT_S, SUM_R_VARIABLE, p->mem.variable_write_at,
                     "a program-scope variable is written");
        proof_refuse(k, SUM_FACT_I, SUM_R_VARIABLE, p->mem.variable_write_at,
                     "a program-scope variable is written");
    }
    if (p->mem.unknown_write) {
        proof_refuse(k, SUM_FACT_S, SUM_R_UNKNOWN_POINTER, p->mem.unknown_write_at,
                     "a store to unknown memory");
        proof_refuse(k, SUM_FACT_I, SUM_R_UNKNOWN_POINTER, p->mem.unknown_write_at,
                     "a store to unknown memory");
    }
}

/* ---- I --------------------------------------------------------------------------------------------- */

static void judge_idempotent(struct proof *p)
{
    struct kernel_summary *k = p->k;
    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_ATOMIC)
            proof_refuse(k, SUM_FACT_I, SUM_R_ATOMIC, v, "an atomic");
    for (uint32_t a = 0; a < k->nargs; a++)
        if (k->args[a].may_read && k->args[a].may_write)
            proof_refuse(k, SUM_FACT_I, SUM_R_READ_WRITTEN, CFG_NONE, "%s", arg_name(k, a));
}

/* ---- all together ---------------------------------------------------------------------------------- */

static void clear_facts(struct kernel_summary *k)
{
    struct kernel_summary old = {
        .nloop = k->nloop, .loops = k->loops, .naccess = k->naccess, .access = k->access, .undef = k->undef};
    for (unsigned f = 0; f < SUM_FACTS; f++) {
        free(k->fact[f].detail);
        k->fact[f] = (struct sum_verdict){0};
    }
    sum_free_kernel(&old);
    k->loops = NULL;
    k->access = NULL;
    k->undef = NULL;
    k->nloop = k->naccess = k->nundef = 0;
    k->needs_uniform = false;
    k->only_groups = true;
    k->id_bits = 0;
    k->flat = 0;
}

static void refuse_all(struct kernel_summary *k, const char *what)
{
    for (unsigned f = 0; f < SUM_FACTS; f++)
        proof_refuse(k, f, SUM_R_TOO_LARGE, CFG_NONE, "%s", what);
}

/* A kernel without a body: nothing is known, so everything may happen. */
static void no_body(struct kernel_summary *k)
{
    for (uint32_t a = 0; a < k->nargs; a++)
        k->args[a].may_read = k->args[a].may_write = true;
    k->has_atomics = k->has_images = k->has_barrier = true;
    refuse_all(k, "no body");
}

/* Does anything that changes with the local size reach results?  (Undefined values: undef.c.) */
static bool shows_size(const struct taint *t)
{
    const taint_set size = TAINT_SIZE & ~(TAINT_UNDEF | TAINT_UNDEF_EDGES);
    for (unsigned i = 0; i < TAINT_BITS; i++)
        if ((size >> i & 1) && t->sink[i].insn != CFG_NONE)
            return true;
    return false;
}

/* The exact reading and what it says of dependences, if launches are required to have ids of `id_bits` bits
 * (0: they are not). */
static void read_exactly(struct proof *p, uint8_t id_bits)
{
    struct kernel_summary *k = p->k;
    k->id_bits = id_bits;
    aff_build(k, &p->cfg, &p->roots, &(struct aff_options){.id_bits = id_bits}, &p->exact);
    taint_build(k, &p->cfg, &p->roots, &p->exact, &p->mem, &p->taint);
}

/* The same, requiring as little of launches as fact S needs; nothing if it cannot be had.  24 and 23 bits:
 * the operands of mul24(), unsigned and signed. */
static void read_for_size(struct proof *p)
{
    static const uint8_t levels[] = {POSITIVE_INT_BITS, 24, 23};
    bool product24 = false;
    for (uint32_t v = p->k->nleaf; v < p->k->ninsn; v++)
        product24 |= p->k->insns[v].op == SUM_MUL && (p->k->insns[v].flags & SUM_F_24);
    read_exactly(p, 0);
    if (!shows_size(&p->taint) || p->k->fact[SUM_FACT_S].reason != SUM_R_NONE)
        return;
    for (unsigned i = 0; i < (product24 ? sizeof levels / sizeof levels[0] : 1); i++) {
        read_exactly(p, levels[i]);
        if (!shows_size(&p->taint))
            return;
    }
    read_exactly(p, 0);
}

/* False if there is too much control flow. */
static bool analyse(struct proof *p)
{
    struct kernel_summary *k = p->k;
    const int err = cfg_build(k, &p->cfg);
    uint8_t id_bits;

    if (err == -ENOMEM)
        abort();
    if (err)
        return false;
    roots_build(k, &p->cfg, &p->roots);
    find_memory(p);
    set_flags(k);
    judge_group_features(p);
    judge_calls(p);
    read_for_size(p);
    taint_choices(k, &p->cfg, &p->roots, &p->taint);
    id_bits = k->id_bits ? k->id_bits : POSITIVE_INT_BITS;
    aff_build(k, &p->cfg, &p->roots, &(struct aff_options){true, p->taint.agreed, id_bits}, &p->launch);
    if (p->launch.used_id_bits)
        k->id_bits = id_bits;
    return true;
}

static void judge(struct proof *p)
{
    struct kernel_summary *k = p->k;
    judge_observed(p);
    proof_undef(p);
    proof_spin(p);
    if (k->of_group)
        proof_meet(p);
    judge_atomics(p);
    if (k->has_atomics && k->fact[SUM_FACT_A].reason != SUM_R_NONE) {
        const struct sum_verdict *a = &k->fact[SUM_FACT_A];
        proof_refuse(k, SUM_FACT_S, SUM_R_ORDERED_ATOMIC, CFG_NONE, "%s", a->detail ? a->detail : "");
        if (k->fact[SUM_FACT_S].reason == SUM_R_ORDERED_ATOMIC)
            k->fact[SUM_FACT_S].line = a->line;
    }
    judge_side_effects(p);
    judge_idempotent(p);
    proof_uniform(p);
    k->needs_uniform = p->exact.used_uniform || p->launch.used_uniform;
}

bool sum_parts_at_loops(struct kernel_summary *k)
{
    struct proof p = {.k = k};
    bool parts = sum_has_loop(k);

    if (parts) {
        clear_facts(k);
        parts = !analyse(&p) || proof_parts_at_loops(&p);
        cfg_free(&p.cfg);
    }
    return parts;
}

void sum_derive_facts(struct kernel_summary *k)
{
    struct proof p = {.k = k};
    clear_facts(k);
    if (k->nblock == 0) {
        no_body(k);
        return;
    }
    bool done = analyse(&p);
    if (done) {
        judge(&p);
        struct steady *steady = p.same ? steady_new(k, &p.cfg, p.same) : NULL;
        done = access_build(k, &p.roots, &p.launch, p.taint.agreed, steady);
    }
    cfg_free(&p.cfg);
    if (!done) { /* absence of a reason is a proof: leave none standing */
        clear_facts(k);
        refuse_all(k, "too many accesses or too much control flow");
    }
}
