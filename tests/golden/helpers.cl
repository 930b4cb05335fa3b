// Helper functions are inlined, also through several levels and out-parameters; kernels may call kernels.
static int clampi(int v, int hi) { return v < 0 ? 0 : v > hi ? hi : v; }
int at(int x, int y, int w, int h) { return clampi(y, h - 1) * w + clampi(x, w - 1); }
void minmax(float a, float b, float *lo, float *hi) { *lo = fmin(a, b); *hi = fmax(a, b); }
__attribute__((noinline)) float blur(__global const float *p, int x, int y, int w, int h)
{
    float s = 0;
    for (int dx = -1; dx <= 1; dx++)
        s += p[at(x + dx, y, w, h)];
    return s / 3;
}
__kernel void smooth(__global float *o, __global const float *p, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float lo, hi;
    minmax(blur(p, x, y, w, h), 0.5f, &lo, &hi);
    o[y * w + x] = hi - lo;
}
__kernel void twice(__global float *o, __global const float *p, int w, int h)
{
    smooth(o, p, w, h);
}
// >>> kernel smooth
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   arg w: int, scalar, private, 4 bytes
// >>>   arg h: int, scalar, private, 4 bytes
// >>>   private: 8 bytes
// >>>   work-item: global_id(0) global_id(1)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fadd*4 fdiv
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel twice
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   arg w: int, scalar, private, 4 bytes
// >>>   arg h: int, scalar, private, 4 bytes
// >>>   private: 8 bytes
// >>>   work-item: global_id(0) global_id(1)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fadd*4 fdiv
// >>>   proved: S O0 O1 O2 I A U
