"""opencl-fdfd: the electric field of a current in a box, by conjugate gradients; prints checksums."""
import zlib

import numpy as np

# What it was written for had these.
np.float_, np.complex_, array = np.float64, np.complex128, np.array
np.array = lambda *values, copy=True, **more: array(*values, copy=copy or None, **more)

from opencl_fdfd import cg_solver  # noqa: E402

SHAPE = 24, 20, 16
rng = np.random.RandomState(1)
cells = [[np.full(n, 10 + 0j) for n in SHAPE] for _ in range(2)]
current = np.zeros(3 * np.prod(SHAPE), complex)
current[1000] = 1
dielectric = 1 + 3 * rng.rand(current.size)
for more in {}, {"mu": 1 + rng.rand(current.size)}, {"pec": (rng.rand(current.size) < 0.05).astype(float)}:
    field = cg_solver(2 * np.pi / 155 * (1 + 0.05j), cells, current, dielectric, max_iters=300, **more)
    print(*more, f"{zlib.crc32(field):08x}", abs(field).sum(), flush=True)
