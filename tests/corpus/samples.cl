/* Kernels of the shapes of vendors' sample programs. */

__kernel void mandelbrot(__global uchar4 *out, float posx, float posy, float step, int max_iter, int width, int bench)
{
    int tid = get_global_id(0);
    int i = tid % width, j = tid / width;
    float x0 = posx + step * i, y0 = posy + step * j, x = x0, y = y0, x2 = x * x, y2 = y * y;
    int iter = 0;
    for (; (x2 + y2 <= 4.0f) && (iter < max_iter); ++iter) {
        y = 2 * x * y + y0;
        x = x2 - y2 + x0;
        x2 = x * x;
        y2 = y * y;
    }
    out[width * j + i] = (uchar4)(iter & 255, (iter * 3) & 255, 0, 255);
}
// >>> mandelbrot 1048576 max_iter=256 width=1024 bench=0 : proved
// >>> mandelbrot 1000000 max_iter=256 width=1024 bench=0 : proved

__kernel void mandelbrot4(__global uint4 *out, float posx, float posy, int width, int max_iter)
{
    int tid = get_global_id(0);
    int i = tid % (width / 4), j = tid / (width / 4);
    int4 veci = {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3};
    float4 x = posx + convert_float4(veci), y = posy + j;
    uint4 n = 0;
    for (int k = 0; k < max_iter; k++)
        n += convert_uint4(x * x + y * y < 4.0f ? 1 : 0);
    out[tid] = n;
}
// >>> mandelbrot4 262144 width=1024 max_iter=50 : proved

__kernel void nbody(__global float4 *pos, __global float4 *vel, int n, float dt, float eps, __global float4 *new_pos,
                    __global float4 *new_vel)
{
    unsigned int gid = get_global_id(0);
    float4 mine = pos[gid], acc = (float4)0.0f;
    int i = 0;
    for (; (i + 4) < n; i += 4)
        for (int j = 0; j < 4; j++) {
            float4 r = pos[i + j] - mine;
            float d = 1.0f / sqrt(r.x * r.x + r.y * r.y + r.z * r.z + eps);
            acc.xyz += pos[i + j].w * d * d * d * r.xyz;
        }
    for (; i < n; i++) {
        float4 r = pos[i] - mine;
        acc.xyz += r.xyz;
    }
    float4 old = vel[gid], np;
    np.xyz = mine.xyz + old.xyz * dt + acc.xyz * 0.5f * dt * dt;
    np.w = mine.w;
    new_pos[gid] = np;
    new_vel[gid].xyz = old.xyz + acc.xyz * dt;
    new_vel[gid].w = old.w;
}
// >>> nbody 4096 n=4096 : proved

__kernel void black_scholes(const __global float4 *random, int width, __global float4 *call, __global float4 *put)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    float4 r = random[y * width + x];
    float4 s = 10.0f * r + 100.0f * (1.0f - r), k = s * 0.9f, t = 1.0f + r;
    float4 d = native_log(s / k) + 0.05f * t;
    call[y * width + x] = s * d - k * native_exp(-0.01f * t);
    put[y * width + x] = k - s * d;
}
// >>> black_scholes 64x64 width=64 : proved

__kernel void binomial_global(int steps, const __global float4 *random, __global float4 *output, __global float4 *call)
{
    size_t gid = get_global_id(0);
    float4 s = random[gid];
    __global float4 *mine = call + gid * (steps + 1);
    for (int i = 0; i <= steps; i++)
        mine[i] = fmax(s * (float)i - 10.0f, 0.0f);
    for (int j = steps; j > 0; --j)
        for (int i = 0; i < j; i++)
            mine[i] = 0.5f * mine[i] + 0.5f * mine[i + 1];
    output[gid] = mine[0];
}
// >>> binomial_global 1024 steps=254 : proved

__kernel void dct_rows(__global float *output, __global const float *input, __constant float *dct8, uint width, uint inverse)
{
    uint gx = get_global_id(0), gy = get_global_id(1);
    uint bx = gx / 8, by = gy / 8, i = gy % 8, j = gx % 8;
    float acc = 0.0f;
    for (uint k = 0; k < 8; k++) {
        uint index1 = inverse ? i * 8 + k : k * 8 + i;
        acc += dct8[index1] * input[(by * 8 + k) * width + bx * 8 + j];
    }
    output[(by * 8 + i) * width + bx * 8 + j] = acc;
}
// >>> dct_rows 1024x1024 width=1024 inverse=0 : proved

