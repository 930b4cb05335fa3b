/* spelling.c - strings, names, types and constants of the text. */
#include "analysis/rewrite/impl.h"
#include "analysis/summary/words.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct string {
    struct string *next;
    char *text;
};

const char *spell(struct rewrite *r, const char *format, ...)
{
    struct string *s = must_calloc(1, sizeof *s);
    va_list ap;

    va_start(ap, format);
    s->text = must_vprint(format, ap);
    va_end(ap);
    s->next = r->strings;
    r->strings = s;
    return s->text;
}

void free_strings(struct rewrite *r)
{
    free(r->names);
    free(r->argument);
    free(r->type);
    for (struct string *s = r->strings, *next; s; s = next) {
        next = s->next;
        free(s->text);
        free(s);
    }
    r->strings = NULL;
}

void refuse(struct rewrite *r, const char *reason, const char *detail)
{
    if (!r->why)
        r->why = must_print("%s: %s", reason, detail);
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* What would be hidden, or is not allowed. */
static const char taken[] =
    "all any as auto bool break case char const constant continue default do double else end enum "
    "extern first float for global goto half id if image inline int kernel last local local_first long min "
    "private read_only register restrict return select short signed sizeof static struct switch typedef "
    "uchar uint ulong union unsigned ushort void volatile while write_only";

/* How functions begin that the text calls, whether the program does or not. */
static const char functions[] = "as_ convert_ get_ isless isordered isunordered vload vstore";

/* Is it the name of a function that the program calls, and that the text may, too?  LLVM names the 24th
 * product of a kernel mul24. */
static bool is_called(const struct rewrite *r, const char *name)
{
    struct bi bi;

    for (LLVMValueRef f = LLVMGetFirstFunction(LLVMGetGlobalParent(r->function)); f;
         f = LLVMGetNextFunction(f)) {
        bi_decode(ir_name(f), &bi);
        if (LLVMIsDeclaration(f) && !strcmp(bi.name, name))
            return true;
    }
    return false;
}

static bool in_use(const struct rewrite *r, const char *name)
{
    if (words_have(taken, name))
        return true;
    for (uint32_t i = 0; i < r->nnames; i++)
        if (!strcmp(r->names[i], name))
            return true;
    return is_called(r, name);
}

const char *new_name(struct rewrite *r, const char *wish)
{
    char clean[48];
    size_t n = 0;

    for (; *wish && (isalnum((unsigned char)*wish) || *wish == '_') && n < sizeof clean - 1; wish++)
        clean[n++] = *wish;
    clean[n] = 0;
    if (!n || isdigit((unsigned char)*clean) || *clean == '_' || words_start(functions, clean))
        strcpy(clean, "t");
    const char *name = in_use(r, clean) ? NULL : spell(r, "%s", clean);
    for (unsigned i = 1; !name; i++) {
        const char *other = spell(r, "%s_%u", clean, i);
        name = in_use(r, other) ? NULL : other;
    }
    r->names = must(realloc(r->names, (r->nnames + 1) * sizeof *r->names));
    return r->names[r->nnames++] = name;
}

/* ---- types ------------------------------------------------------------------------------------------- */

unsigned int_bits(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

bool is_truth(LLVMTypeRef t)
{
    return int_bits(t) == 1;
}

bool is_number(LLVMTypeRef t)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(t);
    const unsigned bits = int_bits(t);

    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || bits == 8 || bits == 16 || bits == 32 ||
           bits == 64;
}

const char *type_name(struct rewrite *r, LLVMTypeRef t, bool unsign, unsigned lanes)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(t);
    const unsigned bits = int_bits(t);
    const char *name = kind == LLVMFloatTypeKind    ? "float"
                       : kind == LLVMDoubleTypeKind ? "double"
                       : bits == 1                  ? (lanes > 1 ? "int" : "bool")
                       : bits == 8                  ? "char"
                       : bits == 16                 ? "short"
                       : bits == 32                 ? "int"
                                                    : "long";

    if (bits != 1 && !is_number(t))
        refuse(r, "type", "a value that is no number");
    if (lanes > 1)
        return spell(r, "%s%s%u", unsign && bits > 1 ? "u" : "", name, lanes);
    return spell(r, "%s%s", unsign && bits > 1 ? "u" : "", name);
}

/* ---- constants --------------------------------------------------------------------------------------- */

static const char *int_text(struct rewrite *r, LLVMValueRef c, unsigned bits, bool unsign)
{
    const long long s = LLVMConstIntGetSExtValue(c);
    const unsigned long long u = LLVMConstIntGetZExtValue(c);

    if (bits == 1)
        return u ? "true" : "false";
    if (unsign)
        return spell(r, "%llu%s", u, bits == 64 ? "ul" : "u");
    if (s == INT64_MIN || (bits == 32 && s == INT32_MIN))
        return bits == 64 ? "LONG_MIN" : "INT_MIN";
    return spell(r, "%lld%s", s, bits == 64 ? "l" : "");
}

/* As short as it can be read back. */
static const char *real_text(struct rewrite *r, LLVMValueRef c, bool is_double)
{
    LLVMBool loses;
    const double d = LLVMConstRealGetDouble(c, &loses);
    const char *text = NULL;

    if (!isfinite(d) || (is_double && r->single)) {
        const float f = (float)d;
        uint64_t bits64;
        uint32_t bits32;
        memcpy(&bits64, &d, sizeof d);
        memcpy(&bits32, &f, sizeof f);
        return is_double ? spell(r, "as_double(0x%llxul)", (unsigned long long)bits64)
                         : spell(r, "as_float(0x%xu)", bits32);
    }
    for (int digits = 1; digits <= 17; digits++) {
        text = spell(r, "%.*g", digits, d);
        if (is_double ? strtod(text, NULL) == d : strtof(text, NULL) == (float)d)
            break;
    }
    return spell(r, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", is_double ? "" : "f");
}

const char *constant_text(struct rewrite *r, LLVMValueRef c, bool unsign)
{
    LLVMTypeRef t = LLVMTypeOf(c);

    if (LLVMIsAConstantInt(c) && int_bits(t) <= 64)
        return int_text(r, c, int_bits(t), unsign);
    if (LLVMIsAConstantFP(c) && is_number(t))
        return real_text(r, c, LLVMGetTypeKind(t) == LLVMDoubleTypeKind);
    if (LLVMIsUndef(c) && is_number(t))
        return "0";
    refuse(r, "constant", "one that is no number");
    return "0";
}

/* ---- functions ---------------------------------------------------------------------------------------- */

const char *kernel_name(struct rewrite *r)
{
    return ir_name(r->function);
}

bool is_made_up(LLVMValueRef call)
{
    return word_starts(ir_callee(call), MADE_UP);
}

struct bi called(LLVMValueRef v)
{
    struct bi bi = {.kind = BI_UNKNOWN};

    if (*ir_callee(v))
        bi_decode(ir_callee(v), &bi);
    return bi;
}

bool is_work_item(LLVMValueRef v)
{
    return called(v).kind == BI_WI;
}

bool is_barrier(LLVMValueRef v)
{
    const struct bi bi = called(v);

    return bi.kind == BI_BARRIER && words_have("barrier work_group_barrier", bi.name) &&
           LLVMGetNumArgOperands(v) == 1 && LLVMIsAConstantInt(LLVMGetOperand(v, 0)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) <= 3;
}
