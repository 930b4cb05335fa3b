// Atomics for part of the launch only: what another group does there at the same time may be lost.
// OPTIONS: -cl-std=CL2.0
// FORM: --facts
__kernel void device(__global atomic_uint *n)
{
    atomic_fetch_add_explicit(&n[get_global_id(0) / 64], 1, memory_order_relaxed, memory_scope_device);
}
__kernel void all_devices(__global atomic_uint *n)
{
    atomic_fetch_add_explicit(&n[get_global_id(0) / 64], 1, memory_order_relaxed, memory_scope_all_svm_devices);
}
__kernel void not_said(__global atomic_uint *n)
{
    atomic_fetch_add_explicit(&n[get_global_id(0) / 64], 1, memory_order_relaxed);
}
__kernel void work_group(__global atomic_uint *n)
{
    atomic_fetch_add_explicit(&n[get_global_id(0) / 64], 1, memory_order_relaxed, memory_scope_work_group);
}
__kernel void work_item(__global atomic_uint *n)
{
    atomic_fetch_add_explicit(&n[get_global_id(0) / 64], 1, memory_order_relaxed, memory_scope_work_item);
}
__kernel void argument(__global atomic_uint *n, int narrow)
{
    atomic_fetch_add_explicit(&n[get_global_id(0) / 64], 1, memory_order_relaxed,
                              narrow ? memory_scope_work_group : memory_scope_device);
}
// >>> device	S012-AU	tunable	0	-
// >>> all_devices	S012-AU	tunable	0	-
// >>> not_said	S012-AU	tunable	0	-
// >>> work_group	-012--U	ordered-atomic	18	an operation that does not commute
// >>> work_item	-012--U	ordered-atomic	22	an operation that does not commute
// >>> argument	-012--U	ordered-atomic	26	an operation that does not commute
