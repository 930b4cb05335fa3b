/* flags.c - see ir.h: the nsw and nuw flags of integer arithmetic, and those that relax floating point.
 *
 * LLVM-C before 17 has no functions for them, so they are read from the printed function, whose lines are in
 * the order of the instructions.  Each kernel is printed once, as a whole: printing instructions one by one
 * would take quadratic time. */
#include "analysis/lower/ir.h"
#include "analysis/summary/summary.h"

#include <string.h>
#include <llvm-c/Core.h>

static bool wraps_are_flagged(LLVMOpcode op)
{
    return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMOr;
}

/* Behind the name of a printed line's result, if it has one: a quoted one may hold anything but quotes. */
static const char *behind_name(const char *line, size_t n)
{
    const char *close = n > 4 && !memcmp(line, "  %\"", 4) ? memchr(line + 4, '"', n - 4) : NULL;

    return close ? close + 1 : line;
}

/* The flags on a printed line `  %x = add nuw nsw i32 ...`; false when it is no such line.  What LLVM 18 and
 * later know to have no bits in common (`or disjoint`) does not wrap as a sum. */
static bool line_flags(const char *line, size_t n, uint8_t *flags)
{
    static const char *const ops[] = {" = add ", " = sub ", " = mul ", " = shl ", " = or "};
    const char *from = behind_name(line, n);
    const char *equals =
        n > 2 && line[0] == ' ' && line[2] == '%' ? memchr(from, '=', n - (size_t)(from - line)) : NULL;

    if (!equals)
        return false;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (strncmp(equals - 1, ops[i], strlen(ops[i])))
            continue;
        const char *p = equals - 1 + strlen(ops[i]);
        *flags = strncmp(p, "disjoint ", 9) ? 0 : SUM_F_NSW | SUM_F_APART;
        if (!strncmp(p, "nuw ", 4)) {
            *flags |= SUM_F_NUW;
            p += 4;
        }
        if (!strncmp(p, "nsw ", 4))
            *flags |= SUM_F_NSW;
        return true;
    }
    return false;
}

/* May the operation on a printed line be rearranged, rounded otherwise, or put together with one of another
 * statement?  Build options are not all that says so: pragmas do, too (clang's fp and float_control).  What
 * the language lets compilers contract is a call of llvm.fmuladd, and which product goes into it is settled.
 * Names have a % or @ before them. */
static bool line_is_relaxed(const char *line, size_t n)
{
    static const char *const words[] = {" fast ", " reassoc ", " arcp ", " afn ", " contract "};
    const char *from = behind_name(line, n), *text;

    if (line[0] != ' ')
        return false;
    n -= (size_t)(from - line);
    text = memchr(from, '"', n);
    n = text ? (size_t)(text - from) : n; /* inline assembly may say anything */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(from, n, words[i], strlen(words[i])))
            return true;
    return false;
}

/* Next arithmetic line at or after *at; its flags, and *at behind it.  *relaxed: set by a line before. */
static bool next_line(const char **at, uint8_t *flags, bool *relaxed)
{
    while (**at) {
        const char *line = *at;
        const size_t n = strcspn(line, "\n");
        *at += n + (line[n] == '\n');
        *relaxed |= line_is_relaxed(line, n);
        if (line_flags(line, n, flags))
            return true;
    }
    return false;
}

bool flags_read(LLVMValueRef f, struct table **wraps)
{
    char *text = LLVMPrintValueToString(f);
    const char *at = text;
    bool relaxed = false;
    uint8_t flags;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!wraps_are_flagged(LLVMGetInstructionOpcode(i)))
                continue;
            table_put(wraps, i, next_line(&at, &flags, &relaxed) ? flags : 0);
        }
    while (next_line(&at, &flags, &relaxed))
        ;
    LLVMDisposeMessage(text);
    return relaxed;
}
