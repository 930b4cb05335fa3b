// FORM: --facts
// What a kernel lets the compiler assume must hold for every size: with another one the driver's code may crash.
__kernel void of_size(__global int *out)
{
    __builtin_assume(get_local_size(0) == 64);
    out[get_global_id(0)] = 1;
}
__kernel void of_id(__global int *out)
{
    __builtin_assume(get_local_id(0) == 0);
    out[get_global_id(0)] = get_local_id(0);
}
__kernel void unreachable(__global int *out)
{
    if (get_num_groups(0) > 4)
        __builtin_unreachable();
    out[get_global_id(0)] = 1;
}
__kernel void of_range(__global int *out)
{
    __builtin_assume(get_global_size(0) % 64 == 0);
    out[get_global_id(0)] = 1;
}
__kernel void of_arguments(__global int *out, int n)
{
    __builtin_assume(n > 0 && get_global_id(0) < n);
    out[get_global_id(0) % n] = 1;
}
// >>> of_size	-012IAU	local-size-observed	5	get_local_size(0) reaches a call
// >>> of_id	-012IAU	local-id-observed	10	get_local_id(0) reaches a call
// >>> unreachable	--12IAU	num-groups-observed	15	get_num_groups(0) reaches a call
// >>> of_range	S-12IAU	tunable	0	-
// >>> of_arguments	S012IAU	tunable	0	-
