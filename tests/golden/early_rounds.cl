// Work-items that do nothing, where they leave from a loop, or after it: the last ones may, others may not.
// FORM: --facts --driver=intel-cpu
#define SUM(at)                                                                                              \
    float s = 0;                                                                                             \
    for (int j = 0; j < r; j++)                                                                              \
        s += in[(at)*r + j];
#define KERNEL(name) kernel void name(global const float *in, global float *out, long n, int m, int r)

// What PyOpenCL makes of element-wise operations.
KERNEL(elementwise)
{
    int lid = get_local_id(0);
    int gsize = get_global_size(0);
    int work_group_start = get_local_size(0) * get_group_id(0);
    long i;
    for (i = work_group_start + lid; i < n; i += gsize) {
        SUM(i)
        out[i] = s;
    }
}
KERNEL(some_store)
{
    for (long i = get_global_id(0); i < n; i += get_global_size(0))
        if (in[i] > 0) {
            SUM(i)
            out[i] = s;
        }
}
KERNEL(some_store_unsigned)
{
    for (size_t i = get_global_id(0) * 4; i + 3 < n; i += get_global_size(0))
        if (in[i] > 0) {
            SUM(i)
            out[i] = s;
        }
}
KERNEL(tail_behind_loop)
{
    ulong i = get_global_id(0);
    for (; i + 4 < n; i += get_global_size(0)) {
        SUM(i)
        out[i] = s;
    }
    if (i < n)
        out[i] = 1;
}
// OpenCV's rows
KERNEL(rows)
{
    int x = get_global_id(0), y0 = get_global_id(1) * 4;
    if (x < m)
        for (int y = y0, y1 = min(r, y0 + 4); y < y1; ++y) {
            SUM(y)
            out[y * m + x] = s;
        }
}
KERNEL(after_a_store)
{
    int x = get_global_id(0);
    out[x] = 0;
    if (x < 1)
        return;
    SUM(x)
    out[x] = s;
}
KERNEL(switch_inside)
{
    int x = get_global_id(0);
    SUM(x)
    switch (x & 3) {
    case 0:
        s *= in[1];
        out[x] = s;
        break;
    case 3:
        s = in[2] / s;
        out[x + 1] = s;
        break;
    default:
        s = sqrt(s);
        out[x + 2] = s;
    }
    out[x + 3] = s;
}

// ---- near misses: others than the last leave, or may

KERNEL(not_after_a_store_by_some)
{
    int x = get_global_id(0);
    if (in[x] > 0)
        out[x] = 0;
    if (x < 1)
        return;
    SUM(x)
    out[x] = s;
}
KERNEL(not_after_a_store_that_is_none)
{
    int x = get_global_id(0);
    out[x] = out[x];
    if (x < 1)
        return;
    SUM(x)
    out[x] = s;
}
KERNEL(not_after_a_store_that_may_be_none)
{
    int x = get_global_id(0);
    out[x] = in[x] > 0 ? 1 : out[x];
    if (x < 1)
        return;
    SUM(x)
    out[x] = s;
}
KERNEL(not_after_a_private_store)
{
    int x = get_global_id(0);
    float t[8];
    t[m & 7] = 1;
    if (x < 1)
        return;
    SUM(x)
    out[x] = s + t[r & 7 & m];
}
KERNEL(not_in_parts)
{
    int x = get_global_id(0);
    out[x] = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (x < 1)
        return;
    SUM(x)
    out[x] = s;
}
KERNEL(down)
{
    for (long i = get_global_id(0); i > m; i -= get_global_size(0)) {
        SUM(i)
        out[i] = s;
    }
}
KERNEL(steps_by_place)
{
    long x = get_global_id(0);
    for (long i = x; i < n; i += 1 + (x & 7))
        if (in[i] > 0) {
            SUM(i)
            out[x] = s;
        }
}
KERNEL(steps_by_rounds_before)
{
    long x = get_global_id(0), c = 0;
    while (c * c < x)
        c++;
    for (long i = x; i < n; i += c)
        if (in[i] > 0) {
            SUM(i)
            out[x] = s;
        }
}
KERNEL(behind_an_idle_loop)
{
    long x = get_global_id(0), i = x;
    while (i < 100)
        i += m;
    if (i > 150)
        return;
    SUM(x)
    out[x] = s;
}
KERNEL(two_ways_to_go_on)
{
    long x = get_global_id(0);
    for (long i = x; i < n;) {
        if (in[i] > 0) {
            SUM(i)
            out[x] = s;
        }
        if (in[i] > 5)
            i += 100;
        else
            i += 1;
    }
}
KERNEL(wraps)
{
    uint x = get_global_id(0);
    for (uint i = x * 12345; i < (uint)m; i += get_global_size(0))
        if (in[i] > 0) {
            SUM(i)
            out[x] = s;
        }
}
KERNEL(rows_of_their_own)
{
    int x = get_global_id(0), y0 = get_global_id(1) * 4;
    if (x < m)
        for (int y = y0, y1 = min(r, m - y0); y < y1; ++y) {
            SUM(y)
            out[y * m + x] = s;
        }
}
KERNEL(left_by_switch)
{
    int x = get_global_id(0);
    switch (x) {
    case 0:
    case 1:
        return;
    case 7:
        out[x] = 1;
    }
    SUM(x)
    out[x] = s;
}
KERNEL(bits)
{
    long x = get_global_id(0);
    if ((x | 2) >= n)
        return;
    SUM(x)
    out[x] = s;
}
// >>> elementwise	S-12IA-	tunable	0	-
// >>> some_store	S-12IA-	tunable	0	-
// >>> some_store_unsigned	S-12IA-	tunable	0	-
// >>> tail_behind_loop	S-12IA-	tunable	0	-
// >>> rows	S012IA-	tunable	0	-
// >>> after_a_store	S012IAU	tunable	0	-
// >>> switch_inside	S012IA-	tunable	0	-
// >>> not_after_a_store_by_some	S012IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> not_after_a_store_that_is_none	S012IAU	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> not_after_a_store_that_may_be_none	S012-A-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> not_after_a_private_store	S012IAU	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> not_in_parts	S012IAU	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> down	S-12IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> steps_by_place	S012IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> steps_by_rounds_before	S012IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> behind_an_idle_loop	S012IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> two_ways_to_go_on	S012IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> wraps	S-12IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> rows_of_their_own	S012IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> left_by_switch	S012IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> bits	S012IA-	driver-rounds	0	work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