__kernel void sobel(__global uchar4 *in, __global uchar4 *out)
{
    uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
    int c = x + y * width;
    float4 gx = (float4)(0), gy = gx;
    if (x >= 1 && x < (width - 1) && y >= 1 && y < height - 1) {
        gx = convert_float4(in[c - 1 - width]) - convert_float4(in[c + 1 + width]);
        gy = convert_float4(in[c - 1]) - convert_float4(in[c + 1]);
        out[c] = convert_uchar4(hypot(gx, gy) / (float4)(2));
    }
}
// >>> sobel 512x512 : proved

__kernel void bitonic_sort(__global uint *a, const uint stage, const uint pass, const uint width, const uint direction)
{
    uint sort_increasing = direction, tid = get_global_id(0);
    uint pair_distance = 1 << (stage - pass), block_width = 2 * pair_distance;
    uint left_id = (tid % pair_distance) + (tid / pair_distance) * block_width, right_id = left_id + pair_distance;
    uint left = a[left_id], right = a[right_id], same = 1 << stage;
    if ((tid / same) % 2 == 1)
        sort_increasing = 1 - sort_increasing;
    uint greater = left > right ? left : right, lesser = left > right ? right : left;
    if (sort_increasing) {
        a[left_id] = lesser;
        a[right_id] = greater;
    } else {
        a[left_id] = greater;
        a[right_id] = lesser;
    }
}
// >>> bitonic_sort 32768 stage=9 pass=3 width=65536 direction=1 : proved

__kernel void bitonic_xor(__global int *a, int j, int k)
{
    int i = get_global_id(0), ixj = i ^ j;
    if (ixj > i) {
        int x = a[i], y = a[ixj];
        if ((i & k) == 0 ? x > y : x < y) {
            a[i] = y;
            a[ixj] = x;
        }
    }
}
// >>> bitonic_xor 65536 j=8 k=64 : proved
// >>> bitonic_xor 65536 j=12 k=64 : overlapping-writes

__kernel void bitonic_and(__global int *data, int inc, int dir)
{
    int t = get_global_id(0), low = t & (inc - 1), i = (t << 1) - low;
    bool reverse = ((dir & i) == 0);
    data += i;
    int x0 = data[0], x1 = data[inc];
    bool swap = reverse ^ (x0 < x1);
    data[0] = swap ? x1 : x0;
    data[inc] = swap ? x0 : x1;
}
// >>> bitonic_and 32768 inc=16 dir=64 : proved
// >>> bitonic_and 32768 inc=24 dir=64 : overlapping-writes

__kernel void odd_even(__global int *a, int n, int phase)
{
    int i = 2 * get_global_id(0) + phase;
    if (i + 1 < n && a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
    }
}
// >>> odd_even 32768 n=65536 phase=1 : proved

__kernel void floyd_warshall(__global uint *dist, __global uint *path, const uint nodes, const uint pass)
{
    int x = get_global_id(0), y = get_global_id(1), k = pass;
    int yx = dist[y * nodes + x], yk = dist[y * nodes + k], kx = dist[k * nodes + x];
    int indirect = yk + kx;
    if (indirect < yx) {
        dist[y * nodes + x] = indirect;
        path[y * nodes + x] = k;
    }
}
// >>> floyd_warshall 256x256 nodes=256 pass=5 : overlapping-writes

__kernel void transpose(__global float *out, __global const float *in, const int width, const int height)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}
// >>> transpose 1024x2048 width=1024 height=2000 : proved

__kernel void transpose_offset(__global float *out, __global const float *in, int offset, int width, int height)
{
    unsigned int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        unsigned int from = y * width + offset + x, to = offset + x * height + y;
        out[to] = in[from];
    }
}
// >>> transpose_offset 256x4096 offset=0 width=256 height=4096 : proved

