/* ir.c - see ir.h. */
#include "analysis/lower/ir.h"
#include "analysis/prove/must.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/BitReader.h>

LLVMModuleRef ir_parse(LLVMContextRef context, const char *bitcode, size_t size)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(bitcode, size, "part", 0);
    LLVMModuleRef m = NULL;

    if (LLVMParseBitcodeInContext2(context, buffer, &m))
        m = NULL;
    LLVMDisposeMemoryBuffer(buffer);
    return m;
}

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

LLVMAttributeRef ir_attribute(LLVMValueRef f, LLVMAttributeIndex of, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(f, of, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

void ir_note(LLVMValueRef f, const char *name, uint64_t n)
{
    char text[24];
    const int size = snprintf(text, sizeof text, "%" PRIu64, n);

    LLVMAddAttributeAtIndex(f, IR_FUNCTION,
                            LLVMCreateStringAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(f)), name,
                                                      (unsigned)strlen(name), text, (unsigned)size));
}

uint64_t ir_noted(LLVMValueRef f, const char *name, uint64_t otherwise)
{
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, IR_FUNCTION, name, (unsigned)strlen(name));

    return a ? strtoull(LLVMGetStringAttributeValue(a, &(unsigned){0}), NULL, 10) : otherwise;
}

struct frame {
    LLVMBasicBlockRef block;
    LLVMValueRef terminator;
    unsigned left; /* successors */
};

static void enter(struct frame *at, LLVMBasicBlockRef b, struct table **seen)
{
    LLVMValueRef t = LLVMGetBasicBlockTerminator(b);

    table_put(seen, b, 1);
    *at = (struct frame){b, t, LLVMGetNumSuccessors(t)};
}

/* Without recursion: kernels can have tens of thousands of blocks. */
LLVMBasicBlockRef *ir_order(LLVMValueRef f, bool backwards, uint32_t *n)
{
    const unsigned max = LLVMCountBasicBlocks(f);
    LLVMBasicBlockRef *order = must_calloc(max, sizeof *order);
    struct frame *stack = must_calloc(max, sizeof *stack);
    struct table *seen = NULL;
    unsigned depth = 0, free_from = max;

    enter(&stack[depth++], LLVMGetEntryBasicBlock(f), &seen);
    while (depth) {
        struct frame *top = &stack[depth - 1];
        if (!top->left) {
            order[--free_from] = top->block;
            depth--;
            continue;
        }
        top->left--;
        const unsigned next = backwards ? top->left : LLVMGetNumSuccessors(top->terminator) - 1 - top->left;
        LLVMBasicBlockRef b = LLVMGetSuccessor(top->terminator, next);
        if (table_get(seen, b) == TABLE_NONE)
            enter(&stack[depth++], b, &seen);
    }
    table_free(&seen);
    free(stack);
    *n = max - free_from;
    memmove(order, order + free_from, *n * sizeof *order);
    return order;
}

LLVMValueRef ir_only_user(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);

    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

void ir_each(LLVMModuleRef m, ir_visitor *visit, const void *context)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));

    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef next, v = LLVMGetFirstInstruction(b); v; v = next) {
                next = LLVMGetNextInstruction(v);
                LLVMPositionBuilderBefore(builder, v);
                visit(m, builder, v, context);
            }
    LLVMDisposeBuilder(builder);
}

LLVMValueRef ir_work_item(LLVMModuleRef m, LLVMBuilderRef b, const char *function, uint64_t dimension)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef parameter = LLVMInt32TypeInContext(c);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt64TypeInContext(c), &parameter, 1, false);
    LLVMValueRef f = LLVMGetNamedFunction(m, function), d = LLVMConstInt(parameter, dimension, false);

    if (!f)
        f = LLVMAddFunction(m, function, type);
    LLVMSetFunctionCallConv(f, LLVMSPIRFUNCCallConv);
    LLVMValueRef call = LLVMBuildCall2(b, type, f, &d, 1, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    return call;
}
