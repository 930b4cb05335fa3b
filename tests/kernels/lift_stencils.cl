/* Eight two-dimensional stencils on nx x ny floats.  SRAD and hotspot repeat the border, the others leave it alone. */

__kernel void stencil2d_9pt(__global const float *restrict in, __global float *restrict out, int nx, int ny,
                            float centre, float cardinal, float diagonal)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
        int at = y * nx + x;
        out[at] = centre * in[at] + cardinal * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]) +
                  diagonal * (in[at - nx - 1] + in[at - nx + 1] + in[at + nx - 1] + in[at + nx + 1]);
    }
}

__kernel void srad1(__global const float *restrict image, __global float *restrict coefficient, int nx, int ny,
                    float q0)
{
    int x = get_global_id(0), y = get_global_id(1);
    int west = x > 0 ? x - 1 : 0, east = x < nx - 1 ? x + 1 : nx - 1;
    int north = y > 0 ? y - 1 : 0, south = y < ny - 1 ? y + 1 : ny - 1;
    float here = image[y * nx + x];
    float dn = image[north * nx + x] - here, ds = image[south * nx + x] - here;
    float dw = image[y * nx + west] - here, de = image[y * nx + east] - here;
    float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (here * here), l = (dn + ds + dw + de) / here;
    float numerator = 0.5f * g2 - 0.0625f * l * l, denominator = 1.0f + 0.25f * l;
    float q = numerator / (denominator * denominator);
    float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    coefficient[y * nx + x] = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

__kernel void srad2(__global float *restrict image, __global const float *restrict coefficient,
                    __global const float *restrict before, int nx, int ny, float lambda)
{
    int x = get_global_id(0), y = get_global_id(1);
    int west = x > 0 ? x - 1 : 0, east = x < nx - 1 ? x + 1 : nx - 1;
    int north = y > 0 ? y - 1 : 0, south = y < ny - 1 ? y + 1 : ny - 1;
    int at = y * nx + x;
    float here = before[at], c = coefficient[at];
    float divergence = c * (before[north * nx + x] - here) + coefficient[south * nx + x] * (before[south * nx + x] - here) +
                       c * (before[y * nx + west] - here) + coefficient[y * nx + east] * (before[y * nx + east] - here);
    image[at] = here + 0.25f * lambda * divergence;
}

__kernel void hotspot2d(__global const float *restrict power, __global const float *restrict in,
                        __global float *restrict out, int nx, int ny, float step, float rx, float ry, float rz)
{
    int x = get_global_id(0), y = get_global_id(1);
    int west = x > 0 ? x - 1 : 0, east = x < nx - 1 ? x + 1 : nx - 1;
    int north = y > 0 ? y - 1 : 0, south = y < ny - 1 ? y + 1 : ny - 1;
    int at = y * nx + x;
    float here = in[at];
    out[at] = here + step * (power[at] + (in[south * nx + x] + in[north * nx + x] - 2.0f * here) * ry +
                             (in[y * nx + east] + in[y * nx + west] - 2.0f * here) * rx + (80.0f - here) * rz);
}

__kernel void gradient(__global const float *restrict in, __global float *restrict out, int nx, int ny)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
        int at = y * nx + x;
        float here = in[at], w = here - in[at - 1], e = here - in[at + 1], n = here - in[at - nx], s = here - in[at + nx];
        out[at] = sqrt(w * w + e * e + n * n + s * s + 0.0001f);
    }
}

__kernel void jacobi_5pt(__global const float *restrict in, __global float *restrict out, int nx, int ny)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
        int at = y * nx + x;
        out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
    }
}

__kernel void jacobi_9pt(__global const float *restrict in, __global float *restrict out, int nx, int ny)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
        float sum = 0.0f;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += in[(y + dy) * nx + x + dx];
        out[y * nx + x] = sum / 9.0f;
    }
}

__kernel void gaussian_25pt(__global const float *restrict in, __global float *restrict out,
                            __constant float *restrict weight, int nx, int ny)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 1 && y > 1 && x < nx - 2 && y < ny - 2) {
        float sum = 0.0f;
        for (int dy = -2; dy <= 2; dy++)
            for (int dx = -2; dx <= 2; dx++)
                sum += weight[(dy + 2) * 5 + dx + 2] * in[(y + dy) * nx + x + dx];
        out[y * nx + x] = sum;
    }
}
