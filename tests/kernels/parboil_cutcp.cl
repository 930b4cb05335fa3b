/* The shape of Parboil's cutcp: the potential of all atoms within a cutoff, on a slice of a lattice. */

__kernel void cutcp(__global const float *restrict atom, int atoms, __global float *restrict lattice, float spacing,
                    float z, float cutoff2)
{
    int x = get_global_id(0), y = get_global_id(1);
    float px = spacing * (float)x, py = spacing * (float)y, energy = 0.0f;
    for (int i = 0; i < atoms; i++) {
        float dx = atom[4 * i] - px, dy = atom[4 * i + 1] - py, dz = atom[4 * i + 2] - z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff2) {
            float s = 1.0f - r2 / cutoff2;
            energy += atom[4 * i + 3] / sqrt(r2) * s * s;
        }
    }
    lattice[y * (int)get_global_size(0) + x] += energy;
}
