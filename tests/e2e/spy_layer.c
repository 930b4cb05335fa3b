/* spy_layer - an OpenCL loader layer below clsizer: what the driver is really asked to launch.
 *
 *   SPY_LOG=FILE   append a line per launch: kernel, dimensions, offset, global and local size, status
 *   SPY_ONLY=4x32  fail every launch with another local size (CL_OUT_OF_RESOURCES), as a driver may
 */
#include <CL/cl_layer.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cl_icd_dispatch below, table;

static void print_sizes(char *text, size_t room, cl_uint dim, const size_t *sizes)
{
    size_t used = 0;
    if (!sizes)
        snprintf(text, room, "null");
    for (cl_uint d = 0; sizes && d < dim && used < room; d++)
        used += (size_t)snprintf(text + used, room - used, "%s%zu", d ? "x" : "", sizes[d]);
}

static void write_line(const char *line, int length)
{
    const char *path = getenv("SPY_LOG");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file < 0)
        return;
    if (write(file, line, (size_t)length) != length)
        perror(path);
    close(file);
}

static cl_int CL_API_CALL spy_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint waits, const cl_event *wait, cl_event *event)
{
    const char *only = getenv("SPY_ONLY");
    char name[128] = "?", offsets[80], globals[80], locals[80], line[512];
    cl_int status;

    below.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    print_sizes(offsets, sizeof offsets, dim, offset);
    print_sizes(globals, sizeof globals, dim, global);
    print_sizes(locals, sizeof locals, dim, local);
    if (only && strcmp(only, locals) != 0)
        status = CL_OUT_OF_RESOURCES;
    else
        status = below.clEnqueueNDRangeKernel(queue, kernel, dim, offset, global, local, waits, wait, event);
    write_line(line, snprintf(line, sizeof line, "%s dim=%u offset=%s global=%s local=%s status=%d\n", name,
                              dim, offsets, globals, locals, status));
    return status;
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
    table.clEnqueueNDRangeKernel = spy_launch;
    *entries_ret = entries < ours ? entries : ours;
    *dispatch_ret = &table;
    return CL_SUCCESS;
}
