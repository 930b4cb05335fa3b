"""Quasi-random sequences and a Walsh-Hadamard transform with QMCToolsCL: lattices of three orders, shifted ones."""

import hashlib

import numpy as np
import pyopencl as cl
import qmctoolscl

REPLICATIONS, POINTS, DIMENSIONS = np.uint64(4), np.uint64(2**12), np.uint64(16)

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
random = np.random.default_rng(7)
how = dict(backend="cl", context=context, queue=queue)
tiny = dict(how, global_size=(2, 2, 8), local_size=(1, 1, 2))


def on_device(array):
    return cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=array)


def tell(name, array, buffer):
    cl.enqueue_copy(queue, array, buffer)
    print(name, hashlib.sha256(array.tobytes()).hexdigest()[:16])


generators = on_device(random.integers(1, 2**12, (4, 16)).astype(np.uint64))
points = np.zeros((4, 2**12, 16))
lattice = on_device(points)
for order, more in ("linear", ()), ("natural", (np.uint64(0),)), ("gray", (np.uint64(0),)):
    for _ in range(6):
        getattr(qmctoolscl, "lat_gen_" + order)(REPLICATIONS, POINTS, DIMENSIONS, *more, generators, lattice, **tiny)
    tell(order, points, lattice)

sequence, shifts, shifted = on_device(random.random((1, 2**12, 16))), on_device(random.random((4, 16))), on_device(points)
for _ in range(6):
    qmctoolscl.lat_shift_mod_1(REPLICATIONS, POINTS, DIMENSIONS, np.uint64(1), sequence, shifts, shifted, **tiny)
tell("shifted", points, shifted)

values = random.random((4, 16, 2**10))
transformed = on_device(values)
for _ in range(4):
    qmctoolscl.fwht_1d_radix2(np.uint64(4), np.uint64(16), np.uint64(2**9), transformed, **how, global_size=(4, 16, 512),
                              local_size=(1, 1, 512))
tell("transformed", values, transformed)
