"""gputools: convolutions, denoising, transforms of a volume and an image.  Prints checksums."""
import gputools
import numpy as np
from gputools import convolve, convolve_sep2, convolve_sep3, denoise, transforms
from made import show

gputools.init_device(use_gpu=False)
random = np.random.default_rng(2)
image = random.random((256, 320)).astype(np.float32)
volume = random.random((40, 64, 72)).astype(np.float32)
kernel = np.hanning(9).astype(np.float32)


def often(name, f):
    for _ in range(6):
        result = f()
    show(name, result.shape, result)


often("convolve2", lambda: convolve(image, np.outer(kernel, kernel)))
often("convolve3", lambda: convolve(volume, np.ones((3, 5, 7), np.float32)))
often("sep2", lambda: convolve_sep2(image, kernel, kernel))
often("sep3", lambda: convolve_sep3(volume, kernel, kernel, kernel))
often("gaussian2", lambda: gputools.blur(image, 2.0))
often("gaussian3", lambda: gputools.blur(volume, 2.0))
for f in (gputools.max_filter, gputools.min_filter, gputools.uniform_filter):
    often(f.__name__ + "2", lambda: f(image, 5))
    often(f.__name__ + "3", lambda: f(volume, 3))
often("nlm2", lambda: denoise.nlm2(image, 0.1, 2, 3))
often("nlm3", lambda: denoise.nlm3(volume, 0.1, 1, 2))
often("bilateral2", lambda: denoise.bilateral2(image, 3, 0.2))
often("bilateral3", lambda: denoise.bilateral3(volume, 2, 0.2))
often("rotate", lambda: transforms.rotate(volume, axis=(0, 0, 1), angle=0.3))
often("shift", lambda: transforms.shift(volume, (1.5, 2, 3)))
often("zoom", lambda: transforms.scale(volume, (1.5, 1, 0.7)))
often("integral2", lambda: transforms.integral_image(image))
often("integral3", lambda: transforms.integral_image(volume))