__kernel void transpose_in_place(__global float *a, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < y && y < n) {
        float t = a[y * n + x];
        a[y * n + x] = a[x * n + y];
        a[x * n + y] = t;
    }
}
// >>> transpose_in_place 1024x1024 n=1024 : proved

/* Near miss: both of a pair of work-items exchange it. */
__kernel void transpose_twice(__global float *a, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n && y < n) {
        float t = a[y * n + x];
        a[y * n + x] = a[x * n + y];
        a[x * n + y] = t;
    }
}
// >>> transpose_twice 1024x1024 n=1024 : overlapping-writes

__kernel void histogram256(__global const uint *data, __global uint *bins, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        uint d = data[i];
        atomic_inc(bins + (d & 0xff));
        atomic_inc(bins + ((d >> 8) & 0xff));
    }
}
// >>> histogram256 1024 n=1000000 : proved

__kernel void scan_step(__global const int *in, __global int *out, int stride)
{
    int i = get_global_id(0);
    out[i] = i >= stride ? in[i] + in[i - stride] : in[i];
}
// >>> scan_step 65536 stride=16 : proved

__kernel void scan_up(__global int *a, int d)
{
    int k = get_global_id(0) * (d << 1);
    a[k + (d << 1) - 1] += a[k + d - 1];
}
// >>> scan_up 1024 d=8 : proved

__kernel void uniform_add(__global float *output, __global const float *sums, const uint block)
{
    uint i = get_global_id(0);
    output[i] += sums[i / block];
}
// >>> uniform_add 65536 block=256 : proved

__kernel void fwt(__global float *a, const int step)
{
    unsigned int tid = get_global_id(0);
    const unsigned int group = tid % step;
    const unsigned int pair = 2 * step * (tid / step) + group, match = pair + step;
    float t1 = a[pair], t2 = a[match];
    a[pair] = t1 + t2;
    a[match] = t1 - t2;
}
// >>> fwt 32768 step=64 : proved
// >>> fwt 32768 step=48 : proved

__kernel void fft_radix2(__global const float2 *x, __global float2 *y, int p)
{
    int i = get_global_id(0), t = get_global_size(0), k = i & (p - 1);
    x += i;
    y += (i << 1) - k;
    float2 u0 = x[0], u1 = x[t];
    float a = -3.14159f * (float)k / (float)p;
    u1 = (float2)(u1.x * cos(a) - u1.y * sin(a), u1.x * sin(a) + u1.y * cos(a));
    y[0] = u0 + u1;
    y[p] = u0 - u1;
}
// >>> fft_radix2 32768 p=64 : proved

__kernel void fft_radix4(__global const float2 *x, __global float2 *y, int p)
{
    int i = get_global_id(0), t = get_global_size(0), k = i & (p - 1);
    x += i;
    y += ((i - k) << 2) + k;
    float2 u0 = x[0], u1 = x[t], u2 = x[2 * t], u3 = x[3 * t];
    y[0] = u0 + u1;
    y[p] = u0 - u1;
    y[2 * p] = u2 + u3;
    y[3 * p] = u2 - u3;
}
// >>> fft_radix4 16384 p=16 : proved
// >>> fft_radix4 16384 p=12 : overlapping-writes

__kernel void fft_dit(__global float2 *a, const uint nh, const uint n2)
{
    const uint t = get_global_id(0);
    const uint k = t / n2, j = t % n2, at = k * (n2 << 1) + j;
    float2 u = a[at], v = a[at + n2];
    a[at] = u + v;
    a[at + n2] = u - v;
}
// >>> fft_dit 32768 nh=32768 n2=16 : proved

__kernel void mersenne(__global uint *state, __global float *out, int n_per_rng)
{
    int i = get_global_id(0);
    uint mt[19], s = state[i];
    mt[0] = s;
    for (int k = 1; k < 19; k++)
        mt[k] = 1812433253u * (mt[k - 1] ^ (mt[k - 1] >> 30)) + k;
    int at = 0;
    for (int o = 0; o < n_per_rng; o++) {
        int next = at + 1;
        if (next >= 19)
            next -= 19;
        uint x = (mt[at] & 0x80000000u) | (mt[next] & 0x7ffffffeu);
        mt[at] = x ^ (x >> 12);
        x = mt[at];
        at = next;
        out[i + o * 4096] = (float)x / 4294967296.0f;
    }
    state[i] = mt[at];
}
// >>> mersenne 4096 n_per_rng=5860 : proved

