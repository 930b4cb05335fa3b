/* program.c - programs, whose kernels are found by reading the source's text, and kernels. */
#include "calls.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_functions(cl_program p)
{
    for (cl_uint i = 0; i < p->kernels; i++)
        free(p->functions[i]->name);
    p->kernels = 0;
}

void stub_drop_program(cl_program p)
{
    drop_functions(p);
    for (size_t i = 0; i < sizeof p->functions / sizeof *p->functions; i++)
        free(p->functions[i]);
    free(p->source);
    free(p->options);
    stub_unhold(p->context);
}

/* ---- reading source -------------------------------------------------------------------------------- */

static size_t scalar_size(const char *text)
{
    static const struct {
        const char *type;
        size_t size;
    } sizes[] = {{"long", 8}, {"double", 8}, {"size_t", 8}, {"short", 2}, {"char", 1}, {"half", 2}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strstr(text, sizes[i].type))
            return sizes[i].size;
    return 4;
}

/* One parameter's text. */
static void add_argument(struct stub_function *f, const char *text)
{
    const cl_uint i = f->nargs;
    const bool pointer =
        strchr(text, '*') || strstr(text, "image") || strstr(text, "sampler") || strstr(text, "pipe");

    if (i == 32)
        return;
    f->args[i] = pointer && strstr(text, "local") ? ARG_LOCAL : pointer ? ARG_OBJECT : ARG_SCALAR;
    f->sizes[i] = pointer ? sizeof(cl_mem) : scalar_size(text);
    f->nargs++;
}

/* "NAME(ARGUMENT, ...)"; returns where it ends. */
static const char *read_function(struct stub_function *f, const char *text)
{
    char argument[256];
    size_t n = 0;

    text += strspn(text, " \n");
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    f->name = strndup(text, n);
    text += n;
    text += strspn(text, " (");
    for (n = 0; *text; text++) {
        if (*text != ',' && *text != ')') {
            if (n < sizeof argument - 1)
                argument[n++] = *text;
            continue;
        }
        argument[n] = '\0';
        if (n && strcmp(argument, "void") != 0)
            add_argument(f, argument);
        n = 0;
        if (*text == ')')
            break;
    }
    return text;
}

/* Where the next kernel's name is; NULL: there is none. */
static const char *next_kernel(const char *at)
{
    static const char attribute[] = "__attribute__((";

    while (at && (at = strstr(at, "kernel "))) {
        at += strlen("kernel ");
        if (strncmp(at, attribute, strlen(attribute)) == 0 && strstr(at, ")) "))
            at = strstr(at, ")) ") + 3;
        if (strncmp(at, "void ", 5) == 0)
            return at + 5;
    }
    return NULL;
}

static void read_kernels(cl_program p)
{
    const char *at = p->source;

    drop_functions(p); /* kernels see the new names, which are the same */
    while ((at = next_kernel(at)) && p->kernels < 16) {
        struct stub_function **f = &p->functions[p->kernels];
        if (!*f && !(*f = malloc(sizeof **f)))
            return;
        memset(*f, 0, sizeof **f);
        p->kernels++;
        at = read_function(*f, at);
    }
}

/* ---- programs -------------------------------------------------------------------------------------- */

static cl_program new_program(cl_context context, char *source)
{
    cl_program p = stub_new(PROGRAM, sizeof *p);

    if (!p) {
        free(source);
        return NULL;
    }
    p->context = context;
    stub_hold(context);
    p->source = source;
    return p;
}

static char *join(cl_uint n, const char **strings, const size_t *lengths)
{
    char *text = calloc(1, 1);
    size_t used = 0;

    for (cl_uint i = 0; text && i < n; i++) {
        const size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        char *more = realloc(text, used + length + 1);
        if (!more)
            break;
        text = more;
        memcpy(text + used, strings[i], length);
        used += length;
        text[used] = '\0';
    }
    return text;
}

