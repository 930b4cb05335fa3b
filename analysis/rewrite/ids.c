/* ids.c - the id of a group times its size plus the id in it is the global id, without the offset.
 *
 * So programs ported from CUDA compute it. Groups are of one size wherever this kernel is used (fact S), so
 * it holds for all that fits the variables; what does not is excluded by `id_bits`. */
#include "analysis/rewrite/impl.h"

#define ID_BITS "clsizer-id-bits"
#define DEPTH   8 /* of GROUP * SIZE + LOCAL, each converted twice, and to spare */

struct part {
    enum { OTHER, GROUP, SIZE, LOCAL, GROUPS, START, ID, EXTENT } kind; /* START: GROUP * SIZE */
    uint64_t dimension;
    unsigned bits; /* it fits so many, one of which may be read as the sign */
};

static const struct part other = {.kind = OTHER};

static struct part narrower(struct part a, struct part b)
{
    a.bits = a.bits < b.bits ? a.bits : b.bits;
    return a;
}

static struct part product(struct part a, struct part b)
{
    if (a.kind == SIZE) {
        const struct part swap = a;
        a = b;
        b = swap;
    }
    if (b.kind != SIZE || a.dimension != b.dimension || (a.kind != GROUP && a.kind != GROUPS))
        return other;
    a = narrower(a, b);
    a.kind = a.kind == GROUP ? START : EXTENT;
    return a;
}

static struct part sum(struct part a, struct part b)
{
    if (a.dimension != b.dimension ||
        !((a.kind == START && b.kind == LOCAL) || (a.kind == LOCAL && b.kind == START)))
        return other;
    a = narrower(a, b);
    a.kind = ID;
    return a;
}

static struct part part_of(LLVMValueRef v, unsigned depth);

static struct part part_of_call(LLVMValueRef call, unsigned depth)
{
    static const uint8_t kinds[] = {[SUM_WI_GROUP_ID] = GROUP,
                                    [SUM_WI_LOCAL_SIZE] = SIZE,
                                    [SUM_WI_LOCAL_ID] = LOCAL,
                                    [SUM_WI_NUM_GROUPS] = GROUPS};
    const struct bi bi = called(call);

    if (bi.kind == BI_MAD24) {
        struct part p =
            sum(product(part_of(LLVMGetOperand(call, 0), depth), part_of(LLVMGetOperand(call, 1), depth)),
                part_of(LLVMGetOperand(call, 2), depth));
        p.bits = p.bits < 24 ? p.bits : 24;
        return p;
    }
    if (bi.kind != BI_WI || bi.sub >= sizeof kinds || !LLVMGetNumArgOperands(call) ||
        !LLVMIsAConstantInt(LLVMGetOperand(call, 0)))
        return other;
    return (struct part){kinds[bi.sub], LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)), 64};
}

/* `depth`: of so many operations.  What is computed from one value twice, again and again, would be gone
 * through in all ways that lead there. */
static struct part part_of(LLVMValueRef v, unsigned depth)
{
    struct part p = other;

    if (!LLVMIsAInstruction(v) || !depth--)
        return other;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMTrunc:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMFreeze:
        p = part_of(LLVMGetOperand(v, 0), depth);
        break;
    case LLVMMul:
        p = product(part_of(LLVMGetOperand(v, 0), depth), part_of(LLVMGetOperand(v, 1), depth));
        break;
    case LLVMAdd:
        p = sum(part_of(LLVMGetOperand(v, 0), depth), part_of(LLVMGetOperand(v, 1), depth));
        break;
    case LLVMCall:
        p = part_of_call(v, depth);
        break;
    default:
        break;
    }
    const unsigned bits = int_bits(LLVMTypeOf(v));
    p.bits = p.bits < bits ? p.bits : bits;
    return p;
}

/* ---- what takes its place ---------------------------------------------------------------------------- */

unsigned ids_bits(LLVMValueRef f)
{
    return (unsigned)ir_noted(f, ID_BITS, 64);
}

static void replace(LLVMModuleRef m, LLVMBuilderRef b, LLVMValueRef v, const void *nothing)
{
    const struct part p = LLVMIsACastInst(v) ? other : part_of(v, DEPTH);
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(v)), by;
    size_t n;
    const char *name = LLVMGetValueName2(v, &n);

    (void)nothing;
    if (p.kind != ID && p.kind != EXTENT)
        return;
    by = ir_work_item(m, b, p.kind == ID ? "_Z13get_global_idj" : "_Z15get_global_sizej", p.dimension);
    if (p.kind == ID)
        by = LLVMBuildSub(b, by, ir_work_item(m, b, "_Z17get_global_offsetj", p.dimension), "");
    if (int_bits(LLVMTypeOf(v)) < 64)
        by = LLVMBuildTrunc(b, by, LLVMTypeOf(v), "");
    if (p.bits < 64 && p.bits - 1 < ids_bits(f))
        ir_note(f, ID_BITS, p.bits - 1);
    LLVMSetValueName2(by, name, n);
    LLVMReplaceAllUsesWith(v, by);
    LLVMInstructionEraseFromParent(v);
}

void find_ids(LLVMModuleRef m)
{
    ir_each(m, replace, NULL);
}
