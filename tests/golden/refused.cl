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
// >>> exit status 127