STUB_CALL(cl_program, clCreateProgramWithSource)
(cl_context context, cl_uint n, const char **strings, const size_t *lengths, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateProgramWithSource");

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    if (!error && (!n || !strings))
        error = CL_INVALID_VALUE;
    for (cl_uint i = 0; !error && i < n; i++)
        error = strings[i] ? CL_SUCCESS : CL_INVALID_VALUE;
    return stub_made(error ? NULL : new_program(context, join(n, strings, lengths)), error, errcode_ret,
                     "ousp", context, U(n), error ? NULL : strings[0], lengths);
}

/* A binary is the source behind one letter. */
STUB_CALL(cl_program, clCreateProgramWithBinary)
(cl_context context, cl_uint n, const cl_device_id *devices, const size_t *lengths,
 const unsigned char **binaries, cl_int *binary_status, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateProgramWithBinary");
    cl_program p = NULL;

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    if (!error && (!n || !devices || !lengths || !binaries || !lengths[0] || !binaries[0]))
        error = CL_INVALID_VALUE;
    if (!error && binaries[0][0] != 'B')
        error = CL_INVALID_BINARY;
    if (binary_status && n)
        binary_status[0] = error ? CL_INVALID_VALUE : CL_SUCCESS;
    if (!error) {
        const char *text = (const char *)binaries[0] + 1;
        const size_t length = lengths[0] - 1;
        p = new_program(context, length ? join(1, &text, &length) : calloc(1, 1));
    }
    return stub_made(p, error, errcode_ret, "oOppp", context, U(n), devices, lengths, binaries,
                     binary_status);
}

STUB_CALL(cl_program, clCreateProgramWithBuiltInKernels)
(cl_context context, cl_uint n, const cl_device_id *devices, const char *names, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateProgramWithBuiltInKernels");
    cl_program p = NULL;

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    if (!error && (!n || !devices || !names || strcmp(names, STUB_BUILT_IN) != 0))
        error = CL_INVALID_VALUE;
    if (!error &&
        (p = new_program(context, strdup("kernel void " STUB_BUILT_IN "(global int *, global int *)")))) {
        read_kernels(p);
        p->built = true;
    }
    return stub_made(p, error, errcode_ret, "oOs", context, U(n), devices, names);
}

STUB_CALL(cl_program, clCreateProgramWithIL)
(cl_context context, const void *il, size_t length, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateProgramWithIL");

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    return stub_made(NULL, error ? error : CL_INVALID_VALUE, errcode_ret, "opu", context, il, length);
}

STUB_CALL(cl_int, clRetainProgram)(cl_program p)
{
    const cl_int error = stub_begin("clRetainProgram");

    return stub_end(error ? error : stub_retain(p, PROGRAM, CL_INVALID_PROGRAM), "o", p);
}

STUB_CALL(cl_int, clReleaseProgram)(cl_program p)
{
    const cl_int error = stub_begin("clReleaseProgram");

    return stub_end(error ? error : stub_release(p, PROGRAM, CL_INVALID_PROGRAM), "o", p);
}

static cl_int check_build(cl_program p, cl_uint n, const cl_device_id *devices, bool callback,
                          const void *data)
{
    if (!stub_is(p, PROGRAM))
        return CL_INVALID_PROGRAM;
    if (!n != !devices || (!callback && data))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < n; i++)
        if (!stub_is(devices[i], DEVICE))
            return CL_INVALID_DEVICE;
    return CL_SUCCESS;
}

static cl_int compile(cl_program p, const char *options, bool link)
{
    if (options && strstr(options, "-no-such-option"))
        return CL_INVALID_BUILD_OPTIONS;
    if (p->source && strstr(p->source, "#error"))
        return link ? CL_BUILD_PROGRAM_FAILURE : CL_COMPILE_PROGRAM_FAILURE;
    free(p->options);
    p->options = options ? strdup(options) : NULL;
    read_kernels(p);
    p->built = link;
    p->intermediate = !link;
    return CL_SUCCESS;
}

