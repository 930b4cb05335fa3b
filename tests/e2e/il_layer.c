/* il_layer - an OpenCL loader layer that teaches a driver SPIR-V: no driver in Debian 12 takes it, but PoCL
 * takes SPIR 1.2, which llvm-spirv makes of it.
 *
 *   IL_TRANSLATOR=PATH   llvm-spirv
 *   IL_SCRATCH=FOLDER    for its files
 *
 * Specialization constants are accepted and ignored: the tests' modules have none. */
#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAMS 64

static cl_icd_dispatch below, table;
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

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *value, size_t *size)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name != CL_LAYER_API_VERSION)
        return CL_INVALID_VALUE;
    if (value && room >= sizeof version)
        memcpy(value, &version, sizeof version);
    if (size)
        *size = sizeof version;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
                                            cl_uint *entries_ret, const cl_icd_dispatch **dispatch_ret)
{
    const cl_uint ours = sizeof table / sizeof(void *);
    memcpy(&below, target, (entries < ours ? entries : ours) * sizeof(void *));
    table.clCreateProgramWithIL = il_create;
    table.clBuildProgram = il_build;
    table.clSetProgramSpecializationConstant = il_specialize;
    *entries_ret = entries < ours ? entries : ours;
    *dispatch_ret = &table;
    return CL_SUCCESS;
}
