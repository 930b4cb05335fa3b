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
typedef struct { int w, h; } image_size_t;
__kernel void no_image(__global int *out, image_size_t s)
{
    int i = get_global_id(0);
    if (i < s.w * s.h)
        out[i] = s.w;
}
// >>> kernel step
// >>>   arg p: struct particle*, buffer, global, 8 bytes, read, written
// >>>   arg q: struct params, scalar, private, 8 bytes
// >>>   private: 96 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 load.global.32 load.private.32*3 load.private.4*2 store.global.16 store.global.32 store.private.32*3
// >>>   cost: fadd*4 fmul
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel tags
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   arg p: struct particle*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 load.global.4 store.global.4
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel no_image
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   arg s: image_size_t, scalar, private, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.private.4*2 store.global.4
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