STUB_CALL(cl_int, clBuildProgram)
(cl_program p, cl_uint n, const cl_device_id *devices, const char *options,
 void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    cl_int error = stub_begin("clBuildProgram");

    if (!error)
        error = check_build(p, n, devices, notify != NULL, data);
    if (!error)
        error = compile(p, options, true);
    stub_end(error, "oOspp", p, U(n), devices, options, notify, data);
    if (notify && (!error || error == CL_BUILD_PROGRAM_FAILURE))
        notify(p, data);
    return error;
}

STUB_CALL(cl_int, clCompileProgram)
(cl_program p, cl_uint n, const cl_device_id *devices, const char *options, cl_uint headers,
 const cl_program *header, const char **names, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    cl_int error = stub_begin("clCompileProgram");

    if (!error)
        error = check_build(p, n, devices, notify != NULL, data);
    if (!error && (!headers != !header || !headers != !names))
        error = CL_INVALID_VALUE;
    for (cl_uint i = 0; !error && i < headers; i++)
        error = names[i] ? CL_SUCCESS : CL_INVALID_VALUE;
    if (!error)
        error = compile(p, options, false);
    stub_end(error, "oOsOppp", p, U(n), devices, options, U(headers), header, names, notify, data);
    if (notify && (!error || error == CL_COMPILE_PROGRAM_FAILURE))
        notify(p, data);
    return error;
}

STUB_CALL(cl_program, clLinkProgram)
(cl_context context, cl_uint n, const cl_device_id *devices, const char *options, cl_uint inputs,
 const cl_program *input, void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clLinkProgram");
    cl_program p = NULL;

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    if (!error && (!inputs || !input || !n != !devices))
        error = CL_INVALID_VALUE;
    for (cl_uint i = 0; !error && i < inputs; i++)
        error = stub_is(input[i], PROGRAM) ? CL_SUCCESS : CL_INVALID_PROGRAM;
    if (!error && !input[0]->intermediate)
        error = CL_INVALID_OPERATION;
    if (!error && (p = new_program(context, strdup(input[0]->source)))) {
        read_kernels(p);
        p->built = true;
    }
    p = stub_made(p, error, errcode_ret, "oOsOpp", context, U(n), devices, options, U(inputs), input, notify,
                  data);
    if (notify && p)
        notify(p, data);
    return p;
}

STUB_CALL(cl_int, clSetProgramReleaseCallback)
(cl_program p, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    cl_int error = stub_begin("clSetProgramReleaseCallback");

    return stub_end(error ? error : CL_INVALID_OPERATION, "opp", p, notify, data);
}

STUB_CALL(cl_int, clSetProgramSpecializationConstant)
(cl_program p, cl_uint id, size_t size, const void *value)
{
    cl_int error = stub_begin("clSetProgramSpecializationConstant");

    return stub_end(error ? error : CL_INVALID_PROGRAM, "ouup", p, U(id), size, value);
}

static cl_int kernel_names(cl_program p, size_t size, void *value, size_t *size_ret)
{
    char *names = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&names, &bytes);
    cl_int error;

    for (cl_uint i = 0; i < p->kernels; i++)
        fprintf(f, "%s%s", i ? ";" : "", p->functions[i]->name);
    fclose(f);
    error = ANSWER_TEXT(names);
    free(names);
    return error;
}

static cl_int copy_binary(cl_program p, size_t size, void *value, size_t *size_ret)
{
    unsigned char **to = value;

    if (value && size < sizeof *to)
        return CL_INVALID_VALUE;
    if (value && to[0]) {
        to[0][0] = 'B';
        memcpy(to[0] + 1, p->source, strlen(p->source));
    }
    if (size_ret)
        *size_ret = sizeof *to;
    return CL_SUCCESS;
}

