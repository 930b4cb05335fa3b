/* builtins.c - the table of OpenCL C built-ins (OpenCL C 3.0 specification, section 6.15) and its look-up. */
#include "analysis/lower/builtins.h"
#include "analysis/summary/summary_names.h"
#include "analysis/summary/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *names; /* blank separated */
    uint8_t kind, sub, cls;
};

static const struct row rows[] = {
    /* 6.15.2 math functions */
    {"acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt cos cosh cospi erfc erf exp "
     "exp2 "
     "exp10 expm1 hypot lgamma log log2 log10 log1p logb pow pown powr rootn sin sinh sinpi tan tanh tanpi "
     "tgamma fmod remainder ilogb ldexp nextafter",
     BI_PURE, 0, SUM_C_SPECIAL},
    {"ceil fabs fdim floor fmax fmin maxmag minmag nan rint round trunc copysign step sign", BI_PURE, 0,
     SUM_C_FADD},
    {"fma mad mix smoothstep cross", BI_PURE, 0, SUM_C_FMA},
    {"degrees radians", BI_PURE, 0, SUM_C_FMUL},
    {"sqrt rsqrt length distance normalize", BI_PURE, 0, SUM_C_SQRT},
    {"native_cos native_divide native_exp native_exp2 native_exp10 native_log native_log2 native_log10 "
     "native_powr native_recip native_rsqrt native_sin native_sqrt native_tan half_cos half_divide half_exp "
     "half_exp2 half_exp10 half_log half_log2 half_log10 half_powr half_recip half_rsqrt half_sin half_sqrt "
     "half_tan fast_length fast_distance fast_normalize",
     BI_PURE, 0, SUM_C_SFU},
    {"fract", BI_OUT, 0, SUM_C_FADD},
    {"modf frexp lgamma_r remquo sincos", BI_OUT, 0, SUM_C_SPECIAL},
    {"dot", BI_DOT, 0, SUM_C_FMA},

    /* 6.15.3 integer, 6.15.6 relational, 6.15.11 vector functions */
    {"abs", BI_ABS, 0, SUM_C_IADD},
    {"min", BI_MIN, 0, SUM_C_IADD},
    {"max", BI_MAX, 0, SUM_C_IADD},
    {"clamp", BI_CLAMP, 0, SUM_C_IADD},
    {"mul24", BI_MUL24, 0, SUM_C_IMUL},
    {"mad24", BI_MAD24, 0, SUM_C_IMUL},
    {"select", BI_SELECT, 0, SUM_C_IADD},
    {"abs_diff add_sat sub_sat hadd rhadd rotate popcount clz ctz upsample bitselect any all shuffle "
     "shuffle2 "
     "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan "
     "isnormal isordered isunordered signbit",
     BI_PURE, 0, SUM_C_IADD},
    {"mad_hi mul_hi mad_sat", BI_PURE, 0, SUM_C_IMUL},

    /* 6.15.7 vector data load and store: the suffixes are stripped by decode_memory() */
    {"vload", BI_VLOAD, BI_PLAIN, SUM_C_MEM},
    {"vstore", BI_VSTORE, BI_PLAIN, SUM_C_MEM},
    {"vload_half", BI_VLOAD, BI_HALF, SUM_C_MEM},
    {"vstore_half", BI_VSTORE, BI_HALF, SUM_C_MEM},
    {"vloada_half", BI_VLOAD, BI_HALF_ALIGNED, SUM_C_MEM},
    {"vstorea_half", BI_VSTORE, BI_HALF_ALIGNED, SUM_C_MEM},

    /* 6.15.8, 6.15.9 synchronisation */
    {"barrier work_group_barrier sub_group_barrier", BI_BARRIER, 0, SUM_C_BARRIER},
    {"mem_fence read_mem_fence write_mem_fence atomic_work_item_fence", BI_FENCE, 0, SUM_C_NONE},
    {"prefetch", BI_IGNORE, 0, SUM_C_NONE},

    /* 6.15.12 atomics; atom_X is spelled atomic_X by decode_plain(), X_explicit is X */
    {"atomic_add atomic_fetch_add", BI_ATOMIC, SUM_AT_ADD, SUM_C_ATOMIC},
    {"atomic_sub atomic_fetch_sub", BI_ATOMIC, SUM_AT_SUB, SUM_C_ATOMIC},
    {"atomic_min atomic_fetch_min", BI_ATOMIC, SUM_AT_MIN, SUM_C_ATOMIC},
    {"atomic_max atomic_fetch_max", BI_ATOMIC, SUM_AT_MAX, SUM_C_ATOMIC},
    {"atomic_and atomic_fetch_and", BI_ATOMIC, SUM_AT_AND, SUM_C_ATOMIC},
    {"atomic_or atomic_fetch_or", BI_ATOMIC, SUM_AT_OR, SUM_C_ATOMIC},
    {"atomic_xor atomic_fetch_xor", BI_ATOMIC, SUM_AT_XOR, SUM_C_ATOMIC},
    {"atomic_inc", BI_ATOMIC, SUM_AT_INC, SUM_C_ATOMIC},
    {"atomic_dec", BI_ATOMIC, SUM_AT_DEC, SUM_C_ATOMIC},
    {"atomic_xchg atomic_exchange atomic_flag_test_and_set", BI_ATOMIC, SUM_AT_XCHG, SUM_C_ATOMIC},
    {"atomic_cmpxchg", BI_ATOMIC, SUM_AT_CMPXCHG, SUM_C_ATOMIC},
    {"atomic_load", BI_ATOMIC, SUM_AT_LOAD, SUM_C_ATOMIC},
    {"atomic_store atomic_flag_clear", BI_ATOMIC, SUM_AT_STORE, SUM_C_ATOMIC},
    {"atomic_compare_exchange_strong atomic_compare_exchange_weak", BI_COMPARE, SUM_AT_CMPXCHG, SUM_C_ATOMIC},
    {"atomic_init", BI_INIT, 0, SUM_C_MEM},

    /* 6.15.14 printf, 6.15.15 images */
    {"printf", BI_PRINTF, 0, SUM_C_NONE},
    {"read_imagef read_imagei read_imageui read_imageh", BI_IMAGE_READ, 0, SUM_C_IMAGE},
    {"write_imagef write_imagei write_imageui write_imageh", BI_IMAGE_WRITE, 0, SUM_C_IMAGE},
    {"get_image_width get_image_height get_image_depth get_image_dim get_image_array_size "
     "get_image_channel_data_type get_image_channel_order get_image_num_mip_levels get_image_num_samples",
     BI_PURE, 0, SUM_C_NONE},
    {"__translate_sampler_initializer", BI_SAMPLER, 0, SUM_C_NONE},
};

