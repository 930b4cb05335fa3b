/* device_info.c - describes a device by what its driver says; one record per device and process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/guest/guest.h"
#include "shim/guest/next.h"
#include "shim/guest/util.h"
#include "shim/ledger/runtime.h"
#include "shim/object/device_info.h"

static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct shim_device *) devices;

/* A property of *size bytes, with a NUL behind them, owned by the caller; NULL on failure. */
static void *device_data(cl_device_id id, cl_device_info what, size_t *size)
{
    void *data;

    if (next()->clGetDeviceInfo(id, what, 0, NULL, size) || !*size)
        return NULL;
    data = calloc(1, *size + 1);
    if (data && next()->clGetDeviceInfo(id, what, *size, data, NULL)) {
        free(data);
        data = NULL;
    }
    return data;
}

static char *device_text(cl_device_id id, cl_device_info what)
{
    return device_data(id, what, &(size_t){0});
}

/* A fixed-size property; `value` keeps its contents when the driver does not answer. */
static void device_value(cl_device_id id, cl_device_info what, void *value, size_t size)
{
    unsigned char buffer[64];

    if (size <= sizeof buffer && next()->clGetDeviceInfo(id, what, size, buffer, NULL) == CL_SUCCESS)
        memcpy(value, buffer, size);
}

/* A driver may complain on stderr when it is asked for a clock that it did not find where it looks: in a
 * container without /proc, on many ARM machines. */
static bool cpu_clock_is_known(void)
{
    FILE *f;
    char line[128];
    bool known = access("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", R_OK) == 0;

    if (known || !(f = fopen("/proc/cpuinfo", "re")))
        return known;
    while (!known && fgets(line, sizeof line, f))
        known = strncmp(line, "cpu MHz", 7) == 0;
    fclose(f);
    return known;
}

/* NVIDIA's compute capability, 89 for 8.9; 0: it is none of theirs. */
static uint32_t capability(cl_device_id id)
{
    cl_uint major = 0, minor = 0;

    device_value(id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, &major, sizeof major);
    device_value(id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, &minor, sizeof minor);
    return major * 10 + minor;
}

/* Lanes that run in step: as vendors tell, else as OpenCL 3.0 does.  0: nobody does. */
static uint32_t gpu_warp(cl_device_id id)
{
    cl_uint lanes = 0;
    size_t multiple = 0;

    device_value(id, CL_DEVICE_WARP_SIZE_NV, &lanes, sizeof lanes);
    if (!lanes)
        device_value(id, CL_DEVICE_WAVEFRONT_WIDTH_AMD, &lanes, sizeof lanes);
    if (!lanes)
        device_value(id, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, &multiple, sizeof multiple);
    if (!lanes && multiple >= 8 && multiple <= 128)
        lanes = (cl_uint)multiple;
    return lanes;
}

static void describe_model(struct shim_device *d, const char *name)
{
    struct runtime *rt = rt_current();
    cl_uint units = 0, clock = 0, lanes = 0, line = 0;
    cl_ulong cache = 0, local = 0;
    const struct device *named;

    device_value(d->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, &lanes, sizeof lanes);
    d->lanes = lanes;
    if (rt && rt->device_override) {
        d->model = *rt->device_override;
        return;
    }
    device_value(d->id, CL_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof units);
    if (!d->is_cpu || cpu_clock_is_known())
        device_value(d->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, &clock, sizeof clock);
    device_value(d->id, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, &line, sizeof line);
    device_value(d->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, &cache, sizeof cache);
    device_value(d->id, CL_DEVICE_LOCAL_MEM_SIZE, &local, sizeof local);
    const struct dev_traits traits = {.is_cpu = d->is_cpu,
                                      .units = units,
                                      .clock_mhz = clock,
                                      .max_group_items = d->max_items,
                                      .warp = d->is_cpu ? lanes : gpu_warp(d->id),
                                      .line_bytes = line,
                                      .cache_bytes = cache,
                                      .local_bytes = local,
                                      .name = name,
                                      .capability = d->is_cpu ? 0 : capability(d->id),
                                      .masks = obj_has(d, DRV_MASKS_VECTORS)};
    dev_from_traits(&traits, &d->model);
    d->traits = traits;
    d->traits.name = NULL;
    named = dev_described(&traits);
    if (rt)
        rep_say(rt->report, 3, "device: %s; %s description", name, named ? named->name : "generic");
}

/* The optional language features of OpenCL C 3.0, as the macros that they define. */
static char *feature_names(cl_device_id id)
{
    size_t size = 0, used = 0;
    cl_name_version *list = device_data(id, CL_DEVICE_OPENCL_C_FEATURES, &size);
    const size_t n = list ? size / sizeof *list : 0;
    char *text = calloc(n + 1, sizeof list->name + 1);

    for (size_t i = 0; text && i < n; i++)
        used += (size_t)sprintf(text + used, "%s%.63s", used ? " " : "", list[i].name);
    free(list);
    return text;
}

static void drop(struct shim_device *d)
{
    if (!d)
        return;
    free(d->profile);
    free(d->extensions);
    free(d->features);
    free(d);
}

