"""PyOpenCL's arrays, elementwise kernels, scans, sorts and random numbers; prints checksums."""
import numpy as np
import pyopencl as cl
import pyopencl.algorithm
import pyopencl.array as cla
import pyopencl.clmath as clmath
import pyopencl.clrandom
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel
from made import show

ctx = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(ctx)
n = 1_000_003
random = np.random.default_rng(7)

a = cla.to_device(queue, random.random(n, dtype=np.float32))
b = cla.to_device(queue, random.random(n, dtype=np.float32))
i = cla.to_device(queue, random.integers(0, 1000, n, dtype=np.int32))
mixture = ElementwiseKernel(ctx, "float *x, float *y, float *z, float s", "z[i] = s * x[i] + sin(y[i]) / (1 + x[i] * x[i])",
                        "mixture")
dot = ReductionKernel(ctx, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
                      arguments="__global float *x, __global float *y")
scan = GenericScanKernel(ctx, np.int32, arguments="__global int *ary", input_expr="ary[i]", scan_expr="a+b", neutral="0",
                         output_statement="ary[i] = item;")
c = cla.empty_like(a)
for r in range(20):
    mixture(a, b, c, np.float32(r))
    d = (a + b) * c - a / (b + 1)
    e = clmath.exp(a) + clmath.sqrt(b)
show("mix", c.get())
show("arithmetic", d.get())
show("math", e.get())
show("dot", dot(a, b).get())
scanned = i.copy()
scan(scanned)
show("scan", scanned.get())
show("where", cla.if_positive(i - 500, a, b).get())
show("take", cla.take(a, i).get())
show("reversed", cla.take(a, cla.arange(queue, n - 1, -1, -1, dtype=np.int32)).get())
generator = pyopencl.clrandom.PhiloxGenerator(ctx, seed=3)
show("random", generator.uniform(queue, n, np.float32).get())
sort = pyopencl.algorithm.RadixSort(ctx, "int *ary", key_expr="ary[i]", sort_arg_names=["ary"])
(ordered,), _ = sort(i)
show("sort", ordered.get())

SOURCE = """
kernel void transpose(global float *out, global const float *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
kernel void mandel(global uint *out, int w, int h, int limit)
{
    int x = get_global_id(0), y = get_global_id(1);
    float cx = 3.0f * x / w - 2, cy = 2.0f * y / h - 1, zx = 0, zy = 0;
    uint k = 0;
    while (zx * zx + zy * zy < 4 && k < limit) {
        float t = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = t;
        k++;
    }
    out[y * w + x] = k;
}
"""
program = cl.Program(ctx, SOURCE).build(options=["-cl-mad-enable"])
w, h = 640, 480
image = cla.to_device(queue, random.random((h, w), dtype=np.float32))
out, counts = cla.empty(queue, (w, h), np.float32), cla.empty(queue, (h, w), np.uint32)
for _ in range(30):
    program.transpose(queue, (w, h), None, out.data, image.data, np.int32(w), np.int32(h))
    program.mandel(queue, (w, h), (2, 2), counts.data, np.int32(w), np.int32(h), np.int32(100))
show("transpose", out.get())
show("mandel", counts.get())
