/* device_info.h - what the library knows of devices and their drivers.  Thread-safe. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "analysis/summary/driver_compiler.h"
#include "devices/device.h"
#include "shim/guest/opencl.h"

struct shim_device {
    /* First what every launch looks at. */
    _Atomic(cl_device_id) id; /* NULL: released */
    bool part;                /* a sub-device */
    bool images, little_endian;
    bool is_cpu;                /* by CL_DEVICE_TYPE, whatever `model` describes */
    uint64_t quirks;            /* drv_quirks() */
    bool untimed;               /* its queues do not support event times */
    atomic_bool no_event_times; /* event times are zero or nonsense: the host clock must do (times.h) */
    unsigned api; /* CL_DEVICE_VERSION, 120 for 1.2; functions of later versions must not be called */
    unsigned address_bits;
    unsigned max_items; /* CL_DEVICE_MAX_WORK_GROUP_SIZE */
    unsigned lanes;     /* CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT; 0 if the driver does not tell */
    size_t max_dim[3];
    char key[512];      /* "name|vendor|driver version": wisdom and reports */
    char compiler[512]; /* "name|vendor|device version": identifies the compiler of programs */
    char version[128];  /* CL_DEVICE_OPENCL_C_VERSION */
    char *profile;      /* CL_DEVICE_PROFILE, owned */
    char *extensions;   /* CL_DEVICE_EXTENSIONS, owned */
    char *features;     /* names of CL_DEVICE_OPENCL_C_FEATURES, blank separated, owned; may be "" */
    struct device model;
    struct dev_traits traits; /* it is made of, without the name; all 0: of --device-file */
    atomic_int secret_answer; /* what the driver returns for event times of a queue without profiling, and so
                                 what programs get that did not ask for them; CL_INT_MAX: not known yet */
    atomic_bool tells_times;  /* some event had sensible times */
    atomic_uint told_nothing; /* how many events did not */
    atomic_int quiet;         /* enum obj_quiet: are queues created without event times (untimed_runs.h)? */
    atomic_bool waited_well;  /* some event that we polled was seen to complete */
    atomic_uint waited_in_vain; /* how many were not, before the first that was */
    atomic_bool keeps_nothing;  /* the driver does not keep what it compiles for other processes */
    atomic_llong compile_ns;    /* learned cost of the first launch of a local size; < 0 unknown */
    struct shim_device *next;
};

enum obj_quiet { OBJ_QUIET_UNKNOWN, OBJ_TIMED, OBJ_QUIET };

/* Do queues on the device have no event times that the application did not ask for, for the whole run? */
static inline bool obj_is_quiet(const struct shim_device *d)
{
    return atomic_load_explicit(&d->quiet, memory_order_relaxed) == OBJ_QUIET;
}

/* The driver of `d`, as the analysis knows it; valid as long as `d`. */
static inline struct driver obj_driver(const struct shim_device *d)
{
    const char *version = strrchr(d->key, '|');

    return (struct driver){
        .compiler = d->compiler, .version = version ? version + 1 : "", .is_cpu = d->is_cpu};
}

/* Has its driver this quirk? */
static inline bool obj_has(const struct shim_device *d, enum drv_quirk q)
{
    return d->quirks >> q & 1;
}

/* Neighbours whose work one work-item of a rewritten kernel should do there; 0: no kernel should be
 * rewritten. */
unsigned obj_wide_lanes(const struct shim_device *d);

/* Look up or describe a device.  NULL when out of memory or the driver does not answer. */
struct shim_device *obj_device(cl_device_id id);
#define OBJ_MAX_DEVICES 64 /* of a context or program */

/* Write the context's devices to `devices`, which has room for OBJ_MAX_DEVICES.  Returns how many there are;
 * 0 if the driver does not tell, or if there are more. */
unsigned obj_context_devices(cl_context context, cl_device_id *devices);
/* Is it a sub-device that obj_device() has described? */
bool obj_device_is_part(cl_device_id id);
/* The application releases its last reference to a sub-device: forget it, since its handle may be reused.
 * True if the driver needs the sub-device to stay. */
bool obj_forget_device(cl_device_id id);