/* 6.15.1 work-item functions: get_ and what summaries call them. */
static int work_item_function(const char *name)
{
    return word_starts(name, "get_") ? sum_word_index(&sum_wi_names, name + 4, strlen(name) - 4) : -1;
}

static bool look_up(const char *name, struct bi *out)
{
    const int wi = work_item_function(name);

    if (wi >= 0) {
        out->kind = BI_WI;
        out->sub = (uint8_t)wi;
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (words_have(rows[i].names, name)) {
            out->kind = rows[i].kind;
            out->sub = rows[i].sub;
            out->cls = rows[i].cls;
            return true;
        }
    return false;
}

static bool cut_suffix(char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);

    if (n < m || strcmp(s + n - m, suffix) != 0)
        return false;
    s[n - m] = 0;
    return true;
}

/* Cut a vector length off the end of `s`: 2, 3, 4, 8 or 16; 1 when there is none. */
static uint8_t cut_lanes(char *s)
{
    static const char *const lengths[] = {"16", "2", "3", "4", "8"};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (cut_suffix(s, lengths[i]))
            return (uint8_t)atoi(lengths[i]);
    return 1;
}

static void cut_rounding(char *s)
{
    if (!cut_suffix(s, "_rte") && !cut_suffix(s, "_rtz") && !cut_suffix(s, "_rtp"))
        cut_suffix(s, "_rtn");
}

/* vload4, vstore_half3_rtz, ... */
static bool decode_memory(const char *name, struct bi *out)
{
    char s[sizeof out->name];

    strcpy(s, name);
    cut_rounding(s);
    out->lanes = cut_lanes(s);
    return look_up(s, out);
}

/* convert_T[N][_sat][_rounding] */
static bool decode_convert(const char *name, struct bi *out)
{
    static const char types[] = "char uchar short ushort int uint long ulong half float double";
    char s[sizeof out->name];

    strcpy(s, name + strlen("convert_"));
    cut_rounding(s);
    out->saturate = cut_suffix(s, "_sat");
    out->lanes = cut_lanes(s);
    if (!words_have(types, s))
        return false;
    out->kind = BI_CONVERT;
    out->cls = SUM_C_CONV;
    return true;
}

static bool decode_plain(const char *name, struct bi *out)
{
    char s[sizeof out->name + 2];

    if (word_starts(name, "vload") || word_starts(name, "vstore"))
        return decode_memory(name, out);
    if (word_starts(name, "convert_"))
        return decode_convert(name, out);
    if (word_starts(name, "atom_")) {
        strcpy(s, "atomic_");
        strncat(s, name + 5, sizeof s - 8);
    } else {
        strcpy(s, name);
    }
    if (word_starts(s, "atomic_"))
        cut_suffix(s, "_explicit");
    return look_up(s, out);
}

