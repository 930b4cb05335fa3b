/* occupancy.c - [W] eq. 1-7 and 9 with every zero limit read as unlimited. */
#include "select/time/occupancy.h"
#include "select/integer.h"

#define UNLIMITED UINT64_MAX

/* Grain 0 and 1 both mean "no rounding"; sums that leave 64 bits saturate. */
static uint64_t round_up(uint64_t a, uint64_t grain)
{
    if (grain <= 1)
        return a;
    uint64_t n = sel_ceil_div(a, grain);
    return n > UNLIMITED / grain ? UNLIMITED : n * grain;
}

uint64_t occ_warps(const struct device *d, const size_t local[3])
{
    uint64_t lanes = d->warp ? d->warp : 1;
    if (d->is_cpu)
        return sel_ceil_div(local[0], lanes) * local[1] * local[2];
    return sel_ceil_div((uint64_t)local[0] * local[1] * local[2], lanes);
}

/* lim_reg ([W] eq. 3-4).  A device that has one register file for all residents leaves regs_group 0: then
 * B_reg_wg = B_reg_SM. */
static uint64_t limit_registers(const struct device *d, const struct occ_need *need)
{
    if (need->registers == 0)
        return UNLIMITED;
    if (d->regs_item && need->registers > d->regs_item)
        return 0;
    uint64_t file = d->regs_group ? d->regs_group : d->regs_unit;
    if (file == 0)
        return UNLIMITED;
    uint64_t lanes = d->warp ? d->warp : 1;
    uint64_t per_warp = round_up(need->registers * lanes, d->reg_grain);
    uint64_t warps = file / per_warp;
    if (d->warp_grain > 1)
        warps -= warps % d->warp_grain;
    uint64_t files = d->regs_group && d->regs_unit ? d->regs_unit / d->regs_group : 1;
    return warps / need->warps * files;
}

/* lim_local ([W] eq. 5-6). */
static uint64_t limit_local(const struct device *d, const struct occ_need *need)
{
    if (need->local_bytes == 0)
        return UNLIMITED;
    uint64_t bytes = round_up(need->local_bytes, d->local_grain_bytes);
    if (d->local_group_bytes && bytes > d->local_group_bytes)
        return 0;
    return d->local_unit_bytes ? d->local_unit_bytes / bytes : UNLIMITED;
}

static void lower(struct occupancy *o, uint64_t limit, enum sel_limiter why)
{
    if (limit < o->groups) {
        o->groups = limit;
        o->limiter = why;
    }
}

void occ_compute(const struct device *d, const struct occ_need *need, struct occupancy *out)
{
    *out = (struct occupancy){.groups = UNLIMITED, .limiter = SEL_LIM_NONE};
    if (need->items == 0 || need->warps == 0 || (d->max_group_items && need->items > d->max_group_items)) {
        *out = (struct occupancy){.limiter = SEL_LIM_RANGE};
        return;
    }
    if (d->max_groups_unit)
        lower(out, d->max_groups_unit, SEL_LIM_GROUPS);
    if (d->max_warps_unit)
        lower(out, d->max_warps_unit / need->warps, SEL_LIM_WARPS);
    lower(out, limit_registers(d, need), SEL_LIM_REGISTERS);
    lower(out, limit_local(d, need), SEL_LIM_LOCAL);
    if (need->groups)
        lower(out, sel_ceil_div(need->groups, d->units ? d->units : 1), SEL_LIM_RANGE);
    if (out->groups == UNLIMITED) /* neither the device nor the range says anything: one group is a floor */
        out->groups = 1;
    out->warps = out->groups * need->warps;
}
