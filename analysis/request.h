/* request.h - what the preloaded library tells the helper: one program as the application built it.
 *
 * The request file is written by the library and read by `clsizer-analyze --request`.  Text form:
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
 *     images 0|1\n                     CL_DEVICE_IMAGE_SUPPORT
 *     source <n>\n<n bytes>            last: the strings of clCreateProgramWithSource joined
 */
#ifndef CLSIZER_ANALYSIS_REQUEST_H
#define CLSIZER_ANALYSIS_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define REQ_MAGIC      "clsizer-request 1\n"
#define REQ_MAX_SOURCE (64u << 20)
#define REQ_MAX_FIELD  (1u << 20)

/* Strings are never NULL after req_read(); req_write() takes NULL for "". */
struct req {
    char *options;
    char *extensions;
    char *features;
    char *device;
    char *clversion;
    char *profile;
    unsigned bits;
    bool big_endian;
    bool images;
    uint64_t built_ns; /* CLOCK_REALTIME at the build: files changed since are not what the driver read; 0 =
                          not told */
    char *source;      /* `source_bytes` bytes and a NUL */
    size_t source_bytes;
};

/* 0, or -EIO if `f` failed, -EINVAL if a field cannot be represented (a newline in clversion or profile). */
int req_write(const struct req *r, FILE *f);

/* Parse `size` bytes.  0 and *out owned by the caller (req_free), or -EINVAL, -EFBIG, -ENOMEM. */
int req_read(const char *text, size_t size, struct req *out);

void req_free(struct req *r); /* leaves *r zeroed */

#endif
