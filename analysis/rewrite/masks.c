/* masks.c - functions that the text brings along: vectors of which only some neighbours take part.
 *
 * Those that only the neighbours need who do not agree (NAME_each()) are not to be inlined: with a branch for
 * each neighbour at each access, drivers took up to three times as long to compile a kernel, for a path that
 * few work-items take. */
#include "analysis/rewrite/impl.h"

#include <string.h>

static const char *const types[] = {"char", "uchar", "short", "ushort", "int",
                                    "uint", "long",  "ulong", "float",  "double"};
#define TYPES (sizeof types / sizeof *types)

enum { LOAD, STORE = 3, KINDS = 5 }; /* of the three spaces; to the two that are written */

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

const char *load_helper(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, bool unsign)
{
    const unsigned i = type_index(r, t, unsign);
    const unsigned s = space_index(pointer);

    r->helper[(LOAD + s) * TYPES + i] = true;
    return spell(r, "%s_load_%s%s%u", kernel_name(r), word[s], types[i], r->width);
}

const char *store_helper(struct rewrite *r, LLVMValueRef pointer, LLVMTypeRef t, bool unsign)
{
    const unsigned i = type_index(r, t, unsign), s = space_index(pointer);

    r->helper[(STORE + s) * TYPES + i] = true;
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
                 "    return all(m) ? vload%u(0, p)\n                  : (%s%u)(%s);\n}\n\n",
                 rare, type, n, kernel_name(r), word[s], type, n, space[s], type, n, n, type, n, text);
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
                 "    if (all(m)) {\n        vstore%u(v, 0, p);\n        return;\n    }\n%s}\n\n",
                 rare, kernel_name(r), word[s], type, n, type, n, space[s], type, n, n, text);
}

const char *helpers(struct rewrite *r)
{
    const char *text = r->results;

    for (unsigned i = 0; i < HELPERS; i++) {
        const char *rare = r->some && !r->hot[i] ? "__attribute__((noinline)) " : "",
                   *type = types[i % TYPES];
        const unsigned kind = i / TYPES;
        if (r->helper[i] || r->hot[i])
            text = spell(r, "%s%s", text,
                         kind >= STORE ? store_text(r, rare, type, kind - STORE)
                                       : load_text(r, rare, type, kind - LOAD));
    }
    return text;
}
