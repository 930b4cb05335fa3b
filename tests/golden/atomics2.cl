// OpenCL 2 atomics and generic pointers.
// OPTIONS: -cl-std=CL2.0
__kernel void fetch(__global atomic_int *n, __global int *o)
{
    atomic_fetch_add(n, 2);
    atomic_fetch_or_explicit(n, 4, memory_order_relaxed, memory_scope_device);
    o[get_global_id(0)] = atomic_load(n);
}
__kernel void exchange(__global atomic_int *n, __global int *o)
{
    int expected = 1;
    o[get_global_id(0)] = atomic_compare_exchange_strong(n, &expected, 5) + expected;
}
int deref(int *p) { return *p; }
__kernel void generic_pointer(__global int *o, __global int *p)
{
    int x = 3;
    o[get_global_id(0)] = deref(p + get_global_id(0)) + deref(&x);
}
// >>> exit status 127
