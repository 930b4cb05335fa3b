"""Fourier transforms by reikna or VkFFT, forward and back, repeated.  Prints checksums."""
import sys

import numpy as np
from made import show

random = np.random.default_rng(3)


def by_reikna(shape):
    from reikna.cluda import ocl_api
    from reikna.fft import FFT
    from reikna.linalg import MatrixMul
    api = ocl_api()
    thread = api.Thread(api.get_platforms()[0].get_devices()[0])
    data = thread.to_device((random.random(shape) + 1j * random.random(shape)).astype(np.complex64))
    out = thread.empty_like(data)
    plan = FFT(data).compile(thread)
    for r in range(10):
        plan(out, data, r % 2)
    show(f"reikna {shape}", out.get())
    a, b = (thread.to_device(random.random((130, 130), dtype=np.float32)) for _ in range(2))
    c = thread.empty_like(a)
    product = MatrixMul(a, b, out_arr=c).compile(thread)
    for _ in range(10):
        product(c, a, b)
    show("product", c.get())


def by_vkfft(shape):
    import pyopencl as cl
    import pyopencl.array as cla
    from pyvkfft.opencl import VkFFTApp
    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    data = cla.to_device(queue, (random.random(shape) + 1j * random.random(shape)).astype(np.complex64))
    app = VkFFTApp(data.shape, data.dtype, queue)
    for _ in range(10):
        app.fft(data)
        app.ifft(data)
    show(f"vkfft {shape}", data.get())


for shape in ((1024,), (64, 96), (16, 32, 16)):
    (by_reikna if sys.argv[1] == "reikna" else by_vkfft)(shape)
