/* request.h - what the preloaded library tells the helper: one program as the application built it.
 *
 * The request file is written by the library and read by `clsizer-analyze --request`.  Text form, in this
 * order; all but the source may be absent:
 *
 *     clsizer-request 1
 *     options <n>\n<n bytes>\n         as given to clBuildProgram
 *     extensions <n>\n<n bytes>\n      CL_DEVICE_EXTENSIONS
 *     features <n>\n<n bytes>\n        names of CL_DEVICE_OPENCL_C_FEATURES, blank separated; may be absent
 *     device <n>\n<n bytes>\n          CL_DEVICE_NAME|CL_DEVICE_VENDOR|CL_DEVICE_VERSION
 *     clversion <text>\n               CL_DEVICE_OPENCL_C_VERSION
 *     profile <text>\n                 CL_DEVICE_PROFILE; may be absent
 *     bits 32|64\n                     CL_DEVICE_ADDRESS_BITS
 *     endian little|big\n
 *     built <ns>\n                     CLOCK_REALTIME when the build began; may be absent
 *     cwd <n>\n<n bytes>\n             working directory when the build began; may be absent
 *     images 0|1\n                     CL_DEVICE_IMAGE_SUPPORT
 *     form c|spirv|units\n             what the source is; absent: c
 *     source <n>\n<n bytes>            last: the strings of clCreateProgramWithSource joined, or the bytes of
 *                                      clCreateProgramWithIL, or the units that a program was linked from
 *
 * A unit is what one clCompileProgram saw; units follow each other without anything in between:
 *
 *     unit c|spirv <n> <m> <headers>\n<n bytes of options><m bytes of source>
 *     header <n> <m>\n<n bytes of name><m bytes of text>      as many as the unit has
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define REQ_MAGIC      "clsizer-request 1"
#define REQ_MAX_SOURCE (64u << 20)
#define REQ_MAX_FIELD  (1u << 20)
#define REQ_MAX_HEADER 256 /* of one unit */
#define REQ_MAX_NAME   1024

enum req_form {
    REQ_C,     /* OpenCL C */
    REQ_SPIRV, /* a SPIR-V module */
    REQ_UNITS  /* several of either, linked */
};

/* Strings are never NULL after req_read(); req_write() takes NULL for "". */
struct req {
    char *options;
    char *extensions;
    char *features;
    char *device;
    char *clversion;
    char *profile;
    char *cwd; /* "" = not known */
    unsigned bits;
    bool big_endian;
    bool images;
    uint64_t built_ns; /* CLOCK_REALTIME when the build began: the driver has not read files that were changed
                          since; 0 = not known */
    unsigned wide;     /* 4, 8 or 16: also rewrite each kernel (struct sum_wide); 0: not */
    enum req_form form;
    char *source; /* `source_bytes` bytes and a NUL */
    size_t source_bytes;
};

/* One translation unit.  All texts have a NUL behind their last byte. */
struct req_unit {
    enum req_form form; /* not REQ_UNITS */
    char *options;
    char *text;
    size_t bytes;
    unsigned nheader;
    struct req_header {
        char *name; /* as in the program's #include */
        char *text;
        size_t bytes;
    } * header;
};

/* Write the request.  0, -EIO if writing to `f` failed, or -EINVAL if a field cannot be represented (a
 * newline in clversion or profile). */
int req_write(const struct req *r, FILE *f);

/* Parse `size` bytes, which are not trusted.  0 and *out owned by the caller (req_free()), or -EINVAL for
 * malformed text, -EFBIG if a field exceeds its limit, -ENOMEM. */
int req_read(const char *text, size_t size, struct req *out);

void req_free(struct req *r); /* leaves *r zeroed */

/* Append a unit to the text of a REQ_UNITS source.  0 or -EIO. */
int req_put_unit(const struct req_unit *u, FILE *f);

/* Parse the unit at *at and move *at behind it.  0 and *u owned by the caller (req_free_unit()), -ENOENT if
 * *at is `end`, or -EINVAL, -EFBIG, -ENOMEM as above. */
int req_take_unit(const char **at, const char *end, struct req_unit *u);

void req_free_unit(struct req_unit *u); /* leaves *u zeroed */
