// Structs: by value as an argument, in memory, nested, and returned from a helper.
struct inner { char tag; double weight; };
struct particle { float4 pos; struct inner in; int id[3]; };
struct params { int count; float dt; };
struct particle move(struct particle p, float dt)
{
    p.pos += dt * p.pos.w;
    return p;
}
__kernel void step(__global struct particle *p, struct params q)
{
    int i = get_global_id(0);
    if (i < q.count)
        p[i] = move(p[i], q.dt);
}
__kernel void tags(__global int *out, __global const struct particle *p)
{
    int i = get_global_id(0);
    out[i] = p[i].in.tag + p[i].id[2];
}
// >>> exit status 127
