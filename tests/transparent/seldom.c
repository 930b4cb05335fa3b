/* seldom - launches of a kind that few programs make, 40 of them, in the way of argv[1]:
 *
 *   queue      the queue is made by clCreateCommandQueueWithPropertiesKHR
 *   built-in   the kernel is one of the driver's own
 *   pipe       one of the arguments is a pipe
 *   indirect   clSetKernelExecInfoARM says which pointers the kernel follows
 *   options    ten megabytes of build options
 *   name       the kernel's name has as many letters
 *   NAME       the first argument is a pointer, set by this function of an extension
 *   svm...     the first argument is shared virtual memory: a whole allocation; -inside: a part of one;
 *              -fine, -atomics: one that the host may use without mapping it; -freed, -free-enqueued: before
 * the launches; -foreign: none that OpenCL knows of
 *
 * Exit status 77: the driver does not have it. */
#include "client.h"
#include <string.h>

#define ITEMS 65536
#define LARGE (10u << 20)

static const char *const source = "__kernel void twice(__global const int *in, __global int *out)\n"
                                  "{\n"
                                  "    size_t i = get_global_id(0);\n"
                                  "    out[i] = in[i] * 2;\n"
                                  "}\n"
                                  "#if __OPENCL_C_VERSION__ >= 200\n"
                                  "__kernel void drain(read_only pipe int p, __global int *out)\n"
                                  "{\n"
                                  "    size_t i = get_global_id(0);\n"
                                  "    int v = 0;\n"
                                  "    read_pipe(p, &v);\n"
                                  "    out[i] = v;\n"
                                  "}\n"
                                  "#endif\n";

static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void *address_of(const struct client *c, const char *name)
{
    void *address = clGetExtensionFunctionAddressForPlatform(c->platform, name);

    if (!address)
        exit(77);
    return address;
}

static cl_command_queue make_queue(const struct client *c)
{
    clCreateCommandQueueWithPropertiesKHR_fn make;
    cl_command_queue_properties bits;
    cl_command_queue q;
    cl_int error;

    if (is("queue")) {
        *(void **)&make = address_of(c, "clCreateCommandQueueWithPropertiesKHR");
        q = make(c->context, c->device, NULL, &error);
    } else {
        q = clCreateCommandQueue(c->context, c->device, 0, &error);
    }
    CHECK(error);
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    printf("queue properties: %#llx\n", (unsigned long long)bits);
    return q;
}

/* `part` over and over, LARGE bytes; the caller's. */
static char *repeated(const char *part)
{
    const size_t n = strlen(part);
    char *text = calloc(1, LARGE + n + 1), *at = text;

    while (at < text + LARGE)
        at = stpcpy(at, part);
    return text;
}

/* A program of the kernel `name`, which is very long. */
static cl_program make_named(const struct client *c, const char *name)
{
    const char *text[] = {"__kernel void ", name,
                          "(__global const int *in, __global int *out)\n"
                          "{\n"
                          "    size_t i = get_global_id(0);\n"
                          "    out[i] = in[i] * 2;\n"
                          "}\n"};
    cl_int error;
    cl_program p = clCreateProgramWithSource(c->context, 3, text, NULL, &error);

    CHECK(error);
    CHECK(clBuildProgram(p, 1, &c->device, "", NULL, NULL));
    return p;
}

static cl_program make_program(const struct client *c)
{
    char names[256], *options = is("options") ? repeated("-DA=1 ") : NULL;
    cl_program p;
    cl_int error;

    if (is("built-in")) {
        CHECK(clGetDeviceInfo(c->device, CL_DEVICE_BUILT_IN_KERNELS, sizeof names, names, NULL));
        p = clCreateProgramWithBuiltInKernels(c->context, 1, &c->device, names, &error);
        CHECK(error);
        return p;
    }
    p = clCreateProgramWithSource(c->context, 1, (const char *[]){source}, NULL, &error);
    CHECK(error);
    CHECK(clBuildProgram(p, 1, &c->device,
                         options      ? options
                         : is("pipe") ? "-cl-std=CL2.0"
                                      : "",
                         NULL, NULL));
    free(options);
    return p;
}

