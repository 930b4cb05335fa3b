/* refuse.h - says why something is not proved.  Internal to select/. */
#pragma once

#include "select/select.h"

#include <stdarg.h>
#include <stdio.h>

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
