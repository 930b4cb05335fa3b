/* il_layer - an OpenCL loader layer that teaches a driver SPIR-V: no driver in Debian 12 takes it, but PoCL
 * takes SPIR 1.2, which llvm-spirv makes of it.
 *
 *   IL_TRANSLATOR=PATH   llvm-spirv
 *   IL_SCRATCH=FOLDER    for its files
 *
 * Specialization constants are accepted and ignored: the tests' modules have none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/e2e/layer.h"

#define PROGRAMS 64

static cl_program from_il[PROGRAMS]; /* a test program has one thread and few programs */
static unsigned programs;

static int translate(const char *input, const char *output, const void *il, size_t length)
{
    const char *translator = getenv("IL_TRANSLATOR");
    char command[12288];
    FILE *f = fopen(input, "wb");

    if (!f || !translator)
        return -1;
    fwrite(il, 1, length, f);
    fclose(f);
    snprintf(command, sizeof command, "LD_PRELOAD= exec '%s' -r '%s' -o '%s'", translator, input, output);
    return system(command);
}

static unsigned char *read_whole(const char *path, size_t *size)
{
    const size_t room = 16 << 20;
    FILE *f = fopen(path, "rb");
    unsigned char *bytes = f ? malloc(room) : NULL;

    *size = bytes ? fread(bytes, 1, room, f) : 0;
    if (f)
        fclose(f);
    return bytes;
}

static cl_program CL_API_CALL il_create(cl_context context, const void *il, size_t length, cl_int *status)
{
    const char *scratch = getenv("IL_SCRATCH");
    char input[4096], output[4096];
    cl_device_id device;
    cl_program program = NULL;
    size_t size = 0;

    *status = CL_INVALID_VALUE;
    snprintf(input, sizeof input, "%s/il-%ld-%u.spv", scratch ? scratch : "/tmp", (long)getpid(), programs);
    snprintf(output, sizeof output, "%s/il-%ld-%u.bc", scratch ? scratch : "/tmp", (long)getpid(), programs);
    if (programs < PROGRAMS && il && length && translate(input, output, il, length) == 0) {
        unsigned char *bitcode = read_whole(output, &size);
        below.clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
        program = below.clCreateProgramWithBinary(context, 1, &device, &size,
                                                  (const unsigned char **)&bitcode, NULL, status);
        free(bitcode);
    }
    if (program)
        from_il[programs++] = program;
    return program;
}

static cl_int CL_API_CALL il_build(cl_program program, cl_uint count, const cl_device_id *devices,
                                   const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                   void *data)
{
    char more[4096];

    for (unsigned i = 0; i < programs; i++)
        if (from_il[i] == program) {
            snprintf(more, sizeof more, "%s -x spir -spir-std=1.2", options ? options : "");
            return below.clBuildProgram(program, count, devices, more, notify, data);
        }
    return below.clBuildProgram(program, count, devices, options, notify, data);
}

static cl_int CL_API_CALL il_specialize(cl_program program, cl_uint id, size_t size, const void *value)
{
    (void)id;
    return program && size && value ? CL_SUCCESS : CL_INVALID_VALUE;
}

static void fill(cl_icd_dispatch *own)
{
    own->clCreateProgramWithIL = il_create;
    own->clBuildProgram = il_build;
    own->clSetProgramSpecializationConstant = il_specialize;
}
