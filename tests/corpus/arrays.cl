/* arrays.cl - places in private arrays that are computed, within the arrays and outside of them. */

__kernel void by_data(__global const int *x, __global int *o)
{
    int i = get_global_id(0), t[8];
    for (int k = 0; k < 8; k++)
        t[k] = x[i + k];
    t[x[i]] = 7;
    o[i] = t[x[i + 1] & 7] + t[3];
}
// >>> by_data 4096 : undefined-index

__kernel void by_masked_data(__global const int *x, __global int *o)
{
    int i = get_global_id(0), t[8];
    for (int k = 0; k < 8; k++)
        t[k] = x[i + k];
    t[x[i] & 7] = 7;
    o[i] = t[x[i + 1] & 7] + t[3];
}
// >>> by_masked_data 4096 : proved

// One too many.
__kernel void by_remainder(__global const uint *x, __global int *o, uint n)
{
    int i = get_global_id(0), t[8];
    for (int k = 0; k < 8; k++)
        t[k] = x[i + k];
    o[i] = t[x[i] % n];
}
// >>> by_remainder 4096 n=8 : proved
// >>> by_remainder 4096 n=9 : undefined-index

__kernel void by_guarded_data(__global const int *x, __global int *o)
{
    int i = get_global_id(0), t[8], at = x[i];
    for (int k = 0; k < 8; k++)
        t[k] = x[i + k];
    if (at >= 0 && at < 8)
        t[at] = 7;
    o[i] = t[x[i + 1] & 7] + t[3];
}
// >>> by_guarded_data 4096 : proved

__kernel void by_half_guarded_data(__global const int *x, __global int *o)
{
    int i = get_global_id(0), t[8], at = x[i];
    for (int k = 0; k < 8; k++)
        t[k] = x[i + k];
    if (at < 8)
        t[at] = 7;
    o[i] = t[x[i + 1] & 7] + t[3];
}
// >>> by_half_guarded_data 4096 : undefined-index

__kernel void as_many_as_told(__global const int *x, __global int *o, int n)
{
    int i = get_global_id(0), t[8] = {0}, sum = 0;
    for (int k = 0; k < n; k++)
        t[k] = x[i + k];
    for (int k = 0; k < 8; k++)
        sum += t[k] * t[7 - k];
    o[i] = sum;
}
// >>> as_many_as_told 4096 n=0 : proved
// >>> as_many_as_told 4096 n=8 : proved
// >>> as_many_as_told 4096 n=9 : undefined-index

__kernel void read_too_far(__global const int *x, __global int *o, int n)
{
    int i = get_global_id(0), t[8];
    for (int k = 0; k < 8; k++)
        t[k] = x[i + k];
    t[x[i] & 7] = 1;
    o[i] = t[(x[i] & 3) + n];
}
// >>> read_too_far 4096 n=4 : proved
// >>> read_too_far 4096 n=5 : undefined-index
// >>> read_too_far 4096 n=-1 : undefined-index

// The last of the four bytes is outside.
__kernel void half_outside(__global const int *x, __global int *o, int n)
{
    int i = get_global_id(0);
    uchar t[8];
    for (int k = 0; k < 8; k++)
        t[k] = x[i + k];
    o[i] = as_int(vload4(0, t + n));
}
// >>> half_outside 4096 n=4 : proved
// >>> half_outside 4096 n=5 : undefined-index

__kernel void ring(__global const int *x, __global int *o, int n)
{
    int i = get_global_id(0), t[5] = {0}, at = 0, sum = 0;
    for (int k = 0; k < n; k++) {
        t[at] = x[i + k];
        sum += t[at] * t[at < 4 ? at + 1 : 0];
        at = at + 1 >= 5 ? at - 4 : at + 1;
    }
    o[i] = sum;
}
// >>> ring 4096 n=100 : proved

__kernel void ring_too_long(__global const int *x, __global int *o, int n)
{
    int i = get_global_id(0), t[5] = {0}, at = 0, sum = 0;
    for (int k = 0; k < n; k++) {
        t[at] = x[i + k];
        sum += t[at] * t[at < 4 ? at + 1 : 0];
        at = at + 1 >= 6 ? at - 5 : at + 1;
    }
    o[i] = sum;
}
// >>> ring_too_long 4096 n=100 : undefined-index

__kernel void chosen_array(__global const int *x, __global int *o, int n)
{
    int i = get_global_id(0), s[8], t[4], *p = x[i] > 0 ? s : t;
    for (int k = 0; k < 8; k++)
        s[k] = t[k & 3] = x[i + k];
    p[x[i + 9] & n] = 5;
    o[i] = s[3] + s[x[i] & 7] * t[x[i + 1] & 3];
}
// >>> chosen_array 4096 n=3 : proved
// >>> chosen_array 4096 n=7 : undefined-index

struct weights {
    int w[6];
};
__kernel void by_value(__global const int *x, __global int *o, struct weights w, int n)
{
    int i = get_global_id(0);
    o[i] = w.w[(x[i] & 3) + n];
}
// >>> by_value 4096 n=2 : proved
// >>> by_value 4096 n=3 : undefined-index

// What is known of a round is not known of the one before.
__kernel void place_of_last_round(__global const int *x, __global int *o)
{
    int i = get_global_id(0), t[8], *p = t, at = 0;
    for (int k = 0; k < 8; k++)
        t[k] = x[i + k];
    for (int k = 0; k < 9; k++) {
        at = x[i + k];
        if (at >= 0 && at < 8)
            *p = k;
        p = t + at;
    }
    o[i] = t[x[i] & 7];
}
// >>> place_of_last_round 4096 : undefined-index

/* Of an argument that is passed by value, all indices of which are constants. */
struct four { int v[4]; };
__kernel void behind_argument(__global int *o, struct four a)
{
    o[get_global_id(0)] = a.v[4];
}
// >>> behind_argument 64 a=1,2,3,4 : undefined-index

__kernel void end_of_argument(__global int *o, struct four a)
{
    o[get_global_id(0)] = a.v[3];
}
// >>> end_of_argument 64 a=1,2,3,4 : proved

// A place that goes round, as in the Mersenne twister, beside many constants that bound nothing.
#define MIX(X) X ^= X >> 3, X ^= X << 5, X ^= X >> 7, X ^= X << 11, X ^= X >> 13, X ^= X << 17
#define TWISTER(NAME, END)                                                                                            \
    __kernel void NAME(__global uint *out, int n)                                                                     \
    {                                                                                                                 \
        uint state[19], x = 0;                                                                                        \
        int s = 0;                                                                                                    \
        for (int i = 0; i < 19; i++)                                                                                  \
            state[i] = get_global_id(0) * i;                                                                          \
        for (int i = 0; i < n; i++) {                                                                                 \
            x += state[s];                                                                                            \
            MIX(x);                                                                                                   \
            if (++s >= END)                                                                                           \
                s -= END;                                                                                             \
        }                                                                                                             \
        out[get_global_id(0)] = x;                                                                                    \
    }

TWISTER(twister, 19)
// >>> twister 4096 n=1466 : proved

TWISTER(twister_too_far, 20)
// >>> twister_too_far 4096 n=1466 : undefined-index
