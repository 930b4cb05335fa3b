/* judge.c - what is proved about one launch.
 *
 * The kernel's own facts are necessary, never sufficient: they were proved for a kernel alone.  What only the
 * launch can tell is added here: that its ids fit the variables that hold them, that every argument is known,
 * that no variable is used that was given no value (undef.c), that no buffer overlaps one that is written,
 * and that no two work-items race for a location (disjoint.c). */
#include "select/select.h"

#include "select/prove/form.h"
#include "select/prove/parts.h"

#include <stdlib.h>
#include <string.h>

static const char *const reasons[SEL_R_COUNT] = {
#define X(e, name, text) [e] = name,
    SEL_REASONS(X)
#undef X
};

const char *sel_reason_name(enum sel_reason r)
{
    return (unsigned)r < SEL_R_COUNT ? reasons[r] : "?";
}

static void prove(struct sel_verdict *v)
{
    *v = (struct sel_verdict){.proven = true};
}

/* The verdict that a fact of the kernel alone gives. */
static bool from_fact(const struct kernel_summary *k, enum sum_fact fact, struct sel_verdict *v)
{
    const struct sum_verdict *f = &k->fact[fact];
    prove(v);
    v->fact = fact;
    if (f->reason == SUM_R_NONE)
        return true;
    const char *reason = sum_reason_name(f->reason), *detail = f->detail ? f->detail : "";
    const char *colon = *detail ? ": " : "";
    if (f->line)
        return sel_refuse(v, SEL_R_SUMMARY, "%s, line %u%s%s", reason, (unsigned)f->line, colon, detail);
    return sel_refuse(v, SEL_R_SUMMARY, "%s%s%s", reason, colon, detail);
}

static bool refuse_arg(struct sel_verdict *v, enum sel_reason reason, const struct kernel_summary *k,
                       unsigned i, const char *what)
{
    return sel_refuse(v, reason, "argument %u '%.24s' %s", i, sel_arg_name(k, i), what);
}

/* Every argument was seen being set, and every pointer leads to a known memory object. */
static bool arguments_known(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *v)
{
    if (l->nargs != k->nargs || (k->nargs > 0 && !l->args))
        return sel_refuse(v, SEL_R_ARG_UNKNOWN, "the kernel has %u arguments, the launch %u",
                          (unsigned)k->nargs, l->nargs);
    for (unsigned i = 0; i < k->nargs; i++) {
        if (!l->args[i].set)
            return refuse_arg(v, SEL_R_ARG_UNKNOWN, k, i, "was never seen being set");
        if (k->args[i].kind == SUM_ARG_OTHER)
            return refuse_arg(v, SEL_R_ARG_UNKNOWN, k, i, "is a pipe, queue or event");
        if (l->args[i].released)
            return refuse_arg(v, SEL_R_RELEASED, k, i, "may have been released since it was set");
        if (l->args[i].opaque)
            return refuse_arg(v, SEL_R_OPAQUE_POINTER, k, i,
                              "is a pointer to memory that is not known, or the host's, too");
    }
    return true;
}

/* No image keeps a component that is written to it without a value. */
static bool components_have_values(const struct kernel_summary *k, const struct launch *l,
                                   struct sel_verdict *v)
{
    for (unsigned i = 0; i < k->nargs; i++)
        if (k->args[i].gaps & (l->args[i].components ? l->args[i].components : UINT8_MAX))
            return refuse_arg(v, SEL_R_GAPS, k, i, "keeps a component that is written without a value");
    return true;
}

/* Both are buffers whose place in their memory is known: disjoint.c compares where they are touched. */
static bool comparable(const struct kernel_summary *k, const struct launch *l, unsigned i, unsigned j)
{
    return k->args[i].kind == SUM_ARG_BUFFER && k->args[j].kind == SUM_ARG_BUFFER && l->args[i].bytes != 0 &&
           l->args[j].bytes != 0;
}

/* No written buffer or image shares memory with another argument that is accessed, unless they can be
 * compared and `compared` says that they will be. */
static bool nothing_aliased(const struct kernel_summary *k, const struct launch *l, bool compared,
                            struct sel_verdict *v)
{
    for (unsigned i = 0; i < k->nargs; i++) {
        if (!sel_has_memory(&k->args[i]) || !k->args[i].may_write)
            continue;
        for (unsigned j = 0; j < k->nargs; j++) {
            const struct sum_arg *other = &k->args[j];
            if (j != i && (other->may_read || other->may_write) && sel_shared(k, l, i, j) &&
                !(compared && comparable(k, l, i, j)))
                return sel_refuse_shared(v, k, i, j);
        }
    }
    return true;
}

/* The application's own groups: its local size, if it gave one, divides the global size.  Where it does not,
 * the launch is an error or makes groups of several sizes, and is left alone; so is one that leaves the size
 * to a driver which may make such groups, if the kernel could tell. */
static bool groups_uniform(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *v)
{
    if (!launch_has_local(l)) {
        if (!k->needs_uniform || !k->uneven)
            return true;
        return sel_refuse(v, SEL_R_NON_UNIFORM,
                          "the driver may choose a size that does not divide the range");
    }
    for (unsigned d = 0; d < 3; d++)
        if (l->local[d] == 0 || l->global[d] % l->local[d] != 0)
            return sel_refuse(v, SEL_R_NON_UNIFORM, "dimension %u: %zu is not a multiple of %zu", d,
                              l->global[d], l->local[d]);
    return true;
}

