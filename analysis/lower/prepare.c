/* prepare.c - see prepare.h. */
#include "analysis/lower/prepare.h"
#include "analysis/prove/must.h"
#include "analysis/lower/ir.h"
#include "analysis/summary/summary.h"

#include <string.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>

#define LOST_STORE "clsizer-lost-store" /* of a kernel: it has fewer than before */

/* From LLVM 18 a textual "instcombine" aborts the process unless one iteration reaches a fixpoint. */
#if LLVM_VERSION_MAJOR >= 18
#define INSTCOMBINE "instcombine<no-verify-fixpoint>"
#else
#define INSTCOMBINE "instcombine"
#endif

/* Programs include libraries of which they use little.  Nothing is folded before unset_uses() has looked. */
#define PASSES_VARIABLES "globaldce,function(sroa)"
/* Helpers are simplified before they are copied. */
#define PASSES_BEFORE "function(early-cse,simplifycfg)"
/* Functions were given places to fill: these are variables only now, and unset_uses() looks once more. */
#define PASSES_INLINE "always-inline,function(sroa)"
/* scalarizer: integer vectors (image coordinates, int2 indices) become scalars that can be followed.
 * loop-simplify stands last: simplifycfg would undo its preheaders. */
#define PASSES_AFTER                                                                                         \
    "function(early-cse," INSTCOMBINE ",simplifycfg,scalarizer," INSTCOMBINE ",early-cse,simplifycfg,adce)"
/* Loops that the program asks to unroll are unrolled by every driver; what is left decides whether a CPU
 * driver vectorises across work-items.  clang forbids it for others with -O1 (clang_args.c), and rightly: CPU
 * drivers may leave even a 3x3 filter's loops of constant length (SEEN in driver_quirks.def). */
#define PASSES_LOOPS                                                                                         \
    "function(loop-simplify,loop(loop-unroll-full)," INSTCOMBINE ",early-cse,simplifycfg,adce,loop-"         \
    "simplify)"

bool prepare_is_kernel(LLVMValueRef f)
{
    return LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv;
}

char *prepare_run(LLVMModuleRef m, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(m, passes, NULL, options);
    char *error = NULL;

    LLVMDisposePassBuilderOptions(options);
    if (e) {
        char *text = LLVMGetErrorMessage(e);
        error = must_print("analysis-failed: %s", text);
        LLVMDisposeErrorMessage(text);
    }
    return error;
}

static void drop_attribute(LLVMValueRef f, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(f, IR_FUNCTION, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* Kernels that call kernels come out of SPIR-V with calls of the wrong calling convention, which LLVM takes
 * for impossible: nothing would be left of the caller.  And calls of what is not to be inlined say so, too.
 */
static void mend_calls(LLVMValueRef f)
{
    const unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));

    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);

        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f)
            continue;
        LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f));
        LLVMRemoveCallSiteEnumAttribute(call, IR_FUNCTION, noinline);
    }
}

/* What depends on its arguments alone, as ids do, is the same behind a branch; clang calls it convergent like
 * all else, and LLVM 17 and newer would compute it anew, and load anew what lies there. */
static void mend_pure(LLVMValueRef f)
{
    const unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
    LLVMAttributeRef pure = ir_attribute(f, IR_FUNCTION, IR_PURE);

    if (!pure || LLVMGetEnumAttributeValue(pure))
        return;
    drop_attribute(f, "convergent");
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (LLVMIsACallInst(LLVMGetUser(u)))
            LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(u), IR_FUNCTION, convergent);
}

void prepare_for_inlining(LLVMModuleRef m)
{
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) {
            mend_pure(f);
            continue;
        }
        drop_attribute(f, "noinline");
        drop_attribute(f, "optnone");
        mend_calls(f);
        LLVMAddAttributeAtIndex(f, IR_FUNCTION, LLVMCreateEnumAttribute(LLVMGetModuleContext(m), always, 0));
        LLVMSetLinkage(f, prepare_is_kernel(f) ? LLVMExternalLinkage : LLVMInternalLinkage);
    }
}

static uint64_t one(LLVMValueRef i)
{
    (void)i;
    return 1;
}

static void remember(struct prepare_result *out, LLVMValueRef f)
{
    out->too_large = must_grow(out->too_large, out->ntoo_large, sizeof *out->too_large);
    out->too_large[out->ntoo_large++] = strdup(ir_name(f));
}

void prepare_remove_too_large(LLVMModuleRef m, struct prepare_result *out)
{
    struct calls calls = {.of = one}; /* instructions, with all callees inlined */
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (calls_total(&calls, f) > SUM_MAX_INSN && prepare_is_kernel(f) && out)
            remember(out, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f) && calls_total(&calls, f) > SUM_MAX_INSN) { /* a new one has no total */
            LLVMValueRef unknown = LLVMAddFunction(m, "too-large", LLVMGlobalGetValueType(f));
            LLVMSetFunctionCallConv(unknown, LLVMGetFunctionCallConv(f));
            LLVMReplaceAllUsesWith(f, unknown);
            LLVMDeleteFunction(f);
        }
    }
    table_free(&calls.total);
}

/* A store that others may see; those into its own variables vanish anyway. */
static uint64_t shared_store(LLVMValueRef i)
{
    return LLVMIsAStoreInst(i) && LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 1)));
}

static void note_stores(LLVMModuleRef m, struct calls *stores)
{
    *stores = (struct calls){.of = shared_store};
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (prepare_is_kernel(f))
            calls_total(stores, f);
}

/* Mark the kernels that had more stores before they were simplified. */
static void mark_lost_stores(LLVMModuleRef m, struct calls *stores)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (prepare_is_kernel(f) && !LLVMIsDeclaration(f) && calls_own(stores, f) < calls_total(stores, f))
            ir_note(f, LOST_STORE, 1);
}

bool prepare_lost_store(LLVMValueRef kernel)
{
    return ir_noted(kernel, LOST_STORE, 0);
}

static char *simplify(LLVMModuleRef m, struct prepare_result *out)
{
    char *error = prepare_run(m, PASSES_VARIABLES);

    if (error)
        return error;
    unset_uses(m, false);
    error = prepare_run(m, PASSES_BEFORE);
    if (error)
        return error;
    stack_sum(m);
    prepare_remove_too_large(m, out);
    expand_builtins(m, EXPAND_EARLY);
    error = prepare_run(m, PASSES_INLINE);
    if (error)
        return error;
    unset_uses(m, true);
    return prepare_run(m, PASSES_AFTER);
}

void prepare_module(LLVMModuleRef m, const struct lower_options *options, struct prepare_result *out)
{
    struct calls stores;

    *out = (struct prepare_result){0};
    stack_note(m, options->unoptimised || options->spirv);
    unset_variables(m, options->unoptimised);
    prepare_for_inlining(m);
    note_stores(m, &stores);
    out->error = simplify(m, out);
    mark_lost_stores(m, &stores);
    table_free(&stores.total);
}

char *prepare_loops(LLVMModuleRef m)
{
    return prepare_run(m, PASSES_LOOPS);
}
