"""libgpuarray through pygpu: elementwise expressions, slices and copies; prints checksums."""
import numpy as np
import pygpu
from pygpu.elemwise import GpuElemwise, arg
from made import show

context = pygpu.init("opencl0:0")
random = np.random.default_rng(3)
n = 700

a = pygpu.array(random.random((n, n), dtype=np.float32), context=context)
b = pygpu.array(random.random((n, n), dtype=np.float32), context=context)
out = pygpu.empty((n, n), dtype="float32", context=context)
mixture = GpuElemwise(context, "c = a * b + a / (b + 1)",
                      [arg("a", "float32", read=True), arg("b", "float32", read=True), arg("c", "float32", write=True)],
                      convert_f16=True)
for _ in range(30):
    mixture(a, b, out)
    mixture(a.T, b, out, broadcast=True)
show("mixture", out)
mixture(a[::2, ::3], b[::2, ::3], out[::2, ::3])
show("strided", out)
show("sliced", pygpu.ascontiguousarray(a[::3, ::-1]))
show("cast", a.astype("float64"))
show("transposed", pygpu.ascontiguousarray(a.T))
show("rows", a.take1(pygpu.array(random.integers(0, n, 500).astype(np.int64), context=context)))
