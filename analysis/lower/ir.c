/* ir.c - see ir.h. */
#include "analysis/lower/ir.h"
#include "analysis/prove/must.h"

#include <string.h>

LLVMValueRef ir_metadata(LLVMValueRef f, const char *name, unsigned i)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    const unsigned kind = LLVMGetMDKindIDInContext(c, name, (unsigned)strlen(name));
    LLVMValueRef node = NULL, operands[256];
    size_t n;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(f, &n);

    for (unsigned e = 0; e < n && !node; e++)
        if (LLVMValueMetadataEntriesGetKind(entries, e) == kind)
            node = LLVMMetadataAsValue(c, LLVMValueMetadataEntriesGetMetadata(entries, e));
    LLVMDisposeValueMetadataEntries(entries);
    const unsigned count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
    if (i >= count || count > sizeof operands / sizeof *operands)
        return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[i];
}

char *ir_metadata_text(LLVMValueRef f, const char *name, unsigned i)
{
    LLVMValueRef v = ir_metadata(f, name, i);
    unsigned n = 0;
    const char *s = v ? LLVMGetMDString(v, &n) : NULL;

    return must(strndup(s ? s : "", n));
}
