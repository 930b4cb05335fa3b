"""tinygrad on OpenCL: a small network's forward pass, matrices, reductions.  Prints checksums."""
import numpy as np
from tinygrad import Device, Tensor
from made import show

random = np.random.default_rng(5)

print(Device.DEFAULT)
a, b = (Tensor(random.random((192, 192), dtype=np.float32)) for _ in range(2))
for _ in range(12):
    c = (a @ b).relu().realize()
show("matmul", c.numpy())
show("sum", c.sum(axis=0).numpy())
show("softmax", c.softmax().numpy())
image = Tensor(random.random((4, 3, 40, 40), dtype=np.float32))
weights = Tensor(random.random((8, 3, 3, 3), dtype=np.float32))
for _ in range(6):
    out = image.conv2d(weights).relu().max_pool2d()
    out.realize()
show("conv", out.numpy())
for _ in range(12):
    d = ((a + 1) * b - c / 100).exp().realize()
show("elementwise", d.numpy())