/* What follows clSetKernelArg() for all arguments. */
static void set_pointer(const struct client *c, cl_kernel k)
{
    cl_int(CL_API_CALL * set)(cl_kernel, cl_uint, const void *);
    cl_int(CL_API_CALL * set_address)(cl_kernel, cl_uint, cl_ulong);
    cl_int(CL_API_CALL * set_info)(cl_kernel, cl_kernel_exec_info, size_t, const void *);
    static int memory[ITEMS], *pointers[] = {memory};

    if (is("indirect")) {
        *(void **)&set_info = address_of(c, "clSetKernelExecInfoARM");
        CHECK(set_info(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
    } else if (is("clSetKernelArgDevicePointerEXT")) {
        *(void **)&set_address = address_of(c, way);
        CHECK(set_address(k, 0, 0x1000));
    } else {
        *(void **)&set = address_of(c, way);
        CHECK(set(k, 0, memory));
    }
}

/* Likewise.  The allocation to be freed by the caller, if any. */
static void *set_svm(const struct client *c, cl_command_queue q, cl_kernel k)
{
    const cl_svm_mem_flags flags = is("svm-atomics") ? CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS
                                   : is("svm-fine")  ? CL_MEM_SVM_FINE_GRAIN_BUFFER
                                                     : CL_MEM_READ_WRITE;
    static int memory[ITEMS];
    void *pointer = clSVMAlloc(c->context, flags, 8 * ITEMS, 0);
    void *whole = pointer;

    if (!pointer)
        exit(77);
    CHECK(clSetKernelArgSVMPointer(k, 0,
                                   is("svm-foreign")  ? (void *)memory
                                   : is("svm-inside") ? (char *)pointer + ITEMS
                                                      : pointer));
    if (is("svm-freed"))
        clSVMFree(c->context, pointer);
    else if (is("svm-free-enqueued"))
        CHECK(clEnqueueSVMFree(q, 1, &pointer, NULL, NULL, 0, NULL, NULL));
    else
        return whole;
    return NULL;
}

int main(int argc, char **argv)
{
    const char *name = "twice";
    const size_t items = ITEMS, local = 64;
    struct client c;
    cl_kernel kernels[16], k;
    cl_int error;

    way = argc > 1 ? argv[1] : "queue";
    client_start(&c);
    cl_command_queue q = make_queue(&c);
    char *long_name = is("name") ? repeated("k") : NULL;
    cl_program p = long_name ? make_named(&c, long_name) : make_program(&c);
    cl_mem in =
        is("pipe") ? clCreatePipe(c.context, 0, 4, ITEMS, NULL, &error) : client_buffer(&c, 4 * ITEMS);
    cl_mem out = client_buffer(&c, 4 * ITEMS);

    if (is("built-in")) {
        CHECK(clCreateKernelsInProgram(p, 16, kernels, NULL));
        k = kernels[0];
    } else {
        name = is("pipe") ? "drain" : long_name ? long_name : name;
        k = clCreateKernel(p, name, &error);
        CHECK(error);
    }
    CHECK(clSetKernelArg(k, 0, sizeof in, &in));
    CHECK(clSetKernelArg(k, 1, sizeof out, &out));
    if (is("indirect") || strncmp(way, "clSet", 5) == 0)
        set_pointer(&c, k);
    void *svm = strncmp(way, "svm", 3) == 0 ? set_svm(&c, q, k) : NULL;
    for (int i = 0; i < 40; i++) {
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, &local, 0, NULL, NULL));
        CHECK(clFinish(q));
    }
    if (svm)
        clSVMFree(c.context, svm);
    CHECK(clReleaseKernel(k));
    CHECK(clReleaseProgram(p));
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(q));
    client_end(&c);
    free(long_name);
    puts("done");
    return 0;
}