/* The ids and sizes of the launch are as small as the proof of S supposes.  Parts of the launch have none
 * that are larger, and no size that divides a part, nor the number of its groups, exceeds the part's size. */
static bool ids_fit(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *v)
{
    const uint64_t most = k->id_bits ? ((uint64_t)1 << k->id_bits) - 1 : UINT64_MAX;
    for (unsigned d = 0; d < 3 && k->id_bits; d++)
        if (l->global[d] > most || l->offset[d] > most - l->global[d])
            return sel_refuse(v, SEL_R_LARGE_RANGE, "dimension %u: offset + global size must be below 2^%u",
                              d, (unsigned)k->id_bits);
    return true;
}

/* The gate: S, and everything about the launch that S alone does not cover. */
static bool judge_size(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *v)
{
    struct sel_look x = {.k = k, .l = l};
    const bool good = from_fact(k, SUM_FACT_S, v) && ids_fit(k, l, v) && groups_uniform(k, l, v) &&
                      arguments_known(k, l, v) && components_have_values(k, l, v) &&
                      sel_undef_unreachable(&x, v) && sel_arrays_suffice(&x, NULL, v) &&
                      nothing_aliased(k, l, true, v) && sel_disjoint(k, l, v) &&
                      (!l->reorders || sel_order_kept(k, l, false, v)) &&
                      (!l->ends_loops || sel_within_loop_limit(&x, v)) &&
                      (l->open == LAUNCH_OPEN_NOWHERE || sel_overflow_hidden(&x, NULL, v));
    sel_look_end(&x);
    return good;
}

/* The arguments of the view of a group, of which local memory is buffers of its own.  NULL when out of
 * memory. */
static struct launch_arg *arguments_of_group(const struct kernel_summary *k, const struct launch *l)
{
    const struct kernel_summary *view = k->group;
    struct launch_arg *args = calloc((size_t)view->nargs + 1, sizeof *args);
    for (unsigned i = 0; args && i < view->nargs; i++) {
        if (i < l->nargs)
            args[i] = l->args[i];
        if (i < k->nargs && k->args[i].kind != SUM_ARG_LOCAL)
            continue;
        args[i].set |= i >= k->nargs;
        args[i].memory = i + 1; /* no object of the application's has such an address */
        args[i].bytes = UINT32_MAX;
    }
    return args;
}

/* The group has an extent of 1 where it must have one for all to meet at barriers. */
static bool group_meets(const struct kernel_summary *view, const struct launch *l, struct sel_verdict *v)
{
    for (unsigned d = 0; d < 3; d++)
        if ((view->flat >> d & 1) && l->local[d] != 1)
            return sel_refuse(v, SEL_R_APART, "dimension %u: %zu", d, l->local[d]);
    return true;
}

/* A group is a launch of its own (analysis/prove/group_view.c), and what holds for any of them does for all.
 * Only of kernels that may have no other size at all: who is asked about another one relies on that. */
static bool judge_groups(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *v)
{
    struct launch of_group = *l;
    struct sel_look x = {.k = k->group, .l = &of_group};
    struct launch_arg *args;
    bool good;

    if (!k->group || sum_proved(k, SUM_FACT_S) || !launch_has_local(l))
        return sel_refuse(v, SEL_R_SUMMARY, "the kernel's groups are not understood");
    if (!from_fact(k->group, SUM_FACT_S, v) || !group_meets(k->group, l, v) || !ids_fit(k, l, v) ||
        !groups_uniform(k, l, v) || !arguments_known(k, l, v) || !components_have_values(k, l, v))
        return false;
    args = arguments_of_group(k, l);
    if (!args)
        return sel_refuse(v, SEL_R_OVERLAP, "out of memory");
    memcpy(of_group.global, l->local, sizeof of_group.global);
    memset(of_group.offset, 0, sizeof of_group.offset);
    memset(of_group.local, 0, sizeof of_group.local);
    of_group.whole = l;
    of_group.args = args;
    of_group.nargs = k->group->nargs;
    of_group.open =
        LAUNCH_OPEN_NOWHERE; /* the same groups run; sel_integers_are_safe() tells of another kernel */
    of_group.reorders = false;
    good = ids_fit(k->group, &of_group, v) && sel_undef_unreachable(&x, v) &&
           nothing_aliased(k->group, &of_group, true, v) && sel_disjoint(k->group, &of_group, v) &&
           (!l->ends_loops || sel_within_loop_limit(&x, v));
    sel_look_end(&x);
    free(args);
    return good;
}

void sel_judge(const struct kernel_summary *k, const struct launch *l, struct sel_proof *out)
{
    memset(out, 0, sizeof *out);
    bool size = judge_size(k, l, &out->size);
    for (unsigned d = 0; d < 3; d++) {
        if (!from_fact(k, (enum sum_fact)(SUM_FACT_O0 + d), &out->slice[d]))
            continue;
        if (!size)
            out->slice[d] = out->size;
    }
    if (from_fact(k, SUM_FACT_I, &out->idempotent) && arguments_known(k, l, &out->idempotent))
        nothing_aliased(k, l, false, &out->idempotent);
    if (k->has_atomics)
        from_fact(k, SUM_FACT_A, &out->order_free);
    else
        prove(&out->order_free);
    from_fact(k, SUM_FACT_U, &out->uniform);
    if (size)
        out->groups = out->size;
    else
        judge_groups(k, l, &out->groups);
}
