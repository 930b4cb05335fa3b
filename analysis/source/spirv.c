/* spirv.c - programs in SPIR-V, translated by llvm-spirv: see bitcode.h. */
#include "analysis/source/bitcode.h"
#include "analysis/source/child.h"

#include <string.h>
#include <sys/wait.h>

#define OP_DECORATE          71
#define OP_EXECUTION_MODE    331 /* OpExecutionModeId */
#define FP_FAST_MATH_MODE    40  /* decoration */
#define FP_FAST_MATH_DEFAULT 6028

bool spirv_relaxed(const struct req_unit *u)
{
    uint32_t word[3];

    for (size_t at = 5 * sizeof *word, n; at + sizeof word <= u->bytes; at += n * sizeof *word) {
        memcpy(word, u->text + at, sizeof word);
        n = word[0] >> 16;
        if (n == 0)
            return false;
        if (n < 3)
            continue;
        if (((word[0] & 0xffff) == OP_DECORATE && word[2] == FP_FAST_MATH_MODE) ||
            ((word[0] & 0xffff) == OP_EXECUTION_MODE && word[2] == FP_FAST_MATH_DEFAULT))
            return true;
    }
    return false;
}

/* The translator's output has typed pointers before LLVM 17, which linking (a single module, too) makes
 * opaque. */
char *spirv_translate(const struct req_unit *u, struct bitcode *out)
{
#ifdef CLSIZER_SPIRV
    char *argv[] = {CLSIZER_SPIRV,     "-r", "--spirv-target-env=CL2.0", "/proc/self/fd/0", "-o",
                    "/proc/self/fd/1", NULL};
    struct child_run run = child_run(argv, u->text, u->bytes);
    struct bitcode typed = {run.out, run.nout};
    char *error;

    if (run.status == -1 || !run.out || (WIFEXITED(run.status) && WEXITSTATUS(run.status) == 127))
        error = strdup("no-spirv-translator: " CLSIZER_SPIRV " is not there");
    else if (!WIFEXITED(run.status) || WEXITSTATUS(run.status) || !run.nout)
        error = strdup("does-not-translate: " CLSIZER_SPIRV " does not take this SPIR-V");
    else
        error = link_bitcode(&typed, 1, out);
    child_free(&run);
    return error;
#else
    (void)u;
    (void)out;
    return strdup("no-spirv-translator: clsizer-analyze was built without llvm-spirv");
#endif
}
