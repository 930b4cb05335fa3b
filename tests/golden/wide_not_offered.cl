// What is not rewritten, with the reason: those that no other of these files has.
// FORM: --emit wide=4
#define X get_global_id(0)
#define K(name) kernel void name(global int *o, global const int *x, int n)
K(adds)
{
    atomic_add(o, x[X]);
}
K(one_place)
{
    o[0] = x[X];
}
kernel void in_two_cases(global int *o, global const int *x, local int *l, int n)
{
    int v = 0;
    switch (n) {
    case 1:
        v = 3;
        goto meet;
    case 2:
        v = x[X];
        goto meet;
    case 5:
        v = 9;
        break;
    default:
    meet:
        l[get_local_id(0)] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = l[get_local_id(0) ^ 1];
    }
    o[X] = v;
}
K(from_loop_to_loop)
{
    int k = 0, v = 0;
first:
    v += x[X + k++];
    if (k > n)
        goto end;
    if (v & 1)
        goto second;
    if (v & 2)
        goto first;
second:
    v ^= x[X + k++];
    if (k > n)
        goto end;
    if (v & 4)
        goto first;
    goto second;
end:
    o[X] = v;
}
kernel void read_anew(global int *o, volatile global const int *x)
{
    o[X] = x[X];
}
kernel void kept_pointers(global float *o, global const float *x, global const float *y, int n)
{
    global const float *p[2] = {x, y};
    o[X] = p[n & 1][X];
}
kernel void halves(global float *o, global const half *x)
{
    o[X] = vload_half4(X, x).x;
}
kernel void pointers_compared(global float *o, global const float *x, global const float *y)
{
    o[X] = x + X < y;
}
kernel void many_branches(global int *o, global const int *x)
{
    int v = x[X];
#define ONE(c)                                                                                                           \
    if (x[X + c] == c)                                                                                                   \
        v += x[v & 255];
#define EIGHT(c) ONE(c) ONE(c + 1) ONE(c + 2) ONE(c + 3) ONE(c + 4) ONE(c + 5) ONE(c + 6) ONE(c + 7)
#define ALL(c)   EIGHT(c) EIGHT(c + 8) EIGHT(c + 16) EIGHT(c + 24) EIGHT(c + 32) EIGHT(c + 40) EIGHT(c + 48)
    ALL(0) ALL(56)
    o[X] = v;
}
// >>> clsizer-analyze: adds: atomic: atomic_add
// >>> clsizer-analyze: one_place: store: of different values to one place
// >>> clsizer-analyze: in_two_cases: barrier: that would be written twice
// >>> clsizer-analyze: from_loop_to_loop: control-flow: a jump out of two loops
// >>> clsizer-analyze: read_anew: load: of what is no plain number
// >>> clsizer-analyze: kept_pointers: store: of what is no plain number
// >>> clsizer-analyze: halves: instruction: an element of a vector
// >>> clsizer-analyze: pointers_compared: pointer: a comparison
// >>> clsizer-analyze: many_branches: too-large: more branches than a reader would follow
// >>> exit status 1
