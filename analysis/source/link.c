/* link.c - links LLVM modules: see bitcode.h. */
#include "analysis/source/bitcode.h"
#include "analysis/lower/ir.h"
#include "analysis/prove/must.h"

#include <stdlib.h>
#include <string.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <llvm/Config/llvm-config.h>

/* The first error of the context; without a handler LLVM would end the process. */
static void note_error(LLVMDiagnosticInfoRef info, void *first)
{
    char **text = first, *description;

    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || *text)
        return;
    description = LLVMGetDiagInfoDescription(info);
    *text = strdup(description);
    LLVMDisposeMessage(description);
}

static void write_module(LLVMModuleRef m, struct bitcode *out)
{
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(m);

    out->size = LLVMGetBufferSize(buffer);
    out->data = must(malloc(out->size));
    memcpy(out->data, LLVMGetBufferStart(buffer), out->size);
    LLVMDisposeMemoryBuffer(buffer);
}

char *link_bitcode(const struct bitcode *parts, unsigned n, struct bitcode *out)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef whole, part;
    char *detail = NULL, *error = NULL;
    const char *reason = "analysis-failed";

    LLVMContextSetDiagnosticHandler(context, note_error, &detail);
#if LLVM_VERSION_MAJOR < 17 /* later ones know no other pointers */
    LLVMContextSetOpaquePointers(context, 1);
#endif
    whole = ir_parse(context, parts[0].data, parts[0].size);
    for (unsigned i = 1; i < n && whole && !detail; i++) {
        part = ir_parse(context, parts[i].data, parts[i].size);
        if (!part) {
            LLVMDisposeModule(whole);
            whole = NULL;
        } else if (LLVMLinkModules2(whole, part)) {
            reason = "does-not-link";
            if (!detail)
                detail = strdup("LLVM cannot link the units");
        }
    }
    if (!detail && !whole)
        detail = strdup("a unit is not bitcode of this LLVM version");
    if (!detail)
        write_module(whole, out);
    else
        error = must_print("%s: %.200s", reason, detail);
    free(detail);
    if (whole)
        LLVMDisposeModule(whole);
    LLVMContextDispose(context);
    return error;
}