STUB_CALL(cl_int, clGetProgramInfo)
(cl_program p, cl_program_info name, size_t size, void *value, size_t *size_ret)
{
    const cl_device_id both[] = {&stub_devices[0], &stub_devices[1]};
    cl_int error = stub_begin("clGetProgramInfo");

    if (!error && !stub_is(p, PROGRAM))
        error = CL_INVALID_PROGRAM;
    if (!error)
        switch (name) {
        case CL_PROGRAM_REFERENCE_COUNT:
            error = ANSWER(cl_uint, p->o.refs);
            break;
        case CL_PROGRAM_CONTEXT:
            error = ANSWER(cl_context, p->context);
            break;
        case CL_PROGRAM_NUM_DEVICES:
            error = ANSWER(cl_uint, stub_ndevice);
            break;
        case CL_PROGRAM_DEVICES:
            error = stub_answer(both, stub_ndevice * sizeof *both, size, value, size_ret);
            break;
        case CL_PROGRAM_SOURCE:
            error = ANSWER_TEXT(p->source);
            break;
        case CL_PROGRAM_BINARY_SIZES:
            error = ANSWER(size_t, strlen(p->source) + 1);
            break;
        case CL_PROGRAM_BINARIES:
            error = copy_binary(p, size, value, size_ret);
            break;
        case CL_PROGRAM_NUM_KERNELS:
            error = p->built ? ANSWER(size_t, p->kernels) : CL_INVALID_PROGRAM_EXECUTABLE;
            break;
        case CL_PROGRAM_KERNEL_NAMES:
            error = p->built ? kernel_names(p, size, value, size_ret) : CL_INVALID_PROGRAM_EXECUTABLE;
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "oxupp", p, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clGetProgramBuildInfo)
(cl_program p, cl_device_id device, cl_program_build_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetProgramBuildInfo");

    if (!error && !stub_is(p, PROGRAM))
        error = CL_INVALID_PROGRAM;
    if (!error && !stub_is(device, DEVICE))
        error = CL_INVALID_DEVICE;
    if (!error)
        switch (name) {
        case CL_PROGRAM_BUILD_STATUS:
            error = ANSWER(cl_build_status, p->built ? CL_BUILD_SUCCESS : CL_BUILD_NONE);
            break;
        case CL_PROGRAM_BUILD_OPTIONS:
            error = ANSWER_TEXT(p->options ? p->options : "");
            break;
        case CL_PROGRAM_BUILD_LOG:
            error = ANSWER_TEXT("");
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "ooxupp", p, device, X(name), size, value, size_ret);
}

/* ---- kernels --------------------------------------------------------------------------------------- */

static cl_kernel new_kernel(cl_program p, const struct stub_function *f)
{
    cl_kernel k = stub_new(KERNEL, sizeof *k);

    if (k) {
        k->program = p;
        stub_hold(p);
        k->function = f;
    }
    return k;
}

STUB_CALL(cl_kernel, clCreateKernel)(cl_program p, const char *name, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateKernel");
    cl_kernel k = NULL;

    if (!error && !stub_is(p, PROGRAM))
        error = CL_INVALID_PROGRAM;
    if (!error && !p->built)
        error = CL_INVALID_PROGRAM_EXECUTABLE;
    if (!error && !name)
        error = CL_INVALID_VALUE;
    if (!error) {
        for (cl_uint i = 0; i < p->kernels && !k; i++)
            if (strcmp(p->functions[i]->name, name) == 0)
                k = new_kernel(p, p->functions[i]);
        error = k ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
    }
    return stub_made(k, error, errcode_ret, "os", p, name);
}

STUB_CALL(cl_int, clCreateKernelsInProgram)(cl_program p, cl_uint room, cl_kernel *kernels, cl_uint *n)
{
    cl_int error = stub_begin("clCreateKernelsInProgram");

    if (!error && !stub_is(p, PROGRAM))
        error = CL_INVALID_PROGRAM;
    if (!error && !p->built)
        error = CL_INVALID_PROGRAM_EXECUTABLE;
    if (!error && kernels && room < p->kernels)
        error = CL_INVALID_VALUE;
    for (cl_uint i = 0; !error && kernels && i < p->kernels; i++)
        kernels[i] = new_kernel(p, p->functions[i]);
    if (!error && n)
        *n = p->kernels;
    return stub_end(error, "oupp", p, U(room), kernels, n);
}

STUB_CALL(cl_kernel, clCloneKernel)(cl_kernel k, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCloneKernel");
    cl_kernel clone = NULL;

    if (!error && !stub_is(k, KERNEL))
        error = CL_INVALID_KERNEL;
    if (!error && (clone = new_kernel(k->program, k->function)))
        clone->set = k->set;
    return stub_made(clone, error, errcode_ret, "o", k);
}

STUB_CALL(cl_int, clRetainKernel)(cl_kernel k)
{
    const cl_int error = stub_begin("clRetainKernel");

    return stub_end(error ? error : stub_retain(k, KERNEL, CL_INVALID_KERNEL), "o", k);
}

STUB_CALL(cl_int, clReleaseKernel)(cl_kernel k)
{
    const cl_int error = stub_begin("clReleaseKernel");

    return stub_end(error ? error : stub_release(k, KERNEL, CL_INVALID_KERNEL), "o", k);
}

static cl_int check_arg(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    const struct stub_function *f;
    const void *object = NULL;

    if (!stub_is(k, KERNEL))
        return CL_INVALID_KERNEL;
    f = k->function;
    if (index >= f->nargs)
        return CL_INVALID_ARG_INDEX;
    if (f->args[index] == ARG_LOCAL)
        return value ? CL_INVALID_ARG_VALUE : size ? CL_SUCCESS : CL_INVALID_ARG_SIZE;
    if (size != f->sizes[index])
        return CL_INVALID_ARG_SIZE;
    if (f->args[index] == ARG_SCALAR)
        return value ? CL_SUCCESS : CL_INVALID_ARG_VALUE;
    if (value)
        memcpy(&object, value, sizeof object);
    return !object || stub_is(object, MEMORY) || stub_is(object, SAMPLER) ? CL_SUCCESS
                                                                          : CL_INVALID_MEM_OBJECT;
}

STUB_CALL(cl_int, clSetKernelArg)(cl_kernel k, cl_uint index, size_t size, const void *value)
{
    cl_int error = stub_begin("clSetKernelArg");

    if (!error)
        error = check_arg(k, index, size, value);
    if (!error)
        k->set |= 1u << index;
    if (!error && k->function->args[index] == ARG_OBJECT)
        return stub_end(error, "ouuO", k, U(index), size, U(1), value);
    return stub_end(error, "ouum", k, U(index), size, error ? U(0) : size, value);
}

STUB_CALL(cl_int, clSetKernelArgSVMPointer)(cl_kernel k, cl_uint index, const void *value)
{
    cl_int error = stub_begin("clSetKernelArgSVMPointer");

    if (!error && !stub_is(k, KERNEL))
        error = CL_INVALID_KERNEL;
    if (!error && index >= k->function->nargs)
        error = CL_INVALID_ARG_INDEX;
    if (!error && k->function->args[index] != ARG_OBJECT)
        error = CL_INVALID_ARG_VALUE;
    if (!error)
        k->set |= 1u << index;
    return stub_end(error, "oup", k, U(index), value);
}

STUB_CALL(cl_int, clSetKernelExecInfo)(cl_kernel k, cl_kernel_exec_info name, size_t size, const void *value)
{
    cl_int error = stub_begin("clSetKernelExecInfo");

    if (!error && !stub_is(k, KERNEL))
        error = CL_INVALID_KERNEL;
    if (!error && (!value || name != CL_KERNEL_EXEC_INFO_SVM_PTRS))
        error = CL_INVALID_VALUE;
    return stub_end(error, "oxup", k, X(name), size, value);
}

STUB_CALL(cl_int, clGetKernelInfo)
(cl_kernel k, cl_kernel_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetKernelInfo");

    if (!error && !stub_is(k, KERNEL))
        error = CL_INVALID_KERNEL;
    if (!error)
        switch (name) {
        case CL_KERNEL_FUNCTION_NAME:
            error = ANSWER_TEXT(k->function->name);
            break;
        case CL_KERNEL_NUM_ARGS:
            error = ANSWER(cl_uint, k->function->nargs);
            break;
        case CL_KERNEL_REFERENCE_COUNT: /* what commands hold shows, as with many drivers */
            error = ANSWER(cl_uint, k->o.refs + k->o.held);
            break;
        case CL_KERNEL_CONTEXT:
            error = ANSWER(cl_context, k->program->context);
            break;
        case CL_KERNEL_PROGRAM:
            error = ANSWER(cl_program, k->program);
            break;
        case CL_KERNEL_ATTRIBUTES:
            error = ANSWER_TEXT("");
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "oxupp", k, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clGetKernelArgInfo)
(cl_kernel k, cl_uint index, cl_kernel_arg_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetKernelArgInfo");

    return stub_end(error ? error : CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "ouxupp", k, U(index), X(name), size,
                    value, size_ret);
}

STUB_CALL(cl_int, clGetKernelWorkGroupInfo)
(cl_kernel k, cl_device_id device, cl_kernel_work_group_info name, size_t size, void *value, size_t *size_ret)
{
    static const size_t none[3];
    cl_int error = stub_begin("clGetKernelWorkGroupInfo");

    if (!error && !stub_is(k, KERNEL))
        error = CL_INVALID_KERNEL;
    if (!error && device && !stub_is(device, DEVICE))
        error = CL_INVALID_DEVICE;
    if (!error)
        switch (name) {
        case CL_KERNEL_WORK_GROUP_SIZE:
            error = ANSWER(size_t, 1024);
            break;
        case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
            error = ANSWER(size_t, 32);
            break;
        case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
            error = stub_answer(none, sizeof none, size, value, size_ret);
            break;
        case CL_KERNEL_LOCAL_MEM_SIZE:
        case CL_KERNEL_PRIVATE_MEM_SIZE:
            error = ANSWER(cl_ulong, 0);
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "ooxupp", k, device, X(name), size, value, size_ret);
}

/* 32 work-items, of one dimension: reached through clGetExtensionFunctionAddressForPlatform. */
STUB_CALL(cl_int, clGetKernelSuggestedLocalWorkSizeKHR)
(cl_command_queue q, cl_kernel k, cl_uint dim, const size_t *offset, const size_t *global, size_t *local)
{
    cl_int error = stub_begin("clGetKernelSuggestedLocalWorkSizeKHR");

    if (!error && !stub_is(q, QUEUE))
        error = CL_INVALID_COMMAND_QUEUE;
    if (!error && !stub_is(k, KERNEL))
        error = CL_INVALID_KERNEL;
    if (!error && dim != 1)
        error = CL_INVALID_WORK_DIMENSION;
    if (!error && !global)
        error = CL_INVALID_GLOBAL_WORK_SIZE;
    if (!error && !local)
        error = CL_INVALID_VALUE;
    if (!error)
        *local = 32;
    return stub_end(error, "oodpzp", q, k, (int)dim, offset, (size_t)(global && dim == 1), global, local);
}

STUB_CALL(cl_int, clGetKernelSubGroupInfo)
(cl_kernel k, cl_device_id device, cl_kernel_sub_group_info name, size_t in_size, const void *in, size_t size,
 void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetKernelSubGroupInfo");

    return stub_end(error ? error : CL_INVALID_OPERATION, "ooxupupp", k, device, X(name), in_size, in, size,
                    value, size_ret);
}