__kernel void box_muller(__global float *random, int n_per_rng)
{
    int gid = get_global_id(0);
    for (int i = 0; i < n_per_rng; i += 2) {
        float a = random[gid + (i + 0) * 4096], b = random[gid + (i + 1) * 4096];
        random[gid + (i + 0) * 4096] = a * cos(b);
        random[gid + (i + 1) * 4096] = a * sin(b);
    }
}
// >>> box_muller 4096 n_per_rng=5860 : proved

__kernel void urng(__global uchar4 *in, __global uchar4 *out, int factor)
{
    size_t pos = get_global_id(0) + get_global_id(1) * get_global_size(0);
    float4 t = convert_float4(in[pos]);
    int idum = -1 * (int)((t.x + t.y + t.z + t.w) / 4), iy = 0, iv[16];
    for (int j = 23; j >= 0; j--) {
        int k = idum / 127773;
        idum = 16807 * (idum - k * 127773) - 2836 * k;
        if (idum < 0)
            idum += 2147483647;
        if (j < 16)
            iv[j] = idum;
    }
    iy = iv[idum & 15];
    out[pos] = convert_uchar4_sat(t + (float4)((iy % 256) * factor / 256.0f));
}
// >>> urng 512x512 factor=25 : undefined-overflow

__kernel void aes_sub_bytes(__global const uchar *in, __global uchar *out, __constant uchar *sbox, __global const uchar *key, uint rounds)
{
    size_t block = get_global_id(0);
    uchar s[16], t[16];
    for (int i = 0; i < 16; i++)
        s[i] = in[block * 16 + i] ^ key[i];
    for (uint r = 1; r <= rounds; r++) {
        for (int i = 0; i < 16; i++)
            t[i] = sbox[s[(i * 5) & 15]];
        for (int i = 0; i < 16; i++)
            s[i] = t[i] ^ key[r * 16 + i];
    }
    for (int i = 0; i < 16; i++)
        out[block * 16 + i] = s[i];
}
// >>> aes_sub_bytes 65536 rounds=10 : proved

#define ROTL(x, n) rotate((uint)(x), (uint)(n))
__kernel void sha_like(__global const uint *header, uint base, __global uint *hashes)
{
    uint nonce = base + get_global_id(0), w[16], a = 0x67452301, b = 0xefcdab89;
    for (int i = 0; i < 15; i++)
        w[i] = header[i];
    w[15] = nonce;
    for (int i = 0; i < 80; i++) {
        uint t = ROTL(a, 5) + (b ^ w[i & 15]);
        w[i & 15] = ROTL(w[(i + 13) & 15] ^ w[i & 15], 1);
        b = ROTL(a, 30);
        a = t;
    }
    hashes[get_global_id(0) * 2] = a;
    hashes[get_global_id(0) * 2 + 1] = b;
}
// >>> sha_like 65536 base=12345 : proved

/* A miner's result slot: which nonce stays is the order's choice. */
__kernel void miner(uint base, uint target, __global uint *found)
{
    uint nonce = base + get_global_id(0), h = nonce * 2654435761u;
    if ((h ^ (h >> 15)) < target)
        found[nonce & 0xff] = nonce;
}
// >>> miner 65536 base=12345 target=1000 : index-overflow

typedef struct {
    float4 centre;
    float4 colour;
    float radius, reflect;
    int kind, pad;
} Sphere;
typedef struct {
    float4 eye, dir;
    int width, height;
} Camera;

