"""DPIVSoft: the flow between two pictures."""
import zlib

import cv2
import dpivsoft.Cl_DPIV as Cl_DPIV
import dpivsoft.DPIV as DPIV
import numpy as np
from dpivsoft.Classes import GPU

rng = np.random.default_rng(4)
rows, columns = np.mgrid[0:384, 0:512].astype(np.float32)
pictures = [np.zeros((384, 512), np.float32) for _ in range(2)]
for _ in range(2500):
    r, c = rng.uniform(8, 376), rng.uniform(8, 504)
    dr, dc = 3 * np.sin(c / 150), 4 * np.cos(r / 120)
    for picture, (y, x) in zip(pictures, ((r, c), (r + dr, c + dc))):
        a, b = int(y), int(x)
        part = np.s_[max(a - 3, 0):a + 4, max(b - 3, 0):b + 4]
        picture[part] += 200 * np.exp(-((rows[part] - y) ** 2 + (columns[part] - x) ** 2) / 2)
for i, picture in enumerate(pictures):
    cv2.imwrite(f"flow{i}.png", np.clip(picture, 0, 255).astype(np.uint8))
thr = Cl_DPIV.select_Platform(0)
first, second = DPIV.load_images("flow0.png", "flow1.png")
height, width = first.shape
Cl_DPIV.compile_Kernels(thr)
Cl_DPIV.initialization(width, height, thr)
GPU.img1.set(first)
GPU.img2.set(second)
for _ in range(4):
    Cl_DPIV.processing("flow0.png", "flow1.png", thr)
    for name in ("u2_f", "v2_f", "Q2"):
        values = getattr(GPU, name).get()
        print(name, values.shape, "%08x" % zlib.crc32(values.tobytes()), float(np.nansum(values)))
