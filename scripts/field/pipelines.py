"""Halide: an image pipeline and a matrix product, compiled for OpenCL while they run."""
import zlib

import halide as hl
import numpy as np

target = hl.get_host_target().with_feature(hl.TargetFeature.OpenCL)
x, y, c, i, j = (hl.Var(n) for n in ("x", "y", "c", "i", "j"))
bx, by, tx, ty = (hl.Var(n) for n in ("bx", "by", "tx", "ty"))
kept = []  # Halide's buffers do not hold what they were made of


def image(shape, seed=1, kind=np.float32):
    kept.append((np.random.default_rng(seed).random(shape, dtype=np.float32) * 255).astype(kind))
    return hl.Buffer(kept[-1])


def blur():
    source = image((1026, 1026))
    across, down = hl.Func("across"), hl.Func("down")
    across[x, y] = (source[x, y] + source[x + 1, y] + source[x + 2, y]) / 3
    down[x, y] = (across[x, y] + across[x, y + 1] + across[x, y + 2]) / 3
    down.gpu_tile(x, y, bx, by, tx, ty, 16, 16)
    across.compute_at(down, bx).gpu_threads(x, y)
    return down, [1024, 1024]


def product(n=512):
    a, b = image((n, n), 2), image((n, n), 3)
    k = hl.RDom([(0, n)])
    f = hl.Func("product")
    f[x, y] = 0.0
    f[x, y] += a[k, y] * b[x, k]
    out = hl.Func("out")
    out[x, y] = f[x, y]
    out.gpu_tile(x, y, bx, by, tx, ty, 16, 8)
    f.compute_at(out, tx)
    return out, [n, n]


def histogram():
    source = image((512, 512), 1, np.uint8)
    r = hl.RDom([(0, 512), (0, 512)])
    h, out = hl.Func("h"), hl.Func("curve")
    h[i] = hl.cast(hl.Int(32), 0)
    h[hl.cast(hl.Int(32), source[r.x, r.y])] += 1
    out[x, y] = hl.sqrt(hl.cast(hl.Float(32), source[x, y])) * h[hl.cast(hl.Int(32), source[x, y])]
    h.compute_root()
    out.gpu_tile(x, y, bx, by, tx, ty, 32, 4)
    return out, [512, 512]


for make, times in ((blur, 60), (product, 20), (histogram, 60)):
    func, size = make()
    func.compile_jit(target)
    result = hl.Buffer(hl.Float(32), size)
    for _ in range(times):
        func.realize(result, target)
        result.device_sync()
    result.copy_to_host()
    values = np.array(result, copy=True)
    print(make.__name__, "%08x" % zlib.crc32(values.tobytes()), float(values.sum(dtype=np.float64)))
