// Types that choose what is computed: of arguments, of what a function gives, of literals.  One work-item each.
// FORM: --emit=kernel
// OPTIONS: -cl-single-precision-constant
constant double table[] = {0.5, (double)1 / 3};
kernel void sizes(global int *out)
{
    out[get_global_id(0)] = get_global_size(0) - get_global_offset(0) + get_global_size(1);
}
kernel void chosen(global int *out, char a, char b, char c)
{
    out[get_global_id(0)] = popcount(select(a, b, c));
}
kernel void exponent(global ulong *out, global const float *in)
{
    out[get_global_id(0)] = (uint)ilogb(in[get_global_id(0)]);
}
kernel void thirds(global double *out, global const double *in, int k)
{
    out[get_global_id(0)] = fmin(in[get_global_id(0)], k > 3 ? (double)1 / 3 : 0.5);
}
kernel void from_table(global double *out)
{
    out[get_global_id(0)] = table[get_global_id(0) & 1];
}
// >>> clsizer-analyze: from_table: program-variable: a table of doubles, whose literals would be floats
// >>> kernel void sizes(global int *out)
// >>> {
// >>>     const ulong id = get_global_id(0);
// >>>     ulong add = get_global_size(0) - get_global_offset(0) + get_global_size(1);
// >>>     out[id] = (int)(uint)add;
// >>> }
// >>> 
// >>> kernel void chosen(global int *out, char a, char b, char c)
// >>> {
// >>>     const ulong id = get_global_id(0);
// >>>     out[id] = (int)popcount((char)(c != 0 ? b : a));
// >>> }
// >>> 
// >>> kernel void exponent(global ulong *out, global float *in)
// >>> {
// >>>     const ulong id = get_global_id(0);
// >>>     out[id] = (ulong)(uint)ilogb(in[id]);
// >>> }
// >>> 
// >>> kernel void thirds(global double *out, global double *in, int k)
// >>> {
// >>>     const ulong id = get_global_id(0);
// >>>     out[id] = fmin(in[id], k > 3 ? as_double(0x3fd5555555555555ul) : as_double(0x3fe0000000000000ul));
// >>> }
