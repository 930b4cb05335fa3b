// What stands in the way of all launches, and what is for the launch to rule out.
// FORM: --facts --driver pocl7

// Both factors are loaded: no range and no argument keeps the product from overflowing.
__kernel void products(__global long *o, __global const int *a)
{
    int i = get_global_id(0);
    o[i] = (long)(a[i] * a[i + 1]);
}
// Likewise behind guards of the range: who leaves there has done nothing.
__kernel void guarded(__global long *o, __global const int *a, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    o[y * w + x] = (long)(a[y * w + x] * a[y * w + x + 1]);
}
__kernel void some_memory(__global long *o, __global const int *a)
{
    int i = get_global_id(0);
    o[i] = 0;
    if (a[i] > 0)
        o[i] = (long)(a[i] * a[i + 1]);
}
__kernel void quotients(__global int *o, __global const int *a)
{
    int i = get_global_id(0);
    o[i] = 100 / a[i];
}
__kernel void places(__global int *o, __global const int *a)
{
    int i = get_global_id(0), t[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    t[a[i]] += i;
    o[i] = t[i & 7];
}

// Near misses.  An argument decides about a factor, a divisor or a place, ...
__kernel void factor(__global long *o, __global const int *a, int n)
{
    int i = get_global_id(0);
    o[i] = (long)((a[i] & 255) * n);
}
__kernel void hundreds(__global int *o, int n)
{
    o[get_global_id(0)] = 100 / (n / 100);
}
__kernel void struct_factor(__global long *o, __global const int *a, int4 n)
{
    int i = get_global_id(0);
    o[i] = (long)((a[i] & 255) * (n.x * 1000000));
}
__kernel void place(__global int *o, __global const int *a, int n)
{
    int i = get_global_id(0), t[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    t[n * 100 + 7] += i;
    o[i] = t[a[i] & 7];
}
// ... or which way is taken, ...
__kernel void mode(__global long *o, __global const int *a, int mode)
{
    int i = get_global_id(0);
    if (mode == 3)
        o[i] = a[i];
    else
        o[i] = (long)(a[i] * a[i + 1]);
}
__kernel void acts_before(__global long *o, __global const int *a, int n)
{
    int i = get_global_id(0);
    o[i] = 1;
    if (i < n)
        o[i] = (long)(a[i] * a[i + 1]);
}
__kernel void chosen(__global long *o, __global const int *a, int n)
{
    int i = get_global_id(0);
    o[i] = (long)(a[i] * (n == 3 ? 1 : a[i + 1]));
}
// ... or how often.
__kernel void rounds(__global long *o, __global const int *a, int n)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < n; k++)
        s += a[i + k];
    o[i] = s;
}
// A guard tells of what was loaded.
__kernel void bounded(__global long *o, __global const int *a, int n)
{
    int i = get_global_id(0), x = a[i];
    if (x < 0 || x >= n / 100)
        return;
    o[i] = (long)(x * x);
}
// So does the range.
__kernel void ids(__global long *o, __global const int *a)
{
    int i = get_global_id(0);
    o[i] = (long)((i - 5) * a[i]);
}

// Some launches are proved: with few work-items, small arguments, or where the overflow does not show.
__kernel void small(__global long *o, __global const int *a, int n)
{
    int i = get_global_id(0);
    o[i] = (long)(i * 100000000) + (long)(a[i] / n);
}
__kernel void wraps(__global int *o, __global const int *a)
{
    int i = get_global_id(0);
    o[i] = a[i] * a[i + 1];
}
// >>> products	S012IAU	undefined-overflow	0	an integer may overflow, and line 8 extends, compares or divides it
// >>> guarded	S012IAU	undefined-overflow	0	an integer may overflow, and line 16 extends, compares or divides it
// >>> some_memory	S012IA-	undefined-overflow	0	an integer may overflow, and line 23 extends, compares or divides it
// >>> quotients	S012IAU	undefined-overflow	0	line 28 may divide by zero or count its bits, or get a result that does not fit
// >>> places	S012IAU	undefined-index	0	line 33 may touch what is behind or before a private array
// >>> factor	S012IAU	tunable	0	-
// >>> hundreds	S012IAU	tunable-if	0	not undefined-overflow: line 45 may divide by zero or count its bits, or get a result that does not fit
// >>> struct_factor	S012IAU	tunable	0	-
// >>> place	S012IAU	tunable-if	0	not undefined-index: line 55 may touch what is behind or before a private array
// >>> mode	S012IAU	tunable-if	0	not undefined-overflow: an integer may overflow, and line 65 extends, compares or divides it
// >>> acts_before	S012IAU	tunable-if	0	not undefined-overflow: an integer may overflow, and line 72 extends, compares or divides it
// >>> chosen	S012IAU	tunable-if	0	not undefined-overflow: an integer may overflow, and line 77 extends, compares or divides it
// >>> rounds	S012IAU	tunable-if	0	not undefined-overflow: an integer may overflow, and line 85 extends, compares or divides it
// >>> bounded	S012IA-	tunable	0	-
// >>> ids	S012IAU	tunable-if	0	not undefined-overflow: an integer may overflow, and line 99 extends, compares or divides it
// >>> small	S012IAU	tunable	0	-
// >>> wraps	S012IAU	tunable	0	-
