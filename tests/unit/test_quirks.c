/* test_quirks.c - drivers are recognised by what they tell of themselves
 * (analysis/summary/driver_quirks.def). */
#include "run_suite.h"
#include "analysis/summary/driver_compiler.h"

static bool has(const char *compiler, const char *version, enum drv_quirk q)
{
    return drv_has(&(struct driver){.compiler = compiler, .version = version}, q);
}

#define POCL  "pthread-haswell|GenuineIntel|OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu-haswell"
#define BASIC "basic-haswell|GenuineIntel|OpenCL 3.0 PoCL HSTR: basic-x86_64-pc-linux-gnu-haswell"
#define LATER "cpu-minimal-haswell|GenuineIntel|OpenCL 3.0 PoCL HSTR: cpu"
#define INTEL "AMD EPYC|Intel(R) Corporation|OpenCL 3.0 (Build 0)"
#define OTHER "Some PoCL-like thing|Vendor|OpenCL 3.0 Mesa"

TEST(drivers_are_told_apart)
{
    ck_assert(has(POCL, "3.1+debian", DRV_CONFUSES_LAUNCHES));
    ck_assert(!has(POCL, "3.1", DRV_RUNS_IN_CALLERS));
    ck_assert(has(BASIC, "3.1", DRV_RUNS_IN_CALLERS));
    ck_assert(has(LATER, "7.1", DRV_RUNS_IN_CALLERS));
    ck_assert(has("Oclgrind Simulator|Oclgrind|OpenCL 1.2 (Oclgrind 21.10)", "Oclgrind 21.10",
                  DRV_FORGETS_CALLBACKS));
    ck_assert(has("llvmpipe (LLVM 15.0.6)|Mesa/X.org|OpenCL 3.0 ", "22.3.6", DRV_SAME_VECTORS));
    for (int q = 0; q < DRV_QUIRKS; q++)
        ck_assert(!has(OTHER, "1", (enum drv_quirk)q));
}

TEST(versions_are_told_apart)
{
    ck_assert(has(POCL, "3.1", DRV_WIDENS_OVERFLOWS));
    ck_assert(!has(POCL, "7.1", DRV_WIDENS_OVERFLOWS));
    ck_assert(
        !has(POCL, "", DRV_WIDENS_OVERFLOWS)); /* not told: what holds of some versions only does not count */
    ck_assert(has(INTEL, "2024.17", DRV_SIZE_CLASSES));
    ck_assert(!has(INTEL, "2024.17", DRV_SAME_IN_CLASS));
    ck_assert(has(INTEL, "2026.22", DRV_SAME_IN_CLASS));
    ck_assert(!has(INTEL, "", DRV_SAME_IN_CLASS));
}

TEST(the_named_drivers_are_recognised)
{
    ck_assert(drv_has(drv_find("pocl"), DRV_LOSES_ROUNDS));
    ck_assert(drv_has(drv_find("mesa"), DRV_EVEN_GROUPS));
    ck_assert(drv_has(drv_find("mesa"), DRV_SELECTS_WRONG));
    ck_assert(drv_has(drv_find("mesa"), DRV_ENDS_LOOPS));
    ck_assert(drv_has(drv_find("mesa"), DRV_LOSES_QUOTIENTS));
    ck_assert(drv_has(drv_find("oclgrind"), DRV_SAME_VECTORS));
    ck_assert(drv_has(drv_find("intel-cpu"), DRV_SAME_IN_CLASS));
    ck_assert(drv_has(drv_find("nvidia"), DRV_KEEPS_INCLUDED));
    ck_assert_ptr_null(drv_find("nobody"));
}

TEST(compilers_that_are_named)
{
    ck_assert_str_eq(drv_names_compiler(POCL), "PoCL HSTR: pthread-x86_64-pc-linux-gnu-haswell");
    ck_assert_str_eq(drv_names_compiler("llvmpipe|Mesa/X.org|OpenCL 3.0 "), "|Mesa/X.org|OpenCL 3.0 ");
    ck_assert_str_eq(drv_names_compiler(INTEL), "|Intel(R) Corporation|OpenCL 3.0 (Build 0)");
    ck_assert_ptr_null(drv_names_compiler(OTHER));
}

TEST(variables_that_stay_with_the_program)
{
    ck_assert(drv_is_not_inherited("POCL_TRACING=text"));
    ck_assert(drv_is_not_inherited("OCLGRIND_BUILD_OPTIONS=-w"));
    ck_assert(!drv_is_not_inherited("POCL_TRACING_FILTER=x"));
    ck_assert(!drv_is_not_inherited("AMD_OCL_LINK_OPTIONS=-w"));
    ck_assert(!drv_is_not_inherited("PATH=/bin"));
    ck_assert(drv_may_be_variable("AMD_OCL_LINK_OPTIONS=-w"));
    ck_assert(!drv_may_be_variable("POCL_TRACING=text")); /* no build options */
}

