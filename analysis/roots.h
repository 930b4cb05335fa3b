/* roots.h - which objects a pointer may point into; see the glossary of summary.h. */
#ifndef CLSIZER_ANALYSIS_ROOTS_H
#define CLSIZER_ANALYSIS_ROOTS_H

#include "analysis/cfg.h"

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
    struct root *of; /* per value; meaningful where the value is used as an address */
    bool *pointer;   /* per value: an address for sure, made by pointer arithmetic on known objects */
};

/* 0 or -ENOMEM; release with roots_free() whatever the result. */
int roots_build(const struct kernel_summary *k, const struct cfg *c, struct roots *r);
void roots_free(struct roots *r);

/* What memory instruction `v` may touch: the roots of its address, made consistent with the address space
 * that it names (an object of another space means that the pointer was made up). */
struct root roots_touched(const struct kernel_summary *k, const struct roots *r, uint32_t v);

/* Private memory: an alloca, or a by-value argument's copy. */
bool roots_is_private(const struct kernel_summary *k, uint32_t obj);

#endif
