/* The shape of Rodinia's cfd: Euler equations on an unstructured grid, five variables per cell, stored by variable:
 * density, momentum x, y, z, energy.  The flux scheme is the simplest of its kind: central, with a diffusive term. */
#define CFD_VARIABLES  5
#define CFD_NEIGHBOURS 4
#define CFD_GAMMA      1.4f

__kernel void cfd_initialize(__global float *restrict variables, __global const float *restrict far, int cells)
{
    int i = get_global_id(0);
    if (i < cells)
        for (int v = 0; v < CFD_VARIABLES; v++)
            variables[i + v * cells] = far[v] + 0.01f * (float)(i % 7);
}

__kernel void cfd_step_factor(__global const float *restrict variables, __global const float *restrict area,
                              __global float *restrict step, int cells)
{
    int i = get_global_id(0);
    if (i >= cells)
        return;
    float density = variables[i];
    float vx = variables[i + cells] / density, vy = variables[i + 2 * cells] / density;
    float vz = variables[i + 3 * cells] / density;
    float speed2 = vx * vx + vy * vy + vz * vz;
    float pressure = (CFD_GAMMA - 1.0f) * (variables[i + 4 * cells] - 0.5f * density * speed2);
    float sound = sqrt(CFD_GAMMA * pressure / density);
    step[i] = 0.5f / (sqrt(area[i]) * (sqrt(speed2) + sound));
}

__kernel void cfd_compute_flux(__global const int *restrict neighbour, __global const float *restrict normal,
                               __global const float *restrict variables, __global const float *restrict far,
                               __global float *restrict flux, int cells)
{
    int i = get_global_id(0);
    if (i >= cells)
        return;
    float own[CFD_VARIABLES], sum[CFD_VARIABLES];
    for (int v = 0; v < CFD_VARIABLES; v++) {
        own[v] = variables[i + v * cells];
        sum[v] = 0.0f;
    }
    float own_speed2 = (own[1] * own[1] + own[2] * own[2] + own[3] * own[3]) / (own[0] * own[0]);
    float own_pressure = (CFD_GAMMA - 1.0f) * (own[4] - 0.5f * own[0] * own_speed2);
    for (int k = 0; k < CFD_NEIGHBOURS; k++) {
        int j = neighbour[i + k * cells];
        float nx = normal[i + (3 * k) * cells], ny = normal[i + (3 * k + 1) * cells];
        float nz = normal[i + (3 * k + 2) * cells];
        float other[CFD_VARIABLES];
        for (int v = 0; v < CFD_VARIABLES; v++)
            other[v] = j >= 0 ? variables[j + v * cells] : far[v];
        float speed2 = (other[1] * other[1] + other[2] * other[2] + other[3] * other[3]) / (other[0] * other[0]);
        float pressure = (CFD_GAMMA - 1.0f) * (other[4] - 0.5f * other[0] * speed2);
        float through = nx * (own[1] / own[0] + other[1] / other[0]) + ny * (own[2] / own[0] + other[2] / other[0]) +
                        nz * (own[3] / own[0] + other[3] / other[0]);
        float diffusion = 0.2f * sqrt(nx * nx + ny * ny + nz * nz) *
                          (sqrt(own_speed2) + sqrt(CFD_GAMMA * (own_pressure + pressure) / (own[0] + other[0])));
        for (int v = 0; v < CFD_VARIABLES; v++)
            sum[v] += 0.25f * through * (own[v] + other[v]) - diffusion * (own[v] - other[v]);
        sum[1] += 0.5f * nx * (own_pressure + pressure);
        sum[2] += 0.5f * ny * (own_pressure + pressure);
        sum[3] += 0.5f * nz * (own_pressure + pressure);
    }
    for (int v = 0; v < CFD_VARIABLES; v++)
        flux[i + v * cells] = sum[v];
}

__kernel void cfd_time_step(__global const float *restrict old, __global float *restrict variables,
                            __global const float *restrict step, __global const float *restrict flux, int cells)
{
    int i = get_global_id(0);
    if (i >= cells)
        return;
    float factor = 0.001f * step[i];
    for (int v = 0; v < CFD_VARIABLES; v++)
        variables[i + v * cells] = old[i + v * cells] + factor * flux[i + v * cells];
}
