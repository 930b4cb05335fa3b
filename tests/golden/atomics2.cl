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
// >>> kernel fetch
// >>>   arg n: atomic_int*, buffer, global, 8 bytes, read, written
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: atomic-add.global.4.unused atomic-load.global.4 atomic-or.global.4.unused store.global.4
// >>>   proved: O0 O1 O2 U
// >>>   not S: ordered-atomic
// >>>   not I: atomic
// >>>   not A: ordered-atomic
// >>> kernel exchange
// >>>   arg n: atomic_int*, buffer, global, 8 bytes, read, written
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   private: 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: atomic-cmpxchg.global.4 load.private.4*2 store.global.4 store.private.4*2
// >>>   proved: O0 O1 O2 U
// >>>   not S: ordered-atomic
// >>>   not I: atomic
// >>>   not A: ordered-atomic
// >>> kernel generic_pointer
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   private: 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   proved: S O0 O1 O2 I A U
