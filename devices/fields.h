/* fields.h - the keys of a device description. */
#pragma once

#include "devices/device.h"

enum dev_type { TEXT, BOOL, U32, U64, REAL };

enum dev_unit {
    NONE,
    CYCLES,
    BYTES,
    NS,
    MHZ,
    TRUTH,
    UNITS,
    LANES,
    ITEMS,
    GROUPS,
    WARPS,
    REGISTERS,
    BANKS,
    OPS,
    MBPS
};

struct dev_field {
    const char *key;
    enum dev_type type;
    enum dev_unit unit;
    size_t offset;
    double min, max; /* TEXT: max is the room, with the terminating zero */
    unsigned level;  /* 2, 3: required only where another key of that cache level is given; else 0 */
    bool optional;
};

extern const struct dev_field dev_fields[];
extern const size_t dev_nfields;
