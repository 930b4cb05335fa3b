/* masks.c - what the text brings along: unaligned vector types, and functions for vectors of which only some
 * neighbours take part.
 *
 * vload and vstore would do for the former.  But drivers take them apart: of one's vload16 became eight loads
 * of two numbers, and a kernel that waits for memory took half as long again as with one load.
 *
 * Those that only the neighbours need who do not agree (NAME_each()) are not to be inlined: with a branch for
 * each neighbour at each access, drivers took up to three times as long to compile a kernel, for a path that
 * few work-items take. */
#include "analysis/rewrite/impl.h"

#include <string.h>

static const char *const types[] = {"char", "uchar", "short", "ushort", "int",
                                    "uint", "long",  "ulong", "float",  "double"};
static const unsigned sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
#define TYPES (sizeof types / sizeof *types)

/* LOAD: of the three spaces; STORE: to the two that are written; TRANSPOSE: rows.c. */
enum { UNALIGNED, LOAD, STORE = 4, TRANSPOSE = 6, KINDS = 7 };

_Static_assert(HELPERS == KINDS * TYPES, "impl.h");

static const char *const space[] = {"global", "local", "constant"}, *const word[] = {"", "local_",
                                                                                     "constant_"};

static unsigned space_index(LLVMValueRef pointer)
{
    const unsigned s = space_of(pointer);

    return s == 3 ? 1 : s == 2 ? 2 : 0;
}

static unsigned type_index(struct rewrite *r, LLVMTypeRef t, bool unsign)
{
    const char *name = type_name(r, t, unsign, 1);
    unsigned i = 0;

    while (i + 1 < TYPES && strcmp(types[i], name))
        i++;
    return i;
}

const char *vector_at(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, bool unsign,
                      const char *qualifier)
{
    const unsigned i = type_index(r, t, unsign);

    r->helper[UNALIGNED * TYPES + i] = true;
    return spell(r, "*(%s %s%s_%s%u *)", space[space_index(pointer)], qualifier, kernel_name(r), types[i],
                 r->width);
}

const char *load_helper(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, bool unsign)
{
    const unsigned i = type_index(r, t, unsign);
    const unsigned s = space_index(pointer);

    r->helper[UNALIGNED * TYPES + i] = r->helper[(LOAD + s) * TYPES + i] = true;
    return spell(r, "%s_load_%s%s%u", kernel_name(r), word[s], types[i], r->width);
}

const char *store_helper(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, bool unsign)
{
    const unsigned i = type_index(r, t, unsign), s = space_index(pointer);

    r->helper[UNALIGNED * TYPES + i] = r->helper[(STORE + s) * TYPES + i] = true;
    return spell(r, "%s_store_%s%s%u", kernel_name(r), word[s], types[i], r->width);
}

static const char *load_text(struct rewrite *r, const char *rare, const char *type, unsigned s)
{
    const unsigned n = r->width;
    const char *text = "";

    for (unsigned i = 0; i < n; i++)
        text = spell(r, "%s%sm.s%x ? p[%u] : 0", text, i ? ", " : "", i, i);
    return spell(r,
                 "/* What lies at p, for the neighbours of mask m. */\n"
                 "%s%s%u %s_load_%s%s%u(%s const %s *p, int%u m)\n{\n"
                 "    return all(m) ? *(%s const %s_%s%u *)p\n                  : (%s%u)(%s);\n}\n\n",
                 rare, type, n, kernel_name(r), word[s], type, n, space[s], type, n, space[s], kernel_name(r),
                 type, n, type, n, text);
}

static const char *store_text(struct rewrite *r, const char *rare, const char *type, unsigned s)
{
    const unsigned n = r->width;
    const char *text = "";

    for (unsigned i = 0; i < n; i++)
        text = spell(r, "%s    if (m.s%x)\n        p[%u] = v.s%x;\n", text, i, i, i);
    return spell(r,
                 "/* Store v at p, of the neighbours of mask m. */\n"
                 "%svoid %s_store_%s%s%u(%s%u v, %s %s *p, int%u m)\n{\n"
                 "    if (all(m)) {\n        *(%s %s_%s%u *)p = v;\n        return;\n    }\n%s}\n\n",
                 rare, kernel_name(r), word[s], type, n, type, n, space[s], type, n, space[s], kernel_name(r),
                 type, n, text);
}

const char *transpose_helper(struct rewrite *r, LLVMTypeRef t, bool unsign)
{
    const unsigned i = type_index(r, t, unsign);

    r->helper[TRANSPOSE * TYPES + i] = true;
    return spell(r, "%s_transpose_%s%u", kernel_name(r), types[i], r->width);
}

static const char *transpose_text(struct rewrite *r, unsigned i)
{
    const char *text = spell(r,
                             "typedef %s%u %s_row_%s%u __attribute__((aligned(%u)));\n\n"
                             "/* What the neighbours have in each round, of what each has in its row. */\n"
                             "void %s_transpose_%s%u(private const %s%u *row, private %s%u *round)\n{\n",
                             types[i], ROUNDS, kernel_name(r), types[i], ROUNDS, sizes[i], kernel_name(r),
                             types[i], r->width, types[i], ROUNDS, types[i], r->width);

    for (unsigned round = 0; round < ROUNDS; round++) {
        text = spell(r, "%s    round[%u] = (%s%u)(", text, round, types[i], r->width);
        for (unsigned lane = 0; lane < r->width; lane++)
            text = spell(r, "%s%srow[%u].s%u", text, lane ? ", " : "", lane, round);
        text = spell(r, "%s);\n", text);
    }
    return spell(r, "%s}\n\n", text);
}

/* Drivers may keep what is needed behind a barrier in memory.  If that is a bit for each neighbour (<16 x
 * i1>), LLVM 15 and 16 (VectorCombine; 21 does not) take bit k for byte k where one neighbour's is asked for.
 * What comes out of a volatile variable are numbers. */
const char *mask_helper(struct rewrite *r)
{
    r->opaque = true;
    return spell(r, "%s_mask%u", kernel_name(r), r->width);
}

static const char *mask_text(struct rewrite *r)
{
    return spell(
        r,
        "/* m, in a variable that hides from compilers that it is a comparison: some lose such a mask at\n"
        " * a barrier. */\n"
        "int%u %s(int%u m)\n{\n    volatile int%u hidden = m;\n\n    return hidden;\n}\n\n",
        r->width, mask_helper(r), r->width, r->width);
}

static const char *unaligned_text(struct rewrite *r, unsigned type)
{
    return spell(r, "typedef %s%u %s_%s%u __attribute__((aligned(%u)));\n\n", types[type], r->width,
                 kernel_name(r), types[type], r->width, sizes[type]);
}

const char *helpers(struct rewrite *r)
{
    const char *text = r->opaque ? spell(r, "%s%s", mask_text(r), r->results) : r->results;

    for (unsigned i = 0; i < HELPERS; i++) {
        const char *rare = r->some && !r->hot[i] ? "__attribute__((noinline)) " : "",
                   *type = types[i % TYPES];
        const unsigned kind = i / TYPES;
        if (r->helper[i] || r->hot[i])
            text = spell(r, "%s%s", text,
                         kind == UNALIGNED   ? unaligned_text(r, i)
                         : kind == TRANSPOSE ? transpose_text(r, i % TYPES)
                         : kind >= STORE     ? store_text(r, rare, type, kind - STORE)
                                             : load_text(r, rare, type, kind - LOAD));
    }
    return text;
}
