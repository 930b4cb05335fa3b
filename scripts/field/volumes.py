"""gputools: convolutions, denoising, transforms of a volume and an image.  Prints checksums."""
import zlib

import gputools
import numpy as np
from gputools import convolve, convolve_sep2, convolve_sep3, denoise, transforms

gputools.init_device(use_gpu=False)
random = np.random.default_rng(2)
image = random.random((256, 320)).astype(np.float32)
volume = random.random((40, 64, 72)).astype(np.float32)
kernel = np.hanning(9).astype(np.float32)


def show(name, f):
    for _ in range(6):
        result = f()
    print(name, result.shape, f"{zlib.crc32(np.ascontiguousarray(result)):08x}", flush=True)


show("convolve2", lambda: convolve(image, np.outer(kernel, kernel)))
show("convolve3", lambda: convolve(volume, np.ones((3, 5, 7), np.float32)))
show("sep2", lambda: convolve_sep2(image, kernel, kernel))
show("sep3", lambda: convolve_sep3(volume, kernel, kernel, kernel))
show("gaussian2", lambda: gputools.blur(image, 2.0))
show("gaussian3", lambda: gputools.blur(volume, 2.0))
for f in (gputools.max_filter, gputools.min_filter, gputools.uniform_filter):
    show(f.__name__ + "2", lambda: f(image, 5))
    show(f.__name__ + "3", lambda: f(volume, 3))
show("nlm2", lambda: denoise.nlm2(image, 0.1, 2, 3))
show("nlm3", lambda: denoise.nlm3(volume, 0.1, 1, 2))
show("bilateral2", lambda: denoise.bilateral2(image, 3, 0.2))
show("bilateral3", lambda: denoise.bilateral3(volume, 2, 0.2))
show("rotate", lambda: transforms.rotate(volume, axis=(0, 0, 1), angle=0.3))
show("shift", lambda: transforms.shift(volume, (1.5, 2, 3)))
show("zoom", lambda: transforms.scale(volume, (1.5, 1, 0.7)))
show("integral2", lambda: transforms.integral_image(image))
show("integral3", lambda: transforms.integral_image(volume))