/* Texel coordinates by image type; longest names first. */
static const struct {
    const char *type;
    uint8_t ncoord;
} images[] = {{"image1d_array", 2}, {"image1d_buffer", 1}, {"image2d_array", 3},
              {"image1d", 1},       {"image2d", 2},        {"image3d", 3}};

static void decode_image(const char *params, struct bi *out)
{
    for (size_t i = 0; i < sizeof images / sizeof *images && !out->ncoord; i++)
        if (strstr(params, images[i].type))
            out->ncoord = images[i].ncoord;
    out->sampler = strstr(params, "ocl_sampler") != NULL;
    if (!out->ncoord)
        out->kind = BI_UNKNOWN;
}

/* The kind of the first parameter, from Itanium mangling: "Dv4_i..." is a vector of int, "Dh" is half. */
static void decode_first_param(const char *p, struct bi *out)
{
    if (p[0] == 'D' && p[1] == 'v') {
        p = strchr(p, '_');
        if (!p++)
            return;
    }
    out->is_float = *p == 'f' || *p == 'd' || (p[0] == 'D' && p[1] == 'h');
    out->is_signed = *p && strchr("casil", *p) != NULL;
}

/* Atomics: what the pointer leads to.  "PU3AS1VU7_Atomici" -> 'i'; 0 where it is no pointer to a number. */
static char decode_pointee(const char *p)
{
    if (*p++ != 'P')
        return 0;
    while (*p == 'V' || *p == 'K' || *p == 'U')
        if (*p++ == 'U') {
            char *end;
            unsigned long n = strtoul(p, &end, 10);
            if (n > strlen(end))
                return 0;
            p = end + n;
        }
    return strchr("casilhtjmfd", *p) ? *p : 0;
}

/* Signed and unsigned min do not commute: one whose sign is not known is like nothing else. */
static void decode_atomic(const char *params, struct bi *out)
{
    char c = decode_pointee(params);

    out->is_signed = c && strchr("casil", c);
    out->is_float = c == 'f' || c == 'd';
    if (!c && (out->sub == SUM_AT_MIN || out->sub == SUM_AT_MAX))
        out->sub = SUM_AT_OTHER;
}

void bi_decode(const char *symbol, struct bi *out)
{
    const char *name = symbol, *params = "";
    size_t length = strlen(symbol);

    *out = (struct bi){.lanes = 1};
    if (word_starts(symbol, "_Z") && isdigit((unsigned char)symbol[2])) {
        char *end;
        unsigned long n = strtoul(symbol + 2, &end, 10);
        if (n <= strlen(end)) {
            name = end;
            length = n;
            params = end + n;
        }
    }
    if (length >= sizeof out->name) {
        memcpy(out->name, name, sizeof out->name - 1);
        return;
    }
    memcpy(out->name, name, length);
    if (!decode_plain(out->name, out))
        return;
    if (out->kind == BI_IMAGE_READ || out->kind == BI_IMAGE_WRITE)
        decode_image(params, out);
    if (out->kind == BI_ATOMIC)
        decode_atomic(params, out);
    else
        decode_first_param(params, out);
    if (out->is_float && out->cls == SUM_C_IADD)
        out->cls = SUM_C_FADD;
}

_Static_assert(SUM_C_SQRT - SUM_C_FADD == SUM_C_DSQRT - SUM_C_DADD, "those of doubles in the same order");

enum sum_class bi_double_class(enum sum_class cls)
{
    return cls >= SUM_C_FADD && cls <= SUM_C_SQRT ? cls - SUM_C_FADD + SUM_C_DADD : cls;
}

static const char exact_functions[] =
    "fabs floor ceil trunc rint round fmin fmax copysign fma mad sqrt rotate "
    "add_sat sub_sat mul_hi mad_hi mad_sat "
    "hadd rhadd abs_diff popcount clz bitselect";

bool bi_is_elementwise(const struct bi *bi)
{
    switch (bi->kind) {
    case BI_MIN:
    case BI_MAX:
    case BI_CLAMP:
    case BI_ABS:
    case BI_CONVERT:
        return true;
    default:
        return bi->kind == BI_PURE && words_have(exact_functions, bi->name);
    }
}

bool bi_is_exact(const struct bi *bi)
{
    if (bi->kind == BI_CONVERT)
        return !bi->saturate || !bi->is_float;
    return bi->kind != BI_PURE || (words_have(exact_functions, bi->name) && strcmp(bi->name, "mad_sat") != 0);
}

bool bi_goes_round(const struct bi *bi)
{
    return words_have("fmod remainder remquo", bi->name);
}
