/* parts.h - the parts of a launch's proof beside disjoint.c, and how all of them say why something is not
 * proved.  Internal to select/. */
#pragma once

#include "select/prove/intervals.h"
#include "select/select.h"

#include <stdarg.h>
#include <stdio.h>

/* True iff no work-item of the launch can take one of the edges in k->undef, on which a variable is used
 * without having a value.  False, with *why set, if one might, and also when out of memory. */
bool sel_undef_unreachable(struct sel_look *x, struct sel_verdict *why);

/* True iff no work-item of the launch can make an integer overflow, divide by 0 or shift by the width or more
 * in a way that shows.  False, with *why set, if one might, and also when out of memory.
 *
 * A sum that must not wrap around, and does, is wrapped in one version of a driver's code and computed with
 * more bits in another: which, decides the local size.  No more than its lowest bits are the same.
 *
 * `but`: values that are not asked about; NULL: none. */
bool sel_overflow_hidden(struct sel_look *x, const bool *but, struct sel_verdict *why);

/* May the language leave open what the instruction computes? */
bool sel_may_be_open(const struct sum_insn *in);

/* True iff no work-item of the launch can touch private memory that is outside of the array that the kernel
 * names. False, with *why set (SEL_R_INDEX), if one might, and also when out of memory.  `but`: places that
 * are not asked about; NULL: none. */
bool sel_arrays_suffice(struct sel_look *x, const bool *but, struct sel_verdict *why);

/* Does the instruction touch private memory, and may the launch decide where? */
bool sel_place_is_computed(const struct kernel_summary *k, uint32_t v);

/* Of a driver that gives loops a number of rounds, and ends them then (struct launch, ends_loops): true iff
 * no vector of work-items can come near the limit, however they are put together.  False, with *why set
 * (SEL_R_LOOPS), if one might, if that is not known, and when out of memory.
 *
 * Such a driver counts the rounds of a vector of work-items, all its loops together.  Which work-items make a
 * vector follows from the local size: where they go round differently often, so does what is left undone. */
bool sel_within_loop_limit(struct sel_look *x, struct sel_verdict *why);

/* May a launch on a driver that does not keep the order in which one work-item touches places of an array
 * that lie a few numbers apart (struct launch, reorders) have other local sizes?  `constants`: and its
 * compiler be told the values of arguments?  If not, says why (SEL_R_ORDER).  Pre: where each access lies is
 * proved (sel_disjoint()). */
bool sel_order_kept(const struct kernel_summary *k, const struct launch *l, bool constants,
                    struct sel_verdict *why);

/* What the place of an access is made of that is not followed (SEL_R_SCATTERED), in words. */
const char *sel_unplaced(const struct kernel_summary *k, const struct sum_access *a);

/* False. */
__attribute__((format(printf, 3, 4))) static inline bool
sel_refuse(struct sel_verdict *why, enum sel_reason reason, const char *format, ...)
{
    va_list ap;

    why->proven = false;
    why->reason = reason;
    va_start(ap, format);
    vsnprintf(why->detail, sizeof why->detail, format, ap);
    va_end(ap);
    return false;
}

/* The name of an argument, for "%.24s". */
static inline const char *sel_arg_name(const struct kernel_summary *k, uint32_t arg)
{
    return arg < k->nargs && k->args[arg].name ? k->args[arg].name : "";
}

/* Two arguments that share memory. */
static inline bool sel_refuse_shared(struct sel_verdict *why, const struct kernel_summary *k, uint32_t arg,
                                     uint32_t with)
{
    return sel_refuse(why, SEL_R_ALIASED, "argument %u '%.24s' overlaps argument %u '%.24s'", (unsigned)arg,
                      sel_arg_name(k, arg), (unsigned)with, sel_arg_name(k, with));
}
