"""strided.py ROUNDS: dpnp, numpy's arrays on SYCL: maps, and copies of every other element.  Prints a hash of the
results."""
import hashlib
import sys

import dpnp as np

rounds, result = int(sys.argv[1]), hashlib.sha256()
for i in range(rounds):
    made = np.linspace(0, 1 + i, 1 << 20, dtype=np.float32)  # one place of memory after the other, and the same again
    eye = np.eye(1000, 1000, k=i % 7, dtype=np.float32)
    halves = np.zeros((1000, 1000), dtype=np.float32)
    halves[::2] = made[:500000].reshape(500, 1000) + eye[1::2]
    halves[1:] = halves[:-1] * 2  # the two overlap
    turned = np.ascontiguousarray(halves.T[::-1, 5:])
    if i % 10 == 0:
        for array in made, eye, halves, turned, np.where(turned > 0.5, turned, -turned):
            result.update(np.asnumpy(array).tobytes())
print(result.hexdigest())
