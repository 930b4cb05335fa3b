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
 *   usm...     likewise, unified shared memory that the device alone uses, of a kernel that may follow
 *              pointers: -inside: a part of an allocation; -host, -shared: the host uses it, too; -freed,
 *              -freed-waiting: before the launches; -part-freed: its allocation was; -context: it is another
 *              context's; -again: freed, allocated anew, and set again; -khr...: by the functions of
 *              cl_khr_unified_svm
 *
 * Exit status 77: the driver does not have it. */
#include "client.h"
#include <stdbool.h>
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

/* Likewise, with the functions of cl_intel_unified_shared_memory. */
struct usm {
    void *(CL_API_CALL *alloc_host)(cl_context, const cl_ulong *, size_t, cl_uint, cl_int *);
    void *(CL_API_CALL *alloc)(cl_context, cl_device_id, const cl_ulong *, size_t, cl_uint, cl_int *);
    void *(CL_API_CALL *alloc_khr)(cl_context, const cl_ulong *, cl_uint, size_t, cl_int *);
    cl_int(CL_API_CALL *release_khr)(cl_context, const cl_ulong *, cl_ulong, void *);
    cl_int(CL_API_CALL *release)(cl_context, void *);
    cl_int(CL_API_CALL *set)(cl_kernel, cl_uint, const void *);
    cl_context context;
};

static char *usm_alloc(const struct client *c, const struct usm *u)
{
    cl_int error;
    char *memory = u->alloc_khr     ? u->alloc_khr(u->context, NULL, is("usm-khr-host"), 8 * ITEMS, &error)
                   : is("usm-host") ? u->alloc_host(u->context, NULL, 8 * ITEMS, 0, &error)
                                    : u->alloc(u->context, c->device, NULL, 8 * ITEMS, 0, &error);

    CHECK(error);
    return memory;
}

static void usm_free(const struct usm *u, void *memory)
{
    CHECK(u->release_khr ? u->release_khr(u->context, NULL, 0, memory) : u->release(u->context, memory));
}

/* The allocation to be freed by the caller, if any. */
static void *set_usm(const struct client *c, const struct usm *u, cl_kernel k)
{
    char *memory = usm_alloc(c, u);

    CHECK(u->set(k, 0, is("usm-inside") || is("usm-part-freed") ? memory + ITEMS : memory));
    if (is("usm-freed") || is("usm-freed-waiting") || is("usm-part-freed") || is("usm-again") ||
        is("usm-khr-freed")) {
        usm_free(u, memory);
        memory = NULL;
    }
    if (is("usm-again")) {
        memory = usm_alloc(c, u);
        CHECK(u->set(k, 0, memory));
    }
    return memory;
}

static struct usm usm_functions(const struct client *c)
{
    struct usm u = {.context = c->context};
    cl_int error;

    if (is("usm-context")) {
        u.context = clCreateContext(NULL, 1, &c->device, NULL, NULL, &error);
        CHECK(error);
    }
    *(void **)&u.alloc_host = address_of(c, "clHostMemAllocINTEL");
    *(void **)&u.alloc = address_of(c, is("usm-shared") ? "clSharedMemAllocINTEL" : "clDeviceMemAllocINTEL");
    *(void **)&u.release =
        address_of(c, is("usm-freed-waiting") ? "clMemBlockingFreeINTEL" : "clMemFreeINTEL");
    *(void **)&u.set = address_of(c, "clSetKernelArgMemPointerINTEL");
    if (strncmp(way, "usm-khr", 7) == 0) {
        *(void **)&u.alloc_khr = address_of(c, "clSVMAllocWithPropertiesKHR");
        *(void **)&u.release_khr = address_of(c, "clSVMFreeWithPropertiesKHR");
        u.set = clSetKernelArgSVMPointer;
    }
    return u;
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
    const bool usm = strncmp(way, "usm", 3) == 0;
    const struct usm u = usm ? usm_functions(&c) : (struct usm){0};
    void *unified = usm ? set_usm(&c, &u, k) : NULL;
    for (int i = 0; i < 40; i++) {
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, &local, 0, NULL, NULL));
        CHECK(clFinish(q));
    }
    if (svm)
        clSVMFree(c.context, svm);
    if (unified)
        usm_free(&u, unified);
    if (is("usm-context"))
        CHECK(clReleaseContext(u.context));
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
