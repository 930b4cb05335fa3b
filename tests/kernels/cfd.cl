/* An unstructured-grid Euler solver: five variables per element (density, momentum x 3, energy), stored by
 * variable, four neighbours per element. */
#define GAMMA 1.4f

typedef struct {
    float x, y, z;
} vec;

__constant float ff_variable[5] = {1.4f, 1.2f, 0.1f, 0.0f, 3.0f};
__constant float ff_flux[4][3] = {{1.8f, 0.1f, 0.0f}, {0.2f, 1.1f, 0.0f}, {0.0f, 0.0f, 1.0f}, {4.2f, 0.3f, 0.1f}};

float pressure_of(float density, float energy, float speed2)
{
    return (GAMMA - 1.0f) * (energy - 0.5f * density * speed2);
}

void fluxes(vec v, float density, vec momentum, float pressure, float energy, vec *mx, vec *my, vec *mz, vec *e)
{
    mx->x = v.x * momentum.x + pressure;
    mx->y = v.x * momentum.y;
    mx->z = v.x * momentum.z;
    my->x = mx->y;
    my->y = v.y * momentum.y + pressure;
    my->z = v.y * momentum.z;
    mz->x = mx->z;
    mz->y = my->z;
    mz->z = v.z * momentum.z + pressure;
    float s = energy + pressure;
    e->x = v.x * s;
    e->y = v.y * s;
    e->z = v.z * s;
}

__kernel void initialize_variables(__global float *variables, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    for (int j = 0; j < 5; j++)
        variables[i + j * n] = ff_variable[j];
}

__kernel void compute_step_factor(__global const float *variables, __global const float *areas,
                                  __global float *step, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float density = variables[i];
    vec m = {variables[i + n], variables[i + 2 * n], variables[i + 3 * n]};
    float energy = variables[i + 4 * n];
    vec v = {m.x / density, m.y / density, m.z / density};
    float speed2 = v.x * v.x + v.y * v.y + v.z * v.z;
    float sound = sqrt(GAMMA * pressure_of(density, energy, speed2) / density);
    step[i] = 0.5f / (sqrt(areas[i]) * (sqrt(speed2) + sound));
}

__kernel void time_step(int j, int n, __global const float *old, __global float *variables,
                        __global const float *step, __global const float *flux)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float factor = step[i] / (float)(4 - j);
    for (int k = 0; k < 5; k++)
        variables[i + k * n] = old[i + k * n] + factor * flux[i + k * n];
}

__kernel void compute_flux(__global const int *neighbours, __global const float *normals,
                           __global const float *variables, __global float *flux, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float d = variables[i], en = variables[i + 4 * n];
    vec m = {variables[i + n], variables[i + 2 * n], variables[i + 3 * n]};
    vec v = {m.x / d, m.y / d, m.z / d};
    float speed2 = v.x * v.x + v.y * v.y + v.z * v.z, speed = sqrt(speed2), p = pressure_of(d, en, speed2);
    float sound = sqrt(GAMMA * p / d);
    vec mx, my, mz, e, fd = {0, 0, 0};
    fluxes(v, d, m, p, en, &mx, &my, &mz, &e);
    float fden = 0, fen = 0;
    for (int j = 0; j < 4; j++) {
        int nb = neighbours[i + j * n];
        vec normal = {normals[i + j * n], normals[i + (j + 4) * n], normals[i + (j + 8) * n]};
        float len = sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
        if (nb >= 0) {
            float dn = variables[nb], enn = variables[nb + 4 * n];
            vec mn = {variables[nb + n], variables[nb + 2 * n], variables[nb + 3 * n]};
            vec vn = {mn.x / dn, mn.y / dn, mn.z / dn};
            float sn2 = vn.x * vn.x + vn.y * vn.y + vn.z * vn.z, pn = pressure_of(dn, enn, sn2);
            vec nx, ny, nz, ne;
            fluxes(vn, dn, mn, pn, enn, &nx, &ny, &nz, &ne);
            float factor = -len * 0.1f * (speed + sqrt(sn2) + sound + sqrt(GAMMA * pn / dn));
            fden += factor * (d - dn);
            fen += factor * (en - enn);
            fd.x += factor * (m.x - mn.x);
            fd.y += factor * (m.y - mn.y);
            fd.z += factor * (m.z - mn.z);
            fden += 0.5f * (normal.x * (mn.x + m.x) + normal.y * (mn.y + m.y) + normal.z * (mn.z + m.z));
            fen += 0.5f * (normal.x * (ne.x + e.x) + normal.y * (ne.y + e.y) + normal.z * (ne.z + e.z));
            fd.x += 0.5f * (normal.x * (nx.x + mx.x) + normal.y * (nx.y + mx.y) + normal.z * (nx.z + mx.z));
            fd.y += 0.5f * (normal.x * (ny.x + my.x) + normal.y * (ny.y + my.y) + normal.z * (ny.z + my.z));
            fd.z += 0.5f * (normal.x * (nz.x + mz.x) + normal.y * (nz.y + mz.y) + normal.z * (nz.z + mz.z));
        } else if (nb == -1) {
            fd.x += normal.x * p;
            fd.y += normal.y * p;
            fd.z += normal.z * p;
        } else if (nb == -2) {
            fden += 0.5f * normal.x * (ff_variable[1] + m.x);
            fen += 0.5f * normal.x * (ff_flux[3][0] + e.x);
            fd.x += 0.5f * normal.x * (ff_flux[0][0] + mx.x);
            fd.y += 0.5f * normal.y * (ff_flux[1][1] + my.y);
            fd.z += 0.5f * normal.z * (ff_flux[2][2] + mz.z);
        }
    }
    flux[i] = fden;
    flux[i + n] = fd.x;
    flux[i + 2 * n] = fd.y;
    flux[i + 3 * n] = fd.z;
    flux[i + 4 * n] = fen;
}