__kernel void ray_trace(__global uchar4 *image, __constant Sphere *spheres, int nspheres, Camera camera)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= camera.width || y >= camera.height)
        return;
    float4 origin = camera.eye, dir = camera.dir + (float4)(x, y, 0, 0), colour = 0;
    for (int bounce = 0; bounce < 4; bounce++) {
        float best = 1e20f;
        int hit = -1;
        for (int i = 0; i < nspheres; i++) {
            float4 oc = origin - spheres[i].centre;
            float b = dot(oc, dir), c = dot(oc, oc) - spheres[i].radius * spheres[i].radius, d = b * b - c;
            if (d > 0 && -b - sqrt(d) < best) {
                best = -b - sqrt(d);
                hit = i;
            }
        }
        if (hit < 0)
            break;
        colour += spheres[hit].colour;
        origin += dir * best;
        dir = normalize(origin - spheres[hit].centre);
    }
    image[y * camera.width + x] = convert_uchar4_sat(colour * 255.0f);
}
// >>> ray_trace 640x480 nspheres=10 camera=0,0,0,0,0,0,0,0,640,480,0,0 : proved

typedef struct {
    int x, y, z, pitch;
} Grid;

__kernel void heat(__global const float *in, __global float *out, Grid g, float k)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int i = (z * g.y + y) * g.pitch + x;
    if (x > 0 && y > 0 && z > 0 && x < g.x - 1 && y < g.y - 1 && z < g.z - 1)
        out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - g.pitch] + in[i + g.pitch] - 4 * in[i]);
}
// >>> heat 128x64x32 g=128,64,32,128 : proved
// >>> heat 128x64x32 g=128,64,32,120 : overlapping-writes

__kernel void game_of_life(__global const uchar *in, __global uchar *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int l = (x + w - 1) % w, r = (x + 1) % w, u = (y + h - 1) % h, d = (y + 1) % h;
    int n = in[u * w + l] + in[u * w + x] + in[u * w + r] + in[y * w + l] + in[y * w + r] + in[d * w + l] + in[d * w + x] +
            in[d * w + r];
    out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}
// >>> game_of_life 1024x768 w=1000 h=700 : proved

__kernel void fluid_collide(__global double *of, __global const double *f, __global const bool *type, double omega)
{
    uint x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), pos = x + w * y;
    double sum = 0;
    for (int i = 0; i < 9; i++)
        sum += f[pos * 9 + i];
    for (int i = 0; i < 9; i++)
        of[pos * 9 + i] = type[pos] ? f[pos * 9 + 8 - i] : (1 - omega) * f[pos * 9 + i] + omega * sum;
}
// >>> fluid_collide 256x256 : proved

__kernel void simple_convolution(__global uint *output, __global uint *input, __global float *mask, const uint2 in_dim,
                                 const uint2 mask_dim)
{
    uint tid = get_global_id(0), width = in_dim.x, height = in_dim.y, x = tid % width, y = tid / width;
    uint left = (x < mask_dim.x / 2) ? 0 : (x - mask_dim.x / 2);
    uint right = ((x + mask_dim.x / 2) >= width) ? width - 1 : (x + mask_dim.x / 2);
    uint top = (y < mask_dim.y / 2) ? 0 : y - mask_dim.y / 2;
    uint bottom = (y + mask_dim.y / 2 >= height) ? height - 1 : y + mask_dim.y / 2;
    float s = 0;
    for (uint i = left; i <= right; ++i)
        for (uint j = top; j <= bottom; ++j)
            s += (float)input[j * width + i] * mask[(j - top) * mask_dim.x + (i - left)];
    output[tid] = (uint)s;
}
// >>> simple_convolution 65536 in_dim=256,256 mask_dim=3,3 : proved

__kernel void eigen_count(__global uint *number, __global float *intervals, __global const float *diagonal, __global const float *off,
                          const uint width)
{
    uint id = get_global_id(0), lower = 2 * id, upper = 2 * id + 1;
    uint c[2];
    for (int s = 0; s < 2; s++) {
        float x = intervals[s ? upper : lower], prev = diagonal[0] - x;
        c[s] = prev < 0;
        for (uint i = 1; i < width; i++) {
            prev = diagonal[i] - x - off[i - 1] * off[i - 1] / prev;
            c[s] += prev < 0;
        }
    }
    number[id] = c[1] - c[0];
}
// >>> eigen_count 1024 width=1024 : proved

