// Exchanges whose order does not show, and those whose order does.
// FORM: --facts
__kernel void exchange(__global int *found, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        atomic_xchg(found, 1);
}
__kernel void two_places(__global int *found, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        atomic_xchg(&found[0], 1);
    else
        atomic_xchg(&found[1], 1);
}
__kernel void old_value(__global int *found, __global int *first)
{
    if (atomic_xchg(found, 1) == 0)
        *first = get_global_id(0);
}
__kernel void two_constants(__global int *found, __global const float *v, float x)
{
    atomic_xchg(found, v[get_global_id(0)] > x ? 1 : 2);
}
__kernel void two_constants_apart(__global int *found, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        atomic_xchg(&found[0], 1);
    else
        atomic_xchg(&found[1], 2);
}
__kernel void looked_at(__global int *found, __global const float *v, float x)
{
    if (!*found && v[get_global_id(0)] > x)
        atomic_xchg(found, 1);
}
__kernel void ids(__global int *last)
{
    atomic_xchg(last, (int)get_global_id(0));
}
__kernel void with_or(__global int *found, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        atomic_xchg(found, 1);
    else
        atomic_or(found, 2);
}
__kernel void compare(__global int *found)
{
    atomic_cmpxchg(found, 0, 1);
}
__kernel void compare_with_another(__global int *found, int from, int to)
{
    if (get_global_id(0) < 7)
        atomic_cmpxchg(found, from, to);
    else
        atomic_cmpxchg(found, to, from);
}
__kernel void compare_twice(__global int *found)
{
    atomic_cmpxchg(found, 0, 1);
    atomic_cmpxchg(found, 1, 2);
}
__kernel void compare_old_value(__global int *found, __global int *first)
{
    if (atomic_cmpxchg(found, 0, 1) == 0)
        *first = get_global_id(0);
}
__kernel void compare_data(__global int *found, __global const int *v)
{
    atomic_cmpxchg(found, 0, v[get_global_id(0)]);
}
__kernel void compare_and_exchange(__global int *found)
{
    atomic_cmpxchg(found, 0, 1);
    atomic_xchg(found, 1);
}
__kernel void argument(__global int *found, __global const float *v, float x, int what)
{
    if (v[get_global_id(0)] > x)
        atomic_xchg(found, what);
}
__kernel void in_local_memory(__global int *out, __local int *found)
{
    atomic_xchg(found, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = *found;
}
__kernel void of_a_float(__global float *last, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        atomic_xchg(last, 0.5f);
}
__kernel void of_a_float_argument(__global float *last, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        atomic_xchg(last, x);
}
__kernel void two_floats(__global float *last, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        atomic_xchg(last, 0.5f);
    else
        atomic_xchg(last, 0.25f);
}
__kernel void a_product(__global float *last, __global const float *v, float x)
{
    atomic_xchg(last, x * v[get_global_id(0)]);
}
// >>> exchange	S012-A-	tunable	0	-
// >>> two_places	S012-A-	tunable	0	-
// >>> old_value	-012---	ordered-atomic	17	the old value is used
// >>> two_constants	-012--U	ordered-atomic	22	an operation that does not commute
// >>> two_constants_apart	-012---	ordered-atomic	27	different atomics on one buffer
// >>> looked_at	-012---	ordered-atomic	33	the atomics' buffer is also read or written
// >>> ids	-012--U	ordered-atomic	38	an operation that does not commute
// >>> with_or	-012---	ordered-atomic	43	different atomics on one buffer
// >>> compare	S012-AU	tunable	0	-
// >>> compare_with_another	-012---	ordered-atomic	54	different atomics on one buffer
// >>> compare_twice	-012--U	ordered-atomic	61	different atomics on one buffer
// >>> compare_old_value	-012---	ordered-atomic	65	the old value is used
// >>> compare_data	-012--U	ordered-atomic	70	an operation that does not commute
// >>> compare_and_exchange	-012--U	ordered-atomic	75	different atomics on one buffer
// >>> argument	S012-A-	tunable	0	-
// >>> in_local_memory	-012--U	barrier	85	barrier
// >>> of_a_float	S012-A-	tunable	0	-
// >>> of_a_float_argument	S012-A-	tunable	0	-
// >>> two_floats	-012---	ordered-atomic	101	different atomics on one buffer
// >>> a_product	-012--U	ordered-atomic	107	an operation that does not commute
