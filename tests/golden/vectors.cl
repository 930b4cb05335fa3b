// Vector types: whole loads and stores, vloadN, component updates, integer lanes that feed addresses.
__kernel void add4(__global float4 *c, __global const float4 *a, __global const float4 *b)
{
    int i = get_global_id(0);
    c[i] = a[i] + b[i];
}
__kernel void three(__global float *o, __global const float *p, __global const float3 *q)
{
    size_t i = get_global_id(0);
    vstore3(vload3(i, p) * q[i], i, o);
}
__kernel void lanes(__global uchar4 *o, __global const uchar4 *p, int2 size)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (any(at >= size))
        return;
    int2 next = min(at + (int2)(1, 1), size - 1);
    o[at.y * size.x + at.x] = p[next.y * size.x + next.x].wzyx;
}
__kernel void component(__global float4 *v, float s)
{
    v[get_global_id(0)].y = s;
}
// >>> exit status 127
