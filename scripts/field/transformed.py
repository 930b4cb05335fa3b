"""Loopy: kernels generated from one description in several transformations.  Prints checksums."""
import loopy as lp
import numpy as np
import pyopencl as cl
from made import show

lp.set_caching_enabled(False)
queue = cl.CommandQueue(cl.Context(cl.get_platforms()[0].get_devices()))
random = np.random.default_rng(6)


def run(name, kernel, out, **arguments):
    executor = kernel.executor(queue.context)
    for _ in range(10):
        _, results = executor(queue, **arguments)
    result = results[0] if isinstance(results, tuple) else results[out]
    result = result.get(queue) if hasattr(result, "get") else result
    show(name, result)


x, y = (random.random(100000) for _ in range(2))
axpy = lp.make_kernel("{[i]: 0<=i<n}", "z[i] = 2*x[i] + y[i]**2")
axpy = lp.add_dtypes(axpy, {"x": np.float64, "y": np.float64})
run("axpy 16", lp.split_iname(axpy, "i", 16, outer_tag="g.0", inner_tag="l.0"), "z", x=x, y=y)
run("axpy 128x4", lp.split_iname(lp.split_iname(axpy, "i", 512, outer_tag="g.0"), "i_inner", 128, outer_tag="ilp",
                                  inner_tag="l.0"), "z", x=x, y=y)
n = 192
a, b = (random.random((n, n)).astype(np.float32) for _ in range(2))
product = lp.make_kernel("{[i,j,k]: 0<=i,j,k<n}", "c[i,j] = sum(k, a[i,k]*b[k,j])")
product = lp.add_dtypes(product, {"a": np.float32, "b": np.float32})
product = lp.assume(product, "n mod 16 = 0 and n >= 16")
tiled = lp.split_iname(product, "i", 16, outer_tag="g.0", inner_tag="l.1")
tiled = lp.split_iname(tiled, "j", 8, outer_tag="g.1", inner_tag="l.0")
run("product", tiled, "c", a=a, b=b)
stencil = lp.make_kernel("{[i,j]: 0<=i,j<m}", "v[i+1,j+1] = u[i,j+1] + u[i+2,j+1] + u[i+1,j] + u[i+1,j+2] - 4*u[i+1,j+1]",
                         [lp.GlobalArg("u", np.float64, shape="m+2,m+2"), lp.GlobalArg("v", np.float64, shape="m+2,m+2"),
                          lp.ValueArg("m", np.int32)])
stencil = lp.split_iname(lp.split_iname(stencil, "i", 4, outer_tag="g.1", inner_tag="l.1"), "j", 4, outer_tag="g.0",
                         inner_tag="l.0")
run("stencil", stencil, "v", u=random.random((402, 402)), v=np.zeros((402, 402)), m=np.int32(400))
total = lp.make_kernel("{[i,j]: 0<=i,j<n}", "r[i] = sum(j, m[i,j])")
total = lp.add_dtypes(total, {"m": np.float32})
run("rows", lp.split_iname(total, "i", 2, outer_tag="g.0", inner_tag="l.0"), "r", m=a)