__kernel void binary_search(__global uint4 *output, __global uint2 *sorted, const unsigned int key)
{
    unsigned int tid = get_global_id(0);
    uint2 element = sorted[tid];
    if ((element.x > key) || (element.y < key))
        return;
    output[0].x = tid;
    output[0].y = element.x;
}
// >>> binary_search 256 key=100 : overlapping-writes

__kernel void dot_partial(__global const float4 *a, __global const float4 *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    c[i] = dot(a[i], b[i]);
}
// >>> dot_partial 65536 n=65000 : proved

__kernel void matvec_uncoalesced(const __global float *m, const __global float *v, uint width, uint height, __global float *w)
{
    uint y = get_global_id(0);
    if (y < height) {
        const __global float *row = m + y * width;
        float d = 0;
        for (int x = 0; x < width; ++x)
            d += row[x] * v[x];
        w[y] = d;
    }
}
// >>> matvec_uncoalesced 1024 width=1024 height=1000 : proved

__kernel void matvec_groups(const __global float *m, const __global float *v, uint width, uint height, __global float *w)
{
    for (uint y = get_global_id(0); y < height; y += get_global_size(0)) {
        const __global float *row = m + y * width;
        float d = 0;
        for (uint x = 0; x < width; ++x)
            d += row[x] * v[x];
        w[y] = d;
    }
}
// >>> matvec_groups 256 width=1024 height=1000 : proved

__kernel void array_rows(__global float *a, int n, int m)
{
    for (int row = get_global_id(0) * 4; row < get_global_id(0) * 4 + 4 && row < n; row++)
        for (int col = 0; col < m; col++)
            a[row * m + col] *= 2.0f;
}
// >>> array_rows 256 n=1000 m=64 : proved

__kernel void chunks(__global float *a, int n, int chunk)
{
    int begin = get_global_id(0) * chunk, end = min(begin + chunk, n);
    for (int i = begin; i < end; i++)
        a[i] = sqrt(a[i]);
}
// >>> chunks 256 n=60000 chunk=256 : proved

/* Near miss: the last element of a chunk is the next one's first. */
__kernel void chunks_wrong(__global float *a, int n, int chunk)
{
    int begin = get_global_id(0) * chunk, end = min(begin + chunk, n - 1);
    for (int i = begin; i <= end; i++)
        a[i] = sqrt(a[i]);
}
// >>> chunks_wrong 256 n=60000 chunk=256 : overlapping-writes

__kernel void vload_axpy(int n, float alpha, __global const float *x, __global float *y)
{
    int i = get_global_id(0);
    if (i * 4 + 3 < n)
        vstore4(vload4(i, y) + alpha * vload4(i, x), i, y);
    else
        for (int k = i * 4; k < n; k++)
            y[k] += alpha * x[k];
}
// >>> vload_axpy 16384 n=65533 : proved

__kernel void pointer_walk(__global float *p, __global const float *q, ulong n)
{
    p += get_global_id(0);
    q += get_global_id(0);
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        *p = *p + *q;
        p += get_global_size(0);
        q += get_global_size(0);
    }
}
// >>> pointer_walk 1024 n=100000 : proved

/* Vectors in arrays of numbers, by indices narrower than pointers. */
__kernel void brighten4(__global const float *in, __global float *out, float f)
{
    int i = get_global_id(0);
    vstore4(vload4(i, in) * f, i, out);
}
// >>> brighten4 65536 f=2 : proved

__kernel void swap_pairs(__global const int *in, __global int *out)
{
    uint i = get_global_id(0);
    int2 v = vload2(i, in);
    vstore2((int2)(v.y, v.x), i, out);
}
// >>> swap_pairs 65536 : proved

__kernel void interleave(__global const float *re, __global const float *im, __global float *out)
{
    int i = get_global_id(0);
    out[(size_t)i * 2] = re[i];
    out[(size_t)i * 2 + 1] = im[i];
}
// >>> interleave 65536 : proved

__kernel void narrow_rows(__global const uchar *in, __global uchar *out)
{
    ushort i = get_global_id(0);
    vstore16(~vload16(i, in), i, out);
}
// >>> narrow_rows 4096 : proved
// >>> narrow_rows 131072 : index-overflow