static void describe_limits(struct shim_device *d)
{
    cl_device_type type = 0;
    cl_command_queue_properties queues = CL_QUEUE_PROFILING_ENABLE;
    cl_bool images = CL_FALSE, little = CL_TRUE;
    cl_device_id parent = NULL;
    cl_uint bits = 64;
    size_t items = 1;

    device_value(d->id, CL_DEVICE_PARENT_DEVICE, &parent, sizeof parent);
    device_value(d->id, CL_DEVICE_TYPE, &type, sizeof type);
    device_value(d->id, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, &queues, sizeof queues);
    device_value(d->id, CL_DEVICE_IMAGE_SUPPORT, &images, sizeof images);
    device_value(d->id, CL_DEVICE_ENDIAN_LITTLE, &little, sizeof little);
    device_value(d->id, CL_DEVICE_ADDRESS_BITS, &bits, sizeof bits);
    device_value(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, &items, sizeof items);
    device_value(d->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, d->max_dim, sizeof d->max_dim);
    d->part = parent;
    d->is_cpu = type & CL_DEVICE_TYPE_CPU;
    d->untimed = !(queues & CL_QUEUE_PROFILING_ENABLE);
    d->images = images;
    d->little_endian = little;
    d->address_bits = bits;
    d->max_items = items < 1u << 20 ? (unsigned)items : 1u << 20;
}

/* "OpenCL 1.2 ..." -> 120.  Who says nothing of the kind knows the calls of 1.2. */
static unsigned version_number(const char *text)
{
    unsigned major, minor;

    return sscanf(text, "OpenCL %u.%u", &major, &minor) == 2 ? major * 100 + minor * 10 : 120;
}

static struct shim_device *describe(cl_device_id id)
{
    static const cl_device_info names[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION,
                                           CL_DEVICE_VERSION, CL_DEVICE_OPENCL_C_VERSION};
    enum { NAME, VENDOR, DRIVER, VERSION, C_VERSION, TEXTS };
    struct shim_device *d = calloc(1, sizeof *d);
    char *text[TEXTS];
    bool complete = d != NULL;

    for (unsigned i = 0; i < TEXTS; i++)
        complete &= (text[i] = device_text(id, names[i])) != NULL;
    if (complete) {
        atomic_init(&d->id, id);
        d->profile = device_text(id, CL_DEVICE_PROFILE);
        d->extensions = device_text(id, CL_DEVICE_EXTENSIONS);
        d->features = feature_names(id);
        snprintf(d->compiler, sizeof d->compiler, "%s|%s|%s", text[NAME], text[VENDOR], text[VERSION]);
        d->api = version_number(text[VERSION]);
        d->quirks = drv_quirks(&(struct driver){.compiler = d->compiler, .version = text[DRIVER]});
        describe_limits(d);
        describe_model(d, text[NAME]);
        snprintf(d->key, sizeof d->key, "%s|%s|%s", text[NAME], text[VENDOR], text[DRIVER]);
        snprintf(d->version, sizeof d->version, "%s", text[C_VERSION]);
        atomic_init(&d->compile_ns, -1);
        atomic_init(&d->secret_answer, CL_INT_MAX);
        complete = d->profile && d->extensions && d->features;
    }
    for (unsigned i = 0; i < TEXTS; i++)
        free(text[i]);
    if (!complete) {
        drop(d);
        d = NULL;
    }
    return d;
}

static struct shim_device *find(cl_device_id id)
{
    struct shim_device *d = atomic_load_explicit(&devices, memory_order_acquire);

    while (d && atomic_load_explicit(&d->id, memory_order_relaxed) != id)
        d = d->next;
    return d;
}

bool obj_device_is_part(cl_device_id id)
{
    const struct shim_device *d = id ? find(id) : NULL;

    return d && d->part;
}

bool obj_forget_device(cl_device_id id)
{
    struct shim_device *d = id ? find(id) : NULL;

    if (!d)
        return false;
    atomic_store(&d->id, NULL);
    return obj_has(d, DRV_NEEDS_PARTS);
}

/* A forgotten part of a device that was just like this one; NULL if none.  devices_lock held. */
static struct shim_device *forgotten(const struct shim_device *like)
{
    struct shim_device *d = like->part ? atomic_load(&devices) : NULL;

    while (d && (atomic_load(&d->id) || strcmp(d->key, like->key) != 0))
        d = d->next;
    return d;
}

struct shim_device *obj_device(cl_device_id id)
{
    struct shim_device *d = id ? find(id) : NULL, *fresh;
    struct guest guest;

    if (d || !id || util_confined())
        return d;
    guest_begin(&guest);
    fresh = describe(id);
    guest_end(&guest);
    if (!fresh)
        return NULL;
    pthread_mutex_lock(&devices_lock);
    d = find(id);
    if (!d && (d = forgotten(fresh)))
        atomic_store(&d->id, id);
    if (!d) {
        fresh->next = atomic_load(&devices);
        atomic_store_explicit(&devices, fresh, memory_order_release);
        d = fresh;
        fresh = NULL;
    }
    pthread_mutex_unlock(&devices_lock);
    drop(fresh);
    return d;
}

unsigned obj_context_devices(cl_context context, cl_device_id *devices)
{
    size_t size = 0;

    if (next()->clGetContextInfo(context, CL_CONTEXT_DEVICES, OBJ_MAX_DEVICES * sizeof *devices, devices,
                                 &size) != CL_SUCCESS)
        return 0;
    return (unsigned)(size / sizeof *devices);
}

/* What is right in the program's kernel may be wrong in vectors, and a launch on copies need not show it.
 * Twice the vector's length lets a processor do two at once, where that is short. */
unsigned obj_wide_lanes(const struct shim_device *d)
{
    if (!d->is_cpu || d->address_bits != 64 || obj_has(d, DRV_SELECTS_WRONG))
        return 0;
    return d->lanes >= 8 ? 16 : d->lanes >= 4 ? 8 : 0;
}
