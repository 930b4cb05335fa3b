/* clang_args.c - see clang_args.h. */
#include "analysis/source/clang_args.h"
#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the driver takes without -cl-std, as CL_DEVICE_OPENCL_C_VERSION has it, or by a quirk. */
unsigned clang_default_std(const struct req *r)
{
    unsigned major = 1, minor = 2;

    if (drv_device_has(r->device, DRV_DEFAULTS_TO_3) && strstr(r->device, "|OpenCL 3."))
        return 300;
    if (sscanf(r->clversion, "OpenCL C %u.%u", &major, &minor) != 2 || major > 1 || minor > 2)
        return 120;
    return 100 + minor * 10;
}

/* Extensions and features that clang wants to see together or not at all. */
static const struct {
    const char *extension, *feature;
} twins[] = {{"cl_khr_fp64", "__opencl_c_fp64"},
             {"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"},
             {"cl_khr_subgroups", "__opencl_c_subgroups"}};

/* Adds `words` to clang's list of extensions, and as macros: clang does not know every vendor's. */
static void add_extensions(struct args *a, char **list, const char *words)
{
    char *copy = must(strdup(words)), *save = NULL, *longer;

    for (char *w = strtok_r(copy, " \t\n", &save); w; w = strtok_r(NULL, " \t\n", &save)) {
        if (strspn(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(w))
            continue;
        longer = must_print("%s,+%s", *list, w);
        free(*list);
        *list = longer;
        args_addf(a, "-D%s=1", w);
    }
    free(copy);
}

static void extension_arguments(struct args *a, const struct req *r, unsigned std)
{
    char *list = strdup("-cl-ext=-all");
    const char *features = *r->features ? r->features : FEATURES_ASSUMED;

    add_extensions(a, &list, r->extensions);
    if (std >= 300) {
        add_extensions(a, &list, features);
        for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
            if (words_have(features, twins[i].feature) && !words_have(r->extensions, twins[i].extension))
                add_extensions(a, &list, twins[i].extension);
            if (!words_have(features, twins[i].feature) && words_have(r->extensions, twins[i].extension))
                add_extensions(a, &list, twins[i].feature);
        }
    }
    args_add(a, "-Xclang");
    args_add(a, list);
    free(list);
}

unsigned clang_device_version(const struct req *r)
{
    const char *p = strrchr(r->device, '|');
    unsigned major, minor;

    return p && sscanf(p, "|OpenCL %u.%u", &major, &minor) == 2 ? major * 100 + minor * 10 : 0;
}

static void device_macros(struct args *a, const struct req *r)
{
    unsigned version = clang_device_version(r);

    args_add(a, "-U__SPIR__"); /* clang's header defines every extension for SPIR */
    if (drv_device_has(r->device, DRV_NO_SPIR_MACROS))
        args_add_words(a, "-U__SPIR32__ -U__SPIR64__");
    if (version)
        args_addf(a, "-D__OPENCL_VERSION__=%u", version);
    if (!r->images)
        args_add(a, "-U__IMAGE_SUPPORT__");
    if (!strcmp(r->profile, "EMBEDDED_PROFILE"))
        args_add(a, "-D__EMBEDDED_PROFILE__=1");
}

struct args clang_arguments(const struct req *r, const struct buildopts *o, const struct args *headers,
                            unsigned std, bool strict)
{
    struct args a = {0};

    args_add(&a, CLSIZER_CLANG);
    args_add_words(&a, "-xcl -target");
    args_add(&a, r->bits == 32 ? "spir-unknown-unknown" : "spir64-unknown-unknown");
    args_addf(&a, "-cl-std=CL%u.%u", std / 100, std / 10 % 10);
    /* drivers do not start clang in the way that defines __GNUC__ */
    args_add_words(&a, "-nostdlibinc -fgnuc-version=0 -w");
    if (strict) {
        extension_arguments(&a, r, std);
        device_macros(&a, r);
    }
    args_add_all(&a, headers);
    args_add_all(&a, &o->clang);
    return a;
}

void clang_emit_arguments(struct args *a, bool named)
{
    args_add_words(a, "-Xclang -fdeclare-opencl-builtins -Xclang -finclude-default-header -O1 -Xclang "
                      "-disable-llvm-passes -gline-tables-only -cl-kernel-arg-info -emit-llvm -c -o - -");
    if (named)
        args_add(a, "-fno-discard-value-names");
}