TEST(other_code_may_round_otherwise)
{
    struct sum_insn insns[2] = {{.op = SUM_PURE, .cls = SUM_C_FMUL}, {.op = SUM_PURE, .cls = SUM_C_IADD}};
    struct kernel_summary k = {.insns = insns, .ninsn = 2};
    const char *detail;

    ck_assert_ptr_null(drv_rewriting_problem(&k, drv_find("nvidia"), false, &detail));
    insns[1].cls = SUM_C_FADD; /* with the product it may become one instruction */
    ck_assert_str_eq(drv_rewriting_problem(&k, drv_find("nvidia"), false, &detail), "driver-rounds");
    ck_assert_ptr_null(drv_rewriting_problem(&k, drv_find("pocl"), false, &detail));
    ck_assert_ptr_null(drv_compiler_problem(&k, drv_find("nvidia"), false, false, &detail));
}

/* Under such options a single comparison, or fmin(), differs between sizes (PoCL), and x * 1 is x or flushed
 * to 0 as the compiler knows the factor or not. */
TEST(options_that_leave_special_values_open)
{
    struct sum_insn insns[2] = {{.op = SUM_PURE, .cls = SUM_C_FADD}, {.op = SUM_RET}};
    struct sum_block block = {0, 2};
    struct kernel_summary k = {.insns = insns, .ninsn = 2, .blocks = &block, .nblock = 1, .loose_math = true};
    const struct driver *pocl = drv_find("pocl");
    const char *detail;

    ck_assert_str_eq(drv_rewriting_problem(&k, pocl, true, &detail), "relaxed-math");
    ck_assert_str_eq(drv_rewriting_problem(&k, drv_find("mesa"), true, &detail), "relaxed-math");
    ck_assert_str_eq(drv_compiler_problem(&k, pocl, false, false, &detail), "relaxed-math");
    ck_assert_ptr_null(drv_compiler_problem(&k, pocl, false, true, &detail));
    ck_assert_ptr_null(drv_compiler_problem(&k, drv_find("nvidia"), false, false, &detail));
    ck_assert_ptr_null(drv_compiler_problem(&k, drv_find("intel-cpu"), false, false, &detail));
    insns[0].cls = SUM_C_IADD;
    ck_assert_ptr_null(drv_rewriting_problem(&k, pocl, true, &detail));
    ck_assert_ptr_null(drv_compiler_problem(&k, pocl, false, false, &detail));
    insns[0] = (struct sum_insn){.op = SUM_PURE, .cls = SUM_C_FMUL};
    k.loose_math = false;
    k.relaxed_math = true; /* the variant "fixed", too */
    ck_assert_str_eq(drv_rewriting_problem(&k, pocl, true, &detail), "relaxed-math");
}

TEST(other_code_on_a_driver_with_classes)
{
    struct sum_insn insns[4] = {{.op = SUM_PURE, .cls = SUM_C_FADD, .flags = SUM_F_FLOAT},
                                {.op = SUM_PURE, .cls = SUM_C_FDIV},
                                {.op = SUM_ADD},
                                {.op = SUM_RET}};
    struct sum_block block = {0, 4};
    struct kernel_summary k = {.insns = insns, .ninsn = 4, .blocks = &block, .nblock = 1};
    const struct driver *intel = drv_find("intel-cpu");
    uint32_t opnds[1] = {0};
    const char *detail;

    ck_assert_ptr_null(drv_rewriting_problem(&k, intel, false, &detail));
    insns[1].flags = SUM_F_INEXACT;
    ck_assert_str_eq(drv_rewriting_problem(&k, intel, true, &detail), "driver-rounds");
    insns[1] = (struct sum_insn){.op = SUM_ADD};
    insns[3] = (struct sum_insn){.op = SUM_BR, .nopnd = 1}; /* back: a loop */
    k.opnds = opnds;
    ck_assert(drv_needs_vectors(&k, intel));
    ck_assert(!drv_needs_vectors(&k, drv_find("pocl")));
    ck_assert_str_eq(drv_rewriting_problem(&k, intel, false, &detail), "driver-rounds");
    ck_assert_ptr_null(drv_rewriting_problem(&k, intel, true, &detail));
    insns[0].flags = 0; /* a comparison */
    ck_assert_ptr_null(drv_rewriting_problem(&k, intel, false, &detail));
    insns[0] = (struct sum_insn){.op = SUM_PURE, .cls = SUM_C_FDIV, .flags = SUM_F_FLOAT};
    ck_assert_str_eq(drv_rewriting_problem(&k, intel, false, &detail), "driver-rounds");
}

/* Of a CPU of which nothing is known, sums in loops are refused, comparisons are not. */
TEST(loops_on_an_unknown_driver)
{
    struct sum_insn insns[2] = {{.op = SUM_PURE, .cls = SUM_C_FADD, .flags = SUM_F_FLOAT},
                                {.op = SUM_BR, .nopnd = 1}};
    struct sum_block block = {0, 2};
    uint32_t opnds[1] = {0};
    struct kernel_summary k = {.insns = insns, .ninsn = 2, .blocks = &block, .nblock = 1, .opnds = opnds};
    const struct driver other = {.compiler = OTHER, .version = "1", .is_cpu = true};
    const char *detail;

    ck_assert_str_eq(drv_compiler_problem(&k, &other, false, false, &detail), "driver-rounds");
    insns[0].flags = 0;
    ck_assert_ptr_null(drv_compiler_problem(&k, &other, false, false, &detail));
}

int main(void)
{
    return run_tests("quirks", NULL, NULL);
}
