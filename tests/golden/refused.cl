// What has no meaning to analysis is refused by name, never dropped.
__kernel void prints(__global int *o)
{
    printf("%d\n", o[get_global_id(0)]);
}
int unknown(int);
__kernel void calls(__global int *o)
{
    o[get_global_id(0)] = unknown(3);
}
int down(int n) { return n <= 1 ? 1 : n * down(n - 2); }
__kernel void recursive(__global int *o, int n)
{
    o[get_global_id(0)] = down(n) + down(n + 1);
}
__kernel void forged(__global int *o, ulong address)
{
    *(__global int *)address = o[get_global_id(0)];
}
// Neither of these has a name, or what is left of it, that could be looked up.
__kernel void assembly(__global int *o)
{
    int x;
    __asm__("nop" : "=r"(x));
    o[get_global_id(0)] = x;
}
int convert_4(int);
__kernel void nameless(__global int *o)
{
    o[get_global_id(0)] = convert_4(1);
}
/* Private by its type, but not by what it is made of. */
__kernel void forged_private(__global int *o)
{
    int i = get_global_id(0);
    *(int *)((size_t)o + 4 * (size_t)(i / 2)) = i;
}
__kernel void exchanged_private(__global int *o)
{
    union { __global int *global_one; int *private_one; } u;
    u.global_one = o;
    u.private_one[get_global_id(0) / 2] = 1;
}
/* Too large to be inlined, and called by what it calls itself. */
#define TEN(call) call call call call call call call call call call
void leaf(__global int *o, int n) { o[n] += n * o[n + 1]; }
void leaves(__global int *o, int n) { TEN(TEN(leaf(o, n++);)) }
void branch(__global int *o, int n) { TEN(TEN(leaves(o, n++);)) }
void inner(__global int *o, int n);
void huge(__global int *o, int n) { TEN(branch(o, n++);) inner(o, n); }
void inner(__global int *o, int n)
{
    if (n > 0)
        huge(o, n - 1);
}
__kernel void by_the_inner(__global int *o, int n)
{
    o[get_global_id(0)] = 1;
    inner(o, n);
}
// >>> kernel prints
// >>>   arg o: int*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 printf
// >>>   proved: O0 O1 O2 A U
// >>>   not S: printf
// >>>   not I: printf
// >>> kernel calls
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: call-unknown store.global.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>> kernel recursive
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: call-down*2 store.global.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>> kernel forged
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   arg address: ulong, scalar, private, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   proved: O0 O1 O2 A U
// >>>   not S: unknown-pointer
// >>>   not I: unknown-pointer
// >>> kernel assembly
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: call-call through a pointer store.global.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>> kernel nameless
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: call-convert_4 store.global.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>> kernel forged_private
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: store.private.4
// >>>   proved: O0 O1 O2 A U
// >>>   not S: unknown-pointer
// >>>   not I: unknown-pointer
// >>> kernel exchanged_private
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: store.private.4
// >>>   proved: O0 O1 O2 A U
// >>>   not S: unknown-pointer
// >>>   not I: unknown-pointer
// >>> kernel by_the_inner
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: call-too-large store.global.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
