/* unoptimised.cl - drivers that must not optimise: a place outside of a private array is touched there even where
 * nothing is made of it. */
// options: -cl-opt-disable

__kernel void written_for_nothing(__global const int *x, __global const int *y, __global int *o)
{
    int i = get_global_id(0), u[8], t[8];
    u[x[i] & 7] = y[i];
    t[8 + (x[i + 1] & 7)] = 7;
    o[i] = u[x[i] & 7];
}
// >>> written_for_nothing 4096 : undefined-index

__kernel void written_within(__global const int *x, __global const int *y, __global int *o)
{
    int i = get_global_id(0), u[8], t[8];
    u[x[i] & 7] = y[i];
    t[x[i + 1] & 7] = 7;
    o[i] = u[x[i] & 7];
}
// >>> written_within 4096 : proved

__kernel void just_past(__global const int *x, __global const int *y, __global int *o)
{
    int i = get_global_id(0), t[8], u[8];
    for (int k = 0; k < 8; k++)
        t[k] = u[k] = y[i + k];
    t[8] = x[i];
    o[i] = u[x[i] & 7];
}
// >>> just_past 4096 : undefined-index

__kernel void just_not_past(__global const int *x, __global const int *y, __global int *o)
{
    int i = get_global_id(0), t[8], u[8];
    for (int k = 0; k < 8; k++)
        t[k] = u[k] = y[i + k];
    t[7] = x[i];
    o[i] = u[x[i] & 7];
}
// >>> just_not_past 4096 : proved

void put(int *p, int n)
{
    p[n] = 3;
}

__kernel void by_function(__global const int *x, __global const int *y, __global int *o)
{
    int i = get_global_id(0), u[8], t[8];
    u[x[i] & 7] = y[i];
    put(t + 1, x[i + 1] & 7);
    o[i] = u[x[i] & 7];
}
// >>> by_function 4096 : undefined-index

__kernel void by_function_within(__global const int *x, __global const int *y, __global int *o)
{
    int i = get_global_id(0), u[8], t[8];
    u[x[i] & 7] = y[i];
    put(t + 4, x[i + 1] & 3);
    o[i] = u[x[i] & 7];
}
// >>> by_function_within 4096 : proved

struct row {
    int a[16];
};

__kernel void copied(__global const struct row *x, __global const int *n, __global int *o)
{
    int i = get_global_id(0), u[8];
    struct row t[4];
    u[n[i] & 7] = n[i + 1];
    t[n[i + 2] & 7] = x[i];
    o[i] = u[n[i] & 7];
}
// >>> copied 4096 : undefined-index

struct parts {
    int a[4];
    int4 v;
    float4 f[2];
};

struct parts changed(struct parts p, int k)
{
    p.a[k & 3] = k;
    p.v.x = k;
    p.f[1].y = k;
    return p;
}

__kernel void members(__global const int *x, __global int *o, struct parts p)
{
    int i = get_global_id(0);
    struct parts s = changed(p, x[i]), t = changed(s, x[i + 1]);
    o[i] = s.a[1] + t.a[x[i] & 3] + t.v.x + t.f[x[i + 1] & 1].y;
}
// >>> members 4096 p=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 : proved
