// Vectors, and components of them, that no path gives a value: what is made of them is refused where it is stored, and no
// kernel that leaves them out.
__kernel void summed(__global float4 *out, __global const float4 *in, int n)
{
    const int i = get_global_id(0);
    float4 s = 0;
    for (int k = 0; k < n; k++) {
        float4 t;
        if (in[i + k].x > 0) {
            t = in[i + k];
            continue;
        }
        s += t;
    }
    out[i] = s;
}
__kernel void added(__global float4 *out, __global const float4 *in)
{
    float4 t;
    out[get_global_id(0)] = in[get_global_id(0)] + t;
}
__kernel void stored(__global float4 *out)
{
    float4 t;
    out[get_global_id(0)] = t;
}
__kernel void stored_number(__global int *out, __global const int *in)
{
    int t;
    if (in[get_global_id(0)])
        out[get_global_id(0)] = t;
    else
        out[get_global_id(0)] = 5;
}
__kernel void three_of_four(__global float4 *out, __global const float4 *in)
{
    float4 t;
    t.xyz = in[get_global_id(0)].xyz;
    out[get_global_id(0)] = t * 2.0f;
}
__kernel void three_taken(__global float *out, __global const float4 *in)
{
    float4 t;
    t.xyz = in[get_global_id(0)].xyz;
    t = t * 2.0f;
    vstore3(t.xyz, get_global_id(0), out);
}
__kernel void shuffled(__global float4 *out, __global const float4 *in)
{
    float4 t;
    t.x = in[get_global_id(0)].x;
    out[get_global_id(0)] = t.xyxy + in[get_global_id(0)];
}
__kernel void both_shuffled(__global float4 *out, __global const float4 *in)
{
    float4 t;
    t.x = in[get_global_id(0)].x;
    t.y = in[get_global_id(0)].w;
    out[get_global_id(0)] = t.xyxy + in[get_global_id(0)];
}
__kernel void one_bit(__global int4 *out, __global const int4 *in)
{
    int4 t;
    t.x = in[get_global_id(0)].x;
    out[get_global_id(0)] = t & 1;
}
__kernel void all_dotted(__global float *out, __global const float4 *in)
{
    float4 t;
    t.xyz = in[get_global_id(0)].xyz;
    out[get_global_id(0)] = dot(t, t);
}
__kernel void three_dotted(__global float *out, __global const float4 *in)
{
    float4 t;
    t.xyz = in[get_global_id(0)].xyz;
    out[get_global_id(0)] = dot(t.xyz, t.xyz);
}
__kernel void on_each_way(__global int4 *out, __global const int4 *in)
{
    int4 t, v = in[get_global_id(0)];
    if (v.x > 100)
        t.xw = v.xw, t.y = 1, t.z = 2;
    else
        t.xzw = v.yzx, t.y = 3;
    out[get_global_id(0)] = t + 1;
}
__kernel void on_one_way(__global int4 *out, __global const int4 *in)
{
    int4 t, v = in[get_global_id(0)];
    if (v.x > 100)
        t.xw = v.xw, t.z = 2;
    else
        t.xzw = v.yzx, t.y = 3;
    out[get_global_id(0)] = t + 1;
}
static int ignores(int4 x, int4 y)
{
    return x.x;
}
__kernel void handed_on(__global int *out, __global const int4 *in)
{
    int4 t;
    out[get_global_id(0)] = ignores(in[get_global_id(0)], t);
}
__kernel void repeated(__global float4 *out, __global const float4 *in)
{
    float t;
    out[get_global_id(0)] = (float4)(t) + in[get_global_id(0)];
}
__kernel void one_of_literal(__global float *out, __global const float4 *in)
{
    float t;
    const float4 v = (float4)(in[get_global_id(0)].xy, t, 1);
    out[get_global_id(0)] = dot(v, v);
}
struct hit {
    float4 at;
    float distance;
    int found;
};
static struct hit found(float4 at)
{
    struct hit h;
    h.at = at;
    h.found = at.x > 0;
    return h;
}
__kernel void member(__global float *out, __global const float4 *in)
{
    const struct hit h = found(in[get_global_id(0)]);
    out[get_global_id(0)] = h.distance + h.at.x;
}
__kernel void other_member(__global float *out, __global const float4 *in)
{
    const struct hit h = found(in[get_global_id(0)]);
    out[get_global_id(0)] = h.found ? h.at.y : 1;
}
__kernel void around(__global float *out, __global const float4 *in, int n)
{
    float4 t;
    float s = 0;
    for (int k = 0; k < n; k++) {
        t.xyz = in[k].xyz;
        s += t.w;
    }
    out[get_global_id(0)] = s;
}
__kernel void around_three(__global float *out, __global const float4 *in, int n)
{
    float3 t;
    float s = 0;
    for (int k = 0; k < n; k++) {
        t.xy = in[k].xy;
        s += dot(t, t);
    }
    out[get_global_id(0)] = s;
}
__kernel void written_around(__global float *out, __global const float4 *in, int n)
{
    float4 t;
    float s = 0;
    for (int k = 0; k < n; k++) {
        t.xyz = in[k].xyz;
        t.w = t.x;
        s += t.w;
    }
    out[get_global_id(0)] = s;
}
// Where LLVM folds the condition, as drivers do, three components are as four.
__kernel void where_given(__global float4 *out, __global const float4 *in)
{
    float3 t;
    const float4 v = in[get_global_id(0)];
    if (v.w > 0)
        t = v.xyz;
    if (v.w > 0)
        out[get_global_id(0)] = (float4)(t, 1);
}
__kernel void nearest(__global float4 *out, __global const float4 *in, int n)
{
    float least = 100;
    float3 at;
    int any = 0;
    for (int k = 0; k < n; k++)
        if (in[k].w < least) {
            least = in[k].w;
            at = in[k].xyz;
            any = 1;
        }
    out[get_global_id(0)] = any ? (float4)(at, least) : (float4)1;
}
// A helper fills it where it returns true.
static bool positive(float4 v, float4 *at)
{
    if (v.x > 0)
        *at = v;
    return v.x > 0;
}
__kernel void helped(__global float4 *out, __global const float4 *in, int n)
{
    float4 at;
    int any = 0;
    for (int k = 0; k < n; k++)
        if (positive(in[k], &at))
            any = 1;
    if (any)
        out[get_global_id(0)] = at;
}
__kernel void helped_or_not(__global float4 *out, __global const float4 *in, int n)
{
    float4 at;
    int any = 0;
    for (int k = 0; k < n; k++)
        if (positive(in[k], &at) || in[k].y > 0)
            any = 1;
    if (any)
        out[get_global_id(0)] = at;
}
// >>> kernel summed
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd*5
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>>   ids below: 2^31
// >>> kernel added
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.16
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel stored
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: store.global.16
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel stored_number
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   arg in: int*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4*2
// >>>   proved: O0 O1 O2 I A
// >>>   not S: undefined-value
// >>>   not U: data-dependent-work
// >>> kernel three_of_four
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fmul*3
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-bytes
// >>> kernel three_taken
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.12
// >>>   cost: fmul*3
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel shuffled
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd*2
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-bytes
// >>> kernel both_shuffled
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd*4
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel one_bit
// >>>   arg out: int4*, buffer, global, 8 bytes, written
// >>>   arg in: int4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-bytes
// >>> kernel all_dotted
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   cost: fma*3 fmul
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel three_dotted
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   cost: fma*2 fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel on_each_way
// >>>   arg out: int4*, buffer, global, 8 bytes, written
// >>>   arg in: int4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>> kernel on_one_way
// >>>   arg out: int4*, buffer, global, 8 bytes, written
// >>>   arg in: int4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   proved: O0 O1 O2 I A
// >>>   not S: undefined-value
// >>>   not U: data-dependent-work
// >>> kernel handed_on
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   arg in: int4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel repeated
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.16
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel one_of_literal
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   cost: fadd fma*2 fmul
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel member
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   private: 32 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   cost: fadd
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel other_member
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   private: 32 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel around
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   cost: fadd
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel around_three
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   cost: fadd fma*2 fmul
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel written_around
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel where_given
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>> kernel nearest
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A U
// >>>   work-items part around or behind a loop
// >>> kernel helped
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   private: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>> kernel helped_or_not
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   private: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd*2
// >>>   proved: O0 O1 O2 I A
// >>>   not S: undefined-value
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
