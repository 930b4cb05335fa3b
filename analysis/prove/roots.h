/* roots.h - which objects a pointer may point into, its *roots*: arguments, variables and private arrays. */
#pragma once

#include "analysis/prove/must.h"
#include "analysis/summary/cfg.h"

/* An object: kind and index in one word. */
enum root_kind { ROOT_ARG, ROOT_VAR, ROOT_ALLOCA };
#define ROOT_OBJ(kind, index) ((uint32_t)(kind) << 28 | (uint32_t)(index))
#define ROOT_KIND(obj)        ((enum root_kind)((obj) >> 28))
#define ROOT_INDEX(obj)       ((obj)&0xfffffffu) /* argument, variable, or the alloca's value id */

#define ROOT_SET 4
struct root {
    uint8_t n;              /* the pointer may point into any of obj[0..n) ... */
    bool unknown;           /* ... and, if set, anywhere in its address space */
    uint32_t obj[ROOT_SET]; /* ascending */
};

struct roots {
    struct root *of; /* per value; means something only where the value is used as an address */
    bool *pointer;   /* per value: it must be an address, made by pointer arithmetic on known objects */
};

/* Find the roots of all values, which go with the graph. */
void roots_build(const struct kernel_summary *k, struct cfg *c, struct roots *r);

/* What memory instruction `v` may touch: the roots of its address.  If one of them is in another address
 * space than the instruction's, the pointer was made from a number, and may point anywhere. */
struct root roots_touched(const struct kernel_summary *k, const struct roots *r, uint32_t v);

/* Is the object private memory, that is, an alloca or the copy of a by-value argument? */
bool roots_is_private(const struct kernel_summary *k, uint32_t obj);
